"""What the corruptions of an Escopa log share: their list, and the table before each event."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.referee.escopa_cards import can_capture, total, value_of
from tests.referee.log import Event
from tests.referee.log_edits import Corruptions, Log, edit, pick

CORRUPTIONS = Corruptions()
corruption = CORRUPTIONS

HAND = 3


@dataclass(frozen=True)
class Spot:
    """What lies where before one event."""

    index: int
    event: Event
    options: dict[str, Any]
    hands: list[list[str]]
    table: list[str]
    stock: list[str]
    taken: list[str]  # by anybody
    left: str | None  # the card that the player before left after overlooking a capture, just now

    @property
    def name(self) -> str:
        """The event's name."""
        name: str = self.event["event"]
        return name

    @property
    def seat(self) -> int:
        """The event's seat."""
        seat: int = self.event["seat"]
        return seat

    @property
    def hand(self) -> list[str]:
        """The hand of the event's seat."""
        return self.hands[self.seat]

    @property
    def take(self) -> list[str]:
        """The cards that a play takes."""
        take: list[str] = self.event["take"] if self.name == "play" else []
        return take

    @property
    def card(self) -> str:
        """The card played."""
        card: str = self.event["cards"][0]
        return card

    @property
    def capturing(self) -> list[str]:
        """The cards in hand that could capture."""
        return [card for card in self.hand if can_capture(card, self.table, self.options["figures"])]

    @property
    def capture(self) -> str:
        """The option of that name."""
        capture: str = self.options["capture"]
        return capture

    def value(self, card: str) -> int:
        """What a card counts."""
        return value_of(card, self.options["figures"])

    def total(self, cards: list[str]) -> int:
        """What cards count together."""
        return total(cards, self.options["figures"])


def spots(log: Log) -> Iterator[Spot]:
    """The table before each event of a valid log, from the second line to the one before `end`."""
    options = log[0]["options"]
    hands = [list(hand) for hand in log[0]["hands"]]
    table, stock, taken = list(log[0]["table"]), list(log[0]["stock"]), list[str]()
    left: str | None = None
    for index, event in enumerate(log[1:-1], start=1):
        yield Spot(index, event, options, [list(hand) for hand in hands], list(table), list(stock), list(taken), left)
        name = event["event"]
        left = None
        captured: list[str] = []
        if name == "to_table":
            table += event["cards"]
            stock = stock[len(event["cards"]) :]
        elif name == "deal_hands":
            hands = [list(hand) for hand in event["hands"]]
            stock = stock[sum(map(len, hands)) :]
        elif name == "play":
            hands[event["seat"]].remove(event["cards"][0])
            table += event["cards"]
            captured = [*event["cards"], *event["take"]] if event["take"] else []
            left = event["cards"][0] if log[index - 1]["event"] == "overlook" else None
        elif name in ("dealer_take", "claim"):
            captured = event["cards"]
        table = [card for card in table if card not in captured]
        taken += captured


def some_spot(log: Log, rng: random.Random, wanted: Callable[[Spot], bool]) -> Spot | None:
    """One of the spots that are wanted."""
    return pick(rng, [spot for spot in spots(log) if wanted(spot)])


def after_overlook(log: Log, spot: Spot) -> bool:
    """The play of a player who has just overlooked a capture."""
    return spot.name == "play" and log[spot.index - 1]["event"] == "overlook"


def captures(spot: Spot) -> bool:
    """A play that takes cards."""
    return bool(spot.take)


def plain_play(log: Log, spot: Spot) -> bool:
    """A play after nothing overlooked."""
    return spot.name == "play" and not after_overlook(log, spot)


def lays(log: Log, spot: Spot) -> bool:
    """A card left on the table, nothing overlooked."""
    return plain_play(log, spot) and not spot.take


def claimable(spot: Spot) -> bool:
    """The card just left by oversight makes fifteen with others."""
    others = [card for card in spot.table if card != spot.left]
    return spot.left is not None and can_capture(spot.left, others, spot.options["figures"])


def later_deals(log: Log) -> list[int]:
    """The deals after the first."""
    return [index for index, event in enumerate(log) if event["event"] == "deal_hands"]


def renumbered(log: Log) -> Log:
    """The turns numbered as the plays come."""
    turn, events = 1, [log[0]]
    for event in log[1:-1]:
        events.append({**event, "turn": turn})
        turn += event["event"] == "play"
    return [*events, {**log[-1], "turn": turn - 1}]


def with_detail(log: Log, side: int, **points: int) -> Log:
    """A log whose score has other lines for a side, and a total that fits them."""
    detail = [dict(lines) for lines in log[-1]["detail"]]
    detail[side].update(points)
    detail[side]["total"] = sum(value for line, value in detail[side].items() if line != "total")
    return edit(log, len(log) - 1, detail=detail, scores=[lines["total"] for lines in detail])
