"""What a hand is worth: statistics of the seat that holds it, beside those of an average hand on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.catalogue import statistics_of
from analysis.estimate import Estimate, ratio
from analysis.frames import Records, frames_for
from analysis.measure import Measure
from analysis.paired import PairedRatios
from analysis.proportion import share_of
from analysis.seating import SIDE, Group, Seating
from analysis.statistic import Statistic

SCHEMA = "carteador.odds/1"


class SeatMeasure:
    """Statistics of one side, the side of the seat that holds the hand.

    Parameters
    ----------
    seating
        Who sits where.
    side
        The side.
    """

    def __init__(self, seating: Seating, side: int) -> None:
        self.seating = seating
        every = [statistic for statistic in statistics_of(seating.spec) if _is_told(statistic)]
        self.measure = Measure(seating, every, "plays_first")
        sides = [group for group in self.measure.groups if group.kind == SIDE]
        self.group: Group = next(group for group in sides if group.members == (side,))

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """What is told, in the order of the catalogue."""
        return self.measure.statistics

    def paired(self, given: Records, average: Records) -> dict[str, PairedRatios]:
        """Sums of a chunk of deals, with the hand and without, by statistic."""
        one, other = (self._values(records) for records in (given, average))
        return {name: PairedRatios.of(*one[name], *other[name]) for name in one}

    def _values(self, records: Records) -> dict[str, tuple[Any, Any]]:
        deals, sides = frames_for(self.seating, records, self.measure.deal_columns, self.measure.side_columns)
        return {
            statistic.name: self.measure.deal_values(deals, sides, statistic, self.group, by_side=True)
            for statistic in self.statistics
        }


def _is_told(statistic: Statistic) -> bool:
    return statistic.level == "sides" and SIDE in statistic.groups


@dataclass(frozen=True)
class Odds:
    """A hand against the average one.

    Attributes
    ----------
    pairs
        By statistic, sums over the same deals with the hand and without.
    """

    statistics: Sequence[Statistic]
    pairs: Mapping[str, PairedRatios]
    confidence: float

    def _given(self, statistic: Statistic, pairs: PairedRatios) -> Estimate:
        """Estimate with the hand: a deal has one row at most, so a share has Wilson's interval."""
        sums = pairs.first
        if statistic.kind != "proportion":
            return ratio(sums, self.confidence)
        return share_of(sums.a, sums.m, self.confidence)

    def rows(self) -> list[dict[str, Any]]:
        """Each statistic with the hand, without, and the difference with its interval."""
        rows = []
        for statistic in self.statistics:
            pairs = self.pairs[statistic.name]
            is_share = statistic.kind == "proportion"
            found = pairs.share_difference(self.confidence) if is_share else pairs.difference(self.confidence)
            given = self._given(statistic, pairs)
            rows.append(
                {
                    "statistic": statistic.name,
                    "section": statistic.section,
                    "question": statistic.question,
                    "unit": statistic.unit,
                    "n": given.n,
                    "estimate": given.estimate,
                    "low": given.low,
                    "high": given.high,
                    "std_error": given.std_error,
                    "average": found.second,
                    "difference": found.difference,
                    "difference_low": found.low,
                    "difference_high": found.high,
                }
            )
        return rows
