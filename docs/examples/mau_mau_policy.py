"""A worked example for mau-mau: novice, taught to keep what it can follow with and to hit who is nearly out."""

import numpy as np

from kernels.mau_mau.helpers import (
    EIGHTS,
    JACKS,
    NO_CARD,
    NO_SUIT,
    NONE,
    card_bit,
    cards_that_follow,
    hand_value,
    is_barred,
    lowest_bit,
    popcount,
    seat_after,
    suit_cards,
    without_lowest,
)

GAME = "mau_mau"
BASE = "novice"
PARAMETERS = {
    "follow_worth": (4, 0, 100, "Worth of each card that I keep and that follows what I play."),
    "shed_worth": (1, 0, 100, "Worth of each point that leaves the hand."),
    "eight_worth": (30, 0, 1_000, "Worth of an 8 against who has few cards."),
    "few": (3, 1, 10, "So few cards of the next player are few."),
}


def longest_suit(one, two):
    """The suit of which a hand has most cards, Jacks apart."""
    best, suit = np.int64(-1), NO_SUIT
    for each in range(4):
        cards = suit_cards(np.int64(each)) & ~JACKS
        number = popcount(one & cards) + popcount(two & cards)
        if number > best:
            best, suit = number, np.int64(each)
    return suit


def choose_play(table, seat, one, two, base, follow_worth, shed_worth, eight_worth, few):
    """Of the cards that may be played, the one that leaves most to follow it; Jacks are kept for last."""
    playable = one & table.follow
    if is_barred(table, seat) or playable == NONE:
        return base
    others = playable & ~JACKS
    if others == NONE:
        # Only Jacks are left: the first of them, announcing the suit that is best for me.
        jack = lowest_bit(playable)
        return jack, NO_CARD, longest_suit(one & ~card_bit(jack), two)
    after = seat_after(np.int64(seat), table.direction, table.players)
    best, chosen = np.int64(-1), NO_CARD
    while others != NONE:
        card = lowest_bit(others)
        others = without_lowest(others)
        bit = card_bit(card)
        follows = cards_that_follow(card)
        kept = popcount((one & ~bit) & follows) + popcount(two & follows)
        worth = follow_worth * kept + shed_worth * hand_value(bit, NONE)
        if (bit & EIGHTS) != NONE and table.hand_count[after] <= few:
            worth += eight_worth
        if worth > best:
            best, chosen = worth, card
    return chosen, NO_CARD, NO_SUIT


def choose_suit(one, two):
    """Announce the suit that the hand has most of."""
    return longest_suit(one, two)
