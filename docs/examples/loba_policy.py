"""A worked example for loba: novice, taught to count which cards can still come, and what feeds the next player."""

import numpy as np

from kernels.loba.helpers import (
    HAND,
    JOKERS,
    NATURALS,
    NONE,
    best_cover,
    card_bit,
    completing,
    hand_discards,
    live_cards,
    live_count,
    low_aces,
    lowest_bit,
    natural_points,
    next_player,
    taken_by,
    without,
    without_lowest,
)

GAME = "loba"
BASE = "novice"

PARAMETERS = {
    "near_worth": (8, 0, 1_000, "Worth of each card that may still come and makes a meld with mine and another."),
    "point_worth": (2, 0, 1_000, "Worth of being rid of a point."),
    "fed_worth": (20, 0, 1_000, "Cost of a card that a meld of the next player takes."),
}

# A card more that lies outweighs all points.
BY_CARDS = np.int64(256)


def choose_discard(table, options, seat, one, two, base, near_worth, point_worth, fed_worth):
    """Which card to discard, and the number of the own meld in which it lies, or HAND."""
    allowed = hand_discards(table, options, seat, one)
    if allowed == NONE or table.hand_count[seat] == 1 or (allowed & JOKERS) != NONE:
        return base
    any_set = options.any_set != 0
    naturals, twice = one & NATURALS, two & NATURALS
    # The cards that lie in the best melds stay out of it.
    cover = best_cover(table, seat, any_set, one, two, BY_CARDS, BY_CARDS)
    loose, loose_twice = without(naturals, twice, cover[1], cover[2])
    rest = allowed & loose
    if rest == NONE:
        return base
    positions = naturals | low_aces(naturals)
    live_one, live_two = live_cards(table, seat, naturals, twice, True)
    fed = taken_by(table, next_player(table, seat), any_set)
    best, least = lowest_bit(rest), np.int64(1_000_000)
    while rest != NONE:
        card = lowest_bit(rest)
        rest = without_lowest(rest)
        makes = completing(loose, loose_twice, positions, card, any_set)
        keep = near_worth * live_count(makes, live_one, live_two) - point_worth * natural_points(card_bit(card))
        if (fed & card_bit(card)) != NONE:
            keep += fed_worth
        if keep < least:
            best, least = card, keep
    return best, HAND
