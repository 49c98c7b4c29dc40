"""How the heuristic policies draw and lay: the discard that makes a meld, and waiting to lay all at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.loba.cards import JOKER_POINTS
from kernels.loba.covering import NEW
from kernels.loba.extending import best_cover, covered_count
from kernels.loba.meld_rules import LEGAL, fits, lay_article, must_lay, top_discard
from kernels.loba.outlook import opponents_melded, smallest_opponent_hand
from kernels.loba.parameters import (
    HOLD_HAND,
    HOLD_LAID,
    HOLD_LEFT,
    HOLD_TURN,
    JOKER_LAID,
    TAKE_CARDS,
)
from kernels.melds import NONE, card_bit, joined

BY_CARDS = np.int64(256)
"""Worth of a card beside its points: no sum of points outweighs a card more that lies."""

NO_LAY = (NEW, NONE, NONE, NONE)


@kernel
def joker_laid(options: Any, parameters: Any) -> np.int64:
    """Worth of a joker in the best cover; where the discard taken must lie, no cover of fewer cards is better."""
    if options.taken_discard_must_meld != 0:
        return BY_CARDS + JOKER_POINTS
    return BY_CARDS + parameters[JOKER_LAID]


@kernel
def heuristic_draw(table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any) -> bool:
    """Take the discard if with it so many cards more lie in melds."""
    must_meld = options.taken_discard_must_meld != 0
    if parameters[TAKE_CARDS] == 0 and not must_meld:
        return True
    top = top_discard(table)
    with_one, with_two = joined(one, two, card_bit(top), NONE)
    any_set = options.any_set != 0
    if fits(table, seat, any_set, with_one, with_two, top):
        joker = joker_laid(options, parameters)
        before = covered_count(best_cover(table, seat, any_set, one, two, BY_CARDS, joker))
        after = covered_count(best_cover(table, seat, any_set, with_one, with_two, BY_CARDS, joker))
        return after - before >= max(parameters[TAKE_CARDS], np.int64(must_meld))
    return False


@kernel
def waits(table: Any, seat: int, left: int, parameters: Any) -> bool:
    """Whether to keep everything in hand, so as to lay it all at once later (LOB-15)."""
    if table.has_laid[seat] != 0 or table.laid != 0 or left > parameters[HOLD_LEFT]:
        return False
    players = np.int64(table.players)
    if (np.int64(table.turn) + players - 1) // players >= parameters[HOLD_TURN]:
        return False
    if smallest_opponent_hand(table, seat) <= parameters[HOLD_HAND]:
        return False
    return opponents_melded(table, seat) < parameters[HOLD_LAID]


@kernel
def heuristic_lay(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any
) -> tuple[np.int64, np.uint64, np.uint64, np.uint64]:
    """Lay a piece of the best cover: whenever that goes out, else unless it is better to wait."""
    joker = joker_laid(options, parameters)
    cover = best_cover(table, seat, options.any_set != 0, one, two, BY_CARDS, joker)
    if cover[0] == 0:
        return NO_LAY
    left = table.hand_count[seat] - covered_count(cover)
    if left > 1 and not must_lay(table, options, seat, one) and waits(table, seat, left, parameters):
        return NO_LAY
    if lay_article(table, options, seat, one, two, cover[4], cover[5], cover[6], cover[7]) != LEGAL:
        # The one card left would be the discard that was taken.
        return NO_LAY
    return cover[4], cover[5], cover[6], cover[7]
