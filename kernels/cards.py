"""Card numbers, packs and card texts, shared by every game.

A card is ``16 * suit + rank``: four lanes of sixteen bits, so that a hand is a 64-bit word of "at least
one" and, with two packs, a second word of "two". Suits are clubs 0, diamonds 1, hearts 2, spades 3. Ranks
are 2 to 10, J 11, Q 12, K 13 and A 14. A joker has rank 0; the suit only tells jokers of one pack apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

SUITS = "CDHS"
SUIT_SYMBOLS = "♣♦♥♠"
RANKS = "23456789TJQKA"
JOKER_TEXT = "JK"

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
JOKER = 0
JACK, QUEEN, KING, ACE = 11, 12, 13, 14


TEXTS = tuple(
    JOKER_TEXT if card & 15 == JOKER else (RANKS + "??")[(card & 15) - 2] + SUITS[card >> 4] for card in range(64)
)
"""Text of every card number; of the ranks 1 and 15, which no card has, without meaning."""


def card_text(card: int) -> str:
    """Text of a card number: rank then suit, as ``7S`` or ``TD``; ``JK`` for a joker."""
    return TEXTS[card]


def card_texts(cards: Iterable[int]) -> list[str]:
    """Texts of several cards."""
    return [TEXTS[card] for card in cards]


def card_number(text: str) -> int:
    """Card number of a text such as ``7S``, ``td`` or ``10D``; a joker ``JK`` is number 0.

    Raises
    ------
    ValueError
        If the text names no card; the message says what is allowed.
    """
    upper = text.strip().upper()
    if upper == JOKER_TEXT:
        return JOKER
    if upper.startswith("10"):
        upper = "T" + upper[2:]
    if len(upper) != 2 or upper[0] not in RANKS or upper[1] not in SUITS:
        raise ValueError(f"{text!r} is no card: a rank of {RANKS} and a suit of {SUITS}, as 7S or TD, or {JOKER_TEXT}")
    return SUITS.index(upper[1]) * 16 + RANKS.index(upper[0]) + 2


def rank_number(text: str) -> int:
    """Rank number of a rank character, as ``T`` = 10.

    Raises
    ------
    ValueError
        If the text is no rank.
    """
    if len(text) != 1 or text.upper() not in RANKS:
        raise ValueError(f"{text!r} is no rank: one of {' '.join(RANKS)}")
    return RANKS.index(text.upper()) + 2


def rank_mask(ranks: Iterable[str]) -> int:
    """Sixteen-bit lane with a bit for each rank character."""
    mask = 0
    for rank in ranks:
        mask |= 1 << rank_number(rank)
    return mask


def pack(packs: int, jokers: int = 0, ranks: Sequence[int] = tuple(range(2, 15))) -> npt.NDArray[np.uint8]:
    """Cards of `packs` packs in a fixed order, `jokers` jokers last.

    Returns
    -------
    numpy.ndarray
        Shape (4 * len(ranks) * packs + jokers,), uint8 card numbers. Joker number j is card
        ``16 * (j % 4)``, so at most two packs hold eight.
    """
    cards = [16 * suit + rank for _ in range(packs) for suit in range(4) for rank in ranks]
    cards += [16 * (joker % 4) for joker in range(jokers)]
    return np.array(cards, dtype=np.uint8)
