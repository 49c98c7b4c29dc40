"""Melds of Loba: what may lie on the table (LOB-05 to LOB-08), and what cards count (LOB-14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.referee.cards import JOKER, number_of, rank_letter, rank_of, suit_of
from tests.referee.loba_options import Options
from tests.referee.log import RuleBroken

FEWEST_CARDS = 3
LONGEST = 13
MOST_JOKERS = 2
LOW_ACE, HIGH_ACE = 1, 14


def points_of(card: str) -> int:
    """LOB-14: 2 to 10 their face value, Jack, Queen and King 10, Ace and joker 15."""
    if card == JOKER or rank_of(card) == "A":
        return 15
    return min(number_of(card), 10)


def points(cards: Iterable[str]) -> int:
    """LOB-14: what these cards count together."""
    return sum(map(points_of, cards))


def card_at(suit: str, place: int) -> str:
    """LOB-06: the natural card of a place in a sequence, 1 and 14 for the Ace."""
    return rank_letter(HIGH_ACE if place == LOW_ACE else place) + suit


@dataclass(frozen=True)
class Meld:
    """A meld on the table, its cards as they lie; `low` is the place of the first card of a sequence, 0 in a set."""

    cards: tuple[str, ...]
    low: int = 0

    @property
    def is_sequence(self) -> bool:
        """LOB-06; otherwise it is a set."""
        return self.low > 0

    @property
    def high(self) -> int:
        """The place of the last card of a sequence."""
        return self.low + len(self.cards) - 1

    @property
    def suit(self) -> str:
        """The suit of a sequence; no joker lies first."""
        return suit_of(self.cards[0])

    @property
    def rank(self) -> str:
        """The rank of a set."""
        return rank_of(self.cards[0])

    @property
    def suits(self) -> set[str]:
        """The suits of a set."""
        return set(map(suit_of, self.cards))


def read_meld(cards: Sequence[str], options: Options) -> Meld:
    """A legal meld from its cards as they lie, or the article it breaks."""
    naturals = [card for card in cards if card != JOKER]
    if len({rank_of(card) for card in naturals}) > 1:
        return read_sequence(cards)
    if len(naturals) < len(cards):
        raise RuleBroken("LOB-07", f"a joker lies only within a sequence: {list(cards)}")
    return read_set(cards, options)


def read_set(cards: Sequence[str], options: Options) -> Meld:
    """LOB-05: one rank in exactly three suits, further cards only of those suits; or any three and more."""
    if len(cards) < FEWEST_CARDS:
        raise RuleBroken("LOB-05", f"a set has at least three cards, not {list(cards)}")
    suits = len(set(map(suit_of, cards)))
    if options.set_suits == "three_different" and suits != 3:
        raise RuleBroken("LOB-05", f"a set has exactly three suits, not {suits}: {list(cards)}")
    return Meld(tuple(cards))


def read_sequence(cards: Sequence[str]) -> Meld:
    """LOB-06, LOB-07: three or more consecutive cards of a suit, jokers within."""
    if JOKER in (cards[0], cards[-1]):
        raise RuleBroken("LOB-07", f"a joker at an end of a sequence: {list(cards)}")
    low = LOW_ACE if rank_of(cards[0]) == "A" else number_of(cards[0])
    for place, card in enumerate(cards, start=low):
        if card != JOKER and suit_of(card) != suit_of(cards[0]):
            raise RuleBroken("LOB-06", f"not of one suit: {list(cards)}")
        if card != JOKER and place not in places_of(card):
            raise RuleBroken("LOB-06", f"not consecutive as they lie: {list(cards)}")
    if not FEWEST_CARDS <= len(cards) <= LONGEST:
        raise RuleBroken("LOB-06", f"three to thirteen cards, the Ace high or low: {list(cards)}")
    check_jokers(cards)
    return Meld(tuple(cards), low)


def places_of(card: str) -> tuple[int, ...]:
    """LOB-06: where a natural card may lie in a sequence."""
    return (LOW_ACE, HIGH_ACE) if rank_of(card) == "A" else (number_of(card),)


def check_jokers(cards: Sequence[str]) -> None:
    """LOB-07: at most two jokers, with at least two natural cards between them."""
    jokers = [index for index, card in enumerate(cards) if card == JOKER]
    if len(jokers) > MOST_JOKERS:
        raise RuleBroken("LOB-07", f"{len(jokers)} jokers in a sequence: {list(cards)}")
    if len(jokers) == MOST_JOKERS and jokers[1] - jokers[0] < 3:
        raise RuleBroken("LOB-07", f"fewer than two natural cards between two jokers: {list(cards)}")


def is_meld(cards: Sequence[str], options: Options) -> bool:
    """May these cards lie so?"""
    try:
        read_meld(cards, options)
    except RuleBroken:
        return False
    return True


def check_extended(before: Meld, after: Meld, added: Sequence[str]) -> None:
    """LOB-07, LOB-09: what lay stays where it lies, own cards come to it, a joker is not moved or replaced."""
    if Counter(after.cards) != Counter(before.cards) + Counter(added):
        lost = Counter(before.cards) - Counter(after.cards)
        article = "LOB-07" if set(lost) == {JOKER} else "LOB-09"
        raise RuleBroken(article, f"{list(after.cards)} is not {list(before.cards)} with {list(added)}")
    offset = before.low - after.low
    if before.is_sequence and after.cards[offset : offset + len(before.cards)] != before.cards:
        raise RuleBroken("LOB-07", f"{list(before.cards)} no longer lies so in {list(after.cards)}")


def without_card(meld: Meld, card: str, options: Options) -> Meld:
    """LOB-08: what remains of an own meld after the discard of one of its natural cards."""
    if card == JOKER:
        raise RuleBroken("LOB-08", "a joker is never discarded from a meld")
    if card not in meld.cards:
        raise RuleBroken("LOB-08", f"{card} does not lie in {list(meld.cards)}")
    left = list(meld.cards)
    if meld.is_sequence and card not in (left[0], left[-1]):
        raise RuleBroken("LOB-08", f"{card} is no end card of {left}")
    left.remove(card)
    if not is_meld(left, options):
        raise RuleBroken("LOB-08", f"without {card} there is no legal meld: {left}")
    return read_meld(left, options)
