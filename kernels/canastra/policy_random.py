"""The policy `random`: uniform over the elementary legal steps, stopping included.

Elementary steps are: drawing or one justification of the lixo by two hand cards (or by an extension with the
top card alone, where the house rule allows it); a new meld of three cards, one natural or one curinga added
to an own meld, or stopping; a card to discard.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.canastra.layout import LAVADEIRA, NEW_LAVADEIRA, NEW_SEQUENCE, SIDES, STOP
from kernels.canastra.meld_rules import (
    CANASTRA_SIZE,
    CURINGAS,
    HIGHEST_RANK,
    LEGAL,
    LOWEST_RANK,
    RANKS,
    accepted_naturals,
    size_after,
    takes_curinga,
)
from kernels.canastra.parameters import STOP_WEIGHT
from kernels.canastra.rules import batida_open, discard_article, justifies, may_keep, morto_open
from kernels.melds import BIT, NONE, card_bit, count, in_lane, joined, of_rank, without
from kernels.rng import bounded


@kernel
def pick(stream: Any, seen: int) -> bool:
    """Whether the newest of `seen` steps replaces the one picked so far, so that each is equally likely."""
    return bounded(stream, seen) == 0


@kernel
def allowed(
    table: Any, options: Any, side: int, hand: int, top: np.uint64, target: int, one: np.uint64, two: np.uint64
) -> bool:
    """Whether a well-formed step may be done now, from the hand or with the `top` card of the lixo (CAN-08, CAN-21)."""
    makes_canastra = size_after(table, side, target, one, two) >= CANASTRA_SIZE
    left = hand - count(one, two)
    if top != NONE:
        if (one & top) == NONE:
            return False
        used_one, used_two = without(one, two, top, NONE)
        if not justifies(table, options, side, target, used_one, used_two, top):
            return False
        left += np.int64(table.lixo_size)
    return may_keep(table, options, side, left, makes_canastra)


@kernel
def random_step(
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    hand: int,
    top: np.uint64,
    stream: Any,
    seen: int,
) -> tuple[int, int, np.uint64, np.uint64, np.uint64]:
    """Walk over the elementary melds and extensions and pick one, `seen` other steps counted before.

    Returns the number of steps seen and the action picked, its cards including the top card; target `STOP`
    when an earlier step stays picked.
    """
    side = seat % SIDES
    target, one, two, places = STOP, NONE, NONE, NONE
    with_one, with_two = joined(hand_one, hand_two, top, NONE)

    curingas = with_one & CURINGAS
    for meld in range(np.int64(table.meld_count[side])):
        cards = (with_one & accepted_naturals(table, options, side, meld)) | curingas
        while cards != NONE:
            bit = card_bit(lowest_bit(cards))
            cards &= ~bit
            low_place, high_place = NONE, NONE
            if (bit & CURINGAS) != NONE:
                if not takes_curinga(table, options, side, meld):
                    continue
                if table.meld_kind[side, meld] != LAVADEIRA:
                    low_place = ((BIT << np.uint64(table.meld_low[side, meld])) >> BIT) & RANKS
                    high_place = (BIT << np.uint64(table.meld_high[side, meld] + 1)) & RANKS
                    if low_place == NONE:
                        low_place, high_place = high_place, NONE
            if allowed(table, options, side, hand, top, meld, bit, NONE):
                seen += 1
                if pick(stream, seen):
                    target, one, two, places = meld, bit, NONE, low_place
            if high_place != NONE and allowed(table, options, side, hand, top, meld, bit, NONE):
                seen += 1
                if pick(stream, seen):
                    target, one, two, places = meld, bit, NONE, high_place
        if top != NONE and table.meld_kind[side, meld] == LAVADEIRA:
            # Joining a lavadeira with two of its rank from the hand (CAN-08).
            rank = of_rank(np.int64(table.meld_low[side, meld]))
            fits = (top & rank) != NONE or ((top & CURINGAS) != NONE and takes_curinga(table, options, side, meld))
            first = hand_one & rank if fits else NONE
            while first != NONE:
                bit = card_bit(lowest_bit(first))
                second = (first & ~bit) | (hand_two & bit)
                first &= ~bit
                while second != NONE:
                    other = card_bit(lowest_bit(second))
                    second &= ~other
                    pair_one, pair_two = joined(bit, NONE, other, NONE)
                    all_one, all_two = joined(pair_one, pair_two, top, NONE)
                    if allowed(table, options, side, hand, top, meld, all_one, all_two):
                        seen += 1
                        if pick(stream, seen):
                            target, one, two, places = meld, all_one, all_two, NONE

    for suit in range(4):
        for low in range(LOWEST_RANK, HIGHEST_RANK - 1):
            run = in_lane(np.uint64(7) << np.uint64(low), suit)
            if count(with_one & run, NONE) < 2:
                continue
            if (with_one & run) == run and allowed(table, options, side, hand, top, NEW_SEQUENCE, run, NONE):
                seen += 1
                if pick(stream, seen):
                    target, one, two, places = NEW_SEQUENCE, run, NONE, NONE
            for step in range(3):
                place = BIT << np.uint64(low + step)
                pair = run & ~in_lane(place, suit)
                if (with_one & pair) != pair:
                    continue
                cards = curingas
                while cards != NONE:
                    bit = card_bit(lowest_bit(cards))
                    cards &= ~bit
                    if allowed(table, options, side, hand, top, NEW_SEQUENCE, pair | bit, NONE):
                        seen += 1
                        if pick(stream, seen):
                            target, one, two, places = NEW_SEQUENCE, pair | bit, NONE, place

    lavadeiras = np.uint64(options.lavadeira_ranks) & ~table.lavadeiras[side]
    for rank_number in range(LOWEST_RANK, HIGHEST_RANK + 1):
        rank = of_rank(rank_number)
        if ((lavadeiras >> np.uint64(rank_number)) & BIT) == NONE:
            continue
        if count(with_one & rank, with_two & rank) < 2:
            continue
        first = with_one & rank
        while first != NONE:
            bit = card_bit(lowest_bit(first))
            second = (first & ~bit) | (with_two & bit)
            first &= ~bit
            while second != NONE:
                other = card_bit(lowest_bit(second))
                second &= ~other
                pair_one, pair_two = joined(bit, NONE, other, NONE)
                # The third card: a natural not before the second, so that each set is met once, or a curinga.
                third = (second | (with_two & other & ~pair_two) | curingas) if other != bit else second | curingas
                while third != NONE:
                    last = card_bit(lowest_bit(third))
                    third &= ~last
                    all_one, all_two = joined(pair_one, pair_two, last, NONE)
                    if allowed(table, options, side, hand, top, NEW_LAVADEIRA, all_one, all_two):
                        seen += 1
                        if pick(stream, seen):
                            target, one, two, places = NEW_LAVADEIRA, all_one, all_two, NONE
    return seen, target, one, two, places


@kernel
def random_draw(
    table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, parameters: Any, stream: Any
) -> tuple[bool, int, np.uint64, np.uint64, np.uint64]:
    """Draw from the stock (or decline, at its end), or take the lixo by one of its elementary justifications."""
    hand = np.int64(table.hand_count[seat])
    seen = np.int64(1)
    top = card_bit(np.int64(table.lixo[table.lixo_size - 1]))
    _seen, target, one, two, places = random_step(table, options, seat, hand_one, hand_two, hand, top, stream, seen)
    if target == STOP:
        return False, STOP, NONE, NONE, NONE
    used_one, used_two = without(one, two, top, NONE)
    return True, target, used_one, used_two, places


@kernel
def random_meld(
    table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, parameters: Any, stream: Any
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """Lay one elementary meld or stop; a player who took the lixo may not stop on a card that he may not discard."""
    side = seat % SIDES
    must_lay = (
        table.took_lixo != 0
        and table.hand_count[seat] == 1
        and not (morto_open(table, side) or batida_open(table, side))
    )
    hand = np.int64(table.hand_count[seat])
    seen = np.int64(0) if must_lay else parameters[STOP_WEIGHT]
    _seen, target, one, two, places = random_step(table, options, seat, hand_one, hand_two, hand, NONE, stream, seen)
    return target, one, two, places


@kernel
def random_discard(table: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, stream: Any) -> int:
    """Discard any card of the hand, each copy equally likely."""
    seen = 0
    picked = -1
    rest = hand_one
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        if discard_article(table, seat, hand_one, card) != LEGAL:
            continue
        copies = 2 if (hand_two & card_bit(card)) != NONE else 1
        for _ in range(copies):
            seen += 1
            if pick(stream, seen):
                picked = card
    return picked
