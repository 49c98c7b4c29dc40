"""Axes of charts: what they span, where they are marked, and how their numbers are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt

MOST_ACROSS = 26
"""Letters of labels that stand side by side, also on a narrow screen."""


def slanted(names: Sequence[str]) -> dict[str, Any]:
    """Labels over columns: on the slant where they are too long to stand side by side."""
    if len(names) * max(map(len, names)) <= MOST_ACROSS:
        return {"labelAngle": 0}
    return {"labelAngle": -40, "labelAlign": "left", "labelLimit": 130}


def along_axis(values: Sequence[Any], title: str, *, numeric: bool) -> Any:
    """Return the horizontal axis of a curve: numbers at their places, or texts in the order given."""
    if not numeric:
        return alt.X("x:O", title=title, sort=list(values), axis=alt.Axis(labelAngle=0, grid=False))
    axis = alt.Axis(grid=False, values=some_of(sorted(values)), format=number_format("", values))
    return alt.X("x:Q", title=title, scale=alt.Scale(nice=False, zero=False, padding=10), axis=axis)


def value_axis(ends: Sequence[float], unit: str, margin: float = 0.0, values: Sequence[float] = ()) -> Any:
    """Return the horizontal axis of bars and dots.

    Parameters
    ----------
    ends
        Values that it must hold.
    margin
        Room beyond them, as a share of what they span.
    values
        Where it is marked; where it is readable if nothing is given.
    """
    title = None if unit == "share" else unit or None
    return alt.X(
        "value:Q",
        title=title,
        scale=scale_of(ends, margin, at_most=1.0 if unit == "share" else None),
        axis=alt.Axis(format=number_format(unit, ends), **({"values": list(values)} if values else {"tickCount": 4})),
    )


def scale_of(ends: Sequence[float], margin: float, at_most: float | None = None) -> Any:
    """A scale that holds all ends, with a margin, and no more than a share can be."""
    low, high = min(ends), max(ends)
    room = (high - low) * margin or (abs(high) * 0.05 or 1.0) * (margin > 0 or high == low)
    bottom = low if low == 0 else low - room
    top = high + room
    if at_most is not None:
        top = min(top, at_most) if high <= at_most else top
        bottom = max(bottom, 0.0) if low >= 0 else bottom
    return alt.Scale(domain=[bottom, top], nice=False, zero=False)


def number_format(unit: str, ends: Sequence[float]) -> str:
    """Format of an axis."""
    span = max(ends) - min(ends)
    if unit == "share":
        return ".0%" if span > 0.05 else ".1%" if span > 0.005 else ".2%"
    most = max(map(abs, ends))
    if most >= 1e6:
        return "~s"
    if all(float(end).is_integer() for end in ends) or span >= 5:
        return ",d"
    return ",.1f" if span >= 0.5 else ",.2f" if span >= 0.05 else ",.3f"


def percent_format(most: float) -> str:
    """Return the format of an axis of shares from 0 to the highest."""
    return ".0%" if most > 0.04 else ".1%" if most > 0.004 else ".2%"


def some_of(values: Sequence[float], most: int = 12) -> list[float]:
    """Some of the values, evenly spread, the first among them."""
    step = math.ceil(len(values) / most)
    return list(values[::step])
