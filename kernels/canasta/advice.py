"""What a search of canasta weighs, in words: its options as events of the log, and the position as the seat sees it.

Suits say nothing here, so that cards are told by their ranks. Wild cards stand in brackets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.canasta.layout import SEATS, SIDES
from kernels.cards import JOKER_TEXT, RANKS, card_texts
from kernels.telling import card_list, number

Values = Mapping[str, Any]
Told = tuple[dict[str, Any] | None, str]
COUNTS, JOKER_RANK, TWO_RANK, CANASTA = 15, 0, 2, 7


def told(question: str, option: np.void, table: np.void, _given: Sequence[int], _values: Values) -> Told:
    """Return an option as an event of the log, None for doing nothing, and in words.

    In place of its cards the event has their `ranks`, which are all that is decided; what is laid at once may be
    several events.

    Parameters
    ----------
    option
        Dtype `kernels.canasta.search_memory.OPTION`.
    table
        Dtype `kernels.canasta.layout.TABLE_LAYOUT`.
    """
    counts = [int(option[name]) for name in ("naturals", "jokers", "twos")]
    if question == "choose_discard":
        rank = rank_text(int(option["rank"]))
        return {"event": "discard", "ranks": [rank]}, f"Discard {_shown(rank)}"
    if question == "choose_draw":
        if not option["yes"]:
            return {"event": "draw"}, "Draw from the stock"
        pile = card_texts(table["pile"][: int(table["pile_size"])].tolist())
        laid = _laid(counts)
        with_it = f"lay the top card with {laid}" if laid else "add the top card to the own meld"
        words = f"Take the pile of {number(len(pile), 'card')}: {with_it}"
        return {"event": "take_pile", "cards": pile}, words
    if question == "choose_ask":
        if not option["yes"]:
            return None, "Do not ask whether to go out"
        return {"event": "ask"}, f"Ask to go out with {_laid(counts) or 'the cards in hand'}"
    if question == "choose_answer":
        return {"event": "ask", "answer": bool(option["yes"])}, "Say yes" if option["yes"] else "Say no"
    ranks = ranks_of(counts)
    if not ranks:
        return None, "Lay no more"
    return {"event": "meld", "ranks": ranks}, f"Lay {_laid(counts)}"


def ranks_of(counts: Sequence[int]) -> list[str]:
    """Ranks of naturals, jokers and twos, which are counted by the rank of their meld."""
    jokers, twos = (sum(_numbers(word)) for word in counts[1:])
    found = [rank_text(rank) for rank, count in enumerate(_numbers(counts[0])) for _ in range(count)]
    return found + [JOKER_TEXT] * jokers + ["2"] * twos


def rank_text(rank: int) -> str:
    """Text of a rank, as ``K``, ``T`` or ``JK``."""
    return JOKER_TEXT if rank == JOKER_RANK else RANKS[rank - 2]


def _shown(rank: str) -> str:
    return {"T": "10", JOKER_TEXT: "a joker"}.get(rank, rank)


def _numbers(word: int) -> list[int]:
    """Cards of each rank, 0 to 14 (`kernels.rank_counts`)."""
    return [word >> 4 * rank & COUNTS for rank in range(15)]


def _laid(counts: Sequence[int]) -> str:
    """Cards meld by meld, as ``K K K [2], 7 7``."""
    parts = []
    for rank, (naturals, jokers, twos) in enumerate(zip(*map(_numbers, counts), strict=True)):
        cards = [_shown(rank_text(rank))] * naturals + ["[joker]"] * jokers + ["[2]"] * twos
        if not cards:
            continue
        joins = "" if naturals else f" to the {_shown(rank_text(rank))}s"
        parts.append(" ".join(cards) + joins)
    return ", ".join(parts)


def hand_ranks(counts: int) -> str:
    """Return a hand by rank, wild cards and threes last."""
    numbers = _numbers(counts)
    order = [*range(4, 15), TWO_RANK, JOKER_RANK, 3]
    groups = [" ".join([_shown(rank_text(rank)).removeprefix("a ")] * numbers[rank]) for rank in order if numbers[rank]]
    return "  ".join(groups) or "no cards"


def seen(_question: str, seat: int, table: np.void, given: Sequence[int], _values: Values) -> Iterator[tuple[str, str]]:
    """Yield what the seat knows, line by line: what it is called, and the cards or numbers."""
    yield "hand", hand_ranks(given[0])
    pile = card_texts(table["pile"][: int(table["pile_size"])].tolist())
    yield "pile", (card_list(pile) or "empty") + (" (frozen)" if table["pile_frozen"] else "")
    for side in range(SIDES):
        shown = list(_melds(int(table["melded"][side]), int(table["wilds"][side])))
        minimum = f" (first meld: {int(table['minimum'][side])} points)"
        yield f"side {side}", "  ".join(shown) or "nothing laid yet" + minimum
        if table["red_threes"][side]:
            yield "", number(int(table["red_threes"][side]), "red three")
    hands = ", ".join(str(int(count)) for count in table["hand_count"])
    yield "cards in hand", f"{hands} by seat; {int(table['stock_left'])} in the stock"
    if table["answer"]:
        yield "partner said", "yes" if table["answer"] > 0 else "no"
    for player in range(SEATS):
        if table["known"][player] and player != seat:
            yield f"seat {player} holds", f"{hand_ranks(int(table['known'][player]))} (taken from the pile)"


def _melds(naturals: int, wilds: int) -> Iterator[str]:
    """Yield the melds of a side, as ``K×4 + 1 wild``."""
    for rank, (count, wild) in enumerate(zip(_numbers(naturals), _numbers(wilds), strict=True)):
        if count:
            canasta = "" if count + wild < CANASTA else " (mixed canasta)" if wild else " (natural canasta)"
            yield f"{_shown(rank_text(rank))}×{count}" + (f" + {wild} wild" if wild else "") + canasta
