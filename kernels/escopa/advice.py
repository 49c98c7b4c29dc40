"""What a search of escopa weighs, in words: its options as events of the log, and the position as the seat sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.cards import card_texts
from kernels.escopa.layout import CARDS, ESCOPA_EXACTLY_FOUR, TABLE_SIZE, encode, pack_of, sides
from kernels.telling import card, card_list, number

Values = Mapping[str, Any]
Told = tuple[dict[str, Any] | None, str]


def told(_question: str, option: np.void, table: np.void, _given: Sequence[int], values: Values) -> Told:
    """Return an option as an event of the log, None for doing nothing, and in words.

    Parameters
    ----------
    option
        Dtype `kernels.escopa.search.OPTION`.
    table
        Dtype `kernels.escopa.layout.TABLE_LAYOUT`.
    values
        A value for every option of the game.
    """
    faces = pack_of(values)
    take = texts_of(int(option["take"]), values)
    played = int(option["card"])
    if played >= 0:
        own = card_texts([faces[played]])
        escopa = _is_escopa(int(option["take"]), int(table["cards"]), values)
        event = {"event": "play", "cards": own, "take": take, "escopa": escopa}
        if not take:
            return event, f"Leave {card(own[0])}"
        return event, f"Play {card(own[0])}, take {card_list(take)}" + (": escopa" if escopa else "")
    if not take:
        return None, "Claim nothing"
    left = int(table["left_card"])
    escopa = _is_escopa(int(option["take"]), int(table["cards"]) & ~(1 << left), values)
    cards = [*card_texts([faces[left]]), *take]
    words = f"Claim {card(cards[0])} with {card_list(take)}" + (": escopa" if escopa else "")
    return {"event": "claim", "cards": cards, "escopa": escopa}, words


def seen(question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> Iterator[tuple[str, str]]:
    """Yield what the seat knows, line by line: what it is called, and the cards or numbers."""
    yield "hand", card_list(texts_of(given[0], values))
    face_up = int(table["cards"])
    total = int(table["total"])
    yield "table", f"{card_list(texts_of(face_up, values))} = {total}" if face_up else "empty"
    if question == "choose_claim":
        yield "just left", card_list(texts_of(1 << int(table["left_card"]), values))
    elif not given[1]:
        yield "overlooked", "that a card of the hand makes fifteen"
    for side in range(sides(values)):
        taken = texts_of(int(table["taken"][side]), values)
        escopas = number(int(table["escopas"][side]), "escopa")
        yield f"taken by side {side}", f"{card_list(taken) or 'nothing'} ({number(len(taken), 'card')}, {escopas})"
    hands = [str(int(count)) for count in table["hand_count"][: values["players"]]]
    yield "cards in hand", f"{', '.join(hands)} by seat; {int(table['stock_left'])} in the stock"
    last = int(table["last_seat"])
    yield "last capture", f"seat {last}" if last >= 0 else "nobody yet"


def texts_of(cards: int, values: Values) -> list[str]:
    """Texts of a word of cards by value and suit."""
    faces = pack_of(values)
    return card_texts(int(faces[place]) for place in range(CARDS) if cards >> place & 1)


def _is_escopa(take: int, cards: int, values: Values) -> bool:
    """Whether taking these of the cards face up is an escopa (ESC-08)."""
    if not take or take != cards:
        return False
    return bool(encode(values)["escopa"] != ESCOPA_EXACTLY_FOUR or take.bit_count() == TABLE_SIZE)
