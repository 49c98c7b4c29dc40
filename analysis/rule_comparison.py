"""One policy under two sets of rules, on the same deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.catalogue import statistics_of
from analysis.comparison import Compared
from analysis.estimate import sign_test
from analysis.frames import Records, frames_for
from analysis.measure import Measure
from analysis.paired import PairedRatios
from analysis.seating import Seating
from analysis.selection import Selected, select

DEFAULTS = ("score", "score@plays_first:yes", "first_player_win_rate", "tie_rate", "winning_margin", "turns")
"""What is compared if nothing is asked for."""


class Asked:
    """Statistics asked of the deals of one table.

    Parameters
    ----------
    seating
        Who sits where.
    texts
        As `analysis.selection.select` reads them.

    Raises
    ------
    UnknownSelectionError
        If a text names nothing.
    """

    def __init__(self, seating: Seating, texts: Sequence[str]) -> None:
        self.seating = seating
        every = Measure(seating, statistics_of(seating.spec), "plays_first")
        self.selected: dict[str, Selected] = {}
        for text in texts:
            found = select(every, text)
            self.selected[found.text] = found
        chosen = {found.statistic.name: found.statistic for found in self.selected.values()}
        self.measure = Measure(seating, tuple(chosen.values()), "plays_first")

    def unit(self, text: str) -> str:
        """Unit of a statistic asked for."""
        return self.selected[text].statistic.unit

    def values(self, records: Records) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """What each deal adds to each statistic (`Measure.deal_values`)."""
        deals, sides = frames_for(self.seating, records, self.measure.deal_columns, self.measure.side_columns)
        return {
            text: self.measure.deal_values(deals, sides, found.statistic, found.group, by_side=True)
            for text, found in self.selected.items()
        }


@dataclass(frozen=True, slots=True)
class RuleSums:
    """Sums over deals: by statistic, and the signs of the difference in the first one."""

    pairs: Mapping[str, PairedRatios]
    signs: Counter[int] = field(default_factory=Counter)

    def __add__(self, other: RuleSums) -> RuleSums:
        """Sums of both sets of deals."""
        return RuleSums({text: mine + other.pairs[text] for text, mine in self.pairs.items()}, self.signs + other.signs)


def rule_sums(first: Asked, second: Asked, first_records: Records, second_records: Records) -> RuleSums:
    """Sums of a chunk of deals, played under either set of rules."""
    one, two = first.values(first_records), second.values(second_records)
    pairs = {text: PairedRatios.of(*one[text], *two[text]) for text in one}
    (a, m), (other_a, other_m) = (values[next(iter(values))] for values in (one, two))
    # Means of a deal, compared without dividing.
    return RuleSums(pairs, Counter(np.sign(a * other_m - other_a * m).tolist()))


@dataclass(frozen=True)
class RuleComparison:
    """One policy under two sets of rules."""

    sums: RuleSums
    units: Mapping[str, str]
    confidence: float

    def compared(self) -> list[Compared]:
        """All differences, the first rules less the second."""
        return [
            Compared(text, self.units[text], pairs.difference(self.confidence))
            for text, pairs in self.sums.pairs.items()
        ]

    def sign_test(self) -> dict[str, float]:
        """The exact sign test over deals, of the first statistic."""
        better, worse = self.sums.signs[1], self.sums.signs[-1]
        return {"better": better, "worse": worse, "equal": self.sums.signs[0], "p_value": sign_test(better, worse)}
