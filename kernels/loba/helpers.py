"""What policy files of loba are written with (docs/policies.md); these names stay."""

from __future__ import annotations

import numpy as np

from kernels._jit import kernel
from kernels.helpers import BIT, NONE, bounded, highest_bit, lowest_bit, popcount, rank_of, suit_of, without_lowest
from kernels.loba.cards import JOKERS, NATURALS, hand_points, joker_count, low_aces, natural_points
from kernels.loba.covering import NEW, Cover
from kernels.loba.extending import best_cover, covered_count
from kernels.loba.meld_rules import (
    HAND,
    LEGAL,
    all_laid_discards,
    discard_article,
    fits,
    hand_discards,
    laid_discards,
    lay_article,
    must_lay,
    take_article,
    top_discard,
)
from kernels.loba.outlook import beside, completing, live_cards, live_count, smallest_opponent_hand, taken_by
from kernels.loba.policy_discard import next_player, spare_discard
from kernels.melds import card_bit, count, joined, without

__all__ = [
    "BIT",
    "HAND",
    "JOKERS",
    "LEGAL",
    "NATURALS",
    "NEW",
    "NONE",
    "all_laid_discards",
    "beside",
    "best_cover",
    "bounded",
    "card_bit",
    "completing",
    "count",
    "covered_count",
    "discard_article",
    "fits",
    "hand_discards",
    "hand_points",
    "highest_bit",
    "joined",
    "joker_count",
    "laid_discards",
    "lay_article",
    "lay_of",
    "live_cards",
    "live_count",
    "low_aces",
    "lowest_bit",
    "must_lay",
    "natural_points",
    "next_player",
    "popcount",
    "rank_of",
    "smallest_opponent_hand",
    "spare_discard",
    "suit_of",
    "take_article",
    "taken_by",
    "top_discard",
    "without",
    "without_lowest",
]


@kernel
def lay_of(cover: Cover) -> tuple[np.int64, np.uint64, np.uint64, np.uint64]:
    """One lay of a cover, as `choose_lay` answers it; no cards if the cover has none.

    A cover is its worth, the natural cards in it, those in it twice, the number of jokers in it, and this lay.
    """
    return cover[4], cover[5], cover[6], cover[7]
