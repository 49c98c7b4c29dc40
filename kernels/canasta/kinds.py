"""Kinds of event in the log of canasta, by number; no numba, so that a log can be read without kernels."""

from __future__ import annotations

import numpy as np

(
    HAND,
    PILE,
    STOCK,
    DRAW,
    RED_THREE,
    TAKE_PILE,
    DECLINE_PILE,
    ASK,
    MELD,
    EXTEND,
    DISCARD,
    GO_OUT,
) = (np.int64(kind) for kind in range(1, 13))

WHY_TURN, WHY_RED_THREE = np.int64(0), np.int64(1)
