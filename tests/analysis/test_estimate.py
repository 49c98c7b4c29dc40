from __future__ import annotations

import math
from itertools import pairwise
from statistics import NormalDist, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import estimate
from analysis.estimate import Distribution, Estimate, Sums

Z = NormalDist().inv_cdf(0.975)


def sums_of(deals: list[list[int]]) -> Sums:
    """Sums from the rows of each deal, written out."""
    kept = [rows for rows in deals if rows]
    m = [len(rows) for rows in kept]
    a = [sum(rows) for rows in kept]
    b = [sum(row**2 for row in rows) for rows in kept]

    def dot(x: list[int], y: list[int]) -> int:
        return sum(i * j for i, j in zip(x, y, strict=True))

    return Sums(len(kept), sum(m), sum(a), dot(m, m), dot(a, a), dot(a, m), sum(b), dot(b, b), dot(a, b), dot(b, m))


def test_one_row_a_deal_is_the_textbook_case() -> None:
    rows = [3, 5, 5, 9, 14, -2]
    sums = sums_of([[row] for row in rows])
    assert sums == estimate.sums_of_counts([-2, 3, 5, 9, 14], [1, 1, 2, 1, 1])
    found = estimate.ratio(sums, 0.95)
    mean, std_error = sum(rows) / 6, stdev(rows) / math.sqrt(6)
    assert found.n == 6
    assert [found.estimate, found.std_error] == pytest.approx([mean, std_error])
    assert [found.low, found.high] == pytest.approx([mean - Z * std_error, mean + Z * std_error])
    assert estimate.standard_deviation(sums, 0.95).estimate == pytest.approx(stdev(rows))


def test_a_clustered_mean_against_the_formula_worked_by_hand() -> None:
    # Totals 4, 3, 11 of 2, 1, 3 rows; R = 18 / 6 = 3, residuals -2, 0, 2; variance 3/2 x 8 / 36 = 1/3.
    found = estimate.ratio(sums_of([[1, 3], [3], [5, 2, 4], []]), 0.95)
    assert (found.n, found.estimate) == (6, 3.0)
    assert found.std_error == pytest.approx(math.sqrt(1 / 3))


def test_rows_that_repeat_their_deal_count_once() -> None:
    single = [1, 0, 0, 1, 1, 0, 1, 0, 0, 0]
    twice = sums_of([[row, row] for row in single])
    assert estimate.effective_rows(sums_of([[row] for row in single])) == pytest.approx(10)
    # 10 x (19/18) rows by the unbiased variances: s² of twenty rows against s² of ten.
    assert estimate.effective_rows(twice) == pytest.approx(10 * 18 / 19)
    values = sums_of([[row, row] for row in [4, 8, 8, 1, 0, 3]])
    alone = sums_of([[row] for row in [4, 8, 8, 1, 0, 3]])
    assert estimate.ratio(values, 0.95).std_error == pytest.approx(estimate.ratio(alone, 0.95).std_error)


def test_rows_that_balance_within_a_deal_tell_more_than_independent_ones() -> None:
    balanced = sums_of([[1, 0]] * 30 + [[0, 0]] + [[1, 1]])
    assert estimate.effective_rows(balanced) > balanced.m
    assert estimate.effective_rows(sums_of([[1, 0]] * 1000)) > 1000 * 1000


def test_without_variation_the_rows_of_a_deal_count_as_one() -> None:
    assert estimate.effective_rows(sums_of([[0, 0]] * 50)) == 50
    same = sums_of([[7, 7]] * 50)
    assert estimate.ratio(same, 0.95) == Estimate(100, 7.0, 7.0, 7.0, 0.0)
    assert estimate.standard_deviation(same, 0.95) == Estimate(100, 0.0, 0.0, 0.0, 0.0)


def test_too_little_is_said_as_nothing() -> None:
    for what in (estimate.ratio, estimate.standard_deviation):
        assert what(Sums(), 0.95) == Estimate(0)
    assert estimate.ratio(sums_of([[4]]), 0.95) == Estimate(1, 4.0)
    assert estimate.ratio(sums_of([[4, 6]]), 0.95) == Estimate(2, 5.0)
    assert estimate.standard_deviation(sums_of([[4]]), 0.95) == Estimate(1)
    assert estimate.quantiles(Distribution([], []), [50], 0.95) == [Estimate(0)]
    assert estimate.quantiles(Distribution([4], [1]), [5, 50], 0.95) == [Estimate(1, 4.0), Estimate(1, 4.0)]


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1.0, 95.0, math.nan])
def test_a_confidence_out_of_range_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        estimate.normal_quantile(confidence)


def binomial_at_most(k: int, n: int, p: float) -> float:
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


@pytest.mark.parametrize("p", [0.05, 0.25, 0.5, 0.75, 0.95])
@pytest.mark.parametrize("n", [1, 2, 5, 6, 17, 60, 200])
def test_order_statistics_are_the_narrowest_that_hold_the_quantile(n: int, p: float) -> None:
    low, high = estimate.order_statistics(n, p, 0.95)
    lows = [rank for rank in range(1, n + 1) if binomial_at_most(rank - 1, n, p) <= 0.025]
    highs = [rank for rank in range(1, n + 1) if 1 - binomial_at_most(rank - 1, n, p) <= 0.025]
    assert (low, high) == (max(lows, default=None), min(highs, default=None))


def test_the_median_of_ten_has_the_tabled_interval() -> None:
    # Ranks 2 and 9: coverage 97.9 % (Conover 1999, table of the sign test).
    found = estimate.quantiles(Distribution(list(range(10, 110, 10)), [1] * 10), [50], 0.95)[0]
    assert found == Estimate(10, 50.0, 20.0, 90.0)


def test_a_quantile_is_the_lowest_value_with_its_share_at_or_below() -> None:
    distribution = Distribution([1, 2, 10], [50, 25, 25])
    estimates = estimate.quantiles(distribution, [5, 25, 50, 75, 95], 0.95)
    assert [found.estimate for found in estimates] == [1.0, 1.0, 1.0, 2.0, 10.0]


def test_quantiles_of_repeated_rows_have_the_interval_of_the_single_ones() -> None:
    count = 400
    values = list(range(count))
    single = estimate.quantiles(Distribution(values, [1] * count), [50], 0.95)[0]
    # Each deal has two equal rows: weights 1 and 3 by rank, 2 + 2 by size.
    twice = Distribution(values, [2] * count, [4] * count, [4] * count, count, 4 * count)
    double = estimate.quantiles(twice, [50], 0.95)[0]
    assert double.n == 800
    assert single.low is not None
    assert double.low == pytest.approx(single.low, abs=2)
    assert double.high == pytest.approx(single.high, abs=2)


@given(st.lists(st.tuples(st.integers(-(2**60), 2**60), st.integers(-(2**60), 2**60)), max_size=30))
def test_exact_dot_never_overflows(pairs: list[tuple[int, int]]) -> None:
    x, y = (np.array([pair[i] for pair in pairs], np.int64) for i in (0, 1))
    bounds = [max((abs(pair[i]) for pair in pairs), default=0) for i in (0, 1)]
    assert estimate.exact_dot(x, y, *bounds) == sum(i * j for i, j in pairs)


deals = st.lists(st.lists(st.integers(-50, 50), max_size=4), max_size=12)


@given(deals, deals)
def test_sums_of_two_sets_of_deals_add_up(some: list[list[int]], others: list[list[int]]) -> None:
    assert sums_of(some) + sums_of(others) == sums_of(some + others)


@given(deals)
def test_no_estimate_is_ever_not_a_number(some: list[list[int]]) -> None:
    sums = sums_of(some)
    for each in (estimate.ratio(sums, 0.95), estimate.standard_deviation(sums, 0.95)):
        numbers = [each.estimate, each.low, each.high, each.std_error]
        assert all(value is None or math.isfinite(value) for value in numbers)
        if each.low is not None and each.estimate is not None and each.high is not None:
            assert each.low <= each.estimate + 1e-12
            assert each.estimate <= each.high + 1e-12


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=60))
def test_quantile_intervals_hold_their_estimate_and_rise(rows: list[int]) -> None:
    values = sorted(set(rows))
    found = estimate.quantiles(Distribution(values, [rows.count(value) for value in values]), range(5, 100, 5), 0.95)
    for lower, upper in pairwise(found):
        assert lower.estimate is not None
        assert upper.estimate is not None
        assert lower.estimate <= upper.estimate
    for each in found:
        assert each.estimate is not None
        assert each.low is None or each.low <= each.estimate
        assert each.high is None or each.estimate <= each.high


def test_order_statistics_of_billions_of_effective_rows_are_found_at_once() -> None:
    n = estimate.MOST_EFFECTIVE_ROWS
    for p in (0.05, 0.5, 0.95):
        low, high = estimate.order_statistics(n, p, 0.95)
        assert low is not None
        assert high is not None
        spread = 1.96 * (n * p * (1 - p)) ** 0.5
        assert (low, high) == (pytest.approx(n * p - spread, abs=10), pytest.approx(n * p + spread, abs=10))


def test_a_quantile_at_which_nearly_every_deal_is_half_and_half() -> None:
    deals = 1_000_000
    # One side has 0, the other 100; in a single deal both have 0.
    distribution = estimate.Distribution(
        values=[0, 100],
        counts=[deals + 1, deals - 1],
        ranks=[deals + 3, 3 * deals - 3],
        sizes=[2 * deals + 2, 2 * deals - 2],
        clusters=deals,
        mm=4 * deals,
    )
    median = estimate.quantiles(distribution, [50], 0.95)[0]
    assert (median.estimate, median.low) == (0, 0)
