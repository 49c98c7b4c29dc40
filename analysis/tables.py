"""Summaries to read: terminal tables, CSV, JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from analysis.catalogue import load
from analysis.catalogue.common import match_statistics
from analysis.statistic import Statistic
from analysis.summary import ANYTIME, SummaryRow

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
NAME_WIDTH = 12
PUNCTUATION = ":,=_/"
NOTHING = "–"


def print_table(document: Document, console: Console) -> None:
    """Print a summary document as tables, a section each, as wide as the console allows and 100 columns at most.

    Every line has a statistic's estimate with the half width of its interval; a number also its standard deviation
    and quantiles; then the estimate of each group. A statistic without a value for all rows has dashes there. What
    a narrow console has no room for is left out, a column at a time, and named below; no number is ever cut.

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
    first, further = groups[:GROUPS_ACROSS], groups[GROUPS_ACROSS:]
    left_out = _print_columns(console, sections, _main_columns(sections, rows, first))
    if left_out:
        left_out += [group_title(group) for group in further]
        further = []
    for start in range(0, len(further), GROUPS_ALONE):
        shown = further[start : start + GROUPS_ALONE]
        kept = _told(sections, rows, shown)
        console.print()
        left_out += _print_columns(console, kept, [_names(kept), *_group_columns(kept, rows, shown)])
    notes = [
        f"± is the half width of the {document['confidence']:.12g} interval{_whenever(document)}. The intervals of all "
        "columns are in the CSV and JSON."
    ]
    if left_out:
        notes.append(f"Too wide for this terminal, but in the CSV and JSON: {', '.join(left_out)}.")
    console.print()
    for note in notes:
        console.print("\n".join(_lines(note, console.width)), style="dim", highlight=False, markup=False)


def _whenever(document: Document) -> str:
    return ", which stopping at a precision does not spoil" if document.get("intervals") == ANYTIME else ""


def to_csv(summary: Document | Iterable[SummaryRow]) -> str:
    """Rows of a summary as CSV with a header; an empty field where nothing is determined."""
    rows = summary["statistics"] if isinstance(summary, Mapping) else [asdict(row) for row in summary]
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def to_json(document: Document) -> str:
    """Return the document as JSON, a line for each estimate, each precision and each histogram.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    lines = []
    for key, value in document.items():
        if key in ("statistics", "until"):
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


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of a table.

    Attributes
    ----------
    title
        What stands over it.
    cells
        A text for each statistic.
    rank
        What ranks highest is left out first; 0 stays.
    fold
        Characters of a line of its heading; None for any number.
    """

    title: str
    cells: Sequence[str]
    rank: int = 0
    fold: int | None = None

    @property
    def heading(self) -> list[str]:
        """The title in lines."""
        return [self.title] if self.fold is None else _lines(self.title, self.fold)

    @property
    def width(self) -> int:
        """Characters of its longest line; a title that is folded has all of them."""
        from rich.cells import cell_len

        title = cell_len(self.title)
        return max(title if self.fold is None else min(title, self.fold), *map(cell_len, self.cells), 0)


def _names(sections: Sections) -> _Column:
    return _Column("statistic", [statistic.name for statistics in sections.values() for statistic in statistics])


def _main_columns(sections: Sections, rows: Rows, groups: Sequence[str]) -> list[_Column]:
    names = _names(sections)
    statistics = [statistic for statistics in sections.values() for statistic in statistics]
    spreads = [_spread(statistic, rows) for statistic in statistics]
    return [
        names,
        _Column("estimate", [_cell(rows.get((name, "all"))) for name in names.cells]),
        _Column("sd", [deviation for deviation, _ in spreads], 1),
        _Column(" / ".join(SHOWN_QUANTILES), [quantiles for _, quantiles in spreads], 2),
        *_group_columns(sections, rows, groups),
    ]


def _group_columns(sections: Sections, rows: Rows, groups: Sequence[str]) -> list[_Column]:
    """Columns of groups; those on the right are left out first."""
    names = _names(sections).cells
    return [
        _Column(
            group_title(group),
            [_cell(rows.get((name, group)), with_half_width=False) for name in names],
            rank,
            GROUP_WIDTH,
        )
        for rank, group in enumerate(groups, 3)
    ]


def _told(sections: Sections, rows: Rows, groups: Sequence[str]) -> Sections:
    """The statistics that are told for one of the groups."""
    grouped = {name for name, group in rows if group in groups}
    kept = {title: [one for one in statistics if one.name in grouped] for title, statistics in sections.items()}
    return {title: statistics for title, statistics in kept.items() if statistics}


def _print_columns(console: Console, sections: Sections, columns: list[_Column]) -> list[str]:
    """Print the columns that there is room for; returns the titles of the others."""
    kept, left_out = list(columns), []
    title_width = max((len(title) for title in sections), default=0)

    def width(of: Sequence[_Column]) -> int:
        return max(of[0].width, title_width) + sum(1 + column.width for column in of[1:])

    while width(kept) > console.width and (most := max(column.rank for column in kept)):
        left_out += [column.title for column in kept if column.rank == most]
        kept = [column for column in kept if column.rank != most]
    # With nothing more to leave out, names are folded, but numbers stand as they are.
    room = max(console.width, NAME_WIDTH + sum(1 + column.width for column in kept[1:]))
    console.print(_table(sections, kept), width=room, crop=False, overflow="ignore")
    return left_out[::-1]


def _table(sections: Sections, columns: Sequence[_Column]) -> Table:
    """Return a table of the columns, with a heading before the statistics of each section."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    names, *others = columns
    table.add_column(names.title, style="cyan", overflow="fold")
    for column in others:
        table.add_column("\n".join(column.heading), justify="right", no_wrap=True, min_width=column.width)
    lines = zip(*(column.cells for column in columns), strict=True)
    for number, (title, statistics) in enumerate(sections.items()):
        if number:
            table.add_row()
        table.add_row(f"[bold default]{title}[/]")
        for _ in statistics:
            table.add_row(*next(lines))
    return table


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


def group_title(group: str) -> str:
    """Title of a group: ``side 0``, ``first``, ``not first``, or the policy's own text."""
    column, _, value = group.partition(":")
    if column == "policy":
        return value.replace("+", " + ")
    if value in ("yes", "no"):
        what = {"plays_first": "first", "deals_first": "dealer"}.get(column, column.replace("_", " "))
        return what if value == "yes" else f"not {what}"
    return f"{column} {value}"


def _lines(text: str, width: int) -> list[str]:
    """Text in lines, broken after spaces and punctuation; only what is longer than a line is broken within."""
    lines = [""]
    for piece in re.findall(rf"[^ {PUNCTUATION}]*[ {PUNCTUATION}]?", text):
        if len((lines[-1] + piece).rstrip()) > width and lines[-1]:
            lines.append("")
        whole = lines.pop() + piece
        lines += [whole[start : start + width] for start in range(0, len(whole.rstrip()) or 1, width)]
    return [line.rstrip() for line in lines]


def _histogram_lines(histograms: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, groups in histograms.items():
        inside = ",\n".join(f"      {_json(group)}: {_json(counts)}" for group, counts in groups.items())
        yield f"    {_json(name)}: {{\n{inside}\n    }}"


def _json(value: Any) -> str:
    return json.dumps(value, allow_nan=False, ensure_ascii=False)
