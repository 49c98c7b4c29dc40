"""The referee of Escopa: replays the event log of one pack and checks it against the rule book.

It reads like a pack at the table: the deal, what the dealer takes, turn after turn, the next deals, the end. What
must come next is read from the log, and anything else is a `RuleBroken` with the article. Nothing here knows how
the pack was produced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tests.referee.escopa_cards import makes_fifteen
from tests.referee.escopa_deal import HAND, TABLE, check_deal
from tests.referee.escopa_fields import fields
from tests.referee.escopa_options import Options, read_options
from tests.referee.escopa_score import DETAIL_ARTICLES, score
from tests.referee.escopa_table import Table
from tests.referee.log import Event, RuleBroken
from tests.referee.replay import Replay

# ESC-07: how often the dealer may take the four cards on the table, by the option `dealer_take`.
DEALER_TAKES = {"none": 0, "once": 1, "twice": 2}

# The article that an event is about, and that it breaks where it has no place.
ARTICLES = {
    "dealer_take": "ESC-07",
    "to_table": "ESC-07",
    "deal_hands": "ESC-04",
    "play": "ESC-02",
    "overlook": "ESC-06",
    "claim": "ESC-06",
    "leftover": "ESC-09",
    "end": "ESC-04",
}


@dataclass(frozen=True)
class SideSummary:
    """What a side had when the pack ended."""

    cards: list[str]
    escopas: int


@dataclass(frozen=True)
class Verdict:
    """A pack without fault."""

    scores: list[int]
    details: list[dict[str, int]]
    reason: str
    turns: int
    events: int
    captures: int
    leftover: list[str]
    sides: list[SideSummary]


def judge(events: Iterable[Event]) -> Verdict:
    """Replay a pack; the verdict, or `RuleBroken` at the first fault."""
    return Referee(events).judge()


class Referee(Replay):
    """Replays one pack."""

    seat_article = "ESC-02"
    total_article = "ESC-10"
    detail_articles = DETAIL_ARTICLES
    options: Options
    table: Table

    def __init__(self, events: Iterable[Event]) -> None:
        super().__init__(events, fields(sides=2))
        self.leads = False  # the next play is the first one of a later deal
        self.leftover: list[str] = []
        self.dealer_took: set[int] = set()  # the sides whose escopas are partly the dealer's

    def judge(self) -> Verdict:
        """The whole log."""
        try:
            self.read_deal()
            self.read_dealer_takes()
            self.play_hands()
            while self.table.stock:
                self.read_next_deal()
                self.play_hands()
            self.read_leftover()
            return self.read_end()
        except RuleBroken as broken:
            raise self.located(broken) from None

    def read_deal(self) -> None:
        """ESC-01 to ESC-03, ESC-12: the `deal` event."""
        event = self.first_event()
        self.options = read_options(event["options"])
        self.cursor.fields = fields(self.options.sides)
        check_deal(event, self.options)
        self.table = Table(self.options, event["dealer"], event["hands"], event["stock"], event["table"])
        self.step()

    # ------------------------------------------------------------ where an event may stand

    def wanted(self, name: str, why: str) -> Event:
        """The next event must have this name; it is not stepped over."""
        found = self.peek()["event"]
        is_own_fault = name == "play" or found == "claim"
        return self.expect(name, ARTICLES[found if is_own_fault else name], why)

    def check_place(self, event: Event) -> None:
        """The event belongs to this turn and to the seat that is to act, or that the leftover goes to."""
        if event["turn"] != self.table.turn:
            raise RuleBroken("LOG", f"{event['event']} in turn {event['turn']}, but it is turn {self.table.turn}")
        seat = self.table.last_capturer if event["event"] == "leftover" else self.table.seat
        if event["seat"] != seat:
            article = self.place_article(event["event"])
            raise RuleBroken(article, f"{event['event']} by seat {event['seat']}, not {seat}")

    def place_article(self, name: str) -> str:
        """The article that says whose event it is."""
        if name in ("play", "overlook"):
            return "ESC-04" if self.leads else self.seat_article
        return ARTICLES[name]

    # ------------------------------------------------------------ the dealer's takes

    def read_dealer_takes(self) -> None:
        """ESC-07: four cards that make fifteen, or two fifteens, go to the dealer; after the first, four more."""
        table = self.table
        table.seat = table.dealer
        for number in range(DEALER_TAKES[self.options.dealer_take]):
            if not table.dealer_fifteens():
                break
            self.read_dealer_take()
            if number == 0:
                self.read_to_table(TABLE, "the dealer lays four more")
        table.seat = table.right_of(table.dealer)

    def read_dealer_take(self) -> None:
        """ESC-07: the dealer takes all four cards, which are fifteen together or in two pairs."""
        event = self.wanted("dealer_take", "the four cards are the dealer's")
        self.check_on_table(event["cards"])
        if Counter(event["cards"]) != Counter(self.table.cards):
            raise RuleBroken("ESC-07", "the dealer takes all four cards")
        self.table.dealer_takes()
        self.dealer_took.add(self.options.side_of(self.table.seat))
        self.step()

    def read_to_table(self, count: int, why: str) -> None:
        """ESC-07: the next cards of the stock are laid on the table."""
        event = self.wanted("to_table", why)
        if len(event["cards"]) != count:
            raise RuleBroken("ESC-07", f"{why}: {count} cards, not {len(event['cards'])}")
        if Counter(event["cards"]) != Counter(self.table.next_cards(count)):
            raise RuleBroken("CARDS", f"the next cards of the stock are {self.table.next_cards(count)}")
        self.table.lay_from_stock(count)
        self.step()

    # ------------------------------------------------------------ the next deal

    def read_next_deal(self) -> None:
        """ESC-04: the next cards from the same stock; ESC-07: those over are laid on the table before."""
        table = self.table
        table.pass_deal()
        each, over = table.shares()
        if over:
            self.read_to_table(over, "what does not divide evenly is laid on the table")
        event = self.wanted("deal_hands", "the hands are empty, and cards are left")
        self.check_no_cards(event)
        if event["dealer"] != table.dealer:
            raise RuleBroken("ESC-04", f"seat {table.dealer} deals, not {event['dealer']}")
        self.check_hands(event["hands"], each)
        table.deal(each)
        self.leads = True
        self.step()

    def check_hands(self, hands: list[list[str]], each: int) -> None:
        """ESC-04: three cards each, singly from the dealer's right; ESC-07: in the last deal maybe fewer."""
        if [len(hand) for hand in hands] != [each] * self.table.players:
            article = "ESC-04" if each == HAND else "ESC-07"
            raise RuleBroken(article, f"{each} cards for each player, not {hands}")
        right = self.table.next_hands(each)
        if Counter(card for hand in hands for card in hand) != Counter(card for hand in right for card in hand):
            raise RuleBroken("CARDS", f"the next cards of the stock give {right}, not {hands}")
        if [sorted(hand) for hand in hands] != [sorted(hand) for hand in right]:
            raise RuleBroken("ESC-04", f"singly from the dealer's right the hands are {right}, not {hands}")

    # ------------------------------------------------------------ a turn

    def play_hands(self) -> None:
        """ESC-02, ESC-04: the players play in turn until their hands are empty."""
        while not self.table.hands_empty:
            self.play_turn()

    def play_turn(self) -> None:
        """ESC-05: a card is played; ESC-06: maybe its player overlooks a capture, and the next one claims it."""
        overlooked = self.read_overlook()
        card = self.read_play(overlooked)
        self.leads = False
        self.table.end_turn()
        if self.peek()["event"] == "claim":
            self.read_claim(card, overlooked)

    def read_overlook(self) -> bool:
        """ESC-06: does the player miss that he could capture?"""
        if self.peek()["event"] != "overlook":
            return False
        self.check_place(self.peek())
        self.check_no_cards(self.peek())
        if self.options.overlook_rate == 0:
            raise RuleBroken("ESC-06", "nobody overlooks a capture (overlook_rate)")
        if not self.table.capture_possible():
            raise RuleBroken("ESC-06", "no card in hand could capture, so there was nothing to overlook")
        self.step()
        return True

    def read_play(self, overlooked: bool) -> str:
        """ESC-05: one card of the hand, which takes cards of the table or stays there; the card."""
        event = self.wanted("play", "every player has cards to play")
        if len(event["cards"]) != 1:
            raise RuleBroken("ESC-05", f"one card is played, not {len(event['cards'])}")
        card: str = event["cards"][0]
        take: list[str] = event["take"]
        if card not in self.table.hand:
            raise RuleBroken("CARDS", f"{card} is not in hand")
        self.check_on_table(take)
        if overlooked and take:
            raise RuleBroken("ESC-06", "who overlooks that he could capture takes nothing")
        if not overlooked and self.options.overlook_rate == 1 and self.table.capture_possible():
            raise RuleBroken("ESC-06", "every possible capture is overlooked (overlook_rate)")
        if take:
            self.check_capture(card, take)
        elif not overlooked:
            self.check_leaving(card)
        self.check_escopa(event["escopa"], self.table.is_escopa(take))
        self.table.play(card, take)
        self.step()
        return card

    def check_on_table(self, cards: list[str]) -> None:
        """Cards that are taken lie on the table, each once."""
        extra = Counter(cards) - Counter(self.table.cards)
        if extra:
            raise RuleBroken("CARDS", f"{sorted(extra)} are not on the table")

    def check_capture(self, card: str, take: list[str]) -> None:
        """ESC-05: the card and the cards taken make exactly fifteen."""
        if not makes_fifteen(card, take, self.options.figures):
            raise RuleBroken("ESC-05", f"{card} does not make fifteen with {take}")

    def check_leaving(self, card: str) -> None:
        """ESC-05: whether the card may be left, by the option `capture`."""
        if self.options.capture == "must" and self.table.capture_possible():
            raise RuleBroken("ESC-05", "who holds a card that can capture captures")
        if self.options.capture == "if_played" and self.table.can_capture(card):
            raise RuleBroken("ESC-05", f"{card} makes fifteen, so it takes")

    def check_escopa(self, given: bool, right: bool) -> None:
        """ESC-08: whether the capture is an escopa."""
        if given != right:
            raise RuleBroken("ESC-08", "it is an escopa" if right else "it is no escopa")

    # ------------------------------------------------------------ a claim

    def read_claim(self, left: str, overlooked: bool) -> None:
        """ESC-06: the next player takes the card just left, which its owner had overlooked, and others."""
        event = self.peek()
        if not overlooked:
            raise RuleBroken("ESC-06", "no capture has been overlooked")
        if self.options.overlook_rate == 1:
            raise RuleBroken("ESC-06", "the next player overlooks it too (overlook_rate)")
        self.check_place(event)
        cards: list[str] = event["cards"]
        if not cards or cards[0] != left:
            raise RuleBroken("ESC-06", f"the card claimed is {left}, which was just left")
        self.check_on_table(cards)
        if not makes_fifteen(left, cards[1:], self.options.figures):
            raise RuleBroken("ESC-06", f"{left} does not make fifteen with {cards[1:]}")
        self.check_escopa(event["escopa"], self.table.is_escopa_claimed(cards))
        self.table.claim(cards)
        self.step()

    # ------------------------------------------------------------ the end of the pack

    def read_leftover(self) -> None:
        """ESC-09: the cards left on the table go to the last side that captured."""
        event = self.wanted("leftover", "the pack is played out: the cards left on the table")
        if Counter(event["cards"]) != Counter(self.table.cards):
            raise RuleBroken("ESC-09", f"the cards left on the table are {self.table.cards}")
        self.leftover = list(self.table.cards)
        self.table.collect_leftover()
        self.reason = "pack_out"
        self.step()

    def read_end(self) -> Verdict:
        """ESC-10, ESC-11: the score of the pack."""
        table = self.table
        details = score(table.taken, table.escopas, self.options)
        scores = self.read_result("ESC-09", details)
        sides = [SideSummary(cards, escopas) for cards, escopas in zip(table.taken, table.escopas, strict=True)]
        return Verdict(
            scores, details, self.reason, table.turn, self.cursor.index, table.captures, self.leftover, sides
        )

    def line_article(self, side: int, line: str, article: str) -> str:
        """ESC-08, not ESC-10, for the escopas of a side that the dealer's takes count for."""
        return "ESC-08" if line == "escopas" and side in self.dealer_took else article
