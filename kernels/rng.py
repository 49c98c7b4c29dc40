"""Counter-based random streams: splitmix64 by (seed, match, deal, purpose).

A stream is a one-element uint64 array that a draw advances. Its start is a hash of all four numbers, so a
deal's cards depend on nothing that was played before it. Integer arithmetic only: the same on every CPU.

References
----------
Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (splitmix64).
Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019 (bounded draws).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kernels._jit import kernel

PURPOSE_DEAL = np.uint64(1)
PURPOSE_POLICY = np.uint64(2)
PURPOSE_FIRST_DEALER = np.uint64(3)
PURPOSE_HOUSE = np.uint64(4)
PURPOSE_ADVICE = np.uint64(5)

GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@kernel
def mix(value: np.uint64) -> np.uint64:
    """Finaliser of splitmix64: a bijection of the 64-bit numbers."""
    value = (value ^ (value >> _30)) * _MIX_1
    value = (value ^ (value >> _27)) * _MIX_2
    return value ^ (value >> _31)


@kernel
def stream_start(seed: np.uint64, match: np.int64, deal: np.uint64, purpose: np.uint64) -> np.uint64:
    """Start of the stream of (seed, match, deal, purpose).

    For a given seed, match and purpose the map from deals to starts is one to one: no two deals share a
    stream. Outside a match `match` is -1.
    """
    key = mix(seed + GOLDEN_GAMMA)
    key = mix((key ^ (np.uint64(match) + purpose * _MIX_1)) + GOLDEN_GAMMA)
    return mix((key ^ deal) + GOLDEN_GAMMA)


@kernel
def next_u64(stream: npt.NDArray[np.uint64]) -> np.uint64:
    """Next 64 random bits of a stream."""
    stream[0] += GOLDEN_GAMMA
    return mix(stream[0])


@kernel
def bounded(stream: npt.NDArray[np.uint64], count: np.int64) -> np.int64:
    """Uniform integer 0 <= draw < `count`, exactly uniform, for 1 <= `count` < 2^32."""
    bound = np.uint64(count)
    product = (next_u64(stream) >> _32) * bound
    if (product & _LOW_32) < bound:
        threshold = ((_ONE << _32) - bound) % bound
        while (product & _LOW_32) < threshold:
            product = (next_u64(stream) >> _32) * bound
    return np.int64(product >> _32)


@kernel
def happens(stream: npt.NDArray[np.uint64], threshold: np.uint64) -> bool:
    """Whether an event happens whose probability is `threshold` / 2^32 (`kernels.spec.rate_threshold`)."""
    return next_u64(stream) >> _32 < threshold


@kernel
def _bounded_half(half: np.uint64, bound: np.uint64, stream: npt.NDArray[np.uint64]) -> np.uint64:
    product = half * bound
    if (product & _LOW_32) < bound:
        threshold = ((_ONE << _32) - bound) % bound
        while (product & _LOW_32) < threshold:
            product = (next_u64(stream) >> _32) * bound
    return product >> _32


@kernel
def shuffle(stream: npt.NDArray[np.uint64], cards: npt.NDArray[np.uint8], count: np.int64) -> None:
    """Put the first `count` cards in random order, every order equally likely (Fisher-Yates, Durstenfeld).

    One 64-bit draw serves two cards.
    """
    last = count - 1
    while last > 0:
        bits = next_u64(stream)
        pick = np.int64(_bounded_half(bits >> _32, np.uint64(last + 1), stream))
        cards[last], cards[pick] = cards[pick], cards[last]
        last -= 1
        if last > 0:
            pick = np.int64(_bounded_half(bits & _LOW_32, np.uint64(last + 1), stream))
            cards[last], cards[pick] = cards[pick], cards[last]
            last -= 1


@kernel
def first_dealer(seed: np.uint64, match: np.int64, seats: np.int64) -> np.int64:
    """Seat that draws the first deal of a match: uniform, as a cut for the dealer is."""
    stream = np.empty(1, np.uint64)
    stream[0] = stream_start(seed, match, np.uint64(0), PURPOSE_FIRST_DEALER)
    return bounded(stream, seats)
