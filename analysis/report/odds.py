"""The part of a report that tells what a hand is worth (``carteador.odds/1``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.documents import Odds, OddsRow
from analysis.report import charts, words
from analysis.report.common import (
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
    text_cell,
)
from analysis.report.model import Body, Chart, Column, Fact, Part, Section, Table, Tile
from analysis.wording import SHARE

LEADING = ("win_rate", "score", "margin")
MOST_CHARTED = 24
"""Statistics in a chart; those that the hand moves most, by the width of their intervals."""


def odds_body(part: Part, document: Odds) -> Body:
    """Everything a report says of a hand."""
    hand = " ".join(document.hand)
    facts = [
        game_fact(document.game),
        Fact("Hand", [hand, f"at seat {document.seat}"]),
        Fact("Played", [f"{words.counted(document.deals, 'deal')} with it, and the same deals without"]),
        Fact("Seed", [str(document.seed)]),
        Fact("Policies", [policy_help(document.game, text) for text in dict.fromkeys(document.policies)]),
        interval_fact(document.confidence),
    ]
    if document.top_card:
        facts.insert(2, Fact("Open before the first turn", [" ".join(document.top_card)]))
    body = Body(
        "odds",
        f"{words.game_title(document.game)}: what {words.shortened(hand, 44)} is worth",
        f"{words.counted(document.deals, 'deal')} in which seat {document.seat} holds these cards; all others are "
        f"dealt at random; seed {document.seed}.",
        facts,
        rules=rules_facts(document.game, document.options),
        all_rules=rules_table(document.game, document.options),
        tiles=list(_tiles(document)),
        findings=document.sentences,
        replays=part.replays,
        tables=[_table(document)],
        provenance=provenance(document, part.name),
        command=document.command or part.command,
        notes=part.notes,
    )
    body.sections = [Section("This hand against an average one", list(_charts(document)))]
    return body


def _tiles(document: Odds) -> Iterator[Tile]:
    by_name = {row.statistic: row for row in document.rows}
    for name in LEADING:
        row = by_name.get(name)
        if row is None or row.estimate is None:
            continue
        against = words.difference_text(row.difference, row.difference_low, row.difference_high, row.unit)
        title = words.sentence_case(words.statistic_words(name))
        detail = f"{words.interval_text(row.low, row.high, row.unit)}; {against} against an average hand"
        yield Tile(f"{title} with this hand", words.value_text(row.estimate, row.unit), detail)


def _charts(document: Odds) -> Iterator[Chart]:
    """Differences in shares, which have one scale, and a chart a section of those told in a unit of their own."""
    shares = [row for row in document.rows if row.unit == SHARE and row.difference is not None]
    yield from _chart("What becomes likelier, and what less likely", _most_moved(shares), SHARE, document)
    for unit in dict.fromkeys(row.unit for row in document.rows if row.unit != SHARE):
        told = [row for row in document.rows if row.unit == unit and row.difference is not None]
        yield from _chart(f"The difference in {unit}", _most_moved(told), unit, document)


def _most_moved(rows: Sequence[OddsRow]) -> list[OddsRow]:
    """The rows that the hand moves most for how sure it is, in the order of the catalogue."""

    def clear(row: OddsRow) -> float:
        if row.difference is None or row.difference_low is None or row.difference_high is None:
            return 0.0
        half = (row.difference_high - row.difference_low) / 2
        return abs(row.difference) / half if half else 0.0

    kept = sorted(rows, key=lambda row: -clear(row))[:MOST_CHARTED]
    return [row for row in rows if row in kept]


def _chart(title: str, rows: Sequence[OddsRow], unit: str, document: Odds) -> Iterator[Chart]:
    if not rows:
        return
    marks = [
        charts.Mark(
            words.statistic_words(row.statistic),
            row.difference or 0.0,
            row.difference_low,
            row.difference_high,
            words.signed_text(row.difference, unit),
        )
        for row in rows
    ]
    yield Chart(
        title,
        "With this hand, less with an average one:",
        charts.dots(marks, unit, reference=0.0),
        marks_summary(title, marks),
        mark_table(title, marks, unit, "statistic"),
        f"The line is the {words.percent_level(document.confidence)} interval of the paired difference. "
        "Dashed: no difference.",
    )


def _table(document: Odds) -> Table:
    titles = ("with this hand", "from", "to", "average", "difference", "from ", "to ", "n")
    rows = [
        [
            text_cell(row.statistic),
            *(
                number_cell(value, row.unit)
                for value in (
                    row.estimate,
                    row.low,
                    row.high,
                    row.average,
                    row.difference,
                    row.difference_low,
                    row.difference_high,
                )
            ),
            count_cell(row.n),
            text_cell(row.unit),
            text_cell(row.question),
        ]
        for row in document.rows
    ]
    columns = [Column("statistic"), *(Column(title, True) for title in titles), Column("unit"), Column("question")]
    return Table("All statistics of the seat", columns, rows, is_searched=True)
