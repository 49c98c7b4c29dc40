"""A deal of canasta told to a player: from the events of a replay to lines of text.

Wild cards stand in brackets.
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

CANASTA = 7
NATURAL, MIXED = 500, 300


def card_points(text: str) -> int:
    """Value of a card (KAN-03); a red three has none among the cards."""
    if text == JOKER_TEXT:
        return 50
    if text[0] in "2A":
        return 20
    if text in ("3D", "3H"):
        return 0
    return 10 if text[0] in "89TJQK" else 5


def minimum_for(score: int) -> int:
    """Points that a first meld needs (KAN-13)."""
    if score < 0:
        return 15
    return 50 if score < 1500 else 90 if score < 3000 else 120


def hand_text(cards: Iterable[str]) -> str:
    """Return a hand sorted by rank, the ranks set apart; wild cards and threes last."""
    groups: dict[str, list[str]] = {}
    for text in sorted(cards, key=_order):
        groups.setdefault("wild" if is_wild(text) else text[0], []).append(text)
    return "  ".join(card_list(group) for group in groups.values()) or "no cards"


def _order(text: str) -> tuple[int, int, str]:
    if text == JOKER_TEXT:
        return 1, 1, text
    return (2 if text[0] == "3" else 1 if text[0] == "2" else 0), RANKS.index(text[0]) if text[0] != "2" else 0, text


def canasta_text(cards: Sequence[str]) -> str:
    """Return ``natural canasta`` or ``mixed canasta`` for a meld of seven or more (KAN-18), else nothing."""
    if len(cards) < CANASTA:
        return ""
    return "mixed canasta" if any(map(is_wild, cards)) else "natural canasta"


def meld_name(cards: Sequence[str]) -> str:
    """Return the rank of a meld in words, as ``Kings`` or ``black threes``."""
    rank = next(text[0] for text in cards if not is_wild(text))
    return "black threes" if rank == "3" else rank_name(rank)


@dataclass
class _Table:
    """What lies where, followed from event to event."""

    hands: list[list[str]]
    pile: list[str]
    stock: int
    black_three_freezes: bool
    minimums: list[int]
    frozen: bool = False
    melds: list[list[list[str]]] = field(default_factory=lambda: [[] for _ in range(SIDES)])
    red_threes: list[list[str]] = field(default_factory=lambda: [[] for _ in range(SIDES)])
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
            hand.extend(self.pile)
            self.pile = []
            self.frozen = False
        elif kind in ("meld", "extend"):
            remove_cards(hand, cards)
            self._lay(seat % SIDES, event["meld"], event["now"])
        elif kind == "discard":
            remove_cards(hand, cards)
            self.pile.extend(cards)
            self.frozen = self.frozen or self.freezes(cards[0])

    def freezes(self, text: str) -> bool:
        """Whether a discard freezes the pile (KAN-08, KAN-09)."""
        return is_wild(text) or (self.black_three_freezes and text in ("3C", "3S"))

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
        A deal's events as `kernels.canasta.events.decode` returns them: first ``deal``, last ``end``.
    width
        Columns of a paragraph.

    Yields
    ------
    tuple of str
        Role and text of each line.
    """
    deal, end = events[0], events[-1]
    table = _Table(
        hands=[list(hand) for hand in deal["hands"]],
        pile=list(deal["pile"]),
        stock=len(deal["stock"]),
        black_three_freezes=bool(deal["options"]["black_three_freezes"]),
        minimums=[minimum_for(score) for score in deal["scores_before"]],
    )
    table.frozen = any(is_wild(text) or text in ("3D", "3H") for text in table.pile) or table.freezes(table.pile[-1])
    yield from title_lines("Canasta", deal, [f"; a first meld needs {minimum}" for minimum in table.minimums])
    yield from _hands(table)
    yield "heading", "Play"
    last_event = [out_of_cards(events)] if end["reason"] == "stock_out" else []
    turns = list(turns_of([*events[1:-1], *last_event]))
    players = len(table.hands)
    for index, turn_events in enumerate(turns):
        yield from _turn(turn_events, table, width)
        last = index == len(turns) - 1
        if table.changed and (last or turn_events[0]["turn"] % players == 0):
            yield from _drawn(table, f"The table after turn {turn_events[0]['turn']}", width)
            table.changed = False
    if end["reason"] != UNFINISHED:
        yield from _score(end, deal)


def _hands(table: _Table) -> Iterator[Line]:
    yield "heading", "Hands"
    for seat, cards in enumerate(table.hands):
        yield "text", f"  seat {seat}    {hand_text(cards)}"
    frozen = ", frozen" if table.frozen else ""
    yield "text", f"  pile      {card_list(table.pile)}{frozen}"
    yield "text", f"  stock     {number(table.stock, 'card')}"
    yield "text", ""


def _turn(events: Sequence[Mapping[str, Any]], table: _Table, width: int) -> Iterator[Line]:
    side = int(events[0]["seat"]) % SIDES
    opens = not table.melds[side]
    laid = [text for event in events if event["event"] in ("meld", "extend") for text in event["cards"]]
    last_laid = max((index for index, event in enumerate(events) if event["event"] in ("meld", "extend")), default=-1)
    sentences = []
    for index, event in enumerate(events):
        sentences.append(_sentence(event, events[index - 1]["event"] if index else "", table))
        table.apply(event)
        if opens and index == last_laid:
            points = sum(map(card_points, laid))
            sentences.append(f"That is {points} for the side's first meld, which needs {table.minimums[side]}.")
    yield from turn_lines(events, sentences, width)


def _sentence(event: Mapping[str, Any], previous: str, table: _Table) -> str:
    kind = event["event"]
    cards = event.get("cards", [])
    if kind in ("meld", "extend"):
        return _meld_sentence(event, table)
    if kind == "draw":
        return f"Draws {card(cards[0])}" + (" for it." if event.get("why") == "red_three" else ".")
    if kind == "red_three":
        return f"Lays the red three {card(cards[0])} aside" + (", from the pile." if previous == "take_pile" else ".")
    if kind == "take_pile":
        frozen = "frozen pile" if table.frozen else "pile"
        return f"Takes the {frozen} of {len(cards)}: {card_list(cards)}."
    if kind == "decline_pile":
        return "No card is left to draw; declines the pile, so the hand ends."
    if kind == OUT_OF_CARDS:
        return "" if previous == "decline_pile" else "No card is left to draw; cannot take the pile, so the hand ends."
    if kind == "ask":
        return f"Asks the partner whether to go out: {'yes' if event['answer'] else 'no'}."
    if kind == "discard":
        return f"Discards {card(cards[0])}{_effect(cards[0], table)}."
    if kind == "pass":
        return "Does not discard."
    if kind == "go_out":
        return "Goes out concealed!" if event["concealed"] else "Goes out!"
    return f"{kind.replace('_', ' ')}."


def _effect(text: str, table: _Table) -> str:
    if table.freezes(text) and not table.frozen:
        return ", which freezes the pile"
    return ", which stops the next player" if text[0] == "3" else ""


def _meld_sentence(event: Mapping[str, Any], table: _Table) -> str:
    now = event["now"]
    became = canasta_text(now)
    if event["event"] == "meld":
        return f"Lays {meld_name(now)}: {meld_text(now)}" + (f", a {became}!" if became else ".")
    before = table.melds[int(event["seat"]) % SIDES][int(event["meld"])]
    news = "."
    if became and not canasta_text(before):
        news = f", a {became}!"
    elif became and became != canasta_text(before):
        news = f", now a {became}."
    return f"Adds {card_list(event['cards'])}: {meld_text(now)}{news}"


def _drawn(table: _Table, caption: str, width: int) -> Iterator[Line]:
    yield "table", f"      ┌─ {caption} " + "─" * max(0, width - 11 - len(caption))
    for side in range(SIDES):
        lines = [_meld_line(cards) for cards in table.melds[side]]
        if table.red_threes[side]:
            lines.append("red threes " + card_list(table.red_threes[side]))
        yield from side_lines(side, lines)
    for seat, hand in enumerate(table.hands):
        yield "table", f"      │ seat {seat}  {hand_text(hand)}"
    pile = f"pile of {len(table.pile)} under {card(table.pile[-1])}" if table.pile else "no pile"
    yield "table", f"      └ {pile}{', frozen' if table.frozen else ''}, {table.stock} in the stock"


def _meld_line(cards: Sequence[str]) -> str:
    name = canasta_text(cards)
    return meld_text(cards) + (f"  {name}" if name else "")


def _score(end: Mapping[str, Any], deal: Mapping[str, Any]) -> Iterator[Line]:
    reasons = {
        "went_out": "somebody went out",
        "stock_out": "the stock is used up and nobody went out",
        "red_three_last": "the last card of the stock was a red three",
    }
    yield "text", ""
    yield "heading", f"Score: {reasons[end['reason']]}, after {number(end['turn'], 'turn')}"
    yield from score_table(end, deal, [score_lines(detail) for detail in end["detail"]])


def score_lines(detail: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Explain a side's score line by line (KAN-14, KAN-15, KAN-18, KAN-19).

    Parameters
    ----------
    detail
        A side's entry of the ``end`` event: signed points by source.

    Yields
    ------
    tuple of str and int
        What the points are for, in words, and the points.
    """
    if detail["going_out"]:
        yield "going out" + (" concealed" if detail["going_out"] > 100 else ""), detail["going_out"]
    if detail["natural_canastas"]:
        count = detail["natural_canastas"] // NATURAL
        yield counted(count, "natural canasta", "natural canastas", NATURAL), detail["natural_canastas"]
    if detail["mixed_canastas"]:
        count = detail["mixed_canastas"] // MIXED
        yield counted(count, "mixed canasta", "mixed canastas", MIXED), detail["mixed_canastas"]
    if detail["red_threes"]:
        points = abs(detail["red_threes"])
        count = 4 if points == 800 else points // 100
        words = "all four red threes" if count == 4 else counted(count, "red three", "red threes", 100)
        yield words + (", owed without a meld" if detail["red_threes"] < 0 else ""), detail["red_threes"]
    if detail["melded_cards"]:
        yield "cards melded", detail["melded_cards"]
    if detail["cards_in_hand"]:
        yield "cards in hand", detail["cards_in_hand"]
    if not any(value for name, value in detail.items() if name != "total"):
        yield "nothing laid, nothing left", 0
