"""All pairs of policies on the same deals: paired differences, Holm's correction, Bradley-Terry strengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.comparison import Comparison, ComparisonSums
from analysis.estimate import Estimate, Sums, normal_quantile, ratio
from analysis.frames import Records, outcomes
from analysis.paired import holm, two_sided_probability
from analysis.seating import Seating

SCHEMA = "carteador.tournament/1"

BLOCKS = 50
"""Deals are cut into so many blocks; leaving out one at a time says how sure a strength is."""

PRIOR = 0.5
"""Weight of the pull towards equal strengths, in wins: without it who never loses has no finite strength."""

Pair = tuple[int, int]
Wins = npt.NDArray[np.int64]


def pairs_of(policies: int) -> tuple[Pair, ...]:
    """All pairs of the numbers of policies."""
    return tuple(combinations(range(policies), 2))


def mixed_tables(policies: int, sides: int) -> tuple[tuple[int, ...], ...]:
    """Number of the policy on each side, at tables where all sit together.

    Over all tables every policy sits on every side equally often, and every one has every neighbour on either hand.
    None where two sides are all there is.
    """
    if sides < 3 or policies < 2:
        return ()
    tables = [
        tuple((way * side + turn) % policies for side in range(sides)) for way in (1, -1) for turn in range(policies)
    ]
    return tuple(dict.fromkeys(tables))


@dataclass(frozen=True, slots=True)
class MixedSums:
    """Of one policy, what its sides made at the mixed tables: sums over deals of score and of wins."""

    score: Sums
    won: Sums

    def __add__(self, other: MixedSums) -> MixedSums:
        """Sums of both sets of deals."""
        return MixedSums(self.score + other.score, self.won + other.won)


def mixed_sums(
    tables: Sequence[Sequence[int]], policies: int, seatings: Sequence[Seating], records: Sequence[Records]
) -> tuple[MixedSums, ...]:
    """Sums of a chunk of deals at the mixed tables, by policy."""
    deals = len(records[0])
    score, won, rows = (np.zeros((policies, deals), np.int64) for _ in range(3))
    for table, seating, played in zip(tables, seatings, records, strict=True):
        scores, wins = outcomes(seating, played)
        for side, policy in enumerate(table):
            score[policy] += scores[side]
            won[policy] += wins[side]
            rows[policy] += 1
    return tuple(
        MixedSums(_sums(points, count), _sums(wins, count))
        for points, wins, count in zip(score, won, rows, strict=True)
    )


def _sums(values: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]) -> Sums:
    return Sums(
        clusters=len(values),
        m=int(rows.sum()),
        a=int(values.sum()),
        mm=int(rows @ rows),
        aa=int(values @ values),
        am=int(values @ rows),
    )


def strengths(wins: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Bradley-Terry strengths, the logarithms of the odds of winning, with mean 0.

    Parameters
    ----------
    wins
        Shape (policies, policies): how often the one in the row beat the one in the column.

    References
    ----------
    Bradley and Terry, Biometrika 39, 1952; Maystre and Grossglauser, "Fast and accurate inference of Plackett-Luce
    models", NeurIPS 2015 (the library choix).
    """
    import choix

    found: npt.NDArray[np.float64] = choix.ilsr_pairwise_dense(wins, alpha=PRIOR, max_iter=10_000)
    centred: npt.NDArray[np.float64] = found - found.mean()
    return centred


@dataclass(frozen=True)
class Tournament:
    """A tournament of policies.

    Attributes
    ----------
    policies
        Their texts.
    pairs
        Sums of each pair, the lower number first.
    wins
        Shape (blocks, policies, policies): deals won by the one in the row against the one in the column, by block of
        deals.
    mixed
        By policy; empty in games of two sides.
    """

    policies: tuple[str, ...]
    pairs: Mapping[Pair, ComparisonSums]
    wins: Wins
    mixed: tuple[MixedSums, ...]
    sides: int
    confidence: float

    def pair_rows(self) -> list[dict[str, Any]]:
        """Each pair's difference in score, first less second, with both probabilities."""
        rows = []
        for (one, other), sums in self.pairs.items():
            comparison = Comparison(sums, self.sides, self.confidence)
            score, wins, signs = comparison.score, comparison.win_rate, comparison.sign_test()
            rows.append(
                {
                    "a": self.policies[one],
                    "b": self.policies[other],
                    "n": score.n,
                    "difference": score.difference,
                    "low": score.low,
                    "high": score.high,
                    "std_error": score.std_error,
                    "win_rate_a": wins.first,
                    "win_rate_b": wins.second,
                    "variance_reduction": score.variance_reduction,
                    "better": signs["better"],
                    "worse": signs["worse"],
                    "equal": signs["equal"],
                    "sign_test_p_value": signs["p_value"],
                    "p_value": two_sided_probability(score),
                }
            )
        for row, adjusted in zip(rows, holm([row["p_value"] for row in rows]), strict=True):
            row["p_holm"] = adjusted
        return rows

    def ranking(self) -> list[dict[str, Any]]:
        """Policies by strength, the strongest first, with intervals over blocks of deals."""
        total = self.wins.sum(axis=0).astype(np.float64)
        found = strengths(total)
        half = self._half_widths(total)
        order = sorted(range(len(self.policies)), key=lambda number: -found[number])
        return [
            {
                "rank": place + 1,
                "policy": self.policies[number],
                "strength": float(found[number]),
                "strength_low": None if half is None else float(found[number] - half[number]),
                "strength_high": None if half is None else float(found[number] + half[number]),
                "wins": int(total[number].sum()),
                "losses": int(total[:, number].sum()),
            }
            for place, number in enumerate(order)
        ]

    def mixed_rows(self) -> list[dict[str, Any]] | None:
        """Policies all at one table, by score; None in games of two sides."""
        if not self.mixed:
            return None
        rows = []
        for policy, sums in zip(self.policies, self.mixed, strict=True):
            score, won = ratio(sums.score, self.confidence), ratio(sums.won, self.confidence)
            rows.append({"policy": policy, **_estimate(score, ""), **_estimate(won, "win_rate_")})
        return sorted(rows, key=lambda row: -(row["score"] or 0.0))

    def _half_widths(self, total: npt.NDArray[np.float64]) -> npt.NDArray[np.float64] | None:
        """Half widths of the strengths by the jackknife, a block of deals left out at a time."""
        played = [block for block in self.wins if block.any()]
        if len(played) < 2:
            return None
        without = np.array([strengths(total - block) for block in played])
        spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0)
        found: npt.NDArray[np.float64] = normal_quantile(self.confidence) * np.sqrt(
            spread * (len(played) - 1) / len(played)
        )
        return found


def _estimate(found: Estimate, prefix: str) -> dict[str, Any]:
    name = prefix.removesuffix("_") or "score"
    return {
        name: found.estimate,
        f"{prefix}low": found.low,
        f"{prefix}high": found.high,
        f"{prefix}std_error": found.std_error,
    }


def tournament_sentences(
    ranking: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], level: float
) -> list[str]:
    """Say who is better than whom, and which pairs may be equal after Holm's correction."""
    order = " > ".join(row["policy"] for row in ranking)
    alike = [f"{row['a']} and {row['b']}" for row in pairs if row["p_holm"] > level]
    sentences = [f"By strength: {order}."]
    if alike:
        sentences.append(f"May be equal (Holm, level {level:.12g}): {'; '.join(alike)}.")
    else:
        worst = max((row["p_holm"] for row in pairs), default=0.0)
        told = "below 1e-9" if worst < 1e-9 else f"at most {math.ceil(worst * 1e9) / 1e9:.2g}"
        sentences.append(f"Every pair differs (Holm-corrected p {told}).")
    return sentences
