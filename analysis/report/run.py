"""The part of a report that tells a run (``carteador.summary/1``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from analysis.documents import Row, Summary
from analysis.report import words
from analysis.report.common import (
    count_cell,
    game_fact,
    interval_fact,
    number_cell,
    policy_help,
    provenance,
    rules_facts,
    rules_table,
    text_cell,
)
from analysis.report.families import TURN, Group, Told, sections, told_statistics
from analysis.report.model import Body, Chart, Column, Fact, Part, Section, Table, Tile
from analysis.report.run_charts import (
    BY_GROUP,
    OWN_TURNS,
    WITH_SPREADS,
    Groups,
    by_group,
    distribution,
    family_bars,
    family_curve,
    has_value,
    progress,
    rates,
    spread_chart,
)
from analysis.seating import Seating
from analysis.wording import listed

MOST_TILES = 8
OVER_TURNS = "Over the turns"
COMMON_SECTIONS = 2
"""The first sections are those of every game."""

Rows = dict[tuple[str, str], Row]


def run_body(part: Part, document: Summary) -> Body:
    """Everything a report says of a run."""
    groups = Groups(document)
    rows = {(row.statistic, row.group): row for row in document.statistics}
    found = sections(document)
    changed = rules_facts(document.game, document.options)
    body = Body(
        "run",
        f"{words.game_title(document.game)}: {_extent(document)}",
        _lead(document, len(changed)),
        _facts(document),
        rules=changed,
        all_rules=rules_table(document.game, document.options),
        tiles=list(_tiles(document, rows, groups, found))[:MOST_TILES],
        findings=[*document.sentences, *_findings(document, rows, groups)],
        replays=part.replays,
        tables=[statistics_table(document)],
        provenance=provenance(document, part.name),
        command=document.command or part.command,
        notes=part.notes,
    )
    turns = progress(list(told_statistics(document).values()), document, groups)
    for number, group in enumerate(found):
        if number == COMMON_SECTIONS and turns:
            body.sections.append(Section(OVER_TURNS, turns))
        made = _section(group, document, groups)
        if made.charts or made.tiles:
            body.sections.append(made)
    if turns and len(found) <= COMMON_SECTIONS:
        body.sections.append(Section(OVER_TURNS, turns))
    return body


def statistics_table(document: Summary) -> Table:
    """Every row of a summary."""
    names = list(dict.fromkeys(row.group for row in document.statistics))
    columns = [
        Column("statistic"),
        Column("group", choices=names, chosen="all" if "all" in names else ""),
        Column("estimate", True),
        Column("from", True),
        Column("to", True),
        Column("std. error", True),
        Column("n", True),
        Column("unit"),
    ]
    rows = []
    for row in document.statistics:
        digits = _digits(row)
        error = row.std_error
        rows.append(
            [
                text_cell(row.statistic),
                text_cell(row.group),
                number_cell(row.estimate, row.unit, digits),
                number_cell(row.low, row.unit, digits),
                number_cell(row.high, row.unit, digits),
                number_cell(error, row.unit, min(digits + 1, 4)),
                count_cell(row.n),
                text_cell(row.unit),
            ]
        )
    return Table("All statistics", columns, rows, is_searched=True)


def _section(group: Group, document: Summary, groups: Groups) -> Section:
    made: list[Chart | None] = []
    curves = [family for family in group.families if family.is_curve]
    for head in dict.fromkeys(family.head for family in curves):
        same = [family for family in curves if family.head == head]
        # The curve of everybody, and those of sides told apart by what they need, answer two questions.
        whole = [family for family in same if ":" not in family.name]
        several = [family for family in same if ":" in family.name]
        made.append(family_curve(whole, document, groups) if whole else None)
        if len(several) > 1:
            made.append(family_curve([*whole, *several], document, groups))
    numbers_too = {told.name for told in group.alone}
    for family in group.families:
        bars = None if family.is_curve else family_bars(family, document, groups)
        if bars is not None and family.name in numbers_too:
            # The number of which these are the values has a chart of its own.
            bars = replace(bars, title=f"{bars.title}: how often each")
        made.append(bars)
    made += [distribution(told, document, groups) for told in group.alone if told.name in WITH_SPREADS]
    made += [by_group(told, groups) for told in group.alone if told.name in BY_GROUP]
    made += [spread_chart(told, document, groups) for told in group.alone if told.name in WITH_SPREADS]
    shares = [told for told in group.alone if told.kind == "proportion" and told.name not in BY_GROUP and told.all]
    # Where policies are told apart, what is told of deals alone stands beside them.
    together = [told for told in shares if not groups.compared or any(name in told.rows for name in groups.compared)]
    if len(together) > 1:
        made.append(rates(group.title, together, groups))
        shares = [told for told in shares if told not in together]
    numbers = [told for told in group.alone if told.kind == "number" and told.name not in WITH_SPREADS]
    # Turns at which something happens are told together, as curves.
    counts = [told for told in numbers if told.unit != OWN_TURNS or not told.name.endswith(TURN)]
    drawn = {told.name: distribution(told, document, groups) for told in counts}
    made += drawn.values()
    single = [
        told
        for told in group.alone
        if told in shares or told.kind == "ratio" or (told.name in drawn and drawn[told.name] is None)
    ]
    tiles = [_tile(told, groups) for told in single]
    return Section(group.title, [chart for chart in made if chart], [tile for tile in tiles if tile])


def _tile(told: Told, groups: Groups) -> Tile | None:
    row = told.all
    if row is None:
        return None
    interval = "" if row.low is None or row.high is None else f"({words.row_interval(row)})"
    detail = f"{told.question} {interval}".strip()
    by_policy = [
        f"{words.group_words(name)} {words.short_text(told.rows[name])}"
        for name in groups.compared
        if has_value(told.rows.get(name))
    ]
    unit = "" if row.is_share else f" {told.unit}"
    value = words.short_text(row) + unit
    return Tile(words.sentence_case(words.statistic_words(told.name)), value, "; ".join([detail, *by_policy]))


def _extent(document: Summary) -> str:
    deals = words.counted(document.deals, "deal")
    if document.matches is None:
        return deals
    return f"{words.counted(document.matches, 'match', 'matches')}, {deals}"


def _lead(document: Summary, changed: int) -> str:
    policies = list(dict.fromkeys(document.policies))
    if len(policies) == 1:
        playing = f"{len(document.policies)} seats that all play {policies[0]}"
    else:
        playing = f"{len(document.policies)} seats that play {listed(policies)}"
    rules = "the rules of the rule book" if not changed else words.counted(changed, "house rule")
    return f"{playing}, under {rules}; seed {document.seed}."


def _facts(document: Summary) -> list[Fact]:
    facts = [game_fact(document.game)]
    extent = [_extent(document)]
    if document.first:
        extent.append(f"from number {document.first:,} on")
    facts += [Fact("Played", extent), Fact("Seed", [str(document.seed)])]
    by_policy: dict[str, list[int]] = {}
    for seat, text in enumerate(document.policies):
        by_policy.setdefault(text, []).append(seat)
    sides = _sides(document)
    lines = []
    for text, seats in by_policy.items():
        where = "all seats" if len(by_policy) == 1 else _seats_words(seats, sides)
        lines.append(f"{words.sentence_case(where)}: {policy_help(document.game, text)}")
    facts += [Fact("Policies", lines), interval_fact(document.confidence)]
    if document.until:
        facts.append(Fact("Stopped by precision", [words.reached_text(one) for one in document.until]))
    return facts


def _sides(document: Summary) -> Sequence[int]:
    """Side of each seat; empty where everybody plays for himself."""
    spec = words.known_game(document.game)
    if spec is None:
        return ()
    try:
        seating = Seating.of(spec, document.options, document.policies)
    except (ValueError, KeyError, TypeError):
        return ()
    return seating.side_of_seat if seating.word == "side" and seating.sides < seating.seats else ()


def _seats_words(seats: Sequence[int], sides: Sequence[int]) -> str:
    text = ("seat " if len(seats) == 1 else "seats ") + listed([str(seat) for seat in seats])
    own = sorted({sides[seat] for seat in seats}) if sides and max(seats) < len(sides) else []
    if len(own) == 1 and len(seats) == sum(side == own[0] for side in sides):
        text += f" (side {own[0]})"
    return text


def _tiles(document: Summary, rows: Rows, groups: Groups, found: Sequence[Group]) -> Iterator[Tile]:
    ends = [row for (name, group), row in rows.items() if name.startswith("end_reason:") and group == "all" and row.n]
    if ends:
        most = max(ends, key=lambda row: row.estimate or 0)
        reason = words.in_words(most.statistic.partition(":")[2])
        yield Tile("Most deals end by", reason, f"{words.row_text(most)} of the deals")
    for name, title in (("turns", "Turns in a deal"), ("deals_per_match", "Deals in a match"), ("score", "Score")):
        row = rows.get((name, "all"))
        if row is not None and has_value(row):
            yield Tile(title, words.short_text(row), _spread(name, row, rows))
    for name in groups.compared:
        row = rows.get(("win_rate", name))
        if row is not None and has_value(row):
            yield Tile(f"{words.group_words(name)} wins", words.short_text(row), words.row_interval(row))
    row = rows.get(("first_player_win_rate", "all"))
    if row is not None and has_value(row):
        text = words.short_text(row)
        yield Tile("Who plays first wins", text, f"{words.row_interval(row)} of the deals")
    for group in found[COMMON_SECTIONS:]:
        for told in group.alone:
            every = told.all
            if told.kind == "proportion" and every is not None and 0.01 < (every.estimate or 0) < 0.99:
                text = words.short_text(every)
                yield Tile(words.sentence_case(words.statistic_words(told.name)), text, told.question)
                break


def _spread(name: str, row: Row, rows: Rows) -> str:
    low, high = rows.get((f"{name}:p5", "all")), rows.get((f"{name}:p95", "all"))
    interval = "mean" if row.low is None or row.high is None else f"mean, {words.row_interval(row)}"
    if low and high and low.estimate is not None and high.estimate is not None:
        between = f"{low.estimate:,.0f} to {high.estimate:,.0f}".replace("-", words.MINUS)
        return f"{interval}; nine in ten {between}"
    return interval


def _findings(document: Summary, rows: Rows, groups: Groups) -> Iterator[str]:
    """What the numbers say, in words; only what their intervals bear out."""
    ends = [row for (name, group), row in rows.items() if name.startswith("end_reason:") and group == "all"]
    told = sorted((row for row in ends if row.estimate), key=lambda row: -(row.estimate or 0))
    if len(told) > 1:
        texts = [f"{words.short_text(row)} by {words.in_words(row.statistic.partition(':')[2])}" for row in told]
        yield f"Of the deals, {listed(texts)}."
    yield from _order_finding(rows, "win_rate", ("plays_first:yes", "plays_first:no"), "The side that plays first")
    yield from _order_finding(rows, "match_win_rate", ("deals_first:yes", "deals_first:no"), "The first dealer's side")
    yield from _policy_finding(rows, groups)


def _order_finding(rows: Rows, name: str, pair: tuple[str, str], who: str) -> Iterator[str]:
    yes, no = (rows.get((name, group)) for group in pair)
    if yes is None or no is None or not has_value(yes) or not has_value(no):
        return
    share, other = (words.short_text(row) for row in (yes, no))
    what = "match" if name.startswith("match") else "deal"
    if apart(yes, no):
        better = "more" if (yes.estimate or 0) > (no.estimate or 0) else "less"
        what = "matches" if name.startswith("match") else "deals"
        yield f"{who} wins {better} often: {share} of the {what}, the others {other}."
    else:
        yield f"{who} wins {share}, the others {other}: no difference can be told from chance."


def _policy_finding(rows: Rows, groups: Groups) -> Iterator[str]:
    known = [(name, rows[("win_rate", name)]) for name in groups.policies if has_value(rows.get(("win_rate", name)))]
    if len(known) < 2:
        return
    ordered = sorted(known, key=lambda item: -(item[1].estimate or 0))
    (best, top), (_, second) = ordered[0], ordered[1]
    texts = [f"{words.group_words(name)} {words.short_text(row)}" for name, row in ordered]
    if apart(top, second):
        yield f"{words.group_words(best)} wins most often: {listed(texts)}."
    else:
        yield f"Who wins most often cannot be told from chance: {listed(texts)}."


def apart(one: Row, other: Row) -> bool:
    """Whether two intervals have no value in common."""
    if None in (one.low, one.high, other.low, other.high):
        return False
    return bool((one.low or 0) > (other.high or 0) or (other.low or 0) > (one.high or 0))


def _digits(row: Row) -> int:
    """Decimals that show the half width of an interval with two digits; none where all is whole."""
    if not row.is_share and all(
        value is None or float(value).is_integer() for value in (row.estimate, row.low, row.high)
    ):
        return 0
    factor = 100 if row.is_share else 1
    if row.low is None or row.high is None or row.high == row.low:
        value = (row.estimate or 0.0) * factor
        return 0 if float(value).is_integer() and not row.is_share else 2
    half = (row.high - row.low) / 2 * factor
    return 0 if half >= 10 else 1 if half >= 1 else 2 if half >= 0.1 else 3
