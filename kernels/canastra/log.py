"""Writing the event log of canastra: kinds of event and the one place that appends rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.canastra.kinds import HAND, MORTO, STOCK
from kernels.canastra.layout import HAND_SIZE, LAVADEIRA, MORTO_SIZE
from kernels.melds import BIT, NONE, card_bit
from kernels.trace import CARD, NOW

CARD_ROW, NOW_ROW = np.int64(CARD), np.int64(NOW)
ZERO = np.int64(0)


@kernel
def write_row(state: Any, log: Any, kind: int, seat: int, value: int, card: int) -> None:
    """Append one row; the log must have room (`GameSpec.max_events`)."""
    at = state.log_count
    row = log[at]
    row.kind = kind
    row.turn = state.table.turn
    row.seat = seat
    row.value = value
    row.card = card
    state.log_count = at + 1


@kernel
def write_event(state: Any, log: Any, kind: int, seat: int, value: int) -> None:
    """Append the head row of an event; nothing in a batch."""
    if log.size > 0:
        write_row(state, log, kind, seat, value, ZERO)


@kernel
def write_card(state: Any, log: Any, card: int) -> None:
    """Append one card of the last event; nothing in a batch."""
    if log.size > 0:
        write_row(state, log, CARD_ROW, ZERO, ZERO, np.int64(card))


@kernel
def write_words(state: Any, log: Any, one: np.uint64, two: np.uint64) -> None:
    """Append the cards of a pair of words to the last event; nothing in a batch."""
    if log.size > 0:
        rest = one
        while rest != NONE:
            card = lowest_bit(rest)
            rest &= rest - BIT
            write_row(state, log, CARD_ROW, ZERO, ZERO, np.int64(card))
            if (two & card_bit(card)) != NONE:
                write_row(state, log, CARD_ROW, ZERO, ZERO, np.int64(card))


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
        rest = table.meld_one[side, meld]
        while rest != NONE:
            card = lowest_bit(rest)
            rest &= rest - BIT
            write_row(state, log, NOW_ROW, ZERO, ZERO, card)
            if (table.meld_two[side, meld] & card_bit(card)) != NONE:
                write_row(state, log, NOW_ROW, ZERO, ZERO, card)
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
