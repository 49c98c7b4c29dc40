"""The policy `random`: uniform over the cards that may be played, then over the ways to play one."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit
from kernels.escopa.fifteens import NOTHING, ONE, bit_of, count_ways, value_of, way_number
from kernels.escopa.layout import CAPTURE_FREE, CAPTURE_MUST, FIFTEEN
from kernels.escopa.rules import NO_CARD, can_capture, card_captures
from kernels.rng import bounded


@lean
def random_card(cards: np.uint64, stream: Any) -> np.int64:
    """One of several cards, each equally likely; -1 of none."""
    card = NO_CARD
    seen = np.int64(0)
    rest = cards
    while rest != NOTHING:
        seen += 1
        if bounded(stream, seen) == 0:
            card = lowest_bit(rest)
        rest &= rest - ONE
    return card


@lean
def random_way(cards: np.uint64, wanted: int, leaving: int, stream: Any, work: Any) -> np.uint64:
    """One of the ways to take cards of a sum, or nothing, which counts as `leaving` ways."""
    count = count_ways(cards, work)
    ways = work.ways[count, wanted]
    number = bounded(stream, ways + leaving)
    if number >= ways:
        return NOTHING
    return way_number(cards, count, wanted, number, work)


@lean
def random_play(
    table: Any, options: Any, hand: np.uint64, sees: bool, stream: Any, work: Any
) -> tuple[np.int64, np.uint64]:
    """A card that may be played and, if it captures, what it takes (ESC-05)."""
    if not sees:
        return random_card(hand, stream), NOTHING
    playable = hand
    if options.capture == CAPTURE_MUST and can_capture(table, hand):
        playable = NOTHING
        rest = hand
        while rest != NOTHING:
            if card_captures(table, lowest_bit(rest)):
                playable |= bit_of(lowest_bit(rest))
            rest &= rest - ONE
    card = random_card(playable, stream)
    if not card_captures(table, card):
        return card, NOTHING
    leaving = np.int64(options.capture == CAPTURE_FREE)
    return card, random_way(table.cards, FIFTEEN - value_of(card), leaving, stream, work)


@lean
def random_claim(table: Any, stream: Any, work: Any) -> np.uint64:
    """Cards to claim with the card just left, or nothing, each equally likely (ESC-06)."""
    card = np.int64(table.left_card)
    return random_way(table.cards & ~bit_of(card), FIFTEEN - value_of(card), np.int64(1), stream, work)
