"""The discard of the heuristic policies: what a card is worth to the hand against what it may give away."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.canasta.layout import CARDS, LOWEST_RANK, SEATS, SIDES, THREES
from kernels.canasta.meld_rules import lowest_rank, pile_frozen_for
from kernels.canasta.outlook import in_danger
from kernels.canasta.parameters import (
    COUNT_CARDS,
    DANGER_POINTS,
    FEED_JOIN,
    FEED_KNOWN,
    FEED_PAIR,
    FEED_PILE,
    FEED_SINGLE,
    FREEZE_PILE,
    FREEZE_WORTH,
    KEEP_BLACK_THREE,
    KEEP_OWN,
    KEEP_PAIR,
    KEEP_POINTS,
    KEEP_TRIPLE,
    KEEP_WILD,
    SAFE_THROWN,
    STOP_PILE,
    WEIGH_HANDS,
)
from kernels.canasta.values import points_of
from kernels.rank_counts import NOTHING, ONE, at_least, number_of, one_of, total

COPIES = np.int64(8)
USUAL_HIDDEN, USUAL_HAND, USUAL_PAIRS = np.int64(64), np.int64(11), np.int64(110)
ALWAYS = np.int64(100_000)


@kernel
def harm_of(table: Any, seat: int, hand: np.uint64, rank: int, frozen: bool, parameters: Any) -> np.int64:
    """What a natural card of a rank gives the next player, in hundredths, for each card of the pile.

    A frozen pile takes a pair; one that is not takes also a meld of the rank, or one natural card and a wild one. A
    rank that the next player threw himself is the safer.
    """
    other = 1 - seat % SIDES
    after = seat + 1 if seat + 1 < SEATS else np.int64(0)
    if not frozen and number_of(table.melded[other], rank) > 0:
        return 100 * parameters[FEED_JOIN]
    unseen = COPIES - number_of(table.seen, rank) - number_of(hand, rank)
    harm = parameters[FEED_PAIR] * (unseen * (unseen - 1) // 2)
    single_harm = np.int64(0) if frozen else parameters[FEED_SINGLE] * unseen
    if parameters[WEIGH_HANDS] != 0:
        # As many of the hidden cards as he holds, against a usual hand at a usual time.
        size = np.int64(table.hand_count[after])
        hidden = CARDS - total(table.seen) - total(hand)
        harm = harm * (size * (size - 1) * USUAL_HIDDEN * USUAL_HIDDEN) // (USUAL_PAIRS * hidden * hidden)
        single_harm = single_harm * size * USUAL_HIDDEN // (USUAL_HAND * hidden)
    harm += single_harm
    if number_of(table.thrown[after], rank) > 0:
        harm = harm * (100 - parameters[SAFE_THROWN]) // 100
    known = number_of(table.known[after], rank)
    if known >= 2 or (known == 1 and not frozen):
        harm += 100 * parameters[FEED_KNOWN]
    return harm


@kernel
def heuristic_discard(table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any) -> int:
    """Rank of the card worth least to the hand, what it gives the next player counted in."""
    side = seat % SIDES
    size = np.int64(table.pile_size)
    weight = min(size + 1, parameters[FEED_PILE])
    frozen = pile_frozen_for(table, 1 - side)
    own = np.uint64(table.melded[side])
    point_worth = parameters[KEEP_POINTS]
    if parameters[DANGER_POINTS] != 0 and in_danger(table, options, side, parameters):
        point_worth = -parameters[DANGER_POINTS]
    best, best_value = np.int64(-1), np.int64(1) << np.int64(40)
    rest = at_least(hand, ONE)
    while rest != NOTHING:
        rank = lowest_rank(rest)
        rest &= rest - ONE
        value = np.int64(0)
        if rank < THREES:
            value = 100 * parameters[KEEP_WILD]
            if not frozen and size >= parameters[FREEZE_PILE]:
                value -= 100 * parameters[FREEZE_WORTH] * size
        elif rank < LOWEST_RANK:
            value = 100 * parameters[KEEP_BLACK_THREE]
            if size >= parameters[STOP_PILE]:
                value = -ALWAYS
        else:
            held = number_of(hand, rank)
            if number_of(own, rank) > 0:
                value += 100 * parameters[KEEP_OWN]
            elif held >= 3:
                value += 100 * parameters[KEEP_TRIPLE]
            elif held == 2 and (parameters[COUNT_CARDS] == 0 or number_of(table.seen, rank) < COPIES - 2):
                value += 100 * parameters[KEEP_PAIR]
            value += point_worth * points_of(one_of(rank))
            value += weight * harm_of(table, seat, hand, rank, frozen, parameters)
        if value < best_value:
            best, best_value = rank, value
    return best
