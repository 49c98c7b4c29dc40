"""Corruptions of the form of a log, and of its dealt cards, that do not depend on the game's rules."""

from __future__ import annotations

import random

from tests.referee.log_edits import Corruptions, Log, edit, insert, pick, where

FORM = Corruptions()


@FORM("LOG")
def no_deal(log: Log, rng: random.Random) -> Log | None:
    """The first line is missing."""
    return log[1:]


@FORM("LOG")
def cut_short(log: Log, rng: random.Random) -> Log | None:
    """The log stops somewhere."""
    return log[: rng.randrange(1, len(log))]


@FORM("LOG")
def nothing(log: Log, rng: random.Random) -> Log | None:
    """No line at all."""
    return []


@FORM("LOG")
def second_deal(log: Log, rng: random.Random) -> Log | None:
    """A `deal` in the middle."""
    return insert(log, rng.randrange(1, len(log)), log[0])


@FORM("LOG")
def event_after_end(log: Log, rng: random.Random) -> Log | None:
    """Something after `end`."""
    return [*log, rng.choice(log)]


@FORM("LOG")
def unknown_event(log: Log, rng: random.Random) -> Log | None:
    """A name that does not exist in this game."""
    return edit(log, rng.randrange(len(log)), event=rng.choice(("deal_again", "Pass", "", "Draw", None)))


@FORM("LOG")
def extra_field(log: Log, rng: random.Random) -> Log | None:
    """A field too many."""
    return edit(log, rng.randrange(len(log)), note="")


@FORM("LOG")
def missing_field(log: Log, rng: random.Random) -> Log | None:
    """A field too few."""
    index = rng.randrange(len(log))
    gone = rng.choice(list(log[index]))
    return [*log[:index], {k: v for k, v in log[index].items() if k != gone}, *log[index + 1 :]]


@FORM("LOG")
def wrong_type(log: Log, rng: random.Random) -> Log | None:
    """A value of another type."""
    index = rng.randrange(1, len(log) - 1)
    name, value = rng.choice(
        (("turn", "1"), ("turn", 1.0), ("seat", True), ("seat", None), ("cards", "7S"), ("cards", None))
    )
    return edit(log, index, **{name: value})


@FORM("LOG")
def not_a_card(log: Log, rng: random.Random) -> Log | None:
    """A text that no card has."""
    index = pick(rng, where(log, "draw", "discard", "meld"))
    return None if index is None else edit(log, index, cards=[rng.choice(("10S", "7s", "1S", "S7", "*"))])


@FORM("LOG")
def missing_option(log: Log, rng: random.Random) -> Log | None:
    """A house rule is not stated."""
    gone = rng.choice(list(log[0]["options"]))
    return edit(log, 0, options={k: v for k, v in log[0]["options"].items() if k != gone})


@FORM("CARDS")
def stock_stacked(log: Log, rng: random.Random) -> Log | None:
    """Two cards of the stock in each other's place."""
    stock = list(log[0]["stock"])
    drawn = min(len(where(log, "draw")), len(stock))
    pairs = [(i, j) for i in range(drawn) for j in range(i) if stock[i] != stock[j]]
    pair = pick(rng, pairs)
    if pair is None:
        return None
    stock[pair[0]], stock[pair[1]] = stock[pair[1]], stock[pair[0]]
    return edit(log, 0, stock=stock)
