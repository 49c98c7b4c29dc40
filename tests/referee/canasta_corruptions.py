"""Corruptions of a Canasta log: each makes an invalid log of a valid one, or None when it does not apply.

`CORRUPTIONS` holds (name, corruptor, the articles that the referee may give as the reason).
"""

from __future__ import annotations

from tests.referee import (
    canasta_corruptions_end,
    canasta_corruptions_log,
    canasta_corruptions_melds,
    canasta_corruptions_play,
)
from tests.referee.canasta_corruption_tools import CORRUPTIONS
from tests.referee.log_edits import Corruption, Log

__all__ = [
    "CORRUPTIONS",
    "Corruption",
    "Log",
    "canasta_corruptions_end",
    "canasta_corruptions_log",
    "canasta_corruptions_melds",
    "canasta_corruptions_play",
]
