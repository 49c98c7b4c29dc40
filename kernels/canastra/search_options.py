"""The options of a search of canastra at a decision: all elementary steps, and what `standard` and `expert` would do.

What `standard` would do stands first. Of curingas in the hand only the lowest is tried, since their suits mean nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.canastra.layout import SIDES, STOP
from kernels.canastra.lixo import take_article
from kernels.canastra.meld_rules import CURINGAS, LEGAL
from kernels.canastra.policy_heuristic import heuristic_discard, heuristic_draw
from kernels.canastra.policy_melds import heuristic_meld
from kernels.canastra.policy_random import elementary_step, must_lay
from kernels.canastra.rules import discard_article, meld_action_article
from kernels.canastra.search_memory import EXPERT, STANDARD
from kernels.melds import BIT, NONE, card_bit, without
from kernels.searching import MOST_OPTIONS

NO_CARD, NO_STEPS = np.int64(-1), np.int64(0)


@kernel
def add_action(
    memory: Any, listed: int, takes: int, target: int, one: np.uint64, two: np.uint64, places: np.uint64, card: int
) -> int:
    """List an option unless it is listed or there is no room, which loses those that spend a curinga."""
    if listed == MOST_OPTIONS:
        return listed
    for before in range(listed):
        other = memory.actions[before]
        if (
            other.takes_lixo == takes
            and other.target == target
            and other.one == one
            and other.two == two
            and other.places == places
            and other.card == card
        ):
            return listed
    action = memory.actions[listed]
    action.takes_lixo, action.target, action.card = takes, target, card
    action.one, action.two, action.places = one, two, places
    return listed + 1


@kernel
def list_steps(
    memory: Any, table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, top: np.uint64, listed: int
) -> int:
    """List the elementary melds and extensions, or with a `top` card takes of the lixo, first those without a curinga."""
    side = seat % SIDES
    hand = np.int64(table.hand_count[seat])
    curingas = hand_one & CURINGAS
    lowest = curingas & (~curingas + BIT)
    takes = np.int64(0 if top == NONE else 1)
    for spends in range(1 if lowest == NONE else 2):
        one, two = hand_one & ~CURINGAS, hand_two & ~CURINGAS
        if spends == 1:
            one |= lowest
        number = np.int64(1)
        while True:
            seen, target, step_one, step_two, places = elementary_step(
                table, options, side, hand, one, two, top, memory.tally.stream, number, NO_STEPS
            )
            if seen < number:
                break
            number += 1
            if takes == 0:
                article = meld_action_article(table, options, seat, hand_one, hand_two, target, step_one, step_two, places)
            else:
                step_one, step_two = without(step_one, step_two, top, NONE)
                article = take_article(table, options, seat, hand_one, hand_two, target, step_one, step_two, places)
            if article == LEGAL:
                listed = add_action(memory, listed, takes, target, step_one, step_two, places, NO_CARD)
    return listed


@kernel
def list_draws(memory: Any, table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64) -> int:
    """List drawing and the ways to take the lixo; their number (CAN-07, CAN-08)."""
    listed = np.int64(0)
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy][seat]
        take, target, one, two, places = heuristic_draw(table, options, seat, hand_one, hand_two, parameters)
        listed = add_action(memory, listed, np.int64(take), target, one, two, places, NO_CARD)
    listed = add_action(memory, listed, np.int64(0), STOP, NONE, NONE, NONE, NO_CARD)
    top = card_bit(np.int64(table.lixo[table.lixo_size - 1]))
    return list_steps(memory, table, options, seat, hand_one, hand_two, top, listed)


@kernel
def list_melds(memory: Any, table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64) -> int:
    """List the melds and extensions, and stopping; their number (CAN-11)."""
    listed = np.int64(0)
    stuck = must_lay(table, seat)
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy][seat]
        target, one, two, places = heuristic_meld(table, options, seat, hand_one, hand_two, parameters)
        if target != STOP:
            listed = add_action(memory, listed, np.int64(0), target, one, two, places, NO_CARD)
        elif not stuck:
            listed = add_action(memory, listed, np.int64(0), STOP, NONE, NONE, NONE, NO_CARD)
    if not stuck:
        listed = add_action(memory, listed, np.int64(0), STOP, NONE, NONE, NONE, NO_CARD)
    return list_steps(memory, table, options, seat, hand_one, hand_two, NONE, listed)


@kernel
def list_discards(memory: Any, table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64) -> int:
    """List the cards that may be discarded; their number (CAN-11)."""
    listed = np.int64(0)
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy][seat]
        card = heuristic_discard(table, options, seat, hand_one, hand_two, parameters)
        listed = add_action(memory, listed, np.int64(0), STOP, NONE, NONE, NONE, card)
    curingas = hand_one & CURINGAS
    rest = (hand_one & ~CURINGAS) | (curingas & (~curingas + BIT))
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        if discard_article(table, seat, hand_one, card) == LEGAL:
            listed = add_action(memory, listed, np.int64(0), STOP, NONE, NONE, NONE, card)
    return listed
