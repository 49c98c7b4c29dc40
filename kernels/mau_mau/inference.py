"""What the table knows of a hidden hand: how many of its cards may be of a suit, and how many may be Jacks.

A player who could not follow had no card of the suit that was asked for, and no Jack (MAU-06): only cards drawn since
can be any. The five numbers lie in one word, lanes of twelve bits: a lane for each suit, the fifth for Jacks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import hot, kernel
from kernels.mau_mau.layout import HOLDING_JACKS
from kernels.mau_mau.masks import JACKS_RANK, SUIT_LANE
from kernels.melds import BIT, NONE

JACK_LANE = np.int64(HOLDING_JACKS)
NUMBER = np.uint64(0xFFF)
ONE_EACH = np.uint64(1 << 48 | 1 << 36 | 1 << 24 | 1 << 12 | 1)
_JACK_NUMBER = np.uint64(0xFFF << 48)


@hot
def may_hold(word: np.uint64, lane: np.int64) -> np.int64:
    """Cards that may be of the suit `lane`, or Jacks for `JACK_LANE`."""
    return np.int64((word >> np.uint64(12 * lane)) & NUMBER)


@hot
def note_drawn(table: Any, seat: int, cards: np.int64) -> None:
    """Cards came into a hand: each may be anything."""
    table.may_hold[seat] += ONE_EACH * np.uint64(cards)


@hot
def note_fresh(table: Any, seat: int, cards: np.int64) -> None:
    """Cards came into a hand from the stock as it lies now (MAU-16)."""
    table.fresh[seat] += cards
    table.came[seat] += cards


@hot
def _one_less(word: np.uint64, lane: np.int64) -> np.uint64:
    shift = np.uint64(12 * lane)
    return word - (np.uint64(1) << shift) if (word >> shift) & NUMBER != NONE else word


@hot
def note_played(table: Any, seat: int, card: np.int64) -> None:
    """A card left a hand: one less of its suit, and of a Jack one less that came since the lixo was shuffled again."""
    word = _one_less(table.may_hold[seat], card >> 4)
    if card & 15 == JACKS_RANK:
        word = _one_less(word, JACK_LANE)
        table.came[seat] -= np.int64((table.restocked >> np.uint64(card)) & BIT)
    table.may_hold[seat] = word


@kernel
def note_unable(table: Any, seat: int) -> None:
    """The seat could not follow: no card of a suit that would have followed, and no Jack."""
    word = table.may_hold[seat] & ~_JACK_NUMBER
    for suit in range(4):
        whole = SUIT_LANE << np.uint64(16 * suit)
        if (table.follow & whole) == whole:
            word &= ~(NUMBER << np.uint64(12 * suit))
    table.may_hold[seat] = word
