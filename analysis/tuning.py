"""What is told of parameters that were sought: advantages on common deals, and intervals for several at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.comparison import SCORE, UNITS, Compared, Table, by_policy, weights_of
from analysis.estimate import Integers
from analysis.frames import Records, outcomes
from analysis.paired import Difference, PairedRatios, holm, two_sided_probability
from analysis.seating import Seating

SCHEMA = "carteador.tune/1"


def advantages(
    tables: Sequence[Table], seatings: Sequence[Seating], records: Sequence[Records]
) -> tuple[Integers, Integers]:
    """Advantage in score of the first policy over the second, deal by deal.

    Parameters
    ----------
    tables
        From `analysis.comparison.tables_for`.
    seatings, records
        Of each table: who sits where, and a record a deal, the same deals in the same order.

    Returns
    -------
    sums, rows : numpy.ndarray
        Shape (deals,): over all tables, the weighted difference, and the weights that divide it.
    """
    scores = [outcomes(seating, rows)[0] for seating, rows in zip(seatings, records, strict=True)]
    first, second = by_policy(tables, scores)
    total: Integers = np.sum(first, axis=0) - np.sum(second, axis=0)
    each = weights_of(tables[0])[0] * sum(tables[0]) * len(tables)
    return total, np.full(len(total), each)


def over_all(found: Sequence[tuple[Integers, Integers]], opponents: int) -> list[tuple[Integers, Integers]]:
    """Advantage over so many opponents together, of each policy: those over one after the other, as `advantages` says.

    Every opponent counts alike, deal by deal.
    """
    return [
        (np.sum([sums for sums, _ in each], axis=0), np.sum([rows for _, rows in each], axis=0))
        for each in (found[at : at + opponents] for at in range(0, len(found), opponents))
    ]


def paired_with_first(found: Sequence[tuple[Integers, Integers]]) -> list[PairedRatios]:
    """Sums of a chunk of deals: the advantage of each of several policies, paired with that of the first."""
    return [PairedRatios.of(*one, *found[0]) for one in found]


def difference_row(statistic: str, found: Difference) -> dict[str, Any]:
    """An advantage, or a difference of two, for a document."""
    return {
        "statistic": statistic,
        "unit": UNITS[statistic.partition(":")[0]],
        "n": found.n,
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "std_error": found.std_error,
    }


def comparison_rows(compared: Sequence[Compared]) -> dict[str, Any]:
    """Differences of a comparison, by statistic."""
    return {found.statistic: difference_row(found.statistic, found.result) for found in compared}


def cost_rows(sums: Sequence[PairedRatios], confidence: float) -> list[dict[str, Any]]:
    """What several changes cost: the advantage without one less that with it, with intervals that go together.

    An interval leaves out 0 exactly if Holm's procedure rejects that the change costs nothing.

    Parameters
    ----------
    sums
        Of each: changed, paired with unchanged.
    confidence
        With this probability no change that costs nothing has an interval that leaves out 0.

    Returns
    -------
    list of dict
        In the same order, with `level`, the confidence of the interval alone (docs/statistics.md), and `p_holm`.
    """
    probabilities = [two_sided_probability(one.difference(confidence)) for one in sums]
    adjusted = holm(probabilities)
    error = 1 - confidence
    levels = np.empty(len(sums))
    level, rejected = confidence, True
    for place, index in enumerate(np.argsort(np.array(probabilities), kind="stable")):
        # From the first that is not rejected on, all have the level at which that one was tried.
        if rejected:
            level = 1 - error / (len(sums) - place)
            rejected = adjusted[index] <= error
        levels[index] = level
    return [
        {**difference_row(SCORE, turned(one.difference(level))), "level": level, "p_holm": probability}
        for one, level, probability in zip(sums, levels.tolist(), adjusted, strict=True)
    ]


def turned(found: Difference) -> Difference:
    """The second less the first."""
    if found.difference is None:
        return found
    ends = (None, None) if found.low is None or found.high is None else (0.0 - found.high, 0.0 - found.low)
    # Not minus 0.
    return replace(
        found, first=found.second, second=found.first, difference=0.0 - found.difference, low=ends[0], high=ends[1]
    )
