"""What the parts of a report share, whatever they tell of: facts, cells, histograms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.binning import bins_of
from analysis.documents import Counts, Document
from analysis.proportion import wilson
from analysis.report import charts, words
from analysis.report.model import Cell, Chart, Column, Fact, Table
from kernels import registry

POINTS = "points"
MOST_BINS = 40
MOST_TICKS = 14
LONG_LABEL = 24
CURSE = "the best of many looks better than it is"


def number_cell(value: float | None, unit: str, digits: int | None = None) -> Cell:
    """Cell of a value in its unit."""
    return Cell(words.value_text(value, unit, digits), value)


def text_cell(text: str) -> Cell:
    """Cell of a text."""
    return Cell(text, text)


def count_cell(count: int) -> Cell:
    """Cell of a whole number."""
    return Cell(f"{count:,}", count)


def game_fact(game: str) -> Fact:
    """Which game, and what it is."""
    spec = words.known_game(game)
    return Fact("Game", [f"{spec.title}: {spec.summary}" if spec else words.in_words(game)])


def shown_words(low: float | None, high: float | None, unit: str) -> str:
    """Return the interval of a difference, and whether it shows one."""
    if low is None or high is None:
        return "no interval"
    verdict = "a difference is shown" if low > 0 or high < 0 else "no difference is shown"
    return f"{words.interval_text(low, high, unit).replace('%', 'pp')}; {verdict}"


def interval_fact(confidence: float) -> Fact:
    """How sure the intervals are."""
    return Fact("Intervals", [f"{words.percent_level(confidence)} confidence"])


def policy_help(game: str, text: str) -> str:
    """Return a policy's text and how it plays."""
    name = text.partition(":")[0]
    if game in registry.GAMES:
        for policy in registry.spec(game).all_policies:
            if policy.name == name:
                return f"{text} ({policy.help[:1].lower()}{policy.help[1:].rstrip('.')})"
    return text


def rules_facts(game: str, options: Mapping[str, Any]) -> list[Fact]:
    """House rules that differ from the rule book, each with what it changes."""
    facts = []
    for name, value, option in words.changed_rules(game, options):
        lines = [option.help] if option else []
        if option:
            default = words.option_value(words.plain(option.default))
            lines.append(f"{option.article}; the rule book has {default}")
        facts.append(Fact(f"{words.in_words(name)}: {words.option_value(value)}", lines))
    return facts


def rules_table(game: str, options: Mapping[str, Any]) -> Table | None:
    """All house rules with their values; None if there is none."""
    spec = words.known_game(game)
    known = {option.name: option for option in spec.options} if spec else {}
    rows = []
    for name, value in options.items():
        option = known.get(name)
        default = words.option_value(words.plain(option.default)) if option else ""
        rows.append(
            [
                text_cell(words.in_words(name)),
                text_cell(words.option_value(value)),
                text_cell(default),
                text_cell(option.article if option else ""),
                text_cell(option.help if option else ""),
            ]
        )
    titles = ("rule", "here", "in the rule book", "article", "what it changes")
    return Table("All house rules", [Column(title) for title in titles], rows) if rows else None


def provenance(document: Document, name: str) -> list[Fact]:
    """Where a document comes from and what made it."""
    facts = [Fact("Read from", [name])] if name else []
    facts.append(Fact("Schema", [document.schema]))
    facts += [Fact(term, [text]) for term, text in words.provenance_items(document.provenance)]
    return facts


def wilson_row(share: float, rows: float, confidence: float) -> tuple[float, float]:
    """Wilson's interval, from 0 to 1 where there are no rows."""
    return wilson(share, rows, confidence) if rows > 0 else (0.0, 1.0)


def histogram(
    title: str,
    question: str,
    unit: str,
    series: Mapping[str, Counts],
    *,
    deals: int,
    confidence: float,
    mean: float | None = None,
    note: str = "",
    is_wide: bool = False,
    divisor: int = 1,
) -> Chart | None:
    """Histogram of value counts, one or several over each other; None where there is nothing to show.

    Parameters
    ----------
    series
        Value counts by name; a single one needs no name.
    deals
        Deals they are from. Of several rows of a deal the intervals count one, which makes them too long rather
        than too short.
    mean
        Marked where there is a single series.
    divisor
        What the values are divided by.
    """
    shown = {name: counts for name, counts in series.items() if counts.total}
    layout = bins_of(list(shown.values()), MOST_BINS, divisor)
    if layout is None:
        return None
    bins, rows, outside = [], [], 0
    for name, counts in shown.items():
        inside, beyond = layout.count(counts)
        outside += beyond
        total = counts.total
        for index, count in enumerate(inside):
            share = count / total
            low, high = wilson_row(share, min(total, deals), confidence)
            start, end = layout.edges(index)
            label = layout.label(index)
            bins.append(charts.Bin(start, end, share, label, name, low, high))
            cells = [Cell(label, layout.values(index)[0]), count_cell(count), number_cell(share, "share")]
            rows.append([*([text_cell(name)] if len(shown) > 1 else []), *cells])
    ticks = []
    if layout.is_each:
        values = [layout.values(index)[0] for index in range(layout.number)]
        ticks = values[:: -(-len(values) // MOST_TICKS)]
    if outside:
        every = sum(counts.total for counts in shown.values())
        lowest = min(counts.values[0] for counts in shown.values()) / divisor
        highest = max(counts.values[-1] for counts in shown.values()) / divisor
        note += (
            f" Not drawn: the outermost {words.value_text(outside / every, 'share')}; "
            f"all values lie from {words.value_text(lowest, unit)} to {words.value_text(highest, unit)}."
        )
    columns = [Column(unit, True), Column("rows", True), Column("share", True)]
    if len(shown) > 1:
        columns.insert(0, Column("of"))
    spec = charts.histogram(bins, unit, ticks=ticks, mean=mean if len(shown) == 1 else None)
    most = max(bins, key=lambda one: one.share)
    summary = (
        f"Histogram of {title} in {unit}, from {bins[0].label} to {bins[-1].label}; "
        f"most often {most.label}, {words.value_text(most.share, 'share')}."
    )
    return Chart(title, question, spec, summary, Table(title, columns, rows), note.strip(), is_wide)


def mark_table(title: str, marks: Sequence[charts.Mark], unit: str, of: str = "") -> Table:
    """Values and intervals of bars or dots, as a table."""
    has_series = len({mark.series for mark in marks}) > 1
    columns = [Column(of or "of"), *([Column("group")] if has_series else [])]
    columns += [Column("estimate", True), Column("from", True), Column("to", True)]
    rows = [
        [
            text_cell(mark.label),
            *([text_cell(mark.series)] if has_series else []),
            number_cell(mark.value, unit),
            number_cell(mark.low, unit),
            number_cell(mark.high, unit),
        ]
        for mark in marks
    ]
    return Table(title, columns, rows)


def has_long_labels(marks: Sequence[charts.Mark]) -> bool:
    """Whether lines have names that need a wide chart."""
    return any(len(mark.label) > LONG_LABEL for mark in marks)


def marks_summary(what: str, marks: Sequence[charts.Mark]) -> str:
    """Bars or dots in words."""
    texts = [f"{mark.label}{f', {mark.series}' if mark.series else ''}: {mark.text}" for mark in marks[:30]]
    return f"{what}: {'; '.join(texts)}."
