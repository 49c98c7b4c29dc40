"""The heuristics behind `novice`, `standard` and `expert`: drawing, opening, melding, going out.

One way of thinking, weighed by named parameters. Whole hands are searched at once, by rank.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.canasta.going_out import find_going_out, place_anywhere
from kernels.canasta.layout import (
    CANASTA_SIZE,
    GOING_OUT_POINTS,
    JOKERS,
    SIDES,
    TWOS,
)
from kernels.canasta.meld_rules import (
    LEGAL,
    MELD_MARKS,
    canasta_marks,
    lowest_rank,
    pile_frozen_for,
    spent,
    take_article,
    top_rank,
)
from kernels.canasta.openings import NO_COST, find_opening, split_wilds
from kernels.canasta.outlook import in_danger, table_points
from kernels.canasta.parameters import (
    FIRST_MIX,
    HOLD_PAIRS,
    KEEP_HAND,
    MIX,
    NATURAL_HOPE,
    NATURAL_STOCK,
    OPEN_BEHIND,
    OPEN_COST,
    OPEN_JOKER,
    OPEN_PAIR,
    OPEN_PILE,
    OPEN_PILE_CARD,
    OPEN_STOCK,
    OPEN_TURN,
    OPEN_TWO,
    OUT_LEAD,
    OUT_STOCK,
    REFUSE_POINTS,
    TAKE_DANGER,
    TAKE_PILE,
    TAKE_WILD,
)
from kernels.canasta.values import NATURAL_RANKS, points_of
from kernels.rank_counts import NOTHING, ONE, at_least, marked, number_of, one_of, ones, total

PAIR, TRIPLE, MORE = np.uint64(2), np.uint64(3), np.uint64(4)
CARD_COST = np.int64(10)
NO_TAKE = (False, NOTHING, NOTHING, NOTHING)
NO_MELD = (NOTHING, NOTHING, NOTHING)


@kernel
def opening_costs(parameters: Any) -> tuple[np.int64, np.int64, np.int64, np.int64]:
    """What the search for a first meld weighs by."""
    return CARD_COST, parameters[OPEN_PAIR], parameters[OPEN_TWO], parameters[OPEN_JOKER]


@kernel
def heuristic_draw(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """Take the pile when it is big enough for what it costs."""
    side = seat % SIDES
    size = np.int64(table.pile_size)
    rank = top_rank(table)
    held = number_of(hand, rank)
    top = one_of(rank)
    ends = table.stock_left == 0
    if table.melded[side] == NOTHING:
        if held < 2:
            return NO_TAKE
        most = np.int64(table.hand_count[seat]) + min(np.int64(0), size - 3)
        cost, naturals, jokers, twos = find_opening(
            hand, top, np.int64(table.minimum[side]), most, opening_costs(parameters)
        )
        if cost > parameters[OPEN_PILE] + parameters[OPEN_PILE_CARD] * size and not (ends and cost < NO_COST):
            return NO_TAKE
    else:
        naturals, jokers, twos = NOTHING, NOTHING, NOTHING
        frozen = pile_frozen_for(table, side)
        if size < parameters[TAKE_PILE] and not ends:
            return NO_TAKE
        if size > parameters[TAKE_DANGER] and in_danger(table, options, side, parameters):
            return NO_TAKE
        if frozen or number_of(table.melded[side], rank) == 0:
            if held >= 2:
                naturals = PAIR * top
            elif frozen or held == 0 or (size < parameters[TAKE_WILD] and not ends):
                return NO_TAKE
            else:
                naturals = top
                if number_of(hand, TWOS) > 0:
                    twos = top
                elif number_of(hand, JOKERS) > 0:
                    jokers = top
                else:
                    return NO_TAKE
    if take_article(table, options, seat, hand, naturals, jokers, twos) != LEGAL:
        return NO_TAKE
    return True, naturals, jokers, twos


@kernel
def wants_out(table: Any, options: Any, seat: int, parameters: Any) -> bool:
    """Whether to go out now that it is possible."""
    side = seat % SIDES
    if table.hand_count[seat] <= 1 or table.stock_left <= parameters[OUT_STOCK]:
        return True
    lead = table_points(table, side) + GOING_OUT_POINTS - table_points(table, 1 - side)
    return lead >= parameters[OUT_LEAD] or in_danger(table, options, side, parameters)


@kernel
def heuristic_ask(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """Ask whenever going out is possible and wanted."""
    side = seat % SIDES
    found, naturals, jokers, twos = find_going_out(
        options, np.uint64(table.melded[side]), np.uint64(table.wilds[side]), hand
    )
    if found and wants_out(table, options, seat, parameters):
        return True, naturals, jokers, twos
    return NO_TAKE


@kernel
def heuristic_answer(table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any) -> bool:
    """Let the partner go out unless the own hand would cost too much."""
    if in_danger(table, options, seat % SIDES, parameters):
        return True
    return points_of(hand) <= parameters[REFUSE_POINTS]


@kernel
def opening_meld(
    table: Any, seat: int, hand: np.uint64, parameters: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """The first meld from the hand, if it is worth its cards now."""
    side = seat % SIDES
    most = np.int64(table.hand_count[seat]) - 2
    cost, naturals, jokers, twos = find_opening(
        hand, NOTHING, np.int64(table.minimum[side]), most, opening_costs(parameters)
    )
    if cost == NO_COST:
        return NO_TAKE
    bearable = parameters[OPEN_COST] + parameters[OPEN_TURN] * np.int64(table.turn)
    if table.melded[1 - side] != NOTHING:
        bearable += parameters[OPEN_BEHIND]
    if cost > bearable and table.stock_left > parameters[OPEN_STOCK]:
        return NO_TAKE
    return True, naturals, jokers, twos


@kernel
def lay_own(naturals: np.uint64, wilds: np.uint64, held: np.uint64, budget: int) -> tuple[np.uint64, np.int64]:
    """Natural cards laid on own melds within a budget, those that complete canastas first; what is left of it."""
    if total(held) <= budget:
        return held, budget - total(held)
    sizes = (naturals + wilds + held) & NATURAL_RANKS
    complete = at_least(sizes, np.uint64(CANASTA_SIZE))
    laid = NOTHING
    for group in (marked(complete), ~marked(complete)):
        rest = at_least(held & group, ONE)
        while rest != NOTHING and budget > 0:
            rank = lowest_rank(rest)
            rest &= rest - ONE
            part = min(budget, number_of(held, rank))
            laid += np.uint64(part) * one_of(rank)
            budget -= part
    return laid, budget


@kernel
def mix_canastas(
    table: Any,
    naturals: np.uint64,
    wilds: np.uint64,
    free: int,
    have: int,
    danger: bool,
    parameters: Any,
) -> tuple[np.uint64, np.int64]:
    """Put wild cards where they complete a canasta that is worth them; the melds' wild cards and how many are left."""
    owned = at_least(naturals, ONE) & MELD_MARKS
    for lacking in range(1, 4):
        size = CANASTA_SIZE - lacking
        if free < lacking:
            break
        sizes = (naturals + wilds) & NATURAL_RANKS
        near = owned & at_least(sizes, np.uint64(size)) & ~at_least(sizes, np.uint64(CANASTA_SIZE))
        near &= ~at_least(wilds, np.uint64(4 - lacking))
        if not danger and have > 0 and size >= parameters[NATURAL_HOPE]:
            if table.stock_left > parameters[NATURAL_STOCK]:
                near &= at_least(wilds, ONE)
        while near != NOTHING and free >= lacking:
            if not danger and size < (parameters[FIRST_MIX] if have == 0 else parameters[MIX]):
                break
            rank = lowest_rank(near)
            near &= near - ONE
            wilds += np.uint64(lacking) * one_of(rank)
            free -= lacking
            have += 1
    return wilds, np.int64(free)


@kernel
def further_melds(
    table: Any,
    options: Any,
    side: int,
    melded: np.uint64,
    wilds: np.uint64,
    hand: np.uint64,
    budget: int,
    parameters: Any,
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """What to lay beside the side's melds, at most `budget` cards: naturals, jokers and twos by rank."""
    danger = in_danger(table, options, side, parameters)
    own = at_least(melded, ONE) & MELD_MARKS
    held = hand & marked(own)
    if not danger and table.pile_frozen != 0 and table.pile_size >= parameters[HOLD_PAIRS]:
        # A pair takes the frozen pile; what makes a canasta is laid all the same.
        short = ~at_least((melded + wilds + held) & NATURAL_RANKS, np.uint64(CANASTA_SIZE))
        held -= PAIR * ones(at_least(held, PAIR) & short)
    laid, budget = lay_own(melded, wilds, held, np.int64(budget))
    triples = at_least(hand & NATURAL_RANKS, TRIPLE) & ~own
    while triples != NOTHING:
        rank = lowest_rank(triples)
        triples &= triples - ONE
        cards = number_of(hand, rank)
        if cards <= budget and (danger or budget + 2 - cards >= parameters[KEEP_HAND]):
            laid += np.uint64(cards) * one_of(rank)
            budget -= cards
    jokers = number_of(hand, JOKERS)
    free = min(jokers + number_of(hand, TWOS), budget)
    if free <= 0:
        return laid, NOTHING, NOTHING
    naturals = melded + laid
    have = popcount(canasta_marks(naturals, wilds))
    all_wilds, left = mix_canastas(table, naturals, wilds, free, have, danger, parameters)
    if danger:
        if left > 0:
            pairs = at_least(hand & NATURAL_RANKS, PAIR) & ~at_least(naturals, ONE)
            budget -= free - left
            while pairs != NOTHING and left > 0 and budget >= 3:
                rank = lowest_rank(pairs)
                pairs &= pairs - ONE
                laid += PAIR * one_of(rank)
                naturals += PAIR * one_of(rank)
                all_wilds += one_of(rank)
                left -= 1
                budget -= 3
            left = min(left, budget)
        if left > 0:
            all_wilds, left = place_anywhere(naturals, all_wilds, left, left)
    as_jokers, as_twos = split_wilds(all_wilds - wilds, jokers)
    return laid, as_jokers, as_twos


@kernel
def heuristic_meld(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """All that is to be laid this turn, at once: everything to go out, else the first meld and what joins it."""
    if table.laid != 0:
        return NO_MELD
    side = seat % SIDES
    melded, wilds = np.uint64(table.melded[side]), np.uint64(table.wilds[side])
    if table.answer >= 0:
        found, naturals, jokers, twos = find_going_out(options, melded, wilds, hand)
        if found and wants_out(table, options, seat, parameters):
            return naturals, jokers, twos
    naturals, jokers, twos = NOTHING, NOTHING, NOTHING
    if melded == NOTHING:
        opens, naturals, jokers, twos = opening_meld(table, seat, hand, parameters)
        if not opens:
            return NO_MELD
    rest = hand - spent(naturals, jokers, twos)
    budget = total(rest) - 2
    if budget <= 0:
        return naturals, jokers, twos
    more, more_jokers, more_twos = further_melds(
        table, options, side, melded + naturals, wilds + jokers + twos, rest, budget, parameters
    )
    return naturals + more, jokers + more_jokers, twos + more_twos
