"""The rules of canasta outside the melds: turn, pile, going out, score (KAN-05 to KAN-19).

Every function writes the state it is given and appends to the event log, which has length 0 in a batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.canasta import kinds
from kernels.canasta.deal import NO_SEAT, NO_VALUE, is_red_three, put_on_pile, rank_of
from kernels.canasta.layout import (
    ALL_RED_THREES_POINTS,
    CONCEALED_POINTS,
    GOING_OUT_POINTS,
    JOKERS,
    MIXED_POINTS,
    NATURAL_POINTS,
    REASON_RED_THREE_LAST,
    REASON_WENT_OUT,
    RED_THREE_POINTS,
    SEATS,
    SIDES,
    STATUS_PLAYED,
    THREES,
    TWOS,
)
from kernels.canasta.meld_rules import (
    LEGAL,
    canasta_marks,
    laid_points,
    lowest_rank,
    may_end,
    spent,
    touched_ranks,
)
from kernels.canasta.values import has_of, points_of
from kernels.dealing import add_to_hand
from kernels.event_log import NOW_ROW, write_card, write_event, write_pair_of_words, write_words
from kernels.melds import (
    NONE,
    RED_THREES,
    card_bit,
    count,
    joined,
    of_rank,
    without,
)
from kernels.rank_counts import NOTHING, ONE, at_least, less_at_most, number_of, one_of, total


@kernel
def start_turn(state: Any, record: Any, log: Any) -> bool:
    """Begin the turn of the seat to move and lay the red threes that are due; true if that ends the hand (KAN-05)."""
    table = state.table
    seat = np.int64(table.seat)
    side = seat % SIDES
    table.turn += 1
    table.took_pile = 0
    table.laid = 0
    table.answer = 0
    table.concealed = 0 if table.has_laid[seat] else 1
    table.melded_before = table.melded[side]
    record.side_turns[side] += 1
    if table.started[seat] == 0:
        table.started[seat] = 1
        red = count(state.hand_one[seat] & RED_THREES, state.hand_two[seat] & RED_THREES)
        for _ in range(red):
            card = lowest_bit(state.hand_one[seat] & RED_THREES)
            state.hand_one[seat], state.hand_two[seat] = without(
                state.hand_one[seat], state.hand_two[seat], card_bit(card), NONE
            )
            table.hand_count[seat] -= 1
            lay_red_three(state, seat, card, log)
            if draw_card(state, seat, kinds.WHY_RED_THREE, log):
                return True
    return False


@kernel
def lay_red_three(state: Any, seat: int, card: int, log: Any) -> None:
    """Lay a red three face up (KAN-05)."""
    state.table.red_threes[seat % SIDES] += 1
    write_event(state, log, kinds.RED_THREE, seat, NO_VALUE)
    write_card(state, log, card)


@kernel
def draw_card(state: Any, seat: int, why: int, log: Any) -> bool:
    """Draw a card, red threes laid and replaced; true if the last of the stock was one (KAN-05, KAN-06, KAN-16)."""
    table = state.table
    while table.stock_left > 0:
        card = np.int64(state.deck[state.stock_next])
        state.stock_next += 1
        table.stock_left -= 1
        write_event(state, log, kinds.DRAW, seat, why)
        write_card(state, log, card)
        if not is_red_three(card):
            add_to_hand(state, seat, card)
            state.hand[seat] += one_of(rank_of(card))
            table.hand_count[seat] += 1
            return False
        lay_red_three(state, seat, card, log)
        why = kinds.WHY_RED_THREE
    state.reason = REASON_RED_THREE_LAST
    return True


@kernel
def pick_cards(one: np.uint64, two: np.uint64, rank: int, wanted: int) -> tuple[np.uint64, np.uint64]:
    """The first `wanted` cards of a rank in a hand that has them, red threes aside."""
    of = of_rank(rank) & ~RED_THREES
    part_one, part_two = one & of, two & of
    surplus = count(part_one, part_two) - wanted
    while surplus > 0:
        if part_two != NONE:
            part_two &= part_two - ONE
        else:
            part_one &= part_one - ONE
        surplus -= 1
    return part_one, part_two


@kernel
def lay_rank(
    state: Any,
    seat: int,
    rank: int,
    naturals: int,
    jokers: int,
    twos: int,
    extra: np.uint64,
    log: Any,
) -> None:
    """Lay cards of one rank from the hand, and `extra`, the top card of the pile or none, onto the side's meld."""
    table = state.table
    side = seat % SIDES
    hand_one, hand_two = state.hand_one[seat], state.hand_two[seat]
    one, two = pick_cards(hand_one, hand_two, rank, naturals)
    wild_one, wild_two = NONE, NONE
    if jokers > 0:
        wild_one, wild_two = pick_cards(hand_one, hand_two, JOKERS, jokers)
    if twos > 0:
        two_one, two_two = pick_cards(hand_one, hand_two, TWOS, twos)
        wild_one, wild_two = wild_one | two_one, wild_two | two_two
    state.hand_one[seat], state.hand_two[seat] = without(hand_one, hand_two, one | wild_one, two | wild_two)
    one, two = joined(one, two, extra, NONE)
    is_new = (state.natural_one[side] & of_rank(rank)) == NONE
    state.natural_one[side], state.natural_two[side] = joined(
        state.natural_one[side], state.natural_two[side], one, two
    )
    state.wild_one[side, rank], state.wild_two[side, rank] = joined(
        state.wild_one[side, rank], state.wild_two[side, rank], wild_one, wild_two
    )
    if is_new:
        table.meld_number[side, rank] = table.meld_count[side]
        table.meld_count[side] += 1
    if log.size > 0:
        kind = kinds.MELD if is_new else kinds.EXTEND
        write_event(state, log, kind, seat, np.int64(table.meld_number[side, rank]))
        write_words(state, log, one | wild_one, two | wild_two)
        of = of_rank(rank)
        write_pair_of_words(state, log, NOW_ROW, state.natural_one[side] & of, state.natural_two[side] & of)
        write_pair_of_words(state, log, NOW_ROW, state.wild_one[side, rank], state.wild_two[side, rank])


@kernel
def lay_cards(
    state: Any,
    seat: int,
    naturals: np.uint64,
    jokers: np.uint64,
    twos: np.uint64,
    top: int,
    record: Any,
    log: Any,
) -> None:
    """Lay a legal choice of cards, with the top card of the pile where `top` is one and not -1 (KAN-11 to KAN-15)."""
    table = state.table
    used = total(naturals) + total(jokers) + total(twos)
    with_top = naturals
    if top >= 0:
        rank = rank_of(top)
        with_top = naturals + one_of(rank)
        # The meld that takes the pile is written first.
        lay_rank(
            state,
            seat,
            rank,
            number_of(naturals, rank),
            number_of(jokers, rank),
            number_of(twos, rank),
            card_bit(top),
            log,
        )
    added = jokers + twos
    rest = touched_ranks(naturals, added)
    while rest != NOTHING:
        rank = lowest_rank(rest)
        rest &= rest - ONE
        if top < 0 or rank != rank_of(top):
            lay_rank(
                state,
                seat,
                rank,
                number_of(naturals, rank),
                number_of(jokers, rank),
                number_of(twos, rank),
                NONE,
                log,
            )
    leaving = spent(naturals, jokers, twos)
    state.hand[seat] -= leaving
    table.hand_count[seat] -= used
    if table.known[seat] != NOTHING:
        table.known[seat] = less_at_most(table.known[seat], leaving)
    note_melds(table, seat, with_top, jokers, twos, used, record)


@kernel
def note_melds(
    table: Any,
    seat: int,
    naturals: np.uint64,
    jokers: np.uint64,
    twos: np.uint64,
    used: int,
    record: Any,
) -> None:
    """Bring the table up to date after a melding: counts, points, canastas, concealment (KAN-15, KAN-18)."""
    side = seat % SIDES
    turn = record.side_turns[side]
    added = jokers + twos
    if table.melded[side] == NOTHING:
        record.first_meld_turn[side] = turn
        record.first_meld_cards[side] = used
    table.melded[side] += naturals
    table.wilds[side] += added
    table.seen += spent(naturals, jokers, twos)
    table.melded_points[side] += laid_points(naturals, jokers, twos)
    canastas = canasta_marks(np.uint64(table.melded[side]), np.uint64(table.wilds[side]))
    if canastas != NOTHING:
        mixed = canastas & at_least(table.wilds[side], ONE)
        table.mixed_canastas[side] = popcount(mixed)
        table.natural_canastas[side] = popcount(canastas ^ mixed)
        if record.canasta_turn[side] == 0:
            record.canasta_turn[side] = turn
    table.has_laid[seat] = 1
    if (has_of(naturals | added) & table.melded_before) != NOTHING:
        table.concealed = 0


@kernel
def apply_melds(
    state: Any, seat: int, naturals: np.uint64, jokers: np.uint64, twos: np.uint64, record: Any, log: Any
) -> None:
    """Lay a legal choice of cards from the hand (KAN-11 to KAN-15)."""
    state.table.laid = 1
    lay_cards(state, seat, naturals, jokers, twos, NO_SEAT, record, log)


@kernel
def apply_take(
    state: Any, seat: int, naturals: np.uint64, jokers: np.uint64, twos: np.uint64, record: Any, log: Any
) -> None:
    """Take the whole pile and lay its top card with the cards chosen (KAN-05, KAN-06, KAN-08, KAN-13)."""
    table = state.table
    side = seat % SIDES
    size = np.int64(table.pile_size)
    top = np.int64(table.pile[size - 1])
    write_event(state, log, kinds.TAKE_PILE, seat, NO_VALUE)
    for at in range(size):
        write_card(state, log, np.int64(table.pile[at]))
    if table.melded[side] == NOTHING:
        record.first_meld_from_pile[side] = 1
    if record.first_pile_size == 0:
        record.first_pile_side = side
        record.first_pile_size = size
    record.pile_takes[side] += 1
    record.pile_cards[side] += size
    # The rest of the pile comes into the hand only now, so the melds hold cards that were in hand before.
    rest = np.uint64(table.pile_counts) - one_of(rank_of(top))
    table.seen -= table.pile_counts
    table.took_pile = 1
    for at in range(size):
        if table.pile_red_threes > 0 and is_red_three(np.int64(table.pile[at])):
            table.pile_red_threes -= 1
            lay_red_three(state, seat, np.int64(table.pile[at]), log)
    lay_cards(state, seat, naturals, jokers, twos, top, record, log)
    for at in range(size - 1):
        card = np.int64(table.pile[at])
        if not is_red_three(card):
            add_to_hand(state, seat, card)
            table.hand_count[seat] += 1
    state.hand[seat] += rest
    table.known[seat] += rest
    table.pile_size = 0
    table.pile_counts = NOTHING
    table.pile_frozen = 0


@kernel
def discard_article(table: Any, options: Any, seat: int, hand: np.uint64, rank: int) -> int:
    """Article that discarding a card of a rank breaks, 0 when it is legal (KAN-06, KAN-14)."""
    if rank < 0 or number_of(hand, rank) == 0:
        return 6
    canastas = table.natural_canastas[seat % SIDES] + table.mixed_canastas[seat % SIDES]
    if table.hand_count[seat] == 1 and not may_end(options, np.int64(table.answer), np.int64(canastas)):
        return 14
    return LEGAL


@kernel
def apply_discard(state: Any, options: Any, seat: int, rank: int, record: Any, log: Any) -> None:
    """Put a card of a rank on the pile; a wild card freezes it (KAN-06, KAN-08, KAN-09)."""
    table = state.table
    side = seat % SIDES
    one, two = pick_cards(state.hand_one[seat], state.hand_two[seat], rank, np.int64(1))
    card = lowest_bit(one)
    state.hand_one[seat], state.hand_two[seat] = without(state.hand_one[seat], state.hand_two[seat], one, two)
    state.hand[seat] -= one_of(rank)
    table.hand_count[seat] -= 1
    if number_of(table.known[seat], rank) > 0:
        table.known[seat] -= one_of(rank)
    put_on_pile(table, card)
    table.thrown[seat] += one_of(rank)
    if rank == THREES:
        record.stops[side] += 1
    if rank < THREES or (rank == THREES and options.black_three_freezes != 0):
        if table.pile_frozen == 0:
            record.freezes[side] += 1
        table.pile_frozen = 1
    write_event(state, log, kinds.DISCARD, seat, NO_VALUE)
    write_card(state, log, card)


@kernel
def note_answer(state: Any, seat: int, yes: bool, record: Any, log: Any) -> None:
    """The partner's answer to "may I go out?", which binds (KAN-14)."""
    table = state.table
    table.asked[seat] = 1
    table.answer = 1 if yes else -1
    record.asks[seat % SIDES] += 1
    if not yes:
        record.refusals[seat % SIDES] += 1
    write_event(state, log, kinds.ASK, seat, np.int64(1) if yes else np.int64(0))


@kernel
def go_out(state: Any, options: Any, seat: int, record: Any, log: Any) -> None:
    """The seat ends the hand, concealed where KAN-15 says so (KAN-14, KAN-15)."""
    table = state.table
    side = seat % SIDES
    state.reason = REASON_WENT_OUT
    state.out_seat = seat
    record.went_out[side] = 1
    record.out_turn[side] = record.side_turns[side]
    canastas = canasta_marks(np.uint64(table.melded[side]), np.uint64(table.wilds[side]))
    own = canastas & ~has_of(table.melded_before)
    concealed = table.concealed != 0 and own != NOTHING
    record.concealed[side] = 1 if concealed else 0
    write_event(state, log, kinds.GO_OUT, seat, np.int64(1) if concealed else np.int64(0))


@kernel
def score(state: Any, record: Any) -> None:
    """Count the hand for both sides (KAN-05, KAN-14, KAN-15, KAN-18, KAN-19)."""
    table = state.table
    for side in range(SIDES):
        in_hand = np.int64(0)
        cards = np.int64(0)
        red_threes = np.int64(table.red_threes[side])
        for seat in range(side, SEATS, SIDES):
            in_hand += points_of(state.hand[seat])
            cards += total(state.hand[seat])
            if table.started[seat] == 0:
                red_threes += count(state.hand_one[seat] & RED_THREES, state.hand_two[seat] & RED_THREES)
        red_three_points = ALL_RED_THREES_POINTS if red_threes == 4 else RED_THREE_POINTS * red_threes
        if table.melded[side] == NOTHING:
            red_three_points = -red_three_points
        going_out = np.int64(0)
        if record.went_out[side] != 0:
            going_out = CONCEALED_POINTS if record.concealed[side] != 0 else GOING_OUT_POINTS
        record.minimum[side] = table.minimum[side]
        record.red_threes[side] = red_threes
        record.red_three_points[side] = red_three_points
        record.melded_points[side] = table.melded_points[side]
        record.hand_points[side] = in_hand
        record.hand_cards[side] = cards
        record.melds[side] = table.meld_count[side]
        record.wild_cards[side] = total(table.wilds[side])
        record.natural_canastas[side] = table.natural_canastas[side]
        record.mixed_canastas[side] = table.mixed_canastas[side]
        record.score[side] = (
            going_out
            + NATURAL_POINTS * np.int64(table.natural_canastas[side])
            + MIXED_POINTS * np.int64(table.mixed_canastas[side])
            + red_three_points
            + np.int64(table.melded_points[side])
            - in_hand
        )
    record.winner = -1
    if record.score[0] != record.score[1]:
        record.winner = 0 if record.score[0] > record.score[1] else 1
    record.most_piles_side = -1
    if record.pile_cards[0] != record.pile_cards[1]:
        record.most_piles_side = 0 if record.pile_cards[0] > record.pile_cards[1] else 1
    record.turns = table.turn
    record.decisions = state.decisions
    record.reason = state.reason
    record.out_seat = state.out_seat
    record.status = STATUS_PLAYED
