"""The built-in policies of canasta: which one answers each question.

A policy sees the table and its own hand, by rank, and writes neither. It answers: take the pile or draw, and with
which cards (`choose_draw`); whether to ask the partner about going out (`choose_ask`), and what to answer
(`choose_answer`); what to lay (`choose_meld`, asked until it names nothing); a card's rank to discard
(`choose_discard`). A policy that leaves chance a say draws from `stream`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.canasta.layout import POLICY_RANDOM
from kernels.canasta.policy_discard import heuristic_discard
from kernels.canasta.policy_heuristic import heuristic_answer, heuristic_ask, heuristic_draw, heuristic_meld
from kernels.canasta.policy_random import pick, random_ask, random_discard, random_draw, random_meld

EVENLY = np.int64(2)


@kernel
def choose_draw(
    policy: int, table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """Whether to take the pile, and the naturals, jokers and twos laid with its top card (KAN-06, KAN-08, KAN-13)."""
    if policy == POLICY_RANDOM:
        return random_draw(table, options, seat, hand, stream)
    return heuristic_draw(table, options, seat, hand, parameters)


@kernel
def choose_ask(
    policy: int, table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """Whether to ask the partner "may I go out?", and the naturals, jokers and twos that do it (KAN-14)."""
    if policy == POLICY_RANDOM:
        return random_ask(table, options, seat, hand, stream)
    return heuristic_ask(table, options, seat, hand, parameters)


@kernel
def choose_answer(
    policy: int, table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any
) -> bool:
    """Answer to the partner of `seat`, who asked whether to go out (KAN-14)."""
    if policy == POLICY_RANDOM:
        return pick(stream, EVENLY)
    return heuristic_answer(table, options, seat, hand, parameters)


@kernel
def choose_meld(
    policy: int, table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Naturals, jokers and twos to lay now, by the rank of their meld; nothing to go on to the discard."""
    if policy == POLICY_RANDOM:
        return random_meld(table, options, seat, hand, parameters, stream)
    return heuristic_meld(table, options, seat, hand, parameters)


@kernel
def choose_discard(
    policy: int, table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, stream: Any
) -> int:
    """Rank of the card to discard (KAN-06)."""
    if policy == POLICY_RANDOM:
        return random_discard(table, options, seat, hand, stream)
    return heuristic_discard(table, options, seat, hand, parameters)
