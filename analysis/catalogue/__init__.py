"""The statistics of each game: those of every game, then its own, from the module named like the game."""

from __future__ import annotations

from importlib import import_module

from analysis.catalogue import common
from analysis.statistic import Statistic
from kernels import registry
from kernels.spec import GameSpec


def load(game: str) -> tuple[Statistic, ...]:
    """All statistics of a registered game, in the order of its tables.

    Raises
    ------
    KeyError
        If no such game is registered.
    """
    return statistics_of(registry.spec(game))


def statistics_of(spec: GameSpec) -> tuple[Statistic, ...]:
    """All statistics of a game by its declaration.

    Raises
    ------
    ValueError
        If two of them have a row of the same name.
    """
    own: tuple[Statistic, ...] = import_module(f"analysis.catalogue.{spec.name}").STATISTICS
    statistics = (*common.statistics(spec), *own)
    names = [row for statistic in statistics for row in statistic.rows]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"statistics of {spec.name} that share a name: {', '.join(repeated)}")
    return statistics
