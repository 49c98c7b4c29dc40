"""Writes event logs of Canasta: deals with chosen cards, and a recorder that turns moves into events.

The recorder does what a table does of itself (red threes, the rest of a pile, going out with an empty hand) but
judges nothing: an illegal move is written down like a legal one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Self

from tests.referee.canasta_deal import JOKERS, PLAYERS, is_covered
from tests.referee.canasta_melds import Meld, is_natural
from tests.referee.canasta_options import Options
from tests.referee.canasta_score import score
from tests.referee.canasta_table import Table
from tests.referee.cards import is_red_three, is_wild, rank_of, two_packs
from tests.referee.log import Event
from tests.referee.recording import BaseRecorder, first_line, pack_without, words
from tests.referee.table import SIDES


def make_deal(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    stock: str = "",
    pile: str = "",
    bottom: str = "",
    deal: int = 3,
) -> Event:
    """A `deal` event with these cards first in each part, filled up with others.

    Unnamed red threes lie near the bottom of the stock, where a card follows them; `bottom` is drawn last.
    Deal 3 makes seat 0 the first.
    """
    options = options or Options()
    parts = [words((hands or {}).get(seat, "")) for seat in range(PLAYERS)]
    turned, top, last = words(pile), words(stock), words(bottom)
    rest, red = pack_without([*parts, turned, top, last], JOKERS)
    if not turned:
        turned = [next(card for card in rest if is_natural(card))]
        rest.remove(turned[0])
    for part in parts:
        while len(part) < 11:
            part.append(rest.pop())
    drawn = [*top, *rest[:-1], *red, *rest[-1:], *last]
    return first_line("canasta", options.as_json(), parts, drawn, turned, deal, options.start_score)


def random_deal(options: Options, rng: random.Random, deal: int = 0) -> Event:
    """A shuffled deal; KAN-02: cards are turned until one may lie on top."""
    cards = list(two_packs(JOKERS).elements())
    rng.shuffle(cards)
    hands = [cards[11 * seat : 11 * seat + 11] for seat in range(PLAYERS)]
    stock = cards[11 * PLAYERS :]
    turned = 1
    while is_covered(stock[turned - 1], options):
        turned += 1
    parts = (hands, stock[turned:], stock[:turned])
    return first_line("canasta", options.as_json(), *parts, deal, options.start_score)


def meld_of(now: str | Sequence[str]) -> Meld:
    """A meld of these cards, legal or not."""
    cards = words(now)
    naturals = [card for card in cards if not is_wild(card)]
    return Meld(rank_of(naturals[0]) if naturals else "", tuple(sorted(cards)))


class Recorder(BaseRecorder):
    """Writes the events of one deal while its cards move on a table."""

    table: Table

    def __init__(self, deal: Event, options: Options | None = None) -> None:
        super().__init__(deal)
        self.options = options or Options()
        parts = (deal["hands"], deal["stock"], deal["pile"], deal["scores_before"])
        self.table = Table(self.options, deal["first"], *parts)

    def meld_cards(self, number: int) -> Sequence[str]:
        """The cards of a meld of the side in turn."""
        return self.table.mine[number].cards

    def meld_count(self) -> int:
        """How many melds the side in turn has."""
        return len(self.table.mine)

    # ------------------------------------------------------------ moves

    def begin(self) -> Self:
        """The turn begins; in a player's first, red threes are laid and replaced."""
        if not self.in_turn:
            self.in_turn = True
            self.table.begin_turn()
            if not self.table.started[self.table.seat]:
                self.table.started[self.table.seat] = True
                self.red_threes()
        return self

    def draw(self) -> Self:
        """The card of the turn."""
        self.begin()
        self.draw_card("turn")
        self.table.now.drew = True
        self.red_threes()
        return self

    def draw_card(self, why: str) -> None:
        """One card from the stock."""
        self.write("draw", self.table.stock[-1:], why=why)
        self.table.draw()

    def red_threes(self) -> None:
        """Red threes in hand are laid and replaced; without a card for it the hand is over."""
        while not self.over and (red := [card for card in self.table.hand if is_red_three(card)]):
            self.red_three(red[-1])
            if self.table.stock:
                self.draw_card("red_three")
            else:
                self.end("red_three_last")

    def red_three(self, card: str) -> Self:
        """One red three is laid."""
        self.write("red_three", [card])
        self.table.lay_red_three(card)
        return self

    def lift(self) -> Self:
        """The pile is taken; what follows is still to come."""
        self.begin()
        self.write("take_pile", self.table.pile)
        self.table.take_pile()
        return self

    def take(self, now: str | Sequence[str], number: int | None = None) -> Self:
        """The pile is taken, its red threes are laid, and the top card goes into a meld that lies so."""
        self.lift()
        for card in [card for card in self.table.taken if is_red_three(card)]:
            self.red_three(card)
        return self.justify(now, number)

    def justify(self, now: str | Sequence[str], number: int | None = None) -> Self:
        """The top card of the pile just taken goes into a meld that lies so."""
        cards = self.added(now, number)
        self.write_lay(cards, now, number)
        self.table.lift_top()
        return self.settle(cards, now, number)

    def lay(self, now: str | Sequence[str], number: int | None) -> Self:
        """A new meld, or an extension, that lies so."""
        cards = self.added(now, number)
        self.write_lay(cards, now, number)
        return self.settle(cards, now, number)

    def settle(self, cards: Sequence[str], now: str | Sequence[str], number: int | None) -> Self:
        """The meld lies; the rest of a pile may join the hand; an empty hand goes out."""
        table = self.table
        table.remove(cards)
        table.lay(self.meld_count() if number is None else number, meld_of(now), cards)
        table.rest_to_hand()
        if not table.hand and not table.taken and table.may_go_out():
            self.go_out()
        return self

    def ask(self, answer: bool) -> Self:
        """The partner is asked, and answers."""
        self.write("ask", answer=answer)
        self.table.has_asked[self.table.seat] = True
        self.table.now.answer = answer
        return self

    def discard(self, card: str) -> Self:
        """The turn ends with a discard; an empty hand goes out."""
        self.write("discard", [card])
        self.table.discard(card)
        if not self.table.hand and self.table.may_go_out():
            self.go_out()
        return self.next_seat()

    def next_seat(self) -> Self:
        """The turn is over."""
        self.in_turn = False
        if not self.over:
            self.table.end_turn()
        return self

    # ------------------------------------------------------------ the end

    def go_out(self) -> Self:
        """The player goes out, and the end."""
        self.write("go_out", concealed=self.table.concealed())
        self.table.out, self.table.out_concealed = self.table.seat, self.table.concealed()
        self.end("went_out")
        return self

    def nothing_left(self) -> Self:
        """The pile is declined if it could be taken; the end."""
        self.begin()
        if self.table.could_take():
            self.write("decline_pile")
        self.end("stock_out")
        return self

    def end(self, reason: str) -> None:
        """The last line, with the score."""
        self.finish_with(reason, [score(self.table.tally(side)) for side in SIDES])

    def idle_turn(self) -> None:
        """Draw and discard the card drawn; with an empty stock take the pile only if it must be taken."""
        self.begin()
        if self.over:
            return
        if self.table.stock:
            self.draw()
            if not self.over:
                self.discard(self.table.hand[-1])
        elif self.table.must_take():
            self.take_for_top()
        else:
            self.nothing_left()

    def take_for_top(self) -> None:
        """The top card joins its meld, and the card that came last is discarded."""
        top = self.table.pile[-1]
        number = self.table.own_meld(rank_of(top))
        assert number is not None
        self.take([*self.meld_cards(number), top], number)
        if not self.over:
            self.discard(self.table.hand[-1])
