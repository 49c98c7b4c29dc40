"""The policy `random`: uniform over the elementary legal steps, stopping included.

Elementary steps are: drawing or one justification of the lixo by two hand cards (or by an extension with the
top card alone, where the house rule allows it); a new meld of three cards, one natural or one curinga added
to an own meld, or stopping; a card to discard.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.canastra.layout import LAVADEIRA, NEW_LAVADEIRA, NEW_SEQUENCE, SIDES, STOP
from kernels.canastra.lixo import justifies
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
from kernels.canastra.rules import batida_open, discard_article, may_keep, morto_open
from kernels.melds import BIT, NONE, card_bit, count, in_lane, joined, of_rank, without
from kernels.rng import bounded

ANY = np.int64(0)
Step = tuple[int, int, np.uint64, np.uint64, np.uint64]


@kernel
def allowed(
    table: Any, options: Any, side: int, hand: int, top: np.uint64, target: int, one: np.uint64, two: np.uint64
) -> bool:
    """Whether a well-formed step may be done now, from the hand or with the `top` card of the lixo (CAN-08, CAN-21)."""
    makes_canastra = size_after(table, side, target, one, two) >= CANASTRA_SIZE
    left = hand - count(one, two)
    if top != NONE:
        used_one, used_two = without(one, two, top, NONE)
        if not justifies(table, options, side, target, used_one, used_two, top):
            return False
        left += np.int64(table.lixo_size)
    return may_keep(table, options, side, left, makes_canastra)


@kernel
def consider(
    table: Any,
    options: Any,
    side: int,
    hand: int,
    top: np.uint64,
    stream: Any,
    wanted: int,
    step: Step,
    target: int,
    one: np.uint64,
    two: np.uint64,
    places: np.uint64,
) -> Step:
    """Replace the step picked so far by another, so that all steps seen are equally likely, if it is allowed.

    Where a number is `wanted`, the step of that number is picked, and what may not be done now is counted too.
    """
    if top != NONE and (one & top) == NONE:
        return step
    if wanted == 0 and not allowed(table, options, side, hand, top, target, one, two):
        return step
    seen = step[0] + 1
    if seen == wanted or (wanted == 0 and bounded(stream, seen) == 0):
        return seen, target, one, two, places
    return seen, step[1], step[2], step[3], step[4]


@kernel
def consider_extensions(
    table: Any,
    options: Any,
    side: int,
    hand: int,
    with_one: np.uint64,
    top: np.uint64,
    stream: Any,
    wanted: int,
    step: Step,
) -> Step:
    """Walk over the single cards that own melds take, a curinga at either end."""
    for meld in range(np.int64(table.meld_count[side])):
        cards = with_one & accepted_naturals(table, options, side, meld)
        while cards != NONE:
            bit = card_bit(lowest_bit(cards))
            cards &= ~bit
            step = consider(table, options, side, hand, top, stream, wanted, step, meld, bit, NONE, NONE)
        if not takes_curinga(table, options, side, meld):
            continue
        low, high = NONE, NONE
        if table.meld_kind[side, meld] != LAVADEIRA:
            low = ((BIT << np.uint64(table.meld_low[side, meld])) >> BIT) & RANKS
            high = (BIT << np.uint64(table.meld_high[side, meld] + 1)) & RANKS
            if low == NONE:
                low, high = high, NONE
        cards = with_one & CURINGAS
        while cards != NONE:
            bit = card_bit(lowest_bit(cards))
            cards &= ~bit
            step = consider(table, options, side, hand, top, stream, wanted, step, meld, bit, NONE, low)
            if high != NONE:
                step = consider(table, options, side, hand, top, stream, wanted, step, meld, bit, NONE, high)
    return step


@kernel
def consider_joining(
    table: Any,
    options: Any,
    side: int,
    hand: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    top: np.uint64,
    stream: Any,
    wanted: int,
    step: Step,
) -> Step:
    """Walk over the pairs from the hand that join an own lavadeira with the top card of the lixo (CAN-08)."""
    for meld in range(np.int64(table.meld_count[side])):
        if table.meld_kind[side, meld] != LAVADEIRA:
            continue
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
                one, two = joined(pair_one, pair_two, top, NONE)
                step = consider(table, options, side, hand, top, stream, wanted, step, meld, one, two, NONE)
    return step


@kernel
def consider_sequences(
    table: Any,
    options: Any,
    side: int,
    hand: int,
    with_one: np.uint64,
    top: np.uint64,
    stream: Any,
    wanted: int,
    step: Step,
) -> Step:
    """Walk over the new sequences of three cards, natural or with one curinga at any of the three places."""
    for suit in range(4):
        for low in range(LOWEST_RANK, HIGHEST_RANK - 1):
            run = in_lane(np.uint64(7) << np.uint64(low), suit)
            held = popcount(with_one & run)
            if held == 3:
                step = consider(table, options, side, hand, top, stream, wanted, step, NEW_SEQUENCE, run, NONE, NONE)
            if held < 2:
                continue
            for offset in range(3):
                place = BIT << np.uint64(low + offset)
                pair = run & ~in_lane(place, suit)
                cards = with_one & CURINGAS if (with_one & pair) == pair else NONE
                while cards != NONE:
                    one = pair | card_bit(lowest_bit(cards))
                    cards &= cards - BIT
                    step = consider(
                        table, options, side, hand, top, stream, wanted, step, NEW_SEQUENCE, one, NONE, place
                    )
    return step


@kernel
def consider_lavadeiras(
    table: Any,
    options: Any,
    side: int,
    hand: int,
    with_one: np.uint64,
    with_two: np.uint64,
    top: np.uint64,
    stream: Any,
    wanted: int,
    step: Step,
) -> Step:
    """Walk over the new lavadeiras of three cards, natural or with one curinga."""
    lavadeiras = np.uint64(options.lavadeira_ranks) & ~table.lavadeiras[side]
    while lavadeiras != NONE:
        rank = of_rank(lowest_bit(lavadeiras))
        lavadeiras &= lavadeiras - BIT
        first = with_one & rank
        while first != NONE:
            bit = card_bit(lowest_bit(first))
            second = (first & ~bit) | (with_two & bit)
            first &= ~bit
            while second != NONE:
                other = card_bit(lowest_bit(second))
                second &= ~other
                pair_one, pair_two = joined(bit, NONE, other, NONE)
                # The third card comes no earlier than the second, so that each set is met once.
                third = second | (with_one & CURINGAS)
                if other != bit:
                    third |= with_two & other
                while third != NONE:
                    one, two = joined(pair_one, pair_two, card_bit(lowest_bit(third)), NONE)
                    third &= third - BIT
                    step = consider(
                        table, options, side, hand, top, stream, wanted, step, NEW_LAVADEIRA, one, two, NONE
                    )
    return step


@kernel
def elementary_step(
    table: Any,
    options: Any,
    side: int,
    hand: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    top: np.uint64,
    stream: Any,
    wanted: int,
    stop_weight: int,
) -> Step:
    """Pick one of the elementary melds and extensions, or none, which counts as `stop_weight` steps.

    Parameters
    ----------
    table, options, side, hand, hand_one, hand_two
        The visible table, its house rules, the side to move, and the size and the cards of the hand.
    top
        The top card of the lixo where it is to be taken, else nothing.
    stream
        Decides which of the steps that may be done is picked.
    wanted
        0, or the number of a step, from 1, that is picked whether it may be done or not.
    stop_weight
        Steps that none counts as.

    Returns
    -------
    tuple
        Steps seen, then the action picked; its cards include the top card. Target `STOP` for none.
    """
    with_one, with_two = joined(hand_one, hand_two, top, NONE)
    step = (stop_weight, STOP, NONE, NONE, NONE)
    step = consider_extensions(table, options, side, hand, with_one, top, stream, wanted, step)
    if top != NONE:
        step = consider_joining(table, options, side, hand, hand_one, hand_two, top, stream, wanted, step)
    step = consider_sequences(table, options, side, hand, with_one, top, stream, wanted, step)
    return consider_lavadeiras(table, options, side, hand, with_one, with_two, top, stream, wanted, step)


@kernel
def random_draw(
    table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, parameters: Any, stream: Any
) -> tuple[bool, int, np.uint64, np.uint64, np.uint64]:
    """Draw from the stock (or decline, at its end), or take the lixo by one of its elementary justifications."""
    hand = np.int64(table.hand_count[seat])
    top = card_bit(np.int64(table.lixo[table.lixo_size - 1]))
    _seen, target, one, two, places = elementary_step(
        table, options, seat % SIDES, hand, hand_one, hand_two, top, stream, ANY, np.int64(1)
    )
    if target == STOP:
        return False, STOP, NONE, NONE, NONE
    used_one, used_two = without(one, two, top, NONE)
    return True, target, used_one, used_two, places


@kernel
def must_lay(table: Any, seat: int) -> bool:
    """Whether the player took the lixo and holds a single card that he may not discard (CAN-08, CAN-21)."""
    side = seat % SIDES
    single = table.took_lixo != 0 and table.hand_count[seat] == 1
    return single and not (morto_open(table, side) or batida_open(table, side))


@kernel
def random_meld(
    table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, parameters: Any, stream: Any
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """Lay one elementary meld or stop; a player who took the lixo may not stop on a card that he may not discard."""
    side = seat % SIDES
    hand = np.int64(table.hand_count[seat])
    stop_weight = np.int64(0) if must_lay(table, seat) else parameters[STOP_WEIGHT]
    _seen, target, one, two, places = elementary_step(
        table, options, side, hand, hand_one, hand_two, NONE, stream, ANY, stop_weight
    )
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
            if bounded(stream, seen) == 0:
                picked = card
    return picked
