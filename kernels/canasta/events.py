"""The event log of canasta as the JSON objects of docs/files.md; reads a log without any kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.canasta import kinds
from kernels.canasta.layout import (
    CONCEALED_POINTS,
    END_REASONS,
    GOING_OUT_POINTS,
    MIXED_POINTS,
    NATURAL_POINTS,
    SIDES,
)
from kernels.decoding import Event, Group, cards_of, deal_event, end_event, groups_of, played_events

# Plain integers: comparing with NumPy's is slow in Python code.
HAND, PILE, STOCK, DRAW = int(kinds.HAND), int(kinds.PILE), int(kinds.STOCK), int(kinds.DRAW)
MELDS = {int(kinds.MELD), int(kinds.EXTEND)}
ASK, GO_OUT, WHY_RED_THREE = int(kinds.ASK), int(kinds.GO_OUT), int(kinds.WHY_RED_THREE)

NAMES: dict[int, str] = {
    int(kinds.DRAW): "draw",
    int(kinds.RED_THREE): "red_three",
    int(kinds.TAKE_PILE): "take_pile",
    int(kinds.DECLINE_PILE): "decline_pile",
    int(kinds.ASK): "ask",
    int(kinds.MELD): "meld",
    int(kinds.EXTEND): "extend",
    int(kinds.DISCARD): "discard",
    int(kinds.GO_OUT): "go_out",
}
"""Event names by kind (docs/files.md)."""


def _extra(group: Group) -> Event:
    """Fields of an event beside its name, turn, seat and cards."""
    kind, value = group.kind, group.value
    if kind == DRAW:
        return {"why": "red_three" if value == WHY_RED_THREE else "turn"}
    if kind in MELDS:
        return {"meld": value, "now": group.now}
    if kind == ASK:
        return {"answer": bool(value)}
    if kind == GO_OUT:
        return {"concealed": bool(value)}
    return {}


def score_detail(record: np.void, side: int) -> dict[str, int]:
    """Every line of a side's score in signed points (KAN-14, KAN-15, KAN-18, KAN-19)."""
    going_out = CONCEALED_POINTS if record["concealed"][side] else GOING_OUT_POINTS
    return {
        "going_out": going_out * int(record["went_out"][side]),
        "natural_canastas": NATURAL_POINTS * int(record["natural_canastas"][side]),
        "mixed_canastas": MIXED_POINTS * int(record["mixed_canastas"][side]),
        "red_threes": int(record["red_three_points"][side]),
        "melded_cards": int(record["melded_points"][side]),
        "cards_in_hand": -int(record["hand_points"][side]),
        "total": int(record["score"][side]),
    }


def decode(rows: npt.NDArray[np.void], record: np.void, context: Mapping[str, Any]) -> list[Event]:
    """Turn the log of one deal into its JSON objects: the deal, the events, the end.

    Parameters
    ----------
    rows
        Log rows, dtype `kernels.trace.EVENT`.
    record
        The deal's record, dtype `RECORD_LAYOUT`.
    context
        What the log does not hold: seed, deal, match, options, policies, scores_before.

    Returns
    -------
    list of dict
        As in docs/files.md, first `deal`, last `end`.
    """
    groups = groups_of(rows)
    if context["match"] is None:
        # KAN-13
        context = {**context, "scores_before": context["options"]["start_score"]}
    hidden = {
        "hands": cards_of(groups, HAND),
        "stock": cards_of(groups, STOCK)[0],
        "pile": cards_of(groups, PILE)[0],
    }
    return [
        deal_event("canasta", record, context, hidden),
        *played_events(groups, NAMES, _extra),
        end_event(record, END_REASONS, [score_detail(record, side) for side in range(SIDES)]),
    ]
