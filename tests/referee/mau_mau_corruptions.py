"""Corruptions of a mau-mau log: each makes an invalid log of a valid one, or None when it does not apply.

`CORRUPTIONS` holds (name, corruptor, the articles that the referee may give as the reason).
"""

from __future__ import annotations

from tests.referee import (
    mau_mau_corruptions_draw,
    mau_mau_corruptions_end,
    mau_mau_corruptions_log,
    mau_mau_corruptions_play,
)
from tests.referee.log_edits import Corruption, Log
from tests.referee.mau_mau_corruption_tools import CORRUPTIONS

__all__ = [
    "CORRUPTIONS",
    "Corruption",
    "Log",
    "mau_mau_corruptions_draw",
    "mau_mau_corruptions_end",
    "mau_mau_corruptions_log",
    "mau_mau_corruptions_play",
]
