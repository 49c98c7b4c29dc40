"""Confidence sequences against what they invert, and against the exact chance that they miss the truth."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import estimate, sequences
from analysis.estimate import Distribution, Estimate, Sums
from analysis.proportion import DealCounts, proportion, wilson
from analysis.sequences import Rows

Holds = Callable[[int, int], bool]
ONE, TWO = Rows(1, True), Rows(2, True)


def chance_of_missing(truth: float, looks: range, holds: Holds) -> float:
    """Exact chance that an interval of independent rows misses the truth at any look.

    Parameters
    ----------
    holds
        Whether the interval from so many true rows of n, called with the two, holds it.
    """
    at, done, missed = np.ones(1), 0, 0.0
    for n in looks:
        for _ in range(n - done):
            at = np.append(at, 0) * (1 - truth) + np.append(0, at) * truth
        done = n
        out = np.array([not holds(true, n) for true in range(n + 1)])
        missed += float(at[out].sum())
        at[out] = 0
    return missed


@pytest.mark.parametrize("truth", [0.02, 0.3, 0.5])
@pytest.mark.parametrize("wanted", [None, 0.1])
def test_a_share_is_missed_at_any_look_as_rarely_as_it_says(truth: float, wanted: float | None) -> None:
    def holds(true: int, n: int) -> bool:
        low, high = sequences.beta_binomial(true, n, 0.95, wanted)
        return low <= truth <= high

    assert chance_of_missing(truth, range(20, 300, 20), holds) <= 0.05


def test_a_share_with_an_interval_of_a_fixed_number_of_rows_is_missed_more_often() -> None:
    def holds(true: int, n: int) -> bool:
        low, high = wilson(true / n, n, 0.95)
        return low <= 0.3 <= high

    assert chance_of_missing(0.3, range(20, 300, 20), holds) > 0.15


@pytest.mark.parametrize("p", [0.5, 0.75])
def test_ranks_of_a_quantile_are_missed_as_rarely_as_they_say(p: float) -> None:
    fewest = {n: sequences.fewest_below(n, p, 0.95) for n in range(10, 800, 10)}
    assert fewest[790] > 0
    assert 0 < chance_of_missing(p, range(10, 800, 10), lambda count, n: count >= fewest[n]) <= 0.025


def test_deals_of_two_rows_are_missed_as_rarely_as_they_say() -> None:
    """Exact chances over all that 36 deals can be, of which it is true of no side, of one or of both."""
    chances, truth = (0.5, 0.2, 0.3), 0.4
    at: dict[tuple[int, int, int], float] = {(0, 0, 0): 1.0}
    missed = 0.0
    for n in range(1, 37):
        after: dict[tuple[int, int, int], float] = defaultdict(float)
        for (none, one, both), chance in at.items():
            after[none + 1, one, both] += chance * chances[0]
            after[none, one + 1, both] += chance * chances[1]
            after[none, one, both + 1] += chance * chances[2]
        at = after
        if n % 12 == 0:
            for deals in list(at):
                counts = DealCounts([(2, a, alike) for a, alike in enumerate(deals) if alike])
                low, high = sequences.betting(counts, TWO, 0.95, 0.2)
                if not low <= truth <= high:
                    missed += at.pop(deals)
    assert missed <= 0.05


def test_stakes_win_nothing_in_the_mean() -> None:
    stakes, weights = sequences._stakes(0.001)
    assert np.exp(weights).sum() == pytest.approx(1)
    assert 0 < stakes[0] < 4 * 0.001 < stakes[-1] < 1
    # A stake on a mean of 0 within -1..1, and its bound from the sum of squares, by cases at the ends.
    for values, chances in (((-1, 1), (0.5, 0.5)), ((-1, 0.25), (0.2, 0.8)), ((-0.1, 1), (10 / 11, 1 / 11))):
        x, q = np.array(values), np.array(chances)
        growth = np.log1p(-stakes) + stakes
        for sign in (1, -1):
            bets = 1 + np.multiply.outer(sign * stakes, x)
            assert (bets > 0).all()
            assert bets @ q == pytest.approx(1)
            bounds = np.exp(np.multiply.outer(sign * stakes, x) + np.multiply.outer(growth, x * x))
            assert (bounds <= bets + 1e-12).all()


def test_the_beta_mixture_is_the_integral_that_it_says() -> None:
    from scipy.integrate import quad
    from scipy.stats import beta

    true, n, confidence = 13, 40, 0.9
    low, high = sequences.beta_binomial(true, n, confidence, 0.1)
    information = sequences.mixture_information(confidence)
    variance = 0.1**2 * information / (information + 1)
    for share in (low, high):
        rows = 1 + share * (1 - share) / variance
        prior = beta(rows * share, rows * (1 - share))

        def bet(chance: float, prior: object = prior, share: float = share, true: int = true, n: int = n) -> float:
            ratio = (chance / share) ** true * ((1 - chance) / (1 - share)) ** (n - true)
            return float(prior.pdf(chance)) * ratio  # type: ignore[attr-defined]

        assert quad(bet, 0, 1)[0] == pytest.approx(1 / (1 - confidence), rel=1e-6)


def test_the_boundary_is_lowest_where_it_is_said_to_be() -> None:
    for confidence in (0.5, 0.95, 0.9999):
        best = sequences.mixture_information(confidence)
        lowest = sequences.boundary(best, confidence)
        assert lowest**2 == pytest.approx(best + 1)
        assert lowest < min(sequences.boundary(best * factor, confidence) for factor in (0.9, 1.1))
        assert lowest > estimate.normal_quantile(confidence)
    # Worked by hand: (1 + 1/8) (log 9 + 2 log 20) = 9.21227.
    assert sequences.boundary(8, 0.95) == pytest.approx(math.sqrt(9.21227), abs=1e-5)


@pytest.mark.parametrize("wanted", [0.02, 0.002])
@pytest.mark.parametrize("p", [0.5, 0.1])
def test_an_interval_is_narrow_where_it_is_wanted_to_be(p: float, wanted: float) -> None:
    lowest = sequences.boundary(sequences.mixture_information(0.95), 0.95)
    n = round(p * (1 - p) * (lowest / wanted) ** 2)
    true = round(p * n)
    error = math.sqrt(p * (1 - p) / n)
    low, high = sequences.beta_binomial(true, n, 0.95, wanted)
    assert (high - low) / 2 == pytest.approx(lowest * error, rel=0.03)
    low, high = sequences.betting(DealCounts([(1, 0, n - true), (1, 1, true)]), ONE, 0.95, wanted)
    assert lowest * error < (high - low) / 2 < 1.2 * lowest * error
    mean = Sums(n, n, true, n, true, true)
    found = sequences.ratio(mean, 0.95, wanted)
    assert found.low is not None
    assert found.high is not None
    assert (found.high - found.low) / 2 == pytest.approx(wanted, rel=0.01)


@given(st.integers(1, 3000), st.data(), st.sampled_from([None, 0.3, 0.01, 1e-5]), st.sampled_from([0.5, 0.95, 0.999]))
@settings(max_examples=60, deadline=None)
def test_shares_that_are_not_refused_are_an_interval(
    n: int, data: st.DataObject, wanted: float | None, confidence: float
) -> None:
    true = data.draw(st.integers(0, n))
    low, high = sequences.beta_binomial(true, n, confidence, wanted)
    assert 0 <= low <= true / n <= high <= 1
    mirrored = sequences.beta_binomial(n - true, n, confidence, wanted)
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-7)
    information = sequences.mixture_information(confidence)
    wanted = wanted or math.sqrt((information + 1) / 4 / sequences.USUAL_DEALS)
    from scipy.special import betaln

    shares = np.concatenate([np.linspace(0, 1, 201)[1:-1], np.geomspace(1e-9, 0.01, 40), 1 - np.geomspace(1e-9, 0.01)])
    rows = 1 + shares * (1 - shares) * (information + 1) / information / wanted**2
    evidence = betaln(rows * shares + true, rows * (1 - shares) + n - true) - betaln(rows * shares, rows * (1 - shares))
    evidence -= true * np.log(shares) + (n - true) * np.log1p(-shares)
    held = shares[evidence < -math.log(1 - confidence) - 1e-6]
    assert ((held >= low - 1e-8) & (held <= high + 1e-8)).all()


rows_of_deals = st.lists(st.lists(st.booleans(), min_size=1, max_size=4), min_size=1, max_size=60)


@given(rows_of_deals, st.sampled_from([0.5, 0.95, 0.9999]), st.sampled_from([None, 0.1, 1e-4]))
@settings(max_examples=40, deadline=None)
def test_an_interval_holds_its_estimate_and_turns_with_the_question(
    deals: list[list[bool]], confidence: float, wanted: float | None
) -> None:
    def counts(true: bool) -> DealCounts:
        alike: dict[tuple[int, int], int] = {}
        for rows in deals:
            cell = len(rows), rows.count(true)
            alike[cell] = alike.get(cell, 0) + 1
        return DealCounts([(*cell, count) for cell, count in sorted(alike.items())])

    yes, no = (sequences.proportion(counts(true), Rows(4, False), confidence, wanted) for true in (True, False))
    assert yes.estimate is not None
    assert yes.low is not None
    assert yes.high is not None
    assert no.low is not None
    assert no.high is not None
    assert 0 <= yes.low <= yes.estimate <= yes.high <= 1
    assert (yes.low, yes.high) == pytest.approx((1 - no.high, 1 - no.low), abs=1e-9)
    fixed = proportion(counts(True), confidence)
    assert (yes.n, yes.estimate, yes.std_error) == (fixed.n, fixed.estimate, fixed.std_error)


def test_who_wins_is_known_to_be_one_side_at_most() -> None:
    won = DealCounts([(2, 0, 5), (2, 1, 995)], most=1)
    low, high = sequences.betting(won, TWO, 0.95)
    assert low < 0.4975 < high <= 0.5
    # Rows that shut each other out say more than two independent ones.
    free = DealCounts([(2, 0, 252), (2, 1, 491), (2, 2, 257)])
    assert high - low < 0.2 * np.subtract(*sequences.betting(free, TWO, 0.95)[::-1])


def test_nothing_is_told_before_enough_deals_decide() -> None:
    def mean(deals: int) -> Estimate:
        rare = Distribution([0, 500], [100_000 - deals, deals])
        deciding, _ = sequences.deciding_deals(rare, ONE)
        # A little fewer decide a deviation from a mean that is not quite 0.
        assert deciding == pytest.approx(deals, rel=0.01)
        return sequences.ratio(estimate.sums_of_counts(rare.values, rare.counts), 0.95, deciding=deciding)

    assert mean(sequences.FEWEST_DECIDING - 2).low is None
    assert mean(sequences.FEWEST_DECIDING + 2).low is not None
    assert sequences.ratio(Sums(100, 100), 0.95, deciding=0.0) == Estimate(100, 0.0, None, None, 0.0)
    assert sequences.ratio(Sums(), 0.95) == Estimate(0)
    assert sequences.ratio(Sums(1000, 2000, 4000, 4000, 16_000, 8000), 0.95).low is None
    assert sequences.standard_deviation(estimate.sums_of_counts([3], [5000]), 0.95).high is None
    assert sequences.proportion(DealCounts([]), ONE, 0.95) == Estimate(0)
    assert sequences.quantiles(Distribution([], []), [50], ONE, 0.95) == [Estimate(0)]


def test_how_many_deals_decide() -> None:
    values = np.random.default_rng(1).normal(0, 1000, 40_000).round().astype(int)
    found, counts = np.unique(values, return_counts=True)
    mean, deviation = sequences.deciding_deals(Distribution(found.tolist(), counts.tolist()), ONE)
    assert mean == pytest.approx(40_000 / 3, rel=0.05)
    # Moments of (x² - 1): 2 and 60.
    assert deviation == pytest.approx(40_000 * 2**2 / 60, rel=0.15)
    paired, _ = sequences.deciding_deals(Distribution(found.tolist(), counts.tolist()), TWO)
    assert paired == pytest.approx(mean / 2)
    assert sequences.deciding_deals(Distribution([7], [100]), ONE) == (0, 0)
    assert sequences.deciding_deals(Distribution([], []), ONE) == (0, 0)


def test_few_rows_leave_ends_open_and_all_alike_close_them() -> None:
    few = sequences.quantiles(Distribution(range(50), [1] * 50), [5, 50], ONE, 0.95)
    assert [(found.low, found.high) for found in few] == [(None, 33), (None, None)]
    assert [found.estimate for found in few] == [2.0, 24.0]
    [same] = sequences.quantiles(Distribution([7], [50_000]), [50], ONE, 0.95)
    assert (same.low, same.estimate, same.high) == (7, 7, 7)
    [paired] = sequences.quantiles(Distribution([7], [100_000], [200_000], [200_000], 50_000, 200_000), [50], TWO, 0.95)
    assert (paired.low, paired.estimate, paired.high) == (7, 7, 7)


def test_quantiles_of_repeated_rows_have_nearly_the_interval_of_the_single_ones() -> None:
    count = 10_000
    values = range(count)
    [single] = sequences.quantiles(Distribution(values, [1] * count), [50], ONE, 0.95)
    twice = Distribution(values, [2] * count, [4] * count, [4] * count, count, 4 * count)
    [double] = sequences.quantiles(twice, [50], TWO, 0.95)
    assert single.low is not None
    assert single.high is not None
    assert double.low is not None
    assert double.high is not None
    assert double.high - double.low == pytest.approx(single.high - single.low, rel=0.15)
    assert double.low + double.high == pytest.approx(single.low + single.high, rel=1e-3)


def test_billions_of_deals_are_as_exact_as_thousands() -> None:
    n = 10**9
    lowest = sequences.boundary(sequences.mixture_information(0.95), 0.95)
    error = math.sqrt(0.25 / n)
    wanted = lowest * error
    low, high = sequences.beta_binomial(n // 2, n, 0.95, wanted)
    assert (high - low) / 2 == pytest.approx(wanted, rel=1e-3)
    low, high = sequences.betting(DealCounts([(2, 0, n // 2), (2, 2, n // 2)]), TWO, 0.95, wanted)
    assert wanted < (high - low) / 2 < 1.2 * wanted
    assert sequences.fewest_below(n, 0.5, 0.95) == pytest.approx(n / 2 - 4.3 * error * n, abs=error * n / 10)


@pytest.mark.parametrize("confidence", [1e-12, 0.01, 1 - 1e-15])
def test_any_confidence_between_0_and_1_has_intervals(confidence: float) -> None:
    for wanted in (None, 0.4, 1e-300):
        low, high = sequences.beta_binomial(300, 1000, confidence, wanted)
        assert 0 <= low <= 0.3 <= high <= 1
        low, high = sequences.betting(DealCounts([(2, 0, 700), (2, 2, 300)]), TWO, confidence, wanted)
        assert 0 <= low <= 0.3 <= high <= 1
        found = sequences.ratio(Sums(1000, 2000, 600, 4000, 1200, 1200), confidence, wanted)
        assert found.low is not None
        assert found.high is not None
        assert found.low <= 0.3 <= found.high < math.inf
    [median] = sequences.quantiles(Distribution(range(1000), [100] * 1000), [50], ONE, confidence)
    assert median.low is not None
    assert median.high is not None
    assert median.low <= 499 <= median.high
