"""The options of a search of canastra: every elementary step, and what `standard` and `expert` would do.

What `standard` would do is listed first. Curingas mean the same, so of those in the hand only the lowest is tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit, popcount
from kernels.canastra.layout import SIDES, STOP
from kernels.canastra.lixo import take_article
from kernels.canastra.meld_rules import CURINGAS, LEGAL
from kernels.canastra.policy_heuristic import heuristic_discard, heuristic_draw
from kernels.canastra.policy_melds import heuristic_meld
from kernels.canastra.policy_random import elementary_step, must_lay
from kernels.canastra.rules import NO_CARD, discard_article, meld_action_article
from kernels.melds import BIT, NONE, card_bit, without
from kernels.searching import EXPERT, FIRST, MOST_OPTIONS, STANDARD

NO_STEPS = np.int64(0)
DRAWS, TAKES = np.int64(0), np.int64(1)
UNLISTED = np.int64(-1)


@lean
def find_option(
    memory: Any, takes_lixo: int, target: int, one: np.uint64, two: np.uint64, places: np.uint64, card: int
) -> int:
    """Number of an option among those listed, -1 if it is none of them."""
    for number in range(memory.tally.options):
        option = memory.option[number]
        if (
            option.takes_lixo == takes_lixo
            and option.target == target
            and option.one == one
            and option.two == two
            and option.places == places
            and option.card == card
        ):
            return np.int64(number)
    return UNLISTED


@lean
def find_action(memory: Any, takes_lixo: int, target: int, one: np.uint64, two: np.uint64, places: np.uint64) -> int:
    """Number of a meld action among the options listed last, whichever curinga it uses; -1 if it is none of them."""
    if popcount(one & CURINGAS) == 1 and (two & CURINGAS) == NONE:
        one = (one & ~CURINGAS) | memory.curinga
    return find_option(memory, takes_lixo, target, one, two, places, NO_CARD)


@lean
def find_draw(take: bool, target: int, one: np.uint64, two: np.uint64, places: np.uint64, memory: Any) -> int:
    """Number of an answer to `choose_draw` among the options listed last, -1 if it is none of them."""
    if not take:
        return find_action(memory, DRAWS, STOP, NONE, NONE, NONE)
    return find_action(memory, TAKES, target, one, two, places)


@lean
def find_meld(target: int, one: np.uint64, two: np.uint64, places: np.uint64, memory: Any) -> int:
    """Number of an answer to `choose_meld` among the options listed last, -1 if it is none of them."""
    if target == STOP:
        return find_action(memory, DRAWS, STOP, NONE, NONE, NONE)
    return find_action(memory, DRAWS, target, one, two, places)


@lean
def find_discard(card: int, memory: Any) -> int:
    """Number of an answer to `choose_discard` among the options listed last, -1 if it is none of them."""
    if (card_bit(card) & CURINGAS) != NONE:
        card = lowest_bit(memory.curinga)
    return find_option(memory, DRAWS, STOP, NONE, NONE, NONE, card)


@lean
def add_option(
    memory: Any, takes_lixo: int, target: int, one: np.uint64, two: np.uint64, places: np.uint64, card: int
) -> int:
    """List an option unless it is listed, or no more can be; its number, -1 if it is not listed."""
    tally = memory.tally
    known = find_option(memory, takes_lixo, target, one, two, places, card)
    if known >= 0 or tally.options == MOST_OPTIONS:
        return known
    option = memory.option[tally.options]
    option.takes_lixo, option.target, option.card = takes_lixo, target, card
    option.one, option.two, option.places = one, two, places
    tally.options += 1
    return tally.options - 1


@lean
def add_stop(memory: Any) -> int:
    """List drawing from the stock, or laying no more; its number."""
    return add_option(memory, DRAWS, STOP, NONE, NONE, NONE, NO_CARD)


@lean
def add_discard(memory: Any, card: int) -> int:
    """List a card to discard; its number."""
    return add_option(memory, DRAWS, STOP, NONE, NONE, NONE, card)


@lean
def clear_options(memory: Any, hand_one: np.uint64) -> None:
    """Begin to list the options of a hand."""
    memory.tally.options = 0
    curingas = hand_one & CURINGAS
    memory.curinga = curingas & (~curingas + BIT)


@lean
def list_draws(memory: Any, table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64) -> int:
    """List drawing and the ways to take the lixo; how many options there are (CAN-07, CAN-08)."""
    clear_options(memory, hand_one)
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy, FIRST]
        take, target, one, two, places = heuristic_draw(table, options, seat, hand_one, hand_two, parameters)
        memory.expert = add_option(memory, TAKES, target, one, two, places, NO_CARD) if take else add_stop(memory)
    add_stop(memory)
    top = card_bit(np.int64(table.lixo[table.lixo_size - 1]))
    list_steps(memory, table, options, seat, hand_one, hand_two, top)
    return memory.tally.options


@lean
def list_melds(memory: Any, table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64) -> int:
    """List melds, extensions, and laying no more unless a card must be laid; how many options there are (CAN-11)."""
    clear_options(memory, hand_one)
    memory.expert = 0
    is_stuck = must_lay(table, seat)
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy, FIRST]
        target, one, two, places = heuristic_meld(table, options, seat, hand_one, hand_two, parameters)
        if target != STOP:
            memory.expert = add_option(memory, DRAWS, target, one, two, places, NO_CARD)
        elif not is_stuck:
            memory.expert = add_stop(memory)
    if not is_stuck:
        add_stop(memory)
    list_steps(memory, table, options, seat, hand_one, hand_two, NONE)
    return memory.tally.options


@lean
def list_discards(memory: Any, table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64) -> int:
    """List the cards that may be discarded; how many there are (CAN-11)."""
    clear_options(memory, hand_one)
    for policy in (STANDARD, EXPERT):
        parameters = memory.parameters[policy, FIRST]
        card = heuristic_discard(table, options, seat, hand_one, hand_two, parameters)
        if (card_bit(card) & CURINGAS) != NONE:
            card = lowest_bit(memory.curinga)
        memory.expert = add_discard(memory, card)
    rest = (hand_one & ~CURINGAS) | memory.curinga
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        if discard_article(table, seat, hand_one, card) == LEGAL:
            add_discard(memory, card)
    return memory.tally.options


@lean
def list_steps(
    memory: Any, table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, top: np.uint64
) -> None:
    """List the elementary melds and extensions that may be done, with a `top` card those that justify taking the lixo.

    Those without a curinga from the hand come first, since where there are too many the last are left out.
    """
    one, two = hand_one & ~CURINGAS, hand_two & ~CURINGAS
    list_steps_of(memory, table, options, seat, hand_one, hand_two, one, two, top)
    if memory.curinga != NONE:
        list_steps_of(memory, table, options, seat, hand_one, hand_two, one | memory.curinga, two, top)


@lean
def list_steps_of(
    memory: Any,
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    part_one: np.uint64,
    part_two: np.uint64,
    top: np.uint64,
) -> None:
    """List the elementary steps that use a part of the hand."""
    side, hand = seat % SIDES, np.int64(table.hand_count[seat])
    number = np.int64(1)
    while memory.tally.options < MOST_OPTIONS:
        seen, target, one, two, places = elementary_step(
            table, options, side, hand, part_one, part_two, top, memory.tally.stream, number, NO_STEPS
        )
        if seen < number:
            return
        number += 1
        if top == NONE:
            if meld_action_article(table, options, seat, hand_one, hand_two, target, one, two, places) == LEGAL:
                add_option(memory, DRAWS, target, one, two, places, NO_CARD)
        else:
            one, two = without(one, two, top, NONE)
            if take_article(table, options, seat, hand_one, hand_two, target, one, two, places) == LEGAL:
                add_option(memory, TAKES, target, one, two, places, NO_CARD)
