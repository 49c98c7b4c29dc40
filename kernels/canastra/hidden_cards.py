"""Plays a deal of canastra while it notes who may know which card, and asks again with the other cards exchanged.

Every card of the deck keeps its index, so that the same history can be played from another order of the cards
that a player cannot know: what everybody did is read from a script, and only the next decision is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import inlined, kernel
from kernels.bits import highest_bit, lowest_bit
from kernels.canastra import kinds
from kernels.canastra.layout import (
    HAND_SIZE,
    MORTO_AT_ONCE,
    MORTO_NEXT_TURN,
    MORTO_SIZE,
    POLICY_HEURISTIC,
    SIDES,
    STOP,
)
from kernels.canastra.lixo import apply_take, lixo_blocked
from kernels.canastra.policies import choose_discard, choose_draw, choose_meld
from kernels.canastra.rules import (
    apply_discard,
    apply_meld,
    batida_open,
    can_draw,
    deal_cards,
    draw_card,
    go_out,
    lay_red_threes,
    morto_open,
    score,
    start_turn,
    take_morto,
)
from kernels.cards import pack
from kernels.melds import BIT, NONE, RED_THREES, card_bit
from kernels.rng import bounded

DECK = 108
MAX_DECISIONS = 2_000

DRAW, MELD, DISCARD = np.int64(0), np.int64(1), np.int64(2)
DECISION = np.dtype(
    [
        ("kind", np.int64),
        ("seat", np.int64),
        ("takes_lixo", np.int64),
        ("target", np.int64),
        ("one", np.uint64),
        ("two", np.uint64),
        ("places", np.uint64),
        ("card", np.int64),
        ("stream", np.uint64),
    ],
    align=True,
)
"""An answer of a policy, and its random stream before it was asked."""

UNDRAWN, LIXO, OPEN, IN_HAND, KNOWN_IN_HAND = (np.uint8(place) for place in (0, 1, 2, 10, 20))
"""Where a card of the deck is; to the last two the seat is added. UNDRAWN: in the stock or in an unseen morto."""

PEEK_STOCK, PEEK_HAND, PEEK_MORTO, PEEK_TABLE = range(-4, 0)
PEEKING = {"stock": PEEK_STOCK, "hand": PEEK_HAND, "morto": PEEK_MORTO, "table": PEEK_TABLE}
"""Policies that look at the next card, at the next player's hand, into a morto, at a table that shows too much."""


def pack_of(options: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """The pack of a deal."""
    return pack(2, options["jokers"])


@kernel
def peeking_discard(state: Any, options: Any, policy: int, seat: int, parameters: Any) -> int:
    """A discard that depends on a hidden card."""
    table = state.table
    after = seat + 1 if seat + 1 < table.players else np.int64(0)
    if policy == PEEK_TABLE:
        known_one, known_two = table.known_one[after], table.known_two[after]
        table.known_one[after], table.known_two[after] = state.hand_one[after], state.hand_two[after]
        card = choose_discard(
            POLICY_HEURISTIC, table, options, seat, state.hand_one[seat], state.hand_two[seat], parameters, state.random
        )
        table.known_one[after], table.known_two[after] = known_one, known_two
        return card
    hidden = np.int64(state.deck[state.morto_at[1]])
    if policy == PEEK_STOCK:
        hidden = np.int64(state.deck[state.stock_next % DECK])
    elif policy == PEEK_HAND:
        hidden = lowest_bit(state.hand_one[after])
    hand = state.hand_one[seat] & ~RED_THREES
    return lowest_bit(hand) if hidden % 2 == 0 else highest_bit(hand)


@kernel
def decide(
    state: Any, options: Any, policies: Any, parameters: Any, kind: int, at: int, known: int, script: Any, answers: Any
) -> None:
    """Put decision `at` into `answers`: from the script while it is known, else from the seat's policy."""
    table = state.table
    seat = np.int64(table.seat)
    if at >= answers.size:
        raise RuntimeError("more decisions than the script has room for")
    row = answers[at]
    if at < known:
        answers[at] = script[at]
        return
    if script.size > 0:
        state.random[0] = script[at].stream
    row.kind, row.seat, row.takes_lixo, row.target = kind, seat, 0, STOP
    row.one, row.two, row.places, row.card = NONE, NONE, NONE, -1
    row.stream = state.random[0]
    policy = policies[seat]
    own = parameters[seat]
    one, two = state.hand_one[seat], state.hand_two[seat]
    if policy < 0:
        if kind == DISCARD:
            row.card = peeking_discard(state, options, policy, seat, own)
    elif kind == DRAW:
        take, target, used_one, used_two, places = choose_draw(
            policy, table, options, seat, one, two, own, state.random
        )
        row.takes_lixo = 1 if take else 0
        if take:
            row.target, row.one, row.two, row.places = target, used_one, used_two, places
    elif kind == MELD:
        target, used_one, used_two, places = choose_meld(policy, table, options, seat, one, two, own, state.random)
        row.target = target
        if target != STOP:
            row.one, row.two, row.places = used_one, used_two, places
    else:
        row.card = choose_discard(policy, table, options, seat, one, two, own, state.random)


@kernel
def note_drawn(state: Any, holders: Any, first: int, end: int, seat: int) -> None:
    """The seat has drawn from index `first`, of a stock that ended at `end`; its red threes lie openly."""
    if np.int64(state.stock_end) == end:
        holders[first : np.int64(state.stock_next)] = IN_HAND + seat
    else:
        holders[first:end] = IN_HAND + seat
        holders[np.int64(state.stock_end) - MORTO_SIZE : np.int64(state.stock_next)] = IN_HAND + seat
    for index in range(DECK):
        is_red_three = ((RED_THREES >> np.uint64(state.deck[index])) & BIT) != NONE
        if is_red_three and holders[index] == IN_HAND + seat:
            holders[index] = OPEN


@kernel
def note_left(state: Any, holders: Any, one: np.uint64, two: np.uint64, seat: int, place: int) -> None:
    """Cards leave the hand for a place; of two copies the one that was known goes first."""
    for word in (one, two):
        rest = word
        while rest != NONE:
            card = lowest_bit(rest)
            rest &= rest - BIT
            found = -1
            for index in range(DECK):
                if np.int64(state.deck[index]) == card:
                    if holders[index] == KNOWN_IN_HAND + seat:
                        found = index
                        break
                    if holders[index] == IN_HAND + seat:
                        found = index
            if found < 0:
                raise RuntimeError("a card left a hand that did not hold it")
            holders[found] = place


@kernel
def snapshot(state: Any, holders: Any, at: int, snapshots: Any, started: Any) -> None:
    """Keep what is known at decision `at`."""
    if snapshots.shape[0] > 0:
        snapshots[at] = holders
        for seat in range(state.table.players):
            started[at, seat] = state.table.started[seat]


@inlined
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
    """Play a dealt hand as `kernels.canastra.play` does, up to `limit` decisions; the number of decisions."""
    table = state.table
    at = np.int64(0)
    while True:
        seat = np.int64(table.seat)
        side = seat % SIDES
        first, end = np.int64(state.stock_next), np.int64(state.stock_end)
        if table.morto_closed[seat]:
            morto = np.int64(state.morto_at[np.int64(state.morto_number[seat])])
            holders[morto : morto + MORTO_SIZE] = IN_HAND + seat
        start_turn(state, options, record, log)
        note_drawn(state, holders, first, end, seat)
        taken = False
        if not lixo_blocked(table, options):
            snapshot(state, holders, at, snapshots, started)
            decide(state, options, policies, parameters, DRAW, at, known, script, answers)
            row = answers[at]
            at += 1
            if at == limit:
                return at
            if row.takes_lixo != 0:
                taken = True
                for index in range(DECK):
                    if holders[index] == LIXO:
                        holders[index] = KNOWN_IN_HAND + seat
                top = card_bit(np.int64(table.lixo[table.lixo_size - 1]))
                apply_take(state, options, seat, row.target, row.one, row.two, row.places, record, log)
                note_left(state, holders, row.one, row.two, seat, OPEN)
                note_left(state, holders, top, NONE, seat, OPEN)
        if not taken:
            if not can_draw(table, options):
                return at
            first, end = np.int64(state.stock_next), np.int64(state.stock_end)
            draw_card(state, options, seat, kinds.WHY_TURN, log)
            lay_red_threes(state, options, seat, log)
            note_drawn(state, holders, first, end, seat)
        while True:
            if table.hand_count[seat] == 0:
                if not morto_open(table, side):
                    go_out(state, seat, record, log)
                    return at
                morto = np.int64(state.morto_at[np.int64(state.morto_next)])
                first, end = np.int64(state.stock_next), np.int64(state.stock_end)
                take_morto(state, options, seat, MORTO_AT_ONCE, record, log)
                holders[morto : morto + MORTO_SIZE] = IN_HAND + seat
                note_drawn(state, holders, first, end, seat)
            snapshot(state, holders, at, snapshots, started)
            decide(state, options, policies, parameters, MELD, at, known, script, answers)
            row = answers[at]
            at += 1
            if at == limit:
                return at
            if row.target == STOP:
                break
            apply_meld(state, options, seat, row.target, row.one, row.two, row.places, record, log)
            note_left(state, holders, row.one, row.two, seat, OPEN)
        if table.hand_count[seat] > 1 or morto_open(table, side) or batida_open(table, side):
            snapshot(state, holders, at, snapshots, started)
            decide(state, options, policies, parameters, DISCARD, at, known, script, answers)
            row = answers[at]
            at += 1
            if at == limit:
                return at
            apply_discard(state, seat, row.card, record, log)
            note_left(state, holders, card_bit(row.card), NONE, seat, LIXO)
            if table.hand_count[seat] == 0:
                if not morto_open(table, side):
                    go_out(state, seat, record, log)
                    return at
                take_morto(state, options, seat, MORTO_NEXT_TURN, record, log)
        table.seat = seat + 1 if seat + 1 < table.players else 0


@kernel
def deal_from(state: Any, deck: Any, cards: int, holders: Any) -> None:
    """Put another order of the cards into a state that was just dealt."""
    table = state.table
    players = np.int64(table.players)
    holders[:] = UNDRAWN
    for seat in range(players):
        state.hand_one[seat] = NONE
        state.hand_two[seat] = NONE
    for index in range(cards):
        state.deck[index] = deck[index]
        if index < HAND_SIZE * players:
            seat = (np.int64(table.first) + index) % players
            bit = card_bit(np.int64(deck[index]))
            state.hand_two[seat] |= state.hand_one[seat] & bit
            state.hand_one[seat] |= bit
            holders[index] = IN_HAND + seat


@kernel
def exchanged(deck: Any, cards: int, holders: Any, started: Any, seat: int, stream: Any, target: Any) -> int:
    """Exchange by lot all cards that `seat` cannot know; the number of places that hold another card.

    A player who has begun holds no red three, which everybody knows.
    """
    hidden = np.empty(DECK, np.int64)
    free = np.empty(DECK, np.int64)
    red = np.empty(DECK, np.uint8)
    other = np.empty(DECK, np.uint8)
    hidden_count, free_count, red_count, other_count = 0, 0, 0, 0
    for index in range(cards):
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
        if ((RED_THREES >> np.uint64(deck[index])) & BIT) != NONE:
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
    for index in range(cards):
        if target[index] != deck[index]:
            moved += 1
    return moved


@kernel
def same(one: Any, other: Any) -> bool:
    """Whether two answers are the same decision."""
    return (
        one.kind == other.kind
        and one.seat == other.seat
        and one.takes_lixo == other.takes_lixo
        and one.target == other.target
        and one.one == other.one
        and one.two == other.two
        and one.places == other.places
        and one.card == other.card
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
    cards = 104 + np.int64(rules.jokers)
    deck = np.empty(DECK, np.uint8)
    other_deck = np.empty(DECK, np.uint8)
    holders = np.empty(DECK, np.uint8)
    nothing = script[:0]
    for index in range(jobs.size):
        made = 0
        at = -1
        while at < made:
            # First the deal itself, then every decision of it with other cards.
            deal_cards(state, rules, pack_cards, seed, jobs[index], records[index if at < 0 else -1], log)
            if at < 0:
                deck[:cards] = state.deck[:cards]
                other_deck[:cards] = deck[:cards]
            else:
                seat = script[at].seat
                counts[1] += exchanged(deck, cards, snapshots[at], started[at], seat, stream, other_deck) > 0
            deal_from(state, other_deck, cards, holders)
            played = walk(
                state,
                rules,
                policies,
                parameters,
                records[index if at < 0 else -1],
                log,
                nothing if at < 0 else script[:made],
                max(at, 0),
                script if at < 0 else answers,
                -1 if at < 0 else at + 1,
                holders,
                snapshots if at < 0 else snapshots[:0],
                started,
            )
            if at < 0:
                made = played
                score(state, rules, records[index])
            else:
                counts[0] += 1
                if not same(script[at], answers[at]):
                    if counts[2] == 0:
                        counts[3], counts[4] = index, at
                    counts[2] += 1
            at += 1
