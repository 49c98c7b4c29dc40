"""Worlds of a search: the unseen cards dealt by lot, as they may lie for all that a seat has seen.

A seat knows its hand, every card that was ever face up, how many cards everybody holds, and of each other seat values
that it does not hold: who leaves a card where a capture is compulsory has shown them (`table.lacks`, ESC-05).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit, popcount
from kernels.escopa.fifteens import GROUP, NOTHING, ONE
from kernels.escopa.layout import FIFTEEN, MAX_PLAYERS
from kernels.escopa.policy_heuristic import unseen_of
from kernels.rng import bounded, next_u64, shuffle

MOST_TRIES = 10_000


@lean
def possible_cards(table: Any, seat: int, cards: np.uint64) -> np.uint64:
    """Those of some cards that a seat may hold, as far as it has shown (ESC-05)."""
    possible = cards
    lacks = table.lacks[seat]
    while lacks != NOTHING:
        possible &= ~(GROUP << np.uint64(4 * (FIFTEEN - 1 - lowest_bit(lacks))))
        lacks &= lacks - ONE
    return possible


@lean
def some_of(cards: np.uint64, count: int, stream: Any) -> np.uint64:
    """So many of some cards, every such hand equally likely."""
    chosen = NOTHING
    rest = cards
    wanted, left = np.int64(count), popcount(cards)
    while wanted > 0:
        # A card is chosen with the chance that a hand of those left has it.
        if bounded(stream, left) < wanted:
            chosen |= rest & (~rest + ONE)
            wanted -= 1
        rest &= rest - ONE
        left -= 1
    return chosen


@lean
def ways_to_hold(cards: int, count: int) -> np.int64:
    """Hands of so many cards, at most three, that some cards make."""
    ways = np.int64(1)
    for card in range(count):
        ways = ways * (cards - card) // (card + 1)
    return ways


@lean
def deal_world(table: Any, options: Any, seat: int, hand: np.uint64, world: Any, stream: Any) -> None:
    """Make a state of what a seat knows, and of the unseen cards dealt by lot, every possible deal equally likely.

    Parameters
    ----------
    hand
        The seat's own.
    world
        Receives the table, all hands, the stock and the streams.
    stream
        Deals the cards.
    """
    world.table = table
    for player in range(MAX_PLAYERS):
        world.hand[player] = NOTHING
        world.seat_escopas[player] = 0
    world.hand[seat] = hand
    unseen = unseen_of(table, hand)
    for _ in range(MOST_TRIES):
        if deal_other_hands(table, options, seat, unseen, world, stream):
            break
    rest = unseen
    for player in range(np.int64(options.players)):
        rest &= ~world.hand[player]
    cards = np.int64(0)
    while rest != NOTHING:
        world.deck[cards] = lowest_bit(rest)
        rest &= rest - ONE
        cards += 1
    shuffle(stream, world.deck, cards)
    world.stock_next = 0
    world.random[0] = next_u64(stream)
    world.house[0] = next_u64(stream)
    world.decisions = 0
    world.log_count = 0


@lean
def deal_other_hands(table: Any, options: Any, seat: int, unseen: np.uint64, world: Any, stream: Any) -> bool:
    """Deal the hands of the other seats; whether they are to be kept.

    Each seat in turn gets any hand of the cards left that it may hold. Where what may be held by some is not what may
    be held by others, the later seats have more ways after some hands than after others: hands are then kept with a
    chance that is as many ways as they had, so that all deals are equally likely.
    """
    rest = unseen
    keep = True
    for step in range(np.int64(1), np.int64(options.players)):
        player = np.int64((seat + step) % options.players)
        count = np.int64(table.hand_count[player])
        possible = possible_cards(table, player, rest)
        there = popcount(possible)
        if there < count:
            return False
        ways = ways_to_hold(there, count)
        # The most ways that this seat could have had, whatever the seats before it hold.
        most = ways_to_hold(min(popcount(possible_cards(table, player, unseen)), popcount(rest)), count)
        if ways < most and bounded(stream, most) >= ways:
            keep = False
        world.hand[player] = some_of(possible, count, stream)
        rest &= ~world.hand[player]
    return keep
