"""The end of a pack of escopa: cards left over, and the points of each side (ESC-09, ESC-10, ESC-11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit, popcount
from kernels.escopa import kinds
from kernels.escopa.deal import NO_SEAT, side_of, write_cards
from kernels.escopa.fifteens import DIAMONDS, GROUP, GUINDIS, NOTHING, ONE, SEVENS, value_of
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


@lean
def cards_line(own: int, other: int) -> np.int64:
    """Point for most cards: a side's number against the best of the others (ESC-10)."""
    return np.int64(own > other)


@lean
def diamonds_line(own: int, other: int, options: Any) -> np.int64:
    """Points for diamonds: one for most, two instead (or besides) for all ten (ESC-10)."""
    if own == VALUES:
        return np.int64(ALL_DIAMONDS_POINTS) + np.int64(options.all_replaces_most == 0)
    return np.int64(own > other)


@lean
def sevens_line(own: int, other: int, options: Any) -> np.int64:
    """Points for sevens: one for most, three instead (or besides) for all four (ESC-10)."""
    if own == SUITS:
        return np.int64(ALL_SEVENS_POINTS) + np.int64(options.all_replaces_most == 0)
    return np.int64(own > other)


@lean
def few_line(other: int) -> np.int64:
    """Points of one of two sides whose opponents took so many cards (ESC-10)."""
    return np.int64(FEW_POINTS) if other < FEW_CARDS else np.int64(0)


@lean
def primeira_line(own: int, other: int, options: Any) -> np.int64:
    """Points for the primeira: the value of a side's against the best of the others, -1 for none (ESC-11)."""
    if own <= other:
        return np.int64(0)
    return np.int64(own) if options.primeira == PRIMEIRA_QUARTET_POINTS else np.int64(1)


@lean
def quartet_value(cards: np.uint64) -> np.int64:
    """Value of the best four of a kind among a side's cards, -1 for none (ESC-11)."""
    # The first suit's bit of every value of which all four are there.
    whole = cards & (cards >> np.uint64(1)) & (cards >> np.uint64(2)) & (cards >> np.uint64(3)) & SUIT_CARDS
    best = NO_QUARTET
    while whole != NOTHING:
        best = max(best, QUARTETS[value_of(lowest_bit(whole)) - 1])
        whole &= whole - ONE
    return best


@lean
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


@lean
def primeira_value(cards: np.uint64, options: Any) -> np.int64:
    """What a side's cards are worth for the primeira, -1 if it cannot win it (ESC-11)."""
    return standard_value(cards) if options.primeira == PRIMEIRA_STANDARD else quartet_value(cards)


@lean
def best_other(numbers: Any, sides: int, own: int) -> np.int64:
    """The largest of the other sides' numbers."""
    best = np.int64(-1)
    for side in range(sides):
        if side != own:
            best = max(best, np.int64(numbers[side]))
    return best


@lean
def score(state: Any, options: Any, record: Any) -> None:
    """Count the pack: what each side has taken, and its points line by line (ESC-10, ESC-11)."""
    table = state.table
    sides = options.sides
    for side in range(sides):
        cards = table.taken[side]
        record.cards[side] = popcount(cards)
        record.diamonds[side] = popcount(cards & DIAMONDS)
        record.sevens[side] = popcount(cards & SEVENS)
        record.guindis[side] = np.int64((cards & GUINDIS) != NOTHING)
        state.primeira[side] = primeira_value(cards, options)
    for side in range(sides):
        cards_points = cards_line(np.int64(record.cards[side]), best_other(record.cards, sides, side))
        diamonds = diamonds_line(np.int64(record.diamonds[side]), best_other(record.diamonds, sides, side), options)
        sevens = sevens_line(np.int64(record.sevens[side]), best_other(record.sevens, sides, side), options)
        primeira = primeira_line(np.int64(state.primeira[side]), best_other(state.primeira, sides, side), options)
        few = np.int64(0)
        if sides == 2:
            few = few_line(np.int64(record.cards[1 - side]))
        record.card_points[side] = cards_points
        record.diamond_points[side] = diamonds
        record.seven_points[side] = sevens
        record.primeira_points[side] = primeira
        record.few_points[side] = few
        points = np.int64(table.escopas[side]) + np.int64(record.guindis[side])
        record.score[side] = points + cards_points + diamonds + sevens + primeira + few


@lean
def lead_of(record: Any, sides: int, own: int) -> np.int64:
    """Score of a side less the best of the others."""
    return np.int64(record.score[own]) - best_other(record.score, sides, own)


@lean
def winner_of(record: Any, sides: int) -> np.int64:
    """Side with the best score alone, -1 if several share it."""
    for side in range(sides):
        if lead_of(record, sides, side) > 0:
            return side
    return NOBODY


@lean
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
        score(state, options, record)
        before = lead_of(record, sides, own)
        table.taken[own] |= left
        score(state, options, record)
        record.last_capture_points = lead_of(record, sides, own) - before
    else:
        score(state, options, record)
    finish_record(state, options, record)


@lean
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


@lean
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
    record.winner = winner_of(record, options.sides)
    record.turns = table.turn
    record.decisions = state.decisions
    record.reason = PACK_OUT
    record.status = 1
