"""The event log of mau-mau as the JSON objects of docs/files.md; reads a log without any kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.cards import SUITS
from kernels.decoding import Event, Group, cards_of, deal_event, end_event, groups_of, played_events
from kernels.mau_mau import kinds
from kernels.mau_mau.layout import END_REASONS

# Plain integers: comparing with NumPy's is slow in Python code.
HAND, STOCK, START_CARD = int(kinds.HAND), int(kinds.STOCK), int(kinds.START_CARD)
PLAY, UNABLE, RESHUFFLE = int(kinds.PLAY), int(kinds.UNABLE), int(kinds.RESHUFFLE)
WITH_A_REASON = {int(kinds.DRAW), int(kinds.PASS)}

NAMES: dict[int, str] = {
    int(kinds.PLAY): "play",
    int(kinds.DRAW): "draw",
    int(kinds.UNABLE): "unable",
    int(kinds.PASS): "pass",
    int(kinds.SKIP): "skip",
    int(kinds.REVERSE): "reverse",
    int(kinds.CALL): "call",
    int(kinds.BARS_LIFTED): "bars_lifted",
    int(kinds.RESHUFFLE): "reshuffle",
    int(kinds.GO_OUT): "go_out",
    int(kinds.VOID): "void",
}
"""Event names by kind (docs/files.md)."""


def _extra(group: Group) -> Event:
    """Fields of an event beside its name, turn, seat and cards."""
    kind, value = group.kind, group.value
    if kind == PLAY:
        return {"suit": SUITS[value] if value >= 0 else None}
    if kind in WITH_A_REASON:
        return {"why": kinds.WHYS[value]}
    if kind == UNABLE:
        return {"fine": value}
    if kind == RESHUFFLE:
        return {"stock": group.now}
    return {}


def score_detail(record: np.void, seat: int) -> dict[str, int]:
    """Every line of a seat's score in signed points (MAU-06, MAU-08, MAU-18, MAU-19).

    `factor` says by what the cards were multiplied and is no points.
    """
    return {
        "hand": int(record["hand_score"][seat]),
        "factor": int(record["factor"]),
        "fines": int(record["fines_score"][seat]),
        "fines_won": int(record["fines_won"][seat]),
        "collected": int(record["collected"][seat]),
        "total": int(record["score"][seat]),
    }


def decode(rows: npt.NDArray[np.void], record: np.void, context: Mapping[str, Any]) -> list[Event]:
    """Turn the log of one round into its JSON objects: the deal, the events, the end.

    Parameters
    ----------
    rows
        Log rows, dtype `kernels.trace.EVENT`.
    record
        The round's record, dtype `RECORD_LAYOUT`.
    context
        What the log does not hold: seed, deal, match, options, policies, scores_before.

    Returns
    -------
    list of dict
        As in docs/files.md, first `deal`, last `end`.
    """
    groups = groups_of(rows)
    players = context["options"]["players"]
    hidden = {
        "hands": cards_of(groups, HAND),
        "stock": cards_of(groups, STOCK)[0],
        "start_card": cards_of(groups, START_CARD)[0][0],
    }
    end = end_event(record, END_REASONS, [score_detail(record, seat) for seat in range(players)])
    end["scores"] = end["scores"][:players]
    return [
        deal_event("mau_mau", record, context, hidden),
        *played_events(groups, NAMES, _extra),
        end,
    ]
