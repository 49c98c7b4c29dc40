"""The best way to lie beside melds on the table: cards added to them, exactly (LOB-05 to LOB-07, LOB-09).

Each sequence of the seat has two ends and each set a row of cards that it takes; they are gone through one after the
other, trying at each to add a card more or to go on. What is left lies in new melds (`kernels.loba.covering`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import highest_bit, lowest_bit, popcount
from kernels.loba.cards import LOW_ACES, NATURALS, card_at, joker_count
from kernels.loba.covering import Cover, best_new, worth
from kernels.melds import BIT, NONE, card_bit, joined, of_rank, without

MOST_JOKERS_IN_A_SEQUENCE = np.int64(2)
LEAST_BETWEEN_JOKERS = np.int64(2)
FAR = np.int64(99)
"""Natural cards beyond the last joker of a sequence that has none."""

UNSEEN = np.int64(-1)
ANY_WORTH = np.int64(-1)
_ZERO, _ONE = np.int64(0), np.int64(1)


@kernel
def set_takes(cards: np.uint64, any_set: bool) -> np.uint64:
    """Cards that a set of these takes: duplicates of its suits, or under `any_set` all of its rank (LOB-05)."""
    return of_rank(lowest_bit(cards) & 15) if any_set else cards


@kernel
def end_of(naturals: np.uint64, jokers: np.uint64, up: bool) -> tuple[np.int64, np.int64]:
    """The last position of a sequence at one end, and how many natural cards lie there beyond its last joker."""
    lies = naturals | jokers
    if up:
        end = highest_bit(lies)
        return end, (end - highest_bit(jokers) if jokers != NONE else FAR)
    end = lowest_bit(lies)
    return end, (lowest_bit(jokers) - end if jokers != NONE else FAR)


@kernel
def in_lane_at(position: int) -> bool:
    """Whether a position beside one of a sequence is in its lane: from the low ace to the high one."""
    place = position & 15
    return 1 <= place <= 14


@kernel
def holds_at(one: np.uint64, position: int) -> bool:
    """Whether a word has the card of a position."""
    return in_lane_at(position) and (one & card_bit(card_at(position))) != NONE


@kernel
def added_to(
    is_set: bool, lie: np.uint64, lie_jokers: np.uint64, any_set: bool, one: np.uint64, jokers: int
) -> np.uint64:
    """Natural cards of a hand that some extension of a meld takes, others before them where it must be."""
    if is_set:
        return one & set_takes(lie, any_set)
    cards = NONE
    for up in (True, False):
        step = np.int64(1) if up else np.int64(-1)
        at, beyond = end_of(lie, lie_jokers, up)
        left = min(jokers, MOST_JOKERS_IN_A_SEQUENCE - popcount(lie_jokers))
        while True:
            if holds_at(one, at + step):
                at += step
                beyond += 1
            elif left > 0 and beyond >= LEAST_BETWEEN_JOKERS and holds_at(one, at + 2 * step):
                at += 2 * step
                left -= 1
                beyond = 1
            else:
                break
            cards |= card_bit(card_at(at))
    return cards


@kernel
def takes_joker(lie: np.uint64, lie_jokers: np.uint64, one: np.uint64) -> bool:
    """Whether some extension of a sequence with these natural cards brings a joker (LOB-07)."""
    if popcount(lie_jokers) == MOST_JOKERS_IN_A_SEQUENCE:
        return False
    for up in (True, False):
        step = np.int64(1) if up else np.int64(-1)
        at, beyond = end_of(lie, lie_jokers, up)
        while True:
            if beyond >= LEAST_BETWEEN_JOKERS and holds_at(one, at + 2 * step):
                return True
            if not holds_at(one, at + step):
                break
            at += step
            beyond += 1
    return False


@kernel
def addable(table: Any, seat: int, any_set: bool, one: np.uint64, jokers: int) -> np.uint64:
    """Natural cards of a hand that some extension of the seat's melds takes."""
    cards = NONE
    for meld in range(table.meld_count[seat]):
        is_set = table.is_set[seat, meld] != 0
        lie, lie_jokers = np.uint64(table.meld_one[seat, meld]), np.uint64(table.meld_jokers[seat, meld])
        cards |= added_to(is_set, lie, lie_jokers, any_set, one, jokers)
    return cards


@kernel
def with_step(rest: Cover, gain: int, meld: int, card: np.uint64, position: np.uint64, joker: np.uint64) -> Cover:
    """A cover with one step more at a meld, which joins the lay of the rest where that is at the same meld."""
    one, two = joined(rest[1], rest[2], card, NONE)
    used = rest[3] + np.int64(joker != NONE)
    if rest[4] == meld:
        lay_one, lay_two = joined(rest[5], rest[6], position, NONE)
        return gain + rest[0], one, two, used, rest[4], lay_one, lay_two, rest[7] | joker
    return gain + rest[0], one, two, used, meld, position, NONE, joker


@kernel
def best_at(
    table: Any,
    seat: int,
    place: int,
    at: int,
    beyond: int,
    used: int,
    one: np.uint64,
    two: np.uint64,
    jokers: int,
    any_set: bool,
    bonus: int,
    joker_worth: int,
) -> Cover:
    """Cover of greatest worth by additions to the melds from `place` on and by new melds.

    Parameters
    ----------
    place
        Twice the number of the meld; one more for the lower end of a sequence.
    at, beyond, used
        Where the addition stands: the last position (of a set: the next card), `UNSEEN` at first; natural cards beyond
        the last joker; jokers in the sequence.
    """
    meld = place >> 1
    if meld >= table.meld_count[seat]:
        return best_new(one, two, LOW_ACES, jokers, any_set, bonus, joker_worth, ANY_WORTH)
    up = (place & 1) == 0
    if table.is_set[seat, meld] != 0:
        takes = one & set_takes(np.uint64(table.meld_one[seat, meld]), any_set)
        if at >= 0:
            takes &= ~(card_bit(at) - BIT)
        if not up or takes == NONE:
            return best_at(table, seat, place + 1, UNSEEN, FAR, _ZERO, one, two, jokers, any_set, bonus, joker_worth)
        card = lowest_bit(takes)
        best = best_at(table, seat, place, card + 1, FAR, _ZERO, one, two, jokers, any_set, bonus, joker_worth)
        rest_one, rest_two = without(one, two, card_bit(card), NONE)
        rest = best_at(table, seat, place, card, FAR, _ZERO, rest_one, rest_two, jokers, any_set, bonus, joker_worth)
        gain = worth(card_bit(card), NONE, _ZERO, bonus, joker_worth)
        return with_step(rest, gain, meld, card_bit(card), card_bit(card), NONE) if gain + rest[0] > best[0] else best
    if at < 0:
        lie_jokers = np.uint64(table.meld_jokers[seat, meld])
        at, beyond = end_of(np.uint64(table.meld_one[seat, meld]), lie_jokers, up)
        if up:
            used = popcount(lie_jokers)
    best = best_at(table, seat, place + 1, UNSEEN, FAR, used, one, two, jokers, any_set, bonus, joker_worth)
    step = np.int64(1) if up else np.int64(-1)
    for with_joker in (False, True):
        to = at + 2 * step if with_joker else at + step
        if not holds_at(one, to):
            continue
        if with_joker and (jokers == 0 or used == MOST_JOKERS_IN_A_SEQUENCE or beyond < LEAST_BETWEEN_JOKERS):
            continue
        card = card_bit(card_at(to))
        spent = np.int64(with_joker)
        rest_one, rest_two = without(one, two, card, NONE)
        rest = best_at(
            table,
            seat,
            place,
            to,
            _ONE if with_joker else beyond + 1,
            used + spent,
            rest_one,
            rest_two,
            jokers - spent,
            any_set,
            bonus,
            joker_worth,
        )
        gain = worth(card, NONE, spent, bonus, joker_worth)
        if gain + rest[0] > best[0]:
            joker = card_bit(at + step) if with_joker else NONE
            best = with_step(rest, gain, meld, card, card_bit(to), joker)
    return best


@kernel
def best_cover(
    table: Any, seat: int, any_set: bool, one: np.uint64, two: np.uint64, bonus: int, joker_worth: int
) -> Cover:
    """Cover of greatest worth of a hand, by new melds and by what the seat's melds take.

    Parameters
    ----------
    one, two
        The hand, jokers among it.
    bonus, joker_worth
        Worth of a natural card beside its points, and of a joker: 0 and `JOKER_POINTS` for the least deadwood, large
        for the fewest cards left.
    """
    return best_of(table, seat, any_set, one & NATURALS, two & NATURALS, joker_count(one, two), bonus, joker_worth)


@kernel
def best_of(
    table: Any, seat: int, any_set: bool, one: np.uint64, two: np.uint64, jokers: int, bonus: int, joker_worth: int
) -> Cover:
    """Cover of greatest worth of natural cards and jokers, as `best_cover`."""
    if table.meld_count[seat] == 0 or addable(table, seat, any_set, one, jokers) == NONE:
        return best_new(one, two, LOW_ACES, jokers, any_set, bonus, joker_worth, ANY_WORTH)
    return best_at(table, seat, _ZERO, UNSEEN, FAR, _ZERO, one, two, jokers, any_set, bonus, joker_worth)


@kernel
def covered_count(cover: Cover) -> np.int64:
    """Number of cards of a cover."""
    return popcount(cover[1]) + popcount(cover[2]) + cover[3]
