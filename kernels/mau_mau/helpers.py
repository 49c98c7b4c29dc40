"""What policy files of mau-mau are written with (docs/policies.md); these names stay."""

from __future__ import annotations

from kernels.helpers import BIT, NONE, bounded, highest_bit, lowest_bit, popcount, rank_of, suit_of, without_lowest
from kernels.mau_mau.counting import cards_covered, chance_unable, cover, share, unseen_cards
from kernels.mau_mau.inference import may_hold
from kernels.mau_mau.kinds import NO_SUIT
from kernels.mau_mau.masks import (
    ACES,
    EIGHTS,
    EVERY_CARD,
    JACKS,
    QUEENS,
    SEVENS,
    cards_that_follow,
    hand_value,
    suit_cards,
)
from kernels.mau_mau.rules import LEGAL, NO_CARD, hit_by_seven, is_barred, play_article
from kernels.mau_mau.seating import seat_after, seat_before
from kernels.melds import card_bit, count

__all__ = [
    "ACES",
    "BIT",
    "EIGHTS",
    "EVERY_CARD",
    "JACKS",
    "LEGAL",
    "NONE",
    "NO_CARD",
    "NO_SUIT",
    "QUEENS",
    "SEVENS",
    "bounded",
    "card_bit",
    "cards_covered",
    "cards_that_follow",
    "chance_unable",
    "count",
    "cover",
    "hand_value",
    "highest_bit",
    "hit_by_seven",
    "is_barred",
    "lowest_bit",
    "may_hold",
    "play_article",
    "popcount",
    "rank_of",
    "seat_after",
    "seat_before",
    "share",
    "suit_cards",
    "suit_of",
    "unseen_cards",
    "without_lowest",
]
