"""Advice in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.wording import amount

ADVISERS = ("standard", "expert")
POINTS = "points"

Row = Mapping[str, Any]


def where_words(where: Mapping[str, Any], seed: int) -> str:
    """Say which turn is meant.

    Parameters
    ----------
    where
        `deal`, `match` and `turn` of the document, in which all are None for a position that was typed in.
    """
    if where["turn"] is None:
        return "a position typed in"
    if where["match"] is None:
        return f"deal {where['deal']} of seed {seed}, turn {where['turn']}"
    return f"match {where['match']}, hand {where['deal']} of seed {seed}, turn {where['turn']}"


def decision_words(decision: Mapping[str, Any]) -> str:
    """Say who decides what, as ``Seat 1: play``."""
    return f"Seat {decision['seat']}: {decision['question'].replace('_', ' ')}"


def takers(row: Row) -> list[str]:
    """Who takes an option: policies, and what was played in the deal."""
    return [name for name in ADVISERS if row[name]] + ["played here"] * row["played"]


def advice_sentences(decisions: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say of every decision what is best, whether something else may be as good, and who does something else."""
    return [sentence for decision in decisions for sentence in _of_decision(decision)]


def _of_decision(decision: Mapping[str, Any]) -> list[str]:
    best, *others = decision["rows"]
    margin = _told(best, "margin", signed=True)
    place = f"comes first of {len(others) + 1:,} options" if others else "is the only option"
    sentences = [f"{decision_words(decision)}: {_quoted(best)} {place}, with an expected margin of {margin}."]
    if others:
        sentences.append(_next(others))
    for row in others:
        names = [name for name in ADVISERS if row[name]]
        behind = f"behind by {_told(row, 'behind')}"
        if names:
            told = f"{' and '.join(names)} {'do' if len(names) > 1 else 'does'} otherwise"
            played = ", and so it was played" if row["played"] else ""
            sentences.append(f"{told}{played}: {_quoted(row)}, {behind}.")
        elif row["played"]:
            sentences.append(f"What was played, {_quoted(row)}, is {behind}.")
    return sentences


def _next(others: Sequence[Row]) -> str:
    """Say how far ahead the best is."""
    row = others[0]
    if row["behind_low"] is None:
        return "One world does not tell how sure that is."
    told = f"{_quoted(row)}, is behind by {_told(row, 'behind')}"
    equal = sum(other["behind_low"] <= 0 for other in others)
    if row["behind_low"] > 0:
        return f"The next, {told}: equal worth is excluded."
    if equal == 1:
        return f"The next, {told}: it may be as good, since 0 lies within."
    return f"The next, {told}: 0 lies within, so it may be as good, and so may {equal - 1:,} more."


def _quoted(row: Row) -> str:
    return f'"{row["words"]}"'


def _told(row: Row, name: str, *, signed: bool = False) -> str:
    """Return a mean with its half width; without, where one world has none."""
    value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
    if low is None or high is None:
        return f"{value:{'+' if signed else ''},.2f} {POINTS}"
    return amount(value, (high - low) / 2, POINTS, signed=signed)
