"""The policy `search` of canastra: every option weighed by playing the hand on from it, in many worlds.

Its rollouts are played by `standard` at every seat, or by `expert`, through the loops of the game itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import lean
from kernels.calling import INT64_ARRAY, INT64_ROWS, array_of, callee, own_array
from kernels.canastra.layout import OPTION_LAYOUT, POLICIES, RECORD_LAYOUT, SIDES, STATE_LAYOUT, STOP
from kernels.canastra.lixo import apply_take
from kernels.canastra.parameters import CAUTION, PLAYOUT, ROLLOUTS
from kernels.canastra.play import discard_card, discard_phase, draw_from_stock, meld_phase, pass_on, play_turn
from kernels.canastra.policy_random import must_lay, random_meld
from kernels.canastra.rules import apply_meld, clear_record, score
from kernels.canastra.search_memory import MEMORY_LAYOUT
from kernels.canastra.search_options import (
    find_discard,
    find_draw,
    find_meld,
    list_discards,
    list_draws,
    list_melds,
)
from kernels.canastra.search_worlds import deal_world, open_world
from kernels.searching import (
    COPY,
    FIRST,
    STANDARD,
    WORLD,
    best_left,
    end_world,
    note_result,
    open_tally,
    seat_playouts,
    wants_world,
)
from kernels.trace import EVENT

__all__ = [
    "BY_ADDRESS",
    "MEMORY_LAYOUT",
    "choose_discard",
    "choose_draw",
    "choose_meld",
    "find_discard",
    "find_draw",
    "find_meld",
    "prepare",
]

BY_ADDRESS = True

DRAW, MELD, DISCARD = (np.int64(question) for question in range(3))
"""What is asked: the questions of a turn."""

TO_MELD, TO_DISCARD, TO_PASS, OVER = (np.int64(place) for place in range(4))
"""Where a turn stands once an option is carried out."""


def prepare(memory: npt.NDArray[np.void]) -> None:
    """Fill in the policies that play the rollouts.

    Parameters
    ----------
    memory
        Dtype `MEMORY_LAYOUT`, shape (1,).
    """
    seat_playouts(memory, POLICIES)
    memory["play_on"] = PLAY_ON.address()


@lean
def play_on(state: Any, options: Any, place: int, policies: Any, parameters: Any, record: Any, log: Any) -> np.int64:
    """Play a hand on from a place in a turn to its end and count it; the turns it had (CAN-07 to CAN-27)."""
    seat = np.int64(state.table.seat)
    policy, own = policies[seat], parameters[seat]
    is_over = place == OVER
    if place == TO_MELD:
        is_over = meld_phase(state, options, policy, own, record, log)
    if place <= TO_DISCARD and not is_over:
        is_over = discard_phase(state, policy, options, own, record, log)
    if not is_over:
        pass_on(state.table)
    while not is_over:
        is_over = play_turn(state, options, policies, parameters, record, log)
    score(state, options, record)
    return np.int64(state.table.turn)


PLAY_ON = callee(
    play_on, np.int64, [STATE_LAYOUT, OPTION_LAYOUT, np.int64, INT64_ARRAY, INT64_ROWS, RECORD_LAYOUT, array_of(EVENT)]
)
play_on_at = PLAY_ON.call


@lean
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
    best = weigh(memory, table, options, seat, hand_one, hand_two, DRAW, listed, parameters, stream)
    option = memory.option[best]
    return option.takes_lixo != 0, option.target, option.one, option.two, option.places


@lean
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
    best = weigh(memory, table, options, seat, hand_one, hand_two, MELD, listed, parameters, stream)
    option = memory.option[best]
    return option.target, option.one, option.two, option.places


@lean
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
    return np.int64(memory.option[best].card)


@lean
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
    """Number of the option listed that has the best mean margin at the end of the hand."""
    tally = memory.tally
    playout = parameters[PLAYOUT]
    open_tally(tally, listed, parameters[ROLLOUTS], stream)
    tally.usual = memory.expert if playout != 0 else FIRST
    tally.caution = parameters[CAUTION]
    if wants_world(tally):
        open_world(memory, table, options, seat, hand_one, hand_two)
    while wants_world(tally):
        deal_world(memory, seat, tally.stream)
        for option in range(listed):
            if tally.is_left[option] != 0:
                roll_out(memory, options, seat, question, np.int64(option), playout)
        end_world(tally)
    return best_left(tally)


@lean
def roll_out(memory: Any, options: Any, seat: int, question: int, option: int, playout: int) -> None:
    """Carry an option out in the copy of the world, play it to its end, and note how it ended for the seat's side."""
    memory.states[COPY] = memory.states[WORLD]
    state, record = memory.states[COPY], memory.records[0]
    clear_record(record, record, FIRST)
    place = carry_out(memory, state, options, seat, question, option, record)
    policies, parameters = memory.policies[playout], memory.parameters[playout]
    play_on_at(memory.play_on, (state, options, place, policies, parameters, record, memory.log))
    side = seat % SIDES
    own, other = np.int64(record.score[side]), np.int64(record.score[1 - side])
    note_result(memory.tally, option, own - other, own)


@lean
def carry_out(memory: Any, state: Any, options: Any, seat: int, question: int, number: int, record: Any) -> int:
    """Carry an option out; where the turn then stands (CAN-07 to CAN-20)."""
    option, log = memory.option[number], own_array(memory.log)
    target, one, two, places = option.target, option.one, option.two, option.places
    if question == DISCARD:
        is_over = discard_card(state, options, seat, option.card, record, log)
        return OVER if is_over else TO_PASS
    if question == DRAW:
        if option.takes_lixo == 0:
            return TO_MELD if draw_from_stock(state, options, seat, log) else OVER
        apply_take(state, options, seat, target, one, two, places, record, log)
        if not must_lay(state.table, seat):
            return TO_MELD
        # Such a take is legal because the last card makes the canastra that lets the player go out.
        hand_one, hand_two = state.hand_one[seat], state.hand_two[seat]
        target, one, two, places = random_meld(
            state.table, options, seat, hand_one, hand_two, memory.parameters[STANDARD, FIRST], state.random
        )
    elif target == STOP:
        return TO_DISCARD
    apply_meld(state, options, seat, target, one, two, places, record, log)
    return TO_MELD
