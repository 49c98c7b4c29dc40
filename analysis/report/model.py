"""What a page is made of, before it is HTML: parts, sections, charts, tables, replays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.documents import Document

Line = tuple[str, str]
"""A line of a deal's story: its role, and its words."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A deal worth looking at.

    Attributes
    ----------
    title
        Why it is shown, as ``The record score``.
    about
        What is remarkable about it, in one sentence.
    command
        The ``carteador`` command that shows it; may be empty.
    wide, narrow
        Its story in lines for a wide and for a narrow screen; `wide` on any if there is no `narrow`.
    """

    title: str
    about: str
    wide: Sequence[Line]
    narrow: Sequence[Line] = ()
    command: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A result and what belongs to it: one part of a report.

    Attributes
    ----------
    document
        Of any schema of `analysis.documents`; a mapping is checked.
    name
        Where it comes from, as the name of its file or folder.
    command
        The command that repeats it, where the document does not say.
    replays
        Deals worth looking at.
    notes
        What must be known of it, as that its run was not finished.
    """

    document: Document | Mapping[str, Any]
    name: str = ""
    command: str = ""
    replays: Sequence[Replay] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Tile:
    """A key figure: its label, the figure, and a line that explains it."""

    label: str
    value: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A term and what is to be said of it, in one or several lines."""

    term: str
    lines: Sequence[str]


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: what is read, and what it is sorted by (a number, a text, or None: always last)."""

    text: str
    key: float | str | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    title
        What stands over it.
    is_number
        Whether it stands to the right.
    choices
        Values by which the table can be filtered; none if it cannot.
    chosen
        The value it is filtered by at first; empty for all.
    """

    title: str
    is_number: bool = False
    choices: Sequence[str] = ()
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table that can be sorted, and searched if it is long."""

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    is_searched: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart.

    Attributes
    ----------
    title, question
        What it shows, and the question it answers.
    spec
        Of Vega-Lite.
    summary
        What it shows in words, for who cannot see it.
    numbers
        What is drawn, as a table.
    note
        How to read it, below the chart.
    is_wide
        Whether it takes the whole width of a wide page.
    least_width
        Pixels that it needs; on a narrower screen it scrolls.
    """

    title: str
    question: str
    spec: dict[str, Any]
    summary: str
    numbers: Table
    note: str = ""
    is_wide: bool = False
    least_width: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """Charts, figures, facts and tables that belong together."""

    title: str
    charts: Sequence[Chart] = ()
    tiles: Sequence[Tile] = ()
    tables: Sequence[Table] = ()
    facts: Sequence[Fact] = ()


@dataclass(slots=True)
class Body:
    """A part as it is read, from top to bottom.

    Attributes
    ----------
    about
        Title of what says what was done.
    copied
        What is to be copied: what it is for, and the text.
    """

    kind: str
    title: str
    lead: str
    facts: list[Fact]
    rules: list[Fact] = field(default_factory=list)
    all_rules: Table | None = None
    tiles: list[Tile] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    replays: Sequence[Replay] = ()
    tables: list[Table] = field(default_factory=list)
    provenance: list[Fact] = field(default_factory=list)
    command: str = ""
    notes: Sequence[str] = ()
    about: str = "What was simulated"
    copied: Sequence[tuple[str, str]] = ()
