"""Writing the event log of canastra: melds as they lie, mortos and the deal."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.canastra.kinds import HAND, MORTO, STOCK
from kernels.canastra.layout import HAND_SIZE, LAVADEIRA, MORTO_SIZE
from kernels.event_log import (
    NOW_ROW,
    ZERO,
    write_card,
    write_event,
    write_pair_of_words,
    write_row,
    write_words,
)
from kernels.melds import BIT, NONE


@kernel
def write_meld(
    state: Any, log: Any, kind: int, seat: int, side: int, meld: int, one: np.uint64, two: np.uint64
) -> None:
    """Append a meld or an extension: its cards, then the meld as it now lies; nothing in a batch."""
    if log.size == 0:
        return
    write_event(state, log, kind, seat, meld)
    write_words(state, log, one, two)
    table = state.table
    if table.meld_kind[side, meld] == LAVADEIRA:
        write_pair_of_words(state, log, NOW_ROW, table.meld_one[side, meld], table.meld_two[side, meld])
        for curinga in range(table.meld_wilds[side, meld]):
            write_row(state, log, NOW_ROW, ZERO, ZERO, np.int64(table.meld_wild_cards[side, meld, curinga]))
        return
    places = np.uint64(table.meld_places[side, meld])
    for rank in range(table.meld_low[side, meld], table.meld_high[side, meld] + 1):
        if ((places >> np.uint64(rank)) & BIT) != NONE:
            curinga = 0 if table.meld_wild_ranks[side, meld, 0] == rank else 1
            write_row(state, log, NOW_ROW, ZERO, ZERO, np.int64(table.meld_wild_cards[side, meld, curinga]))
        else:
            write_row(state, log, NOW_ROW, ZERO, ZERO, 16 * np.int64(table.meld_suit[side, meld]) + rank)


@kernel
def write_morto(state: Any, log: Any, start: int) -> None:
    """Append the cards of a morto, bottom to top; nothing in a batch."""
    if log.size > 0:
        for card in range(MORTO_SIZE - 1, -1, -1):
            write_card(state, log, np.int64(state.deck[start + card]))


@kernel
def write_deal(state: Any, log: Any, cards: int) -> None:
    """Append everything that is hidden at the start: hands, mortos bottom to top, stock in drawing order."""
    if log.size == 0:
        return
    for seat in range(state.table.players):
        write_event(state, log, HAND, np.int64(seat), ZERO)
        write_words(state, log, state.hand_one[seat], state.hand_two[seat])
    for morto in range(2):
        write_event(state, log, MORTO, ZERO, np.int64(morto))
        write_morto(state, log, np.int64(state.morto_at[morto]))
    write_event(state, log, STOCK, ZERO, ZERO)
    for card in range(HAND_SIZE * state.table.players + 2 * MORTO_SIZE, cards):
        write_card(state, log, np.int64(state.deck[card]))
