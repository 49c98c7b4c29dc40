"""The policies `novice` and `standard`: what a play brings, and whether one card could clear what it leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.escopa.fifteens import (
    ALL,
    DIAMONDS,
    GROUP,
    GUINDIS,
    NOTHING,
    ONE,
    SEVENS,
    bit_of,
    combinations,
    value_of,
)
from kernels.escopa.layout import CAPTURE_FREE, CAPTURE_MUST, ESCOPA_EXACTLY_FOUR, FIFTEEN, TABLE_SIZE
from kernels.escopa.parameters import CARD, DIAMOND, ESCOPA, GUINDIS as GUINDIS_WORTH, LAST, LEFT, SEVEN, SWEPT
from kernels.escopa.rules import NO_CARD, can_capture, card_captures, is_escopa

LEAST = np.int64(-(1 << 40))
PERCENT = np.int64(100)


@kernel
def worth_of(cards: np.uint64, parameters: Any) -> np.int64:
    """What cards are worth to who takes them, in thousandths of a point."""
    worth = popcount(cards) * parameters[CARD] + popcount(cards & DIAMONDS) * parameters[DIAMOND]
    worth += popcount(cards & SEVENS) * parameters[SEVEN]
    return worth + parameters[GUINDIS_WORTH] if (cards & GUINDIS) != NOTHING else worth


@kernel
def unseen_of(table: Any, hand: np.uint64) -> np.uint64:
    """Cards that a player has not seen: in other hands or in the stock."""
    return ALL & ~(table.seen | hand)


@kernel
def clearing_cards(cards: np.uint64, total: int, options: Any, unseen: np.uint64) -> np.int64:
    """Unseen cards each of which would make an escopa of the cards on the table (ESC-08)."""
    value = FIFTEEN - total
    if value < 1 or value > 10 or cards == NOTHING:
        return np.int64(0)
    if options.escopa == ESCOPA_EXACTLY_FOUR and popcount(cards) != TABLE_SIZE:
        return np.int64(0)
    return popcount((unseen >> np.uint64(4 * (value - 1))) & GROUP)


@kernel
def risk_of(cards: np.uint64, total: int, options: Any, unseen: np.uint64, parameters: Any) -> np.int64:
    """Cost of leaving these cards to the next player."""
    return parameters[SWEPT] * clearing_cards(cards, total, options, unseen)


@kernel
def leave_worth(table: Any, options: Any, card: int, unseen: np.uint64, parameters: Any) -> np.int64:
    """Worth of leaving a card on the table: what it costs, and the table that it makes."""
    bit = bit_of(card)
    total = np.int64(table.total) + value_of(card)
    worth = -(worth_of(bit, parameters) * parameters[LEFT]) // PERCENT
    return worth - risk_of(table.cards | bit, total, options, unseen, parameters)


@kernel
def capture_worth(
    table: Any, options: Any, card: int, take: np.uint64, unseen: np.uint64, parameters: Any
) -> np.int64:
    """Worth of taking cards with a card of the hand: those cards, an escopa, the table that is left."""
    worth = worth_of(take | bit_of(card), parameters)
    if is_escopa(table, options, take):
        worth += parameters[ESCOPA]
    if table.stock_left == 0:
        worth += parameters[LAST]
    total = np.int64(table.total) - FIFTEEN + value_of(card)
    return worth - risk_of(table.cards & ~take, total, options, unseen, parameters)


@kernel
def heuristic_play(table: Any, options: Any, hand: np.uint64, parameters: Any, work: Any) -> tuple[np.int64, np.uint64]:
    """The play of the greatest worth; of equal ones the first card."""
    unseen = unseen_of(table, hand)
    must = options.capture == CAPTURE_MUST and can_capture(table, hand)
    best = LEAST
    best_card, best_take = NO_CARD, NOTHING
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        captures = card_captures(table, card)
        if captures:
            ways = combinations(table.cards, FIFTEEN - value_of(card), work)
            for way in range(ways):
                take = work.found[way]
                worth = capture_worth(table, options, card, take, unseen, parameters)
                if worth > best:
                    best, best_card, best_take = worth, card, take
        if not must and (not captures or options.capture == CAPTURE_FREE):
            worth = leave_worth(table, options, card, unseen, parameters)
            if worth > best:
                best, best_card, best_take = worth, card, NOTHING
    return best_card, best_take


@kernel
def heuristic_leave(table: Any, options: Any, hand: np.uint64, parameters: Any) -> np.int64:
    """The card that is best left."""
    unseen = unseen_of(table, hand)
    best, best_card = LEAST, NO_CARD
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        worth = leave_worth(table, options, card, unseen, parameters)
        if worth > best:
            best, best_card = worth, card
    return best_card


@kernel
def heuristic_claim(table: Any, options: Any, hand: np.uint64, parameters: Any, work: Any) -> np.uint64:
    """The cards that are best claimed with the card that the player before left."""
    unseen = unseen_of(table, hand)
    card = np.int64(table.left_card)
    bit = bit_of(card)
    others = table.cards & ~bit
    best, best_take = LEAST, NOTHING
    ways = combinations(others, FIFTEEN - value_of(card), work)
    for way in range(ways):
        take = work.found[way]
        worth = worth_of(take | bit, parameters)
        if take == others and (options.escopa != ESCOPA_EXACTLY_FOUR or popcount(take) == TABLE_SIZE):
            worth += parameters[ESCOPA]
        worth -= risk_of(others & ~take, np.int64(table.total) - FIFTEEN, options, unseen, parameters)
        if worth > best:
            best, best_take = worth, take
    return best_take
