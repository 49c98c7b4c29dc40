"""Sums and value counts of a chunk against loops over its rows, and pieces against the whole."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.estimate import Sums
from analysis.frames import deals_frame, sides_frame
from analysis.seating import Group
from analysis.statistic import Statistic, number, proportion
from analysis.summary import Summarizer, Totals
from analysis.tally import Partial
from kernels.canastra.layout import SPEC
from kernels.spec import GameSpec
from tests.analysis.support import (
    TABLE_STATISTICS,
    Records,
    belongs,
    canastra_records,
    table_game,
    table_records,
    table_totals,
)
from tests.analysis.test_estimate import sums_of

TABLES = [
    (table_game(2), ["a", "a"]),
    (table_game(2), ["a", "b"]),
    (table_game(4, sides=2), ["a", "b", "a", "c"]),
    (table_game(4), ["a", "b", "a", "b"]),
    (table_game(5), ["a", "b", "b", "a", "b"]),
    (table_game(1), ["a"]),
]


def frames(spec: GameSpec, records: Records, policies: list[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    return deals_frame(spec, records, policies, {}), sides_frame(spec, records, policies, {})


def rows_by_deal(statistic: Statistic, group: Group, deals: pl.DataFrame, sides: pl.DataFrame) -> list[list[int]]:
    """Values of a group's rows deal by deal, picked out one by one."""
    if statistic.level == "deals" and statistic.across is None:
        return [[int(value)] for value in deals.select(statistic.value.alias("x"))["x"]]
    values = sides.select(statistic.value.alias("x"))["x"].to_list()
    found: list[list[int]] = [[] for _ in range(len(deals))]
    per_deal = len(sides) // max(1, len(deals))
    for row, value in enumerate(values):
        asked = statistic.across is not None or belongs(group, sides["side"][row], sides["plays_first"][row])
        if value is not None and asked:
            found[row // per_deal].append(int(value))
    return [[max(rows)] for rows in found] if statistic.across == "any" else found


@pytest.mark.parametrize(("spec", "policies"), TABLES)
@pytest.mark.parametrize("deals", [1, 7, 200])
def test_sums_and_counts_are_those_of_a_loop(spec: GameSpec, policies: list[str], deals: int) -> None:
    records = table_records(spec, deals)
    totals = table_totals(spec, policies)
    tables = frames(spec, records, policies)
    totals.merge(totals.frames_chunk(*tables))
    for statistic in TABLE_STATISTICS:
        tally = totals.total.tallies[statistic.name]
        for group in totals.measure.groups_of(statistic):
            if statistic.kind == "ratio":
                assert totals.measure.sums(statistic, tally, group) == ratio_sums(group, tables[1], deals)
                continue
            by_deal = rows_by_deal(statistic, group, *tables)
            if statistic.kind == "proportion":
                cells = totals.measure.deal_counts(statistic, tally, group).cells
                alike = Counter((len(rows), sum(rows)) for rows in by_deal if rows)
                assert sorted(cells) == sorted((m, a, count) for (m, a), count in alike.items())
            else:
                assert totals.measure.sums(statistic, tally, group) == sums_of(by_deal), (statistic.name, group.name)
            distribution = totals.measure.distribution(statistic, tally, group)
            rows = [row for deal in by_deal for row in deal]
            assert dict(zip(distribution.values, distribution.counts, strict=True)) == Counter(rows)


def ratio_sums(group: Group, sides: pl.DataFrame, deals: int) -> Sums:
    a, m = [0] * deals, [0] * deals
    per_deal = len(sides) // deals
    for row in range(len(sides)):
        if belongs(group, sides["side"][row], sides["plays_first"][row]):
            a[row // per_deal] += sides["cards"][row]
            m[row // per_deal] += sides["takes"][row]
    aa, am, mm = (sum(x * y for x, y in zip(*pair, strict=True)) for pair in ((a, a), (a, m), (m, m)))
    return Sums(sum(x > 0 for x in m), sum(m), sum(a), mm, aa, am)


@pytest.mark.parametrize(("spec", "policies"), TABLES)
def test_weights_of_a_distribution_give_the_sums_of_every_indicator(spec: GameSpec, policies: list[str]) -> None:
    records = table_records(spec, 60)
    totals = table_totals(spec, policies)
    tables = frames(spec, records, policies)
    totals.merge(totals.frames_chunk(*tables))
    for statistic in TABLE_STATISTICS:
        for group in totals.measure.groups_of(statistic):
            if statistic.kind != "number":
                continue
            distribution = totals.measure.distribution(statistic, totals.total.tallies[statistic.name], group)
            if distribution.ranks is None or distribution.sizes is None:
                assert not group.clustered
                continue
            by_deal = rows_by_deal(statistic, group, *tables)
            for index, value in enumerate(distribution.values):
                below = sums_of([[int(row <= value) for row in rows] for rows in by_deal])
                assert sum(distribution.ranks[: index + 1]) == below.aa
                assert sum(distribution.sizes[: index + 1]) == below.am
                assert (distribution.clusters, distribution.mm) == (below.clusters, below.mm)


def same(one: Partial, other: Partial) -> bool:
    return one.to_dict() == other.to_dict()


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(0, 50), st.integers(0, 2**32))
def test_pieces_in_any_order_make_the_whole(data: Any, deals: int, seed: int) -> None:
    spec, policies = data.draw(st.sampled_from(TABLES))
    records = table_records(spec, deals, seed)
    totals = table_totals(spec, policies)
    whole = totals.frames_chunk(*frames(spec, records, policies))
    cuts = sorted(data.draw(st.lists(st.integers(0, deals), max_size=4)))
    pieces = [
        totals.frames_chunk(*frames(spec, records[start:end], policies))
        for start, end in zip([0, *cuts], [*cuts, deals], strict=True)
    ]
    for piece in data.draw(st.permutations(pieces)):
        totals.merge(piece)
    assert totals.total.deals == deals
    assert same(totals.total, whole)
    again = table_totals(spec, policies)
    again.merge(whole)
    assert totals.rows() == again.rows()


def test_a_chunk_of_records_and_its_frames_give_the_same() -> None:
    records = canastra_records(500)
    policies = ["standard", "novice", "standard", "novice"]
    summarizer = Summarizer(SPEC, {}, policies)
    from_frames = summarizer.frames_chunk(*frames(SPEC, records, policies))
    assert same(summarizer.chunk(records), from_frames)
    assert summarizer.deals == 0


def test_partials_survive_json() -> None:
    summarizer = Summarizer(SPEC, {}, ["standard"] * 4)
    partial = summarizer.chunk(canastra_records(300))
    stored = Partial.from_dict(json.loads(json.dumps(partial.to_dict())))
    assert same(stored, partial)
    summarizer.merge(stored)
    summarizer.merge(Partial.from_dict(json.loads(json.dumps(summarizer.measure.empty().to_dict()))))
    direct = Summarizer(SPEC, {}, ["standard"] * 4)
    direct.merge(partial)
    assert summarizer.rows() == direct.rows()


@pytest.mark.parametrize(
    ("options", "policies"),
    [({}, ["novice"] * 4), ({}, ["standard", "novice"] * 2), ({"jokers": 4}, ["standard"] * 4)],
)
def test_sums_of_another_run_are_refused(options: dict[str, Any], policies: list[str]) -> None:
    summarizer = Summarizer(SPEC, {}, ["standard"] * 4)
    other = Summarizer(SPEC, options, policies)
    with pytest.raises(ValueError, match="different runs"):
        summarizer.merge(other.chunk(canastra_records(5)))


def test_a_proportion_true_of_more_rows_than_it_says_is_refused() -> None:
    spec = table_game(3)
    lax = proportion("many", "?", pl.col("cards") > 0, "Table", most=2)
    totals = table_totals(spec, ["a"] * 3, [lax])
    records = table_records(spec, 20)
    records["cards"] = [[1, 1, 0]] * 20
    totals.frames_chunk(*frames(spec, records, ["a"] * 3))
    records["cards"][7] = 1
    with pytest.raises(ValueError, match=r"many is true of more rows of a deal than it says \(2\)"):
        totals.frames_chunk(*frames(spec, records, ["a"] * 3))


def test_wide_values_are_counted_as_narrow_ones() -> None:
    spec = table_game(3)
    records = table_records(spec, 100)
    records["score"] *= 50_000
    totals = table_totals(spec, ["a"] * 3, [number("score", "points", "?", pl.col("score"), "Table")])
    tables = frames(spec, records, ["a"] * 3)
    totals.merge(totals.frames_chunk(*tables))
    distribution = totals.measure.distribution(
        totals.statistics[0], totals.total.tallies["score"], totals.measure.groups[0]
    )
    assert dict(zip(distribution.values, distribution.counts, strict=True)) == Counter(tables[1]["score"])
    row = totals.row("score")
    assert row.estimate == pytest.approx(float(np.mean(records["score"])))
    records["score"] = 2**30
    with pytest.raises(ValueError, match="beyond what can be summed"):
        totals.frames_chunk(*frames(spec, records, ["a"] * 3))


def test_nulls_need_a_word_of_whom_is_asked() -> None:
    spec = table_game(2)
    lax = number("takes", "takes", "?", pl.when(pl.col("takes") > 0).then(pl.col("takes")), "Table")
    totals = table_totals(spec, ["a", "a"], [lax])
    with pytest.raises(ValueError, match="does not say whom it is among"):
        totals.frames_chunk(*frames(spec, table_records(spec, 50), ["a", "a"]))


def test_memory_is_bounded_by_the_values_and_not_by_the_deals() -> None:
    totals: Totals = Summarizer(SPEC, {}, ["standard"] * 4)
    for seed in range(4):
        totals.merge(Summarizer(SPEC, {}, ["standard"] * 4).chunk(canastra_records(2000, seed)))
    entries = sum(tally.counts.size for tally in totals.total.tallies.values())
    for seed in range(4, 12):
        totals.merge(Summarizer(SPEC, {}, ["standard"] * 4).chunk(canastra_records(2000, seed)))
    assert sum(tally.counts.size for tally in totals.total.tallies.values()) < 1.2 * entries
