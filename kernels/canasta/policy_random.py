"""The policy `random`: uniform over the elementary legal steps, stopping included.

Elementary steps are: drawing or one way to take the pile; one card added to an own meld, a new meld of three cards, a
first meld put together from such steps at random until it reaches the minimum, or stopping; a card to discard.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.canasta.going_out import find_going_out
from kernels.canasta.layout import ACES, JOKERS, LOWEST_RANK, SIDES, THREES, TWOS
from kernels.canasta.meld_rules import (
    LEGAL,
    canasta_marks,
    laid_points,
    may_end,
    melds_article,
    spent,
    take_article,
    top_rank,
)
from kernels.canasta.openings import most_points
from kernels.canasta.parameters import STOP_WEIGHT
from kernels.canasta.rules import discard_article
from kernels.canasta.values import NATURAL_RANKS
from kernels.rank_counts import NOTHING, number_of, one_of
from kernels.rng import bounded

AFTER_LAST = ACES + 1
PAIR, TRIPLE = np.uint64(2), np.uint64(3)
NO_STEP = (False, NOTHING, NOTHING, NOTHING)


@kernel
def pick(stream: Any, seen: int) -> bool:
    """Whether the newest of `seen` steps replaces the one picked so far, so that each is equally likely."""
    return bounded(stream, seen) == 0


@kernel
def step_cards(hand: np.uint64, melded: np.uint64, rank: int, step: int) -> tuple[bool, np.uint64, int, int]:
    """The elementary step number 0, 1 or 2 at a rank: naturals alone, with a joker, with a two.

    Returns whether the hand has the cards, and the naturals, jokers and twos of the step.
    """
    jokers, twos = (1 if step == 1 else 0), (1 if step == 2 else 0)
    if number_of(hand, JOKERS) < jokers or number_of(hand, TWOS) < twos:
        return False, NOTHING, 0, 0
    naturals = 3
    if number_of(melded, rank) > 0:
        naturals = 1
    naturals -= jokers + twos
    if number_of(hand, rank) < naturals:
        return False, NOTHING, 0, 0
    return True, np.uint64(naturals) * one_of(rank), jokers, twos


@kernel
def random_opening(
    table: Any, side: int, hand: np.uint64, top: np.uint64, stream: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """A first meld put together at random; naturals without the top card, which takes a pair where there is one."""
    laid, jokers, twos = NOTHING, NOTHING, NOTHING
    minimum = np.int64(table.minimum[side])
    if most_points((hand & NATURAL_RANKS) + top, number_of(hand, JOKERS), number_of(hand, TWOS)) < minimum:
        return NO_STEP
    rest = hand
    if top != NOTHING:
        if (hand & (np.uint64(14) * top)) == NOTHING:
            return NO_STEP
        laid = PAIR * top
        rest -= laid
    while laid_points(laid + top, jokers, twos) < minimum:
        seen = 0
        best_naturals, best_jokers, best_twos = NOTHING, NOTHING, NOTHING
        for rank in range(LOWEST_RANK, AFTER_LAST):
            for step in range(np.int64(3)):
                has, naturals, joker, two = step_cards(rest, laid, rank, step)
                wilds = number_of(jokers + twos, rank) + joker + two
                if has and wilds <= 3:
                    seen += 1
                    if pick(stream, seen):
                        best_naturals = naturals
                        best_jokers = np.uint64(joker) * one_of(rank)
                        best_twos = np.uint64(two) * one_of(rank)
        if seen == 0:
            return NO_STEP
        laid += best_naturals
        jokers += best_jokers
        twos += best_twos
        rest -= spent(best_naturals, best_jokers, best_twos)
    return True, laid, jokers, twos


@kernel
def random_draw(
    table: Any, options: Any, seat: int, hand: np.uint64, stream: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """Draw from the stock (or decline, at its end), or take the pile in one of the elementary ways."""
    side = seat % SIDES
    rank = top_rank(table)
    top = one_of(rank)
    if table.melded[side] == NOTHING:
        found, naturals, jokers, twos = random_opening(table, side, hand, top, stream)
        if found and take_article(table, options, seat, hand, naturals, jokers, twos) == LEGAL:
            if pick(stream, np.int64(2)):
                return True, naturals, jokers, twos
        return NO_STEP
    seen = 1
    take = False
    best_naturals, best_jokers, best_twos = NOTHING, NOTHING, NOTHING
    for way in range(np.int64(4)):
        # The top card joins a meld by itself, with a pair, or with one natural and a wild card.
        naturals = top
        if way < 2:
            naturals = NOTHING if way == 0 else PAIR * top
        jokers = top if way == 2 else NOTHING
        twos = top if way == 3 else NOTHING
        if take_article(table, options, seat, hand, naturals, jokers, twos) == LEGAL:
            seen += 1
            if pick(stream, seen):
                take, best_naturals, best_jokers, best_twos = True, naturals, jokers, twos
    return take, best_naturals, best_jokers, best_twos


@kernel
def random_meld(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Lay one elementary step or stop; nobody may stop on a last card that he may not discard."""
    side = seat % SIDES
    melded = np.uint64(table.melded[side])
    canastas = popcount(canasta_marks(melded, np.uint64(table.wilds[side])))
    must_lay = table.hand_count[seat] == 1 and not may_end(options, np.int64(table.answer), canastas)
    seen = 0 if must_lay else parameters[STOP_WEIGHT]
    best_naturals, best_jokers, best_twos = NOTHING, NOTHING, NOTHING
    if melded == NOTHING:
        found, naturals, jokers, twos = random_opening(table, side, hand, NOTHING, stream)
        if found and melds_article(table, options, seat, hand, naturals, jokers, twos) == LEGAL:
            seen += 1
            if pick(stream, seen):
                return naturals, jokers, twos
        return NOTHING, NOTHING, NOTHING
    for rank in range(LOWEST_RANK, AFTER_LAST):
        for step in range(np.int64(3)):
            has, naturals, joker, two = step_cards(hand, melded, rank, step)
            if not has:
                continue
            jokers, twos = np.uint64(joker) * one_of(rank), np.uint64(two) * one_of(rank)
            if melds_article(table, options, seat, hand, naturals, jokers, twos) == LEGAL:
                seen += 1
                if pick(stream, seen):
                    best_naturals, best_jokers, best_twos = naturals, jokers, twos
    for threes in range(np.int64(3), np.int64(5)):
        naturals = np.uint64(threes) * one_of(THREES)
        if number_of(hand, THREES) >= threes:
            if melds_article(table, options, seat, hand, naturals, NOTHING, NOTHING) == LEGAL:
                seen += 1
                if pick(stream, seen):
                    best_naturals, best_jokers, best_twos = naturals, NOTHING, NOTHING
    return best_naturals, best_jokers, best_twos


@kernel
def random_discard(table: Any, options: Any, seat: int, hand: np.uint64, stream: Any) -> int:
    """Discard any card of the hand, each equally likely."""
    seen = 0
    picked = np.int64(-1)
    for rank in range(JOKERS, AFTER_LAST):
        if discard_article(table, options, seat, hand, rank) != LEGAL:
            continue
        for _ in range(number_of(hand, rank)):
            seen += 1
            if pick(stream, seen):
                picked = rank
    return picked


@kernel
def random_ask(
    table: Any, options: Any, seat: int, hand: np.uint64, stream: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """Ask every other time that going out is possible; the way to do it."""
    side = seat % SIDES
    found, naturals, jokers, twos = find_going_out(
        options, np.uint64(table.melded[side]), np.uint64(table.wilds[side]), hand
    )
    if found and pick(stream, np.int64(2)):
        return True, naturals, jokers, twos
    return NO_STEP
