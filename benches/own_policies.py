"""What the way of a policy file costs: `standard` of a game against itself written as a file, in one process.

Run as ``python -m benches.own_policies``: a line a game, the ratio of their times over the same deals, taken in turns.
Where the code of a process comes to lie changes its speed by several percent, so several processes are asked: the line
says the median of their ratios, and the lowest and the highest. The files are in ``benches/own``.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
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


def main(words: Sequence[str] | None = None) -> None:
    """Measure every file of the folder."""
    parser = argparse.ArgumentParser(prog="python -m benches.own_policies")
    parser.add_argument("--deals", type=int, help="deals of each time taken; else a tenth of a second")
    parser.add_argument("--processes", type=int, default=9, help="processes that are asked, one after the other")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.file:
        print(json.dumps(measured(game_of(asked.file), asked.file, asked.deals)))
        return
    for file in sorted(FILES.glob("*.py")):
        command = [sys.executable, "-m", "benches.own_policies", "--file", str(file)]
        command += ["--deals", str(asked.deals)] if asked.deals else []
        times = [
            json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            for _ in range(asked.processes)
        ]
        built_in, own, ratio = (statistics.median(one) for one in zip(*times, strict=True))
        ratios = [one[2] for one in times]
        print(
            f"{game_of(file):10} built in {built_in * 1e6:8.2f} us a deal, as a file {own * 1e6:8.2f} us: "
            f"{ratio:.3f} times ({min(ratios):.3f} to {max(ratios):.3f})"
        )


def game_of(file: Path) -> str:
    """Game of a file of the folder."""
    return file.stem.removesuffix("_standard")


if __name__ == "__main__":
    main()
