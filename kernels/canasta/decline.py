"""Whether a player could take the pile at all: the search behind `decline_pile` (KAN-16).

It runs only where a log is kept and the stock has ended, so it is compiled apart from the loop that plays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.canasta import kinds
from kernels.canasta.going_out import find_going_out
from kernels.canasta.layout import SIDES
from kernels.canasta.meld_rules import LEGAL, pile_blocked, take_article, top_rank
from kernels.canasta.openings import NO_COST, find_opening
from kernels.event_log import write_event
from kernels.rank_counts import NOTHING, one_of

TWO = np.uint64(2)
CARDS_ALONE = (np.int64(1), np.int64(0), np.int64(1), np.int64(1))
"""Costs that make the cheapest first meld the one with the fewest cards."""


@kernel
def could_take(table: Any, options: Any, seat: int, hand: np.uint64) -> bool:
    """Whether any legal way exists to take the pile now (KAN-07, KAN-08, KAN-10, KAN-13, KAN-14)."""
    if pile_blocked(table):
        return False
    side = seat % SIDES
    top = one_of(top_rank(table))
    pair = TWO * top
    if table.melded[side] != NOTHING:
        return (
            take_article(table, options, seat, hand, NOTHING, NOTHING, NOTHING) == LEGAL
            or take_article(table, options, seat, hand, pair, NOTHING, NOTHING) == LEGAL
            or take_article(table, options, seat, hand, top, top, NOTHING) == LEGAL
            or take_article(table, options, seat, hand, top, NOTHING, top) == LEGAL
        )
    # The fewest cards leave the most to end the turn with.
    cost, naturals, jokers, twos = find_opening(
        hand, top, np.int64(table.minimum[side]), np.int64(table.hand_count[seat]), CARDS_ALONE
    )
    if cost < NO_COST and take_article(table, options, seat, hand, naturals, jokers, twos) == LEGAL:
        return True
    found, naturals, jokers, twos = find_going_out(options, NOTHING, NOTHING, hand + top)
    return (
        found
        and (naturals & (np.uint64(15) * top)) != NOTHING
        and take_article(table, options, seat, hand, naturals - top, jokers, twos) == LEGAL
    )


@kernel
def note_decline(state: Any, options: Any, log: Any) -> None:
    """Append `decline_pile` to the log of a hand that ended for want of cards, if the pile could have been taken."""
    seat = np.int64(state.table.seat)
    if could_take(state.table, options, seat, state.hand[seat]):
        write_event(state, log, kinds.DECLINE_PILE, seat, np.int64(0))
