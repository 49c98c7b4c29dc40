"""What the way of a policy file costs: `standard` of a game against itself written as a file, in one process.

Run as ``python -m benches.own_policies [DEALS]``: a line a game, the median ratio of their times over the same deals,
taken in turns. The files are in ``benches/own``.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from sim import batch
from sim.games import Setup, make_setup

FILES = Path(__file__).parent / "own"
REPEATS = 15
SECONDS = 0.1


def measured(game: str, file: Path, deals: int | None = None) -> tuple[float, float, float]:
    """Seconds a deal of `standard` and of the file, medians, and the median ratio of neighbouring times."""
    setups = [make_setup(game, policies=policy) for policy in ("standard", str(file))]
    for setup in setups:
        batch.first_compile(setup)
    count = deals or max(100, round(100 * SECONDS / _seconds(setups[0], 100)))
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(REPEATS):
        for setup, times in zip(setups, taken, strict=True):
            times.append(_seconds(setup, count) / count)
    ratio = statistics.median(own / built_in for built_in, own in zip(*taken, strict=True))
    return statistics.median(taken[0]), statistics.median(taken[1]), ratio


def _seconds(setup: Setup, deals: int) -> float:
    start = time.process_time()
    batch.play(setup, batch.deal_jobs(setup, 0, deals))
    return time.process_time() - start


def main(words: list[str]) -> None:
    """Measure every file of the folder."""
    deals = int(words[0]) if words else None
    for file in sorted(FILES.glob("*.py")):
        game = file.stem.removesuffix("_standard")
        built_in, own, ratio = measured(game, file, deals)
        print(f"{game:10} built in {built_in * 1e6:8.2f} us a deal, as a file {own * 1e6:8.2f} us: {ratio:.3f} times")


if __name__ == "__main__":
    main(sys.argv[1:])
