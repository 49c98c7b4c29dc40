"""Corruptions of an Escopa log: each makes an invalid log of a valid one, or None when it does not apply.

`CORRUPTIONS` holds (name, corruptor, the articles that the referee may give as the reason).
"""

from __future__ import annotations

from tests.referee import (
    escopa_corruptions_deals,
    escopa_corruptions_end,
    escopa_corruptions_log,
    escopa_corruptions_overlook,
    escopa_corruptions_play,
)
from tests.referee.escopa_corruption_tools import CORRUPTIONS
from tests.referee.log_edits import Corruption, Log

__all__ = [
    "CORRUPTIONS",
    "Corruption",
    "Log",
    "escopa_corruptions_deals",
    "escopa_corruptions_end",
    "escopa_corruptions_log",
    "escopa_corruptions_overlook",
    "escopa_corruptions_play",
]
