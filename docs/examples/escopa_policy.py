"""A worked example for escopa: novice, taught what cards are worth and what it leaves to the next player."""

import numpy as np

from kernels.escopa.helpers import (
    CAPTURE_MUST,
    DIAMONDS,
    FIFTEEN,
    GUINDIS,
    NOTHING,
    SEVENS,
    bit_of,
    can_capture,
    card_captures,
    clearing_cards,
    is_escopa,
    lowest_bit,
    may_leave,
    next_capture,
    next_claim,
    popcount,
    unseen_of,
    value_of,
    without_lowest,
)

GAME = "escopa"
BASE = "novice"
PARAMETERS = {
    "seven_worth": (450, 0, 10_000, "Worth of a seven, in thousandths of a point."),
    "diamond_worth": (200, 0, 10_000, "Worth of a diamond."),
    "sweep_worth": (1_000, 0, 10_000, "Worth of an escopa."),
    "swept_cost": (200, 0, 10_000, "Cost of each unseen card that clears what I leave."),
}

# Less than anything is worth.
LEAST = np.int64(-1_000_000)


def worth_of(cards, seven_worth, diamond_worth):
    """Worth of cards to who takes them: each counts, and some score by themselves (ESC-10)."""
    worth = 60 * popcount(cards) + diamond_worth * popcount(cards & DIAMONDS)
    return worth + seven_worth * popcount(cards & SEVENS) + 1_000 * popcount(cards & GUINDIS)


def choose_play(table, options, hand, sees, seven_worth, diamond_worth, sweep_worth, swept_cost):
    """Weigh every legal play: what it brings, and how many unseen cards could clear the table behind it."""
    unseen = unseen_of(table, hand)
    total = np.int64(table.total)
    captures = sees and can_capture(table, hand)
    best, card, take = LEAST, lowest_bit(hand), NOTHING
    mine = hand
    while mine != NOTHING:
        one = lowest_bit(mine)
        mine = without_lowest(mine)
        own = worth_of(bit_of(one), seven_worth, diamond_worth)
        if not captures or (options.capture != CAPTURE_MUST and may_leave(table, options, hand, one)):
            after = table.cards | bit_of(one)
            worth = -own // 2 - swept_cost * clearing_cards(after, total + value_of(one), options, unseen)
            if worth > best:
                best, card, take = worth, one, NOTHING
        if not captures or not card_captures(table, one):
            continue
        way = next_capture(table, one, NOTHING)
        while way != NOTHING:
            worth = own + worth_of(way, seven_worth, diamond_worth)
            if is_escopa(table, options, way):
                worth += sweep_worth
            left = total + value_of(one) - FIFTEEN
            worth -= swept_cost * clearing_cards(table.cards & ~way, left, options, unseen)
            if worth > best:
                best, card, take = worth, one, way
            way = next_capture(table, one, way)
    return card, take


def choose_claim(table, seven_worth, diamond_worth):
    """Claim what is worth most; a claim costs nothing (ESC-06)."""
    best, take = LEAST, NOTHING
    way = next_claim(table, NOTHING)
    while way != NOTHING:
        worth = worth_of(way, seven_worth, diamond_worth)
        if worth > best:
            best, take = worth, way
        way = next_claim(table, way)
    return take
