"""Kernels without their cache, where the disk has no room for what was compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from sim.errors import KernelError


def load(kernels: Callable[[], object], announce: Callable[[str], None] | None) -> bool:
    """Load kernels, from the cache or compiled; where they cannot be kept, they serve this process.

    Parameters
    ----------
    kernels
        Loads them.
    announce
        Receives a line if they cannot be kept; None for silence.

    Returns
    -------
    bool
        Whether the cache holds them.

    Raises
    ------
    KernelError
        If they cannot be compiled.
    """
    from kernels import _jit

    try:
        kernels()
        return True
    except KernelError as error:
        refusal = error.__cause__
        if not isinstance(refusal, OSError):
            raise
    _keep_nothing()
    if announce is not None:
        root, why = str(_jit.cache_root()), refusal.strerror or refusal
        announce(f"The compiled kernels cannot be kept in {root!r}: {why}. CARTEADOR_CACHE_DIR names another folder.")
    kernels()
    return False


def _keep_nothing() -> None:
    """Have nothing more written to the cache; what is in it is used."""
    for module in list(sys.modules.values()):
        for value in list(getattr(module, "__dict__", {}).values()):
            if type(value).__name__ == "CPUDispatcher":
                files: Any = value._cache
                files.save_overload = lambda _signature, _compiled: None
