"""Sets of cards as words, with a bit for each card: what follows what, effects, and what cards are worth."""

from __future__ import annotations

import numpy as np

from kernels._jit import hot, kernel
from kernels.bits import popcount
from kernels.cards import ACE, JACK, QUEEN
from kernels.mau_mau.layout import CARD_VALUES
from kernels.melds import ALL_LANES

SUIT_LANE = np.uint64(0x7FFC)
"""The thirteen ranks of a suit, in its lane."""

SEVEN, EIGHT, JACKS_RANK, QUEENS_RANK, ACES_RANK = (np.int64(rank) for rank in (7, 8, JACK, QUEEN, ACE))
SEVENS, EIGHTS, JACKS, QUEENS, ACES = (np.uint64(int(ALL_LANES) << rank) for rank in (7, 8, JACK, QUEEN, ACE))
EVERY_CARD = np.uint64(int(ALL_LANES) * int(SUIT_LANE))
EFFECTS = SEVENS | EIGHTS | QUEENS | ACES
"""Cards that do something to another player (MAU-09 to MAU-12)."""
DRAWN_FOR = SEVENS | EIGHTS
"""Cards that make another player draw."""

_RANK = np.uint64(15)
_SUIT = np.uint64(48)


def _with_value_bit(bit: int) -> np.uint64:
    ranks = sum(1 << rank for rank, value in CARD_VALUES.items() if value & bit)
    return np.uint64(int(ALL_LANES) * ranks)


_ONES, _TWOS, _FOURS, _EIGHTS, _SIXTEENS = (_with_value_bit(1 << bit) for bit in range(5))


@hot
def suit_cards(suit: np.int64) -> np.uint64:
    """All cards of a suit."""
    return SUIT_LANE << np.uint64(16 * suit)


@hot
def cards_that_follow(card: np.int64) -> np.uint64:
    """Cards of the suit or the rank of `card`, and every Jack (MAU-04, MAU-13)."""
    bits = np.uint64(card)
    return (SUIT_LANE << (bits & _SUIT)) | (ALL_LANES << (bits & _RANK)) | JACKS


@kernel
def hand_value(one: np.uint64, two: np.uint64) -> np.int64:
    """Points of a hand (MAU-18), bit by bit of the cards' values."""
    return (
        popcount(one & _ONES)
        + popcount(two & _ONES)
        + 2 * (popcount(one & _TWOS) + popcount(two & _TWOS))
        + 4 * (popcount(one & _FOURS) + popcount(two & _FOURS))
        + 8 * (popcount(one & _EIGHTS) + popcount(two & _EIGHTS))
        + 16 * (popcount(one & _SIXTEENS) + popcount(two & _SIXTEENS))
    )
