"""Why a search is judged on fresh deals: what it believed of its winners, and what they are worth.

Run as ``python -m benches.winners_curse [GAME] [SEARCHES]``; prints the table of docs/statistics.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from sim.tuning import FRESH_FIRST, TuneRun
from sim.tuning_arena import Arena, Meter
from sim.tuning_plan import prepare

POLICY = "standard"
DEALS = (50, 200, 800)
GENERATIONS = 8
SEARCHES = 10
FRESH = 10_000


def beliefs(game: str, deals: int, seed: int) -> tuple[float, float, float, float]:
    """Search once: what the last generation's best and what was found seemed to be worth, and what they are worth."""
    plan = prepare(game, POLICY, None, deals=deals, fresh=FRESH, generations=GENERATIONS, seed=seed)
    meter = Meter(None)
    arena = Arena(plan.common, plan.policy, plan.against, meter, None)
    run = TuneRun(plan, plan.dimensions, meter.progress, arena, 0.95)
    run.search()
    last = run.found.trajectory[-1]
    best = plan.policy_with(run.dimensions, last.best)
    sums = arena.play([best.values, run.chosen.values], FRESH_FIRST, FRESH)
    worth = [one.sums[0] / one.sums[1] for one in sums]
    return last.best_estimate, worth[0], run.found.estimate or 0.0, worth[1]


def table(game: str, searches: int) -> Iterator[str]:
    """Lines of a Markdown table: means over some searches."""
    yield "| deals of a candidate | best of the last generation, in the search | fresh | found, in the search | fresh |"
    yield "|---|---|---|---|---|"
    for deals in DEALS:
        rows = np.array([beliefs(game, deals, seed) for seed in range(searches)])
        mean, error = rows.mean(axis=0), rows.std(axis=0, ddof=1) / np.sqrt(searches)
        cells = [f"{value:+.0f} ± {1.96 * spread:.0f}" for value, spread in zip(mean, error, strict=True)]
        yield f"| {deals:,} | " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table."""
    game = sys.argv[1] if len(sys.argv) > 1 else "canastra"
    searches = int(sys.argv[2]) if len(sys.argv) > 2 else SEARCHES
    print("\n".join(table(game, searches)))


if __name__ == "__main__":
    main()
