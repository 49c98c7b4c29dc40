"""The start of a round of loba: shuffling, dealing, the exposed card, an empty table and record (LOB-01 to LOB-03)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.dealing import add_to_hand, place_cards
from kernels.event_log import write_card, write_event, write_words
from kernels.loba import kinds
from kernels.loba.cards import JOKERS
from kernels.loba.layout import (
    DEALT_AT_ONCE,
    HAND_SIZE,
    JOKERS_AUTO,
    MAX_MELDS,
    MAX_SEATS,
    MOST_REDEALS,
    NATURALS,
    REASON_NO_WINNER,
)
from kernels.melds import NONE, card_bit, joined
from kernels.rng import PURPOSE_DEAL, PURPOSE_POLICY, shuffle, stream_start

NOBODY = np.int64(-1)
NO_CARD = np.int64(-1)
NO_VALUE = np.int64(0)
_SUIT = np.int64(16)


@kernel
def deal_cards(state: Any, options: Any, naturals: Any, seed: np.uint64, job: Any, record: Any, log: Any) -> None:
    """Shuffle, deal nine each, three at a time, and expose the bottom card, again while it is a joker.

    Parameters
    ----------
    naturals
        The two packs without jokers.
    """
    seat_players(state, options, job)
    clear_table(state, record, job)
    state.cards = make_pack(state, options, naturals)
    state.dealing[0] = stream_start(seed, job.match, job.deal, PURPOSE_DEAL)
    state.random[0] = stream_start(seed, job.match, job.deal, PURPOSE_POLICY)
    cards = np.int64(state.cards)
    shuffle_all(state, cards, np.int64(job.dealer))
    redeals = np.int64(0)
    if (card_bit(np.int64(state.deck[cards - 1])) & JOKERS) != NONE:
        redeals = redeal(state, cards, np.int64(job.dealer), log)
    record.redeals = redeals
    record.pack_jokers = cards - NATURALS
    give_hands(state)
    table = state.table
    table.exposed = state.deck[cards - 1]
    note_seen(table, np.int64(table.exposed))
    table.stock_left = cards - 1 - np.int64(state.stock_next)
    write_deal(state, log)

    table.turn = 0


@kernel
def shuffle_all(state: Any, cards: int, dealer: int) -> None:
    """Shuffle the whole deck; cards that are given come to their places."""
    shuffle(state.dealing, state.deck, cards)
    if state.placed.number > 0:
        place_cards(state, state.dealing, cards, dealer)


@kernel
def seat_players(state: Any, options: Any, job: Any) -> None:
    """See who is still in the match and who plays first (LOB-02, LOB-16)."""
    table = state.table
    players = np.int64(options.players)
    still_in = np.int64(0)
    for seat in range(MAX_SEATS):
        playing = seat < players
        if playing and job.match >= 0 and job.scores_before[seat] <= -options.target:
            playing = False
        table.playing[seat] = playing
        still_in += np.int64(playing)
    if still_in < 2:
        raise RuntimeError("a round needs two players who are still in")
    table.players = still_in
    table.first = next_in(table, options, np.int64(job.dealer))


@kernel
def next_in(table: Any, options: Any, seat: int) -> np.int64:
    """The next seat to the left that is still in."""
    players = np.int64(options.players)
    after = np.int64(seat)
    while True:
        after = after + 1 if after + 1 < players else np.int64(0)
        if table.playing[after] != 0:
            return after


@kernel
def jokers_in_pack(table: Any, options: Any) -> np.int64:
    """Jokers of the pack (LOB-01)."""
    jokers = np.int64(options.jokers)
    return np.int64(table.players) // 2 + 1 if jokers == JOKERS_AUTO else jokers


@kernel
def make_pack(state: Any, options: Any, naturals: Any) -> np.int64:
    """Put the pack into the deck, in order; the number of its cards (LOB-01)."""
    jokers = jokers_in_pack(state.table, options)
    for at in range(NATURALS):
        state.deck[at] = naturals[at]
    for joker in range(jokers):
        state.deck[NATURALS + joker] = _SUIT * (joker & 3)
    return NATURALS + jokers


@kernel
def redeal(state: Any, cards: int, dealer: int, log: Any) -> np.int64:
    """Shuffle again until no joker is exposed; how often (LOB-03)."""
    redeals = np.int64(0)
    while (card_bit(np.int64(state.deck[cards - 1])) & JOKERS) != NONE:
        if redeals == MOST_REDEALS:
            raise RuntimeError("a joker was exposed in deal after deal")
        redeals += 1
        write_event(state, log, kinds.REDEAL, dealer, NO_VALUE)
        for at in range(cards):
            write_card(state, log, np.int64(state.deck[at]))
        shuffle_all(state, cards, dealer)
    return redeals


@kernel
def give_hands(state: Any) -> None:
    """Deal nine cards to everybody who is in, three at a time from the dealer's left (LOB-02)."""
    table = state.table
    at = np.int64(0)
    for _ in range(HAND_SIZE // DEALT_AT_ONCE):
        for step in range(MAX_SEATS):
            seat = (np.int64(table.first) + step) % MAX_SEATS
            if table.playing[seat] != 0:
                for _ in range(DEALT_AT_ONCE):
                    add_to_hand(state, seat, np.int64(state.deck[at]))
                    at += 1
    state.stock_next = at


@kernel
def note_seen(table: Any, card: int) -> None:
    """A card lies openly from now on."""
    table.seen_one, table.seen_two = joined(np.uint64(table.seen_one), np.uint64(table.seen_two), card_bit(card), NONE)


@kernel
def clear_table(state: Any, record: Any, job: Any) -> None:
    """Empty hands, an empty table and a new row."""
    table = state.table
    for seat in range(MAX_SEATS):
        state.hand_one[seat] = NONE
        state.hand_two[seat] = NONE
        table.known_one[seat] = NONE
        table.known_two[seat] = NONE
        table.thrown[seat] = NONE
        table.took[seat] = NONE
        table.hand_count[seat] = HAND_SIZE if table.playing[seat] != 0 else 0
        table.meld_count[seat] = 0
        table.has_laid[seat] = 0
        table.jokers_laid[seat] = 0
        table.drawn[seat] = 0
        for meld in range(MAX_MELDS):
            table.meld_one[seat, meld] = NONE
            table.meld_two[seat, meld] = NONE
            table.meld_jokers[seat, meld] = NONE
            table.is_set[seat, meld] = 0
    clear_record(table, record)
    table.seen_one = NONE
    table.seen_two = NONE
    table.recycled_one = NONE
    table.recycled_two = NONE
    table.discard_count = 0
    table.reshuffles = 0
    table.turn = 1
    table.seat = table.first
    table.taken = NO_CARD
    table.taken_only = 0
    table.taken_meld = NOBODY
    table.laid = 0
    state.reason = REASON_NO_WINNER
    state.out_seat = NOBODY
    state.all_at_once = 0
    state.decisions = 0
    state.log_count = 0
    record.deal = job.deal
    record.match = job.match
    record.dealer = job.dealer
    record.first = table.first
    record.status = 0


@kernel
def clear_record(table: Any, record: Any) -> None:
    """Begin to count what the seats do."""
    for seat in range(MAX_SEATS):
        record.seat_turns[seat] = 0
        record.out_turn[seat] = 0
        record.first_meld_turn[seat] = 0
        record.discard_takes[seat] = 0
        record.meld_discards[seat] = 0
        record.playing[seat] = table.playing[seat]


@kernel
def write_deal(state: Any, log: Any) -> None:
    """Append everything that is hidden at the start, and the exposed card."""
    if log.size == 0:
        return
    for seat in range(MAX_SEATS):
        write_event(state, log, kinds.HAND, np.int64(seat), NO_VALUE)
        write_words(state, log, state.hand_one[seat], state.hand_two[seat])
    write_event(state, log, kinds.STOCK, NO_VALUE, NO_VALUE)
    for at in range(state.stock_next, state.cards - 1):
        write_card(state, log, np.int64(state.deck[at]))
    write_event(state, log, kinds.EXPOSED, NO_VALUE, NO_VALUE)
    write_card(state, log, np.int64(state.table.exposed))
