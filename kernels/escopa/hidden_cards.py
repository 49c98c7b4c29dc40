"""Plays a pack of escopa while it notes what every decision was made on, and asks again with the other cards exchanged.

Every card of the deck keeps its index, so that the same history can be played from another order of the cards that a
player cannot know: what everybody did is read from a script, and only the next decision is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.escopa.deal import deal_again, next_seat, open_pack, start_deal
from kernels.escopa.fifteens import NOTHING, SUMS_OF_HANDS, bit_of, sums_wanted
from kernels.escopa.layout import CARDS, POLICY_AHEAD
from kernels.escopa.policies import choose_claim, choose_play
from kernels.escopa.rules import (
    LEGAL,
    NO_CARD,
    apply_claim,
    apply_play,
    is_noticed,
    overlooks,
    pass_turn,
    play_article,
)
from kernels.escopa.score import end_pack
from kernels.rng import bounded

DECK = CARDS
MAX_DECISIONS = 100
PLAY, CLAIM = (np.int64(kind) for kind in range(2))
DECISION = np.dtype(
    [
        ("kind", np.int64),
        ("seat", np.int64),
        ("sees", np.int64),
        ("noticed", np.int64),
        ("card", np.int64),
        ("take", np.uint64),
        ("known", np.uint64),
        ("stream", np.uint64),
    ],
    align=True,
)
"""An answer of a policy: the card played or claimed and the cards taken; before it the cards that the seat could know,
its random stream, and what the house drew: whether the seat saw its captures, and whether the next one noticed."""

PEEK_STOCK, PEEK_HAND, PEEK_TABLE = (np.int64(number) for number in range(-3, 0))
"""Policies that look at the next card, at the next player's hand, at a table that shows too much."""

PEEKING = {"the next card": PEEK_STOCK, "a hand": PEEK_HAND, "a table that shows too much": PEEK_TABLE}


def pack_of(_options: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """Cards of the pack."""
    return np.arange(CARDS, dtype=np.uint8)


@kernel
def peeking_play(
    state: Any, options: Any, policy: int, seat: int, sees: bool, parameters: Any
) -> tuple[np.int64, np.uint64]:
    """A play that depends on a hidden card, as far as there is a choice."""
    table = state.table
    after = next_seat(options, seat)
    hand = state.hand[seat]
    if policy == PEEK_TABLE:
        lacks = table.lacks[after]
        table.lacks[after] = SUMS_OF_HANDS & ~sums_wanted(state.hand[after])
        card, take = choose_play(POLICY_AHEAD, table, options, seat, hand, sees, parameters, state.random, state.work)
        table.lacks[after] = lacks
        return card, take
    hidden = np.int64(state.deck[np.int64(state.stock_next) % CARDS])
    if policy == PEEK_HAND:
        hidden = lowest_bit(state.hand[after]) >> 2
    card, take = choose_play(POLICY_AHEAD, table, options, seat, hand, sees, parameters, state.random, state.work)
    lowest = lowest_bit(hand)
    if hidden % 2 == 0 and (not sees or play_article(table, options, hand, lowest, NOTHING) == LEGAL):
        return lowest, NOTHING
    return card, take


@kernel
def decide(
    state: Any,
    options: Any,
    policies: Any,
    parameters: Any,
    kind: int,
    seat: int,
    sees: bool,
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
    hand = state.hand[seat]
    row.kind, row.seat, row.sees, row.noticed = kind, seat, np.int64(sees), 0
    row.known = table.seen | hand
    row.stream = state.random[0]
    policy, own = policies[seat], parameters[seat]
    if kind == CLAIM:
        row.card = np.int64(table.left_card)
        number = POLICY_AHEAD if policy < 0 else policy
        row.take = choose_claim(number, table, options, seat, hand, own, state.random, state.work)
    else:
        if policy < 0:
            card, take = peeking_play(state, options, policy, seat, sees, own)
        else:
            card, take = choose_play(policy, table, options, seat, hand, sees, own, state.random, state.work)
        row.card, row.take = card, take


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
    stop: int,
) -> int:
    """Play from the open pack on: to the end, or to decision `stop`; the number of decisions."""
    table = state.table
    at = np.int64(0)
    while True:
        seat = np.int64(table.seat)
        sees = script[at].sees != 0 if script.size > 0 else not overlooks(state, options, seat, record, log)
        decide(state, options, policies, parameters, PLAY, seat, sees, at, known, script, answers)
        if at == stop:
            return at
        row = answers[at]
        card, take = np.int64(row.card), np.uint64(row.take)
        if script.size == 0:
            row.noticed = np.int64(not sees and is_noticed(state, options, card))
        noticed = row.noticed != 0
        at += 1
        apply_play(state, options, seat, card, take, record, log)
        is_over = table.plays_left == 0 and table.stock_left == 0
        if not is_over:
            pass_turn(table, options)
        if noticed:
            table.left_card = card
            after = next_seat(options, seat)
            decide(state, options, policies, parameters, CLAIM, after, True, at, known, script, answers)
            if at == stop:
                return at
            if answers[at].take != NOTHING:
                apply_claim(state, options, after, np.uint64(answers[at].take), record, log)
            table.left_card = NO_CARD
            at += 1
        if is_over:
            return at
        if table.plays_left == 0:
            deal_again(state, options, log)


@kernel
def exchanged(deck: Any, known: np.uint64, stream: Any, target: Any) -> int:
    """Exchange by lot all cards that are not known; the number of places that hold another card."""
    target[:] = deck
    for index in range(CARDS):
        if (bit_of(np.int64(deck[index])) & known) != NOTHING:
            continue
        # One of the places from here on that hold a card not known, each equally likely.
        pick, places = index, 0
        for place in range(index, CARDS):
            if (bit_of(np.int64(deck[place])) & known) == NOTHING:
                places += 1
                if bounded(stream, places) == 0:
                    pick = place
        target[index], target[pick] = target[pick], target[index]
    moved = 0
    for index in range(CARDS):
        if target[index] != deck[index]:
            moved += 1
    return moved


@kernel
def same(one: Any, other: Any) -> bool:
    """Whether two answers are the same decision."""
    return one.kind == other.kind and one.seat == other.seat and one.card == other.card and one.take == other.take


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
    _snapshots: Any,
    _started: Any,
    stream: Any,
    counts: Any,
) -> None:
    """Play every job, then ask for every decision again with the hidden cards exchanged.

    `counts` receives: decisions compared, of those with another card somewhere, answers that differ, and the deal
    and the decision of the first of them.
    """
    state = states[0]
    rules = options[0]
    spare = records[jobs.size]
    deck = np.empty(CARDS, np.uint8)
    other_deck = np.empty(CARDS, np.uint8)
    for index in range(jobs.size):
        job = jobs[index]
        start_deal(state, rules, pack_cards, seed, job, records[index], log)
        deck[:] = state.deck
        made = walk(
            state, rules, policies, parameters, records[index], log, script[:0], np.int64(0), script, np.int64(-1)
        )
        end_pack(state, rules, records[index], log)
        for at in range(made):
            moved = exchanged(deck, np.uint64(script[at].known), stream, other_deck)
            state.deck[:] = other_deck
            open_pack(state, rules, job, spare, log)
            walk(state, rules, policies, parameters, spare, log, script, at, answers, at)
            counts[0] += 1
            if moved > 0:
                counts[1] += 1
            if not same(answers[at], script[at]):
                if counts[2] == 0:
                    counts[3], counts[4] = index, at
                counts[2] += 1
