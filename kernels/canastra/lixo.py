"""Taking the lixo in canastra: when it is locked, what justifies it, what it must leave (CAN-07 to CAN-10)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.canastra import kinds
from kernels.canastra.layout import JUSTIFY_NATURALS_ONLY, JUSTIFY_NEW_OR_EXTEND, LAVADEIRA, SIDES
from kernels.canastra.meld_rules import (
    CANASTRA_SIZE,
    CURINGAS,
    LEGAL,
    NATURALS,
    extended_sequence,
    meld_article,
    size_after,
)
from kernels.canastra.rules import NO_VALUE, apply_meld, may_keep
from kernels.event_log import write_card, write_event
from kernels.melds import BLACK_THREES, NONE, card_bit, count, holds, in_lane, joined, lane, of_rank, without


@kernel
def lixo_blocked(table: Any, options: Any) -> bool:
    """Whether nobody may take the lixo now: empty, or locked by its top card (CAN-05, CAN-09, CAN-10)."""
    if table.lixo_size == 0:
        return True
    top = card_bit(np.int64(table.lixo[table.lixo_size - 1]))
    return (top & BLACK_THREES) != NONE or (options.curinga_top_blocks != 0 and (top & CURINGAS) != NONE)


@kernel
def justifies(
    table: Any, options: Any, side: int, target: int, hand_one: np.uint64, hand_two: np.uint64, top: np.uint64
) -> bool:
    """Whether a meld of the top card and these hand cards is of a kind that justifies the take (CAN-08)."""
    if target < 0:
        if options.lixo_justify == JUSTIFY_NATURALS_ONLY and (hand_one & CURINGAS) != NONE:
            return False
        return count(hand_one, hand_two) >= 2
    if options.lixo_justify == JUSTIFY_NEW_OR_EXTEND:
        return True
    if table.meld_kind[side, target] != LAVADEIRA:
        return False
    rank = of_rank(np.int64(table.meld_low[side, target]))
    if options.lixo_justify == JUSTIFY_NATURALS_ONLY and (hand_one & CURINGAS) != NONE:
        return False
    return (top & (rank | CURINGAS)) != NONE and count(hand_one & rank, hand_two & rank) >= 2


@kernel
def finishes(table: Any, options: Any, side: int, meld: int, card: np.uint64) -> bool:
    """Whether a single card laid on an own meld makes it a canastra."""
    if table.meld_size[side, meld] < CANASTRA_SIZE - 1:
        return False
    low = np.int64(table.meld_low[side, meld])
    high = np.int64(table.meld_high[side, meld])
    if (card & CURINGAS) != NONE:
        if table.meld_wilds[side, meld] >= options.curingas_per_meld:
            return False
        return table.meld_kind[side, meld] == LAVADEIRA or low > 4 or high < 14
    if table.meld_kind[side, meld] == LAVADEIRA:
        return (card & of_rank(low)) != NONE
    suit = np.int64(table.meld_suit[side, meld])
    ranks = lane(card & NATURALS, suit)
    if ranks == NONE:
        return False
    article, _low, _high, _places = extended_sequence(
        options, low, high, np.uint64(table.meld_places[side, meld]), ranks, NONE
    )
    return article == LEGAL


@kernel
def take_article(
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    target: int,
    one: np.uint64,
    two: np.uint64,
    places: np.uint64,
) -> int:
    """Article that taking the lixo breaks, 0 when it is legal (CAN-07 to CAN-10, CAN-21).

    Parameters
    ----------
    table, options
        The visible table and its house rules.
    seat, hand_one, hand_two
        The player to move and his hand.
    target, one, two, places
        The justifying meld action; `one` and `two` hold the cards from the hand, the top card not among them.
    """
    side = seat % SIDES
    if table.lixo_size == 0:
        return 7
    top = card_bit(np.int64(table.lixo[table.lixo_size - 1]))
    if lixo_blocked(table, options):
        return 9 if (top & BLACK_THREES) != NONE else 10
    if (two & ~one) != NONE or not holds(hand_one, hand_two, one, two):
        return 8
    if target >= table.meld_count[side] or not justifies(table, options, side, target, one, two, top):
        return 8
    if (two & top) != NONE:
        return 8
    all_one, all_two = joined(one, two, top, NONE)
    article = meld_article(table, options, side, target, all_one, all_two, places)
    if article != LEGAL:
        return article
    left = table.hand_count[seat] - count(one, two) + table.lixo_size - 1
    makes_canastra = size_after(table, side, target, all_one, all_two) >= CANASTRA_SIZE
    if may_keep(table, options, side, left, makes_canastra):
        return LEGAL
    if left == 1 and table.morto_taken[side] != 0 and options.batida_needs_discard == 0:
        rest_one, _rest_two = without(hand_one, hand_two, one, two)
        lixo_one, lixo_two = without(table.lixo_one, table.lixo_two, top, NONE)
        rest_one, _rest_two = joined(rest_one, _rest_two, lixo_one, lixo_two)
        if can_finish_after(table, options, side, target, all_one, all_two, places, rest_one):
            return LEGAL
    return 21


@kernel
def can_finish_after(
    table: Any,
    options: Any,
    side: int,
    target: int,
    one: np.uint64,
    two: np.uint64,
    places: np.uint64,
    card: np.uint64,
) -> bool:
    """Whether the last card can make the canastra that lets the player go out, the take laid (CAN-08, CAN-20)."""
    for meld in range(np.int64(table.meld_count[side])):
        if meld != target and finishes(table, options, side, meld, card):
            return True
    if size_after(table, side, target, one, two) < CANASTRA_SIZE - 1:
        return False
    curingas = count(one & CURINGAS, two & CURINGAS)
    low, high = 4, 14
    new_places = places
    suit = lowest_bit(one & NATURALS) >> 4
    ranks = lane(one & NATURALS, suit)
    is_lavadeira = target < 0 and (one & NATURALS & ~of_rank(lowest_bit(one & NATURALS) & 15)) == NONE
    rank = lowest_bit(one & NATURALS) & 15
    if target >= 0:
        curingas += table.meld_wilds[side, target]
        is_lavadeira = table.meld_kind[side, target] == LAVADEIRA
        rank = np.int64(table.meld_low[side, target])
        if not is_lavadeira:
            suit = np.int64(table.meld_suit[side, target])
            _article, low, high, new_places = extended_sequence(
                options,
                np.int64(table.meld_low[side, target]),
                np.int64(table.meld_high[side, target]),
                np.uint64(table.meld_places[side, target]),
                lane(one & NATURALS, suit),
                places,
            )
    elif not is_lavadeira:
        low = lowest_bit(ranks | places)
        high = low + count(one, two) - 1
    if (card & CURINGAS) != NONE:
        return curingas < options.curingas_per_meld and (is_lavadeira or low > 4 or high < 14)
    if is_lavadeira:
        return (card & of_rank(rank)) != NONE
    single = lane(card & NATURALS, suit)
    if single == NONE or in_lane(single, suit) != card:
        return False
    article, _low, _high, _places = extended_sequence(options, low, high, new_places, single, NONE)
    return article == LEGAL


@kernel
def apply_take(
    state: Any,
    options: Any,
    seat: int,
    target: int,
    one: np.uint64,
    two: np.uint64,
    places: np.uint64,
    record: Any,
    log: Any,
) -> None:
    """Take the whole lixo and lay the legal justifying meld (CAN-07, CAN-08)."""
    table = state.table
    side = seat % SIDES
    size = np.int64(table.lixo_size)
    top = card_bit(np.int64(table.lixo[size - 1]))
    write_event(state, log, kinds.TAKE_PILE, seat, NO_VALUE)
    for at in range(size):
        write_card(state, log, np.int64(table.lixo[at]))
    record.lixo_takes[side] += 1
    record.lixo_cards[side] += size
    state.hand_one[seat], state.hand_two[seat] = joined(
        state.hand_one[seat], state.hand_two[seat], table.lixo_one, table.lixo_two
    )
    table.known_one[seat], table.known_two[seat] = joined(
        table.known_one[seat], table.known_two[seat], table.lixo_one, table.lixo_two
    )
    table.seen_one, table.seen_two = without(table.seen_one, table.seen_two, table.lixo_one, table.lixo_two)
    table.hand_count[seat] += size
    table.lixo_size = 0
    table.lixo_one = NONE
    table.lixo_two = NONE
    table.took_lixo = 1
    all_one, all_two = joined(one, two, top, NONE)
    apply_meld(state, options, seat, target, all_one, all_two, places, record, log)
