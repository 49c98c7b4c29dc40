"""The only loops of mau-mau: a turn, a round, a batch. Batch and replay run the same code."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import entry, inlined
from kernels.cards import pack
from kernels.mau_mau import kinds
from kernels.mau_mau.deal import deal_cards
from kernels.mau_mau.layout import STATE_LAYOUT, TURN_CAP, UNABLE_DRAW_ONE
from kernels.mau_mau.masks import EIGHTS, JACKS
from kernels.mau_mau.policies import choose_answer, choose_drawn, choose_play, choose_suit
from kernels.mau_mau.rules import (
    LEGAL,
    NO_CARD,
    ONE_CARD,
    apply_play,
    end_turn,
    fine_and_bar,
    is_barred,
    is_fined,
    note_free_unable,
    pass_barred,
    play_article,
    suffer_eights,
)
from kernels.mau_mau.scoring import score
from kernels.mau_mau.stock import draw_cards, draw_until_one_follows
from kernels.melds import NONE, card_bit


@inlined
def answer_eights(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> bool:
    """Turn of a player after an 8: draw, or answer under the house rule; true when the round is over (MAU-09)."""
    table = state.table
    seat = np.int64(table.seat)
    one, two = state.hand_one[seat], state.hand_two[seat]
    card = NO_CARD
    state.decisions += 1
    may_win = table.hand_count[seat] > 1 or not is_barred(table, seat)
    if options.stack_eights != 0 and (one & EIGHTS) != NONE and may_win:
        card = choose_answer(policy, table, options, seat, one, two, parameters, state.random)
    if card == NO_CARD:
        return suffer_eights(state, seat, record, log)
    if play_article(table, seat, one, two, card, NO_CARD, kinds.NO_SUIT) != LEGAL:
        raise RuntimeError("a policy answered an 8 against the rules")
    return apply_play(state, options, seat, card, NO_CARD, kinds.NO_SUIT, record, log)


@inlined
def draw_and_play(state: Any, options: Any, policy: int, parameters: Any, record: Any, log: Any) -> bool:
    """Draw for a card that follows and play it, where nobody is fined; true when the round is over (MAU-06)."""
    table = state.table
    seat = np.int64(table.seat)
    note_free_unable(state, seat, record, log)
    before = np.int64(table.hand_count[seat])
    card = NO_CARD
    if options.unable == UNABLE_DRAW_ONE:
        if draw_cards(state, seat, ONE_CARD, kinds.WHY_UNABLE, record, log) > 0:
            drawn = np.int64(state.deck[state.stock_next - 1])
            if (table.follow & card_bit(drawn)) != NONE:
                one, two = state.hand_one[seat], state.hand_two[seat]
                if choose_drawn(policy, table, options, seat, one, two, drawn, parameters, state.random):
                    card = drawn
    else:
        card = draw_until_one_follows(state, seat, record, log)
    if card == NO_CARD:
        return end_turn(state, seat, np.int64(table.hand_count[seat]) - before, log)
    suit = kinds.NO_SUIT
    if (card_bit(card) & JACKS) != NONE:
        one, two = state.hand_one[seat], state.hand_two[seat]
        suit = choose_suit(policy, table, options, seat, one, two, parameters, state.random)
    return apply_play(state, options, seat, card, NO_CARD, suit, record, log)


@inlined
def play_turn(state: Any, options: Any, policies: Any, parameters: Any, record: Any, log: Any) -> bool:
    """Play one turn; true when the round is over."""
    table = state.table
    seat = np.int64(table.seat)
    policy = policies[seat]
    own = parameters[seat]
    table.turn += 1
    record.seat_turns[seat] += 1
    if table.direction > 0:
        record.forward_turns += 1
    if table.pending > 0:
        return answer_eights(state, options, policy, own, record, log)
    state.decisions += 1
    one = state.hand_one[seat]
    if (one & table.follow) == NONE:
        if is_fined(options):
            return fine_and_bar(state, options, seat, record, log)
        return draw_and_play(state, options, policy, own, record, log)
    if table.hand_count[seat] == 1 and is_barred(table, seat):
        return pass_barred(state, seat, log)
    two = state.hand_two[seat]
    card, second, suit = choose_play(policy, table, options, seat, one, two, own, state.random)
    if play_article(table, seat, one, two, card, second, suit) != LEGAL:
        raise RuntimeError("a policy played against the rules")
    return apply_play(state, options, seat, card, second, suit, record, log)


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
    """Deal, play and count one round (MAU-01 to MAU-18)."""
    deal_cards(state, options, pack_cards, seed, job, record, log)
    while not play_turn(state, options, policies, parameters, record, log):
        if state.table.turn >= TURN_CAP:
            break
    score(state, options, record)


@entry
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
    """Fresh state of one round, for one thread at a time; shape (1,)."""
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
    """Play a batch of rounds without holding the interpreter lock.

    Parameters
    ----------
    seed
        0 to 2^64 - 1.
    jobs
        The rounds to play, dtype `kernels.spec.JOB`; what was scored before does not matter to a round.
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
        Rows of the log that the last round wrote.

    Raises
    ------
    RuntimeError
        If an invariant breaks; the first row of `records` whose `status` is 0 is the round.
    """
    records["status"] = 0
    play_jobs(
        np.uint64(seed),
        jobs.view(np.recarray),
        options.view(np.recarray),
        pack(int(options["packs"][0])),
        policies,
        parameters,
        state.view(np.recarray),
        log.view(np.recarray),
        records.view(np.recarray),
    )
    return int(state["log_count"][0])
