"""The worlds of a search of canastra: deals of the cards that a seat cannot see.

Every deal that agrees with what the seat knows is equally likely. It knows the cards that were openly taken into a hand
and are still there, the sizes of hands, stock and mortos, and that who has begun holds no red three (CAN-06).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.canastra.layout import MORTO_SIZE, REASON_STOCK_OUT, SEATS
from kernels.canastra.search_memory import WORLD
from kernels.dealing import add_to_hand
from kernels.melds import BIT, NONE, RED_THREES, card_bit, count, joined
from kernels.rng import bounded, shuffle

JOKERS = np.uint64(0x0001_0001_0001_0001)
PACK = np.uint64(0x7FFC_7FFC_7FFC_7FFC)
"""A bit for every card, jokers aside, of which there are two each."""

STOCK_AT = np.int64(2 * MORTO_SIZE)
"""Where the stock lies in the deck of a world, after both mortos."""


@kernel
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
    world.log_count, world.decisions = 0, 0
    world.reason, world.out_seat = REASON_STOCK_OUT, -1
    world.placed.number = 0
    world.morto_at[0], world.morto_at[1] = 0, MORTO_SIZE
    world.morto_next = 2 - table.mortos_left
    world.stock_next, world.stock_end = STOCK_AT, STOCK_AT + table.stock_left
    closed = np.int64(0)
    for other in range(table.players):
        # Of the mortos that are no more, the first are those that lie closed before a player.
        world.morto_number[other] = closed
        closed += table.morto_closed[other]
    one, two = joined(table.seen_one, table.seen_two, hand_one, hand_two)
    for other in range(table.players):
        if other != seat:
            one, two = joined(one, two, table.known_one[other], table.known_two[other])
    list_hidden(memory, options, one, two)
    places = np.int64(table.stock_left) + MORTO_SIZE * (np.int64(table.mortos_left) + closed)
    memory.held_back = 0
    for other in range(table.players):
        if other != seat:
            unknown = unknown_cards(table, other)
            places += unknown
            memory.held_back += unknown if table.started[other] != 0 else 0
    if memory.common + memory.red != places or memory.held_back > memory.common:
        raise RuntimeError("a search does not know how many cards are hidden")


@kernel
def unknown_cards(table: Any, seat: int) -> int:
    """Cards of a hand that nobody else knows."""
    return np.int64(table.hand_count[seat]) - count(table.known_one[seat], table.known_two[seat])


@kernel
def list_hidden(memory: Any, options: Any, one: np.uint64, two: np.uint64) -> None:
    """List the cards of the pack that are not among those seen, the red threes apart."""
    memory.common, memory.red = 0, 0
    jokers = JOKERS if options.jokers != 0 else NONE
    for copy in range(2):
        rest = PACK & ~two if copy == 0 else ((PACK | jokers) & ~one)
        memory.red += popcount(rest & RED_THREES)
        rest &= ~RED_THREES
        while rest != NONE:
            memory.hidden[memory.common] = lowest_bit(rest)
            memory.common += 1
            rest &= rest - BIT
    red = memory.common
    for copy in range(2):
        rest = RED_THREES & ~(two if copy == 0 else one)
        while rest != NONE:
            memory.hidden[red] = lowest_bit(rest)
            red += 1
            rest &= rest - BIT


@kernel
def deal_world(memory: Any, seat: int, stream: Any) -> None:
    """Deal the hidden cards by lot, each deal that may be equally likely.

    The first places, those of the players who have begun, take some of the common cards in random order; among the
    places after them every red three is then put at random.
    """
    common, held_back = np.int64(memory.common), np.int64(memory.held_back)
    for at in range(common + memory.red):
        memory.dealt[at] = memory.hidden[at]
    shuffle(stream, memory.dealt, common)
    for at in range(common, common + memory.red):
        pick = held_back + bounded(stream, at + 1 - held_back)
        memory.dealt[at], memory.dealt[pick] = memory.dealt[pick], memory.dealt[at]
    world = memory.states[WORLD]
    table = world.table
    at = np.int64(0)
    for started in range(1, -1, -1):
        for other in range(table.players):
            if other != seat and table.started[other] == started:
                world.hand_one[other], world.hand_two[other] = table.known_one[other], table.known_two[other]
                for _ in range(unknown_cards(table, other)):
                    add_to_hand(world, other, np.int64(memory.dealt[at]))
                    at += 1
    closed = np.int64(0)
    for other in range(table.players):
        closed += table.morto_closed[other]
    for morto in range(2):
        if morto < closed or morto >= world.morto_next:
            for card in range(MORTO_SIZE):
                world.deck[MORTO_SIZE * morto + card] = memory.dealt[at]
                at += 1
    for card in range(table.stock_left):
        world.deck[STOCK_AT + card] = memory.dealt[at]
        at += 1
