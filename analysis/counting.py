"""Counting the rows of a chunk: each statistic's values become a `Tally`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.estimate import Integers, Sums, exact_dot
from analysis.seating import Group
from analysis.tally import Tally

DENSE_SPAN = 1 << 16
"""Values that spread wider than this are first numbered in order, so that counting them stays cheap."""

LARGEST_VALUE = 1 << 28
"""No value may be further from 0: the squares of ten of them still fit a machine integer."""

Words = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]


class Rows:
    """The rows of one chunk of `sides`.

    Every array has the shape (sides, deals), so that a side's deals lie together in memory.

    Parameters
    ----------
    first
        Whether the side plays first.
    clustered
        Groups of several rows a deal, for which sums over deals are kept.
    """

    def __init__(self, first: Flags, clustered: Sequence[Group]) -> None:
        self.deals = first.shape[1]
        self.first = first
        self.offset = first.astype(np.int64)
        self.groups = {group: self._members(group) for group in clustered}
        self.group_bits = {group: None if flags is None else _bits(flags) for group, flags in self.groups.items()}
        self.cell_bits = np.stack([_bits(~first), _bits(first)], axis=1)

    def _members(self, group: Group) -> Flags | None:
        """Rows that belong to a group, shape (its members, deals); None for all."""
        return None if group.first is None else self.first[list(group.members)] == group.first

    def ratio(self, x: Integers, per: Integers, groups: Sequence[Group]) -> Tally:
        """Sums of numerator and denominator in each group."""
        sums = []
        for group in groups:
            belongs = self._members(group)
            a, m = (_total(column[list(group.members)], belongs) for column in (x, per))
            sums.append(_deal_sums(a, m, None, int(np.abs(a).max()), int(np.abs(m).max())))
        return Tally(np.zeros(0, np.int64), np.zeros((0, 0), np.int64), tuple(sums))

    def proportion(self, flags: Flags, present: Flags | None) -> Tally:
        """Sets of deals as bits: those alike in a group are what its rows' sets share."""
        yes, asked = _bits(flags), None if present is None else _bits(present)
        if asked is not None:
            yes &= asked
        counts = np.empty((2, 2 * len(flags)), np.int64)
        every = self.cell_bits if asked is None else self.cell_bits & asked[:, None]
        counts[1] = _ones(self.cell_bits & yes[:, None]).reshape(-1)
        counts[0] = _ones(every).reshape(-1) - counts[1]
        tables = []
        for group, belongs in self.group_bits.items():
            members = list(group.members)
            mine, rows = yes[members], None if asked is None else asked[members]
            if belongs is not None:
                mine, rows = mine & belongs, belongs if rows is None else rows & belongs
            tables.append(self._alike(mine, rows, group.rows))
        return Tally(np.arange(2), counts, (), tuple(tables))

    def _alike(self, yes: Words, asked: Words | None, most_rows: int) -> Integers:
        """Deals by how many of their rows are asked, and of how many it is true, shape (most_rows + 1, the same)."""
        sets = {(0, 0): _bits(np.ones((1, self.deals), np.bool_))[0]}
        for row, true in enumerate(yes):
            grown: dict[tuple[int, int], Words] = {}
            for (m, a), deals in sets.items():
                parts = [(m + 1, a + 1, deals & true)]
                if asked is None:
                    parts.append((m + 1, a, deals & ~true))
                else:
                    parts += [(m + 1, a, deals & asked[row] & ~true), (m, a, deals & ~asked[row])]
                for rows, trues, part in parts:
                    same = grown.get((rows, trues))
                    grown[rows, trues] = part if same is None else same | part
            sets = {cell: deals for cell, deals in grown.items() if deals.any()}
        table = np.zeros((most_rows + 1, most_rows + 1), np.int64)
        for (m, a), deals in sets.items():
            table[m, a] = _ones(deals)
        table[0, 0] = 0
        return table

    def number(self, x: Integers, present: Flags | None) -> Tally:
        """Count every value; `present` says which rows are asked, None for all."""
        values, codes = _levels(x, present)
        levels = len(values)
        bound = int(np.abs(values[[0, -1]]).max()) if levels else 0
        if bound > LARGEST_VALUE:
            raise ValueError(f"a statistic has the value {bound}, beyond what can be summed ({LARGEST_VALUE})")
        cells = codes * 2 + self.offset
        counts = np.hstack([_histogram(column, 2 * levels).reshape(levels, 2) for column in cells])
        squares = x * x
        sums, weights = [], []
        for group, belongs in self.groups.items():
            members = list(group.members)
            m: Integers | int = group.rows
            asked = belongs
            if present is not None:
                asked = present[members] if belongs is None else present[members] & belongs
                m = asked.sum(axis=0, dtype=np.int64)
            a, b = _total(x[members], belongs), _total(squares[members], belongs)
            sums.append(_deal_sums(a, m, b, bound * group.rows, group.rows))
            weights.append(_group_weights(codes[members], belongs, m, levels))
        occurring = counts.any(axis=1)
        return Tally(values[occurring], np.column_stack([counts, *weights])[occurring], tuple(sums))


def count_deals(x: npt.NDArray[Any]) -> Tally:
    """Count the values of a statistic of deals, shape (deals,)."""
    values, codes = _levels(x.astype(np.int64), None)
    counts = _histogram(codes, len(values))
    return Tally(values[counts > 0], counts[counts > 0][:, None], ())


def across_sides(how: str, x: Integers) -> Integers:
    """One value a deal, shape (deals,), of those of its sides."""
    together = {"any": np.maximum, "all": np.minimum, "sum": np.add}[how]
    result: Integers = together.reduce(x, axis=0)
    return result


def _levels(x: Integers, present: Flags | None) -> tuple[Integers, Integers]:
    """Return the values that may occur, rising, and the index of each x among them; past the last for one not asked."""
    kept = x if present is None else x[present]
    if kept.size == 0:
        return np.zeros(0, np.int64), np.zeros(x.shape, np.int64)
    low, high = int(kept.min()), int(kept.max())
    if high - low < DENSE_SPAN:
        values, codes = np.arange(low, high + 1), x - low
    else:
        values = np.unique(kept)
        codes = np.searchsorted(values, x)
    return values, codes if present is None else np.where(present, codes, len(values))


def _histogram(codes: Integers, length: int) -> Integers:
    """How often each code from 0 occurs; those of `length` and above are left out."""
    counts: Integers = np.bincount(codes, minlength=length)[:length]
    return counts


def _total(x: Integers, belongs: Flags | None) -> Integers:
    """Sum of each deal's rows, of those that belong."""
    if belongs is not None:
        x = np.where(belongs, x, 0)
    total: Integers = x.sum(axis=0)
    return total


def _group_weights(codes: Integers, belongs: Flags | None, m: Integers | int, levels: int) -> Integers:
    """Columns `ranks` and `sizes` of `Distribution`, shape (values, 2)."""
    if belongs is not None:
        codes = np.where(belongs, codes, levels)
    by_rank = [_histogram(column, levels) for column in _sorted_across(codes)]
    ranks = sum(((2 * rank + 1) * counts for rank, counts in enumerate(by_rank)), np.zeros(levels, np.int64))
    if isinstance(m, int):
        sizes = m * sum(by_rank, np.zeros(levels, np.int64))
    else:
        weighted = (np.bincount(column, weights=m, minlength=levels)[:levels] for column in codes)
        sizes = sum((counts.astype(np.int64) for counts in weighted), np.zeros(levels, np.int64))
    return np.stack([ranks, sizes], axis=1)


def _sorted_across(columns: Integers) -> list[Integers]:
    """The columns, each deal's entries sorted upwards: few columns of many deals are quickest compared in pairs."""
    ordered = list(columns)
    for last in range(len(ordered) - 1, 0, -1):
        for i in range(last):
            ordered[i], ordered[i + 1] = np.minimum(ordered[i], ordered[i + 1]), np.maximum(ordered[i], ordered[i + 1])
    return ordered


def _bits(flags: Flags) -> Words:
    """Sets of deals, shape (rows, words), a bit each, from flags of shape (rows, deals)."""
    packed = np.packbits(flags, axis=1)
    words = np.zeros((len(flags), -(-packed.shape[1] // 8) * 8), np.uint8)
    words[:, : packed.shape[1]] = packed
    return words.view(np.uint64)


def _ones(words: Words) -> Integers:
    """Members of each set, over the last axis."""
    ones: Integers = np.bitwise_count(words).sum(axis=-1, dtype=np.int64)
    return ones


def _deal_sums(a: Integers, m: Integers | int, b: Integers | None, bound: int, most_rows: int) -> Sums:
    """Sums over deals, from each deal's total, number of rows and total of squares."""
    deals = len(a)
    total, aa = exact_dot(a, np.ones_like(a), bound, 1), exact_dot(a, a, bound, bound)
    if isinstance(m, int):
        clusters, rows, mm, am = deals, m * deals, m * m * deals, m * total
    else:
        clusters, rows = int(np.count_nonzero(m)), exact_dot(m, np.ones_like(m), most_rows, 1)
        mm, am = exact_dot(m, m, most_rows, most_rows), exact_dot(a, m, bound, most_rows)
    if b is None:
        return Sums(clusters, rows, total, mm, aa, am)
    largest = bound * bound
    b_total = exact_dot(b, np.ones_like(b), largest, 1)
    bm = m * b_total if isinstance(m, int) else exact_dot(b, m, largest, most_rows)
    return Sums(
        clusters,
        rows,
        total,
        mm,
        aa,
        am,
        b_total,
        exact_dot(b, b, largest, largest),
        exact_dot(a, b, bound, largest),
        bm,
    )
