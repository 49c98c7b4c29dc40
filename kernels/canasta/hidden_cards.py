"""Plays a deal of canasta while it notes who may know which card, and asks again with the other cards exchanged.

Every card of the deck keeps its index, so that the same history can be played from another order of the cards
that a player cannot know: what everybody did is read from a script, and only the next decision is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import kernel
from kernels.canasta import kinds
from kernels.canasta.deal import deal_cards, is_red_three, rank_of
from kernels.canasta.layout import CARDS, HAND_SIZE, POLICY_HEURISTIC, SEATS
from kernels.canasta.meld_rules import lowest_rank, must_take, pile_blocked, spent
from kernels.canasta.policies import choose_answer, choose_ask, choose_discard, choose_draw, choose_meld
from kernels.canasta.rules import (
    apply_discard,
    apply_melds,
    apply_take,
    draw_card,
    go_out,
    note_answer,
    score,
    start_turn,
)
from kernels.cards import pack
from kernels.dealing import add_to_hand
from kernels.melds import NONE
from kernels.rank_counts import NOTHING, ONE, at_least, number_of, one_of
from kernels.rng import bounded

DECK = CARDS
MAX_DECISIONS = 2_000

DRAW, ASK, ANSWER, MELD, DISCARD = (np.int64(kind) for kind in range(5))
DECISION = np.dtype(
    [
        ("kind", np.int64),
        ("seat", np.int64),
        ("yes", np.int64),
        ("naturals", np.uint64),
        ("jokers", np.uint64),
        ("twos", np.uint64),
        ("rank", np.int64),
        ("stream", np.uint64),
    ],
    align=True,
)
"""An answer of a policy (`yes` takes the pile, asks, or answers so), and its random stream before it was asked."""

UNDRAWN, PILE, OPEN, IN_HAND, KNOWN_IN_HAND = (np.uint8(place) for place in (0, 1, 2, 10, 20))
"""Where a card of the deck is; to the last two the seat is added."""

PEEK_STOCK, PEEK_HAND, PEEK_TABLE = (np.int64(number) for number in range(-3, 0))
PEEKING = {"stock": PEEK_STOCK, "hand": PEEK_HAND, "table": PEEK_TABLE}
"""Policies that look at the next card, at the next player's hand, at a table that shows too much."""


def pack_of(_options: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """The pack of a deal."""
    return pack(2, 4)


@kernel
def peeking_discard(state: Any, options: Any, policy: int, seat: int, parameters: Any) -> int:
    """A discard that depends on a hidden card."""
    table = state.table
    hand = state.hand[seat]
    after = (seat + 1) % SEATS
    if policy == PEEK_TABLE:
        known = table.known[after]
        table.known[after] = state.hand[after]
        rank = choose_discard(POLICY_HEURISTIC, table, options, seat, hand, parameters, state.random)
        table.known[after] = known
        return rank
    hidden = rank_of(np.int64(state.deck[np.int64(state.stock_next) % CARDS]))
    if policy == PEEK_HAND:
        hidden = lowest_rank(at_least(state.hand[after], ONE))
    lowest = lowest_rank(at_least(hand, ONE))
    if hidden % 2 == 0:
        return lowest
    rest = at_least(hand, ONE) & ~(one_of(lowest) << np.uint64(3))
    return lowest if rest == NOTHING else lowest_rank(rest)


@kernel
def decide(
    state: Any,
    options: Any,
    policies: Any,
    parameters: Any,
    kind: int,
    seat: int,
    at: int,
    known: int,
    script: Any,
    answers: Any,
) -> None:
    """Put decision `at` into `answers`: from the script while it is known, else from the seat's policy."""
    if at < known:
        answers[at] = script[at]
        return
    table = state.table
    row = answers[at]
    if script.size > 0:
        state.random[0] = script[at].stream
    row.kind, row.seat, row.yes, row.rank = kind, seat, 0, -1
    row.naturals, row.jokers, row.twos = NOTHING, NOTHING, NOTHING
    row.stream = state.random[0]
    policy, own, hand = policies[seat], parameters[seat], state.hand[seat]
    yes, naturals, jokers, twos = False, NOTHING, NOTHING, NOTHING
    if policy < 0:
        if kind == DISCARD:
            row.rank = peeking_discard(state, options, policy, seat, own)
    elif kind == DRAW:
        yes, naturals, jokers, twos = choose_draw(policy, table, options, seat, hand, own, state.random)
    elif kind == ASK:
        yes, naturals, jokers, twos = choose_ask(policy, table, options, seat, hand, own, state.random)
    elif kind == ANSWER:
        yes = choose_answer(policy, table, options, seat, hand, own, state.random)
    elif kind == MELD:
        naturals, jokers, twos = choose_meld(policy, table, options, seat, hand, own, state.random)
    else:
        row.rank = choose_discard(policy, table, options, seat, hand, own, state.random)
    row.yes = 1 if yes else 0
    row.naturals, row.jokers, row.twos = naturals, jokers, twos


@kernel
def note_drawn(state: Any, holders: Any, first: int, seat: int) -> None:
    """The seat has drawn from index `first`; its red threes lie openly."""
    holders[first : np.int64(state.stock_next)] = IN_HAND + seat
    for index in range(CARDS):
        if holders[index] == IN_HAND + seat and is_red_three(np.int64(state.deck[index])):
            holders[index] = OPEN


@kernel
def note_left(state: Any, holders: Any, leaving: np.uint64, seat: int, place: int) -> None:
    """Cards leave the hand for a place; of several of a rank those that were known go first."""
    rest = at_least(leaving, ONE)
    while rest != NOTHING:
        rank = lowest_rank(rest)
        rest &= rest - ONE
        for _ in range(number_of(leaving, rank)):
            found = -1
            for index in range(CARDS):
                card = np.int64(state.deck[index])
                if rank_of(card) == rank and not is_red_three(card):
                    if holders[index] == KNOWN_IN_HAND + seat:
                        found = index
                        break
                    if holders[index] == IN_HAND + seat:
                        found = index
            if found < 0:
                raise RuntimeError("a card left a hand that did not hold it")
            holders[found] = place


@kernel
def note_taken(state: Any, holders: Any, seat: int) -> None:
    """The pile goes into a hand, openly; its red threes and its top card lie on the table."""
    table = state.table
    top = np.int64(table.pile[np.int64(table.pile_size) - 1])
    laid = False
    for index in range(CARDS):
        if holders[index] == PILE:
            holders[index] = KNOWN_IN_HAND + seat
            card = np.int64(state.deck[index])
            if is_red_three(card):
                holders[index] = OPEN
            elif not laid and rank_of(card) == rank_of(top):
                holders[index] = OPEN
                laid = True


@kernel
def snapshot(state: Any, holders: Any, at: int, snapshots: Any, started: Any) -> None:
    """Keep what is known at decision `at`."""
    if snapshots.shape[0] > 0:
        snapshots[at] = holders
        for seat in range(SEATS):
            started[at, seat] = state.table.started[seat]


@kernel
def walk(
    state: Any,
    options: Any,
    policies: Any,
    parameters: Any,
    record: Any,
    log: Any,
    script: Any,
    known: int,
    answers: Any,
    limit: int,
    holders: Any,
    snapshots: Any,
    started: Any,
) -> int:
    """Play a dealt hand as `kernels.canasta.play` does, up to `limit` decisions; the number of decisions."""
    table = state.table
    at = np.int64(0)
    while True:
        seat = np.int64(table.seat)
        first = np.int64(state.stock_next)
        if start_turn(state, record, log):
            return at
        note_drawn(state, holders, first, seat)
        taken = False
        if not pile_blocked(table):
            snapshot(state, holders, at, snapshots, started)
            decide(state, options, policies, parameters, DRAW, seat, at, known, script, answers)
            row = answers[at]
            at += 1
            if at == limit:
                return at
            if row.yes != 0 or (table.stock_left == 0 and must_take(table, options, seat, state.hand[seat])):
                taken = True
                note_left(state, holders, spent(row.naturals, row.jokers, row.twos), seat, OPEN)
                note_taken(state, holders, seat)
                apply_take(state, seat, row.naturals, row.jokers, row.twos, record, log)
        if not taken:
            if table.stock_left == 0:
                return at
            first = np.int64(state.stock_next)
            if draw_card(state, seat, kinds.WHY_TURN, log):
                return at
            note_drawn(state, holders, first, seat)
        if options.ask_partner != 0 and table.asked[seat] == 0 and not taken and table.hand_count[seat] >= 2:
            snapshot(state, holders, at, snapshots, started)
            decide(state, options, policies, parameters, ASK, seat, at, known, script, answers)
            row = answers[at]
            at += 1
            if at == limit:
                return at
            if row.yes != 0:
                snapshot(state, holders, at, snapshots, started)
                partner = (seat + 2) % SEATS
                decide(state, options, policies, parameters, ANSWER, partner, at, known, script, answers)
                yes = answers[at].yes != 0
                at += 1
                if at == limit:
                    return at
                note_answer(state, seat, yes, record, log)
                if yes:
                    note_left(state, holders, spent(row.naturals, row.jokers, row.twos), seat, OPEN)
                    apply_melds(state, seat, row.naturals, row.jokers, row.twos, record, log)
        while table.hand_count[seat] > 0 and table.answer <= 0:
            snapshot(state, holders, at, snapshots, started)
            decide(state, options, policies, parameters, MELD, seat, at, known, script, answers)
            row = answers[at]
            at += 1
            if at == limit:
                return at
            if (row.naturals | row.jokers | row.twos) == NOTHING:
                break
            note_left(state, holders, spent(row.naturals, row.jokers, row.twos), seat, OPEN)
            apply_melds(state, seat, row.naturals, row.jokers, row.twos, record, log)
        if table.hand_count[seat] > 0:
            snapshot(state, holders, at, snapshots, started)
            decide(state, options, policies, parameters, DISCARD, seat, at, known, script, answers)
            row = answers[at]
            at += 1
            if at == limit:
                return at
            note_left(state, holders, one_of(row.rank), seat, PILE)
            apply_discard(state, options, seat, row.rank, record, log)
        if table.hand_count[seat] == 0:
            go_out(state, options, seat, record, log)
            return at
        table.seat = (seat + 1) % SEATS


@kernel
def deal_from(state: Any, deck: Any, holders: Any) -> None:
    """Put another order of the cards into a state that was just dealt; the cards turned up are the same."""
    table = state.table
    holders[:] = UNDRAWN
    holders[SEATS * HAND_SIZE : np.int64(state.stock_next)] = PILE
    for seat in range(SEATS):
        state.hand[seat] = NOTHING
        state.hand_one[seat] = NONE
        state.hand_two[seat] = NONE
    for index in range(CARDS):
        card = np.int64(deck[index])
        state.deck[index] = deck[index]
        if index < HAND_SIZE * SEATS:
            seat = (np.int64(table.first) + index) % SEATS
            add_to_hand(state, seat, card)
            holders[index] = IN_HAND + seat
            if not is_red_three(card):
                state.hand[seat] += one_of(rank_of(card))


@kernel
def exchanged(deck: Any, holders: Any, started: Any, seat: int, stream: Any, target: Any) -> int:
    """Exchange by lot all cards that `seat` cannot know; the number of places that hold another card.

    A player who has begun holds no red three, which everybody knows.
    """
    hidden = np.empty(CARDS, np.int64)
    free = np.empty(CARDS, np.int64)
    red = np.empty(CARDS, np.uint8)
    other = np.empty(CARDS, np.uint8)
    hidden_count, free_count, red_count, other_count = 0, 0, 0, 0
    for index in range(CARDS):
        target[index] = deck[index]
        holder = np.int64(holders[index])
        in_other_hand = IN_HAND <= holder < KNOWN_IN_HAND and holder != IN_HAND + seat
        if holder != UNDRAWN and not in_other_hand:
            continue
        hidden[hidden_count] = index
        hidden_count += 1
        if holder == UNDRAWN or started[holder - np.int64(IN_HAND)] == 0:
            free[free_count] = index
            free_count += 1
        if is_red_three(np.int64(deck[index])):
            red[red_count] = deck[index]
            red_count += 1
        else:
            other[other_count] = deck[index]
            other_count += 1
    for index in range(hidden_count):
        target[hidden[index]] = 255
    for index in range(red_count):
        pick = index + bounded(stream, free_count - index)
        free[index], free[pick] = free[pick], free[index]
        target[free[index]] = red[index]
    left = other_count
    for index in range(hidden_count):
        if target[hidden[index]] == 255:
            pick = bounded(stream, left)
            left -= 1
            target[hidden[index]] = other[pick]
            other[pick] = other[left]
    moved = 0
    for index in range(CARDS):
        if target[index] != deck[index]:
            moved += 1
    return moved


@kernel
def same(one: Any, other: Any) -> bool:
    """Whether two answers are the same decision."""
    return (
        one.kind == other.kind
        and one.seat == other.seat
        and one.yes == other.yes
        and one.naturals == other.naturals
        and one.jokers == other.jokers
        and one.twos == other.twos
        and one.rank == other.rank
    )


@kernel
def compare(
    states: Any,
    options: Any,
    pack_cards: Any,
    seed: np.uint64,
    jobs: Any,
    policies: Any,
    parameters: Any,
    records: Any,
    log: Any,
    script: Any,
    answers: Any,
    snapshots: Any,
    started: Any,
    stream: Any,
    counts: Any,
) -> None:
    """Play every job, then ask for every decision again with the hidden cards exchanged.

    `counts` receives: decisions compared, of those with another card somewhere, answers that differ, and the deal
    and the decision of the first of them.
    """
    state = states[0]
    rules = options[0]
    deck = np.empty(CARDS, np.uint8)
    other_deck = np.empty(CARDS, np.uint8)
    holders = np.empty(CARDS, np.uint8)
    replay = np.empty(CARDS, np.uint8)
    no_snapshots = snapshots[:0]
    for index in range(jobs.size):
        job = jobs[index]
        record = records[index]
        deal_cards(state, rules, pack_cards, seed, job, record, log)
        deck[:] = state.deck
        deal_from(state, deck, holders)
        made = walk(
            state,
            rules,
            policies,
            parameters,
            record,
            log,
            script[:0],
            np.int64(0),
            script,
            np.int64(-1),
            holders,
            snapshots,
            started,
        )
        score(state, record)
        for at in range(made):
            moved = exchanged(deck, snapshots[at], started[at], script[at].seat, stream, other_deck)
            deal_cards(state, rules, pack_cards, seed, job, records[-1], log)
            deal_from(state, other_deck, replay)
            walk(
                state,
                rules,
                policies,
                parameters,
                records[-1],
                log,
                script[:made],
                at,
                answers,
                at + 1,
                replay,
                no_snapshots,
                started,
            )
            counts[0] += 1
            counts[1] += moved > 0
            if not same(script[at], answers[at]):
                if counts[2] == 0:
                    counts[3], counts[4] = index, at
                counts[2] += 1
