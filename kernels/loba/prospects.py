"""One card ahead: what a hand gains by each card that may come, by exact covers."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.loba.cards import LOW_ACES, cards_at, low_aces
from kernels.loba.covering import sequence_positions
from kernels.loba.extending import addable, best_of
from kernels.loba.outlook import ALL_NATURALS, between_laid, taken_by
from kernels.melds import ALL_LANES, BIT, LANE, NONE, joined

_ONE, _TWO = np.uint64(1), np.uint64(2)
_16, _32, _48 = np.uint64(16), np.uint64(32), np.uint64(48)
_POSITIONS = ALL_NATURALS | LOW_ACES


@kernel
def pair_ranks(one: np.uint64, two: np.uint64, any_set: bool) -> np.uint64:
    """Lane of the ranks of which a set lacks one card, or none."""
    clubs, diamonds, hearts, spades = one & LANE, (one >> _16) & LANE, (one >> _32) & LANE, one >> _48
    pairs = (clubs & diamonds) | (hearts & spades) | ((clubs | diamonds) & (hearts | spades))
    if any_set:
        doubles = two | (two >> _32)
        pairs |= (doubles | (doubles >> _16)) & LANE
    return pairs & ~BIT


@kernel
def useful_cards(table: Any, seat: int, any_set: bool, one: np.uint64, two: np.uint64, jokers: int) -> np.uint64:
    """Natural cards that may bring more of a hand into melds: all that do, and a few more."""
    positions = one | low_aces(one)
    up, up_two, down, down_two = positions << _ONE, positions << _TWO, positions >> _ONE, positions >> _TWO
    places = (up & up_two) | (up & down) | (down & down_two)
    inside = sequence_positions(positions, jokers)
    places |= (inside << _ONE) | (inside >> _ONE)
    if jokers > 0:
        places |= up_two | down_two
    cards = NONE
    if table.meld_count[seat] > 0:
        cards = taken_by(table, seat, any_set) | between_laid(table, seat, one)[1]
        added = addable(table, seat, any_set, one, jokers)
        added |= low_aces(added)
        places |= (added << _ONE) | (added >> _ONE)
        if jokers > 0:
            cards |= beyond_laid(table, seat)
            places |= (added << _TWO) | (added >> _TWO)
    return (cards | cards_at(places & _POSITIONS) | (ALL_LANES * pair_ranks(one, two, any_set))) & ALL_NATURALS


@kernel
def beyond_laid(table: Any, seat: int) -> np.uint64:
    """Cards that join an own sequence on the table with a joker before them."""
    cards = NONE
    for meld in range(table.meld_count[seat]):
        if table.is_set[seat, meld] == 0:
            lies = np.uint64(table.meld_one[seat, meld]) | np.uint64(table.meld_jokers[seat, meld])
            cards |= cards_at(((lies << _TWO) | (lies >> _TWO)) & ~lies & _POSITIONS)
    return cards


@kernel
def gain_ahead(
    table: Any,
    seat: int,
    any_set: bool,
    one: np.uint64,
    two: np.uint64,
    jokers: int,
    live_one: np.uint64,
    live_two: np.uint64,
    floor: int,
    bonus: int,
    joker_worth: int,
) -> np.int64:
    """Sum over every live copy of a card of what its coming adds to the worth of the best cover of a hand.

    Parameters
    ----------
    one, two, jokers
        Natural cards of the hand, and its jokers.
    live_one, live_two
        Cards of which one copy, and of which both, may come.
    floor
        Worth of the best cover of the hand as it is.
    bonus, joker_worth
        Worth of a natural card beside its points, and of a joker.
    """
    rest = useful_cards(table, seat, any_set, one, two, jokers) & live_one
    total = np.int64(0)
    while rest != NONE:
        bit = rest & (~rest + BIT)
        rest ^= bit
        with_one, with_two = joined(one, two, bit, NONE)
        gain = best_of(table, seat, any_set, with_one, with_two, jokers, bonus, joker_worth)[0] - floor
        total += gain if (live_two & bit) == NONE else gain * 2
    return total
