"""The parts of a report that tell a comparison, a tournament and a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.documents import Axis, Best, Compare, Contestant, Difference, Point, Row, Sweep, Tournament
from analysis.report import charts, words
from analysis.report.common import (
    count_cell,
    game_fact,
    has_long_labels,
    histogram,
    interval_fact,
    mark_table,
    marks_summary,
    number_cell,
    policy_help,
    provenance,
    rules_facts,
    rules_table,
    text_cell,
)
from analysis.report.model import Body, Cell, Chart, Column, Fact, Part, Section, Table, Tile

POINTS = "points"
EVERYBODY = "all"
MOST_NARROW = 4
"""Policies whose square of differences fits half a page."""


def comparison_body(part: Part, document: Compare) -> Body:
    """Everything a report says of a paired comparison."""
    a, b = document.a, document.b
    facts = [
        game_fact(document.game),
        Fact("Played", [f"{words.counted(document.deals, 'deal')}, the same for both"]),
        Fact("Seed", [str(document.seed)]),
        Fact(f"A: {a.label}", _contestant_lines(document.game, a)),
        Fact(f"B: {b.label}", _contestant_lines(document.game, b)),
        interval_fact(document.confidence),
    ]
    if document.tables:
        facts.insert(3, Fact("Tables", [f"{words.counted(len(document.tables), 'way')} round for each deal"]))
    body = Body(
        "comparison",
        f"{words.game_title(document.game)}: {a.label} against {b.label}",
        f"{words.counted(document.deals, 'deal')}, each played with A and with B in every place; seed {document.seed}.",
        facts,
        rules=[] if a.changed or b.changed else rules_facts(document.game, a.options),
        all_rules=rules_table(document.game, a.options) if a.options == b.options else None,
        tiles=list(_comparison_tiles(document)),
        findings=document.sentences,
        replays=part.replays,
        tables=[_differences_table(document)],
        provenance=provenance(document, part.name),
        command=document.command or part.command,
        notes=part.notes,
    )
    made = [*_difference_charts(document), _sign_chart(document)]
    if document.histogram is not None:
        mean = next((one.difference for one in document.differences if one.statistic == "score"), None)
        made.append(
            histogram(
                "Difference in score, deal by deal",
                "By how much is A ahead of B in a single deal?",
                POINTS,
                {"": document.histogram},
                deals=document.deals,
                confidence=document.confidence,
                mean=mean,
                note="Dashed: the mean difference.",
                is_wide=True,
            )
        )
    body.sections = [Section("A minus B", [chart for chart in made if chart])]
    return body


def tournament_body(part: Part, document: Tournament) -> Body:
    """Everything a report says of a tournament."""
    facts = [
        game_fact(document.game),
        Fact("Played", [f"{words.counted(document.deals, 'deal')} for each pair"]),
        Fact("Seed", [str(document.seed)]),
        Fact("Policies", [policy_help(document.game, text) for text in document.policies]),
        interval_fact(document.confidence),
    ]
    first = min(document.ranking, key=lambda row: row.rank, default=None)
    tiles = []
    if first is not None:
        tiles.append(Tile("First", first.policy, "the strongest of all pairs together"))
    tiles += [
        Tile("Policies", f"{len(document.policies)}", f"{words.counted(len(document.pairs), 'pair')}"),
        Tile("Deals for each pair", f"{document.deals:,}", "the same cards for everybody"),
    ]
    body = Body(
        "tournament",
        f"{words.game_title(document.game)}: tournament of {words.counted(len(document.policies), 'policy', 'policies')}",
        f"Every pair of policies over the same {words.counted(document.deals, 'deal')}; seed {document.seed}.",
        facts,
        rules=rules_facts(document.game, document.options),
        all_rules=rules_table(document.game, document.options),
        tiles=tiles,
        findings=document.sentences,
        replays=part.replays,
        provenance=provenance(document, part.name),
        command=document.command or part.command,
        notes=part.notes,
    )
    ranking = [_strength_chart(document), _ranking_chart(document)]
    tables = [_ranking_table(document)] if document.ranking else []
    body.sections = [
        Section("Ranking", [chart for chart in ranking if chart], tables=tables),
        Section("Pairs", [chart for chart in (_pair_matrix(document), _pair_chart(document)) if chart]),
    ]
    if document.mixed and document.mixed.rows:
        body.sections.append(_mixed_section(document))
    body.tables = [_pairs_table(document)]
    return body


def sweep_body(part: Part, document: Sweep) -> Body:
    """Everything a report says of a sweep."""
    names = [words.in_words(axis.name) for axis in document.axes]
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
    if document.policies:
        lines = [policy_help(document.game, text) for text in dict.fromkeys(document.policies)]
        facts.insert(4, Fact("Policies", lines))
    body = Body(
        "sweep",
        f"{words.game_title(document.game)}: {words.listed(names)} varied",
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
    made = []
    for statistic, group in dict.fromkeys(
        (row.statistic, row.group) for point in document.points for row in point.rows
    ):
        made.append(_sweep_chart(document, statistic, group))
    body.sections = [Section("Over the grid", [chart for chart in made if chart])]
    against = [
        _against_chart(document, name)
        for name in dict.fromkeys(one.statistic for point in document.points for one in point.against_first)
    ]
    if any(against):
        body.sections.append(Section("Against the first point", [chart for chart in against if chart]))
    return body


def _contestant_lines(game: str, one: Contestant) -> list[str]:
    lines = [policy_help(game, one.policy)] if one.policy else []
    lines += [f"{words.in_words(name)}: {words.option_value(value)}" for name, value in one.changed.items()]
    return lines or ["under the rules of the rule book"]


def _comparison_tiles(document: Compare) -> Iterator[Tile]:
    for one in document.differences:
        value = words.difference_text(one.difference, one.low, one.high, one.unit)
        detail = _interval_words(one)
        if one.variance_reduction is not None:
            detail += f"; as sure as {one.variance_reduction:,.1f} times as many independent deals"
        yield Tile(f"{words.sentence_case(words.in_words(one.statistic))}, A minus B", value, detail)
    test = document.sign_test
    if test is not None:
        told = test.better + test.worse
        share = test.better / told if told else None
        detail = f"of {told:,} deals that are not equal; sign test p {words.p_value_text(test.p_value)}"
        yield Tile("A does better in", words.value_text(share, "share"), detail)


def _interval_words(one: Difference) -> str:
    if one.low is None or one.high is None:
        return "no interval"
    verdict = "equal strength is excluded" if one.low > 0 or one.high < 0 else "they may be equal"
    return f"{words.interval_text(one.low, one.high, one.unit).replace('%', 'pp')}; {verdict}"


def _difference_charts(document: Compare) -> Iterator[Chart | None]:
    for unit in dict.fromkeys(one.unit for one in document.differences):
        told = [one for one in document.differences if one.unit == unit and one.difference is not None]
        marks = [
            charts.Mark(
                words.in_words(one.statistic),
                one.difference or 0.0,
                one.low,
                one.high,
                words.signed_text(one.difference, unit),
            )
            for one in told
        ]
        if marks:
            title = f"{words.sentence_case(words.listed([mark.label for mark in marks]))}: A minus B"
            yield Chart(
                title,
                f"What does {document.a.label} gain over {document.b.label}?",
                charts.dots(marks, unit, reference=0.0),
                marks_summary(title, marks),
                mark_table(title, marks, unit, "statistic"),
                f"The line is the {words.percent_level(document.confidence)} interval of the paired difference. "
                "Dashed: no difference.",
            )


def _sign_chart(document: Compare) -> Chart | None:
    test = document.sign_test
    total = test.better + test.worse + test.equal if test else 0
    if test is None or not total:
        return None
    parts = [
        (f"{document.a.label} better", test.better, charts.POSITIVE),
        ("equal", test.equal, charts.NEUTRAL),
        (f"{document.b.label} better", test.worse, charts.NEGATIVE),
    ]
    rows = [[text_cell(name), count_cell(count), number_cell(count / total, "share")] for name, count, _ in parts]
    table = Table("Deal by deal", [Column("deals"), Column("number", True), Column("share", True)], rows)
    texts = "; ".join(f"{name} {words.value_text(count / total, 'share')}" for name, count, _ in parts)
    return Chart(
        "Deal by deal",
        "In how many deals is it ahead?",
        charts.shares([(words.shortened(name), count / total, colour) for name, count, colour in parts]),
        f"One bar of three parts: {texts}.",
        table,
        f"Exact sign test, two-sided: p {words.p_value_text(test.p_value)}.",
    )


def _differences_table(document: Compare) -> Table:
    titles = ("A", "B", "difference", "from", "to", "std. error", "n", "variance reduction")
    rows = [
        [
            text_cell(one.statistic),
            *(number_cell(value, one.unit) for value in (one.a, one.b, one.difference, one.low, one.high)),
            number_cell(one.std_error, one.unit, 4),
            count_cell(one.n),
            number_cell(one.variance_reduction, "", 2),
            text_cell(one.unit),
        ]
        for one in document.differences
    ]
    columns = [Column("statistic"), *(Column(title, True) for title in titles), Column("unit")]
    return Table("Paired differences", columns, rows)


def _strength_chart(document: Tournament) -> Chart | None:
    marks = [
        charts.Mark(
            row.policy, row.strength, row.strength_low, row.strength_high, words.value_text(row.strength, "", 2)
        )
        for row in sorted(document.ranking, key=lambda row: row.rank)
        if row.strength is not None
    ]
    if not marks:
        return None
    return Chart(
        "Strength",
        "Who beats whom most often, all pairs together?",
        charts.dots(marks, "strength"),
        marks_summary("Strengths", marks),
        mark_table("Strength", marks, "strength", "policy"),
        "Bradley and Terry's strengths with their intervals.",
    )


def _ranking_chart(document: Tournament) -> Chart | None:
    marks = [
        charts.Mark(row.policy, row.score, row.score_low, row.score_high, words.value_text(row.score, POINTS))
        for row in sorted(document.ranking, key=lambda row: row.rank)
        if row.score is not None
    ]
    if not marks:
        return None
    return Chart(
        "Score",
        "What does a policy score, all opponents together?",
        charts.dots(marks, POINTS),
        marks_summary("Scores", marks),
        mark_table("Score", marks, POINTS, "policy"),
        f"The lines are the {words.percent_level(document.confidence)} intervals.",
    )


def _ranking_table(document: Tournament) -> Table:
    rows = [
        [
            count_cell(row.rank),
            text_cell(row.policy),
            number_cell(row.strength, "", 3),
            Cell(words.interval_text(row.strength_low, row.strength_high, ""), row.strength_low),
            number_cell(row.score, POINTS),
            Cell(words.interval_text(row.score_low, row.score_high, POINTS), row.score_low),
            number_cell(row.win_rate, "share"),
        ]
        for row in sorted(document.ranking, key=lambda row: row.rank)
    ]
    columns = [Column("rank", True), Column("policy")]
    columns += [Column(title, True) for title in ("strength", "interval", "score", "interval", "win rate")]
    return Table("Ranking", columns, rows)


def _pair_matrix(document: Tournament) -> Chart | None:
    cells = []
    for pair in document.pairs:
        if pair.difference is None:
            continue
        for row, column, sign in ((pair.a, pair.b, 1), (pair.b, pair.a, -1)):
            value = sign * pair.difference
            ends = sorted((sign * (pair.low or 0), sign * (pair.high or 0)))
            full = words.difference_text(value, ends[0], ends[1], POINTS)
            cells.append(
                {
                    "row": row,
                    "column": column,
                    "value": value,
                    "text": words.signed_text(round(value, 1), POINTS),
                    "full": full,
                }
            )
    if not cells:
        return None
    order = [row.policy for row in sorted(document.ranking, key=lambda row: row.rank)] or list(document.policies)
    table = Table(
        "Differences",
        [Column("policy"), Column("against"), Column("difference", True)],
        [[text_cell(c["row"]), text_cell(c["column"]), Cell(str(c["full"]), float(c["value"]))] for c in cells],
    )
    return Chart(
        "Points a deal, line against column",
        "What does the policy of the line score more than the policy of the column?",
        charts.matrix(cells, order),
        "Square of differences: " + "; ".join(f"{c['row']} against {c['column']} {c['text']}" for c in cells) + ".",
        table,
        is_wide=len(order) > MOST_NARROW,
        least_width=170 + 62 * len(order) if len(order) >= MOST_NARROW else 0,
    )


def _pair_chart(document: Tournament) -> Chart | None:
    marks = [
        charts.Mark(
            f"{pair.a} - {pair.b}", pair.difference, pair.low, pair.high, words.signed_text(pair.difference, POINTS)
        )
        for pair in document.pairs
        if pair.difference is not None
    ]
    if not marks:
        return None
    title = "Paired differences"
    return Chart(
        title,
        "Which differences are more than chance?",
        charts.dots(marks, POINTS, reference=0.0),
        marks_summary(title, marks),
        mark_table(title, marks, POINTS, "pair"),
        f"The lines are the {words.percent_level(document.confidence)} intervals, one pair at a time.",
        is_wide=has_long_labels(marks),
    )


def _pairs_table(document: Tournament) -> Table:
    rows = [
        [
            text_cell(pair.a),
            text_cell(pair.b),
            number_cell(pair.difference, POINTS, 2),
            number_cell(pair.low, POINTS, 2),
            number_cell(pair.high, POINTS, 2),
            count_cell(pair.better),
            count_cell(pair.worse),
            count_cell(pair.equal),
            Cell(words.p_value_text(pair.p_value), pair.p_value),
            Cell(words.p_value_text(pair.p_holm), pair.p_holm),
            count_cell(pair.n),
        ]
        for pair in document.pairs
    ]
    titles = ("difference", "from", "to", "A better", "B better", "equal", "sign test p", "p after Holm", "n")
    columns = [Column("A"), Column("B"), *(Column(title, True) for title in titles)]
    return Table("All pairs", columns, rows, is_searched=True)


def _mixed_section(document: Tournament) -> Section:
    rows = document.mixed.rows if document.mixed else []
    marks = [
        charts.Mark(row.policy, row.score, row.low, row.high, words.value_text(row.score, POINTS))
        for row in rows
        if row.score is not None
    ]
    made = []
    if marks:
        made.append(
            Chart(
                "Score at mixed tables",
                "What does a policy score where several sit together?",
                charts.dots(marks, POINTS),
                marks_summary("Scores at mixed tables", marks),
                mark_table("Score at mixed tables", marks, POINTS, "policy"),
            )
        )
    wins = [
        charts.Mark(row.policy, row.win_rate, None, None, words.value_text(row.win_rate, "share"))
        for row in rows
        if row.win_rate is not None
    ]
    if wins:
        made.append(
            Chart(
                "Wins at mixed tables",
                "How often has a policy the best score alone?",
                charts.bars(wins, "share"),
                marks_summary("Wins at mixed tables", wins),
                mark_table("Wins at mixed tables", wins, "share", "policy"),
            )
        )
    return Section("Mixed tables", made)


def _axis_line(axis: Axis) -> str:
    what = f"parameter of {axis.policy}" if axis.kind == "param" and axis.policy else "house rule"
    values = ", ".join(words.option_value(value) for value in axis.values)
    return f"{words.in_words(axis.name)} ({what}): {values}"


def _sweep_tiles(document: Sweep) -> Iterator[Tile]:
    best = document.best
    if best is None:
        return
    unit = _unit(document, best.statistic)
    values = ", ".join(f"{words.in_words(name)} {words.option_value(value)}" for name, value in best.values.items())
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
    return "the best of many looks better than it is" + (": the fresh deals count" if best.fresh else "")


def _unit(document: Sweep, statistic: str) -> str:
    return next((row.unit for point in document.points for row in point.rows if row.statistic == statistic), "")


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
    return _over_axis(document, title, known.question if known else "", unit, points)


def _against_chart(document: Sweep, statistic: str) -> Chart | None:
    points = []
    unit = _unit(document, statistic)
    for point in document.points:
        for one in point.against_first:
            if one.statistic == statistic and one.difference is not None:
                x, series = _place(document, point)
                text = words.difference_text(one.difference, one.low, one.high, unit)
                points.append(charts.PointOnCurve(x, one.difference, one.low, one.high, series, text))
    if not points:
        return None
    title = f"{words.sentence_case(words.statistic_words(statistic))}: difference from the first point"
    return _over_axis(document, title, "What does it change, on the same deals?", unit, points)


def _over_axis(document: Sweep, title: str, question: str, unit: str, points: Sequence[charts.PointOnCurve]) -> Chart:
    axis = words.in_words(document.axes[0].name) if document.axes else ""
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
        f"{words.in_words(axis.name)} {words.option_value(point.values.get(axis.name))}" for axis in others
    )
    return point.values.get(first.name), series


def _points_table(document: Sweep) -> Table:
    names = [axis.name for axis in document.axes]
    statistics = list(dict.fromkeys(row.statistic for point in document.points for row in point.rows))
    columns = [Column(words.in_words(name)) for name in names]
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
