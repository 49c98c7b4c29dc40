"""The part of a report that tells what to play (``carteador.advice/1``)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from analysis.advice_words import decision_words, takers, where_words
from analysis.document_parts import Decision, OptionRow
from analysis.documents import Advice, Row
from analysis.report import charts, words
from analysis.report.common import (
    POINTS,
    count_cell,
    game_fact,
    has_long_labels,
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
from analysis.tables import NOTHING
from analysis.wording import SHARE

MOST_CHARTED = 24
"""Options in a chart, the best of all."""


def advice_body(part: Part, document: Advice) -> Body:
    """Everything a report says of the options of a turn."""
    where = where_words({"deal": document.deal, "match": document.match, "turn": document.turn}, document.seed)
    worlds = words.counted(document.rollouts, "world")
    facts = [
        game_fact(document.game),
        Fact("Position", [where]),
        Fact("Played out in", [f"{worlds}: all that the seat cannot see is dealt by lot, as far as it fits"]),
        Fact("Played on by", [policy_help(document.game, document.search)]),
        interval_fact(document.confidence),
    ]
    if document.turn is not None and document.policies:
        until = [policy_help(document.game, text) for text in dict.fromkeys(document.policies)]
        facts.insert(2, Fact("Played until then by", until))
    body = Body(
        "advice",
        f"{words.game_title(document.game)}: what to play, {where}",
        f"Every option played out in the same {worlds}.",
        facts,
        rules=rules_facts(document.game, document.options),
        all_rules=rules_table(document.game, document.options),
        tiles=[tile for decision in document.decisions for tile in _tiles(document, decision)],
        findings=document.sentences,
        replays=part.replays,
        tables=[_full_table(document, decision) for decision in document.decisions],
        provenance=provenance(document, part.name),
        command=document.command or part.command,
        notes=[*part.notes, *_unfinished(document)],
        about="What was asked",
    )
    body.sections = [_section(document, decision) for decision in document.decisions]
    return body


def _unfinished(document: Advice) -> Iterator[str]:
    played = min((decision.worlds for decision in document.decisions), default=0)
    if played < document.rollouts:
        yield f"It was stopped early: {words.counted(played, 'world')} of {document.rollouts:,} are told here."


def _title(document: Advice, decision: Decision) -> str:
    """Who decides what; numbered where a turn has the same question several times."""
    title = decision_words({"seat": decision.seat, "question": decision.question})
    same = [one for one in document.decisions if (one.seat, one.question) == (decision.seat, decision.question)]
    number = next(number for number, one in enumerate(same, 1) if one is decision)
    return f"{title}, {number}" if len(same) > 1 else title


def _tiles(document: Advice, decision: Decision) -> Iterator[Tile]:
    best, *others = decision.rows
    share = words.value_text(best.best_rate, SHARE, 1)
    detail = f"expected margin {_margin_text(best)} points; none ended better in {share} of worlds"
    yield Tile(_title(document, decision), best.words, detail)
    if others:
        yield Tile("Ahead of the next by", _behind_text(others[0]), f"points; the next is {others[0].words}")


def _section(document: Advice, decision: Decision) -> Section:
    made = [
        _margin_chart(document, decision),
        *([_behind_chart(document, decision)] if len(decision.rows) > 1 else []),
        _shares_chart(document, decision),
    ]
    facts = [Fact(words.sentence_case(line.what), [line.text]) for line in decision.seen]
    title = _title(document, decision)
    return Section(title, made, facts=facts, tables=[_short_table(title, decision)])


def _labels(decision: Decision) -> list[tuple[str, OptionRow]]:
    """The options of a chart; their rank tells apart those that are called the same."""
    return [(f"{row.rank}. {row.words}", row) for row in decision.rows[:MOST_CHARTED]]


def _left_out(decision: Decision) -> str:
    count = len(decision.rows)
    return f" The best {MOST_CHARTED} of {count:,}." if count > MOST_CHARTED else ""


def _margin_chart(document: Advice, decision: Decision) -> Chart:
    marks = [
        charts.Mark(label, row.margin, row.margin_low, row.margin_high, _margin_text(row))
        for label, row in _labels(decision)
    ]
    return _points_chart(
        "Expected margin",
        "What does the own side score more than the others, if this is done?",
        marks,
        f"The line is the {words.percent_level(document.confidence)} interval of the mean over worlds; all options "
        f"face the same ones, so their differences are known better. Dashed: even.{_left_out(decision)}",
    )


def _behind_chart(document: Advice, decision: Decision) -> Chart:
    marks = [
        charts.Mark(label, row.behind, row.behind_low, row.behind_high, _behind_text(row))
        for label, row in _labels(decision)
    ]
    return _points_chart(
        "Behind the best",
        "How much is lost against the first option, in the same worlds?",
        marks,
        f"The line is the {words.percent_level(document.confidence)} interval of the mean difference. Where it holds "
        f"0, dashed, the two may be equal.{_left_out(decision)}",
    )


def _points_chart(title: str, question: str, marks: list[charts.Mark], note: str) -> Chart:
    """Points of each option, with their intervals, beside 0."""
    return Chart(
        title,
        question,
        charts.dots(marks, POINTS, reference=0.0),
        marks_summary(title, marks),
        mark_table(title, marks, POINTS, "option"),
        note,
        is_wide=has_long_labels(marks),
    )


def _shares_chart(document: Advice, decision: Decision) -> Chart:
    marks = [
        charts.Mark(label, share, low, high, words.value_text(share, SHARE, 1), series)
        for label, row in _labels(decision)
        for series, share, low, high in (
            ("none ends better", row.best_rate, row.best_rate_low, row.best_rate_high),
            ("ends ahead", row.win_rate, row.win_rate_low, row.win_rate_high),
        )
    ]
    title = "Shares of worlds"
    return Chart(
        title,
        "How often is it the best there is, and how often does the own side end ahead?",
        charts.dots(marks, SHARE, whole_range=True),
        marks_summary(title, marks),
        mark_table(title, marks, SHARE, "option"),
        f"The lines are {words.percent_level(document.confidence)} intervals. Several options may be best in one "
        f"world.{_left_out(decision)}",
        is_wide=has_long_labels(marks),
    )


def _margin_text(row: OptionRow) -> str:
    return words.difference_text(row.margin, row.margin_low, row.margin_high, POINTS)


def _behind_text(row: OptionRow) -> str:
    """What an option is behind; nothing of the best itself."""
    if row.rank == 1:
        return NOTHING
    told = Row(statistic="behind", unit=POINTS, estimate=row.behind, low=row.behind_low, high=row.behind_high)
    return words.row_text(told)


def _short_table(title: str, decision: Decision) -> Table:
    rows = [
        [
            text_cell(row.words),
            Cell(_margin_text(row), row.margin),
            Cell(_behind_text(row), row.behind),
            Cell(words.difference_text(row.score, row.score_low, row.score_high, POINTS), row.score),
            number_cell(row.win_rate, SHARE, 1),
            number_cell(row.best_rate, SHARE, 1),
            text_cell(", ".join(takers(msgspec.to_builtins(row)))),
        ]
        for row in decision.rows
    ]
    columns = [Column(name, True) for name in ("margin", "behind", "score", "wins", "best in")]
    return Table(f"Options, {title}", [Column("option"), *columns, Column("taken by")], rows)


def _full_table(document: Advice, decision: Decision) -> Table:
    points = ("margin", "score", "behind")
    shares = ("win_rate", "best_rate")
    rows = [
        [
            text_cell(row.words),
            count_cell(row.rank),
            *(
                number_cell(getattr(row, f"{name}{end}"), SHARE if name in shares else POINTS)
                for name in (*points, *shares)
                for end in ("", "_low", "_high")
            ),
            text_cell(", ".join(takers(msgspec.to_builtins(row)))),
            count_cell(decision.worlds),
        ]
        for row in decision.rows
    ]
    titles = [name for head in ("margin", "score", "behind", "wins", "best in") for name in (head, "from", "to")]
    columns = [Column("option"), Column("rank", True), *(Column(name, True) for name in titles)]
    columns += [Column("taken by"), Column("worlds", True)]
    return Table(_title(document, decision), columns, rows, is_searched=True)
