"""The ways to lay cards in Loba, by plain search: what can be laid, and how to go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product

from tests.referee.cards import JOKER, RANKS, SUITS
from tests.referee.loba_melds import (
    FEWEST_CARDS,
    HIGH_ACE,
    LONGEST,
    LOW_ACE,
    MOST_JOKERS,
    Meld,
    card_at,
    is_meld,
    read_meld,
)
from tests.referee.loba_options import Options


@dataclass(frozen=True)
class Lay:
    """A meld that lies so afterwards, with the cards that come from the hand; `number` of an own meld, or new."""

    cards: tuple[str, ...]
    now: tuple[str, ...]
    number: int | None = None


def every_lay(hand: Sequence[str], melds: Sequence[Meld], options: Options) -> Iterator[Lay]:
    """Every new meld and every extension that the hand can make (LOB-05, LOB-06, LOB-07)."""
    held = Counter(hand)
    yield from new_sets(held, options)
    for suit in SUITS:
        yield from new_sequences(held, suit)
    for number, meld in enumerate(melds):
        if meld.is_sequence:
            yield from longer_sequences(held, meld, number, options)
        else:
            yield from larger_sets(held, meld, number, options)


def can_lay(card: str, hand: Sequence[str], melds: Sequence[Meld], options: Options) -> bool:
    """LOB-12: can this card be melded or added?"""
    return any(card in lay.cards for lay in every_lay(hand, melds, options))


# ---------------------------------------------------------------- sets


def some_of_rank(held: Counter[str], rank: str) -> Iterator[tuple[str, ...]]:
    """Every choice among the cards of a rank, copies not told apart."""
    cards = [rank + suit for suit in SUITS]
    for counts in product(*(range(held[card] + 1) for card in cards)):
        yield tuple(chain.from_iterable([card] * count for card, count in zip(cards, counts, strict=True)))


def new_sets(held: Counter[str], options: Options) -> Iterator[Lay]:
    """LOB-05: new sets."""
    for rank in RANKS:
        if sum(held[rank + suit] for suit in SUITS) >= FEWEST_CARDS:
            for cards in some_of_rank(held, rank):
                if cards and is_meld(cards, options):
                    yield Lay(cards, cards)


def larger_sets(held: Counter[str], meld: Meld, number: int, options: Options) -> Iterator[Lay]:
    """LOB-05: extensions of a set."""
    for cards in some_of_rank(held, meld.rank):
        now = (*meld.cards, *cards)
        if cards and is_meld(now, options):
            yield Lay(cards, now, number)


# ---------------------------------------------------------------- sequences


def fillings(held: Counter[str], suit: str, places: range, most_jokers: int) -> Iterator[tuple[str, ...]]:
    """Every way to fill these places with the natural card, if held, or a joker."""
    naturals = [card_at(suit, place) for place in places]
    gaps = [index for index, card in enumerate(naturals) if not held[card]]
    spare = most_jokers - len(gaps)
    held_at = [index for index in range(len(naturals)) if index not in gaps]
    for more in range(min(spare, len(held_at)) + 1):
        for instead in combinations(held_at, more):
            jokers = {*gaps, *instead}
            yield tuple(JOKER if index in jokers else card for index, card in enumerate(naturals))


def new_sequences(held: Counter[str], suit: str) -> Iterator[Lay]:
    """LOB-06, LOB-07: new sequences of a suit."""
    most = min(held[JOKER], MOST_JOKERS)
    for low in range(LOW_ACE, HIGH_ACE - 1):
        gaps = 0
        for high in range(low, min(HIGH_ACE, low + LONGEST - 1) + 1):
            gaps += not held[card_at(suit, high)]
            if gaps > most or not held[card_at(suit, low)]:
                break
            if high - low + 1 >= FEWEST_CARDS and held[card_at(suit, high)]:
                for cards in fillings(held, suit, range(low, high + 1), most):
                    if is_meld(cards, Options()):
                        yield Lay(cards, cards)


def longer_sequences(held: Counter[str], meld: Meld, number: int, options: Options) -> Iterator[Lay]:
    """LOB-06, LOB-07: extensions of a sequence, at one end or at both; each joker is closed by a natural card."""
    most = min(held[JOKER], MOST_JOKERS - meld.cards.count(JOKER))
    for low, high in product(range(LOW_ACE, meld.low + 1), range(meld.high, HIGH_ACE + 1)):
        if high - low + 1 > LONGEST or (low, high) == (meld.low, meld.high):
            continue
        below = fillings(held, meld.suit, range(low, meld.low), most)
        for left, right in product(below, list(fillings(held, meld.suit, range(meld.high + 1, high + 1), most))):
            now = (*left, *meld.cards, *right)
            if (left + right).count(JOKER) <= most and is_meld(now, options):
                yield Lay((*left, *right), now, number)


# ---------------------------------------------------------------- going out


@dataclass(frozen=True)
class WayOut:
    """How to part with the whole hand in one turn: the melds, and the last discard or None."""

    lays: tuple[Lay, ...]
    discard: str | None


def way_out(
    hand: Sequence[str], melds: Sequence[Meld], options: Options, kept: str | None = None, discard: str | None = None
) -> WayOut | None:
    """LOB-12: how to go out with this hand; `kept` is a card that may not be the last discard (LOB-04)."""
    naturals = sorted(card for card in hand if card != JOKER)
    jokers = len(hand) - len(naturals)
    if not naturals:
        if jokers == 1 and discard is None and kept != JOKER:
            return WayOut((), JOKER)
        return None if jokers else WayOut((), discard)
    card = naturals[0]
    for lay in every_lay(hand, melds, options):
        if card in lay.cards:
            left = list((Counter(hand) - Counter(lay.cards)).elements())
            rest = way_out(left, laid(melds, lay, options), options, kept, discard)
            if rest is not None:
                return WayOut((lay, *rest.lays), rest.discard)
    if discard is None and card != kept:
        left = list((Counter(hand) - Counter([card])).elements())
        return way_out(left, melds, options, kept, card)
    return None


def laid(melds: Sequence[Meld], lay: Lay, options: Options) -> list[Meld]:
    """The melds afterwards."""
    after, meld = list(melds), read_meld(lay.now, options)
    if lay.number is None:
        return [*after, meld]
    after[lay.number] = meld
    return after
