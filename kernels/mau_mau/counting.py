"""Chances from the cards that a player has not seen: what lies outside the own hand and the lixo."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kernels._jit import hot, kernel
from kernels.bits import popcount
from kernels.mau_mau.inference import JACK_LANE, may_hold
from kernels.mau_mau.masks import EVERY_CARD, JACKS, SUIT_LANE, suit_cards
from kernels.melds import ALL_LANES, NONE

STEPS = 64
_LOGS = np.array([round(-1024 * np.log2(1 - min(k, STEPS - 0.5) / STEPS)) for k in range(STEPS + 1)], np.int64)
"""-log2 of the chance that one card is not among k of 64, in units of 1/1024."""

_POWERS = np.array([round(1024 * 2.0 ** (-k / 8)) for k in range(96)], np.int64)
"""Chances in units of 1/1024, by -log2 in steps of an eighth."""

_LAST_POWER, _ALL_STEPS = np.int64(95), np.int64(STEPS)
_ZERO, _SURE = np.int64(0), np.int64(1024)
_16, _32, _15 = np.uint64(16), np.uint64(32), np.uint64(15)
_RANKS = np.uint64(0xFFFF)
_TO_THE_TOP = np.uint64(0x7FFF_7FFF_7FFF_7FFF)


class Unseen(NamedTuple):
    """Cards that a player has not seen.

    Attributes
    ----------
    one, two
        Those of which at least one copy, and both, are not seen.
    count
        How many there are.
    per_card
        64 / `count`, in units of 1/1024: what a card is of the steps in which chances are looked up.
    per_face
        1024 / (bits of `one`), in units of 1/1024.
    """

    one: np.uint64
    count: np.int64
    per_card: np.int64
    two: np.uint64
    per_face: np.uint64


@hot
def unseen_cards(table: Any, options: Any, one: np.uint64, two: np.uint64) -> Unseen:
    """What a player with this hand has not seen."""
    both = table.seen_two | two | (table.seen_one & one)
    either = table.seen_one | one
    if options.packs == 1:
        unseen, twice = EVERY_CARD & ~either, NONE
    else:
        unseen, twice = EVERY_CARD & ~both, EVERY_CARD & ~either
    count = popcount(unseen) + popcount(twice)
    faces = max(popcount(unseen), 1)
    return Unseen(unseen, count, (STEPS << 10) // max(count, 1), twice, np.uint64((1 << 20) // faces))


@hot
def share(unseen: Unseen, cards: np.uint64) -> np.int64:
    """How many of 64 unseen cards are of a set."""
    number = popcount(unseen.one & cards) + popcount(unseen.two & cards)
    return min((number * unseen.per_card) >> 10, _ALL_STEPS)


@kernel
def chance_unable(table: Any, unseen: Unseen, suit: np.int64, rank: np.int64, other: np.int64) -> np.int64:
    """Chance, in units of 1/1024, that a player cannot follow a card, or a suit announced where `rank` is 0.

    Every unseen card is as likely in his hand as any other, but for the suits that he could not follow (MAU-06).
    """
    if unseen.count == 0:
        return _ZERO
    held = np.int64(table.hand_count[other])
    word = table.may_hold[other]
    bits = _LOGS[share(unseen, suit_cards(suit) & ~JACKS)] * min(held, may_hold(word, suit))
    bits += _LOGS[share(unseen, JACKS)] * min(held, may_hold(word, JACK_LANE))
    if rank > 0:
        bits += _LOGS[share(unseen, (ALL_LANES << np.uint64(rank)) & ~suit_cards(suit))] * held
    return _POWERS[min(bits >> 7, _LAST_POWER)]


@hot
def cards_covered(hand: np.uint64) -> np.uint64:
    """Cards that some card of a hand follows (MAU-04, MAU-13)."""
    if (hand & JACKS) != NONE:
        return EVERY_CARD
    ranks = hand | (hand >> _32)
    ranks = (ranks | (ranks >> _16)) & _RANKS
    # A lane that holds a card carries into its highest bit, which no rank has.
    suits = ((hand + _TO_THE_TOP) >> _15) & ALL_LANES
    return ranks * ALL_LANES | suits * SUIT_LANE


@hot
def cover(unseen: Unseen, hand: np.uint64) -> np.int64:
    """Share of the cards not seen, in units of 1/1024, that a hand follows."""
    if unseen.one == NONE:
        return _SURE
    return np.int64((np.uint64(popcount(cards_covered(hand) & unseen.one)) * unseen.per_face) >> np.uint64(10))
