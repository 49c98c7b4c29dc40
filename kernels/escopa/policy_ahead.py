"""The policy `expert`: what a play brings, less what the next player may expect to gain from the table it leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.escopa.deal import side_of
from kernels.escopa.fifteens import (
    DIAMONDS,
    GROUP,
    GUINDIS,
    NOTHING,
    ONE,
    SEVENS,
    bit_of,
    combinations,
    has_sum,
    total_of,
    value_of,
)
from kernels.escopa.layout import (
    CAPTURE_FREE,
    CAPTURE_MUST,
    ESCOPA_EXACTLY_FOUR,
    FIFTEEN,
    PRIMEIRA_STANDARD,
    SUITS,
    TABLE_SIZE,
    VALUES,
)
from kernels.escopa.parameters import (
    AHEAD_CARD,
    AHEAD_DIAMOND,
    AHEAD_END,
    AHEAD_ESCOPA,
    AHEAD_GUINDIS,
    AHEAD_NEXT,
    AHEAD_OWN_NEXT,
    AHEAD_QUARTET,
    AHEAD_SEVEN,
)
from kernels.escopa.policy_end import MOVER, NEITHER, OTHER, last_play
from kernels.escopa.policy_heuristic import LEAST, PERCENT, next_to_play, unseen_of
from kernels.escopa.prospects import (
    ALL_DIAMONDS,
    ALL_SEVENS,
    CERTAINTY,
    FEW,
    HOLDS,
    MOST_CARDS,
    MOST_DIAMONDS,
    MOST_SEVENS,
    QUARTET_CHANCE,
    QUARTET_WORTH,
)
from kernels.escopa.rules import NO_CARD, can_capture, card_captures, is_escopa
from kernels.escopa.score import STANDARD, SUIT_CARDS

NEVER = np.int64(-(1 << 30))
SIXTEENTHS = np.int64(16)
STANDARD_UNIT = np.int64(25)
FIGURE_WORTH = np.int64(10)


@kernel
def rival_of(table: Any, options: Any, side: int) -> np.int64:
    """The other side, or of two others the one with more cards."""
    if options.sides == 2:
        return 1 - np.int64(side)
    one = (np.int64(side) + 1) % options.sides
    other = (np.int64(side) + 2) % options.sides
    return one if popcount(table.taken[one]) >= popcount(table.taken[other]) else other


@kernel
def counted_worth(own: np.uint64, rival: np.uint64, options: Any, parameters: Any) -> np.int64:
    """What two sides' cards, diamonds and sevens are worth to the first side, in thousandths of a point."""
    cards, rival_cards = popcount(own), popcount(rival)
    diamonds, rival_diamonds = popcount(own & DIAMONDS), popcount(rival & DIAMONDS)
    sevens, rival_sevens = popcount(own & SEVENS), popcount(rival & SEVENS)
    worth = cards_worth(cards, rival_cards, options) * parameters[AHEAD_CARD]
    worth += diamonds_worth(diamonds, rival_diamonds, options) * parameters[AHEAD_DIAMOND]
    worth += sevens_worth(sevens, rival_sevens, options) * parameters[AHEAD_SEVEN]
    return worth // PERCENT


@kernel
def cards_worth(own: int, rival: int, options: Any) -> np.int64:
    """What a lead in cards is worth."""
    return MOST_CARDS[own, rival] + FEW[own, rival] if options.sides == 2 else MOST_CARDS[own, rival]


@kernel
def diamonds_worth(own: int, rival: int, options: Any) -> np.int64:
    """What a lead in diamonds is worth."""
    return MOST_DIAMONDS[own, rival] + (2 - options.all_replaces_most) * ALL_DIAMONDS[own, rival]


@kernel
def sevens_worth(own: int, rival: int, options: Any) -> np.int64:
    """What a lead in sevens is worth."""
    return MOST_SEVENS[own, rival] + (3 - options.all_replaces_most) * ALL_SEVENS[own, rival]


@kernel
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


@kernel
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


@kernel
def gain_of(
    gained: np.uint64, own: np.uint64, rival: np.uint64, others: np.uint64, options: Any, parameters: Any
) -> np.int64:
    """What taking cards adds to what a side's cards are worth, by a base that is the same for all plays."""
    worth = counted_worth(own | gained, rival, options, parameters)
    worth += quartets_worth(gained, own, others, options) * parameters[AHEAD_QUARTET] // PERCENT
    if (gained & GUINDIS) != NOTHING:
        worth += parameters[AHEAD_GUINDIS]
    return worth


@kernel
def note_worths(
    table: Any, options: Any, hand: np.uint64, unseen: np.uint64, taker: int, rival: int, parameters: Any, work: Any
) -> None:
    """Note what each card in sight, and a card played of each value, is worth to the side that plays next."""
    own, against = table.taken[taker], table.taken[rival]
    others = NOTHING
    for side in range(options.sides):
        if side != taker:
            others |= table.taken[side]
    cards, rival_cards = popcount(own), popcount(against)
    plain = cards_worth(cards + 1, rival_cards, options) - cards_worth(cards, rival_cards, options)
    plain = plain * parameters[AHEAD_CARD] // PERCENT
    number, rival_number = popcount(own & DIAMONDS), popcount(against & DIAMONDS)
    more = min(number + 1, np.int64(VALUES))
    diamond = diamonds_worth(more, rival_number, options) - diamonds_worth(number, rival_number, options)
    diamond = diamond * parameters[AHEAD_DIAMOND] // PERCENT
    number, rival_number = popcount(own & SEVENS), popcount(against & SEVENS)
    more = min(number + 1, np.int64(SUITS))
    seven = sevens_worth(more, rival_number, options) - sevens_worth(number, rival_number, options)
    seven = seven * parameters[AHEAD_SEVEN] // PERCENT
    rest = table.cards | hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        bit = bit_of(card)
        worth = plain + quartets_worth(bit, own, others, options) * parameters[AHEAD_QUARTET] // PERCENT
        if (bit & DIAMONDS) != NOTHING:
            worth += diamond
        if (bit & SEVENS) != NOTHING:
            worth += seven
        if bit == GUINDIS:
            worth += parameters[AHEAD_GUINDIS]
        work.worth[card] = worth
    for value in range(np.int64(1), np.int64(VALUES + 1)):
        there = (unseen >> np.uint64(4 * (value - 1))) & GROUP
        if there == NOTHING:
            continue
        number = popcount(there)
        worth = plain
        if (there & np.uint64(2)) != NOTHING:
            worth += diamond // number
        if value == 7:
            worth += seven
            if (unseen & GUINDIS) != NOTHING:
                worth += parameters[AHEAD_GUINDIS] // number
        work.played[value] = worth


@kernel
def note_chances(table: Any, unseen: np.uint64, seat: int, size: int, fresh: bool, work: Any) -> None:
    """Note for each value the chance that a seat holds such a card, among `size` of the cards unseen."""
    lacks = NOTHING if fresh else table.lacks[seat]
    number = np.int64(0)
    for value in range(np.int64(1), np.int64(VALUES + 1)):
        if not has_sum(lacks, FIFTEEN - value):
            number += popcount((unseen >> np.uint64(4 * (value - 1))) & GROUP)
    for value in range(np.int64(1), np.int64(VALUES + 1)):
        there = np.int64(0)
        if not has_sum(lacks, FIFTEEN - value):
            there = popcount((unseen >> np.uint64(4 * (value - 1))) & GROUP)
        work.chance[value] = HOLDS[size, there, number]


@kernel
def note_best(cards: np.uint64, work: Any) -> None:
    """Note the most that cards of each sum to 14 are worth together."""
    work.best[0] = 0
    for wanted in range(np.int64(1), np.int64(FIFTEEN)):
        work.best[wanted] = NEVER
    rest = cards
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        value = value_of(card)
        worth = work.worth[card]
        for wanted in range(np.int64(FIFTEEN - 1), value - 1, np.int64(-1)):
            work.best[wanted] = max(work.best[wanted], work.best[wanted - value] + worth)


@kernel
def clears(cards: np.uint64, total: int, value: int, options: Any) -> bool:
    """Whether a card of a value makes an escopa of the whole table (ESC-08)."""
    if total + value != FIFTEEN:
        return False
    return options.escopa != ESCOPA_EXACTLY_FOUR or popcount(cards) == TABLE_SIZE


@kernel
def expected_gain(cards: np.uint64, total: int, options: Any, parameters: Any, work: Any) -> tuple[np.int64, np.int64]:
    """What the next player may expect to gain from a table, and the chance that he cannot capture.

    He makes the best capture that he can.
    """
    note_best(cards, work)
    for value in range(np.int64(1), np.int64(VALUES + 1)):
        gain = NEVER
        if work.chance[value] > 0 and work.best[FIFTEEN - value] > NEVER // 2:
            gain = work.best[FIFTEEN - value] + work.played[value]
            if clears(cards, total, value, options):
                gain += parameters[AHEAD_ESCOPA]
        work.gain[value] = gain
    expected = np.int64(0)
    without = np.int64(CERTAINTY)
    for _ in range(VALUES):
        best = np.int64(1)
        for value in range(np.int64(2), np.int64(VALUES + 1)):
            if work.gain[value] > work.gain[best]:
                best = value
        if work.gain[best] <= NEVER // 2 or without == 0:
            break
        expected += without * work.chance[best] // CERTAINTY * work.gain[best]
        without -= without * work.chance[best] // CERTAINTY
        work.gain[best] = NEVER
    return expected // CERTAINTY, without


@kernel
def best_next_capture(
    cards: np.uint64, total: int, hand: np.uint64, options: Any, parameters: Any, work: Any
) -> np.int64:
    """The best that a hand can capture from a table of which `note_best` was asked last."""
    best = np.int64(0)
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        rest &= rest - ONE
        value = value_of(card)
        gain = work.best[FIFTEEN - value] + work.worth[card]
        if clears(cards, total, value, options):
            gain += parameters[AHEAD_ESCOPA]
        best = max(best, gain)
    return best


@kernel
def outlook(
    table: Any, options: Any, side: int, after: int, cards: np.uint64, hand: np.uint64, parameters: Any, work: Any
) -> np.int64:
    """What a table is worth to the side that leaves it, with the cards that the player keeps (ESC-02, ESC-04)."""
    if after < 0:
        return np.int64(0)
    total = np.int64(total_of(cards))
    expected, without = expected_gain(cards, total, options, parameters, work)
    if side_of(options, after) == side:
        return expected * parameters[AHEAD_NEXT] // PERCENT
    worth = -(expected * parameters[AHEAD_NEXT] // PERCENT)
    if hand != NOTHING and without > 0:
        own = best_next_capture(cards, total, hand, options, parameters, work)
        worth += without * own // CERTAINTY * parameters[AHEAD_OWN_NEXT] // PERCENT
    return worth


@kernel
def look_ahead(table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, work: Any) -> np.int64:
    """Note what is needed to weigh tables; the seat that plays next, -1 for nobody."""
    after, size = next_to_play(table, options, seat)
    if after < 0:
        return after
    unseen = unseen_of(table, hand)
    taker = side_of(options, after)
    note_worths(table, options, hand, unseen, taker, rival_of(table, options, taker), parameters, work)
    note_chances(table, unseen, after, size, table.plays_left <= 1, work)
    return after


@kernel
def others_taken(table: Any, options: Any, side: int) -> np.uint64:
    """Cards that all other sides have taken."""
    others = NOTHING
    for other in range(options.sides):
        if other != side:
            others |= table.taken[other]
    return others


@kernel
def ahead_play(
    table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, work: Any
) -> tuple[np.int64, np.uint64]:
    """The play of the greatest worth; of equal ones the first card."""
    side = side_of(options, seat)
    own, rival = table.taken[side], table.taken[rival_of(table, options, side)]
    if parameters[AHEAD_END] != 0 and table.stock_left == 0 and options.players == 2:
        last = NEITHER
        if table.last_seat >= 0:
            last = MOVER if table.last_seat == seat else OTHER
        return last_play(table.cards, hand, unseen_of(table, hand), own, rival, last, options, work)
    others = others_taken(table, options, side)
    after = look_ahead(table, options, seat, hand, parameters, work)
    base = gain_of(NOTHING, own, rival, others, options, parameters)
    must = options.capture == CAPTURE_MUST and can_capture(table, hand)
    best = LEAST
    best_card, best_take = NO_CARD, NOTHING
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        bit = bit_of(card)
        rest &= rest - ONE
        kept = hand & ~bit
        captures = card_captures(table, card)
        if captures:
            ways = combinations(table.cards, FIFTEEN - value_of(card), work)
            for way in range(ways):
                take = work.found[way]
                worth = gain_of(take | bit, own, rival, others, options, parameters) - base
                if is_escopa(table, options, take):
                    worth += parameters[AHEAD_ESCOPA]
                worth += outlook(table, options, side, after, table.cards & ~take, kept, parameters, work)
                if worth > best:
                    best, best_card, best_take = worth, card, take
        if not must and (not captures or options.capture == CAPTURE_FREE):
            worth = outlook(table, options, side, after, table.cards | bit, kept, parameters, work)
            if worth > best:
                best, best_card, best_take = worth, card, NOTHING
    return best_card, best_take


@kernel
def ahead_leave(table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, work: Any) -> np.int64:
    """The card that is best left."""
    side = side_of(options, seat)
    after = look_ahead(table, options, seat, hand, parameters, work)
    best, best_card = LEAST, NO_CARD
    rest = hand
    while rest != NOTHING:
        card = lowest_bit(rest)
        bit = bit_of(card)
        rest &= rest - ONE
        worth = outlook(table, options, side, after, table.cards | bit, hand & ~bit, parameters, work)
        if worth > best:
            best, best_card = worth, card
    return best_card


@kernel
def ahead_claim(table: Any, options: Any, seat: int, hand: np.uint64, parameters: Any, work: Any) -> np.uint64:
    """The cards that are best claimed with the card that the player before left."""
    side = side_of(options, seat)
    own, rival = table.taken[side], table.taken[rival_of(table, options, side)]
    others = others_taken(table, options, side)
    card = np.int64(table.left_card)
    bit = bit_of(card)
    rest = table.cards & ~bit
    best, best_take = LEAST, NOTHING
    ways = combinations(rest, FIFTEEN - value_of(card), work)
    for way in range(ways):
        take = work.found[way]
        worth = gain_of(take | bit, own, rival, others, options, parameters)
        if take == rest and (options.escopa != ESCOPA_EXACTLY_FOUR or popcount(take) == TABLE_SIZE):
            worth += parameters[AHEAD_ESCOPA]
        if worth > best:
            best, best_take = worth, take
    return best_take
