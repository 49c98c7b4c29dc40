"""Melds of canastra: what may be laid and how it lies (CAN-12 to CAN-17).

A meld action is a target (`NEW_SEQUENCE`, `NEW_LAVADEIRA` or the number of an own meld), the cards as a pair
of words, and for sequences the ranks that its curingas stand for as a lane of bits (`places`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import highest_bit, lowest_bit, popcount
from kernels.canastra.layout import LAVADEIRA, NEW_LAVADEIRA, NEW_SEQUENCE, SEQUENCE
from kernels.melds import (
    BIT,
    NONE,
    TWOS_AND_JOKERS,
    card_bit,
    count,
    in_lane,
    is_consecutive,
    joined,
    lane,
    of_rank,
)

LOWEST_RANK, HIGHEST_RANK = 4, 14
RANKS = np.uint64(0x7FF0)
"""Lane of the ranks that meld: 4 to Ace (CAN-12)."""
NATURALS = np.uint64(0x7FF0_7FF0_7FF0_7FF0)
CURINGAS = TWOS_AND_JOKERS
"""The 2s and the printed jokers (CAN-03)."""
CANASTRA_SIZE = 7

LEGAL = 0
"""Articles are returned as their numbers; 0 for a legal action."""


@kernel
def new_sequence_article(options: Any, one: np.uint64, two: np.uint64, places: np.uint64) -> int:
    """Article that a new sequence breaks, 0 when it is legal (CAN-12, CAN-14, CAN-15)."""
    naturals = one & NATURALS
    curingas = count(one & CURINGAS, two & CURINGAS)
    if naturals == NONE or (two & NATURALS) != NONE or (one & ~(NATURALS | CURINGAS)) != NONE:
        return 12
    suit = lowest_bit(naturals) >> 4
    ranks = lane(naturals, suit)
    if in_lane(ranks, suit) != naturals:
        return 12
    if curingas > options.curingas_per_meld or popcount(ranks) < 2:
        return 14
    if popcount(places) != curingas or (places & ranks) != NONE or (places & ~RANKS) != NONE:
        return 15
    if popcount(ranks) + curingas < 3 or not is_consecutive(ranks | places):
        return 12
    return LEGAL


@kernel
def new_lavadeira_article(table: Any, options: Any, side: int, one: np.uint64, two: np.uint64) -> int:
    """Article that a new lavadeira breaks, 0 when it is legal (CAN-13, CAN-14, CAN-16)."""
    naturals_one = one & NATURALS
    naturals_two = two & NATURALS
    curingas = count(one & CURINGAS, two & CURINGAS)
    if naturals_one == NONE or (one & ~(NATURALS | CURINGAS)) != NONE:
        return 13
    rank = lowest_bit(naturals_one) & 15
    if (naturals_one & ~of_rank(rank)) != NONE or ((options.lavadeira_ranks >> np.uint64(rank)) & BIT) == NONE:
        return 13
    naturals = count(naturals_one, naturals_two)
    if curingas > options.curingas_per_meld or naturals < 2:
        return 14
    if naturals + curingas < 3:
        return 13
    if ((table.lavadeiras[side] >> np.uint64(rank)) & BIT) != NONE:
        return 16
    return LEGAL


@kernel
def extended_sequence(
    options: Any, low: int, high: int, places: np.uint64, naturals: np.uint64, new_places: np.uint64
) -> tuple[int, int, int, np.uint64]:
    """A sequence after further cards, added one by one (CAN-15).

    Parameters
    ----------
    options
        House rules.
    low, high
        Lowest and highest rank before.
    places
        Lane of the ranks that its curingas stand for before.
    naturals, new_places
        Lanes of the natural cards added and of the places named for added curingas.

    Returns
    -------
    tuple
        Article broken or 0, then the new lowest rank, highest rank and places.
    """
    while (naturals | new_places) != NONE:
        above = BIT << np.uint64(high + 1)
        below = BIT << np.uint64(low - 1)
        replaced = naturals & places
        if high < HIGHEST_RANK and ((naturals | new_places) & above) != NONE:
            high += 1
            places |= new_places & above
            naturals &= ~above
            new_places &= ~above
        elif low > LOWEST_RANK and ((naturals | new_places) & below) != NONE:
            low -= 1
            places |= new_places & below
            naturals &= ~below
            new_places &= ~below
        elif replaced != NONE:
            if not options.curinga_slides:
                return 15, low, high, places
            place = BIT << np.uint64(lowest_bit(replaced))
            naturals &= ~place
            places &= ~place
            if low > LOWEST_RANK:
                low -= 1
                places |= below
            elif high < HIGHEST_RANK:
                high += 1
                places |= above
            else:
                return 15, low, high, places
        else:
            return 12, low, high, places
    return LEGAL, low, high, places


@kernel
def extension_article(
    table: Any, options: Any, side: int, meld: int, one: np.uint64, two: np.uint64, places: np.uint64
) -> int:
    """Article that extending an own meld breaks, 0 when it is legal (CAN-11, CAN-13 to CAN-15)."""
    if meld < 0 or meld >= table.meld_count[side]:
        return 11
    if one == NONE or (one & ~(NATURALS | CURINGAS)) != NONE:
        return 11
    curingas = count(one & CURINGAS, two & CURINGAS)
    if curingas + table.meld_wilds[side, meld] > options.curingas_per_meld:
        return 14
    if table.meld_kind[side, meld] == LAVADEIRA:
        rank = np.int64(table.meld_low[side, meld])
        return LEGAL if (one & NATURALS & ~of_rank(rank)) == NONE else 13
    suit = np.int64(table.meld_suit[side, meld])
    ranks = lane(one & NATURALS, suit)
    if in_lane(ranks, suit) != (one & NATURALS) or (two & NATURALS) != NONE:
        return 12
    if popcount(places) != curingas or (places & ranks) != NONE:
        return 15
    article, _low, _high, _places = extended_sequence(
        options,
        np.int64(table.meld_low[side, meld]),
        np.int64(table.meld_high[side, meld]),
        np.uint64(table.meld_places[side, meld]),
        ranks,
        places,
    )
    return article


@kernel
def meld_article(
    table: Any, options: Any, side: int, target: int, one: np.uint64, two: np.uint64, places: np.uint64
) -> int:
    """Article that a meld action breaks by itself, 0 when it is legal; the hand is not looked at."""
    if target == NEW_SEQUENCE:
        return new_sequence_article(options, one, two, places)
    if target == NEW_LAVADEIRA:
        return new_lavadeira_article(table, options, side, one, two)
    return extension_article(table, options, side, target, one, two, places)


@kernel
def size_after(table: Any, side: int, target: int, one: np.uint64, two: np.uint64) -> int:
    """Cards in the target meld once the action is done."""
    size = count(one, two)
    if target >= 0:
        size += table.meld_size[side, target]
    return size


@kernel
def accepted_naturals(table: Any, options: Any, side: int, meld: int) -> np.uint64:
    """Natural cards that a meld takes singly: of a sequence its open ends and its curingas' places (CAN-15)."""
    if table.meld_kind[side, meld] == LAVADEIRA:
        return of_rank(np.int64(table.meld_low[side, meld]))
    low = np.uint64(table.meld_low[side, meld])
    high = np.uint64(table.meld_high[side, meld])
    ranks = ((BIT << (low - BIT)) | (BIT << (high + BIT))) & RANKS
    if options.curinga_slides and ranks != NONE:
        ranks |= np.uint64(table.meld_places[side, meld])
    return in_lane(ranks, np.int64(table.meld_suit[side, meld]))


@kernel
def takes_curinga(table: Any, options: Any, side: int, meld: int) -> bool:
    """Whether a meld has room for one more curinga (CAN-14, CAN-15)."""
    if table.meld_wilds[side, meld] >= options.curingas_per_meld:
        return False
    if table.meld_kind[side, meld] == LAVADEIRA:
        return True
    return table.meld_low[side, meld] > LOWEST_RANK or table.meld_high[side, meld] < HIGHEST_RANK


@kernel
def curinga_place(table: Any, side: int, meld: int) -> np.uint64:
    """Place for one more curinga at an end of a sequence, the low one if both are free; none in a lavadeira."""
    if table.meld_kind[side, meld] == LAVADEIRA:
        return NONE
    low = np.uint64(table.meld_low[side, meld])
    if low > np.uint64(LOWEST_RANK):
        return BIT << (low - BIT)
    return BIT << (np.uint64(table.meld_high[side, meld]) + BIT)


@kernel
def slide_curingas(table: Any, side: int, meld: int, places: np.uint64) -> None:
    """Move the curingas whose places naturals took to the places that are new (CAN-15)."""
    wilds = np.int64(table.meld_wilds[side, meld])
    free = places
    for wild in range(wilds):
        free &= ~(BIT << np.uint64(table.meld_wild_ranks[side, meld, wild]))
    for wild in range(wilds):
        if ((places >> np.uint64(table.meld_wild_ranks[side, meld, wild])) & BIT) == NONE:
            table.meld_wild_ranks[side, meld, wild] = lowest_bit(free)
            free &= free - BIT


@kernel
def add_curingas(table: Any, side: int, meld: int, one: np.uint64, two: np.uint64, places: np.uint64) -> None:
    """Note the curingas of a meld action on the meld, the lowest card at the lowest place."""
    wilds = np.int64(table.meld_wilds[side, meld])
    rest_one = one & CURINGAS
    rest_two = two & CURINGAS
    while rest_one != NONE:
        card = lowest_bit(rest_one)
        bit = card_bit(card)
        table.meld_wild_cards[side, meld, wilds] = card
        if places != NONE:
            table.meld_wild_ranks[side, meld, wilds] = lowest_bit(places)
            places &= places - BIT
        wilds += 1
        if (rest_two & bit) != NONE:
            rest_two &= ~bit
        else:
            rest_one &= ~bit
    table.meld_wilds[side, meld] = wilds


@kernel
def lay(table: Any, options: Any, side: int, target: int, one: np.uint64, two: np.uint64, places: np.uint64) -> int:
    """Carry out a legal meld action on the table; return the number of the meld (CAN-12 to CAN-17)."""
    meld = target
    size_before = 0
    wilds_before = 0
    if target < 0:
        meld = np.int64(table.meld_count[side])
        table.meld_count[side] = meld + 1
        table.meld_wilds[side, meld] = 0
        table.meld_places[side, meld] = 0
        table.meld_one[side, meld] = NONE
        table.meld_two[side, meld] = NONE
        first = lowest_bit(one & NATURALS)
        table.meld_kind[side, meld] = SEQUENCE if target == NEW_SEQUENCE else LAVADEIRA
        if target == NEW_SEQUENCE:
            ranks = lane(one & NATURALS, first >> 4) | places
            table.meld_suit[side, meld] = first >> 4
            table.meld_low[side, meld] = lowest_bit(ranks)
            table.meld_high[side, meld] = highest_bit(ranks)
            table.meld_places[side, meld] = places
        else:
            table.meld_suit[side, meld] = 0
            table.meld_low[side, meld] = first & 15
            table.meld_high[side, meld] = first & 15
            table.lavadeiras[side] |= BIT << np.uint64(first & 15)
        table.meld_size[side, meld] = 0
    else:
        size_before = np.int64(table.meld_size[side, meld])
        wilds_before = np.int64(table.meld_wilds[side, meld])
        if table.meld_kind[side, meld] == SEQUENCE:
            _article, low, high, new_places = extended_sequence(
                options,
                np.int64(table.meld_low[side, meld]),
                np.int64(table.meld_high[side, meld]),
                np.uint64(table.meld_places[side, meld]),
                lane(one & NATURALS, np.int64(table.meld_suit[side, meld])),
                places,
            )
            table.meld_low[side, meld] = low
            table.meld_high[side, meld] = high
            table.meld_places[side, meld] = new_places
            if wilds_before > 0:
                slide_curingas(table, side, meld, new_places & ~places)
    if table.meld_kind[side, meld] == LAVADEIRA:
        total_one, total_two = joined(
            table.meld_one[side, meld], table.meld_two[side, meld], one & NATURALS, two & NATURALS
        )
        table.meld_one[side, meld] = total_one
        table.meld_two[side, meld] = total_two
    if (one & CURINGAS) != NONE:
        add_curingas(table, side, meld, one, two, places)
    size = size_before + count(one, two)
    table.meld_size[side, meld] = size
    count_canastra(table, side, size_before, wilds_before, size, np.int64(table.meld_wilds[side, meld]))
    refresh_accepts(table, options, side)
    return meld


@kernel
def count_canastra(table: Any, side: int, size_before: int, wilds_before: int, size: int, wilds: int) -> None:
    """Keep the counts of canastras limpas and sujas (CAN-17)."""
    if size_before >= CANASTRA_SIZE:
        if wilds_before > 0:
            table.dirty_canastras[side] -= 1
        else:
            table.clean_canastras[side] -= 1
    if size >= CANASTRA_SIZE:
        if wilds > 0:
            table.dirty_canastras[side] += 1
        else:
            table.clean_canastras[side] += 1


@kernel
def refresh_accepts(table: Any, options: Any, side: int) -> None:
    """Recompute the naturals that the side's melds take singly."""
    accepts = NONE
    for meld in range(np.int64(table.meld_count[side])):
        accepts |= accepted_naturals(table, options, side, meld)
    table.accepts[side] = accepts
