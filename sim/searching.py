"""The search for whole numbers that play best: successive halving, and an incumbent that is hard to replace.

Nothing here knows a game: points are told apart by a function that plays them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sim.candidates import Dimension, Everything, Point, Strategy, size_of

if TYPE_CHECKING:
    from analysis.paired import PairedRatios

Play = Callable[[Sequence[Point], int, int], "list[PairedRatios]"]
"""Plays points on deals ``first`` to ``first + count - 1``; of each the sums, paired with the first point's."""

LAST_RUNG = 4
"""Candidates that are not halved any more."""

CLOSING = 4
"""Deals on which the last decision of a search falls, in those of a candidate."""

STILL_FOR = 10
"""Generations for which nothing has moved when a search ends; now and then one value is still tried beside itself."""

REPLACES = 1.96
"""Standard errors by which a challenger must be ahead of the incumbent."""

GENERATIONS, BUDGET, STALLED, CONVERGED, ALL_TRIED, NOTHING_MATTERS, INTERRUPTED = (
    "generations",
    "budget",
    "stalled",
    "converged",
    "all_tried",
    "nothing_matters",
    "interrupted",
)
"""Why a search ended."""


class StoppedError(Exception):
    """The deals that were asked for were not all played."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How long a search goes on.

    Attributes
    ----------
    deals
        That a candidate is played on if it comes to the last rung.
    population
        Candidates of a generation.
    generations
        The most.
    patience
        Generations after which it ends if none of them found a better incumbent.
    budget
        The most deals, those of all candidates added; None for no limit.
    """

    deals: int
    population: int
    generations: int
    patience: int
    budget: int | None = None


@dataclass(frozen=True, slots=True)
class Generation:
    """What a generation found.

    Attributes
    ----------
    number
        From 1.
    best, best_estimate
        The candidate in front, and its estimate on the deals that put it there: too good by its luck.
    mean
        Mean estimate of all candidates on the deals of the first rung.
    sigma
        Step size of CMA-ES, in that of the first generation.
    deals
        Deals played so far, those of all candidates added.
    incumbent, replaced
        The best point so far, and whether it is new.
    """

    number: int
    best: Point
    best_estimate: float
    mean: float
    sigma: float
    deals: int
    incumbent: Point
    replaced: bool


@dataclass
class Found:
    """What a search found: the incumbent, its estimate when it was chosen, the way there, and why it ended."""

    incumbent: Point
    estimate: float | None = None
    trajectory: list[Generation] = field(default_factory=list)
    deals: int = 0
    stopped_by: str = GENERATIONS


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates in order.

    Attributes
    ----------
    places
        Of each candidate, 0 for the best; equal ones share a place.
    best, best_estimate
        The one in front, with its estimate on the last rung.
    mean
        Mean estimate on the first rung.
    """

    places: list[int]
    best: Point
    best_estimate: float
    mean: float


def default_population(dimensions: int) -> int:
    """Candidates of a generation: that of CMA-ES, rounded up so that it can be halved twice."""
    return 4 * math.ceil((4 + 3 * math.log(dimensions)) / 4)


def default_generations(dimensions: int) -> int:
    """Most generations."""
    return 20 + 2 * dimensions


def default_patience(dimensions: int) -> int:
    """Generations without a better incumbent after which a search ends."""
    return 10 + dimensions


def rungs(candidates: int, deals: int) -> list[tuple[int, int]]:
    """Candidates and deals of each rung; the deals of a rung hold those of the rung before.

    Examples
    --------
    >>> rungs(12, 1000)
    [(12, 250), (6, 500), (3, 1000)]
    """
    sizes = [candidates]
    while sizes[-1] > LAST_RUNG:
        sizes.append(-(-sizes[-1] // 2))
    return [(size, -(-deals // 2 ** (len(sizes) - 1 - rung))) for rung, size in enumerate(sizes)]


def deals_of_generation(population: int, deals: int) -> int:
    """Most deals that a generation plays, those of all candidates added: the rungs and the challenge."""
    played, before = 0, 0
    for size, upto in rungs(population, deals):
        played, before = played + size * (upto - before), upto
    return played + 3 * deals


def least_deals(terms: Terms) -> int:
    """Deals that a search of one generation plays at most, those of all candidates added."""
    return deals_of_generation(terms.population, terms.deals) + 3 * CLOSING * terms.deals


def most_deals(terms: Terms) -> int:
    """Most deals that a search plays, those of all candidates added."""
    most = least_deals(terms) + (terms.generations - 1) * deals_of_generation(terms.population, terms.deals)
    return most if terms.budget is None else min(most, terms.budget)


def rank(points: Sequence[Point], play: Play, first: int, deals: int) -> tuple[Ranking, int]:
    """Successive halving: all candidates on some deals, the better half on twice as many, and so on.

    A candidate that got further ranks above one that did not; those that went out together, by what they had then.

    Returns
    -------
    ranking : Ranking
    played : int
        Deals, those of all candidates added.
    """
    alive = list(dict.fromkeys(points))
    totals = dict.fromkeys(alive, 0)
    keys: dict[Point, tuple[int, int]] = {}
    mean, rows, played, before = 0.0, 0, 0, 0
    for rung, (size, upto) in enumerate(rungs(len(alive), deals)):
        if rung:
            alive = sorted(alive, key=lambda point: -totals[point])[:size]
        if upto > before:
            sums = play(alive, first + before, upto - before)
            for point, found in zip(alive, sums, strict=True):
                totals[point] += found.sums[0]
            rows += sums[0].sums[1]
            played, before = played + len(alive) * (upto - before), upto
        keys.update({point: (rung, totals[point]) for point in alive})
        if not rung:
            mean = sum(totals[point] for point in points) / (len(points) * rows)
    best = max(alive, key=lambda point: totals[point])
    order = sorted(set(keys.values()), reverse=True)
    return Ranking([order.index(keys[point]) for point in points], best, totals[best] / rows, mean), played


def _estimate(sums: PairedRatios) -> float:
    """Estimate of a point by its sums."""
    return sums.sums[0] / sums.sums[1]


class Search:
    """A search that is under way.

    Parameters
    ----------
    dimensions
        What is sought.
    start
        Incumbent in the beginning; it need not lie in the ranges.
    play
        Plays points. Raises `StoppedError` if it was interrupted.
    terms
        How long it goes on.
    seed
        Of the candidates.
    watch
        Called after each generation.
    """

    def __init__(
        self,
        dimensions: Sequence[Dimension],
        start: Point,
        play: Play,
        terms: Terms,
        seed: int,
        watch: Callable[[Generation], None] | None = None,
    ) -> None:
        self.terms = terms
        self.found = Found(start)
        self._play = play
        self._watch = watch
        self._is_small = size_of(dimensions) <= terms.population
        self._strategy = Everything(dimensions) if self._is_small else Strategy(dimensions, terms.population, seed)
        self._means: list[npt.NDArray[np.float64]] = []
        self._idle = 0
        self._still = 0

    def run(self) -> Found:
        """Search until a stop rule or an interrupt; the deals are 0, 1, 2, ... ."""
        found = self.found
        try:
            while (reason := self._reason_to_stop()) is None:
                self._generation()
            found.stopped_by = reason
            if not self._is_small:
                self._close()
        except StoppedError:
            found.stopped_by = INTERRUPTED
        return found

    @property
    def _next_deal(self) -> int:
        """First deal that no generation has played: each has a block of its own."""
        return 2 * self.terms.deals * len(self.found.trajectory)

    def _reason_to_stop(self) -> str | None:
        terms, found = self.terms, self.found
        done = len(found.trajectory)
        if done and self._is_small:
            return ALL_TRIED
        if done >= terms.generations:
            return GENERATIONS
        if terms.budget is not None and found.deals + least_deals(terms) > terms.budget:
            return BUDGET
        if self._still >= STILL_FOR:
            return CONVERGED
        return STALLED if self._idle >= terms.patience else None

    def _generation(self) -> None:
        terms, found, first = self.terms, self.found, self._next_deal
        points = self._strategy.ask()
        ranking, played = rank(points, self._play, first, terms.deals)
        self._strategy.tell(ranking.places)
        challengers = [ranking.best]
        if isinstance(self._strategy, Strategy):
            self._means.append(self._strategy.mean)
            challengers.append(self._strategy.rounded(self._means[-1]))
        found.deals += played
        replaced = self._challenge(challengers, first + terms.deals, terms.deals, REPLACES)
        self._idle = 0 if replaced else self._idle + 1
        self._still = self._still + 1 if self._strategy.is_still else 0
        found.trajectory.append(
            Generation(
                len(found.trajectory) + 1,
                ranking.best,
                ranking.best_estimate,
                ranking.mean,
                self._strategy.sigma,
                found.deals,
                found.incumbent,
                replaced,
            )
        )
        if self._watch is not None:
            self._watch(found.trajectory[-1])

    def _close(self) -> None:
        """Let the mean of the last half of all centres have a try too: noise falls out of it more than of any one.

        Here the one in front wins: what it is worth is told on other deals anyway.
        """
        if not self._means or not isinstance(self._strategy, Strategy):
            return
        half = self._means[len(self._means) // 2 :]
        averaged = self._strategy.rounded(np.mean(half, axis=0))
        last = self._strategy.rounded(self._means[-1])
        self._challenge([averaged, last], self._next_deal, CLOSING * self.terms.deals, 0.0)

    def _challenge(self, challengers: Sequence[Point], first: int, deals: int, least: float) -> bool:
        """Play challengers against the incumbent on deals that did not choose them; whether one replaced it."""
        found = self.found
        others = [point for point in dict.fromkeys(challengers) if point != found.incumbent]
        if not others:
            return False
        _, *sums = self._play([found.incumbent, *others], first, deals)
        found.deals += (len(others) + 1) * deals
        ahead = [_standard_errors_ahead(one) for one in sums]
        best = max(range(len(others)), key=lambda index: _estimate(sums[index]))
        if ahead[best] <= least:
            return False
        found.incumbent, found.estimate = others[best], _estimate(sums[best])
        return True


def _standard_errors_ahead(sums: PairedRatios) -> float:
    """How far a point is ahead of the one it is paired with, in standard errors of the difference."""
    found = sums.difference(0.95)
    if not found.difference or found.std_error is None:
        return 0.0
    return found.difference / found.std_error if found.std_error else math.copysign(math.inf, found.difference)
