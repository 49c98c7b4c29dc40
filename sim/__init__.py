"""Runs: setups, chunks, matches, replay, storage and the command line.

``sim.simulate`` plays deals from a program; ``sim.compare``, ``sim.tournament`` and ``sim.sweep`` say what pays.
Importing this package loads nothing heavy.
"""

from __future__ import annotations

# Not from typing: the command must be able to answer Ctrl-C before anything else is loaded.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sim.advising import advise
    from sim.api import Run
    from sim.comparing import compare
    from sim.competing import tournament
    from sim.errors import BusyError, DamageError, KernelError, UsageError
    from sim.hands import odds
    from sim.programs import merge, resume, simulate, verify
    from sim.sweeping import sweep

__all__ = [
    "BusyError",
    "DamageError",
    "KernelError",
    "Run",
    "UsageError",
    "advise",
    "compare",
    "merge",
    "odds",
    "resume",
    "simulate",
    "sweep",
    "tournament",
    "verify",
]

_HOMES = {
    "Run": "sim.api",
    "simulate": "sim.programs",
    "resume": "sim.programs",
    "compare": "sim.comparing",
    "tournament": "sim.competing",
    "sweep": "sim.sweeping",
    "odds": "sim.hands",
    "advise": "sim.advising",
    "merge": "sim.programs",
    "verify": "sim.programs",
    "BusyError": "sim.errors",
    "DamageError": "sim.errors",
    "KernelError": "sim.errors",
    "UsageError": "sim.errors",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
