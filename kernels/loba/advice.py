"""What a search of loba weighs, in words: options as events of the log, and the position as the seat sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.cards import JOKER_TEXT, card_text, card_texts
from kernels.loba.layout import MOST_RESHUFFLES
from kernels.loba.narration import hand_text, meld_name, meld_text
from kernels.telling import card, card_list, number
from kernels.word_pairs import texts_of

Values = Mapping[str, Any]
Told = tuple[dict[str, Any] | None, str]

FEWEST_DISCARDS = 3
"""So many discards must lie for those under the top one to become a stock (LOB-13)."""

_ACE = 13
"""A low ace lies so many positions below its card."""


def told(question: str, option: np.void, table: np.void, given: Sequence[int], values: Values) -> Told:
    """Return an option as an event of the log, None for doing nothing, and in words.

    Parameters
    ----------
    option
        Dtype `kernels.loba.search_memory.OPTION`.
    table
        Dtype `kernels.loba.layout.TABLE_LAYOUT`.
    given
        The hand as a pair of words.
    values
        A value for every option of the game.
    """
    del given, values
    if question == "choose_draw":
        return _drawing(bool(option["takes"]), table)
    if question == "choose_discard":
        return _discarding(int(option["card"]), int(option["meld"]), table)
    if not (option["naturals"] | option["jokers"]):
        return None, "Lay no more"
    seat, meld = int(table["seat"]), int(option["meld"])
    words = int(option["naturals"]), int(option["twice"]), int(option["jokers"])
    if meld < 0:
        cards = lying(*words, is_set=not words[2] and not _is_in_one_suit(words[0]))
        event = {"event": "meld", "cards": cards, "meld": int(table["meld_count"][seat]), "now": cards}
        return event, f"Lay {meld_name(cards)}: {meld_text(cards)}"
    is_set = bool(table["is_set"][seat, meld])
    cards = lying(*words, is_set=is_set)
    lies = [int(table[name][seat, meld]) for name in ("meld_one", "meld_two", "meld_jokers")]
    now = lying(lies[0] | words[0], lies[1] | words[1] | (lies[0] & words[0]), lies[2] | words[2], is_set=is_set)
    event = {"event": "extend", "cards": cards, "meld": meld, "now": now}
    return event, f"Add {card_list(cards)}: {meld_text(now)}"


def _drawing(takes: bool, table: np.void) -> Told:
    discards = int(table["discard_count"])
    top = card_text(int(table["discards"][discards - 1]))
    if takes:
        return {"event": "take_discard", "cards": [top]}, f"Take {card(top)} from the discards"
    if not table["stock_left"] and (table["reshuffles"] == MOST_RESHUFFLES or discards < FEWEST_DISCARDS):
        return None, f"Leave {card(top)}: no card is left to draw"
    return {"event": "draw"}, "Draw from the stock"


def _discarding(thrown: int, meld: int, table: np.void) -> Told:
    text = card_text(thrown)
    event = {"event": "discard", "cards": [text], "from_meld": None if meld < 0 else meld}
    if meld < 0:
        return event, f"Discard {card(text)}"
    lies = melds_of(table, int(table["seat"]))[meld]
    return event, f"Discard {card(text)} from meld {meld}, {meld_text(lies)}"


def seen(_question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> Iterator[tuple[str, str]]:
    """Yield what the seat knows, line by line: what it is called, and the cards or numbers."""
    players = int(values["players"])
    yield "hand", hand_text(texts_of(given[0], given[1]))
    yield "discards", card_list(discards_of(table)) or "none"
    yield "exposed", card(card_text(int(table["exposed"])))
    if table["taken"] >= 0:
        yield "taken in this turn", card(card_text(int(table["taken"])))
    for other in range(players):
        if table["playing"][other]:
            yield f"melds of seat {other}", " / ".join(map(meld_text, melds_of(table, other))) or "none"
    for other in range(players):
        known = texts_of(int(table["known_one"][other]), int(table["known_two"][other]))
        if known and other != seat:
            yield f"known of seat {other}", hand_text(known)
    hands = [str(int(count)) if table["playing"][other] else "–" for other, count in enumerate(_counts(table, players))]
    yield "cards in hand", f"{', '.join(hands)} by seat; {int(table['stock_left'])} in the stock"
    if table["reshuffles"]:
        yield "reshuffled", number(int(table["reshuffles"]), "time")


def _counts(table: np.void, players: int) -> list[int]:
    counts: list[int] = table["hand_count"][:players].tolist()
    return counts


def discards_of(table: np.void) -> list[str]:
    """The discards, bottom to top."""
    return card_texts(table["discards"][: int(table["discard_count"])].tolist())


def melds_of(table: np.void, seat: int) -> list[list[str]]:
    """Melds of a seat as they lie."""
    return [
        lying(
            int(table["meld_one"][seat, meld]),
            int(table["meld_two"][seat, meld]),
            int(table["meld_jokers"][seat, meld]),
            is_set=bool(table["is_set"][seat, meld]),
        )
        for meld in range(int(table["meld_count"][seat]))
    ]


def lying(naturals: int, twice: int, jokers: int, *, is_set: bool) -> list[str]:
    """Cards of a meld, or of what is added to it, as they lie: a set's by number, a sequence's by position."""
    if is_set:
        return texts_of(naturals, twice)
    return [
        JOKER_TEXT if jokers >> place & 1 else card_text(place + _ACE if place & 15 == 1 else place)
        for place in range(64)
        if (naturals | jokers) >> place & 1
    ]


def _is_in_one_suit(positions: int) -> bool:
    return len({place >> 4 for place in range(64) if positions >> place & 1}) == 1
