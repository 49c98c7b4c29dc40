"""The part of a report that tells a tournament (``carteador.tournament/1``)."""

from __future__ import annotations

from typing import Any

from analysis.documents import Tournament
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

MOST_NARROW = 4
"""Policies whose square of differences fits half a page."""


def tournament_body(part: Part, document: Tournament) -> Body:
    """Everything a report says of a tournament."""
    facts = [
        game_fact(document.game),
        Fact("Played", [f"{words.counted(document.deals, 'deal')} for each pair"]),
        Fact("Seed", [str(document.seed)]),
        Fact("Policies", [policy_help(document.game, text) for text in document.policies]),
        interval_fact(document.confidence),
    ]
    entrants = words.counted(len(document.policies), "policy", "policies")
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
        f"{words.game_title(document.game)}: tournament of {entrants}",
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
    ranking = [_strength_chart(document)]
    tables = [_ranking_table(document)] if document.ranking else []
    body.sections = [
        Section("Ranking", [chart for chart in ranking if chart], tables=tables),
        Section("Pairs", [chart for chart in (_pair_matrix(document), _pair_chart(document)) if chart]),
    ]
    if document.mixed and document.mixed.rows:
        body.sections.append(_mixed_section(document))
    body.tables = [_pairs_table(document)]
    return body


def _strength_chart(document: Tournament) -> Chart | None:
    marks = [
        charts.Mark(
            row.policy, row.strength, row.strength_low, row.strength_high, words.value_text(row.strength, "", 2)
        )
        for row in sorted(document.ranking, key=lambda row: row.rank)
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


def _ranking_table(document: Tournament) -> Table:
    rows = [
        [
            count_cell(row.rank),
            text_cell(row.policy),
            number_cell(row.strength, "", 3),
            Cell(words.interval_text(row.strength_low, row.strength_high, ""), row.strength_low),
            count_cell(row.wins),
            count_cell(row.losses),
        ]
        for row in sorted(document.ranking, key=lambda row: row.rank)
    ]
    columns = [Column("rank", True), Column("policy")]
    columns += [Column(title, True) for title in ("strength", "interval", "won", "lost")]
    return Table("Ranking", columns, rows)


def _pair_matrix(document: Tournament) -> Chart | None:
    cells: list[dict[str, Any]] = []
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
            number_cell(pair.win_rate_a, "share"),
            number_cell(pair.win_rate_b, "share"),
            count_cell(pair.better),
            count_cell(pair.worse),
            count_cell(pair.equal),
            Cell(words.p_value_text(pair.sign_test_p_value), pair.sign_test_p_value),
            Cell(words.p_value_text(pair.p_value), pair.p_value),
            Cell(words.p_value_text(pair.p_holm), pair.p_holm),
            count_cell(pair.n),
        ]
        for pair in document.pairs
    ]
    titles = (
        "difference",
        "from",
        "to",
        "A wins",
        "B wins",
        "A better",
        "B better",
        "equal",
        "sign test p",
        "p",
        "p after Holm",
        "n",
    )
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
        charts.Mark(
            row.policy, row.win_rate, row.win_rate_low, row.win_rate_high, words.value_text(row.win_rate, "share", 1)
        )
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
