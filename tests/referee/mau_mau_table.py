"""The table of mau-mau: where every card lies, whose turn it is, and what the rules leave open to a player.

The methods that move cards check nothing but that the card is there; the questions are one article each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from tests.referee.cards import rank_of, suit_of
from tests.referee.mau_mau_deal import first_step, pack
from tests.referee.mau_mau_options import Options
from tests.referee.mau_mau_score import FINE, Tally
from tests.referee.table import StockTable

EIGHT_DRAWS = 3  # MAU-09
SEVEN_DRAWS = 2  # MAU-10
FORGOTTEN_CALL_DRAWS = 5  # MAU-14
MOST_TURNS = 2000  # MAU-17


class Table(StockTable):
    """All the cards of a deal; a turn is a seat's chance to act, so a skipped seat has none."""

    def __init__(
        self,
        options: Options,
        dealer: int,
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        start_card: str,
    ) -> None:
        self.direction = first_step(start_card, options)  # +1 clockwise, -1 after a Queen (MAU-12)
        first = (dealer + self.direction) % options.players
        super().__init__(first, hands, stock, pack(options.pack_count))
        self.turn = 1
        self.options = options
        self.dealer = dealer
        self.start_card = start_card
        self.lixo = [start_card]  # bottom to top
        self.announced: str | None = None  # the suit that the Jack on top announces (MAU-13)
        self.anything_follows = options.start_card_acts and rank_of(start_card) == "J"
        self.skips_next = False  # when the turn ends
        self.pending = 0  # cards that eights make the player in turn draw (MAU-09)
        self.barred = [False] * self.players
        self.fines = [0] * self.players  # what each seat has been fined
        self.idle_turns = 0  # in a row, without a play or a card drawn (MAU-08)
        self.last_play: list[str] = []
        self.winner: int | None = None

    # ------------------------------------------------------------ seats

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """The seat so many steps on in the direction of play."""
        return (seat + steps * self.direction) % self.players

    def hit_by_seven(self) -> int:
        """MAU-10: the previous player draws two, even if he was skipped; the next one under the option."""
        return self.seat_after(self.seat, 1 if self.options.seven_hits == "next" else -1)

    def end_turn(self) -> None:
        """The next player's turn comes; MAU-11: the one after him where he is skipped."""
        self.seat = self.seat_after(self.seat, 2 if self.skips_next else 1)
        self.skips_next = False
        self.turn += 1

    # ------------------------------------------------------------ cards move

    @property
    def top(self) -> str:
        """The card to follow."""
        return self.lixo[-1]

    def play(self, cards: Sequence[str], suit: str | None) -> None:
        """MAU-04: cards go from the hand onto the lixo; MAU-13: a Jack announces a suit, or any card may follow."""
        self.remove(cards)
        self.lixo += cards
        self.last_play = list(cards)
        self.announced = suit
        self.anything_follows = rank_of(self.top) == "J" and suit is None

    def draw_for(self, seat: int, count: int) -> None:
        """Cards go from the top of the stock into a hand."""
        for _ in range(count):
            self.hands[seat].append(self.stock.pop())

    def reshuffle(self, stock: Sequence[str]) -> None:
        """MAU-16: the lixo but its top card is the new stock, in this drawing order."""
        self.lixo = [self.top]
        self.stock = list(reversed(stock))

    def other_places(self) -> Iterator[Sequence[str]]:
        """The lixo."""
        yield self.lixo

    def under_top(self) -> list[str]:
        """MAU-16: what a reshuffle makes a stock of."""
        return self.lixo[:-1]

    def next_cards(self, count: int) -> list[str]:
        """The next cards of the stock in drawing order: so many, or all there are."""
        return self.stock[::-1][:count]

    def next_until_one_follows(self) -> list[str]:
        """MAU-06, `draw_until`: the next cards of the stock up to the first that follows, or all there are."""
        cards = self.next_cards(len(self.stock))
        fits = [index for index, card in enumerate(cards) if self.follows(card)]
        return cards[: fits[0] + 1] if fits else cards

    # ------------------------------------------------------------ fines and bars

    def fine(self) -> int:
        """MAU-06: the fine of a player who cannot follow."""
        if not self.options.fines or (self.options.unable == "fine_once" and self.fines[self.seat]):
            return 0
        return FINE

    def note_unable(self) -> None:
        """MAU-06: the player who cannot follow is fined and barred, where there are fines."""
        self.fines[self.seat] += self.fine()
        self.barred[self.seat] = self.options.fines

    def all_barred(self) -> bool:
        """MAU-08: nobody could win any more."""
        return all(self.barred)

    def lift_bars(self) -> None:
        """MAU-08: everybody may win again."""
        self.barred = [False] * self.players

    def note_turn(self, acted: bool) -> None:
        """MAU-08: a turn in which a card was played or drawn, or none."""
        self.idle_turns = 0 if acted else self.idle_turns + 1

    def is_idle_circuit(self) -> bool:
        """MAU-08: a full circuit in which nobody played or drew."""
        return self.idle_turns >= self.players

    # ------------------------------------------------------------ questions about a play

    def follows(self, card: str) -> bool:
        """MAU-04: rank or suit of the top card; MAU-13: a Jack, the announced suit, or anything."""
        if rank_of(card) == "J" or self.anything_follows:
            return True
        if self.announced is not None:
            return suit_of(card) == self.announced
        return rank_of(card) == rank_of(self.top) or suit_of(card) == suit_of(self.top)

    def can_follow(self) -> bool:
        """MAU-06: a card of the hand follows."""
        return any(self.follows(card) for card in self.hand)

    def may_empty_hand(self) -> bool:
        """MAU-07: a barred player may not."""
        return not self.barred[self.seat]

    def must_pass(self) -> bool:
        """MAU-07: a barred player whose only card follows."""
        return not self.may_empty_hand() and len(self.hand) == 1 and self.can_follow()

    def may_answer_eight(self) -> bool:
        """MAU-09: an 8 may be answered by an 8, but not by the last card of a barred player."""
        has_eight = any(rank_of(card) == "8" for card in self.hand)
        return self.options.stack_eights and has_eight and (len(self.hand) > 1 or self.may_empty_hand())

    def plays(self) -> list[list[str]]:
        """MAU-04, MAU-07, MAU-13: every legal play: a card that follows, or two Jacks in either order."""
        held = sorted(self.hand)
        if self.pending:
            return [[card] for card in held if rank_of(card) == "8"] if self.may_answer_eight() else []
        singles = [[card] for card in held if self.follows(card)]
        pairs = [list(pair) for pair in permutations([card for card in held if rank_of(card) == "J"], 2)]
        return [play for play in singles + pairs if len(play) < len(held) or self.may_empty_hand()]

    # ------------------------------------------------------------ the end

    def tally(self) -> Tally:
        """MAU-18: what is counted."""
        return Tally(self.winner, self.hands, self.fines, self.start_card, self.last_play, self.options.winner_collects)
