"""The options of a search of loba: every elementary step, and what `standard` and `expert` would do.

What `standard` would do is listed first. Jokers are all alike, so of those in the hand only the lowest is discarded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit
from kernels.loba.cards import JOKERS
from kernels.loba.covering import NEW
from kernels.loba.dealing import NO_CARD
from kernels.loba.meld_rules import HAND, hand_discards, laid_discards, must_lay
from kernels.loba.policy_discard import heuristic_discard
from kernels.loba.policy_heuristic import heuristic_draw, heuristic_lay
from kernels.loba.policy_random import elementary_lay
from kernels.melds import BIT, NONE, card_bit
from kernels.searching import EXPERT, FIRST, MOST_OPTIONS, STANDARD

NO_STEPS = np.int64(0)
DRAWS, TAKES = np.int64(0), np.int64(1)
UNLISTED = np.int64(-1)


@lean
def find_option(
    memory: Any, takes: int, meld: int, naturals: np.uint64, twice: np.uint64, jokers: np.uint64, card: int
) -> int:
    """Number of an option among those listed, -1 if it is none of them."""
    for number in range(memory.tally.options):
        option = memory.option[number]
        if (
            option.takes == takes
            and option.meld == meld
            and option.naturals == naturals
            and option.twice == twice
            and option.jokers == jokers
            and option.card == card
        ):
            return np.int64(number)
    return UNLISTED


@lean
def find_draw(takes: bool, memory: Any) -> int:
    """Number of an answer to `choose_draw` among the options listed last, -1 if it is none of them."""
    return find_option(memory, TAKES if takes else DRAWS, NEW, NONE, NONE, NONE, NO_CARD)


@lean
def find_lay(meld: int, naturals: np.uint64, twice: np.uint64, jokers: np.uint64, memory: Any) -> int:
    """Number of an answer to `choose_lay` among the options listed last, -1 if it is none of them."""
    if (naturals | jokers) == NONE:
        return find_option(memory, DRAWS, NEW, NONE, NONE, NONE, NO_CARD)
    return find_option(memory, DRAWS, meld, naturals, twice, jokers, NO_CARD)


@lean
def find_discard(card: int, meld: int, memory: Any) -> int:
    """Number of an answer to `choose_discard` among the options listed last, -1 if it is none of them."""
    if (card_bit(card) & JOKERS) != NONE:
        card = lowest_bit(memory.joker)
    return find_option(memory, DRAWS, meld, NONE, NONE, NONE, card)


@lean
def add_option(
    memory: Any, takes: int, meld: int, naturals: np.uint64, twice: np.uint64, jokers: np.uint64, card: int
) -> int:
    """List an option unless it is listed, or no more can be; its number, -1 if it is not listed."""
    tally = memory.tally
    known = find_option(memory, takes, meld, naturals, twice, jokers, card)
    if known >= 0 or tally.options == MOST_OPTIONS:
        return known
    option = memory.option[tally.options]
    option.takes, option.meld, option.card = takes, meld, card
    option.naturals, option.twice, option.jokers = naturals, twice, jokers
    tally.options += 1
    return tally.options - 1


@lean
def add_draw(memory: Any, takes: bool) -> int:
    """List taking the discard, or drawing; its number."""
    return add_option(memory, TAKES if takes else DRAWS, NEW, NONE, NONE, NONE, NO_CARD)


@lean
def add_stop(memory: Any) -> int:
    """List laying no more; its number."""
    return add_option(memory, DRAWS, NEW, NONE, NONE, NONE, NO_CARD)


@lean
def add_discard(memory: Any, card: int, meld: int) -> int:
    """List a card to discard; its number."""
    if (card_bit(card) & JOKERS) != NONE:
        card = lowest_bit(memory.joker)
    return add_option(memory, DRAWS, meld, NONE, NONE, NONE, card)


@lean
def list_draws(memory: Any, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64) -> int:
    """List drawing and taking the discard, where that may be taken; how many options there are (LOB-04)."""
    memory.tally.options = 0
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy, FIRST]
        memory.expert = add_draw(memory, heuristic_draw(table, options, seat, one, two, parameters))
    add_draw(memory, True)
    add_draw(memory, False)
    return memory.tally.options


@lean
def list_lays(memory: Any, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64) -> int:
    """List new melds of three, single additions, and laying no more unless something must be laid (LOB-04 to LOB-07).

    Returns
    -------
    int
        How many options there are.
    """
    memory.tally.options = 0
    memory.expert = 0
    is_stuck = must_lay(table, options, seat, one)
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy, FIRST]
        meld, naturals, twice, jokers = heuristic_lay(table, options, seat, one, two, parameters)
        if (naturals | jokers) != NONE:
            memory.expert = add_option(memory, DRAWS, meld, naturals, twice, jokers, NO_CARD)
        elif not is_stuck:
            memory.expert = add_stop(memory)
    if not is_stuck:
        add_stop(memory)
    number = np.int64(1)
    while memory.tally.options < MOST_OPTIONS:
        seen, lay = elementary_lay(table, options, seat, one, two, memory.tally.stream, number, NO_STEPS)
        if seen < number:
            break
        number += 1
        add_option(memory, DRAWS, lay[0], lay[1], lay[2], lay[3], NO_CARD)
    return memory.tally.options


@lean
def list_discards(memory: Any, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64) -> int:
    """List the cards that may be discarded, from hand and own melds; how many options there are (LOB-08, LOB-10)."""
    memory.tally.options = 0
    jokers = one & JOKERS
    memory.joker = jokers & (~jokers + BIT)
    for policy in (STANDARD, EXPERT):
        card, meld = heuristic_discard(table, options, seat, one, two, memory.parameters[policy, FIRST])
        memory.expert = add_discard(memory, card, meld)
    rest = hand_discards(table, options, seat, one)
    while rest != NONE:
        add_discard(memory, lowest_bit(rest), HAND)
        rest &= rest - BIT
    for meld in range(table.meld_count[seat]):
        rest = laid_discards(table, options, seat, np.int64(meld))
        while rest != NONE:
            add_discard(memory, lowest_bit(rest), np.int64(meld))
            rest &= rest - BIT
    return memory.tally.options
