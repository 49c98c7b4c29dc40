"""Summaries to read: terminal tables, CSV, JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from analysis.catalogue import load
from analysis.catalogue.common import match_statistics
from analysis.statistic import Statistic
from analysis.summary import SummaryRow

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Document = Mapping[str, Any]
Row = Mapping[str, Any]
Rows = Mapping[tuple[str, str], Row]
Sections = Mapping[str, Sequence[Statistic]]
COLUMNS = tuple(field.name for field in fields(SummaryRow))

SHOWN_QUANTILES = ("p5", "p50", "p95")
GROUPS_ACROSS = 4
"""Groups beside the main columns, so that a table fits 100 columns; further ones follow in tables of their own."""

GROUPS_ALONE = 7
GROUP_WIDTH = 8
NOTHING = "–"


def print_table(document: Document, console: Console) -> None:
    """Print a summary document as tables, a section each, for a terminal of 100 columns.

    Every line has a statistic's estimate with the half width of its interval; a number also its standard deviation
    and quantiles; then the estimate of each group. A statistic without a value for all rows has dashes there.

    Parameters
    ----------
    document
        As `analysis.summary.summary_document` returns it, or read back from JSON.
    console
        A rich console.
    """
    rows = {(row["statistic"], row["group"]): row for row in document["statistics"]}
    sections = _sections(document)
    groups = _groups(rows)
    console.print(_main_table(sections, rows, groups[:GROUPS_ACROSS]))
    for start in range(GROUPS_ACROSS, len(groups), GROUPS_ALONE):
        console.print()
        console.print(_group_table(sections, rows, groups[start : start + GROUPS_ALONE]))
    console.print(
        f"\n± is the half width of the {document['confidence']:.6g} interval. The intervals of all columns are in the "
        "CSV and JSON.",
        style="dim",
        highlight=False,
    )


def to_csv(summary: Document | Iterable[SummaryRow]) -> str:
    """Rows of a summary as CSV with a header; an empty field where nothing is determined."""
    rows = summary["statistics"] if isinstance(summary, Mapping) else [asdict(row) for row in summary]
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def to_json(document: Document) -> str:
    """Return the document as JSON, a line for each estimate and each histogram.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    lines = []
    for key, value in document.items():
        if key == "statistics":
            text = "[\n" + ",\n".join(f"    {_json(row)}" for row in value) + "\n  ]"
        elif key == "histograms":
            text = "{\n" + ",\n".join(_histogram_lines(value)) + "\n  }"
        else:
            text = _json(value)
        lines.append(f"  {_json(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def number_text(value: float | None, digits: int) -> str:
    """Return a number with thousands separated, a dash for None and no negative zero."""
    if value is None:
        return NOTHING
    return f"{round(value, digits) + 0.0:,.{digits}f}"


def estimate_text(row: Row, *, with_half_width: bool = True) -> str:
    """Return an estimate with the digits that its interval bears out, and the half width.

    A proportion is in percent. An interval that is not symmetrical has half its length shown; where the estimate is
    0 or 1, the interval is written out.
    """
    estimate, low, high = row["estimate"], row["low"], row["high"]
    percent = row["unit"] == "share"
    factor, sign = (100, "%") if percent else (1, "")
    if estimate is None:
        return NOTHING
    half_width = None if low is None or high is None else (high - low) / 2 * factor
    digits = _digits(half_width, estimate * factor)
    text = number_text(estimate * factor, digits) + sign
    if not with_half_width or half_width is None:
        return text
    if percent and estimate in (0, 1):
        return f"{text} ({number_text((high if estimate == 0 else low) * factor, digits)}{sign})"
    return f"{text} ± {number_text(half_width, digits)}"


def _digits(half_width: float | None, value: float) -> int:
    """Decimals that show two digits of the half width, from 0 to 3."""
    size = half_width or abs(value) / 100
    for digits, limit in enumerate((10, 1, 0.1)):
        if size >= limit:
            return digits
    return 2 if size == 0 else 3


def _sections(document: Document) -> Sections:
    # What nobody was asked would be a line without a number.
    asked = any(row["n"] for row in document["statistics"])
    told = {row["statistic"] for row in document["statistics"] if row["n"] or not asked}
    sections: dict[str, list[Statistic]] = {}
    for statistic in (*load(document["game"]), *match_statistics()):
        if statistic.name in told:
            sections.setdefault(statistic.section, []).append(statistic)
    return sections


def _groups(rows: Rows) -> list[str]:
    """Groups to show beside ``all``: policies where they differ, else sides; then who plays first."""
    groups = list(dict.fromkeys(group for _, group in rows if group != "all"))
    policies = [group for group in groups if group.startswith("policy:")]
    sides = [group for group in groups if group.startswith(("side:", "seat:"))]
    first = [group for group in groups if group not in policies and group not in sides]
    # Where every side plays a policy of its own, the policies tell the sides.
    return policies + ([] if len(policies) == len(sides) else sides) + first


def _main_table(sections: Sections, rows: Rows, groups: Sequence[str]) -> Table:
    table = _table()
    table.add_column("estimate", justify="right", no_wrap=True)
    table.add_column("sd", justify="right", no_wrap=True)
    table.add_column(" / ".join(SHOWN_QUANTILES), justify="right", no_wrap=True)
    _add_groups(table, groups)
    for statistic in _titled(table, sections):
        every = rows.get((statistic.name, "all"))
        cells = [_cell(rows.get((statistic.name, group)), with_half_width=False) for group in groups]
        table.add_row(statistic.name, _cell(every), *_spread(statistic, rows), *cells)
    return table


def _group_table(sections: Sections, rows: Rows, groups: Sequence[str]) -> Table:
    table = _table()
    _add_groups(table, groups)
    grouped = {name for name, group in rows if group in groups}
    kept = {title: [one for one in statistics if one.name in grouped] for title, statistics in sections.items()}
    for statistic in _titled(table, {title: statistics for title, statistics in kept.items() if statistics}):
        cells = [_cell(rows.get((statistic.name, group)), with_half_width=False) for group in groups]
        table.add_row(statistic.name, *cells)
    return table


def _table() -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("statistic", style="cyan", no_wrap=True)
    return table


def _add_groups(table: Table, groups: Sequence[str]) -> None:
    for group in groups:
        table.add_column(_heading(group), justify="right", max_width=GROUP_WIDTH, overflow="fold")


def _titled(table: Table, sections: Sections) -> Iterator[Statistic]:
    """All statistics, with a heading in the table before those of each section."""
    for number, (title, statistics) in enumerate(sections.items()):
        if number:
            table.add_row()
        table.add_row(f"[bold default]{title}[/]")
        yield from statistics


def _spread(statistic: Statistic, rows: Rows) -> list[str]:
    deviation = rows.get((f"{statistic.name}:sd", "all"))
    quantiles = [rows.get((f"{statistic.name}:{name}", "all")) for name in SHOWN_QUANTILES]
    if deviation is None:
        return ["", ""]
    return [
        NOTHING if deviation["estimate"] is None else _significant(deviation["estimate"]),
        " / ".join(NOTHING if row is None else number_text(row["estimate"], 0) for row in quantiles),
    ]


def _significant(value: float) -> str:
    """Three digits or all whole ones."""
    return number_text(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def _cell(row: Row | None, *, with_half_width: bool = True) -> str:
    return "" if row is None else estimate_text(row, with_half_width=with_half_width)


def _heading(group: str) -> str:
    """Heading of a group: ``side 0``, ``first``, ``not first``, or the policy's own text."""
    column, _, value = group.partition(":")
    if column == "policy":
        return value.replace(":", ":\n").replace(",", ",\n").replace("+", " +\n")
    if value in ("yes", "no"):
        what = {"plays_first": "first", "deals_first": "dealer"}.get(column, column.replace("_", " "))
        return what if value == "yes" else f"not {what}"
    return f"{column} {value}"


def _histogram_lines(histograms: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, groups in histograms.items():
        inside = ",\n".join(f"      {_json(group)}: {_json(counts)}" for group, counts in groups.items())
        yield f"    {_json(name)}: {{\n{inside}\n    }}"


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=False)
