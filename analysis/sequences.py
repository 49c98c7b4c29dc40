"""Confidence sequences: intervals that hold the truth at every number of deals at once.

A run that stops as soon as an interval looks good has looked at many intervals, and one made for a fixed number of
deals then misses the truth far more often than it says. Of a confidence sequence all intervals together miss it with
at most the chance 1 - confidence, so a run may stop at any of them, for any reason.

Each is the set of values against which no fair bet has won 1 / (1 - confidence) times its stake (Ville 1939). Bets
are settled deal by deal but need only the sums of `analysis.estimate`, so an interval depends on which deals are in
the sums and on nothing else. Formulas, what is exact and what is asymptotic, and references: docs/statistics.md.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from analysis import estimate
from analysis.estimate import Distribution, Estimate, Sums
from analysis.proportion import DealCounts

Floats = npt.NDArray[np.float64]

USUAL_DEALS = 25_000
"""Intervals of which no precision was asked are narrowest, for what can be had, at about so many deals."""

FEWEST_DECIDING = 100
"""An asymptotic interval is told once so many deals decide the estimate: before, what decides it may not have been seen
often enough, or not at all."""

STEP = 0.5
"""Stakes are tried at such steps, in powers of two."""

STEPS_BELOW = 24
LARGEST_STAKE = 0.999
NARROWEST = 1e-6
"""Stakes on shares are fitted to no narrower half width: it takes more deals than anybody plays, and the beta functions
would lose their digits."""

LEAST_RATIO = 1e-9
"""Of the variances of a mixture and an estimate; below, the interval is hopelessly wide in any case."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows that a deal can have in a group.

    Attributes
    ----------
    most
        The largest number of them.
    always
        Whether every deal has so many.
    """

    most: int
    always: bool


def proportion(counts: DealCounts, rows: Rows, confidence: float, wanted: float | None = None) -> Estimate:
    """Share of rows of which something is true: exact at any number of deals.

    With one row a deal a beta-binomial mixture (Robbins 1970; Howard et al. 2021), with several a mixture of bets on
    what a deal is out by (Waudby-Smith and Ramdas 2024).

    Parameters
    ----------
    counts
        How many deals are alike.
    rows
        What is known of a deal before it is played.
    wanted
        Half width for which the interval is to be as narrow as can be; it must not be chosen by the deals.
    """
    if not counts.cells:
        return Estimate(0)
    sums = counts.sums
    share = sums.a / sums.m
    if rows.most == 1:
        low, high = beta_binomial(sums.a, sums.m, confidence, wanted)
    else:
        low, high = betting(counts, rows, confidence, wanted)
    return Estimate(sums.m, share, low, high, math.sqrt(sums.residuals) / sums.m)


def beta_binomial(true: int, n: int, confidence: float, wanted: float | None = None) -> tuple[float, float]:
    """Interval of a share from independent rows, by a beta mixture around each share that is tried.

    Parameters
    ----------
    true, n
        Rows of which it is true, and all rows, one or more.
    """
    from scipy.special import betaln

    spread = _prior_spread(confidence, wanted, 0.25)
    limit = -math.log(1 - confidence)

    def refused(share: float) -> bool:
        if share in (0.0, 1.0):
            return true > 0 if share == 0.0 else true < n
        rows = 1 + share * (1 - share) / spread**2
        won, lost = rows * share, rows * (1 - share)
        evidence = float(betaln(won + true, lost + n - true)) - float(betaln(won, lost))
        return evidence - true * math.log(share) - (n - true) * math.log1p(-share) >= limit

    share = true / n
    return _edge(share, 0.0, refused), _edge(share, 1.0, refused)


def betting(counts: DealCounts, rows: Rows, confidence: float, wanted: float | None = None) -> tuple[float, float]:
    """Interval of a share from deals of several rows, whatever their dependence.

    If the share is R, a deal of m rows is out by u = a - R m, which is 0 in the mean, so that staking the same part
    of one's money on u in every deal wins nothing in the mean. Low shares are refused by stakes on more than R m,
    high ones by stakes on less, each against half of the level.
    """
    m, a, deals = (np.array(column, np.float64) for column in zip(*counts.cells, strict=True))
    possible = [(size, counts.possible(size)) for size in ([rows.most] if rows.always else range(1, rows.most + 1))]
    highest = max(most / size for size, most in possible)
    bound = max(max(most, highest * size) for size, most in possible)
    stakes, weights = _stakes(_prior_spread(confidence, wanted, 0.25) * rows.most / bound)
    limit = math.log(2 / (1 - confidence))

    def refused_by(sign: int) -> Callable[[float], bool]:
        def refused(share: float) -> bool:
            gains = np.log1p(np.multiply.outer(sign * stakes, (a - share * m) / bound)) @ deals
            return _log_sum(gains + weights) >= limit

        return refused

    share = float((a @ deals) / (m @ deals))
    return _edge(share, 0.0, refused_by(1)), _edge(share, highest, refused_by(-1))


def ratio(sums: Sums, confidence: float, wanted: float | None = None, deciding: float | None = None) -> Estimate:
    """Sum of a over sum of m, which is the mean of rows: asymptotic, on the linearised ratio, clustered by deal.

    Parameters
    ----------
    deciding
        As `deciding_deals` says; None where the values are not known, and every deal counts.
    """
    return _asymptotic(estimate.ratio(sums, confidence), sums, confidence, wanted, deciding)


def standard_deviation(
    sums: Sums, confidence: float, wanted: float | None = None, deciding: float | None = None
) -> Estimate:
    """Sample standard deviation of rows: asymptotic, by the delta method, clustered by deal."""
    found = _asymptotic(estimate.standard_deviation(sums, confidence), sums, confidence, wanted, deciding)
    return found if found.low is None else replace(found, low=max(0.0, found.low))


def deciding_deals(distribution: Distribution, rows: Rows) -> tuple[float, float]:
    """How many deals decide a mean, and how many a standard deviation.

    Of *n* values of which *k* differ and are alike it is *k*, of normal ones *n* / 3 (for the standard deviation *n* /
    15); rows of a deal may go together and count as one.
    """
    values, counts = (np.array(column, np.float64) for column in (distribution.values, distribution.counts))
    n = counts.sum()
    if n == 0:
        return 0.0, 0.0
    out = values - values @ counts / n

    def deciding(moves: Floats) -> float:
        squares = moves**2
        fourth = float(squares**2 @ counts)
        return float(squares @ counts) ** 2 / fourth / rows.most if fourth else 0.0

    return deciding(out), deciding(out**2 - out**2 @ counts / n)


def _asymptotic(
    fixed: Estimate, sums: Sums, confidence: float, wanted: float | None, deciding: float | None
) -> Estimate:
    """Interval of what is normal in the limit, from its standard error (Waudby-Smith et al. 2024, theorem 2.2)."""
    told = (sums.clusters if deciding is None else deciding) >= FEWEST_DECIDING
    if not told or not fixed.std_error or fixed.estimate is None:
        # Without a standard error nothing is known, and where it is 0 nothing of values that never occurred.
        return replace(fixed, low=None, high=None)
    information = mixture_information(confidence)
    if wanted is None:
        ratio_of_variances = information * sums.clusters / USUAL_DEALS
    else:
        ratio_of_variances = information / (information + 1) * (wanted / fixed.std_error) ** 2
    half_width = fixed.std_error * boundary(max(ratio_of_variances, LEAST_RATIO), confidence)
    return replace(fixed, low=fixed.estimate - half_width, high=fixed.estimate + half_width)


def boundary(ratio_of_variances: float, confidence: float) -> float:
    """Standard errors to either side of an estimate: the two-sided normal mixture (Robbins 1970).

    Parameters
    ----------
    ratio_of_variances
        Of the mixture to the estimate; the boundary is lowest where it is `mixture_information`.
    """
    x = ratio_of_variances
    return math.sqrt((1 + 1 / x) * (math.log1p(x) - 2 * math.log(1 - confidence)))


@lru_cache
def mixture_information(confidence: float) -> float:
    """Ratio of variances at which the boundary is lowest; there its square is that ratio plus 1."""
    from scipy.special import lambertw

    # At no confidence at all it is 0, and no mixture is left.
    return max(float(-lambertw(-((1 - confidence) ** 2) / math.e, -1).real - 1), 1e-3)


def _prior_spread(confidence: float, wanted: float | None, variance: float) -> float:
    """Standard deviation of the mixture that is best at the wanted half width, or else at the usual number of deals.

    Where an estimate has such a half width, the square of the boundary is the half width squared over the variance
    of the estimate, which leaves a mixture that does not depend on the variance of a deal.
    """
    information = mixture_information(confidence)
    if wanted is None:
        wanted = math.sqrt((information + 1) * variance / USUAL_DEALS)
    return max(wanted, NARROWEST) * math.sqrt(information / (information + 1))


def _stakes(spread: float) -> tuple[Floats, Floats]:
    """Parts of one's money to stake on a deal, and the logarithm of how much begins with each.

    The best stake is the wanted precision over the variance of a deal. That is 1/4 at most, so money is spread from
    four times the precision upwards, ever thinner, and downwards as under a normal mixture, for the time after.
    """
    lowest = min(4 * spread, LARGEST_STAKE / 2)
    steps_above = math.floor(math.log2(LARGEST_STAKE / lowest) / STEP)
    steps = np.arange(-STEPS_BELOW, steps_above + 1) * STEP
    weights = np.where(steps < 0, np.exp2(np.minimum(steps, 0)), 1 / (1 + np.maximum(steps, 0)))
    stakes: Floats = lowest * np.exp2(steps)
    return stakes, np.log(weights / weights.sum())


def _log_sum(logs: Floats) -> float:
    largest = float(logs.max())
    return largest + math.log(float(np.exp(logs - largest).sum()))


def _edge(held: float, bound: float, refused: Callable[[float], bool]) -> float:
    """Value furthest from `held` towards `bound` that is not refused, to the last bit, on the side of the refused."""
    if held == bound or not refused(bound):
        return bound
    out = bound
    while (middle := (held + out) / 2) not in (held, out):
        if refused(middle):
            out = middle
        else:
            held = middle
    return out


def quantiles(distribution: Distribution, percents: Sequence[int], rows: Rows, confidence: float) -> list[Estimate]:
    """Quantiles: exact at any number of deals, for any distribution (Howard and Ramdas 2022).

    A value is refused as the quantile p when too few rows lie at or below it, or too many below it, each against
    half of the level. With one row a deal the counts are bet on by truncated beta mixtures, with several by stakes
    on what a deal is out by, for which the sums of squares suffice (Fan, Grama and Liu 2015).
    """
    found = estimate.quantiles(distribution, percents, confidence)
    below = list(accumulate(distribution.counts))
    if not below:
        return found
    ends = []
    for percent in percents:
        if distribution.ranks is None:
            ends.append(_rank_ends(distribution, below, percent / 100, confidence))
        else:
            ends.append(_clustered_ends(distribution, below, percent / 100, rows.most, confidence))
    return [replace(each, low=low, high=high) for each, (low, high) in zip(found, ends, strict=True)]


Ends = tuple[float | None, float | None]


def _rank_ends(distribution: Distribution, below: Sequence[int], p: float, confidence: float) -> Ends:
    """Lowest value that has enough rows at or below it, and highest that has not too many below."""
    n = below[-1]
    fewest, most = fewest_below(n, p, confidence), n - fewest_below(n, 1 - p, confidence)
    low, high = bisect_left(below, fewest), bisect_left(below, most + 1)
    return (
        None if fewest == 0 else float(distribution.values[low]),
        None if high == len(below) else float(distribution.values[high]),
    )


def fewest_below(n: int, p: float, confidence: float) -> int:
    """Least number of n independent rows, each of which counts with the chance `p` or more, that is not refused.

    The sequence of these numbers is crossed with a chance of (1 - confidence) / 2 at most.
    """
    from scipy.special import betainc, betaln

    rows = 1 + USUAL_DEALS / mixture_information(confidence)
    won, lost = rows * p, rows * (1 - p)
    prior = float(betaln(won, lost)) + math.log(float(betainc(won, lost, p)))
    limit = math.log(2 / (1 - confidence))

    def held(count: int) -> bool:
        part = float(betainc(won + count, lost + n - count, p))
        if part == 0:
            return True
        evidence = float(betaln(won + count, lost + n - count)) + math.log(part) - prior
        return evidence - count * math.log(p) - (n - count) * math.log1p(-p) < limit

    # More rows at or below speak less for a chance below p.
    return bisect_left(range(math.floor(n * p)), True, key=held)


def _clustered_ends(distribution: Distribution, below: Sequence[int], p: float, most: int, confidence: float) -> Ends:
    """Ends from the sums over deals of a², am and m², a being the deal's rows at or below a value."""
    a = np.array([0, *below], np.float64)
    ranks, sizes = distribution.ranks or (), distribution.sizes or ()
    aa, am = (np.cumsum([0, *weights], dtype=np.float64) for weights in (ranks, sizes))
    m, mm = float(below[-1]), float(distribution.mm)
    out = (a - p * m) / most
    squares = (aa - 2 * p * am + p * p * mm) / most**2
    stakes, weights = _stakes(_prior_spread(confidence, None, 0.25))
    growth = np.log1p(-stakes) + stakes
    limit = math.log(2 / (1 - confidence))

    def refused(sign: int) -> npt.NDArray[np.bool_]:
        gains = np.multiply.outer(sign * out, stakes) + np.multiply.outer(squares, growth) + weights
        largest = gains.max(axis=1)
        won: Floats = largest + np.log(np.exp(gains - largest[:, None]).sum(axis=1))
        return won >= limit

    # Place i holds the rows at or below value i - 1: too few of them refuse that value, too many the next one.
    enough, not_too_many = np.flatnonzero(~refused(-1)), np.flatnonzero(~refused(1))
    lowest, highest = int(enough[0]), int(not_too_many[-1])
    return (
        None if lowest == 0 else float(distribution.values[lowest - 1]),
        None if highest == len(below) else float(distribution.values[highest]),
    )
