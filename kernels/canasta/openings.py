"""The search for a first meld: which melds reach the minimum at the least cost (KAN-13).

Every set of ranks that can be melded is tried, with every number of wild cards that makes sense. Sets are words of
marks; their values and sizes are counted by masks, so a set costs a few operations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.canasta.layout import JOKERS, TWOS
from kernels.canasta.meld_rules import lowest_rank
from kernels.canasta.values import (
    ACE_POINTS,
    FIVE_POINTS,
    FIVES,
    JOKER_POINTS,
    NATURAL_RANKS,
    TEN_POINTS,
    TENS,
    TWENTIES,
    TWO_POINTS,
    points_of,
    points_of_one_each,
)
from kernels.rank_counts import NOTHING, ONE, at_least, marked, number_of, one_of, ones, total

NO_COST = np.int64(1) << np.int64(40)
TWO, THREE = np.uint64(2), np.uint64(3)
NONE_OF_THEM = np.int64(0)


@kernel
def most_points(naturals: np.uint64, jokers: int, twos: int) -> np.int64:
    """No first meld of these cards is worth more: all triples, the best pairs with a wild card each, all wild cards."""
    triples = at_least(naturals, THREE)
    pairs = at_least(naturals, TWO) & ~triples
    wilds = jokers + twos
    if triples == NOTHING and (pairs == NOTHING or wilds == 0):
        return np.int64(0)
    points = points_of(naturals & marked(triples)) + JOKER_POINTS * jokers + TWO_POINTS * twos
    best = min(popcount(pairs & TWENTIES), wilds)
    points += 2 * ACE_POINTS * best
    wilds -= best
    best = min(popcount(pairs & TENS), wilds)
    points += 2 * TEN_POINTS * best
    wilds -= best
    return points + 2 * FIVE_POINTS * min(popcount(pairs & FIVES), wilds)


@kernel
def extra_points(twenties: int, tens: int, fives: int, cards: int) -> np.int64:
    """Value of so many further natural cards, the dearest first."""
    points = ACE_POINTS * min(cards, twenties)
    cards = max(np.int64(0), cards - twenties)
    points += TEN_POINTS * min(cards, tens)
    return points + FIVE_POINTS * min(max(np.int64(0), cards - tens), fives)


@kernel
def cheapest_opening(
    naturals: np.uint64, jokers: int, twos: int, needed: np.uint64, minimum: int, most: int, costs: Any
) -> tuple[np.int64, np.uint64, np.uint64, np.int64, np.int64, np.int64]:
    """The cheapest set of melds that reaches the minimum.

    Parameters
    ----------
    naturals, jokers, twos
        The cards, by rank; the top card of a pile to be taken among them.
    needed
        Marks of the ranks that must be melded with three natural cards (the top card's), or none.
    minimum
        Points to reach.
    most
        Cards that may be laid at most.
    costs
        Cost of a natural card, of breaking up a pair, of a two, of a joker.

    Returns
    -------
    tuple
        Cost (`NO_COST` when the minimum cannot be reached), marks of the ranks laid with three natural cards, and of
        those laid with two and a wild card; the numbers of jokers, of twos, and of naturals beyond three.
    """
    triples = at_least(naturals, THREE)
    pairs = at_least(naturals, TWO) & ~triples
    wilds = jokers + twos
    candidates = triples | (pairs if wilds > 0 else NOTHING)
    best_cost, best_full, best_short = NO_COST, NOTHING, NOTHING
    best_jokers, best_twos, best_extra = NONE_OF_THEM, NONE_OF_THEM, NONE_OF_THEM
    more = (naturals & marked(triples)) - THREE * ones(triples)
    chosen = candidates
    while chosen != NOTHING:
        chosen_pairs = chosen & pairs
        if (chosen & needed) == needed and popcount(chosen_pairs) <= wilds:
            pair_cost = costs[1] * popcount(chosen_pairs)
            # Of some triples only two cards may be laid, with a wild card.
            shortable = (chosen & triples & ~needed) if wilds > 0 else NOTHING
            spared = shortable
            while True:
                short = chosen_pairs | spared
                full = chosen & ~short
                short_count = popcount(short)
                if short_count <= wilds:
                    points = 3 * points_of_one_each(full) + 2 * points_of_one_each(short)
                    cards = 3 * popcount(full) + 2 * short_count
                    room = 3 * (short_count + popcount(full))
                    beyond = more & marked(full)
                    twenties, tens, fives = total(beyond & TWENTIES), total(beyond & TENS), total(beyond & FIVES)
                    for extra in range(twenties + tens + fives + 1):
                        missing = minimum - points - extra_points(twenties, tens, fives, np.int64(extra))
                        for joker in range(jokers + 1):
                            two = twos_needed(short_count - joker, missing - JOKER_POINTS * joker)
                            if two <= twos and joker + two <= room and cards + extra + joker + two <= most:
                                cost = costs[0] * (cards + extra) + pair_cost + costs[2] * two + costs[3] * joker
                                if cost < best_cost:
                                    best_cost, best_full, best_short = cost, full, short
                                    best_jokers, best_twos, best_extra = np.int64(joker), two, np.int64(extra)
                            if two == 0:
                                break
                        if missing <= 0:
                            break
                if spared == NOTHING:
                    break
                spared = (spared - ONE) & shortable
        chosen = (chosen - ONE) & candidates
    return best_cost, best_full, best_short, best_jokers, best_twos, best_extra


@kernel
def twos_needed(melds: int, points: int) -> np.int64:
    """Twos for so many melds that lack a card, and so many points."""
    for_points = (points + TWO_POINTS - 1) // TWO_POINTS if points > 0 else NONE_OF_THEM
    return max(for_points, max(melds, NONE_OF_THEM))


@kernel
def opening_naturals(naturals: np.uint64, full: np.uint64, short: np.uint64, extra: int) -> np.uint64:
    """Natural cards of an opening by rank: three or two each, and the dearest `extra` ones beyond."""
    laid = THREE * ones(full) + TWO * ones(short)
    beyond = (naturals & marked(full)) - THREE * ones(full)
    for group in (TWENTIES, TENS, FIVES):
        ranks = beyond & group
        while extra > 0 and ranks != NOTHING:
            rank = lowest_rank(at_least(ranks, ONE))
            part = min(extra, number_of(ranks, rank))
            laid += np.uint64(part) * one_of(rank)
            ranks -= np.uint64(number_of(ranks, rank)) * one_of(rank)
            extra -= part
    return laid


@kernel
def place_wilds(full: np.uint64, short: np.uint64, wilds: int) -> np.uint64:
    """Wild cards by the rank they join: one for each short meld, the others together, at most three in a meld."""
    placed = ones(short)
    left = wilds - popcount(short)
    # Those that are mixed already first, so that fewer melds lose the natural canasta.
    for ranks in (short, full):
        rest = ranks
        while left > 0 and rest != NOTHING:
            rank = lowest_rank(rest)
            rest &= rest - ONE
            part = min(left, 3 - number_of(placed, rank))
            placed += np.uint64(part) * one_of(rank)
            left -= part
    return placed


@kernel
def split_wilds(placed: np.uint64, jokers: int) -> tuple[np.uint64, np.uint64]:
    """The first so many of the placed wild cards as jokers, the others as twos."""
    as_jokers = NOTHING
    rest = placed
    while jokers > 0 and rest != NOTHING:
        rank = lowest_rank(at_least(rest, ONE))
        part = min(jokers, number_of(rest, rank))
        as_jokers += np.uint64(part) * one_of(rank)
        rest -= np.uint64(number_of(rest, rank)) * one_of(rank)
        jokers -= part
    return as_jokers, placed - as_jokers


@kernel
def find_opening(
    hand: np.uint64, top: np.uint64, minimum: int, most: int, costs: Any
) -> tuple[np.int64, np.uint64, np.uint64, np.uint64]:
    """The cheapest first meld from a hand, with the top card of the pile or without.

    Parameters
    ----------
    hand
        Cards by rank.
    top
        One of the top card's rank where the pile is to be taken, which takes a pair of that rank; else nothing.
    minimum, most, costs
        As in `cheapest_opening`, `most` without the top card; the top card costs nothing.

    Returns
    -------
    tuple
        Cost (`NO_COST` for none), naturals without the top card, jokers and twos by the rank of their meld.
    """
    naturals = (hand & NATURAL_RANKS) + top
    jokers, twos = number_of(hand, JOKERS), number_of(hand, TWOS)
    needed = NOTHING
    if top != NOTHING:
        needed = top << THREE
        if (needed & at_least(naturals, THREE)) == NOTHING:
            return NO_COST, NOTHING, NOTHING, NOTHING
        most += 1
    if most_points(naturals, jokers, twos) < minimum:
        return NO_COST, NOTHING, NOTHING, NOTHING
    cost, full, short, used_jokers, used_twos, extra = cheapest_opening(
        naturals, jokers, twos, needed, minimum, most, costs
    )
    if cost == NO_COST:
        return NO_COST, NOTHING, NOTHING, NOTHING
    as_jokers, as_twos = split_wilds(place_wilds(full, short, used_jokers + used_twos), used_jokers)
    if top != NOTHING:
        cost -= costs[0]
    return cost, opening_naturals(naturals, full, short, extra) - top, as_jokers, as_twos
