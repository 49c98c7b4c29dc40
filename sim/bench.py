"""How fast this machine plays: deals, turns and decisions a second, the price of a deal in shuffles, start-up."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sim import batch
from sim.errors import KernelError
from sim.games import Setup
from sim.provenance import ROOT, provenance

SCHEMA = "carteador.bench/1"
REPEATS = 5
SECONDS_A_REPEAT = 0.4
WARM_DEALS = 1_000


@dataclass(frozen=True, slots=True)
class Speed:
    """Speed of one game under one policy at every seat.

    Attributes
    ----------
    deals_per_second, turns_per_second, decisions_per_second
        On one thread: median of 5.
    shuffle_ns
        One reference shuffle of the game's pack in nanoseconds, measured in between.
    shuffles_per_deal
        The time of a deal over that of a shuffle: the price that compares across machines.
    threads, threads_deals_per_second
        Worker threads of the last figure, and the deals per second of all of them together.
    cold_seconds
        A run of one deal in a fresh process that must compile everything first.
    warm_seconds
        A run of 1,000 deals in a fresh process, all told: median of 5.
    """

    game: str
    policy: str
    deals_per_second: float
    turns_per_second: float
    decisions_per_second: float
    shuffle_ns: float
    shuffles_per_deal: float
    threads: int
    threads_deals_per_second: float
    cold_seconds: float
    warm_seconds: float


def measure(setups: Sequence[Setup], threads: int, announce: Callable[[str], None] | None = None) -> list[Speed]:
    """Measure each setup; those of one game and one play module share the cold start.

    Parameters
    ----------
    setups
        Each with one policy at every seat.
    announce
        Receives a line before each piece of work that takes seconds.
    """
    say = announce or (lambda _line: None)
    cold: dict[Any, float] = {}
    speeds = []
    for setup in setups:
        game = setup.spec.name
        compiled = (game, setup.parts)
        batch.first_compile(setup, announce)
        if compiled not in cold:
            say(f"{game}: compiling everything once more in an empty cache folder ...")
            cold[compiled] = cold_seconds(setup)
        say(f"{game}, {setup.policy_texts[0]}: measuring ...")
        speeds.append(_speed(setup, threads, cold[compiled]))
    return speeds


def document(speeds: Sequence[Speed], threads: int, seconds: float) -> dict[str, Any]:
    """Measurements with where they were made, for JSON."""
    origin = provenance(threads, seconds, 0.0)
    del origin["deals_per_second"]
    return {"schema": SCHEMA, "results": [asdict(speed) for speed in speeds], "provenance": origin}


def cold_seconds(setup: Setup) -> float:
    """Wall time of a run of one deal in a fresh process with an empty cache folder."""
    with tempfile.TemporaryDirectory(prefix="carteador-bench-") as folder:
        return _process_seconds(setup, 1, {"CARTEADOR_CACHE_DIR": folder})


def warm_seconds(setup: Setup) -> float:
    """Wall time of a run of 1,000 deals in a fresh process, kernels cached: median of 5."""
    return statistics.median(_process_seconds(setup, WARM_DEALS, {}) for _ in range(REPEATS))


def _process_seconds(setup: Setup, deals: int, variables: dict[str, str]) -> float:
    words = ["run", setup.spec.name, "--deals", str(deals), "--quiet", *setup.arguments()]
    command = [sys.executable, "-c", "from sim.cli import main; main()", *words]
    # The child finds the packages where this process found them, installed or not.
    paths = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": paths} | variables
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise KernelError(f"carteador {' '.join(words)} failed: {done.stderr.strip()}")
    return seconds


def _speed(setup: Setup, threads: int, cold: float) -> Speed:
    from benches.reference import reference_shuffle_ns

    cards = setup.spec.shuffle_cards(setup.options)
    deals = _calibrated(setup)
    seconds, shuffles = [], []
    first = 0
    turns = decisions = 0
    for _ in range(REPEATS):
        shuffles.append(reference_shuffle_ns(cards))
        start = time.perf_counter()
        records = batch.play(setup, batch.deal_jobs(setup, first, deals))
        seconds.append(time.perf_counter() - start)
        turns += int(records["turns"].sum())
        decisions += int(records["decisions"].sum())
        first += deals
    pace = deals / statistics.median(seconds)
    shuffle_ns = statistics.median(shuffles)
    played = REPEATS * deals
    return Speed(
        game=setup.spec.name,
        policy=setup.policy_texts[0],
        deals_per_second=round(pace, 1),
        turns_per_second=round(pace * turns / played, 1),
        decisions_per_second=round(pace * decisions / played, 1),
        shuffle_ns=round(shuffle_ns, 2),
        shuffles_per_deal=round(1e9 / pace / shuffle_ns, 2),
        threads=threads,
        threads_deals_per_second=round(_threads_pace(setup, threads, deals * threads), 1),
        cold_seconds=round(cold, 3),
        warm_seconds=round(warm_seconds(setup), 3),
    )


def _calibrated(setup: Setup) -> int:
    """Deals that take about `SECONDS_A_REPEAT` on one thread."""
    deals = 100
    while True:
        start = time.perf_counter()
        batch.play(setup, batch.deal_jobs(setup, 0, deals))
        seconds = time.perf_counter() - start
        if seconds > SECONDS_A_REPEAT / 8:
            return max(1, round(deals * SECONDS_A_REPEAT / seconds))
        deals *= 4


def _threads_pace(setup: Setup, threads: int, deals: int) -> float:
    paces = []
    for _ in range(REPEATS):
        progress = batch.run_chunks(
            lambda chunk: (chunk.count, batch.play(setup, batch.deal_jobs(setup, chunk.first, chunk.count)).size),
            0,
            deals,
            threads=threads,
            chunk_size=batch.chunk_size_for(deals, threads),
            finish=lambda _chunk, _size: None,
        )
        paces.append(progress.deals_per_second)
    return statistics.median(paces)
