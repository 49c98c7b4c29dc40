"""Melds of Canastra: what may lie on the table, and how one card joins it (CAN-12 to CAN-17)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from tests.referee.canastra_options import MELD_RANKS, Options
from tests.referee.cards import SUITS, is_wild, number_of, rank_letter, rank_of, suit_of
from tests.referee.log import RuleBroken

LOWEST, HIGHEST = 4, 14  # CAN-12: eleven ranks, 4 to Ace
CANASTRA = 7


@dataclass(frozen=True)
class Lay:
    """A meld as it lies. A sequence has its cards in order from the place `low`; a lavadeira sorted."""

    cards: tuple[str, ...]
    suit: str  # of a sequence; empty for a lavadeira
    low: int  # the lowest place of a sequence; the rank of a lavadeira

    @property
    def is_sequence(self) -> bool:
        """A sequence, not a lavadeira."""
        return self.suit != ""

    @property
    def high(self) -> int:
        """The highest place of a sequence."""
        return self.low + len(self.cards) - 1

    @property
    def rank(self) -> str:
        """The rank of a lavadeira."""
        return rank_letter(self.low)

    @property
    def curingas(self) -> int:
        """How many curingas lie in it."""
        return sum(1 for card in self.cards if is_curinga(card))


def is_curinga(card: str) -> bool:
    """CAN-03: the eight 2s; with the option, the printed jokers too."""
    return is_wild(card)


def is_canastra(lay: Lay) -> bool:
    """CAN-17: a meld of seven or more cards."""
    return len(lay.cards) >= CANASTRA


def is_clean(lay: Lay) -> bool:
    """CAN-17: limpa has no curinga, not even one of its own suit."""
    return lay.curingas == 0


def natural(suit: str, place: int) -> str:
    """The card that belongs at a place of a sequence."""
    return rank_letter(place) + suit


def sequence(suit: str, low: int, cards: Iterable[str]) -> Lay:
    """A sequence from the place `low` upwards."""
    return Lay(tuple(cards), suit, low)


def lavadeira(rank: int, cards: Iterable[str]) -> Lay:
    """A lavadeira of a rank; the order of its cards means nothing."""
    return Lay(tuple(sorted(cards)), "", rank)


# ---------------------------------------------------------------- reading a meld as the log writes it


def read_lay(cards: Sequence[str], options: Options) -> Lay:
    """A legal meld from its cards as they lie, or the article it breaks."""
    if len(cards) < 3:
        raise RuleBroken("CAN-12", f"a meld has at least three cards, not {list(cards)}")
    if any(number_of(card) == 3 for card in cards):
        raise RuleBroken("CAN-12", f"a three never melds: {list(cards)}")
    naturals = [card for card in cards if not is_curinga(card)]
    check_curingas(len(naturals), len(cards) - len(naturals), options)
    if len({rank_of(card) for card in naturals}) == 1:
        return read_lavadeira(cards, number_of(naturals[0]), options)
    return read_sequence(cards, suit_of(naturals[0]))


def check_curingas(naturals: int, curingas: int, options: Options) -> None:
    """CAN-14: at most one curinga in a meld (option: two), with at least two naturals."""
    if curingas > options.curingas_per_meld:
        raise RuleBroken("CAN-14", f"{curingas} curingas in a meld; at most {options.curingas_per_meld}")
    if naturals < 2:
        raise RuleBroken("CAN-14", "a meld needs at least two naturals")


def read_lavadeira(cards: Sequence[str], rank: int, options: Options) -> Lay:
    """CAN-13: three or more cards of one of the agreed ranks, any suits."""
    if rank_letter(rank) not in options.lavadeira_ranks:
        raise RuleBroken("CAN-13", f"no lavadeiras of {rank_letter(rank)}: {list(cards)}")
    return lavadeira(rank, cards)


def read_sequence(cards: Sequence[str], suit: str) -> Lay:
    """CAN-12: consecutive cards of one suit, 4 to Ace; CAN-15: a curinga stands for the rank of its place."""
    lows = {number_of(card) - place for place, card in enumerate(cards) if not is_curinga(card)}
    if any(suit_of(card) != suit for card in cards if not is_curinga(card)):
        raise RuleBroken("CAN-12", f"neither one suit nor one rank: {list(cards)}")
    if len(lows) != 1:
        raise RuleBroken("CAN-12", f"not consecutive as it lies: {list(cards)}")
    lay = sequence(suit, lows.pop(), cards)
    if lay.low < LOWEST or lay.high > HIGHEST:
        raise RuleBroken("CAN-12", f"a sequence lies between 4 and Ace: {list(cards)}")
    return lay


# ---------------------------------------------------------------- adding cards to a meld


def additions(lay: Lay, card: str, options: Options) -> list[Lay]:
    """Every way in which one card can join a meld (CAN-13, 14, 15)."""
    if is_curinga(card):
        return add_curinga(lay, card, options)
    if not lay.is_sequence:
        return [lavadeira(lay.low, (*lay.cards, card))] if number_of(card) == lay.low else []
    if suit_of(card) != lay.suit or number_of(card) < LOWEST:
        return []
    return add_natural(lay, card, options)


def add_curinga(lay: Lay, card: str, options: Options) -> list[Lay]:
    """CAN-14 and 15: a further curinga, while allowed, goes to an end of a sequence that its player names."""
    if lay.curingas >= options.curingas_per_meld:
        return []
    if not lay.is_sequence:
        return [lavadeira(lay.low, (*lay.cards, card))]
    return at_the_ends(lay, card)


def at_the_ends(lay: Lay, card: str) -> list[Lay]:
    """The card put at the low end, then at the high end, as far as they are free."""
    ways = []
    if lay.low > LOWEST:
        ways.append(sequence(lay.suit, lay.low - 1, (card, *lay.cards)))
    if lay.high < HIGHEST:
        ways.append(sequence(lay.suit, lay.low, (*lay.cards, card)))
    return ways


def add_natural(lay: Lay, card: str, options: Options) -> list[Lay]:
    """CAN-12: a natural goes next to an end; CAN-15: or to the place of a curinga, which slides."""
    place = number_of(card)
    if place == lay.low - 1:
        return [sequence(lay.suit, place, (card, *lay.cards))]
    if place == lay.high + 1:
        return [sequence(lay.suit, lay.low, (*lay.cards, card))]
    if not lay.low <= place <= lay.high:
        return []
    return slide(lay, card, place - lay.low, options)


def slide(lay: Lay, card: str, position: int, options: Options) -> list[Lay]:
    """CAN-15: the curinga whose natural comes slides to a free end, the low one if both are free."""
    curinga = lay.cards[position]
    if not is_curinga(curinga) or not options.curinga_slides:
        return []
    filled = sequence(lay.suit, lay.low, (*lay.cards[:position], card, *lay.cards[position + 1 :]))
    return at_the_ends(filled, curinga)[:1]


def can_become(before: Lay, added: Sequence[str], after: Lay, options: Options) -> bool:
    """CAN-15: cards added together count as added one by one in any order that works."""
    seen: set[tuple[Lay, tuple[str, ...]]] = set()
    todo = [(before, tuple(sorted(added)))]
    while todo:
        lay, left = todo.pop()
        if (lay, left) in seen:
            continue
        seen.add((lay, left))
        if not left:
            if lay == after:
                return True
            continue
        for card in set(left):
            rest = list(left)
            rest.remove(card)
            todo.extend((way, tuple(rest)) for way in additions(lay, card, options))
    return False


# ---------------------------------------------------------------- searching for melds


def new_lays(pool: Counter[str], options: Options, suits: str = SUITS, ranks: str = MELD_RANKS) -> Iterator[Lay]:
    """Every meld that can be laid from these cards (CAN-12 to 14): sequences in the suits, lavadeiras."""
    for suit in suits:
        for low in range(LOWEST, HIGHEST - 1):
            yield from _grow(suit, low, (), pool, options)
    for rank in ranks:
        if rank in options.lavadeira_ranks:
            yield from _lavadeiras(rank, pool, options)


def _grow(suit: str, low: int, laid: tuple[str, ...], pool: Counter[str], options: Options) -> Iterator[Lay]:
    """The sequences from `low` that begin with the cards laid so far."""
    curingas = sum(1 for card in laid if is_curinga(card))
    if len(laid) >= 3 and len(laid) - curingas >= 2:
        yield sequence(suit, low, laid)
    place = low + len(laid)
    if place > HIGHEST:
        return
    choices = [natural(suit, place)]
    if curingas < options.curingas_per_meld:
        choices += [card for card in pool if is_curinga(card)]
    for card in choices:
        if pool[card] > laid.count(card):
            yield from _grow(suit, low, (*laid, card), pool, options)


def _lavadeiras(rank: str, pool: Counter[str], options: Options) -> Iterator[Lay]:
    """The lavadeiras of a rank."""
    texts = [rank + suit for suit in SUITS]
    curingas = [card for card in pool if is_curinga(card)]
    for counts in product(*(range(pool[card] + 1) for card in texts)):
        naturals = [card for card, count in zip(texts, counts, strict=True) for _ in range(count)]
        if len(naturals) < 2:
            continue
        for used in range(options.curingas_per_meld + 1):
            for extra in combinations_with_replacement(curingas, used):
                enough = all(pool[card] >= extra.count(card) for card in extra)
                if enough and len(naturals) + used >= 3:
                    yield lavadeira(number_of(naturals[0]), (*naturals, *extra))


def extensions(lay: Lay, pool: Counter[str], options: Options) -> Iterator[tuple[Lay, Counter[str]]]:
    """Every lay that a meld can become with cards of the pool, and the cards that it takes."""
    seen: set[Lay] = set()
    todo: list[tuple[Lay, Counter[str]]] = [(lay, Counter())]
    while todo:
        current, used = todo.pop(0)
        for card in pool:
            if pool[card] <= used[card]:
                continue
            for way in additions(current, card, options):
                if way not in seen:
                    seen.add(way)
                    taken = used + Counter([card])
                    todo.append((way, taken))
                    yield way, taken
