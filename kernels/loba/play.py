"""The only loops of loba: a turn, a deal, a batch. Batch and replay run the same code."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import inlined, kernel
from kernels.cards import pack
from kernels.loba.dealing import deal_cards, next_in
from kernels.loba.layout import REASON_CAP, STATE_LAYOUT, TURN_CAP
from kernels.loba.meld_rules import LEGAL, discard_article, lay_article, must_lay, take_article
from kernels.loba.policies import choose_discard, choose_draw, choose_lay
from kernels.loba.rules import apply_discard, apply_lay, draw_card, end_turn, go_out, score, start_turn, take_discard
from kernels.melds import NONE


@inlined
def draw_phase(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> bool:
    """Draw a card or take the discard; true when there is none, which ends the round (LOB-04, LOB-11, LOB-13)."""
    table = state.table
    seat = np.int64(table.seat)
    one, two = state.hand_one[seat], state.hand_two[seat]
    if take_article(table, options, seat, one, two) == LEGAL:
        state.decisions += 1
        if choose_draw(policy, table, options, seat, one, two, parameters, state.random):
            take_discard(state, seat, record, log)
            return False
    return not draw_card(state, seat, log)


@inlined
def lay_phase(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> bool:
    """Lay cards until the policy stops; true when the hand is empty and the player out (LOB-04, LOB-12)."""
    table = state.table
    seat = np.int64(table.seat)
    while table.hand_count[seat] > 0:
        state.decisions += 1
        one, two = state.hand_one[seat], state.hand_two[seat]
        meld, naturals, twice, jokers = choose_lay(policy, table, options, seat, one, two, parameters, state.random)
        if (naturals | jokers) == NONE:
            if must_lay(table, options, seat, one):
                raise RuntimeError("a policy stopped where it must lay")
            return False
        if lay_article(table, options, seat, one, two, meld, naturals, twice, jokers) != LEGAL:
            raise RuntimeError("a policy melded against the rules")
        apply_lay(state, seat, meld, naturals, twice, jokers, record, log)
    go_out(state, seat, record, log)
    return True


@inlined
def discard_phase(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> bool:
    """Discard a card; true when it was the last one of the hand (LOB-04, LOB-08, LOB-10, LOB-12)."""
    table = state.table
    seat = np.int64(table.seat)
    state.decisions += 1
    one, two = state.hand_one[seat], state.hand_two[seat]
    card, meld = choose_discard(policy, table, options, seat, one, two, parameters, state.random)
    if discard_article(table, options, seat, one, card, meld) != LEGAL:
        raise RuntimeError("a policy discarded against the rules")
    return discard_card(state, seat, card, meld, record, log)


@inlined
def discard_card(state: Any, seat: int, card: int, meld: int, record: Any, log: Any) -> bool:
    """Discard a card as is legal; true when it was the last one of the hand (LOB-04, LOB-12)."""
    apply_discard(state, seat, card, meld, record, log)
    if state.table.hand_count[seat] > 0:
        return False
    go_out(state, seat, record, log)
    return True


@inlined
def play_turn(state: Any, options: Any, policies: Any, parameters: Any, record: Any, log: Any) -> bool:
    """Play one turn; true when the round is over."""
    table = state.table
    seat = np.int64(table.seat)
    policy = policies[seat]
    own = parameters[seat]
    start_turn(state, record)
    if draw_phase(state, options, policy, own, record, log):
        return True
    if lay_phase(state, options, policy, own, record, log):
        return True
    if discard_phase(state, options, policy, own, record, log):
        return True
    pass_on(table, options)
    return False


@inlined
def pass_on(table: Any, options: Any) -> None:
    """Let the next seat that is in move (LOB-01)."""
    seat = np.int64(table.seat)
    end_turn(table, seat)
    table.seat = next_in(table, options, seat)


@inlined
def play_deal(
    state: Any,
    options: Any,
    naturals: Any,
    seed: np.uint64,
    job: Any,
    policies: Any,
    parameters: Any,
    record: Any,
    log: Any,
) -> None:
    """Deal, play and count one round (LOB-01 to LOB-17)."""
    deal_cards(state, options, naturals, seed, job, record, log)
    while not play_turn(state, options, policies, parameters, record, log):
        if state.table.turn >= TURN_CAP:
            state.reason = REASON_CAP
            break
    score(state, options, job, record)


@kernel
def play_jobs(
    seed: np.uint64,
    jobs: Any,
    options: Any,
    naturals: Any,
    policies: Any,
    parameters: Any,
    states: Any,
    log: Any,
    records: Any,
) -> None:
    """Play every job of a batch into its row of `records`."""
    state = states[0]
    for index in range(jobs.size):
        play_deal(state, options[0], naturals, seed, jobs[index], policies, parameters, records[index], log)


def new_state() -> npt.NDArray[np.void]:
    """Fresh state of one deal, for one thread at a time; shape (1,)."""
    return np.zeros(1, STATE_LAYOUT)


def batch(
    seed: int,
    jobs: npt.NDArray[np.void],
    options: npt.NDArray[np.void],
    policies: npt.NDArray[np.int64],
    parameters: npt.NDArray[np.int64],
    state: npt.NDArray[np.void],
    log: npt.NDArray[np.void],
    records: npt.NDArray[np.void],
) -> int:
    """Play a batch of deals without holding the interpreter lock.

    Parameters
    ----------
    seed
        0 to 2^64 - 1.
    jobs
        The deals to play, dtype `kernels.spec.JOB`; in a match `scores_before` says who is out of it (LOB-16).
    options
        House rules, shape (1,), dtype `OPTION_LAYOUT`.
    policies, parameters
        Policy number of each seat, and its parameters, shape (seats, `MAX_PARAMETERS`).
    state
        Working memory from `new_state`, one a thread.
    log
        Event log, dtype `kernels.trace.EVENT`: empty in a batch; with one job, its events are kept.
    records
        Receives a row a job, dtype `RECORD_LAYOUT`.

    Returns
    -------
    int
        Rows of the log that the last deal wrote.

    Raises
    ------
    RuntimeError
        If an invariant breaks; the first row of `records` whose `status` is 0 is the deal.
    """
    records["status"] = 0
    play_jobs(
        np.uint64(seed),
        jobs.view(np.recarray),
        options.view(np.recarray),
        pack(2),
        policies,
        parameters,
        state.view(np.recarray),
        log.view(np.recarray),
        records.view(np.recarray),
    )
    return int(state["log_count"][0])
