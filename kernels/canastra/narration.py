"""A deal of canastra told to a player: from the events of a replay to lines of text.

Each line has a role (``title``, ``heading``, ``text``, ``table``, ``good``, ``bad``), from which a terminal
chooses its colours. Curingas stand in brackets, at the place they stand for.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kernels.cards import JOKER_TEXT, RANKS, SUIT_SYMBOLS, SUITS

Line = tuple[str, str]

WIDTH = 100
CANASTRA = 7
SIDES = 2
OUT_OF_CARDS = "out_of_cards"
"""Event that only the narration knows: a card must be drawn, and nothing is left (CAN-23)."""

_SUIT_ORDER = "CDSH"
_RANK_NAMES = {"J": "Jacks", "Q": "Queens", "K": "Kings", "A": "Aces", "T": "10s"}


def card(text: str) -> str:
    """Return a card as players write it: ``10♥`` for TH, ``joker`` for a printed one."""
    if text == JOKER_TEXT:
        return "joker"
    rank = "10" if text[0] == "T" else text[0]
    return rank + SUIT_SYMBOLS[SUITS.index(text[1])]


def is_curinga(text: str) -> bool:
    """Whether a card of a meld is a curinga: a joker or a 2, for no 2 is laid as itself (CAN-12 to CAN-14)."""
    return text == JOKER_TEXT or text[0] == "2"


def meld_text(cards: Sequence[str]) -> str:
    """Return a meld as it lies, its curingas in brackets."""
    return " ".join(f"[{card(text)}]" if is_curinga(text) else card(text) for text in cards)


def hand_text(cards: Iterable[str]) -> str:
    """Return a hand sorted by suit, black and red in turn, the suits set apart; curingas and threes last."""
    groups: dict[str, list[str]] = {suit: [] for suit in _SUIT_ORDER}
    special: list[str] = []
    for text in cards:
        (special if text == JOKER_TEXT or text[0] in "23" else groups[text[1]]).append(text)
    for group in groups.values():
        group.sort(key=lambda text: RANKS.index(text[0]))
    special.sort(key=lambda text: (-1, text) if text == JOKER_TEXT else (RANKS.index(text[0]), text))
    shown = [" ".join(map(card, group)) for group in (*groups.values(), special) if group]
    return "  ".join(shown) or "no cards"


def canastra_text(cards: Sequence[str]) -> str:
    """Return ``canastra limpa`` or ``canastra suja`` for a meld of seven or more (CAN-17), else nothing."""
    if len(cards) < CANASTRA:
        return ""
    return "canastra suja" if any(map(is_curinga, cards)) else "canastra limpa"


def seats_text(side: int, players: int) -> str:
    """Return the seats of a side in words."""
    seats = [str(seat) for seat in range(players) if seat % SIDES == side]
    return ("seat " if len(seats) == 1 else "seats ") + " and ".join(seats)


def _is_lavadeira(cards: Sequence[str]) -> bool:
    naturals = [text for text in cards if not is_curinga(text)]
    return len({text[0] for text in naturals}) == 1


def _meld_name(cards: Sequence[str]) -> str:
    if not _is_lavadeira(cards):
        return "a sequence"
    rank = next(text[0] for text in cards if not is_curinga(text))
    return f"a lavadeira of {_RANK_NAMES.get(rank, rank + 's')}"


def _remove(cards: list[str], leaving: Iterable[str]) -> None:
    for text in leaving:
        if text in cards:
            cards.remove(text)


@dataclass
class _Table:
    """What lies where, followed from event to event."""

    players: int
    hands: list[list[str]]
    mortos: list[list[str]]
    stock: int
    melds: list[list[list[str]]] = field(default_factory=lambda: [[] for _ in range(SIDES)])
    red_threes: list[list[str]] = field(default_factory=lambda: [[] for _ in range(SIDES)])
    lixo: list[str] = field(default_factory=list)
    mortos_left: int = 2
    closed: set[int] = field(default_factory=set)
    changed: bool = False

    def apply(self, event: Mapping[str, Any]) -> None:
        kind, seat, cards = event["event"], event.get("seat", 0), event.get("cards", [])
        hand = self.hands[seat]
        if kind == "draw":
            hand.extend(cards)
            self.stock -= len(cards)
        elif kind == "red_three":
            _remove(hand, cards)
            self.red_threes[seat % SIDES].extend(cards)
            self.changed = True
        elif kind == "take_pile":
            hand.extend(self.lixo)
            self.lixo = []
        elif kind in ("meld", "extend"):
            _remove(hand, cards)
            self._lay(seat % SIDES, event["meld"], event["now"])
        elif kind == "discard":
            _remove(hand, cards)
            self.lixo.extend(cards)
        elif kind == "take_morto":
            self.mortos_left -= 1
            if event["when"] == "at_once":
                hand.extend(self.mortos[event["morto"]])
            else:
                self.closed.add(seat)
        elif kind == "morto_opened":
            hand.extend(cards)
            self.closed.discard(seat)
        elif kind == "morto_to_stock":
            self.mortos_left -= 1
            self.stock += len(cards)

    def _lay(self, side: int, number: int, now: Sequence[str]) -> None:
        melds = self.melds[side]
        if number == len(melds):
            melds.append([])
        melds[number] = list(now)
        self.changed = True


def narrate(events: Sequence[Mapping[str, Any]], width: int = WIDTH) -> Iterator[Line]:
    """Tell one deal.

    Parameters
    ----------
    events
        A deal's events as `kernels.canastra.events.decode` returns them: first ``deal``, last ``end``.
    width
        Columns of a paragraph.

    Yields
    ------
    tuple of str
        Role and text of each line.
    """
    deal, end = events[0], events[-1]
    table = _Table(
        players=len(deal["hands"]),
        hands=[list(hand) for hand in deal["hands"]],
        mortos=[list(morto) for morto in deal["mortos"]],
        stock=len(deal["stock"]),
    )
    yield from _opening(deal, table)
    yield "heading", "Play"
    turns = list(_turns([*events[1:-1], *_last_turn(events)]))
    for index, turn_events in enumerate(turns):
        yield from _turn(turn_events, table, width)
        last = index == len(turns) - 1
        if table.changed and (last or turn_events[0]["turn"] % table.players == 0):
            yield from _drawn(table, f"The table after turn {turn_events[0]['turn']}", width)
            table.changed = False
    yield from _score(end, deal, events)


def _opening(deal: Mapping[str, Any], table: _Table) -> Iterator[Line]:
    hand = deal["deal"]
    match = deal.get("match")
    number = f"deal {hand}" if match is None else f"match {match}, hand {hand}"
    yield "title", f"Canastra · {number} of seed {deal['seed']}"
    policies = deal["policies"]
    for side in range(SIDES):
        own = [policies[seat] for seat in range(table.players) if seat % SIDES == side]
        playing = own[0] if len(set(own)) == 1 else " and ".join(own)
        before = deal.get("scores_before") or []
        score = f", {_number(before[side], 'point')} so far" if match is not None and before else ""
        yield "text", f"Side {side}: {seats_text(side, table.players)}, playing {playing}{score}."
    yield "text", f"Seat {deal['dealer']} deals and seat {deal['first']} plays first."
    yield "text", ""
    yield "heading", "Hands"
    for seat, cards in enumerate(table.hands):
        yield "text", f"  seat {seat}    {hand_text(cards)}"
    for morto, cards in enumerate(table.mortos):
        yield "text", f"  morto {morto}   {hand_text(cards)}"
    yield "text", f"  stock     {_number(table.stock, 'card')}"
    yield "text", ""


def _turns(events: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    turn: list[Mapping[str, Any]] = []
    for event in events:
        if turn and (event["turn"], event["seat"]) != (turn[0]["turn"], turn[0]["seat"]):
            yield turn
            turn = []
        turn.append(event)
    if turn:
        yield turn


def _last_turn(events: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the end of a hand that ran out of cards as an event of its last turn, in which nothing may be logged."""
    deal, end = events[0], events[-1]
    if end["reason"] != "batida":
        seat = (deal["first"] + end["turn"] - 1) % len(deal["hands"])
        yield {"event": OUT_OF_CARDS, "turn": end["turn"], "seat": seat}


def _turn(events: Sequence[Mapping[str, Any]], table: _Table, width: int) -> Iterator[Line]:
    sentences = []
    previous = ""
    went_out = False
    for event in events:
        before = _meld_before(event, table)
        if event["event"] == OUT_OF_CARDS:
            sentences.append(_out_of_cards_sentence(table, previous))
        else:
            sentences.append(_sentence(event, table, before, previous))
        table.apply(event)
        previous = event["event"]
        went_out = went_out or previous == "go_out"
    head = f"{events[0]['turn']:>4}  seat {events[0]['seat']}  "
    text = " ".join(sentence for sentence in sentences if sentence)
    role = "good" if went_out else "text"
    for line in textwrap.wrap(
        text, width, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=False
    ):
        yield role, line


def _out_of_cards_sentence(table: _Table, previous: str) -> str:
    if previous == "decline_pile":
        return ""
    if table.lixo:
        return "No card is left to draw; cannot take the lixo, so the hand ends."
    return "No card is left to draw, and there is no lixo to take, so the hand ends."


def _meld_before(event: Mapping[str, Any], table: _Table) -> list[str]:
    if event["event"] != "extend":
        return []
    return table.melds[int(event["seat"]) % SIDES][int(event["meld"])]


def _sentence(event: Mapping[str, Any], table: _Table, before: Sequence[str], previous: str) -> str:
    kind = event["event"]
    cards = event.get("cards", [])
    if kind in ("meld", "extend"):
        return _meld_sentence(event, before, previous)
    if kind == "draw":
        return f"Draws {card(cards[0])}" + (" for it." if event.get("why") == "red_three" else ".")
    if kind == "red_three":
        return f"Lays the red three {card(cards[0])} aside."
    if kind == "take_pile":
        size = len(cards)
        return f"Takes the lixo of {size}: {meld_free(cards)}." if size > 1 else f"Takes the lixo: {card(cards[0])}."
    if kind == "decline_pile":
        return "No card is left to draw; declines the lixo, so the hand ends."
    if kind == "discard":
        locks = ", which locks the lixo." if cards[0][0] == "3" else "."
        return f"Discards {card(cards[0])}{locks}"
    if kind == "take_morto":
        if event["when"] == "at_once":
            return f"Takes a morto and plays on with it: {hand_text(table.mortos[event['morto']])}."
        return "Takes a morto, unseen until the next turn."
    if kind == "morto_opened":
        return f"Opens the morto: {hand_text(cards)}."
    if kind == "morto_to_stock":
        return "The stock is used up, and a morto becomes the stock."
    if kind == "pass":
        return "Does not discard."
    return "Goes out: batida!" if kind == "go_out" else f"{kind.replace('_', ' ')}."


def meld_free(cards: Sequence[str]) -> str:
    """Return cards in the order given, without marks."""
    return " ".join(map(card, cards))


def _meld_sentence(event: Mapping[str, Any], before: Sequence[str], previous: str) -> str:
    now = event["now"]
    became = canastra_text(now)
    if event["event"] == "meld":
        tail = " to justify it" if previous == "take_pile" else ""
        return f"Lays {_meld_name(now)}{tail}: {meld_text(now)}" + (f", a {became}!" if became else ".")
    news = ""
    if became and not canastra_text(before):
        news = f", a {became}!"
    elif became and became != canastra_text(before):
        news = f", now a {became}."
    return f"Adds {meld_free(event['cards'])}: {meld_text(now)}" + (news or ".")


def _drawn(table: _Table, caption: str, width: int) -> Iterator[Line]:
    yield "table", f"      ┌─ {caption} " + "─" * max(0, width - 11 - len(caption))
    for side in range(SIDES):
        head = f"      │ side {side}  "
        lines = [_meld_line(cards) for cards in table.melds[side]]
        if table.red_threes[side]:
            lines.append("red threes " + meld_free(table.red_threes[side]))
        for number, line in enumerate(lines or ["nothing yet"]):
            yield "table", (head if number == 0 else "      │         ") + line
    for seat, hand in enumerate(table.hands):
        shown = hand_text(hand) + ("  and a closed morto" if seat in table.closed else "")
        yield "table", f"      │ seat {seat}  {shown}"
    lixo = f"lixo of {len(table.lixo)} under {card(table.lixo[-1])}" if table.lixo else "no lixo"
    mortos = {0: "no morto", 1: "one morto"}.get(table.mortos_left, f"{table.mortos_left} mortos")
    yield "table", f"      └ {lixo}, {table.stock} in the stock, {mortos}"


def _meld_line(cards: Sequence[str]) -> str:
    name = canastra_text(cards)
    return meld_text(cards) + (f"  {name}" if name else "")


def _score(end: Mapping[str, Any], deal: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> Iterator[Line]:
    players = len(deal["hands"])
    scores = end["scores"]
    yield "text", ""
    reason = "a batida" if end["reason"] == "batida" else "the cards ran out, without a batida"
    yield "heading", f"Score: {reason}, after {_number(end['turn'], 'turn')}"
    before = deal.get("scores_before") or [0] * SIDES
    taken = {event["seat"] % SIDES for event in events if event["event"] == "take_morto"}
    for side, detail in enumerate(end["detail"]):
        yield "text", f"  Side {side} ({seats_text(side, players)})"
        for words, points in score_lines(detail, deal["options"], side in taken):
            yield "text", f"    {words + ' ':.<60} {points:>+7,}"
        yield "heading", f"    {'Total ':.<60} {detail['total']:>+7,}"
        if deal.get("match") is not None:
            yield "text", f"    {'With the hands before ':.<60} {before[side] + scores[side]:>7,}"
    if scores[0] == scores[1]:
        yield "bad", "  Both sides have the same: nobody wins the hand."
    else:
        winner = 0 if scores[0] > scores[1] else 1
        yield "good", f"  Side {winner} wins the hand by {_number(abs(scores[0] - scores[1]), 'point')}."


def score_lines(detail: Mapping[str, int], options: Mapping[str, Any], morto_taken: bool) -> Iterator[tuple[str, int]]:
    """Explain a side's score line by line (CAN-22, CAN-25 to CAN-27).

    Parameters
    ----------
    detail
        A side's entry of the ``end`` event: signed points by source.
    options
        The house rules of the deal.
    morto_taken
        Whether the side took a morto, be it unopened.

    Yields
    ------
    tuple of str and int
        What the points are for, in words, and the points.
    """
    if detail["batida"]:
        yield "the batida", detail["batida"]
    clean, dirty = detail["clean_canastras"] // 200, detail["dirty_canastras"] // 100
    if clean:
        yield _counted(clean, "canastra limpa", "canastras limpas", 200), detail["clean_canastras"]
    if dirty:
        yield _counted(dirty, "canastra suja", "canastras sujas", 100), detail["dirty_canastras"]
    if detail["cards_on_table"]:
        yield (
            _counted(detail["cards_on_table"] // 10, "card on the table", "cards on the table", 10),
            detail["cards_on_table"],
        )
    if detail["red_threes"]:
        owed = ", owed without a canastra" if detail["red_threes"] < 0 else ""
        count = abs(detail["red_threes"]) // 100
        yield _counted(count, "red three", "red threes", 100) + owed, detail["red_threes"]
    if detail["red_threes_on_table"]:
        each = int(options["red_three_table_points"])
        count = detail["red_threes_on_table"] // each
        yield _counted(count, "red three as a card", "red threes as cards", each), detail["red_threes_on_table"]
    if detail["cards_in_hand"]:
        yield _counted(-detail["cards_in_hand"] // 10, "card in hand", "cards in hand", 10), detail["cards_in_hand"]
    if detail["no_morto"]:
        yield ("morto taken, but not opened in time" if morto_taken else "no morto taken"), detail["no_morto"]
    if not any(value for name, value in detail.items() if name != "total"):
        yield "nothing laid, nothing left", 0


def _number(count: int, one: str) -> str:
    return f"{count:,} {one}" if abs(count) == 1 else f"{count:,} {one}s"


def _counted(count: int, one: str, many: str, each: int) -> str:
    return f"1 {one}" if count == 1 else f"{count} {many}, {each} each"
