"""Cards as words, and the search for those that make fifteen (ESC-01, ESC-05).

Card number 4 * (value - 1) + suit is its bit: a group of four bits for each value from 1 (ace) to 10, in it the suits
as `kernels.cards` numbers them. A set of sums is a word too: bit s says that some of the cards come to s.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import highest_bit, lowest_bit, popcount
from kernels.escopa.layout import FIFTEEN

NOTHING = np.uint64(0)
ONE = np.uint64(1)
GROUP = np.uint64(15)
ALL = np.uint64((1 << 40) - 1)
DIAMONDS = np.uint64(0x22_2222_2222)
SEVENS = np.uint64(0xF << 24)
GUINDIS = DIAMONDS & SEVENS
"""All cards, and those that score by themselves (ESC-10)."""

VALUE_BITS = tuple(
    np.uint64(sum(0xF << 4 * (value - 1) for value in range(1, 11) if value >> bit & 1)) for bit in range(4)
)
"""The cards whose value has bit 0, 1, 2, 3."""
VALUE_1, VALUE_2, VALUE_4, VALUE_8 = VALUE_BITS

SUMS = np.uint64((1 << (FIFTEEN + 1)) - 1)
NO_CARDS = ONE
"""The sums of no cards: 0 alone."""

SUMS_OF_HANDS = np.uint64(((1 << FIFTEEN) - 1) & ~31)
"""Sums 5 to 14: what a card of the hand makes fifteen with."""


def _preferred(group: int, count: int) -> int:
    """So many cards of a group, the diamond first."""
    taken = 0
    for suit in (1, 0, 2, 3):
        if group >> suit & 1 and taken.bit_count() < count:
            taken |= 1 << suit
    return taken


PREFERRED = np.array([[_preferred(group, count) for count in range(5)] for group in range(16)], np.uint64)
"""Which of a group's cards are taken: [cards there, number taken]. A diamond is worth more than another suit."""


@lean
def bit_of(card: int) -> np.uint64:
    """Word of one card."""
    return ONE << np.uint64(card)


@lean
def value_of(card: int) -> np.int64:
    """Value of a card, 1 to 10 (ESC-01)."""
    return (np.int64(card) >> 2) + 1


@lean
def total_of(cards: np.uint64) -> np.int64:
    """Sum of the values of cards."""
    low = popcount(cards & VALUE_1) + 2 * popcount(cards & VALUE_2)
    return low + 4 * popcount(cards & VALUE_4) + 8 * popcount(cards & VALUE_8)


@lean
def with_value(sums: np.uint64, value: int) -> np.uint64:
    """Sums, to 15, with one more card."""
    return (sums | (sums << np.uint64(value))) & SUMS


@lean
def sums_of(cards: np.uint64) -> np.uint64:
    """Every sum to 15 that some of the cards come to."""
    sums = NO_CARDS
    rest = cards
    while rest != NOTHING:
        sums = with_value(sums, value_of(lowest_bit(rest)))
        rest &= rest - ONE
    return sums


@lean
def has_sum(sums: np.uint64, wanted: int) -> bool:
    """Whether a sum is among them."""
    return ((sums >> np.uint64(wanted)) & ONE) != NOTHING


@lean
def sums_wanted(hand: np.uint64) -> np.uint64:
    """The sums that the cards of a hand make fifteen with."""
    wanted = NOTHING
    rest = hand
    while rest != NOTHING:
        wanted |= ONE << np.uint64(FIFTEEN - value_of(lowest_bit(rest)))
        rest &= rest - ONE
    return wanted


@lean
def combinations(cards: np.uint64, wanted: int, work: Any) -> np.int64:
    """Put every way to take cards of a sum into `work.found`; the number of ways.

    Ways that take equally many cards of every value are one: of several of a value the diamond is taken first. A sum
    to 14 has at most 100 such ways even with the whole pack face up.

    Parameters
    ----------
    wanted
        0 to 14.
    """
    groups = np.int64(0)
    sums = NO_CARDS
    rest = cards
    while rest != NOTHING:
        value = value_of(lowest_bit(rest))
        if value > wanted:
            break
        shift = np.uint64(4 * (value - 1))
        group = (rest >> shift) & GROUP
        rest &= ~(GROUP << shift)
        work.group_value[groups] = value
        work.group_cards[groups] = group
        work.group_sums[groups] = sums
        groups += 1
        for _ in range(popcount(group)):
            sums = with_value(sums, value)
    if not has_sum(sums, wanted):
        return np.int64(0)
    return _search(groups, wanted, work)


@lean
def _search(groups: int, wanted: int, work: Any) -> np.int64:
    """The search itself, from the highest group down; whatever is left to be tried leads to a way."""
    ways = np.int64(0)
    work.pending_cards[0] = NOTHING
    work.pending_sum[0] = wanted
    work.pending_group[0] = groups - 1
    pending = np.int64(1)
    while pending > 0:
        pending -= 1
        cards, left, group = work.pending_cards[pending], work.pending_sum[pending], work.pending_group[pending]
        if left == 0:
            work.found[ways] = cards
            ways += 1
            continue
        there = work.group_cards[group]
        value = work.group_value[group]
        lower = work.group_sums[group]
        shift = np.uint64(4 * (value - 1))
        for count in range(popcount(there) + 1):
            rest = left - count * value
            if rest < 0:
                break
            if has_sum(lower, rest):
                work.pending_cards[pending] = cards | (PREFERRED[np.int64(there), count] << shift)
                work.pending_sum[pending] = rest
                work.pending_group[pending] = group - 1
                pending += 1
    return ways


@lean
def count_ways(cards: np.uint64, work: Any) -> np.int64:
    """Count in `work.ways` how often each sum to 15 comes up among the first so many cards; the number of cards."""
    for wanted in range(FIFTEEN + 1):
        work.ways[0, wanted] = 0
    work.ways[0, 0] = 1
    cards_so_far = np.int64(0)
    rest = cards
    while rest != NOTHING:
        value = value_of(lowest_bit(rest))
        rest &= rest - ONE
        for wanted in range(FIFTEEN + 1):
            ways = work.ways[cards_so_far, wanted]
            if wanted >= value:
                ways += work.ways[cards_so_far, wanted - value]
            work.ways[cards_so_far + 1, wanted] = ways
        cards_so_far += 1
    return cards_so_far


@lean
def way_number(cards: np.uint64, count: int, wanted: int, number: int, work: Any) -> np.uint64:
    """The cards of one of the ways that `count_ways` has counted, numbered from 0."""
    taken = NOTHING
    rest, left, at = cards, np.int64(wanted), np.int64(number)
    for lower in range(count - 1, -1, -1):
        card = highest_bit(rest)
        rest &= ~bit_of(card)
        without = work.ways[lower, left]
        if at >= without:
            at -= without
            left -= value_of(card)
            taken |= bit_of(card)
    return taken
