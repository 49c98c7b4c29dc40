"""What a card may still become: live cards, near-melds, and what the others want, by bit lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.loba.cards import card_at, cards_at, low_aces
from kernels.loba.extending import end_of, holds_at, set_takes
from kernels.loba.layout import MAX_SEATS
from kernels.melds import ALL_LANES, LANE, NONE, card_bit, of_rank

_TWO = np.uint64(2)
MANY = np.int64(100)
ALL_NATURALS = np.uint64(0x7FFC_7FFC_7FFC_7FFC)


@kernel
def smallest_opponent_hand(table: Any, seat: int) -> np.int64:
    """Cards of the opponent who has the fewest."""
    fewest = MANY
    for other in range(MAX_SEATS):
        if other != seat and table.playing[other] != 0:
            fewest = min(fewest, np.int64(table.hand_count[other]))
    return fewest


@kernel
def opponents_melded(table: Any, seat: int) -> np.int64:
    """Opponents who have melds on the table."""
    melded = np.int64(0)
    for other in range(MAX_SEATS):
        if other != seat and table.meld_count[other] > 0:
            melded += 1
    return melded


@kernel
def live_cards(table: Any, seat: int, one: np.uint64, two: np.uint64, count_cards: bool) -> tuple[np.uint64, np.uint64]:
    """Natural cards of which one copy, and of which both, may still come to a seat with this hand.

    Not those of the own hand, nor, for who counts cards, those openly seen or known to be in another hand.
    """
    gone_one, gone_two = one, two
    if count_cards:
        gone_two |= gone_one & np.uint64(table.seen_one)
        gone_one |= np.uint64(table.seen_one)
        gone_two |= np.uint64(table.seen_two)
        for other in range(MAX_SEATS):
            if other != seat:
                known = np.uint64(table.known_one[other])
                gone_two |= (gone_one & known) | np.uint64(table.known_two[other])
                gone_one |= known
    return ALL_NATURALS & ~gone_two, ALL_NATURALS & ~gone_one


@kernel
def live_count(cards: np.uint64, live_one: np.uint64, live_two: np.uint64) -> np.int64:
    """Copies of some cards that may still come."""
    return popcount(cards & live_one) + popcount(cards & live_two)


@kernel
def completing_run(positions: np.uint64, place: np.uint64) -> np.uint64:
    """Positions of the third card of a sequence that has the card at `place` and one other of `positions`."""
    up, up_two = place << np.uint64(1), place << _TWO
    down, down_two = place >> np.uint64(1), place >> _TWO
    completing = NONE
    if (positions & up) != NONE:
        completing |= down | up_two
    if (positions & up_two) != NONE:
        completing |= up
    if (positions & down) != NONE:
        completing |= up | down_two
    if (positions & down_two) != NONE:
        completing |= down
    return completing


@kernel
def completing(loose_one: np.uint64, loose_two: np.uint64, positions: np.uint64, card: int, any_set: bool) -> np.uint64:
    """Cards that complete a meld with one card of a hand and one other.

    Parameters
    ----------
    loose_one, loose_two
        Natural cards of the hand that lie in no meld, which a set is made of.
    positions
        Positions of all its natural cards, which a sequence is made of.
    """
    bit = card_bit(card)
    places = completing_run(positions & ~bit, bit)
    low = low_aces(bit)
    if low != NONE:
        places |= completing_run(positions & ~low, low)
    cards = cards_at(places) & ALL_NATURALS
    of = of_rank(card & 15)
    others = loose_one & of & ~bit
    if any_set:
        if others != NONE or (loose_two & bit) != NONE:
            cards |= of
    elif others != NONE:
        cards |= of & ~bit & ~others
    return cards


@kernel
def between_laid(table: Any, seat: int, cards: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Cards that lack one to an own sequence on the table, of those given; and the cards they lack."""
    reaching, between = NONE, NONE
    for meld in range(table.meld_count[seat]):
        if table.is_set[seat, meld] != 0:
            continue
        lies, jokers = np.uint64(table.meld_one[seat, meld]), np.uint64(table.meld_jokers[seat, meld])
        for up in (True, False):
            step = np.int64(1) if up else np.int64(-1)
            end, _ = end_of(lies, jokers, up)
            if holds_at(cards, end + 2 * step):
                reaching |= card_bit(card_at(end + 2 * step))
                between |= card_bit(card_at(end + step))
    return reaching, between


@kernel
def taken_by(table: Any, seat: int, any_set: bool) -> np.uint64:
    """Natural cards that a seat's melds on the table take as they lie."""
    cards = NONE
    for meld in range(table.meld_count[seat]):
        lies, jokers = np.uint64(table.meld_one[seat, meld]), np.uint64(table.meld_jokers[seat, meld])
        if table.is_set[seat, meld] != 0:
            cards |= set_takes(lies, any_set)
        else:
            lies |= jokers
            cards |= cards_at(((lies << np.uint64(1)) | (lies >> np.uint64(1))) & ~lies)
    return cards & ALL_NATURALS


@kernel
def beside(cards: np.uint64) -> np.uint64:
    """Cards that lack one to a meld with one of these, and these: of their ranks, and up to two away in their suits."""
    places = cards | low_aces(cards)
    near = (places << np.uint64(1)) | (places << _TWO) | (places >> np.uint64(1)) | (places >> _TWO)
    ranks = cards | (cards >> np.uint64(32))
    ranks = (ranks | (ranks >> np.uint64(16))) & LANE
    return (cards_at(near) & ALL_NATURALS) | (ALL_LANES * ranks)


@kernel
def two_away(card: int) -> np.uint64:
    """Cards that make a sequence with this one around a joker."""
    bit = card_bit(card)
    places = (bit << _TWO) | (bit >> _TWO)
    low = low_aces(bit)
    if low != NONE:
        places |= low << _TWO
    return cards_at(places) & ALL_NATURALS
