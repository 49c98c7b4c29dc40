"""Kinds of event in the log of loba, by number; no numba, so that a log can be read without kernels."""

from __future__ import annotations

import numpy as np

(
    HAND,
    STOCK,
    EXPOSED,
    REDEAL,
    DRAW,
    TAKE_DISCARD,
    MELD,
    EXTEND,
    DISCARD,
    RESHUFFLE,
    GO_OUT,
) = (np.int64(kind) for kind in range(1, 12))
