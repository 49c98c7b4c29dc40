"""What the corruptions of a Canasta log share: their list, and the table before each event."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.referee.cards import is_black_three, is_red_three, is_wild, rank_of
from tests.referee.log import Event
from tests.referee.log_edits import Corruptions, Log, pick

CORRUPTIONS = Corruptions()
corruption = CORRUPTIONS

TURN_START = ("KAN-05", "KAN-06", "KAN-16")  # what a wrong event at the start of a turn breaks
SCORE = ("KAN-14", "KAN-15", "KAN-18", "KAN-19")


@dataclass(frozen=True)
class Spot:
    """What lies where before one event."""

    index: int
    event: Event
    hand: list[str]
    pile: list[str]
    melds: list[list[list[str]]]  # by side
    opened: bool  # the side had melds when the turn began
    frozen: bool  # for everybody, or for the side

    @property
    def name(self) -> str:
        """The event's name."""
        name: str = self.event["event"]
        return name

    @property
    def side(self) -> int:
        """The side of the seat in turn."""
        side: int = self.event["seat"] % 2
        return side

    @property
    def mine(self) -> list[list[str]]:
        """The melds of that side."""
        return self.melds[self.side]

    @property
    def canastas(self) -> int:
        """How many canastas the side owns."""
        return sum(1 for meld in self.mine if len(meld) >= 7)


def spots(log: Log) -> Iterator[Spot]:
    """The table before each event of a valid log, from the second line to the one before `end`."""
    hands = [list(hand) for hand in log[0]["hands"]]
    pile: list[str] = list(log[0]["pile"])
    melds: list[list[list[str]]] = [[], []]
    turn, opened = 0, False
    freezes = log[0]["options"]["black_three_freezes"]
    frozen = any(is_wild(card) or is_red_three(card) for card in pile) or (freezes and is_black_three(pile[-1]))
    for index, event in enumerate(log[1:-1], start=1):
        hand, cards, mine = hands[event["seat"]], event["cards"], melds[event["seat"] % 2]
        if event["turn"] != turn:
            turn, opened = event["turn"], bool(mine)
        both = [list(melds[0]), list(melds[1])]
        yield Spot(index, event, list(hand), list(pile), both, opened, frozen or not opened)
        name = event["event"]
        if name == "draw":
            hand.extend(cards)
        elif name == "take_pile":
            hand.extend(pile)
            pile, frozen = [], False
        elif name in ("meld", "extend", "discard", "red_three"):
            for card in cards:
                hand.remove(card)
        if name == "meld":
            mine.append(event["now"])
        elif name == "extend":
            mine[event["meld"]] = event["now"]
        elif name == "discard":
            pile.append(cards[0])
            frozen = frozen or is_wild(cards[0]) or (freezes and is_black_three(cards[0]))


def some_spot(log: Log, rng: random.Random, wanted: Callable[[Spot], bool]) -> Spot | None:
    """One of the spots that are wanted."""
    return pick(rng, [spot for spot in spots(log) if wanted(spot)])


def meld_rank(now: list[str]) -> str:
    """The rank of a meld's naturals."""
    return next(rank_of(card) for card in now if not is_wild(card))


def turn_points(log: Log, turn: int, value: Callable[[str], int]) -> int:
    """What the cards laid in a turn are worth."""
    return sum(
        value(card)
        for event in log[1:-1]
        if event["turn"] == turn and event["event"] in ("meld", "extend")
        for card in event["cards"]
    )
