"""The table of a game with a stock: hands, stock, turn and seat; with two packs and pairs, red threes too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from tests.referee.cards import two_packs
from tests.referee.log import RuleBroken

SIDES = (0, 1)


class StockTable:
    """Hands and a stock, whatever the pack; each game adds where else its cards lie.

    The methods that move cards check nothing but that the card is there.
    """

    def __init__(
        self, first: int, hands: Sequence[Sequence[str]], stock: Sequence[str], pack: Mapping[str, int]
    ) -> None:
        self.players = len(hands)
        self.seat = first
        self.turn = 0
        self.hands = [list(hand) for hand in hands]
        self.stock = list(reversed(stock))  # drawn from the end
        self.pack = dict(pack)

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

    def other_places(self) -> Iterator[Sequence[str]]:
        """Where else this game's cards lie."""
        raise NotImplementedError

    def check_cards(self) -> None:
        """Every card of the pack is somewhere, once."""
        places = chain(*self.hands, self.stock, *self.other_places())
        if dict(Counter(places)) != self.pack:
            raise RuleBroken("CARDS", "the cards no longer add up to the pack")


class CardTable(StockTable):
    """What canastra and canasta have on the table alike; each game adds its piles and melds."""

    def __init__(self, first: int, hands: Sequence[Sequence[str]], stock: Sequence[str], jokers: int) -> None:
        super().__init__(first, hands, stock, two_packs(jokers))
        self.taken: list[str] = []  # the discard pile between its taking and the meld that justifies it
        self.started = [False] * self.players
        self.red_threes: list[list[str]] = [[], []]

    @property
    def side(self) -> int:
        """The side of the seat in turn."""
        return self.seat % 2

    def lay_red_three(self, card: str) -> None:
        """A red three in hand is laid aside."""
        self.remove([card])
        self.red_threes[self.side].append(card)

    def piles_and_melds(self) -> Iterator[Sequence[str]]:
        """Where else this game's cards lie."""
        raise NotImplementedError

    def other_places(self) -> Iterator[Sequence[str]]:
        """The red threes, a pile just taken, and the game's own places."""
        yield from (self.taken, *self.red_threes)
        yield from self.piles_and_melds()
