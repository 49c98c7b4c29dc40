"""Writes event logs of Escopa: packs with chosen cards, and a recorder that turns moves into events.

The recorder does what a table does of itself (the dealer's takes, the next deals, the leftover) but judges nothing:
an illegal move is written down like a legal one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Self

from tests.referee.escopa_cards import PACK, combinations, dealer_fifteens
from tests.referee.escopa_deal import HAND, TABLE
from tests.referee.escopa_options import Options
from tests.referee.escopa_score import score
from tests.referee.escopa_table import Table
from tests.referee.log import Event
from tests.referee.recording import EventWriter, first_line, words


def make_deal(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    table: str = "",
    stock: str = "",
    bottom: str = "",
    deal: int | None = None,
) -> Event:
    """A `deal` event with these cards first in each part, filled up with others; `bottom` is drawn last.

    An unnamed table is one that the dealer cannot take. Without a number of the deal, seat 0 is the first.
    """
    options = options or Options()
    parts = [words((hands or {}).get(seat, "")) for seat in range(options.players)]
    face_up, top, last = words(table), words(stock), words(bottom)
    named = [*face_up, *top, *last, *(card for part in parts for card in part)]
    if len(set(named)) < len(named):
        raise ValueError("a card is named twice")
    rest = [card for card in PACK if card not in named]
    random.Random(15).shuffle(rest)
    for part in parts:
        while len(part) < HAND:
            part.append(rest.pop())
    while len(face_up) < TABLE:
        face_up.append(rest.pop())
    if not table and dealer_fifteens(face_up, options.figures):
        raise ValueError("the table filled up is the dealer's")
    number = options.players - 1 if deal is None else deal
    return deal_event(options, parts, face_up, [*top, *rest, *last], number)


def random_deal(options: Options, rng: random.Random, deal: int = 0) -> Event:
    """A shuffled pack."""
    cards = list(PACK)
    rng.shuffle(cards)
    return dealt(options, cards, deal)


def dealt(options: Options, cards: Sequence[str], deal: int = 0) -> Event:
    """A pack in this order: the hands seat by seat, the table, the stock."""
    cut = HAND * options.players
    hands = [cards[HAND * seat : HAND * (seat + 1)] for seat in range(options.players)]
    return deal_event(options, hands, cards[cut : cut + TABLE], cards[cut + TABLE :], deal)


def deal_event(
    options: Options, hands: Sequence[Sequence[str]], table: Sequence[str], stock: Sequence[str], deal: int
) -> Event:
    """The first line of a log."""
    line = first_line("escopa", options.as_json(), hands, stock, [], deal, [0] * options.sides)
    del line["pile"]
    return {**line, "table": list(table)}


class Recorder(EventWriter):
    """Writes the events of one pack while its cards move on a table."""

    table: Table

    def __init__(self, deal: Event, options: Options | None = None) -> None:
        super().__init__(deal)
        self.options = options or Options()
        self.table = Table(self.options, deal["dealer"], deal["hands"], deal["stock"], deal["table"])
        self.begun = False

    # ------------------------------------------------------------ what a table does of itself

    def ready(self) -> Self:
        """The dealer has taken what is his, and everybody has cards, unless the pack is out."""
        if not self.begun:
            self.begun = True
            self.dealer_takes()
        if self.table.hands_empty and self.table.stock:
            self.next_deal()
        return self

    def dealer_takes(self) -> None:
        """The dealer's takes that the option allows."""
        table = self.table
        table.seat = table.dealer
        if self.options.dealer_take != "none" and table.dealer_fifteens():
            self.dealer_take()
            self.to_table(TABLE)
            if self.options.dealer_take == "twice" and table.dealer_fifteens():
                self.dealer_take()
        table.seat = table.right_of(table.dealer)

    def dealer_take(self) -> None:
        """The dealer takes the four cards."""
        self.write("dealer_take", self.table.cards)
        self.table.dealer_takes()

    def to_table(self, count: int) -> None:
        """Cards of the stock are laid on the table."""
        self.write("to_table", self.table.next_cards(count))
        self.table.lay_from_stock(count)

    def next_deal(self) -> None:
        """The next cards for everybody."""
        table = self.table
        table.pass_deal()
        each, over = table.shares()
        if over:
            self.to_table(over)
        self.write("deal_hands", dealer=table.dealer, hands=table.next_hands(each))
        table.deal(each)

    # ------------------------------------------------------------ moves

    def overlook(self) -> Self:
        """The player misses that he could capture."""
        return self.ready().write("overlook")

    def play(self, card: str, take: str | Sequence[str] = ()) -> Self:
        """A card is played and takes these, or none."""
        self.ready()
        taken = words(take)
        self.write("play", [card], take=taken, escopa=self.table.is_escopa(taken))
        self.table.play(card, taken)
        self.table.end_turn()
        return self

    def claim(self, cards: str | Sequence[str]) -> Self:
        """The next player takes the card just left, named first, and others."""
        taken = words(cards)
        self.write("claim", taken, escopa=self.table.is_escopa_claimed(taken))
        self.table.claim(taken)
        return self

    def idle_turn(self) -> None:
        """The first card that may be left, or else the first capture; the end when the pack is out."""
        self.ready()
        if self.table.pack_out:
            self.end()
            return
        if self.options.overlook_rate == 1 and self.table.capture_possible():
            self.overlook().play(self.table.hand[0])
            return
        must = self.options.capture == "must" and self.table.capture_possible()
        for card in self.table.hand:
            takes = self.table.can_capture(card)
            if not must and (not takes or self.options.capture == "free"):
                self.play(card)
                return
        card = next(card for card in self.table.hand if self.table.can_capture(card))
        self.play(card, next(combinations(card, self.table.cards, self.options.figures)))

    # ------------------------------------------------------------ the end

    def leftover(self) -> Self:
        """The cards left go to the last side that captured."""
        self.write("leftover", self.table.cards, seat=self.table.last_capturer)
        self.table.collect_leftover()
        return self

    def end(self) -> Self:
        """The leftover, and the last line with the score."""
        self.leftover()
        self.finish_with("pack_out", score(self.table.taken, self.table.escopas, self.options))
        return self
