"""Writes event logs of Canastra: deals with chosen cards, and a recorder that turns moves into events.

The recorder does what a table does of itself (red threes, a morto that becomes stock, the morto or the batida
after an empty hand) but judges nothing: an illegal move is written down like a legal one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tests.referee.canastra_melds import Lay, is_curinga, lavadeira, sequence
from tests.referee.canastra_options import Options
from tests.referee.canastra_score import score
from tests.referee.canastra_table import Table
from tests.referee.cards import is_red_three, number_of, suit_of, two_packs
from tests.referee.log import Event
from tests.referee.recording import BaseRecorder, first_line, pack_without, words
from tests.referee.table import SIDES


def make_deal(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    stock: str = "",
    mortos: Sequence[str] = ("", ""),
    deal: int = 3,
) -> Event:
    """A `deal` event with these cards on top of each part, filled up with others; unnamed red threes lie at
    the bottom of the stock. Deal 3 makes seat 0 the first of four, deal 1 the first of two.
    """
    options = options or Options()
    parts = [words((hands or {}).get(seat, "")) for seat in range(options.players)]
    heaps = [words(morto) for morto in mortos]
    top = words(stock)
    rest, red = pack_without([*parts, *heaps, top], options.jokers)
    for part in (*parts, *heaps):
        while len(part) < 11:
            part.append(rest.pop())
    return deal_event(options, parts, [*top, *rest, *red], heaps, deal)


def random_deal(options: Options, rng: random.Random, deal: int = 0) -> Event:
    """A shuffled deal."""
    cards = list(two_packs(options.jokers).elements())
    rng.shuffle(cards)
    cut = 11 * options.players
    hands = [cards[11 * seat : 11 * seat + 11] for seat in range(options.players)]
    return deal_event(options, hands, cards[cut + 22 :], [cards[cut : cut + 11], cards[cut + 11 : cut + 22]], deal)


def deal_event(
    options: Options,
    hands: Sequence[Sequence[str]],
    stock: Sequence[str],
    mortos: Sequence[Sequence[str]],
    deal: int,
) -> Event:
    """The first line of a log."""
    line = first_line("canastra", options.as_json(), hands, stock, [], deal)
    return {**line, "mortos": [list(morto) for morto in mortos]}


def lay_of(now: str | Sequence[str]) -> Lay:
    """A meld as it lies, legal or not."""
    cards = words(now)
    naturals = [card for card in cards if not is_curinga(card)]
    if len({number_of(card) for card in naturals}) <= 1:
        return lavadeira(number_of(naturals[0]) if naturals else 4, cards)
    low = number_of(naturals[0]) - cards.index(naturals[0])
    return sequence(suit_of(naturals[0]), low, cards)


class Recorder(BaseRecorder):
    """Writes the events of one deal while its cards move on a table."""

    table: Table

    def __init__(self, deal: Event, options: Options | None = None) -> None:
        super().__init__(deal)
        self.options = options or Options()
        self.table = Table(self.options, deal["first"], deal["hands"], deal["stock"], deal["mortos"])

    def meld_cards(self, number: int) -> Sequence[str]:
        """The cards of a meld of the side in turn."""
        return self.table.melds[self.table.side][number].cards

    def meld_count(self) -> int:
        """How many melds the side in turn has."""
        return len(self.table.melds[self.table.side])

    # ------------------------------------------------------------ moves

    def begin(self) -> Recorder:
        """The turn begins: a morto is opened, red threes are laid and replaced."""
        if self.in_turn:
            return self
        table = self.table
        self.in_turn = True
        table.turn += 1
        morto = table.sealed[table.seat]
        if morto is not None:
            self.write("morto_opened", table.mortos[morto], morto=morto)
            table.open_morto(morto)
        table.started[table.seat] = True
        self.red_threes()
        return self

    def draw(self) -> Recorder:
        """The card of the turn."""
        self.begin()
        self.draw_card("turn")
        self.red_threes()
        return self

    def draw_card(self, why: str) -> None:
        """One card from the stock, a morto if that is empty."""
        table = self.table
        if not table.stock:
            morto = table.next_morto()
            assert morto is not None
            cards = list(table.mortos[morto])
            self.write("morto_to_stock", cards, morto=morto)
            table.morto_to_stock(cards)
        self.write("draw", table.stock[-1:], why=why)
        table.draw()

    def red_threes(self) -> None:
        """Red threes in hand are laid and replaced."""
        while red := [card for card in self.table.hand if is_red_three(card)]:
            self.write("red_three", red[-1:])
            self.table.lay_red_three(red[-1])
            if self.table.can_draw():
                self.draw_card("red_three")

    def lift(self) -> Recorder:
        """The lixo is taken; its justification is still to come."""
        self.begin()
        self.write("take_pile", self.table.lixo)
        self.table.take_lixo()
        return self

    def take(self, now: str | Sequence[str], number: int | None = None) -> Recorder:
        """The lixo is taken and justified with a meld that lies so, a new one or that number."""
        top = self.table.lixo[-1]
        self.lift()
        cards = self.added(now, number)
        from_hand = list(cards)
        from_hand.remove(top)
        self.write_lay(cards, now, number)
        self.table.remove(from_hand)
        self.table.rest_to_hand()
        return self.settle(now, number)

    def lay(self, now: str | Sequence[str], number: int | None) -> Recorder:
        """A new meld, or an extension, that lies so."""
        cards = self.added(now, number)
        self.write_lay(cards, now, number)
        self.table.remove(cards)
        return self.settle(now, number)

    def settle(self, now: str | Sequence[str], number: int | None) -> Recorder:
        """The meld lies; an empty hand takes the morto or goes out."""
        table = self.table
        table.lay(self.meld_count() if number is None else number, lay_of(now))
        if not table.hand and table.morto_open():
            self.take_morto("at_once")
            self.red_threes()
        elif not table.hand and table.batida_open() and not self.options.batida_needs_discard:
            self.go_out()
        return self

    def take_morto(self, when: str) -> None:
        """The next morto, at once or for the next turn."""
        morto = self.table.next_morto()
        assert morto is not None
        cards = self.table.mortos[morto] if when == "at_once" else []
        self.write("take_morto", cards, morto=morto, when=when)
        self.table.take_morto(sealed=when == "next_turn")

    def discard(self, card: str) -> Recorder:
        """The turn ends with a discard; an empty hand takes the morto or goes out."""
        self.write("discard", [card])
        self.table.discard(card)
        if not self.table.hand and self.table.morto_open():
            self.take_morto("next_turn")
        elif not self.table.hand and self.table.batida_open():
            self.go_out()
        return self.next_seat()

    # ------------------------------------------------------------ the end

    def go_out(self) -> None:
        """The batida and the end."""
        self.write("go_out")
        self.table.out = self.table.seat
        self.end("batida")

    def nothing_left(self) -> Recorder:
        """The lixo is declined if it could be taken; the end."""
        self.begin()
        if self.table.could_take():
            self.write("decline_pile")
        self.end("stock_out")
        return self

    def end(self, reason: str) -> None:
        """The last line, with the score."""
        self.finish_with(reason, [score(self.table.tally(side), self.options) for side in SIDES])

    def idle_turn(self) -> None:
        """One such turn."""
        self.begin()
        if not self.table.can_draw():
            self.nothing_left()
            return
        self.draw()
        if len(self.table.hand) == 1 and not self.table.morto_open() and not self.table.batida_open():
            self.no_discard()
        else:
            self.discard(self.table.hand[-1])
