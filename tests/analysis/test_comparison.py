"""Comparisons of policies, rules and whole fields of policies, on made-up records."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from analysis.comparison import Comparison, sums_of, tables_for, weights_of
from analysis.comparison_words import policy_sentences, rule_sentences
from analysis.rule_comparison import Asked, RuleComparison, rule_sums
from analysis.seating import Seating
from analysis.selection import UnknownSelectionError
from analysis.sweep import best_point
from analysis.tournament import mixed_tables, strengths
from analysis.wording import amount, decimals_for, level
from kernels.canastra.layout import SPEC
from tests.analysis.support import canastra_records, table_game, table_records


def test_tables_give_every_side_to_either_policy_equally() -> None:
    assert tables_for(2) == ((True, False), (False, True))
    for sides in range(2, 8):
        tables = tables_for(sides)
        for side in range(sides):
            assert sum(table[side] for table in tables) * 2 == len(tables)
        for table in tables:
            assert sum(table) in (1, sides - 1)
            first, second = weights_of(table)
            assert first * sum(table) == second * (sides - sum(table))


def test_mixed_tables_give_every_side_to_every_policy_equally() -> None:
    assert mixed_tables(3, 2) == ()
    for sides in range(3, 8):
        for policies in range(2, 6):
            tables = mixed_tables(policies, sides)
            for side in range(sides):
                counts = Counter(table[side] for table in tables)
                assert len(counts) == policies
                assert len(set(counts.values())) == 1


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_a_comparison_by_plain_counting(sides: int) -> None:
    spec = table_game(sides)
    tables = tables_for(sides)
    seatings = [Seating.of(spec, {}, ["a" if plays else "b" for plays in table]) for table in tables]
    records = [table_records(spec, 200, seed) for seed in range(len(tables))]
    found = Comparison(sums_of(tables, seatings, records), sides, 0.95)
    per_deal, wins = np.zeros(200), [0, 0]
    shares = np.zeros(200)
    for table, rows in zip(tables, records, strict=True):
        plays = np.array(table)
        per_deal += rows["score"][:, plays].mean(axis=1) - rows["score"][:, ~plays].mean(axis=1)
        best = rows["score"].max(axis=1)
        alone = ((rows["score"] == best[:, None]).sum(axis=1) == 1) & (rows["reason"] == 0)
        won = (rows["score"] == best[:, None]) & alone[:, None]
        wins = [wins[0] + won[:, plays].sum(), wins[1] + won[:, ~plays].sum()]
        shares += won[:, plays].mean(axis=1) - won[:, ~plays].mean(axis=1)
    per_deal /= len(tables)
    assert found.score.difference == pytest.approx(per_deal.mean())
    assert found.score.std_error == pytest.approx(per_deal.std(ddof=1) / np.sqrt(200))
    assert found.win_rate.difference == pytest.approx(shares.mean() / len(tables))
    assert found.sums.wins == tuple(wins)
    signs = found.sign_test()
    assert (signs["better"], signs["worse"]) == ((per_deal > 1e-9).sum(), (per_deal < -1e-9).sum())
    histogram = found.histogram()
    assert np.average(histogram["values"], weights=histogram["counts"]) == pytest.approx(per_deal.mean())
    assert {row.statistic for row in found.compared()} >= {"score", "win_rate"}
    assert len(found.compared()) == (2 if sides == 2 else 6)


def test_independent_tables_are_worth_no_more_than_they_are() -> None:
    spec = table_game(2)
    tables = tables_for(2)
    seatings = [Seating.of(spec, {}, ["a" if plays else "b" for plays in table]) for table in tables]
    found = Comparison(sums_of(tables, seatings, [table_records(spec, 4_000, seed) for seed in (1, 2)]), 2, 0.95)
    assert found.score.variance_reduction == pytest.approx(1.0, abs=0.1)


def test_rules_by_plain_counting() -> None:
    asked = [Asked(Seating.of(SPEC, {}, ["standard"] * 4), ["turns", "score@plays_first:yes"]) for _ in range(2)]
    records = [canastra_records(300, seed) for seed in (1, 2)]
    found = RuleComparison(rule_sums(asked[0], asked[1], records[0], records[1]), {"turns": "turns"}, 0.95)
    turns = records[0]["turns"].astype(int) - records[1]["turns"]
    pairs = found.sums.pairs["turns"].difference(0.95)
    assert pairs.difference == pytest.approx(turns.mean())
    assert pairs.std_error == pytest.approx(turns.std(ddof=1) / np.sqrt(300))
    firsts = [rows["score"][np.arange(300), rows["first"] % 2].astype(int) for rows in records]
    assert found.sums.pairs["score@plays_first:yes"].difference(0.95).difference == pytest.approx(
        firsts[0].mean() - firsts[1].mean()
    )
    assert found.sign_test()["better"] == (turns > 0).sum()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("turn", "Did you mean turns"),
        ("score@side:9", "no group of score 'side:9'. Did you mean side:1"),
        ("margin", "told by group alone"),
        ("turns@side:0", "no group of turns"),
    ],
)
def test_what_is_no_statistic_is_refused_by_name(text: str, words: str) -> None:
    with pytest.raises(UnknownSelectionError, match=words):
        Asked(Seating.of(SPEC, {}, ["standard"] * 4), [text])


def test_strengths_are_those_that_the_wins_come_from() -> None:
    truth = np.array([0.9, 0.1, -1.0])
    chance = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    wins = np.round(1e6 * chance) * (1 - np.eye(3))
    assert strengths(wins) == pytest.approx(truth, abs=0.01)
    assert np.isfinite(strengths(np.array([[0.0, 50.0], [0.0, 0.0]]))).all()


def test_numbers_in_words() -> None:
    assert [decimals_for(half) for half in (0, 0.00012, 0.04, 0.5, 3.2, 12, 400)] == [0, 5, 3, 2, 1, 0, 0]
    assert amount(212.34, 6.12, "points") == "212.3 ± 6.1 points"
    assert amount(0.042, 0.003, "share", signed=True) == "+4.20 ± 0.30 percentage points"
    assert level(0.522, 0.031, "share") == "52.2 ± 3.1 %"


def sentences(first: int, second: int, spread: int = 0) -> list[str]:
    """What is said of two policies with these scores."""
    spec = table_game(2)
    tables = tables_for(2)
    seatings = [Seating.of(spec, {}, ["a" if plays else "b" for plays in table]) for table in tables]
    records = [table_records(spec, 100, 3) for _ in tables]
    for table, rows in zip(tables, records, strict=True):
        rows["reason"] = 0
        for side, plays in enumerate(table):
            rows["score"][:, side] = first if plays else second
            rows["score"][::2, side] += spread * (1 if plays else -1)
    found = Comparison(sums_of(tables, seatings, records), 2, 0.95)
    return policy_sentences(("this", "that"), found.compared(), found.sign_test(), 0.95)


def test_a_difference_in_words() -> None:
    assert sentences(30, 10, 1)[0] == "this beats that by 21.00 ± 0.20 points a deal; equal strength is excluded."
    assert sentences(10, 30, 1)[0].startswith("that beats this by 19.00 ± 0.20 points")
    assert "may be equal" in sentences(10, 11, 1)[0]
    assert sentences(5, 5)[0] == "this and that make the same of every deal."


def test_rules_in_words() -> None:
    asked = [Asked(Seating.of(SPEC, {}, ["standard"] * 4), ["turns"]) for _ in range(2)]
    records = [canastra_records(300, seed) for seed in (1, 1)]
    records[0]["turns"] += 5
    records[0]["turns"][::2] += 1
    found = RuleComparison(rule_sums(asked[0], asked[1], records[0], records[1]), {"turns": "turns"}, 0.95)
    said = rule_sentences(("jokers=4", "jokers=0"), found.compared())
    assert said == ["With jokers=4, turns is 5.500 ± 0.057 turns higher than with jokers=0."]


def test_the_best_point() -> None:
    assert best_point([None, 2.0, 5.0, 3.0], "highest", None) == 2
    assert best_point([None, 2.0, 5.0, 3.0], "lowest", None) == 1
    assert best_point([None, 2.0, 5.0, 3.0], "nearest", 3.4) == 3
    assert best_point([None], "highest", None) is None


def test_a_single_deal_tells_nothing_and_no_half_width_is_made_up() -> None:
    spec = table_game(3)
    tables = tables_for(3)
    seatings = [Seating.of(spec, {}, ["a" if plays else "b" for plays in table]) for table in tables]
    found = Comparison(sums_of(tables, seatings, [table_records(spec, 1, seed) for seed in range(6)]), 3, 0.95)
    said = policy_sentences(("this", "that"), found.compared(), found.sign_test(), 0.95)
    assert said == ["So few deals tell nothing about this and that."]
