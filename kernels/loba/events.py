"""The event log of loba as the JSON objects of docs/files.md; reads a log without any kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoding import Event, Group, cards_of, deal_event, end_event, groups_of, played_events
from kernels.loba import kinds
from kernels.loba.layout import ALL_AT_ONCE_FACTOR, ALL_AT_ONCE_POINTS, END_REASONS

# Plain integers: comparing with NumPy's is slow in Python code.
HAND, STOCK, EXPOSED, REDEAL = int(kinds.HAND), int(kinds.STOCK), int(kinds.EXPOSED), int(kinds.REDEAL)
MELDS = {int(kinds.MELD), int(kinds.EXTEND)}
DISCARD, RESHUFFLE, GO_OUT = int(kinds.DISCARD), int(kinds.RESHUFFLE), int(kinds.GO_OUT)

NAMES: dict[int, str] = {
    REDEAL: "redeal",
    int(kinds.DRAW): "draw",
    int(kinds.TAKE_DISCARD): "take_discard",
    int(kinds.MELD): "meld",
    int(kinds.EXTEND): "extend",
    DISCARD: "discard",
    RESHUFFLE: "reshuffle",
    GO_OUT: "go_out",
}
"""Event names by kind (docs/files.md)."""


def _extra(group: Group) -> Event:
    """Fields of an event beside its name, turn, seat and cards."""
    kind, value = group.kind, group.value
    if kind in MELDS:
        return {"meld": value, "now": group.now}
    if kind == DISCARD:
        return {"from_meld": None if value < 0 else value}
    if kind == GO_OUT:
        return {"all_at_once": bool(value)}
    if kind == REDEAL:
        return {"exposed": group.cards[-1]}
    if kind == RESHUFFLE:
        return {"stock": group.cards, "cards": []}
    return {}


def score_detail(record: np.void, seat: int) -> dict[str, int]:
    """Every line of a seat's score in signed points (LOB-14, LOB-15)."""
    factor = ALL_AT_ONCE_FACTOR if record["all_at_once"].any() else 1
    bonus = ALL_AT_ONCE_POINTS if record["all_at_once"][seat] else 0
    return {
        "hand": -factor * int(record["deadwood"][seat]),
        "factor": factor,
        "bonus": bonus,
        "total": int(record["score"][seat]),
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
    players = int(context["options"]["players"])
    hidden = {
        "hands": cards_of(groups, HAND)[:players],
        "stock": cards_of(groups, STOCK)[0],
        "exposed": cards_of(groups, EXPOSED)[0][0],
    }
    end = end_event(record, END_REASONS, [score_detail(record, seat) for seat in range(players)])
    return [
        deal_event("loba", record, context, hidden),
        *played_events(groups, NAMES, _extra),
        {**end, "scores": end["scores"][:players]},
    ]
