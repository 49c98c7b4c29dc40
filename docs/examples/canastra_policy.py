"""A worked example for canastra: novice, taught to take the lixo early, to lock it, and to feed nobody."""

import numpy as np

from kernels.canastra.helpers import (
    BIT,
    BLACK_THREES,
    LEGAL,
    NATURALS,
    NONE,
    SIDES,
    STOP,
    card_bit,
    discard_article,
    justification,
    live_masks,
    lowest_bit,
    popcount,
    take_article,
    without_lowest,
)

GAME = "canastra"
BASE = "novice"
PARAMETERS = {
    "from_size": (2, 1, 108, "Cards of the lixo from which on it is taken."),
    "lock_from": (4, 1, 108, "Cards of the lixo from which on a black three locks it."),
    "alone": (2, 0, 4, "Cards beside it, still to come, up to which a card counts as alone."),
}

TWO = np.uint64(2)


def around(card):
    """Cards within two ranks of a card, in its suit."""
    bit = card_bit(card)
    return (bit << BIT) | (bit << TWO) | (bit >> BIT) | (bit >> TWO)


def choose_draw(table, options, seat, hand_one, hand_two, from_size):
    """Take the lixo from two cards on, where natural cards of the hand justify it (CAN-08)."""
    nothing = False, STOP, NONE, NONE, NONE
    size = np.int64(table.lixo_size)
    if size < from_size:
        return nothing
    top = np.int64(table.lixo[size - 1])
    target, one, two, places = justification(table, options, seat % SIDES, hand_one, hand_two, top, False)
    if target == STOP:
        return nothing
    if take_article(table, options, seat, hand_one, hand_two, target, one, two, places) != LEGAL:
        return nothing
    return True, target, one, two, places


def choose_discard(table, seat, hand_one, hand_two, base, lock_from, alone):
    """Lock a lixo that has grown with a black three (CAN-09); feed no meld of the opponents."""
    locks = hand_one & BLACK_THREES
    if table.lixo_size >= lock_from and locks != NONE:
        return lowest_bit(locks)
    theirs = table.accepts[1 - seat % SIDES]
    if (card_bit(base) & theirs) == NONE:
        return base
    live, _ = live_masks(table, hand_one, hand_two)
    rest = hand_one & NATURALS & ~theirs
    while rest != NONE:
        card = lowest_bit(rest)
        rest = without_lowest(rest)
        near = around(card)
        is_alone = (near & hand_one) == NONE and popcount(near & live) <= alone
        if is_alone and discard_article(table, seat, hand_one, card) == LEGAL:
            return card
    return base
