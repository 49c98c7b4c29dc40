"""Single machine instructions on 64-bit words that Numba has no name for, with interpreted twins."""

from __future__ import annotations

from typing import Any

import numpy as np

import kernels._jit  # noqa: F401  (the cache folder must be set before numba is imported)

from numba import types  # isort: skip
from numba.extending import intrinsic, overload  # isort: skip


def popcount(word: np.uint64) -> np.int64:
    """Number of set bits."""
    return np.int64(int(word).bit_count())


def lowest_bit(word: np.uint64) -> np.int64:
    """Index of the lowest set bit; 64 for 0."""
    value = int(word)
    return np.int64((value & -value).bit_length() - 1 if value else 64)


def highest_bit(word: np.uint64) -> np.int64:
    """Index of the highest set bit; -1 for 0."""
    return np.int64(int(word).bit_length() - 1)


@intrinsic
def _population(_typing: Any, word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _trailing_zeros(_typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.uint64), generate


@intrinsic
def _leading_zeros(_typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.uint64), generate


@overload(popcount, inline="always")
def _popcount(word):  # type: ignore[no-untyped-def]  # Numba compares the bare signatures
    return lambda word: _population(np.uint64(word))


@overload(lowest_bit, inline="always")
def _lowest_bit(word):  # type: ignore[no-untyped-def]
    return lambda word: _trailing_zeros(np.uint64(word))


@overload(highest_bit, inline="always")
def _highest_bit(word):  # type: ignore[no-untyped-def]
    return lambda word: np.int64(63) - _leading_zeros(np.uint64(word))
