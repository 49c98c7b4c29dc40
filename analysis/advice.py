"""What the options of a decision are worth, from the sums of their results in the same worlds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.advice_words import takers
from analysis.estimate import Integers, Sums, normal_quantile, ratio
from analysis.proportion import wilson
from analysis.wording import decimals_for

if TYPE_CHECKING:
    from rich.table import Table

SCHEMA = "carteador.advice/1"
NOTHING = "–"


@dataclass(frozen=True)
class OptionSums:
    """Sums over worlds in each of which all options were played out.

    Attributes
    ----------
    worlds
        Their number.
    margin, margin_squares, score, score_squares
        By option, sums of the margins (own score less the best other, in mau-mau and loba less the mean of the others)
        and own scores, and of their squares.
    won, best
        In how many worlds an option ended with the best score alone, and in how many none had a better margin.
    cross
        By two options, the sum of the products of their margins.
    """

    worlds: int
    margin: Integers
    margin_squares: Integers
    score: Integers
    score_squares: Integers
    won: Integers
    best: Integers
    cross: Integers

    def __add__(self, other: OptionSums) -> OptionSums:
        """Sums over the worlds of both."""
        pairs = zip(self._sums, other._sums, strict=True)
        return OptionSums(self.worlds + other.worlds, *(mine + theirs for mine, theirs in pairs))

    @property
    def _sums(self) -> tuple[Integers, ...]:
        return (
            self.margin,
            self.margin_squares,
            self.score,
            self.score_squares,
            self.won,
            self.best,
            self.cross,
        )

    def ranked(self) -> list[int]:
        """Options, the best mean margin first; of equals the one listed first."""
        return sorted(range(len(self.margin)), key=lambda option: (-int(self.margin[option]), option))

    def rows(self, confidence: float) -> list[dict[str, Any]]:
        """A row an option, the best first.

        ``margin`` and ``score`` have normal intervals on the sums; ``behind`` is by how much the best option's mean
        margin is above, with the interval of the mean difference in the same worlds; ``win_rate`` and ``best_rate``
        are shares of worlds with Wilson's intervals. What one world does not determine is None.
        """
        order = self.ranked()
        return [
            {
                "rank": rank,
                "option": option,
                **self._mean("margin", self.margin[option], self.margin_squares[option], confidence),
                **self._mean("score", self.score[option], self.score_squares[option], confidence),
                **self._behind(order[0], option, confidence),
                **self._share("win_rate", self.won[option], confidence),
                **self._share("best_rate", self.best[option], confidence),
            }
            for rank, option in enumerate(order, 1)
        ]

    def _mean(self, name: str, total: np.int64, squares: np.int64, confidence: float) -> dict[str, Any]:
        n, a, aa = self.worlds, int(total), int(squares)
        found = ratio(Sums(clusters=n, m=n, a=a, mm=n, aa=aa, am=a), confidence)
        return {
            name: found.estimate,
            f"{name}_low": found.low,
            f"{name}_high": found.high,
            f"{name}_std_error": found.std_error,
        }

    def _behind(self, best: int, option: int, confidence: float) -> dict[str, Any]:
        """Mean of the differences in the same worlds, and its interval."""
        n = self.worlds
        total = int(self.margin[best]) - int(self.margin[option])
        row: dict[str, Any] = {"behind": total / n, "behind_low": None, "behind_high": None}
        if n > 1 and option != best:
            squares = int(self.margin_squares[best]) + int(self.margin_squares[option])
            squares -= 2 * int(self.cross[best, option])
            error = math.sqrt((squares * n - total * total) / (n * n * (n - 1)))
            half = normal_quantile(confidence) * error
            row |= {"behind_low": total / n - half, "behind_high": total / n + half}
        return row

    def _share(self, name: str, count: np.int64, confidence: float) -> dict[str, Any]:
        share = int(count) / self.worlds
        low, high = wilson(share, self.worlds, confidence)
        return {name: share, f"{name}_low": low, f"{name}_high": high}


def advice_table(decision: Mapping[str, Any]) -> Table:
    """A line an option, the best first: what it comes to, what it is behind the best, and who takes it."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("option", style="cyan")
    for heading in ("margin", "behind", "score", "wins", "best in"):
        table.add_column(heading, justify="right")
    table.add_column("taken by")
    for row in decision["rows"]:
        table.add_row(
            Text(row["words"]),
            _with_half(row, "margin", signed=True),
            _with_half(row, "behind") if row["behind_low"] is not None else NOTHING,
            _with_half(row, "score", signed=True),
            f"{row['win_rate']:.1%}",
            f"{row['best_rate']:.1%}",
            ", ".join(takers(row)),
        )
    return table


def _with_half(row: Mapping[str, Any], name: str, *, signed: bool = False) -> str:
    """Return a mean with its half width."""
    sign = "+" if signed else ""
    if row[f"{name}_low"] is None:
        return f"{row[name]:{sign},.2f}"
    half = (row[f"{name}_high"] - row[f"{name}_low"]) / 2
    digits = decimals_for(half) if half else 2
    return f"{row[name]:{sign},.{digits}f} ± {half:,.{digits}f}"
