"""The referee of Loba: replays the event log of one deal and checks it against the rule book.

It reads like a round at the table: the deal, turn after turn, the end. What must come next is read from the
log, and anything else is a `RuleBroken` with the article. Nothing here knows how the deal was produced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tests.referee.cards import JOKER, missing_from
from tests.referee.loba_deal import check_deal, check_redeal
from tests.referee.loba_fields import fields_for
from tests.referee.loba_melds import Meld, check_extended, read_meld, without_card
from tests.referee.loba_options import MOST_PLAYERS, Options, read_options
from tests.referee.loba_score import DETAIL_ARTICLES
from tests.referee.loba_table import Table
from tests.referee.log import Event, RuleBroken
from tests.referee.replay import Replay

MOST_TURNS = 1000

OUT_OF_PLACE = {
    "redeal": "LOB-03",
    "draw": "LOB-04",
    "take_discard": "LOB-04",
    "meld": "LOB-04",
    "extend": "LOB-04",
    "discard": "LOB-04",
    "go_out": "LOB-12",
    "reshuffle": "LOB-13",
}
END_ARTICLES = {"went_out": "LOB-12", "no_winner": "LOB-13", "cap": "LOB-17"}


@dataclass(frozen=True)
class SeatSummary:
    """What a seat had when the round ended."""

    playing: bool
    melds: list[list[str]]
    hand: list[str]
    laid_early: bool  # in a turn before its last one


@dataclass(frozen=True)
class Verdict:
    """A deal without fault."""

    scores: list[int]
    details: list[dict[str, int]]
    reason: str
    turns: int
    events: int
    winner: int | None
    all_at_once: bool
    redeals: int
    reshuffles: int
    discard_takes: int
    seats: list[SeatSummary]


def judge(events: Iterable[Event]) -> Verdict:
    """Replay a deal; the verdict, or `RuleBroken` at the first fault."""
    return Referee(events).judge()


class Referee(Replay):
    """Replays one deal."""

    seat_article = "LOB-01"
    total_article = "LOB-14"
    detail_articles = DETAIL_ARTICLES
    options: Options
    table: Table

    def __init__(self, events: Iterable[Event]) -> None:
        super().__init__(events, fields_for(MOST_PLAYERS))
        self.redeals = 0
        self.discard_takes = 0

    def judge(self) -> Verdict:
        """The whole log."""
        try:
            self.read_deal()
            while not self.reason:
                self.play_turn()
            return self.read_end()
        except RuleBroken as broken:
            raise self.located(broken) from None

    def read_deal(self) -> None:
        """LOB-01, LOB-02, LOB-03, LOB-16: the `deal` event, and the deals that an exposed joker voided."""
        event = self.first_event()
        self.options = read_options(event["options"])
        check_deal(event, self.options)
        self.table = Table(self.options, event)
        self.cursor.fields = fields_for(self.options.players)
        self.step()
        while self.peek()["event"] == "redeal":
            check_redeal(self.peek(), event["dealer"], self.options.jokers_for(sum(self.table.playing)))
            self.redeals += 1
            self.step()

    # ------------------------------------------------------------ a turn

    def play_turn(self) -> None:
        """LOB-04: a card is drawn or taken, own melds are laid and extended, a card is discarded."""
        self.table.begin_turn()
        self.draw_or_take()
        if not self.reason:
            self.lay_and_discard()
        if not self.reason:
            self.end_turn()

    def end_turn(self) -> None:
        """LOB-17: after a thousand turns the round is over; else the next player's turn comes."""
        if self.table.turn == MOST_TURNS:
            self.reason = "cap"
        else:
            self.table.end_turn()

    def draw_or_take(self) -> None:
        """LOB-04: the top of the stock or the top discard; LOB-13: or a reshuffle, or the end of the round."""
        event = self.peek()
        if event["event"] == "take_discard":
            self.take_discard(event)
        elif self.table.stock:
            self.draw_card()
        elif self.table.can_reshuffle():
            self.reshuffle()
            self.draw_card()
        else:
            self.nothing_to_draw(event)

    def draw_card(self) -> None:
        """LOB-04: one card, the top of the stock."""
        event = self.peek()
        if event["event"] != "draw":
            raise RuleBroken(self.out_of_place(event), f"a card must be drawn; found {event['event']}")
        self.check_place(event)
        if len(event["cards"]) != 1:
            raise RuleBroken("LOB-04", f"one card is drawn, not {len(event['cards'])}")
        if event["cards"] != self.table.stock[-1:]:
            raise RuleBroken("CARDS", f"{event['cards'][0]} is not the top of the stock, {self.table.stock[-1]} is")
        self.table.draw()
        self.step()

    def take_discard(self, event: Event) -> None:
        """LOB-04: the card just discarded by the player before; LOB-11, LOB-12: if it may be taken."""
        self.check_place(event)
        why_not = self.table.why_not_take()
        if why_not:
            raise RuleBroken(*why_not)
        if event["cards"] != self.table.discards[-1:]:
            raise RuleBroken("LOB-04", f"{event['cards']} is not the top discard, {self.table.discards[-1]}")
        self.table.take_discard()
        self.discard_takes += 1
        self.step()

    def reshuffle(self) -> None:
        """LOB-13: the discards but the top one become the stock; who must draw then draws."""
        if self.peek()["event"] == "draw":
            raise RuleBroken(
                self.draws_from_nothing(self.peek()), "the stock is empty: the discards are shuffled first"
            )
        event = self.expect("reshuffle", "LOB-13", "the stock is empty: the discards are shuffled")
        self.check_no_cards(event)
        if Counter(event["stock"]) != Counter(self.table.discards[:-1]):
            raise RuleBroken("LOB-13", "the new stock is the discards but the top one")
        self.table.reshuffle(event["stock"])
        self.step()
        if self.peek()["event"] == "take_discard":
            raise RuleBroken("LOB-13", "the discards were shuffled because a card is drawn")

    def nothing_to_draw(self, event: Event) -> None:
        """LOB-13: nothing can be drawn, and the discard is not taken: the round ends without a winner."""
        if event["event"] == "draw":
            raise RuleBroken(self.draws_from_nothing(event), "nothing is left to draw")
        self.reason = "no_winner"

    def draws_from_nothing(self, event: Event) -> str:
        """LOB-03, not LOB-13, where the exposed card is drawn."""
        return "LOB-03" if event["cards"] == [self.table.exposed] else "LOB-13"

    def out_of_place(self, event: Event) -> str:
        """The article that an event breaks where it has no place."""
        name = event["event"]
        return END_ARTICLES[event["reason"]] if name == "end" else OUT_OF_PLACE[name]

    # ------------------------------------------------------------ melds

    def lay_and_discard(self) -> None:
        """LOB-04: melds at will, then one discard; LOB-12: none is needed to go out."""
        ended = False
        while not self.reason and not ended:
            event = self.peek()
            if event["event"] != "end" and event["turn"] == self.table.turn + 1:
                raise RuleBroken("LOB-04", "the turn has not been ended by a discard")
            if event["event"] in ("meld", "extend"):
                self.lay(event)
            elif event["event"] == "discard":
                self.discard(event)
                ended = True
            else:
                raise RuleBroken(self.out_of_place(event), f"{event['event']} has no place here")

    def lay(self, event: Event) -> None:
        """LOB-04: a new meld or an extension, from the hand; the turn can still be ended."""
        self.check_place(event)
        missing = missing_from(event["cards"], self.table.hand)
        if missing:
            raise RuleBroken("CARDS", f"{missing} are not in hand")
        meld = self.read_laying(event)
        self.table.lay(event["meld"], meld, event["cards"])
        why_no_end = self.table.why_no_end()
        if why_no_end:
            raise RuleBroken(*why_no_end)
        self.step()
        if not self.table.hand:
            self.go_out()

    def read_laying(self, event: Event) -> Meld:
        """LOB-05, LOB-06, LOB-07: the meld after the event; LOB-09: an own one."""
        mine, number = self.table.mine, event["meld"]
        if event["event"] == "extend" and number >= len(mine):
            raise RuleBroken("LOB-09", f"the player has no meld {number}")
        meld = read_meld(event["now"], self.options)
        if event["event"] == "extend":
            if not event["cards"]:
                raise RuleBroken("LOG", "an extension adds cards")
            check_extended(mine[number], meld, event["cards"])
        else:
            self.check_new_meld(event, meld)
        return meld

    def check_new_meld(self, event: Event, meld: Meld) -> None:
        """Melds are numbered by seat in the order laid; the cards are written as they lie."""
        if event["meld"] != len(self.table.mine):
            raise RuleBroken("LOG", f"meld number {event['meld']}, but {len(self.table.mine)} lie there")
        in_order = sorted if not meld.is_sequence else list
        if in_order(event["cards"]) != in_order(event["now"]):
            raise RuleBroken("LOG", "a new meld consists of the cards laid, in the order they lie")

    # ------------------------------------------------------------ the end of a turn

    def discard(self, event: Event) -> None:
        """LOB-04: one card, of the hand or off an own meld; LOB-12: who has none left goes out."""
        self.check_place(event)
        if len(event["cards"]) != 1:
            raise RuleBroken("LOB-04", f"one card is discarded, not {len(event['cards'])}")
        if self.table.owes_meld():
            raise RuleBroken("LOB-12", f"{self.table.now.taken} was taken and must be melded or added")
        card, from_meld = event["cards"][0], event["from_meld"]
        if from_meld is None:
            self.check_hand_discard(card)
        else:
            self.check_laid_discard(card, from_meld)
        if self.table.is_just_taken(card, from_meld):
            raise RuleBroken("LOB-04", f"{card} was taken in this turn")
        self.table.discard(card, from_meld)
        self.step()
        if not self.table.hand:
            self.go_out()
        elif self.peek()["event"] == "go_out":
            raise RuleBroken("LOB-12", f"{len(self.table.hand)} cards are left in hand")

    def check_hand_discard(self, card: str) -> None:
        """LOB-10: a joker only to go out, or where nothing else can be discarded."""
        if card not in self.table.hand:
            raise RuleBroken("CARDS", f"{card} is not in hand")
        if card == JOKER and not self.table.is_just_taken(JOKER, None) and not self.table.may_discard_joker():
            raise RuleBroken("LOB-10", "a joker is discarded only to go out, or where nothing else can be")

    def check_laid_discard(self, card: str, from_meld: int) -> None:
        """LOB-08: a natural card of an own meld of which a legal one remains."""
        if from_meld >= len(self.table.mine):
            raise RuleBroken("LOB-08", f"the player has no meld {from_meld}")
        without_card(self.table.mine[from_meld], card, self.options)

    def go_out(self) -> None:
        """LOB-12: no card is left; LOB-15: everything laid at once, nothing earlier, counts double."""
        event = self.expect("go_out", "LOB-12", "no card is left: the player goes out")
        self.check_no_cards(event)
        if event["all_at_once"] != self.table.lays_all_at_once():
            raise RuleBroken("LOB-15", f"all_at_once is {self.table.lays_all_at_once()}, not {event['all_at_once']}")
        self.table.go_out()
        self.reason = "went_out"
        self.step()

    # ------------------------------------------------------------ the end of the round

    def read_end(self) -> Verdict:
        """LOB-12, LOB-13, LOB-17: the round ends here, for this reason; LOB-14, LOB-15: the score."""
        table = self.table
        details = table.score()
        scores = self.read_result(END_ARTICLES[self.reason], details)
        return Verdict(
            scores=scores,
            details=details,
            reason=self.reason,
            turns=table.turn,
            events=self.cursor.index,
            winner=table.out,
            all_at_once=table.out_at_once,
            redeals=self.redeals,
            reshuffles=table.reshuffles,
            discard_takes=self.discard_takes,
            seats=[self.summary(seat) for seat in range(table.players)],
        )

    def line_article(self, side: int, line: str, article: str) -> str:
        """LOB-15, not LOB-14, where a hand counts double."""
        return "LOB-15" if line == "hand" and self.table.out_at_once else article

    def summary(self, seat: int) -> SeatSummary:
        """What the seat has on the table and in hand."""
        table = self.table
        melds = [list(meld.cards) for meld in table.melds[seat]]
        return SeatSummary(table.playing[seat], melds, list(table.hands[seat]), table.has_laid[seat])
