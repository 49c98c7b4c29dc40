"""Words for the story of a deal: what the `narration` modules of the games share; no numba.

A line has a role (``title``, ``heading``, ``text``, ``table``, ``good``, ``bad``), from which a terminal chooses its
colours.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kernels.cards import JOKER_TEXT, SUIT_SYMBOLS, SUITS

Line = tuple[str, str]
Event = Mapping[str, Any]

WIDTH = 100
SIDES = 2
OUT_OF_CARDS = "out_of_cards"
"""Event that only the narration knows: a card must be drawn, and nothing is left."""

RANK_NAMES = {"J": "Jacks", "Q": "Queens", "K": "Kings", "A": "Aces", "T": "10s"}


def card(text: str) -> str:
    """Return a card as players write it: ``10♥`` for TH, ``joker`` for a printed one."""
    if text == JOKER_TEXT:
        return "joker"
    rank = "10" if text[0] == "T" else text[0]
    return rank + SUIT_SYMBOLS[SUITS.index(text[1])]


def card_list(cards: Iterable[str]) -> str:
    """Return cards in the order given, without marks."""
    return " ".join(map(card, cards))


def is_wild(text: str) -> bool:
    """Whether a card of a meld is wild: a joker or a 2, for no 2 is laid as itself."""
    return text == JOKER_TEXT or text[0] == "2"


def meld_text(cards: Sequence[str]) -> str:
    """Return a meld as it lies, its wild cards in brackets."""
    return " ".join(f"[{card(text)}]" if is_wild(text) else card(text) for text in cards)


def rank_name(rank: str) -> str:
    """Return the name of several cards of a rank, as ``Kings`` or ``7s``."""
    return RANK_NAMES.get(rank, rank + "s")


def number(count: int, one: str) -> str:
    """Return so many things in words, as ``1 point`` or ``1,200 points``."""
    return f"{count:,} {one}" if abs(count) == 1 else f"{count:,} {one}s"


def counted(count: int, one: str, many: str, each: int) -> str:
    """Return things of equal points in words, as ``2 canastas, 300 each``."""
    return f"1 {one}" if count == 1 else f"{count} {many}, {each} each"


def side_name(side: int, paired: bool) -> str:
    """Return what a side is called: in a game that is not played in pairs, by its only seat."""
    return f"Side {side}" if paired else f"Seat {side}"


def seats_text(side: int, players: int) -> str:
    """Return the seats of a side of two in words."""
    seats = [str(seat) for seat in range(players) if seat % SIDES == side]
    return ("seat " if len(seats) == 1 else "seats ") + " and ".join(seats)


def remove_cards(cards: list[str], leaving: Iterable[str]) -> None:
    """Take cards out of a list, as far as they are there."""
    for text in leaving:
        if text in cards:
            cards.remove(text)


def title_lines(game: str, deal: Event, notes: Sequence[str] = (), *, paired: bool = True) -> Iterator[Line]:
    """Yield which deal it is and who plays.

    Parameters
    ----------
    notes
        What follows on each side, if anything.
    paired
        Whether seats 0, 2 and 1, 3 are the sides; otherwise everybody plays for himself.
    """
    match, players = deal.get("match"), len(deal["hands"])
    which = f"deal {deal['deal']}" if match is None else f"match {match}, hand {deal['deal']}"
    yield "title", f"{game} · {which} of seed {deal['seed']}"
    sides = SIDES if paired else players
    for side in range(sides):
        own = [deal["policies"][seat] for seat in range(players) if seat % sides == side]
        playing = own[0] if len(set(own)) == 1 else " and ".join(own)
        before = deal.get("scores_before") or []
        score = f", {number(before[side], 'point')} so far" if match is not None and before else ""
        seats = f" {seats_text(side, players)}," if paired else ""
        note = notes[side] if notes else ""
        yield "text", f"{side_name(side, paired)}:{seats} playing {playing}{score}{note}."
    yield "text", f"Seat {deal['dealer']} deals and seat {deal['first']} plays first."
    yield "text", ""


def turns_of(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield the events of each turn."""
    turn: list[Event] = []
    for event in events:
        if turn and (event["turn"], event["seat"]) != (turn[0]["turn"], turn[0]["seat"]):
            yield turn
            turn = []
        turn.append(event)
    if turn:
        yield turn


def out_of_cards(events: Sequence[Event]) -> Event:
    """Return the end of a hand that ran out of cards as an event of its last turn, in which nothing may be logged."""
    deal, end = events[0], events[-1]
    seat = (deal["first"] + end["turn"] - 1) % len(deal["hands"])
    return {"event": OUT_OF_CARDS, "turn": end["turn"], "seat": seat}


def turn_lines(events: Sequence[Event], sentences: Iterable[str], width: int) -> Iterator[Line]:
    """Yield a turn as a paragraph under its number and seat; going out is good news."""
    head = f"{events[0]['turn']:>4}  seat {events[0]['seat']}  "
    text = " ".join(sentence for sentence in sentences if sentence)
    role = "good" if any(event["event"] == "go_out" for event in events) else "text"
    for line in textwrap.wrap(
        text, width, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=False
    ):
        yield role, line


def side_lines(side: int, lines: Sequence[str]) -> Iterator[Line]:
    """Yield what a side has on the table, in the frame of a table that is drawn."""
    head = f"      │ side {side}  "
    for number, line in enumerate(lines or ["nothing yet"]):
        yield "table", (head if number == 0 else "      │         ") + line


def score_table(
    end: Event, deal: Event, lines: Sequence[Iterable[tuple[str, int]]], *, paired: bool = True, void: bool = False
) -> Iterator[Line]:
    """Yield the score of the hand: for each side what the points are for, the total, and who wins.

    Parameters
    ----------
    lines
        By side, words and points.
    paired
        As for `title_lines`.
    void
        Whether the hand counts for nobody.
    """
    scores, before = end["scores"], deal.get("scores_before") or [0] * len(end["scores"])
    for side, detail in enumerate(end["detail"]):
        seats = f" ({seats_text(side, len(deal['hands']))})" if paired else ""
        yield "text", f"  {side_name(side, paired)}{seats}"
        for words, points in lines[side]:
            yield "text", f"    {words + ' ':.<60} {points:>+7,}"
        yield "heading", f"    {'Total ':.<60} {detail['total']:>+7,}"
        if deal.get("match") is not None:
            yield "text", f"    {'With the hands before ':.<60} {before[side] + scores[side]:>+7,}"
    # In a match a seat that is out was dealt no hand.
    playing = [side for side in range(len(scores)) if paired or deal["hands"][side]]
    best, second = sorted((scores[side] for side in playing), reverse=True)[:2]
    if void:
        yield "bad", "  Nobody wins the hand."
    elif best == second:
        who = "Both sides have" if len(scores) == SIDES and paired else "Several have"
        yield "bad", f"  {who} the same: nobody wins the hand."
    else:
        winner = side_name(next(side for side in playing if scores[side] == best), paired)
        yield "good", f"  {winner} wins the hand by {number(best - second, 'point')}."
