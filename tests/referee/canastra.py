"""The referee of Canastra: replays the event log of one deal and checks it against the rule book.

It reads like a hand at the table: the deal, turn after turn, the end. What must come next is read from the
log, and anything else is a `RuleBroken` with the article. Nothing here knows how the deal was produced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tests.referee.canastra_deal import check_deal
from tests.referee.canastra_fields import FIELDS
from tests.referee.canastra_melds import Lay, can_become, is_canastra, is_clean, read_lay
from tests.referee.canastra_options import Options, read_options
from tests.referee.canastra_score import DETAIL_ARTICLES, score
from tests.referee.canastra_table import Table
from tests.referee.cards import is_red_three, missing_from
from tests.referee.log import Event, RuleBroken
from tests.referee.replay import Replay
from tests.referee.table import SIDES

OUT_OF_PLACE = {
    "draw": "CAN-07",
    "take_pile": "CAN-07",
    "red_three": "CAN-06",
    "decline_pile": "CAN-23",
    "meld": "CAN-11",
    "extend": "CAN-11",
    "discard": "CAN-11",
    "take_morto": "CAN-18",
    "morto_opened": "CAN-18",
    "morto_to_stock": "CAN-23",
    "pass": "CAN-21",
    "go_out": "CAN-20",
    "end": "CAN-23",
}


@dataclass(frozen=True)
class SideSummary:
    """What a pair had when the hand ended."""

    melds: list[list[str]]
    clean_canastras: int
    dirty_canastras: int
    red_threes: int
    took_morto: bool
    went_out: bool


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

    seat_article = "CAN-01"
    total_article = "CAN-25"
    detail_articles = DETAIL_ARTICLES
    options: Options
    table: Table

    def __init__(self, events: Iterable[Event]) -> None:
        super().__init__(events, FIELDS)
        self.must_finish = False  # CAN-08: a take whose only way out is to lay the last card

    def judge(self) -> Verdict:
        """The whole log."""
        try:
            self.read_deal()
            while not self.reason:
                self.play_turn()
            return self.read_end()
        except RuleBroken as broken:
            raise self.located(broken) from None

    # ------------------------------------------------------------ the deal

    def read_deal(self) -> None:
        """CAN-01 to CAN-05, CAN-28: the `deal` event."""
        event = self.first_event()
        self.options = read_options(event["options"])
        check_deal(event, self.options)
        self.table = Table(self.options, event["first"], event["hands"], event["stock"], event["mortos"])
        self.step()

    # ------------------------------------------------------------ a turn

    def play_turn(self) -> None:
        """CAN-07, CAN-11: a card is drawn or the lixo taken, melds are laid, a card is discarded."""
        self.table.turn += 1
        self.check_cap()
        self.start_turn()
        self.draw_or_take()
        if not self.reason:
            self.lay_and_discard()
        if not self.reason:
            self.table.seat = (self.table.seat + 1) % self.options.players  # CAN-01

    def check_cap(self) -> None:
        """CAN-24: at most 94 turns by these rules, under 200 with every option."""
        usual = self.options.players == 4 and self.options.jokers == 0 and self.options.lixo_justify != "new_or_extend"
        limit = 94 if usual else 199
        if self.table.turn > limit:
            raise RuleBroken("CAN-24", f"more than {limit} turns")

    def start_turn(self) -> None:
        """CAN-18: a morto taken by a discard is opened; CAN-06: red threes, of the first turn too."""
        table = self.table
        morto = table.sealed[table.seat]
        if morto is not None:
            self.open_morto(morto)
        if morto is not None or not table.started[table.seat]:
            table.started[table.seat] = True
            self.lay_red_threes()

    def open_morto(self, morto: int) -> None:
        """CAN-18: the morto lies unseen until the player's next turn begins."""
        event = self.expect("morto_opened", "CAN-18", "the player's morto is opened first")
        if event["morto"] != morto:
            raise RuleBroken("CAN-18", f"the player took morto {morto}")
        if event["cards"] != self.table.mortos[morto]:
            raise RuleBroken("CARDS", "not the cards of that morto")
        self.table.open_morto(morto)
        self.step()

    def lay_red_threes(self) -> None:
        """CAN-06: each red three in hand is laid and replaced, replacements too, while a card is left."""
        while any(is_red_three(card) for card in self.table.hand):
            event = self.expect("red_three", "CAN-06", "a red three in hand is laid first")
            if len(event["cards"]) != 1 or not is_red_three(event["cards"][0]):
                raise RuleBroken("CAN-06", f"one red three at a time, not {event['cards']}")
            self.table.lay_red_three(event["cards"][0])
            self.step()
            if self.table.can_draw():
                self.draw_card("red_three")

    def draw_card(self, why: str) -> None:
        """CAN-06, CAN-07: one card from the top of the stock."""
        article = "CAN-06" if why == "red_three" else "CAN-07"
        if self.table.morto_becomes_stock():
            self.morto_to_stock()
        elif self.peek()["event"] in ("morto_to_stock", "decline_pile", "end"):
            raise RuleBroken("CAN-23", f"a card is left in the stock; found {self.peek()['event']}")
        event = self.expect("draw", article, f"a card must be drawn ({why})")
        if event["why"] != why or len(event["cards"]) != 1:
            raise RuleBroken(article, f"one card is drawn because of {why}")
        if event["cards"] != self.table.stock[-1:]:
            raise RuleBroken("CARDS", f"{event['cards'][0]} is not the top of the stock, {self.table.stock[-1]} is")
        self.table.draw()
        self.step()

    def morto_to_stock(self) -> None:
        """CAN-23: a card must be drawn, the stock is empty: the lowest-numbered morto left becomes stock.

        The event's cards are the new stock in drawing order; the heap may be turned either way round.
        """
        event = self.expect("morto_to_stock", "CAN-23", "the stock is empty: a morto becomes stock")
        morto = self.table.next_morto()
        if event["morto"] != morto or morto is None:
            raise RuleBroken("CAN-23", f"morto {morto} becomes stock, not {event['morto']}")
        heap = self.table.mortos[morto]
        if event["cards"] not in (heap, heap[::-1]):
            raise RuleBroken("CARDS", "not the cards of that morto")
        self.table.morto_to_stock(event["cards"])
        self.step()

    def draw_or_take(self) -> None:
        """CAN-07: one card from the stock, or the whole lixo; CAN-23: or the end of the hand."""
        if self.peek()["event"] == "take_pile":
            self.take_lixo()
        elif self.table.can_draw():
            self.draw_card("turn")
            self.lay_red_threes()
        else:
            self.nothing_left()

    def nothing_left(self) -> None:
        """CAN-23: nothing to draw: who can take the lixo declines in so many words; the hand ends."""
        if self.table.could_take():
            event = self.expect("decline_pile", "CAN-23", "nothing to draw: he takes the lixo or declines it")
            self.check_no_cards(event)
            self.step()
        elif self.peek()["event"] == "decline_pile":
            raise RuleBroken("CAN-23", "he cannot take the lixo, so there is nothing to decline")
        self.reason = "stock_out"

    # ------------------------------------------------------------ the lixo

    def take_lixo(self) -> None:
        """CAN-07: the whole lixo, and at once the meld that justifies it (CAN-08)."""
        closed = self.table.lixo_closed()
        event = self.expect("take_pile", "CAN-07", "the lixo is taken")
        if closed:
            raise RuleBroken(*closed)
        if event["cards"] != self.table.lixo:
            raise RuleBroken("CAN-07", "the whole lixo is taken, written bottom to top")
        self.table.take_lixo()
        self.step()
        self.justify()

    def justify(self) -> None:
        """CAN-08: the top card and cards held before the take make a meld, laid at once."""
        event = self.peek()
        if event["event"] not in ("meld", "extend"):
            raise RuleBroken("CAN-08", f"a take is justified by a meld at once; found {event['event']}")
        self.check_place(event)
        top = self.table.taken[-1]
        if top not in event["cards"]:
            raise RuleBroken("CAN-08", f"the justifying meld lacks the top card {top}")
        from_hand: Counter[str] = Counter(event["cards"])
        from_hand -= Counter([top])
        missing = missing_from(from_hand.elements(), self.table.hand)
        if missing:
            raise RuleBroken("CAN-08", f"{missing} were not in hand before the take")
        lay = self.read_meld(event)
        if not self.table.justifies(lay, event["event"] == "meld", from_hand):
            raise RuleBroken("CAN-08", f"not a justification under lixo_justify={self.options.lixo_justify}")
        self.table.remove(list(from_hand.elements()))
        self.table.rest_to_hand()
        self.table.lay(event["meld"], lay)
        self.step()
        self.after_laying(after_take=True)

    # ------------------------------------------------------------ melds

    def lay_and_discard(self) -> None:
        """CAN-11: melds and extensions, any number, then one discard."""
        while not self.reason:
            event = self.peek()
            if event["turn"] == self.table.turn + 1 and event["event"] != "end":
                raise RuleBroken("CAN-11", "the turn has not been ended by a discard")
            if self.must_finish and event["event"] != "extend":
                raise RuleBroken("CAN-08", "the last card must be laid: nothing else ends this turn legally")
            if event["event"] in ("meld", "extend"):
                self.lay(event)
            elif event["event"] == "discard":
                self.discard(event)
                return
            elif event["event"] == "pass":
                self.end_without_discard(event)
                return
            else:
                raise RuleBroken(self.out_of_place(event), f"{event['event']} has no place here")

    def out_of_place(self, event: Event) -> str:
        """The article that an event breaks when a player may only lay or discard."""
        if event["event"] == "take_morto" and self.table.took_morto[self.table.side]:
            return "CAN-19"
        return OUT_OF_PLACE[event["event"]]

    def lay(self, event: Event) -> None:
        """CAN-11: a meld or an extension from the hand."""
        self.check_place(event)
        lay = self.read_meld(event)
        self.table.remove(event["cards"])
        self.table.lay(event["meld"], lay)
        self.step()
        self.after_laying(after_take=False)

    def read_meld(self, event: Event) -> Lay:
        """CAN-12 to CAN-16: the meld as it lies after the event."""
        lay = read_lay(event["now"], self.options)
        if event["event"] == "meld":
            self.check_new_meld(event, lay)
        else:
            self.check_extension(event, lay)
        return lay

    def check_new_meld(self, event: Event, lay: Lay) -> None:
        """CAN-16: one lavadeira per rank per pair. Melds are numbered in the order laid."""
        if event["meld"] != len(self.table.melds[self.table.side]):
            raise RuleBroken("LOG", f"meld number {event['meld']}")
        if Counter(event["cards"]) != Counter(event["now"]):
            raise RuleBroken("LOG", "a new meld consists of the cards laid")
        if self.table.second_lavadeira(lay):
            raise RuleBroken("CAN-16", f"the pair already has a lavadeira of {lay.rank}")

    def check_extension(self, event: Event, lay: Lay) -> None:
        """CAN-11: only a meld of one's own pair; CAN-15: what the added cards can make of it."""
        mine = self.table.melds[self.table.side]
        if event["meld"] >= len(mine):
            raise RuleBroken("CAN-11", f"the pair has no meld {event['meld']}")
        if not event["cards"]:
            raise RuleBroken("LOG", "an extension adds cards")
        before = mine[event["meld"]]
        if Counter(event["now"]) != Counter(before.cards) + Counter(event["cards"]):
            raise RuleBroken("CAN-11", f"not the pair's meld {event['meld']} with the cards added")
        if not can_become(before, event["cards"], lay, self.options):
            raise RuleBroken("CAN-15", f"{list(before.cards)} with {event['cards']} cannot lie as {event['now']}")

    # ------------------------------------------------------------ an empty or nearly empty hand

    def after_laying(self, after_take: bool) -> None:
        """CAN-18, 20, 21: what the cards left in hand demand or forbid."""
        count = len(self.table.hand)
        if not self.table.may_hold(count):
            self.must_finish = after_take and self.table.finishing(self.table.hand)
            if not self.must_finish:
                raise RuleBroken(*self.held_too_few(count, after_take))
        elif count == 0 and self.table.morto_open():
            self.take_morto("at_once")
            self.lay_red_threes()
        elif count == 0:
            self.go_out()

    def held_too_few(self, count: int, after_take: bool) -> tuple[str, str]:
        """CAN-20 if only batida_needs_discard forbids it, else CAN-21 (after a take CAN-08)."""
        if count == 0 and self.table.batida_open():
            return "CAN-20", "the batida needs a discard (batida_needs_discard)"
        article = "CAN-08" if after_take else "CAN-21"
        return article, f"{count} cards left in hand, and neither morto nor batida is open"

    def take_morto(self, when: str) -> None:
        """CAN-18: who empties his hand takes the lowest-numbered morto left, at once or for his next turn."""
        event = self.expect("take_morto", "CAN-18", "the hand is empty: the player takes a morto")
        morto = self.table.next_morto()
        if event["morto"] != morto or morto is None:
            raise RuleBroken("CAN-18", f"morto {morto} is the next, not {event['morto']}")
        if event["when"] != when:
            raise RuleBroken("CAN-18", f"this morto is taken {when}")
        if event["cards"] != (self.table.mortos[morto] if when == "at_once" else []):
            raise RuleBroken("CARDS", f"{event['cards']} do not come into the hand")
        self.table.take_morto(sealed=when == "next_turn")
        self.step()

    def go_out(self) -> None:
        """CAN-20: the batida."""
        if self.peek()["event"] == "take_morto":
            raise RuleBroken("CAN-19", "the pair has had its morto")
        event = self.expect("go_out", "CAN-20", "the hand is empty: that is the batida")
        self.check_no_cards(event)
        self.table.out = self.table.seat
        self.reason = "batida"
        self.step()

    def discard(self, event: Event) -> None:
        """CAN-11: one card; CAN-06: never a red three; CAN-21: not the last one without morto or batida."""
        self.check_place(event)
        if len(event["cards"]) != 1:
            raise RuleBroken("CAN-11", f"one card is discarded, not {len(event['cards'])}")
        if is_red_three(event["cards"][0]):
            raise RuleBroken("CAN-06", "a red three never enters the lixo")
        self.table.discard(event["cards"][0])
        if not self.table.hand and not self.may_empty_by_discard():
            raise RuleBroken("CAN-21", "the last card is discarded, and neither morto nor batida is open")
        self.step()
        if not self.table.hand and self.table.morto_open():
            self.take_morto("next_turn")
        elif not self.table.hand:
            self.go_out()

    def may_empty_by_discard(self) -> bool:
        """CAN-21: a morto or a batida is open."""
        return self.table.morto_open() or self.table.batida_open()

    def end_without_discard(self, event: Event) -> None:
        """CAN-21: only a single card that the player may not part with ends a turn without a discard."""
        self.check_place(event)
        self.check_no_cards(event)
        if len(self.table.hand) != 1 or self.may_empty_by_discard():
            raise RuleBroken("CAN-21", "the player can discard, so he must")
        self.step()

    # ------------------------------------------------------------ the end

    def read_end(self) -> Verdict:
        """CAN-20, CAN-23: the hand ends here, for this reason; CAN-22, CAN-25 to CAN-27: the score."""
        article = "CAN-20" if self.reason == "batida" else "CAN-23"
        details = [score(self.table.tally(side), self.options) for side in SIDES]
        scores = self.read_result(article, details)
        sides = [self.summary(side) for side in SIDES]
        return Verdict(scores, details, self.reason, self.table.turn, self.cursor.index, sides)

    def line_article(self, side: int, line: str, article: str) -> str:
        """CAN-22, not CAN-27, where a pair holds a morto that it never opened."""
        return "CAN-22" if line == "no_morto" and self.table.unopened(side) else article

    def summary(self, side: int) -> SideSummary:
        """What the pair has on the table."""
        melds = self.table.melds[side]
        canastras = [lay for lay in melds if is_canastra(lay)]
        clean = sum(1 for lay in canastras if is_clean(lay))
        return SideSummary(
            melds=[list(lay.cards) for lay in melds],
            clean_canastras=clean,
            dirty_canastras=len(canastras) - clean,
            red_threes=self.table.tally(side).red_threes,
            took_morto=self.table.took_morto[side],
            went_out=self.table.tally(side).batida,
        )
