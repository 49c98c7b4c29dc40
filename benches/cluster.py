"""How runs scale over the workers of a cluster: measured with one and two on this machine, estimated beyond.

Run as ``python -m benches.cluster [GAME] [--deals N]``. It measures, with workers of one thread each on this machine,
the time until the first chunk is back, the pace of one and of two workers, and the bytes and the coordinator's
time for a chunk, and prints a table. Run it on a machine that does nothing else.

The estimate: W threads play W times what one plays, until the one process that hands out chunks and adds up what comes
back is busy all the time; a chunk costs it so many milliseconds, whatever its size, and chunks grow with W so that this
is a quarter of its time at most (`sim.cluster_pool`). Before lies the start, after the last chunk the wait for it.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from dataclasses import dataclass
from typing import Any

from sim import batch, cluster_pool
from sim.api import Request, execute
from sim.cluster_pool import CHUNK_SECONDS, HANDLING_SHARE, MOST_AT_ONCE, ClusterPool
from sim.games import make_setup
from sim.manifest import DEALS

SMALL_CHUNK = 20
"""Deals in a chunk that costs little but its handling."""

SMALL_CHUNKS = 600
WORKERS = (1, 2, 8, 32, 128, 512, 1024)
LONG = 10**9
"""Deals of the run that the table tells."""


@dataclass(frozen=True)
class Measured:
    """A run on workers of this machine.

    Attributes
    ----------
    start
        Seconds from the call to the first result, with what must be compiled compiled before.
    pace
        Deals a second from then on.
    chunks
        Chunks played.
    chunk_bytes
        Bytes that came back for each.
    process
        Seconds of processor time of this process (the scheduler is in it) for each.
    taking
        Seconds of that for taking an answer and adding it up.
    """

    start: float
    pace: float
    chunks: int
    chunk_bytes: float
    process: float
    taking: float


def measure(game: str, deals: int, workers: int, chunk_size: int | None = None) -> Measured:
    """Play on so many workers of this machine."""
    pools: list[ClusterPool] = []
    seen: list[tuple[float, int]] = []

    class Noted(ClusterPool):
        def __init__(self, *arguments: Any, **others: Any) -> None:
            super().__init__(*arguments, **others)
            pools.append(self)

    cluster_pool.ClusterPool, original = Noted, cluster_pool.ClusterPool  # type: ignore[misc]
    try:
        started = time.perf_counter()
        used: list[float] = []

        def watch(progress: batch.Progress) -> None:
            seen.append((time.perf_counter(), progress.done))
            used.append(time.process_time())

        request = Request(make_setup(game), DEALS, 0, deals, chunk_size=chunk_size, cluster=f"local:{workers}")
        request.watch = watch
        execute(request)
    finally:
        cluster_pool.ClusterPool = original  # type: ignore[misc]
    first, last = seen[0], seen[-1]
    chunks = len(seen)
    between = max(1, chunks - 1)
    return Measured(
        first[0] - started,
        (last[1] - first[1]) / max(last[0] - first[0], 1e-9),
        chunks,
        pools[0].bytes_received / max(1, pools[0].answers),
        (used[-1] - used[0]) / between,
        pools[0].handling,
    )


def in_process(game: str, deals: int, threads: int) -> float:
    """Deals a second without a cluster."""
    return execute(Request(make_setup(game), DEALS, 0, deals, threads=threads)).progress.deals_per_second


@dataclass(frozen=True)
class Estimate:
    """A run of `LONG` deals on so many threads."""

    chunk_seconds: float
    pace: float
    seconds: float
    efficiency: float
    bytes_per_second: float


def estimate(threads: int, pace: float, one: Measured, handling: float) -> Estimate:
    """Say what a run of `LONG` deals would take.

    Parameters
    ----------
    pace
        Deals a second of one thread.
    one
        Start and bytes of a chunk.
    handling
        Seconds of the coordinator for a chunk.
    """
    size = min(MOST_AT_ONCE[DEALS], pace * max(CHUNK_SECONDS, handling * threads / HANDLING_SHARE))
    chunk_seconds = size / pace
    reached = min(threads * pace, size / handling)
    seconds = one.start + LONG / reached + chunk_seconds / 2
    return Estimate(
        chunk_seconds, LONG / seconds, seconds, LONG / seconds / (threads * pace), one.chunk_bytes * reached / size
    )


def duration(seconds: float) -> str:
    """Return a duration as ``3 h 12 min``, ``12 min`` or ``45 s``."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = math.ceil(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min"


def main() -> None:
    """Measure and print."""
    reading = argparse.ArgumentParser(prog="python -m benches.cluster", description="Scaling over workers.")
    reading.add_argument("game", nargs="?", default="canastra")
    reading.add_argument("--deals", type=lambda text: int(float(text)), default=2_000_000)
    given = reading.parse_args()
    execute(Request(make_setup(given.game), DEALS, 0, 1))
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else math.nan
    print(f"{given.game}, {given.deals:,} deals, {batch.default_threads()} processors, load before {load:.1f}")
    alone = in_process(given.game, given.deals // 2, 1)
    print(f"without a cluster, 1 thread   {alone:>12,.0f} deals/s")
    one, two = (measure(given.game, given.deals, workers) for workers in (1, 2))
    small = measure(given.game, SMALL_CHUNK * SMALL_CHUNKS, 1, SMALL_CHUNK)
    # Small chunks keep the coordinator busy, but their sums are smaller than those of large ones.
    handling = small.process + max(0.0, one.taking - small.taking)
    for workers, found in ((1, one), (2, two)):
        print(
            f"{workers} worker{'s' if workers > 1 else ' '}, 1 thread each      {found.pace:>12,.0f} deals/s, "
            f"{found.start:.1f} s to the first result, {found.chunks} chunks"
        )
    print(f"two workers over one          {two.pace / one.pace:>12.2f}")
    print(f"bytes a chunk                 {one.chunk_bytes:>12,.0f}")
    print(f"coordinator, ms a chunk       {handling * 1000:>12.1f}")
    print(f"\nestimate for {LONG:,} deals, of {one.pace:,.0f} deals/s a thread")
    print(f"{'threads':>8} {'deals/s':>14} {'time':>12} {'efficiency':>11} {'a chunk':>9} {'network':>12}")
    for threads in WORKERS:
        told = estimate(threads, one.pace, one, handling)
        print(
            f"{threads:>8,} {told.pace:>14,.0f} {duration(told.seconds):>12} {told.efficiency:>11.0%} "
            f"{told.chunk_seconds:>7.1f} s {told.bytes_per_second / 1000:>7,.0f} kB/s"
        )


if __name__ == "__main__":
    main()
