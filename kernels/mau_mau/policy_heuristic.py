"""The policies that weigh every legal card: one engine, whose parameters make a novice or an expert of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.mau_mau import parameters as p
from kernels.mau_mau.counting import chance_unable
from kernels.mau_mau.kinds import NO_SUIT
from kernels.mau_mau.layout import CARD_VALUES
from kernels.mau_mau.masks import (
    ACES_RANK,
    EFFECTS,
    EIGHT,
    EIGHTS,
    JACKS,
    QUEENS_RANK,
    SEVEN,
    hand_value,
    suit_cards,
)
from kernels.mau_mau.rules import NO_CARD, hit_by_seven, is_barred
from kernels.mau_mau.seating import seat_after, seat_before
from kernels.melds import ALL_LANES, BIT, NONE, card_bit

VALUES = np.array([CARD_VALUES.get(rank, 0) for rank in range(16)], np.int64)
"""Points of a card by its rank."""

WORST = np.int64(-(1 << 40))
ZERO, ONE = np.int64(0), np.int64(1)


@kernel
def in_danger(table: Any, seat: int, few: int) -> bool:
    """Whether a rival who can win holds so few cards."""
    for other in range(table.players):
        if table.hand_count[other] <= few and other != seat and not is_barred(table, other):
            return True
    return False


@kernel
def few_cards(table: Any, seat: int, few: int) -> np.int64:
    """By how many cards a hand is smaller than `few`; 0 for a player who is barred."""
    less = few - np.int64(table.hand_count[seat])
    if less <= 0 or is_barred(table, seat):
        return ZERO
    return less


@kernel
def of_suit(one: np.uint64, two: np.uint64, suit: np.int64) -> np.int64:
    """Cards of a suit in a hand, Jacks apart."""
    cards = suit_cards(suit) & ~JACKS
    return popcount(one & cards) + popcount(two & cards)


@kernel
def of_rank(one: np.uint64, two: np.uint64, rank: np.int64) -> np.int64:
    """Cards of a rank in a hand."""
    cards = ALL_LANES << np.uint64(rank)
    return popcount(one & cards) + popcount(two & cards)


@kernel
def suit_worth(
    table: Any, options: Any, one: np.uint64, two: np.uint64, suit: np.int64, after: np.int64, parameters: Any
) -> np.int64:
    """Worth of having a suit announced."""
    worth = parameters[p.KEEP_SUIT] * of_suit(one, two, suit)
    if parameters[p.BLOCK] != 0:
        worth += parameters[p.BLOCK] * chance_unable(table, options, one, two, suit, ZERO, after) >> 10
    return worth


@kernel
def best_suit(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any
) -> tuple[np.int64, np.int64]:
    """The suit most worth announcing with a Jack, and its worth."""
    after = seat_after(np.int64(seat), table.direction, table.players)
    best, suit = WORST, ZERO
    for other in range(4):
        worth = suit_worth(table, options, one, two, np.int64(other), after, parameters)
        if worth > best:
            best, suit = worth, np.int64(other)
    return suit, best


@kernel
def effect_worth(table: Any, options: Any, seat: int, rank: np.int64, parameters: Any) -> np.int64:
    """Worth of what a 7, an 8, an Ace or a Queen does to others (MAU-09 to MAU-12)."""
    few = parameters[p.NEAR_HAND]
    after = seat_after(np.int64(seat), table.direction, table.players)
    if rank == EIGHT:
        return parameters[p.EIGHT] + parameters[p.EIGHT_NEAR] * few_cards(table, after, few)
    if rank == SEVEN:
        victim = hit_by_seven(table, options, np.int64(seat))
        return parameters[p.SEVEN] + parameters[p.SEVEN_NEAR] * few_cards(table, victim, few)
    if rank == ACES_RANK:
        return parameters[p.ACE] + parameters[p.ACE_NEAR] * few_cards(table, after, few)
    before = seat_before(np.int64(seat), table.direction, table.players)
    change = few_cards(table, after, few) - few_cards(table, before, few)
    return parameters[p.QUEEN] + parameters[p.QUEEN_NEAR] * change


@kernel
def next_player(table: Any, options: Any, seat: int, rank: np.int64) -> np.int64:
    """The seat that has to follow a card of a rank."""
    after = seat_after(np.int64(seat), table.direction, table.players)
    if rank == ACES_RANK or rank == EIGHT:
        return seat_after(after, table.direction, table.players)
    if rank == QUEENS_RANK:
        return seat_before(np.int64(seat), table.direction, table.players)
    return after


@kernel
def points_worth(table: Any, seat: int, parameters: Any) -> np.int64:
    """Worth of a point that leaves the hand now."""
    if is_barred(table, seat):
        return parameters[p.SHED_BARRED]
    if in_danger(table, seat, parameters[p.DANGER_HAND]):
        return parameters[p.SHED_DANGER]
    return parameters[p.SHED_POINTS]


@kernel
def jack_harm(table: Any, seat: int, parameters: Any) -> np.int64:
    """Harm of spending a Jack."""
    if is_barred(table, seat):
        return parameters[p.KEEP_JACKS_BARRED]
    return parameters[p.KEEP_JACKS]


@kernel
def heuristic_play(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any
) -> tuple[np.int64, np.int64, np.int64]:
    """The card of the greatest worth, and what to announce with a Jack."""
    legal = one & table.follow
    jacks = one & JACKS
    if jacks != NONE:
        held = popcount(jacks) + popcount(two & JACKS)
        if held == 2 and table.hand_count[seat] == 2 and not is_barred(table, seat):
            return two_jacks(jacks, two & JACKS, one, two)
    per_point = points_worth(table, seat, parameters)
    counts_cards = parameters[p.BLOCK] != 0
    best, chosen = WORST, NO_CARD
    rest = legal & ~JACKS
    while rest != NONE:
        card = lowest_bit(rest)
        bit = rest & (~rest + BIT)
        rest ^= bit
        rank, suit = card & 15, card >> 4
        left = of_suit(one, two, suit) - 1
        worth = per_point * VALUES[rank] + parameters[p.KEEP_RANK] * (of_rank(one, two, rank) - 1)
        worth += parameters[p.KEEP_SUIT] * left
        if left == 0:
            worth -= parameters[p.LAST_SUIT]
        if (bit & EFFECTS) != NONE:
            worth += effect_worth(table, options, seat, rank, parameters)
        if counts_cards:
            after = next_player(table, options, seat, rank)
            worth += parameters[p.BLOCK] * chance_unable(table, options, one, two, suit, rank, after) >> 10
        if worth > best:
            best, chosen = worth, card
    if (legal & JACKS) == NONE:
        return chosen, NO_CARD, NO_SUIT
    suit, worth = best_suit(table, options, seat, one, two, parameters)
    worth += per_point * VALUES[11] - jack_harm(table, seat, parameters)
    if worth <= best:
        return chosen, NO_CARD, NO_SUIT
    return lowest_bit(legal & JACKS), NO_CARD, suit


@kernel
def two_jacks(
    jacks: np.uint64, twins: np.uint64, one: np.uint64, two: np.uint64
) -> tuple[np.int64, np.int64, np.int64]:
    """Two Jacks at once, the last of the suit that most of the rest follows."""
    first = lowest_bit(jacks)
    rest = (jacks ^ card_bit(first)) | (twins & card_bit(first))
    second = lowest_bit(rest)
    if of_suit(one, two, first >> 4) > of_suit(one, two, second >> 4):
        first, second = second, first
    return first, second, second >> 4


@kernel
def heuristic_answer(table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any) -> np.int64:
    """The 8 of the suit that most of the hand follows."""
    if parameters[p.ANSWER_EIGHTS] == 0:
        return NO_CARD
    best, chosen = WORST, NO_CARD
    rest = one & EIGHTS
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        worth = of_suit(one, two, card >> 4)
        if worth > best:
            best, chosen = worth, card
    return chosen


@kernel
def heuristic_drawn(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, card: np.int64, parameters: Any
) -> bool:
    """Play what was drawn."""
    return parameters[p.PLAY_DRAWN] != 0


@kernel
def heuristic_suit(table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any) -> np.int64:
    """The suit most worth announcing."""
    return best_suit(table, options, seat, one, two, parameters)[0]
