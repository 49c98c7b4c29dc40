"""Kinds of event in the log of canastra, by number; no numba, so that a log can be read without kernels."""

from __future__ import annotations

import numpy as np

(
    HAND,
    MORTO,
    STOCK,
    DRAW,
    RED_THREE,
    TAKE_PILE,
    DECLINE_PILE,
    MELD,
    EXTEND,
    DISCARD,
    TAKE_MORTO,
    MORTO_OPENED,
    MORTO_TO_STOCK,
    PASS,
    GO_OUT,
) = (np.int64(kind) for kind in range(1, 16))

WHY_TURN, WHY_RED_THREE = np.int64(0), np.int64(1)
