"""Corruptions of a Loba log: each makes an invalid log of a valid one, or None when it does not apply.

`CORRUPTIONS` holds (name, corruptor, the articles that the referee may give as the reason).
"""

from __future__ import annotations

from tests.referee import (
    loba_corruptions_discards,
    loba_corruptions_end,
    loba_corruptions_log,
    loba_corruptions_melds,
    loba_corruptions_play,
)
from tests.referee.loba_corruption_tools import CORRUPTIONS
from tests.referee.log_edits import Corruption, Log

__all__ = [
    "CORRUPTIONS",
    "Corruption",
    "Log",
    "loba_corruptions_discards",
    "loba_corruptions_end",
    "loba_corruptions_log",
    "loba_corruptions_melds",
    "loba_corruptions_play",
]
