"""Corruptions of the discards of Loba: LOB-04, LOB-08, LOB-10."""

from __future__ import annotations

import random
from collections import Counter

from tests.referee.cards import JOKER, PACK_52, suit_of
from tests.referee.loba_corruption_tools import Spot, before_discard, corruption, is_run, options_of
from tests.referee.loba_melds import is_meld
from tests.referee.log_edits import Log, edit, pick, where, without

Found = list[tuple[Spot, str, int | None]]


def discarded_here(log: Log, rng: random.Random, found: Found) -> Log | None:
    """One of these cards is discarded instead, from the hand or off that meld."""
    chosen = pick(rng, found)
    if chosen is None:
        return None
    spot, card, from_meld = chosen
    return edit(log, spot.index, cards=[card], from_meld=from_meld)


# ---------------------------------------------------------------- LOB-04: the discard


@corruption("LOB-04")
def discards_two(log: Log, rng: random.Random) -> Log | None:
    """Two cards in one discard, or none."""
    index = pick(rng, where(log, "discard"))
    return None if index is None else edit(log, index, cards=rng.choice(([], log[index]["cards"] * 2)))


@corruption("CARDS")
def discards_what_he_lacks(log: Log, rng: random.Random) -> Log | None:
    """The discard is not in hand."""
    found: Found = []
    for spot in before_discard(log):
        lacking = [card for card in PACK_52 if card not in spot.hand]
        found.append((spot, rng.choice(lacking), None))
    return discarded_here(log, rng, found)


@corruption("CARDS")
def discards_a_joker_he_lacks(log: Log, rng: random.Random) -> Log | None:
    """A joker that is not in hand is discarded."""
    return discarded_here(log, rng, [(spot, JOKER, None) for spot in before_discard(log) if not spot.jokers])


@corruption("LOB-04")
def throws_back_what_he_took(log: Log, rng: random.Random) -> Log | None:
    """The card taken is discarded in the same turn."""
    found: Found = []
    for spot in before_discard(log):
        if spot.barred and spot.taken in spot.hand:
            found.append((spot, str(spot.taken), None))
    return discarded_here(log, rng, found)


@corruption("LOB-04")
def throws_back_what_he_took_and_laid(log: Log, rng: random.Random) -> Log | None:
    """The card taken is laid, and discarded off that meld in the same turn."""
    found: Found = []
    for spot in before_discard(log):
        if spot.barred and spot.taken is not None and spot.taken_meld is not None:
            meld = spot.mine[spot.taken_meld]
            if meld.count(spot.taken) == 1 and can_leave(log, meld, spot.taken):
                found.append((spot, spot.taken, spot.taken_meld))
    return discarded_here(log, rng, found)


# ---------------------------------------------------------------- LOB-10: jokers


@corruption("LOB-10")
def joker_instead_of_a_natural_card(log: Log, rng: random.Random) -> Log | None:
    """A joker is discarded though a natural card of the hand could be."""
    found: Found = []
    for spot in before_discard(log):
        of_hand = spot.event["from_meld"] is None and spot.event["cards"] != [JOKER]
        if of_hand and spot.jokers and not (spot.barred and spot.taken == JOKER):
            found.append((spot, JOKER, None))
    return discarded_here(log, rng, found)


@corruption("LOB-10")
def joker_instead_of_a_laid_card(log: Log, rng: random.Random) -> Log | None:
    """A joker is discarded though a laid card could be, and no natural card of the hand."""
    found: Found = []
    for spot in before_discard(log):
        if spot.event["from_meld"] is not None and spot.jokers > 1 and not spot.naturals:
            found.append((spot, JOKER, None))
    return discarded_here(log, rng, found)


# ---------------------------------------------------------------- LOB-08: laid cards


def can_leave(log: Log, meld: list[str], card: str) -> bool:
    """What remains is a legal meld, and a sequence keeps its middle."""
    if is_run(meld) and card not in (meld[0], meld[-1]):
        return False
    return card != JOKER and is_meld(without(meld, card), options_of(log))


def laid_cards(log: Log) -> list[tuple[Spot, int, list[str]]]:
    """Each meld of the player before each discard."""
    return [(spot, number, meld) for spot in before_discard(log) for number, meld in enumerate(spot.mine)]


@corruption("LOB-08")
def middle_card_of_a_run(log: Log, rng: random.Random) -> Log | None:
    """A card that is no end card of a sequence."""
    found: Found = []
    for spot, number, meld in laid_cards(log):
        inner = [card for card in meld[1:-1] if card != JOKER]
        if is_run(meld) and inner:
            found.append((spot, rng.choice(inner), number))
    return discarded_here(log, rng, found)


@corruption("LOB-08")
def card_of_a_run_of_three(log: Log, rng: random.Random) -> Log | None:
    """Two cards would remain of a sequence."""
    found: Found = [
        (spot, rng.choice((meld[0], meld[-1])), number)
        for spot, number, meld in laid_cards(log)
        if is_run(meld) and len(meld) == 3
    ]
    return discarded_here(log, rng, found)


@corruption("LOB-08")
def card_of_a_set_of_three(log: Log, rng: random.Random) -> Log | None:
    """Two cards would remain of a set."""
    found: Found = [
        (spot, rng.choice(meld), number)
        for spot, number, meld in laid_cards(log)
        if not is_run(meld) and len(meld) == 3
    ]
    return discarded_here(log, rng, found)


@corruption("LOB-08")
def last_card_of_a_suit(log: Log, rng: random.Random) -> Log | None:
    """A set would be left with two suits."""
    found: Found = []
    if log[0]["options"]["set_suits"] == "three_different":
        for spot, number, meld in laid_cards(log):
            suits = Counter(map(suit_of, meld))
            alone = [card for card in meld if suits[suit_of(card)] == 1]
            if not is_run(meld) and len(meld) > 3 and alone:
                found.append((spot, rng.choice(alone), number))
    return discarded_here(log, rng, found)


@corruption("LOB-08")
def joker_would_lie_at_an_end(log: Log, rng: random.Random) -> Log | None:
    """The card beside a joker leaves a sequence."""
    found: Found = []
    for spot, number, meld in laid_cards(log):
        ends = [end for end, beside in ((meld[0], meld[1]), (meld[-1], meld[-2])) if beside == JOKER]
        if len(meld) > 3 and ends:
            found.append((spot, rng.choice(ends), number))
    return discarded_here(log, rng, found)


@corruption("LOB-08")
def laid_joker_discarded(log: Log, rng: random.Random) -> Log | None:
    """A joker leaves a sequence."""
    return discarded_here(log, rng, [(spot, JOKER, number) for spot, number, meld in laid_cards(log) if JOKER in meld])


@corruption("LOB-08")
def card_not_in_that_meld(log: Log, rng: random.Random) -> Log | None:
    """A card that does not lie in the meld named."""
    found: Found = []
    for spot, number, meld in laid_cards(log):
        others = [card for card in spot.naturals if card not in meld]
        if others:
            found.append((spot, others[0], number))
    return discarded_here(log, rng, found)


@corruption("LOB-08")
def card_of_a_meld_he_has_not(log: Log, rng: random.Random) -> Log | None:
    """A meld that the player does not have; it may be another player's."""
    found: Found = []
    for spot in before_discard(log):
        number = len(spot.mine)
        theirs = [melds[number] for melds in spot.melds if len(melds) > number]
        cards = [card for meld in theirs for card in meld if card != JOKER]
        found.append((spot, rng.choice(cards) if cards else spot.event["cards"][0], number))
    return discarded_here(log, rng, found)


@corruption("CARDS")
def hand_and_meld_exchanged(log: Log, rng: random.Random) -> Log | None:
    """A laid card is written as one of the hand."""
    found: Found = [
        (spot, spot.event["cards"][0], None)
        for spot in before_discard(log)
        if spot.event["from_meld"] is not None and spot.event["cards"][0] not in spot.hand
    ]
    return discarded_here(log, rng, found)
