"""The rules of escopa by article (docs/rules/escopa.md): what may be played, what it does, and how the pack ends.

A function ``..._article`` says which article a play would break; `LEGAL` for none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import popcount
from kernels.escopa import kinds
from kernels.escopa.deal import add_to_table, next_seat, note_escopas, side_of, take_from_table, write_cards
from kernels.escopa.fifteens import (
    NOTHING,
    SUMS_OF_HANDS,
    bit_of,
    has_sum,
    sums_wanted,
    total_of,
    value_of,
)
from kernels.escopa.layout import (
    CAPTURE_FREE,
    CAPTURE_MUST,
    ESCOPA_CLEAR_TABLE,
    FIFTEEN,
    TABLE_SIZE,
)
from kernels.event_log import CARD_ROW, NOW_ROW, ZERO, write_event, write_row
from kernels.rng import happens

LEGAL = np.int64(0)
NO_CARD = np.int64(-1)
CERTAIN = np.uint64(1 << 32)
"""Threshold of `kernels.rng.happens` for what always happens."""


@lean
def can_capture(table: Any, hand: np.uint64) -> bool:
    """Whether a hand has a card that makes fifteen with cards of the table (ESC-05)."""
    return (table.sums & sums_wanted(hand)) != NOTHING


@lean
def card_captures(table: Any, card: int) -> bool:
    """Whether a card makes fifteen with cards of the table (ESC-05)."""
    return has_sum(table.sums, FIFTEEN - value_of(card))


@lean
def may_leave(table: Any, options: Any, hand: np.uint64, card: int) -> bool:
    """Whether a card may be played without taking anything (ESC-05)."""
    if options.capture == CAPTURE_FREE:
        return True
    if options.capture == CAPTURE_MUST:
        return not can_capture(table, hand)
    return not card_captures(table, card)


@lean
def is_escopa(table: Any, options: Any, take: np.uint64) -> bool:
    """Whether taking these cards of the table is an escopa (ESC-08)."""
    if take != table.cards:
        return False
    return options.escopa == ESCOPA_CLEAR_TABLE or popcount(take) == TABLE_SIZE


@lean
def play_article(table: Any, options: Any, hand: np.uint64, card: int, take: np.uint64) -> np.int64:
    """Article that a play breaks: 4 for a card that is not in the hand, 5 for a wrong capture or none."""
    if card < 0 or (hand & bit_of(card)) == NOTHING:
        return np.int64(4)
    if take == NOTHING:
        return LEGAL if may_leave(table, options, hand, card) else np.int64(5)
    if (take & ~table.cards) != NOTHING or total_of(take) + value_of(card) != FIFTEEN:
        return np.int64(5)
    return LEGAL


@lean
def claim_article(table: Any, take: np.uint64) -> np.int64:
    """Article that claiming the card just left with cards of the table breaks: 6 unless they make fifteen."""
    card = np.int64(table.left_card)
    if card < 0 or (take & ~table.cards) != NOTHING or (take & bit_of(card)) != NOTHING:
        return np.int64(6)
    return LEGAL if total_of(take) + value_of(card) == FIFTEEN else np.int64(6)


@lean
def overlooks(state: Any, options: Any, seat: int, record: Any, log: Any) -> bool:
    """Whether the seat misses that it could capture, drawn for each turn in which it could (ESC-06)."""
    if options.overlook_rate == NOTHING or not can_capture(state.table, state.hand[seat]):
        return False
    if not happens(state.house, options.overlook_rate):
        return False
    record.overlooks[side_of(options, seat)] += 1
    write_event(state, log, kinds.OVERLOOK, seat, ZERO)
    return True


@lean
def is_noticed(state: Any, options: Any, card: int) -> bool:
    """Whether the next seat sees that the card just left by oversight makes fifteen, if it does (ESC-06).

    Called before the card lies on the table.
    """
    if not card_captures(state.table, card):
        return False
    return happens(state.house, CERTAIN - options.overlook_rate)


@lean
def apply_play(state: Any, options: Any, seat: int, card: int, take: np.uint64, record: Any, log: Any) -> None:
    """Play a card: take what makes fifteen with it, or leave it on the table (ESC-05, ESC-08)."""
    table = state.table
    state.hand[seat] &= ~bit_of(card)
    table.hand_count[seat] -= 1
    table.plays_left -= 1
    if take == NOTHING:
        write_event(state, log, kinds.PLAY, seat, ZERO)
        if log.size > 0:
            write_row(state, log, CARD_ROW, ZERO, ZERO, np.int64(state.faces[card]))
        if options.capture == CAPTURE_MUST and options.overlook_rate == NOTHING:
            # Who leaves a card has shown that nothing in his hand captures.
            table.lacks[seat] |= table.sums & SUMS_OF_HANDS
        add_to_table(table, card)
        return
    escopa = np.int64(is_escopa(table, options, take))
    write_event(state, log, kinds.PLAY, seat, escopa)
    if log.size > 0:
        write_row(state, log, CARD_ROW, ZERO, ZERO, np.int64(state.faces[card]))
        write_cards(state, log, NOW_ROW, take)
    take_from_table(table, take)
    note_capture(state, options, seat, take | bit_of(card), escopa, record)


@lean
def apply_claim(state: Any, options: Any, seat: int, take: np.uint64, record: Any, log: Any) -> None:
    """Take the card that the player before left by oversight, with cards that make fifteen with it (ESC-06, ESC-08)."""
    table = state.table
    card = np.int64(table.left_card)
    rest = table.cards & ~bit_of(card)
    escopa = np.int64(0)
    if take == rest and (options.escopa == ESCOPA_CLEAR_TABLE or popcount(take) == TABLE_SIZE):
        escopa = np.int64(1)
    write_event(state, log, kinds.CLAIM, seat, escopa)
    if log.size > 0:
        write_row(state, log, CARD_ROW, ZERO, ZERO, np.int64(state.faces[card]))
        write_cards(state, log, CARD_ROW, take)
    record.claims[side_of(options, seat)] += 1
    take_from_table(table, take | bit_of(card))
    note_capture(state, options, seat, take | bit_of(card), escopa, record)


@lean
def note_capture(state: Any, options: Any, seat: int, cards: np.uint64, escopa: int, record: Any) -> None:
    """Give captured cards to the seat's side (ESC-05, ESC-08, ESC-09)."""
    table = state.table
    side = side_of(options, seat)
    table.taken[side] |= cards
    table.seen |= cards
    table.last_seat = seat
    record.captures[side] += 1
    record.last_capture_cards = popcount(cards)
    if escopa != 0:
        record.played_escopas[side] += 1
        note_escopas(state, options, seat, escopa)


@lean
def pass_turn(table: Any, options: Any) -> None:
    """The next turn is the right neighbour's (ESC-02)."""
    table.turn += 1
    table.seat = next_seat(options, np.int64(table.seat))


@lean
def is_pack_out(table: Any) -> bool:
    """Whether all cards of the pack have been played (ESC-04)."""
    return table.plays_left == 0 and table.stock_left == 0
