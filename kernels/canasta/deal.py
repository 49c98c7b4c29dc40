"""The start of a hand of canasta: dealing, turning up the pile, an empty table and record (KAN-01, KAN-02, KAN-13)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.canasta import kinds
from kernels.canasta.layout import (
    CARDS,
    HAND_SIZE,
    RANKS,
    REASON_STOCK_OUT,
    SEATS,
    SIDES,
    THREES,
)
from kernels.canasta.values import minimum_for
from kernels.dealing import deal_hands, shuffle_deck
from kernels.event_log import write_card, write_event, write_words
from kernels.melds import (
    BLACK_THREES,
    NONE,
    RED_THREES,
    TWOS_AND_JOKERS,
    card_bit,
)
from kernels.rank_counts import NOTHING, one_of

NO_VALUE = np.int64(0)
NO_SEAT = np.int64(-1)


@kernel
def rank_of(card: np.int64) -> np.int64:
    """Rank of a card."""
    return card & 15


@kernel
def is_red_three(card: np.int64) -> bool:
    """Whether a card is a red three (KAN-05)."""
    return (card_bit(card) & RED_THREES) != NONE


@kernel
def deal_cards(state: Any, options: Any, pack: Any, seed: np.uint64, job: Any, record: Any, log: Any) -> None:
    """Shuffle, deal eleven each from the dealer's left, and turn up the pile (KAN-01, KAN-02)."""
    table = state.table
    shuffle_deck(state, pack, CARDS, seed, job)
    first = (np.int64(job.dealer) + 1) % SEATS
    clear_table(state, first)
    deal_hands(state, SEATS, first, HAND_SIZE)
    seat = first
    for at in range(SEATS * HAND_SIZE):
        card = np.int64(state.deck[at])
        # Red threes wait for the owner's first turn and are never chosen (KAN-05).
        if not is_red_three(card):
            state.hand[seat] += one_of(rank_of(card))
        seat = seat + 1 if seat + 1 < SEATS else 0
    for side in range(SIDES):
        before = np.int64(options.start_score[side]) if job.match < 0 else np.int64(job.scores_before[side])
        table.minimum[side] = minimum_for(before)
    clear_record(record, job, first)
    turn_up_pile(state, options, record)
    write_deal(state, log)


@kernel
def clear_table(state: Any, first: int) -> None:
    """Empty hands and an empty table before the deal."""
    table = state.table
    for seat in range(SEATS):
        state.hand[seat] = NOTHING
        state.hand_one[seat] = NONE
        state.hand_two[seat] = NONE
        table.known[seat] = NOTHING
        table.thrown[seat] = NOTHING
        table.hand_count[seat] = HAND_SIZE
        table.started[seat] = 0
        table.has_laid[seat] = 0
        table.asked[seat] = 0
    for side in range(SIDES):
        table.melded[side] = NOTHING
        table.wilds[side] = NOTHING
        table.melded_points[side] = 0
        table.red_threes[side] = 0
        table.natural_canastas[side] = 0
        table.mixed_canastas[side] = 0
        table.meld_count[side] = 0
        state.natural_one[side] = NONE
        state.natural_two[side] = NONE
        for rank in range(RANKS):
            state.wild_one[side, rank] = NONE
            state.wild_two[side, rank] = NONE
    table.first = first
    table.seat = first
    table.turn = 0
    table.seen = NOTHING
    table.pile_counts = NOTHING
    table.pile_size = 0
    table.pile_frozen = 0
    table.pile_red_threes = 0
    state.stock_next = SEATS * HAND_SIZE
    table.stock_left = CARDS - SEATS * HAND_SIZE
    state.reason = REASON_STOCK_OUT
    state.out_seat = NO_SEAT
    state.decisions = 0
    state.log_count = 0


@kernel
def clear_record(record: Any, job: Any, first: int) -> None:
    """Start the row that the deal leaves behind."""
    record.deal = job.deal
    record.match = job.match
    record.dealer = job.dealer
    record.first = first
    record.status = 0
    record.first_pile_side = NO_SEAT
    record.first_pile_size = 0
    for side in range(SIDES):
        record.side_turns[side] = 0
        record.first_meld_turn[side] = 0
        record.first_meld_cards[side] = 0
        record.first_meld_from_pile[side] = 0
        record.canasta_turn[side] = 0
        record.out_turn[side] = 0
        record.pile_takes[side] = 0
        record.pile_cards[side] = 0
        record.freezes[side] = 0
        record.stops[side] = 0
        record.went_out[side] = 0
        record.concealed[side] = 0
        record.asks[side] = 0
        record.refusals[side] = 0


@kernel
def turn_up_pile(state: Any, options: Any, record: Any) -> None:
    """Turn the top of the stock up until a card lies that stays on top; see what froze the pile (KAN-02, KAN-08)."""
    table = state.table
    while True:
        card = np.int64(state.deck[state.stock_next])
        state.stock_next += 1
        table.stock_left -= 1
        put_on_pile(table, card)
        bit = card_bit(card)
        if (bit & BLACK_THREES) != NONE and options.opening_black_three_covers == 0:
            if options.black_three_freezes != 0:
                table.pile_frozen = 1
            break
        if (bit & (TWOS_AND_JOKERS | RED_THREES)) != NONE:
            table.pile_frozen = 1
        if rank_of(card) > THREES:
            break
    record.opening_freeze = table.pile_frozen


@kernel
def put_on_pile(table: Any, card: np.int64) -> None:
    """Lay a card on the pile. A red three, turned at the start, is counted apart: it never comes into a hand."""
    table.pile[table.pile_size] = card
    table.pile_size += 1
    if is_red_three(card):
        table.pile_red_threes += 1
        return
    table.pile_counts += one_of(rank_of(card))
    table.seen += one_of(rank_of(card))


@kernel
def write_deal(state: Any, log: Any) -> None:
    """Append everything that is hidden at the start, and the pile, bottom to top."""
    if log.size == 0:
        return
    for seat in range(SEATS):
        write_event(state, log, kinds.HAND, np.int64(seat), NO_VALUE)
        write_words(state, log, state.hand_one[seat], state.hand_two[seat])
    write_event(state, log, kinds.PILE, NO_VALUE, NO_VALUE)
    for at in range(state.table.pile_size):
        write_card(state, log, np.int64(state.table.pile[at]))
    write_event(state, log, kinds.STOCK, NO_VALUE, NO_VALUE)
    for at in range(state.stock_next, CARDS):
        write_card(state, log, np.int64(state.deck[at]))
