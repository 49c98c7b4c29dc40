"""Two ways of playing the same deals: the difference of their ratios, from sums over deals.

Each way turns a deal into a pair (a, m), and its estimate is R = sum a / sum m, as in `analysis.estimate`. The deals
are the same, so what the cards do to both falls out of the difference (common random numbers; Owen, "Monte Carlo
theory, methods and examples", chapter 8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from analysis.estimate import Integers, Sums, exact_dot, normal_quantile
from analysis.proportion import share_interval

VECTORS = 4
"""a and m of the first way, a and m of the second."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much the ratio of the first way lies above that of the second.

    Attributes
    ----------
    n
        Deals.
    first, second
        Both ratios.
    difference, low, high, std_error
        Of the first less the second; None where the deals do not determine it.
    variance_reduction
        How many times as many deals it would take to know the difference as well, if each way were played on deals
        of its own. None where nothing varies.
    """

    n: int
    first: float | None = None
    second: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    std_error: float | None = None
    variance_reduction: float | None = None

    @property
    def half_width(self) -> float:
        """Half of the interval's width; 0 where there is none."""
        return 0.0 if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class PairedRatios:
    """Sums over deals of a, m (first way), a, m (second way), and of their products; exact, added in any order.

    Attributes
    ----------
    n
        Deals.
    sums
        Of each of the four.
    products
        Of each two of them, row by row of the upper triangle of a 4 x 4 matrix.
    """

    n: int = 0
    sums: tuple[int, ...] = (0,) * VECTORS
    products: tuple[int, ...] = (0,) * (VECTORS * (VECTORS + 1) // 2)

    @classmethod
    def of(cls, *vectors: Integers) -> PairedRatios:
        """Sums of a chunk of deals: a, m, a, m, each of shape (deals,)."""
        bounds = [int(np.abs(vector).max()) if len(vector) else 0 for vector in vectors]
        products = [
            exact_dot(vectors[row], vectors[column], bounds[row], bounds[column])
            for row in range(VECTORS)
            for column in range(row, VECTORS)
        ]
        return cls(len(vectors[0]), tuple(int(vector.sum()) for vector in vectors), tuple(products))

    def __add__(self, other: PairedRatios) -> PairedRatios:
        """Sums of both sets of deals."""
        return PairedRatios(
            self.n + other.n,
            tuple(x + y for x, y in zip(self.sums, other.sums, strict=True)),
            tuple(x + y for x, y in zip(self.products, other.products, strict=True)),
        )

    def difference(self, confidence: float) -> Difference:
        """First ratio less the second: normal on the linearised ratios, a deal being one observation.

        Raises
        ------
        ValueError
            If `confidence` is not between 0 and 1.
        """
        a_1, m_1, a_2, m_2 = self.sums
        half = normal_quantile(confidence)
        if m_1 == 0 or m_2 == 0:
            return Difference(self.n, a_1 / m_1 if m_1 else None, a_2 / m_2 if m_2 else None)
        first, second = Fraction(a_1, m_1), Fraction(a_2, m_2)
        difference = float(first - second)
        if self.n < 2:
            return Difference(self.n, float(first), float(second), difference)
        # A deal moves the difference by n (a_1 - first m_1) / sum m_1 - n (a_2 - second m_2) / sum m_2.
        one = (Fraction(self.n, m_1), -first * self.n / m_1, Fraction(0), Fraction(0))
        two = (Fraction(0), Fraction(0), Fraction(self.n, m_2), -second * self.n / m_2)
        both = tuple(x - y for x, y in zip(one, two, strict=True))
        variance, apart = self._squares(both), self._squares(one) + self._squares(two)
        std_error = math.sqrt(variance / (self.n * (self.n - 1)))
        return Difference(
            self.n,
            float(first),
            float(second),
            difference,
            difference - half * std_error,
            difference + half * std_error,
            std_error,
            float(apart / variance) if variance else None,
        )

    def share_difference(self, confidence: float) -> Difference:
        """First ratio less the second where both are shares of rows of which a deal has one at most, true or false.

        The interval joins those of the two shares (`analysis.proportion`), with the correlation of the deals (Newcombe,
        "Improved confidence intervals for the difference between binomial proportions based on paired data",
        Statistics in Medicine 17, 1998, method 10): it stays within -1 and 1, and few or equal deals do not close it.

        Raises
        ------
        ValueError
            If `confidence` is not between 0 and 1.
        """
        found = self.difference(confidence)
        if found.difference is None or found.first is None or found.second is None:
            return found
        a_1, m_1, a_2, m_2 = self.sums
        low_1, high_1 = share_interval(a_1, m_1, confidence)
        low_2, high_2 = share_interval(a_2, m_2, confidence)
        correlation = self._correlation()
        down = _joined(found.first - low_1, high_2 - found.second, correlation)
        up = _joined(high_1 - found.first, found.second - low_2, correlation)
        low, high = max(-1.0, found.difference - down), min(1.0, found.difference + up)
        return replace(found, low=low, high=high)

    def _correlation(self) -> float:
        """Correlation of what the deals do to the two ratios; 0 where one of them does not vary."""
        a_1, m_1, a_2, m_2 = self.sums
        first, second = Fraction(a_1, m_1), Fraction(a_2, m_2)
        one = (Fraction(1), -first, Fraction(0), Fraction(0))
        two = (Fraction(0), Fraction(0), Fraction(1), -second)
        alone = (self._squares(one), self._squares(two))
        if 0 in alone:
            return 0.0
        both = self._squares(tuple(x + y for x, y in zip(one, two, strict=True)))
        return float((both - alone[0] - alone[1]) / 2) / math.sqrt(alone[0] * alone[1])

    @property
    def first(self) -> Sums:
        """Sums of the first way alone; a deal counts as a cluster if it has a row, where it has one at most."""
        a, m, _, _ = self.sums
        return Sums(
            clusters=min(self.n, m), m=m, a=a, aa=self.products[0], am=self.products[1], mm=self.products[VECTORS]
        )

    def _squares(self, weights: tuple[Fraction, ...]) -> Fraction:
        """Sum over deals of the square of the weighted sum of the four."""
        total, index = Fraction(0), 0
        for row in range(VECTORS):
            for column in range(row, VECTORS):
                total += weights[row] * weights[column] * self.products[index] * (1 if row == column else 2)
                index += 1
        return total


def _joined(one: float, other: float, correlation: float) -> float:
    """Distance from the difference to the end of its interval, from the distances of the two shares' ends."""
    return math.sqrt(max(0.0, one * one - 2 * correlation * one * other + other * other))


def two_sided_probability(difference: Difference) -> float:
    """Probability of a difference at least as far from 0 if the ways were equal, by the normal distribution.

    1 where no deal tells them apart, 0 where every deal says the same.
    """
    from scipy.special import ndtr

    if difference.difference is None or difference.std_error is None or difference.difference == 0:
        return 1.0
    if difference.std_error == 0:
        return 0.0
    return float(2 * ndtr(-abs(difference.difference) / difference.std_error))


def holm(probabilities: npt.ArrayLike) -> list[float]:
    """Probabilities adjusted for their number, in the same order (Holm, Scand. J. Statist. 6, 1979).

    Rejecting those at or below a level rejects a true hypothesis anywhere with no more than that probability.
    """
    given = np.asarray(probabilities, np.float64)
    adjusted = np.empty_like(given)
    reached = 0.0
    for place, index in enumerate(np.argsort(given, kind="stable")):
        reached = max(reached, min(1.0, float(given[index]) * (len(given) - place)))
        adjusted[index] = reached
    return [float(value) for value in adjusted]
