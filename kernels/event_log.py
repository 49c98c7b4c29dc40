"""Appending to the event log (`kernels.trace`): what every game that lays melds writes the same way.

The state must have `log_count`, the rows written so far, and `table.turn`. With a log of length 0, as in a batch,
nothing is written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.melds import BIT, NONE, card_bit
from kernels.trace import CARD, NOW

CARD_ROW, NOW_ROW = np.int64(CARD), np.int64(NOW)
ZERO = np.int64(0)


@kernel
def write_row(state: Any, log: Any, kind: int, seat: int, value: int, card: int) -> None:
    """Append one row; the log must have room (`GameSpec.max_events`)."""
    at = state.log_count
    row = log[at]
    row.kind = kind
    row.turn = state.table.turn
    row.seat = seat
    row.value = value
    row.card = card
    state.log_count = at + 1


@kernel
def write_event(state: Any, log: Any, kind: int, seat: int, value: int) -> None:
    """Append the head row of an event."""
    if log.size > 0:
        write_row(state, log, kind, seat, value, ZERO)


@kernel
def write_card(state: Any, log: Any, card: int) -> None:
    """Append one card of the last event."""
    if log.size > 0:
        write_row(state, log, CARD_ROW, ZERO, ZERO, np.int64(card))


@kernel
def write_pair_of_words(state: Any, log: Any, kind: int, one: np.uint64, two: np.uint64) -> None:
    """Append a row of `kind` (`CARD_ROW` or `NOW_ROW`) for every card of a pair of words; the log is kept."""
    rest = one
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        write_row(state, log, kind, ZERO, ZERO, card)
        if (two & card_bit(card)) != NONE:
            write_row(state, log, kind, ZERO, ZERO, card)


@kernel
def write_words(state: Any, log: Any, one: np.uint64, two: np.uint64) -> None:
    """Append the cards of a pair of words to the last event."""
    if log.size > 0:
        write_pair_of_words(state, log, CARD_ROW, one, two)
