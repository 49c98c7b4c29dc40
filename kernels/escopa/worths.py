"""What cards are worth to a side that has taken others already, in thousandths of a point."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import inlined, lean
from kernels.bits import lowest_bit, popcount
from kernels.escopa.fifteens import DIAMONDS, GROUP, GUINDIS, NOTHING, ONE, SEVENS, value_of
from kernels.escopa.layout import CARDS, PRIMEIRA_STANDARD, SUITS, VALUES
from kernels.escopa.parameters import AHEAD_CARD, AHEAD_DIAMOND, AHEAD_GUINDIS, AHEAD_QUARTET, AHEAD_SEVEN
from kernels.escopa.prospects import (
    ALL_DIAMONDS,
    ALL_SEVENS,
    FEW,
    MOST_CARDS,
    MOST_DIAMONDS,
    MOST_SEVENS,
    QUARTET_CHANCE,
    QUARTET_WORTH,
)
from kernels.escopa.score import STANDARD, SUIT_CARDS

PERCENT = np.int64(100)
SIXTEENTHS = np.int64(16)
TWELVE, SEVEN_VALUE = np.int64(12), np.int64(7)
TWELFTHS = np.array([0, 12, 6, 4, 3], np.int64)
"""Twelve divided by a number of cards."""

STANDARD_UNIT = np.int64(25)
FIGURE_WORTH = np.int64(10)
"""Worth of a point of the usual primeira; the points of a figure."""


@lean
def rival_of(table: Any, options: Any, side: int) -> np.int64:
    """The other side, or of two others the one with more cards."""
    if options.sides == 2:
        return 1 - np.int64(side)
    one = (np.int64(side) + 1) % options.sides
    other = (np.int64(side) + 2) % options.sides
    return one if popcount(table.taken[one]) >= popcount(table.taken[other]) else other


@lean
def others_taken(table: Any, options: Any, side: int) -> np.uint64:
    """Cards that all other sides have taken."""
    others = NOTHING
    for other in range(options.sides):
        if other != side:
            others |= table.taken[other]
    return others


@lean
def cards_worth(own: int, rival: int, options: Any) -> np.int64:
    """What a lead in cards is worth."""
    return MOST_CARDS[own, rival] + FEW[own, rival] if options.sides == 2 else MOST_CARDS[own, rival]


@lean
def diamonds_worth(own: int, rival: int, options: Any) -> np.int64:
    """What a lead in diamonds is worth."""
    return MOST_DIAMONDS[own, rival] + (2 - options.all_replaces_most) * ALL_DIAMONDS[own, rival]


@lean
def sevens_worth(own: int, rival: int, options: Any) -> np.int64:
    """What a lead in sevens is worth."""
    return MOST_SEVENS[own, rival] + (3 - options.all_replaces_most) * ALL_SEVENS[own, rival]


@inlined
def counted_worth(own: np.uint64, rival: np.uint64, options: Any, parameters: Any) -> np.int64:
    """What two sides' cards, diamonds and sevens are worth to the first side, in thousandths of a point."""
    cards, rival_cards = popcount(own), popcount(rival)
    diamonds, rival_diamonds = popcount(own & DIAMONDS), popcount(rival & DIAMONDS)
    sevens, rival_sevens = popcount(own & SEVENS), popcount(rival & SEVENS)
    worth = cards_worth(cards, rival_cards, options) * parameters[AHEAD_CARD]
    worth += diamonds_worth(diamonds, rival_diamonds, options) * parameters[AHEAD_DIAMOND]
    worth += sevens_worth(sevens, rival_sevens, options) * parameters[AHEAD_SEVEN]
    return worth // PERCENT


@lean
def quartets_worth(gained: np.uint64, own: np.uint64, others: np.uint64, options: Any) -> np.int64:
    """What cards add to a side's chances of the primeira, and take from the others' (ESC-11)."""
    if options.primeira == PRIMEIRA_STANDARD:
        return suits_worth(gained, own)
    worth = np.int64(0)
    rest = gained
    while rest != NOTHING:
        value = value_of(lowest_bit(rest)) - 1
        shift = np.uint64(4 * value)
        new, mine, theirs = (rest >> shift) & GROUP, (own >> shift) & GROUP, (others >> shift) & GROUP
        rest &= ~(GROUP << shift)
        chance = np.int64(0)
        if theirs == NOTHING:
            chance = QUARTET_CHANCE[popcount(mine | new)] - QUARTET_CHANCE[popcount(mine)]
        if mine == NOTHING:
            chance += QUARTET_CHANCE[popcount(theirs)]
        worth += chance * QUARTET_WORTH[options.primeira, value]
    return worth // SIXTEENTHS


@lean
def suits_worth(gained: np.uint64, own: np.uint64) -> np.int64:
    """What cards add to a side's best cards of the suits, for the primeira in its usual form (ESC-11)."""
    worth = np.int64(0)
    rest = gained
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        best = FIGURE_WORTH - 2
        held = own & (SUIT_CARDS << np.uint64(card & 3))
        while held != NOTHING:
            best = max(best, STANDARD[lowest_bit(held) >> 2])
            held &= held - ONE
        worth += STANDARD_UNIT * max(np.int64(0), STANDARD[card >> 2] - best)
    return worth


@lean
def gain_of(
    gained: np.uint64, own: np.uint64, rival: np.uint64, others: np.uint64, options: Any, parameters: Any
) -> np.int64:
    """What taking cards adds to what a side's cards are worth, by a base that is the same for all plays."""
    worth = counted_worth(own | gained, rival, options, parameters)
    worth += quartets_worth(gained, own, others, options) * parameters[AHEAD_QUARTET] // PERCENT
    if (gained & GUINDIS) != NOTHING:
        worth += parameters[AHEAD_GUINDIS]
    return worth


@inlined
def note_worths(
    table: Any, options: Any, hand: np.uint64, unseen: np.uint64, taker: int, parameters: Any, work: Any
) -> None:
    """Note what each card in sight, and a card not seen of each value, is worth to the side that plays next."""
    own, rival = table.taken[taker], table.taken[rival_of(table, options, taker)]
    others = others_taken(table, options, taker)
    plain, diamond, seven = one_more(own, rival, options, parameters)
    standard = options.primeira == PRIMEIRA_STANDARD
    for value in range(np.int64(1), np.int64(VALUES + 1)):
        group = GROUP << np.uint64(4 * (value - 1))
        worth = plain + seven if value == SEVEN_VALUE else plain
        there = unseen & group
        # A diamond among so many cards not seen counts as the share of one.
        share = TWELFTHS[popcount(there)]
        worth_unseen = worth + share * popcount(there & DIAMONDS) * diamond // TWELVE
        work.played[value] = worth_unseen + share * popcount(there & GUINDIS) * parameters[AHEAD_GUINDIS] // TWELVE
        rest = (table.cards | hand) & group
        if rest != NOTHING and not standard:
            worth += quartets_worth(rest & -rest, own, others, options) * parameters[AHEAD_QUARTET] // PERCENT
        while rest != NOTHING:
            bit = rest & -rest
            rest ^= bit
            more = popcount(bit & DIAMONDS) * diamond + popcount(bit & GUINDIS) * parameters[AHEAD_GUINDIS]
            if standard:
                more += suits_worth(bit, own) * parameters[AHEAD_QUARTET] // PERCENT
            work.worth[lowest_bit(bit)] = worth + more


@inlined
def one_more(own: np.uint64, rival: np.uint64, options: Any, parameters: Any) -> tuple[np.int64, np.int64, np.int64]:
    """What one more card, diamond and seven are worth to a side."""
    number, rival_number = popcount(own), popcount(rival)
    more = min(number + 1, np.int64(CARDS))
    plain = cards_worth(more, rival_number, options) - cards_worth(number, rival_number, options)
    number, rival_number = popcount(own & DIAMONDS), popcount(rival & DIAMONDS)
    more = min(number + 1, np.int64(VALUES))
    diamond = diamonds_worth(more, rival_number, options) - diamonds_worth(number, rival_number, options)
    number, rival_number = popcount(own & SEVENS), popcount(rival & SEVENS)
    more = min(number + 1, np.int64(SUITS))
    seven = sevens_worth(more, rival_number, options) - sevens_worth(number, rival_number, options)
    return (
        plain * parameters[AHEAD_CARD] // PERCENT,
        diamond * parameters[AHEAD_DIAMOND] // PERCENT,
        seven * parameters[AHEAD_SEVEN] // PERCENT,
    )
