"""The cards of Escopa: the pack of forty, what each is worth, and what makes fifteen (ESC-01, ESC-05, ESC-07)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tests.referee.cards import SUITS, rank_of

RANKS = "A234567QJK"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
GUINDIS = "7D"
FIFTEEN = 15

# ESC-01: the option `figures` names queen, jack and king in the order of 8, 9 and 10.
VALUES = {
    "qjk": {**{rank: number for number, rank in enumerate("A234567", start=1)}, "Q": 8, "J": 9, "K": 10},
    "jqk": {**{rank: number for number, rank in enumerate("A234567", start=1)}, "J": 8, "Q": 9, "K": 10},
}


def value_of(card: str, figures: str) -> int:
    """ESC-01: what a card counts towards fifteen."""
    return VALUES[figures][rank_of(card)]


def total(cards: Iterable[str], figures: str) -> int:
    """ESC-01: what cards count together."""
    return sum(value_of(card, figures) for card in cards)


def makes_fifteen(card: str, others: Sequence[str], figures: str) -> bool:
    """ESC-05: the card and one or more table cards make exactly fifteen."""
    return bool(others) and total([card, *others], figures) == FIFTEEN


def can_capture(card: str, table: Sequence[str], figures: str) -> bool:
    """ESC-05: some cards of the table make fifteen with the card."""
    sums = {value_of(card, figures)}
    for other in table:
        value = value_of(other, figures)
        sums |= {part + value for part in sums if part + value <= FIFTEEN}
    return FIFTEEN in sums


def combinations(card: str, table: Sequence[str], figures: str) -> Iterator[list[str]]:
    """ESC-05: all the ways to make fifteen with the card."""
    yield from ways_to_make(FIFTEEN - value_of(card, figures), table, figures)


def ways_to_make(wanted: int, cards: Sequence[str], figures: str) -> Iterator[list[str]]:
    """All choices of cards that count so much together."""
    if wanted == 0:
        yield []
    for index, card in enumerate(cards):
        left = wanted - value_of(card, figures)
        if left >= 0:
            for others in ways_to_make(left, cards[index + 1 :], figures):
                yield [card, *others]


def dealer_fifteens(four: Sequence[str], figures: str) -> int:
    """ESC-07: how many fifteens the dealer's four cards make: 1 together, 2 as two pairs, otherwise 0."""
    if total(four, figures) == FIFTEEN:
        return 1
    first, second, third, fourth = four
    pairings = (
        ([first, second], [third, fourth]),
        ([first, third], [second, fourth]),
        ([first, fourth], [second, third]),
    )
    for one, other in pairings:
        if total(one, figures) == total(other, figures) == FIFTEEN:
            return 2
    return 0
