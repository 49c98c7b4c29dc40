"""The built-in policies of escopa: which one answers each question.

A policy sees the table and its own hand, and writes neither; `work` is scratch paper. It answers: what to play and take
(`choose_play`); what to leave when it sees no capture (`choose_leave`); what to claim of a card that the player before
left by oversight (`choose_claim`). A policy that leaves chance a say draws from `stream`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.escopa.layout import POLICY_AHEAD, POLICY_RANDOM
from kernels.escopa.policy_ahead import ahead_claim, ahead_leave, ahead_play
from kernels.escopa.policy_heuristic import heuristic_claim, heuristic_leave, heuristic_play
from kernels.escopa.policy_random import random_card, random_claim, random_play


@kernel
def choose_play(
    policy: int, table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, work: Any
) -> tuple[np.int64, np.uint64]:
    """Card to play, and the cards of the table that it takes, nothing to leave it there (ESC-05)."""
    if policy == POLICY_RANDOM:
        return random_play(table, options, hand, stream, work)
    if policy == POLICY_AHEAD:
        return ahead_play(table, options, seat, hand, parameters, work)
    return heuristic_play(table, options, hand, parameters, work)


@kernel
def choose_leave(
    policy: int, table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, work: Any
) -> np.int64:
    """Card to leave on the table by a player who sees no capture, although there is one (ESC-06)."""
    if policy == POLICY_RANDOM:
        return random_card(hand, stream)
    if policy == POLICY_AHEAD:
        return ahead_leave(table, options, seat, hand, parameters, work)
    return heuristic_leave(table, options, hand, parameters)


@kernel
def choose_claim(
    policy: int, table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, work: Any
) -> np.uint64:
    """Cards of the table to claim with `table.left_card`, nothing to let it lie (ESC-06)."""
    if policy == POLICY_RANDOM:
        return random_claim(table, stream, work)
    if policy == POLICY_AHEAD:
        return ahead_claim(table, options, seat, hand, parameters, work)
    return heuristic_claim(table, options, hand, parameters, work)
