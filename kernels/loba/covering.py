"""The best way to lie: which cards of a hand fit legal sets and sequences, exactly and by bit lanes.

A *cover* is the part of a hand that lies in melds; what is left of the hand is deadwood. The search takes the lowest
card that may lie in some meld and tries every meld in which it is the lowest, and leaving it; a bound by the points
still to be had cuts nearly all of that off. Short melds are enough: a sequence of six or more natural cards is two
sequences, one with more than three natural cards on one side of a joker leaves a sequence behind, one with two jokers
is two sequences with one each, and a set of six is two sets.

No hand is larger than ten cards: nine are dealt, a turn draws one, and what a player lays or throws was his. Nothing
here depends on it.
"""

from __future__ import annotations

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.loba.cards import LOW_ACES, NATURALS, cards_at, joker_count, low_aces, natural_points
from kernels.melds import BIT, LANE, NONE, card_bit, joined, of_rank, rank_counts_at_least_three, without

NEW = np.int64(-1)
"""In place of the number of a meld: a new one."""

_TWO = np.uint64(2)
_LONGEST_RUN = np.int64(5)
_16, _32, _48 = np.uint64(16), np.uint64(32), np.uint64(48)

Cover = tuple[np.int64, np.uint64, np.uint64, np.int64, np.int64, np.uint64, np.uint64, np.uint64]
"""Worth; naturals once and twice, jokers of the cover; one lay of it: the number of the meld, or `NEW`, the naturals
(positions for a sequence, a pair of words for a set) and the positions of its jokers."""

_ZERO, _JOKER_STEPS, _SET_STEP = np.int64(0), np.int64(3), np.int64(12)

NO_COVER = (np.int64(0), NONE, NONE, np.int64(0), NEW, NONE, NONE, NONE)
TOO_LITTLE = (np.int64(-1), NONE, NONE, np.int64(0), NEW, NONE, NONE, NONE)


@kernel
def set_ranks(one: np.uint64, two: np.uint64, any_set: bool) -> np.uint64:
    """Lane of the ranks of which a set can be laid (LOB-05)."""
    if any_set:
        return rank_counts_at_least_three(one & NATURALS, two & NATURALS)
    clubs, diamonds, hearts, spades = one & LANE, (one >> _16) & LANE, (one >> _32) & LANE, one >> _48
    low_both, high_both = clubs & diamonds, hearts & spades
    # Bit 0 holds jokers.
    return ((low_both & (hearts | spades)) | (high_both & (clubs | diamonds))) & ~BIT


@kernel
def set_cards(one: np.uint64, two: np.uint64, any_set: bool) -> np.uint64:
    """Natural cards of a hand that lie in some set (LOB-05)."""
    ranks = set_ranks(one, two, any_set)
    if ranks == NONE:
        return NONE
    pair = ranks | (ranks << _16)
    return one & (pair | (pair << _32))


@kernel
def sequence_positions(positions: np.uint64, jokers: int) -> np.uint64:
    """Positions of a hand that lie in some sequence, with its jokers' help (LOB-06, LOB-07).

    Positions are those of the natural cards, aces at both ends.
    """
    starts = positions & (positions >> BIT) & (positions >> _TWO)
    inside = starts | (starts << BIT) | (starts << _TWO)
    if jokers > 0:
        gaps = positions & (positions >> _TWO)
        inside |= gaps | (gaps << _TWO)
        # Cards beside those; a third one lies in a run of three with them.
        inside |= positions & ((inside << BIT) | (inside >> BIT))
        inside |= positions & ((inside << BIT) | (inside >> BIT))
    return inside


@kernel
def meldable(one: np.uint64, two: np.uint64, any_set: bool) -> np.uint64:
    """Natural cards of a hand that lie in some new meld."""
    naturals = one & NATURALS
    positions = naturals | low_aces(naturals)
    inside = sequence_positions(positions, joker_count(one, two))
    return cards_at(inside) | set_cards(naturals, two, any_set)


@kernel
def worth(one: np.uint64, two: np.uint64, jokers: int, bonus: int, joker: int) -> np.int64:
    """Points of natural cards and `bonus` for each of them, and `joker` for each joker."""
    return natural_points(one) + natural_points(two) + bonus * (popcount(one) + popcount(two)) + joker * jokers


@kernel
def natural_run(length: int) -> np.uint64:
    """Word of so many positions from bit 0 on."""
    return (BIT << np.uint64(length)) - BIT


@kernel
def sequence_step(step: int, from_here: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Sequence number `step` upward from bit 0: its natural cards and its joker; nothing if cards lack.

    Numbers 0 to 2 are natural ones of five to three cards, 3 to 11 those with one to three naturals on either side of
    a joker.
    """
    if step < _JOKER_STEPS:
        naturals = natural_run(_LONGEST_RUN - step)
        joker = NONE
    else:
        before, after = np.uint64((step - 3) // 3 + 1), np.uint64((step - 3) % 3 + 1)
        joker = BIT << before
        naturals = (joker - BIT) | (((BIT << after) - BIT) << (before + BIT))
    if (from_here & naturals) != naturals:
        return NONE, NONE
    return naturals, joker


@kernel
def is_short_set(suits: int, size: int, any_set: bool) -> bool:
    """Whether so many suits and cards of a rank are a set, and not as well two sets (LOB-05)."""
    if any_set:
        return 3 <= size <= 5
    return suits == 3 and size <= 5


@kernel
def best_new(
    one: np.uint64, two: np.uint64, low: np.uint64, jokers: int, any_set: bool, bonus: int, joker_worth: int, floor: int
) -> Cover:
    """Cover of greatest worth by new melds alone (LOB-05, LOB-06, LOB-07).

    Parameters
    ----------
    one, two
        Natural cards.
    low
        Positions at which an ace may still be low, at first `LOW_ACES`.
    jokers
        Their number.
    any_set
        Sets of any three or more of a rank.
    bonus, joker_worth
        Worth of a natural card beside its points; worth of a joker.
    floor
        What the worth must exceed; `TOO_LITTLE` if it cannot.
    """
    low = low & low_aces(one)
    positions = one | low
    runs = sequence_positions(positions, jokers)
    sets = set_cards(one, two, any_set)
    candidates = runs | sets
    if candidates == NONE:
        return NO_COVER if floor < 0 else TOO_LITTLE
    most_one = cards_at(candidates)
    most_two = most_one & two
    if worth(most_one, most_two, jokers, bonus, max(joker_worth, _ZERO)) <= floor:
        return TOO_LITTLE
    lowest = lowest_bit(candidates)
    bit = card_bit(lowest)
    from_here = positions >> np.uint64(lowest)
    others = one & of_rank(lowest & 15) & ~bit if (sets & bit) != NONE else NONE
    step = _ZERO if (runs & bit) != NONE else _SET_STEP
    chosen, double = others, two & (others | bit)
    best = TOO_LITTLE
    while True:
        # Every meld in which this card is the lowest.
        part, part_two, joker = NONE, NONE, NONE
        if step < _SET_STEP:
            part, joker = sequence_step(step, from_here)
            part, joker = part << np.uint64(lowest), joker << np.uint64(lowest)
            step += 1
            if step == _JOKER_STEPS and jokers == 0:
                step = _SET_STEP
        elif others == NONE:
            break
        else:
            part, part_two = chosen | bit, double
            suits = popcount(part)
            if not is_short_set(suits, suits + popcount(double), any_set):
                part = NONE
            if double != NONE:
                double = (double - BIT) & two & (chosen | bit)
            elif chosen != NONE:
                chosen = (chosen - BIT) & others
                double = two & (chosen | bit)
            else:
                others = NONE
        if part == NONE:
            continue
        cards = cards_at(part)
        used = np.int64(joker != NONE)
        gain = worth(cards, part_two, used, bonus, joker_worth)
        rest_one, rest_two = without(one, two, cards, part_two)
        rest = best_new(rest_one, rest_two, low, jokers - used, any_set, bonus, joker_worth, max(best[0], floor) - gain)
        if rest[0] >= 0:
            cover_one, cover_two = joined(rest[1], rest[2], cards, part_two)
            best = (gain + rest[0], cover_one, cover_two, used + rest[3], NEW, part, part_two, joker)
    rest_one, rest_two = one, two
    if (bit & LOW_ACES) != NONE:
        low = low & ~bit
    else:
        rest_one, rest_two = without(one, two, bit, NONE)
    rest = best_new(rest_one, rest_two, low, jokers, any_set, bonus, joker_worth, max(best[0], floor))
    return rest if rest[0] >= 0 else best
