"""The ways to lay cards in Loba, by plain search: what can be laid, and how to go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product

from tests.referee.cards import JOKER, SUITS, rank_of, suit_of
from tests.referee.loba_melds import (
    FEWEST_CARDS,
    HIGH_ACE,
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
    for suit in sorted(set(map(suit_of, held)) - {""}):
        yield from new_sequences(held, suit, options)
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
    ranks = Counter(rank_of(card) for card in held.elements() if card != JOKER)
    for rank in sorted(ranks):
        if ranks[rank] >= FEWEST_CARDS:
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


def growths(held: Counter[str], suit: str, place: int, step: int, jokers: int) -> Iterator[tuple[str, ...]]:
    """Every run of cards from this place on, upwards or downwards, that ends with a natural card."""
    if not LOW_ACE <= place <= HIGH_ACE:
        return
    natural = card_at(suit, place)
    if natural in held:
        yield (natural,)
        for more in growths(held, suit, place + step, step, jokers):
            yield (natural, *more)
    if jokers:
        for more in growths(held, suit, place + step, step, jokers - 1):
            yield (JOKER, *more)


def new_sequences(held: Counter[str], suit: str, options: Options) -> Iterator[Lay]:
    """LOB-06, LOB-07: new sequences of a suit."""
    jokers = min(held[JOKER], MOST_JOKERS)
    for low in range(LOW_ACE, HIGH_ACE):
        if card_at(suit, low) in held:
            for more in growths(held, suit, low + 1, 1, jokers):
                cards = (card_at(suit, low), *more)
                if is_meld(cards, options):
                    yield Lay(cards, cards)


def longer_sequences(held: Counter[str], meld: Meld, number: int, options: Options) -> Iterator[Lay]:
    """LOB-06, LOB-07: extensions of a sequence, at one end or at both; each joker is closed by a natural card."""
    jokers = min(held[JOKER], MOST_JOKERS - meld.cards.count(JOKER))
    below = [(), *growths(held, meld.suit, meld.low - 1, -1, jokers)]
    above = [(), *growths(held, meld.suit, meld.high + 1, 1, jokers)]
    for left, right in product(below, above):
        now = (*reversed(left), *meld.cards, *right)
        if (left or right) and (left + right).count(JOKER) <= jokers and is_meld(now, options):
            yield Lay((*reversed(left), *right), now, number)


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
