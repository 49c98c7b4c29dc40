"""What the heuristic policies lay: natural cards first, curingas where they are worth it.

All searches work on whole hands at once, a lane of bits a suit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.canastra.layout import LAVADEIRA, NEW_LAVADEIRA, NEW_SEQUENCE, SIDES, STOCK_OUT_MORTO, STOP
from kernels.canastra.meld_rules import (
    CANASTRA_SIZE,
    CURINGAS,
    HIGHEST_RANK,
    LOWEST_RANK,
    NATURALS,
    curinga_place,
    takes_curinga,
)
from kernels.canastra.parameters import CURINGA_HAND, DANGER_HAND, DIRTY_STOCK, FIRST_DIRTY
from kernels.canastra.rules import batida_open, morto_open
from kernels.melds import (
    ALL_LANES,
    BIT,
    NONE,
    card_bit,
    count,
    in_lane,
    lane,
    of_rank,
    rank_counts_at_least_three,
    run_from,
    runs_of_three,
)

TWO = np.uint64(2)
SHORT, LONG = np.int64(0), np.int64(CANASTRA_SIZE)
"""Sizes of a meld that is no canastra, and of one that is."""


@kernel
def lay_budget(table: Any, options: Any, side: int, hand: int, size: int) -> int:
    """Cards that an action may lay now, making a meld of `size` cards, without breaking CAN-20 or CAN-21."""
    if morto_open(table, side):
        return hand
    if table.morto_taken[side] != 0 and (size >= CANASTRA_SIZE or batida_open(table, side)):
        return hand - (1 if options.batida_needs_discard else 0)
    return hand - 2


@kernel
def cards_left_to_draw(table: Any, options: Any) -> int:
    """Cards that will be drawn at most before the stock ends, the mortos that may become stock included."""
    left = np.int64(table.stock_left)
    if options.stock_out == STOCK_OUT_MORTO:
        left += 11 * np.int64(table.mortos_left)
    return left


@kernel
def in_danger(table: Any, options: Any, side: int, parameters: Any) -> bool:
    """Whether the hand may soon end, so that cards are better laid than kept."""
    if cards_left_to_draw(table, options) <= table.players:
        return True
    other = 1 - side
    if not batida_open(table, other):
        return False
    for seat in range(other, table.players, SIDES):
        if table.morto_closed[seat] == 0 and table.hand_count[seat] <= parameters[DANGER_HAND]:
            return True
    return False


@kernel
def smear_down(ranks: np.uint64) -> np.uint64:
    """All bits at or below the highest bit of a lane."""
    ranks |= ranks >> BIT
    ranks |= ranks >> TWO
    ranks |= ranks >> np.uint64(4)
    return ranks | (ranks >> np.uint64(8))


@kernel
def run_above(ranks: np.uint64, low: int) -> np.uint64:
    """The unbroken run of a lane's bits upward from rank `low`, empty when `low` is not among them."""
    bit = BIT << np.uint64(low)
    upper = ranks & ~(bit - BIT)
    return upper & ~(upper + bit)


@kernel
def run_below(ranks: np.uint64, high: int) -> np.uint64:
    """The unbroken run of a lane's bits downward from rank `high`, empty when `high` is not among them."""
    lower = (BIT << np.uint64(high + 1)) - BIT
    return lower & ranks & ~smear_down(lower & ~ranks)


@kernel
def extend_naturally(
    table: Any, options: Any, side: int, hand_one: np.uint64, hand_two: np.uint64, hand: int
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """The best extension of an own meld by natural cards alone, the one nearest to a canastra first."""
    best, best_value = STOP, -1
    best_one, best_two = NONE, NONE
    for meld in range(np.int64(table.meld_count[side])):
        one, two = NONE, NONE
        low = np.int64(table.meld_low[side, meld])
        if table.meld_kind[side, meld] == LAVADEIRA:
            rank = of_rank(low)
            one, two = hand_one & rank, hand_two & rank
            single = card_bit(lowest_bit(one)) if one != NONE else NONE
        else:
            suit = np.int64(table.meld_suit[side, meld])
            high = np.int64(table.meld_high[side, meld])
            ranks = lane(hand_one & NATURALS, suit)
            upper = run_above(ranks, high + 1)
            lower = run_below(ranks, low - 1)
            ranks &= np.uint64(table.meld_places[side, meld])
            one = upper | lower
            if one == NONE and options.curinga_slides and (low > LOWEST_RANK or high < HIGHEST_RANK):
                one = BIT << np.uint64(lowest_bit(ranks)) if ranks != NONE else NONE
            single = one & ((BIT << np.uint64(high + 1)) | (BIT << np.uint64(low - 1)))
            single = in_lane(single & (~single + BIT), suit) if single != NONE else in_lane(one, suit)
            one = in_lane(one, suit)
        if one == NONE:
            continue
        size = np.int64(table.meld_size[side, meld])
        cards = count(one, two)
        if cards > lay_budget(table, options, side, hand, size + cards):
            if lay_budget(table, options, side, hand, size + 1) < 1:
                continue
            one, two, cards = single, NONE, 1
        value = 2 * min(size + cards, CANASTRA_SIZE) + (1 if table.meld_wilds[side, meld] == 0 else 0)
        if value > best_value:
            best, best_value, best_one, best_two = meld, value, one, two
    return best, best_one, best_two, NONE


@kernel
def new_natural_meld(
    table: Any, options: Any, side: int, hand_one: np.uint64, hand_two: np.uint64, hand: int
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """A new meld without a curinga: the longest run upward from a lowest card, else a lavadeira."""
    budget = lay_budget(table, options, side, hand, SHORT)
    if budget < 3:
        # A meld of seven or more in a hand that must keep a card is left to luck.
        return STOP, NONE, NONE, NONE
    starts = runs_of_three(hand_one & NATURALS)
    if starts != NONE:
        first = lowest_bit(starts)
        run = run_from(hand_one & NATURALS, first)
        while popcount(run) > budget:
            run &= ~card_bit(first + popcount(run) - 1)
        return NEW_SEQUENCE, run, NONE, NONE
    ranks = rank_counts_at_least_three(hand_one, hand_two) & options.lavadeira_ranks & ~table.lavadeiras[side]
    if ranks != NONE:
        rank = of_rank(lowest_bit(ranks))
        one, two = hand_one & rank, hand_two & rank
        while count(one, two) > budget:
            if two != NONE:
                two &= two - BIT
            else:
                one &= one - BIT
        return NEW_LAVADEIRA, one, two, NONE
    return STOP, NONE, NONE, NONE


@kernel
def pair_with_curinga(
    table: Any, options: Any, side: int, hand_one: np.uint64, hand_two: np.uint64, curinga: np.uint64
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """A new meld of two naturals and one curinga: a gap filled, an open end, or a lavadeira."""
    naturals = hand_one & NATURALS
    gaps = naturals & (naturals >> TWO)
    if gaps != NONE:
        low = lowest_bit(gaps)
        one = card_bit(low) | card_bit(low + 2) | curinga
        return NEW_SEQUENCE, one, NONE, BIT << np.uint64((low & 15) + 1)
    steps = naturals & (naturals >> BIT)
    if steps != NONE:
        low = lowest_bit(steps)
        rank = low & 15
        one = card_bit(low) | card_bit(low + 1) | curinga
        place = rank - 1 if rank > LOWEST_RANK else rank + 2
        return NEW_SEQUENCE, one, NONE, BIT << np.uint64(place)
    allowed = np.uint64(options.lavadeira_ranks & ~table.lavadeiras[side])
    held = naturals & (allowed * ALL_LANES)
    while held != NONE:
        rank = of_rank(lowest_bit(held) & 15)
        one, two = hand_one & rank, hand_two & rank
        if count(one, two) >= 2:
            return NEW_LAVADEIRA, one | curinga, two, NONE
        held &= ~rank
    return STOP, NONE, NONE, NONE


@kernel
def pairs_at_most(table: Any, options: Any, side: int, hand_one: np.uint64, hand_two: np.uint64, wanted: int) -> int:
    """Disjoint pairs that a curinga makes a meld, counted up to `wanted`."""
    found = 0
    while found < wanted:
        target, one, two, _places = pair_with_curinga(table, options, side, hand_one, hand_two, NONE)
        if target == STOP:
            break
        found += 1
        hand_one, hand_two = (hand_one & ~one) | (hand_two & one & ~two), hand_two & ~one
    return found


@kernel
def curinga_meld(table: Any, options: Any, side: int) -> int:
    """The own meld to put a curinga on: one that becomes a canastra, else the shortest; no canastra limpa."""
    best, best_value = STOP, 100
    for meld in range(np.int64(table.meld_count[side])):
        size = np.int64(table.meld_size[side, meld])
        if not takes_curinga(table, options, side, meld):
            continue
        if size >= CANASTRA_SIZE and table.meld_wilds[side, meld] == 0:
            continue
        value = 0 if size == CANASTRA_SIZE - 1 else size
        if value < best_value:
            best, best_value = meld, value
    return best


@kernel
def curinga_slots(table: Any, options: Any, side: int) -> int:
    """Own melds, canastras limpas aside, that still take a curinga."""
    slots = 0
    for meld in range(np.int64(table.meld_count[side])):
        is_limpa = table.meld_size[side, meld] >= CANASTRA_SIZE and table.meld_wilds[side, meld] == 0
        if not is_limpa and takes_curinga(table, options, side, meld):
            slots += 1
    return slots


@kernel
def bridge(
    table: Any, options: Any, side: int, meld: int, hand_one: np.uint64, curinga: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """A curinga beyond an end of a sequence and the naturals beyond it; cards and place, empty for none."""
    if table.meld_kind[side, meld] == LAVADEIRA or not takes_curinga(table, options, side, meld):
        return NONE, NONE
    suit = np.int64(table.meld_suit[side, meld])
    low = np.int64(table.meld_low[side, meld])
    high = np.int64(table.meld_high[side, meld])
    ranks = lane(hand_one & NATURALS, suit)
    upper, lower = NONE, NONE
    if high + 2 <= HIGHEST_RANK:
        upper = run_above(ranks, high + 2)
    if low - 2 >= LOWEST_RANK:
        lower = run_below(ranks, low - 2)
    if upper == NONE and lower == NONE:
        return NONE, NONE
    if popcount(upper) >= popcount(lower):
        return in_lane(upper, suit) | curinga, BIT << np.uint64(high + 1)
    return in_lane(lower, suit) | curinga, BIT << np.uint64(low - 1)


@kernel
def curinga_for_canastra(
    table: Any, options: Any, side: int, hand_one: np.uint64, hand: int, curinga: np.uint64
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """A curinga that makes a canastra suja, alone or as a bridge to natural cards beyond; `STOP` for none."""
    budget = lay_budget(table, options, side, hand, LONG)
    for meld in range(np.int64(table.meld_count[side])):
        size = np.int64(table.meld_size[side, meld])
        if size >= CANASTRA_SIZE or size + 2 < CANASTRA_SIZE - 1 or not takes_curinga(table, options, side, meld):
            continue
        if size == CANASTRA_SIZE - 1 and budget >= 1:
            return meld, curinga, NONE, curinga_place(table, side, meld)
        one, place = bridge(table, options, side, meld, hand_one, curinga)
        if one != NONE and size + popcount(one) >= CANASTRA_SIZE and popcount(one) <= budget:
            return meld, one, NONE, place
    return STOP, NONE, NONE, NONE


@kernel
def curinga_to_empty_hand(
    table: Any, options: Any, side: int, hand_one: np.uint64, hand_two: np.uint64, hand: int, curinga: np.uint64
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """A step towards an empty hand if curingas can empty it: each with a pair or on a meld, one card to discard."""
    curingas = count(hand_one & CURINGAS, hand_two & CURINGAS)
    rest = hand - curingas
    pairs_needed = rest // 2
    if pairs_needed > curingas:
        return STOP, NONE, NONE, NONE
    slots = curinga_slots(table, options, side) + (1 if rest == 0 else 0)
    pairs = pairs_at_most(table, options, side, hand_one, hand_two, pairs_needed)
    if pairs < pairs_needed or curingas - pairs_needed > slots:
        return STOP, NONE, NONE, NONE
    budget = lay_budget(table, options, side, hand, SHORT)
    if pairs_needed > 0:
        target, one, two, places = pair_with_curinga(table, options, side, hand_one, hand_two, curinga)
        if count(one, two) <= budget:
            return target, one, two, places
        return STOP, NONE, NONE, NONE
    meld = curinga_meld(table, options, side)
    if meld != STOP and budget >= 1:
        return meld, curinga, NONE, curinga_place(table, side, meld)
    return STOP, NONE, NONE, NONE


@kernel
def curinga_anywhere(
    table: Any, options: Any, side: int, hand_one: np.uint64, hand: int, curinga: np.uint64
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """A place for a curinga before the hand ends: with cards beyond the end of a sequence, or on any meld."""
    budget = lay_budget(table, options, side, hand, SHORT)
    if budget < 1:
        return STOP, NONE, NONE, NONE
    for meld in range(np.int64(table.meld_count[side])):
        if table.meld_size[side, meld] < CANASTRA_SIZE:
            one, place = bridge(table, options, side, meld, hand_one, curinga)
            if one != NONE and popcount(one) <= budget:
                return meld, one, NONE, place
    meld = curinga_meld(table, options, side)
    if meld != STOP:
        return meld, curinga, NONE, curinga_place(table, side, meld)
    return STOP, NONE, NONE, NONE


@kernel
def use_curinga(
    table: Any, options: Any, side: int, hand_one: np.uint64, hand_two: np.uint64, hand: int, parameters: Any
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """What to do with a curinga now, natural melds laid already; `STOP` to keep it."""
    curinga = card_bit(lowest_bit(hand_one & CURINGAS))
    danger = in_danger(table, options, side, parameters)
    can_empty = morto_open(table, side) or batida_open(table, side)
    canastras = table.clean_canastras[side] + table.dirty_canastras[side]
    left = cards_left_to_draw(table, options)
    target, one, two, places = STOP, NONE, NONE, NONE
    # A canastra lets the side go out and turns its red threes; at the end any canastra is worth its curinga.
    if danger or left <= parameters[DIRTY_STOCK] or (canastras == 0 and left <= parameters[FIRST_DIRTY]):
        target, one, two, places = curinga_for_canastra(table, options, side, hand_one, hand, curinga)
    if target == STOP and can_empty:
        target, one, two, places = curinga_to_empty_hand(table, options, side, hand_one, hand_two, hand, curinga)
    if target != STOP:
        return target, one, two, places
    curingas = count(hand_one & CURINGAS, hand_two & CURINGAS)
    if danger or hand <= parameters[CURINGA_HAND] or curingas > 2:
        budget = lay_budget(table, options, side, hand, SHORT)
        if budget >= (3 if can_empty else 4):
            target, one, two, places = pair_with_curinga(table, options, side, hand_one, hand_two, curinga)
            if target != STOP and count(one, two) <= budget:
                return target, one, two, places
    if danger:
        return curinga_anywhere(table, options, side, hand_one, hand, curinga)
    return STOP, NONE, NONE, NONE


@kernel
def heuristic_meld(
    table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, parameters: Any
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """Next meld: natural extensions, new natural melds, then curingas where they are worth it."""
    side = seat % SIDES
    hand = np.int64(table.hand_count[seat])
    if (hand_one & table.accepts[side]) != NONE:
        target, one, two, places = extend_naturally(table, options, side, hand_one, hand_two, hand)
        if target != STOP:
            return target, one, two, places
    target, one, two, places = new_natural_meld(table, options, side, hand_one, hand_two, hand)
    if target != STOP:
        return target, one, two, places
    if (hand_one & CURINGAS) != NONE:
        return use_curinga(table, options, side, hand_one, hand_two, hand, parameters)
    return STOP, NONE, NONE, NONE
