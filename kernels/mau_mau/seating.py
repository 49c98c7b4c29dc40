"""Who sits where: the neighbours of a seat in a direction of play (MAU-01, MAU-12)."""

from __future__ import annotations

import numpy as np

from kernels._jit import hot


@hot
def seat_after(seat: np.int64, direction: np.int64, players: np.int64) -> np.int64:
    """The next seat in the direction of play, 1 clockwise or -1."""
    after = seat + direction
    if after == players:
        return np.int64(0)
    return players - 1 if after < 0 else after


@hot
def seat_before(seat: np.int64, direction: np.int64, players: np.int64) -> np.int64:
    """The seat before in the direction of play."""
    return seat_after(seat, -direction, players)
