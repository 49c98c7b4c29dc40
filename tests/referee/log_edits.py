"""Small edits of a log, each a new one, and the list that a game's corruptions stand on."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tests.referee.log import Event

Log = list[Event]
Corruptor = Callable[[Log, random.Random], Log | None]
Corruption = tuple[str, Corruptor, frozenset[str]]
T = TypeVar("T")


class Corruptions(list[Corruption]):
    """The corruptions of one game: (name, corruptor, the articles that the referee may give as the reason)."""

    def __call__(self, *articles: str) -> Callable[[Corruptor], Corruptor]:
        """Put a corruption on the list, with the articles that may be given as the reason."""

        def put(corruptor: Corruptor) -> Corruptor:
            self.append((corruptor.__name__, corruptor, frozenset(articles)))
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


def justifications(log: Log) -> list[int]:
    """The melds and extensions that justify a take."""
    return [index + 1 for index in where(log, "take_pile")]


def plain_lays(log: Log) -> list[int]:
    """The melds and extensions that do not justify a take."""
    return [index for index in where(log, "meld", "extend") if log[index - 1]["event"] != "take_pile"]


def drop_one(log: Log, rng: random.Random, found: Sequence[int]) -> Log | None:
    """The log without one of these events."""
    index = pick(rng, found)
    return None if index is None else drop(log, index)


def double_one(log: Log, rng: random.Random, *names: str) -> Log | None:
    """The log with one of these events twice."""
    index = pick(rng, where(log, *names))
    return None if index is None else insert(log, index, log[index])


def change_line(log: Log, rng: random.Random, line: str) -> Log:
    """A line of one side's detail is not what it must be."""
    detail = [dict(side) for side in log[-1]["detail"]]
    detail[rng.randrange(len(detail))][line] += rng.choice((-100, -10, 10, 100))
    return edit(log, len(log) - 1, detail=detail)
