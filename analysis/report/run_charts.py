"""Charts of a run, chosen by what its statistics are called and by their kind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from math import isclose

from analysis.documents import Counts, Row, Summary
from analysis.report import charts, words
from analysis.report.common import histogram, mark_table, marks_summary, number_cell, text_cell, wilson_row
from analysis.report.families import CURVE, TURN, Family, Told
from analysis.report.model import Chart, Column, Table

OWN_TURNS = "own turns"
BY_GROUP = ("win_rate", "score", "match_win_rate", "match_score")
"""Common to all games, and told by seat, by policy and by who plays first."""

WITH_SPREADS = ("score", "match_score")
TOTALS = {"points": "score"}
"""Families whose members add up to another statistic."""

MOST_POLICIES = 4
MOST_QUESTIONS = 2
NEARLY_ALL = 0.99
END_OF_CURVE = 0.995
EVERYBODY = "all"


class Groups:
    """The groups of a document, by what they tell apart."""

    def __init__(self, document: Summary) -> None:
        names = dict.fromkeys(row.group for row in document.statistics)
        self.policies = [name for name in names if name.startswith("policy:")]
        self.seats = [name for name in names if name.startswith(("side:", "seat:"))]
        self.first = [name for name in names if name.endswith((":yes", ":no")) and name not in self.policies]
        self.compared = self.policies if len(self.policies) <= MOST_POLICIES else []
        """Policies that are told apart in a chart."""
        # Where every side plays a policy of its own, the policies tell the sides.
        seats = [] if len(self.policies) == len(self.seats) else self.seats
        self.every = [*self.policies, *seats, *self.first]
        """Groups that a chart by group shows."""

    def series(self, rows: Mapping[str, Row]) -> list[tuple[str, Row]]:
        """Rows of a statistic that a chart shows: by policy where they differ, else those of everybody."""
        told = [(words.group_words(name), rows[name]) for name in self.compared if has_value(rows.get(name))]
        return told or [("", rows[EVERYBODY])] if told or has_value(rows.get(EVERYBODY)) else []


def has_value(row: Row | None) -> bool:
    """Whether there is a row and it has an estimate."""
    return row is not None and row.estimate is not None


def mark_of(label: str, row: Row, series: str = "") -> charts.Mark:
    """Mark of an estimate."""
    value = row.estimate or 0.0
    return charts.Mark(label, value, row.low, row.high, words.short_text(row), series)


def family_bars(family: Family, document: Summary, groups: Groups) -> Chart | None:
    """Bars of a family: an end reason, a source of points, an effect each."""
    unit = family.members[0].unit
    members = [member for member in family.members if member.unit == unit]
    marks = [
        mark_of(family.label(member), row, series) for member in members for series, row in groups.series(member.rows)
    ]
    if not marks:
        return None
    total = _total(family, members, document)
    if total is not None:
        marks += [replace(mark_of("together", row, series), is_total=True) for series, row in groups.series(total)]
    title = words.sentence_case(words.statistic_words(family.name))
    questions = {member.question for member in members if member.question}
    question = next(iter(questions)) if len(questions) == 1 else ""
    spec = charts.bars(marks, unit, by_sign=unit != "share")
    note = "The lines that end the bars are the intervals."
    if total is not None:
        note = "Means for each deal; together they are the mean score. " + note
    summary = marks_summary(f"Bars of {title}", marks)
    table = mark_table(title, marks, unit, words.statistic_words(family.name))
    return Chart(title, question, spec, summary, table, note)


def family_curve(families: Sequence[Family], document: Summary, groups: Groups) -> Chart | None:
    """Curve of a family ``X_by:k``, or of several, ``X_by:A:k``, over k."""
    points = []
    for family in families:
        for member in family.members:
            for series, row in _curve_series(family, member, families, groups):
                x = family.at(member)
                points.append(
                    charts.PointOnCurve(x, row.estimate or 0.0, row.low, row.high, series, words.row_text(row))
                )
    if not points:
        return None
    head = families[0].head
    title = words.sentence_case(words.in_words(head.removesuffix("_by")) + " by turn")
    unit = families[0].members[0].unit
    spec = charts.curve(points, unit, OWN_TURNS, from_zero=True)
    question = re.sub(rf"\b{points[0].x}\b", "k", families[0].members[0].question)
    note = f"The band is the {words.percent_level(document.confidence)} interval."
    return Chart(title, question, spec, _curve_summary(title, points), _curve_table(title, points, unit), note)


def progress(told: Sequence[Told], document: Summary, groups: Groups) -> list[Chart]:
    """Curves of how many sides something has happened to by each of their own turns, from value counts.

    One chart for all of it, or, where policies differ, a chart for each with a curve a policy.
    """
    events = [one for one in told if one.kind == "number" and one.name.endswith(TURN) and one.unit == OWN_TURNS]
    if groups.compared:
        # What the catalogue has a curve of by itself is drawn with its section.
        curves_told = {one.name.partition(":")[0].removesuffix(CURVE) for one in told}
        events = [one for one in events if one.name.removesuffix(TURN) not in curves_told]
    named = groups.compared or [EVERYBODY]
    last = max((_last_turn(one, group, document) for one in events for group in named), default=0)
    curves = {
        (one.name, group): points
        for one in events
        for group in named
        if (points := _progress_points(one, group, document, last))
    }
    if not curves:
        return []
    level = words.percent_level(document.confidence)
    note = f"The band is the {level} interval; of the rows of a deal it counts one, so it is rather too wide."
    if not groups.compared:
        points = [point for one in events for point in curves.get((one.name, EVERYBODY), [])]
        title = "How far a side has come"
        question = "How likely is it that it has happened to a side by the end of its own turn?"
        return [_progress_chart(title, question, points, note, is_wide=True)]
    result = []
    for one in events:
        points = [
            charts.PointOnCurve(p.x, p.value, p.low, p.high, words.group_words(group), p.text)
            for group in named
            for p in curves.get((one.name, group), [])
        ]
        if points:
            title = words.sentence_case(words.in_words(one.name.removesuffix(TURN))) + ": by turn"
            question = "How likely is it that it has happened to a side by the end of its own turn?"
            result.append(_progress_chart(title, question, points, note))
    return result


def by_group(told: Told, groups: Groups) -> Chart | None:
    """Dots of a statistic by seat or side, by policy, and by who plays first."""
    names = [name for name in groups.every if has_value(told.rows.get(name))]
    marks = [mark_of(words.group_words(name), told.rows[name]) for name in names]
    if len(marks) < 2:
        return None
    every = told.all
    what = words.sentence_case(words.statistic_words(told.name))
    title = f"{what} by seat and order" if any("seat" in name for name in groups.seats) else f"{what} by side and order"
    spec = charts.dots(marks, told.unit, reference=every.estimate if every else None)
    note = f"Dashed: all together, {words.row_text(every)}." if every else ""
    return Chart(
        title, told.question, spec, marks_summary(f"Dots of {title}", marks), mark_table(title, marks, told.unit), note
    )


def rates(section: str, told: Sequence[Told], groups: Groups) -> Chart | None:
    """Dots of the proportions of a section, on one axis from 0 to 100 %."""
    marks = [
        mark_of(words.statistic_words(one.name), row, series) for one in told for series, row in groups.series(one.rows)
    ]
    if not marks:
        return None
    title = f"{section}: how often"
    table = mark_table(title, marks, "share", "statistic")
    asked = {words.statistic_words(one.name): one.question for one in told}
    columns = [*table.columns, Column("question")]
    rows = [[*cells, text_cell(asked[cells[0].text])] for cells in table.rows]
    spec = charts.dots(marks, "share", whole_range=True)
    questions = " ".join(asked.values()) if len(asked) <= MOST_QUESTIONS else ""
    return Chart(title, questions, spec, marks_summary(f"Dots of {title}", marks), Table(title, columns, rows))


def distribution(told: Told, document: Summary, groups: Groups) -> Chart | None:
    """Histogram of a number, by policy where policies differ."""
    counted = document.histograms.get(told.name, {})
    series = {words.group_words(name): counted[name] for name in groups.compared if name in counted}
    if len(series) < 2:
        series = {"": counted[EVERYBODY]} if EVERYBODY in counted else {}
    if not series or all(is_nearly_constant(counts) for counts in series.values()):
        return None
    every = told.all
    return histogram(
        words.sentence_case(words.statistic_words(told.name)),
        told.question,
        told.unit,
        series,
        deals=document.deals,
        confidence=document.confidence,
        mean=every.estimate if every else None,
        note=_spread_note(told, document) if len(series) == 1 else "",
        is_wide=told.name in WITH_SPREADS,
    )


def is_nearly_constant(counts: Counts) -> bool:
    """Whether nearly all rows have one value, so that a histogram would be a single bar."""
    return max(counts.counts, default=0) >= NEARLY_ALL * counts.total


def spread_chart(told: Told, document: Summary, groups: Groups) -> Chart | None:
    """Quantiles of a number by seat, policy and who plays first."""
    quantiles = {(row.statistic, row.group): row.estimate for row in document.statistics}
    rows = []
    for group in [EVERYBODY, *groups.every]:
        values = [quantiles.get((f"{told.name}:{name}", group)) for name in ("p5", "p25", "p50", "p75", "p95")]
        mean = quantiles.get((told.name, group))
        known = [value for value in (*values, mean) if value is not None]
        if len(known) == 6:
            rows.append(charts.Spread(words.group_words(group), *known))
    if len(rows) < 2:
        return None
    title = words.sentence_case(words.statistic_words(told.name)) + ": where it lies"
    columns = [Column("group"), *(Column(name, True) for name in ("p5", "p25", "median", "p75", "p95", "mean"))]
    cells = [
        [
            text_cell(row.label),
            *(number_cell(v, told.unit) for v in (row.p5, row.p25, row.p50, row.p75, row.p95, row.mean)),
        ]
        for row in rows
    ]
    texts = "; ".join(
        f"{row.label}: median {row.p50:,.0f}, nine in ten from {row.p5:,.0f} to {row.p95:,.0f}" for row in rows
    )
    note = "Bar: the middle half. Line: nine in ten. Gap in the bar: the median. Dot: the mean."
    return Chart(
        title,
        f"{told.question} By group.",
        charts.spreads(rows, told.unit),
        f"Quantiles of {told.name} by group: {texts}.",
        Table(title, columns, cells),
        note,
    )


def _total(family: Family, members: Sequence[Told], document: Summary) -> Mapping[str, Row] | None:
    """The statistic that the members add up to, if they do."""
    name = TOTALS.get(family.name)
    rows = {row.group: row for row in document.statistics if row.statistic == name}
    total = rows.get(EVERYBODY)
    parts = [member.all for member in members]
    if total is None or total.estimate is None or None in parts:
        return None
    added = sum(part.estimate or 0.0 for part in parts if part)
    return rows if isclose(added, total.estimate, rel_tol=1e-6, abs_tol=1e-6) else None


def _curve_series(family: Family, member: Told, families: Sequence[Family], groups: Groups) -> list[tuple[str, Row]]:
    if len(families) > 1:
        row = member.all
        return [(member.among or "all sides", row)] if row is not None else []
    if groups.compared:
        return groups.series(member.rows)
    first = [(words.group_words(name), member.rows[name]) for name in groups.first if has_value(member.rows.get(name))]
    return first or groups.series(member.rows)


def _last_turn(told: Told, group: str, document: Summary) -> int:
    """The turn by which nearly all to whom it happens have it."""
    counted = document.histograms.get(told.name, {}).get(group)
    if counted is None or not counted.total:
        return 0
    running = accumulate(counted.counts)
    return next(
        value for value, so_far in zip(counted.values, running, strict=True) if so_far >= END_OF_CURVE * counted.total
    )


def _progress_points(told: Told, group: str, document: Summary, last: int) -> list[charts.PointOnCurve]:
    counted = document.histograms.get(told.name, {}).get(group)
    every = next((row.n for row in document.statistics if (row.statistic, row.group) == ("score", group)), 0)
    if counted is None or not counted.total or every < counted.total or counted.values[0] < 0:
        return []
    reached = dict(zip(counted.values, accumulate(counted.counts), strict=True))
    points, so_far = [], 0
    series = words.in_words(told.name.removesuffix(TURN))
    for turn in range(1, last + 1):
        so_far = reached.get(turn, so_far)
        share = so_far / every
        low, high = wilson_row(share, min(every, document.deals), document.confidence)
        text = f"{words.value_text(share, 'share')} ({words.interval_text(low, high, 'share')})"
        points.append(charts.PointOnCurve(turn, share, low, high, series, text))
    return points


def _progress_chart(
    title: str, question: str, points: Sequence[charts.PointOnCurve], note: str, *, is_wide: bool = False
) -> Chart:
    spec = charts.curve(points, "share", OWN_TURNS, from_zero=True)
    return Chart(
        title, question, spec, _curve_summary(title, points), _curve_table(title, points, "share"), note, is_wide
    )


def _curve_summary(title: str, points: Sequence[charts.PointOnCurve]) -> str:
    texts = []
    for name in dict.fromkeys(point.series for point in points):
        own = [point for point in points if point.series == name]
        start, end = own[0], own[-1]
        texts.append(f"{name or 'all'}: {start.text} at {start.x}, {end.text} at {end.x}")
    return f"Curve of {title}. {'; '.join(texts)}."


def _curve_table(title: str, points: Sequence[charts.PointOnCurve], unit: str) -> Table:
    columns = [
        Column("of"),
        Column(OWN_TURNS, True),
        Column("estimate", True),
        Column("from", True),
        Column("to", True),
    ]
    rows = [
        [
            text_cell(point.series or EVERYBODY),
            number_cell(point.x, ""),
            *(number_cell(value, unit) for value in (point.value, point.low, point.high)),
        ]
        for point in points
    ]
    return Table(title, columns, rows)


def _spread_note(told: Told, document: Summary) -> str:
    found = {row.statistic: row for row in document.statistics if row.group == EVERYBODY}
    every = told.all
    if every is None:
        return ""
    text = f"Dashed: the mean, {words.row_text(every)}."
    low, high = (found.get(f"{told.name}:{name}") for name in ("p5", "p95"))
    if low and high and low.estimate is not None and high.estimate is not None:
        text += f" Nine in ten from {low.estimate:,.0f} to {high.estimate:,.0f}.".replace("-", words.MINUS)
    return text
