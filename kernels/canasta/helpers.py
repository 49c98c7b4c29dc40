"""What policy files of canasta are written with (docs/policies.md); these names stay."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.canasta.going_out import find_going_out
from kernels.canasta.layout import CANASTA_SIZE, JOKERS, SIDES, THREES, TWOS
from kernels.canasta.meld_rules import (
    LEGAL,
    canasta_marks,
    laid_points,
    melds_article,
    pile_blocked,
    pile_frozen_for,
    spent,
    take_article,
    top_rank,
)
from kernels.canasta.outlook import opponents_may_end, table_points
from kernels.canasta.rules import discard_article
from kernels.canasta.values import NATURAL_RANKS, WILD_BITS, minimum_for, points_of
from kernels.rank_counts import (
    NOTHING,
    at_least,
    fits_in,
    less_at_most,
    marked,
    number_of,
    one_of,
    ones,
    total,
)
from kernels.rng import bounded

__all__ = [
    "CANASTA_SIZE",
    "JOKERS",
    "LEGAL",
    "NATURAL_RANKS",
    "NOTHING",
    "SIDES",
    "THREES",
    "TWOS",
    "WILD_BITS",
    "at_least",
    "bounded",
    "canasta_marks",
    "discard_article",
    "find_going_out",
    "fits_in",
    "laid_points",
    "less_at_most",
    "live_counts",
    "lowest_rank",
    "marked",
    "melds_article",
    "minimum_for",
    "number_of",
    "one_of",
    "ones",
    "opponents_may_end",
    "pile_blocked",
    "pile_frozen_for",
    "points_of",
    "spent",
    "table_points",
    "take_article",
    "top_rank",
    "total",
]

_TWO_PACKS = np.uint64(0x0888_8888_8888_0804)
"""Jokers, twos and the natural ranks of the pack, threes apart."""

_COUNTED = np.uint64(0x0FFF_FFFF_FFFF_0F0F)


@kernel
def lowest_rank(counts: np.uint64) -> np.int64:
    """Lowest rank of which there is a card, or that is marked; 16 for none."""
    return lowest_bit(counts) >> 2


@kernel
def live_counts(table: Any, hand: np.uint64) -> np.uint64:
    """Cards that a player with this hand has not seen, threes apart: in other hands or in the stock."""
    return _TWO_PACKS - ((np.uint64(table.seen) + hand) & _COUNTED)
