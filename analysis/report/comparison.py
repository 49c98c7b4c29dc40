"""The part of a report that tells a paired comparison (``carteador.compare/1``)."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.documents import Compare, Contestant
from analysis.report import charts, words
from analysis.report.common import (
    POINTS,
    count_cell,
    game_fact,
    histogram,
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
from analysis.report.model import Body, Chart, Column, Fact, Part, Section, Table, Tile
from analysis.wording import listed


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
    how = "under the rules of A and of B" if document.of == "rules" else "with A and with B in every place"
    body = Body(
        "comparison",
        f"{words.game_title(document.game)}: {a.label} against {b.label}",
        f"{words.counted(document.deals, 'deal')}, each played {how}; seed {document.seed}.",
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
        counts, divisor = document.histogram.whole()
        mean = next((one.difference for one in document.differences if one.statistic == "score"), None)
        made.append(
            histogram(
                "Difference in score, deal by deal",
                "By how much is A ahead of B in a single deal?",
                POINTS,
                {"": counts},
                deals=document.deals,
                confidence=document.confidence,
                mean=mean,
                note="Dashed: the mean difference.",
                is_wide=True,
                divisor=divisor,
            )
        )
    body.sections = [Section("A minus B", [chart for chart in made if chart])]
    return body


def _contestant_lines(game: str, one: Contestant) -> list[str]:
    lines = [policy_help(game, one.policy)] if one.policy else []
    lines += [f"{words.in_words(name)}: {words.option_value(value)}" for name, value in one.changed.items()]
    return lines or ["under the rules of the rule book"]


def _comparison_tiles(document: Compare) -> Iterator[Tile]:
    for one in document.differences:
        value = words.difference_text(one.difference, one.low, one.high, one.unit)
        detail = shown_words(one.low, one.high, one.unit)
        if one.variance_reduction is not None:
            detail += f"; as sure as {one.variance_reduction:,.1f} times as many independent deals"
        yield Tile(f"{words.sentence_case(words.statistic_words(one.statistic))}, A minus B", value, detail)
    test = document.sign_test
    if test is not None:
        told = test.better + test.worse
        share = test.better / told if told else None
        detail = f"of {told:,} deals that are not equal; sign test p {words.p_value_text(test.p_value)}"
        yield Tile("A does better in", words.value_text(share, "share"), detail)


def _difference_charts(document: Compare) -> Iterator[Chart | None]:
    for unit in dict.fromkeys(one.unit for one in document.differences):
        told = [one for one in document.differences if one.unit == unit and one.difference is not None]
        marks = [
            charts.Mark(
                words.statistic_words(one.statistic),
                one.difference or 0.0,
                one.low,
                one.high,
                words.signed_text(one.difference, unit),
            )
            for one in told
        ]
        if marks:
            title = f"{words.sentence_case(listed([mark.label for mark in marks]))}: A minus B"
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
