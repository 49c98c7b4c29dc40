"""The policy `search` of canasta: every option weighed by playing the hand on from it, in many worlds.

Its rollouts are played by `expert` against `expert` and `standard` in turn, or by one of them at every seat, through
the loops of the game itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import lean
from kernels.calling import INT64_ARRAY, INT64_ROWS, array_of, callee, own_array
from kernels.canasta.deal import clear_record
from kernels.canasta.layout import OPTION_LAYOUT, POLICIES, RECORD_LAYOUT, SEATS, SIDES, STATE_LAYOUT
from kernels.canasta.parameters import CAUTION, PLAYOUT, ROLLOUTS
from kernels.canasta.play import (
    ask_partner,
    ask_phase,
    discard_card,
    discard_phase,
    draw_from_stock,
    meld_phase,
    pass_on,
    play_turn,
)
from kernels.canasta.rules import apply_melds, apply_take, go_out, note_answer, score
from kernels.canasta.search_memory import MEMORY_LAYOUT
from kernels.canasta.search_options import (
    find_answer,
    find_ask,
    find_discard,
    find_draw,
    find_meld,
    going_out,
    list_answers,
    list_asks,
    list_discards,
    list_draws,
    list_melds,
)
from kernels.canasta.search_worlds import deal_world, open_world
from kernels.canasta.values import points_of
from kernels.melds import NONE
from kernels.rank_counts import NOTHING
from kernels.searching import (
    COPY,
    FIRST,
    WORLD,
    best_left,
    end_world,
    note_result,
    open_tally,
    playout_of_world,
    seat_playouts,
    wants_world,
)
from kernels.trace import EVENT

__all__ = [
    "BY_ADDRESS",
    "MEMORY_LAYOUT",
    "choose_answer",
    "choose_ask",
    "choose_discard",
    "choose_draw",
    "choose_meld",
    "find_answer",
    "find_ask",
    "find_discard",
    "find_draw",
    "find_meld",
    "prepare",
]

BY_ADDRESS = True

DRAW, ASK, ANSWER, MELD, DISCARD = (np.int64(question) for question in range(5))
"""What is asked: the questions of a turn."""

TO_ASK, TO_MELD, TO_DISCARD, TO_PASS, OVER = (np.int64(place) for place in range(5))
"""Where a turn stands once an option is carried out."""


def prepare(memory: npt.NDArray[np.void]) -> None:
    """Fill in the policies that play the rollouts.

    Parameters
    ----------
    memory
        Dtype `MEMORY_LAYOUT`, shape (1,).
    """
    seat_playouts(memory, POLICIES, [seat % SIDES for seat in range(SEATS)])
    memory["play_on"] = PLAY_ON.address()


@lean
def play_on(state: Any, options: Any, place: int, policies: Any, parameters: Any, record: Any, log: Any) -> np.int64:
    """Play a hand on from a place in a turn to its end and count it; the turns it had (KAN-06 to KAN-19)."""
    seat = np.int64(state.table.seat)
    policy, own = policies[seat], parameters[seat]
    is_over = place == OVER
    if place == TO_ASK and options.ask_partner != 0:
        ask_phase(state, options, policies, parameters, record, log)
    if place <= TO_MELD:
        is_over = meld_phase(state, options, policy, own, record, log)
    if place <= TO_DISCARD and not is_over:
        is_over = discard_phase(state, policy, options, own, record, log)
    if not is_over:
        pass_on(state.table)
    while not is_over:
        is_over = play_turn(state, options, policies, parameters, record, log)
    score(state, record)
    return np.int64(state.table.turn)


PLAY_ON = callee(
    play_on, np.int64, [STATE_LAYOUT, OPTION_LAYOUT, np.int64, INT64_ARRAY, INT64_ROWS, RECORD_LAYOUT, array_of(EVENT)]
)
play_on_at = PLAY_ON.call


@lean
def choose_draw(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, memory: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """Whether to take the pile, and the naturals, jokers and twos laid with its top card (KAN-06, KAN-08, KAN-13)."""
    listed = list_draws(memory, table, options, seat, hand)
    option = memory.option[weigh(memory, table, options, seat, hand, DRAW, listed, parameters, stream)]
    return option.yes != 0, option.naturals, option.jokers, option.twos


@lean
def choose_ask(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, memory: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """Whether to ask the partner "may I go out?", and the naturals, jokers and twos that do it (KAN-14)."""
    listed = list_asks(memory, table, options, seat, hand)
    option = memory.option[weigh(memory, table, options, seat, hand, ASK, listed, parameters, stream)]
    return option.yes != 0, option.naturals, option.jokers, option.twos


@lean
def choose_answer(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, memory: Any
) -> bool:
    """Answer to the partner of `seat`, who asked whether to go out (KAN-14)."""
    listed = list_answers(memory, table, options, seat, hand)
    option = memory.option[weigh(memory, table, options, seat, hand, ANSWER, listed, parameters, stream)]
    return option.yes != 0


@lean
def choose_meld(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, memory: Any
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Naturals, jokers and twos to lay now, by the rank of their meld; nothing to go on to the discard."""
    listed = list_melds(memory, table, options, seat, hand)
    option = memory.option[weigh(memory, table, options, seat, hand, MELD, listed, parameters, stream)]
    return option.naturals, option.jokers, option.twos


@lean
def choose_discard(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, memory: Any
) -> int:
    """Rank of the card to discard (KAN-06)."""
    listed = list_discards(memory, table, options, seat, hand)
    best = weigh(memory, table, options, seat, hand, DISCARD, listed, parameters, stream)
    return np.int64(memory.option[best].rank)


@lean
def weigh(
    memory: Any,
    table: Any,
    options: Any,
    seat: int,
    hand: np.uint64,
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
        open_world(memory, table, seat, hand)
    while wants_world(tally):
        deal_world(memory, options, seat, tally.stream)
        players = playout_of_world(tally, playout, seat % SIDES)
        for option in range(listed):
            if tally.is_left[option] != 0:
                roll_out(memory, options, seat, question, np.int64(option), players)
        end_world(tally)
    return best_left(tally)


@lean
def roll_out(memory: Any, options: Any, seat: int, question: int, option: int, players: int) -> None:
    """Carry an option out in the copy of the world, play it to its end, and note how it ended for the seat's side."""
    memory.states[COPY] = memory.states[WORLD]
    state, record = memory.states[COPY], memory.records[0]
    clear_record(record, record, FIRST)
    policies, parameters = memory.policies[players], memory.parameters[players]
    place = carry_out(memory, state, options, question, option, policies, parameters, record)
    play_on_at(memory.play_on, (state, options, place, policies, parameters, record, memory.log))
    side = seat % SIDES
    own, other = np.int64(record.score[side]), np.int64(record.score[1 - side])
    note_result(memory.tally, option, own - other, own)


@lean
def carry_out(
    memory: Any, state: Any, options: Any, question: int, number: int, policies: Any, parameters: Any, record: Any
) -> int:
    """Carry an option out; where the turn then stands (KAN-06 to KAN-15)."""
    option, log, table = memory.option[number], own_array(memory.log), state.table
    mover = np.int64(table.seat)
    naturals, jokers, twos = option.naturals, option.jokers, option.twos
    if question == DISCARD:
        return OVER if discard_card(state, options, mover, option.rank, record, log) else TO_PASS
    if question == DRAW:
        if option.yes == 0:
            return OVER if draw_from_stock(state, options, mover, record, log) else TO_ASK
        apply_take(state, mover, naturals, jokers, twos, record, log)
        return TO_MELD
    if question == ASK:
        if option.yes != 0:
            ask_partner(state, options, policies, parameters, naturals, jokers, twos, record, log)
        return TO_MELD
    if question == ANSWER:
        note_answer(state, mover, option.yes != 0, record, log)
        return lay_as_asked(state, options, mover, record, log) if option.yes != 0 else TO_MELD
    if (naturals | jokers | twos) == NOTHING:
        return TO_DISCARD
    apply_melds(state, mover, naturals, jokers, twos, record, log)
    # The policy of the rollouts is asked what else it would lay.
    table.laid = 0
    return TO_MELD


@lean
def lay_as_asked(state: Any, options: Any, seat: int, record: Any, log: Any) -> int:
    """Lay what goes out after a yes; where the turn then stands (KAN-14).

    Where no hand was found that can go out, the cards dealt count as if they lay on the table.
    """
    table = state.table
    hand = np.uint64(state.hand[seat])
    found, naturals, jokers, twos = going_out(table, options, seat, hand)
    if found:
        apply_melds(state, seat, naturals, jokers, twos, record, log)
        return TO_MELD
    table.melded_points[seat % SIDES] += points_of(hand)
    state.hand[seat], state.hand_one[seat], state.hand_two[seat] = NOTHING, NONE, NONE
    table.hand_count[seat] = 0
    go_out(state, options, seat, record, log)
    return OVER
