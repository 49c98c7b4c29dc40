"""What the corruptions of a mau-mau log share: their list, and the table before each event."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.referee.cards import rank_of
from tests.referee.log import Event
from tests.referee.log_edits import Corruptions, Log, pick
from tests.referee.mau_mau_options import Options
from tests.referee.mau_mau_table import EIGHT_DRAWS, Table

CORRUPTIONS = Corruptions()
corruption = CORRUPTIONS

DRAWS = ("MAU-05", "MAU-06", "MAU-09", "MAU-10", "MAU-14", "MAU-15")  # one for each reason to draw, and the last card
SCORE = ("MAU-06", "MAU-08", "MAU-17", "MAU-18", "MAU-19")
AFTER = ("MAU-07", "MAU-16", "MAU-17")  # where an event too many ends a turn: a pass, a reshuffle or the end is due


@dataclass(frozen=True)
class Spot:
    """One event and the table before it, which goes on changing as the walk goes on."""

    index: int
    event: Event
    table: Table
    opens_turn: bool

    @property
    def name(self) -> str:
        """The event's name."""
        name: str = self.event["event"]
        return name

    @property
    def hand(self) -> list[str]:
        """The hand of the event's seat."""
        return self.table.hands[self.event["seat"]]

    @property
    def is_free_play(self) -> bool:
        """A play that opens a turn and answers no 8."""
        return self.name == "play" and self.opens_turn and not self.table.pending

    @property
    def is_boundary(self) -> bool:
        """A turn opens here in which neither an 8 nor a bar says what must come."""
        return self.opens_turn and not self.table.pending and not self.table.must_pass()


def spots(log: Log) -> Iterator[Spot]:
    """Every event of a valid log between the first line and `end`, with the table before it."""
    first = log[0]
    parts = (first["dealer"], first["hands"], first["stock"], first["start_card"])
    table = Table(Options(**first["options"]), *parts)
    turn = 0
    for index, event in enumerate(log[1:-1], start=1):
        opens_turn = event["turn"] != turn and not (turn == 0 and is_of_start_card(event))
        if opens_turn:
            turn, table.seat = event["turn"], event["seat"]
        yield Spot(index, event, table, opens_turn)
        apply(event, table)


def is_of_start_card(event: Event) -> bool:
    """Before the first turn: what the carta da partida does."""
    return event["event"] in ("skip", "reverse") or event.get("why") == "start_card"


def apply(event: Event, table: Table) -> None:
    """Move the cards of an event."""
    name = event["event"]
    if name == "play":
        table.play(event["cards"], event["suit"])
        table.pending += EIGHT_DRAWS if rank_of(table.top) == "8" else 0
    elif name == "draw":
        table.draw_for(event["seat"], len(event["cards"]))
    elif name == "reshuffle":
        table.reshuffle(event["stock"])
    elif name == "unable":
        table.note_unable()
    elif name == "bars_lifted":
        table.lift_bars()
    elif name == "pass" and event["why"] == "eight":
        table.pending = 0


def some_spot(log: Log, rng: random.Random, wanted: Callable[[Spot], bool]) -> Spot | None:
    """One of the spots that are wanted, the table as it is there."""
    index = pick(rng, [spot.index for spot in spots(log) if wanted(spot)])
    return None if index is None else next(spot for spot in spots(log) if spot.index == index)


def draws(log: Log, *reasons: str) -> list[int]:
    """The draws for one of these reasons, or for any."""
    found = [index for index, event in enumerate(log) if event["event"] == "draw"]
    return [index for index in found if not reasons or log[index]["why"] in reasons]


def last_play(log: Log) -> int:
    """The winning play."""
    return max(index for index, event in enumerate(log) if event["event"] == "play")


def is_won(log: Log) -> bool:
    """Somebody went out."""
    won: bool = log[-1]["reason"] == "went_out"
    return won


def changed(rng: random.Random, log: Log, seat: int) -> int:
    """Another seat."""
    players: int = log[0]["options"]["players"]
    return (seat + rng.randrange(1, players)) % players
