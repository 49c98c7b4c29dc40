"""Corruptions of the play: melds, the discard, the morto."""

from __future__ import annotations

import random

from tests.referee.canastra_melds import is_curinga
from tests.referee.cards import PACK_52, is_red_three, rank_of, suit_of
from tests.referee.corruption_tools import (
    TURN_START,
    Spot,
    corruption,
    draws_alone,
    is_sequence,
    next_natural,
    spots,
    suit_and_low,
)
from tests.referee.log_edits import (
    Log,
    edit,
    exchanged,
    insert,
    pick,
    plain,
    plain_lays,
    replace,
    swap_next,
    where,
    with_options,
    without,
)

# ---------------------------------------------------------------- melds


def new_cards(log: Log, index: int, old: str, new: str) -> Log:
    """A card of a meld event becomes another, where it is added and where it lies."""
    event = log[index]
    return edit(log, index, cards=exchanged(event["cards"], old, new), now=exchanged(event["now"], old, new))


def added_naturals(log: Log, index: int) -> list[str]:
    """The naturals that a meld event adds."""
    return [card for card in log[index]["cards"] if not is_curinga(card)]


@corruption("CARDS")
def meld_of_a_card_not_held(log: Log, rng: random.Random) -> Log | None:
    """A sequence goes on with a card that the player does not hold."""
    lays = set(plain_lays(log))
    found = []
    for spot in spots(log):
        if spot.index in lays and is_sequence(spot.event["now"]):
            card = next_natural(spot.event["now"])
            if card is not None and card not in spot.hand:
                found.append((spot.index, card))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    index, card = chosen
    return edit(log, index, cards=[*log[index]["cards"], card], now=[*log[index]["now"], card])


@corruption("CAN-12")
def meld_with_a_gap(log: Log, rng: random.Random) -> Log | None:
    """The last card of a sequence is one too high."""
    found = []
    for index in plain_lays(log):
        now = log[index]["now"]
        card = next_natural(now) if is_sequence(now) else None
        if card is not None and now[-1] in added_naturals(log, index):
            found.append((index, now[-1], card))
    chosen = pick(rng, found)
    return None if chosen is None else new_cards(log, *chosen)


@corruption("CAN-12")
def meld_of_two_suits(log: Log, rng: random.Random) -> Log | None:
    """A card of a sequence has another suit."""
    found = [i for i in plain_lays(log) if is_sequence(log[i]["now"]) and added_naturals(log, i)]
    index = pick(rng, found)
    if index is None:
        return None
    card = rng.choice(added_naturals(log, index))
    suit = rng.choice([suit for suit in "SHDC" if suit != suit_of(card)])
    return new_cards(log, index, card, rank_of(card) + suit)


@corruption("CAN-12")
def meld_with_a_three(log: Log, rng: random.Random) -> Log | None:
    """A three in a meld."""
    index = pick(rng, plain_lays(log))
    if index is None:
        return None
    return new_cards(log, index, rng.choice(log[index]["cards"]), rng.choice(("3S", "3C", "3H", "3D")))


@corruption("CAN-12")
def meld_of_two_cards(log: Log, rng: random.Random) -> Log | None:
    """A meld of less than three cards."""
    index = pick(rng, [i for i in plain_lays(log) if log[i]["event"] == "meld"])
    if index is None:
        return None
    now = log[index]["now"][: rng.choice((0, 1, 2))]
    return edit(log, index, cards=now, now=now)


@corruption("CAN-14")
def curingas_too_many(log: Log, rng: random.Random) -> Log | None:
    """More curingas in a new meld than may be, or less than two naturals."""
    limit = log[0]["options"]["curingas_per_meld"]
    found = [i for i in plain_lays(log) if log[i]["event"] == "meld"]
    index = pick(rng, found)
    if index is None:
        return None
    while sum(map(is_curinga, log[index]["now"])) <= limit and added_naturals(log, index):
        log = new_cards(log, index, rng.choice(added_naturals(log, index)), rng.choice(("2S", "2H", "2D", "2C")))
    return log


@corruption("CAN-12", "CAN-14")
def curinga_beyond_the_ends(log: Log, rng: random.Random) -> Log | None:
    """A curinga above the Ace or below the four."""
    found = []
    for index in plain_lays(log):
        now = log[index]["now"]
        if not is_sequence(now):
            continue
        if suit_and_low(now)[1] == 4:
            found.append((index, ["2H", *now]))
        if suit_and_low(now)[1] + len(now) == 15:
            found.append((index, [*now, "2H"]))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    index, now = chosen
    return edit(log, index, cards=[*log[index]["cards"], "2H"], now=now)


@corruption("CAN-12")
def curinga_out_of_place(log: Log, rng: random.Random) -> Log | None:
    """A curinga and its neighbour have changed places."""
    found = []
    for index in plain_lays(log):
        now = log[index]["now"]
        for place in range(len(now) - 1) if is_sequence(now) else ():
            if is_curinga(now[place]) != is_curinga(now[place + 1]):
                swapped = [*now[:place], now[place + 1], now[place], *now[place + 2 :]]
                found.append((index, swapped))
    chosen = pick(rng, found)
    return None if chosen is None else edit(log, chosen[0], now=chosen[1])


@corruption("CAN-15")
def curinga_moved(log: Log, rng: random.Random) -> Log | None:
    """A curinga at one end of a meld lies at the other end after an extension with naturals."""
    found = []
    for spot in spots(log):
        event = spot.event
        if event["event"] != "extend" or not is_sequence(event["now"]) or any(map(is_curinga, event["cards"])):
            continue
        now, low = event["now"], suit_and_low(event["now"])[1]
        if is_curinga(now[0]) and low + len(now) - 1 < 14 and not is_curinga(now[-1]):
            found.append((spot.index, [*now[1:], now[0]]))
        if is_curinga(now[-1]) and low > 4 and not is_curinga(now[0]) and kept_its_place(spot):
            found.append((spot.index, [now[-1], *now[:-1]]))
    chosen = pick(rng, found)
    return None if chosen is None else edit(log, chosen[0], now=chosen[1])


def kept_its_place(spot: Spot) -> bool:
    """The curinga at the high end lay there before the extension."""
    before = spot.melds[spot.side][spot.event["meld"]]
    now = spot.event["now"]
    offset = suit_and_low(before)[1] - suit_and_low(now)[1]
    return is_curinga(before[-1]) and offset + len(before) == len(now)


@corruption("CAN-15")
def curinga_does_not_slide(log: Log, rng: random.Random) -> Log | None:
    """Under curinga_slides=false the natural of a curinga's place cannot be added."""
    for spot in spots(log):
        if spot.event["event"] != "extend" or not is_sequence(spot.event["now"]):
            continue
        before, now = spot.melds[spot.side][spot.event["meld"]], spot.event["now"]
        offset = suit_and_low(before)[1] - suit_and_low(now)[1]
        if any(is_curinga(card) and not is_curinga(now[offset + i]) for i, card in enumerate(before)):
            return with_options(log, curinga_slides=False)
    return None


@corruption("CAN-13")
def lavadeira_not_agreed(log: Log, rng: random.Random) -> Log | None:
    """A lavadeira of a rank that the house does not allow."""
    index = pick(rng, [i for i in where(log, "meld") if not is_sequence(log[i]["now"])])
    if index is None:
        return None
    rank = next(rank_of(card) for card in log[index]["now"] if not is_curinga(card))
    return with_options(log, lavadeira_ranks=without(log[0]["options"]["lavadeira_ranks"], rank))


@corruption("CAN-14")
def one_curinga_only(log: Log, rng: random.Random) -> Log | None:
    """Under curingas_per_meld=1 no meld has two."""
    found = [i for i in where(log, "meld", "extend") if sum(map(is_curinga, log[i]["now"])) > 1]
    return with_options(log, curingas_per_meld=1) if found else None


@corruption("CAN-11")
def opponents_meld(log: Log, rng: random.Random) -> Log | None:
    """A player extends a sequence of the other pair."""
    found = []
    for spot in spots(log):
        if spot.event["event"] != "discard":
            continue
        mine, theirs = spot.melds[spot.side], spot.melds[1 - spot.side]
        for number, now in enumerate(theirs):
            card = next_natural(now) if is_sequence(now) else None
            same = number < len(mine) and sorted(mine[number]) == sorted(now)
            if card is not None and card in spot.hand and not same:
                found.append((spot, number, card, [*now, card]))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    spot, number, card, now = chosen
    return insert(log, spot.index, plain(spot.event, "extend", [card], meld=number, now=now))


@corruption("LOG")
def meld_misnumbered(log: Log, rng: random.Random) -> Log | None:
    """A new meld with a number that is not the next."""
    index = pick(rng, where(log, "meld"))
    return None if index is None else edit(log, index, meld=log[index]["meld"] + 1)


@corruption("CAN-11")
def extension_of_no_meld(log: Log, rng: random.Random) -> Log | None:
    """An extension of a meld that the pair does not have."""
    index = pick(rng, where(log, "extend"))
    return None if index is None else edit(log, index, meld=40)


@corruption("CAN-11", "CAN-14")
def extension_loses_a_card(log: Log, rng: random.Random) -> Log | None:
    """After an extension the meld has a card less than it must."""
    index = pick(rng, where(log, "extend"))
    return None if index is None else edit(log, index, now=log[index]["now"][:-1])


@corruption("LOG")
def extension_with_nothing(log: Log, rng: random.Random) -> Log | None:
    """An extension that adds no card."""
    found = [spot for spot in spots(log) if spot.event["event"] == "discard" and spot.melds[spot.side]]
    spot = pick(rng, found)
    if spot is None:
        return None
    now = spot.melds[spot.side][0]
    return insert(log, spot.index, plain(spot.event, "extend", meld=0, now=now))


@corruption("CAN-07")
def lays_before_drawing(log: Log, rng: random.Random) -> Log | None:
    """A meld before the turn's draw."""
    index = pick(rng, [i for i in draws_alone(log) if log[i + 1]["event"] in ("meld", "extend")])
    return None if index is None else swap_next(log, index)


@corruption(*TURN_START)
def lays_after_discarding(log: Log, rng: random.Random) -> Log | None:
    """A meld after the turn's discard."""
    found = [
        index
        for index in plain_lays(log)
        if log[index + 1]["event"] == "discard" and log[index + 2]["event"] not in ("take_morto", "go_out")
    ]
    index = pick(rng, found)
    return None if index is None else swap_next(log, index)


# ---------------------------------------------------------------- the discard


@corruption("CARDS")
def discard_not_held(log: Log, rng: random.Random) -> Log | None:
    """A card that the player does not hold is discarded."""
    spot = pick(rng, [spot for spot in spots(log) if spot.event["event"] == "discard"])
    if spot is None:
        return None
    others = [card for card in PACK_52 if card not in spot.hand and not is_red_three(card)]
    return edit(log, spot.index, cards=[rng.choice(others)])


@corruption("CAN-11")
def discard_of_two(log: Log, rng: random.Random) -> Log | None:
    """Two cards are discarded, or none."""
    index = pick(rng, where(log, "discard"))
    return None if index is None else edit(log, index, cards=rng.choice((log[index]["cards"] * 2, [])))


@corruption("CAN-21")
def no_discard(log: Log, rng: random.Random) -> Log | None:
    """A player who can discard does not."""
    index = pick(rng, where(log, "discard"))
    return None if index is None else replace(log, index, plain(log[index], "pass"))


@corruption("CAN-21")
def last_card_given_away(log: Log, rng: random.Random) -> Log | None:
    """A player discards the single card that he may not part with."""
    spot = pick(rng, [spot for spot in spots(log) if spot.event["event"] == "pass"])
    return None if spot is None else replace(log, spot.index, plain(spot.event, "discard", spot.hand))


# ---------------------------------------------------------------- the morto


@corruption("CAN-01")
def morto_by_the_partner(log: Log, rng: random.Random) -> Log | None:
    """The partner takes the morto."""
    index = pick(rng, where(log, "take_morto"))
    if index is None or log[0]["options"]["players"] == 2:
        return None
    return edit(log, index, seat=(log[index]["seat"] + 2) % 4)


@corruption("CAN-18")
def other_morto(log: Log, rng: random.Random) -> Log | None:
    """Not the lowest-numbered morto left, or not the one taken."""
    index = pick(rng, where(log, "take_morto", "morto_opened"))
    return None if index is None else edit(log, index, morto=1 - log[index]["morto"])


@corruption("CAN-18")
def morto_at_another_time(log: Log, rng: random.Random) -> Log | None:
    """A morto for the next turn is taken at once, or the other way round."""
    index = pick(rng, where(log, "take_morto"))
    if index is None:
        return None
    if log[index]["when"] == "at_once":
        return edit(log, index, when="next_turn", cards=[])
    return edit(log, index, when="at_once", cards=log[0]["mortos"][log[index]["morto"]])


@corruption("CARDS")
def morto_with_other_cards(log: Log, rng: random.Random) -> Log | None:
    """The cards of a morto are not those dealt."""
    index = pick(rng, where(log, "take_morto", "morto_opened"))
    if index is None:
        return None
    cards = list(log[index]["cards"]) or ["7S"]
    cards[0] = rng.choice([card for card in PACK_52 if card != cards[0]])
    return edit(log, index, cards=cards)


@corruption("CAN-18")
def batida_instead_of_morto(log: Log, rng: random.Random) -> Log | None:
    """A player whose pair has had no morto goes out."""
    index = pick(rng, where(log, "take_morto"))
    return None if index is None else replace(log, index, plain(log[index], "go_out"))


@corruption("CAN-19")
def second_morto(log: Log, rng: random.Random) -> Log | None:
    """A pair takes a second morto instead of going out."""
    index = pick(rng, where(log, "go_out"))
    if index is None:
        return None
    return replace(log, index, plain(log[index], "take_morto", morto=1, when="next_turn"))


@corruption("CAN-19")
def morto_with_cards_in_hand(log: Log, rng: random.Random) -> Log | None:
    """A pair takes a second morto in the middle of a turn."""
    found = [s.index for s in spots(log) if s.event["event"] == "discard" and s.took_morto[s.side]]
    index = pick(rng, found)
    if index is None:
        return None
    return insert(log, index, plain(log[index], "take_morto", morto=1, when="next_turn"))


@corruption("CAN-18")
def morto_before_the_hand_is_empty(log: Log, rng: random.Random) -> Log | None:
    """A player with cards in hand takes a morto."""
    found = [s.index for s in spots(log) if s.event["event"] == "discard" and not s.took_morto[s.side]]
    index = pick(rng, found)
    if index is None:
        return None
    return insert(log, index, plain(log[index], "take_morto", morto=0, when="next_turn"))


@corruption("CARDS")
def card_laid_twice(log: Log, rng: random.Random) -> Log | None:
    """A card that lies in a meld is also discarded later in that turn."""
    found = []
    for spot in spots(log):
        before = log[spot.index - 1]
        if spot.event["event"] != "discard" or before["event"] not in ("meld", "extend"):
            continue
        gone = set(before["cards"]) - set(spot.hand)
        found += [(spot.index, card) for card in sorted(gone)]
    chosen = pick(rng, found)
    return None if chosen is None else edit(log, chosen[0], cards=[chosen[1]])
