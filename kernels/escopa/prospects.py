"""What leads are worth while the pack is not over: expected points if the rest falls evenly to two sides.

All tables are in thousandths of a point, indexed [own number, rival's number], and favour the own side. They are made
of whole numbers, once, when the module is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
import numpy.typing as npt

from kernels.escopa.layout import CARDS, FEW_CARDS, FEW_POINTS, HAND_SIZE, SUITS, VALUES

THOUSAND = 1000
CARDS_A_CAPTURE = 3
"""Cards come to a side in captures of about so many."""

CERTAINTY = 4096
"""Unit of the chances in `HOLDS`."""


def _table(total: int, step: int, points: Callable[[int, int], int]) -> npt.NDArray[np.int64]:
    """Expected value of the points at the end, if the rest falls in parts of `step` to either side by a fair coin."""
    expected = np.zeros((total + 1, total + 1), np.int64)
    for own in range(total + 1):
        for rival in range(total + 1 - own):
            rest = total - own - rival
            parts, last = divmod(rest, step)
            half = last // 2
            value = 0
            for won in range(parts + 1):
                final = own + won * step + half
                value += comb(parts, won) * points(final, total - final)
            expected[own, rival] = value * THOUSAND // 2**parts
    return expected


def _sign(own: int, rival: int) -> int:
    return (own > rival) - (own < rival)


def _few(own: int, rival: int) -> int:
    return FEW_POINTS * ((rival < FEW_CARDS) - (own < FEW_CARDS))


MOST_CARDS = _table(CARDS, CARDS_A_CAPTURE, _sign)
FEW = _table(CARDS, CARDS_A_CAPTURE, _few)
MOST_DIAMONDS = _table(VALUES, 1, _sign)
ALL_DIAMONDS = _table(VALUES, 1, lambda own, rival: (own == VALUES) - (rival == VALUES))
MOST_SEVENS = _table(SUITS, 1, _sign)
ALL_SEVENS = _table(SUITS, 1, lambda own, rival: (own == SUITS) - (rival == SUITS))
"""A point for most cards, for the rival's few cards, for most diamonds and sevens; for all of them, a point too."""

QUARTET_CHANCE = np.array([1, 2, 4, 8, 16], np.int64)
"""Chance in sixteenths of getting all four of a value, with so many of them while nobody else has one."""

QUARTET_WORTH = np.array(
    [
        [650, 250, 300, 400, 500, 800, 1_000, 30, 30, 30],
        [4_000, 600, 1_000, 1_700, 2_600, 6_500, 11_000, 0, 0, 0],
    ],
    np.int64,
)
"""What four of a kind are worth by value less 1, as far as no better one is made: for the option's first two values."""


def _holds(hand: int, there: int, unseen: int) -> int:
    """Chance of holding a card of which `there` are among `unseen` cards, in a hand of so many."""
    if hand == 0 or there == 0 or there > unseen:
        return 0
    if hand >= unseen:
        return CERTAINTY
    return CERTAINTY - CERTAINTY * comb(unseen - there, hand) // comb(unseen, hand)


HOLDS = np.array(
    [
        [[_holds(hand, there, unseen) for unseen in range(CARDS + 1)] for there in range(SUITS + 1)]
        for hand in range(int(HAND_SIZE) + 1)
    ],
    np.int64,
)
"""[cards in the hand, cards of the value unseen, cards unseen]."""
