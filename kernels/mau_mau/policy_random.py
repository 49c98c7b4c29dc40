"""The policy that takes any legal step, each as likely as another."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import hot, kernel
from kernels.bits import lowest_bit, popcount
from kernels.mau_mau.kinds import NO_SUIT
from kernels.mau_mau.masks import EIGHTS, JACKS
from kernels.mau_mau.rules import NO_CARD, is_barred
from kernels.melds import BIT, NONE, card_bit
from kernels.rng import bounded, next_u64

ANNOUNCEMENTS = np.int64(5)
"""Four suits, or none."""


@hot
def nth_card(word: np.uint64, number: np.int64) -> np.int64:
    """Card number `number` of a word, counted from 0."""
    rest = word
    for _ in range(number):
        rest &= rest - BIT
    return lowest_bit(rest)


@hot
def random_suit(stream: Any) -> np.int64:
    """Any suit, or none."""
    return bounded(stream, ANNOUNCEMENTS) + NO_SUIT


@hot
def random_play(
    table: Any, seat: int, one: np.uint64, two: np.uint64, stream: Any
) -> tuple[np.int64, np.int64, np.int64]:
    """Any card that follows; two Jacks at once are one play more, in any order."""
    legal = one & table.follow
    choices = popcount(legal)
    jacks = legal & JACKS
    pairs = np.int64(0)
    if jacks != NONE:
        held = popcount(jacks) + popcount(two & JACKS)
        if held > 1 and (table.hand_count[seat] > 2 or not is_barred(table, seat)):
            pairs = np.int64(1)
    pick = np.int64(0)
    if choices + pairs > 1:
        pick = bounded(stream, choices + pairs)
    if pick == choices:
        return random_pair(jacks, two & JACKS, stream)
    card = nth_card(legal, pick)
    suit = NO_SUIT
    if (card_bit(card) & JACKS) != NONE:
        suit = random_suit(stream)
    return card, NO_CARD, suit


@kernel
def random_pair(one: np.uint64, two: np.uint64, stream: Any) -> tuple[np.int64, np.int64, np.int64]:
    """Two Jacks of those held, and the suit of the last."""
    first = nth_card(one, bounded(stream, popcount(one)))
    rest = (one & ~card_bit(first)) | two
    second = nth_card(rest, bounded(stream, popcount(rest)))
    return first, second, second >> 4


@kernel
def random_answer(one: np.uint64, stream: Any) -> np.int64:
    """Any 8, or none."""
    eights = one & EIGHTS
    choices = popcount(eights)
    pick = bounded(stream, choices + 1)
    return NO_CARD if pick == choices else nth_card(eights, pick)


@kernel
def random_drawn(stream: Any) -> bool:
    """Toss a coin."""
    return (next_u64(stream) >> np.uint64(63)) != NONE
