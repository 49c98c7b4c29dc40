"""The table of Escopa: where every card lies, and what the rules leave open to a player.

The methods that move cards check nothing but that the card is there; the questions are one article each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tests.referee.escopa_cards import PACK, can_capture, dealer_fifteens
from tests.referee.escopa_deal import HAND, TABLE
from tests.referee.escopa_options import Options
from tests.referee.table import StockTable


class Table(StockTable):
    """All the cards of a pack.

    `turn` is the number of the turn that runs, or of the one that comes next; `seat` who is to act.
    """

    def __init__(
        self,
        options: Options,
        dealer: int,
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        cards: Sequence[str],
    ) -> None:
        super().__init__((dealer + 1) % options.players, hands, stock, Counter(PACK))
        self.options = options
        self.dealer = dealer
        self.turn = 1
        self.cards = list(cards)  # face up on the table
        self.taken: list[list[str]] = [[] for _ in range(options.sides)]
        self.escopas = [0] * options.sides
        self.captures = 0  # fifteens made, the dealer's two pairs as two
        self.last_capturer: int | None = None

    # ------------------------------------------------------------ seats

    def right_of(self, seat: int) -> int:
        """ESC-02: the next player, to the right."""
        return (seat + 1) % self.players

    @property
    def hands_empty(self) -> bool:
        """ESC-04: everybody has played his cards."""
        return not any(self.hands)

    @property
    def pack_out(self) -> bool:
        """ESC-04: no card is left to play or to deal."""
        return self.hands_empty and not self.stock

    # ------------------------------------------------------------ dealing

    def next_cards(self, count: int) -> list[str]:
        """The next cards of the stock, in the order in which they are drawn."""
        return self.stock[::-1][:count]

    def drop_from_stock(self, count: int) -> None:
        """So many cards are off the stock."""
        self.stock = self.stock[: len(self.stock) - count]

    def lay_from_stock(self, count: int) -> None:
        """ESC-07: the next cards of the stock are laid on the table."""
        self.cards += self.next_cards(count)
        self.drop_from_stock(count)

    def shares(self) -> tuple[int, int]:
        """ESC-04, ESC-07: how many cards each player gets in the next deal, and how many are over."""
        if len(self.stock) >= HAND * self.players:
            return HAND, 0
        return divmod(len(self.stock), self.players)

    def next_hands(self, each: int) -> list[list[str]]:
        """ESC-03, ESC-04: the next cards of the stock, singly from the dealer's right, in seat order."""
        hands: list[list[str]] = [[] for _ in range(self.players)]
        seat = self.dealer
        for card in self.next_cards(each * self.players):
            seat = self.right_of(seat)
            hands[seat].append(card)
        return hands

    def pass_deal(self) -> None:
        """ESC-04: the player at the dealer's right deals next (`deal_passes`); he is to act."""
        if self.options.deal_passes:
            self.dealer = self.right_of(self.dealer)
        self.seat = self.dealer

    def deal(self, each: int) -> None:
        """ESC-04: cards for everybody; the player at the dealer's right leads."""
        self.hands = self.next_hands(each)
        self.drop_from_stock(each * self.players)
        self.seat = self.right_of(self.dealer)

    # ------------------------------------------------------------ capturing

    def capture(self, cards: Sequence[str], fifteens: int, escopas: int) -> None:
        """Cards of the table go to the side of the seat that acts."""
        side = self.options.side_of(self.seat)
        for card in cards:
            self.cards.remove(card)
        self.taken[side] += cards
        self.escopas[side] += escopas
        self.captures += fifteens
        self.last_capturer = self.seat

    def dealer_takes(self) -> None:
        """ESC-07: the four cards go to the dealer; ESC-08: an escopa for each fifteen, with `dealer_escopas`."""
        fifteens = self.dealer_fifteens()
        self.capture(list(self.cards), fifteens, fifteens if self.options.dealer_escopas else 0)

    def play(self, card: str, take: Sequence[str]) -> None:
        """ESC-05: a card of the hand is played, and takes these cards or stays on the table."""
        escopa = self.is_escopa(take)
        self.remove([card])
        self.cards.append(card)
        if take:
            self.capture([card, *take], 1, int(escopa))

    def claim(self, cards: Sequence[str]) -> None:
        """ESC-06: the card left by the last player, and others, go to the next one."""
        self.capture(cards, 1, int(self.is_escopa_claimed(cards)))

    def end_turn(self) -> None:
        """ESC-02: the next player; the turn in which the pack ends stays the last."""
        self.seat = self.right_of(self.seat)
        if not self.pack_out:
            self.turn += 1

    def collect_leftover(self) -> None:
        """ESC-09: the cards left on the table go to the side that captured last, or to nobody."""
        if self.last_capturer is not None:
            self.taken[self.options.side_of(self.last_capturer)] += self.cards
            self.cards = []

    # ------------------------------------------------------------ questions

    def dealer_fifteens(self) -> int:
        """ESC-07: what the four cards on the table are to the dealer."""
        return dealer_fifteens(self.cards, self.options.figures)

    def can_capture(self, card: str) -> bool:
        """ESC-05: the card makes fifteen with cards of the table."""
        return can_capture(card, self.cards, self.options.figures)

    def capture_possible(self) -> bool:
        """ESC-05: a card in hand can capture."""
        return any(self.can_capture(card) for card in self.hand)

    def left_can_be_claimed(self, card: str) -> bool:
        """ESC-06: a card left on the table makes fifteen with others there."""
        others = [other for other in self.cards if other != card]
        return can_capture(card, others, self.options.figures)

    def is_escopa(self, take: Sequence[str]) -> bool:
        """ESC-08: these cards are the whole table; with `exactly_four` they must be four."""
        if self.options.escopa == "exactly_four" and len(take) != TABLE:
            return False
        return bool(take) and len(take) == len(self.cards)

    def is_escopa_claimed(self, cards: Sequence[str]) -> bool:
        """ESC-06, ESC-08: so for a claim: the left card, and others that are the rest of the table."""
        if self.options.escopa == "exactly_four" and len(cards) != TABLE + 1:
            return False
        return len(cards) == len(self.cards)

    # ------------------------------------------------------------ conservation

    def other_places(self) -> Iterator[Sequence[str]]:
        """The table, and what each side has taken."""
        yield self.cards
        yield from self.taken
