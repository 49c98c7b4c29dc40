"""Advantages on common deals, and intervals of several changes that go together."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.comparison import SCORE, sums_of, tables_for
from analysis.paired import PairedRatios
from analysis.seating import Seating
from analysis.tuning import advantages, cost_rows, turned
from sim import batch
from sim.games import make_setup

ROWS = 3


def changed(costs: list[float], spread: float, count: int, seed: int) -> list[PairedRatios]:
    """Sums of changes that cost so much on average, over common deals."""
    random = np.random.default_rng(seed)
    plain = random.normal(0, 50, count)
    ones = np.full(count, ROWS)
    rounded = np.rint(ROWS * plain).astype(np.int64)
    return [
        PairedRatios.of(
            np.rint(ROWS * (plain - cost + random.normal(0, spread, count))).astype(np.int64), ones, rounded, ones
        )
        for cost in costs
    ]


def test_what_is_taken_from_the_plain_is_the_cost() -> None:
    rows = cost_rows(changed([5.0, 0.0, -3.0], 4.0, 4_000, 1), 0.95)
    assert [row["difference"] for row in rows] == pytest.approx([5.0, 0.0, -3.0], abs=0.3)
    assert rows[0]["low"] > 0 > rows[2]["high"]
    assert all(row["low"] < row["difference"] < row["high"] for row in rows)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_an_interval_leaves_out_0_exactly_if_holm_rejects(seed: int, confidence: float) -> None:
    costs = [0.0, 0.3, 0.0, 0.6, -0.4, 0.5]
    rows = cost_rows(changed(costs, 4.0, 300, seed), confidence)
    for row in rows:
        assert (row["low"] > 0 or row["high"] < 0) == (row["p_holm"] < 1 - confidence)
    levels = sorted((row["level"] for row in rows), reverse=True)
    assert levels[0] == pytest.approx(1 - (1 - confidence) / len(rows))
    assert min(levels) >= confidence - 1e-12


def test_changes_that_cost_nothing_are_seldom_told_to_cost_anything() -> None:
    """Of 400 families of five, one in twenty has an interval that leaves 0 out."""
    wrong = sum(
        any(row["low"] > 0 or row["high"] < 0 for row in cost_rows(changed([0.0] * 5, 4.0, 200, seed), 0.95))
        for seed in range(400)
    )
    assert 8 <= wrong <= 34


def test_a_change_that_changes_nothing_costs_nothing() -> None:
    (row,) = cost_rows(changed([0.0], 0.0, 50, 3), 0.95)
    assert (row["difference"], row["low"], row["high"], row["p_holm"]) == (0, 0, 0, 1)
    assert str(row["low"]) == "0.0"


def test_turned_twice_it_is_the_same() -> None:
    (sums,) = changed([2.0], 4.0, 100, 5)
    found = sums.difference(0.9)
    other = turned(found)
    assert other.difference == pytest.approx(-(found.difference or 0))
    assert turned(other) == found


@pytest.mark.parametrize(("game", "rules"), [("canastra", {}), ("mau_mau", {"players": 3}), ("loba", {"players": 4})])
def test_an_advantage_is_that_of_a_comparison(game: str, rules: dict[str, int]) -> None:
    plain = make_setup(game, rules=rules)
    spec, options = plain.spec, plain.options
    tables = tables_for(plain.sides)
    setups = [
        make_setup(
            game,
            seed=4,
            rules=rules,
            policies=["standard" if table[spec.side_of(seat, options)] else "novice" for seat in range(plain.seats)],
        )
        for table in tables
    ]
    records = [batch.play_deals(setup, 0, 150) for setup in setups]
    seatings = [Seating.of(spec, options, setup.policy_texts) for setup in setups]
    sums, rows = advantages(tables, seatings, records)
    expected = sums_of(tables, seatings, records).statistics[SCORE].pairs.difference(0.95)
    assert sums.sum() / rows.sum() == pytest.approx(expected.difference)
    found = PairedRatios.of(sums, rows, np.zeros_like(sums), rows).difference(0.95)
    assert found.std_error == pytest.approx(expected.std_error)
