"""The worlds of a search of loba: deals of the cards that a seat cannot see.

The seat knows its hand, what lies openly, the cards that were openly taken into a hand and are still there, the sizes
of hands and stock, and of which cards the stock was made when the discards last became it: every card that it has now
is one of those, and a hand has no more of them than its seat has drawn since. All deals that agree with that are
equally likely. Where a card that was then in a hand and its twin in the stock were both out of sight and one of them
has been seen since, the other counts as one of the stock.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit, popcount
from kernels.dealing import add_to_hand
from kernels.loba.cards import JOKERS, NATURALS
from kernels.loba.dealing import NOBODY, jokers_in_pack
from kernels.loba.layout import MAX_SEATS, REASON_NO_WINNER, SUITS
from kernels.loba.layout import NATURALS as NATURAL_COUNT
from kernels.loba.outlook import ALL_NATURALS
from kernels.melds import BIT, NONE, card_bit, count, joined, without
from kernels.rng import next_u64, shuffle
from kernels.searching import WORLD

_SUIT = np.int64(16)
_LAST = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@lean
def open_world(memory: Any, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64) -> None:
    """Lay out what the seat sees, and list the cards that it does not see.

    Raises
    ------
    RuntimeError
        If there are not as many of them as places for them.
    """
    world = memory.states[WORLD]
    world.table = table
    world.hand_one[seat], world.hand_two[seat] = one, two
    world.decisions, world.log_count, world.all_at_once = 0, 0, 0
    world.reason, world.out_seat = REASON_NO_WINNER, NOBODY
    world.stock_next = 0
    jokers = jokers_in_pack(table, options)
    world.cards = NATURAL_COUNT + jokers
    seen_one, seen_two = joined(np.uint64(table.seen_one), np.uint64(table.seen_two), one, two)
    places, held_jokers = np.int64(0), np.int64(0)
    for other in range(MAX_SEATS):
        memory.unknown[other], memory.most[other] = 0, 0
        if other == seat:
            continue
        seen_one, seen_two = joined(
            seen_one, seen_two, np.uint64(table.known_one[other]), np.uint64(table.known_two[other])
        )
        held_jokers += known_jokers(table, np.int64(other))
        memory.unknown[other] = unknown_cards(table, np.int64(other))
        memory.most[other] = min(memory.unknown[other], np.int64(table.drawn[other]))
        places += memory.unknown[other]
    list_hidden(memory, table, jokers, seen_one, seen_two, held_jokers)
    stock = np.int64(table.stock_left)
    if memory.held_count + memory.stock_count != places + stock or memory.stock_count < stock:
        raise RuntimeError("a search has other cards to deal than places for them")
    if table.reshuffles > 0:
        count_ways(memory, memory.stock_count - stock)


@lean
def known_jokers(table: Any, seat: int) -> int:
    """Jokers that a seat took from the discards, where it has neither laid nor thrown one."""
    if table.jokers_laid[seat] != 0 or (np.uint64(table.thrown[seat]) & JOKERS) != NONE:
        return np.int64(0)
    return popcount(np.uint64(table.took[seat]) & JOKERS)


@lean
def unknown_cards(table: Any, seat: int) -> int:
    """Cards of a hand that nobody else knows."""
    known = count(np.uint64(table.known_one[seat]), np.uint64(table.known_two[seat]))
    return np.int64(table.hand_count[seat]) - known - known_jokers(table, seat)


@lean
def list_hidden(memory: Any, table: Any, jokers: int, one: np.uint64, two: np.uint64, held_jokers: int) -> None:
    """List the cards of the pack that are not among those seen: kind after kind, jokers first.

    Jokers are told apart by number alone, so where a joker stands must not depend on which one it is.
    """
    pack_one, pack_two = ALL_NATURALS, ALL_NATURALS
    for joker in range(jokers):
        bit = card_bit(_SUIT * (joker % SUITS))
        pack_one, pack_two = joined(pack_one, pack_two, bit, NONE)
    missing_one, missing_two = pack_one & ~one, pack_two & ~two
    hidden_one, hidden_two = missing_one | missing_two, missing_one & missing_two
    stock_one, stock_two = hidden_one, hidden_two
    stock_jokers = popcount(missing_one & JOKERS) + popcount(missing_two & JOKERS) - held_jokers
    free_jokers = np.int64(0)
    if table.reshuffles > 0:
        recycled_one, recycled_two = np.uint64(table.recycled_one), np.uint64(table.recycled_two)
        stock_one &= recycled_one
        stock_two &= recycled_two
        recycled_jokers = popcount(recycled_one & JOKERS) + popcount(recycled_two & JOKERS)
        free_jokers = max(stock_jokers - recycled_jokers, np.int64(0))
        stock_jokers -= free_jokers
    held_one, held_two = without(hidden_one & NATURALS, hidden_two & NATURALS, stock_one, stock_two)
    listed = np.int64(0)
    for word in (hidden_one & JOKERS, hidden_two & JOKERS):
        listed = list_cards(memory.jokers, listed, word)
    # All jokers stand first: those in hands, those that no stock had, and then those that the stock may have.
    for at in range(free_jokers):
        memory.held[at] = memory.jokers[held_jokers + at]
    for at in range(stock_jokers):
        memory.stock[at] = memory.jokers[held_jokers + free_jokers + at]
    memory.held_count = list_cards(memory.held, list_cards(memory.held, free_jokers, held_one), held_two)
    stock_one, stock_two = stock_one & NATURALS, stock_two & NATURALS
    memory.stock_count = list_cards(memory.stock, list_cards(memory.stock, stock_jokers, stock_one), stock_two)


@lean
def list_cards(cards: Any, listed: int, word: np.uint64) -> int:
    """Append the cards of a word; how many there are then."""
    while word != NONE:
        cards[listed] = lowest_bit(word)
        word &= word - BIT
        listed += 1
    return listed


@lean
def count_ways(memory: Any, wanted: int) -> None:
    """Count for the hands from each seat on the ways to choose places for so many cards of the stock, or fewer.

    A hand has at most as many of them as its seat has drawn; where too many cards count as such, that says nothing.
    """
    most = np.int64(0)
    for seat in range(MAX_SEATS):
        most += memory.most[seat]
    for number in range(wanted + 1):
        memory.ways[MAX_SEATS, number] = 0
    memory.ways[MAX_SEATS, 0] = 1
    for step in range(MAX_SEATS):
        seat = MAX_SEATS - 1 - step
        if most < wanted:
            memory.most[seat] = memory.unknown[seat]
        for number in range(wanted + 1):
            ways, chosen = np.int64(0), np.int64(1)
            for share in range(min(memory.most[seat], number) + 1):
                ways += chosen * memory.ways[seat + 1, number - share]
                chosen = chosen * (memory.unknown[seat] - share) // (share + 1)
            memory.ways[seat, number] = ways


@lean
def share_of(memory: Any, seat: int, left: int, stream: Any) -> int:
    """How many of so many cards of the stock lie in the hand of this seat, the others in those of later seats: by lot.

    Every choice of places is equally likely.
    """
    draw = bounded_widely(stream, memory.ways[seat, left])
    chosen = np.int64(1)
    share = np.int64(0)
    while True:
        ways = chosen * memory.ways[seat + 1, left - share]
        if draw < ways:
            return share
        draw -= ways
        chosen = chosen * (memory.unknown[seat] - share) // (share + 1)
        share += 1


@lean
def bounded_widely(stream: Any, wanted: int) -> int:
    """Uniform integer 0 <= draw < `wanted`, exactly uniform, for any positive 64-bit number."""
    bound = np.uint64(wanted)
    limit = _LAST - _LAST % bound
    draw = next_u64(stream)
    while draw >= limit:
        draw = next_u64(stream)
    return np.int64(draw % bound)


@lean
def deal_world(memory: Any, seat: int, stream: Any) -> None:
    """Deal the hidden cards by lot, into the hands of the others and the stock."""
    world = memory.states[WORLD]
    table = world.table
    shuffle(stream, memory.held, memory.held_count)
    shuffle(stream, memory.stock, memory.stock_count)
    world.dealing[0] = next_u64(stream)
    world.random[0] = next_u64(stream)
    joker, held, stock = np.int64(0), np.int64(0), np.int64(0)
    in_hands = memory.stock_count - table.stock_left
    for place in range(MAX_SEATS):
        other = np.int64(place)
        if other == seat:
            continue
        world.hand_one[other], world.hand_two[other] = table.known_one[other], table.known_two[other]
        for _ in range(known_jokers(table, other)):
            add_to_hand(world, other, np.int64(memory.jokers[joker]))
            joker += 1
        unknown = memory.unknown[other]
        share = unknown if table.reshuffles == 0 else share_of(memory, other, in_hands - stock, stream)
        for _ in range(unknown - share):
            add_to_hand(world, other, np.int64(memory.held[held]))
            held += 1
        for _ in range(share):
            add_to_hand(world, other, np.int64(memory.stock[stock]))
            stock += 1
    for card in range(table.stock_left):
        world.deck[card] = memory.stock[stock + card]
