"""Reading an event log strictly: the broken-rule exception, field checks, a cursor over the events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tests.referee.cards import CARD_TEXTS

Event = dict[str, Any]
Check = Callable[[object], bool]


class RuleBroken(Exception):
    """The log breaks an article of the rule book.

    `article` is the article ("CAN-08"), "LOG" for a malformed log, "CARDS" for a card that cannot be there.
    `event_index` counts the log's lines from 0; `turn` and `seat` are where the play stood.
    """

    def __init__(
        self,
        article: str,
        message: str,
        event_index: int | None = None,
        turn: int | None = None,
        seat: int | None = None,
    ) -> None:
        super().__init__(article, message, event_index, turn, seat)
        self.article = article
        self.message = message
        self.event_index = event_index
        self.turn = turn
        self.seat = seat

    def __str__(self) -> str:
        return f"{self.article} at event {self.event_index}, turn {self.turn}, seat {self.seat}: {self.message}"


def is_int(value: object) -> bool:
    """An integer; JSON's true and false are not integers."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value: object) -> bool:
    """An integer from 0."""
    return isinstance(value, int) and is_int(value) and value >= 0


def is_positive(value: object) -> bool:
    """An integer from 1."""
    return is_count(value) and value != 0


def is_seed(value: object) -> bool:
    """0 to 2^64 - 1."""
    return isinstance(value, int) and is_count(value) and value < 2**64


def is_match(value: object) -> bool:
    """The number of the match, or null outside one."""
    return value is None or is_count(value)


def is_object(value: object) -> bool:
    """A JSON object."""
    return isinstance(value, Mapping)


def is_bool(value: object) -> bool:
    """true or false."""
    return isinstance(value, bool)


def is_text(value: object) -> bool:
    """A string that is not empty."""
    return isinstance(value, str) and value != ""


def is_cards(value: object) -> bool:
    """A list of card texts, possibly empty."""
    return isinstance(value, list) and all(isinstance(card, str) and card in CARD_TEXTS for card in value)


def is_card_lists(value: object) -> bool:
    """A list of lists of card texts."""
    return isinstance(value, list) and all(is_cards(item) for item in value)


def is_ints(value: object) -> bool:
    """A list of integers."""
    return isinstance(value, list) and all(is_int(item) for item in value)


def is_texts(value: object) -> bool:
    """A list of strings."""
    return isinstance(value, list) and all(is_text(item) for item in value)


def one_of(*allowed: object) -> Check:
    """One of these values, of exactly that type (1 is not true)."""
    return lambda value: any(type(value) is type(item) and value == item for item in allowed)


def details_of(lines: Iterable[str], sides: int = 2) -> Check:
    """An object for each side with exactly these lines of the score, in integers."""
    names = set(lines)

    def is_detail(side: object) -> bool:
        return isinstance(side, Mapping) and set(side) == names and all(is_int(points) for points in side.values())

    return lambda value: isinstance(value, list) and len(value) == sides and all(is_detail(side) for side in value)


def check_fields(what: str, record: Mapping[str, object], fields: Mapping[str, Check]) -> None:
    """The record has exactly these fields, each with a value that its check accepts."""
    for name in fields:
        if name not in record:
            raise RuleBroken("LOG", f"{what} lacks the field {name!r}")
    for name, value in record.items():
        if name not in fields:
            raise RuleBroken("LOG", f"{what} has an unknown field {name!r}")
        if not fields[name](value):
            raise RuleBroken("LOG", f"{what}: {name} cannot be {value!r}")


def read_jsonl(lines: Iterable[str]) -> Iterator[list[Event]]:
    """Split JSON lines into deals: each begins with a `deal` line."""
    deal: list[Event] = []
    for line in lines:
        if not line.strip():
            continue
        event = json.loads(line)
        if deal and isinstance(event, dict) and event.get("event") == "deal":
            yield deal
            deal = []
        deal.append(event)
    if deal:
        yield deal


class Cursor:
    """Walks the events of one deal; knows only names and fields, not rules."""

    def __init__(self, events: Iterable[Event], fields: Mapping[str, Mapping[str, Check]]) -> None:
        self.events = list(events)
        self.fields = fields
        self.index = 0

    def peek(self) -> Event:
        """The next event, its name and fields checked; it stays next."""
        if self.index >= len(self.events):
            raise RuleBroken("LOG", "the log stops without `end`")
        event = self.events[self.index]
        if not isinstance(event, dict):
            raise RuleBroken("LOG", f"an event must be an object, not {event!r}")
        name = event.get("event")
        if not isinstance(name, str) or name not in self.fields:
            raise RuleBroken("LOG", f"unknown event {name!r}")
        check_fields(name, event, self.fields[name])
        return event

    def next(self) -> Event:
        """The next event, and step over it."""
        event = self.peek()
        self.index += 1
        return event
