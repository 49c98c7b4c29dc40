"""Statistics against the value of an option or a parameter, on the same deals at every value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from analysis.comparison import Comparison, ComparisonSums
from analysis.frames import Records, frames_for
from analysis.paired import Difference, PairedRatios
from analysis.rule_comparison import Asked
from analysis.summary import SummaryRow, Totals
from analysis.tally import Partial

SCHEMA = "carteador.sweep/1"

ADVANTAGE, WIN_ADVANTAGE = "advantage", "win_advantage"
ADVANTAGES = {ADVANTAGE: "points", WIN_ADVANTAGE: "share"}
"""Of a policy with other parameters over the one it plays against: in score, and in the share of deals won."""


@dataclass(frozen=True, slots=True)
class PointSums:
    """What a point of the grid keeps of its deals.

    Attributes
    ----------
    against
        The policy against the other one; None where only rules are swept.
    partial
        Sums of the statistics asked for; None if there are none.
    pairs
        Each of those paired with the first point on the same deals.
    """

    against: ComparisonSums | None
    partial: Partial | None
    pairs: Mapping[str, PairedRatios]

    def __add__(self, other: PointSums) -> PointSums:
        """Sums of both sets of deals."""
        return PointSums(
            _sum(self.against, other.against),
            _sum(self.partial, other.partial),
            {text: mine + other.pairs[text] for text, mine in self.pairs.items()},
        )


def _sum(mine: Any, other: Any) -> Any:
    return None if mine is None else mine + other


def asked_sums(asked: Sequence[Asked], records: Sequence[Records]) -> list[tuple[Partial, dict[str, PairedRatios]]]:
    """Sums of a chunk of deals for the statistics asked of each point, paired with the first one."""
    found: list[tuple[Partial, dict[str, PairedRatios]]] = []
    reference: Mapping[str, Any] = {}
    for point, rows in zip(asked, records, strict=True):
        measure = point.measure
        deals, sides = frames_for(point.seating, rows, measure.deal_columns, measure.side_columns)
        values = {
            text: measure.deal_values(deals, sides, one.statistic, one.group, by_side=True)
            for text, one in point.selected.items()
        }
        reference = reference or values
        pairs = {text: PairedRatios.of(*values[text], *reference[text]) for text in values}
        found.append((measure.partial(deals, sides, by_side=True), pairs))
    return found


class PointTotals(Totals):
    """Estimates of the statistics asked of a point."""

    def __init__(self, asked: Asked, partial: Partial) -> None:
        super().__init__(asked.seating, asked.measure.statistics, "plays_first")
        self.asked = asked
        self.merge(partial)

    def chosen(self, confidence: float) -> list[SummaryRow]:
        """Rows of what was asked for: the mean or share, of numbers also quantiles, each in its group."""
        return [
            self.row(name, one.group.name, confidence)
            for one in self.asked.selected.values()
            for name in one.statistic.rows
        ]


def advantage_rows(sums: ComparisonSums, sides: int, confidence: float) -> list[dict[str, Any]]:
    """Rows of the advantage over the other policy."""
    comparison = Comparison(sums, sides, confidence)
    rows = []
    for name, found in ((ADVANTAGE, comparison.score), (WIN_ADVANTAGE, comparison.win_rate)):
        rows.append(
            {
                "statistic": name,
                "group": "all",
                "unit": ADVANTAGES[name],
                "n": found.n,
                "estimate": found.difference,
                "low": found.low,
                "high": found.high,
                "std_error": found.std_error,
                "confidence": confidence,
            }
        )
    return rows


def point_rows(sums: PointSums, asked: Asked | None, sides: int, confidence: float) -> list[dict[str, Any]]:
    """All rows of a point."""
    rows = [] if sums.against is None else advantage_rows(sums.against, sides, confidence)
    if asked is not None and sums.partial is not None:
        rows += [asdict(row) for row in PointTotals(asked, sums.partial).chosen(confidence)]
    return rows


def difference_row(text: str, found: Difference) -> dict[str, Any]:
    """How far a statistic lies from that of the first point."""
    return {
        "statistic": text,
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "std_error": found.std_error,
    }


def best_point(estimates: Sequence[float | None], direction: str, target: float | None) -> int | None:
    """Number of the point whose estimate is highest, lowest or nearest to `target`; None if no point has one."""
    known = [(value, number) for number, value in enumerate(estimates) if value is not None]
    if not known:
        return None
    if direction == "nearest":
        return min(known, key=lambda item: abs(item[0] - (target or 0.0)))[1]
    return (max if direction == "highest" else min)(known, key=lambda item: item[0])[1]
