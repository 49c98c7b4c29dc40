"""Drawing from the stock, and shuffling the lixo into a new one (MAU-16)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import hot, kernel
from kernels.event_log import NOW_ROW, write_card, write_event, write_row
from kernels.mau_mau import kinds
from kernels.mau_mau.inference import note_drawn, note_fresh, note_unable
from kernels.melds import NONE, card_bit
from kernels.rng import shuffle

NO_VALUE, ONE_CARD = np.int64(0), np.int64(1)


@kernel
def reshuffle(state: Any, seat: int, record: Any, log: Any) -> bool:
    """Shuffle the lixo but its top card into a new stock; false if there is nothing under that card (MAU-16)."""
    table = state.table
    under = np.int64(table.pile_size) - 1
    if under == 0:
        return False
    for at in range(under):
        state.deck[at] = table.pile[at]
    shuffle(state.cards_random, state.deck, under)
    top = table.pile[under]
    if table.packs == 1:
        table.restocked = table.seen_one & ~card_bit(np.int64(top))
        for player in range(table.players):
            table.fresh[player] = 0
            table.came[player] = 0
    table.pile[0] = top
    table.pile_size = 1
    table.seen_one = card_bit(np.int64(top))
    table.seen_two = NONE
    state.stock_next = 0
    table.stock_left = under
    record.reshuffles += 1
    if log.size > 0:
        write_event(state, log, kinds.RESHUFFLE, seat, NO_VALUE)
        for at in range(under):
            write_row(state, log, NOW_ROW, NO_VALUE, NO_VALUE, np.int64(state.deck[at]))
    return True


@hot
def take_card(state: Any, seat: int, log: Any) -> np.int64:
    """The top card of the stock, which is not empty, comes into a hand."""
    table = state.table
    card = np.int64(state.deck[state.stock_next])
    state.stock_next += 1
    table.stock_left -= 1
    bit = card_bit(card)
    state.hand_two[seat] |= state.hand_one[seat] & bit
    state.hand_one[seat] |= bit
    table.hand_count[seat] += 1
    write_card(state, log, card)
    return card


@kernel
def draw_cards(state: Any, seat: int, wanted: np.int64, why: np.int64, record: Any, log: Any) -> np.int64:
    """Draw cards, as far as there are any (MAU-16).

    Returns
    -------
    int
        Cards drawn; 0 leaves no event.
    """
    table = state.table
    drawn = np.int64(0)
    while drawn < wanted:
        if table.stock_left == 0 and not reshuffle(state, seat, record, log):
            break
        part = min(wanted - drawn, np.int64(table.stock_left))
        write_event(state, log, kinds.DRAW, seat, why)
        for _ in range(part):
            take_card(state, seat, log)
        note_fresh(table, seat, part)
        drawn += part
    note_drawn(table, seat, drawn)
    record.drawn[seat] += drawn
    return drawn


@kernel
def draw_until_one_follows(state: Any, seat: int, record: Any, log: Any) -> np.int64:
    """Draw until a card can follow or none is left; that card, or -1 (MAU-06, `draw_until`)."""
    table = state.table
    drawn = np.int64(0)
    found = np.int64(-1)
    is_open = False
    while found < 0:
        if table.stock_left == 0:
            if not reshuffle(state, seat, record, log):
                break
            is_open = False
        if not is_open:
            write_event(state, log, kinds.DRAW, seat, kinds.WHY_UNABLE)
            is_open = True
        card = take_card(state, seat, log)
        note_fresh(table, seat, ONE_CARD)
        drawn += ONE_CARD
        if (table.follow & card_bit(card)) != NONE:
            found = card
    # None of them but the last could follow, which everybody sees.
    note_drawn(table, seat, drawn)
    note_unable(table, seat)
    if found >= 0:
        note_drawn(table, seat, ONE_CARD)
    record.drawn[seat] += drawn
    return found
