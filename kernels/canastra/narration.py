"""A deal of canastra told to a player: from the events of a replay to lines of text.

Curingas stand in brackets, at the place they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kernels.cards import JOKER_TEXT, RANKS
from kernels.telling import (
    OUT_OF_CARDS,
    SIDES,
    UNFINISHED,
    WIDTH,
    Line,
    card,
    card_list,
    counted,
    is_wild,
    meld_text,
    number,
    out_of_cards,
    rank_name,
    remove_cards,
    score_table,
    side_lines,
    title_lines,
    turn_lines,
    turns_of,
)

CANASTRA = 7
_SUIT_ORDER = "CDSH"


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
    return "canastra suja" if any(map(is_wild, cards)) else "canastra limpa"


def _is_lavadeira(cards: Sequence[str]) -> bool:
    naturals = [text for text in cards if not is_wild(text)]
    return len({text[0] for text in naturals}) == 1


def _meld_name(cards: Sequence[str]) -> str:
    if not _is_lavadeira(cards):
        return "a sequence"
    rank = next(text[0] for text in cards if not is_wild(text))
    return f"a lavadeira of {rank_name(rank)}"


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
            remove_cards(hand, cards)
            self.red_threes[seat % SIDES].extend(cards)
            self.changed = True
        elif kind == "take_pile":
            hand.extend(self.lixo)
            self.lixo = []
        elif kind in ("meld", "extend"):
            remove_cards(hand, cards)
            self._lay(seat % SIDES, event["meld"], event["now"])
        elif kind == "discard":
            remove_cards(hand, cards)
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
    last_event = [out_of_cards(events)] if end["reason"] == "stock_out" else []
    turns = list(turns_of([*events[1:-1], *last_event]))
    for index, turn_events in enumerate(turns):
        yield from _turn(turn_events, table, width)
        last = index == len(turns) - 1
        if table.changed and (last or turn_events[0]["turn"] % table.players == 0):
            yield from _drawn(table, f"The table after turn {turn_events[0]['turn']}", width)
            table.changed = False
    if end["reason"] != UNFINISHED:
        yield from _score(end, deal, events)


def _opening(deal: Mapping[str, Any], table: _Table) -> Iterator[Line]:
    yield from title_lines("Canastra", deal)
    yield "heading", "Hands"
    for seat, cards in enumerate(table.hands):
        yield "text", f"  seat {seat}    {hand_text(cards)}"
    for morto, cards in enumerate(table.mortos):
        yield "text", f"  morto {morto}   {hand_text(cards)}"
    yield "text", f"  stock     {number(table.stock, 'card')}"
    yield "text", ""


def _turn(events: Sequence[Mapping[str, Any]], table: _Table, width: int) -> Iterator[Line]:
    sentences = []
    previous = ""
    for event in events:
        before = _meld_before(event, table)
        if event["event"] == OUT_OF_CARDS:
            sentences.append(_out_of_cards_sentence(table, previous))
        else:
            sentences.append(_sentence(event, table, before, previous))
        table.apply(event)
        previous = event["event"]
    yield from turn_lines(events, sentences, width)


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
        return f"Takes the lixo of {size}: {card_list(cards)}." if size > 1 else f"Takes the lixo: {card(cards[0])}."
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
    return f"Adds {card_list(event['cards'])}: {meld_text(now)}" + (news or ".")


def _drawn(table: _Table, caption: str, width: int) -> Iterator[Line]:
    yield "table", f"      ┌─ {caption} " + "─" * max(0, width - 11 - len(caption))
    for side in range(SIDES):
        lines = [_meld_line(cards) for cards in table.melds[side]]
        if table.red_threes[side]:
            lines.append("red threes " + card_list(table.red_threes[side]))
        yield from side_lines(side, lines)
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
    yield "text", ""
    reason = "a batida" if end["reason"] == "batida" else "the cards ran out, without a batida"
    yield "heading", f"Score: {reason}, after {number(end['turn'], 'turn')}"
    taken = {event["seat"] % SIDES for event in events if event["event"] == "take_morto"}
    lines = [score_lines(detail, deal["options"], side in taken) for side, detail in enumerate(end["detail"])]
    yield from score_table(end, deal, lines)


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
        yield counted(clean, "canastra limpa", "canastras limpas", 200), detail["clean_canastras"]
    if dirty:
        yield counted(dirty, "canastra suja", "canastras sujas", 100), detail["dirty_canastras"]
    if detail["cards_on_table"]:
        yield (
            counted(detail["cards_on_table"] // 10, "card on the table", "cards on the table", 10),
            detail["cards_on_table"],
        )
    if detail["red_threes"]:
        owed = ", owed without a canastra" if detail["red_threes"] < 0 else ""
        count = abs(detail["red_threes"]) // 100
        yield counted(count, "red three", "red threes", 100) + owed, detail["red_threes"]
    if detail["red_threes_on_table"]:
        each = int(options["red_three_table_points"])
        count = detail["red_threes_on_table"] // each
        yield counted(count, "red three as a card", "red threes as cards", each), detail["red_threes_on_table"]
    if detail["cards_in_hand"]:
        yield counted(-detail["cards_in_hand"] // 10, "card in hand", "cards in hand", 10), detail["cards_in_hand"]
    if detail["no_morto"]:
        yield ("morto taken, but not opened in time" if morto_taken else "no morto taken"), detail["no_morto"]
    if not any(value for name, value in detail.items() if name != "total"):
        yield "nothing laid, nothing left", 0
