"""Toy in plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kernels.spec import GameSpec, Option, Parameter, Policy

SEATS = 2
POLICY_RANDOM, POLICY_STANDARD = range(2)
END_REASONS = ("hands_empty",)
HAND, PLAY = 1, 2
"""Kinds of event."""

OPTION_LAYOUT = np.dtype([("hand_size", np.int64), ("low_wins", np.int64)], align=True)

STATE_LAYOUT = np.dtype(
    [
        ("random", np.uint64, (1,)),
        ("log_count", np.int64),
        ("turn", np.int16),
        ("leader", np.int8),
        ("hand_count", np.int8, (SEATS,)),
        ("hand", np.uint8, (SEATS, 26)),
        ("deck", np.uint8, (52,)),
    ],
    align=True,
)

RECORD_LAYOUT = np.dtype(
    [
        ("deal", np.uint64),
        ("match", np.int64),
        ("decisions", np.int32),
        ("score", np.int32, (SEATS,)),
        ("aces", np.int8, (SEATS,)),
        ("turns", np.int16),
        ("status", np.uint8),
        ("reason", np.uint8),
        ("dealer", np.int8),
        ("first", np.int8),
        ("winner", np.int8),
    ],
    align=True,
)

OPTIONS = (
    Option("hand_size", "integer", 5, "Cards dealt to each player.", "TOY-01", low=1, high=26),
    Option("low_wins", "flag", False, "The lower card takes the trick.", "TOY-02"),
    Option("target", "integer", 20, "Tricks that end a match.", "TOY-03", low=1, high=1_000),
)

POLICIES = (
    Policy("random", POLICY_RANDOM, "Throws any card."),
    Policy(
        "standard",
        POLICY_STANDARD,
        "Throws the strongest card.",
        (Parameter("keep", 0, 0, 3, "Strongest cards that are kept back while there are others."),),
    ),
)


def encode(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of `OPTION_LAYOUT`."""
    return {"hand_size": int(values["hand_size"]), "low_wins": int(values["low_wins"])}


SPEC = GameSpec(
    name="toy",
    title="Toy",
    summary="Two players, the higher card takes the trick.",
    rules="docs/rules/toy.md",
    options=OPTIONS,
    policies=POLICIES,
    option_layout=OPTION_LAYOUT,
    record_layout=RECORD_LAYOUT,
    encode=encode,
    seats=lambda _values: SEATS,
    sides=lambda _values: SEATS,
    side_of=lambda seat, _values: seat,
    shuffle_cards=lambda _values: 52,
    end_reasons=END_REASONS,
    max_parameters=1,
    max_events=400,
    presets={"long": {"hand_size": 26}},
)
