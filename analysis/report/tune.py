"""The part of a report that tells a search for parameters (``carteador.tune/1``)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from analysis.document_parts import Generation, SoughtParameter
from analysis.documents import Difference, Tune
from analysis.report import charts, words
from analysis.report.common import (
    CURSE,
    POINTS,
    count_cell,
    game_fact,
    interval_fact,
    mark_table,
    marks_summary,
    number_cell,
    policy_help,
    provenance,
    rules_facts,
    rules_table,
    shown_words,
    text_cell,
)
from analysis.report.model import Body, Cell, Chart, Column, Fact, Part, Section, Table, Tile
from analysis.tuning_words import REASONS
from analysis.wording import listed

OLD, OPPONENT = "the old policy", "the opponent"


def tune_body(part: Part, document: Tune) -> Body:
    """Everything a report says of a search for parameters."""
    search = document.search
    body = Body(
        "tune",
        f"{words.game_title(document.game)}: better parameters for {words.shortened(document.policy)}",
        f"{words.counted(len(search.parameters), 'parameter')} sought in "
        f"{words.counted(search.generations, 'generation')}, {words.counted(search.deals_played, 'deal')} at all "
        f"tables; what was found is judged on {words.counted(document.deals, 'fresh deal')}; seed {document.seed}.",
        _facts(document),
        rules=rules_facts(document.game, document.options),
        all_rules=rules_table(document.game, document.options),
        tiles=list(_tiles(document)),
        findings=document.sentences,
        replays=part.replays,
        tables=list(_tables(document)),
        provenance=provenance(document, part.name),
        command=document.command or part.command,
        notes=[*part.notes, *(["The search was interrupted before it was done."] if document.interrupted else [])],
        about="What was sought",
        copied=[("The policy to use:", f"--policy {shlex.quote(document.tuned)}"), *_checks(document)],
    )
    found = [chart for chart in (_worth_chart(document), *_fresh_charts(document)) if chart]
    if found:
        body.sections.append(Section("What was found", found))
    went = list(_search_charts(document))
    if went:
        body.sections.append(Section("How the search went", went))
    return body


def _checks(document: Tune) -> Iterator[tuple[str, str]]:
    """The commands that play the fresh deals again, that against the old policy first."""
    names = [OLD, *(name for name, _ in _opponents(document))]
    for number, check in enumerate(document.checks):
        other = words.shortened(names[number]) if number < len(names) else OPPONENT
        yield f"The fresh deals against {other}, again:", check


def _opponents(document: Tune) -> list[tuple[str, dict[str, Difference]]]:
    """What a chart calls every opponent but the old policy, and what was made against it."""
    over = document.over_opponents
    return [(OPPONENT if len(document.against) == 1 else name, rows) for name, rows in over.items()]


def _facts(document: Tune) -> list[Fact]:
    search = document.search
    rungs = "; ".join(
        f"{words.counted(rung.candidates, 'candidate')} on {words.counted(rung.deals, 'deal')}" for rung in search.rungs
    )
    ended = f"it ended because {REASONS.get(search.stopped_by, words.in_words(search.stopped_by))}"
    facts = [
        game_fact(document.game),
        Fact("Where it began", [policy_help(document.game, document.policy)]),
        Fact(
            "Opponent" if len(document.against) == 1 else "Opponents",
            [policy_help(document.game, one) for one in document.against],
        ),
        Fact("Sought", [_sought_line(one) for one in search.parameters] or ["nothing"]),
        Fact(
            "Search",
            [
                f"{words.counted(search.generations, 'generation')} of up to "
                f"{words.counted(search.population, 'candidate')}; {ended}",
                *([f"of each: {rungs}"] if rungs else []),
            ],
        ),
        Fact("Judged on", [f"{words.counted(document.deals, 'fresh deal')}, which had no part in the search"]),
        Fact("Seed", [str(document.seed)]),
        interval_fact(document.confidence),
    ]
    if search.inert:
        names = listed([words.in_words(name) for name in search.inert])
        facts.insert(4, Fact("Left out", [f"{names}: nothing changes with them under these rules"]))
    return facts


def _sought_line(one: SoughtParameter) -> str:
    ends = " to ".join(words.value_text(end, "") for end in (one.low, one.high))
    return f"{words.in_words(one.name)}: {ends}, from {words.value_text(one.start, '')}"


def _tiles(document: Tune) -> Iterator[Tile]:
    for name, rows in ((OLD, document.over_start or {}), *_opponents(document)):
        for row in rows.values():
            yield _difference_tile(
                f"{words.sentence_case(words.statistic_words(row.statistic))} over {words.shortened(name)}", row
            )
    if document.over_opponents and document.gain is not None:
        whom = OPPONENT if len(document.against) == 1 else "its opponents, on the mean"
        yield _difference_tile(f"More than {OLD} makes against {whom}", document.gain)
    estimate = document.search.estimate
    if estimate is not None:
        fresh = ": the fresh deals count" if document.over_start else ""
        yield Tile("As it seemed in the search", words.signed_text(estimate, POINTS), f"points a deal; {CURSE}{fresh}")
    changed, sought = len(document.parameters), len(document.search.parameters)
    back = f"{len(document.pruned):,} more put back, since nothing is shown to be lost by that"
    detail = back if document.pruned else "of those that were sought"
    yield Tile("Parameters changed", f"{changed:,} of {sought:,}", detail)


def _difference_tile(label: str, row: Difference) -> Tile:
    unit = f"{row.unit} a deal; " if row.unit == POINTS else ""
    value = words.difference_text(row.difference, row.low, row.high, row.unit)
    return Tile(label, value, f"{unit}{shown_words(row.low, row.high, row.unit)}, on fresh deals")


def _worth_chart(document: Tune) -> Chart | None:
    marks = [
        charts.Mark(
            f"{words.in_words(row.name)}: {words.value_text(row.old, '')} to {words.value_text(row.new, '')}",
            row.difference,
            row.low,
            row.high,
            words.difference_text(row.difference, row.low, row.high, POINTS),
        )
        for row in document.parameters
        if row.difference is not None
    ]
    if not marks:
        return None
    title = "What each parameter is worth"
    level = words.percent_level(document.confidence)
    return Chart(
        title,
        "How many points a deal are lost if this one is put back to what it was?",
        charts.dots(marks, POINTS, reference=0.0),
        marks_summary(title, marks),
        mark_table(title, marks, POINTS, "parameter"),
        f"On fresh deals. The lines go together: with {level} confidence none of a parameter that is worth nothing "
        "leaves out 0. Dashed: no loss.",
        is_wide=True,
    )


def _fresh_charts(document: Tune) -> Iterator[Chart]:
    """A chart for each statistic in which the judged policy is held against others."""
    told = [
        *((f"over {OLD}", row) for row in (document.over_start or {}).values()),
        *((f"over {words.shortened(name)}", row) for name, rows in _opponents(document) for row in rows.values()),
    ]
    for statistic in dict.fromkeys(row.statistic for _, row in told):
        rows = [(label, row) for label, row in told if row.statistic == statistic and row.difference is not None]
        if not rows:
            continue
        unit = rows[0][1].unit
        marks = [
            charts.Mark(
                label,
                row.difference or 0.0,
                row.low,
                row.high,
                words.difference_text(row.difference, row.low, row.high, unit),
            )
            for label, row in rows
        ]
        title = f"{words.sentence_case(words.statistic_words(statistic))} on fresh deals"
        yield Chart(
            title,
            "How much more does the policy that was found make?",
            charts.dots(marks, unit, reference=0.0),
            marks_summary(title, marks),
            mark_table(title, marks, unit, "advantage"),
            f"The line is the {words.percent_level(document.confidence)} interval of the paired difference. "
            "Dashed: no difference.",
        )


def _search_charts(document: Tune) -> Iterator[Chart]:
    """What the candidates made, and how far apart they lay, from generation to generation."""
    went = document.search.trajectory
    candidates = [
        *_curve(went, "mean", "mean of all candidates"),
        *_curve(went, "best", "the one in front, as it seemed"),
    ]
    if candidates:
        title = "What the candidates made"
        whom = OPPONENT if len(document.against) == 1 else "their opponents, on the mean"
        yield _over_deals(
            title,
            f"How many points a deal more than {whom}, generation by generation?",
            POINTS,
            candidates,
            f"The mean is of the first rung of a generation, the one in front of its last; {CURSE}.",
        )
    steps = _curve(went, "sigma", "")
    if steps:
        title = "Step size"
        question = "How far apart do the candidates lie?"
        yield _over_deals(title, question, "", steps, "1 at first: the spread that each parameter begins with.")


def _curve(went: list[Generation], name: str, series: str) -> list[charts.PointOnCurve]:
    unit = "" if name == "sigma" else POINTS
    text = words.value_text if name == "sigma" else words.signed_text
    told = [(one.deals, getattr(one, name)) for one in went]
    return [
        charts.PointOnCurve(at, value, None, None, series, text(value, unit)) for at, value in told if value is not None
    ]


def _over_deals(title: str, question: str, unit: str, points: list[charts.PointOnCurve], note: str) -> Chart:
    has_series = len({point.series for point in points}) > 1
    columns = [Column("deals", True), *([Column("of")] if has_series else []), Column("value", True)]
    rows = [
        [
            count_cell(point.x),
            *([text_cell(point.series)] if has_series else []),
            number_cell(point.value, unit),
        ]
        for point in points
    ]
    axis = "deals played"
    texts = "; ".join(
        f"{point.x:,}{f', {point.series}' if point.series else ''}: {point.text}" for point in points[:40]
    )
    spec = charts.curve(points, unit, axis, from_zero=True)
    return Chart(title, question, spec, f"{title} over {axis}: {texts}.", Table(title, columns, rows), note)


def _tables(document: Tune) -> Iterator[Table]:
    if document.parameters:
        yield _changed_table(document)
    if document.pruned:
        rows = [[text_cell(row.name), count_cell(row.old), count_cell(row.found)] for row in document.pruned]
        columns = [Column("parameter"), Column("was, and is again", True), Column("found", True)]
        yield Table("Put back", columns, rows)
    if document.over_start:
        yield _fresh_table(document)
    if document.search.trajectory:
        yield _generations_table(document)


def _changed_table(document: Tune) -> Table:
    titles = ("was", "is", "worth, points a deal", "from", "to", "level", "p (Holm)", "n")
    rows = [
        [
            text_cell(row.name),
            count_cell(row.old),
            count_cell(row.new),
            *(number_cell(value, POINTS) for value in (row.difference, row.low, row.high)),
            number_cell(row.level, "share"),
            Cell(words.p_value_text(row.p_holm), row.p_holm),
            number_cell(row.n, ""),
        ]
        for row in document.parameters
    ]
    return Table("Parameters", [Column("parameter"), *(Column(title, True) for title in titles)], rows)


def _fresh_table(document: Tune) -> Table:
    told = [
        *((document.policy, row) for row in (document.over_start or {}).values()),
        *((against, row) for against, rows in document.over_opponents.items() for row in rows.values()),
    ]
    titles = ("difference", "from", "to", "std. error", "n")
    rows = [
        [
            text_cell(row.statistic),
            text_cell(against),
            *(number_cell(value, row.unit) for value in (row.difference, row.low, row.high)),
            number_cell(row.std_error, row.unit, 4),
            count_cell(row.n),
            text_cell(row.unit),
        ]
        for against, row in told
    ]
    columns = [Column("statistic"), Column("over"), *(Column(title, True) for title in titles), Column("unit")]
    return Table("On fresh deals", columns, rows)


def _generations_table(document: Tune) -> Table:
    rows = [
        [
            count_cell(one.generation),
            count_cell(one.deals),
            number_cell(one.mean, POINTS),
            number_cell(one.best, POINTS),
            text_cell(_values_text(one.best_values)),
            number_cell(one.sigma, "", 3),
            text_cell("yes" if one.replaced else "no"),
            text_cell(_values_text(one.incumbent)),
        ]
        for one in document.search.trajectory
    ]
    columns = [Column(title, True) for title in ("generation", "deals so far", "mean", "in front")]
    columns += [Column("its values"), Column("step size", True), Column("new best known"), Column("best known")]
    return Table("Generations", columns, rows)


def _values_text(values: dict[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())
