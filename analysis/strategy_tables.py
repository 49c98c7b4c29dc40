"""Comparisons, tournaments, sweeps, odds and searches as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from analysis.comparison_words import probability
from analysis.sweep_words import plain_value
from analysis.wording import SHARE, decimals_for

if TYPE_CHECKING:
    from rich.table import Table

Document = Mapping[str, Any]
Row = Mapping[str, Any]

NOTHING = "–"


def comparison_table(document: Document) -> Table:
    """A row for each statistic: either one's estimate, and the difference with its interval."""
    labels = document["a"]["label"], document["b"]["label"]
    table = _table("statistic", "unit", *labels, "difference", "interval", "×deals")
    for row in document["differences"]:
        scale, digits = _scale(row)
        cells = [_number(row[name], scale, digits) for name in ("a", "b")]
        difference = _number(row["difference"], scale, digits, signed=True)
        factor = NOTHING if row["variance_reduction"] is None else f"{row['variance_reduction']:.1f}"
        table.add_row(row["statistic"], _unit(row), *cells, difference, _interval(row, scale, digits), factor)
    return table


def tournament_tables(document: Document) -> Iterator[Table]:
    """The ranking, the mixed tables where there are any, and all pairs."""
    ranking = _table("rank", "policy", "strength", "interval", "won", "lost", title="Bradley-Terry strengths")
    for row in document["ranking"]:
        interval = NOTHING
        if row["strength_low"] is not None:
            interval = f"{row['strength_low']:+.3f} to {row['strength_high']:+.3f}"
        ranking.add_row(
            str(row["rank"]),
            row["policy"],
            f"{row['strength']:+.3f}",
            interval,
            f"{row['wins']:,}",
            f"{row['losses']:,}",
        )
    yield ranking
    if document["mixed"] is not None:
        mixed = _table("policy", "score", "interval", "wins", title="All at one table")
        for row in document["mixed"]["rows"]:
            digits = decimals_for(0.0 if row["low"] is None else (row["high"] - row["low"]) / 2)
            wins = NOTHING if row["win_rate"] is None else f"{row['win_rate']:.1%}"
            mixed.add_row(row["policy"], _number(row["score"], 1, digits), _interval(row, 1, digits), wins)
        yield mixed
    headings = ("policy", "against", "points a deal", "interval", "wins", "loses", "p (Holm)")
    pairs = _table(*headings, title="Pairs, the same deals both ways round")
    for row in document["pairs"]:
        digits = decimals_for(0.0 if row["low"] is None else (row["high"] - row["low"]) / 2)
        pairs.add_row(
            row["a"],
            row["b"],
            _number(row["difference"], 1, digits, signed=True),
            _interval(row, 1, digits),
            *(NOTHING if row[name] is None else f"{row[name]:.1%}" for name in ("win_rate_a", "win_rate_b")),
            probability(row["p_holm"]).removeprefix("= "),
        )
    yield pairs


def sweep_tables(document: Document) -> Iterator[Table]:
    """A table for each statistic, a line a point."""
    axes = [axis["name"] for axis in document["axes"]]
    for statistic, group in _statistics(document):
        rows = [_row(point, statistic, group) for point in document["points"]]
        title = statistic if group == "all" else f"{statistic}, {group}"
        paired = any(_against(point, statistic, group) for point in document["points"])
        table = _table(*axes, _unit(rows[0]), "interval", *(["against the first"] * paired), title=title)
        for point, row in zip(document["points"], rows, strict=True):
            scale, digits = _scale(row)
            cells = [plain_value(point["values"][name]) for name in axes]
            cells += [_number(row["estimate"], scale, digits), _interval(row, scale, digits)]
            if paired:
                cells.append(_difference(_against(point, statistic, group), scale))
            table.add_row(*cells)
        yield table


def tune_table(document: Document) -> Table:
    """A row for each parameter that was changed: its values, and what putting it back costs."""
    table = _table("parameter", "was", "is", "worth, points a deal", "interval", "p (Holm)")
    for row in document["parameters"]:
        scale, digits = _scale({"unit": "points", **row})
        known = row["p_holm"] is not None
        table.add_row(
            row["name"],
            f"{row['old']:,}",
            f"{row['new']:,}",
            _number(row["difference"], scale, digits, signed=True),
            _interval(row, scale, digits),
            probability(row["p_holm"]).removeprefix("= ") if known else NOTHING,
        )
    return table


def odds_table(document: Document) -> Table:
    """By section of the catalogue: with the hand, on average, and the difference."""
    table = _table("statistic", "unit", "with this hand", "average", "difference", "interval")
    for section in dict.fromkeys(row["section"] for row in document["rows"]):
        table.add_row(f"[bold default]{section}")
        for row in document["rows"]:
            if row["section"] == section and row["estimate"] is not None:
                table.add_row(*_odds_cells(row))
        table.add_section()
    return table


def _odds_cells(row: Row) -> Iterator[str]:
    apart = {"unit": row["unit"], "low": row["difference_low"], "high": row["difference_high"]}
    scale, digits = _scale(apart)
    yield row["statistic"]
    yield _unit(row)
    yield _number(row["estimate"], scale, digits)
    yield _number(row["average"], scale, digits)
    yield _number(row["difference"], scale, digits, signed=True)
    yield _interval(apart, scale, digits)


def _statistics(document: Document) -> list[tuple[str, str]]:
    """Statistics and groups in order, without the spread and quantiles of numbers."""
    told = [(row["statistic"], row["group"]) for row in document["points"][0]["rows"]]
    names = {name for name, _ in told}
    return [(name, group) for name, group in told if name.rpartition(":")[0] not in names]


def _row(point: Row, statistic: str, group: str) -> Row:
    found: Row = next(row for row in point["rows"] if (row["statistic"], row["group"]) == (statistic, group))
    return found


def _against(point: Row, statistic: str, group: str) -> Row | None:
    text = statistic if group == "all" else f"{statistic}@{group}"
    return next((row for row in point["against_first"] if row["statistic"] == text), None)


def _difference(row: Row | None, scale: float) -> str:
    if row is None or row["low"] is None:
        return NOTHING
    digits = decimals_for((row["high"] - row["low"]) / 2 * scale)
    half = (row["high"] - row["low"]) / 2 * scale
    return f"{row['difference'] * scale:+,.{digits}f} ± {half:,.{digits}f}"


def _scale(row: Row) -> tuple[float, int]:
    scale = 100.0 if row["unit"] == SHARE else 1.0
    half = 0.0 if row["low"] is None or row["high"] is None else (row["high"] - row["low"]) / 2
    return scale, decimals_for(half * scale) if half else 2


def _unit(row: Row) -> str:
    return "%" if row["unit"] == SHARE else str(row["unit"])


def _number(value: float | None, scale: float, digits: int, *, signed: bool = False) -> str:
    return NOTHING if value is None else f"{value * scale:{'+' if signed else ''},.{digits}f}"


def _interval(row: Row, scale: float, digits: int) -> str:
    if row["low"] is None or row["high"] is None:
        return NOTHING
    return f"{row['low'] * scale:,.{digits}f} to {row['high'] * scale:,.{digits}f}"


def _table(*headings: str, title: str | None = None) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title=title, title_justify="left", title_style="bold")
    for index, heading in enumerate(headings):
        table.add_column(heading, style="cyan" if index == 0 else "", justify="left" if index < 2 else "right")
    return table
