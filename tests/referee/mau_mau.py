"""The referee of mau-mau: replays the event log of one round and checks it against the rule book.

It reads like a round at the table: the deal, the start card, turn after turn, the end. What must come next is read
from the log, and anything else is a `RuleBroken` with the article. Nothing here knows how the round was produced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tests.referee.cards import missing_from, rank_of, suit_of
from tests.referee.log import Event, RuleBroken
from tests.referee.mau_mau_deal import check_deal
from tests.referee.mau_mau_fields import FIELDS
from tests.referee.mau_mau_options import Options, read_options
from tests.referee.mau_mau_score import DETAIL_ARTICLES, score
from tests.referee.mau_mau_table import EIGHT_DRAWS, FORGOTTEN_CALL_DRAWS, MOST_TURNS, SEVEN_DRAWS, Table
from tests.referee.replay import Replay

OUT_OF_PLACE = {
    "play": "MAU-04",
    "unable": "MAU-06",
    "skip": "MAU-11",
    "reverse": "MAU-12",
    "call": "MAU-14",
    "bars_lifted": "MAU-08",
    "reshuffle": "MAU-16",
    "go_out": "MAU-15",
    "void": "MAU-08",
}
DRAW_ARTICLES = {
    "start_card": "MAU-05",
    "unable": "MAU-06",
    "eight": "MAU-09",
    "seven": "MAU-10",
    "forgot_call": "MAU-14",
}
PASS_ARTICLES = {"barred": "MAU-07", "eight": "MAU-09"}
END_ARTICLES = {"went_out": "MAU-15", "void": "MAU-08", "cap": "MAU-17"}


@dataclass(frozen=True)
class Verdict:
    """A round without fault."""

    scores: list[int]
    details: list[dict[str, int]]
    reason: str
    turns: int
    events: int
    winner: int | None


def judge(log: Iterable[Event]) -> Verdict:
    """Replay a round; the verdict, or `RuleBroken` at the first fault."""
    return Referee(log).judge()


class Referee(Replay):
    """Replays one round."""

    seat_article = "MAU-04"
    total_article = "MAU-18"
    detail_articles = DETAIL_ARTICLES
    options: Options
    table: Table

    def __init__(self, events: Iterable[Event]) -> None:
        super().__init__(events, FIELDS)

    def judge(self) -> Verdict:
        """The whole log."""
        try:
            self.read_deal()
            self.start_card()
            while not self.reason:
                self.play_turn()
            return self.read_end()
        except RuleBroken as broken:
            raise self.located(broken) from None

    def read_deal(self) -> None:
        """MAU-01 to MAU-04, MAU-19: the `deal` event."""
        event = self.first_event()
        self.options = read_options(event["options"])
        check_deal(event, self.options)
        self.table = Table(self.options, event["dealer"], event["hands"], event["stock"], event["start_card"])
        self.step()

    def start_card(self) -> None:
        """MAU-05: the carta da partida has no effect, or that of its rank; no 8 can be answered here."""
        if not self.options.start_card_acts:
            return
        table = self.table
        rank = rank_of(table.start_card)
        if rank == "8":
            self.draw(table.seat, EIGHT_DRAWS, "start_card", "MAU-05")
        if rank in ("8", "A"):
            self.expect_bare(table.seat, "skip", "MAU-05", "the first player is skipped")
            table.seat = table.seat_after(table.seat)
        elif rank == "7":
            self.draw(table.dealer, SEVEN_DRAWS, "start_card", "MAU-05")
        elif rank == "Q":
            self.expect_bare(table.dealer, "reverse", "MAU-05", "the Queen turned up turns the direction")

    # ------------------------------------------------------------ what comes next

    def expect_of(self, seat: int, name: str, article: str, why: str) -> Event:
        """The next event has this name, this turn's number, and this seat; it is not stepped over."""
        event = self.peek()
        if event["event"] != name:
            article = "MAU-16" if event["event"] == "reshuffle" else article
            raise RuleBroken(article, f"{why}; found {event['event']}")
        if event["turn"] != self.table.turn:
            raise RuleBroken("LOG", f"{name} in turn {event['turn']}, but turn {self.table.turn} runs")
        if event["seat"] != seat:
            raise RuleBroken(article, f"{why}: this is seat {seat}, not {event['seat']}")
        return event

    def expect_bare(self, seat: int, name: str, article: str, why: str) -> None:
        """Such an event, which moves no cards; step over it."""
        event = self.expect_of(seat, name, article, why)
        self.check_no_cards(event)
        self.step()

    def expect_in_turn(self, names: Iterable[str], why: str, article: str = "") -> Event:
        """A turn begins with one of these events, by the player in turn; another breaks the article, or its own."""
        event = self.peek()
        if event["event"] not in names:
            raise RuleBroken(article or out_of_place(event), f"{why}; found {event['event']}")
        self.check_place(event)
        return event

    # ------------------------------------------------------------ a turn

    def play_turn(self) -> None:
        """MAU-04: who can follow must play; MAU-06, MAU-07, MAU-09: or what befalls him instead."""
        table = self.table
        if table.pending:
            acted = self.meet_eight()
        elif table.must_pass():
            acted = self.pass_barred()
        elif table.can_follow():
            acted = self.read_play(self.expect_in_turn(["play"], "he can follow, and must play"))
        else:
            acted = self.unable()
        if not self.reason:
            self.close_turn(acted)

    def close_turn(self, acted: bool) -> None:
        """MAU-08: a circuit without a play or a draw voids the round; MAU-17: so many turns and no more."""
        table = self.table
        table.note_turn(acted)
        if table.is_idle_circuit():
            self.void("nobody has played or drawn for a circuit")
        elif table.turn == MOST_TURNS:
            self.reason = "cap"
        else:
            table.end_turn()

    def void(self, why: str) -> None:
        """MAU-08: the round is void."""
        self.expect_bare(self.table.seat, "void", "MAU-08", why)
        self.reason = "void"

    def pass_barred(self) -> bool:
        """MAU-07: the only card follows, but a barred player may not empty his hand: no fine, no draw."""
        event = self.expect_in_turn(["pass"], "a barred player with one card that follows passes", "MAU-07")
        self.step_over_pass(event, "barred", "MAU-07")
        return False

    def step_over_pass(self, event: Event, why: str, article: str) -> None:
        """A pass for this reason."""
        self.check_no_cards(event)
        if event["why"] != why:
            raise RuleBroken(article, f"he passes because of {why}, not {event['why']}")
        self.step()

    def meet_eight(self) -> bool:
        """MAU-09: the draws of the 8, and no discard; with `stack_eights` an 8 may answer."""
        table = self.table
        if self.peek()["event"] == "play":
            self.check_place(self.peek())
            self.check_answer(self.peek()["cards"])
            return self.read_play(self.peek())
        drawn = self.draw(table.seat, table.pending, "eight", "MAU-09")
        event = self.expect_of(table.seat, "pass", "MAU-09", "who draws for an 8 does not discard")
        self.step_over_pass(event, "eight", "MAU-09")
        table.pending = 0
        return bool(drawn)

    def check_answer(self, cards: list[str]) -> None:
        """MAU-09: only an 8 answers an 8, and only with `stack_eights`; MAU-07: not a barred player's last card."""
        if not self.options.stack_eights:
            raise RuleBroken("MAU-09", "an 8 is not answered (stack_eights)")
        if [rank_of(card) for card in cards] != ["8"]:
            raise RuleBroken("MAU-09", f"an 8 is answered by an 8, not by {cards}")

    # ------------------------------------------------------------ who cannot follow

    def unable(self) -> bool:
        """MAU-06: fined, barred, a card drawn, as the option says."""
        table, options = self.table, self.options
        event = self.expect_in_turn(["unable", "play"], "he cannot follow")
        if event["event"] == "play":
            self.check_play(event)  # which finds why it is none
        self.check_no_cards(event)
        if event["fine"] != table.fine():
            raise RuleBroken("MAU-06", f"the fine is {table.fine()}, not {event['fine']}")
        table.note_unable()
        self.step()
        if options.unable == "draw_until":
            return self.draw_until_one_follows()
        drawn = [] if options.unable == "fine_only" else self.draw(table.seat, 1, "unable", "MAU-06")
        if options.unable == "draw_one":
            return self.play_drawn(drawn) or bool(drawn)
        if table.all_barred():
            self.everybody_barred()
        return bool(drawn)

    def everybody_barred(self) -> None:
        """MAU-08: all bars are lifted; under `fine_only` the round is void."""
        if self.options.unable == "fine_only":
            self.void("everybody is barred")
            return
        self.expect_bare(self.table.seat, "bars_lifted", "MAU-08", "everybody is barred: the bars are lifted")
        self.table.lift_bars()

    def play_drawn(self, drawn: list[str]) -> bool:
        """MAU-06, `draw_one`: the card just drawn may be played, and no other."""
        event = self.peek()
        if event["event"] != "play" or event["seat"] != self.table.seat:
            return False
        self.check_place(event)
        if event["cards"] != drawn:
            raise RuleBroken("MAU-06", f"only the card drawn may be played, {drawn}, not {event['cards']}")
        return self.read_play(event)

    def draw_until_one_follows(self) -> bool:
        """MAU-06, `draw_until`: he draws until a card follows or nothing is left, and plays it."""
        table = self.table
        drawn: list[str] = []
        while not (drawn and table.follows(drawn[-1])) and self.cards_to_draw(table.seat):
            drawn += self.read_draw(table.seat, table.next_until_one_follows(), "unable", "MAU-06")
        if not drawn or not table.follows(drawn[-1]):
            return bool(drawn)
        event = self.expect_of(table.seat, "play", "MAU-06", "the card drawn follows, and must be played")
        if event["cards"] != drawn[-1:]:
            raise RuleBroken("MAU-06", f"the card drawn must be played, {drawn[-1:]}, not {event['cards']}")
        return self.read_play(event)

    # ------------------------------------------------------------ drawing

    def draw(self, seat: int, count: int, why: str, article: str) -> list[str]:
        """So many cards for a seat, or what there is (MAU-16); a reshuffle between splits the draw."""
        drawn: list[str] = []
        while len(drawn) < count and self.cards_to_draw(seat):
            drawn += self.read_draw(seat, self.table.next_cards(count - len(drawn)), why, article)
        return drawn

    def read_draw(self, seat: int, cards: list[str], why: str, article: str) -> list[str]:
        """One `draw` event: these cards, which are the next of the stock."""
        event = self.expect_of(seat, "draw", article, f"seat {seat} draws ({why})")
        if event["why"] != why:
            raise RuleBroken(article, f"the draw is because of {why}, not {event['why']}")
        common = min(len(cards), len(event["cards"]))
        if event["cards"][:common] != cards[:common]:
            raise RuleBroken("CARDS", f"{event['cards']} drawn, but {cards} are next in the stock")
        if len(event["cards"]) != len(cards):
            raise RuleBroken(article, f"{len(cards)} cards are drawn, not {len(event['cards'])}")
        self.table.draw_for(seat, len(cards))
        self.step()
        return cards

    def cards_to_draw(self, seat: int) -> bool:
        """MAU-16: the stock has a card, if need be after the lixo but its top card is reshuffled."""
        table = self.table
        if table.stock:
            return True
        if not table.under_top():
            return False
        event = self.expect_of(seat, "reshuffle", "MAU-16", "the stock is empty, and a card must be drawn")
        self.check_no_cards(event)
        if Counter(event["stock"]) != Counter(table.under_top()):
            raise RuleBroken("MAU-16", "the new stock is not the lixo but its top card")
        table.reshuffle(event["stock"])
        self.step()
        return True

    # ------------------------------------------------------------ a play

    def read_play(self, event: Event) -> bool:
        """MAU-04: a card that follows, or two Jacks; then the call and the effect."""
        self.check_play(event)
        self.table.play(event["cards"], event["suit"])
        self.step()
        if not self.table.hand:
            self.go_out()
        else:
            called = self.call()
            self.effect()
            if not called:
                self.draw(self.table.seat, FORGOTTEN_CALL_DRAWS, "forgot_call", "MAU-14")
        return True

    def check_play(self, event: Event) -> None:
        """MAU-04, MAU-13: cards of the hand that follow; MAU-07: no barred player empties his hand."""
        table, cards = self.table, event["cards"]
        if not cards:
            raise RuleBroken("MAU-04", "a play of no card")
        if missing_from(cards, table.hand):
            raise RuleBroken("CARDS", f"{cards} are not in hand")
        if len(cards) > 2 or (len(cards) == 2 and any(rank_of(card) != "J" for card in cards)):
            raise RuleBroken("MAU-13", f"only two Jacks are played at once, not {cards}")
        if not table.follows(cards[0]):
            article = "MAU-04" if table.announced is None else "MAU-13"
            raise RuleBroken(article, f"{cards[0]} does not follow {table.top} (announced: {table.announced})")
        if len(cards) == len(table.hand) and not table.may_empty_hand():
            raise RuleBroken("MAU-07", "a barred player may not empty his hand")
        self.check_suit(cards, event["suit"])

    def check_suit(self, cards: list[str], suit: str | None) -> None:
        """MAU-13: one Jack announces any suit or none; of two Jacks the last one's suit counts."""
        if rank_of(cards[-1]) != "J" and suit is not None:
            raise RuleBroken("MAU-13", f"only a Jack announces a suit, not {cards}")
        if len(cards) == 2 and suit != suit_of(cards[-1]):
            raise RuleBroken("MAU-13", f"of two Jacks the last one's suit counts, {suit_of(cards[-1])}, not {suit}")

    def call(self) -> bool:
        """MAU-14: one card left is announced; false where that was forgotten."""
        called: bool = self.peek()["event"] == "call"
        if len(self.table.hand) != 1:
            if called:
                raise RuleBroken("MAU-14", f"{len(self.table.hand)} cards are left, not one")
            return True
        rate = self.options.forget_call_rate
        if called and rate == 1:
            raise RuleBroken("MAU-14", "the call is always forgotten (forget_call_rate)")
        if not called and rate == 0:
            raise RuleBroken("MAU-14", f"one card is left, and that is called; found {self.peek()['event']}")
        if called:
            self.expect_bare(self.table.seat, "call", "MAU-14", "one card is left")
        return called

    def effect(self) -> None:
        """MAU-09 to MAU-12: what the card on top does to the next player, or to the previous one."""
        table = self.table
        rank = rank_of(table.top)
        if rank == "8":
            table.pending += EIGHT_DRAWS
        elif rank == "7":
            self.draw(table.hit_by_seven(), SEVEN_DRAWS, "seven", "MAU-10")
        elif rank == "A":
            self.expect_bare(table.seat_after(table.seat), "skip", "MAU-11", "an Ace: the next player is skipped")
            table.skips_next = True
        elif rank == "Q":
            self.expect_bare(table.seat, "reverse", "MAU-12", "a Queen: the direction turns")
            table.direction = -table.direction
            if table.players == 2 and self.options.queen_skips_two_players:
                self.expect_bare(table.seat_after(table.seat), "skip", "MAU-12", "a Queen between two skips the other")
                table.skips_next = True

    # ------------------------------------------------------------ the end of the round

    def go_out(self) -> None:
        """MAU-15: the winning card has no effect, or with `last_card_acts` an 8 and a 7 are drawn before the count."""
        table = self.table
        rank = rank_of(table.top)
        if self.options.last_card_acts and rank == "8":
            self.draw(table.seat_after(table.seat), table.pending + EIGHT_DRAWS, "eight", "MAU-15")
        elif self.options.last_card_acts and rank == "7":
            self.draw(table.hit_by_seven(), SEVEN_DRAWS, "seven", "MAU-15")
        self.expect_bare(table.seat, "go_out", "MAU-15", "no card is left: the round is won")
        table.winner = table.seat
        self.reason = "went_out"

    def read_end(self) -> Verdict:
        """MAU-06, MAU-08, MAU-17 to MAU-19: the round ends here, for this reason, with this score."""
        details = score(self.table.tally())
        event = self.peek()
        if event["event"] == "end" and len(event["detail"]) != self.table.players:
            raise RuleBroken("LOG", "detail has an object for each seat")
        scores = self.read_result(END_ARTICLES[self.reason], details)
        return Verdict(scores, details, self.reason, self.table.turn, self.cursor.index, self.table.winner)

    def line_article(self, side: int, line: str, article: str) -> str:
        """The article of void and capped rounds, and of the winner who collects."""
        if self.reason != "went_out":
            return END_ARTICLES[self.reason]
        return "MAU-19" if self.options.winner_collects and line != "factor" else article


def out_of_place(event: Event) -> str:
    """The article that an event breaks where a turn cannot begin with it."""
    if event["event"] == "draw":
        return DRAW_ARTICLES[event["why"]]
    if event["event"] == "pass":
        return PASS_ARTICLES[event["why"]]
    if event["event"] == "end":
        return END_ARTICLES[event["reason"]]
    return OUT_OF_PLACE[event["event"]]
