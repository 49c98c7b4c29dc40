"""Chances from the cards that a player has not seen: can the next one follow?"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.mau_mau.inference import JACK_LANE, may_hold
from kernels.mau_mau.masks import EVERY_CARD, JACKS, suit_cards
from kernels.melds import ALL_LANES

STEPS = 64
_LOGS = np.array([round(-1024 * np.log2(1 - min(k, STEPS - 0.5) / STEPS)) for k in range(STEPS + 1)], np.int64)
"""-log2 of the chance that one card is not among k of 64, in units of 1/1024."""
_POWERS = np.array([round(1024 * 2.0 ** (-k / 8)) for k in range(96)], np.int64)
"""Chances in units of 1/1024, by -log2 in steps of an eighth."""
_LAST_POWER = np.int64(95)


@kernel
def chance_unable(
    table: Any, options: Any, one: np.uint64, two: np.uint64, suit: np.int64, rank: np.int64, other: np.int64
) -> np.int64:
    """Chance, in units of 1/1024, that a player cannot follow a card, or a suit announced where `rank` is 0.

    Every unseen card is as likely in his hand as any other, but for suits that he could not follow (MAU-06).
    """
    seen_one, seen_two = table.seen_one | one, table.seen_two | two | (table.seen_one & one)
    packs = options.packs
    unseen = 52 * packs - popcount(seen_one & EVERY_CARD) - popcount(seen_two & EVERY_CARD)
    if unseen <= 0:
        return np.int64(0)
    cards = suit_cards(suit) & ~JACKS
    in_suit = 12 * packs - popcount(seen_one & cards) - popcount(seen_two & cards)
    jacks = 4 * packs - popcount(seen_one & JACKS) - popcount(seen_two & JACKS)
    per = (64 << 10) // unseen
    held = np.int64(table.hand_count[other])
    word = table.may_hold[other]
    total = _LOGS[min((in_suit * per) >> 10, 64)] * min(held, may_hold(word, suit))
    total += _LOGS[min((jacks * per) >> 10, 64)] * min(held, may_hold(word, JACK_LANE))
    if rank > 0:
        of_rank = ALL_LANES << np.uint64(rank)
        others = 4 * packs - popcount(seen_one & of_rank) - popcount(seen_two & of_rank)
        total += _LOGS[min((others * per) >> 10, 64)] * held
    return _POWERS[min(total >> 7, _LAST_POWER)]
