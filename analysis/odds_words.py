"""The odds of a hand in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.wording import SHARE, amount, level

LEADING = ("win_rate", "score")
MOST_TOLD = 3


def odds_sentences(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say what the hand wins and scores, and where it differs most from an average one."""
    by_name = {row["statistic"]: row for row in rows}
    sentences = []
    for name in LEADING:
        row = by_name.get(name)
        if row is None or row["difference_low"] is None or row["low"] is None:
            continue
        half, apart = (row["high"] - row["low"]) / 2, (row["difference_high"] - row["difference_low"]) / 2
        what = "wins" if name == "win_rate" else "scores"
        told = level(row["estimate"], half, row["unit"])
        against = amount(row["difference"], apart, row["unit"], signed=True)
        sentences.append(f"This hand {what} {told}, {against} against an average one.")
    return sentences + _most_different(rows)


def _most_different(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say which shares the hand moves most, told once a family."""
    shares = [
        row
        for row in rows
        if row["unit"] == SHARE
        and row["statistic"] not in LEADING
        and row["difference_low"] is not None
        and not row["difference_low"] <= 0 <= row["difference_high"]
    ]
    found: dict[str, Mapping[str, Any]] = {}
    for row in sorted(shares, key=lambda row: -abs(row["difference"])):
        found.setdefault(row["statistic"].partition(":")[0], row)
    chosen = list(found.values())[:MOST_TOLD]
    if not chosen:
        return []
    told = [f"{row['statistic']} {row['estimate']:.1%} ({row['average']:.1%} on average)" for row in chosen]
    return ["It changes most: " + ", ".join(told) + "."]
