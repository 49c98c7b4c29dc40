"""Two policies, or one policy under two sets of rules, on the same deals: sums, results, and the words for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.estimate import Integers, exact_dot, sign_test
from analysis.frames import Records, outcomes
from analysis.paired import Difference, PairedRatios
from analysis.seating import Seating

SCHEMA = "carteador.compare/1"

SCORE, WIN_RATE = "score", "win_rate"
UNITS = {SCORE: "points", WIN_RATE: "share"}

Table = tuple[bool, ...]
"""Of each side, whether the first policy plays it."""


def tables_for(sides: int) -> tuple[Table, ...]:
    """Tables at which each deal is played, so that the cards favour neither policy.

    With two sides each policy plays both. With more, one plays alone against the other, on every side in turn, and
    then the reverse.
    """
    alone = tuple(tuple(side == one for side in range(sides)) for one in range(sides))
    if sides == 2:
        return alone
    return (*alone, *(tuple(not plays for plays in table) for table in alone))


@dataclass(frozen=True, slots=True)
class Tabled:
    """Of one statistic, what the tables made of some deals.

    Attributes
    ----------
    pairs
        First policy against second, over all tables.
    alone
        The same over the tables where the first policy, or the second, plays alone; only with three sides or more.
    squares, totals
        By table, the sums over deals of the difference's square and of the difference, times `tables_weight`.
    """

    pairs: PairedRatios
    alone: tuple[PairedRatios, ...]
    totals: tuple[int, ...]
    squares: tuple[int, ...]

    def __add__(self, other: Tabled) -> Tabled:
        """Sums of both sets of deals."""
        return Tabled(
            self.pairs + other.pairs,
            tuple(x + y for x, y in zip(self.alone, other.alone, strict=True)),
            tuple(x + y for x, y in zip(self.totals, other.totals, strict=True)),
            tuple(x + y for x, y in zip(self.squares, other.squares, strict=True)),
        )


@dataclass(frozen=True, slots=True)
class ComparisonSums:
    """What a comparison keeps of its deals, however many: added in any order.

    Attributes
    ----------
    statistics
        `SCORE` and `WIN_RATE`.
    differences
        How often each difference in score occurred, first policy less second, summed over all tables and times the
        weight of a side (`weights_of`).
    wins
        Deals won, by either policy, over all tables.
    """

    statistics: Mapping[str, Tabled]
    differences: Counter[int] = field(default_factory=Counter)
    wins: tuple[int, int] = (0, 0)

    def __add__(self, other: ComparisonSums) -> ComparisonSums:
        """Sums of both sets of deals."""
        return ComparisonSums(
            {name: mine + other.statistics[name] for name, mine in self.statistics.items()},
            self.differences + other.differences,
            (self.wins[0] + other.wins[0], self.wins[1] + other.wins[1]),
        )


def weights_of(table: Table) -> tuple[int, int]:
    """Weight of a row of the first policy and of the second at a table, so that both add up to the same.

    A policy counts by its mean over the sides it plays.
    """
    first = sum(table)
    second = len(table) - first
    return max(1, second // min(first, second)), max(1, first // min(first, second))


def sums_of(tables: Sequence[Table], seatings: Sequence[Seating], records: Sequence[Records]) -> ComparisonSums:
    """Sums of a chunk of deals.

    Parameters
    ----------
    tables
        From `tables_for`.
    seatings, records
        Of each table: who sits where, and a record a deal, the same deals in the same order.
    """
    played = [outcomes(seating, rows) for seating, rows in zip(seatings, records, strict=True)]
    statistics = {
        SCORE: _tabled(tables, [score for score, _ in played]),
        WIN_RATE: _tabled(tables, [won for _, won in played]),
    }
    wins = [0, 0]
    for table, (_, won) in zip(tables, played, strict=True):
        for plays_first, by_deal in zip(table, won, strict=True):
            wins[0 if plays_first else 1] += int(by_deal.sum())
    first, second = by_policy(tables, [score for score, _ in played])
    values, counts = np.unique(sum(first) - sum(second), return_counts=True)
    differences = Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    return ComparisonSums(statistics, differences, (wins[0], wins[1]))


def by_policy(tables: Sequence[Table], values: Sequence[npt.NDArray[Any]]) -> tuple[list[Integers], list[Integers]]:
    """By table, the weighted sum of either policy's sides, shape (deals,)."""
    first, second = [], []
    for table, by_side in zip(tables, values, strict=True):
        weight_first, weight_second = weights_of(table)
        plays = np.array(table)
        first.append(weight_first * by_side[plays].sum(axis=0, dtype=np.int64))
        second.append(weight_second * by_side[~plays].sum(axis=0, dtype=np.int64))
    return first, second


def _tabled(tables: Sequence[Table], values: Sequence[npt.NDArray[Any]]) -> Tabled:
    first, second = by_policy(tables, values)
    each = weights_of(tables[0])[0] * sum(tables[0])
    differences = [one - two for one, two in zip(first, second, strict=True)]

    def over(chosen: Sequence[int]) -> PairedRatios:
        rows = np.full(len(first[0]), each * len(chosen))
        return PairedRatios.of(
            np.sum([first[index] for index in chosen], axis=0),
            rows,
            np.sum([second[index] for index in chosen], axis=0),
            rows,
        )

    every = range(len(tables))
    half = len(tables) // 2
    alone = (over(every[:half]), over(every[half:])) if len(tables[0]) > 2 else ()
    return Tabled(
        over(every),
        alone,
        tuple(int(difference.sum()) for difference in differences),
        tuple(_sum_of_squares(difference) for difference in differences),
    )


def _sum_of_squares(values: Integers) -> int:
    bound = int(np.abs(values).max()) if len(values) else 0
    return exact_dot(values, values, bound, bound)


@dataclass(frozen=True, slots=True)
class Compared:
    """A difference between two ways of playing in one statistic; those of the first less those of the second.

    Attributes
    ----------
    statistic
        As in the catalogue; ``score:a_alone`` and ``score:b_alone`` where one policy plays alone against the other.
    unit
        Its unit.
    result
        The estimates.
    """

    statistic: str
    unit: str
    result: Difference

    def row(self) -> dict[str, Any]:
        """The row of a document."""
        found = self.result
        return {
            "statistic": self.statistic,
            "unit": self.unit,
            "n": found.n,
            "a": found.first,
            "b": found.second,
            "difference": found.difference,
            "low": found.low,
            "high": found.high,
            "std_error": found.std_error,
            "variance_reduction": found.variance_reduction,
        }


@dataclass(frozen=True)
class Comparison:
    """Two policies on the same deals.

    Attributes
    ----------
    sums
        Of all deals.
    sides
        Sides at a table.
    confidence
        Of all intervals.
    """

    sums: ComparisonSums
    sides: int
    confidence: float

    @property
    def score(self) -> Difference:
        """Difference in score, points a deal and side."""
        return self._difference(SCORE)

    @property
    def win_rate(self) -> Difference:
        """Difference in the share of deals that a side wins."""
        return self._difference(WIN_RATE)

    @property
    def signs(self) -> tuple[int, int, int]:
        """Deals in which the first policy made more of the cards, less, and the same."""
        counts = self.sums.differences
        better = sum(count for value, count in counts.items() if value > 0)
        worse = sum(count for value, count in counts.items() if value < 0)
        return better, worse, counts[0]

    def compared(self) -> list[Compared]:
        """All differences."""
        rows = [Compared(name, UNITS[name], self._difference(name)) for name in self.sums.statistics]
        for name, tabled in self.sums.statistics.items():
            for who, pairs in zip(("a_alone", "b_alone"), tabled.alone, strict=False):
                rows.append(Compared(f"{name}:{who}", UNITS[name], pairs.difference(self.confidence)))
        return rows

    def sign_test(self) -> dict[str, Any]:
        """The exact sign test over deals."""
        better, worse, equal = self.signs
        return {"better": better, "worse": worse, "equal": equal, "p_value": sign_test(better, worse)}

    def histogram(self) -> dict[str, list[float]]:
        """How often each difference in score occurred, in points a side."""
        tables = tables_for(self.sides)
        scale = len(tables) * weights_of(tables[0])[0] * sum(tables[0])
        values = sorted(self.sums.differences)
        return {
            "values": [value / scale for value in values],
            "counts": [self.sums.differences[value] for value in values],
        }

    def _difference(self, name: str) -> Difference:
        """A difference over all tables; its variance is held against that of tables with deals of their own."""
        tabled = self.sums.statistics[name]
        found = tabled.pairs.difference(self.confidence)
        if found.std_error is None or found.std_error == 0:
            return found
        n = found.n
        apart = sum(
            Fraction(square) - Fraction(total**2, n)
            for total, square in zip(tabled.totals, tabled.squares, strict=True)
        )
        rows = Fraction(tabled.pairs.sums[1], n)
        reduction = float(apart / rows**2 / (n * (n - 1))) / found.std_error**2
        return Difference(
            n, found.first, found.second, found.difference, found.low, found.high, found.std_error, reduction
        )
