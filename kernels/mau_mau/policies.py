"""The built-in policies of mau-mau: which one answers each question.

A policy sees the table and its own hand, and writes neither. It answers: which card to play, or which two Jacks, and
the suit that a Jack announces (`choose_play`); whether to answer an 8 with one (`choose_answer`); whether to play the
card just drawn (`choose_drawn`), and what to announce if it is a Jack (`choose_suit`). A policy that leaves chance a
say draws from `stream`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import hot, kernel
from kernels.mau_mau.layout import POLICY_RANDOM
from kernels.mau_mau.policy_heuristic import heuristic_answer, heuristic_drawn, heuristic_play, heuristic_suit
from kernels.mau_mau.policy_random import random_answer, random_drawn, random_play, random_suit


@hot
def choose_play(
    policy: int, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any
) -> tuple[np.int64, np.int64, np.int64]:
    """Card to play, second Jack (-1 for none) and announced suit (`kinds.NO_SUIT` for none) (MAU-04, MAU-13).

    Some card of the hand follows, and a barred player holds more than one card.
    """
    if policy == POLICY_RANDOM:
        return random_play(table, seat, one, two, stream)
    return heuristic_play(table, options, seat, one, two, parameters)


@kernel
def choose_answer(
    policy: int, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any
) -> np.int64:
    """The 8 of the hand that answers an 8, -1 to draw (MAU-09); there is one, and it may be played."""
    if policy == POLICY_RANDOM:
        return random_answer(one, stream)
    return heuristic_answer(one, two, parameters)


@kernel
def choose_drawn(
    policy: int,
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    card: np.int64,
    parameters: Any,
    stream: Any,
) -> bool:
    """Whether to play `card`, just drawn and now in the hand, which follows (MAU-06, `draw_one`)."""
    if policy == POLICY_RANDOM:
        return random_drawn(stream)
    return heuristic_drawn(parameters)


@kernel
def choose_suit(
    policy: int, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any
) -> np.int64:
    """The suit that a Jack just drawn announces, `kinds.NO_SUIT` for none (MAU-13)."""
    if policy == POLICY_RANDOM:
        return random_suit(stream)
    return heuristic_suit(table, options, seat, one, two, parameters)
