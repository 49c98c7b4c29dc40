"""Words of loba: jokers, aces at both ends of a lane, what cards are worth (LOB-06, LOB-14).

Hands are pairs of words of cards (`kernels.melds`); the ace of a suit is bit 14 of its lane, a joker bit 0 of any. A
sequence lies at *positions*, where an ace that is low is bit 1.
"""

from __future__ import annotations

import numpy as np

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.melds import ALL_LANES, BIT, NONE, card_bit

JOKERS = ALL_LANES
NATURALS = ~JOKERS
LOW_ACES = ALL_LANES << np.uint64(1)
ACES = ALL_LANES << np.uint64(14)
_TO_LOW = np.uint64(13)

JOKER_POINTS = np.int64(15)
"""A joker left in hand (LOB-14)."""

# A rank's points by binary place: 2 to 10 their value, J Q K 10, A 15.
_PLACES = tuple(
    ALL_LANES * np.uint64(sum(1 << rank for rank in range(2, 15) if (15 if rank == 14 else min(rank, 10)) >> place & 1))
    for place in range(4)
)
_ONES, _TWOS, _FOURS, _EIGHTS = _PLACES


@kernel
def natural_points(word: np.uint64) -> np.int64:
    """Points of the natural cards of one word (LOB-14)."""
    return (
        popcount(word & _ONES) + 2 * popcount(word & _TWOS) + 4 * popcount(word & _FOURS) + 8 * popcount(word & _EIGHTS)
    )


@kernel
def joker_count(one: np.uint64, two: np.uint64) -> np.int64:
    """Jokers in a hand."""
    return popcount(one & JOKERS) + popcount(two & JOKERS)


@kernel
def hand_points(one: np.uint64, two: np.uint64) -> np.int64:
    """Points of the cards of a hand, all of them deadwood (LOB-14)."""
    return natural_points(one) + natural_points(two) + JOKER_POINTS * joker_count(one, two)


@kernel
def low_aces(one: np.uint64) -> np.uint64:
    """Positions of the aces of a word where they are low."""
    return (one >> _TO_LOW) & LOW_ACES


@kernel
def cards_at(positions: np.uint64) -> np.uint64:
    """Cards that lie at positions of a sequence."""
    return (positions & ~LOW_ACES) | ((positions & LOW_ACES) << _TO_LOW)


@kernel
def card_at(position: int) -> int:
    """Card that lies at one position."""
    return position + np.int64(13) if position & 15 == 1 else position


@kernel
def copies(one: np.uint64, two: np.uint64, card: int) -> np.int64:
    """Copies of a card in a hand."""
    bit = card_bit(card)
    return np.int64((one & bit) != NONE) + np.int64((two & bit) != NONE)


@kernel
def jokers_of(one: np.uint64, two: np.uint64, wanted: int) -> tuple[np.uint64, np.uint64]:
    """So many jokers of a hand that has them, as a pair of words."""
    part_one, part_two = one & JOKERS, two & JOKERS
    surplus = popcount(part_one) + popcount(part_two) - wanted
    while surplus > 0:
        if part_two != NONE:
            part_two &= part_two - BIT
        else:
            part_one &= part_one - BIT
        surplus -= 1
    return part_one, part_two
