"""Sums that can be added: value counts and sums over deals, all integers.

Counts are 64 bits wide. None grows by more than 100 with a deal: a value occurs at most once for each of ten sides,
and the columns `ranks` and `sizes` weigh a deal by the square of their number. So they hold 9 x 10^16 deals, and a run
has at most 10^15. Sums of values and of their products are exact however large and are kept as Python integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.estimate import Integers, Sums


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What is kept of one statistic.

    Attributes
    ----------
    values
        Shape (v,), rising: every value that occurred. Empty for a ratio.
    counts
        Shape (v, columns): rows with each value, a column for each side and whether it plays first (side x 2 +
        first; for a statistic of deals one column), then for each clustered group of a number the columns `ranks`
        and `sizes` of `Distribution`.
    sums
        Sums over deals, for each group of several rows a deal; of a ratio, for every group; of a proportion, none.
    deals
        Of a proportion, for each group of several rows a deal: how many deals have *m* rows of which it is true of
        *a*, an array indexed by m and a.
    """

    values: Integers
    counts: Integers
    sums: tuple[Sums, ...]
    deals: tuple[Integers, ...] = ()

    def __add__(self, other: Tally) -> Tally:
        """Tally of both sets of deals."""
        sums = tuple(mine + theirs for mine, theirs in zip(self.sums, other.sums, strict=True))
        deals = tuple(mine + theirs for mine, theirs in zip(self.deals, other.deals, strict=True))
        if np.array_equal(self.values, other.values):
            return Tally(self.values, self.counts + other.counts, sums, deals)
        values = np.union1d(self.values, other.values)
        counts = np.zeros((len(values), self.counts.shape[1]), np.int64)
        for part in (self, other):
            counts[np.searchsorted(values, part.values)] += part.counts
        return Tally(values, counts, sums, deals)


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """Sums of some deals: what a chunk leaves behind, whatever its length.

    Attributes
    ----------
    signature
        What was counted and in which groups; only partials that agree in it can be added.
    deals
        Deals counted (matches, where matches are counted).
    tallies
        By name of the statistic.
    """

    signature: tuple[str, ...]
    deals: int
    tallies: Mapping[str, Tally]

    def __add__(self, other: Partial) -> Partial:
        """Sums of both sets of deals.

        Raises
        ------
        ValueError
            If they do not count the same things.
        """
        if self.signature != other.signature:
            odd = sorted(set(self.signature) ^ set(other.signature))
            raise ValueError(
                f"these sums are of different runs: they do not agree in {', '.join(odd) or 'their order'}"
            )
        tallies = {name: tally + other.tallies[name] for name, tally in self.tallies.items()}
        return Partial(self.signature, self.deals + other.deals, tallies)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and integers, for JSON."""
        return {
            "signature": list(self.signature),
            "deals": self.deals,
            "tallies": {
                name: {
                    "values": tally.values.tolist(),
                    "counts": tally.counts.tolist(),
                    "columns": tally.counts.shape[1],
                    "sums": [list(sums.as_tuple()) for sums in tally.sums],
                    "deals": [table.tolist() for table in tally.deals],
                }
                for name, tally in self.tallies.items()
            },
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Partial:
        """Read `to_dict` back."""
        tallies = {
            name: Tally(
                np.array(stored["values"], np.int64),
                np.array(stored["counts"], np.int64).reshape(len(stored["values"]), stored["columns"]),
                tuple(Sums(*sums) for sums in stored["sums"]),
                tuple(np.array(table, np.int64) for table in stored["deals"]),
            )
            for name, stored in document["tallies"].items()
        }
        return cls(tuple(document["signature"]), document["deals"], tallies)
