"""Candidates of a search for whole numbers: CMA-ES, or everything where there is little."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.errors import UsageError

Point = tuple[int, ...]
"""A value for each dimension."""

INSTALL = "pip install 'carteador[tune]'"

LEAST_STEP = 0.6
"""Spread with which a value is tried one away from where it began in two of five candidates."""

STILL = 0.25
"""Spread at or below which a value hardly moves; CMA-ES keeps that of whole numbers at 0.2 or a little below."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A whole number that is sought.

    Attributes
    ----------
    name
        Its name.
    low, high
        Its range, both ends included.
    start
        Where the search begins.
    step
        Spread of the first generation around it.
    """

    name: str
    low: int
    high: int
    start: int
    step: float


class Strategy:
    """CMA-ES on whole numbers within their ranges (library cma).

    Every value has a spread of its own in the beginning, `Dimension.step`; the library keeps the spread of whole
    numbers from vanishing and centres what is rounded.

    Parameters
    ----------
    dimensions
        What is sought; one at least.
    population
        Candidates of a generation.
    seed
        Of its random numbers. The library's own are those of a state that is put in place of NumPy's while it works.
    """

    def __init__(self, dimensions: Sequence[Dimension], population: int, seed: int) -> None:
        self._dimensions = tuple(dimensions)
        self._lows = np.array([one.low for one in dimensions], np.float64)
        self._highs = np.array([one.high for one in dimensions], np.float64)
        generator = np.random.default_rng([seed, 0x7475_6E65])
        self._state: Any = np.random.RandomState(int(generator.integers(2**32))).get_state()
        count = len(dimensions)
        starts = [float(one.start) for one in dimensions]
        steps = [one.step for one in dimensions]
        # A single dimension the library does not know; one beside it that nothing depends on makes it two.
        beside = count == 1
        options = {
            "CMA_stds": [*steps, *([1.0] * beside)],
            "integer_variables": list(range(count)),
            # Wider than the range no candidate need be spread.
            "maxstd": [*((self._highs - self._lows + 1) / 3), *([np.inf] * beside)],
            "popsize": population,
            "randn": lambda *shape: generator.standard_normal(shape),
            "seed": np.nan,
            # Ranks say nothing of how flat or narrow it is; the search has stop rules of its own.
            "tolfun": -1,
            "tolfunhist": -1,
            "tolx": -1,
            "tolxstagnation": False,
            "tolstagnation": np.inf,
            "tolflatfitness": np.inf,
            "tolfacupx": np.inf,
            "maxiter": np.inf,
            # Silent, without files, and deaf to options in a file of the folder it is run in.
            "verbose": -10,
            "verb_log": 0,
            "verb_disp": 0,
            "signals_filename": "",
        }
        with self._working() as library:
            self._search = library.CMAEvolutionStrategy([*starts, *([0.0] * beside)], 1.0, options)
        self._asked: list[npt.NDArray[np.float64]] = []

    @contextmanager
    def _working(self) -> Iterator[Any]:
        """The library, quiet and with random numbers of this strategy."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import cma

            outside = np.random.get_state()  # noqa: NPY002
            np.random.set_state(self._state)  # noqa: NPY002
            try:
                yield cma
            finally:
                self._state = np.random.get_state()  # noqa: NPY002
                np.random.set_state(outside)  # noqa: NPY002

    def ask(self) -> list[Point]:
        """Candidates of the next generation."""
        with self._working():
            self._asked = self._search.ask()
        return [self.rounded(self.folded(one)) for one in self._asked]

    def tell(self, places: Sequence[int]) -> None:
        """Learn the places of the candidates, 0 for the best."""
        with self._working():
            self._search.tell(self._asked, [float(place) for place in places])

    def folded(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Values brought within the ranges, as far from an end as they lay past it.

        So a step is as large near an end as anywhere; the library's own handling of ranges shrinks steps there, until
        the last whole numbers are hardly ever tried.
        """
        width = self._highs - self._lows + 1
        past = np.mod(values[: len(self._dimensions)] - self._lows + 0.5, 2 * width)
        inside: npt.NDArray[np.float64] = self._lows - 0.5 + np.minimum(past, 2 * width - past)
        return inside

    def rounded(self, values: npt.NDArray[np.float64]) -> Point:
        """Nearest point of values within the ranges."""
        near = np.clip(np.rint(values), self._lows, self._highs)
        return tuple(int(value) for value in near)

    @property
    def mean(self) -> npt.NDArray[np.float64]:
        """Centre of the next generation, not rounded; shape (dimensions,)."""
        return self.folded(np.asarray(self._search.mean))

    @property
    def sigma(self) -> float:
        """Step size, 1 in the first generation."""
        return float(self._search.sigma)

    @property
    def is_still(self) -> bool:
        """Whether no value moves any more, or the library can go no further."""
        with self._working():
            spreads = np.asarray(self._search.result.stds)[: len(self._dimensions)]
            return bool((spreads <= STILL).all()) or bool(self._search.stop())


class Everything:
    """All points of a space that is no larger than a population, in one generation."""

    sigma = 1.0
    is_still = False

    def __init__(self, dimensions: Sequence[Dimension]) -> None:
        self._points = list(product(*(range(one.low, one.high + 1) for one in dimensions)))

    def ask(self) -> list[Point]:
        """Every point."""
        return self._points

    def tell(self, _places: Sequence[int]) -> None:
        """Learn nothing: there is nothing left to try."""


def check_library() -> None:
    """Refuse to search without the library.

    Raises
    ------
    UsageError
        If it is not installed.
    """
    if find_spec("cma") is None:
        raise UsageError(f"tune: a search needs cma, not installed here; to install it: {INSTALL}")


def size_of(dimensions: Sequence[Dimension]) -> int:
    """Points in all."""
    return math.prod(one.high - one.low + 1 for one in dimensions)
