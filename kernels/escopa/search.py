"""The policy `search` of escopa: every play and claim weighed by playing the pack on from it, in many worlds.

Its rollouts are played by `standard` at every seat, or by `expert`, through the loops of the game itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import lean
from kernels.bits import lowest_bit
from kernels.calling import INT64_ARRAY, INT64_ROWS, array_of, callee, own_array
from kernels.escopa.deal import clear_record, side_of
from kernels.escopa.fifteens import NOTHING, ONE, bit_of, combinations, count_ways, value_of, way_number
from kernels.escopa.layout import (
    CARDS,
    FIFTEEN,
    MAX_PARAMETERS,
    MAX_PLAYERS,
    OPTION_LAYOUT,
    POLICIES,
    RECORD_LAYOUT,
    STATE_LAYOUT,
)
from kernels.escopa.parameters import CAUTION, PLAYOUT, ROLLOUTS
from kernels.escopa.play import carry_out_claim, carry_out_play, claim_what_was_left, end_turn, play_turn
from kernels.escopa.policy_ahead import ahead_claim, ahead_play
from kernels.escopa.policy_heuristic import heuristic_claim, heuristic_play
from kernels.escopa.rules import LEGAL, NO_CARD, card_captures, play_article
from kernels.escopa.score import end_pack, lead_of
from kernels.escopa.search_worlds import deal_world
from kernels.searching import (
    COPY,
    EXPERT,
    FIRST,
    MOST_OPTIONS,
    PLAYOUTS,
    STANDARD,
    TALLY_LAYOUT,
    WORLD,
    best_left,
    end_world,
    note_result,
    open_tally,
    seat_playouts,
    wants_world,
)
from kernels.trace import EVENT

BY_ADDRESS = True

OPTION = np.dtype([("card", np.int64), ("take", np.uint64)], align=True)
"""A play or a claim: the card played, in a claim -1, and the cards of the table that are taken with it."""

MEMORY_LAYOUT = np.dtype(
    [
        ("tally", TALLY_LAYOUT),
        ("option", OPTION, (MOST_OPTIONS,)),
        # Which of the options `expert` would take.
        ("expert", np.int64),
        # The world, and the copy of it that is played out.
        ("states", STATE_LAYOUT, (2,)),
        ("records", RECORD_LAYOUT, (1,)),
        ("log", EVENT, (0,)),
        ("policies", np.int64, (len(PLAYOUTS), MAX_PLAYERS)),
        ("parameters", np.int64, (len(PLAYOUTS), MAX_PLAYERS, MAX_PARAMETERS)),
        # Address of `play_on`.
        ("play_on", np.int64),
    ],
    align=True,
)
"""Where a search reckons. Nothing in it outlasts an answer but the policies of the rollouts, which never change."""


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
def play_on(state: Any, options: Any, policies: Any, parameters: Any, record: Any, log: Any) -> np.int64:
    """Play a pack from the end of a turn to its end and count it; the turns it had (ESC-04 to ESC-11)."""
    is_over = end_turn(state, options, log)
    while not is_over:
        is_over = play_turn(state, options, policies, parameters, record, log)
        if state.table.turn > CARDS:
            raise RuntimeError("a pack went on when all its cards were played")
    end_pack(state, options, record, log)
    return np.int64(state.table.turn)


PLAY_ON = callee(
    play_on,
    np.int64,
    [STATE_LAYOUT, OPTION_LAYOUT, INT64_ARRAY, INT64_ROWS, RECORD_LAYOUT, array_of(EVENT)],
)
play_on_at = PLAY_ON.call


@lean
def choose_play(
    table: Any,
    options: Any,
    seat: int,
    hand: np.uint64,
    sees: bool,
    parameters: Any,
    stream: Any,
    work: Any,
    memory: Any,
) -> tuple[np.int64, np.uint64]:
    """Card to play and the cards that it takes, by the mean lead that the pack ends with (ESC-05, ESC-06)."""
    tally = memory.tally
    listed = list_plays(table, options, seat, hand, sees, work, memory)
    playout = parameters[PLAYOUT]
    open_tally(tally, listed, parameters[ROLLOUTS], stream)
    tally.usual = memory.expert if playout == EXPERT else FIRST
    tally.caution = parameters[CAUTION]
    while wants_world(tally):
        deal_world(table, options, seat, hand, memory.states[WORLD], tally.stream)
        for option in range(listed):
            if tally.is_left[option] != 0:
                state = begin_rollout(memory)
                chosen = memory.option[option]
                card, take = np.int64(chosen.card), np.uint64(chosen.take)
                carry_out_play(state, options, seat, sees, card, take, memory.records[0], own_array(memory.log))
                policies, given = memory.policies[playout], memory.parameters[playout]
                claim_what_was_left(state, options, seat, policies, given, memory.records[0], own_array(memory.log))
                finish_rollout(memory, options, seat, playout, np.int64(option))
        end_world(tally)
    best = memory.option[best_left(tally)]
    return np.int64(best.card), np.uint64(best.take)


@lean
def choose_claim(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, work: Any, memory: Any
) -> np.uint64:
    """Cards to claim with the card just left, nothing to let it lie, by the mean lead at the end (ESC-06)."""
    tally = memory.tally
    listed = list_claims(table, options, seat, hand, work, memory)
    playout = parameters[PLAYOUT]
    open_tally(tally, listed, parameters[ROLLOUTS], stream)
    tally.usual = memory.expert if playout == EXPERT else FIRST
    tally.caution = parameters[CAUTION]
    while wants_world(tally):
        deal_world(table, options, seat, hand, memory.states[WORLD], tally.stream)
        for option in range(listed):
            if tally.is_left[option] != 0:
                state = begin_rollout(memory)
                take = np.uint64(memory.option[option].take)
                carry_out_claim(state, options, seat, take, memory.records[0], own_array(memory.log))
                finish_rollout(memory, options, seat, playout, np.int64(option))
        end_world(tally)
    return np.uint64(memory.option[best_left(tally)].take)


@lean
def find_play(card: int, take: np.uint64, memory: Any) -> np.int64:
    """Number of a play among the options listed last, -1 if it is none of them."""
    for option in range(memory.tally.options):
        known = memory.option[option]
        if known.card == card and known.take == take:
            return np.int64(option)
    return np.int64(-1)


@lean
def find_claim(take: np.uint64, memory: Any) -> np.int64:
    """Number of a claim among the options listed last, -1 if it is none of them."""
    return find_play(NO_CARD, take, memory)


@lean
def add_option(card: int, take: np.uint64, memory: Any) -> np.int64:
    """List an option unless it is listed, or no more can be; its number, -1 if it is not listed."""
    tally = memory.tally
    known = find_play(card, take, memory)
    if known >= 0 or tally.options == MOST_OPTIONS:
        return known
    option = memory.option[tally.options]
    option.card, option.take = card, take
    tally.options += 1
    return tally.options - 1


@lean
def list_plays(table: Any, options: Any, seat: int, hand: np.uint64, sees: bool, work: Any, memory: Any) -> np.int64:
    """List every legal play, that of `standard` first; the number of plays (ESC-05).

    Of more than `MOST_OPTIONS`, which takes a table of very many cards, those are left out that take other suits of
    the same values, and of these the last.
    """
    memory.tally.options = 0
    standard, expert = memory.parameters[STANDARD, FIRST], memory.parameters[EXPERT, FIRST]
    card, take = heuristic_play(table, options, hand, sees, standard, work)
    add_option(card, take, memory)
    card, take = ahead_play(table, options, seat, hand, sees, expert, work)
    memory.expert = add_option(card, take, memory)
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        if not sees or play_article(table, options, hand, card, NOTHING) == LEGAL:
            add_option(card, NOTHING, memory)
    rest = hand if sees else NOTHING
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        if card_captures(table, card):
            add_ways(table.cards, card, FIFTEEN - value_of(card), work, memory)
    rest = hand if sees else NOTHING
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        if card_captures(table, card):
            add_suits(table.cards, card, FIFTEEN - value_of(card), work, memory)
    return np.int64(memory.tally.options)


@lean
def list_claims(table: Any, options: Any, seat: int, hand: np.uint64, work: Any, memory: Any) -> np.int64:
    """List every way to claim the card just left, and letting it lie, that of `standard` first; their number (ESC-06).

    More than `MOST_OPTIONS` are left out as in `list_plays`.
    """
    memory.tally.options = 0
    standard, expert = memory.parameters[STANDARD, FIRST], memory.parameters[EXPERT, FIRST]
    add_option(NO_CARD, heuristic_claim(table, options, hand, standard, work), memory)
    memory.expert = add_option(NO_CARD, ahead_claim(table, options, seat, hand, expert, work), memory)
    add_option(NO_CARD, NOTHING, memory)
    card = np.int64(table.left_card)
    others = table.cards & ~bit_of(card)
    add_ways(others, NO_CARD, FIFTEEN - value_of(card), work, memory)
    add_suits(others, NO_CARD, FIFTEEN - value_of(card), work, memory)
    return np.int64(memory.tally.options)


@lean
def add_ways(cards: np.uint64, card: int, wanted: int, work: Any, memory: Any) -> None:
    """List the ways to take cards of a sum, one of those that take equally many of every value."""
    ways = combinations(cards, wanted, work)
    for way in range(ways):
        add_option(card, work.found[way], memory)


@lean
def add_suits(cards: np.uint64, card: int, wanted: int, work: Any, memory: Any) -> None:
    """List all ways to take cards of a sum, as far as there is room."""
    count = count_ways(cards, work)
    ways = work.ways[count, wanted]
    for number in range(ways):
        if memory.tally.options == MOST_OPTIONS:
            return
        add_option(card, way_number(cards, count, wanted, number, work), memory)


@lean
def begin_rollout(memory: Any) -> Any:
    """Copy the world; the copy, which may be played out."""
    world, state = memory.states[WORLD], memory.states[COPY]
    state.table = world.table
    for player in range(MAX_PLAYERS):
        state.hand[player] = world.hand[player]
        state.seat_escopas[player] = 0
    for card in range(np.int64(world.table.stock_left)):
        state.deck[card] = world.deck[card]
    state.stock_next = world.stock_next
    state.random[0] = world.random[0]
    state.house[0] = world.house[0]
    state.decisions = 0
    state.log_count = 0
    record = memory.records[0]
    clear_record(record, record, FIRST)
    return state


@lean
def finish_rollout(memory: Any, options: Any, seat: int, playout: int, option: int) -> None:
    """Play the copy of the world to its end and note how it ended for the seat's side."""
    state, record = memory.states[COPY], memory.records[0]
    policies, parameters = memory.policies[playout], memory.parameters[playout]
    play_on_at(memory.play_on, (state, options, policies, parameters, record, memory.log))
    side = side_of(options, seat)
    note_result(memory.tally, option, lead_of(record, options.sides, side), np.int64(record.score[side]))
