"""Small charts of characters, for the terminal: a histogram, a curve, intervals on a common axis.

Every function returns lines no longer than the width it is given. Where a stream has no block characters
(`has_blocks`), plain letters draw the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from analysis.binning import bins_of, value_text
from analysis.documents import Counts

BLOCKS = " ▁▂▃▄▅▆▇█"
LETTERS = " .:|"
LEAST_WIDTH, MOST_WIDTH = 30, 100
MOST_COLUMNS = 60
TICKS = {True: "├─●┤│", False: "|-o||"}
ROWS = 3


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval, as a line of `interval_lines`: its name, its numbers, and what is written."""

    label: str
    estimate: float | None
    low: float | None
    high: float | None
    text: str


def has_blocks(encoding: str | None) -> bool:
    """Whether a stream of this encoding can show the block characters."""
    try:
        (BLOCKS + TICKS[True]).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def histogram_lines(
    counts: Counts,
    width: int,
    *,
    title: str = "",
    unit: str = "",
    blocks: bool = True,
    rows: int = ROWS,
    divisor: int = 1,
) -> list[str]:
    """Draw how often values occur.

    Parameters
    ----------
    counts
        The values and how many rows have each.
    width
        Columns there are; with fewer than 30 nothing is drawn.
    title, unit
        What stands over it.
    blocks
        Whether block characters can be shown.
    rows
        Lines of the bars themselves.
    divisor
        What the values are divided by.

    Returns
    -------
    list of str
        A title, the bars, and an axis of values; no line where there is nothing to draw.

    Examples
    --------
    >>> for line in histogram_lines(Counts([0, 1, 2, 3], [1, 4, 3, 1]), 40, title="aces", unit="cards", rows=2):
    ...     print(line.rstrip())
    aces (cards), 44.4% at the highest
            ██████▄▄▄▄▄▄
      ▄▄▄▄▄▄████████████▄▄▄▄▄▄
      0     1     2     3
    """
    if width < LEAST_WIDTH or not counts.total:
        return []
    room = min(width, MOST_WIDTH) - 2
    layout = bins_of([counts], min(MOST_COLUMNS, room), divisor)
    if layout is None:
        return []
    inside, _ = layout.count(counts)
    each = max(1, min(6, room // layout.number, MOST_COLUMNS // layout.number))
    heights = [count / max(inside) for count in inside for _ in range(each)]
    most = f"{max(inside) / counts.total:.1%} at the highest"
    heading = " ".join(part for part in (title, f"({unit})" if unit else "") if part)
    lines = [_cut(f"{heading}, {most}" if heading else most, width)]
    lines += [f"  {line}".rstrip() for line in _columns(heights, rows, blocks)]
    labels = [value_text(layout.values(index)[0]) for index in range(layout.number)]
    lines.append(_cut("  " + _axis(labels, each, room), width))
    return lines


def curve_lines(
    points: Mapping[float, float],
    width: int,
    *,
    title: str = "",
    x_title: str = "",
    blocks: bool = True,
    rows: int = ROWS,
    span: tuple[float, float] = (0.0, 1.0),
    told: Callable[[float], str] = "{:.0%}".format,
) -> list[str]:
    """Draw shares, or other amounts, over whole numbers or values in order.

    Parameters
    ----------
    points
        Share, or amount, at each value, in order.
    width
        Columns there are; with fewer than 30, or for fewer than two points, nothing is drawn.
    title, x_title
        What it shows, and what the axis counts.
    blocks, rows
        As in `histogram_lines`.
    span
        Amounts at the foot and at the top of the columns.
    told
        How an amount is written.

    Returns
    -------
    list of str
        A title, the curve as columns from 0 to 100 % or over its span, an axis, and the amounts at it.
    """
    if width < LEAST_WIDTH or len(points) < 2:
        return []
    room = min(width, MOST_WIDTH) - 2
    shown = dict(list(points.items())[: room // 2])
    each = max(2, min(7, room // len(shown)))
    low, high = span
    part = (high - low) or 1.0
    heights = [min(1.0, max(0.0, (value - low) / part)) for value in shown.values() for _ in range(each)]
    lines = [_cut(f"{title} ({told(low).removesuffix('%')} to {told(high)})", width)]
    lines += [f"  {line}".rstrip() for line in _columns(heights, rows, blocks)]
    labels = [f"{x:g}" for x in shown]
    lines.append(_cut("  " + _axis(labels, each, room) + (f"  {x_title}" if x_title else ""), width))
    texts = [told(value) for value in shown.values()]
    if each >= 5 and max(map(len, texts)) < each:
        lines.append(_cut("  " + "".join(text.ljust(each) for text in texts).rstrip(), width))
    return lines


def interval_lines(intervals: Sequence[Interval], width: int, *, blocks: bool = True, zero: bool = False) -> list[str]:
    """Draw estimates with their intervals on a common axis.

    Parameters
    ----------
    intervals
        A line each; one without an estimate has its text alone.
    width
        Columns there are; where they do not suffice for a drawing, the texts stand alone.
    blocks
        Whether line-drawing characters can be shown.
    zero
        Whether the axis holds 0, which is then marked.

    Examples
    --------
    >>> lines = interval_lines([Interval("a", 2.0, 1.0, 3.0, "2.0"), Interval("b", 5.0, 4.0, 6.0, "5.0")], 40)
    >>> [line.rstrip() for line in lines]
    ['a  ├─────●─────┤                     2.0', 'b                     ├─────●─────┤  5.0']
    """
    known = [one for one in intervals if one.estimate is not None and math.isfinite(one.estimate)]
    if not intervals or width < LEAST_WIDTH:
        return []
    label_width = min(max(len(one.label) for one in intervals), width // 3)
    text_width = max(len(one.text) for one in intervals)
    room = min(width, MOST_WIDTH) - label_width - text_width - 4
    ends = [end for one in known for end in _ends(one)] + ([0.0] if zero else [])
    lines = []
    for one in intervals:
        label = _cut(one.label, label_width).ljust(label_width)
        drawn = ""
        if room >= 10 and one in known:
            drawn = _interval(one, min(ends), max(ends), room, blocks, zero)
        lines.append(_cut(f"{label}  {drawn.ljust(room)}  {one.text}" if room >= 10 else f"{label}  {one.text}", width))
    return lines


def _interval(one: Interval, low: float, high: float, room: int, blocks: bool, zero: bool) -> str:
    start, dash, dot, end, mark = tuple(TICKS[blocks])
    span = (high - low) or 1.0

    def place(value: float) -> int:
        return round((value - low) / span * (room - 1))

    line = [" "] * room
    if zero and low <= 0 <= high:
        line[place(0.0)] = mark
    first, last = (place(value) for value in _ends(one))
    for column in range(first, last + 1):
        line[column] = dash
    line[first], line[last] = start, end
    line[place(one.estimate or 0.0)] = dot
    return "".join(line)


def _ends(one: Interval) -> tuple[float, float]:
    estimate = one.estimate or 0.0
    return estimate if one.low is None else one.low, estimate if one.high is None else one.high


def _columns(heights: Sequence[float], rows: int, blocks: bool) -> list[str]:
    """Columns of heights from 0 to 1, a line a row, the highest first; what is not 0 is seen."""
    signs = BLOCKS if blocks else LETTERS
    levels = len(signs) - 1
    full = [max(round(height * rows * levels), 1 if height > 0 else 0) for height in heights]
    return ["".join(signs[min(max(top - row * levels, 0), levels)] for top in full) for row in reversed(range(rows))]


def _axis(labels: Sequence[str], each: int, room: int) -> str:
    """Labels under their columns, as many at equal distances as there is room for."""
    step = -(-(max(map(len, labels)) + 2) // each)
    line = ""
    for index, label in enumerate(labels):
        at = index * each
        if index % step == 0 and at + len(label) <= room:
            line = line.ljust(at) + label
    return line


def _cut(text: str, width: int) -> str:
    return text[:width]
