"""The built-in policies of escopa: which one answers each question.

A policy sees the table and its own hand, and writes neither; `work` is scratch paper. It answers: what to play and take
(`choose_play`); what to claim with a card that the player before left by oversight (`choose_claim`). A policy that
leaves chance a say draws from `stream`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import inlined
from kernels.escopa.layout import POLICY_AHEAD, POLICY_RANDOM
from kernels.escopa.policy_ahead import ahead_claim, ahead_play
from kernels.escopa.policy_heuristic import heuristic_claim, heuristic_play
from kernels.escopa.policy_random import random_claim, random_play


@inlined
def choose_play(
    policy: int,
    table: Any,
    options: Any,
    seat: int,
    hand: np.uint64,
    sees: bool,
    parameters: Any,
    stream: Any,
    work: Any,
) -> tuple[np.int64, np.uint64]:
    """Card to play, and the cards of the table that it takes, nothing to leave it there (ESC-05).

    A player who overlooks that he could capture, so that `sees` is false, leaves any card (ESC-06).
    """
    if policy == POLICY_RANDOM:
        return random_play(table, options, hand, sees, stream, work)
    if policy == POLICY_AHEAD:
        return ahead_play(table, options, seat, hand, sees, parameters, work)
    return heuristic_play(table, options, hand, sees, parameters, work)


@inlined
def choose_claim(
    policy: int, table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any, work: Any
) -> np.uint64:
    """Cards of the table to claim with `table.left_card`, nothing to let it lie (ESC-06)."""
    if policy == POLICY_RANDOM:
        return random_claim(table, stream, work)
    if policy == POLICY_AHEAD:
        return ahead_claim(table, options, seat, hand, parameters, work)
    return heuristic_claim(table, options, hand, parameters, work)
