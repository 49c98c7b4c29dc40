"""Whether a player could take the lixo at all: the exhaustive search behind `decline_pile` (CAN-23).

It runs only where a log is kept and the stock has ended, so it is plain rather than quick, and compiled apart
from the loop that plays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.canastra import kinds
from kernels.canastra.layout import LAVADEIRA, NEW_LAVADEIRA, NEW_SEQUENCE, SIDES
from kernels.canastra.lixo import lixo_blocked, take_article
from kernels.canastra.meld_rules import CURINGAS, HIGHEST_RANK, LEGAL, LOWEST_RANK, NATURALS, RANKS
from kernels.canastra.rules import NO_VALUE
from kernels.event_log import write_event
from kernels.melds import BIT, NONE, card_bit, count, in_lane, lane, of_rank


@kernel
def some_curingas(one: np.uint64, two: np.uint64, wanted: int) -> tuple[np.uint64, np.uint64]:
    """The lowest `wanted` curingas of a hand that holds so many."""
    part_one, part_two = NONE, NONE
    rest = one & CURINGAS
    while wanted > 0 and rest != NONE:
        bit = card_bit(lowest_bit(rest))
        rest &= ~bit
        part_one |= bit
        wanted -= 1
        if wanted > 0 and (two & bit) != NONE:
            part_two |= bit
            wanted -= 1
    return part_one, part_two


@kernel
def could_take_sequence(
    table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, target: int, suit: int
) -> bool:
    """Whether some cards of one suit, with curingas, justify taking the lixo on a sequence."""
    top = card_bit(np.int64(table.lixo[table.lixo_size - 1]))
    top_curingas = popcount(top & CURINGAS)
    held = lane(hand_one & NATURALS, suit)
    room = np.int64(options.curingas_per_meld)
    curingas_held = min(room, count(hand_one & CURINGAS, hand_two & CURINGAS))
    naturals = held
    while True:
        for from_hand in range(curingas_held + 1):
            one, two = some_curingas(hand_one, hand_two, from_hand)
            one |= in_lane(naturals, suit)
            curingas = from_hand + top_curingas
            for first in range(LOWEST_RANK, HIGHEST_RANK + 1):
                if curingas == 0 and first > LOWEST_RANK:
                    break
                for second in range(first + 1, HIGHEST_RANK + 2):
                    if curingas < 2 and second > first + 1:
                        break
                    places = NONE
                    if curingas >= 1:
                        places |= BIT << np.uint64(first)
                    if curingas == 2:
                        places |= BIT << np.uint64(second)
                    if curingas > 2 or (places & ~RANKS) != NONE:
                        continue
                    if take_article(table, options, seat, hand_one, hand_two, target, one, two, places) == LEGAL:
                        return True
        if naturals == NONE:
            return False
        naturals = (naturals - BIT) & held


@kernel
def could_take_lavadeira(
    table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64, target: int, rank: int
) -> bool:
    """Whether some cards of one rank, with curingas, justify taking the lixo on a lavadeira."""
    held_one, held_two = hand_one & of_rank(rank), hand_two & of_rank(rank)
    room = np.int64(options.curingas_per_meld)
    curingas_held = min(room, count(hand_one & CURINGAS, hand_two & CURINGAS))
    for from_hand in range(curingas_held + 1):
        curinga_one, curinga_two = some_curingas(hand_one, hand_two, from_hand)
        one, two = curinga_one, curinga_two
        rest_one, rest_two = held_one, held_two
        # Only the number of naturals matters, so they are added one by one.
        while True:
            if take_article(table, options, seat, hand_one, hand_two, target, one, two, NONE) == LEGAL:
                return True
            if rest_one == NONE:
                break
            bit = card_bit(lowest_bit(rest_one))
            if (rest_two & bit) != NONE:
                rest_two &= ~bit
            else:
                rest_one &= ~bit
            two |= one & bit
            one |= bit
    return False


@kernel
def could_take(table: Any, options: Any, seat: int, hand_one: np.uint64, hand_two: np.uint64) -> bool:
    """Whether any legal justification exists for taking the lixo now (CAN-08, CAN-21)."""
    if lixo_blocked(table, options):
        return False
    side = seat % SIDES
    for suit in range(4):
        if could_take_sequence(table, options, seat, hand_one, hand_two, NEW_SEQUENCE, suit):
            return True
    for rank in range(LOWEST_RANK, HIGHEST_RANK + 1):
        if could_take_lavadeira(table, options, seat, hand_one, hand_two, NEW_LAVADEIRA, rank):
            return True
    for meld in range(np.int64(table.meld_count[side])):
        if table.meld_kind[side, meld] == LAVADEIRA:
            rank = np.int64(table.meld_low[side, meld])
            if could_take_lavadeira(table, options, seat, hand_one, hand_two, meld, rank):
                return True
        elif could_take_sequence(table, options, seat, hand_one, hand_two, meld, np.int64(table.meld_suit[side, meld])):
            return True
    return False


@kernel
def note_decline(state: Any, options: Any, log: Any) -> None:
    """Append `decline_pile` to the log of a hand that ended for want of cards, if the lixo could have been taken."""
    table = state.table
    seat = np.int64(table.seat)
    if could_take(table, options, seat, state.hand_one[seat], state.hand_two[seat]):
        write_event(state, log, kinds.DECLINE_PILE, seat, NO_VALUE)
