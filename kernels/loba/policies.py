"""The built-in policies of loba: which one answers each question.

A policy sees the table and its own hand and writes neither. It answers: take the discard or draw (`choose_draw`); what
to lay (`choose_lay`, asked until it names nothing); what to discard, and from where (`choose_discard`). A policy that
leaves chance a say draws from `stream`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import inlined
from kernels.loba.layout import POLICY_RANDOM
from kernels.loba.policy_discard import heuristic_discard
from kernels.loba.policy_heuristic import heuristic_draw, heuristic_lay
from kernels.loba.policy_random import pick, random_discard, random_lay

EVENLY = np.int64(2)


@inlined
def choose_draw(
    policy: int, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any
) -> bool:
    """Whether to take the top of the discards, where that is legal (LOB-04, LOB-11)."""
    if policy == POLICY_RANDOM:
        return pick(stream, EVENLY)
    return heuristic_draw(table, options, seat, one, two, parameters)


@inlined
def choose_lay(
    policy: int, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any
) -> tuple[np.int64, np.uint64, np.uint64, np.uint64]:
    """A lay: the number of an own meld or `NEW`, naturals, those twice, positions of jokers; no cards to stop."""
    if policy == POLICY_RANDOM:
        return random_lay(table, options, seat, one, two, parameters, stream)
    return heuristic_lay(table, options, seat, one, two, parameters)


@inlined
def choose_discard(
    policy: int, table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any
) -> tuple[np.int64, np.int64]:
    """The card to discard, and the number of the own meld it lies in, or `HAND` (LOB-04, LOB-08)."""
    if policy == POLICY_RANDOM:
        return random_discard(table, options, seat, one, two, stream)
    return heuristic_discard(table, options, seat, one, two, parameters)
