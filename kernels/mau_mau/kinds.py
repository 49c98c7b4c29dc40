"""Kinds of event in the log of mau-mau, by number; no numba, so that a log can be read without kernels."""

from __future__ import annotations

import numpy as np

(
    HAND,
    STOCK,
    START_CARD,
    PLAY,
    DRAW,
    UNABLE,
    PASS,
    SKIP,
    REVERSE,
    CALL,
    BARS_LIFTED,
    RESHUFFLE,
    GO_OUT,
    VOID,
) = (np.int64(kind) for kind in range(1, 15))

WHY_EIGHT, WHY_SEVEN, WHY_UNABLE, WHY_FORGOT_CALL, WHY_START_CARD, WHY_BARRED = (np.int64(why) for why in range(6))
"""Why cards are drawn, or a turn is passed."""

WHYS = ("eight", "seven", "unable", "forgot_call", "start_card", "barred")
"""Their names (docs/files.md)."""

NO_SUIT = np.int64(-1)
"""No suit is announced; otherwise a suit as `kernels.cards` numbers it."""
