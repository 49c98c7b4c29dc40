"""How the heuristic policies discard: the loose card of the least worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.loba.cards import JOKERS, NATURALS, joker_count, low_aces, natural_points
from kernels.loba.dealing import NOBODY
from kernels.loba.extending import best_cover, best_of
from kernels.loba.layout import MAX_SEATS
from kernels.loba.meld_rules import HAND, all_laid_discards, hand_discards, laid_discards
from kernels.loba.outlook import (
    beside,
    between_laid,
    completing,
    live_cards,
    live_count,
    smallest_opponent_hand,
    taken_by,
    two_away,
)
from kernels.loba.parameters import (
    AHEAD,
    AHEAD_CARD,
    COUNT_CARDS,
    DANGER_HAND,
    DANGER_TURN,
    FEED_LIVE,
    FEED_MELD,
    FEED_TOOK,
    KEEP_SPARE,
    LOOSE,
    NEAR,
    NEAR_JOKER,
    POINTS,
    POINTS_LATE,
    SAFE_THROWN,
)
from kernels.loba.policy_heuristic import BY_CARDS, joker_laid
from kernels.loba.prospects import gain_ahead
from kernels.melds import BIT, NONE, card_bit, without

MUCH = np.int64(1 << 60)
NOT_YET = np.int64(-1)
NEVER = np.int64(1000)
_HUNDRED = np.int64(100)


@kernel
def point_weight(table: Any, seat: int, parameters: Any) -> np.int64:
    """Worth of being rid of a point: more once the round may soon end."""
    players = np.int64(table.players)
    own_turn = (np.int64(table.turn) + players - 1) // players
    if own_turn >= parameters[DANGER_TURN] or smallest_opponent_hand(table, seat) <= parameters[DANGER_HAND]:
        return parameters[POINTS_LATE]
    return parameters[POINTS]


@kernel
def next_player(table: Any, seat: int) -> np.int64:
    """The seat that plays next and may take the discard."""
    after = np.int64(seat)
    while True:
        after = after + 1 if after + 1 < MAX_SEATS else np.int64(0)
        if table.playing[after] != 0:
            return after


@kernel
def worth_ahead(
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    jokers: int,
    live_one: np.uint64,
    live_two: np.uint64,
    parameters: Any,
) -> np.int64:
    """Worth of the best cover of a hand after every live copy that may come, summed up."""
    any_set = options.any_set != 0
    card = parameters[AHEAD_CARD]
    joker = card + joker_laid(options, parameters) - BY_CARDS
    left = best_of(table, seat, any_set, one, two, jokers, card, joker)[0]
    gain = gain_ahead(table, seat, any_set, one, two, jokers, live_one, live_two, left, card, joker)
    return gain + left * live_count(live_one, live_one, live_two)


@kernel
def heuristic_discard(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any
) -> tuple[np.int64, np.int64]:
    """Discard the card of the least worth of those in no meld; of a hand that lies whole, of all."""
    allowed = hand_discards(table, options, seat, one)
    if allowed == NONE:
        return spare_discard(table, options, seat)
    if table.hand_count[seat] == 1 or (allowed & JOKERS) != NONE:
        return lowest_bit(allowed), HAND
    any_set = options.any_set != 0
    cover = best_cover(table, seat, any_set, one, two, BY_CARDS, joker_laid(options, parameters))
    naturals, twice = one & NATURALS, two & NATURALS
    loose_one, loose_two = without(naturals, twice, cover[1], cover[2])
    jokers = joker_count(one, two)
    spare_jokers = jokers - cover[3]
    positions = naturals | low_aces(naturals)
    live_one, live_two = live_cards(table, seat, naturals, twice, parameters[COUNT_CARDS] != 0)
    reaching, between = between_laid(table, seat, loose_one)
    points = point_weight(table, seat, parameters)
    after = next_player(table, seat)
    fed = taken_by(table, after, any_set)
    took = beside(np.uint64(table.known_one[after]))
    threw = beside(np.uint64(table.thrown[after]) & NATURALS)
    whole = NOT_YET
    rest = allowed & loose_one
    if rest == NONE:
        rest = allowed
    best, least = NOBODY, MUCH
    while rest != NONE:
        card = lowest_bit(rest)
        bit = card_bit(card)
        rest &= rest - BIT
        cards = completing(loose_one, loose_two, positions, card, any_set)
        if (reaching & bit) != NONE:
            cards |= between & beside(bit)
        keep = parameters[NEAR] * live_count(cards, live_one, live_two)
        if parameters[AHEAD] != 0:
            reach = cards | two_away(card) if jokers > 0 else cards
            if (reach & live_one) == NONE and (jokers == 0 or table.meld_count[seat] == 0):
                # No card that may come brings this one into a meld: the hand is as good with it as without.
                if whole < 0:
                    whole = worth_ahead(table, options, seat, naturals, twice, jokers, live_one, live_two, parameters)
                ahead = whole
            else:
                less_one, less_two = without(naturals, twice, bit, NONE)
                ahead = worth_ahead(table, options, seat, less_one, less_two, jokers, live_one, live_two, parameters)
            keep -= parameters[AHEAD] * ahead // _HUNDRED
        if spare_jokers > 0:
            keep += parameters[NEAR_JOKER] * live_count(two_away(card), live_one, live_two)
        around = live_count(beside(bit), live_one, live_two)
        keep += (parameters[LOOSE] + parameters[FEED_LIVE]) * around
        keep -= points * natural_points(bit)
        if (fed & bit) != NONE:
            keep += parameters[FEED_MELD]
        if (took & bit) != NONE:
            keep += parameters[FEED_TOOK]
        if (threw & bit) != NONE:
            keep -= parameters[SAFE_THROWN]
        if keep < least:
            best, least = card, keep
    if parameters[KEEP_SPARE] < NEVER and all_laid_discards(table, options, seat) != NONE:
        keep = parameters[KEEP_SPARE]
        if parameters[AHEAD] != 0:
            if whole < 0:
                whole = worth_ahead(table, options, seat, naturals, twice, jokers, live_one, live_two, parameters)
            keep -= parameters[AHEAD] * whole // _HUNDRED
        if keep < least:
            return spare_discard(table, options, seat)
    return best, HAND


@kernel
def spare_discard(table: Any, options: Any, seat: int) -> tuple[np.int64, np.int64]:
    """Discard a card that an own meld on the table can spare."""
    for meld in range(table.meld_count[seat]):
        cards = laid_discards(table, options, seat, np.int64(meld))
        if cards != NONE:
            return lowest_bit(cards), np.int64(meld)
    raise RuntimeError("no card of a meld can be spared")
