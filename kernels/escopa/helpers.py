"""What policy files of escopa are written with (docs/policies.md); these names stay."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import highest_bit, lowest_bit, popcount
from kernels.escopa.deal import next_seat, side_of
from kernels.escopa.fifteens import (
    ALL,
    DIAMONDS,
    GUINDIS,
    NO_CARDS,
    NOTHING,
    ONE,
    SEVENS,
    bit_of,
    has_sum,
    total_of,
    value_of,
    with_value,
)
from kernels.escopa.layout import CAPTURE_FREE, CAPTURE_IF_PLAYED, CAPTURE_MUST, FIFTEEN
from kernels.escopa.policy_heuristic import clearing_cards, unseen_of
from kernels.escopa.rules import (
    LEGAL,
    can_capture,
    card_captures,
    claim_article,
    is_escopa,
    may_leave,
    play_article,
)
from kernels.helpers import bounded, without_lowest

__all__ = [
    "ALL",
    "CAPTURE_FREE",
    "CAPTURE_IF_PLAYED",
    "CAPTURE_MUST",
    "DIAMONDS",
    "FIFTEEN",
    "GUINDIS",
    "LEGAL",
    "NOTHING",
    "SEVENS",
    "bit_of",
    "bounded",
    "can_capture",
    "card_captures",
    "claim_article",
    "clearing_cards",
    "highest_bit",
    "is_escopa",
    "lowest_bit",
    "may_leave",
    "next_capture",
    "next_claim",
    "next_seat",
    "next_way",
    "play_article",
    "popcount",
    "side_of",
    "total_of",
    "unseen_of",
    "value_of",
    "without_lowest",
]


@lean
def lowest_way(cards: np.uint64, wanted: int) -> np.uint64:
    """Of the ways to take cards of a sum, of which there is one, that whose word is the smallest."""
    taken = NOTHING
    left = np.int64(wanted)
    while left > 0:
        # The fewest lowest cards that come to the sum: the last of them is needed.
        sums = NO_CARDS
        rest = cards
        card = np.int64(0)
        while not has_sum(sums, left):
            card = lowest_bit(rest)
            rest &= rest - ONE
            sums = with_value(sums, value_of(card))
        taken |= bit_of(card)
        cards &= bit_of(card) - ONE
        left -= value_of(card)
    return taken


@lean
def next_way(cards: np.uint64, wanted: int, way: np.uint64) -> np.uint64:
    """The way to take cards of a sum that follows another, the first after nothing; nothing after the last.

    Ways come in the order of their words, each once.

    Parameters
    ----------
    wanted
        1 to 14.
    """
    sums = NO_CARDS
    above = total_of(way)
    rest = cards
    if way == NOTHING:
        while rest != NOTHING:
            sums = with_value(sums, value_of(lowest_bit(rest)))
            rest &= rest - ONE
        return lowest_way(cards, wanted) if has_sum(sums, wanted) else NOTHING
    while rest != NOTHING:
        card = lowest_bit(rest)
        bit = bit_of(card)
        rest &= rest - ONE
        value = value_of(card)
        if (way & bit) != NOTHING:
            above -= value
        else:
            left = np.int64(wanted) - above - value
            if left >= 0 and has_sum(sums, left):
                lower = bit - ONE
                return (way & ~lower) | bit | lowest_way(cards & lower, left)
        sums = with_value(sums, value)
    return NOTHING


@lean
def next_capture(table: Any, card: int, take: np.uint64) -> np.uint64:
    """What a card of the hand can take after `take`, the first after nothing; nothing after the last (ESC-05)."""
    return next_way(np.uint64(table.cards), FIFTEEN - value_of(card), take)


@lean
def next_claim(table: Any, take: np.uint64) -> np.uint64:
    """What can be claimed with the card just left after `take`, the first after nothing (ESC-06)."""
    card = np.int64(table.left_card)
    return next_way(np.uint64(table.cards) & ~bit_of(card), FIFTEEN - value_of(card), take)
