"""The only loops of toy."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels import rng
from kernels._jit import kernel
from kernels.cards import pack
from kernels.toy.layout import HAND, PLAY, SEATS, STATE_LAYOUT
from kernels.toy.policies import choose_card, strength


@kernel
def write(state: Any, log: Any, kind: int, seat: int, card: int) -> None:
    """Append a row to the log."""
    if log.size > 0:
        row = log[state.log_count]
        row.kind = kind
        row.turn = state.turn
        row.seat = seat
        row.card = card
        row.value = 0
        state.log_count += 1


@kernel
def deal_cards(state: Any, options: Any, cards: Any, seed: np.uint64, job: Any, record: Any, log: Any) -> None:
    """Shuffle and deal."""
    state.log_count = 0
    state.turn = 0
    state.deck[:] = cards
    state.random[0] = rng.stream_start(seed, job.match, job.deal, rng.PURPOSE_DEAL)
    rng.shuffle(state.random, state.deck, np.int64(52))
    state.random[0] = rng.stream_start(seed, job.match, job.deal, rng.PURPOSE_POLICY)
    state.leader = (job.dealer + 1) % SEATS
    record.status = 0
    record.deal = job.deal
    record.match = job.match
    record.dealer = job.dealer
    record.first = state.leader
    record.decisions = 0
    for seat in range(SEATS):
        record.score[seat] = 0
        record.aces[seat] = 0
        state.hand_count[seat] = options.hand_size
        for index in range(options.hand_size):
            card = state.deck[seat * 26 + index]
            state.hand[seat, index] = card
            record.aces[seat] += (card & 15) == 14
            write(state, log, HAND, seat, card)


@kernel
def throw(state: Any, seat: int, options: Any, policies: Any, parameters: Any, record: Any, log: Any) -> int:
    """Play one card and return it."""
    state.turn += 1
    record.decisions += 1
    count = np.int64(state.hand_count[seat])
    index = choose_card(policies[seat], state.hand[seat], count, options, parameters[seat], state.random)
    card = state.hand[seat, index]
    state.hand[seat, index] = state.hand[seat, count - 1]
    state.hand_count[seat] = count - 1
    write(state, log, PLAY, seat, card)
    return card


@kernel
def play_deal(
    state: Any,
    options: Any,
    cards: Any,
    seed: np.uint64,
    job: Any,
    policies: Any,
    parameters: Any,
    record: Any,
    log: Any,
) -> None:
    """Play one deal."""
    deal_cards(state, options, cards, seed, job, record, log)
    while state.hand_count[state.leader] > 0:
        leader = np.int64(state.leader)
        follower = 1 - leader
        led = throw(state, leader, options, policies, parameters, record, log)
        answer = throw(state, follower, options, policies, parameters, record, log)
        if strength(answer, options.low_wins) > strength(led, options.low_wins):
            state.leader = follower
        record.score[state.leader] += 1
    record.turns = state.turn
    record.reason = 0
    record.winner = -1
    if record.score[0] != record.score[1]:
        record.winner = 0 if record.score[0] > record.score[1] else 1
    record.status = 1


@kernel
def play_jobs(
    seed: np.uint64,
    jobs: Any,
    options: Any,
    cards: Any,
    policies: Any,
    parameters: Any,
    states: Any,
    log: Any,
    records: Any,
) -> None:
    """Play every job."""
    for index in range(jobs.size):
        play_deal(states[0], options[0], cards, seed, jobs[index], policies, parameters, records[index], log)


def new_state() -> Any:
    """Working memory of one thread."""
    return np.zeros(1, STATE_LAYOUT)


def batch(
    seed: Any, jobs: Any, options: Any, policies: Any, parameters: Any, state: Any, log: Any, records: Any
) -> int:
    """Play every job; return the number of log rows."""
    records["status"] = 0
    play_jobs(
        np.uint64(seed),
        jobs.view(np.recarray),
        np.atleast_1d(options).view(np.recarray),
        pack(1),
        policies,
        parameters,
        state.view(np.recarray),
        log.view(np.recarray),
        records.view(np.recarray),
    )
    return int(state["log_count"][0])
