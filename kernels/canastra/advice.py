"""What a search of canastra weighs, in words: options as events of the log, and the position as the seat sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.canastra.layout import LAVADEIRA, NEW_LAVADEIRA, SIDES, STOP
from kernels.canastra.narration import canastra_text, hand_text
from kernels.cards import RANKS, card_text, card_texts
from kernels.telling import card, card_list, is_wild, meld_text, number
from kernels.word_pairs import texts_of

Values = Mapping[str, Any]
Told = tuple[dict[str, Any] | None, str]


def told(question: str, option: np.void, table: np.void, given: Sequence[int], values: Values) -> Told:
    """Return an option as an event of the log, None for doing nothing, and in words.

    Parameters
    ----------
    option
        Dtype `kernels.canastra.search_memory.OPTION`.
    table
        Dtype `kernels.canastra.layout.TABLE_LAYOUT`.
    given
        The hand as a pair of words.
    values
        A value for every option of the game.
    """
    del given
    if question == "choose_discard":
        thrown = card_text(int(option["card"]))
        return {"event": "discard", "cards": [thrown]}, f"Discard {card(thrown)}"
    target = int(option["target"])
    if question == "choose_draw":
        if not option["takes_lixo"]:
            if not table["stock_left"] and (not table["mortos_left"] or values["stock_out"] == "end"):
                return None, "Leave the lixo: nothing is left to draw"
            return {"event": "draw", "why": "turn"}, "Draw from the stock"
        lixo = card_texts(table["lixo"][: int(table["lixo_size"])].tolist())
        one, two, top = int(option["one"]), int(option["two"]), 1 << int(table["lixo"][len(lixo) - 1])
        cards = texts_of(one | top, two | (one & top))
        size = number(len(lixo), "card")
        return {"event": "take_pile", "cards": lixo}, f"Take the lixo of {size}: {_laying(cards, option, table)}"
    if target == STOP:
        return None, "Lay no more"
    cards = texts_of(int(option["one"]), int(option["two"]))
    words = _laying(cards, option, table)
    event: dict[str, Any] = {"event": "meld" if target < 0 else "extend", "cards": cards}
    if target >= 0:
        event["meld"] = target
    return event, words[0].upper() + words[1:]


def _laying(cards: Sequence[str], option: np.void, table: np.void) -> str:
    """Return the laying of some cards in words, with the ranks that curingas of a sequence stand for."""
    target, side = int(option["target"]), int(table["seat"]) % SIDES
    places = [rank for rank in range(16) if int(option["places"]) >> rank & 1]
    # Of several curingas the lower one gets the lower place.
    curingas = filter(is_wild, cards)
    named = [
        f"{card(text)} as {RANKS[rank - 2].replace('T', '10')}" for text, rank in zip(curingas, places, strict=False)
    ]
    stands = f" ({', '.join(named)})" if named else ""
    if target < 0:
        what = "a lavadeira of " if target == NEW_LAVADEIRA else ""
        return f"lay {what}{card_list(cards)}{stands}"
    meld = meld_text(melds_of(table, side)[target])
    return f"add {card_list(cards)}{stands} to meld {target}, {meld}"


def seen(_question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> Iterator[tuple[str, str]]:
    """Yield what the seat knows, line by line: what it is called, and the cards or numbers."""
    players = int(values["players"])
    yield "hand", hand_text(texts_of(given[0], given[1]))
    lixo = card_list(card_texts(table["lixo"][: int(table["lixo_size"])].tolist()))
    yield "lixo", lixo or "empty"
    for side in range(SIDES):
        melds = [
            meld_text(cards) + (f" ({name})" if (name := canastra_text(cards)) else "")
            for cards in melds_of(table, side)
        ]
        red_threes = number(int(table["red_threes"][side]), "red three")
        yield f"side {side}", f"{' / '.join(melds) or 'no melds'}; {red_threes}"
    for other in range(players):
        known = texts_of(int(table["known_one"][other]), int(table["known_two"][other]))
        if known and other != seat:
            yield f"known of seat {other}", hand_text(known)
    hands = [str(int(count)) for count in table["hand_count"][:players]]
    yield "cards in hand", f"{', '.join(hands)} by seat; {int(table['stock_left'])} in the stock"
    yield "mortos", ", ".join(_mortos(table, players))


def _mortos(table: np.void, players: int) -> Iterator[str]:
    """Yield where the mortos are (CAN-18, CAN-23)."""
    yield f"{number(int(table['mortos_left']), 'morto')} left"
    for side in range(SIDES):
        if table["morto_taken"][side]:
            closed = [
                f", not yet opened by seat {seat}"
                for seat in range(side, players, SIDES)
                if table["morto_closed"][seat]
            ]
            yield f"taken by side {side}{''.join(closed)}"


def melds_of(table: np.void, side: int) -> list[list[str]]:
    """Melds of a side as they lie: sequences in order, curingas of lavadeiras last."""
    return [_meld(table, side, meld) for meld in range(int(table["meld_count"][side]))]


def _meld(table: np.void, side: int, meld: int) -> list[str]:
    wilds = int(table["meld_wilds"][side, meld])
    curingas = card_texts(table["meld_wild_cards"][side, meld, :wilds].tolist())
    if table["meld_kind"][side, meld] == LAVADEIRA:
        return texts_of(int(table["meld_one"][side, meld]), int(table["meld_two"][side, meld])) + curingas
    suit = 16 * int(table["meld_suit"][side, meld])
    standing = dict(zip(table["meld_wild_ranks"][side, meld, :wilds].tolist(), curingas, strict=True))
    ranks = range(int(table["meld_low"][side, meld]), int(table["meld_high"][side, meld]) + 1)
    return [standing.get(rank) or card_text(suit + rank) for rank in ranks]
