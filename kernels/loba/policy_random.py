"""The policy `random`: uniform over the elementary legal steps, stopping included.

Elementary steps are: drawing or taking the discard; a new set or sequence of three cards, one natural card added to an
own meld, with a joker before it or without, or stopping; a card to discard, from the hand or an own meld.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import lowest_bit, popcount
from kernels.loba.cards import NATURALS, copies, low_aces
from kernels.loba.covering import NEW
from kernels.loba.extending import end_of, set_takes
from kernels.loba.meld_rules import (
    HAND,
    LEGAL,
    hand_discards,
    laid_discards,
    lay_article,
    must_lay,
)
from kernels.loba.parameters import STOP_WEIGHT
from kernels.melds import BIT, NONE, card_bit, of_rank
from kernels.rng import bounded

NO_LAY = (NEW, NONE, NONE, NONE)
ANY = np.int64(0)
"""In place of the number of a step: one by lot."""


@kernel
def pick(stream: Any, seen: int) -> bool:
    """Whether the newest of `seen` steps replaces the one picked so far, so that each is equally likely."""
    return bounded(stream, seen) == 0


@kernel
def random_lay(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any
) -> tuple[np.int64, np.uint64, np.uint64, np.uint64]:
    """Lay one elementary step or stop; a discard that must be melded keeps everybody from stopping."""
    seen = np.int64(0) if must_lay(table, options, seat, one) else np.int64(parameters[STOP_WEIGHT])
    return elementary_lay(table, options, seat, one, two, stream, ANY, seen)[1]


@kernel
def elementary_lay(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, stream: Any, number: int, seen: int
) -> tuple[np.int64, tuple[np.int64, np.uint64, np.uint64, np.uint64]]:
    """One elementary lay, and how many there are, `seen` included.

    Parameters
    ----------
    number
        Which one, counted from 1; or `ANY`: one by lot.
    seen
        How many steps stopping counts as.
    """
    lay = NO_LAY
    naturals = one & NATURALS
    positions = naturals | low_aces(naturals)
    rest = positions
    while rest != NONE:
        # Sequences of three from every card upward, natural or around a joker.
        bit = rest & (~rest + BIT)
        rest ^= bit
        for with_joker in (False, True):
            joker = bit << BIT if with_joker else NONE
            part = (bit | (bit << np.uint64(2))) if with_joker else bit * np.uint64(7)
            if (positions & part) == part:
                lay, seen = tried(table, options, seat, one, two, NEW, part, NONE, joker, seen, lay, stream, number)
    for rank in range(np.int64(2), np.int64(15)):
        of = naturals & of_rank(rank)
        if popcount(of) + popcount(of & two) >= 3:
            lay, seen = tried_sets(table, options, seat, one, two, of, seen, lay, stream, number)
    for meld in range(table.meld_count[seat]):
        lay, seen = tried_additions(table, options, seat, one, two, np.int64(meld), seen, lay, stream, number)
    return seen, lay


@kernel
def tried(
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    meld: int,
    naturals: np.uint64,
    twice: np.uint64,
    jokers: np.uint64,
    seen: int,
    lay: tuple[np.int64, np.uint64, np.uint64, np.uint64],
    stream: Any,
    number: int,
) -> tuple[tuple[np.int64, np.uint64, np.uint64, np.uint64], np.int64]:
    """The lay picked so far or this one, if it is legal; and how many steps there have been."""
    if lay_article(table, options, seat, one, two, meld, naturals, twice, jokers) != LEGAL:
        return lay, seen
    seen += 1
    if seen == number or (number == ANY and pick(stream, seen)):
        return (meld, naturals, twice, jokers), seen
    return lay, seen


@kernel
def tried_sets(
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    of: np.uint64,
    seen: int,
    lay: tuple[np.int64, np.uint64, np.uint64, np.uint64],
    stream: Any,
    number: int,
) -> tuple[tuple[np.int64, np.uint64, np.uint64, np.uint64], np.int64]:
    """Try every set of three cards of a rank, `of` its cards: of three suits, or of two with one of them twice."""
    part = of
    while part != NONE:
        suits = popcount(part)
        if suits == 3:
            lay, seen = tried(table, options, seat, one, two, NEW, part, NONE, NONE, seen, lay, stream, number)
        elif suits == 2:
            rest = part & two
            while rest != NONE:
                twice = rest & (~rest + BIT)
                rest ^= twice
                lay, seen = tried(table, options, seat, one, two, NEW, part, twice, NONE, seen, lay, stream, number)
        part = (part - BIT) & of
    return lay, seen


@kernel
def tried_additions(
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    meld: int,
    seen: int,
    lay: tuple[np.int64, np.uint64, np.uint64, np.uint64],
    stream: Any,
    number: int,
) -> tuple[tuple[np.int64, np.uint64, np.uint64, np.uint64], np.int64]:
    """Try every natural card that may join an own meld, with a joker before it or without."""
    lies, lie_jokers = np.uint64(table.meld_one[seat, meld]), np.uint64(table.meld_jokers[seat, meld])
    if table.is_set[seat, meld] != 0:
        rest = one & set_takes(lies, options.any_set != 0)
        while rest != NONE:
            card = rest & (~rest + BIT)
            rest ^= card
            lay, seen = tried(table, options, seat, one, two, meld, card, NONE, NONE, seen, lay, stream, number)
        return lay, seen
    for up in (True, False):
        end, _ = end_of(lies, lie_jokers, up)
        step = np.int64(1) if up else np.int64(-1)
        for with_joker in (False, True):
            to = end + 2 * step if with_joker else end + step
            if 0 <= to < 64:
                joker = card_bit(end + step) if with_joker else NONE
                lay, seen = tried(
                    table, options, seat, one, two, meld, card_bit(to), NONE, joker, seen, lay, stream, number
                )
    return lay, seen


@kernel
def random_discard(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, stream: Any
) -> tuple[np.int64, np.int64]:
    """Discard any card that may be, each equally likely, from the hand or from an own meld."""
    seen = np.int64(0)
    picked, from_meld = np.int64(-1), HAND
    rest = hand_discards(table, options, seat, one)
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        for _ in range(copies(one, two, card)):
            seen += 1
            if pick(stream, seen):
                picked, from_meld = card, HAND
    for meld in range(table.meld_count[seat]):
        rest = laid_discards(table, options, seat, np.int64(meld))
        while rest != NONE:
            card = lowest_bit(rest)
            rest &= rest - BIT
            seen += 1
            if pick(stream, seen):
                picked, from_meld = card, np.int64(meld)
    return picked, from_meld
