"""Proportions of rows that depend on each other within a deal, from how many deals are alike.

Of each deal two numbers count: its rows, and of how many of them the statement is true. The interval is the score
interval of the ratio of their means: Wilson's where a deal has one row, Tango's where it has two, Wilson's on deals
where only two totals are possible. Formulas and references: docs/statistics.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.estimate import Estimate, Integers, Sums, normal_quantile

MANY_DEALS = 50


@dataclass(frozen=True, slots=True)
class DealCounts:
    """How many deals are alike.

    Attributes
    ----------
    cells
        Rows `m` of a deal (1 or more), rows `a` of which it is true, and how many such deals there are (1 or more).
    most
        Of so many rows of a deal it can be true; None for any number.
    """

    cells: Sequence[tuple[int, int, int]]
    most: int | None = None

    @classmethod
    def of(cls, table: Integers, most: int | None = None) -> DealCounts:
        """Counts from a table of deals by `m` (from 0) and `a` (from 0)."""
        found = [(m, a, deals) for m, line in enumerate(table.tolist()) for a, deals in enumerate(line)]
        return cls([cell for cell in found if cell[0] and cell[2]], most)

    @property
    def sums(self) -> Sums:
        """Sums over deals, without those that only a standard deviation needs."""
        total = Sums()
        for m, a, deals in self.cells:
            total += Sums(deals, deals * m, deals * a, deals * m * m, deals * a * a, deals * a * m)
        return total

    def possible(self, rows: int) -> int:
        """Of how many of so many rows of a deal it can be true."""
        return rows if self.most is None else min(rows, self.most)


def wilson(p: float, n: float, confidence: float) -> tuple[float, float]:
    """Score interval of a proportion (Wilson 1927).

    Parameters
    ----------
    p
        Observed share, 0 to 1.
    n
        Number of independent rows, above 0.
    """
    z2 = normal_quantile(confidence) ** 2
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half_width = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return (0.0 if p == 0 else max(0.0, middle - half_width)), (1.0 if p == 1 else min(1.0, middle + half_width))


def proportion(counts: DealCounts, confidence: float) -> Estimate:
    """Share of rows of which something is true, with its score interval."""
    if not counts.cells:
        return Estimate(0)
    sums = counts.sums
    share = sums.a / sums.m
    low, high = wilson(share, sums.m, confidence) if sums.mm == sums.clusters else score_interval(counts, confidence)
    return Estimate(sums.m, share, *_widened(counts, low, high, confidence), math.sqrt(sums.residuals) / sums.m)


def share_of(true: int, rows: int, confidence: float) -> Estimate:
    """Share of rows of which something is true, where a deal has one row at most, with its interval.

    Parameters
    ----------
    true, rows
        Of how many rows it is true, and how many there are.
    """
    cells = [(1, 1, true), (1, 0, rows - true)]
    return proportion(DealCounts([cell for cell in cells if cell[2]]), confidence)


def share_interval(true: int, rows: int, confidence: float) -> tuple[float, float]:
    """Ends of the interval of `share_of`, of one row or more."""
    found = share_of(true, rows, confidence)
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def _widened(counts: DealCounts, low: float, high: float, confidence: float) -> tuple[float, float]:
    """Interval with the end that few deals decide moved to the Poisson limit of their number.

    A score interval from one deal refuses a share so small that even one such deal would be luck, and with it the
    truth in up to one run of six (Brown, Cai and DasGupta 2001, section 4.1.1, whose limits of "few" these are).
    """
    from scipy.special import gammaincinv

    deals = sum(cell[2] for cell in counts.cells)
    rows = sum(m * alike for m, _, alike in counts.cells)
    possible = sum(counts.possible(m) * alike for m, _, alike in counts.cells)
    true = [(a, alike) for _, a, alike in counts.cells if a > 0]
    untrue = [(counts.possible(m) - a, alike) for m, a, alike in counts.cells if a < counts.possible(m)]

    def least(odd: Sequence[tuple[int, int]]) -> float | None:
        few = sum(alike for _, alike in odd)
        if few == 0 or 2 * few >= deals or few > (2 if deals <= MANY_DEALS else 3):
            return None
        return float(gammaincinv(few, 1 - confidence)) / few * sum(size * alike for size, alike in odd) / rows

    above, below = least(true), least(untrue)
    return (low if above is None else min(low, above)), (high if below is None else max(high, possible / rows - below))


def score_interval(counts: DealCounts, confidence: float) -> tuple[float, float]:
    """Shares that a score test at 1 - `confidence` does not refuse.

    The test takes deals as draws from all cells that are possible with the numbers of rows that occurred, whether or
    not such a deal did. Where nothing varies, what was never seen may be true of a whole deal at a time.
    """
    z2 = normal_quantile(confidence) ** 2
    sums = counts.sums
    share = sums.a / sums.m
    highest = max(counts.possible(m) / m for m, _, _ in counts.cells)

    def end(bound: float) -> float:
        held, refused = share, bound
        while (middle := (held + refused) / 2) not in (held, refused):
            if _is_held(counts, sums, middle, z2):
                held = middle
            else:
                refused = middle
        return held

    return (end(0.0) if share > 0 else 0.0), (end(highest) if share < highest else highest)


def _is_held(counts: DealCounts, sums: Sums, share: float, z2: float) -> bool:
    """Whether the score statistic of a share is at most z².

    Under that share the likeliest probability of a cell is deals / (all deals x (1 + tilt x u)), u = a - share x m,
    with the tilt at which the mean of u is 0; the statistic is tilt x (sum of u). So it is at most z² where the tilt
    z² / (sum of u) is too much and turns the mean of u to the other side.
    """
    total = sums.a - share * sums.m
    if total == 0:
        return True
    tilt = z2 / total
    outermost = min if tilt > 0 else max
    rows = {m for m, _, _ in counts.cells}
    edge = outermost(bound - share * m for m in rows for bound in (0, counts.possible(m)))
    if 1 + tilt * edge <= 0:
        # Deals that were not seen, at the edge of what is possible, take what probability is needed.
        return True
    turned = 0.0
    for m, a, deals in counts.cells:
        u = a - share * m
        turned += deals * u / (1 + tilt * u)
    return turned * tilt <= 0
