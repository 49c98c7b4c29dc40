"""Peak memory of runs of 1, 10 and 100 million deals, and of 10 million that are stored: it must not grow with them.

Run as ``python -m benches.memory [GAME] [DEALS...]``; numbers of deals are those of runs that are not stored, and the
last of them is stored too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DEALS = (1_000_000, 10_000_000, 100_000_000)
STORED = 10_000_000
KIBIBYTES = 1 if sys.platform != "darwin" else 1024
COMMAND = [sys.executable, "-c", "from sim.cli import main; main()"]


def peak_mebibytes(*words: str) -> float:
    """Peak resident memory of a ``carteador`` command in MiB.

    Raises
    ------
    RuntimeError
        If it fails.
    """
    process = subprocess.Popen([*COMMAND, *words, "--quiet"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"carteador {' '.join(words)} ended with status {process.returncode}")
    return usage.ru_maxrss / KIBIBYTES / 1024


def tell(what: str, deals: int, *words: str) -> None:
    """Run a command and print a line of what it took."""
    start = time.perf_counter()
    peak = peak_mebibytes(*words)
    print(f"{what:<12} {deals:>13,} {peak:>10.1f} MiB {time.perf_counter() - start:>9.1f} s", flush=True)


def main(game: str = "canastra", *deals: str) -> None:
    """Print a line for each run, after one that compiles what must be compiled."""
    counts = [int(float(text)) for text in deals] or list(DEALS)
    stored = counts[-1] if deals else STORED
    peak_mebibytes("run", game, "--deals", "1")
    print(f"{'carteador ' + game:<12} {'deals':>{13 - max(0, len(game) - 2)}} {'peak memory':>14} {'time':>11}")
    for count in counts:
        tell("run", count, "run", game, "--deals", str(count))
    with tempfile.TemporaryDirectory(prefix="carteador-memory-") as place:
        folder = str(Path(place) / "run")
        tell("run --out", stored, "run", game, "--deals", str(stored), "--out", folder)
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
        tell("run --resume", stored, "run", "--resume", folder)
        tell("verify", stored, "verify", folder)
        tell("merge", stored, "merge", folder, "--out", str(Path(place) / "merged"))
    print(f"on disk {size / stored:.1f} bytes a deal")


if __name__ == "__main__":
    main(*sys.argv[1:])
