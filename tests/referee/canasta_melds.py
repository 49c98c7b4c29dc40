"""Melds of Canasta: what may lie on the table (KAN-04, KAN-11, KAN-12), and what its cards are worth (KAN-03)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.referee.cards import JOKER, RANKS, is_black_three, is_red_three, is_wild, rank_of
from tests.referee.log import RuleBroken

MELD_RANKS = RANKS[RANKS.index("4") :]
CANASTA = 7
MOST_WILDS = 3
MOST_BLACK_THREES = 4


def points_of(card: str) -> int:
    """KAN-03: the value of a card; a red three has none beside KAN-18."""
    if card == JOKER:
        return 50
    if is_red_three(card):
        return 0
    if rank_of(card) in "2A":
        return 20
    return 10 if rank_of(card) in "89TJQK" else 5


def points(cards: Iterable[str]) -> int:
    """KAN-03: the values of these cards together."""
    return sum(map(points_of, cards))


def is_natural(card: str) -> bool:
    """KAN-04, KAN-11: a card of the ranks 4 to Ace."""
    return rank_of(card) in tuple(MELD_RANKS)


@dataclass(frozen=True)
class Meld:
    """A meld on the table: its rank and its cards; "3" is the rank of a meld of black threes."""

    rank: str
    cards: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many cards it has."""
        return len(self.cards)

    @property
    def wilds(self) -> int:
        """How many of them are wild."""
        return sum(1 for card in self.cards if is_wild(card))

    @property
    def is_canasta(self) -> bool:
        """KAN-11, KAN-18: seven cards or more."""
        return self.size >= CANASTA

    @property
    def is_natural(self) -> bool:
        """KAN-11: without a wild card."""
        return self.wilds == 0

    @property
    def is_black(self) -> bool:
        """KAN-12: a meld of black threes."""
        return self.rank == "3"


def read_meld(cards: Sequence[str]) -> Meld:
    """A legal meld from its cards, or the article it breaks."""
    if len(cards) < 3:
        raise RuleBroken("KAN-11", f"a meld has at least three cards, not {list(cards)}")
    if all(is_wild(card) for card in cards):
        raise RuleBroken("KAN-04", f"a meld is never all wild: {list(cards)}")
    if any(is_red_three(card) for card in cards):
        raise RuleBroken("KAN-11", f"a red three never melds: {list(cards)}")
    naturals = [card for card in cards if not is_wild(card)]
    if len({rank_of(card) for card in naturals}) != 1:
        raise RuleBroken("KAN-11", f"not of one rank: {list(cards)}")
    if is_black_three(naturals[0]):
        return read_black_threes(cards)
    check_wilds(len(naturals), len(cards) - len(naturals))
    return Meld(rank_of(naturals[0]), tuple(sorted(cards)))


def read_black_threes(cards: Sequence[str]) -> Meld:
    """KAN-12: three or four black threes, no wild card; KAN-04: a wild card is never a three."""
    if any(is_wild(card) for card in cards):
        raise RuleBroken("KAN-12", f"black threes meld without wild cards: {list(cards)}")
    return Meld("3", tuple(sorted(cards)))


def check_wilds(naturals: int, wilds: int) -> None:
    """KAN-11: at least two naturals, at most three wilds; there may be more wilds than naturals."""
    if naturals < 2:
        raise RuleBroken("KAN-11", "a meld needs at least two naturals")
    if wilds > MOST_WILDS:
        raise RuleBroken("KAN-11", f"{wilds} wild cards in a meld; at most {MOST_WILDS}")
