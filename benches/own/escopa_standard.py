"""`standard` of escopa written once more, as a user writes a policy: what the way of a policy file costs."""

import numpy as np

from kernels.escopa.helpers import (
    CAPTURE_FREE,
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
    next_capture,
    popcount,
    unseen_of,
    value_of,
    without_lowest,
)

GAME = "escopa"
PARAMETERS = {
    "of_card": (60, 0, 10_000),
    "of_diamond": (200, 0, 10_000),
    "of_seven": (450, 0, 10_000),
    "of_guindis": (1000, 0, 10_000),
    "of_escopa": (1000, 0, 10_000),
    "of_left": (50, 0, 200),
    "of_swept": (200, 0, 10_000),
}
LEAST = np.int64(-(1 << 40))


def worth_of(cards, of_card, of_diamond, of_seven, of_guindis):
    """Worth of cards to who takes them."""
    worth = popcount(cards) * of_card + popcount(cards & DIAMONDS) * of_diamond
    return worth + popcount(cards & SEVENS) * of_seven + popcount(cards & GUINDIS) * of_guindis


def choose_play(table, options, hand, sees, of_card, of_diamond, of_seven, of_guindis, of_escopa, of_left, of_swept):
    """Which card to play, and which cards of the table to take with it."""
    unseen = unseen_of(table, hand)
    risk = 100 * of_swept if table.plays_left > 1 else np.int64(0)
    best, card, take = LEAST, np.int64(-1), NOTHING
    total = np.int64(table.total)
    captures = sees and can_capture(table, hand)
    if captures:
        mine = hand
        while mine != NOTHING:
            one = lowest_bit(mine)
            mine = without_lowest(mine)
            if not card_captures(table, one):
                continue
            way = next_capture(table, one, NOTHING)
            while way != NOTHING:
                worth = 100 * worth_of(way | bit_of(one), of_card, of_diamond, of_seven, of_guindis)
                if is_escopa(table, options, way):
                    worth += 100 * of_escopa
                left = total - FIFTEEN + value_of(one)
                worth -= risk * clearing_cards(table.cards & ~way, left, options, unseen)
                if worth > best:
                    best, card, take = worth, one, way
                way = next_capture(table, one, way)
        if options.capture == CAPTURE_MUST:
            return card, take
    rest = hand
    while rest != NOTHING:
        one = lowest_bit(rest)
        rest = without_lowest(rest)
        if captures and options.capture != CAPTURE_FREE and card_captures(table, one):
            continue
        worth = -worth_of(bit_of(one), of_card, of_diamond, of_seven, of_guindis) * of_left
        worth -= risk * clearing_cards(table.cards | bit_of(one), total + value_of(one), options, unseen)
        if worth > best:
            best, card, take = worth, one, NOTHING
    return card, take
