"""Pairs of words (`kernels.melds`: cards held at all, cards held twice) in plain Python, for advice and positions."""

from __future__ import annotations

from collections.abc import Iterable

from kernels.cards import SUITS, card_texts

Words = tuple[int, int]


class JokerNumbers:
    """Gives numbers to jokers, which on paper are all the same, as a pack numbers them."""

    def __init__(self) -> None:
        self._used = 0

    def numbers(self, cards: Iterable[int]) -> list[int]:
        """Card numbers, those of the jokers one after the other."""
        return [card if card & 15 else self._next() for card in cards]

    def words(self, cards: Iterable[int]) -> Words:
        """The same as a pair of words."""
        return words_of(self.numbers(cards))

    def _next(self) -> int:
        self._used += 1
        return 16 * ((self._used - 1) % len(SUITS))


def words_of(cards: Iterable[int]) -> Words:
    """Cards as a pair of words.

    >>> words_of([2, 3, 3])
    (12, 8)
    """
    one = two = 0
    for card in cards:
        two |= one & 1 << int(card)
        one |= 1 << int(card)
    return one, two


def together(cards: Words, others: Words) -> Words:
    """Two pairs of words as one.

    >>> together((12, 8), (4, 0))
    (12, 12)
    """
    return cards[0] | others[0], cards[1] | others[1] | (cards[0] & others[0])


def texts_of(one: int, two: int) -> list[str]:
    """Texts of a pair of words, in the order of their numbers, as the event log has them."""
    return card_texts(card for card in range(64) for word in (one, two) if word >> card & 1)
