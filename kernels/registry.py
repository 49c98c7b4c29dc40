"""The games, a line each, imported when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kernels.spec import GameSpec

GAMES: dict[str, str] = {
    "canastra": "kernels.canastra",
    "canasta": "kernels.canasta",
    "mau_mau": "kernels.mau_mau",
    "escopa": "kernels.escopa",
    "loba": "kernels.loba",
}
"""Package of each game by its name on the command line."""


def spec(game: str) -> GameSpec:
    """Return what `game` declares about itself; imports no kernel.

    Raises
    ------
    KeyError
        If no such game is registered.
    """
    declared: GameSpec = import_module(f"{GAMES[game]}.layout").SPEC
    return declared


def module(game: str, part: str) -> Any:
    """Import a part of a game's package: ``play`` (compiled kernels) or ``events`` (the log in words)."""
    return import_module(f"{GAMES[game]}.{part}")
