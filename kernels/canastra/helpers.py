"""What policy files of canastra are written with (docs/policies.md); these names stay."""

from __future__ import annotations

from kernels.canastra.layout import LAVADEIRA, NEW_LAVADEIRA, NEW_SEQUENCE, SEQUENCE, SIDES, STOP
from kernels.canastra.lixo import lixo_blocked, take_article
from kernels.canastra.meld_rules import (
    CANASTRA_SIZE,
    CURINGAS,
    LEGAL,
    NATURALS,
    accepted_naturals,
    curinga_place,
    size_after,
    takes_curinga,
)
from kernels.canastra.policy_heuristic import accepting_meld, justification, live_masks
from kernels.canastra.policy_melds import (
    cards_left_to_draw,
    curinga_meld,
    extend_naturally,
    lay_budget,
    new_natural_meld,
    pair_with_curinga,
)
from kernels.canastra.rules import batida_open, discard_article, may_keep, meld_action_article, morto_open
from kernels.helpers import BIT, NONE, bounded, highest_bit, lowest_bit, popcount, rank_of, suit_of, without_lowest
from kernels.melds import BLACK_THREES, RED_THREES, card_bit, count, in_lane, lane, of_rank

__all__ = [
    "BIT",
    "BLACK_THREES",
    "CANASTRA_SIZE",
    "CURINGAS",
    "LAVADEIRA",
    "LEGAL",
    "NATURALS",
    "NEW_LAVADEIRA",
    "NEW_SEQUENCE",
    "NONE",
    "RED_THREES",
    "SEQUENCE",
    "SIDES",
    "STOP",
    "accepted_naturals",
    "accepting_meld",
    "batida_open",
    "bounded",
    "card_bit",
    "cards_left_to_draw",
    "count",
    "curinga_meld",
    "curinga_place",
    "discard_article",
    "extend_naturally",
    "highest_bit",
    "in_lane",
    "justification",
    "lane",
    "lay_budget",
    "live_masks",
    "lixo_blocked",
    "lowest_bit",
    "may_keep",
    "meld_action_article",
    "morto_open",
    "new_natural_meld",
    "of_rank",
    "pair_with_curinga",
    "popcount",
    "rank_of",
    "size_after",
    "suit_of",
    "take_article",
    "takes_curinga",
    "without_lowest",
]
