"""Shuffling and dealing hands of two packs: what every game that lays melds does the same way.

The state must have `deck`, `random`, `hand_one` and `hand_two` (hands as pairs of words, `kernels.melds`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.melds import card_bit
from kernels.rng import PURPOSE_DEAL, PURPOSE_POLICY, shuffle, stream_start


@kernel
def shuffle_deck(state: Any, pack: Any, cards: int, seed: np.uint64, job: Any) -> None:
    """Put the pack into the deck in the order of the job's deal; leave the stream of the policies at its start."""
    for card in range(cards):
        state.deck[card] = pack[card]
    state.random[0] = stream_start(seed, job.match, job.deal, PURPOSE_DEAL)
    shuffle(state.random, state.deck, cards)
    state.random[0] = stream_start(seed, job.match, job.deal, PURPOSE_POLICY)


@kernel
def add_to_hand(state: Any, seat: int, card: int) -> None:
    """Put a card into a hand."""
    bit = card_bit(card)
    state.hand_two[seat] |= state.hand_one[seat] & bit
    state.hand_one[seat] |= bit


@kernel
def deal_hands(state: Any, players: int, first: int, size: int) -> None:
    """Deal the first cards of the deck to empty hands, singly from seat `first`."""
    seat = first
    for card in range(size * players):
        add_to_hand(state, seat, np.int64(state.deck[card]))
        seat += 1
        if seat == players:
            seat = 0
