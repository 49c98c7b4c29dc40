"""The policies `novice` and `standard`: what a play brings, and whether one card could clear what it leaves.

Worths are reckoned in percent of a thousandth of a point, since the parameter `left` is in percent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
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
from kernels.escopa.layout import CAPTURE_FREE, CAPTURE_MUST, CARDS, ESCOPA_EXACTLY_FOUR, FIFTEEN, TABLE_SIZE
from kernels.escopa.parameters import CARD, DIAMOND, ESCOPA, LEFT, SEVEN, SWEPT
from kernels.escopa.parameters import GUINDIS as GUINDIS_WORTH
from kernels.escopa.rules import NO_CARD, can_capture, card_captures, is_escopa

LEAST = np.int64(-(1 << 40))
PERCENT = np.int64(100)
CARD_BITS, CARD_MASK = np.int64(6), np.int64(63)
PAST_ALL = np.int64(60)
"""A shift that leaves no card."""


@lean
def worth_of(cards: np.uint64, parameters: Any) -> np.int64:
    """What cards are worth to who takes them, in thousandths of a point."""
    worth = popcount(cards) * parameters[CARD] + popcount(cards & DIAMONDS) * parameters[DIAMOND]
    # Multiplied rather than asked, since no processor guesses such a question well.
    return worth + popcount(cards & SEVENS) * parameters[SEVEN] + popcount(cards & GUINDIS) * parameters[GUINDIS_WORTH]


@lean
def unseen_of(table: Any, hand: np.uint64) -> np.uint64:
    """Cards that a player has not seen: in other hands or in the stock."""
    return ALL & ~(table.seen | hand)


@lean
def clearing_cards(cards: np.uint64, total: int, options: Any, unseen: np.uint64) -> np.int64:
    """Unseen cards each of which would make an escopa of the cards on the table (ESC-08)."""
    if options.escopa == ESCOPA_EXACTLY_FOUR and popcount(cards) != TABLE_SIZE:
        return np.int64(0)
    # Above 14 no card clears the table; below 5 the shift leaves nothing either.
    past = PAST_ALL if total >= FIFTEEN else np.int64(4 * (FIFTEEN - 1 - total))
    return popcount((unseen >> np.uint64(past)) & GROUP)


@lean
def risk_unit(table: Any, parameters: Any) -> np.int64:
    """Cost of each unseen card that clears what is left; nothing before new cards are dealt or the pack ends."""
    return PERCENT * parameters[SWEPT] if table.plays_left > 1 else np.int64(0)


@lean
def leave_worth(table: Any, options: Any, card: int, unseen: np.uint64, risk: int, parameters: Any) -> np.int64:
    """Worth of leaving a card on the table: what it costs, and the table that it makes."""
    bit = bit_of(card)
    total = np.int64(table.total) + value_of(card)
    cost = worth_of(bit, parameters) * parameters[LEFT]
    return -cost - risk * clearing_cards(table.cards | bit, total, options, unseen)


@lean
def capture_worth(
    table: Any, options: Any, card: int, take: np.uint64, unseen: np.uint64, risk: int, parameters: Any
) -> np.int64:
    """Worth of taking cards with a card of the hand: those cards, an escopa, the table that is left."""
    worth = worth_of(take | bit_of(card), parameters)
    if is_escopa(table, options, take):
        worth += parameters[ESCOPA]
    total = np.int64(table.total) - FIFTEEN + value_of(card)
    return PERCENT * worth - risk * clearing_cards(table.cards & ~take, total, options, unseen)


@lean
def best_leave(
    table: Any, options: Any, hand: np.uint64, unseen: np.uint64, risk: int, parameters: Any
) -> tuple[np.int64, np.int64]:
    """The greatest worth of leaving a card, and the card; of equal ones the first."""
    # A card's number below its worth, so that one comparison, which costs no branch, keeps both.
    best = LEAST
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        worth = leave_worth(table, options, card, unseen, risk, parameters)
        best = max(best, (worth << CARD_BITS) + CARDS - card)
    return best >> CARD_BITS, CARDS - (best & CARD_MASK)


@lean
def best_capture(
    table: Any, options: Any, hand: np.uint64, unseen: np.uint64, risk: int, parameters: Any, work: Any
) -> tuple[np.int64, np.int64, np.uint64]:
    """The greatest worth of a capture, the card played and the cards taken; of equal ones the first."""
    best, best_card, best_take = LEAST, NO_CARD, NOTHING
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        if not card_captures(table, card):
            continue
        ways = combinations(table.cards, FIFTEEN - value_of(card), work)
        for way in range(ways):
            take = work.found[way]
            worth = capture_worth(table, options, card, take, unseen, risk, parameters)
            if worth > best:
                best, best_card, best_take = worth, card, take
    return best, best_card, best_take


@lean
def not_capturing(table: Any, hand: np.uint64) -> np.uint64:
    """Cards of a hand that make no fifteen with the table."""
    cards = NOTHING
    rest = hand
    while rest != NOTHING:
        if not card_captures(table, lowest_bit(rest)):
            cards |= bit_of(lowest_bit(rest))
        rest &= rest - ONE
    return cards


@lean
def heuristic_play(
    table: Any, options: Any, hand: np.uint64, sees: bool, parameters: Any, work: Any
) -> tuple[np.int64, np.uint64]:
    """The play of the greatest worth (ESC-05)."""
    unseen = unseen_of(table, hand)
    risk = risk_unit(table, parameters)
    if not sees or not can_capture(table, hand):
        return best_leave(table, options, hand, unseen, risk, parameters)[1], NOTHING
    worth, card, take = best_capture(table, options, hand, unseen, risk, parameters, work)
    if options.capture == CAPTURE_MUST:
        return card, take
    left = hand if options.capture == CAPTURE_FREE else not_capturing(table, hand)
    leave, left_card = best_leave(table, options, left, unseen, risk, parameters)
    if leave > worth:
        return left_card, NOTHING
    return card, take


@lean
def heuristic_claim(table: Any, options: Any, hand: np.uint64, parameters: Any, work: Any) -> np.uint64:
    """The cards that are best claimed with the card that the player before left (ESC-06)."""
    unseen = unseen_of(table, hand)
    card = np.int64(table.left_card)
    bit = bit_of(card)
    others = table.cards & ~bit
    total = np.int64(table.total) - FIFTEEN
    best, best_take = LEAST, NOTHING
    ways = combinations(others, FIFTEEN - value_of(card), work)
    for way in range(ways):
        take = work.found[way]
        worth = worth_of(take | bit, parameters)
        if take == others and (options.escopa != ESCOPA_EXACTLY_FOUR or popcount(take) == TABLE_SIZE):
            worth += parameters[ESCOPA]
        worth -= parameters[SWEPT] * clearing_cards(others & ~take, total, options, unseen)
        if worth > best:
            best, best_take = worth, take
    return best_take
