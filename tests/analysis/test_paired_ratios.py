"""Differences of ratios over the same deals: worked values, coverage of a known truth, and what sharing deals saves."""

from __future__ import annotations

import math
from statistics import NormalDist, stdev

import numpy as np
import pytest

from analysis.paired import Difference, PairedRatios, holm, two_sided_probability

ONES = np.ones(5, np.int64)


def test_means_worked_by_hand() -> None:
    a, b = np.array([120, 80, 100, 90, 100]), np.array([100, 90, 100, 60, 80])
    found = PairedRatios.of(a, ONES, b, ONES).difference(0.999)
    std_error = stdev((a - b).tolist()) / math.sqrt(5)
    z = NormalDist().inv_cdf(0.9995)
    assert (found.n, found.first, found.second, found.difference) == (5, 98.0, 86.0, 12.0)
    assert (found.std_error, found.low, found.high) == pytest.approx(
        (std_error, 12 - z * std_error, 12 + z * std_error)
    )
    apart = (stdev(a.tolist()) ** 2 + stdev(b.tolist()) ** 2) / 5
    assert found.variance_reduction == pytest.approx(apart / std_error**2)


def test_ratios_by_the_linearised_deals() -> None:
    random = np.random.default_rng(5)
    vectors = [random.integers(low, high, 400) for low, high in ((-9, 40), (1, 5), (0, 30), (0, 4))]
    a, m, b, k = vectors
    found = PairedRatios.of(a, m, b, k).difference(0.95)
    first, second = a.sum() / m.sum(), b.sum() / k.sum()
    moved = (a - first * m) / m.mean() - (b - second * k) / k.mean()
    assert found.difference == pytest.approx(first - second)
    assert found.std_error == pytest.approx(math.sqrt((moved**2).sum() / (400 * 399)))


def test_pieces_add_up_in_any_order() -> None:
    random = np.random.default_rng(6)
    vectors = [random.integers(-(2**30), 2**30, 90) for _ in range(4)]
    whole = PairedRatios.of(*vectors)
    parts = [PairedRatios.of(*(vector[start : start + 30] for vector in vectors)) for start in (60, 0, 30)]
    assert parts[0] + parts[1] + parts[2] == whole
    assert whole.sums[0] == sum(vectors[0].tolist())
    assert whole.products[1] == sum(x * y for x, y in zip(vectors[0].tolist(), vectors[1].tolist(), strict=True))


def test_few_deals_tell_little() -> None:
    nothing = np.zeros(0, np.int64)
    assert PairedRatios.of(nothing, nothing, nothing, nothing).difference(0.95) == Difference(0)
    one = PairedRatios.of(*(np.array([value]) for value in (6, 2, 1, 1))).difference(0.95)
    assert (one.first, one.second, one.difference, one.low, one.std_error) == (3.0, 1.0, 2.0, None, None)
    same = PairedRatios.of(ONES, ONES, ONES, ONES).difference(0.95)
    assert (same.difference, same.std_error, same.variance_reduction) == (0.0, 0.0, None)
    never = PairedRatios.of(ONES, ONES, 0 * ONES, 0 * ONES).difference(0.95)
    assert (never.first, never.second, never.difference) == (1.0, None, None)


@pytest.mark.parametrize("repetitions", [2_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_the_interval_holds_the_truth_as_often_as_it_says(repetitions: int) -> None:
    random = np.random.default_rng(8)
    held = 0
    for _ in range(repetitions):
        luck = random.integers(0, 20, 300)
        m, k = random.integers(1, 4, 300), random.integers(1, 3, 300)
        # Means of a row: 9.5 + 2 and 9.5 + 1, whatever the number of rows.
        a = m * luck + m * random.integers(0, 5, 300)
        b = k * luck + k * random.integers(0, 3, 300)
        found = PairedRatios.of(a, m, b, k).difference(0.95)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 1.0 <= found.high
    deviation = math.sqrt(0.95 * 0.05 / repetitions)
    assert abs(held / repetitions - 0.95) < 4 * deviation + 0.005


def test_shares_that_few_deals_tell_have_open_intervals() -> None:
    one = np.array([1, 0])
    found = PairedRatios.of(one, one, 0 * one, one).share_difference(0.95)
    assert found.difference == 1.0
    assert found.low is not None
    assert found.low < 0.0
    assert found.high == 1.0
    same = PairedRatios.of(0 * ONES, ONES, 0 * ONES, ONES).share_difference(0.95)
    assert same.low is not None
    assert same.high is not None
    assert same.low < 0 < same.high
    assert same.high == pytest.approx(-same.low)


def test_shares_as_newcombe_worked_them() -> None:
    """Method 10 of his table III, pairs (e, f, g, h) = (36, 12, 2, 0): +0.2, 0.0569 to 0.3404 without continuity."""
    first = np.repeat([1, 1, 0, 0], [36, 12, 2, 0])
    second = np.repeat([1, 0, 1, 0], [36, 12, 2, 0])
    ones = np.ones(50, np.int64)
    found = PairedRatios.of(first, ones, second, ones).share_difference(0.95)
    assert (found.difference, found.low, found.high) == pytest.approx((0.2, 0.0569, 0.3404), abs=0.003)


@pytest.mark.parametrize(("share", "other", "kept"), [(0.5, 0.48, 0.6), (0.02, 0.01, 0.5), (0.004, 0.004, 0.9)])
def test_the_interval_of_shares_holds_the_truth_as_often_as_it_says(share: float, other: float, kept: float) -> None:
    random = np.random.default_rng(18)
    held, repetitions, deals = 0, 2_000, 400
    for _ in range(repetitions):
        luck = random.random(deals)
        again = np.where(random.random(deals) < kept, luck, random.random(deals))
        has_row = random.random(deals) < 0.8
        ones = np.ones(deals, np.int64)
        first, rows = ((luck < share) & has_row).astype(np.int64), has_row.astype(np.int64)
        found = PairedRatios.of(first, rows, (again < other).astype(np.int64), ones).share_difference(0.95)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= share - other <= found.high
    assert held / repetitions > 0.935


def test_shared_luck_falls_out() -> None:
    random = np.random.default_rng(9)
    luck, ones = random.integers(0, 1_000, 2_000), np.ones(2_000, np.int64)
    found = PairedRatios.of(luck + random.integers(0, 3, 2_000), ones, luck, ones).difference(0.95)
    assert found.variance_reduction is not None
    assert found.variance_reduction > 10_000


def test_holm_worked_by_hand() -> None:
    # Holm 1979: 4 hypotheses; 0.01 x 4, then 0.02 x 3 = 0.06, then max(0.06, 0.03 x 2), then max(0.06, 0.04).
    assert holm([0.02, 0.01, 0.04, 0.03]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_probability_of_a_difference() -> None:
    assert two_sided_probability(Difference(9, 2, 0, 1.959964, std_error=1.0)) == pytest.approx(0.05)
    assert two_sided_probability(Difference(9, 2, 0, -1.959964, std_error=1.0)) == pytest.approx(0.05)
    assert two_sided_probability(Difference(9, 1, 1, 0.0, std_error=0.0)) == 1.0
    assert two_sided_probability(Difference(9, 2, 1, 1.0, std_error=0.0)) == 0.0
    assert two_sided_probability(Difference(1)) == 1.0
