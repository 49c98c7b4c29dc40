"""Statistics that belong together, by their names: curves over turns, parts of a whole, and what stands alone.

No game is named here: whatever a catalogue calls ``X_by:k`` is a curve over k, whatever shares a name before the colon
(``end_reason:``, ``points:``) is told side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.documents import Row, Summary, Sweep
from analysis.report.words import in_words, statistics_of_game
from analysis.statistic import QUANTILES, Statistic

CURVE = "_by"
TURN = "_turn"
SPREADS = ("sd", *(f"p{percent}" for percent in QUANTILES))
OTHERS = "Other statistics"


@dataclass(frozen=True, slots=True)
class Told:
    """A statistic as a document tells it.

    Attributes
    ----------
    name, question, among
        As in the catalogue; without a question where the catalogue of this version does not know it.
    kind
        ``proportion``, ``number`` or ``ratio``.
    rows
        Its estimates by group.
    """

    name: str
    kind: str
    unit: str
    question: str
    among: str
    level: str
    rows: Mapping[str, Row]

    @property
    def all(self) -> Row | None:
        """The estimate over all rows, if it has a value."""
        row = self.rows.get("all")
        return row if row is not None and row.estimate is not None else None


@dataclass(frozen=True, slots=True)
class Family:
    """Statistics that share a name before the last colon, in the order of the document."""

    name: str
    members: Sequence[Told]

    @property
    def is_curve(self) -> bool:
        """Whether it asks by when something has happened."""
        return self.name.partition(":")[0].endswith(CURVE) and all(
            self.at(member) is not None for member in self.members
        )

    @property
    def head(self) -> str:
        """Name of the curve, without what the sides are told apart by."""
        return self.name.partition(":")[0]

    def label(self, member: Told) -> str:
        """What tells a member from the others."""
        return in_words(member.name.rpartition(":")[2])

    def at(self, member: Told) -> int | None:
        """The number that tells a member of a curve from the others."""
        last = member.name.rpartition(":")[2]
        return int(last) if last.isascii() and last.isdigit() and len(last) < 10 else None


@dataclass(slots=True)
class Group:
    """Statistics of one section of the catalogue."""

    title: str
    families: list[Family] = field(default_factory=list)
    alone: list[Told] = field(default_factory=list)


def told_statistics(document: Summary) -> dict[str, Told]:
    """Statistics of a document by name, in the order of the catalogue; spreads and quantiles belong to theirs."""
    catalogue = statistics_of_game(document.game)
    rows: dict[str, dict[str, Row]] = {}
    for row in document.statistics:
        rows.setdefault(row.statistic, {})[row.group] = row
    names = [name for name in catalogue if name in rows]
    names += [name for name in rows if name not in catalogue and not is_spread(name, rows)]
    return {name: _told(name, rows[name], catalogue.get(name), name in document.histograms) for name in names}


def sections(document: Summary) -> list[Group]:
    """Statistics of a document in the sections of the catalogue; what nobody was asked is left out."""
    catalogue = statistics_of_game(document.game)
    groups: dict[str, Group] = {}
    families: dict[str, list[Told]] = {}
    for told in told_statistics(document).values():
        if not any(row.estimate is not None for row in told.rows.values()):
            continue
        known = catalogue.get(told.name)
        title = known.section if known else OTHERS
        group = groups.setdefault(title, Group(title))
        head = told.name.rpartition(":")[0]
        if not head:
            group.alone.append(told)
            continue
        if head not in families:
            families[head] = []
            group.families.append(Family(head, families[head]))
        families[head].append(told)
    return list(groups.values())


def told_in(document: Sweep) -> list[tuple[str, str]]:
    """Statistics and groups of a sweep in order, without the spreads and quantiles of numbers."""
    told = dict.fromkeys((row.statistic, row.group) for point in document.points for row in point.rows)
    names = {name for name, _ in told}
    return [(name, group) for name, group in told if not is_spread(name, names)]


def is_spread(name: str, rows: Iterable[str]) -> bool:
    """Whether a row is a standard deviation or a quantile of another row."""
    head, _, last = name.rpartition(":")
    return last in SPREADS and head in rows


def _told(name: str, rows: Mapping[str, Row], known: Statistic | None, is_counted: bool) -> Told:
    if known is not None:
        return Told(name, known.kind, known.unit, known.question, known.among, known.level, rows)
    unit = next(iter(rows.values())).unit
    kind = "proportion" if unit == "share" else "number" if is_counted else "ratio"
    return Told(name, kind, unit, "", "", "sides", rows)
