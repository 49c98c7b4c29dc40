"""The rules of loba outside the melds: turn, stock, discards, going out, score (LOB-03 to LOB-15).

Every function writes the state it is given and appends to the event log, which has length 0 in a batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.dealing import add_to_hand
from kernels.event_log import CARD_ROW, NOW_ROW, ZERO, write_card, write_event, write_pair_of_words, write_row
from kernels.loba import kinds
from kernels.loba.cards import JOKERS, card_at, cards_at, hand_points, joker_count, jokers_of
from kernels.loba.covering import NEW
from kernels.loba.dealing import NO_CARD, NO_VALUE, NOBODY, note_seen
from kernels.loba.layout import (
    ALL_AT_ONCE_FACTOR,
    ALL_AT_ONCE_POINTS,
    MAX_SEATS,
    MOST_RESHUFFLES,
    REASON_WENT_OUT,
    STATUS_PLAYED,
)
from kernels.loba.meld_rules import HAND, is_in_one_lane, is_joker, lays_card, top_discard
from kernels.melds import BIT, NONE, card_bit, joined, without
from kernels.rng import shuffle

FEWEST_TO_RESHUFFLE = np.int64(2)
ONCE = np.int64(1)
NO_MELD = np.int64(-1)


@kernel
def start_turn(state: Any, record: Any) -> None:
    """Begin the turn of the seat to move (LOB-04)."""
    table = state.table
    table.turn += 1
    table.taken = NO_CARD
    table.taken_only = 0
    table.taken_meld = NO_MELD
    table.laid = 0
    record.seat_turns[table.seat] += 1


@kernel
def draw_card(state: Any, seat: int, log: Any) -> bool:
    """Draw the top of the stock, reshuffled where it is empty; false if there is no card to draw (LOB-04, LOB-13)."""
    table = state.table
    if table.stock_left == 0 and not reshuffle(state, seat, log):
        return False
    card = np.int64(state.deck[state.stock_next])
    state.stock_next += 1
    table.stock_left -= 1
    table.drawn[seat] += 1
    add_to_hand(state, seat, card)
    table.hand_count[seat] += 1
    write_event(state, log, kinds.DRAW, seat, NO_VALUE)
    write_card(state, log, card)
    return True


@kernel
def reshuffle(state: Any, seat: int, log: Any) -> bool:
    """Shuffle the discards but the top one into a new stock; false for a fourth time or too few cards (LOB-13)."""
    table = state.table
    below = np.int64(table.discard_count) - 1
    if table.reshuffles == MOST_RESHUFFLES or below < FEWEST_TO_RESHUFFLE:
        return False
    table.reshuffles += 1
    one, two = NONE, NONE
    for at in range(below):
        card = np.int64(table.discards[at])
        state.deck[at] = table.discards[at]
        forget(table, card)
        one, two = joined(one, two, card_bit(card), NONE)
    table.recycled_one, table.recycled_two = one, two
    for other in range(MAX_SEATS):
        table.drawn[other] = 0
    table.discards[0] = table.discards[below]
    table.discard_count = 1
    shuffle(state.dealing, state.deck, below)
    state.stock_next = 0
    table.stock_left = below
    write_event(state, log, kinds.RESHUFFLE, seat, NO_VALUE)
    for at in range(below):
        write_card(state, log, np.int64(state.deck[at]))
    return True


@kernel
def forget(table: Any, card: int) -> None:
    """A card lies openly no longer."""
    table.seen_one, table.seen_two = without(np.uint64(table.seen_one), np.uint64(table.seen_two), card_bit(card), NONE)


@kernel
def take_discard(state: Any, seat: int, record: Any, log: Any) -> None:
    """Take the top of the discards (LOB-04)."""
    table = state.table
    card = top_discard(table)
    table.discard_count -= 1
    forget(table, card)
    like = JOKERS if is_joker(card) else card_bit(card)
    table.taken_only = (state.hand_one[seat] & like) == NONE
    add_to_hand(state, seat, card)
    table.hand_count[seat] += 1
    table.taken = card
    table.took[seat] |= card_bit(card)
    if not is_joker(card):
        # Which joker leaves a hand nobody can tell.
        table.known_one[seat], table.known_two[seat] = joined(
            np.uint64(table.known_one[seat]), np.uint64(table.known_two[seat]), card_bit(card), NONE
        )
    record.discard_takes[seat] += 1
    write_event(state, log, kinds.TAKE_DISCARD, seat, NO_VALUE)
    write_card(state, log, card)


@kernel
def leave_hand(state: Any, seat: int, one: np.uint64, two: np.uint64) -> None:
    """Take cards out of a hand; of those openly taken, the others of the same face leave last."""
    table = state.table
    state.hand_one[seat], state.hand_two[seat] = without(state.hand_one[seat], state.hand_two[seat], one, two)
    table.hand_count[seat] -= popcount(one) + popcount(two)
    table.known_one[seat], table.known_two[seat] = without(
        np.uint64(table.known_one[seat]), np.uint64(table.known_two[seat]), one, two
    )


@kernel
def apply_lay(
    state: Any, seat: int, meld: int, naturals: np.uint64, twice: np.uint64, jokers: np.uint64, record: Any, log: Any
) -> None:
    """Lay legal cards of the hand as a new meld or onto an own one (LOB-04 to LOB-07)."""
    table = state.table
    cards = cards_at(naturals)
    joker_one, joker_two = jokers_of(state.hand_one[seat], state.hand_two[seat], popcount(jokers))
    leave_hand(state, seat, cards | joker_one, twice | joker_two)
    table.seen_one, table.seen_two = joined(
        np.uint64(table.seen_one), np.uint64(table.seen_two), cards | joker_one, twice | joker_two
    )
    table.jokers_laid[seat] += popcount(jokers)
    table.laid = 1
    if record.first_meld_turn[seat] == 0:
        record.first_meld_turn[seat] = record.seat_turns[seat]
    number = meld
    if meld == NEW:
        number = np.int64(table.meld_count[seat])
        table.meld_count[seat] += 1
        table.is_set[seat, number] = jokers == NONE and not is_in_one_lane(naturals)
    if table.taken >= 0 and table.taken_meld < 0 and lays_card(np.int64(table.taken), naturals, jokers):
        table.taken_meld = number
    one, two = joined(np.uint64(table.meld_one[seat, number]), np.uint64(table.meld_two[seat, number]), naturals, twice)
    table.meld_one[seat, number], table.meld_two[seat, number] = one, two
    table.meld_jokers[seat, number] |= jokers
    if log.size > 0:
        write_event(state, log, kinds.MELD if meld == NEW else kinds.EXTEND, seat, number)
        if table.is_set[seat, number] != 0:
            write_pair_of_words(state, log, CARD_ROW, naturals, twice)
            write_pair_of_words(state, log, NOW_ROW, one, two)
        else:
            write_positions(state, log, CARD_ROW, naturals, jokers)
            write_positions(state, log, NOW_ROW, one, np.uint64(table.meld_jokers[seat, number]))


@kernel
def write_positions(state: Any, log: Any, kind: int, naturals: np.uint64, jokers: np.uint64) -> None:
    """Append a row for every card of a sequence, in its order."""
    rest = naturals | jokers
    while rest != NONE:
        position = lowest_bit(rest)
        rest &= rest - BIT
        card = ZERO if (jokers & card_bit(position)) != NONE else card_at(position)
        write_row(state, log, kind, ZERO, ZERO, card)


@kernel
def apply_discard(state: Any, seat: int, card: int, meld: int, record: Any, log: Any) -> None:
    """Discard a card of the hand or of an own meld, as is legal (LOB-04, LOB-08)."""
    table = state.table
    bit = card_bit(card)
    if meld == HAND:
        leave_hand(state, seat, bit, NONE)
        note_seen(table, card)
    else:
        leave_meld(table, seat, card, meld)
        record.meld_discards[seat] += 1
    table.thrown[seat] |= bit
    table.discards[table.discard_count] = card
    table.discard_count += 1
    write_event(state, log, kinds.DISCARD, seat, meld)
    write_card(state, log, card)


@kernel
def leave_meld(table: Any, seat: int, card: int, meld: int) -> None:
    """Take a card out of a meld on the table (LOB-08)."""
    position = card_bit(card)
    if table.is_set[seat, meld] == 0 and (np.uint64(table.meld_one[seat, meld]) & position) == NONE:
        # The ace lies low.
        position = position >> np.uint64(13)
    table.meld_one[seat, meld], table.meld_two[seat, meld] = without(
        np.uint64(table.meld_one[seat, meld]), np.uint64(table.meld_two[seat, meld]), position, NONE
    )


@kernel
def end_turn(table: Any, seat: int) -> None:
    """Note that what was laid in this turn was laid in an earlier one from now on (LOB-15)."""
    if table.laid != 0:
        table.has_laid[seat] = 1


@kernel
def go_out(state: Any, seat: int, record: Any, log: Any) -> None:
    """End the round: the seat has no card left (LOB-12, LOB-15)."""
    table = state.table
    state.reason = REASON_WENT_OUT
    state.out_seat = seat
    state.all_at_once = table.has_laid[seat] == 0
    record.out_turn[seat] = record.seat_turns[seat]
    write_event(state, log, kinds.GO_OUT, seat, np.int64(state.all_at_once))


@kernel
def score(state: Any, options: Any, job: Any, record: Any) -> None:
    """Count what is left in the hands and fill the row (LOB-14, LOB-15, LOB-17)."""
    table = state.table
    factor = ALL_AT_ONCE_FACTOR if state.all_at_once != 0 else ONCE
    best, winner = np.int64(-1_000_000), NOBODY
    for seat in range(MAX_SEATS):
        one, two = np.uint64(state.hand_one[seat]), np.uint64(state.hand_two[seat])
        points = hand_points(one, two)
        out = state.out_seat == seat
        total = -points * factor
        if out and state.all_at_once != 0:
            total = np.int64(ALL_AT_ONCE_POINTS)
        record.score[seat] = total
        record.deadwood[seat] = points
        record.cards_left[seat] = table.hand_count[seat]
        record.jokers_left[seat] = joker_count(one, two)
        record.went_out[seat] = out
        record.all_at_once[seat] = out and state.all_at_once != 0
        record.eliminated[seat] = (
            job.match >= 0 and table.playing[seat] != 0 and job.scores_before[seat] + total <= -options.target
        )
        record.jokers_used[seat] = table.jokers_laid[seat]
        note_melds(table, np.int64(seat), record)
        if table.playing[seat] != 0:
            if total > best:
                best, winner = total, np.int64(seat)
            elif total == best:
                winner = NOBODY
    record.winner = winner
    record.out_seat = state.out_seat
    record.reason = state.reason
    record.reshuffles = table.reshuffles
    record.turns = table.turn
    record.decisions = state.decisions
    record.status = STATUS_PLAYED


@kernel
def note_melds(table: Any, seat: int, record: Any) -> None:
    """Count a seat's melds on the table."""
    sets, cards = np.int64(0), np.int64(table.jokers_laid[seat])
    for meld in range(table.meld_count[seat]):
        sets += np.int64(table.is_set[seat, meld])
        cards += popcount(np.uint64(table.meld_one[seat, meld])) + popcount(np.uint64(table.meld_two[seat, meld]))
    record.melds[seat] = table.meld_count[seat]
    record.sets[seat] = sets
    record.laid_cards[seat] = cards
