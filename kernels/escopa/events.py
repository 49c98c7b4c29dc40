"""The event log of escopa as the JSON objects of docs/files.md; reads a log without any kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoding import Event, Group, cards_of, deal_event, end_event, groups_of, played_events
from kernels.escopa import kinds
from kernels.escopa.layout import END_REASONS, sides

# Plain integers: comparing with NumPy's is slow in Python code.
HAND, TABLE, STOCK = int(kinds.HAND), int(kinds.TABLE), int(kinds.STOCK)
DEAL_HANDS, NEW_HAND = int(kinds.DEAL_HANDS), int(kinds.NEW_HAND)
PLAY, CLAIM, LEFTOVER = int(kinds.PLAY), int(kinds.CLAIM), int(kinds.LEFTOVER)

NAMES: dict[int, str] = {
    int(kinds.DEALER_TAKE): "dealer_take",
    int(kinds.TO_TABLE): "to_table",
    int(kinds.DEAL_HANDS): "deal_hands",
    int(kinds.PLAY): "play",
    int(kinds.OVERLOOK): "overlook",
    int(kinds.CLAIM): "claim",
    int(kinds.LEFTOVER): "leftover",
}
"""Event names by kind (docs/files.md)."""

LINES = {
    "escopas": "escopas",
    "guindis": "guindis",
    "diamonds": "diamond_points",
    "sevens": "seven_points",
    "cards": "card_points",
    "few": "few_points",
    "primeira": "primeira_points",
    "total": "score",
}
"""Field of the record for every line of a side's score (ESC-10, ESC-11)."""


def _hands_after(groups: Sequence[Group], at: int) -> list[list[str]]:
    """Hands that follow a `DEAL_HANDS`, in seat order."""
    hands = []
    for group in groups[at + 1 :]:
        if group.kind != NEW_HAND:
            break
        hands.append(group.cards)
    return hands


def score_detail(record: np.void, side: int) -> dict[str, int]:
    """Every line of a side's score in points (ESC-10, ESC-11)."""
    return {line: int(record[field][side]) for line, field in LINES.items()}


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
    dealt = iter([_hands_after(groups, at) for at, group in enumerate(groups) if group.kind == DEAL_HANDS])

    def extra(group: Group) -> Event:
        """Fields of an event beside its name, turn, seat and cards."""
        if group.kind == PLAY:
            return {"take": group.now, "escopa": bool(group.value)}
        if group.kind == CLAIM:
            return {"escopa": bool(group.value)}
        if group.kind == DEAL_HANDS:
            return {"dealer": group.seat, "hands": next(dealt)}
        if group.kind == LEFTOVER:
            return {"seat": group.seat if group.seat >= 0 else None}
        return {}

    hidden = {
        "hands": cards_of(groups, HAND),
        "table": cards_of(groups, TABLE)[0],
        "stock": cards_of(groups, STOCK)[0],
    }
    count = sides(context["options"])
    end = end_event(record, END_REASONS, [score_detail(record, side) for side in range(count)])
    end["scores"] = end["scores"][:count]
    return [deal_event("escopa", record, context, hidden), *played_events(groups, NAMES, extra), end]
