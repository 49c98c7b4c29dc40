"""The only loops of canastra: a turn, a deal, a batch. Batch and replay run the same code."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import inlined, kernel
from kernels.canastra import kinds
from kernels.canastra.decline import note_decline
from kernels.canastra.layout import (
    MAX_CARDS,
    MORTO_AT_ONCE,
    MORTO_NEXT_TURN,
    REASON_STOCK_OUT,
    SIDES,
    STATE_LAYOUT,
    STOP,
    TURN_CAP,
)
from kernels.canastra.lixo import apply_take, lixo_blocked, take_article
from kernels.canastra.policies import choose_discard, choose_draw, choose_meld
from kernels.canastra.rules import (
    NO_VALUE,
    apply_discard,
    apply_meld,
    batida_open,
    can_draw,
    deal_cards,
    discard_article,
    draw_card,
    go_out,
    lay_red_threes,
    meld_action_article,
    morto_open,
    score,
    start_turn,
    take_morto,
)
from kernels.cards import pack
from kernels.event_log import write_event


@inlined
def draw_phase(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> bool:
    """Draw a card or take the lixo; false when the hand ends because nothing is left (CAN-07, CAN-08, CAN-23)."""
    table = state.table
    seat = np.int64(table.seat)
    if not lixo_blocked(table, options):
        state.decisions += 1
        take, target, one, two, places = choose_draw(
            policy, table, options, seat, state.hand_one[seat], state.hand_two[seat], parameters, state.random
        )
        if take:
            hand_one, hand_two = state.hand_one[seat], state.hand_two[seat]
            if take_article(table, options, seat, hand_one, hand_two, target, one, two, places) != 0:
                raise RuntimeError("a policy took the lixo against the rules")
            apply_take(state, options, seat, target, one, two, places, record, log)
            return True
    return draw_from_stock(state, options, seat, log)


@inlined
def draw_from_stock(state: Any, options: Any, seat: int, log: Any) -> bool:
    """Draw a card and lay red threes; false when there is none (CAN-06, CAN-07, CAN-23)."""
    if not can_draw(state.table, options):
        return False
    draw_card(state, options, seat, kinds.WHY_TURN, log)
    lay_red_threes(state, options, seat, log)
    return True


@inlined
def meld_phase(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> bool:
    """Lay melds until the policy stops; true when the hand ends by a batida (CAN-11 to CAN-21)."""
    table = state.table
    seat = np.int64(table.seat)
    while True:
        if table.hand_count[seat] == 0:
            # Emptied by a meld, the one that justified the lixo included.
            if not morto_open(table, seat % SIDES):
                go_out(state, seat, record, log)
                return True
            take_morto(state, options, seat, MORTO_AT_ONCE, record, log)
        state.decisions += 1
        hand_one, hand_two = state.hand_one[seat], state.hand_two[seat]
        target, one, two, places = choose_meld(
            policy, table, options, seat, hand_one, hand_two, parameters, state.random
        )
        if target == STOP:
            return False
        if meld_action_article(table, options, seat, hand_one, hand_two, target, one, two, places) != 0:
            raise RuntimeError("a policy laid a meld against the rules")
        apply_meld(state, options, seat, target, one, two, places, record, log)


@inlined
def discard_phase(state: Any, policy: int, options: Any, parameters: Any, record: Any, log: Any) -> bool:
    """Discard a card, or keep the single one that may not go; true for a batida (CAN-11, CAN-18, CAN-20, CAN-21)."""
    table = state.table
    seat = np.int64(table.seat)
    side = seat % SIDES
    if table.hand_count[seat] == 1 and not (morto_open(table, side) or batida_open(table, side)):
        if table.took_lixo:
            raise RuntimeError("a policy took the lixo and did not lay its last card")
        write_event(state, log, kinds.PASS, seat, NO_VALUE)
        return False
    state.decisions += 1
    hand_one, hand_two = state.hand_one[seat], state.hand_two[seat]
    card = choose_discard(policy, table, options, seat, hand_one, hand_two, parameters, state.random)
    if discard_article(table, seat, hand_one, card) != 0:
        raise RuntimeError("a policy discarded against the rules")
    return discard_card(state, options, seat, card, record, log)


@inlined
def discard_card(state: Any, options: Any, seat: int, card: int, record: Any, log: Any) -> bool:
    """Discard a card, and take the morto with an empty hand; true for a batida (CAN-11, CAN-18, CAN-20)."""
    table = state.table
    apply_discard(state, seat, card, record, log)
    if table.hand_count[seat] > 0:
        return False
    if morto_open(table, seat % SIDES):
        take_morto(state, options, seat, MORTO_NEXT_TURN, record, log)
        return False
    go_out(state, seat, record, log)
    return True


@inlined
def play_turn(state: Any, options: Any, policies: Any, parameters: Any, record: Any, log: Any) -> bool:
    """Play one turn; true when the hand is over."""
    table = state.table
    seat = np.int64(table.seat)
    policy = policies[seat]
    own = parameters[seat]
    start_turn(state, options, record, log)
    if not draw_phase(state, options, policy, own, record, log):
        return True
    if meld_phase(state, options, policy, own, record, log):
        return True
    if discard_phase(state, policy, options, own, record, log):
        return True
    pass_on(table)
    return False


@inlined
def pass_on(table: Any) -> None:
    """Let the next seat move (CAN-01)."""
    seat = np.int64(table.seat)
    table.seat = seat + 1 if seat + 1 < table.players else 0


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
    """Deal, play and count one hand (CAN-01 to CAN-27)."""
    deal_cards(state, options, pack_cards, seed, job, record, log)
    while not play_turn(state, options, policies, parameters, record, log):
        if state.table.turn >= TURN_CAP:
            raise RuntimeError("a deal reached the turn cap of CAN-24")
    score(state, options, record)


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
    joker_count = int(options["jokers"][0])
    pack_cards = np.zeros(MAX_CARDS, np.uint8)
    pack_cards[: 104 + joker_count] = pack(2, joker_count)
    records["status"] = 0
    states, rows, rules = state.view(np.recarray), log.view(np.recarray), options.view(np.recarray)
    play_jobs(
        np.uint64(seed),
        jobs.view(np.recarray),
        rules,
        pack_cards,
        policies,
        parameters,
        states,
        rows,
        records.view(np.recarray),
    )
    if log.size > 0 and records["reason"][-1] == REASON_STOCK_OUT:
        note_decline(states[0], rules[0], rows)
    return int(state["log_count"][0])
