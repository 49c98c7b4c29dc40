"""How much each built-in policy is worth: every one against the one before, over paired deals.

Run as ``python -m benches.ladder [GAME] [DEALS] [OPTION=VALUE ...]``; prints the tables of docs/policies.md. The
same deals are played twice, the two policies, which sit by turns, changing places, so that the cards favour neither.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.estimate import PairedDifference, paired_difference
from kernels import registry
from sim import simulate
from sim.batch import play_deals
from sim.games import make_setup

DEALS = 100_000
SEED = 28
CONFIDENCE = 0.999
TOLD = (
    "end_reason:batida",
    "end_reason:went_out",
    "first_meld_turn",
    "morto_rate_any",
    "morto_rate",
    "canastra_rate",
    "canasta_rate",
    "natural_canasta_rate",
    "canastras",
    "canastas",
    "lixo_takes",
    "pile_takes",
    "unable",
    "jack_finish_rate",
    "cards_left",
    "escopas_in_pack",
    "captures_in_pack",
    "most_cards_rate",
    "most_diamonds_rate",
    "most_sevens_rate",
    "primeira_rate",
    "leftover_cards",
    "last_capture_points",
    "went_out_turn",
    "all_at_once_rate_any",
    "discard_takes",
    "jokers_used",
    "deadwood",
    "turns",
    "score",
)


def mirrored_scores(
    game: str, one: str, other: str, deals: int, seed: int, rules: Mapping[str, Any] | None = None
) -> npt.NDArray[np.int64]:
    """Score of two policies over the same deals, every other side playing one of them, then exchanged.

    Returns
    -------
    numpy.ndarray
        Shape (2, deals): in each deal the sum of the scores of `one`, and of `other`, over all sides and both playings.
    """
    declared = registry.spec(game)
    options = make_setup(game, rules=rules).options
    sides = declared.sides(options)
    totals = np.zeros((2, deals), np.int64)
    for swapped in (0, 1):
        names = [
            (one, other)[(declared.side_of(seat, options) + swapped) % 2] for seat in range(declared.seats(options))
        ]
        score = play_deals(make_setup(game, seed=seed, policies=names, rules=rules), 0, deals)["score"][:, :sides]
        totals[0] += score[:, swapped::2].sum(axis=1)
        totals[1] += score[:, 1 - swapped :: 2].sum(axis=1)
    return totals


def difference(
    game: str, one: str, other: str, deals: int, seed: int = SEED, rules: Mapping[str, Any] | None = None
) -> PairedDifference:
    """Paired difference of two policies in score, summed over all sides and the two playings, at 99.9 %."""
    scores = mirrored_scores(game, one, other, deals, seed, rules)
    return paired_difference(scores[0], scores[1], CONFIDENCE)


def ladder(game: str, deals: int, rules: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Lines of a Markdown table: every policy against the one before."""
    declared = registry.spec(game)
    policies = [policy.name for policy in declared.policies]
    sides = declared.sides(make_setup(game, rules=rules).options)
    yield "| policy | against | points a deal | 99.9 % interval | better in | worse in |"
    yield "|---|---|---|---|---|---|"
    for other, one in pairwise(policies):
        paired = difference(game, one, other, deals, rules=rules)
        assert paired.mean is not None
        assert paired.low is not None
        assert paired.high is not None
        # Over both playings every side has played each policy once.
        mean, low, high = paired.mean / sides, paired.low / sides, paired.high / sides
        # Of games with small scores the hundredths matter.
        form = "+.1f" if abs(mean) >= 10 else "+.2f"
        better, worse = paired.better / deals, paired.worse / deals
        yield f"| `{one}` | `{other}` | {mean:{form}} | {low:{form}} to {high:{form}} | {better:.1%} | {worse:.1%} |"


def play(game: str, deals: int, rules: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Lines of a Markdown table: how deals go when all seats play the same policy."""
    policies = [policy.name for policy in registry.spec(game).policies]
    runs = [
        simulate(game, deals=deals, seed=SEED, policies=policy, rules=rules, keep_rows=False) for policy in policies
    ]
    rows = [{row.statistic: row for row in run.summary() if row.group == "all"} for run in runs]
    yield "| statistic | " + " | ".join(f"`{policy}`" for policy in policies) + " |"
    yield "|---" * (len(policies) + 1) + "|"
    for name in TOLD:
        if name in rows[0]:
            cells = [_cell(by_name[name].estimate, by_name[name].unit) for by_name in rows]
            yield f"| `{name}` | " + " | ".join(cells) + " |"


def _cell(estimate: float | None, unit: str) -> str:
    if estimate is None:
        return ""
    return f"{estimate:.1%}" if unit == "share" else f"{estimate:.2f}"


def main() -> None:
    """Print both tables."""
    game = sys.argv[1] if len(sys.argv) > 1 else "canastra"
    deals = int(sys.argv[2].replace("_", "")) if len(sys.argv) > 2 else DEALS
    rules = make_setup(game, rule_texts=sys.argv[3:]).changed
    for table in (ladder, play):
        print("\n".join(table(game, deals, rules)))
        print()


if __name__ == "__main__":
    main()
