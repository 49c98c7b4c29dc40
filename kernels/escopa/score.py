"""The end of a pack of escopa: cards left over, and the points of each side (ESC-09, ESC-10, ESC-11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.escopa import kinds
from kernels.escopa.deal import NO_SEAT, side_of, write_cards
from kernels.escopa.fifteens import DIAMONDS, GROUP, GUINDIS, NOTHING, ONE, SEVENS, total_of, value_of
from kernels.escopa.layout import (
    ALL_DIAMONDS_POINTS,
    ALL_SEVENS_POINTS,
    FEW_CARDS,
    FEW_POINTS,
    MAX_PLAYERS,
    PACK_OUT,
    PRIMEIRA_QUARTET_POINTS,
    PRIMEIRA_STANDARD,
    QUARTET_VALUES,
    STANDARD_VALUES,
    SUITS,
    VALUES,
)
from kernels.event_log import CARD_ROW, ZERO, write_event

NOBODY = np.int64(-1)
NO_QUARTET = np.int64(-1)
SUIT_CARDS = np.uint64(0x11_1111_1111)
"""Every card of the first suit."""

QUARTETS = np.array(QUARTET_VALUES, np.int64)
STANDARD = np.array(STANDARD_VALUES, np.int64)
BEST_VALUES = np.array([6, 5, 0, 4, 3, 2, 1, 7, 8, 9], np.int64)
"""Values less 1, the best for the usual primeira first."""


@kernel
def alone_with_most(counts: Any, sides: int) -> np.int64:
    """Side with the largest of the sides' numbers, -1 where several have it (ESC-10)."""
    best = np.int64(0)
    shared = False
    for side in range(np.int64(1), sides):
        if counts[side] > counts[best]:
            best = side
            shared = False
        elif counts[side] == counts[best]:
            shared = True
    return NOBODY if shared else best


@kernel
def quartet_value(cards: np.uint64) -> np.int64:
    """Value of the best four of a kind among a side's cards, -1 for none (ESC-11)."""
    # The first suit's bit of every value of which all four are there.
    whole = cards & (cards >> np.uint64(1)) & (cards >> np.uint64(2)) & (cards >> np.uint64(3)) & SUIT_CARDS
    best = NO_QUARTET
    while whole != NOTHING:
        best = max(best, QUARTETS[value_of(lowest_bit(whole)) - 1])
        whole &= whole - ONE
    return best


@kernel
def standard_value(cards: np.uint64) -> np.int64:
    """Sum of the best card of each suit among a side's cards, -1 where a suit lacks (ESC-11)."""
    total = np.int64(0)
    for suit in range(SUITS):
        own = cards & (SUIT_CARDS << np.uint64(suit))
        if own == NOTHING:
            return NO_QUARTET
        for value in range(VALUES):
            best = BEST_VALUES[value]
            if (own & (GROUP << np.uint64(4 * best))) != NOTHING:
                total += STANDARD[best]
                break
    return total


@kernel
def score_primeira(table: Any, options: Any, record: Any) -> None:
    """The point or points of the primeira (ESC-11)."""
    sides = options.sides
    for side in range(sides):
        cards = table.taken[side]
        standard = options.primeira == PRIMEIRA_STANDARD
        record.primeira_points[side] = standard_value(cards) if standard else quartet_value(cards)
    best = alone_with_most(record.primeira_points, sides)
    value = np.int64(-1)
    if best >= 0:
        value = np.int64(record.primeira_points[best])
    for side in range(sides):
        record.primeira_points[side] = 0
    if value >= 0:
        record.primeira_points[best] = value if options.primeira == PRIMEIRA_QUARTET_POINTS else 1


@kernel
def score_few(options: Any, record: Any) -> None:
    """Two points for a side whose opponents took fewer than ten cards, where there are two sides (ESC-10)."""
    for side in range(options.sides):
        record.few_points[side] = 0
    if options.sides == 2:
        for side in range(np.int64(2)):
            if record.cards[1 - side] < FEW_CARDS:
                record.few_points[side] = FEW_POINTS


@kernel
def score(table: Any, options: Any, record: Any) -> None:
    """Count the pack: what each side has taken, and its points line by line (ESC-10, ESC-11)."""
    sides = options.sides
    for side in range(sides):
        cards = table.taken[side]
        record.cards[side] = popcount(cards)
        record.diamonds[side] = popcount(cards & DIAMONDS)
        record.sevens[side] = popcount(cards & SEVENS)
        record.guindis[side] = np.int64((cards & GUINDIS) != NOTHING)
    most_cards = alone_with_most(record.cards, sides)
    most_diamonds = alone_with_most(record.diamonds, sides)
    most_sevens = alone_with_most(record.sevens, sides)
    score_few(options, record)
    score_primeira(table, options, record)
    # All of them are also the most.
    most = np.int64(options.all_replaces_most == 0)
    for side in range(sides):
        record.card_points[side] = np.int64(side == most_cards)
        diamonds = np.int64(side == most_diamonds)
        if record.diamonds[side] == VALUES:
            diamonds = ALL_DIAMONDS_POINTS + most
        record.diamond_points[side] = diamonds
        sevens = np.int64(side == most_sevens)
        if record.sevens[side] == SUITS:
            sevens = ALL_SEVENS_POINTS + most
        record.seven_points[side] = sevens
        total = np.int64(table.escopas[side]) + np.int64(record.guindis[side]) + diamonds + sevens
        total += np.int64(record.card_points[side]) + np.int64(record.few_points[side])
        record.score[side] = total + np.int64(record.primeira_points[side])


@kernel
def lead_of(record: Any, sides: int, own: int) -> np.int64:
    """Score of a side less the best of the others."""
    best = np.int64(-1)
    for side in range(sides):
        if side != own:
            best = max(best, np.int64(record.score[side]))
    return np.int64(record.score[own]) - best


@kernel
def end_pack(state: Any, options: Any, record: Any, log: Any) -> None:
    """Give the cards left to the side that captured last, and count the pack (ESC-09, ESC-10)."""
    table = state.table
    sides = options.sides
    last = np.int64(table.last_seat)
    left = table.cards
    write_event(state, log, kinds.LEFTOVER, last, ZERO)
    if log.size > 0:
        write_cards(state, log, CARD_ROW, left)
    record.leftover = table.total
    record.leftover_cards = popcount(left)
    for side in range(MAX_PLAYERS):
        clear_side(record, side)
    record.last_side = NOBODY
    record.last_capture_points = 0
    if last != NO_SEAT:
        own = side_of(options, last)
        record.last_side = own
        record.last_capture[own] = 1
        record.last_capture_cards += popcount(left)
        score(table, options, record)
        before = lead_of(record, sides, own)
        table.taken[own] |= left
        score(table, options, record)
        record.last_capture_points = lead_of(record, sides, own) - before
    else:
        score(table, options, record)
    finish_record(state, options, record)


@kernel
def clear_side(record: Any, side: int) -> None:
    """Start the lines of a side that the score fills in for the sides that play."""
    record.score[side] = 0
    record.cards[side] = 0
    record.diamonds[side] = 0
    record.sevens[side] = 0
    record.last_capture[side] = 0
    record.guindis[side] = 0
    record.diamond_points[side] = 0
    record.seven_points[side] = 0
    record.card_points[side] = 0
    record.few_points[side] = 0
    record.primeira_points[side] = 0


@kernel
def finish_record(state: Any, options: Any, record: Any) -> None:
    """Fill in what is not a line of the score."""
    table = state.table
    for side in range(MAX_PLAYERS):
        record.escopas[side] = table.escopas[side]
    first = np.int64(record.first)
    players = options.players
    record.escopas_1 = state.seat_escopas[first]
    record.escopas_2 = state.seat_escopas[(first + 1) % players]
    record.escopas_3 = state.seat_escopas[(first + 2) % players] if players > 2 else -1
    record.escopas_4 = state.seat_escopas[(first + 3) % players] if players > 3 else -1
    record.winner = alone_with_most(record.score, options.sides)
    record.turns = table.turn
    record.decisions = state.decisions
    record.reason = PACK_OUT
    record.status = 1
