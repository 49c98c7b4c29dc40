"""The end of a pack between two players: no card is hidden any more, so the last plays can be reckoned out.

The cards that a player has not seen are then the other's hand.

A lead is in points: the mover's score less the other's, escopas included from here on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit, popcount
from kernels.escopa.fifteens import (
    DIAMONDS,
    GUINDIS,
    NOTHING,
    ONE,
    SEVENS,
    bit_of,
    combinations,
    has_sum,
    sums_of,
    sums_wanted,
    value_of,
)
from kernels.escopa.layout import CAPTURE_FREE, CAPTURE_MUST, ESCOPA_CLEAR_TABLE, FIFTEEN, TABLE_SIZE
from kernels.escopa.score import cards_line, diamonds_line, few_line, primeira_line, primeira_value, sevens_line

MOVER, OTHER, NEITHER = np.int64(1), np.int64(-1), np.int64(0)
"""Who captured last."""

LOST = np.int64(-1_000)
"""Below any lead."""

START = np.int64(0)


@lean
def final_lead(own: np.uint64, other: np.uint64, options: Any) -> np.int64:
    """What one of two sides scores more than the other with these cards, escopas aside (ESC-10, ESC-11)."""
    cards, other_cards = popcount(own), popcount(other)
    lead = cards_line(cards, other_cards) - cards_line(other_cards, cards)
    lead += few_line(other_cards) - few_line(cards)
    number, other_number = popcount(own & DIAMONDS), popcount(other & DIAMONDS)
    lead += diamonds_line(number, other_number, options) - diamonds_line(other_number, number, options)
    number, other_number = popcount(own & SEVENS), popcount(other & SEVENS)
    lead += sevens_line(number, other_number, options) - sevens_line(other_number, number, options)
    lead += popcount(own & GUINDIS) - popcount(other & GUINDIS)
    value, other_value = primeira_value(own, options), primeira_value(other, options)
    return lead + primeira_line(value, other_value, options) - primeira_line(other_value, value, options)


@lean
def escopa_of(cards: np.uint64, take: np.uint64, options: Any) -> np.int64:
    """1 if taking these of the cards face up is an escopa (ESC-08)."""
    if take != cards:
        return np.int64(0)
    return np.int64(options.escopa == ESCOPA_CLEAR_TABLE or popcount(take) == TABLE_SIZE)


@lean
def note_play(depth: int, card: int, take: np.uint64, work: Any) -> None:
    """Note the best play so far of the position that is asked about."""
    if depth == 0:
        work.end_card = card
        work.end_take = take


@lean
def best_lead(
    cards: np.uint64,
    hand: np.uint64,
    other_hand: np.uint64,
    own: np.uint64,
    other: np.uint64,
    last: int,
    least: int,
    most: int,
    depth: int,
    options: Any,
    work: Any,
) -> np.int64:
    """The mover's best lead at the end, if both play as well as they can; the play that leads there is noted.

    Parameters
    ----------
    cards
        Face up.
    hand, other_hand, own, other
        Cards in hand and taken, of the mover and the other player.
    last
        Who captured last.
    least, most
        Leads outside which the exact value does not matter.
    depth
        Plays since the position that is asked about.
    """
    if hand == NOTHING:
        if last == MOVER:
            return final_lead(own | cards, other, options)
        return final_lead(own, other | cards if last == OTHER else other, options)
    sums = sums_of(cards)
    can = (sums & sums_wanted(hand)) != NOTHING
    best = LOST
    floor = np.int64(least)
    rest = hand
    while rest != NOTHING and best < most:
        card = lowest_bit(rest)
        bit = bit_of(card)
        rest &= rest - ONE
        kept = hand & ~bit
        captures = has_sum(sums, FIFTEEN - value_of(card))
        if captures:
            ways = combinations(cards, FIFTEEN - value_of(card), work)
            for way in range(ways):
                work.ways_ahead[depth, way] = work.found[way]
            for way in range(ways):
                take = work.ways_ahead[depth, way]
                gained = escopa_of(cards, take, options)
                lead = gained - best_lead(
                    cards & ~take,
                    other_hand,
                    kept,
                    other,
                    own | take | bit,
                    OTHER,
                    gained - most,
                    gained - floor,
                    depth + 1,
                    options,
                    work,
                )
                if lead > best:
                    best = lead
                    note_play(depth, card, take, work)
                floor = max(floor, best)
        if options.capture == CAPTURE_FREE or (not captures and (options.capture != CAPTURE_MUST or not can)):
            lead = -best_lead(cards | bit, other_hand, kept, other, own, -last, -most, -floor, depth + 1, options, work)
            if lead > best:
                best = lead
                note_play(depth, card, NOTHING, work)
            floor = max(floor, best)
    return best


@lean
def last_play(
    cards: np.uint64,
    hand: np.uint64,
    other_hand: np.uint64,
    own: np.uint64,
    other: np.uint64,
    last: int,
    options: Any,
    work: Any,
) -> tuple[np.int64, np.uint64]:
    """The play that leads to the best lead: the card and the cards taken. Parameters are those of `best_lead`."""
    best_lead(cards, hand, other_hand, own, other, last, LOST, -LOST, START, options, work)
    return work.end_card, work.end_take
