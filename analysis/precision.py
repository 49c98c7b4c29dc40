"""Precisions that a run is to reach: what was asked, and how far it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis import sequences
from analysis.summary import SummaryRow, Totals, Wanted


@dataclass(frozen=True, slots=True)
class Target:
    """A precision to reach.

    Attributes
    ----------
    statistic, group
        A row of the summary.
    unit
        Of its estimate.
    half_width
        What the interval may reach to either side on average, in that unit; above 0.
    """

    statistic: str
    group: str
    unit: str
    half_width: float

    @property
    def text(self) -> str:
        """As ``win_rate@side:0=0.001``."""
        return f"{self.name}={self.half_width!r}"

    @property
    def name(self) -> str:
        """As ``win_rate@side:0``; without a group where it is ``all``."""
        return self.statistic if self.group == "all" else f"{self.statistic}@{self.group}"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a precision is.

    Attributes
    ----------
    target
        What was asked.
    row
        The row of the summary, with an interval that holds at every number of deals.
    interval
        Kind of the interval, as `Totals.interval_kind` has it.
    reached
        Half its length; None where an end is not determined.
    """

    target: Target
    row: SummaryRow
    interval: str
    reached: float | None

    @property
    def met(self) -> bool:
        """Whether the interval is narrow enough."""
        return self.reached is not None and self.reached <= self.target.half_width

    def needed(self, done: int) -> float | None:
        """Units that it will take, as far as can be told from those done; None where nothing can."""
        if self.met:
            return float(done)
        wanted, error = self.target.half_width, self.row.std_error
        if error and self.reached is not None:
            narrowest = sequences.boundary(sequences.mixture_information(self.row.confidence), self.row.confidence)
            # Narrower than that no interval is.
            return max(done * (narrowest * error / wanted) ** 2, float(done))
        return None if self.reached is None else done * (self.reached / wanted) ** 2


class Goals:
    """Precisions that are all to be reached.

    Parameters
    ----------
    totals
        Whose sums decide; deals, or matches.
    targets
        What is asked, of rows that the totals have.
    confidence
        Of every interval.
    """

    def __init__(self, totals: Totals, targets: Sequence[Target], confidence: float) -> None:
        self.totals = totals
        self.targets = tuple(targets)
        self.confidence = confidence
        self.looks = 0
        self.standings: tuple[Standing, ...] = ()

    @property
    def wanted(self) -> Wanted:
        """Half widths by statistic and group."""
        return {(target.statistic, target.group): target.half_width for target in self.targets}

    @property
    def met(self) -> bool:
        """Whether all were reached when last looked at."""
        return bool(self.standings) and all(standing.met for standing in self.standings)

    def look(self) -> bool:
        """Look at the intervals; returns whether all are narrow enough."""
        self.looks += 1
        self.measure()
        return self.met

    def measure(self) -> None:
        """Find out how far all are, for a reader: a run does not stop for it."""
        self.standings = tuple(self._standing(target) for target in self.targets)

    def _standing(self, target: Target) -> Standing:
        row = self.totals.row(target.statistic, target.group, self.confidence, self.wanted)
        reached = None if row.low is None or row.high is None else (row.high - row.low) / 2
        return Standing(target, row, self.totals.interval_kind(target.statistic, target.group), reached)

    def furthest(self, done: int) -> Standing | None:
        """Return what will take longest, or of what nothing can be told; None before the first look."""
        found = [(math.inf if needed is None else needed, standing) for needed, standing in self._needed(done)]
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def needed(self, done: int) -> float | None:
        """Units that all will take, as far as can be told; None where nothing can."""
        needs = [needed for needed, _ in self._needed(done)]
        known = [needed for needed in needs if needed is not None]
        return max(known) if known and len(known) == len(needs) else None

    def _needed(self, done: int) -> list[tuple[float | None, Standing]]:
        return [(standing.needed(done), standing) for standing in self.standings]

    def documents(self, counted: str, done: int) -> list[dict[str, object]]:
        """Return an object for each precision, ready for JSON (docs/statistics.md).

        Parameters
        ----------
        counted, done
            What was counted, ``deals`` or ``matches``, and how many.
        """
        return [
            {
                "statistic": standing.target.statistic,
                "group": standing.target.group,
                "unit": standing.target.unit,
                "wanted": standing.target.half_width,
                "reached": standing.reached,
                "met": standing.met,
                "estimate": standing.row.estimate,
                "low": standing.row.low,
                "high": standing.row.high,
                "interval": standing.interval,
                "looks": self.looks,
                counted: done,
            }
            for standing in self.standings
        ]
