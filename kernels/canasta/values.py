"""The cards of canasta by rank: which are wild, which meld, and what they are worth (KAN-03, KAN-04)."""

from __future__ import annotations

import numpy as np

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.rank_counts import at_least, total

NATURAL_RANKS = np.uint64(0x0FFF_FFFF_FFFF_0000)
"""All bits of the ranks that meld, 4 to ace."""

BLACK_THREES = np.uint64(0x0000_0000_0000_F000)
JOKER_BITS = np.uint64(0x0000_0000_0000_000F)
TWO_BITS = np.uint64(0x0000_0000_0000_0F00)
WILD_BITS = JOKER_BITS | TWO_BITS

FIVES = np.uint64(0x0000_0000_FFFF_F000)
"""All bits of the ranks worth five points, black threes included."""

TENS = np.uint64(0x00FF_FFFF_0000_0000)
TWENTIES = np.uint64(0x0F00_0000_0000_0F00)

JOKER_POINTS, TWO_POINTS, ACE_POINTS, TEN_POINTS, FIVE_POINTS = 50, 20, 20, 10, 5


@kernel
def points_of(counts: np.uint64) -> np.int64:
    """Values of cards by rank (KAN-03)."""
    points = FIVE_POINTS * total(counts & FIVES) + TEN_POINTS * total(counts & TENS)
    points += TWO_POINTS * total(counts & TWENTIES)
    return points + JOKER_POINTS * np.int64(counts & JOKER_BITS)


@kernel
def points_of_one_each(marks: np.uint64) -> np.int64:
    """Value of one card of each marked rank, wild cards aside."""
    points = FIVE_POINTS * popcount(marks & FIVES) + TEN_POINTS * popcount(marks & TENS)
    return points + ACE_POINTS * popcount(marks & TWENTIES)


@kernel
def minimum_for(score: np.int64) -> np.int64:
    """Least value of a side's first meld at its score in the match (KAN-13)."""
    if score < 0:
        return np.int64(15)
    if score < 1500:
        return np.int64(50)
    return np.int64(90) if score < 3000 else np.int64(120)


@kernel
def has_of(counts: np.uint64) -> np.uint64:
    """All bits of the ranks of which there is a card (for counts up to 8)."""
    return (at_least(counts, np.uint64(1)) >> np.uint64(3)) * np.uint64(15)
