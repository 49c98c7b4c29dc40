"""From the rows of an event log to JSON objects: what the `events` modules of the games share; no numba."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.cards import TEXTS
from kernels.trace import CARD, NOW

Event = dict[str, Any]


class Group(NamedTuple):
    """A head row with the texts of its cards, and of the meld as it then lies."""

    kind: int
    turn: int
    seat: int
    value: int
    cards: list[str]
    now: list[str]


def groups_of(rows: npt.NDArray[np.void]) -> list[Group]:
    """Head rows of a log, dtype `kernels.trace.EVENT`, each with the rows that follow it."""
    groups: list[Group] = []
    cards: list[str] = []
    now: list[str] = []
    for turn, value, kind, card, seat in rows.tolist():
        if kind == CARD:
            cards.append(TEXTS[card])
        elif kind == NOW:
            now.append(TEXTS[card])
        else:
            cards, now = [], []
            groups.append(Group(kind, turn, seat, value, cards, now))
    return groups


def cards_of(groups: Sequence[Group], kind: int) -> list[list[str]]:
    """Cards of every head row of a kind, in order."""
    return [group.cards for group in groups if group.kind == kind]


def deal_event(game: str, record: np.void, context: Mapping[str, Any], hidden: Mapping[str, Any]) -> Event:
    """First object of a deal: what it was played with, and `hidden`, the cards that no player could see."""
    return {
        "event": "deal",
        "game": game,
        "seed": context["seed"],
        "deal": context["deal"],
        "match": context["match"],
        "options": dict(context["options"]),
        "policies": list(context["policies"]),
        "dealer": int(record["dealer"]),
        "first": int(record["first"]),
        "scores_before": list(context["scores_before"]),
        **hidden,
    }


def played_events(
    groups: Sequence[Group], names: Mapping[int, str], extra: Callable[[Group], Mapping[str, Any]]
) -> list[Event]:
    """Objects of what was played: those kinds that have a name, with the fields that `extra` adds."""
    return [
        {
            "event": names[group.kind],
            "turn": group.turn,
            "seat": group.seat,
            "cards": group.cards,
            **extra(group),
        }
        for group in groups
        if group.kind in names
    ]


def end_event(record: np.void, reasons: Sequence[str], detail: Sequence[Mapping[str, int]]) -> Event:
    """Last object of a deal: how it ended, the scores and every line of them by side."""
    return {
        "event": "end",
        "turn": int(record["turns"]),
        "reason": reasons[int(record["reason"])],
        "scores": [int(score) for score in record["score"]],
        "detail": list(detail),
    }
