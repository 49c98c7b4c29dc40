"""The only loops of canasta: a turn, a deal, a batch. Batch and replay run the same code."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import inlined, kernel
from kernels.canasta import kinds
from kernels.canasta.deal import deal_cards
from kernels.canasta.decline import note_decline
from kernels.canasta.layout import REASON_STOCK_OUT, SEATS, STATE_LAYOUT, TURN_CAP
from kernels.canasta.meld_rules import LEGAL, melds_article, must_take, pile_blocked, spent, take_article
from kernels.canasta.policies import choose_answer, choose_ask, choose_discard, choose_draw, choose_meld
from kernels.canasta.rules import (
    apply_discard,
    apply_melds,
    apply_take,
    discard_article,
    draw_card,
    go_out,
    note_answer,
    score,
    start_turn,
)
from kernels.cards import pack
from kernels.rank_counts import NOTHING, total

NO_ANSWER_YET, NO = np.int64(0), np.int64(-1)


@inlined
def draw_phase(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> bool:
    """Draw a card or take the pile; true when that ends the hand (KAN-06, KAN-16)."""
    table = state.table
    seat = np.int64(table.seat)
    hand = state.hand[seat]
    if not pile_blocked(table):
        state.decisions += 1
        take, naturals, jokers, twos = choose_draw(policy, table, options, seat, hand, parameters, state.random)
        if take:
            if take_article(table, options, seat, hand, naturals, jokers, twos) != LEGAL:
                raise RuntimeError("a policy took the pile against the rules")
            apply_take(state, seat, naturals, jokers, twos, record, log)
            return False
    return draw_from_stock(state, options, seat, record, log)


@inlined
def draw_from_stock(state: Any, options: Any, seat: int, record: Any, log: Any) -> bool:
    """Draw a card, or where there is none take the pile if it must be taken; true if that ends the hand (KAN-16)."""
    table = state.table
    if table.stock_left == 0:
        if must_take(table, options, seat, state.hand[seat]):
            apply_take(state, seat, NOTHING, NOTHING, NOTHING, record, log)
            return False
        state.reason = REASON_STOCK_OUT
        return True
    return draw_card(state, seat, kinds.WHY_TURN, log)


@inlined
def ask_phase(state: Any, options: Any, policies: Any, parameters: Any, record: Any, log: Any) -> None:
    """Ask the partner, where the house rule allows it, and after a yes lay what goes out (KAN-14).

    Taking the pile lays a meld, so only who drew may ask.
    """
    table = state.table
    seat = np.int64(table.seat)
    if table.asked[seat] != 0 or table.took_pile != 0 or table.hand_count[seat] < 2:
        return
    state.decisions += 1
    hand = state.hand[seat]
    asks, naturals, jokers, twos = choose_ask(
        policies[seat], table, options, seat, hand, parameters[seat], state.random
    )
    if not asks:
        return
    if melds_article(table, options, seat, hand, naturals, jokers, twos) != LEGAL:
        raise RuntimeError("a policy asked to go out against the rules")
    if table.hand_count[seat] - total(spent(naturals, jokers, twos)) > 1:
        raise RuntimeError("a policy asked to go out and cannot")
    ask_partner(state, options, policies, parameters, naturals, jokers, twos, record, log)


@inlined
def ask_partner(
    state: Any,
    options: Any,
    policies: Any,
    parameters: Any,
    naturals: np.uint64,
    jokers: np.uint64,
    twos: np.uint64,
    record: Any,
    log: Any,
) -> None:
    """Let the partner answer, and after a yes lay what goes out (KAN-14)."""
    table = state.table
    seat = np.int64(table.seat)
    partner = (seat + 2) % SEATS
    state.decisions += 1
    yes = choose_answer(
        policies[partner], table, options, partner, state.hand[partner], parameters[partner], state.random
    )
    note_answer(state, seat, yes, record, log)
    if yes:
        apply_melds(state, seat, naturals, jokers, twos, record, log)


@inlined
def meld_phase(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> bool:
    """Lay cards until the policy stops; true when the hand is empty and the player out (KAN-11 to KAN-15)."""
    table = state.table
    seat = np.int64(table.seat)
    while table.hand_count[seat] > 0 and table.answer <= 0:
        state.decisions += 1
        hand = state.hand[seat]
        naturals, jokers, twos = choose_meld(policy, table, options, seat, hand, parameters, state.random)
        if (naturals | jokers | twos) == NOTHING:
            return False
        if melds_article(table, options, seat, hand, naturals, jokers, twos) != LEGAL:
            raise RuntimeError("a policy melded against the rules")
        apply_melds(state, seat, naturals, jokers, twos, record, log)
    if table.hand_count[seat] > 0:
        return False
    go_out(state, options, seat, record, log)
    return True


@inlined
def discard_phase(state: Any, policy: int, options: Any, parameters: Any, record: Any, log: Any) -> bool:
    """Discard a card; true when it was the last one (KAN-06, KAN-14)."""
    table = state.table
    seat = np.int64(table.seat)
    state.decisions += 1
    hand = state.hand[seat]
    rank = choose_discard(policy, table, options, seat, hand, parameters, state.random)
    if discard_article(table, options, seat, hand, rank) != LEGAL:
        raise RuntimeError("a policy discarded against the rules")
    return discard_card(state, options, seat, rank, record, log)


@inlined
def discard_card(state: Any, options: Any, seat: int, rank: int, record: Any, log: Any) -> bool:
    """Discard a card of a rank; true when it was the last one (KAN-06, KAN-14)."""
    table = state.table
    apply_discard(state, options, seat, rank, record, log)
    if table.hand_count[seat] > 0:
        return False
    go_out(state, options, seat, record, log)
    return True


@inlined
def play_turn(state: Any, options: Any, policies: Any, parameters: Any, record: Any, log: Any) -> bool:
    """Play one turn; true when the hand is over."""
    table = state.table
    seat = np.int64(table.seat)
    policy = policies[seat]
    own = parameters[seat]
    if start_turn(state, record, log):
        return True
    if draw_phase(state, options, policy, own, record, log):
        return True
    if options.ask_partner != 0:
        ask_phase(state, options, policies, parameters, record, log)
    if meld_phase(state, options, policy, own, record, log):
        return True
    if discard_phase(state, policy, options, own, record, log):
        return True
    pass_on(table)
    return False


@inlined
def pass_on(table: Any) -> None:
    """Let the next seat move (KAN-01)."""
    seat = np.int64(table.seat)
    table.seat = seat + 1 if seat + 1 < SEATS else 0


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
    """Deal, play and count one hand (KAN-01 to KAN-19)."""
    deal_cards(state, options, pack_cards, seed, job, record, log)
    while not play_turn(state, options, policies, parameters, record, log):
        if state.table.turn >= TURN_CAP:
            raise RuntimeError("a deal reached the turn cap of KAN-17")
    score(state, record)


@kernel
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
        The deals to play, dtype `kernels.spec.JOB`; in a match `scores_before` decides the first melds (KAN-13).
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
    states, rows, rules = state.view(np.recarray), log.view(np.recarray), options.view(np.recarray)
    play_jobs(
        np.uint64(seed),
        jobs.view(np.recarray),
        rules,
        pack(2, 4),
        policies,
        parameters,
        states,
        rows,
        records.view(np.recarray),
    )
    if log.size > 0 and records["reason"][-1] == REASON_STOCK_OUT:
        note_decline(states[0], rules[0], rows)
    return int(state["log_count"][0])
