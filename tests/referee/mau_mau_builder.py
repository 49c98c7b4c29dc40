"""Writes event logs of mau-mau: deals with chosen cards, and a recorder that turns moves into events.

The recorder does what a table does of itself (effects, fines, reshuffles, going out with an empty hand) but judges
nothing: an illegal play is written down like a legal one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Self

from tests.referee.cards import rank_of, suit_of
from tests.referee.log import Event
from tests.referee.mau_mau_deal import CARDS_EACH, first_step, pack
from tests.referee.mau_mau_options import Options
from tests.referee.mau_mau_score import score
from tests.referee.mau_mau_table import EIGHT_DRAWS, FORGOTTEN_CALL_DRAWS, MOST_TURNS, SEVEN_DRAWS, Table
from tests.referee.recording import EventWriter, first_line, words


def deal_line(options: Options, hands: Sequence[Sequence[str]], stock: Sequence[str], start: str, deal: int) -> Event:
    """The `deal` event of a batch."""
    line = first_line("mau_mau", options.as_json(), hands, stock, [], deal, [0] * options.players)
    del line["pile"]
    first = (line["dealer"] + first_step(start, options)) % options.players
    return {**line, "first": first, "start_card": start}


def make_deal(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    stock: str = "",
    start: str = "",
) -> Event:
    """A `deal` event with these cards first in each part, filled up with others.

    Seat 0 is the dealer's left.
    """
    options = options or Options()
    parts = [words((hands or {}).get(seat, "")) for seat in range(options.players)]
    turned, top = words(start), words(stock)
    left = pack(options.pack_count)
    left.subtract(Counter(chain(*parts, turned, top)))
    if min(left.values()) < 0:
        raise ValueError("a card is named too often")
    rest = sorted(left.elements())
    random.Random(20).shuffle(rest)
    for part in parts:
        while len(part) < CARDS_EACH:
            part.append(rest.pop())
    start_card = turned[0] if turned else rest.pop()
    return deal_line(options, parts, [*top, *rest], start_card, deal=options.players - 1)


def random_deal(options: Options, rng: random.Random, deal: int = 0) -> Event:
    """A shuffled deal."""
    cards = sorted(pack(options.pack_count).elements())
    rng.shuffle(cards)
    dealt = CARDS_EACH * options.players
    hands = [cards[CARDS_EACH * seat : CARDS_EACH * (seat + 1)] for seat in range(options.players)]
    return deal_line(options, hands, cards[dealt + 1 :], cards[dealt], deal)


class Recorder(EventWriter):
    """Writes the events of one round while its cards move on a table."""

    table: Table

    def __init__(self, deal: Event, options: Options | None = None, rng: random.Random | None = None) -> None:
        super().__init__(deal)
        self.options = options or Options()
        self.rng = rng or random.Random(20)
        self.new_stock = ""  # the cards drawn first after the next reshuffle
        self.drawn = ""  # the card just drawn that may be played, or must be (MAU-06)
        self.table = Table(self.options, deal["dealer"], deal["hands"], deal["stock"], deal["start_card"])
        if self.options.start_card_acts:
            self.start_card()

    def start_card(self) -> None:
        """MAU-05: what the carta da partida does."""
        table = self.table
        rank = rank_of(table.start_card)
        if rank == "8":
            self.draw(table.seat, EIGHT_DRAWS, "start_card")
        if rank in ("8", "A"):
            self.write("skip")
            table.seat = table.seat_after(table.seat)
        elif rank == "7":
            self.draw(table.dealer, SEVEN_DRAWS, "start_card")
        elif rank == "Q":
            self.write("reverse", seat=table.dealer)

    # ------------------------------------------------------------ drawing

    def draw(self, seat: int, count: int, why: str) -> list[str]:
        """So many cards for a seat, or what there is."""
        drawn: list[str] = []
        while len(drawn) < count and self.refill(seat):
            drawn += self.write_draw(seat, self.table.next_cards(count - len(drawn)), why)
        return drawn

    def draw_until_one_follows(self) -> list[str]:
        """Cards for the player in turn until one follows, or what there is."""
        drawn: list[str] = []
        while not (drawn and self.table.follows(drawn[-1])) and self.refill(self.table.seat):
            drawn += self.write_draw(self.table.seat, self.table.next_until_one_follows(), "unable")
        return drawn

    def write_draw(self, seat: int, cards: list[str], why: str) -> list[str]:
        """One `draw`."""
        self.write("draw", cards, seat=seat, why=why)
        self.table.draw_for(seat, len(cards))
        return cards

    def refill(self, seat: int) -> bool:
        """A card can be drawn, if need be after a reshuffle."""
        table = self.table
        if not table.stock and table.under_top():
            first = words(self.new_stock)
            rest = sorted((Counter(table.under_top()) - Counter(first)).elements())
            self.rng.shuffle(rest)
            self.new_stock = ""
            self.write("reshuffle", seat=seat, stock=first + rest)
            table.reshuffle(first + rest)
        return bool(table.stock)

    # ------------------------------------------------------------ moves

    def play(self, cards: str | Sequence[str], suit: str | None = None, call: bool = True) -> Self:
        """A card or two Jacks, and what they do; of two Jacks the last one's suit is announced."""
        played = words(cards)
        suit = suit_of(played[-1]) if len(played) == 2 else suit
        self.drawn = ""
        self.write("play", played, suit=suit)
        self.table.play(played, suit)
        if not self.table.hand:
            return self.go_out()
        one_left = len(self.table.hand) == 1
        if one_left and call:
            self.write("call")
        self.effect()
        if one_left and not call:
            self.draw(self.table.seat, FORGOTTEN_CALL_DRAWS, "forgot_call")
        return self.end_turn(acted=True)

    def effect(self) -> None:
        """What the card on top does."""
        table = self.table
        rank = rank_of(table.top)
        if rank == "8":
            table.pending += EIGHT_DRAWS
        elif rank == "7":
            self.draw(table.hit_by_seven(), SEVEN_DRAWS, "seven")
        elif rank == "Q":
            self.write("reverse")
            table.direction = -table.direction
        skips = self.options.queen_skips_two_players and table.players == 2
        if rank == "A" or (rank == "Q" and skips):
            self.write("skip", seat=table.seat_after(table.seat))
            table.skips_next = True

    def take_eights(self) -> Self:
        """The draws of the 8s, and no discard."""
        drawn = self.draw(self.table.seat, self.table.pending, "eight")
        self.write("pass", why="eight")
        self.table.pending = 0
        return self.end_turn(acted=bool(drawn))

    def pass_barred(self) -> Self:
        """A barred player keeps his only card."""
        self.write("pass", why="barred")
        return self.end_turn(acted=False)

    def unable(self) -> Self:
        """Nothing follows; where the card then drawn may be played, `play_drawn` or `keep` ends the turn."""
        table = self.table
        self.write("unable", fine=table.fine())
        table.note_unable()
        if self.options.unable == "draw_until":
            drawn = self.draw_until_one_follows()
        else:
            drawn = [] if self.options.unable == "fine_only" else self.draw(table.seat, 1, "unable")
        if drawn and not self.options.fines and table.follows(drawn[-1]):
            self.drawn = drawn[-1]
            return self
        if table.all_barred():
            if self.options.unable == "fine_only":
                return self.end("void")
            self.write("bars_lifted")
            table.lift_bars()
        return self.end_turn(acted=bool(drawn))

    def play_drawn(self, suit: str | None = None, call: bool = True) -> Self:
        """The card just drawn is played."""
        return self.play([self.drawn], suit, call)

    def keep(self) -> Self:
        """The card just drawn is kept."""
        self.drawn = ""
        return self.end_turn(acted=True)

    def end_turn(self, acted: bool) -> Self:
        """The turn is over, and with it perhaps the round."""
        table = self.table
        table.note_turn(acted)
        if table.is_idle_circuit():
            return self.end("void")
        if table.turn == MOST_TURNS:
            return self.end("cap")
        table.end_turn()
        return self

    def idle_turn(self) -> None:
        """The first legal play, and what befalls a player who has none; no 8 is answered, a drawn card rather kept."""
        plays = self.table.plays()
        call = self.options.forget_call_rate != 1
        if self.table.pending:
            self.take_eights()
        elif self.table.must_pass():
            self.pass_barred()
        elif plays:
            self.play(plays[0], suit_of(plays[0][-1]) if rank_of(plays[0][-1]) == "J" else None, call)
        else:
            self.unable()
            if self.drawn and self.options.unable == "draw_until":
                self.play_drawn(call=call)
            elif self.drawn:
                self.keep()

    # ------------------------------------------------------------ the end

    def go_out(self) -> Self:
        """The hand is empty."""
        table = self.table
        rank = rank_of(table.top)
        if self.options.last_card_acts and rank == "8":
            self.draw(table.seat_after(table.seat), table.pending + EIGHT_DRAWS, "eight")
        elif self.options.last_card_acts and rank == "7":
            self.draw(table.hit_by_seven(), SEVEN_DRAWS, "seven")
        self.write("go_out")
        table.winner = table.seat
        return self.end("went_out")

    def end(self, reason: str) -> Self:
        """The last line, with the score."""
        if reason == "void":
            self.write("void")
        self.finish_with(reason, score(self.table.tally()))
        return self
