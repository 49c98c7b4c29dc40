"""The policy `expert`: what a play brings, less what the next player may expect to gain from the table it leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit, popcount
from kernels.escopa.deal import side_of
from kernels.escopa.fifteens import GROUP, NOTHING, ONE, bit_of, combinations, value_of
from kernels.escopa.layout import (
    CAPTURE_FREE,
    CAPTURE_MUST,
    ESCOPA_EXACTLY_FOUR,
    FIFTEEN,
    PRIMEIRA_STANDARD,
    TABLE_SIZE,
    VALUES,
)
from kernels.escopa.outlook import look_ahead, outlook
from kernels.escopa.parameters import AHEAD_END, AHEAD_ESCOPA
from kernels.escopa.policy_end import MOVER, NEITHER, OTHER, last_play
from kernels.escopa.policy_heuristic import LEAST, unseen_of
from kernels.escopa.rules import NO_CARD, can_capture, card_captures, is_escopa
from kernels.escopa.worths import gain_of, others_taken, rival_of


@lean
def ahead_play(
    table: Any, options: Any, seat: int, hand: np.uint64, sees: bool, parameters: Any, work: Any
) -> tuple[np.int64, np.uint64]:
    """The play of the greatest worth; of equal ones the first card (ESC-05)."""
    side = side_of(options, seat)
    own, rival = table.taken[side], table.taken[rival_of(table, options, side)]
    if sees and parameters[AHEAD_END] != 0 and table.stock_left == 0 and options.players == 2:
        last = NEITHER
        if table.last_seat >= 0:
            last = MOVER if table.last_seat == seat else OTHER
        return last_play(table.cards, hand, unseen_of(table, hand), own, rival, last, options, work)
    others = others_taken(table, options, side)
    after = look_ahead(table, options, seat, hand, parameters, work)
    base = gain_of(NOTHING, own, rival, others, options, parameters)
    sees_capture = sees and can_capture(table, hand)
    must = sees_capture and options.capture == CAPTURE_MUST
    best = LEAST
    best_card, best_take = NO_CARD, NOTHING
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        bit = bit_of(card)
        rest &= rest - ONE
        kept = hand & ~bit
        captures = sees_capture and card_captures(table, card)
        if captures:
            ways = combinations(table.cards, FIFTEEN - value_of(card), work)
            for way in range(ways):
                take = work.found[way]
                worth = gain_of(take | bit, own, rival, others, options, parameters) - base
                if is_escopa(table, options, take):
                    worth += parameters[AHEAD_ESCOPA]
                worth += outlook(table, options, side, after, table.cards & ~take, kept, parameters, work)
                if worth > best:
                    best, best_card, best_take = worth, card, take
        if not must and (not captures or options.capture == CAPTURE_FREE):
            worth = outlook(table, options, side, after, table.cards | bit, kept, parameters, work)
            if worth > best:
                best, best_card, best_take = worth, card, NOTHING
    if options.primeira == PRIMEIRA_STANDARD and best_take != NOTHING:
        best_take = better_suits(table.cards, best_take, bit_of(best_card), own, rival, others, options, parameters)
    return best_card, best_take


@lean
def better_suits(
    cards: np.uint64,
    take: np.uint64,
    bit: np.uint64,
    own: np.uint64,
    rival: np.uint64,
    others: np.uint64,
    options: Any,
    parameters: Any,
) -> np.uint64:
    """The best cards to take that are of the same values, where more suits than diamonds matter (ESC-11)."""
    best_take = take
    best = gain_of(take | bit, own, rival, others, options, parameters)
    for value in range(VALUES):
        shift = np.uint64(4 * value)
        there, taken = (cards >> shift) & GROUP, (take >> shift) & GROUP
        if taken == NOTHING or (there & ~taken) == NOTHING:
            continue
        kept = best_take & ~(GROUP << shift)
        for suits in range(1, 16):
            chosen = np.uint64(suits)
            if (chosen & ~there) != NOTHING or popcount(chosen) != popcount(taken):
                continue
            other = kept | (chosen << shift)
            worth = gain_of(other | bit, own, rival, others, options, parameters)
            if worth > best:
                best, best_take = worth, other
    return best_take


@lean
def ahead_claim(table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, work: Any) -> np.uint64:
    """The cards that are best claimed with the card that the player before left."""
    side = side_of(options, seat)
    own, rival = table.taken[side], table.taken[rival_of(table, options, side)]
    others = others_taken(table, options, side)
    card = np.int64(table.left_card)
    bit = bit_of(card)
    rest = table.cards & ~bit
    best, best_take = LEAST, NOTHING
    ways = combinations(rest, FIFTEEN - value_of(card), work)
    for way in range(ways):
        take = work.found[way]
        worth = gain_of(take | bit, own, rival, others, options, parameters)
        if take == rest and (options.escopa != ESCOPA_EXACTLY_FOUR or popcount(take) == TABLE_SIZE):
            worth += parameters[AHEAD_ESCOPA]
        if worth > best:
            best, best_take = worth, take
    if options.primeira == PRIMEIRA_STANDARD and best_take != NOTHING:
        best_take = better_suits(rest, best_take, bit, own, rival, others, options, parameters)
    return best_take
