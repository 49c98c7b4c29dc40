"""How a hand stands, as anybody at the table can see: danger that it ends, and what the sides' tables are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.canasta.layout import MIXED_POINTS, NATURAL_POINTS, RED_THREE_POINTS, SEATS, SIDES
from kernels.canasta.parameters import DANGER_HAND, DANGER_STOCK
from kernels.rank_counts import NOTHING


@kernel
def opponents_may_end(table: Any, options: Any, side: int) -> bool:
    """Whether the other side has the canastas to go out."""
    other = 1 - side
    return table.natural_canastas[other] + table.mixed_canastas[other] >= options.canastas_to_go_out


@kernel
def in_danger(table: Any, options: Any, side: int, parameters: Any) -> bool:
    """Whether the hand may soon end, so that cards are better laid than kept."""
    if table.stock_left <= parameters[DANGER_STOCK]:
        return True
    if not opponents_may_end(table, options, side):
        return False
    for seat in range(1 - side, SEATS, SIDES):
        if table.hand_count[seat] <= parameters[DANGER_HAND]:
            return True
    return False


@kernel
def table_points(table: Any, side: int) -> np.int64:
    """What a side's table would score now."""
    red_threes = RED_THREE_POINTS * np.int64(table.red_threes[side])
    if table.melded[side] == NOTHING:
        return -red_threes
    canastas = NATURAL_POINTS * np.int64(table.natural_canastas[side])
    canastas += MIXED_POINTS * np.int64(table.mixed_canastas[side])
    return canastas + np.int64(table.melded_points[side]) + red_threes
