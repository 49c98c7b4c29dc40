"""Card texts of the event log, for every game with French packs: rank then suit ("7S", "TD"), joker "JK"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "SHDC"
JOKER = "JK"
PACK_52 = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_TEXTS = frozenset(PACK_52) | {JOKER}

_NUMBER = {rank: number for number, rank in enumerate(RANKS, start=2)}


def two_packs(jokers: int) -> Counter[str]:
    """Two 52-card packs and the printed jokers, as a multiset of texts."""
    pack = Counter(dict.fromkeys(PACK_52, 2))
    if jokers:
        pack[JOKER] = jokers
    return pack


def rank_of(card: str) -> str:
    """The rank's letter: "7", "T", "A"; empty for a joker."""
    return "" if card == JOKER else card[0]


def suit_of(card: str) -> str:
    """The suit's letter; empty for a joker."""
    return "" if card == JOKER else card[1]


def number_of(card: str) -> int:
    """2 to 14, the Ace high; 0 for a joker."""
    return 0 if card == JOKER else _NUMBER[card[0]]


def rank_number(rank: str) -> int:
    """2 to 14 for a rank's letter."""
    return _NUMBER[rank]


def rank_letter(number: int) -> str:
    """The inverse of `rank_number`."""
    return RANKS[number - 2]


def is_red_three(card: str) -> bool:
    """A three of hearts or diamonds."""
    return card in ("3H", "3D")


def is_black_three(card: str) -> bool:
    """A three of spades or clubs."""
    return card in ("3S", "3C")


def is_wild(card: str) -> bool:
    """A joker or a two."""
    return card == JOKER or card[0] == "2"


def missing_from(wanted: Iterable[str], held: Iterable[str]) -> list[str]:
    """The cards of `wanted` that `held` lacks, counting copies."""
    return sorted((Counter(wanted) - Counter(held)).elements())
