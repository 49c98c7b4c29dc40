"""What a search of mau-mau weighs, in words: its options as events of the log, and the position as the seat sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.cards import JACK, SUITS, card_texts
from kernels.mau_mau.layout import DRAWN_FOR_EIGHT, HOLDING_BITS, HOLDING_JACKS
from kernels.mau_mau.narration import ANY, SUIT_NAMES, hand_text
from kernels.telling import card, card_list, number
from kernels.word_pairs import texts_of

Values = Mapping[str, Any]
Told = tuple[dict[str, Any] | None, str]


def told(question: str, option: np.void, table: np.void, _given: Sequence[int], _values: Values) -> Told:
    """Return an option as an event of the log, None for doing nothing, and in words.

    Parameters
    ----------
    option
        Dtype `kernels.mau_mau.search.OPTION`.
    table
        Dtype `kernels.mau_mau.layout.TABLE_LAYOUT`.
    """
    if option["card"] < 0:
        if question == "choose_answer":
            drawn = number(int(table["pending"]), "card")
            return {"event": "draw", "why": "eight"}, f"Draw {drawn} for the {_eights(table)}"
        return None, "Keep the card just drawn"
    cards = card_texts([int(option["card"])])
    if option["second"] >= 0:
        cards += card_texts([int(option["second"])])
    event: dict[str, Any] = {"event": "play", "cards": cards}
    words = f"Play {card_list(cards)}"
    if option["card"] & 15 != JACK:
        return {**event, "suit": None}, words
    if question == "choose_drawn":
        # What it announces is another question.
        return event, words
    suit = SUITS[int(option["suit"])] if option["suit"] >= 0 else None
    asks = f"and ask for {SUIT_NAMES[suit]}" if suit else "and ask for nothing"
    return {**event, "suit": suit}, f"{words} {asks}"


def _eights(table: np.void) -> str:
    return "8" if table["pending"] <= DRAWN_FOR_EIGHT else "8s"


def seen(question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> Iterator[tuple[str, str]]:
    """Yield what the seat knows, line by line: what it is called, and the cards or numbers."""
    players = int(values["players"])
    yield "hand", hand_text(texts_of(given[0], given[1]))
    if question == "choose_drawn":
        yield "just drawn", card(card_texts([given[2]])[0])
    lixo = card_texts(table["pile"][: int(table["pile_size"])].tolist())
    yield "on top", card(lixo[-1]) + _asks(lixo[-1], table)
    yield "under it", card_list(lixo[-2::-1]) or "nothing"
    hands = [str(int(count)) for count in table["hand_count"][:players]]
    yield "cards in hand", f"{', '.join(hands)} by seat; {int(table['stock_left'])} in the stock"
    direction = "to the left" if table["direction"] > 0 else "to the right"
    yield "next to play", f"seat {(seat + int(table['direction'])) % players}, {direction}"
    fines = {player: int(table["fines"][player]) for player in range(players)}
    if any(fines.values()):
        told_fines = ", ".join(f"{count} of seat {player}" for player, count in fines.items() if count)
        barred = [f"seat {player}" for player in range(players) if int(table["barred"]) >> player & 1]
        yield "fines", f"{told_fines}; barred: {', '.join(barred) or 'nobody'}"
    for player in range(players):
        shown = _shown(int(table["may_hold"][player]), int(table["hand_count"][player]))
        if shown and player != seat:
            yield f"seat {player} holds", shown


def _asks(top: str, table: np.void) -> str:
    """What the card on top asks for, if that is not its own suit or rank."""
    if table["suit"] >= 0:
        return f", {SUIT_NAMES[SUITS[int(table['suit'])]]} or a Jack"
    return f", {ANY}" if top[0] == "J" and any_follows(int(table["follow"])) else ""


def any_follows(follow: int) -> bool:
    """Whether any card follows, by the word of those that do (MAU-13)."""
    return all(follow >> 16 * suit & 0x7FFC == 0x7FFC for suit in range(4))


def most_of(word: int, lane: int) -> int:
    """Cards of a hand that may be of a suit, or Jacks for `HOLDING_JACKS`, by its word of `may_hold`."""
    return word >> HOLDING_BITS * lane & (1 << HOLDING_BITS) - 1


def _shown(word: int, held: int) -> str:
    """What a player has shown not to hold, in words."""
    parts = []
    for lane in range(HOLDING_JACKS + 1):
        most = most_of(word, lane)
        what = SUIT_NAMES[SUITS[lane]] if lane < HOLDING_JACKS else "Jacks"
        if most < held:
            parts.append(f"at most {most} {what}" if most else f"no {what}")
    return ", ".join(parts)
