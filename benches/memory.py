"""Peak memory of a run of 1 million and of 10 million deals: it must not grow with their number.

Run as ``python -m benches.memory [GAME]``.
"""

from __future__ import annotations

import os
import subprocess
import sys

DEALS = (1_000_000, 10_000_000)
KIBIBYTES = 1 if sys.platform != "darwin" else 1024
COMMAND = [sys.executable, "-c", "from sim.cli import main; main()"]


def peak_mebibytes(game: str, deals: int) -> float:
    """Peak resident memory of ``carteador run GAME --deals DEALS`` in MiB.

    Raises
    ------
    RuntimeError
        If the run fails.
    """
    words = ["run", game, "--deals", str(deals), "--quiet"]
    process = subprocess.Popen([*COMMAND, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"carteador {' '.join(words)} ended with status {process.returncode}")
    return usage.ru_maxrss / KIBIBYTES / 1024


def main(game: str = "canastra") -> None:
    """Print a line for each number of deals, after a run that compiles what must be compiled."""
    peak_mebibytes(game, 1)
    print(f"{'deals of ' + game:>20} {'peak memory':>14}")
    for deals in DEALS:
        print(f"{deals:>20,} {peak_mebibytes(game, deals):>10.1f} MiB", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
