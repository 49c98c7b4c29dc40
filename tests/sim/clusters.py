"""Dask clusters in tests: processes of their own, which can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.trees import ROOT

LIMIT = 120.0
QUIET = ("--no-dashboard", "--nthreads", "1", "--memory-limit", "0")


@contextmanager
def process(
    *words: str, tree: Path = ROOT, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a module of Dask's command line in a process group of its own, which ends with the block."""
    started = subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree), "POLARS_MAX_THREADS": "1"} | dict(environment or {}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield started
    finally:
        kill(started)


def kill(started: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(started.pid, signal.SIGKILL)
    started.wait()


@contextmanager
def scheduler(folder: Path, *more: str, **others: Any) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run a scheduler without workers; yields its address and its process."""
    file = folder / "scheduler.json"
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    with process("distributed.cli.dask_scheduler", *words, *more, **others) as started:
        wait_until(file.exists)
        import json

        def read() -> dict[str, Any]:
            found: dict[str, Any] = json.loads(file.read_text() or "{}")
            return found

        wait_until(lambda: bool(read()))
        yield read()["address"], started


def worker(address: str, *words: str, **others: Any) -> Any:
    """Run workers, with somebody who starts them again; `process` with their words."""
    return process("distributed.cli.dask_worker", address, "--host", "127.0.0.1", *QUIET, *words, **others)


PRELOAD = """
from sim import batch
if not hasattr(batch, "original_play"):
    batch.original_play = batch.play
    def play(setup, jobs, **named):
        if (jobs["deal"] == 777).any():
            {body}
        return batch.original_play(setup, jobs, **named)
    batch.play = play
"""


def preload(folder: Path, body: str) -> tuple[str, str]:
    """Words of a worker that does something of its own, one line, before it plays deal 777."""
    path = folder / "preload.py"
    path.write_text(PRELOAD.format(body=body))
    return "--preload", str(path)


def await_workers(address: str, count: int) -> None:
    """Wait until a cluster has so many workers."""
    from distributed import Client

    with Client(address, timeout=LIMIT, set_as_default=False) as client:
        wait_until(lambda: len(client.scheduler_info()["workers"]) == count)


def worker_processes(address: str) -> dict[str, int]:
    """Process numbers of the workers of a cluster, by address."""
    from distributed import Client

    with Client(address, timeout=LIMIT, set_as_default=False) as client:
        found: dict[str, int] = client.run(os.getpid, on_error="ignore")
        return found


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for something that is bound to come."""
    limit = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < limit, "it did not come"
        time.sleep(0.05)
