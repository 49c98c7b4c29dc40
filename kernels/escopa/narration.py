"""A deal of escopa told to a player: from the events of a replay to lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernels.telling import (
    UNFINISHED,
    WIDTH,
    Line,
    card,
    card_list,
    counted,
    number,
    rank_name,
    remove_cards,
    score_table,
    side_name,
    title_lines,
)

FIGURES = {"qjk": "QJK", "jqk": "JQK"}
QUARTET_ORDER = "76A5432"
"""Ranks whose four of a kind have a value, the best first (ESC-11)."""

TABLE_COLUMN = 62
"""Where the table after a play is shown."""


def ranks_by_value(figures: str) -> str:
    """Return the ranks by value, from the ace up (ESC-01)."""
    return "A234567" + FIGURES[figures]


@dataclass
class _Pack:
    """What lies where, as the events so far say."""

    ranks: str
    paired: bool
    table: list[str]
    hands: list[list[str]]
    stock: int
    taken: list[list[str]]
    dealt: int = 1

    def value(self, text: str) -> int:
        """Value of a card (ESC-01)."""
        return self.ranks.index(text[0]) + 1

    def in_order(self, cards: Iterable[str]) -> str:
        """Cards by value, and their suits in one order."""
        return card_list(sorted(cards, key=lambda text: (self.value(text), text[1])))

    def total(self) -> int:
        """Sum of the cards face up."""
        return sum(map(self.value, self.table))

    def table_text(self) -> str:
        """The table as it lies, and its sum."""
        return f"{self.in_order(self.table)}  = {self.total()}" if self.table else "empty"

    def side(self, seat: int) -> int:
        """Side of a seat (ESC-02)."""
        return seat % len(self.taken)


def narrate(events: Sequence[Mapping[str, Any]], width: int = WIDTH) -> Iterator[Line]:
    """Tell one deal.

    Parameters
    ----------
    events
        A deal's events as `kernels.escopa.events.decode` returns them: first ``deal``, last ``end``.
    width
        Columns of a line.

    Yields
    ------
    tuple of str
        Role and text of each line.
    """
    deal, end = events[0], events[-1]
    pack = _Pack(
        ranks=ranks_by_value(deal["options"]["figures"]),
        paired=len(deal["hands"]) == 4,
        table=list(deal["table"]),
        hands=[list(hand) for hand in deal["hands"]],
        stock=len(deal["stock"]),
        taken=[[] for _ in end["scores"]],
    )
    yield from title_lines("Escopa de 15", deal, paired=pack.paired)
    yield from _hands(pack, deal["dealer"], width)
    for event in events[1:-1]:
        yield from _told(event, pack, width)
    if end["reason"] != UNFINISHED:
        yield from _score(end, deal, pack)


def _told(event: Mapping[str, Any], pack: _Pack, width: int) -> Iterator[Line]:
    kind = event["event"]
    if kind == "deal_hands":
        pack.hands = [list(hand) for hand in event["hands"]]
        pack.stock -= sum(map(len, pack.hands))
        pack.dealt += 1
        yield "text", ""
        yield from _hands(pack, event["dealer"], width)
    elif kind == "leftover":
        yield from _leftover(event, pack, width)
    else:
        words = _sentence(event, pack)
        _move(event, pack)
        numbered = kind in ("play", "overlook", "claim")
        head = f"{event['turn'] if numbered else '':>4}  seat {event['seat']}  "
        role = "good" if event.get("escopa") or kind == "dealer_take" else "bad" if kind == "overlook" else "text"
        yield from _line(head, words, "" if kind == "overlook" else pack.table_text(), role, width)


def _sentence(event: Mapping[str, Any], pack: _Pack) -> str:
    kind, cards = event["event"], event["cards"]
    if kind == "dealer_take":
        how = "which make fifteen" if sum(map(pack.value, cards)) == 15 else "two pairs that make fifteen each"
        return f"Deals and takes {pack.in_order(cards)}, {how}!"
    if kind == "to_table":
        return f"Lays {card_list(cards)} on the table."
    if kind == "overlook":
        return "Overlooks that a card of the hand makes fifteen."
    if kind == "claim":
        return f"Has seen it and claims {card(cards[0])} with {pack.in_order(cards[1:])}" + _escopa(event)
    if event["take"]:
        return f"Plays {card(cards[0])} and takes {pack.in_order(event['take'])}" + _escopa(event)
    return f"Leaves {card(cards[0])}."


def _escopa(event: Mapping[str, Any]) -> str:
    return ": escopa!" if event["escopa"] else "."


def _move(event: Mapping[str, Any], pack: _Pack) -> None:
    """Put the cards of an event where they go."""
    kind, cards, seat = event["event"], event["cards"], event["seat"]
    if kind == "to_table":
        pack.table.extend(cards)
        pack.stock -= len(cards)
    elif kind in ("dealer_take", "claim"):
        remove_cards(pack.table, cards)
        pack.taken[pack.side(seat)].extend(cards)
    elif kind == "play":
        remove_cards(pack.hands[seat], cards)
        if event["take"]:
            remove_cards(pack.table, event["take"])
            pack.taken[pack.side(seat)].extend([*cards, *event["take"]])
        else:
            pack.table.extend(cards)


def _line(head: str, words: str, table: str, role: str, width: int) -> Iterator[Line]:
    """Yield a play, and the table after it in a column of its own where there is room."""
    indent = " " * len(head)
    *before, last = [text for _, text in _wrapped(words, width, head)]
    for text in before:
        yield role, text
    if not table:
        yield role, last
    elif len(last) < TABLE_COLUMN and TABLE_COLUMN + 2 + len(table) <= width:
        yield role, f"{last:<{TABLE_COLUMN}}│ {table}"
    else:
        yield role, last
        room = max(20, width - len(indent) - 2)
        for text in textwrap.wrap(table, room, break_long_words=False):
            yield "table", f"{indent}│ {text}"


def _hands(pack: _Pack, dealer: int, width: int) -> Iterator[Line]:
    yield "heading", f"Deal {pack.dealt}, by seat {dealer}" + (": the last cards" if pack.stock == 0 else "")
    for seat, cards in enumerate(pack.hands):
        yield "text", f"  seat {seat}    {pack.in_order(cards)}"
    yield from _wrapped(pack.table_text(), width, "  table     ")
    yield "text", f"  stock     {number(pack.stock, 'card')}"
    yield "text", ""


def _leftover(event: Mapping[str, Any], pack: _Pack, width: int) -> Iterator[Line]:
    cards, seat = event["cards"], event["seat"]
    yield "text", ""
    left = f"{number(len(cards), 'card')} {'is' if len(cards) == 1 else 'are'} left, worth {pack.total()}"
    left = f"{left}: {pack.in_order(cards)}."
    them = "it" if len(cards) == 1 else "them"
    if seat is None:
        yield from _wrapped(f"{left} Nobody captured anything, so nobody gets {them}.", width)
        return
    pack.taken[pack.side(seat)].extend(cards)
    yield from _wrapped(f"{left} Seat {seat}, who captured last, gets {them}.", width)


def _wrapped(words: str, width: int, head: str = "") -> Iterator[Line]:
    indent = " " * len(head)
    for text in textwrap.wrap(words, width, initial_indent=head, subsequent_indent=indent, break_long_words=False):
        yield "text", text


def _score(end: Mapping[str, Any], deal: Mapping[str, Any], pack: _Pack) -> Iterator[Line]:
    yield "text", ""
    yield "heading", f"Score, after {number(end['turn'], 'turn')}"
    standard = deal["options"]["primeira"] == "standard"
    for side, cards in enumerate(pack.taken):
        diamonds, sevens = (sum(text[place] == mark for text in cards) for place, mark in ((1, "D"), (0, "7")))
        counts = f"{number(len(cards), 'card')}, {number(diamonds, 'diamond')}, {number(sevens, 'seven')}"
        yield "text", f"  {side_name(side, pack.paired)} took {counts}."
    taken = [[] if standard else cards for cards in pack.taken]
    lines = [score_lines(detail, cards) for detail, cards in zip(end["detail"], taken, strict=True)]
    yield from score_table(end, deal, lines, paired=pack.paired)


def score_lines(detail: Mapping[str, int], cards: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Explain a side's score line by line (ESC-10, ESC-11).

    Parameters
    ----------
    detail
        A side's entry of the ``end`` event: points by source.
    cards
        All that the side has taken, to name its four of a kind; none where the primeira is another.

    Yields
    ------
    tuple of str and int
        What the points are for, in words, and the points.
    """
    if detail["escopas"]:
        yield counted(detail["escopas"], "escopa", "escopas", 1), detail["escopas"]
    if detail["guindis"]:
        yield f"the guindis, {card('7D')}", detail["guindis"]
    if detail["diamonds"]:
        yield ("most diamonds" if detail["diamonds"] == 1 else "all ten diamonds"), detail["diamonds"]
    if detail["sevens"]:
        yield ("most sevens" if detail["sevens"] == 1 else "all four sevens"), detail["sevens"]
    if detail["cards"]:
        yield "most cards", detail["cards"]
    if detail["few"]:
        yield "the opponents took fewer than ten cards", detail["few"]
    if detail["primeira"]:
        yield "the primeira" + quartet_text(cards), detail["primeira"]
    if not any(points for name, points in detail.items() if name != "total"):
        yield "nothing", 0


def quartet_text(cards: Sequence[str]) -> str:
    """Return the best four of a kind among cards in words, as `` with four 6s``; nothing without one (ESC-11)."""
    for rank in QUARTET_ORDER + "KQJ":
        if sum(text[0] == rank for text in cards) == 4:
            return f" with four {rank_name(rank)}"
    return ""
