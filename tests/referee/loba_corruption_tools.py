"""What the corruptions of a Loba log share: their list, and the table before each event."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.referee.cards import JOKER, rank_of
from tests.referee.loba_builder import meld_of
from tests.referee.loba_deal import next_in
from tests.referee.loba_options import Options
from tests.referee.loba_table import Table
from tests.referee.log import Event
from tests.referee.log_edits import Corruptions, Log, edit, insert, pick, plain

CORRUPTIONS = Corruptions()
corruption = CORRUPTIONS

SCORE = ("LOB-14", "LOB-15")


@dataclass(frozen=True)
class Spot:
    """What lies where before one event."""

    index: int
    event: Event
    hand: list[str]
    discards: list[str]
    stock: list[str]  # in drawing order
    melds: list[list[list[str]]]  # by seat
    taken: str | None  # in this turn, from the discards
    only_copy: bool  # of that card in hand, when it was taken
    taken_meld: int | None  # where it was laid since
    first_turn: bool  # nothing was laid in an earlier turn

    @property
    def name(self) -> str:
        """The event's name."""
        name: str = self.event["event"]
        return name

    @property
    def mine(self) -> list[list[str]]:
        """The melds of the seat in turn."""
        return self.melds[self.event["seat"]]

    @property
    def naturals(self) -> list[str]:
        """The natural cards of the hand, in order."""
        return sorted(card for card in self.hand if card != JOKER)

    @property
    def jokers(self) -> int:
        """How many jokers the hand has."""
        return self.hand.count(JOKER)

    @property
    def barred(self) -> bool:
        """The card taken has no second copy in hand."""
        return self.taken is not None and self.only_copy


def spots(log: Log) -> Iterator[Spot]:
    """The table before each event of a valid log, from the second line to the one before `end`."""
    table = Table(options_of(log), log[0])
    turn = 0
    for index, event in enumerate(log[1:-1], start=1):
        if event["event"] == "redeal":
            continue
        if event["turn"] != turn:
            turn = event["turn"]
            table.begin_turn()
        yield snapshot(index, event, table)
        move(table, event)
        if event["event"] == "discard" and table.hand:
            table.end_turn()


def snapshot(index: int, event: Event, table: Table) -> Spot:
    """The table as it lies."""
    return Spot(
        index=index,
        event=event,
        hand=list(table.hand),
        discards=list(table.discards),
        stock=table.stock[::-1],
        melds=[[list(meld.cards) for meld in melds] for melds in table.melds],
        taken=table.now.taken,
        only_copy=table.now.only_copy,
        taken_meld=table.now.taken_meld,
        first_turn=table.lays_all_at_once(),
    )


def move(table: Table, event: Event) -> None:
    """The cards of a legal event move."""
    name = event["event"]
    if name == "draw":
        table.draw()
    elif name == "take_discard":
        table.take_discard()
    elif name in ("meld", "extend"):
        table.lay(event["meld"], meld_of(event["now"]), event["cards"])
    elif name == "discard":
        table.discard(event["cards"][0], event["from_meld"])
    elif name == "reshuffle":
        table.reshuffle(event["stock"])


def options_of(log: Log) -> Options:
    """The house rules of a log."""
    return Options(**log[0]["options"])


def some_spot(log: Log, rng: random.Random, wanted: Callable[[Spot], bool]) -> Spot | None:
    """One of the spots that are wanted."""
    return pick(rng, [spot for spot in spots(log) if wanted(spot)])


def before_discard(log: Log) -> list[Spot]:
    """Where a player could have laid more: before each discard."""
    return [spot for spot in spots(log) if spot.name == "discard"]


def laid_here(log: Log, spot: Spot, cards: Sequence[str], now: Sequence[str] = (), number: int | None = None) -> Log:
    """These cards are laid before the event: a new meld, or an extension that then lies so."""
    if number is None:
        event = plain(spot.event, "meld", cards, meld=len(spot.mine), now=list(cards))
    else:
        event = plain(spot.event, "extend", cards, meld=number, now=list(now))
    return insert(log, spot.index, event)


def one_laid_here(log: Log, rng: random.Random, found: Sequence[tuple[Spot, Sequence[str]]]) -> Log | None:
    """One of these new melds is laid."""
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


def is_run(now: Sequence[str]) -> bool:
    """A sequence, not a set."""
    return len({rank_of(card) for card in now if card != JOKER}) > 1


def seat_after(log: Log) -> int:
    """Who would play after the last turn that has events."""
    playing = Table(options_of(log), log[0]).playing
    return next_in(log[-2]["seat"], playing)


def place_after(log: Log) -> Event:
    """A place in the turn of that player."""
    return {"turn": log[-2]["turn"] + 1, "seat": seat_after(log)}


def with_end(log: Log, detail: Sequence[dict[str, int]]) -> Log:
    """Other lines of the score, and the scores that follow from them."""
    return edit(log, len(log) - 1, detail=list(detail), scores=[lines["total"] for lines in detail])


def seats_with(log: Log, wanted: Callable[[dict[str, int]], bool]) -> list[int]:
    """The seats whose lines of the score are wanted."""
    return [seat for seat, lines in enumerate(log[-1]["detail"]) if wanted(lines)]


def lines_of(log: Log) -> list[dict[str, int]]:
    """A copy of the lines of the score."""
    return [dict(lines) for lines in log[-1]["detail"]]
