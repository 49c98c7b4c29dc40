"""A deal of loba told to a player: from the events of a replay to lines of text.

Jokers of a meld stand in brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kernels.cards import JOKER_TEXT, RANKS, SUITS
from kernels.telling import (
    OUT_OF_CARDS,
    UNFINISHED,
    WIDTH,
    Line,
    card,
    card_list,
    number,
    rank_name,
    remove_cards,
    score_table,
    title_lines,
    turn_lines,
    turns_of,
)

REASONS = {
    "went_out": "somebody went out",
    "no_winner": "no card is left to draw, and nobody went out",
    "cap": "the round took a thousand turns",
}


def card_points(text: str) -> int:
    """Value of a card left in hand (LOB-14)."""
    if text == JOKER_TEXT or text[0] == "A":
        return 15
    return min(RANKS.index(text[0]) + 2, 10)


def hand_text(cards: Iterable[str]) -> str:
    """Return a hand by suit and rank, the suits set apart; jokers last."""
    groups: dict[str, list[str]] = {}
    for text in sorted(cards, key=_order):
        groups.setdefault("" if text == JOKER_TEXT else text[1], []).append(text)
    return "  ".join(card_list(group) for group in groups.values()) or "no cards"


def _order(text: str) -> tuple[int, int]:
    return (len(SUITS), 0) if text == JOKER_TEXT else (SUITS.index(text[1]), RANKS.index(text[0]))


def meld_text(cards: Sequence[str]) -> str:
    """Return a meld as it lies, its jokers in brackets."""
    return " ".join(f"[{card(text)}]" if text == JOKER_TEXT else card(text) for text in cards)


def meld_name(cards: Sequence[str]) -> str:
    """Return what a meld is: ``a set of 7s`` or ``a sequence``."""
    ranks = {text[0] for text in cards}
    return f"a set of {rank_name(ranks.pop())}" if len(ranks) == 1 else "a sequence"


@dataclass
class _Table:
    """What lies where, followed from event to event."""

    hands: list[list[str]]
    stock: int
    discards: list[str] = field(default_factory=list)
    melds: list[list[list[str]]] = field(default_factory=list)
    changed: bool = False

    def apply(self, event: Mapping[str, Any]) -> None:
        kind, seat, cards = event["event"], event.get("seat", 0), event.get("cards", [])
        hand = self.hands[seat]
        if kind == "draw":
            hand.extend(cards)
            self.stock -= 1
        elif kind == "take_discard":
            hand.append(self.discards.pop())
        elif kind in ("meld", "extend"):
            remove_cards(hand, cards)
            self._lay(seat, event["meld"], event["now"])
        elif kind == "discard":
            remove_cards(hand if event["from_meld"] is None else self.melds[seat][event["from_meld"]], cards)
            self.discards.extend(cards)
        elif kind == "reshuffle":
            self.stock = len(event["stock"])
            self.discards = self.discards[-1:]

    def _lay(self, seat: int, number: int, now: Sequence[str]) -> None:
        melds = self.melds[seat]
        if number == len(melds):
            melds.append([])
        melds[number] = list(now)
        self.changed = True


def narrate(events: Sequence[Mapping[str, Any]], width: int = WIDTH) -> Iterator[Line]:
    """Tell one deal.

    Parameters
    ----------
    events
        A deal's events as `kernels.loba.events.decode` returns them: first ``deal``, last ``end``.
    width
        Columns of a paragraph.

    Yields
    ------
    tuple of str
        Role and text of each line.
    """
    deal, end = events[0], events[-1]
    players = len(deal["hands"])
    table = _Table([list(hand) for hand in deal["hands"]], len(deal["stock"]), melds=[[] for _ in range(players)])
    out = [not hand for hand in deal["hands"]]
    notes = [", out of the match" if is_out else "" for is_out in out]
    yield from title_lines("Loba", deal, notes, paired=False)
    yield from _redeals(events)
    yield from _hands(table, deal)
    yield "heading", "Play"
    turns = list(
        turns_of([*(event for event in events[1:-1] if event["event"] != "redeal"), *_nothing_to_draw(events)])
    )
    still_in = players - sum(out)
    for index, turn_events in enumerate(turns):
        yield from _turn(turn_events, table, width)
        last = index == len(turns) - 1
        if table.changed and (last or (index + 1) % still_in == 0):
            yield from _drawn(table, out, f"The table after turn {turn_events[0]['turn']}", width)
            table.changed = False
    if end["reason"] != UNFINISHED:
        yield from _score(end, deal, out)


def _redeals(events: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    redeals = sum(event["event"] == "redeal" for event in events)
    if redeals:
        times = "once more" if redeals == 1 else f"{redeals} times more"
        yield "text", f"A joker came to be exposed: the cards were shuffled and dealt {times}."
        yield "text", ""


def _hands(table: _Table, deal: Mapping[str, Any]) -> Iterator[Line]:
    yield "heading", "Hands"
    for seat, cards in enumerate(table.hands):
        yield "text", f"  seat {seat}    {hand_text(cards)}"
    yield "text", f"  stock     {number(table.stock, 'card')} over the exposed {card(deal['exposed'])}"
    yield "text", ""


def _nothing_to_draw(events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the last turn of a round without a winner, in which nothing is logged, as an event."""
    end = events[-1]
    if end["reason"] != "no_winner":
        return []
    hands = events[0]["hands"]
    after = events[-2]["seat"] if events[-2]["turn"] < end["turn"] else events[-2]["seat"] - 1
    while True:
        after = (after + 1) % len(hands)
        if hands[after]:
            return [{"event": OUT_OF_CARDS, "turn": end["turn"], "seat": after}]


def _turn(events: Sequence[Mapping[str, Any]], table: _Table, width: int) -> Iterator[Line]:
    sentences = []
    for event in events:
        sentences.append(_sentence(event, table))
        table.apply(event)
    yield from turn_lines(events, sentences, width)


def _sentence(event: Mapping[str, Any], table: _Table) -> str:
    kind, cards = event["event"], event.get("cards", [])
    if kind == "draw":
        return f"Draws {card(cards[0])}."
    if kind == "take_discard":
        return f"Takes {card(cards[0])} from the discards."
    if kind == "meld":
        return f"Lays {meld_name(event['now'])}: {meld_text(event['now'])}."
    if kind == "extend":
        return f"Adds {card_list(cards)}: {meld_text(event['now'])}."
    if kind == "discard":
        place = (
            "" if event["from_meld"] is None else f" from {meld_text(table.melds[event['seat']][event['from_meld']])}"
        )
        return f"Discards {card(cards[0])}{place}."
    if kind == "reshuffle":
        return f"The stock is empty: {number(len(event['stock']), 'discard')} become the new one."
    if kind == OUT_OF_CARDS:
        return "No card is left to draw, so the round ends without a winner."
    if kind == "go_out":
        return "Goes out with everything laid at once!" if event["all_at_once"] else "Goes out!"
    return f"{kind.replace('_', ' ')}."


def _drawn(table: _Table, out: Sequence[bool], caption: str, width: int) -> Iterator[Line]:
    yield "table", f"      ┌─ {caption} " + "─" * max(0, width - 11 - len(caption))
    for seat, hand in enumerate(table.hands):
        if not out[seat]:
            melds = "   ".join(map(meld_text, table.melds[seat])) or "nothing laid"
            yield "table", f"      │ seat {seat}  {melds}"
            yield "table", f"      │         hand: {hand_text(hand)}"
    discards = f"discards under {card(table.discards[-1])}" if table.discards else "no discards"
    yield "table", f"      └ {discards}, {table.stock} in the stock"


def _score(end: Mapping[str, Any], deal: Mapping[str, Any], out: Sequence[bool]) -> Iterator[Line]:
    yield "text", ""
    yield "heading", f"Score: {REASONS[end['reason']]}, after {number(end['turn'], 'turn')}"
    lines = [score_lines(detail, is_out) for detail, is_out in zip(end["detail"], out, strict=True)]
    yield from score_table(end, deal, lines, paired=False, void=end["reason"] != "went_out")


def score_lines(detail: Mapping[str, int], is_out: bool = False) -> Iterator[tuple[str, int]]:
    """Explain a seat's score line by line (LOB-14, LOB-15).

    Parameters
    ----------
    detail
        A seat's entry of the ``end`` event.
    is_out
        Whether the seat is out of the match.

    Yields
    ------
    tuple of str and int
        What the points are for, in words, and the points.
    """
    if is_out:
        yield "out of the match", 0
        return
    if detail["hand"]:
        doubled = ", doubled since everything was laid at once" if detail["factor"] > 1 else ""
        yield "cards in hand" + doubled, detail["hand"]
    else:
        yield "no card left", 0
    if detail["bonus"]:
        yield "everything laid at once", detail["bonus"]
