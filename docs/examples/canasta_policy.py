"""A worked example for canasta: novice, taught to keep pairs and to throw what the next player does not want."""

import numpy as np

from kernels.canasta.helpers import (
    LEGAL,
    NATURAL_RANKS,
    NOTHING,
    SIDES,
    discard_article,
    live_counts,
    lowest_rank,
    number_of,
)

GAME = "canasta"
BASE = "novice"
PARAMETERS = {
    "pair_worth": (40, 0, 1_000, "Worth of each further card of its rank in the hand."),
    "live_worth": (4, 0, 1_000, "Harm of each card of its rank that others may hold."),
    "fed_cost": (60, 0, 1_000, "Cost of a card that a meld of the next player takes."),
    "thrown_worth": (30, 0, 1_000, "Worth of a rank that the next player has thrown."),
}

SEATS = 4
COUNT = np.uint64(15)


def all_of(rank):
    """The bits of a rank's count."""
    return COUNT << np.uint64(4 * rank)


def choose_discard(table, options, seat, hand, base, pair_worth, live_worth, fed_cost, thrown_worth):
    """Rank of the card to discard: single, seen often, thrown by the next player, and on none of his melds."""
    after = (seat + 1) % SEATS
    live = live_counts(table, hand)
    best, least = np.int64(base), np.int64(1_000_000)
    rest = hand & NATURAL_RANKS
    while rest != NOTHING:
        rank = lowest_rank(rest)
        rest &= ~all_of(rank)
        if discard_article(table, options, seat, hand, rank) != LEGAL:
            continue
        keep = pair_worth * (number_of(hand, rank) - 1) + live_worth * number_of(live, rank)
        if number_of(table.melded[after % SIDES], rank) > 0:
            keep += fed_cost
        if number_of(table.melded[seat % SIDES], rank) > 0:
            keep += pair_worth
        if number_of(table.thrown[after], rank) > 0:
            keep -= thrown_worth
        if keep < least:
            best, least = rank, keep
    return best
