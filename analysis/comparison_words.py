"""A comparison in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.comparison import SCORE, WIN_RATE, Compared
from analysis.wording import amount, verdict


def policy_sentences(
    labels: tuple[str, str], compared: Sequence[Compared], signs: Mapping[str, Any], confidence: float
) -> list[str]:
    """Say which policy is better, and how sure that is."""
    first, second = labels
    by_name = {found.statistic: found for found in compared}
    score, wins = by_name[SCORE], by_name[WIN_RATE]
    sentences = [verdict(first, second, score.result, "a deal", "points")]
    if score.result.low is None:
        return sentences
    if wins.result.first is not None and wins.result.second is not None:
        apart = wins.result
        sentences.append(
            f"{first} wins {wins.result.first:.1%} of its deals, {second} {wins.result.second:.1%}: "
            f"a difference of {amount(apart.difference or 0.0, apart.half_width, 'share', signed=True)}."
        )
    for who, one, other in (("a_alone", first, second), ("b_alone", second, first)):
        alone = by_name.get(f"{SCORE}:{who}")
        if alone is not None and alone.result.difference is not None:
            sign = 1 if who == "a_alone" else -1
            told = amount(sign * alone.result.difference, alone.result.half_width, "points", signed=True)
            sentences.append(f"Alone at a table of {other}, {one} makes {told} a deal against them.")
    decided = signs["better"] + signs["worse"]
    if decided:
        sentences.append(
            f"Of {decided:,} deals that tell them apart, {first} made more of {signs['better'] / decided:.1%} "
            f"(exact sign test: p {probability(signs['p_value'])})."
        )
    factor = score.result.variance_reduction
    if factor is not None:
        sentences.append(
            f"Playing the same deals both ways round is worth {factor:.1f} times as many independent ones."
        )
    sentences.append(f"Intervals: {confidence:.12g} confidence, clustered by deal.")
    return sentences


def rule_sentences(labels: tuple[str, str], compared: Sequence[Compared]) -> list[str]:
    """Say what changes with the rules."""
    first, second = labels
    sentences = []
    for found in compared:
        result = found.result
        if result.difference is None or result.low is None or result.high is None:
            continue
        what = f"{found.statistic} is {amount(abs(result.difference), result.half_width, found.unit)}"
        if result.low <= 0 <= result.high:
            sentences.append(f"{found.statistic}: no difference is shown.")
        else:
            way = "higher" if result.difference > 0 else "lower"
            sentences.append(f"With {first}, {what} {way} than with {second}.")
    return sentences


def probability(p: float) -> str:
    """Return a probability as it is told of a test, as ``= 0.021`` or ``< 1e-9``."""
    return "< 1e-9" if p < 1e-9 else f"= {p:.2g}"
