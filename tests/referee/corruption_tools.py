"""What the corruptions of a Canastra log share: their list, small edits, the table before each event."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tests.referee.canastra_melds import is_curinga, natural
from tests.referee.cards import number_of, rank_of, suit_of
from tests.referee.log import Event

Log = list[Event]
Corruptor = Callable[[Log, random.Random], Log | None]
Corruption = tuple[str, Corruptor, frozenset[str]]
T = TypeVar("T")

CORRUPTIONS: list[Corruption] = []

TURN_START = ("CAN-06", "CAN-07", "CAN-18", "CAN-23")  # what a wrong event at the start of a turn breaks
EMPTY_HAND = ("CAN-18", "CAN-20")  # what a wrong event after an emptied hand breaks
SCORE = ("CAN-22", "CAN-25", "CAN-26", "CAN-27")


def corruption(*articles: str) -> Callable[[Corruptor], Corruptor]:
    """Put a corruption on the list, with the articles that may be given as the reason."""

    def put(corruptor: Corruptor) -> Corruptor:
        CORRUPTIONS.append((corruptor.__name__, corruptor, frozenset(articles)))
        return corruptor

    return put


# ---------------------------------------------------------------- small edits, each a new log


def pick(rng: random.Random, items: Sequence[T]) -> T | None:
    """One of them, or None if there is none."""
    return rng.choice(items) if items else None


def edit(log: Log, index: int, **changes: Any) -> Log:
    """One event with other fields."""
    return [*log[:index], {**log[index], **changes}, *log[index + 1 :]]


def replace(log: Log, index: int, event: Event) -> Log:
    """One event instead of another."""
    return [*log[:index], event, *log[index + 1 :]]


def drop(log: Log, index: int, count: int = 1) -> Log:
    """Without these events."""
    return log[:index] + log[index + count :]


def insert(log: Log, index: int, event: Event) -> Log:
    """With one event more, before that index."""
    return [*log[:index], event, *log[index:]]


def swap_next(log: Log, index: int) -> Log:
    """An event and the next one in each other's place."""
    return [*log[:index], log[index + 1], log[index], *log[index + 2 :]]


def with_options(log: Log, **changes: Any) -> Log:
    """Other house rules."""
    return edit(log, 0, options={**log[0]["options"], **changes})


def plain(event: Event, name: str, cards: Sequence[str] = (), **fields: Any) -> Event:
    """An event at the same turn and seat as another."""
    return {"event": name, "turn": event["turn"], "seat": event["seat"], "cards": list(cards), **fields}


def without(cards: Sequence[str], card: str) -> list[str]:
    """Without one copy of a card."""
    left = list(cards)
    left.remove(card)
    return left


def exchanged(cards: Sequence[str], old: str, new: str) -> list[str]:
    """With one copy of a card become another."""
    left = list(cards)
    left[left.index(old)] = new
    return left


def where(log: Log, *names: str) -> list[int]:
    """The events with one of these names."""
    return [index for index, event in enumerate(log) if event["event"] in names]


def turn_draws(log: Log) -> list[int]:
    """The draws of a turn, replacements of red threes left out."""
    return [index for index in where(log, "draw") if log[index]["why"] == "turn"]


def draws_alone(log: Log) -> list[int]:
    """The draws of a turn that no `morto_to_stock` precedes."""
    return [index for index in turn_draws(log) if log[index - 1]["event"] != "morto_to_stock"]


def justifications(log: Log) -> list[int]:
    """The melds and extensions that justify a take."""
    return [index + 1 for index in where(log, "take_pile")]


def plain_lays(log: Log) -> list[int]:
    """The melds and extensions that do not justify a take."""
    return [index for index in where(log, "meld", "extend") if log[index - 1]["event"] != "take_pile"]


def is_sequence(now: Sequence[str]) -> bool:
    """A sequence, not a lavadeira."""
    return len({rank_of(card) for card in now if not is_curinga(card)}) > 1


def suit_and_low(now: Sequence[str]) -> tuple[str, int]:
    """The suit and the lowest place of a sequence."""
    index = next(index for index, card in enumerate(now) if not is_curinga(card))
    return suit_of(now[index]), number_of(now[index]) - index


def next_natural(now: Sequence[str]) -> str | None:
    """The natural card that would continue a sequence upwards."""
    suit, low = suit_and_low(now)
    place = low + len(now)
    return natural(suit, place) if place <= 14 else None


def is_canastra(now: Sequence[str]) -> bool:
    """Seven cards or more."""
    return len(now) >= 7


# ---------------------------------------------------------------- the table before each event


@dataclass(frozen=True)
class Spot:
    """What lies where before one event; melds by side."""

    index: int
    event: Event
    hand: list[str]
    lixo: list[str]
    melds: list[list[list[str]]]
    took_morto: list[bool]

    @property
    def side(self) -> int:
        """The side of the seat in turn."""
        side: int = self.event["seat"] % 2
        return side


def spots(log: Log) -> Iterator[Spot]:
    """The table before each event of a valid log, from the second line to the one before `end`."""
    hands = [list(hand) for hand in log[0]["hands"]]
    lixo: list[str] = []
    taken: list[str] = []
    melds: list[list[list[str]]] = [[], []]
    took = [False, False]
    for index, event in enumerate(log[1:-1], start=1):
        hand, cards, side = hands[event["seat"]], event["cards"], event["seat"] % 2
        yield Spot(index, event, list(hand), list(lixo), [list(melds[0]), list(melds[1])], list(took))
        name = event["event"]
        if name in ("draw", "take_morto", "morto_opened"):
            hand.extend(cards)
            took[side] = took[side] or name == "take_morto"
        elif name == "take_pile":
            taken, lixo = lixo, []
        elif name in ("meld", "extend"):
            hand.extend(taken)
            taken = []
            lay(melds[side], event)
        if name in ("meld", "extend", "discard", "red_three"):
            for card in cards:
                hand.remove(card)
        if name == "discard":
            lixo.append(cards[0])


def lay(melds: list[list[str]], event: Event) -> None:
    """A meld lies as the event says."""
    if event["event"] == "meld":
        melds.append(event["now"])
    else:
        melds[event["meld"]] = event["now"]
