"""What a table is worth to who leaves it: what the next player may take, and what is then left for oneself."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import inlined, lean
from kernels.bits import lowest_bit, popcount
from kernels.escopa.deal import next_seat, side_of
from kernels.escopa.fifteens import GROUP, NOTHING, ONE, SUMS_OF_HANDS, has_sum, sums_of, total_of, value_of
from kernels.escopa.layout import ESCOPA_EXACTLY_FOUR, FIFTEEN, HAND_SIZE, TABLE_SIZE, VALUES
from kernels.escopa.parameters import AHEAD_ESCOPA, AHEAD_NEXT, AHEAD_OWN_NEXT
from kernels.escopa.policy_heuristic import unseen_of
from kernels.escopa.prospects import CERTAINTY, HOLDS
from kernels.escopa.worths import PERCENT, note_worths

NOBODY = np.int64(-1)
NEVER = np.int64(-(1 << 30))
VALUE_SHIFT, VALUE_MASK = np.int64(4), np.int64(15)


@lean
def next_to_play(table: Any, options: Any, seat: int) -> tuple[np.int64, np.int64]:
    """Seat that plays after this one, -1 for nobody, and the number of its cards (ESC-02, ESC-04).

    With new cards it is the right neighbour of who deals them: between two players he who has just played.
    """
    if table.plays_left > 1:
        after = next_seat(options, seat)
        return after, np.int64(table.hand_count[after])
    if table.stock_left == 0:
        return NOBODY, np.int64(0)
    dealer = np.int64(table.dealer)
    if options.deal_passes != 0:
        dealer = next_seat(options, dealer)
    return next_seat(options, dealer), min(HAND_SIZE, np.int64(table.stock_left) // options.players)


@inlined
def note_chances(table: Any, unseen: np.uint64, seat: int, size: int, fresh: bool, work: Any) -> None:
    """Note for each value the chance that a seat holds such a card, with `size` cards of those not seen.

    Unless its cards are fresh, it holds none that it has shown not to have (ESC-05).
    """
    possible = unseen
    lacks = NOTHING if fresh else table.lacks[seat]
    while lacks != NOTHING:
        possible &= ~(GROUP << np.uint64(4 * (FIFTEEN - 1 - lowest_bit(lacks))))
        lacks &= lacks - ONE
    number = popcount(possible)
    for value in range(np.int64(1), np.int64(VALUES + 1)):
        there = popcount((possible >> np.uint64(4 * (value - 1))) & GROUP)
        work.chance[value] = HOLDS[size, there, number]


@inlined
def note_best(cards: np.uint64, work: Any) -> None:
    """Note the most that cards of each sum to 14 are worth together."""
    work.best[0] = 0
    for wanted in range(np.int64(1), np.int64(FIFTEEN)):
        work.best[wanted] = NEVER
    rest = cards
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        value = value_of(card)
        worth = work.worth[card]
        for wanted in range(np.int64(FIFTEEN - 1), value - 1, np.int64(-1)):
            work.best[wanted] = max(work.best[wanted], work.best[wanted - value] + worth)


@lean
def clears(cards: np.uint64, total: int, value: int, options: Any) -> bool:
    """Whether a card of a value makes an escopa of the whole table (ESC-08)."""
    if total + value != FIFTEEN:
        return False
    return options.escopa != ESCOPA_EXACTLY_FOUR or popcount(cards) == TABLE_SIZE


@inlined
def expected_gain(
    cards: np.uint64, total: int, sums: np.uint64, options: Any, parameters: Any, work: Any
) -> tuple[np.int64, np.int64]:
    """What the next player may expect to gain from a table, and the chance that he cannot capture.

    He makes the best capture that he can. `note_best` has been asked of the table.
    """
    captures = note_gains(cards, total, sums, options, parameters, work)
    expected = np.int64(0)
    without = np.int64(CERTAINTY)
    for capture in range(captures):
        value = work.gain[capture] & VALUE_MASK
        chance = without * work.chance[value] // CERTAINTY
        expected += chance * (work.gain[capture] >> VALUE_SHIFT)
        without -= chance
    return expected // CERTAINTY, without


@inlined
def note_gains(cards: np.uint64, total: int, sums: np.uint64, options: Any, parameters: Any, work: Any) -> np.int64:
    """Note what the next player gains by each value that he may hold and that captures, the most first; their number.

    The value stands below the gain, in one whole number.
    """
    captures = np.int64(0)
    rest = sums
    while rest != NOTHING:
        wanted = lowest_bit(rest)
        rest &= rest - ONE
        value = FIFTEEN - wanted
        if work.chance[value] == 0:
            continue
        gain = work.best[wanted] + work.played[value]
        if clears(cards, total, value, options):
            gain += parameters[AHEAD_ESCOPA]
        entry = (gain << VALUE_SHIFT) + value
        place = captures
        while place > 0 and work.gain[place - 1] < entry:
            work.gain[place] = work.gain[place - 1]
            place -= 1
        work.gain[place] = entry
        captures += 1
    return captures


@inlined
def best_next_capture(
    cards: np.uint64, total: int, sums: np.uint64, hand: np.uint64, options: Any, parameters: Any, work: Any
) -> np.int64:
    """The best that a hand can capture from a table of which `note_best` was asked last."""
    best = np.int64(0)
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        value = value_of(card)
        if not has_sum(sums, FIFTEEN - value):
            continue
        gain = work.best[FIFTEEN - value] + work.worth[card]
        if clears(cards, total, value, options):
            gain += parameters[AHEAD_ESCOPA]
        best = max(best, gain)
    return best


@lean
def outlook(
    table: Any, options: Any, side: int, after: int, cards: np.uint64, hand: np.uint64, parameters: Any, work: Any
) -> np.int64:
    """What a table is worth to the side that leaves it, with the cards that the player keeps (ESC-02, ESC-04)."""
    if after < 0:
        return np.int64(0)
    sums = sums_of(cards) & SUMS_OF_HANDS
    if sums == NOTHING:
        return np.int64(0)
    note_best(cards, work)
    total = total_of(cards)
    expected, without = expected_gain(cards, total, sums, options, parameters, work)
    if side_of(options, after) == side:
        return expected * parameters[AHEAD_NEXT] // PERCENT
    worth = -(expected * parameters[AHEAD_NEXT] // PERCENT)
    if hand != NOTHING and without > 0:
        own = best_next_capture(cards, total, sums, hand, options, parameters, work)
        worth += without * own // CERTAINTY * parameters[AHEAD_OWN_NEXT] // PERCENT
    return worth


@lean
def look_ahead(table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, work: Any) -> np.int64:
    """Note what is needed to weigh tables; the seat that plays next, -1 for nobody."""
    after, size = next_to_play(table, options, seat)
    if after < 0:
        return after
    unseen = unseen_of(table, hand)
    taker = side_of(options, after)
    note_worths(table, options, hand, unseen, taker, parameters, work)
    note_chances(table, unseen, after, size, table.plays_left <= 1, work)
    return after
