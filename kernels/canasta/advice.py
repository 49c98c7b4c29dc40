"""What a search of canasta weighs, in words: its options as events of the log, and the position as the seat sees it.

A hand is told by rank, since suits mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.canasta.layout import CANASTA_SIZE, JOKERS, RANKS, SEATS, SIDES, THREES, TWOS
from kernels.cards import RANKS as LETTERS
from kernels.cards import card_texts
from kernels.telling import card, card_list, number, rank_name

Values = Mapping[str, Any]
Told = tuple[dict[str, Any] | None, str]


def told(question: str, option: np.void, table: np.void, given: Sequence[int], values: Values) -> Told:
    """Return an option as an event of the log, None for doing nothing, and in words.

    Parameters
    ----------
    option
        Dtype `kernels.canasta.search_memory.OPTION`.
    table
        Dtype `kernels.canasta.layout.TABLE_LAYOUT`.
    given
        The hand by rank.
    values
        A value for every option of the game.
    """
    del given, values
    if question == "choose_discard":
        return {"event": "discard"}, f"Discard {one_name(int(option['rank']))}"
    if question == "choose_draw":
        return _drawing(option, table)
    if question == "choose_answer":
        yes = bool(option["yes"])
        return {"event": "ask", "answer": yes}, "Say yes" if yes else "Say no"
    laying = _laying(option, table)
    if question == "choose_ask":
        if not option["yes"]:
            return None, "Do not ask"
        return {"event": "ask"}, "Ask whether to go out: " + laying
    if not laying:
        return None, "Lay no more"
    number_of_meld = table["meld_number"][_side(table), _ranks_of(option)[0]]
    if _is_own(table, _ranks_of(option)[0]):
        return {"event": "extend", "meld": int(number_of_meld)}, _capital(laying)
    return {"event": "meld"}, _capital(laying)


def _drawing(option: np.void, table: np.void) -> Told:
    """Return drawing or taking the pile as an event and in words (KAN-06)."""
    pile = card_texts(table["pile"][: int(table["pile_size"])].tolist())
    if not option["yes"]:
        if table["stock_left"]:
            return {"event": "draw", "why": "turn"}, "Draw from the stock"
        return None, "Leave the pile: nothing is left to draw"
    top = int(table["pile"][len(pile) - 1]) & 15
    cards = cards_text(
        count_of(option["naturals"], top), count_of(option["jokers"], top), count_of(option["twos"], top)
    )
    words = f"Take the pile of {number(len(pile), 'card')}, {card(pile[-1])} " + (f"with {cards}" if cards else "alone")
    others = _laying(option, table, top)
    return {"event": "take_pile", "cards": pile}, words + (f", and {others}" if others else "")


def _laying(option: np.void, table: np.void, besides: int = -1) -> str:
    """Return the cards that are laid in words, those of one rank left out."""
    new, added = [], []
    for rank in _ranks_of(option):
        if rank == besides:
            continue
        naturals, jokers, twos = (count_of(option[name], rank) for name in ("naturals", "jokers", "twos"))
        cards = cards_text(naturals, jokers, twos, rank)
        if _is_own(table, rank):
            added.append(f"add {cards} to the {name_of(rank)}")
        else:
            new.append(cards)
    return "; ".join([f"lay {' and '.join(new)}"] * bool(new) + added)


def _ranks_of(option: np.void) -> list[int]:
    """Ranks of the melds that an option lays to."""
    laid = int(option["naturals"]) | int(option["jokers"]) | int(option["twos"])
    return [rank for rank in range(RANKS) if count_of(laid, rank)]


def _side(table: np.void) -> int:
    return int(table["seat"]) % SIDES


def _is_own(table: np.void, rank: int) -> bool:
    return count_of(table["melded"][_side(table)], rank) > 0


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def count_of(counts: Any, rank: int) -> int:
    """Cards of a rank in a word of counts (`kernels.rank_counts`)."""
    return int(counts) >> 4 * rank & 15


def letter_of(rank: int) -> str:
    """Return a rank as it stands on the card; ``joker`` for that."""
    return "joker" if rank == JOKERS else LETTERS[rank - 2].replace("T", "10")


def cards_text(naturals: int, jokers: int, twos: int, rank: int | None = None) -> str:
    """Return cards of a meld, its wild cards in brackets; without a rank the naturals are told by number."""
    if rank is None:
        own = ["one from the hand", "a pair", "three", "four", "five", "six", "seven"][naturals - 1 : naturals]
        return " and ".join([*own, *["a joker"] * jokers, *["a 2"] * twos])
    return " ".join([letter_of(rank)] * naturals + ["[joker]"] * jokers + ["[2]"] * twos)


def name_of(rank: int) -> str:
    """Return a rank in words, as ``Kings``."""
    if rank == THREES:
        return "black threes"
    return "jokers" if rank == JOKERS else rank_name(LETTERS[rank - 2])


def one_name(rank: int) -> str:
    """Return one card of a rank in words, as ``a King``."""
    name = name_of(rank)[:-1]
    return f"an {name}" if name in ("8", "Ace") else f"a {name}"


def seen(question: str, seat: int, table: np.void, given: Sequence[int], values: Values) -> Iterator[tuple[str, str]]:
    """Yield what the seat knows, line by line: what it is called, and the cards or numbers."""
    del values
    yield "hand", counts_text(given[0])
    if question == "choose_answer":
        yield "asked by", f"seat {int(table['seat'])}, whether to go out"
    pile = card_list(card_texts(table["pile"][: int(table["pile_size"])].tolist()))
    yield "pile", (pile or "empty") + (" (frozen)" if table["pile_frozen"] else "")
    for side in range(SIDES):
        melds = [_meld_text(table, side, rank) for rank in melds_of(table, side)]
        red_threes = number(int(table["red_threes"][side]), "red three")
        first = f"nothing; the first meld needs {int(table['minimum'][side])} points"
        yield f"side {side}", f"{' / '.join(melds) or first}; {red_threes}"
    for other in range(SEATS):
        if other != seat and table["known"][other]:
            yield f"known of seat {other}", counts_text(table["known"][other])
    hands = [str(int(count)) for count in table["hand_count"]]
    yield "cards in hand", f"{', '.join(hands)} by seat; {int(table['stock_left'])} in the stock"


def melds_of(table: np.void, side: int) -> list[int]:
    """Ranks of a side's melds, in the order of melding."""
    ranks = [rank for rank in range(RANKS) if count_of(table["melded"][side], rank)]
    return sorted(ranks, key=lambda rank: int(table["meld_number"][side, rank]))


def _meld_text(table: np.void, side: int, rank: int) -> str:
    """Return a meld by rank, its wild cards in brackets; which of them are jokers the table does not say."""
    naturals, wilds = count_of(table["melded"][side], rank), count_of(table["wilds"][side], rank)
    text = " ".join([letter_of(rank)] * naturals) + (f" [{wilds} wild]" if wilds else "")
    if naturals + wilds < CANASTA_SIZE:
        return text
    return f"{text} ({'mixed' if wilds else 'natural'} canasta)"


def counts_text(counts: Any) -> str:
    """Return cards by rank, wild cards and threes last."""
    order = [*range(4, RANKS), int(TWOS), int(JOKERS), int(THREES)]
    groups = [" ".join([letter_of(rank)] * count_of(counts, rank)) for rank in order if count_of(counts, rank)]
    return "  ".join(groups) or "no cards"
