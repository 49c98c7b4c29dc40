"""The built-in policies of canastra: which one answers each question.

A policy sees the table and its own hand, nothing else, and writes neither. It answers three questions: take the
lixo or draw (`choose_draw`), what to lay next (`choose_meld`, asked until it says `STOP`), what to discard
(`choose_discard`). A policy that leaves chance a say draws from `stream`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import inlined
from kernels.canastra.layout import POLICY_RANDOM
from kernels.canastra.policy_heuristic import heuristic_discard, heuristic_draw
from kernels.canastra.policy_melds import heuristic_meld
from kernels.canastra.policy_random import random_discard, random_draw, random_meld


@inlined
def choose_draw(
    policy: int,
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    parameters: Any,
    stream: Any,
) -> tuple[bool, int, np.uint64, np.uint64, np.uint64]:
    """Whether to take the lixo, and the justifying meld: target, hand cards, places (CAN-07, CAN-08)."""
    if policy == POLICY_RANDOM:
        return random_draw(table, options, seat, hand_one, hand_two, parameters, stream)
    return heuristic_draw(table, options, seat, hand_one, hand_two, parameters)


@inlined
def choose_meld(
    policy: int,
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    parameters: Any,
    stream: Any,
) -> tuple[int, np.uint64, np.uint64, np.uint64]:
    """Next meld action: target, cards, places; target `STOP` to go on to the discard (CAN-11)."""
    if policy == POLICY_RANDOM:
        return random_meld(table, options, seat, hand_one, hand_two, parameters, stream)
    return heuristic_meld(table, options, seat, hand_one, hand_two, parameters)


@inlined
def choose_discard(
    policy: int,
    table: Any,
    options: Any,
    seat: int,
    hand_one: np.uint64,
    hand_two: np.uint64,
    parameters: Any,
    stream: Any,
) -> int:
    """Card to discard (CAN-11)."""
    if policy == POLICY_RANDOM:
        return random_discard(table, seat, hand_one, hand_two, stream)
    return heuristic_discard(table, options, seat, hand_one, hand_two, parameters)
