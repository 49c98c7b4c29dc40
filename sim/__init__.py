"""Runs: setups, chunks, matches, replay, storage and the command line.

``sim.simulate`` plays deals from a program. Importing this package loads nothing heavy.
"""

from __future__ import annotations

# Not from typing: the command must be able to answer Ctrl-C before anything else is loaded.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sim.api import Run, simulate
    from sim.errors import KernelError, UsageError

__all__ = ["KernelError", "Run", "UsageError", "simulate"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in ("simulate", "Run"):
        return getattr(import_module("sim.api"), name)
    if name in ("KernelError", "UsageError"):
        return getattr(import_module("sim.errors"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
