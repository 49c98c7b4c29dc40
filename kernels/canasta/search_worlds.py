"""The worlds of a search of canasta: deals of the cards that a seat cannot see.

The seat knows its hand, what lies or lay openly, the cards that were openly taken into a hand and are still there, the
sizes of hands and stock, that who has begun holds no red three (KAN-05), and that who asks can go out (KAN-14). All
deals that agree with that are equally likely. A hand is told by rank, so suits are given to its cards as they come.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit
from kernels.canasta.deal import NO_SEAT, is_red_three, rank_of
from kernels.canasta.going_out import find_going_out
from kernels.canasta.layout import ACES, CARDS, JOKERS, REASON_STOCK_OUT, SEATS, SIDES, TWOS
from kernels.canasta.rules import pick_cards
from kernels.dealing import add_to_hand
from kernels.melds import BIT, NONE, RED_THREES, card_bit, joined, of_rank, without
from kernels.rank_counts import number_of, one_of, total
from kernels.rng import bounded, shuffle
from kernels.searching import WORLD

PACK_ONE, PACK_TWO = np.uint64(0x7FFD_7FFD_7FFD_7FFD), np.uint64(0x7FFC_7FFC_7FFC_7FFC)
"""The pack as a pair of words (`kernels.melds`): two of every card, one of every joker."""

AFTER_LAST = ACES + 1
MOST_TRIES = 2_000
"""Hands dealt at most to one who asks until one can go out."""

NOBODY = NO_SEAT
Cards = tuple[np.uint64, np.uint64]


@lean
def part_of(one: np.uint64, two: np.uint64, counts: np.uint64) -> Cards:
    """Cards of a pair of words, as many of every rank as `counts` has, red threes aside.

    Raises
    ------
    RuntimeError
        If there are not as many.
    """
    part_one, part_two = NONE, NONE
    for rank in range(JOKERS, AFTER_LAST):
        wanted = number_of(counts, rank)
        if wanted > 0:
            some_one, some_two = pick_cards(one, two, rank, wanted)
            part_one, part_two = part_one | some_one, part_two | some_two
    return part_one, part_two


@lean
def red_threes_of(one: np.uint64, two: np.uint64, wanted: int) -> Cards:
    """So many red threes of a pair of words that has them."""
    part_one, part_two = NONE, NONE
    while wanted > 0:
        rest_one, _rest_two = without(one & RED_THREES, two & RED_THREES, part_one, part_two)
        part_one, part_two = joined(part_one, part_two, card_bit(lowest_bit(rest_one)), NONE)
        wanted -= 1
    return part_one, part_two


@lean
def open_world(memory: Any, table: Any, seat: int, hand: np.uint64) -> None:
    """Lay out what the seat sees, and list the cards that it does not see.

    Raises
    ------
    RuntimeError
        If there are not as many of them as places for them.
    """
    world = memory.states[WORLD]
    world.table = table
    world.decisions, world.log_count = 0, 0
    world.reason, world.out_seat = REASON_STOCK_OUT, NOBODY
    world.stock_next = CARDS - table.stock_left
    one, two = PACK_ONE, PACK_TWO
    for card in range(table.pile_size):
        one, two = without(one, two, card_bit(np.int64(table.pile[card])), NONE)
    for side in range(SIDES):
        melds_one, melds_two = part_of(one, two, table.melded[side])
        one, two = without(one, two, melds_one, melds_two)
        world.natural_one[side], world.natural_two[side] = melds_one, melds_two
        for rank in range(AFTER_LAST):
            # Which wild cards lie in which meld changes nothing any more.
            world.wild_one[side, rank], world.wild_two[side, rank] = NONE, NONE
    gone = np.uint64(table.seen) - np.uint64(table.pile_counts)
    wilds = one_of(JOKERS) * np.uint64(number_of(gone, JOKERS)) + one_of(TWOS) * np.uint64(number_of(gone, TWOS))
    part_one, part_two = part_of(one, two, wilds)
    one, two = without(one, two, part_one, part_two)
    part_one, part_two = red_threes_of(one, two, np.int64(table.red_threes[0]) + np.int64(table.red_threes[1]))
    one, two = without(one, two, part_one, part_two)
    world.hand[seat] = hand
    own_one, own_two = part_of(one, two, hand)
    one, two = without(one, two, own_one, own_two)
    # Before his first turn a player may hold red threes, which he does not choose from.
    part_one, part_two = red_threes_of(one, two, np.int64(table.hand_count[seat]) - total(hand))
    one, two = without(one, two, part_one, part_two)
    world.hand_one[seat], world.hand_two[seat] = own_one | part_one, own_two | part_two
    places = np.int64(table.stock_left)
    common_places = np.int64(0)
    for other in range(SEATS):
        if other != seat:
            part_one, part_two = part_of(one, two, table.known[other])
            one, two = without(one, two, part_one, part_two)
            memory.known_one[other], memory.known_two[other] = part_one, part_two
            unknown = unknown_cards(table, np.int64(other))
            places += unknown
            if table.started[other] != 0:
                common_places += unknown
    memory.common_places = common_places
    list_hidden(memory, one, two)
    if memory.hidden_count != places or common_places > memory.common_count:
        raise RuntimeError("a search has other cards to deal than places for them")


@lean
def unknown_cards(table: Any, seat: int) -> int:
    """Cards of a hand that nobody else knows."""
    return np.int64(table.hand_count[seat]) - total(table.known[seat])


@lean
def list_hidden(memory: Any, one: np.uint64, two: np.uint64) -> None:
    """List the cards of a pair of words by rank, whatever their suits, red threes last."""
    listed = np.int64(0)
    for rank in range(JOKERS, AFTER_LAST + 1):
        # The red threes after all ranks.
        of = of_rank(rank) & ~RED_THREES if rank < AFTER_LAST else RED_THREES
        if rank == AFTER_LAST:
            memory.common_count = listed
        for word in (one, two):
            rest = word & of
            while rest != NONE:
                memory.hidden[listed] = lowest_bit(rest)
                rest &= rest - BIT
                listed += 1
    memory.hidden_count = listed


@lean
def deal_world(memory: Any, options: Any, seat: int, stream: Any) -> None:
    """Deal the hidden cards by lot: into the hands of those who have begun, then the others, then the stock.

    Who moves and is not the seat that decides has asked whether to go out: he is dealt to first, again until he can, at
    most `MOST_TRIES` times. The common cards left are shuffled; then every red three changes places with one of the
    cards from the first place on that may take one, itself included. So all orders of that part are equally likely
    (Fisher-Yates, from inside out).
    """
    world = memory.states[WORLD]
    world.random[0] = stream[0]
    table = world.table
    for card in range(memory.hidden_count):
        memory.dealt[card] = memory.hidden[card]
    mover = np.int64(table.seat)
    at = np.int64(0)
    if mover != seat:
        at = deal_to_asker(memory, options, mover, stream)
    shuffle(stream, memory.dealt[at:], memory.common_count - at)
    first = memory.common_places
    for card in range(memory.common_count, memory.hidden_count):
        pick = first + bounded(stream, card + 1 - first)
        memory.dealt[card], memory.dealt[pick] = memory.dealt[pick], memory.dealt[card]
    for has_begun in (1, 0):
        for other in range(SEATS):
            if other != seat and other != mover and table.started[other] == has_begun:
                at = deal_hand(memory, np.int64(other), at)
    for card in range(table.stock_left):
        world.deck[world.stock_next + card] = memory.dealt[at + card]


@lean
def deal_to_asker(memory: Any, options: Any, seat: int, stream: Any) -> int:
    """Deal by lot to a player who can go out; where the cards after his begin."""
    world = memory.states[WORLD]
    table = world.table
    side = seat % SIDES
    unknown = unknown_cards(table, seat)
    for _ in range(MOST_TRIES):
        for card in range(unknown):
            pick = card + bounded(stream, memory.common_count - card)
            memory.dealt[card], memory.dealt[pick] = memory.dealt[pick], memory.dealt[card]
        deal_hand(memory, seat, np.int64(0))
        found, _naturals, _jokers, _twos = find_going_out(
            options, np.uint64(table.melded[side]), np.uint64(table.wilds[side]), np.uint64(world.hand[seat])
        )
        if found:
            break
    return unknown


@lean
def deal_hand(memory: Any, seat: int, at: int) -> int:
    """Give a hand the cards that are known to be there and the next ones dealt; where those after them begin."""
    world = memory.states[WORLD]
    world.hand_one[seat], world.hand_two[seat] = memory.known_one[seat], memory.known_two[seat]
    hand = np.uint64(world.table.known[seat])
    end = at + unknown_cards(world.table, seat)
    for place in range(at, end):
        card = np.int64(memory.dealt[place])
        add_to_hand(world, seat, card)
        if not is_red_three(card):
            hand += one_of(rank_of(card))
    world.hand[seat] = hand
    return end
