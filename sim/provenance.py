"""Where numbers come from: versions, the commit, the machine."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
UNKNOWN_VERSION = "unknown"


def carteador_version() -> str:
    """Version of the installed distribution."""
    try:
        return version("carteador")
    except PackageNotFoundError:
        return UNKNOWN_VERSION


@cache
def git_state() -> tuple[str | None, bool | None]:
    """Commit of the source tree and whether it holds changes; (None, None) outside a checkout."""
    if not (ROOT / ".git").exists():
        return None, None
    commit = _git("rev-parse", "HEAD")
    changes = _git("status", "--porcelain")
    if commit is None or changes is None:
        return None, None
    return commit, bool(changes)


def provenance(
    threads: int, wall_seconds: float | None = None, deals_per_second: float | None = None
) -> dict[str, Any]:
    """What a stored result says of its making.

    Parameters
    ----------
    threads
        Worker threads of the run.
    wall_seconds, deals_per_second
        Its duration and pace; None, and then left out, while it goes on.
    """
    commit, dirty = git_state()
    made: dict[str, Any] = {
        "version": carteador_version(),
        "git_commit": commit,
        "git_dirty": dirty,
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "polars": version("polars"),
        "cpu": cpu_name(),
        "threads": threads,
    }
    if wall_seconds is not None:
        made["wall_seconds"] = round(wall_seconds, 3)
    if deals_per_second is not None:
        made["deals_per_second"] = round(deals_per_second, 1)
    return made


def cpu_name() -> str:
    """Name of the processor, as the system gives it."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), *words],
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
