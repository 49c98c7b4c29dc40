"""The count at the end of a round of mau-mau (MAU-08, MAU-17 to MAU-19)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.mau_mau.deal import is_spade
from kernels.mau_mau.layout import FINE, REASON_WENT_OUT, STATUS_PLAYED
from kernels.mau_mau.masks import hand_value


@kernel
def factor_of(state: Any, record: Any) -> np.int64:
    """Factor of the losers' cards: two for a Jack, four for two; two for a carta da partida of spades (MAU-18)."""
    factor = np.int64(1) << np.int64(state.last_jacks)
    return 2 * factor if is_spade(np.int64(record.start_card)) else factor


@kernel
def score(state: Any, options: Any, record: Any) -> None:
    """Count the hands and the fines, and fill in what the record says at the end."""
    table = state.table
    players = np.int64(table.players)
    won = state.reason == REASON_WENT_OUT
    factor = factor_of(state, record) if won else np.int64(1)
    collects = options.winner_collects != 0
    hands = np.int64(0)
    fines = np.int64(0)
    for seat in range(players):
        value = hand_value(state.hand_one[seat], state.hand_two[seat])
        fined = np.int64(table.fines[seat]) if won else np.int64(0)
        hands += value * factor
        fines += fined
        record.hand_points[seat] = value
        record.hand_cards[seat] = table.hand_count[seat]
        record.fines[seat] = fined
        record.barred[seat] = (table.barred >> seat) & 1
        if not collects:
            record.hand_score[seat] = -value * factor
            record.fines_score[seat] = -fined * FINE
    if won:
        winner = np.int64(state.winner)
        if collects:
            fines -= np.int64(record.fines[winner])
            record.collected[winner] = hands
        record.fines_won[winner] = fines * FINE
    for seat in range(players):
        record.score[seat] = (
            record.hand_score[seat] + record.fines_score[seat] + record.fines_won[seat] + record.collected[seat]
        )
    record.decisions = state.decisions
    record.turns = table.turn
    record.reason = state.reason
    record.winner = state.winner
    record.factor = factor
    record.last_jacks = state.last_jacks
    record.status = STATUS_PLAYED
