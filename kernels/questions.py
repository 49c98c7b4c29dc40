"""What a game asks of a policy, in plain data: for who writes one, and for who reads what one has answered; no numba.

A game says it in ``kernels/<game>/questions.py``, in `QUESTIONS`; the arguments and the types are those of its module
of policies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernels.cards import RANKS, SUITS, TEXTS
from kernels.spec import GameSpec

CARD, CARDS, RANK, RANK_COUNTS, RANK_BITS, SUIT, NUMBER, YES = (
    "card",
    "cards",
    "rank",
    "rank counts",
    "rank bits",
    "suit",
    "number",
    "yes or no",
)
"""What the value of an answer is: a card or a rank by number, a word with a bit a card (or a lane of them: rank bits),
a word with a count a rank (`kernels.rank_counts`), a suit by number, a number of something else, yes or no."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What a policy is given with a question: its name and what it is."""

    name: str
    help: str


@dataclass(frozen=True, slots=True)
class Value:
    """One value of an answer.

    Attributes
    ----------
    kind
        Which of `CARD` and so on; an answer is told by it.
    help
        What may be answered.
    """

    name: str
    kind: str
    help: str


@dataclass(frozen=True, slots=True)
class Question:
    """A decision of a policy.

    Attributes
    ----------
    name
        Of the function, as ``choose_play``.
    asks
        What it asks, in a few words.
    when
        When it is asked.
    answer
        The values of an answer, in order.
    """

    name: str
    asks: str
    when: str
    answer: tuple[Value, ...]


def value_text(value: Value, given: Any, spec: GameSpec, options: Mapping[str, Any]) -> str:
    """Return a value of an answer as a player would write it."""
    number = int(given)
    faces = [int(card) for card in spec.pack(options)] if spec.own_numbers and spec.pack else list(range(64))
    if value.kind == YES:
        return "yes" if number else "no"
    if value.kind == CARD:
        return TEXTS[faces[number]] if 0 <= number < len(faces) else f"no card ({number})"
    if value.kind == CARDS:
        known = [TEXTS[face] for card, face in enumerate(faces) if number >> card & 1]
        unknown = [f"bit {bit}" for bit in range(len(faces), 64) if number >> bit & 1]
        return " ".join(known + unknown) or "nothing"
    if value.kind == RANK:
        return _rank_text(number)
    if value.kind == RANK_COUNTS:
        counts = [(rank, number >> 4 * rank & 15) for rank in range(16)]
        return " ".join(f"{count}×{_rank_text(rank)}" for rank, count in counts if count) or "nothing"
    if value.kind == RANK_BITS:
        return " ".join(_rank_text(rank) for rank in range(16) if number >> rank & 1) or "nothing"
    if value.kind == SUIT:
        return SUITS[number] if 0 <= number < len(SUITS) else "none"
    return str(number)


def _rank_text(rank: int) -> str:
    if rank == 0:
        return "JK"
    return {1: "A"}.get(rank) or (RANKS[rank - 2] if 2 <= rank < 15 else f"no rank ({rank})")


def answer_text(question: Question, given: Sequence[Any], spec: GameSpec, options: Mapping[str, Any]) -> str:
    """Return an answer as a player would write it, as ``card 7D, take 5H 3C``."""
    return ", ".join(
        f"{value.name} {value_text(value, one, spec, options)}"
        for value, one in zip(question.answer, given, strict=False)
    )
