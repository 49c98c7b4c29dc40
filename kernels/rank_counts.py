"""Cards by rank as one word: sixteen counts of four bits, for games in which a card's suit says nothing.

Rank r has bits 4r to 4r + 3 (`kernels.cards`: joker 0, two 2, ... ace 14), so two packs fit and whole hands are
added, subtracted and compared in single operations. *Marks* are a word with the top bit of some counts set.
"""

from __future__ import annotations

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit

EVERY = np.uint64(0x1111_1111_1111_1111)
"""One of every rank."""

MARKS = np.uint64(0x8888_8888_8888_8888)
NOTHING = np.uint64(0)
ONE = np.uint64(1)
FOUR_BITS = np.uint64(15)
_EIGHT = np.uint64(8)
_THREE = np.uint64(3)
_FOUR = np.uint64(4)
_EVEN = np.uint64(0x0F0F_0F0F_0F0F_0F0F)
_SIGNS = np.uint64(0x8080_8080_8080_8080)
_BYTES = np.uint64(0x0101_0101_0101_0101)
_LAST_BYTE = np.uint64(56)


@kernel
def one_of(rank: np.int64) -> np.uint64:
    """One card of a rank."""
    return ONE << np.uint64(4 * rank)


@kernel
def number_of(counts: np.uint64, rank: np.int64) -> np.int64:
    """Cards of a rank, 0 to 15."""
    return np.int64((counts >> np.uint64(4 * rank)) & FOUR_BITS)


@kernel
def total(counts: np.uint64) -> np.int64:
    """Cards of all ranks, at most 255."""
    pairs = (counts & _EVEN) + ((counts >> _FOUR) & _EVEN)
    return np.int64((pairs * _BYTES) >> _LAST_BYTE)


@kernel
def at_least(counts: np.uint64, least: np.uint64) -> np.uint64:
    """Marks of the ranks with `least` cards or more, for `least` from 1 to 8 and counts up to 7 + `least`."""
    return (counts + (_EIGHT - least) * EVERY) & MARKS


@kernel
def marked(marks: np.uint64) -> np.uint64:
    """All four bits of every marked rank, to keep the counts of these ranks alone."""
    return (marks >> _THREE) * FOUR_BITS


@kernel
def ones(marks: np.uint64) -> np.uint64:
    """One card of every marked rank."""
    return marks >> _THREE


@kernel
def fits_in(part: np.uint64, whole: np.uint64) -> bool:
    """Whether `whole` has at least as many cards of every rank as `part`."""
    even = ((whole & _EVEN) | _SIGNS) - (part & _EVEN)
    odd = (((whole >> _FOUR) & _EVEN) | _SIGNS) - ((part >> _FOUR) & _EVEN)
    return (even & odd & _SIGNS) == _SIGNS


@kernel
def less_at_most(counts: np.uint64, part: np.uint64) -> np.uint64:
    """Counts less those of another word, as far as there are so many (for counts up to 8)."""
    left = NOTHING
    rest = at_least(counts, ONE)
    while rest != NOTHING:
        rank = lowest_bit(rest) >> 2
        rest &= rest - ONE
        left |= np.uint64(max(0, number_of(counts, rank) - number_of(part, rank))) << np.uint64(4 * rank)
    return left
