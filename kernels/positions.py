"""How a game declares what a player may type in of a position in the middle of a deal; plain data, no numba.

A game that can be asked so has ``kernels/<game>/position.py`` with `FIELDS`, a tuple of `PositionField`, and

- ``build(known, values) -> Built``: the position from the value of every field and of every option of the game,
- ``fields_of(question, seat, table, given, values) -> dict``: the fields of a position that came out of a deal, as
  `build` takes them, its cards as texts. What only the kernels remember may be left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

CARDS, CARDS_BY_SEAT, CARDS_BY_SIDE = "cards", "cards by seat", "cards by side"
MELDS_BY_SEAT, MELDS_BY_SIDE = "melds by seat", "melds by side"
CARD, SOME_CARDS, SOME_CARDS_BY_SEAT, RANKS_BY_SEAT = "card", "some cards", "some cards by seat", "ranks by seat"
NUMBER, NUMBERS_BY_SEAT, NUMBERS_BY_SIDE = "number", "numbers by seat", "numbers by side"
SEAT, FLAG, CHOICE = "seat", "flag", "choice"
KINDS = (
    CARDS,
    CARDS_BY_SEAT,
    CARDS_BY_SIDE,
    MELDS_BY_SEAT,
    MELDS_BY_SIDE,
    CARD,
    SOME_CARDS,
    SOME_CARDS_BY_SEAT,
    RANKS_BY_SEAT,
    NUMBER,
    NUMBERS_BY_SEAT,
    NUMBERS_BY_SIDE,
    SEAT,
    FLAG,
    CHOICE,
)
"""Kinds of a field: cards that lie in one place, or in one for each seat or side; melds; a card, or some, that lie in
one of those places too; ranks, whole numbers, a seat, yes or no, one of some words."""

PLACES = (CARDS, CARDS_BY_SEAT, CARDS_BY_SIDE, MELDS_BY_SEAT, MELDS_BY_SIDE)
"""Kinds of which all cards lie in different places, so that together there are no more than in the pack."""


@dataclass(frozen=True, slots=True)
class PositionField:
    """Something that a player knows of a position.

    Parameters
    ----------
    name
        Name in files and on the command line.
    kind
        One of `KINDS`. `build` gets of ``cards`` a tuple of card numbers (`kernels.cards`), of ``card`` one of a single
        card, of ``melds ...`` a tuple of such tuples, each a meld as it lies, of ``ranks by seat`` sets of rank
        characters, of ``... by seat`` and ``... by side`` a list with an entry each.
    help
        What it is, in one sentence.
    article
        The article of the rule book by which it matters.
    default
        Its value where nothing is said; `REQUIRED` if something must be; None where it then follows from the others or
        is nothing.
    low, high
        The least and most of numbers.
    choices
        The words of a ``choice``.
    """

    name: str
    kind: str
    help: str
    article: str
    default: Any = None
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()


REQUIRED = "required"
"""Default of a field that has none."""


class WrongPositionError(ValueError):
    """Something typed in cannot be so: names the field, and says what is wrong with it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class Built:
    """A position as the kernels have it.

    Attributes
    ----------
    question
        Name of the question that the seat is asked, as ``choose_play``.
    table
        Shape (1,), in the game's `TABLE_LAYOUT`.
    given
        What is the question's own, in its order, as whole numbers.
    """

    question: str
    seat: int
    table: npt.NDArray[np.void]
    given: tuple[int, ...]


Known = Mapping[str, Any]
