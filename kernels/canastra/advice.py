"""What a search of canastra weighs, in words: its options as events of the log, and the position as the seat sees it.

Curingas stand in brackets, as in the story of a deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.canastra.layout import LAVADEIRA, NEW_LAVADEIRA, NEW_SEQUENCE, SEATS, SIDES, STOP
from kernels.canastra.narration import canastra_text, hand_text
from kernels.cards import RANKS, card_text, card_texts
from kernels.telling import card, card_list, is_wild, meld_text, number

Values = Mapping[str, Any]
Told = tuple[dict[str, Any] | None, str]


def told(question: str, option: np.void, table: np.void, _given: Sequence[int], _values: Values) -> Told:
    """Return an option as an event of the log, None for doing nothing, and in words.

    Of taking the lixo the event does not say what is laid with it; the words do.

    Parameters
    ----------
    option
        Dtype `kernels.canastra.search_memory.OPTION`.
    table
        Dtype `kernels.canastra.layout.TABLE_LAYOUT`.
    """
    if question == "choose_discard":
        text = card_text(int(option["card"]))
        return {"event": "discard", "cards": [text]}, f"Discard {card(text)}"
    cards = texts_of(int(option["one"]), int(option["two"]))
    side, target = int(table["seat"]) % SIDES, int(option["target"])
    if question == "choose_draw":
        if not option["takes_lixo"]:
            return {"event": "draw"}, "Draw from the stock"
        lixo = card_texts(table["lixo"][: int(table["lixo_size"])].tolist())
        laid = _laid([*cards, lixo[-1]], target, int(option["places"]), table, side)
        return {"event": "take_pile", "cards": lixo}, f"Take the lixo of {number(len(lixo), 'card')}: {laid}"
    if target == STOP:
        return None, "Lay no more"
    laid = _laid(cards, target, int(option["places"]), table, side)
    return {"event": "meld" if target < 0 else "extend", "cards": cards}, laid[0].upper() + laid[1:]


def _laid(cards: Sequence[str], target: int, places: int, table: np.void, side: int) -> str:
    """What is laid where, in words."""
    if target in (NEW_SEQUENCE, NEW_LAVADEIRA):
        return "lay " + meld_text(_in_order(cards, places))
    wild = [text for text in cards if is_wild(text)]
    ranks = [rank for rank in range(16) if places >> rank & 1]
    added = [card(text) for text in cards if not is_wild(text)]
    if ranks:
        suit = "CDHS"[int(table["meld_suit"][side, target])]
        added += [
            f"{meld_text([text])} as {card(RANKS[rank - 2] + suit)}" for text, rank in zip(wild, ranks, strict=True)
        ]
    else:
        added += [meld_text([text]) for text in wild]
    return f"add {' '.join(added)} to {meld_text(meld_of(table, side, target))}"


def _in_order(cards: Sequence[str], places: int) -> list[str]:
    """A new meld as it lies: a sequence by rank, its curingas where they stand; a lavadeira's curingas last."""
    wild = [text for text in cards if is_wild(text)]
    naturals = sorted((text for text in cards if not is_wild(text)), key=lambda text: RANKS.index(text[0]))
    if not places:
        return naturals + wild
    waiting = dict(zip((rank for rank in range(16) if places >> rank & 1), wild, strict=True))
    placed = {RANKS.index(text[0]) + 2: text for text in naturals} | waiting
    return [placed[rank] for rank in sorted(placed)]


def meld_of(table: np.void, side: int, meld: int) -> list[str]:
    """Return the cards of a meld on the table as it lies."""
    wilds = int(table["meld_wilds"][side, meld])
    wild_cards = card_texts(table["meld_wild_cards"][side, meld, :wilds].tolist())
    if table["meld_kind"][side, meld] == LAVADEIRA:
        return texts_of(int(table["meld_one"][side, meld]), int(table["meld_two"][side, meld])) + wild_cards
    standing = dict(zip(table["meld_wild_ranks"][side, meld, :wilds].tolist(), wild_cards, strict=True))
    suit = "CDHS"[int(table["meld_suit"][side, meld])]
    low, high = int(table["meld_low"][side, meld]), int(table["meld_high"][side, meld])
    return [standing.get(rank, RANKS[rank - 2] + suit) for rank in range(low, high + 1)]


def texts_of(one: int, two: int) -> list[str]:
    """Texts of a pair of words, in the order of the log."""
    return card_texts(place for place in range(64) for word in (one, two) if word >> place & 1)


def seen(_question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> Iterator[tuple[str, str]]:
    """Yield what the seat knows, line by line: what it is called, and the cards or numbers."""
    yield "hand", hand_text(texts_of(given[0], given[1]))
    lixo = card_texts(table["lixo"][: int(table["lixo_size"])].tolist())
    yield "lixo", card_list(lixo) or "empty"
    for side in range(SIDES):
        melds = [meld_of(table, side, meld) for meld in range(int(table["meld_count"][side]))]
        shown = [meld_text(meld) + (f" ({canastra_text(meld)})" if canastra_text(meld) else "") for meld in melds]
        yield f"side {side}", "  ".join(shown) or "nothing laid yet"
        more = [number(int(table["red_threes"][side]), "red three")] if table["red_threes"][side] else []
        more += ["has its morto"] if table["morto_taken"][side] else []
        if more:
            yield "", ", ".join(more)
    players = int(values["players"])
    hands = ", ".join(str(int(count)) for count in table["hand_count"][:players])
    yield "cards in hand", f"{hands} by seat; {int(table['stock_left'])} in the stock"
    yield "mortos left", str(int(table["mortos_left"]))
    for player in range(min(players, SEATS)):
        known = texts_of(int(table["known_one"][player]), int(table["known_two"][player]))
        if known and player != seat:
            yield f"seat {player} holds", f"{card_list(known)} (taken from the lixo)"
