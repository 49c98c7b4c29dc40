"""What the heuristic policies take and discard; `policy_melds` says what they lay.

One way of thinking, weighed by named parameters (`kernels.canastra.parameters`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.canastra.layout import (
    JUSTIFY_NATURALS_ONLY,
    JUSTIFY_NEW_OR_EXTEND,
    LAVADEIRA,
    NEW_LAVADEIRA,
    NEW_SEQUENCE,
    SIDES,
    STOP,
)
from kernels.canastra.meld_rules import (
    CANASTRA_SIZE,
    CURINGAS,
    LOWEST_RANK,
    NATURALS,
    accepted_naturals,
    curinga_place,
    size_after,
)
from kernels.canastra.parameters import (
    COUNT_CARDS,
    FEED_KNOWN,
    FEED_LIXO,
    FEED_PAIRS,
    KEEP_BLACK_THREE,
    KEEP_CURINGA,
    KEEP_FED,
    KEEP_GAP,
    KEEP_NEAR,
    KEEP_NEIGHBOUR,
    KEEP_PAIR,
    LOCK_LIXO,
    TAKE_CURINGA,
    TAKE_LIXO,
)
from kernels.canastra.policy_melds import (
    TWO,
    cards_left_to_draw,
    curinga_meld,
    pair_with_curinga,
    run_above,
    run_below,
)
from kernels.canastra.rules import may_keep
from kernels.melds import BIT, BLACK_THREES, NONE, card_bit, count, in_lane, joined, lane, of_rank, runs_of_three


@kernel
def accepting_meld(table: Any, options: Any, side: int, card: np.uint64) -> int:
    """The longest own meld that takes a natural card singly."""
    best, best_size = STOP, 0
    for meld in range(np.int64(table.meld_count[side])):
        size = np.int64(table.meld_size[side, meld])
        if size > best_size and (card & accepted_naturals(table, options, side, meld)) != NONE:
            best, best_size = meld, size
    return best


@kernel
def justification(
    table: Any, options: Any, side: int, hand_one: np.uint64, hand_two: np.uint64, top: int, with_curinga: bool
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """Cards from the hand that justify taking the lixo, natural ones before a curinga (CAN-08); `STOP` for none."""
    bit = card_bit(top)
    curingas = hand_one & CURINGAS
    if options.lixo_justify == JUSTIFY_NEW_OR_EXTEND:
        if (bit & table.accepts[side]) != NONE:
            return accepting_meld(table, options, side, bit), NONE, NONE, NONE
        if (bit & CURINGAS) != NONE:
            meld = curinga_meld(table, options, side)
            if meld != STOP:
                return meld, NONE, NONE, curinga_place(table, side, meld)
    if (bit & CURINGAS) != NONE:
        target, one, two, places = pair_with_curinga(table, options, side, hand_one, hand_two, NONE)
        return target, one, two, places
    naturals = (hand_one & NATURALS) | bit
    rank = top & 15
    # Three consecutive cards, the top card among them.
    starts = runs_of_three(naturals)
    if (starts & (bit | (bit >> BIT) | (bit >> TWO))) != NONE:
        suit = top >> 4
        ranks = lane(naturals, suit)
        run = run_above(ranks, rank) | run_below(ranks, rank)
        return NEW_SEQUENCE, in_lane(run, suit) & ~bit, NONE, NONE
    same = of_rank(rank)
    one, two = hand_one & same, hand_two & same
    held = count(one, two)
    if ((options.lavadeira_ranks >> np.uint64(rank)) & BIT) != NONE and held >= 2:
        if ((table.lavadeiras[side] >> np.uint64(rank)) & BIT) == NONE:
            return NEW_LAVADEIRA, one, two, NONE
        for meld in range(np.int64(table.meld_count[side])):
            if table.meld_kind[side, meld] == LAVADEIRA and table.meld_low[side, meld] == rank:
                return meld, one, two, NONE
    if not with_curinga or curingas == NONE:
        return STOP, NONE, NONE, NONE
    curinga = card_bit(lowest_bit(curingas))
    around = naturals & ~bit
    near = around & ((bit << TWO) | (bit >> TWO) | (bit << BIT) | (bit >> BIT))
    if near != NONE:
        gap = near & ((bit << TWO) | (bit >> TWO))
        other = card_bit(lowest_bit(gap if gap != NONE else near))
        low = min(top, lowest_bit(other)) & 15
        if gap != NONE:
            return NEW_SEQUENCE, other | curinga, NONE, BIT << np.uint64(low + 1)
        place = low - 1 if low > LOWEST_RANK else low + 2
        return NEW_SEQUENCE, other | curinga, NONE, BIT << np.uint64(place)
    if (
        held == 1
        and ((options.lavadeira_ranks >> np.uint64(rank)) & BIT) != NONE
        and ((table.lavadeiras[side] >> np.uint64(rank)) & BIT) == NONE
    ):
        return NEW_LAVADEIRA, one | curinga, NONE, NONE
    return STOP, NONE, NONE, NONE


@kernel
def heuristic_draw(
    table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, parameters: Any
) -> tuple[bool, int, np.uint64, np.uint64, np.uint64]:
    """Take the lixo when it is justified and big enough for what it costs."""
    side = seat % SIDES
    size = np.int64(table.lixo_size)
    ends = cards_left_to_draw(table, options) == 0
    if size < parameters[TAKE_LIXO] and not ends:
        return False, STOP, NONE, NONE, NONE
    with_curinga = options.lixo_justify != JUSTIFY_NATURALS_ONLY and (size >= parameters[TAKE_CURINGA] or ends)
    top = np.int64(table.lixo[size - 1])
    target, one, two, places = justification(table, options, side, hand_one, hand_two, top, with_curinga)
    if target == STOP:
        return False, STOP, NONE, NONE, NONE
    cards = count(one, two)
    left = np.int64(table.hand_count[seat]) - cards + size - 1
    makes_canastra = size_after(table, side, target, one, two) + 1 >= CANASTRA_SIZE
    if not may_keep(table, options, side, left, makes_canastra):
        return False, STOP, NONE, NONE, NONE
    return True, target, one, two, places


@kernel
def live_masks(table: Any, hand_one: np.uint64, hand_two: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Naturals of which at least one copy, and of which both copies, are neither in the hand nor openly seen."""
    located_one, located_two = joined(hand_one, hand_two, table.seen_one, table.seen_two)
    return NATURALS & ~located_two, NATURALS & ~located_one


@kernel
def pairs_around(cards: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """For every card whether the two below it, the two beside it, the two above it are among `cards`."""
    return (cards << BIT) & (cards << TWO), (cards << BIT) & (cards >> BIT), (cards >> BIT) & (cards >> TWO)


@kernel
def bit_of(word: np.uint64, card: int) -> int:
    """1 where the word has the card, else 0."""
    return np.int64((word >> np.uint64(card)) & BIT)


@kernel
def heuristic_discard(
    table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, parameters: Any
) -> int:
    """Discard the card worth least to the hand, what it gives to the opponents counted in.

    The next player takes the lixo with two cards beside the top one, so a card is the safer the fewer such
    pairs can still be in his hand.
    """
    side = seat % SIDES
    naturals = hand_one & NATURALS
    live, both_live = live_masks(table, hand_one, hand_two)
    neighbours = (naturals << BIT) | (naturals >> BIT)
    gaps = (naturals << TWO) | (naturals >> TWO)
    if parameters[COUNT_CARDS] != 0:
        # Only what a live card, or an own meld, can still complete.
        upper = naturals & (naturals >> BIT) & ((live << BIT) | (live >> TWO))
        neighbours = upper | (upper << BIT)
        middle = naturals & (naturals >> TWO) & (live >> BIT)
        gaps = middle | (middle << TWO)
    own = table.accepts[side]
    near = (own << BIT) | (own >> BIT)
    lavadeiras = np.uint64(options.lavadeira_ranks) & ~table.lavadeiras[side]
    fed = table.accepts[1 - side]
    below, beside, above = pairs_around(live)
    below_both, beside_both, above_both = pairs_around(both_live)
    next_seat = seat + 1 if seat + 1 < table.players else np.int64(0)
    known = table.known_one[next_seat] & NATURALS
    known_near = (known << BIT) | (known >> BIT) | (known << TWO) | (known >> TWO)
    feed = parameters[FEED_PAIRS] * min(np.int64(table.lixo_size) + 1, parameters[FEED_LIXO])
    best, best_value = -1, np.int64(1) << 40
    rest = hand_one
    while rest != NONE:
        card = lowest_bit(rest)
        bit = card_bit(card)
        rest &= rest - BIT
        value = np.int64(0)
        if (bit & CURINGAS) != NONE:
            value = 100 * parameters[KEEP_CURINGA]
        elif (bit & BLACK_THREES) != NONE:
            value = 100 * parameters[KEEP_BLACK_THREE]
            if table.lixo_size >= parameters[LOCK_LIXO]:
                value = -100_000
        else:
            rank = card & 15
            same = of_rank(rank)
            is_lavadeira = bit_of(np.uint64(options.lavadeira_ranks), rank)
            if (hand_two & bit) == NONE:
                value += 100 * (
                    parameters[KEEP_NEIGHBOUR] * bit_of(neighbours, card)
                    + parameters[KEEP_GAP] * bit_of(gaps, card)
                    + parameters[KEEP_NEAR] * bit_of(near, card)
                )
            if bit_of(lavadeiras, rank) != 0 and count(hand_one & same, hand_two & same) >= 2:
                value += 100 * parameters[KEEP_PAIR]
            value += 100 * parameters[KEEP_FED] * bit_of(fed, card)
            ways = bit_of(below, card) + bit_of(beside, card) + bit_of(above, card)
            ways += bit_of(below_both, card) + bit_of(beside_both, card) + bit_of(above_both, card)
            ways += parameters[FEED_KNOWN] * bit_of(known_near, card)
            if is_lavadeira != 0:
                copies = count(live & same, both_live & same)
                ways += copies * (copies - 1) // 6
                ways += parameters[FEED_KNOWN] * popcount(known & same)
            value += feed * ways
        if value < best_value:
            best, best_value = card, value
    return best
