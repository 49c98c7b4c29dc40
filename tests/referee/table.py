"""The table of a game with two packs, two pairs and a stock: hands, stock, red threes, turn and seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Protocol

from tests.referee.cards import two_packs
from tests.referee.log import RuleBroken

SIDES = (0, 1)


class AnyTable(Protocol):
    """What every game's table has: seats, the one that is to act, the number of the turn, all the cards."""

    players: int
    seat: int
    turn: int

    @property
    def hand(self) -> list[str]:
        """The hand of the seat that is to act."""

    def check_cards(self) -> None:
        """Every card of the pack is somewhere, once."""


class CardTable:
    """What canastra and canasta have on the table alike; each game adds its piles and melds.

    The methods that move cards check nothing but that the card is there.
    """

    def __init__(self, first: int, hands: Sequence[Sequence[str]], stock: Sequence[str], jokers: int) -> None:
        self.players = len(hands)
        self.seat = first
        self.turn = 0
        self.hands = [list(hand) for hand in hands]
        self.stock = list(reversed(stock))  # drawn from the end
        self.taken: list[str] = []  # the discard pile between its taking and the meld that justifies it
        self.started = [False] * self.players
        self.red_threes: list[list[str]] = [[], []]
        self.pack = dict(two_packs(jokers))

    @property
    def side(self) -> int:
        """The side of the seat in turn."""
        return self.seat % 2

    @property
    def hand(self) -> list[str]:
        """The hand of the seat in turn."""
        return self.hands[self.seat]

    def remove(self, cards: Sequence[str]) -> None:
        """Take cards out of the hand of the seat in turn."""
        for card in cards:
            if card not in self.hand:
                raise RuleBroken("CARDS", f"{card} is not in hand")
            self.hand.remove(card)

    def draw(self) -> str:
        """The top of the stock goes into the hand."""
        card = self.stock.pop()
        self.hand.append(card)
        return card

    def lay_red_three(self, card: str) -> None:
        """A red three in hand is laid aside."""
        self.remove([card])
        self.red_threes[self.side].append(card)

    def other_places(self) -> Iterator[Sequence[str]]:
        """Where else this game's cards lie."""
        raise NotImplementedError

    def check_cards(self) -> None:
        """Every card of the pack is somewhere, once."""
        places = chain(*self.hands, self.stock, self.taken, *self.red_threes, *self.other_places())
        if dict(Counter(places)) != self.pack:
            raise RuleBroken("CARDS", "the cards no longer add up to the pack")
