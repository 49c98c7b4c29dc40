"""The unit of cost: one reference shuffle of a game's own pack.

THIS ROUTINE IS FROZEN. Prices of deals are written down in reference shuffles and compared across years and
machines, so neither the algorithm nor the way it is timed may ever change, not even for the better. The
kernels have a shuffle of their own (`kernels.rng.shuffle`), which may.

The routine: splitmix64, one 64-bit draw a card; a bounded draw from its upper 32 bits by multiply and shift
with rejection (Lemire 2019); Fisher-Yates from the last card down, over cards of one byte.
"""

from __future__ import annotations

import statistics
import time

import numpy as np
import numpy.typing as npt

import kernels._jit  # noqa: F401  (sets the cache folder before numba is imported)

from numba import njit  # isort: skip

BATCHES = 5
CARDS_IN_A_BATCH = 10_400_000
SEED = 20_260_101

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_RANGE = np.uint64(1 << 32)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@njit(cache=True, nogil=True, error_model="numpy")  # type: ignore[untyped-decorator]
def shuffle_many(cards: npt.NDArray[np.uint8], shuffles: int, start: np.uint64) -> np.uint64:
    """Shuffle `cards` in place `shuffles` times in a row; return where the stream then stands.

    Parameters
    ----------
    cards
        Shape (n,), uint8: any cards, n from 2 to 255.
    shuffles
        How many shuffles, one after the other.
    start
        Start of the splitmix64 stream.
    """
    position = start
    for _ in range(shuffles):
        for last in range(len(cards) - 1, 0, -1):
            bound = np.uint64(last + 1)
            while True:
                position += _GAMMA
                bits = position
                bits = (bits ^ (bits >> _30)) * _MIX_1
                bits = (bits ^ (bits >> _27)) * _MIX_2
                bits = bits ^ (bits >> _31)
                product = (bits >> _32) * bound
                low = product & _LOW_32
                if low >= bound or low >= (_RANGE - bound) % bound:
                    break
            pick = np.int64(product >> _32)
            cards[last], cards[pick] = cards[pick], cards[last]
    return position


def reference_shuffle_ns(cards: int) -> float:
    """Nanoseconds of one reference shuffle of `cards` cards on this machine now.

    Median of 5 timed batches, after a first one that is not counted; takes about a seventh of a second.

    Parameters
    ----------
    cards
        Size of the pack, 2 to 255: 40, 52, 104 and 108 in the games that ship.

    Raises
    ------
    ValueError
        If `cards` is out of range.
    """
    if not 2 <= cards <= 255:
        raise ValueError(f"cards = {cards}: a pack of 2 to 255 cards can be timed")
    pack = np.arange(cards, dtype=np.uint8)
    shuffles = CARDS_IN_A_BATCH // cards
    position = shuffle_many(pack, shuffles, np.uint64(SEED))
    batches = []
    for _ in range(BATCHES):
        start = time.perf_counter_ns()
        position = shuffle_many(pack, shuffles, np.uint64(position))
        batches.append((time.perf_counter_ns() - start) / shuffles)
    return statistics.median(batches)
