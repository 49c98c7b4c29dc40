"""The worlds of a search of canastra: deals of the cards that a seat cannot see.

The seat knows its hand, what lies or lay openly, the cards that were openly taken into a hand and are still there, the
sizes of hands, stock and mortos, and that who has begun holds no red three (CAN-06). All deals that agree with that are
equally likely.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit
from kernels.canastra.layout import MORTO_SIZE, REASON_STOCK_OUT
from kernels.dealing import add_to_hand
from kernels.melds import BIT, NONE, RED_THREES, count, joined
from kernels.rng import bounded, shuffle
from kernels.searching import WORLD

JOKERS = np.uint64(0x0001_0001_0001_0001)
TWICE = np.uint64(0x7FFC_7FFC_7FFC_7FFC)
"""A bit for every card of which the pack has two: all but the jokers."""

STOCK_AT = np.int64(2 * MORTO_SIZE)
"""Where the stock begins in the deck of a world, behind the mortos."""

NOBODY = np.int64(-1)


@lean
def open_world(memory: Any, table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64) -> None:
    """Lay out what the seat sees, and list the cards that it does not see.

    Raises
    ------
    RuntimeError
        If there are not as many of them as places for them.
    """
    world = memory.states[WORLD]
    world.table = table
    world.hand_one[seat], world.hand_two[seat] = hand_one, hand_two
    world.decisions, world.log_count = 0, 0
    world.reason, world.out_seat = REASON_STOCK_OUT, NOBODY
    world.morto_at[0], world.morto_at[1] = 0, MORTO_SIZE
    world.morto_next = 2 - table.mortos_left
    world.stock_next, world.stock_end = STOCK_AT, STOCK_AT + table.stock_left
    one, two = joined(table.seen_one, table.seen_two, hand_one, hand_two)
    places = np.int64(table.stock_left) + MORTO_SIZE * np.int64(table.mortos_left)
    common_places = np.int64(0)
    closed = np.int64(0)
    for other in range(table.players):
        # Of the mortos that were taken, the first are those that still lie closed.
        world.morto_number[other] = closed
        closed += table.morto_closed[other]
        if other != seat:
            one, two = joined(one, two, table.known_one[other], table.known_two[other])
            unknown = unknown_cards(table, np.int64(other))
            places += unknown
            if table.started[other] != 0:
                common_places += unknown
    memory.common_places = common_places
    list_hidden(memory, options, one, two)
    if memory.hidden_count != places + MORTO_SIZE * closed or common_places > memory.common_count:
        raise RuntimeError("a search has other cards to deal than places for them")


@lean
def unknown_cards(table: Any, seat: int) -> int:
    """Cards of a hand that nobody else knows."""
    return np.int64(table.hand_count[seat]) - count(table.known_one[seat], table.known_two[seat])


@lean
def list_hidden(memory: Any, options: Any, one: np.uint64, two: np.uint64) -> None:
    """List the cards of the pack that are not among those seen, red threes last."""
    pack = TWICE | (JOKERS if options.jokers != 0 else NONE)
    listed = np.int64(0)
    for kind in (~RED_THREES, RED_THREES):
        for missing in (pack & ~one, TWICE & ~two):
            rest = missing & kind
            while rest != NONE:
                memory.hidden[listed] = lowest_bit(rest)
                rest &= rest - BIT
                listed += 1
        if kind != RED_THREES:
            memory.common_count = listed
    memory.hidden_count = listed


@lean
def deal_world(memory: Any, seat: int, stream: Any) -> None:
    """Deal the hidden cards by lot: into the hands of those who have begun, then the others, mortos and stock.

    The common cards are shuffled; then every red three changes places with one of the cards from the first place on
    that may take one, itself included. So all orders of that part are equally likely (Fisher-Yates, from inside out).
    """
    for card in range(memory.hidden_count):
        memory.dealt[card] = memory.hidden[card]
    shuffle(stream, memory.dealt, memory.common_count)
    first = memory.common_places
    for card in range(memory.common_count, memory.hidden_count):
        pick = first + bounded(stream, card + 1 - first)
        memory.dealt[card], memory.dealt[pick] = memory.dealt[pick], memory.dealt[card]
    world = memory.states[WORLD]
    world.random[0] = stream[0]
    table = world.table
    at = np.int64(0)
    closed = np.int64(0)
    for has_begun in (1, 0):
        for other in range(table.players):
            if other != seat and table.started[other] == has_begun:
                at = deal_hand(memory, np.int64(other), at)
    for other in range(table.players):
        closed += table.morto_closed[other]
    for morto in range(2):
        if morto < closed or morto >= world.morto_next:
            for card in range(MORTO_SIZE):
                world.deck[MORTO_SIZE * morto + card] = memory.dealt[at + card]
            at += MORTO_SIZE
    for card in range(table.stock_left):
        world.deck[STOCK_AT + card] = memory.dealt[at + card]


@lean
def deal_hand(memory: Any, seat: int, at: int) -> int:
    """Give a hand the cards that are known to be there and the next ones dealt; where those after them begin."""
    world = memory.states[WORLD]
    world.hand_one[seat], world.hand_two[seat] = world.table.known_one[seat], world.table.known_two[seat]
    end = at + unknown_cards(world.table, seat)
    for card in range(at, end):
        add_to_hand(world, seat, np.int64(memory.dealt[card]))
    return end
