"""A round of mau-mau told to a player: from the events of a replay to lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kernels.cards import RANKS, SUITS
from kernels.telling import (
    UNFINISHED,
    WIDTH,
    Line,
    card,
    card_list,
    number,
    remove_cards,
    score_table,
    title_lines,
    turn_lines,
)

SUIT_NAMES = {"C": "clubs ♣", "D": "diamonds ♦", "H": "hearts ♥", "S": "spades ♠"}
FACTOR_WORDS = {2: "twice", 4: "four times", 8: "eight times"}
ANY = "any card follows"


def hand_text(cards: Iterable[str]) -> str:
    """Return a hand sorted by suit, the suits set apart."""
    suits = [[text for text in cards if text[1] == suit] for suit in SUITS]
    groups = [sorted(suit, key=lambda text: RANKS.index(text[0])) for suit in suits if suit]
    return "  ".join(map(card_list, groups)) or "no cards"


@dataclass
class _Table:
    """What lies where, followed from event to event."""

    hands: list[list[str]]
    stock: int
    lixo: list[str]
    follows: str
    barred: set[int] = field(default_factory=set)

    @property
    def players(self) -> int:
        return len(self.hands)

    def apply(self, event: Mapping[str, Any]) -> None:
        kind, seat, cards = event["event"], int(event["seat"]), event["cards"]
        if kind == "play":
            remove_cards(self.hands[seat], cards)
            self.lixo.extend(cards)
            self.follows = _follows(cards[-1], event["suit"])
        elif kind == "draw":
            self.hands[seat].extend(cards)
            self.stock -= len(cards)
        elif kind == "reshuffle":
            self.stock = len(event["stock"])
            self.lixo = self.lixo[-1:]


def _follows(top: str, suit: str | None) -> str:
    """What a card asks of the next player, in words."""
    if top[0] != "J":
        return ""
    return ANY if suit is None else f"{SUIT_NAMES[suit]} or a Jack"


def narrate(events: Sequence[Mapping[str, Any]], width: int = WIDTH) -> Iterator[Line]:
    """Tell one round.

    Parameters
    ----------
    events
        A round's events as `kernels.mau_mau.events.decode` returns them: first ``deal``, last ``end``.
    width
        Columns of a paragraph.

    Yields
    ------
    tuple of str
        Role and text of each line.
    """
    deal, end = events[0], events[-1]
    start = deal["start_card"]
    acts = deal["options"]["start_card_acts"]
    follows = ANY if acts and start[0] == "J" else ""
    table = _Table([list(hand) for hand in deal["hands"]], len(deal["stock"]), [start], follows)
    fines = deal["options"]["unable"].startswith("fine")
    yield from title_lines("Mau-mau", deal, paired=False)
    yield from _hands(table, start)
    yield "heading", "Play"
    at_start, played = _start_and_play(events[1:-1])
    if at_start:
        words = " ".join(_start_sentence(event, start) for event in at_start)
        yield "text", f"      {words}"
        for event in at_start:
            table.apply(event)
    turns = list(_turns(played))
    for index, turn in enumerate(turns):
        sentences = []
        for event in turn:
            if event["event"] == "unable" and fines:
                table.barred.add(int(event["seat"]))
            elif event["event"] == "bars_lifted":
                table.barred.clear()
            sentences.append(_sentence(event, turn, table, fines=fines))
            table.apply(event)
        yield from turn_lines(turn, sentences, width)
        circuit = (index + 1) % (2 * table.players) == 0
        if circuit and index < len(turns) - 1:
            yield from _drawn(table, int(turn[0]["turn"]), width)
    if end["reason"] != UNFINISHED:
        yield from _score(end, deal)


def _start_and_play(events: Sequence[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """Split off what the carta da partida does, before anybody's turn."""
    turn = ("play", "unable", "pass")
    first = next((at for at, event in enumerate(events) if event["event"] in turn), len(events))
    while first > 0 and events[first - 1].get("why") == "eight":
        first -= 1
    return list(events[:first]), list(events[first:])


def _turns(events: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """Yield the events of each turn, those that befall other seats in it included."""
    turn: list[Mapping[str, Any]] = []
    for event in events:
        if turn and event["turn"] != turn[0]["turn"]:
            yield turn
            turn = []
        turn.append(event)
    if turn:
        yield turn


def _hands(table: _Table, start: str) -> Iterator[Line]:
    yield "heading", "Hands"
    for seat, cards in enumerate(table.hands):
        yield "text", f"  seat {seat}    {hand_text(cards)}"
    yield "text", f"  turned up {card(start)}"
    yield "text", f"  stock     {number(table.stock, 'card')}"
    yield "text", ""


def _start_sentence(event: Mapping[str, Any], start: str) -> str:
    kind, seat = event["event"], event["seat"]
    if kind == "draw":
        return f"For the {card(start)} turned up seat {seat} draws {card_list(event['cards'])}."
    if kind == "skip":
        return f"Seat {seat} loses the first turn."
    return f"The {card(start)} turned up turns the direction of play."


def _sentence(event: Mapping[str, Any], turn: Sequence[Mapping[str, Any]], table: _Table, *, fines: bool) -> str:
    kind, seat, cards = event["event"], int(event["seat"]), event["cards"]
    if kind == "play":
        return _play_sentence(event, table)
    if kind == "draw":
        return _draw_sentence(event, turn)
    if kind == "unable":
        return _unable_sentence(event, table, fines=fines)
    if kind == "reshuffle":
        return f"The stock is empty: the lixo is shuffled into a new one of {number(len(event['stock']), 'card')}."
    return {
        "pass": "Is barred and may not play the last card: passes."
        if event.get("why") == "barred"
        else "Does not play.",
        "skip": f"Seat {seat} loses the turn.",
        "reverse": "The direction of play turns.",
        "call": f"Announces the last card ({card_list(table.hands[seat])}).",
        "bars_lifted": "Now everybody is barred, so all bars are lifted.",
        "go_out": "Goes out!",
        "void": "Nobody can go on: the round is void.",
    }.get(kind, f"{kind.replace('_', ' ')} {card_list(cards)}.")


def _play_sentence(event: Mapping[str, Any], table: _Table) -> str:
    cards, suit, seat = event["cards"], event["suit"], int(event["seat"])
    last = len(cards) == len(table.hands[seat])
    words = f"Plays {card_list(cards)}"
    if cards[-1][0] != "J" or last:
        return words + "."
    if len(cards) == 2:
        return f"{words} at once, and asks for {SUIT_NAMES[suit]}."
    return f"{words} and asks for {SUIT_NAMES[suit]}." if suit else f"{words} and announces nothing: {ANY}."


def _draw_sentence(event: Mapping[str, Any], turn: Sequence[Mapping[str, Any]]) -> str:
    seat, cards, why = event["seat"], card_list(event["cards"]), event["why"]
    if why == "eight" and seat == turn[0]["seat"]:
        return f"Draws {cards} for the 8."
    if why in ("eight", "seven"):
        return f"Seat {seat} draws {cards}."
    if why == "forgot_call":
        return f"Forgets to announce the last card and draws {cards}."
    return f"Draws {cards}."


def _unable_sentence(event: Mapping[str, Any], table: _Table, *, fines: bool) -> str:
    asked = table.follows or f"{card(table.lixo[-1])}"
    words = f"Cannot follow {asked}"
    if not fines:
        return f"{words}."
    fined = f"is fined {event['fine']} points" if event["fine"] else "is not fined again"
    return f"{words}: {fined} and barred."


def _drawn(table: _Table, turn: int, width: int) -> Iterator[Line]:
    caption = f"The table after turn {turn}"
    yield "table", f"      ┌─ {caption} " + "─" * max(0, width - 11 - len(caption))
    for seat, hand in enumerate(table.hands):
        barred = "  (barred)" if seat in table.barred else ""
        yield "table", f"      │ seat {seat}  {hand_text(hand)}{barred}"
    asked = f", {table.follows}" if table.follows else ""
    yield "table", f"      └ {card(table.lixo[-1])} on top{asked}, {number(table.stock, 'card')} in the stock"


def _score(end: Mapping[str, Any], deal: Mapping[str, Any]) -> Iterator[Line]:
    reasons = {
        "went_out": "somebody went out",
        "void": "the round is void",
        "cap": "no end is in sight, which makes the round void",
    }
    yield "text", ""
    yield "heading", f"Score: {reasons[end['reason']]}, after {number(end['turn'], 'turn')}"
    void = end["reason"] != "went_out"
    yield from score_table(end, deal, [score_lines(detail) for detail in end["detail"]], paired=False, void=void)


def score_lines(detail: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Explain a seat's score line by line (MAU-06, MAU-18, MAU-19).

    Parameters
    ----------
    detail
        A seat's entry of the ``end`` event.

    Yields
    ------
    tuple of str and int
        What the points are for, in words, and the points.
    """
    times = FACTOR_WORDS.get(detail["factor"], "")
    counted = f", counted {times}" if times else ""
    if detail["hand"]:
        yield f"cards in hand{counted}", detail["hand"]
    if detail["fines"]:
        yield "fines for not following", detail["fines"]
    if detail["fines_won"]:
        yield "fines credited to the winner", detail["fines_won"]
    if detail["collected"]:
        yield f"the losers' cards{counted}", detail["collected"]
    if not any(value for name, value in detail.items() if name not in ("total", "factor")):
        yield "nothing", 0
