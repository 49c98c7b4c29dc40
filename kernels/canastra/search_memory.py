"""What a search of canastra works with: its memory, its questions and its parameters; no numba."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels.canastra.layout import MAX_CARDS, MAX_PARAMETERS, POLICIES, POLICY_HEURISTIC, RECORD_LAYOUT, SEATS
from kernels.canastra.layout import STATE_LAYOUT
from kernels.searching import MOST_OPTIONS, TALLY_LAYOUT
from kernels.trace import EVENT

DRAW, MELD, DISCARD = (np.int64(question) for question in range(3))
"""The questions of a turn."""

STANDARD, EXPERT = (np.int64(policy) for policy in range(2))
"""Policies that an option is taken from and played on with, in the order of the rows of `parameters`."""

ACTION_LAYOUT = np.dtype(
    [
        ("one", np.uint64),
        ("two", np.uint64),
        ("places", np.uint64),
        ("target", np.int64),
        ("card", np.int64),
        ("takes_lixo", np.int64),
    ],
    align=True,
)
"""An option: a meld action, with `takes_lixo` its top card too, or the card of a discard."""

WORLD, COPY = np.int64(0), np.int64(1)

MEMORY_LAYOUT = np.dtype(
    [
        ("tally", TALLY_LAYOUT),
        ("actions", ACTION_LAYOUT, (MOST_OPTIONS,)),
        ("states", STATE_LAYOUT, (2,)),
        ("records", RECORD_LAYOUT, (1,)),
        ("log", EVENT, (1,)),
        ("policies", np.int64, (SEATS,)),
        ("parameters", np.int64, (2, SEATS, MAX_PARAMETERS)),
        ("common", np.int64),
        ("red", np.int64),
        ("held_back", np.int64),
        ("hidden", np.uint8, (MAX_CARDS,)),
        ("dealt", np.uint8, (MAX_CARDS,)),
    ],
    align=True,
)
"""Of one decision: the world and the copy of it that is played out (`states`); the policies of the rollouts; the cards
that are hidden, `common` ones and then `red` threes, and how many of the first places take no red three."""


def prepare(memory: Any) -> None:
    """Fill in what stays the same: no deal leaves anything else behind that counts."""
    memory["policies"] = POLICY_HEURISTIC
    for row, name in enumerate(("standard", "expert")):
        policy = next(policy for policy in POLICIES if policy.name == name)
        for place, parameter in enumerate(policy.parameters):
            memory["parameters"][..., row, :, place] = parameter.default
