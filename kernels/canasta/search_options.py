"""The options of a search of canasta: every elementary step, and what `standard` and `expert` would do.

What `standard` would do is listed first. A first meld has no elementary steps; there the cheapest ones are tried, by
several measures, and with each rank that could be in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.canasta.going_out import find_going_out
from kernels.canasta.layout import ACES, JOKERS, LOWEST_RANK, SIDES, THREES
from kernels.canasta.meld_rules import LEGAL, may_end, melds_article, take_article, top_rank
from kernels.canasta.openings import NO_COST, find_opening
from kernels.canasta.policy_discard import heuristic_discard
from kernels.canasta.policy_heuristic import heuristic_answer, heuristic_ask, heuristic_draw, heuristic_meld
from kernels.canasta.policy_random import step_cards
from kernels.canasta.rules import discard_article
from kernels.rank_counts import NOTHING, number_of, one_of
from kernels.searching import COPY, EXPERT, FIRST, MOST_OPTIONS, STANDARD

AFTER_LAST = ACES + 1
NO_RANK = np.int64(-1)
NO, YES = np.int64(0), np.int64(1)
UNLISTED = np.int64(-1)
PAIR = np.uint64(2)
SPARING_WILDS = (np.int64(10), np.int64(4), np.int64(40), np.int64(60))
SPARING_CARDS = (np.int64(10), np.int64(0), np.int64(10), np.int64(10))
SPARING_PAIRS = (np.int64(10), np.int64(30), np.int64(16), np.int64(22))
"""Measures of a first meld: costs of a natural card, of a pair broken up, of a two, of a joker."""


@lean
def find_option(memory: Any, yes: int, naturals: np.uint64, jokers: np.uint64, twos: np.uint64, rank: int) -> int:
    """Number of an option among those listed, -1 if it is none of them."""
    for number in range(memory.tally.options):
        option = memory.option[number]
        if (
            option.yes == yes
            and option.naturals == naturals
            and option.jokers == jokers
            and option.twos == twos
            and option.rank == rank
        ):
            return np.int64(number)
    return UNLISTED


@lean
def find_draw(take: bool, naturals: np.uint64, jokers: np.uint64, twos: np.uint64, memory: Any) -> int:
    """Number of an answer to `choose_draw` among the options listed last, -1 if it is none of them."""
    if not take:
        return find_option(memory, NO, NOTHING, NOTHING, NOTHING, NO_RANK)
    return find_option(memory, YES, naturals, jokers, twos, NO_RANK)


@lean
def find_ask(asks: bool, naturals: np.uint64, jokers: np.uint64, twos: np.uint64, memory: Any) -> int:
    """Number of an answer to `choose_ask` among the options listed last, -1 if it is none of them."""
    return find_draw(asks, naturals, jokers, twos, memory)


@lean
def find_answer(yes: bool, memory: Any) -> int:
    """Number of an answer to `choose_answer` among the options listed last, -1 if it is none of them."""
    return find_draw(yes, NOTHING, NOTHING, NOTHING, memory)


@lean
def find_meld(naturals: np.uint64, jokers: np.uint64, twos: np.uint64, memory: Any) -> int:
    """Number of an answer to `choose_meld` among the options listed last, -1 if it is none of them."""
    return find_option(memory, NO, naturals, jokers, twos, NO_RANK)


@lean
def find_discard(rank: int, memory: Any) -> int:
    """Number of an answer to `choose_discard` among the options listed last, -1 if it is none of them."""
    return find_option(memory, NO, NOTHING, NOTHING, NOTHING, rank)


@lean
def add_option(memory: Any, yes: int, naturals: np.uint64, jokers: np.uint64, twos: np.uint64, rank: int) -> int:
    """List an option unless it is listed, or no more can be; its number, -1 if it is not listed."""
    tally = memory.tally
    known = find_option(memory, yes, naturals, jokers, twos, rank)
    if known >= 0 or tally.options == MOST_OPTIONS:
        return known
    option = memory.option[tally.options]
    option.yes, option.rank = yes, rank
    option.naturals, option.jokers, option.twos = naturals, jokers, twos
    tally.options += 1
    return tally.options - 1


@lean
def add_no(memory: Any) -> int:
    """List drawing from the stock, not asking, saying no, or laying no more; its number."""
    return add_option(memory, NO, NOTHING, NOTHING, NOTHING, NO_RANK)


@lean
def list_draws(memory: Any, table: Any, options: Any, seat: int, hand: np.uint64) -> int:
    """List drawing and the ways to take the pile; how many options there are (KAN-06 to KAN-08, KAN-13)."""
    memory.tally.options = 0
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy, FIRST]
        take, naturals, jokers, twos = heuristic_draw(table, options, seat, hand, parameters)
        memory.expert = add_option(memory, YES, naturals, jokers, twos, NO_RANK) if take else add_no(memory)
    add_no(memory)
    top = one_of(top_rank(table))
    if table.melded[seat % SIDES] == NOTHING:
        list_openings(memory, table, options, seat, hand, top)
        return memory.tally.options
    for way in range(np.int64(4)):
        # The top card joins a meld by itself, with a pair, or with one natural card and a wild one.
        naturals = PAIR * top if way == 1 else (NOTHING if way == 0 else top)
        add_take(
            memory, table, options, seat, hand, naturals, top if way == 2 else NOTHING, top if way == 3 else NOTHING
        )
    return memory.tally.options


@lean
def add_take(
    memory: Any,
    table: Any,
    options: Any,
    seat: int,
    hand: np.uint64,
    naturals: np.uint64,
    jokers: np.uint64,
    twos: np.uint64,
) -> None:
    """List a way to take the pile if it is legal."""
    if take_article(table, options, seat, hand, naturals, jokers, twos) == LEGAL:
        add_option(memory, YES, naturals, jokers, twos, NO_RANK)


@lean
def add_meld(
    memory: Any,
    table: Any,
    options: Any,
    seat: int,
    hand: np.uint64,
    naturals: np.uint64,
    jokers: np.uint64,
    twos: np.uint64,
) -> None:
    """List cards to lay if that is legal."""
    if melds_article(table, options, seat, hand, naturals, jokers, twos) == LEGAL:
        add_option(memory, NO, naturals, jokers, twos, NO_RANK)


@lean
def list_openings(memory: Any, table: Any, options: Any, seat: int, hand: np.uint64, top: np.uint64) -> None:
    """List first melds: the cheapest by every measure of the whole hand, and of the hand without one of its ranks.

    With a `top` card they take the pile.
    """
    minimum = np.int64(table.minimum[seat % SIDES])
    for without in range(THREES, AFTER_LAST):
        # Without the threes, which are in no first meld, the hand is whole.
        kept = hand & ~(np.uint64(15) * one_of(without))
        if kept == hand and without > THREES:
            continue
        most = np.int64(table.hand_count[seat])
        if top == NOTHING:
            most -= 2
        for costs in (SPARING_WILDS, SPARING_CARDS, SPARING_PAIRS):
            cost, naturals, jokers, twos = find_opening(kept, top, minimum, most, costs)
            if cost == NO_COST:
                break
            if top == NOTHING:
                add_meld(memory, table, options, seat, hand, naturals, jokers, twos)
            else:
                add_take(memory, table, options, seat, hand, naturals, jokers, twos)


@lean
def list_asks(memory: Any, table: Any, options: Any, seat: int, hand: np.uint64) -> int:
    """List not asking and, where the hand can go out, asking; how many options there are (KAN-14)."""
    memory.tally.options = 0
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy, FIRST]
        asks, naturals, jokers, twos = heuristic_ask(table, options, seat, hand, parameters)
        memory.expert = add_option(memory, YES, naturals, jokers, twos, NO_RANK) if asks else add_no(memory)
    add_no(memory)
    found, naturals, jokers, twos = going_out(table, options, seat, hand)
    if found:
        add_option(memory, YES, naturals, jokers, twos, NO_RANK)
    return memory.tally.options


@lean
def going_out(table: Any, options: Any, seat: int, hand: np.uint64) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """A way to go out with a hand, if there is one (KAN-14)."""
    side = seat % SIDES
    return find_going_out(options, np.uint64(table.melded[side]), np.uint64(table.wilds[side]), hand)


@lean
def list_answers(memory: Any, table: Any, options: Any, seat: int, hand: np.uint64) -> int:
    """List yes and no; how many options there are, which is two (KAN-14)."""
    memory.tally.options = 0
    for policy in (STANDARD, EXPERT):
        yes = heuristic_answer(table, options, seat, hand, memory.parameters[policy, FIRST])
        memory.expert = add_option(memory, YES if yes else NO, NOTHING, NOTHING, NOTHING, NO_RANK)
    add_no(memory)
    add_option(memory, YES, NOTHING, NOTHING, NOTHING, NO_RANK)
    return memory.tally.options


@lean
def list_melds(memory: Any, table: Any, options: Any, seat: int, hand: np.uint64) -> int:
    """List what may be laid, and laying no more; how many options there are (KAN-11 to KAN-15).

    The policies of the rollouts lay all at once and then no more; here they are asked as if nothing was laid yet.
    """
    memory.tally.options = 0
    memory.expert = 0
    seen = memory.states[COPY].table
    memory.states[COPY].table = table
    seen.laid = 0
    side = seat % SIDES
    canastas = np.int64(table.natural_canastas[side]) + np.int64(table.mixed_canastas[side])
    is_stuck = table.hand_count[seat] == 1 and not may_end(options, np.int64(table.answer), canastas)
    for policy in (STANDARD, EXPERT):
        naturals, jokers, twos = heuristic_meld(seen, options, seat, hand, memory.parameters[policy, FIRST])
        if (naturals | jokers | twos) != NOTHING:
            memory.expert = add_option(memory, NO, naturals, jokers, twos, NO_RANK)
        elif not is_stuck:
            memory.expert = add_no(memory)
    if not is_stuck:
        add_no(memory)
    found, naturals, jokers, twos = going_out(table, options, seat, hand)
    if found:
        add_meld(memory, table, options, seat, hand, naturals, jokers, twos)
    if table.melded[side] == NOTHING:
        list_openings(memory, table, options, seat, hand, NOTHING)
    else:
        list_steps(memory, table, options, seat, hand)
    return memory.tally.options


@lean
def list_steps(memory: Any, table: Any, options: Any, seat: int, hand: np.uint64) -> None:
    """List single cards for own melds, new melds of three, and black threes (KAN-11, KAN-12)."""
    melded = np.uint64(table.melded[seat % SIDES])
    for rank in range(LOWEST_RANK, AFTER_LAST):
        for step in range(np.int64(3)):
            has, naturals, joker, two = step_cards(hand, melded, rank, step)
            if has:
                jokers, twos = np.uint64(joker) * one_of(rank), np.uint64(two) * one_of(rank)
                add_meld(memory, table, options, seat, hand, naturals, jokers, twos)
    for threes in range(np.int64(3), np.int64(5)):
        if number_of(hand, THREES) >= threes:
            add_meld(memory, table, options, seat, hand, np.uint64(threes) * one_of(THREES), NOTHING, NOTHING)


@lean
def list_discards(memory: Any, table: Any, options: Any, seat: int, hand: np.uint64) -> int:
    """List the ranks that may be discarded; how many there are (KAN-06)."""
    memory.tally.options = 0
    for policy in (STANDARD, EXPERT):
        rank = heuristic_discard(table, options, seat, hand, memory.parameters[policy, FIRST])
        memory.expert = add_option(memory, NO, NOTHING, NOTHING, NOTHING, rank)
    for rank in range(JOKERS, AFTER_LAST):
        if discard_article(table, options, seat, hand, rank) == LEGAL:
            add_option(memory, NO, NOTHING, NOTHING, NOTHING, rank)
    return memory.tally.options
