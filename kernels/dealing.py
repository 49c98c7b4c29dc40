"""Shuffling and dealing hands of two packs: what every game that lays melds does the same way.

The state must have `deck`, `placed`, `random`, `hand_one` and `hand_two` (hands as pairs of words, `kernels.melds`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.melds import card_bit
from kernels.rng import PURPOSE_DEAL, PURPOSE_POLICY, bounded, shuffle, stream_start


@kernel
def shuffle_deck(state: Any, pack: Any, cards: int, seed: np.uint64, job: Any) -> None:
    """Put the pack into the deck in the order of the job's deal; leave the stream of the policies at its start."""
    for card in range(cards):
        state.deck[card] = pack[card]
    state.random[0] = stream_start(seed, job.match, job.deal, PURPOSE_DEAL)
    shuffle(state.random, state.deck, cards)
    if state.placed.number > 0:
        place_cards(state, state.random, np.int64(cards), np.int64(job.dealer))
    state.random[0] = stream_start(seed, job.match, job.deal, PURPOSE_POLICY)


@kernel
def place_cards(state: Any, stream: Any, cards: int, dealer: int) -> None:
    """Bring the cards of `state.placed` to their places in a shuffled deck; all other orders stay equally likely.

    Each changes places with what lies there. Of several like cards the one that moves is drawn, as any of them could
    be the one at the place: taking the first would leave the others too far down.

    Raises
    ------
    ValueError
        If the deck has no such card left.
    """
    placed = state.placed
    for number in range(np.int64(placed.number)):
        left = np.int64(0)
        for at in range(cards):
            if _is_wanted(state, dealer, number, at):
                left += 1
        if left == 0:
            raise ValueError("a card is placed that the deck does not have")
        chosen = bounded(stream, left)
        for at in range(cards):
            if _is_wanted(state, dealer, number, at):
                if chosen == 0:
                    place = np.int64(placed.position[dealer, number])
                    state.deck[at], state.deck[place] = state.deck[place], state.deck[at]
                    break
                chosen -= 1


@kernel
def _is_wanted(state: Any, dealer: int, number: int, at: int) -> bool:
    """Whether the card at a place of the deck is like one that is to be placed, and free to move."""
    wanted, card = np.int64(state.placed.card[number]), np.int64(state.deck[at])
    # The jokers of a pack differ in a suit that nobody sees.
    if card != wanted and (state.placed.jokers == 0 or card & 15 != 0 or wanted & 15 != 0):
        return False
    for before in range(number):
        if np.int64(state.placed.position[dealer, before]) == at:
            return False
    return True


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
