"""The best cover of a hand of loba against a plain exhaustive solver, jokers over-represented."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest

from kernels.cards import JOKER, card_text, pack
from kernels.loba.cards import JOKER_POINTS, LOW_ACES
from kernels.loba.covering import best_new, meldable
from kernels.loba.extending import best_cover
from kernels.loba.meld_rules import LEGAL, lay_article
from kernels.loba.prospects import useful_cards
from tests.referee.cards import JOKER as JOKER_TEXT
from tests.referee.loba_melds import read_meld
from tests.referee.loba_options import Options
from tests.referee.loba_ways import Lay, every_lay, laid
from tests.rules.loba_table import Desk, words

HANDS = 3_000
MANY_HANDS = 100_000
STEP = 5_000
TABLES = 150
MANY_TABLES = 3_000
LEAST_DEADWOOD = np.int64(0)
ANYTHING = np.int64(-1)

Cards = tuple[int, ...]


def value(card: int) -> int:
    """LOB-14."""
    rank = card & 15
    return 15 if rank in (JOKER, 14) else min(rank, 10)


def sets_with(card: int, hand: Counter[int], any_set: bool) -> Iterator[tuple[Cards, int]]:
    """Every set of a hand with a card (LOB-05)."""
    same = sorted(other for other in hand.elements() if other & 15 == card & 15)
    for size in range(3, len(same) + 1):
        for cards in set(combinations(same, size)):
            if card in cards and (any_set or len({other >> 4 for other in cards}) == 3):
                yield cards, 0


def sequences_with(card: int, hand: Counter[int], jokers: int) -> Iterator[tuple[Cards, int]]:
    """Every sequence of a hand with a card, of any length and with any places of jokers (LOB-06, LOB-07)."""
    suit = card & 48
    held = {place for place in range(2, 15) if hand[suit + place]} | ({1} if hand[suit + 14] else set())
    for low in range(1, 13):
        for high in range(low + 2, min(15, low + 13)):
            inside = range(low + 1, high)
            places = [
                (),
                *((one,) for one in inside),
                *((one, two) for one in inside for two in inside if two > one + 2),
            ]
            for joker_places in places:
                naturals = [place for place in range(low, high + 1) if place not in joker_places]
                if len(joker_places) <= jokers and held.issuperset(naturals):
                    cards = tuple(suit + (14 if place == 1 else place) for place in naturals)
                    if card in cards:
                        yield cards, len(joker_places)


def most_laid(naturals: Cards, jokers: int, any_set: bool) -> int:
    """Greatest value of the cards of a hand that lie in melds: the first card lies in some meld or in none."""

    @lru_cache(None)
    def most(cards: Cards, left: int) -> int:
        if not cards:
            return 0
        best = most(cards[1:], left)
        hand = Counter(cards)
        for meld, used in (*sets_with(cards[0], hand, any_set), *sequences_with(cards[0], hand, left)):
            rest = tuple(sorted((hand - Counter(meld)).elements()))
            best = max(best, sum(map(value, meld)) + 15 * used + most(rest, left - used))
        return best

    return most(naturals, jokers)


def some_hand(rng: random.Random) -> tuple[Cards, int]:
    """Nine or ten cards, up to four of them jokers, often of few suits or of ranks close together."""
    jokers = rng.choice((0, 0, 1, 1, 2, 3, 4))
    cards = [int(card) for card in pack(2)]
    kind = rng.random()
    if kind < 0.4:
        suits = rng.sample(range(4), 2)
        cards = [card for card in cards if card >> 4 in suits]
    elif kind < 0.7:
        low = rng.randint(2, 10)
        cards = [card for card in cards if low <= card & 15 <= low + 4]
    return tuple(sorted(rng.sample(cards, rng.choice((9, 10)) - jokers))), jokers


def as_words(cards: Cards) -> tuple[np.uint64, np.uint64]:
    one, two = words([card_text(card) for card in cards])
    return np.uint64(one), np.uint64(two)


def check_hand(seed: int) -> int:
    """The kernel finds the value that the solver finds, and its cover is one: its value."""
    rng = random.Random(seed)
    naturals, jokers = some_hand(rng)
    any_set = rng.random() < 0.4
    one, two = as_words(naturals)
    found = best_new(one, two, LOW_ACES, np.int64(jokers), any_set, LEAST_DEADWOOD, JOKER_POINTS, ANYTHING)
    where = ([card_text(card) for card in naturals], jokers, any_set)
    assert found[0] == most_laid(naturals, jokers, any_set), where
    cover = [card for word in found[1:3] for card in range(64) if int(word) >> card & 1]
    assert sum(map(value, cover)) + 15 * found[3] == found[0], where
    assert not Counter(cover) - Counter(naturals)
    assert (found[0] > 0) <= ((int(meldable(one, two, any_set)) > 0) or jokers > 0)
    return int(found[0])


def test_the_best_cover_of_a_hand_is_that_of_an_exhaustive_search() -> None:
    found = [check_hand(seed) for seed in range(HANDS)]
    assert sum(laid > 0 for laid in found) > HANDS // 2
    assert sum(laid == 0 for laid in found) > HANDS // 50


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, MANY_HANDS, STEP))
def test_it_is_so_for_a_hundred_thousand_hands(first: int) -> None:
    for seed in range(first, first + STEP):
        check_hand(1_000_000 + seed)


# ---------------------------------------------------------------- beside melds on the table


def some_table(seed: int) -> tuple[Desk, list[str], list[str], Options]:
    """A hand beside up to two own melds, as the kernels and as the referee take it: desk, hand, melds, options."""
    rng = random.Random(seed)
    any_set = rng.random() < 0.3
    options = Options(set_suits="any" if any_set else "three_different", jokers=8)
    suits = "".join(rng.sample("CDHS", rng.choice((1, 2, 4))))
    pool = [rank + suit for rank in "23456789TJQKA" for suit in suits for _ in range(2)] + [JOKER_TEXT] * 8
    rng.shuffle(pool)
    melds: list[str] = []
    for _ in range(rng.randint(0, 2)):
        ways = [lay for lay in every_lay(pool[:14], [], options) if len(lay.now) <= 5]
        if ways:
            lay = rng.choice(ways)
            melds.append(" ".join(lay.now))
            pool = list((Counter(pool) - Counter(lay.cards)).elements())
            rng.shuffle(pool)
    size = rng.randint(2, 5)
    jokers = rng.choice((0, 1, 1, 2))
    hand = [JOKER_TEXT] * min(jokers, size - 1)
    hand += [card for card in pool if card != JOKER_TEXT][: size - len(hand)]
    return Desk(" ".join(hand), set_suits=options.set_suits).own(*melds), hand, melds, options


def most_laid_beside(hand: list[str], melds: list[str], options: Options) -> int:
    """Greatest value of cards that can leave a hand, by every order of every lay of the referee's plain search."""
    from tests.referee.loba_melds import points

    best = 0
    seen = set()
    todo = [(tuple(sorted(hand)), tuple(read_meld(meld.split(), options) for meld in melds))]
    while todo:
        cards, lying = todo.pop()
        if (cards, lying) in seen:
            continue
        seen.add((cards, lying))
        best = max(best, points(hand) - points(cards))
        for lay in every_lay(cards, lying, options):
            rest = tuple(sorted((Counter(cards) - Counter(lay.cards)).elements()))
            todo.append((rest, tuple(laid(lying, lay, options))))
    return best


def check_table(seed: int) -> bool:
    """The kernel's best cover beside melds is that of the plain search; whether some card joins a meld."""
    desk, hand, melds, options = some_table(seed)
    one, two = desk.words_of()
    any_set = options.set_suits == "any"
    found = best_cover(desk.table, desk.seat, any_set, one, two, LEAST_DEADWOOD, JOKER_POINTS)
    assert found[0] == most_laid_beside(hand, melds, options), (hand, melds, options.set_suits)
    if found[0] > 0:
        lay = [np.int64(found[4]), *map(np.uint64, found[5:])]
        assert lay_article(desk.table, desk.options, desk.seat, one, two, *lay) == LEGAL, (hand, melds)
    return bool(found[4] >= 0)


def test_the_best_cover_beside_melds_is_that_of_a_plain_search() -> None:
    assert sum(check_table(seed) for seed in range(TABLES)) > TABLES // 8


@pytest.mark.slow
@pytest.mark.parametrize("first", range(TABLES, MANY_TABLES, 475))
def test_it_is_so_beside_many_melds(first: int) -> None:
    for seed in range(first, first + 475):
        check_table(seed)


def check_useful(seed: int) -> int:
    """Every card that brings more of a hand into melds is among the useful ones; how many do."""
    desk, hand, melds, options = some_table(seed)
    one, two = desk.words_of()
    any_set = options.set_suits == "any"
    jokers = np.int64(hand.count(JOKER_TEXT))
    naturals, twice = as_words(tuple(sorted(_numbers(hand))))
    useful = int(useful_cards(desk.table, desk.seat, any_set, naturals, twice, jokers))
    before = best_cover(desk.table, desk.seat, any_set, one, two, LEAST_DEADWOOD, JOKER_POINTS)[0]
    met = 0
    for card in {int(card) for card in pack(1)}:
        bit = np.uint64(1 << card)
        if two & bit:
            continue
        more = one | bit, two | (one & bit)
        after = best_cover(desk.table, desk.seat, any_set, *more, LEAST_DEADWOOD, JOKER_POINTS)[0]
        if after > before:
            met += 1
            assert useful >> card & 1, (hand, melds, card_text(card))
    return met


def _numbers(hand: list[str]) -> Iterator[int]:
    from kernels.cards import card_number

    yield from (card_number(card) for card in hand if card != JOKER_TEXT)


def test_no_card_that_helps_is_left_out_of_those_looked_at() -> None:
    assert sum(check_useful(seed) for seed in range(TABLES)) > 4 * TABLES


def test_the_ways_to_lay_of_the_referee_are_there() -> None:
    lays = list(every_lay(["7S", "JK", "9S"], [], Options()))
    assert lays == [Lay(("7S", "JK", "9S"), ("7S", "JK", "9S"))]
