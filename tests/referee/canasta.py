"""The referee of Canasta: replays the event log of one deal and checks it against the rule book.

It reads like a hand at the table: the deal, turn after turn, the end. What must come next is read from the
log, and anything else is a `RuleBroken` with the article. Nothing here knows how the deal was produced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tests.referee.canasta_deal import check_deal
from tests.referee.canasta_fields import FIELDS
from tests.referee.canasta_melds import Meld, is_natural, read_meld
from tests.referee.canasta_options import Options, read_options
from tests.referee.canasta_score import DETAIL_ARTICLES, score
from tests.referee.canasta_table import Table
from tests.referee.cards import is_red_three, is_wild, missing_from
from tests.referee.log import Event, RuleBroken
from tests.referee.replay import Replay
from tests.referee.table import SIDES

MOST_TURNS = 172  # KAN-17: each turn but the last uses one of 63 cards of the stock or lays one of 108

OUT_OF_PLACE = {
    "draw": "KAN-06",
    "take_pile": "KAN-06",
    "decline_pile": "KAN-16",
    "pass": "KAN-06",
    "go_out": "KAN-14",
    "end": "KAN-16",
}
END_ARTICLES = {"went_out": "KAN-14", "stock_out": "KAN-16", "red_three_last": "KAN-16"}


@dataclass(frozen=True)
class SideSummary:
    """What a side had when the hand ended."""

    melds: list[list[str]]
    natural_canastas: int
    mixed_canastas: int
    red_threes: int
    went_out: bool
    concealed: bool


@dataclass(frozen=True)
class Verdict:
    """A deal without fault."""

    scores: list[int]
    details: list[dict[str, int]]
    reason: str
    turns: int
    events: int
    sides: list[SideSummary]


def judge(events: Iterable[Event]) -> Verdict:
    """Replay a deal; the verdict, or `RuleBroken` at the first fault."""
    return Referee(events).judge()


class Referee(Replay):
    """Replays one deal."""

    seat_article = "KAN-01"
    total_article = "KAN-19"
    detail_articles = DETAIL_ARTICLES
    options: Options
    table: Table

    def __init__(self, events: Iterable[Event]) -> None:
        super().__init__(events, FIELDS)

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
        """KAN-01, KAN-02, KAN-13, KAN-20: the `deal` event."""
        event = self.first_event()
        self.options = read_options(event["options"])
        check_deal(event, self.options)
        parts = (event["hands"], event["stock"], event["pile"], event["scores_before"])
        self.table = Table(self.options, event["first"], *parts)
        self.step()

    # ------------------------------------------------------------ a turn

    def play_turn(self) -> None:
        """KAN-06: a card is drawn or the pile taken, melds are laid, a card is discarded."""
        self.table.begin_turn()
        if self.table.turn > MOST_TURNS:
            raise RuleBroken("KAN-17", f"more than {MOST_TURNS} turns")
        if not self.table.started[self.table.seat]:
            self.table.started[self.table.seat] = True
            self.lay_red_threes()
        if not self.reason:
            self.draw_or_take()
        if not self.reason:
            self.lay_and_discard()
        if not self.reason:
            self.table.end_turn()

    def lay_red_threes(self) -> None:
        """KAN-05: each red three in hand is laid and replaced; KAN-16: the last of the stock ends the hand."""
        while any(is_red_three(card) for card in self.table.hand):
            event = self.expect("red_three", "KAN-05", "a red three in hand is laid first")
            self.lay_red_three(event)
            if not self.table.stock:
                self.reason = "red_three_last"
                return
            self.draw_card("red_three")

    def lay_red_three(self, event: Event) -> None:
        """KAN-05: one red three is laid."""
        if len(event["cards"]) != 1 or not is_red_three(event["cards"][0]):
            raise RuleBroken("KAN-05", f"one red three at a time, not {event['cards']}")
        self.table.lay_red_three(event["cards"][0])
        self.step()

    def draw_card(self, why: str) -> None:
        """KAN-05, KAN-06: one card from the top of the stock."""
        article = "KAN-05" if why == "red_three" else "KAN-06"
        if self.peek()["event"] in ("decline_pile", "end"):
            raise RuleBroken("KAN-16", f"a card is left in the stock; found {self.peek()['event']}")
        event = self.expect("draw", article, f"a card must be drawn ({why})")
        if event["why"] != why or len(event["cards"]) != 1:
            raise RuleBroken(article, f"one card is drawn because of {why}")
        if event["cards"] != self.table.stock[-1:]:
            raise RuleBroken("CARDS", f"{event['cards'][0]} is not the top of the stock, {self.table.stock[-1]} is")
        self.table.draw()
        self.step()

    def draw_or_take(self) -> None:
        """KAN-06: one card from the stock, or the whole pile; KAN-16: or the end of the hand."""
        if self.peek()["event"] == "take_pile":
            self.take_pile()
        elif self.table.stock:
            self.draw_card("turn")
            self.table.now.drew = True
            self.lay_red_threes()
        else:
            self.nothing_left()

    def nothing_left(self) -> None:
        """KAN-16: an empty stock: who must take the pile takes it, who could declines it; the hand ends."""
        if self.table.must_take():
            raise RuleBroken("KAN-16", f"the pile must be taken; found {self.peek()['event']}")
        if self.table.could_take():
            event = self.expect("decline_pile", "KAN-16", "the stock is empty: he takes the pile or declines it")
            self.check_no_cards(event)
            self.step()
        elif self.peek()["event"] == "decline_pile":
            raise RuleBroken("KAN-16", "he cannot take the pile, so there is nothing to decline")
        self.reason = "stock_out"

    # ------------------------------------------------------------ the pile

    def take_pile(self) -> None:
        """KAN-06: the whole pile, its top card used at once in a meld; red threes may be laid between."""
        closed = self.table.pile_closed()
        event = self.expect("take_pile", "KAN-06", "the pile is taken")
        if closed:
            raise RuleBroken(*closed)
        if event["cards"] != self.table.pile:
            raise RuleBroken("KAN-06", "the whole pile is taken, written bottom to top")
        frozen = self.table.pile_frozen()
        self.table.take_pile()
        self.step()
        while self.peek()["event"] == "red_three":
            self.check_place(self.peek())
            self.lay_red_three(self.peek())
        self.justify(frozen)

    def justify(self, frozen: bool) -> None:
        """KAN-06, KAN-08: the top card is used at once in a meld, with what the state of the pile asks for."""
        event = self.peek()
        if event["event"] not in ("meld", "extend"):
            article = self.out_of_place(event, "KAN-06")
            raise RuleBroken(article, f"the top card is used at once in a meld; found {event['event']}")
        self.check_place(event)
        table = self.table
        top = table.taken[-1]
        if top not in event["cards"]:
            raise RuleBroken("KAN-06", f"the meld lacks the top card {top}")
        added: Counter[str] = Counter(event["cards"])
        added -= Counter([top])
        missing = missing_from(added.elements(), [*table.hand, *table.taken[:-1]])
        if missing:
            raise RuleBroken("CARDS", f"{missing} are neither in hand nor in the pile")
        self.read_laying(event)
        self.check_justified(event, added & Counter(table.hand), frozen)
        table.lift_top()
        self.lay(event)

    def check_justified(self, event: Event, from_hand: Counter[str], frozen: bool) -> None:
        """KAN-08: a natural pair from hand, or, not frozen, a natural and a wild, or a meld that lies there."""
        naturals = sum(count for card, count in from_hand.items() if is_natural(card))
        wilds = sum(count for card, count in from_hand.items() if is_wild(card))
        if naturals >= 2:
            return
        if frozen:
            raise RuleBroken("KAN-08", "the pile is frozen: the top card needs a natural pair from hand")
        if event["event"] == "meld" and not (naturals and wilds):
            raise RuleBroken("KAN-08", "the top card needs a pair, or a natural and a wild card, from hand")

    def check_available(self, cards: list[str]) -> None:
        """KAN-13: until the minimum is reached only the top card and cards from hand are laid."""
        missing = missing_from(cards, self.table.hand)
        if missing and not missing_from(missing, self.table.taken):
            raise RuleBroken("KAN-13", f"{missing} of the pile before the first meld is worth enough")
        if missing:
            raise RuleBroken("CARDS", f"{missing} are not in hand")

    # ------------------------------------------------------------ melds

    def lay_and_discard(self) -> None:
        """KAN-06: melds at will, then one discard unless going out."""
        ended = False
        while not self.reason and not ended:
            event = self.peek()
            if event["turn"] == self.table.turn + 1 and event["event"] != "end":
                raise RuleBroken("KAN-06", "the turn has not been ended by a discard")
            if event["event"] in ("meld", "extend"):
                self.lay(event)
            elif event["event"] == "red_three":
                self.check_place(event)
                self.lay_red_three(event)
                self.after_laying()
            elif event["event"] == "ask":
                self.ask(event)
            elif event["event"] == "discard":
                self.discard(event)
                ended = True
            else:
                raise RuleBroken(self.out_of_place(event), f"{event['event']} has no place here")

    def out_of_place(self, event: Event, otherwise: str = "") -> str:
        """The article that an event breaks where a player may only lay or discard."""
        if event["event"] == "draw" and event["why"] == "red_three":
            return "KAN-05"  # a red three of the pile is not replaced
        if event["event"] == "go_out" and not otherwise:
            self.check_red_threes()
            self.check_minimum(waived=False)
        return otherwise or OUT_OF_PLACE[event["event"]]

    def lay(self, event: Event) -> None:
        """KAN-06: a meld or an extension."""
        self.check_place(event)
        self.check_available(event["cards"])
        meld = self.read_laying(event)
        self.table.remove(event["cards"])
        self.table.lay(event["meld"], meld, event["cards"])
        self.table.rest_to_hand()
        self.step()
        self.after_laying()

    def read_laying(self, event: Event) -> Meld:
        """KAN-11, KAN-12: the meld after the event."""
        meld = read_meld(event["now"])
        if event["event"] == "meld":
            self.check_new_meld(event, meld)
        else:
            self.check_extension(event)
        return meld

    def check_new_meld(self, event: Event, meld: Meld) -> None:
        """KAN-11: one meld per rank per side. Melds are numbered in the order laid."""
        if event["meld"] != len(self.table.mine):
            raise RuleBroken("LOG", f"meld number {event['meld']}")
        if Counter(event["cards"]) != Counter(event["now"]):
            raise RuleBroken("LOG", "a new meld consists of the cards laid")
        if self.table.own_meld(meld.rank) is not None:
            raise RuleBroken("KAN-11", f"the side already has a meld of {meld.rank}")

    def check_extension(self, event: Event) -> None:
        """KAN-11: only a meld of one's own side."""
        if event["meld"] >= len(self.table.mine):
            raise RuleBroken("KAN-11", f"the side has no meld {event['meld']}")
        if not event["cards"]:
            raise RuleBroken("LOG", "an extension adds cards")
        before = self.table.mine[event["meld"]]
        if Counter(event["now"]) != Counter(before.cards) + Counter(event["cards"]):
            raise RuleBroken("KAN-11", f"not the side's meld {event['meld']} with the cards added")

    def ask(self, event: Event) -> None:
        """KAN-14: "may I go out?", after drawing, before melding, once a hand; the answer binds."""
        self.check_place(event)
        self.check_no_cards(event)
        table = self.table
        if not self.options.ask_partner:
            raise RuleBroken("KAN-14", "nobody asks his partner (ask_partner)")
        if not table.now.drew or table.now.laid:
            raise RuleBroken("KAN-14", "the partner is asked after drawing and before melding")
        if table.has_asked[table.seat]:
            raise RuleBroken("KAN-14", "the partner is asked once a hand")
        table.has_asked[table.seat] = True
        table.now.answer = event["answer"]
        self.step()

    # ------------------------------------------------------------ the end of a turn

    def after_laying(self) -> None:
        """KAN-14: who has laid his last card goes out."""
        if self.table.hand or self.table.taken:
            return
        event = self.expect("go_out", "KAN-14", "no card is left: the player goes out")
        self.go_out(event)

    def discard(self, event: Event) -> None:
        """KAN-06: one card; KAN-05: never a red three; what the turn owed has been done."""
        self.check_place(event)
        table = self.table
        if len(event["cards"]) != 1:
            raise RuleBroken("KAN-06", f"one card is discarded, not {len(event['cards'])}")
        if is_red_three(event["cards"][0]):
            raise RuleBroken("KAN-05", "a red three is never discarded")
        self.check_red_threes()
        if table.taken:
            raise RuleBroken("KAN-13", "the pile was taken, and the first meld is not worth enough")
        table.discard(event["cards"][0])
        if not table.hand and not table.may_go_out():
            raise RuleBroken("KAN-14", f"the last card is discarded: {self.why_not_out()}")
        self.check_minimum(waived=not table.hand and table.minimum_waived())
        self.check_kept_in_hand()
        self.step()
        if not table.hand:
            self.go_out(self.expect("go_out", "KAN-14", "no card is left: the player goes out"))
        elif self.peek()["event"] == "go_out":
            raise RuleBroken("KAN-14", f"{len(table.hand)} cards are left in hand")

    def check_red_threes(self) -> None:
        """KAN-05: a red three found in the pile is laid before the turn ends."""
        if any(is_red_three(card) for card in (*self.table.hand, *self.table.taken)):
            raise RuleBroken("KAN-05", "a red three of the pile has not been laid")

    def check_minimum(self, waived: bool) -> None:
        """KAN-13: the first meld of the side is worth enough."""
        table = self.table
        if table.now.laid and not table.minimum_reached() and not waived:
            least = table.minimums[table.side]
            raise RuleBroken("KAN-13", f"a first meld of {table.now.laid_points} points; {least} are needed")

    def check_kept_in_hand(self) -> None:
        """KAN-12: black threes are melded only when going out; KAN-14: a permission to go out binds."""
        if self.table.hand and self.table.black_threes_laid():
            raise RuleBroken("KAN-12", "black threes were melded, and the player does not go out")
        if self.table.hand and self.table.now.answer:
            raise RuleBroken("KAN-14", "the partner said yes, so the player goes out")

    def why_not_out(self) -> str:
        """Why the player may not go out."""
        if self.table.now.answer is False:
            return "the partner has said no"
        return f"the side owns {self.table.canastas()} canastas of {self.options.canastas_to_go_out}"

    def go_out(self, event: Event) -> None:
        """KAN-14, KAN-15: the player goes out, openly or concealed."""
        self.check_no_cards(event)
        table = self.table
        if not table.may_go_out():
            raise RuleBroken("KAN-14", f"the player may not go out: {self.why_not_out()}")
        self.check_minimum(waived=table.minimum_waived())
        if event["concealed"] != table.concealed():
            raise RuleBroken("KAN-15", f"concealed is {table.concealed()}, not {event['concealed']}")
        table.out, table.out_concealed = table.seat, table.concealed()
        self.reason = "went_out"
        self.step()

    # ------------------------------------------------------------ the end of the hand

    def read_end(self) -> Verdict:
        """KAN-14, KAN-16: the hand ends here, for this reason; KAN-18, KAN-19: the score."""
        details = [score(self.table.tally(side)) for side in SIDES]
        scores = self.read_result(END_ARTICLES[self.reason], details)
        sides = [self.summary(side) for side in SIDES]
        return Verdict(scores, details, self.reason, self.table.turn, self.cursor.index, sides)

    def line_article(self, side: int, line: str, article: str) -> str:
        """KAN-15, not KAN-14, where the side went out concealed."""
        return "KAN-15" if line == "going_out" and self.table.tally(side).concealed else article

    def summary(self, side: int) -> SideSummary:
        """What the side has on the table."""
        tally = self.table.tally(side)
        return SideSummary(
            melds=[list(meld.cards) for meld in tally.melds],
            natural_canastas=tally.natural_canastas,
            mixed_canastas=tally.mixed_canastas,
            red_threes=tally.red_threes,
            went_out=tally.went_out,
            concealed=tally.concealed,
        )
