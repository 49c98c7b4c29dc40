"""Kinds of event in the log of escopa, by number; no numba, so that a log can be read without kernels.

The value of a `PLAY` or `CLAIM` is 1 for an escopa; cards that a play takes follow it as rows of kind `NOW`.
"""

from __future__ import annotations

import numpy as np

(
    HAND,
    TABLE,
    STOCK,
    DEALER_TAKE,
    TO_TABLE,
    DEAL_HANDS,
    PLAY,
    OVERLOOK,
    CLAIM,
    LEFTOVER,
) = (np.int64(kind) for kind in range(1, 11))

NEW_HAND = np.int64(11)
"""A hand of a later deal; its rows follow the `DEAL_HANDS` that they belong to."""
