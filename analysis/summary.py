"""Statistics of a run from mergeable sums: `Summarizer`, its rows, and the summary document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis import estimate, sequences
from analysis.catalogue import statistics_of
from analysis.estimate import Estimate
from analysis.frames import Records, frames_for
from analysis.measure import Measure
from analysis.proportion import proportion
from analysis.seating import Group, Seating
from analysis.statistic import QUANTILES, Statistic
from analysis.tally import Partial
from kernels.spec import GameSpec

if TYPE_CHECKING:
    from analysis.matches import MatchSummary
    from analysis.precision import Goals

SCHEMA = "carteador.summary/1"
CONFIDENCE = 0.95

ANYTIME = "anytime"
"""What `intervals` of a summary document says where they hold at every number of deals at once."""

Wanted = Mapping[tuple[str, str], float]
"""Half widths that intervals are to be narrow for, by statistic and group."""


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One estimate.

    Attributes
    ----------
    statistic
        Name in the catalogue; of a number also ``NAME:sd`` and ``NAME:p50``.
    group
        ``all``, ``side:0`` or ``seat:0``, ``policy:TEXT``, ``plays_first:yes`` or ``plays_first:no``.
    unit
        Unit of the estimate, ``share`` (0 to 1) for proportions.
    n
        Rows it is taken from: deals, sides, or what the statistic is among.
    estimate, low, high, std_error
        None where the rows do not determine it.
    confidence
        Of the interval from `low` to `high`.
    """

    statistic: str
    group: str
    unit: str
    n: int
    estimate: float | None
    low: float | None
    high: float | None
    std_error: float | None
    confidence: float


class Totals:
    """Sums of any number of chunks and the rows that follow from them; for deals and matches alike.

    Parameters
    ----------
    seating
        Who sits where.
    statistics
        What is counted.
    split
        The column of `sides` that says who plays first.
    """

    def __init__(self, seating: Seating, statistics: Sequence[Statistic], split: str) -> None:
        self.seating = seating
        self.measure = Measure(seating, statistics, split)
        self.total = self.measure.empty()

    @property
    def statistics(self) -> tuple[Statistic, ...]:
        """What is counted, in the order of the tables."""
        return self.measure.statistics

    def frames_chunk(self, deals: pl.DataFrame, sides: pl.DataFrame) -> Partial:
        """Sums of frames that were made or stored before (`sides` by deal, then by side)."""
        return self.measure.partial(deals, sides)

    def merge(self, partial: Partial) -> None:
        """Add the sums of a chunk; the order of chunks changes nothing.

        Raises
        ------
        ValueError
            If the sums are of another game, other groups or other statistics.
        """
        self.total = self.total + partial

    def groups(self) -> tuple[str, ...]:
        """Names of all groups, in order."""
        return tuple(group.name for group in self.measure.groups)

    def rows(self, confidence: float = CONFIDENCE, wanted: Wanted | None = None) -> list[SummaryRow]:
        """Every estimate, by statistic and then by group.

        Parameters
        ----------
        wanted
            None for intervals of a fixed number of deals. Half widths, or none at all, for confidence sequences,
            which hold whenever a run stops; those named are narrowest where they have that half width.

        Raises
        ------
        ValueError
            If `confidence` is not between 0 and 1.
        """
        estimate.normal_quantile(confidence)
        return [
            row
            for statistic in self.statistics
            for group in self.measure.groups_of(statistic)
            for row in self._rows(statistic, group, confidence, wanted)
        ]

    def row(
        self, name: str, group: str = "all", confidence: float = CONFIDENCE, wanted: Wanted | None = None
    ) -> SummaryRow:
        """Return one estimate, without the work for the others; `wanted` as in `rows`.

        Raises
        ------
        KeyError
            If there is no such statistic or it is not told for such a group.
        """
        statistic, found = self._find(name, group)
        return next(row for row in self._rows(statistic, found, confidence, wanted) if row.statistic == name)

    def interval_kind(self, name: str, group: str = "all") -> str:
        """Kind of a row's confidence sequence: ``beta_binomial``, ``betting``, ``quantile`` or ``asymptotic``.

        Raises
        ------
        KeyError
            If there is no such row.
        """
        statistic, found = self._find(name, group)
        if statistic.kind == "proportion":
            return "betting" if found.clustered else "beta_binomial"
        return "quantile" if name in statistic.rows[2:] else "asymptotic"

    def _find(self, name: str, group: str) -> tuple[Statistic, Group]:
        for statistic in self.statistics:
            if name in statistic.rows:
                for candidate in self.measure.groups_of(statistic):
                    if candidate.name == group:
                        return statistic, candidate
                raise KeyError(f"{name} has no group {group}")
        raise KeyError(f"no statistic {name}")

    def histograms(self) -> dict[str, dict[str, dict[str, list[int]]]]:
        """Value counts of every number by name and group: ``values`` rising, and how many rows have each."""
        result: dict[str, dict[str, dict[str, list[int]]]] = {}
        for statistic in self.statistics:
            if statistic.kind == "number":
                tally = self.total.tallies[statistic.name]
                for group in self.measure.groups_of(statistic):
                    counted = self.measure.distribution(statistic, tally, group)
                    entry = {"values": list(counted.values), "counts": list(counted.counts)}
                    result.setdefault(statistic.name, {})[group.name] = entry
        return result

    def _rows(
        self, statistic: Statistic, group: Group, confidence: float, wanted: Wanted | None
    ) -> Iterator[SummaryRow]:
        if wanted is None:
            estimates = self._estimates(statistic, group, confidence)
        else:
            estimates = self._sequences(statistic, group, confidence, wanted)
        for name, found in zip(statistic.rows, estimates, strict=True):
            yield SummaryRow(
                name,
                group.name,
                statistic.unit,
                found.n,
                found.estimate,
                found.low,
                found.high,
                found.std_error,
                confidence,
            )

    def _estimates(self, statistic: Statistic, group: Group, confidence: float) -> list[Estimate]:
        tally = self.total.tallies[statistic.name]
        if statistic.kind == "proportion":
            return [proportion(self.measure.deal_counts(statistic, tally, group), confidence)]
        sums = self.measure.sums(statistic, tally, group)
        mean = estimate.ratio(sums, confidence)
        if statistic.kind == "ratio":
            return [mean]
        distribution = self.measure.distribution(statistic, tally, group)
        return [
            mean,
            estimate.standard_deviation(sums, confidence),
            *estimate.quantiles(distribution, QUANTILES, confidence),
        ]

    def _sequences(self, statistic: Statistic, group: Group, confidence: float, wanted: Wanted) -> list[Estimate]:
        """Estimates as in `_estimates`, with confidence sequences."""
        tally = self.total.tallies[statistic.name]
        rows = sequences.Rows(group.rows, not statistic.among)
        half_widths = [wanted.get((name, group.name)) for name in statistic.rows]
        if statistic.kind == "proportion":
            counts = self.measure.deal_counts(statistic, tally, group)
            return [sequences.proportion(counts, rows, confidence, half_widths[0])]
        sums = self.measure.sums(statistic, tally, group)
        if statistic.kind == "ratio":
            return [sequences.ratio(sums, confidence, half_widths[0])]
        distribution = self.measure.distribution(statistic, tally, group)
        mean, deviation = sequences.deciding_deals(distribution, rows)
        return [
            sequences.ratio(sums, confidence, half_widths[0], mean),
            sequences.standard_deviation(sums, confidence, half_widths[1], deviation),
            *sequences.quantiles(distribution, QUANTILES, rows, confidence),
        ]


class Summarizer(Totals):
    """Statistics of deals; memory does not grow with their number.

    Parameters
    ----------
    spec
        The game.
    options
        Option values by name; those not given have the game's default.
    policies
        Text of the policy at each seat.

    Raises
    ------
    ValueError
        If there is not one policy for each seat.
    """

    def __init__(self, spec: GameSpec, options: Mapping[str, Any], policies: Sequence[str]) -> None:
        super().__init__(Seating.of(spec, options, policies), statistics_of(spec), "plays_first")

    @property
    def deals(self) -> int:
        """Deals merged so far."""
        return self.total.deals

    def chunk(self, records: Records) -> Partial:
        """Sums of a chunk of records; changes nothing here, so any number of threads may do it at once.

        Raises
        ------
        ValueError
            If the records are of another layout, or one of them was never played.
        """
        measure = self.measure
        deals, sides = frames_for(self.seating, records, measure.deal_columns, measure.side_columns)
        return measure.partial(deals, sides, by_side=True)


def summary_document(
    summarizer: Summarizer,
    seed: int,
    provenance: Mapping[str, Any],
    matches: MatchSummary | None = None,
    confidence: float = CONFIDENCE,
    *,
    goals: Goals | None = None,
    first: int = 0,
    command: str | None = None,
) -> dict[str, Any]:
    """Everything a run says, ready for JSON (schema ``carteador.summary/1``, docs/statistics.md).

    Parameters
    ----------
    summarizer
        With all chunks merged.
    seed
        The run's seed.
    provenance
        As `analysis.provenance.provenance` returns it.
    matches
        Of a run of matches.
    confidence
        Of every interval, between 0 and 1.
    goals
        Of a run that stopped at a precision: every interval is then one that holds at every number of deals.
    first
        Number of the first deal (or match).
    command
        The command that repeats the run, where it is known.
    """
    wanted = None if goals is None else goals.wanted
    every: list[Totals] = [summarizer] if matches is None else [summarizer, matches]
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "game": summarizer.seating.spec.name,
        "deals": summarizer.deals,
        "seed": seed,
        "first": first,
        "command": command,
        "options": {name: _plain(value) for name, value in summarizer.seating.options.items()},
        "policies": list(summarizer.seating.policies),
        "confidence": confidence,
        "statistics": [asdict(row) for totals in every for row in totals.rows(confidence, wanted)],
        "histograms": {name: groups for totals in every for name, groups in totals.histograms().items()},
        "provenance": dict(provenance),
    }
    if matches is not None:
        document["matches"] = matches.matches
    if goals is not None:
        counted, done = ("deals", summarizer.deals) if matches is None else ("matches", matches.matches)
        document["intervals"] = ANYTIME
        document["until"] = goals.documents(counted, done)
    return document


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, (tuple, set, frozenset)) else value
