"""Melds of canasta: what may be laid, taken and kept (KAN-07 to KAN-16).

What a player lays is told by rank: `naturals`, the natural cards and black threes; `jokers` and `twos`, the wild cards
by the rank of the meld that they join. One rank has one meld a side, so this says everything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.canasta.layout import JOKERS, SIDES, THREES, TWOS
from kernels.canasta.values import (
    BLACK_THREES,
    JOKER_POINTS,
    NATURAL_RANKS,
    TWO_POINTS,
    WILD_BITS,
    points_of,
)
from kernels.rank_counts import MARKS, NOTHING, ONE, at_least, fits_in, number_of, one_of, total

LEGAL = 0
"""Articles are returned as their numbers; 0 for a legal action."""

TWO, THREE, SIX, SEVEN = np.uint64(2), np.uint64(3), np.uint64(6), np.uint64(7)
ANY_FOUR = np.uint64(0xCCCC_CCCC_CCCC_CCCC)
"""Bits that are clear while no count exceeds three."""

ONE_JOKER, ONE_TWO = np.uint64(1), np.uint64(1 << 8)
MELD_MARKS = MARKS & NATURAL_RANKS


@kernel
def holding_article(hand: np.uint64, naturals: np.uint64, jokers: np.uint64, twos: np.uint64) -> int:
    """Article that the choice of cards breaks whatever lies on the table, 0 for none (KAN-04, KAN-06, KAN-12)."""
    if total(jokers) > number_of(hand, JOKERS) or total(twos) > number_of(hand, TWOS):
        return 6
    if (naturals & ~(NATURAL_RANKS | BLACK_THREES)) != NOTHING or not fits_in(naturals, hand):
        return 6
    if ((jokers | twos) & ~NATURAL_RANKS) != NOTHING:
        return 4
    threes = number_of(naturals, THREES)
    if threes != 0 and threes < 3:
        return 12
    return LEGAL


@kernel
def are_melds(naturals: np.uint64, wilds: np.uint64, touched: np.uint64) -> bool:
    """Whether the melds at the marked ranks are melds: two naturals, three cards, at most three wild (KAN-11)."""
    if (wilds & ANY_FOUR) != NOTHING:
        return False
    large = at_least(naturals, TWO) & (at_least(naturals, THREE) | at_least(wilds, ONE))
    return (touched & MELD_MARKS & ~large) == NOTHING


@kernel
def touched_ranks(naturals: np.uint64, wilds: np.uint64) -> np.uint64:
    """Marks of the ranks to which a card is added."""
    return at_least(naturals, ONE) | at_least(wilds, ONE)


@kernel
def canasta_marks(naturals: np.uint64, wilds: np.uint64) -> np.uint64:
    """Marks of the melds of seven or more (KAN-18)."""
    return at_least((naturals + wilds) & NATURAL_RANKS, SEVEN)


@kernel
def spent(naturals: np.uint64, jokers: np.uint64, twos: np.uint64) -> np.uint64:
    """The cards laid by their own ranks, as they leave the hand."""
    return naturals + np.uint64(total(jokers)) * ONE_JOKER + np.uint64(total(twos)) * ONE_TWO


@kernel
def laid_points(naturals: np.uint64, jokers: np.uint64, twos: np.uint64) -> np.int64:
    """Values of the cards laid (KAN-03)."""
    return points_of(naturals) + JOKER_POINTS * total(jokers) + TWO_POINTS * total(twos)


@kernel
def may_end(options: Any, answer: int, canastas: int) -> bool:
    """Whether a side with so many canastas may go out now (KAN-14)."""
    return canastas >= options.canastas_to_go_out and answer >= 0


@kernel
def melds_article(
    table: Any, options: Any, seat: int, hand: np.uint64, naturals: np.uint64, jokers: np.uint64, twos: np.uint64
) -> int:
    """Article that laying these cards from the hand breaks, 0 when it is legal (KAN-11 to KAN-15)."""
    side = seat % SIDES
    article = holding_article(hand, naturals, jokers, twos)
    if article != LEGAL:
        return article
    added = jokers + twos
    if (added & ANY_FOUR) != NOTHING:
        return 11
    all_naturals = np.uint64(table.melded[side]) + naturals
    all_wilds = np.uint64(table.wilds[side]) + added
    if not are_melds(all_naturals, all_wilds, touched_ranks(naturals, added)):
        return 11
    left = np.int64(table.hand_count[seat]) - total(naturals) - total(added)
    canastas = popcount(canasta_marks(all_naturals, all_wilds))
    ends = left <= 1 and may_end(options, np.int64(table.answer), canastas)
    if left <= 1 and not ends:
        return 14
    if (naturals & BLACK_THREES) != NOTHING and not ends:
        return 12
    if table.melded[side] == NOTHING and laid_points(naturals, jokers, twos) < table.minimum[side]:
        # A side that has melded nothing can only be going out concealed (KAN-15).
        if not ends or table.took_pile != 0:
            return 13
    return LEGAL


@kernel
def pile_blocked(table: Any) -> bool:
    """Whether nobody may take the pile: it is gone, or a wild card or black three lies on top (KAN-07)."""
    return table.pile_size == 0 or (np.int64(table.pile[table.pile_size - 1]) & 15) <= THREES


@kernel
def top_rank(table: Any) -> np.int64:
    """Rank of the top card of a pile that is there."""
    return np.int64(table.pile[np.int64(table.pile_size) - 1]) & 15


@kernel
def pile_frozen_for(table: Any, side: int) -> bool:
    """Whether the pile is frozen for everybody or for this side (KAN-08)."""
    return table.pile_frozen != 0 or table.melded[side] == NOTHING


@kernel
def can_finish(table: Any, options: Any, left: int, naturals: np.uint64, wilds: np.uint64, last: np.uint64) -> bool:
    """Whether a turn can be ended after the pile is taken (KAN-10, KAN-14).

    Parameters
    ----------
    left
        Cards then in hand.
    naturals, wilds
        The side's melds then, by rank.
    last
        The hand then, by rank; looked at where a single card is left.
    """
    if left >= 2:
        return True
    canastas = popcount(canasta_marks(naturals, wilds))
    if canastas >= options.canastas_to_go_out:
        return True
    if left == 0 or canastas + 1 < options.canastas_to_go_out:
        return False
    sizes = (naturals + wilds) & NATURAL_RANKS
    sixes = at_least(sizes, SIX) & ~at_least(sizes, SEVEN)
    if (last & WILD_BITS) != NOTHING:
        return (sixes & ~at_least(wilds, THREE)) != NOTHING
    return (last & (sixes >> THREE)) != NOTHING


@kernel
def take_article(
    table: Any, options: Any, seat: int, hand: np.uint64, naturals: np.uint64, jokers: np.uint64, twos: np.uint64
) -> int:
    """Article that taking the pile breaks, 0 when it is legal (KAN-07, KAN-08, KAN-10 to KAN-14).

    Parameters
    ----------
    table, options
        The visible table and its house rules.
    seat, hand
        The player to move and his hand by rank.
    naturals, jokers, twos
        The cards from the hand that are laid with the top card, the top card not among them: those that join it, and
        where it is the side's first meld all that reach the minimum.
    """
    side = seat % SIDES
    if pile_blocked(table):
        return 7
    if table.hand_count[seat] == 1 and table.pile_size == 1:
        return 10
    article = holding_article(hand, naturals, jokers, twos)
    if article != LEGAL:
        return article
    rank = top_rank(table)
    top = one_of(rank)
    melded = np.uint64(table.melded[side])
    added = jokers + twos
    if (added & ANY_FOUR) != NOTHING:
        return 11
    if melded != NOTHING and ((naturals | added) & ~(np.uint64(15) * top)) != NOTHING:
        return 6
    pair = number_of(naturals, rank) >= 2
    if not pair:
        if pile_frozen_for(table, side):
            return 8
        joins = number_of(melded, rank) > 0
        if not joins and (number_of(naturals, rank) == 0 or number_of(added, rank) == 0):
            return 8
    all_naturals = melded + naturals + top
    all_wilds = np.uint64(table.wilds[side]) + added
    if not are_melds(all_naturals, all_wilds, touched_ranks(naturals + top, added)):
        return 11
    if melded == NOTHING and laid_points(naturals + top, jokers, twos) < table.minimum[side]:
        return 13
    left = np.int64(table.hand_count[seat]) - total(naturals) - total(added)
    left += np.int64(table.pile_size) - 1 - np.int64(table.pile_red_threes)
    rest = hand - spent(naturals, jokers, twos)
    if not can_finish(table, options, left, all_naturals, all_wilds, rest + np.uint64(table.pile_counts) - top):
        return 14
    if (naturals & BLACK_THREES) != NOTHING and left > 1:
        return 12
    return LEGAL


@kernel
def must_take(table: Any, options: Any, seat: int, hand: np.uint64) -> bool:
    """Whether the pile must be taken where the stock is used up: its top joins an own meld (KAN-16)."""
    side = seat % SIDES
    if pile_blocked(table) or pile_frozen_for(table, side):
        return False
    if number_of(np.uint64(table.melded[side]), top_rank(table)) == 0:
        return False
    return take_article(table, options, seat, hand, NOTHING, NOTHING, NOTHING) == LEGAL


@kernel
def lowest_rank(marks: np.uint64) -> np.int64:
    """Lowest marked rank."""
    return lowest_bit(marks) >> 2
