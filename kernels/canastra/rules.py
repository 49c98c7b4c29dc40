"""The rules of canastra outside the melds: deal, turn, lixo, morto, batida, score (CAN-01 to CAN-28).

Every function writes the state it is given and appends to the event log, which has length 0 in a batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.canastra import kinds
from kernels.canastra.layout import (
    BATIDA_POINTS,
    CARD_POINTS,
    CLEAN_POINTS,
    DIRTY_POINTS,
    HAND_SIZE,
    MORTO_AT_ONCE,
    MORTO_SIZE,
    NO_MORTO_POINTS,
    REASON_BATIDA,
    REASON_STOCK_OUT,
    RED_THREE_POINTS,
    SEATS,
    SIDES,
    STATUS_PLAYED,
    STOCK_OUT_MORTO,
)
from kernels.canastra.log import write_deal, write_meld, write_morto
from kernels.canastra.meld_rules import (
    CANASTRA_SIZE,
    LEGAL,
    lay,
    meld_article,
    size_after,
)
from kernels.dealing import add_to_hand, deal_hands, shuffle_deck
from kernels.event_log import write_card, write_event
from kernels.melds import (
    BLACK_THREES,
    NONE,
    RED_THREES,
    card_bit,
    count,
    holds,
    joined,
    without,
)

NO_CARD = -1
NO_VALUE = np.int64(0)


@kernel
def deal_cards(state: Any, options: Any, pack: Any, seed: np.uint64, job: Any, record: Any, log: Any) -> None:
    """Shuffle and deal eleven each from the dealer's right, two mortos, the rest the stock (CAN-01 to CAN-05)."""
    table = state.table
    players = options.players
    cards = 104 + options.jokers
    shuffle_deck(state, pack, cards, seed, job)
    first = (job.dealer + 1) % players
    table.players = players
    table.first = first
    table.seat = first
    for seat in range(SEATS):
        state.hand_one[seat] = NONE
        state.hand_two[seat] = NONE
        table.known_one[seat] = NONE
        table.known_two[seat] = NONE
        table.hand_count[seat] = 0
        table.morto_closed[seat] = 0
        table.started[seat] = 0
    deal_hands(state, players, first, HAND_SIZE)
    for seat in range(players):
        table.hand_count[seat] = HAND_SIZE
    for side in range(SIDES):
        table.accepts[side] = NONE
        table.lavadeiras[side] = NONE
        table.morto_taken[side] = 0
        table.red_threes[side] = 0
        table.clean_canastras[side] = 0
        table.dirty_canastras[side] = 0
        table.meld_count[side] = 0
    table.seen_one = NONE
    table.seen_two = NONE
    table.lixo_one = NONE
    table.lixo_two = NONE
    table.lixo_size = 0
    table.turn = 0
    table.took_lixo = 0
    table.mortos_left = 2
    state.morto_next = 0
    state.morto_at[0] = HAND_SIZE * players
    state.morto_at[1] = HAND_SIZE * players + MORTO_SIZE
    state.stock_next = HAND_SIZE * players + 2 * MORTO_SIZE
    state.stock_end = cards
    table.stock_left = state.stock_end - state.stock_next
    state.reason = REASON_STOCK_OUT
    state.out_seat = -1
    state.decisions = 0
    state.log_count = 0
    clear_record(record, job, first)
    write_deal(state, log, cards)


@kernel
def clear_record(record: Any, job: Any, first: int) -> None:
    """Start the row that the deal leaves behind."""
    record.deal = job.deal
    record.match = job.match
    record.dealer = job.dealer
    record.first = first
    record.status = 0
    for side in range(SIDES):
        record.side_turns[side] = 0
        record.first_meld_turn[side] = 0
        record.canastra_turn[side] = 0
        record.morto_turn[side] = 0
        record.batida_turn[side] = 0
        record.lixo_cards[side] = 0
        record.lixo_takes[side] = 0
        record.locks[side] = 0
        record.batida[side] = 0
        record.no_morto[side] = 0
        record.morto[side] = 0


@kernel
def see(table: Any, one: np.uint64, two: np.uint64) -> None:
    """Note cards that now lie openly (on the table or in the lixo)."""
    table.seen_one, table.seen_two = joined(table.seen_one, table.seen_two, one, two)


@kernel
def leave_hand(state: Any, seat: int, one: np.uint64, two: np.uint64) -> None:
    """Take cards out of a hand, and out of what is publicly known of it."""
    table = state.table
    state.hand_one[seat], state.hand_two[seat] = without(state.hand_one[seat], state.hand_two[seat], one, two)
    table.known_one[seat], table.known_two[seat] = without(table.known_one[seat], table.known_two[seat], one, two)
    table.hand_count[seat] -= count(one, two)


@kernel
def can_draw(table: Any, options: Any) -> bool:
    """Whether a card can be drawn: from the stock, or from a morto that becomes the stock (CAN-23)."""
    return table.stock_left > 0 or (table.mortos_left > 0 and options.stock_out == STOCK_OUT_MORTO)


@kernel
def draw_card(state: Any, options: Any, seat: int, why: int, log: Any) -> int:
    """Draw the top of the stock into a hand, a morto becoming the stock where it must (CAN-07, CAN-23).

    Returns the card, or `NO_CARD` when nothing is left.
    """
    table = state.table
    if table.stock_left == 0:
        if not can_draw(table, options):
            return NO_CARD
        morto = np.int64(state.morto_next)
        state.morto_next = morto + 1
        table.mortos_left -= 1
        state.stock_next = state.morto_at[morto]
        state.stock_end = state.stock_next + MORTO_SIZE
        table.stock_left = MORTO_SIZE
        write_event(state, log, kinds.MORTO_TO_STOCK, seat, morto)
        for at in range(state.stock_next, state.stock_end):
            write_card(state, log, np.int64(state.deck[at]))
    card = np.int64(state.deck[state.stock_next])
    state.stock_next += 1
    table.stock_left -= 1
    add_to_hand(state, seat, card)
    table.hand_count[seat] += 1
    write_event(state, log, kinds.DRAW, seat, why)
    write_card(state, log, card)
    return card


@kernel
def lay_red_threes(state: Any, options: Any, seat: int, log: Any) -> None:
    """Lay every red three of a hand aside, each replaced from the stock while there is one (CAN-06)."""
    table = state.table
    red = state.hand_one[seat] & RED_THREES
    while red != NONE:
        bit = card_bit(lowest_bit(red))
        leave_hand(state, seat, bit, NONE)
        see(table, bit, NONE)
        table.red_threes[seat % SIDES] += 1
        write_event(state, log, kinds.RED_THREE, seat, NO_VALUE)
        write_card(state, log, lowest_bit(red))
        draw_card(state, options, seat, kinds.WHY_RED_THREE, log)
        red = state.hand_one[seat] & RED_THREES


@kernel
def start_turn(state: Any, options: Any, record: Any, log: Any) -> None:
    """Begin the turn of the seat to move: open its morto, lay the red threes that are due (CAN-06, CAN-18)."""
    table = state.table
    seat = np.int64(table.seat)
    table.turn += 1
    table.took_lixo = 0
    record.side_turns[seat % SIDES] += 1
    if table.morto_closed[seat]:
        table.morto_closed[seat] = 0
        morto = np.int64(state.morto_number[seat])
        write_event(state, log, kinds.MORTO_OPENED, seat, morto)
        pick_up_morto(state, seat, morto, log)
    table.started[seat] = 1
    if (state.hand_one[seat] & RED_THREES) != NONE:
        lay_red_threes(state, options, seat, log)


@kernel
def pick_up_morto(state: Any, seat: int, morto: int, log: Any) -> None:
    """Put the eleven cards of a morto into a hand."""
    start = np.int64(state.morto_at[morto])
    for at in range(start, start + MORTO_SIZE):
        add_to_hand(state, seat, np.int64(state.deck[at]))
    write_morto(state, log, start)
    state.table.hand_count[seat] += MORTO_SIZE


@kernel
def morto_open(table: Any, side: int) -> bool:
    """Whether a player of the side who empties his hand takes a morto (CAN-18, CAN-19, CAN-23)."""
    return table.morto_taken[side] == 0 and table.mortos_left > 0


@kernel
def batida_open(table: Any, side: int) -> bool:
    """Whether the side may go out (CAN-20)."""
    return table.morto_taken[side] != 0 and table.clean_canastras[side] + table.dirty_canastras[side] > 0


@kernel
def may_keep(table: Any, options: Any, side: int, left: int, makes_canastra: bool) -> bool:
    """Whether a meld may leave `left` cards in hand before the discard (CAN-20, CAN-21).

    `makes_canastra` says that the side owns a canastra once the meld is laid.
    """
    if left >= 2 or morto_open(table, side):
        return True
    batida = table.morto_taken[side] != 0 and (makes_canastra or batida_open(table, side))
    return batida and (left == 1 or not options.batida_needs_discard)


@kernel
def meld_action_article(
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    target: int,
    one: np.uint64,
    two: np.uint64,
    places: np.uint64,
) -> int:
    """Article that a meld action from the hand breaks, 0 when it is legal (CAN-11 to CAN-16, CAN-21)."""
    side = seat % SIDES
    if (two & ~one) != NONE or not holds(hand_one, hand_two, one, two):
        return 11
    article = meld_article(table, options, side, target, one, two, places)
    if article != LEGAL:
        return article
    left = table.hand_count[seat] - count(one, two)
    makes_canastra = size_after(table, side, target, one, two) >= CANASTRA_SIZE
    return LEGAL if may_keep(table, options, side, left, makes_canastra) else 21


@kernel
def apply_meld(
    state: Any,
    options: Any,
    seat: int,
    target: int,
    one: np.uint64,
    two: np.uint64,
    places: np.uint64,
    record: Any,
    log: Any,
) -> None:
    """Lay a legal meld or extension; the cards must be in the hand (CAN-11 to CAN-17)."""
    table = state.table
    side = seat % SIDES
    meld = lay(table, options, side, target, one, two, places)
    leave_hand(state, seat, one, two)
    see(table, one, two)
    turn = record.side_turns[side]
    if record.first_meld_turn[side] == 0:
        record.first_meld_turn[side] = turn
    if record.canastra_turn[side] == 0 and table.clean_canastras[side] + table.dirty_canastras[side] > 0:
        record.canastra_turn[side] = turn
    write_meld(state, log, kinds.MELD if target < 0 else kinds.EXTEND, seat, side, meld, one, two)


@kernel
def take_morto(state: Any, options: Any, seat: int, when: int, record: Any, log: Any) -> None:
    """The seat emptied its hand: it takes the lowest morto left, `when` at once or next turn (CAN-18, CAN-19)."""
    table = state.table
    side = seat % SIDES
    morto = np.int64(state.morto_next)
    state.morto_next = morto + 1
    table.mortos_left -= 1
    table.morto_taken[side] = 1
    record.morto_turn[side] = record.side_turns[side]
    record.morto[side] = when
    if when == MORTO_AT_ONCE:
        write_event(state, log, kinds.TAKE_MORTO, seat, 2 * morto)
        pick_up_morto(state, seat, morto, log)
        lay_red_threes(state, options, seat, log)
    else:
        write_event(state, log, kinds.TAKE_MORTO, seat, 2 * morto + 1)
        table.morto_closed[seat] = 1
        state.morto_number[seat] = morto


@kernel
def go_out(state: Any, seat: int, record: Any, log: Any) -> None:
    """The seat ends the hand by the batida (CAN-20)."""
    state.reason = REASON_BATIDA
    state.out_seat = seat
    record.batida[seat % SIDES] = 1
    record.batida_turn[seat % SIDES] = record.side_turns[seat % SIDES]
    write_event(state, log, kinds.GO_OUT, seat, NO_VALUE)


@kernel
def discard_article(table: Any, seat: int, hand_one: np.uint64, card: int) -> int:
    """Article that a discard breaks, 0 when it is legal (CAN-06, CAN-11, CAN-21)."""
    bit = card_bit(card)
    if card < 0 or (hand_one & bit) == NONE:
        return 11
    if (bit & RED_THREES) != NONE:
        return 6
    side = seat % SIDES
    if table.hand_count[seat] == 1 and not (morto_open(table, side) or batida_open(table, side)):
        return 21
    return LEGAL


@kernel
def apply_discard(state: Any, seat: int, card: int, record: Any, log: Any) -> None:
    """Put a card on the lixo (CAN-09, CAN-11)."""
    table = state.table
    bit = card_bit(card)
    leave_hand(state, seat, bit, NONE)
    see(table, bit, NONE)
    table.lixo[table.lixo_size] = card
    table.lixo_size += 1
    table.lixo_one, table.lixo_two = joined(table.lixo_one, table.lixo_two, bit, NONE)
    if (bit & BLACK_THREES) != NONE:
        record.locks[seat % SIDES] += 1
    write_event(state, log, kinds.DISCARD, seat, NO_VALUE)
    write_card(state, log, card)


@kernel
def score(state: Any, options: Any, record: Any) -> None:
    """Count the hand for both sides (CAN-18, CAN-22, CAN-25 to CAN-27)."""
    table = state.table
    nobody_took = table.morto_taken[0] == 0 and table.morto_taken[1] == 0
    for side in range(SIDES):
        melded = np.int64(0)
        curingas = np.int64(0)
        for meld in range(np.int64(table.meld_count[side])):
            melded += table.meld_size[side, meld]
            curingas += table.meld_wilds[side, meld]
        in_hand = np.int64(0)
        unopened = False
        red_threes = np.int64(table.red_threes[side])
        for seat in range(side, table.players, SIDES):
            unopened = unopened or table.morto_closed[seat] != 0
            in_hand += table.hand_count[seat]
            if table.started[seat] == 0:
                untouched = count(state.hand_one[seat] & RED_THREES, state.hand_two[seat] & RED_THREES)
                red_threes += untouched
                in_hand -= untouched
        canastras = table.clean_canastras[side] + table.dirty_canastras[side]
        counts = RED_THREE_POINTS * red_threes
        record.red_three_points[side] = counts if canastras > 0 else -counts
        record.red_three_table_points[side] = options.red_three_table_points * red_threes if canastras > 0 else 0
        lost_morto = unopened and state.reason == REASON_BATIDA and state.out_seat % SIDES != side
        if table.morto_taken[side] == 0:
            lost_morto = state.reason == REASON_BATIDA or not nobody_took
        record.no_morto[side] = 1 if lost_morto else 0
        record.table_cards[side] = melded
        record.curingas[side] = curingas
        record.hand_cards[side] = in_hand
        record.red_threes[side] = red_threes
        record.melds[side] = table.meld_count[side]
        record.clean_canastras[side] = table.clean_canastras[side]
        record.dirty_canastras[side] = table.dirty_canastras[side]
        record.score[side] = (
            BATIDA_POINTS * np.int64(record.batida[side])
            + CLEAN_POINTS * np.int64(table.clean_canastras[side])
            + DIRTY_POINTS * np.int64(table.dirty_canastras[side])
            + CARD_POINTS * (melded - in_hand)
            + record.red_three_points[side]
            + record.red_three_table_points[side]
            - NO_MORTO_POINTS * np.int64(record.no_morto[side])
        )
    record.winner = -1
    if record.score[0] != record.score[1]:
        record.winner = 0 if record.score[0] > record.score[1] else 1
    record.turns = table.turn
    record.decisions = state.decisions
    record.reason = state.reason
    record.out_seat = state.out_seat
    record.status = STATUS_PLAYED
