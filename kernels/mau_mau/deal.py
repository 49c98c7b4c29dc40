"""The start of a round of mau-mau: shuffling, dealing, the carta da partida (MAU-01 to MAU-05)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.cards import SPADES
from kernels.dealing import deal_hands, place_cards
from kernels.event_log import write_card, write_event, write_words
from kernels.mau_mau import kinds
from kernels.mau_mau.inference import ONE_EACH
from kernels.mau_mau.layout import (
    DRAWN_FOR_EIGHT,
    DRAWN_FOR_SEVEN,
    HAND_SIZE,
    ONE_PACK,
    REASON_CAP,
)
from kernels.mau_mau.masks import (
    ACES_RANK,
    EIGHT,
    EVERY_CARD,
    JACKS_RANK,
    QUEENS_RANK,
    SEVEN,
    cards_that_follow,
)
from kernels.mau_mau.seating import seat_after, seat_before
from kernels.mau_mau.stock import draw_cards
from kernels.melds import NONE, card_bit
from kernels.rng import PURPOSE_DEAL, PURPOSE_HOUSE, PURPOSE_POLICY, shuffle, stream_start
from kernels.spec import MAX_SEATS

NO_VALUE, NO_SEAT, CLOCKWISE = np.int64(0), np.int64(-1), np.int64(1)
THREE, TWO = np.int64(DRAWN_FOR_EIGHT), np.int64(DRAWN_FOR_SEVEN)


@kernel
def shuffle_pack(state: Any, pack: Any, cards: int, seed: np.uint64, job: Any) -> None:
    """Put the pack into the deck in the order of the job's deal, and start the streams.

    The stream of the cards goes on with every reshuffle (MAU-16).
    """
    for at in range(cards):
        state.deck[at] = pack[at]
    state.cards_random[0] = stream_start(seed, job.match, job.deal, PURPOSE_DEAL)
    shuffle(state.cards_random, state.deck, cards)
    if state.placed.number > 0:
        place_cards(state, state.cards_random, np.int64(cards), np.int64(job.dealer))
    state.random[0] = stream_start(seed, job.match, job.deal, PURPOSE_POLICY)


@kernel
def deal_cards(state: Any, options: Any, pack: Any, seed: np.uint64, job: Any, record: Any, log: Any) -> None:
    """Shuffle, deal seven each from the dealer's left, turn the carta da partida up (MAU-01 to MAU-05)."""
    cards = ONE_PACK * options.packs
    shuffle_pack(state, pack, cards, seed, job)
    if options.forget_call != NONE:
        state.house_random[0] = stream_start(seed, job.match, job.deal, PURPOSE_HOUSE)
    lay_out(state, options, cards, np.int64(job.dealer), record)
    record.deal = job.deal
    record.match = job.match
    write_deal(state, cards, log)
    if options.start_card_acts != 0:
        start_card_effect(state, record, log)


@kernel
def lay_out(state: Any, options: Any, cards: int, dealer: np.int64, record: Any) -> None:
    """From a shuffled deck to the table before the first turn (MAU-03, MAU-04)."""
    table = state.table
    players = options.players
    clear_table(state, players)
    table.dealer = dealer
    left = seat_after(dealer, CLOCKWISE, players)
    deal_hands(state, players, left, HAND_SIZE)
    dealt = HAND_SIZE * players
    start_card = np.int64(state.deck[dealt])
    state.stock_next = dealt + 1
    table.stock_left = cards - dealt - 1
    table.pile[0] = start_card
    table.start_card = start_card
    table.packs = options.packs
    table.seen_one = card_bit(start_card)
    table.follow = cards_that_follow(start_card)
    first = left
    if options.start_card_acts != 0 and (start_card & 15) == QUEENS_RANK:
        first = seat_before(dealer, CLOCKWISE, players)
    table.first = first
    table.seat = first
    clear_record(record, players, first)
    record.dealer = dealer
    record.start_card = start_card
    backwards = first != left
    for seat in range(players):
        distance = first - seat if backwards else seat - first
        record.position[seat] = distance + players if distance < 0 else distance


@kernel
def clear_table(state: Any, players: int) -> None:
    """Empty hands and an empty table."""
    table = state.table
    for seat in range(players):
        state.hand_one[seat] = NONE
        state.hand_two[seat] = NONE
        table.hand_count[seat] = HAND_SIZE
        table.fines[seat] = 0
        table.may_hold[seat] = ONE_EACH * np.uint64(HAND_SIZE)
        table.fresh[seat] = 0
        table.came[seat] = 0
    table.players = players
    table.direction = CLOCKWISE
    table.turn = 0
    table.barred = 0
    table.pending = 0
    table.suit = kinds.NO_SUIT
    table.pile_size = 1
    table.seen_two = NONE
    table.restocked = NONE
    state.idle = 0
    state.decisions = 0
    state.reason = REASON_CAP
    state.winner = NO_SEAT
    state.last_jacks = 0
    state.log_count = 0


@kernel
def clear_record(record: Any, players: int, first: int) -> None:
    """Start the row that the round leaves behind."""
    record.first = first
    record.status = 0
    record.forward_turns = 0
    record.reversals = 0
    record.reshuffles = 0
    record.bars_lifted = 0
    record.skips = 0
    record.first_one_card = 0
    record.last_card = 0
    for seat in range(MAX_SEATS):
        record.score[seat] = 0
        record.hand_score[seat] = 0
        record.fines_score[seat] = 0
        record.fines_won[seat] = 0
        record.collected[seat] = 0
        record.hand_points[seat] = 0
        record.hand_cards[seat] = 0
        record.seat_turns[seat] = 0
        record.plays[seat] = 0
        record.unable[seat] = 0
        record.fines[seat] = 0
        record.drawn[seat] = 0
        record.sevens[seat] = 0
        record.eights[seat] = 0
        record.aces[seat] = 0
        record.queens[seat] = 0
        record.jacks[seat] = 0
        record.jack_pairs[seat] = 0
        record.forgotten[seat] = 0
        record.position[seat] = 0
        record.barred[seat] = 0


@kernel
def start_card_effect(state: Any, record: Any, log: Any) -> None:
    """The carta da partida acts by its rank, before the first turn (MAU-05)."""
    table = state.table
    first = np.int64(table.first)
    rank = np.int64(table.pile[0]) & 15
    table.turn = 1
    if rank == EIGHT:
        draw_cards(state, first, THREE, kinds.WHY_START_CARD, record, log)
    if rank in (EIGHT, ACES_RANK):
        write_event(state, log, kinds.SKIP, first, NO_VALUE)
        table.seat = seat_after(first, CLOCKWISE, table.players)
    elif rank == SEVEN:
        draw_cards(state, np.int64(table.dealer), TWO, kinds.WHY_START_CARD, record, log)
    elif rank == QUEENS_RANK:
        write_event(state, log, kinds.REVERSE, np.int64(table.dealer), NO_VALUE)
        table.direction = -CLOCKWISE
    elif rank == JACKS_RANK:
        table.follow = EVERY_CARD
    table.turn = 0


@kernel
def is_spade(card: np.int64) -> bool:
    """Whether a card is of spades (MAU-18)."""
    return (card >> 4) == SPADES


@kernel
def write_deal(state: Any, cards: int, log: Any) -> None:
    """Append everything that is hidden at the start, and the carta da partida."""
    if log.size == 0:
        return
    for seat in range(state.table.players):
        write_event(state, log, kinds.HAND, np.int64(seat), NO_VALUE)
        write_words(state, log, state.hand_one[seat], state.hand_two[seat])
    write_event(state, log, kinds.STOCK, NO_VALUE, NO_VALUE)
    for at in range(state.stock_next, cards):
        write_card(state, log, np.int64(state.deck[at]))
    write_event(state, log, kinds.START_CARD, NO_VALUE, NO_VALUE)
    write_card(state, log, np.int64(state.table.pile[0]))
