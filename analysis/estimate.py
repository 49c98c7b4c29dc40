"""Estimates and their intervals, from exact integer sums.

Rows of one deal depend on each other (what one side wins, the other loses), deals do not. Everything here sees a
deal as one cluster of rows and is computed from sums over deals that can be added in any order, so a run of any
length, in any number of pieces, gives one answer. Formulas and references: docs/statistics.md.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import accumulate

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and how sure it is.

    Attributes
    ----------
    n
        Rows it is taken from.
    estimate, low, high
        The estimate and its interval; None where the rows do not determine it.
    std_error
        Standard error of the estimate; None where it is not defined.
    """

    n: int
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    std_error: float | None = None


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over deals of what a deal's rows add up to, exact.

    A deal has `m` rows (of a ratio: a denominator `m`), whose values add up to `a` and their squares to `b`.

    Attributes
    ----------
    clusters
        Deals with m > 0.
    m, a, mm, aa, am
        Sum over deals of m, a, m², a² and am.
    b, bb, ab, bm
        Sum over deals of b, b², ab and bm; only a standard deviation needs them.
    """

    clusters: int = 0
    m: int = 0
    a: int = 0
    mm: int = 0
    aa: int = 0
    am: int = 0
    b: int = 0
    bb: int = 0
    ab: int = 0
    bm: int = 0

    def __add__(self, other: Sums) -> Sums:
        """Sums of both sets of deals."""
        return Sums(*(x + y for x, y in zip(self.as_tuple(), other.as_tuple(), strict=True)))

    def as_tuple(self) -> tuple[int, ...]:
        """All sums in the order of the fields."""
        return tuple(getattr(self, field.name) for field in fields(self))

    @property
    def residuals(self) -> Fraction:
        """Sum over deals of (a - R m)², where R = sum a / sum m."""
        return Fraction(self.aa * self.m**2 - 2 * self.a * self.m * self.am + self.a**2 * self.mm, self.m**2)


def sums_of_counts(values: Sequence[int], counts: Sequence[int]) -> Sums:
    """Sums where every deal has at most one row, from how often each value occurs."""
    n, powers = sum(counts), [0] * 5
    for value, count in zip(values, counts, strict=True):
        for power in range(1, 5):
            powers[power] += count * value**power
    _, a, b, cubes, fourths = powers
    return Sums(clusters=n, m=n, a=a, mm=n, aa=b, am=a, b=b, bb=fourths, ab=cubes, bm=b)


def exact_dot(x: Integers, y: Integers, bound_x: int, bound_y: int) -> int:
    """Sum of products as an exact integer, however large.

    Parameters
    ----------
    x, y
        Same length.
    bound_x, bound_y
        No value is further from 0 than this.
    """
    if max(bound_x, 1) * max(bound_y, 1) * len(x) < 1 << 63:
        return int(x @ y)
    if bound_x < bound_y:
        x, y, bound_x, bound_y = y, x, bound_y, bound_x
    # The larger factor in two halves, x = high * 2^shift + low, whose products are that much smaller.
    shift = (bound_x.bit_length() + 1) // 2
    high, low = x >> shift, x & ((1 << shift) - 1)
    return (exact_dot(high, y, (bound_x >> shift) + 1, bound_y) << shift) + exact_dot(low, y, 1 << shift, bound_y)


def normal_quantile(confidence: float) -> float:
    """Half width, in standard errors, of a two-sided normal interval.

    Raises
    ------
    ValueError
        If `confidence` is not between 0 and 1.
    """
    from scipy.special import ndtri

    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; allowed is a number between 0 and 1, such as 0.95")
    return float(ndtri((1 + confidence) / 2))


def effective_rows(sums: Sums) -> float:
    """Number of independent rows that would tell as much of a share as these: rows / design effect.

    Equal to the number of rows where each deal has one. Where nothing varies, the rows of a deal are taken as fully
    dependent; a share between 0 and 1 that is the same in every deal counts as if a row were out of line.
    """
    if sums.clusters < 2 or sums.a in (0, sums.m):
        return float(sums.clusters)
    p = Fraction(sums.a, sums.m)
    variance = max(sums.residuals, p * (1 - p)) * sums.clusters / ((sums.clusters - 1) * sums.m**2)
    design_effect = variance / (p * (1 - p) / (sums.m - 1))
    return float(sums.m / design_effect)


def ratio(sums: Sums, confidence: float) -> Estimate:
    """Sum of a over sum of m, which is the mean of rows: normal on the linearised ratio, clustered by deal.

    With one row a deal this is the sample mean and its standard error s / sqrt(n).
    """
    if sums.m == 0:
        return Estimate(0)
    estimate = sums.a / sums.m
    if sums.clusters < 2:
        return Estimate(sums.m, estimate)
    std_error = math.sqrt(sums.residuals * sums.clusters / ((sums.clusters - 1) * sums.m**2))
    half_width = normal_quantile(confidence) * std_error
    return Estimate(sums.m, estimate, estimate - half_width, estimate + half_width, std_error)


def standard_deviation(sums: Sums, confidence: float) -> Estimate:
    """Sample standard deviation of rows: normal, by the delta method, clustered by deal."""
    if sums.m < 2 or sums.clusters < 2:
        return Estimate(sums.m)
    mean = Fraction(sums.a, sums.m)
    variance = Fraction(sums.b, sums.m) - mean**2
    estimate = math.sqrt(variance * sums.m / (sums.m - 1))
    if variance == 0:
        return Estimate(sums.m, 0.0, 0.0, 0.0, 0.0)
    # A deal moves the variance by z = b - 2 mean a + (mean² - variance) m; this is the sum of z².
    constant = mean**2 - variance
    moved = (
        sums.bb
        + 4 * mean**2 * sums.aa
        + constant**2 * sums.mm
        - 4 * mean * sums.ab
        + 2 * constant * sums.bm
        - 4 * mean * constant * sums.am
    )
    std_error = math.sqrt(moved * sums.clusters / ((sums.clusters - 1) * sums.m**2)) / (2 * estimate)
    half_width = normal_quantile(confidence) * std_error
    return Estimate(sums.m, estimate, max(0.0, estimate - half_width), estimate + half_width, std_error)


@dataclass(frozen=True, slots=True)
class Distribution:
    """How often each value occurs, and how the rows of a deal go together.

    Attributes
    ----------
    values
        Rising.
    counts
        Rows with each value.
    ranks, sizes
        For deals of several rows: the same rows, counted 2r - 1 times where the row is the r-th lowest of its deal,
        and as many times as its deal has rows. Their running totals are, of the rows at or below a value, the sums
        over deals of a² and am. None where a deal has one row.
    clusters, mm
        Deals with a row; sum over deals of the square of their number of rows.
    """

    values: Sequence[int]
    counts: Sequence[int]
    ranks: Sequence[int] | None = None
    sizes: Sequence[int] | None = None
    clusters: int = 0
    mm: int = 0


MOST_EFFECTIVE_ROWS = 2**31 - 1
"""Where there are more rows than these, or opposite sides are worth more, the binomial distribution is told no more."""


def quantiles(distribution: Distribution, percents: Sequence[int], confidence: float) -> list[Estimate]:
    """Quantiles with order-statistic intervals, on the effective number of rows where deals have several.

    The quantile p is the lowest value at or below which at least the share p of the rows lies. An end of the
    interval is None where so few rows determine none.
    """
    below = list(accumulate(distribution.counts))
    n = below[-1] if below else 0
    if n == 0:
        return [Estimate(0) for _ in percents]
    ranks, sizes = (list(accumulate(weights or ())) for weights in (distribution.ranks, distribution.sizes))

    def effective_at(index: int) -> float | None:
        if not 0 <= index < len(below) or below[index] == n:
            return None
        return effective_rows(Sums(distribution.clusters, n, below[index], distribution.mm, ranks[index], sizes[index]))

    def value_at(rank: int) -> float:
        return float(distribution.values[_first_at_least(below, rank)])

    estimates = []
    for percent in percents:
        index = _first_at_least(below, -(-n * percent // 100))
        effective = n
        if distribution.ranks is not None:
            around = [rows for rows in (effective_at(index - 1), effective_at(index)) if rows is not None]
            effective = max(1, math.floor(min(around, default=float(distribution.clusters))))
        effective = min(effective, MOST_EFFECTIVE_ROWS)
        low, high = order_statistics(effective, percent / 100, confidence)
        estimates.append(
            Estimate(
                n,
                float(distribution.values[index]),
                None if low is None else value_at(max(1, low * n // effective)),
                None if high is None else value_at(min(n, -(-high * n // effective))),
            )
        )
    return estimates


def order_statistics(n: int, p: float, confidence: float) -> tuple[int | None, int | None]:
    """Ranks (from 1) of the order statistics that hold the quantile `p` of a population with this confidence or more.

    None where no rank does: the lowest of few rows may well lie above a low quantile.
    """
    from scipy.special import bdtr

    def at_most(rank: int) -> float:
        return float(bdtr(rank, n, p)) if rank >= 0 else 0.0

    def highest_with(limit: float) -> int:
        # Halving takes no longer for the billions of effective rows that opposite sides can be worth.
        return bisect_right(range(n + 1), limit, key=at_most) - 1

    tail = (1 - confidence) / 2
    low = highest_with(tail) + 1
    below = highest_with(1 - tail)
    high = below + (1 if at_most(below) == 1 - tail else 2)
    return (low if low >= 1 else None), (high if high <= n else None)


def _first_at_least(rising: Sequence[int], wanted: int) -> int:
    return bisect_left(rising, wanted)


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Mean of a - b over pairs.

    Attributes
    ----------
    n
        Pairs.
    mean, std_error, low, high
        In the unit of the values; None where so few pairs determine none.
    confidence
        Of the interval from `low` to `high`.
    better, worse, equal
        Pairs with a above b, below b, and the same.
    sign_test
        Probability of counts at least this uneven if either sign were as likely (two-sided, exact binomial, pairs
        with a difference only); 1 without any such pair.
    """

    n: int
    mean: float | None
    std_error: float | None
    low: float | None
    high: float | None
    confidence: float
    better: int
    worse: int
    equal: int
    sign_test: float


@dataclass(frozen=True, slots=True)
class PairedSums:
    """Sums over pairs; those of two sets of pairs can be added in any order."""

    n: int = 0
    total: int = 0
    squares: int = 0
    better: int = 0
    worse: int = 0

    @classmethod
    def of(cls, values_a: npt.ArrayLike, values_b: npt.ArrayLike) -> PairedSums:
        """Sums of the differences of whole numbers.

        Parameters
        ----------
        values_a, values_b
            Integers or flags, shape (pairs,), pair by pair.

        Raises
        ------
        ValueError
            If the shapes differ or are not one-dimensional.
        TypeError
            If a value is no whole number.
        """
        a, b = _whole(values_a, "values_a"), _whole(values_b, "values_b")
        if a.shape != b.shape or a.ndim != 1:
            raise ValueError(f"pairs need two rows of equal length; these have the shapes {a.shape} and {b.shape}")
        difference = a - b
        bound = int(np.abs(difference).max()) if len(difference) else 0
        return cls(
            len(difference),
            int(difference.sum()),
            exact_dot(difference, difference, bound, bound),
            int(np.count_nonzero(difference > 0)),
            int(np.count_nonzero(difference < 0)),
        )

    def __add__(self, other: PairedSums) -> PairedSums:
        """Sums of both sets of pairs."""
        return PairedSums(
            self.n + other.n,
            self.total + other.total,
            self.squares + other.squares,
            self.better + other.better,
            self.worse + other.worse,
        )

    def difference(self, confidence: float = 0.95) -> PairedDifference:
        """Mean difference with a normal interval.

        Raises
        ------
        ValueError
            If `confidence` is not between 0 and 1.
        """
        normal_quantile(confidence)
        mean = ratio(
            Sums(clusters=self.n, m=self.n, a=self.total, mm=self.n, aa=self.squares, am=self.total), confidence
        )
        return PairedDifference(
            self.n,
            mean.estimate,
            mean.std_error,
            mean.low,
            mean.high,
            confidence,
            self.better,
            self.worse,
            self.n - self.better - self.worse,
            sign_test(self.better, self.worse),
        )


def paired_difference(values_a: npt.ArrayLike, values_b: npt.ArrayLike, confidence: float = 0.95) -> PairedDifference:
    """Mean of a - b over pairs, with its interval, and the sign test.

    Parameters
    ----------
    values_a, values_b
        Integers or flags, shape (pairs,): what the two ways of playing made of the same deal.
    confidence
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the shapes do not fit or `confidence` is out of range.
    TypeError
        If a value is no whole number.
    """
    return PairedSums.of(values_a, values_b).difference(confidence)


def sign_test(better: int, worse: int) -> float:
    """Two-sided exact binomial probability of counts at least as uneven, if either sign were as likely."""
    from scipy.special import bdtr

    n = better + worse
    return min(1.0, 2 * float(bdtr(min(better, worse), n, 0.5))) if n else 1.0


def _whole(values: npt.ArrayLike, name: str) -> npt.NDArray[np.int64]:
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iub":
        raise TypeError(f"{name}: whole numbers are needed, not {array.dtype}")
    if array.dtype.kind == "u" and array.size and int(array.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"{name}: {int(array.max())} is too large")
    return array.astype(np.int64)
