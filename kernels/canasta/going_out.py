"""The search for a way to go out: every card of the hand laid but at most one, which is discarded (KAN-14, KAN-15)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.canasta.layout import JOKERS, THREES, TWOS
from kernels.canasta.meld_rules import MELD_MARKS, SEVEN, THREE, TWO, canasta_marks, lowest_rank
from kernels.canasta.openings import split_wilds
from kernels.canasta.values import BLACK_THREES, NATURAL_RANKS
from kernels.rank_counts import NOTHING, ONE, at_least, number_of, one_of, ones

NO_WAY = (False, NOTHING, NOTHING, NOTHING)


@kernel
def ranks_with_room(wilds: np.uint64, owned: np.uint64, room: int) -> np.uint64:
    """Marks of the melds that take so many more wild cards, 1 to 3 (KAN-11)."""
    return owned & ~at_least(wilds, np.uint64(4 - room))


@kernel
def complete_canastas(
    naturals: np.uint64, wilds: np.uint64, free: int, needed: int
) -> tuple[bool, np.uint64, np.int64]:
    """Put wild cards where they complete canastas, the largest melds first, until there are `needed`.

    Returns whether there are, the wild cards of the melds then, and how many are left.
    """
    owned = at_least(naturals, ONE) & MELD_MARKS
    have = popcount(canasta_marks(naturals, wilds))
    for lacking in range(1, 4):
        sizes = (naturals + wilds) & NATURAL_RANKS
        near = at_least(sizes, np.uint64(7 - lacking)) & ~at_least(sizes, SEVEN)
        near &= ranks_with_room(wilds, owned, np.int64(lacking))
        while have < needed and free >= lacking and near != NOTHING:
            rank = lowest_rank(near)
            near &= near - ONE
            wilds += np.uint64(lacking) * one_of(rank)
            free -= lacking
            have += 1
    return have >= needed, wilds, np.int64(free)


@kernel
def place_anywhere(naturals: np.uint64, wilds: np.uint64, free: int, spare: int) -> tuple[np.uint64, np.int64]:
    """Put wild cards on melds with room, natural canastas last; the melds' wild cards and how many are left.

    The last `spare` ones are rather kept than laid on a natural canasta.
    """
    owned = at_least(naturals, ONE) & MELD_MARKS
    pure = canasta_marks(naturals, NOTHING) & ~at_least(wilds, ONE)
    for ranks in (owned & ~pure, owned & pure):
        rest = ranks
        while free > 0 and rest != NOTHING:
            rank = lowest_rank(rest)
            rest &= rest - ONE
            part = min(np.int64(free), 3 - number_of(wilds, rank))
            if ((one_of(rank) << THREE) & pure) != NOTHING:
                part = max(np.int64(0), min(part, free - spare))
            wilds += np.uint64(part) * one_of(rank)
            free -= part
    return wilds, np.int64(free)


@kernel
def find_going_out(
    options: Any, melded: np.uint64, wilds: np.uint64, hand: np.uint64
) -> tuple[bool, np.uint64, np.uint64, np.uint64]:
    """A way to go out with this hand, if there is one.

    Parameters
    ----------
    melded, wilds
        The side's melds by rank. A side without melds goes out concealed, whatever the minimum (KAN-15).
    hand
        Cards by rank.

    Returns
    -------
    tuple
        Whether there is a way, then the naturals, jokers and twos to lay by the rank of their meld.
    """
    naturals = hand & NATURAL_RANKS
    mine = at_least(melded, ONE)
    loose = at_least(naturals, ONE) & ~mine
    singles = loose & ~at_least(naturals, TWO)
    leftover = popcount(singles)
    if leftover > 1:
        return NO_WAY
    threes = number_of(hand, THREES)
    if threes == 2:
        return NO_WAY
    if threes == 1:
        leftover += 1
    pairs = loose & ~at_least(naturals, THREE) & ~singles
    jokers = number_of(hand, JOKERS)
    free = jokers + number_of(hand, TWOS) - popcount(pairs)
    if leftover > 1 or free < 0:
        return NO_WAY
    laid = naturals - ones(singles)
    all_naturals = melded + laid
    all_wilds = wilds + ones(pairs)
    enough, all_wilds, free = complete_canastas(all_naturals, all_wilds, free, np.int64(options.canastas_to_go_out))
    if not enough:
        return NO_WAY
    if free > 0:
        all_wilds, free = place_anywhere(all_naturals, all_wilds, free, np.int64(1 - leftover))
        if free + leftover > 1:
            return NO_WAY
    as_jokers, as_twos = split_wilds(all_wilds - wilds, jokers)
    if threes >= 3:
        laid += hand & BLACK_THREES
    return True, laid, as_jokers, as_twos
