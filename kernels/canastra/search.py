"""The policy `search` of canastra: every option is played out in the same worlds, and the best mean margin wins.

The rollouts are played on by a heuristic policy at every seat, which sees of the world what a player at that seat sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel, lean
from kernels.canastra.layout import SIDES, STOP
from kernels.canastra.lixo import apply_take
from kernels.canastra.play import discard_card, discard_phase, draw_from_stock, meld_phase, pass_on, play_turn
from kernels.canastra.policy_random import elementary_step, must_lay
from kernels.canastra.rules import apply_meld, clear_counts, score
from kernels.canastra.search_memory import COPY, DISCARD, DRAW, MELD, MEMORY_LAYOUT, WORLD, prepare
from kernels.canastra.search_options import NO_STEPS, list_discards, list_draws, list_melds
from kernels.canastra.search_worlds import deal_world, open_world
from kernels.melds import NONE
from kernels.searching import best_left, drop_worse_half, end_world, open_tally, worlds_of_round

__all__ = ["ALLOCATES", "MEMORY_LAYOUT", "choose_discard", "choose_draw", "choose_meld", "prepare"]

ALLOCATES = True
ROLLOUTS, ROLLOUT_POLICY = 0, 1
FIRST_STEP = np.int64(1)


@kernel
def choose_draw(
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    parameters: Any,
    stream: Any,
    memory: Any,
) -> tuple[bool, int, np.uint64, np.uint64, np.uint64]:
    """Whether to take the lixo, and the justifying meld: target, hand cards, places (CAN-07, CAN-08)."""
    listed = list_draws(memory, table, options, seat, hand_one, hand_two)
    action = memory.actions[weigh(memory, table, options, seat, hand_one, hand_two, DRAW, listed, parameters, stream)]
    return action.takes_lixo != 0, action.target, action.one, action.two, action.places


@kernel
def choose_meld(
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    parameters: Any,
    stream: Any,
    memory: Any,
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """Next meld action: target, cards, places; target `STOP` to go on to the discard (CAN-11)."""
    listed = list_melds(memory, table, options, seat, hand_one, hand_two)
    action = memory.actions[weigh(memory, table, options, seat, hand_one, hand_two, MELD, listed, parameters, stream)]
    return action.target, action.one, action.two, action.places


@kernel
def choose_discard(
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    parameters: Any,
    stream: Any,
    memory: Any,
) -> int:
    """Card to discard (CAN-11)."""
    listed = list_discards(memory, table, options, seat, hand_one, hand_two)
    best = weigh(memory, table, options, seat, hand_one, hand_two, DISCARD, listed, parameters, stream)
    return np.int64(memory.actions[best].card)


@kernel
def weigh(
    memory: Any,
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    question: int,
    listed: int,
    parameters: Any,
    stream: Any,
) -> int:
    """Number of the best of the options listed."""
    if listed == 1:
        return np.int64(0)
    tally = memory.tally
    open_tally(tally, listed, stream)
    open_world(memory, table, options, seat, hand_one, hand_two)
    while tally.left > 1:
        for _ in range(worlds_of_round(tally, parameters[ROLLOUTS])):
            deal_world(memory, seat, tally.stream)
            for option in range(listed):
                if tally.is_left[option] != 0:
                    memory.states[COPY] = memory.states[WORLD]
                    tally.margin[option] = play_out(memory, options, seat, question, option, parameters[ROLLOUT_POLICY])
            end_world(tally)
        drop_worse_half(tally)
    return best_left(tally)


@lean
def play_out(memory: Any, options: Any, seat: int, question: int, option: int, policy: int) -> int:
    """Margin of the seat's side at the end of the hand, if it takes an option in the copy of the world."""
    action = memory.actions[option]
    state, record, log = memory.states[COPY], memory.records[0], memory.log[:0]
    table = state.table
    policies, parameters = memory.policies, memory.parameters[policy]
    clear_counts(record)
    over = False
    if question == DRAW:
        if action.takes_lixo != 0:
            apply_take(state, options, seat, action.target, action.one, action.two, action.places, record, log)
            if must_lay(table, seat):
                # The take was legal because the last card finishes a canastra.
                one, two = state.hand_one[seat], state.hand_two[seat]
                _seen, target, one, two, places = elementary_step(
                    table, options, seat % SIDES, FIRST_STEP, one, two, NONE, state.random, FIRST_STEP, NO_STEPS
                )
                apply_meld(state, options, seat, target, one, two, places, record, log)
        else:
            over = not draw_from_stock(state, options, seat, log)
    elif question == MELD and action.target != STOP:
        apply_meld(state, options, seat, action.target, action.one, action.two, action.places, record, log)
    if not over and (question == DRAW or action.target != STOP):
        over = meld_phase(state, options, policies[seat], parameters[seat], record, log)
    if question == DISCARD:
        over = discard_card(state, options, seat, action.card, record, log)
    elif not over:
        over = discard_phase(state, policies[seat], options, parameters[seat], record, log)
    if not over:
        pass_on(table)
        while not play_turn(state, options, policies, parameters, record, log):
            pass
    score(state, options, record)
    side = seat % SIDES
    return np.int64(record.score[side]) - np.int64(record.score[1 - side])
