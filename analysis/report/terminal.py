"""Documents of every schema as tables and small charts in the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from analysis import documents, strategy_tables, tables, tuning_words
from analysis.advice import advice_table
from analysis.advice_words import decision_words, where_words
from analysis.charts_text import Interval, curve_lines, has_blocks, histogram_lines, interval_lines
from analysis.document_parts import ChangedParameter
from analysis.documents import Advice, Compare, Document, Odds, Pair, Point, Row, Summary, Sweep, Tournament, Tune
from analysis.report import words
from analysis.report.families import sections, told_in
from analysis.tables import NOTHING
from analysis.wording import listed

if TYPE_CHECKING:
    from rich.console import Console

LEAST_VALUES = 3
"""A histogram of fewer values says no more than their shares."""

LONGEST_LABEL = 28
MOST_LINES = 12
"""Lines of a chart of intervals."""

MOST_GENERATIONS = 30
"""Columns of the chart of a search."""


def print_document(document: Document, console: Console, name: str = "", notes: Sequence[str] = ()) -> None:
    """Print what a document says: what was simulated, tables, and charts that fit the terminal.

    Parameters
    ----------
    document
        Of any schema of `analysis.documents`.
    console
        A rich console.
    name
        Where the document comes from, named in the heading.
    notes
        What must be known of it, printed below the heading.
    """
    _print_lines(console, [*_heading(document, name), *notes, ""])
    if isinstance(document, Summary):
        _print_summary(document, console)
    elif isinstance(document, (Compare, Tournament, Sweep, Tune, Odds, Advice)):
        _print_strategy(document, console)
    command = document.command
    if command:
        _print_lines(console, ["", "To repeat it:"])
        # In one line, however long, so that it can be copied.
        console.print(command, highlight=False, markup=False, soft_wrap=True)


def print_run_charts(document: Mapping[str, Any] | Summary, console: Console) -> None:
    """Print the charts of a run that say more than a number: its scores, and its first curve over turns.

    Parameters
    ----------
    document
        As `analysis.summary.summary_document` returns it.
    console
        A rich console; one that is too narrow for a chart gets none.
    """
    read = documents.read(document)
    if isinstance(read, Summary):
        lines = list(_run_charts(read, console.width, has_blocks(console.encoding)))
        if lines:
            _print_lines(console, ["", *lines])


def _run_charts(document: Summary, width: int, blocks: bool) -> Iterator[str]:
    units = {row.statistic: row.unit for row in document.statistics}
    scored = "match_score" if document.matches is not None else "score"
    counts = document.histograms.get(scored, {}).get("all")
    if counts is not None and len(counts.values) >= LEAST_VALUES:
        unit = units.get(scored, "")
        yield from histogram_lines(counts, width, title=words.in_words(scored), unit=unit, blocks=blocks)
    for group in sections(document):
        for family in group.families:
            if not family.is_curve or family.name != family.head:
                continue
            known = ((family.at(member), member.all) for member in family.members)
            points = {float(at): row.estimate or 0.0 for at, row in known if at is not None and row is not None}
            title = words.in_words(family.head)
            yield from curve_lines(points, width, title=title, x_title="own turns", blocks=blocks)
            return


def _heading(document: Document, name: str) -> Iterator[str]:
    title = words.game_title(document.game)
    what = words.counted(document.deals, "deal")
    if isinstance(document, Summary):
        if document.matches is not None:
            what = f"{words.counted(document.matches, 'match', 'matches')}, {what}"
        start = f" from number {document.first:,}" if document.first else ""
        yield f"{title}: {what}{start}, seed {document.seed}" + (f" ({name})" if name else "")
        if len(set(document.policies)) == 1:
            yield f"Policy at all {len(document.policies)} seats: {document.policies[0]}"
        else:
            yield "Policies: " + ", ".join(f"seat {seat} {text}" for seat, text in enumerate(document.policies))
        yield from _rules_line(document.game, document.options)
        for one in document.until:
            yield f"Stopped by precision: {words.reached_text(one)}"
    elif isinstance(document, Compare):
        yield f"{title}: {document.a.label} (A) against {document.b.label} (B), {what}, seed {document.seed}"
    elif isinstance(document, Tournament):
        policies = words.counted(len(document.policies), "policy", "policies")
        yield f"{title}: tournament of {policies}, {what} a pair, seed {document.seed}"
        yield from _rules_line(document.game, document.options)
    elif isinstance(document, Sweep):
        axes = listed([words.in_words(axis.name) for axis in document.axes])
        yield f"{title}: {axes} varied, {what} a point, seed {document.seed}"
    elif isinstance(document, Odds):
        yield f"{title}: seat {document.seat} holds {' '.join(document.hand)}, {what}, seed {document.seed}"
        if document.top_card:
            yield f"Open: {' '.join(document.top_card)}"
        yield from _rules_line(document.game, document.options)
    elif isinstance(document, Tune):
        yield tuning_words.heading(title, document.policy, document.against, document.seed)
        yield from _rules_line(document.game, document.options)
    elif isinstance(document, Advice):
        where = {"deal": document.deal, "match": document.match, "turn": document.turn}
        yield f"{title} · {where_words(where, document.seed)}"
        yield from _rules_line(document.game, document.options)
        yield f"Played on by {document.search}"
    yield f"Intervals: {document.confidence:.12g} confidence"


def _rules_line(game: str, options: Mapping[str, Any]) -> Iterator[str]:
    changed = [f"{name} = {words.option_typed(value)}" for name, value, _ in words.changed_rules(game, options)]
    yield f"House rules: {', '.join(changed) or 'as in the rule book'}"


def _print_summary(document: Summary, console: Console) -> None:
    plain = {
        "game": document.game,
        "confidence": document.confidence,
        "statistics": [
            {
                "statistic": row.statistic,
                "group": row.group,
                "unit": row.unit,
                "n": row.n,
                "estimate": row.estimate,
                "low": row.low,
                "high": row.high,
            }
            for row in document.statistics
        ],
    }
    tables.print_table(plain, console)
    print_run_charts(document, console)


def _print_strategy(document: Compare | Tournament | Sweep | Tune | Odds | Advice, console: Console) -> None:
    """Print what an analysis says: sentences, tables, charts."""
    plain: dict[str, Any] = msgspec.to_builtins(document)
    if isinstance(document, Advice):
        print_advice({**plain, "sentence": document.sentences}, console)
        return
    if isinstance(document, Tune):
        print_tune({**plain, "sentence": document.sentences}, console)
        print_strategy_charts(document, console)
        return
    _print_lines(console, [*document.sentences, ""])
    if isinstance(document, Compare):
        console.print(strategy_tables.comparison_table(plain))
    elif isinstance(document, Odds):
        console.print(strategy_tables.odds_table(plain))
    else:
        tables_of = strategy_tables.sweep_tables if isinstance(document, Sweep) else strategy_tables.tournament_tables
        for table in tables_of(plain):
            console.print(table)
    print_strategy_charts(document, console)


def print_tune(document: Mapping[str, Any], console: Console) -> None:
    """Print what a search found: sentences, what each parameter is worth, and what to use.

    Parameters
    ----------
    document
        As the command writes it.
    console
        A rich console.
    """
    _print_lines(console, document["sentence"])
    if document["parameters"]:
        _print_lines(console, [""])
        console.print(strategy_tables.tune_table(document))
    _print_lines(console, [""])
    # Not broken into lines: to be copied.
    use = f"Use:   --policy {shlex.quote(document['tuned'])}"
    for line in (use, *(f"Check: {check}" for check in document["checks"])):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def print_advice(document: Mapping[str, Any], console: Console) -> None:
    """Print what to play: sentences, and for each decision what the seat knows and what its options are worth.

    Parameters
    ----------
    document
        As the command writes it.
    console
        A rich console.
    """
    _print_lines(console, document["sentence"])
    for number, decision in enumerate(document["decisions"]):
        _print_lines(console, [*([""] if number or document["sentence"] else []), decision_words(decision)])
        width = max((len(line["what"]) for line in decision["seen"]), default=0)
        _print_lines(console, [*(f"  {line['what']:<{width}}  {line['text']}" for line in decision["seen"]), ""])
        console.print(advice_table(decision))
        drawn = _options_chart(decision, console.width, has_blocks(console.encoding))
        _print_lines(console, ["", *drawn] if drawn else [])


def print_strategy_charts(document: Mapping[str, Any] | Document, console: Console) -> None:
    """Print the charts of an analysis that say more than its numbers.

    A comparison's differences deal by deal; a tournament's pairs, a sweep's points, or what parameters are worth, with
    intervals on one axis; how a search went.

    Parameters
    ----------
    document
        As the commands write it, or read by `analysis.documents`.
    console
        A rich console; one that is too narrow for a chart gets none.
    """
    lines = _strategy_charts(documents.read(document), console.width, has_blocks(console.encoding))
    if lines:
        _print_lines(console, ["", *lines])


def _strategy_charts(document: Document, width: int, blocks: bool) -> list[str]:
    title, lines = "", []
    if isinstance(document, Compare):
        if document.histogram is not None and len(document.histogram.values) >= LEAST_VALUES:
            counts, divisor = document.histogram.whole()
            title = f"{document.a.label} minus {document.b.label}, deal by deal"
            return histogram_lines(counts, width, title=title, unit="points", blocks=blocks, divisor=divisor)
    elif isinstance(document, Tournament) and 1 < len(document.pairs) <= MOST_LINES:
        title = "Points a deal, the first against the second"
        lines = interval_lines([_pair_mark(pair) for pair in document.pairs], width, blocks=blocks, zero=True)
    elif isinstance(document, Sweep) and 1 < len(document.points) <= MOST_LINES:
        statistic, group = _charted(document)
        title = statistic if group == "all" else f"{statistic}, {words.group_words(group)}"
        marks = [_point_mark(point, statistic, group) for point in document.points]
        lines = interval_lines(marks, width, blocks=blocks)
    elif isinstance(document, Tune):
        return _search_charts(document, width, blocks)
    return [title, *lines] if lines else []


def _search_charts(document: Tune, width: int, blocks: bool) -> list[str]:
    """What each parameter is worth, and the mean of each generation."""
    lines: list[str] = []
    known = [row for row in document.parameters if row.difference is not None]
    if 1 < len(known) <= MOST_LINES:
        marks = [_worth_mark(row) for row in known]
        drawn = interval_lines(marks, width, blocks=blocks, zero=True)
        lines = ["Worth, points a deal", *drawn] if drawn else []
    means = {float(one.generation): one.mean for one in document.search.trajectory if one.mean is not None}
    step = len(means) // MOST_GENERATIONS + 1
    # The last one is always there.
    shown = {at: means[at] for at in list(means)[::-1][::step][::-1]}
    span = (min([0.0, *shown.values()]), max([0.0, *shown.values()]))
    digits = 0 if span[1] - span[0] >= 100 else 1
    curve = curve_lines(
        shown,
        width,
        title=f"mean of the candidates, points a deal over {words.shortened(listed(document.against), LONGEST_LABEL)}",
        x_title="generation",
        blocks=blocks,
        span=span,
        told=lambda value: f"{value:+,.{digits}f}" if value else "0",
    )
    return [*lines, *([""] if lines and curve else []), *curve]


def _worth_mark(row: ChangedParameter) -> Interval:
    label = words.shortened(f"{row.name} {row.old} to {row.new}", LONGEST_LABEL)
    return Interval(
        label, row.difference, row.low, row.high, words.difference_text(row.difference, row.low, row.high, "points")
    )


def _options_chart(decision: Mapping[str, Any], width: int, blocks: bool) -> list[str]:
    """By how much the first options of a decision are behind the best."""
    rows = decision["rows"][:MOST_LINES]
    lines = interval_lines([_option_mark(row) for row in rows], width, blocks=blocks, zero=True)
    return ["Points behind the best option", *lines] if lines and len(rows) > 1 else []


def _option_mark(row: Mapping[str, Any]) -> Interval:
    label = words.shortened(row["words"], LONGEST_LABEL)
    value, low, high = row["behind"], row["behind_low"], row["behind_high"]
    told = Row(statistic="behind", unit="points", estimate=value, low=low, high=high)
    return Interval(label, value, low, high, words.row_text(told) if row["rank"] > 1 else NOTHING)


def _pair_mark(pair: Pair) -> Interval:
    label = words.shortened(f"{pair.a} - {pair.b}", LONGEST_LABEL)
    text = words.difference_text(pair.difference, pair.low, pair.high, "points")
    return Interval(label, pair.difference, pair.low, pair.high, text)


def _charted(document: Sweep) -> tuple[str, str]:
    """The statistic that is sought, else the first."""
    told = told_in(document)
    if document.best is not None:
        name, _, group = document.best.statistic.partition("@")
        if (name, group or "all") in told:
            return name, group or "all"
    return told[0] if told else ("", "all")


def _point_mark(point: Point, statistic: str, group: str) -> Interval:
    label = ", ".join(f"{name} {words.option_typed(value)}" for name, value in point.values.items())
    empty = Row(statistic=statistic)
    row = next((row for row in point.rows if (row.statistic, row.group) == (statistic, group)), empty)
    return Interval(words.shortened(label, LONGEST_LABEL), row.estimate, row.low, row.high, words.row_text(row))


def _print_lines(console: Console, lines: Sequence[str]) -> None:
    for line in lines:
        console.print(line, highlight=False, markup=False)
