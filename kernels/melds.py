"""Hands as words and the bit searches in them, shared by the games that lay melds.

A hand of two packs is a pair of 64-bit words: `one` has a bit for every card held at least once, `two` for
every card held twice. A card number is its bit: four lanes of sixteen, one a suit (`kernels.cards`).
"""

from __future__ import annotations

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount

NONE = np.uint64(0)
BIT = np.uint64(1)
LANE = np.uint64(0xFFFF)
ALL_LANES = np.uint64(0x0001_0001_0001_0001)
"""Times a lane of rank bits: those ranks in every suit."""

TWOS_AND_JOKERS = np.uint64(0x0005_0005_0005_0005)
RED_THREES = np.uint64(0x0000_0008_0008_0000)
BLACK_THREES = np.uint64(0x0008_0000_0000_0008)


@kernel
def card_bit(card: np.int64) -> np.uint64:
    """Word with the bit of one card."""
    return BIT << np.uint64(card)


@kernel
def count(one: np.uint64, two: np.uint64) -> np.int64:
    """Number of cards in a hand."""
    return popcount(one) + popcount(two)


@kernel
def holds(one: np.uint64, two: np.uint64, part_one: np.uint64, part_two: np.uint64) -> bool:
    """Whether a hand holds all the cards of another, copies counted."""
    return (part_one & ~one) == NONE and (part_two & ~two) == NONE


@kernel
def joined(one: np.uint64, two: np.uint64, part_one: np.uint64, part_two: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Both hands together; no card may come to more than two copies."""
    return one | part_one, two | part_two | (one & part_one)


@kernel
def without(one: np.uint64, two: np.uint64, part_one: np.uint64, part_two: np.uint64) -> tuple[np.uint64, np.uint64]:
    """A hand less another that it holds (cards it does not hold are passed over)."""
    return (one & ~part_one) | (two & ~part_two), two & ~part_one


@kernel
def lane(word: np.uint64, suit: np.int64) -> np.uint64:
    """Rank bits of one suit."""
    return (word >> np.uint64(16 * suit)) & LANE


@kernel
def in_lane(ranks: np.uint64, suit: np.int64) -> np.uint64:
    """Word with rank bits put into one suit."""
    return ranks << np.uint64(16 * suit)


@kernel
def of_rank(rank: np.int64) -> np.uint64:
    """Bits of one rank in every suit."""
    return ALL_LANES << np.uint64(rank)


@kernel
def is_consecutive(ranks: np.uint64) -> bool:
    """Whether the bits of a non-empty lane are consecutive."""
    return (ranks & (ranks + (BIT << np.uint64(lowest_bit(ranks))))) == NONE


@kernel
def runs_of_three(word: np.uint64) -> np.uint64:
    """Lowest card of every three consecutive cards of a suit; the lanes' lowest and highest bits must be clear."""
    return word & (word >> BIT) & (word >> np.uint64(2))


@kernel
def in_runs_of_three(word: np.uint64) -> np.uint64:
    """Cards that lie in some three consecutive cards of their suit."""
    starts = runs_of_three(word)
    return starts | (starts << BIT) | (starts << np.uint64(2))


@kernel
def run_from(word: np.uint64, card: np.int64) -> np.uint64:
    """The unbroken run of cards upward from a card of the word, that card included."""
    bit = card_bit(card)
    above = word & ~(bit - BIT)
    return above & ~(above + bit)


@kernel
def rank_counts_at_least_three(one: np.uint64, two: np.uint64) -> np.uint64:
    """Lane of the ranks held three times or more, suits and copies alike."""
    ones = np.uint64(0)
    twos = np.uint64(0)
    threes = np.uint64(0)
    for shift in range(4):
        for word in (one, two):
            bits = (word >> np.uint64(16 * shift)) & LANE
            threes |= twos & bits
            twos |= ones & bits
            ones |= bits
    return threes
