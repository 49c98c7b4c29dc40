"""Replaying a log: what every referee does with the events, whatever the game's rules are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from tests.referee.log import Check, Cursor, Event, RuleBroken
from tests.referee.table import StockTable


class Replay:
    """Walks the events of one deal while the cards move on a table."""

    seat_article: ClassVar[str]  # the article that says whose turn it is
    total_article: ClassVar[str]
    detail_articles: ClassVar[Mapping[str, str]]  # every line of the score
    table: StockTable

    def __init__(self, events: Iterable[Event], fields: Mapping[str, Mapping[str, Check]]) -> None:
        self.cursor = Cursor(events, fields)
        self.checked = 0  # the index of the last event that was looked at
        self.reason = ""  # set when the hand is over

    def located(self, broken: RuleBroken) -> RuleBroken:
        """The fault with the place where it was found."""
        table = getattr(self, "table", None)
        turn, seat = (table.turn, table.seat) if table else (None, None)
        return RuleBroken(broken.article, broken.message, self.cursor.index, turn, seat)

    def first_event(self) -> Event:
        """The `deal` event."""
        event = self.cursor.peek()
        if event["event"] != "deal":
            raise RuleBroken("LOG", "the log begins with `deal`")
        return event

    def peek(self) -> Event:
        """The next event of the deal; the cards add up before it."""
        if self.cursor.index == self.checked:
            return self.cursor.events[self.checked]
        self.table.check_cards()
        event = self.cursor.peek()
        if event["event"] == "deal":
            raise RuleBroken("LOG", "a second `deal` before `end`")
        self.checked = self.cursor.index
        return event

    def expect(self, name: str, article: str, why: str) -> Event:
        """The next event must have this name, else the article is broken; it is not stepped over."""
        event = self.peek()
        if event["event"] != name:
            raise RuleBroken(article, f"{why}; found {event['event']}")
        if event["event"] != "end":
            self.check_place(event)
        return event

    def check_place(self, event: Event) -> None:
        """The event belongs to this turn and to the player whose turn it is."""
        if event["turn"] != self.table.turn:
            raise RuleBroken("LOG", f"{event['event']} in turn {event['turn']}, but turn {self.table.turn} runs")
        if event["seat"] != self.table.seat:
            message = f"{event['event']} by seat {event['seat']}: it is {self.table.seat}'s turn"
            raise RuleBroken(self.seat_article, message)

    def check_no_cards(self, event: Event) -> None:
        """Some events move no cards."""
        if event["cards"]:
            raise RuleBroken("LOG", f"{event['event']} moves no cards")

    def step(self) -> None:
        """The event is in order: go on."""
        self.cursor.index += 1

    def read_result(self, article: str, details: Sequence[dict[str, int]]) -> list[int]:
        """The `end` event: the reason (its article given), every line of the score, nothing after it."""
        event = self.expect("end", article, f"the hand is over ({self.reason})")
        if event["reason"] != self.reason:
            raise RuleBroken(article, f"the hand ended by {self.reason}, not {event['reason']}")
        if event["turn"] != self.table.turn:
            raise RuleBroken("LOG", f"{self.table.turn} turns were played, not {event['turn']}")
        for side, right in enumerate(details):
            self.check_detail(side, right, event["detail"][side])
        scores = [detail["total"] for detail in details]
        if event["scores"] != scores:
            raise RuleBroken(self.total_article, f"the scores are {scores}, not {event['scores']}")
        self.step()
        if self.cursor.index < len(self.cursor.events):
            raise RuleBroken("LOG", "an event after `end`")
        return scores

    def check_detail(self, side: int, right: Mapping[str, int], given: Mapping[str, int]) -> None:
        """Every line of one side's score."""
        for line, article in self.detail_articles.items():
            if right[line] != given[line]:
                message = f"side {side}: {line} is {right[line]}, not {given[line]}"
                raise RuleBroken(self.line_article(side, line, article), message)

    def line_article(self, side: int, line: str, article: str) -> str:
        """The article that a wrong line breaks, where it depends on the hand."""
        return article
