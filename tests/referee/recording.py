"""Writing a log while cards move on a table: what every recorder does, and what those of games with melds do."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

from tests.referee.cards import is_red_three, two_packs
from tests.referee.log import Event
from tests.referee.table import StockTable


def words(cards: str | Sequence[str]) -> list[str]:
    """Card texts from a string with blanks, or a list as it is."""
    return cards.split() if isinstance(cards, str) else list(cards)


def pack_without(parts: Sequence[Sequence[str]], jokers: int) -> tuple[list[str], list[str]]:
    """The cards of the pack that no part names: a shuffled rest, always the same, and the red threes."""
    left = two_packs(jokers)
    left.subtract(Counter([card for part in parts for card in part]))
    if min(left.values()) < 0:
        raise ValueError("a card is named too often")
    rest = sorted(card for card in left.elements() if not is_red_three(card))
    random.Random(20).shuffle(rest)
    return rest, [card for card in left.elements() if is_red_three(card)]


def first_line(
    game: str,
    options: Mapping[str, object],
    hands: Sequence[Sequence[str]],
    stock: Sequence[str],
    pile: Sequence[str],
    deal: int,
    scores_before: Sequence[int] = (0, 0),
) -> Event:
    """The `deal` event of a batch."""
    dealer = deal % len(hands)
    return {
        "event": "deal",
        "game": game,
        "seed": 1,
        "deal": deal,
        "match": None,
        "options": dict(options),
        "policies": ["scripted"] * len(hands),
        "dealer": dealer,
        "first": (dealer + 1) % len(hands),
        "scores_before": list(scores_before),
        "hands": [list(hand) for hand in hands],
        "stock": list(stock),
        "pile": list(pile),
    }


class EventWriter:
    """Writes the events of one deal of any game."""

    table: StockTable

    def __init__(self, deal: Event) -> None:
        self.events: list[Event] = [deal]
        self.over = False

    def write(self, event: str, cards: str | Sequence[str] = (), **fields: Any) -> Self:
        """One event, as it comes; no card moves."""
        line: Event = {
            "event": event,
            "turn": self.table.turn,
            "seat": self.table.seat,
            "cards": words(cards),
        }
        self.events.append({**line, **fields})
        return self

    def idle_turn(self) -> None:
        """A turn of a player who does as little as he may."""
        raise NotImplementedError

    def finish_with(self, reason: str, detail: Sequence[Mapping[str, int]]) -> None:
        """The last line, with the score."""
        scores = [side["total"] for side in detail]
        line = {"event": "end", "reason": reason, "turn": self.table.turn, "scores": scores, "detail": list(detail)}
        self.events.append(line)
        self.over = True

    def idle(self, turns: int = 1) -> Self:
        """Players who do as little as they may."""
        for _ in range(turns):
            if not self.over:
                self.idle_turn()
        return self

    def finish(self) -> list[Event]:
        """Idle turns until the hand is over; the whole log."""
        while not self.over:
            self.idle()
        return self.events


class BaseRecorder(EventWriter):
    """Writes the events of one deal; a game says what a table does of itself."""

    def __init__(self, deal: Event) -> None:
        super().__init__(deal)
        self.in_turn = False

    def meld_cards(self, number: int) -> Sequence[str]:
        """The cards of a meld of the side or seat in turn."""
        raise NotImplementedError

    def meld_count(self) -> int:
        """How many melds the side or seat in turn has."""
        raise NotImplementedError

    def lay(self, now: str | Sequence[str], number: int | None) -> Self:
        """A new meld, or an extension, that lies so."""
        raise NotImplementedError

    def discard(self, card: str) -> Self:
        """The turn ends with a discard."""
        raise NotImplementedError

    def meld(self, now: str | Sequence[str]) -> Self:
        """A new meld from the hand."""
        return self.lay(now, None)

    def extend(self, number: int, now: str | Sequence[str]) -> Self:
        """An extension; the cards added are what the meld did not have."""
        return self.lay(now, number)

    def added(self, now: str | Sequence[str], number: int | None) -> list[str]:
        """The cards that come to a meld."""
        before = Counter(self.meld_cards(number) if number is not None else ())
        return list((Counter(words(now)) - before).elements())

    def write_lay(self, cards: Sequence[str], now: str | Sequence[str], number: int | None) -> None:
        """The meld or extend event."""
        name = "meld" if number is None else "extend"
        meld = self.meld_count() if number is None else number
        self.write(name, cards, meld=meld, now=words(now))

    def no_discard(self) -> Self:
        """The turn ends with `pass`."""
        self.write("pass")
        return self.next_seat()

    def next_seat(self) -> Self:
        """The turn is over."""
        self.in_turn = False
        if not self.over:
            self.table.seat = (self.table.seat + 1) % self.table.players
        return self

    def idle_discard(self) -> Self:
        """The turn ends with the discard of the card that came last."""
        return self.discard(self.table.hand[-1])
