"""The part of a report that tells a sweep (``carteador.sweep/1``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.documents import Axis, Best, Point, Row, Sweep
from analysis.report import charts, words
from analysis.report.common import (
    CURSE,
    count_cell,
    game_fact,
    interval_fact,
    number_cell,
    policy_help,
    provenance,
    rules_table,
    text_cell,
)
from analysis.report.families import told_in
from analysis.report.model import Body, Cell, Chart, Column, Fact, Part, Section, Table, Tile
from analysis.wording import listed

EVERYBODY = "all"
QUESTIONS = {
    "advantage": "By how much is the policy ahead of the one it plays against, in points a deal?",
    "win_advantage": "How much more often does the policy win than the one it plays against?",
}
"""Of the statistics of a sweep that no catalogue has."""


def sweep_body(part: Part, document: Sweep) -> Body:
    """Everything a report says of a sweep."""
    names = [words.statistic_words(axis.name) for axis in document.axes]
    facts = [
        game_fact(document.game),
        Fact("Varied", [_axis_line(axis) for axis in document.axes]),
        Fact(
            "Played",
            [f"{words.counted(document.deals, 'deal')} at each of {words.counted(len(document.points), 'point')}"],
        ),
        Fact("Seed", [str(document.seed)]),
        interval_fact(document.confidence),
    ]
    if document.policy:
        lines = [policy_help(document.game, document.policy)]
        if document.against:
            lines.append(f"against {document.against}")
        facts.insert(4, Fact("Policy", lines))
    body = Body(
        "sweep",
        f"{words.game_title(document.game)}: {listed(names)} varied",
        f"The same {words.counted(document.deals, 'deal')} at each of {words.counted(len(document.points), 'point')}; "
        f"seed {document.seed}.",
        facts,
        all_rules=rules_table(document.game, document.options),
        tiles=list(_sweep_tiles(document)),
        findings=document.sentences,
        replays=part.replays,
        tables=[_points_table(document)],
        provenance=provenance(document, part.name),
        command=document.command or part.command,
        notes=part.notes,
    )
    made = [_sweep_chart(document, statistic, group) for statistic, group in told_in(document)]
    body.sections = [Section("Over the grid", [chart for chart in made if chart])]
    against = [
        _against_chart(document, name)
        for name in dict.fromkeys(one.statistic for point in document.points for one in point.against_first)
    ]
    if any(against):
        body.sections.append(Section("Against the first point", [chart for chart in against if chart]))
    return body


def _axis_line(axis: Axis) -> str:
    what = f"parameter of {axis.policy}" if axis.kind == "param" and axis.policy else "house rule"
    values = ", ".join(words.option_value(value) for value in axis.values)
    return f"{words.statistic_words(axis.name)} ({what}): {values}"


def _sweep_tiles(document: Sweep) -> Iterator[Tile]:
    best = document.best
    if best is None:
        return
    unit = _unit(document, best.statistic)
    values = ", ".join(
        f"{words.statistic_words(name)} {words.option_value(value)}" for name, value in best.values.items()
    )
    yield Tile(
        f"{words.sentence_case(best.direction)} {words.statistic_words(best.statistic)}", values, "the best of the grid"
    )
    if best.fresh is not None:
        row = Row(
            statistic=best.statistic, unit=unit, estimate=best.fresh.estimate, low=best.fresh.low, high=best.fresh.high
        )
        text = words.row_text(row)
        yield Tile("On fresh deals", text, f"{words.counted(best.fresh.deals, 'deal')} that had no part in finding it")
    yield Tile("In the sweep", words.value_text(best.estimate_in_sweep, unit), _curse(best))


def _curse(best: Best) -> str:
    return CURSE + (": the fresh deals count" if best.fresh else "")


def _unit(document: Sweep, statistic: str) -> str:
    name = statistic.partition("@")[0]
    return next((row.unit for point in document.points for row in point.rows if row.statistic == name), "")


def _sweep_chart(document: Sweep, statistic: str, group: str) -> Chart | None:
    points = []
    for point in document.points:
        for row in point.rows:
            if (row.statistic, row.group) == (statistic, group) and row.estimate is not None:
                x, series = _place(document, point)
                points.append(charts.PointOnCurve(x, row.estimate, row.low, row.high, series, words.row_text(row)))
    if not points:
        return None
    unit = _unit(document, statistic)
    title = words.sentence_case(words.statistic_words(statistic))
    if group != EVERYBODY:
        title += f", {words.group_words(group)}"
    known = words.statistics_of_game(document.game).get(statistic)
    question = known.question if known else QUESTIONS.get(statistic, "")
    return _over_axis(document, title, question, unit, points)


def _against_chart(document: Sweep, statistic: str) -> Chart | None:
    unit = _unit(document, statistic)
    start, series = _place(document, document.points[0])
    points = [charts.PointOnCurve(start, 0.0, None, None, series, "the first point")]
    for point in document.points[1:]:
        for one in point.against_first:
            if one.statistic == statistic and one.difference is not None:
                x, series = _place(document, point)
                text = words.difference_text(one.difference, one.low, one.high, unit)
                points.append(charts.PointOnCurve(x, one.difference, one.low, one.high, series, text))
    if len(points) < 2:
        return None
    title = f"{words.sentence_case(words.statistic_words(statistic))}: difference from the first point"
    return _over_axis(document, title, "What does it change, on the same deals?", unit, points)


def _over_axis(document: Sweep, title: str, question: str, unit: str, points: Sequence[charts.PointOnCurve]) -> Chart:
    axis = words.statistic_words(document.axes[0].name) if document.axes else ""
    if not all(isinstance(point.x, (int, float)) and not isinstance(point.x, bool) for point in points):
        points = [
            charts.PointOnCurve(words.shortened(words.option_value(p.x), 18), p.value, p.low, p.high, p.series, p.text)
            for p in points
        ]
    has_series = len({point.series for point in points}) > 1
    columns = [Column(axis), *([Column("at")] if has_series else []), Column("estimate", True)]
    columns += [Column("from", True), Column("to", True)]
    rows = [
        [
            Cell(str(point.x), point.x if isinstance(point.x, (int, float)) else str(point.x)),
            *([text_cell(point.series)] if has_series else []),
            *(number_cell(value, unit) for value in (point.value, point.low, point.high)),
        ]
        for point in points
    ]
    texts = "; ".join(f"{point.x}{f', {point.series}' if point.series else ''}: {point.text}" for point in points[:40])
    label = "" if unit in ("", "share") else f" In {unit}."
    note = f"The band, or line, is the {words.percent_level(document.confidence)} interval.{label}"
    spec = charts.curve(points, unit, axis)
    return Chart(title, question, spec, f"{title} over {axis}: {texts}.", Table(title, columns, rows), note)


def _place(document: Sweep, point: Point) -> tuple[Any, str]:
    """Where a point is: its value on the first axis, and those on the others in words."""
    first, *others = document.axes
    series = ", ".join(
        f"{words.statistic_words(axis.name)} {words.option_value(point.values.get(axis.name))}" for axis in others
    )
    return point.values.get(first.name), series


def _points_table(document: Sweep) -> Table:
    names = [axis.name for axis in document.axes]
    statistics = list(dict.fromkeys(row.statistic for point in document.points for row in point.rows))
    columns = [Column(words.statistic_words(name)) for name in names]
    columns += [Column("statistic", choices=statistics if len(statistics) > 1 else ()), Column("group")]
    columns += [Column(title, True) for title in ("estimate", "from", "to", "std. error", "n")] + [Column("unit")]
    rows = [
        [
            *(_value_cell(point.values, name) for name in names),
            text_cell(row.statistic),
            text_cell(row.group),
            *(number_cell(value, row.unit) for value in (row.estimate, row.low, row.high)),
            number_cell(row.std_error, row.unit, 4),
            count_cell(row.n),
            text_cell(row.unit),
        ]
        for point in document.points
        for row in point.rows
    ]
    return Table("All points", columns, rows, is_searched=True)


def _value_cell(values: Mapping[str, Any], name: str) -> Cell:
    value = values.get(name)
    key = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else words.option_value(value)
    return Cell(words.option_value(value), key)
