"""The only loops of escopa: a turn, a deal, a batch. Batch and replay run the same code."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import inlined, lean
from kernels.escopa.deal import deal_again, next_seat, start_deal
from kernels.escopa.fifteens import NOTHING, bit_of
from kernels.escopa.layout import CARDS, STATE_LAYOUT, faces
from kernels.escopa.policies import choose_claim, choose_play
from kernels.escopa.rules import (
    LEGAL,
    NO_CARD,
    apply_claim,
    apply_play,
    claim_article,
    is_noticed,
    is_pack_out,
    overlooks,
    pass_turn,
    play_article,
)
from kernels.escopa.score import end_pack


@inlined
def play_phase(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> None:
    """Play a card, unless the capture is overlooked the one that the policy chooses (ESC-05, ESC-06)."""
    table = state.table
    seat = np.int64(table.seat)
    hand = state.hand[seat]
    state.decisions += 1
    sees = not overlooks(state, options, seat, record, log)
    card, take = choose_play(policy, table, options, seat, hand, sees, parameters, state.random, state.work)
    carry_out_play(state, options, seat, sees, card, take, record, log)


@inlined
def carry_out_play(
    state: Any, options: Any, seat: int, sees: bool, card: int, take: np.uint64, record: Any, log: Any
) -> None:
    """Play the card that a policy chose (ESC-05, ESC-06)."""
    table = state.table
    hand = state.hand[seat]
    if sees:
        if play_article(table, options, hand, card, take) != LEGAL:
            raise RuntimeError("a policy played against the rules")
    elif take != NOTHING or (hand & bit_of(card)) == NOTHING:
        raise RuntimeError("a policy took cards that it overlooks")
    noticed = not sees and is_noticed(state, options, card)
    apply_play(state, options, seat, card, take, record, log)
    if noticed:
        table.left_card = card


@inlined
def claim_phase(state: Any, options: Any, seat: int, policies: Any, parameters: Any, record: Any, log: Any) -> None:
    """Let the seat claim the card that the player before left by oversight (ESC-06)."""
    table = state.table
    state.decisions += 1
    take = choose_claim(
        policies[seat], table, options, seat, state.hand[seat], parameters[seat], state.random, state.work
    )
    carry_out_claim(state, options, seat, take, record, log)


@inlined
def carry_out_claim(state: Any, options: Any, seat: int, take: np.uint64, record: Any, log: Any) -> None:
    """Claim what a policy chose, or let the card lie (ESC-06)."""
    table = state.table
    if take != NOTHING:
        if claim_article(table, take) != LEGAL:
            raise RuntimeError("a policy claimed against the rules")
        apply_claim(state, options, seat, take, record, log)
    table.left_card = NO_CARD


@inlined
def play_turn(state: Any, options: Any, policies: Any, parameters: Any, record: Any, log: Any) -> bool:
    """Play one turn, with the claim and the deal that follow; true when the pack is over (ESC-04)."""
    seat = np.int64(state.table.seat)
    play_phase(state, options, policies[seat], parameters[seat], record, log)
    claim_what_was_left(state, options, seat, policies, parameters, record, log)
    return end_turn(state, options, log)


@inlined
def claim_what_was_left(
    state: Any, options: Any, seat: int, policies: Any, parameters: Any, record: Any, log: Any
) -> None:
    """Pass the turn on from a seat, whose neighbour may claim the card just left (ESC-06)."""
    table = state.table
    if not is_pack_out(table):
        pass_turn(table, options)
    if table.left_card != NO_CARD:
        claim_phase(state, options, next_seat(options, seat), policies, parameters, record, log)


@inlined
def end_turn(state: Any, options: Any, log: Any) -> bool:
    """Deal again if all hands are empty; true when the pack is over (ESC-04)."""
    if is_pack_out(state.table):
        return True
    if state.table.plays_left == 0:
        deal_again(state, options, log)
    return False


@inlined
def play_deal(
    state: Any,
    options: Any,
    pack_cards: Any,
    seed: np.uint64,
    job: Any,
    policies: Any,
    parameters: Any,
    record: Any,
    log: Any,
) -> None:
    """Deal, play and count one pack (ESC-01 to ESC-11). It has at most 36 turns, one a card."""
    start_deal(state, options, pack_cards, seed, job, record, log)
    while not play_turn(state, options, policies, parameters, record, log):
        if state.table.turn > CARDS:
            raise RuntimeError("a pack went on when all its cards were played")
    end_pack(state, options, record, log)


@lean
def play_jobs(
    seed: np.uint64,
    jobs: Any,
    options: Any,
    pack_cards: Any,
    policies: Any,
    parameters: Any,
    states: Any,
    log: Any,
    records: Any,
) -> None:
    """Play every job of a batch into its row of `records`."""
    state = states[0]
    for index in range(jobs.size):
        play_deal(state, options[0], pack_cards, seed, jobs[index], policies, parameters, records[index], log)


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
        The deals to play, dtype `kernels.spec.JOB`.
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
    state["faces"][0] = faces(int(options["figures"][0]))
    play_jobs(
        np.uint64(seed),
        jobs.view(np.recarray),
        options.view(np.recarray),
        np.arange(CARDS, dtype=np.uint8),
        policies,
        parameters,
        state.view(np.recarray),
        log.view(np.recarray),
        records.view(np.recarray),
    )
    return int(state["log_count"][0])
