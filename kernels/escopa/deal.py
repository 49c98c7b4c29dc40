"""The start of a pack of escopa, the dealer's take, and the deals that follow (ESC-03, ESC-04, ESC-07)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit
from kernels.dealing import shuffle_deck
from kernels.escopa import kinds
from kernels.escopa.fifteens import NO_CARDS, NOTHING, ONE, bit_of, sums_of, total_of, value_of, with_value
from kernels.escopa.layout import (
    CARDS,
    FIFTEEN,
    HAND_SIZE,
    MAX_PLAYERS,
    TABLE_SIZE,
    TAKE_NONE,
    TAKE_TWICE,
)
from kernels.event_log import CARD_ROW, ZERO, write_event, write_row
from kernels.rng import PURPOSE_HOUSE, stream_start

NO_SEAT = np.int64(-1)
STEP = np.int64(1)


@lean
def next_seat(options: Any, seat: int) -> np.int64:
    """Seat to the right, which plays next (ESC-02)."""
    after = np.int64(seat) + 1
    return after if after < options.players else np.int64(0)


@lean
def side_of(options: Any, seat: int) -> np.int64:
    """Side of a seat (ESC-02)."""
    return np.int64(seat) & 1 if options.sides == 2 else np.int64(seat)


@lean
def write_cards(state: Any, log: Any, row: int, cards: np.uint64) -> None:
    """Append cards to the last event, the lowest first."""
    rest = cards
    while rest != NOTHING:
        write_row(state, log, row, ZERO, ZERO, np.int64(state.faces[lowest_bit(rest)]))
        rest &= rest - ONE


@lean
def write_deck(state: Any, log: Any, start: int, step: int, count: int) -> None:
    """Append `count` cards of the deck, every `step`-th from `start`, to the last event."""
    for card in range(count):
        write_row(state, log, CARD_ROW, ZERO, ZERO, np.int64(state.faces[state.deck[start + card * step]]))


@lean
def clear_table(table: Any, dealer: int) -> None:
    """Empty the table before the deal."""
    table.cards = NOTHING
    table.seen = NOTHING
    table.sums = NO_CARDS
    table.total = 0
    for seat in range(MAX_PLAYERS):
        table.taken[seat] = NOTHING
        table.escopas[seat] = 0
        table.lacks[seat] = NOTHING
        table.hand_count[seat] = 0
    table.turn = 1
    table.stock_left = CARDS
    table.plays_left = 0
    table.dealer = dealer
    table.last_seat = NO_SEAT
    table.left_card = -1


@lean
def clear_record(record: Any, job: Any, first: int) -> None:
    """Start the row that the deal leaves behind."""
    record.deal = job.deal
    record.match = job.match
    record.dealer = job.dealer
    record.first = first
    record.status = 0
    record.dealer_takes = 0
    record.last_capture_cards = 0
    for side in range(MAX_PLAYERS):
        record.captures[side] = 0
        record.dealer_fifteens[side] = 0
        record.played_escopas[side] = 0
        record.escopas[side] = 0
        record.overlooks[side] = 0
        record.claims[side] = 0


@lean
def start_deal(state: Any, options: Any, pack: Any, seed: np.uint64, job: Any, record: Any, log: Any) -> None:
    """Shuffle and begin the pack (ESC-03)."""
    shuffle_deck(state, pack, CARDS, seed, job)
    if options.overlook_rate != NOTHING:
        state.house[0] = stream_start(seed, job.match, job.deal, PURPOSE_HOUSE)
    open_pack(state, options, job, record, log)


@lean
def open_pack(state: Any, options: Any, job: Any, record: Any, log: Any) -> None:
    """Deal three cards each off the deck and lay four face up, which the dealer may take (ESC-03, ESC-07)."""
    table = state.table
    state.stock_next = 0
    state.decisions = 0
    state.log_count = 0
    for seat in range(MAX_PLAYERS):
        state.seat_escopas[seat] = 0
    dealer = np.int64(job.dealer)
    clear_table(table, dealer)
    clear_record(record, job, next_seat(options, dealer))
    deal_hands(state, options, HAND_SIZE)
    lay_cards(state, TABLE_SIZE)
    if log.size > 0:
        write_deal(state, options, log)
    if options.dealer_take != TAKE_NONE and dealer_takes(state, options, record, log):
        lay_more(state, TABLE_SIZE, log)
        if options.dealer_take == TAKE_TWICE:
            dealer_takes(state, options, record, log)


@lean
def deal_hands(state: Any, options: Any, size: int) -> None:
    """Deal `size` cards each from the stock, singly from the dealer's right, who leads (ESC-03, ESC-04)."""
    table = state.table
    players = options.players
    seat = next_seat(options, np.int64(table.dealer))
    table.seat = seat
    at = np.int64(state.stock_next)
    for _ in range(players):
        hand = NOTHING
        for card in range(size):
            hand |= bit_of(np.int64(state.deck[at + card * players]))
        state.hand[seat] = hand
        table.hand_count[seat] = size
        table.lacks[seat] = NOTHING
        seat = next_seat(options, seat)
        at += 1
    state.stock_next += size * players
    table.stock_left -= size * players
    table.plays_left = size * players


@lean
def lay_cards(state: Any, count: int) -> None:
    """Lay cards of the stock face up on the table."""
    for _ in range(count):
        add_to_table(state.table, np.int64(state.deck[state.stock_next]))
        state.stock_next += 1
        state.table.stock_left -= 1


@lean
def lay_more(state: Any, count: int, log: Any) -> None:
    """Lay cards of the stock face up after the start (ESC-07)."""
    write_event(state, log, kinds.TO_TABLE, np.int64(state.table.dealer), ZERO)
    if log.size > 0:
        write_deck(state, log, np.int64(state.stock_next), STEP, count)
    lay_cards(state, count)


@lean
def add_to_table(table: Any, card: int) -> None:
    """Lay a card face up."""
    table.cards |= bit_of(card)
    table.seen |= bit_of(card)
    table.sums = with_value(table.sums, value_of(card))
    table.total += value_of(card)


@lean
def fifteens_of_four(cards: np.uint64) -> np.int64:
    """Fifteens that the dealer takes from four cards: 1 for all of them together, 2 for two pairs, else 0 (ESC-07)."""
    total = total_of(cards)
    if total == FIFTEEN:
        return np.int64(1)
    if total != 2 * FIFTEEN:
        return np.int64(0)
    # If a card makes fifteen with another, the other two are left with fifteen as well.
    rest = cards & (cards - ONE)
    wanted = FIFTEEN - value_of(lowest_bit(cards))
    while rest != NOTHING:
        if value_of(lowest_bit(rest)) == wanted:
            return np.int64(2)
        rest &= rest - ONE
    return np.int64(0)


@lean
def dealer_takes(state: Any, options: Any, record: Any, log: Any) -> bool:
    """Give the dealer the four cards face up if they make fifteens; whether he took them (ESC-07, ESC-08)."""
    table = state.table
    fifteens = fifteens_of_four(table.cards)
    if fifteens == 0:
        return False
    dealer = np.int64(table.dealer)
    side = side_of(options, dealer)
    write_event(state, log, kinds.DEALER_TAKE, dealer, ZERO)
    if log.size > 0:
        write_cards(state, log, CARD_ROW, table.cards)
    record.dealer_takes += 1
    record.captures[side] += fifteens
    record.dealer_fifteens[side] += fifteens
    if options.dealer_escopas != 0:
        note_escopas(state, options, dealer, fifteens)
    record.last_capture_cards = TABLE_SIZE
    table.last_seat = dealer
    table.taken[side] |= table.cards
    take_from_table(table, table.cards)
    return True


@lean
def note_escopas(state: Any, options: Any, seat: int, escopas: int) -> None:
    """Count escopas of a seat (ESC-08)."""
    state.seat_escopas[seat] += escopas
    state.table.escopas[side_of(options, seat)] += escopas


@lean
def take_from_table(table: Any, cards: np.uint64) -> None:
    """Take cards away from the table."""
    table.cards &= ~cards
    table.total -= total_of(cards)
    table.sums = sums_of(table.cards)


@lean
def deal_again(state: Any, options: Any, log: Any) -> None:
    """Deal again when all hands are empty; cards over from even hands go face up first (ESC-04, ESC-07)."""
    table = state.table
    players = options.players
    if options.deal_passes != 0:
        table.dealer = next_seat(options, np.int64(table.dealer))
    size = HAND_SIZE
    over = np.int64(0)
    left = np.int64(table.stock_left)
    if left < size * players:
        size = left // players
        over = left - size * players
    if over > 0:
        lay_more(state, over, log)
    at = np.int64(state.stock_next)
    deal_hands(state, options, size)
    write_event(state, log, kinds.DEAL_HANDS, np.int64(table.dealer), ZERO)
    if log.size > 0:
        write_hands(state, options, log, kinds.NEW_HAND, at, size)


@lean
def write_hands(state: Any, options: Any, log: Any, kind: int, at: int, size: int) -> None:
    """Append every hand in seat order, its cards in the order dealt from index `at` of the deck."""
    first = next_seat(options, np.int64(state.table.dealer))
    for seat in range(options.players):
        write_event(state, log, kind, seat, ZERO)
        place = (seat - first) % options.players
        write_deck(state, log, at + place, options.players, size)


@lean
def write_deal(state: Any, options: Any, log: Any) -> None:
    """Append the hands, the four cards face up and the stock, which nobody sees."""
    write_hands(state, options, log, kinds.HAND, ZERO, HAND_SIZE)
    dealt = HAND_SIZE * options.players
    write_event(state, log, kinds.TABLE, ZERO, ZERO)
    write_deck(state, log, dealt, STEP, TABLE_SIZE)
    write_event(state, log, kinds.STOCK, ZERO, ZERO)
    write_deck(state, log, dealt + TABLE_SIZE, STEP, CARDS - dealt - TABLE_SIZE)
