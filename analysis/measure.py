"""From the frames of a chunk to sums that can be added, and from sums to what an estimate needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.counting import Rows, across_sides, count_deals
from analysis.estimate import Distribution, Integers, Sums, sums_of_counts
from analysis.proportion import DealCounts
from analysis.seating import ALL, Group, Seating
from analysis.statistic import Statistic
from analysis.tally import Partial, Tally

ALL_DEALS = Group(ALL, ALL, (0,), None, 1)
"""The one group of a statistic of deals."""


class Measure:
    """Counts statistics over the frames of a chunk.

    Parameters
    ----------
    seating
        Who sits where.
    statistics
        What is counted.
    split
        The column of the `sides` frame that says which side of the deal plays first.
    """

    def __init__(self, seating: Seating, statistics: Sequence[Statistic], split: str) -> None:
        self.seating = seating
        self.statistics = tuple(statistics)
        self.split = split
        self.groups = seating.groups(split)
        self.clustered = tuple(group for group in self.groups if group.clustered)
        self.signature = (
            seating.spec.name,
            *(f"{name}={_plain(value)}" for name, value in seating.options.items()),
            *seating.policies,
            *(group.name for group in self.groups),
            *(statistic.name for statistic in self.statistics),
        )
        self._expressions = {"deals": self._select("deals"), "sides": self._select("sides")}
        self.deal_columns = self._columns("deals")
        self.side_columns = self._columns("sides") | {split}

    def _select(self, source: str) -> list[pl.Expr]:
        expressions = []
        for statistic in self.statistics:
            if statistic.source == source:
                dtype = pl.Boolean if statistic.kind == "proportion" else pl.Int64
                value = statistic.value.cast(dtype)
                if self._asks_some(statistic):
                    expressions.append(value.is_not_null().alias(_asked(statistic)))
                    value = value.fill_null(0)
                expressions.append(value.alias(statistic.name))
                if statistic.per is not None:
                    expressions.append(statistic.per.cast(pl.Int64).alias(_per(statistic)))
        return expressions

    def _asks_some(self, statistic: Statistic) -> bool:
        """Whether not every row is asked: by the statistic itself, or because a side may be out of the match."""
        may_be_out = "playing" in (self.seating.spec.record_layout.names or ())
        return bool(statistic.among) or (may_be_out and statistic.level == "sides")

    def _columns(self, source: str) -> set[str]:
        return {name for expression in self._expressions[source] for name in expression.meta.root_names()}

    def groups_of(self, statistic: Statistic) -> tuple[Group, ...]:
        """Groups that a statistic is told for."""
        if statistic.level == "deals":
            return (ALL_DEALS,)
        return tuple(group for group in self.groups if group.kind in statistic.groups)

    def empty(self) -> Partial:
        """Sums of no deals."""
        tallies = {}
        for statistic in self.statistics:
            summed = self._summed(statistic)
            counts = np.zeros((0, self._width(statistic)), np.int64)
            tables = [np.zeros((group.rows + 1,) * 2, np.int64) for group in self._tabled(statistic)]
            tallies[statistic.name] = Tally(np.zeros(0, np.int64), counts, (Sums(),) * len(summed), tuple(tables))
        return Partial(self.signature, 0, tallies)

    def partial(self, deals: pl.DataFrame, sides: pl.DataFrame, *, by_side: bool = False) -> Partial:
        """Sums of a chunk.

        Parameters
        ----------
        deals
            A row a deal, with at least `deal_columns`.
        sides
            A row a deal and side, with at least `side_columns`; by deal in the same order and then by side.
        by_side
            The rows of `sides` are by side and then by deal instead, which is faster.
        """
        count = len(sides) // self.seating.sides
        if count == 0:
            return self.empty()
        frames = self._frames(deals, sides)
        rows = Rows(_columns(sides[self.split], self.seating.sides, by_side), self.clustered)
        tallies = {}
        for statistic in self.statistics:
            tallies[statistic.name] = self._tally(rows, frames[statistic.source], statistic, by_side)
        return Partial(self.signature, count, tallies)

    def deal_values(
        self, deals: pl.DataFrame, sides: pl.DataFrame, statistic: Statistic, group: Group, *, by_side: bool = False
    ) -> tuple[Integers, Integers]:
        """What each deal adds to the estimate of a group, which is the sum of the one over the sum of the other.

        Parameters
        ----------
        deals, sides, by_side
            As for `partial`.

        Returns
        -------
        values, rows : numpy.ndarray
            Shape (deals,): the sum over the deal's rows, and the number of rows (of a ratio, its denominator).
        """
        x, per, asked = self._values(self._frames(deals, sides)[statistic.source], statistic, by_side)
        x = x.astype(np.int64)
        if statistic.level == "deals":
            return x[0], np.ones_like(x[0]) if asked is None else asked[0].astype(np.int64)
        weight = np.ones_like(x) if per is None else per
        belongs = np.ones(x.shape, np.bool_) if asked is None else asked
        if group.first is not None:
            belongs = belongs & (_columns(sides[self.split], self.seating.sides, by_side) == group.first)
        members = list(group.members)
        return (x * belongs)[members].sum(axis=0), (weight * belongs)[members].sum(axis=0)

    def _frames(self, deals: pl.DataFrame, sides: pl.DataFrame) -> dict[str, pl.DataFrame]:
        return {
            "deals": deals.select(self._expressions["deals"]),
            "sides": sides.select(self._expressions["sides"]),
        }

    def _values(
        self, frame: pl.DataFrame, statistic: Statistic, by_side: bool
    ) -> tuple[npt.NDArray[Any], Integers | None, npt.NDArray[np.bool_] | None]:
        """Values, denominators of a ratio, and which rows are asked (None for all), shape (sides or 1, deals)."""
        columns = self.seating.sides if statistic.source == "sides" else 1
        value = frame[statistic.name]
        if value.null_count():
            raise ValueError(f"{statistic.name} has nulls and does not say whom it is among")
        x = _columns(value, columns, by_side)
        per = None if statistic.per is None else _columns(frame[_per(statistic)], columns, by_side)
        some = self._asks_some(statistic) and per is None
        asked = _columns(frame[_asked(statistic)], columns, by_side) if some else None
        if statistic.across is not None:
            x = across_sides(statistic.across, x)[None]
        return x, per, asked

    def _tally(self, rows: Rows, frame: pl.DataFrame, statistic: Statistic, by_side: bool) -> Tally:
        x, per, asked = self._values(frame, statistic, by_side)
        if per is not None:
            return rows.ratio(x, per, self.groups_of(statistic))
        if statistic.level == "deals":
            return count_deals(x[0] if asked is None else x[0, asked[0]])
        if statistic.kind == "proportion":
            tally = rows.proportion(x, asked)
            if statistic.most is not None and any(table[:, statistic.most + 1 :].any() for table in tally.deals):
                raise ValueError(f"{statistic.name} is true of more rows of a deal than it says ({statistic.most})")
            return tally
        return rows.number(x, asked)

    def deal_counts(self, statistic: Statistic, tally: Tally, group: Group) -> DealCounts:
        """How many deals of a group are alike in a proportion."""
        tabled = self._tabled(statistic)
        if group in tabled:
            return DealCounts.of(tally.deals[tabled.index(group)], statistic.most)
        found = self.distribution(statistic, tally, group)
        return DealCounts([(1, value, count) for value, count in zip(found.values, found.counts, strict=True)])

    def sums(self, statistic: Statistic, tally: Tally, group: Group) -> Sums:
        """Sums over the deals of a group, of a number or ratio."""
        summed = self._summed(statistic)
        if group in summed:
            return tally.sums[summed.index(group)]
        distribution = self.distribution(statistic, tally, group)
        return sums_of_counts(distribution.values, distribution.counts)

    def distribution(self, statistic: Statistic, tally: Tally, group: Group) -> Distribution:
        """Value counts of a group, of the values that occur in it."""
        columns = self._cells(statistic, group)
        counts = tally.counts[:, columns].sum(axis=1)
        present = counts > 0
        values, occurring = tally.values[present].tolist(), counts[present].tolist()
        if not group.clustered or statistic.kind != "number":
            return Distribution(values, occurring)
        sums = tally.sums[self.clustered.index(group)]
        ranks, sizes = (tally.counts[present, column].tolist() for column in self._weights(group))
        return Distribution(values, occurring, ranks, sizes, sums.clusters, sums.mm)

    def _summed(self, statistic: Statistic) -> tuple[Group, ...]:
        if statistic.kind == "ratio":
            return self.groups_of(statistic)
        return self.clustered if statistic.kind == "number" and statistic.level == "sides" else ()

    def _tabled(self, statistic: Statistic) -> tuple[Group, ...]:
        return self.clustered if statistic.kind == "proportion" and statistic.level == "sides" else ()

    def _cells(self, statistic: Statistic, group: Group) -> list[int]:
        if statistic.level == "deals":
            return [0]
        plays_first = (0, 1) if group.first is None else (int(group.first),)
        return [side * 2 + first for side in group.members for first in plays_first]

    def _weights(self, group: Group) -> tuple[int, int]:
        column = 2 * self.seating.sides + 2 * self.clustered.index(group)
        return column, column + 1

    def _width(self, statistic: Statistic) -> int:
        if statistic.kind == "ratio":
            return 0
        if statistic.level == "deals":
            return 1
        return 2 * self.seating.sides + (2 * len(self.clustered) if statistic.kind == "number" else 0)


def _columns(series: pl.Series, sides: int, by_side: bool) -> npt.NDArray[Any]:
    """Values of a frame's column, shape (sides, deals) and contiguous."""
    values = series.to_numpy()
    return values.reshape(sides, -1) if by_side else np.ascontiguousarray(values.reshape(-1, sides).T)


def _per(statistic: Statistic) -> str:
    return f"{statistic.name}/per"


def _asked(statistic: Statistic) -> str:
    return f"{statistic.name}/asked"


def _plain(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
