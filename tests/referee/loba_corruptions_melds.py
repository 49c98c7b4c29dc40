"""Corruptions of the melds of Loba: LOB-05, LOB-06, LOB-07, LOB-09."""

from __future__ import annotations

import random
from collections import Counter

from tests.referee.cards import JOKER, PACK_52, SUITS, number_of, rank_of, suit_of
from tests.referee.loba_corruption_tools import (
    Spot,
    before_discard,
    corruption,
    is_run,
    laid_here,
    one_laid_here,
    some_spot,
    spots,
)
from tests.referee.loba_melds import LOW_ACE, card_at, places_of
from tests.referee.log_edits import Log, edit, exchanged, insert, pick, plain, where, with_options

Melds = list[tuple[Spot, list[str]]]


def consecutive(hand: list[str], count: int, step: int = 1) -> list[list[str]]:
    """Cards of one suit in hand, so many, each `step` places above the one before."""
    found = []
    for card in sorted(set(hand) - {JOKER}):
        for low in places_of(card):
            places = [low + step * index for index in range(count)]
            cards = [card_at(suit_of(card), place) for place in places if place <= 14]
            if len(cards) == count and all(other in hand for other in cards):
                found.append(cards)
    return found


def of_rank(hand: list[str], rank: str) -> list[str]:
    """The cards of a rank in hand."""
    return sorted(card for card in hand if card != JOKER and rank_of(card) == rank)


def ranks_of(hand: list[str]) -> list[str]:
    """The ranks in hand."""
    return sorted({rank_of(card) for card in hand if card != JOKER})


# ---------------------------------------------------------------- LOB-05: sets


@corruption("LOB-05")
def set_of_two(log: Log, rng: random.Random) -> Log | None:
    """Two cards of a rank."""
    found: Melds = [
        (spot, of_rank(spot.hand, rank)[:2])
        for spot in before_discard(log)
        for rank in ranks_of(spot.hand)
        if len(of_rank(spot.hand, rank)) >= 2
    ]
    return one_laid_here(log, rng, found)


@corruption("LOB-05")
def meld_of_one(log: Log, rng: random.Random) -> Log | None:
    """A single card, or none."""
    found: Melds = [(spot, spot.naturals[: rng.randrange(2)]) for spot in before_discard(log)]
    return one_laid_here(log, rng, found)


@corruption("LOB-05")
def set_of_two_suits(log: Log, rng: random.Random) -> Log | None:
    """Three cards of a rank in two suits."""
    found: Melds = []
    if log[0]["options"]["set_suits"] == "three_different":
        for spot in before_discard(log):
            for rank in ranks_of(spot.hand):
                cards = of_rank(spot.hand, rank)
                pairs = [card for card in set(cards) if cards.count(card) == 2]
                if pairs and len(cards) >= 3:
                    found.append((spot, [*[min(pairs)] * 2, next(card for card in cards if card != min(pairs))]))
    return one_laid_here(log, rng, found)


@corruption("LOB-05")
def set_of_four_suits(log: Log, rng: random.Random) -> Log | None:
    """Four cards of a rank in four suits."""
    found: Melds = []
    if log[0]["options"]["set_suits"] == "three_different":
        for spot in before_discard(log):
            for rank in ranks_of(spot.hand):
                cards = sorted(set(of_rank(spot.hand, rank)))
                if len(cards) == len(SUITS):
                    found.append((spot, cards))
    return one_laid_here(log, rng, found)


@corruption("LOB-05")
def fourth_suit_joins(log: Log, rng: random.Random) -> Log | None:
    """A card of the fourth suit joins a set."""
    found = []
    if log[0]["options"]["set_suits"] == "three_different":
        for spot in before_discard(log):
            for number, meld in enumerate(spot.mine):
                cards = [card for card in of_rank(spot.hand, rank_of(meld[0])) if card not in meld]
                cards = [card for card in cards if suit_of(card) not in map(suit_of, meld)]
                if not is_run(meld) and cards:
                    found.append((spot, cards[:1], [*meld, cards[0]], number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("LOB-05", "LOB-08")
def any_suits_will_do(log: Log, rng: random.Random) -> Log | None:
    """A set of two suits or four was laid, and the house rules want three."""
    for index in where(log, "meld", "extend"):
        now = log[index]["now"]
        if not is_run(now) and len(set(map(suit_of, now))) != 3:
            return with_options(log, set_suits="three_different", taken_discard_must_meld=False)
    return None


# ---------------------------------------------------------------- LOB-06: sequences


@corruption("LOB-06")
def run_of_two(log: Log, rng: random.Random) -> Log | None:
    """Two consecutive cards."""
    found: Melds = [(spot, cards) for spot in before_discard(log) for cards in consecutive(spot.hand, 2)]
    return one_laid_here(log, rng, found)


@corruption("LOB-06")
def run_of_two_suits(log: Log, rng: random.Random) -> Log | None:
    """Three consecutive cards of different suits."""
    found: Melds = []
    for spot in before_discard(log):
        for first in spot.naturals:
            run = [first]
            for card in sorted(spot.naturals, key=lambda card: (suit_of(card) == suit_of(first), card)):
                if number_of(card) == number_of(run[-1]) + 1 and len(run) < 3:
                    run.append(card)
            if len(run) == 3 and len(set(map(suit_of, run))) > 1:
                found.append((spot, run))
    return one_laid_here(log, rng, found)


@corruption("LOB-06")
def run_with_a_gap(log: Log, rng: random.Random) -> Log | None:
    """Cards of one suit that are not consecutive."""
    found: Melds = []
    for spot in before_discard(log):
        for suit in SUITS:
            cards = sorted({card for card in spot.naturals if suit_of(card) == suit}, key=number_of)[:3]
            numbers = [number_of(card) for card in cards]
            if len(cards) == 3 and "A" not in map(rank_of, cards) and numbers[2] - numbers[0] > 2:
                found.append((spot, cards))
    return one_laid_here(log, rng, found)


@corruption("LOB-06")
def run_around_the_corner(log: Log, rng: random.Random) -> Log | None:
    """King, Ace, two."""
    found: Melds = []
    for spot in before_discard(log):
        for suit in SUITS:
            cards = [f"K{suit}", f"A{suit}", f"2{suit}"]
            if all(card in spot.hand for card in cards):
                found.append((spot, cards))
    return one_laid_here(log, rng, found)


@corruption("LOB-06")
def run_upside_down(log: Log, rng: random.Random) -> Log | None:
    """A new sequence lies from the highest card down."""
    index = pick(rng, [i for i in where(log, "meld") if is_run(log[i]["now"])])
    if index is None:
        return None
    return edit(log, index, cards=log[index]["cards"][::-1], now=log[index]["now"][::-1])


@corruption("LOB-06")
def other_suit_joins_a_run(log: Log, rng: random.Random) -> Log | None:
    """The next card, but of another suit."""
    found = []
    for spot in before_discard(log):
        for number, meld in enumerate(spot.mine):
            above = [card for card in spot.naturals if number_of(card) == number_of(meld[-1]) + 1]
            above = [card for card in above if suit_of(card) != suit_of(meld[-1])]
            if is_run(meld) and above:
                found.append((spot, above[:1], [*meld, above[0]], number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("LOB-06")
def far_card_joins_a_run(log: Log, rng: random.Random) -> Log | None:
    """A card of the suit that does not continue the sequence."""
    found = []
    for spot in before_discard(log):
        for number, meld in enumerate(spot.mine):
            far = [card for card in spot.naturals if suit_of(card) == suit_of(meld[-1])]
            far = [card for card in far if number_of(card) > number_of(meld[-1]) + 1]
            if is_run(meld) and far:
                found.append((spot, far[-1:], [*meld, far[-1]], number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("LOB-06")
def other_rank_joins_a_set(log: Log, rng: random.Random) -> Log | None:
    """A card of another rank joins a set."""
    found = []
    for spot in before_discard(log):
        for number, meld in enumerate(spot.mine):
            others = [card for card in spot.naturals if rank_of(card) != rank_of(meld[0])]
            if not is_run(meld) and others:
                found.append((spot, others[:1], [*meld, others[0]], number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


# ---------------------------------------------------------------- LOB-07: jokers


@corruption("LOB-07")
def joker_in_a_set(log: Log, rng: random.Random) -> Log | None:
    """A pair and a joker."""
    found: Melds = [
        (spot, [*of_rank(spot.hand, rank)[:2], JOKER])
        for spot in before_discard(log)
        for rank in ranks_of(spot.hand)
        if spot.jokers and len(of_rank(spot.hand, rank)) >= 2
    ]
    return one_laid_here(log, rng, found)


@corruption("LOB-07")
def joker_joins_a_set(log: Log, rng: random.Random) -> Log | None:
    """A joker is added to a set."""
    found = [
        (spot, [JOKER], [*meld, JOKER], number)
        for spot in before_discard(log)
        for number, meld in enumerate(spot.mine)
        if spot.jokers and not is_run(meld)
    ]
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("LOB-07")
def joker_at_an_end(log: Log, rng: random.Random) -> Log | None:
    """Two consecutive cards and a joker below or above."""
    found: Melds = []
    for spot in before_discard(log):
        for cards in consecutive(spot.hand, 2) if spot.jokers else []:
            found += [(spot, [JOKER, *cards]), (spot, [*cards, JOKER])]
    return one_laid_here(log, rng, found)


@corruption("LOB-07")
def joker_at_an_end_of_an_extension(log: Log, rng: random.Random) -> Log | None:
    """A joker is added to a sequence, and no natural card closes it."""
    found = []
    for spot in before_discard(log):
        for number, meld in enumerate(spot.mine):
            if spot.jokers and is_run(meld):
                now = rng.choice(([JOKER, *meld], [*meld, JOKER]))
                found.append((spot, [JOKER], now, number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("LOB-07")
def two_jokers_side_by_side(log: Log, rng: random.Random) -> Log | None:
    """No natural card between two jokers."""
    found: Melds = []
    for spot in before_discard(log):
        for low, high in consecutive(spot.hand, 2, step=3) if spot.jokers >= 2 else []:
            found.append((spot, [low, JOKER, JOKER, high]))
    return one_laid_here(log, rng, found)


@corruption("LOB-07")
def one_card_between_two_jokers(log: Log, rng: random.Random) -> Log | None:
    """Only one natural card between two jokers."""
    found: Melds = []
    for spot in before_discard(log):
        for low, middle, high in consecutive(spot.hand, 3, step=2) if spot.jokers >= 2 else []:
            found.append((spot, [low, JOKER, middle, JOKER, high]))
    return one_laid_here(log, rng, found)


@corruption("LOB-07")
def third_joker(log: Log, rng: random.Random) -> Log | None:
    """A sequence with two jokers takes another one, closed by a natural card."""
    found = []
    for spot in before_discard(log):
        for number, meld in enumerate(spot.mine):
            place = number_of(meld[-1]) + 2
            closing = card_at(suit_of(meld[-1]), place) if is_run(meld) and place <= 14 else ""
            if spot.jokers and closing in spot.hand and meld.count(JOKER) == 2:
                found.append((spot, [JOKER, closing], [*meld, JOKER, closing], number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


def joker_places(meld: list[str]) -> list[tuple[int, str]]:
    """Where the jokers of a sequence lie, with the natural card of each place."""
    low = LOW_ACE if rank_of(meld[0]) == "A" else number_of(meld[0])
    suit = suit_of(meld[0])
    return [(index, card_at(suit, low + index)) for index, card in enumerate(meld) if card == JOKER]


@corruption("LOB-07")
def joker_replaced(log: Log, rng: random.Random) -> Log | None:
    """The natural card takes the place of a joker."""
    found = []
    for spot in before_discard(log):
        for number, meld in enumerate(spot.mine):
            for index, card in joker_places(meld):
                if card in spot.hand:
                    now = [*meld[:index], card, *meld[index + 1 :]]
                    found.append((spot, [card], now, number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("LOB-07")
def joker_moved(log: Log, rng: random.Random) -> Log | None:
    """The natural card takes the place of a joker, which goes further up."""
    found = []
    for spot in before_discard(log):
        for number, meld in enumerate(spot.mine):
            place = number_of(meld[-1]) + 2
            closing = card_at(suit_of(meld[-1]), place) if is_run(meld) and place <= 14 else ""
            for index, card in joker_places(meld) if closing in spot.hand and meld.count(JOKER) == 1 else []:
                if card in spot.hand:
                    now = [*meld[:index], card, *meld[index + 1 :], JOKER, closing]
                    found.append((spot, [card, closing], now, number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("CARDS")
def joker_not_held(log: Log, rng: random.Random) -> Log | None:
    """A joker that the player does not have lies in a new sequence."""
    found: Melds = []
    for spot in before_discard(log):
        for low, high in consecutive(spot.hand, 2, step=2) if not spot.jokers else []:
            found.append((spot, [low, JOKER, high]))
    return one_laid_here(log, rng, found)


# ---------------------------------------------------------------- LOB-09: own melds only


@corruption("LOB-09")
def extends_what_is_not_there(log: Log, rng: random.Random) -> Log | None:
    """An extension of a meld that the player does not have."""
    spot = some_spot(log, rng, lambda spot: spot.name == "extend")
    return None if spot is None else edit(log, spot.index, meld=len(spot.mine))


@corruption("LOB-09")
def new_meld_written_as_an_extension(log: Log, rng: random.Random) -> Log | None:
    """A new meld is no extension."""
    index = pick(rng, where(log, "meld"))
    return None if index is None else edit(log, index, event="extend")


@corruption("LOB-09")
def lays_off_on_an_opponents_meld(log: Log, rng: random.Random) -> Log | None:
    """A card joins a set or the upper end of a sequence of another player."""
    found = []
    for spot in before_discard(log):
        for seat, melds in enumerate(spot.melds):
            for number, meld in enumerate(melds) if seat != spot.event["seat"] else []:
                fitting = [card for card in spot.hand if fits(card, meld)]
                lost = Counter(spot.mine[number]) - Counter([*meld, *fitting]) if number < len(spot.mine) else {"": 1}
                if fitting and set(lost) - {JOKER}:
                    event = plain(spot.event, "extend", fitting[:1], meld=number, now=[*meld, fitting[0]])
                    found.append((spot.index, event))
    chosen = pick(rng, found)
    return None if chosen is None else insert(log, *chosen)


def fits(card: str, meld: list[str]) -> bool:
    """The card is another copy of one in a set, or continues a sequence upwards."""
    if not is_run(meld):
        return card in meld
    return suit_of(card) == suit_of(meld[-1]) and number_of(card) == number_of(meld[-1]) + 1


@corruption("LOB-05", "LOB-06", "LOB-09")
def extension_of_other_cards(log: Log, rng: random.Random) -> Log | None:
    """`now` shows a card that neither lay there nor was added."""
    found = []
    for index in where(log, "extend"):
        now = log[index]["now"]
        others = [card for card in PACK_52 if rank_of(card) == rank_of(now[0]) and card != now[0]]
        found.append((index, exchanged(now, now[0], rng.choice(others))))
    chosen = pick(rng, found)
    return None if chosen is None else edit(log, chosen[0], now=chosen[1])


@corruption("LOB-09")
def extension_names_a_card_too_many(log: Log, rng: random.Random) -> Log | None:
    """A card is said to be added that does not lie there afterwards."""
    found = []
    for spot in spots(log):
        left = Counter(spot.hand) - Counter(spot.event["cards"]) if spot.name == "extend" else Counter[str]()
        found += [(spot, card) for card in sorted(left)]
    chosen = pick(rng, found)
    return None if chosen is None else edit(log, chosen[0].index, cards=[*chosen[0].event["cards"], chosen[1]])


@corruption("LOB-05", "LOB-06", "LOB-07")
def extension_written_as_a_new_meld(log: Log, rng: random.Random) -> Log | None:
    """One or two cards added lie as a meld of their own."""
    spot = some_spot(log, rng, lambda spot: spot.name == "extend" and len(spot.event["cards"]) < 3)
    if spot is None:
        return None
    cards = spot.event["cards"]
    return edit(log, spot.index, event="meld", meld=len(spot.mine), now=cards)


# ---------------------------------------------------------------- the form of a laying


@corruption("LOG")
def meld_number_off(log: Log, rng: random.Random) -> Log | None:
    """A new meld has a wrong number."""
    index = pick(rng, where(log, "meld"))
    return None if index is None else edit(log, index, meld=log[index]["meld"] + rng.choice((1, 2)))


@corruption("LOG")
def meld_number_of_an_old_one(log: Log, rng: random.Random) -> Log | None:
    """A new meld has the number of another one."""
    index = pick(rng, [i for i in where(log, "meld") if log[i]["meld"]])
    return None if index is None else edit(log, index, meld=log[index]["meld"] - 1)


@corruption("LOG")
def extension_by_nothing(log: Log, rng: random.Random) -> Log | None:
    """An extension adds no card."""
    found = [spot for spot in before_discard(log) if spot.mine]
    spot = pick(rng, found)
    return None if spot is None else laid_here(log, spot, [], spot.mine[0], 0)


@corruption("LOG")
def meld_of_more_than_was_laid(log: Log, rng: random.Random) -> Log | None:
    """A new meld shows a card more than was laid."""
    index = pick(rng, where(log, "meld"))
    return None if index is None else edit(log, index, cards=log[index]["cards"][1:])


@corruption("LOG")
def cards_not_as_they_lie(log: Log, rng: random.Random) -> Log | None:
    """The cards of a new sequence are written in another order."""
    index = pick(rng, [i for i in where(log, "meld") if is_run(log[i]["now"])])
    if index is None:
        return None
    first, *others = log[index]["cards"]
    return edit(log, index, cards=[*others, first])


@corruption("CARDS")
def lays_a_card_he_lacks(log: Log, rng: random.Random) -> Log | None:
    """A card is laid that the player does not hold."""
    found = []
    for spot in spots(log):
        if spot.name in ("meld", "extend"):
            lacking = [card for card in PACK_52 if card not in spot.hand]
            old, new = spot.event["cards"][0], rng.choice(lacking)
            found.append((spot, exchanged(spot.event["cards"], old, new), exchanged(spot.event["now"], old, new)))
    chosen = pick(rng, found)
    return None if chosen is None else edit(log, chosen[0].index, cards=chosen[1], now=chosen[2])
