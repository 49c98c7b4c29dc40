"""The event log of canastra as the JSON objects of docs/files.md; reads a log without any kernel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.canastra import kinds
from kernels.canastra.layout import (
    BATIDA_POINTS,
    CARD_POINTS,
    CLEAN_POINTS,
    DIRTY_POINTS,
    END_REASONS,
    NO_MORTO_POINTS,
    SIDES,
)
from kernels.decoding import Event, Group, cards_of, deal_event, end_event, groups_of, played_events

# Plain integers: comparing with NumPy's is slow in Python code.
HAND, MORTO, STOCK, DRAW = int(kinds.HAND), int(kinds.MORTO), int(kinds.STOCK), int(kinds.DRAW)
MELDS = {int(kinds.MELD), int(kinds.EXTEND)}
MORTO_MOVES = {int(kinds.MORTO_OPENED), int(kinds.MORTO_TO_STOCK)}
TAKE_MORTO, WHY_RED_THREE = int(kinds.TAKE_MORTO), int(kinds.WHY_RED_THREE)

NAMES: dict[int, str] = {
    int(kinds.DRAW): "draw",
    int(kinds.RED_THREE): "red_three",
    int(kinds.TAKE_PILE): "take_pile",
    int(kinds.DECLINE_PILE): "decline_pile",
    int(kinds.MELD): "meld",
    int(kinds.EXTEND): "extend",
    int(kinds.DISCARD): "discard",
    int(kinds.TAKE_MORTO): "take_morto",
    int(kinds.MORTO_OPENED): "morto_opened",
    int(kinds.MORTO_TO_STOCK): "morto_to_stock",
    int(kinds.PASS): "pass",
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
    if kind == TAKE_MORTO:
        return {"morto": value // 2, "when": "next_turn" if value % 2 else "at_once"}
    if kind in MORTO_MOVES:
        return {"morto": value}
    return {}


def score_detail(record: np.void, side: int) -> dict[str, int]:
    """Every line of a side's score in signed points (CAN-25 to CAN-27)."""
    return {
        "batida": BATIDA_POINTS * int(record["batida"][side]),
        "clean_canastras": CLEAN_POINTS * int(record["clean_canastras"][side]),
        "dirty_canastras": DIRTY_POINTS * int(record["dirty_canastras"][side]),
        "cards_on_table": CARD_POINTS * int(record["table_cards"][side]),
        "red_threes": int(record["red_three_points"][side]),
        "red_threes_on_table": int(record["red_three_table_points"][side]),
        "cards_in_hand": -CARD_POINTS * int(record["hand_cards"][side]),
        "no_morto": -NO_MORTO_POINTS * int(record["no_morto"][side]),
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
    hidden = {
        "hands": cards_of(groups, HAND),
        "stock": cards_of(groups, STOCK)[0],
        "mortos": cards_of(groups, MORTO),
        "pile": [],
    }
    return [
        deal_event("canastra", record, context, hidden),
        *played_events(groups, NAMES, _extra),
        end_event(record, END_REASONS, [score_detail(record, side) for side in range(SIDES)]),
    ]
