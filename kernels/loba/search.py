"""The policy `search` of loba: every option weighed by playing the round on from it, in many worlds.

Its rollouts are played by `standard` at every seat, or by `expert`, through the loops of the game itself. Those of
`expert`, which tries every discard against every card that may come, cost eight times as much.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import lean
from kernels.calling import INT64_ARRAY, INT64_ROWS, array_of, callee, own_array
from kernels.loba.dealing import clear_record
from kernels.loba.layout import MAX_SEATS, OPTION_LAYOUT, POLICIES, REASON_CAP, RECORD_LAYOUT, STATE_LAYOUT, TURN_CAP
from kernels.loba.meld_rules import must_lay
from kernels.loba.parameters import CAUTION, HOPELESS, PLAYOUT, ROLLOUTS
from kernels.loba.play import discard_card, discard_phase, lay_phase, pass_on, play_turn
from kernels.loba.policy_heuristic import heuristic_lay
from kernels.loba.policy_random import elementary_lay
from kernels.loba.rules import apply_lay, draw_card, score, take_discard
from kernels.loba.search_memory import MEMORY_LAYOUT
from kernels.loba.search_options import (
    NO_STEPS,
    find_discard,
    find_draw,
    find_lay,
    list_discards,
    list_draws,
    list_lays,
)
from kernels.loba.search_worlds import deal_world, open_world
from kernels.melds import NONE
from kernels.searching import (
    COPY,
    WORLD,
    best_left,
    end_world,
    note_outcome,
    open_tally,
    seat_playouts,
    wants_world,
)
from kernels.spec import JOB
from kernels.trace import EVENT

__all__ = [
    "BY_ADDRESS",
    "MEMORY_LAYOUT",
    "choose_discard",
    "choose_draw",
    "choose_lay",
    "find_discard",
    "find_draw",
    "find_lay",
    "prepare",
]

BY_ADDRESS = True

DRAW, LAY, DISCARD = (np.int64(question) for question in range(3))
"""What is asked: the questions of a turn."""

TO_LAY, TO_DISCARD, TO_PASS, OVER = (np.int64(place) for place in range(4))
"""Where a turn stands once an option is carried out."""

NEXT_STEP = np.int64(1)
OUTSIDE_MATCH = np.int64(-1)


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
def play_on(
    state: Any, options: Any, place: int, policies: Any, parameters: Any, job: Any, record: Any, log: Any
) -> int:
    """Play a round on from a place in a turn to its end and count it; the turns it had (LOB-04 to LOB-17)."""
    seat = np.int64(state.table.seat)
    policy, own = policies[seat], parameters[seat]
    is_over = place == OVER
    if place == TO_LAY:
        lay_what_must(state, options, seat, own, record, log)
        is_over = lay_phase(state, options, policy, own, record, log)
    if place <= TO_DISCARD and not is_over:
        is_over = discard_phase(state, options, policy, own, record, log)
    if not is_over:
        pass_on(state.table, options)
    while not is_over:
        if state.table.turn >= TURN_CAP:
            state.reason = REASON_CAP
            break
        is_over = play_turn(state, options, policies, parameters, record, log)
    score(state, options, job, record)
    return np.int64(state.table.turn)


@lean
def lay_what_must(state: Any, options: Any, seat: int, parameters: Any, record: Any, log: Any) -> None:
    """Lay until laying may stop, step by step where the policy knows no way: it would not have taken that card."""
    table = state.table
    while table.hand_count[seat] > 0:
        one, two = state.hand_one[seat], state.hand_two[seat]
        if not must_lay(table, options, seat, one):
            return
        meld, naturals, twice, jokers = heuristic_lay(table, options, seat, one, two, parameters)
        if (naturals | jokers) == NONE:
            found, lay = elementary_lay(table, options, seat, one, two, state.random, NEXT_STEP, NO_STEPS)
            if found == 0:
                raise RuntimeError("a search has a card to lay and no way to lay it")
            meld, naturals, twice, jokers = lay
        apply_lay(state, seat, meld, naturals, twice, jokers, record, log)


PLAY_ON = callee(
    play_on,
    np.int64,
    [
        STATE_LAYOUT,
        OPTION_LAYOUT,
        np.int64,
        INT64_ARRAY,
        INT64_ROWS,
        JOB,
        RECORD_LAYOUT,
        array_of(EVENT),
    ],
)
play_on_at = PLAY_ON.call


@lean
def choose_draw(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any, memory: Any
) -> bool:
    """Whether to take the top of the discards, where that is legal (LOB-04, LOB-11)."""
    listed = list_draws(memory, table, options, seat, one, two)
    best = weigh(memory, table, options, seat, one, two, DRAW, listed, parameters, stream)
    return memory.option[best].takes != 0


@lean
def choose_lay(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any, memory: Any
) -> tuple[np.int64, np.uint64, np.uint64, np.uint64]:
    """A lay: the number of an own meld or `NEW`, naturals, those twice, positions of jokers; no cards to stop."""
    listed = list_lays(memory, table, options, seat, one, two)
    best = weigh(memory, table, options, seat, one, two, LAY, listed, parameters, stream)
    option = memory.option[best]
    return option.meld, option.naturals, option.twice, option.jokers


@lean
def choose_discard(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any, memory: Any
) -> tuple[np.int64, np.int64]:
    """The card to discard, and the number of the own meld it lies in, or `HAND` (LOB-04, LOB-08)."""
    listed = list_discards(memory, table, options, seat, one, two)
    best = weigh(memory, table, options, seat, one, two, DISCARD, listed, parameters, stream)
    option = memory.option[best]
    return option.card, option.meld


@lean
def weigh(
    memory: Any,
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    question: int,
    listed: int,
    parameters: Any,
    stream: Any,
) -> int:
    """Number of the option listed that has the best mean margin at the end of the round."""
    tally = memory.tally
    playout = parameters[PLAYOUT]
    open_tally(tally, listed, parameters[ROLLOUTS], stream)
    # Whoever plays the rollouts, `expert` knows better where they do not tell options apart.
    tally.usual = memory.expert
    tally.caution, tally.hopeless = parameters[CAUTION], parameters[HOPELESS]
    if wants_world(tally):
        open_world(memory, table, options, seat, one, two)
    while wants_world(tally):
        deal_world(memory, seat, tally.stream)
        for option in range(listed):
            if tally.is_left[option] != 0:
                roll_out(memory, options, seat, question, np.int64(option), playout)
        end_world(tally)
    return best_left(tally)


@lean
def roll_out(memory: Any, options: Any, seat: int, question: int, option: int, playout: int) -> None:
    """Carry an option out in the copy of the world, play it to its end, and note how it ended for the seat."""
    memory.states[COPY] = memory.states[WORLD]
    state, record, job = memory.states[COPY], memory.records[0], memory.jobs[0]
    # Who would be out of a match does not matter.
    job.match = OUTSIDE_MATCH
    clear_record(state.table, record)
    place = carry_out(memory, state, options, seat, question, option, record)
    policies, parameters = memory.policies[playout], memory.parameters[playout]
    play_on_at(memory.play_on, (state, options, place, policies, parameters, job, record, memory.log))
    margin, wins = lead_of(state.table, record, seat), record.winner == seat
    note_outcome(memory.tally, option, margin, np.int64(record.score[seat]), wins)


@lean
def lead_of(table: Any, record: Any, seat: int) -> int:
    """Points of a seat above the mean of the others that are in: everybody plays for himself (LOB-01)."""
    others = np.int64(0)
    for other in range(MAX_SEATS):
        if other != seat and table.playing[other] != 0:
            others += np.int64(record.score[other])
    return np.int64(record.score[seat]) - others // (np.int64(table.players) - 1)


@lean
def carry_out(memory: Any, state: Any, options: Any, seat: int, question: int, number: int, record: Any) -> int:
    """Carry an option out; where the turn then stands (LOB-04 to LOB-13)."""
    option, log = memory.option[number], own_array(memory.log)
    if question == DRAW:
        if option.takes != 0:
            take_discard(state, seat, record, log)
        elif not draw_card(state, seat, log):
            return OVER
        return TO_LAY
    if question == DISCARD:
        return OVER if discard_card(state, seat, option.card, option.meld, record, log) else TO_PASS
    if (option.naturals | option.jokers) == NONE:
        return TO_DISCARD
    apply_lay(state, seat, option.meld, option.naturals, option.twice, option.jokers, record, log)
    return TO_LAY
