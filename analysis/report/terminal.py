"""Documents of every schema as tables and small charts in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis import documents, tables
from analysis.charts_text import Interval, curve_lines, has_blocks, histogram_lines, interval_lines
from analysis.documents import Compare, Document, Row, Summary, Sweep, Tournament
from analysis.report import words
from analysis.report.families import sections

if TYPE_CHECKING:
    from rich.console import Console

LEAST_VALUES = 3
"""A histogram of fewer values says no more than their shares."""

LONGEST_LABEL = 28


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
    elif isinstance(document, Compare):
        _print_comparison(document, console)
    elif isinstance(document, Tournament):
        _print_tournament(document, console)
    elif isinstance(document, Sweep):
        _print_sweep(document, console)
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
    elif isinstance(document, Compare):
        yield f"{title}: {document.a.label} (A) against {document.b.label} (B), {what}, seed {document.seed}"
    elif isinstance(document, Tournament):
        policies = words.counted(len(document.policies), "policy", "policies")
        yield f"{title}: tournament of {policies}, {what} a pair, seed {document.seed}"
        yield from _rules_line(document.game, document.options)
    elif isinstance(document, Sweep):
        axes = words.listed([words.in_words(axis.name) for axis in document.axes])
        yield f"{title}: {axes} varied, {what} a point, seed {document.seed}"
    yield f"Intervals: {document.confidence:.6g} confidence"


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


def _print_comparison(document: Compare, console: Console) -> None:
    _print_lines(console, document.sentences)
    rows = [
        [
            one.statistic,
            words.value_text(one.a, one.unit),
            words.value_text(one.b, one.unit),
            words.difference_text(one.difference, one.low, one.high, one.unit),
            "" if one.variance_reduction is None else f"{one.variance_reduction:,.1f}",
        ]
        for one in document.differences
    ]
    _print_table(console, ["statistic", "A", "B", "A - B", "variance reduction"], rows)
    test = document.sign_test
    if test is not None:
        _print_lines(
            console,
            [
                "",
                f"A is ahead in {test.better:,} deals, B in {test.worse:,}, equal {test.equal:,}: "
                f"sign test p {words.p_value_text(test.p_value)}",
            ],
        )
    if document.histogram is not None:
        blocks = has_blocks(console.encoding)
        lines = histogram_lines(
            document.histogram, console.width, title="A - B, deal by deal", unit="points", blocks=blocks
        )
        _print_lines(console, ["", *lines] if lines else [])


def _print_tournament(document: Tournament, console: Console) -> None:
    _print_lines(console, document.sentences)
    ranked = sorted(document.ranking, key=lambda row: row.rank)
    if ranked:
        rows = [
            [
                str(row.rank),
                row.policy,
                words.value_text(row.strength, "", 2),
                words.interval_text(row.strength_low, row.strength_high, ""),
                words.value_text(row.score, "points"),
                words.value_text(row.win_rate, "share", 2),
            ]
            for row in ranked
        ]
        _print_table(console, ["", "policy", "strength", "interval", "score", "win rate"], rows, texts=2)
    pairs = [
        Interval(
            words.shortened(f"{pair.a} - {pair.b}", LONGEST_LABEL),
            pair.difference,
            pair.low,
            pair.high,
            f"{words.difference_text(pair.difference, pair.low, pair.high, 'points')}"
            + ("" if pair.p_holm is None else f"  p {words.p_value_text(pair.p_holm)}"),
        )
        for pair in document.pairs
    ]
    if pairs:
        lines = interval_lines(pairs, console.width, blocks=has_blocks(console.encoding), zero=True)
        _print_lines(console, ["", "Points a deal, the first against the second; p after Holm's correction", *lines])


def _print_sweep(document: Sweep, console: Console) -> None:
    _print_lines(console, document.sentences)
    asked = list(dict.fromkeys((row.statistic, row.group) for point in document.points for row in point.rows))
    for statistic, group in asked:
        marks = []
        for point in document.points:
            row = next((row for row in point.rows if (row.statistic, row.group) == (statistic, group)), None)
            if row is not None:
                marks.append(_point_mark(point.values, row))
        title = statistic if group == "all" else f"{statistic}, {words.group_words(group)}"
        lines = interval_lines(marks, console.width, blocks=has_blocks(console.encoding))
        _print_lines(console, ["", title, *lines])
    best = document.best
    if best is not None:
        values = ", ".join(f"{name} = {words.option_typed(value)}" for name, value in best.values.items())
        lines = ["", f"The {best.direction} {best.statistic}: {values}"]
        if best.fresh is not None:
            unit = next((r.unit for p in document.points for r in p.rows if r.statistic == best.statistic), "")
            row = Row(
                statistic=best.statistic,
                unit=unit,
                estimate=best.fresh.estimate,
                low=best.fresh.low,
                high=best.fresh.high,
            )
            lines.append(f"On {words.counted(best.fresh.deals, 'fresh deal')} it is {words.row_text(row)}")
        _print_lines(console, lines)


def _point_mark(values: Mapping[str, Any], row: Row) -> Interval:
    label = ", ".join(f"{name} {words.option_typed(value)}" for name, value in values.items())
    return Interval(words.shortened(label, LONGEST_LABEL), row.estimate, row.low, row.high, words.row_text(row))


def _print_table(console: Console, titles: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> None:
    """Print a table whose first columns are texts and whose others are numbers."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for index, title in enumerate(titles):
        justify: Any = "left" if index < texts else "right"
        table.add_column(title, justify=justify, style="cyan" if index == texts - 1 else "", overflow="fold")
    for cells in rows:
        table.add_row(*(Text(_shown(cell, console)) for cell in cells))
    console.print()
    console.print(table)


def _print_lines(console: Console, lines: Sequence[str]) -> None:
    for line in lines:
        console.print(line, highlight=False, markup=False)


def _shown(text: str, console: Console) -> str:
    """Text with the signs that the stream has."""
    return console.render_str(text.replace(words.MINUS, "-"), markup=False, highlight=False).plain
