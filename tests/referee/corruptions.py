"""Corruptions of a Canastra log: each makes an invalid log of a valid one, or None when it does not apply.

`CORRUPTIONS` holds (name, corruptor, the articles that the referee may give as the reason).
"""

from __future__ import annotations

from tests.referee import corruptions_end, corruptions_log, corruptions_melds, corruptions_play
from tests.referee.corruption_tools import CORRUPTIONS
from tests.referee.log_edits import Corruption, Log

__all__ = [
    "CORRUPTIONS",
    "Corruption",
    "Log",
    "corruptions_end",
    "corruptions_log",
    "corruptions_melds",
    "corruptions_play",
]
