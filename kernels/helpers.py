"""What policy files of every game are written with: cards as numbers and as words, and chance.

A card of `kernels.cards` is ``16 * suit + rank``; a word has a bit for each card. These names stay.
"""

from __future__ import annotations

import numpy as np

from kernels._jit import kernel
from kernels.bits import highest_bit, lowest_bit, popcount
from kernels.rng import bounded

__all__ = [
    "BIT",
    "NONE",
    "bounded",
    "highest_bit",
    "lowest_bit",
    "popcount",
    "rank_of",
    "suit_of",
    "without_lowest",
]

NONE = np.uint64(0)
"""A word without a card."""

BIT = np.uint64(1)


@kernel
def rank_of(card: np.int64) -> np.int64:
    """Rank of a card: 2 to 10, J 11, Q 12, K 13, A 14; 0 for a joker."""
    return np.int64(card) & 15


@kernel
def suit_of(card: np.int64) -> np.int64:
    """Suit of a card: clubs 0, diamonds 1, hearts 2, spades 3."""
    return np.int64(card) >> 4


@kernel
def without_lowest(cards: np.uint64) -> np.uint64:
    """A word without its lowest card, to walk over all of them; nothing of nothing."""
    return cards & (cards - BIT)
