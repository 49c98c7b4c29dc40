"""The score of a pack of Escopa, line by line (ESC-10, ESC-11)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.referee.cards import SUITS, rank_of, suit_of
from tests.referee.escopa_cards import GUINDIS, RANKS
from tests.referee.escopa_options import Options

DETAIL_ARTICLES = {
    "escopas": "ESC-10",
    "guindis": "ESC-10",
    "diamonds": "ESC-10",
    "sevens": "ESC-10",
    "cards": "ESC-10",
    "few": "ESC-10",
    "primeira": "ESC-11",
    "total": "ESC-10",
}

# ESC-11: what four cards of a rank are worth together, and what one card counts in the standard reading.
QUARTETS = {"7": 11, "6": 8, "A": 6, "5": 5, "4": 4, "3": 3, "2": 2, "Q": 0, "J": 0, "K": 0}
STANDARD = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "Q": 10, "J": 10, "K": 10}

Pile = Sequence[str]


def score(piles: Sequence[Pile], escopas: Sequence[int], options: Options) -> list[dict[str, int]]:
    """Every line of each side's score, and the total.

    `piles` are the cards that each side has in the end, `escopas` how many it made.
    """
    lines = {
        "escopas": list(escopas),
        "guindis": [int(GUINDIS in pile) for pile in piles],
        "diamonds": most_or_all([diamonds_in(pile) for pile in piles], len(RANKS), 2, options),
        "sevens": most_or_all([sevens_in(pile) for pile in piles], len(SUITS), 3, options),
        "cards": to_the_best([len(pile) for pile in piles], 1),
        "few": few(piles),
        "primeira": primeira(piles, options.primeira),
    }
    details = [{name: points[side] for name, points in lines.items()} for side in range(len(piles))]
    return [{**detail, "total": sum(detail.values())} for detail in details]


def diamonds_in(pile: Pile) -> int:
    """How many diamonds."""
    return sum(1 for card in pile if suit_of(card) == "D")


def sevens_in(pile: Pile) -> int:
    """How many sevens."""
    return sum(1 for card in pile if rank_of(card) == "7")


def best_side(worth: Sequence[int | None]) -> int | None:
    """The side that alone has the most; None stands for a side that cannot win it."""
    there = [value for value in worth if value is not None]
    if not there or there.count(max(there)) > 1:
        return None
    return worth.index(max(there))


def to_the_best(worth: Sequence[int | None], points: int) -> list[int]:
    """ESC-10: the points go to the side that alone has the most; where two are equal, to nobody."""
    best = best_side(worth)
    return [points if side == best else 0 for side in range(len(worth))]


def most_or_all(counts: Sequence[int], whole: int, points_for_all: int, options: Options) -> list[int]:
    """ESC-10: one point for the most, other points in its place for all; or both (`all_replaces_most`)."""
    points = to_the_best(counts, 1)
    for side, count in enumerate(counts):
        if count == whole:
            points[side] = points_for_all if options.all_replaces_most else points_for_all + 1
    return points


def few(piles: Sequence[Pile]) -> list[int]:
    """ESC-10: between two sides, two points where the opponents took fewer than ten cards."""
    if len(piles) != 2:
        return [0] * len(piles)
    first, second = piles
    return [2 if len(second) < 10 else 0, 2 if len(first) < 10 else 0]


def primeira(piles: Sequence[Pile], reading: str) -> list[int]:
    """ESC-11: the primeira in one of its three readings."""
    if reading == "standard":
        return to_the_best([standard_worth(pile) for pile in piles], 1)
    quartets = [best_quartet(pile) for pile in piles]
    best = best_side(quartets)
    if best is None or reading == "quartet":
        return to_the_best(quartets, 1)
    return to_the_best(quartets, quartets[best] or 0)


def best_quartet(pile: Pile) -> int | None:
    """ESC-11: the value of the best four of a kind; None without any."""
    return max((worth for rank, worth in QUARTETS.items() if all(rank + suit in pile for suit in SUITS)), default=None)


def standard_worth(pile: Pile) -> int | None:
    """ESC-11: the best card of each suit; None for a side that lacks a suit."""
    worth = 0
    for suit in SUITS:
        cards = [STANDARD[rank_of(card)] for card in pile if suit_of(card) == suit]
        if not cards:
            return None
        worth += max(cards)
    return worth
