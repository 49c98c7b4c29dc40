"""Melds of Canastra: what may lie, how cards join; the searches against brute force (CAN-12 to CAN-17)."""

from __future__ import annotations

import random
from collections import Counter
from itertools import chain, combinations, permutations

import pytest

from tests.referee.canastra_melds import (
    Lay,
    additions,
    can_become,
    extensions,
    is_canastra,
    is_clean,
    new_lays,
    read_lay,
)
from tests.referee.canastra_options import Options
from tests.referee.log import RuleBroken

DEFAULT = Options()
TWO = Options(curingas_per_meld=2)
FIXED = Options(curinga_slides=False)
JOKERS = Options(jokers=4, curingas_per_meld=2, lavadeira_ranks=tuple("456789TJQKA"))


@pytest.mark.parametrize(
    ("cards", "options", "article"),
    [
        ("7S 8S 2H", DEFAULT, None),
        ("2S 7S 8S", DEFAULT, None),
        ("7S 2S 9S", DEFAULT, None),
        ("4S 5S 6S", DEFAULT, None),
        ("QS KS AS", DEFAULT, None),
        ("2H KS AS", DEFAULT, None),
        ("4S 5S 6S 7S 8S 9S TS JS QS KS AS", DEFAULT, None),
        ("4S 5S 6S 7S 8S 9S TS 2D QS KS AS", DEFAULT, None),
        ("7S 8S", DEFAULT, "CAN-12"),
        ("3S 4S 5S", DEFAULT, "CAN-12"),
        ("2S 3S 4S 5S", DEFAULT, "CAN-12"),
        ("AS 4S 5S", DEFAULT, "CAN-12"),
        ("2H 4S 5S", DEFAULT, "CAN-12"),
        ("KS AS 2H", DEFAULT, "CAN-12"),
        ("7S 8S 9H", DEFAULT, "CAN-12"),
        ("7S 9S TS", DEFAULT, "CAN-12"),
        ("8S 7S 9S", DEFAULT, "CAN-12"),
        ("7S 7S 8S", DEFAULT, "CAN-12"),
        ("7S 8S 8H", DEFAULT, "CAN-12"),
        ("7S 2H TS", DEFAULT, "CAN-12"),
        ("KS KH KD", DEFAULT, None),
        ("KS KS KH 2H", DEFAULT, None),
        ("2H KS KH", DEFAULT, None),
        ("4S 4H 5D 5C", DEFAULT, "CAN-12"),
        ("6S 6H 6D", DEFAULT, "CAN-13"),
        ("6S 6H 2D", DEFAULT, "CAN-13"),
        ("KS KH KD", Options(lavadeira_ranks=()), "CAN-13"),
        ("6S 6H 6D", Options(lavadeira_ranks=("6",)), None),
        ("7S 2H 2S TS", DEFAULT, "CAN-14"),
        ("7S 2H 2S TS", TWO, None),
        ("2H 2S 9S TS", TWO, None),
        ("2H 7S 2S", TWO, "CAN-14"),
        ("KS 2H 2S", TWO, "CAN-14"),
        ("2S 2H 2D", TWO, "CAN-14"),
        ("KS KH 2S 2H", TWO, None),
        ("KS KH JK JK", JOKERS, None),
        ("7S JK 9S", JOKERS, None),
    ],
)
def test_what_may_lie(cards: str, options: Options, article: str | None) -> None:
    if article is None:
        assert len(read_lay(cards.split(), options).cards) == len(cards.split())
        return
    with pytest.raises(RuleBroken) as caught:
        read_lay(cards.split(), options)
    assert caught.value.article == article


@pytest.mark.parametrize(
    ("before", "added", "after", "options", "works"),
    [
        ("5S 6S 7S", "8S", "5S 6S 7S 8S", DEFAULT, True),
        ("5S 6S 7S", "9S 8S", "5S 6S 7S 8S 9S", DEFAULT, True),
        ("5S 6S 7S", "9S 2H", "5S 6S 7S 2H 9S", DEFAULT, True),
        ("5S 6S 7S", "2H", "2H 5S 6S 7S", DEFAULT, True),
        ("5S 6S 7S", "2H", "5S 6S 7S 2H", DEFAULT, True),
        # the curinga slides to the low end, to the high end if the low one is not free, or not at all
        ("5S 2H 7S", "6S", "2H 5S 6S 7S", DEFAULT, True),
        ("5S 2H 7S", "6S", "5S 6S 7S 2H", DEFAULT, False),
        ("4S 2H 6S", "5S", "4S 5S 6S 2H", DEFAULT, True),
        ("4S 2H 6S 7S 8S 9S TS JS QS KS AS", "5S", "4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H", DEFAULT, False),
        ("5S 2H 7S", "6S", "2H 5S 6S 7S", FIXED, False),
        ("2H 6S 7S", "5S", "2H 5S 6S 7S", FIXED, False),
        # a natural may come before the one that makes the curinga slide, so either end can be reached
        ("5S 2H 7S", "6S 4S", "4S 5S 6S 7S 2H", DEFAULT, True),
        ("5S 2H 7S", "6S 4S", "2H 5S 6S 7S 4S", DEFAULT, False),
        ("5S 2H 7S", "6S 8S", "2H 5S 6S 7S 8S", DEFAULT, True),
        ("6S 2H 8S", "7S 5S", "2H 5S 6S 7S 8S", DEFAULT, True),
        ("6S 2H 8S", "7S 5S 9S", "5S 6S 7S 8S 9S 2H", DEFAULT, False),
        ("5S 2H 7S", "6S 4S 8S", "4S 5S 6S 7S 8S 2H", DEFAULT, True),
        # the place of a curinga at an end is taken: it moves on
        ("5S 6S 2H", "7S", "2H 5S 6S 7S", DEFAULT, True),
        ("5S 6S 2H", "7S", "5S 6S 7S 2H", DEFAULT, False),
        ("4S 5S 2H", "6S", "4S 5S 6S 2H", DEFAULT, True),
        # a curinga that nothing touches stays
        ("2H 5S 6S", "7S", "5S 6S 7S 2H", DEFAULT, False),
        ("2H 5S 6S", "7S", "2H 5S 6S 7S", DEFAULT, True),
        # two curingas: the one whose natural comes slides
        ("5S 2H 2S 8S", "6S", "2H 5S 6S 2S 8S", TWO, True),
        ("5S 2H 2S 8S", "7S", "2S 5S 2H 7S 8S", TWO, True),
        ("5S 2H 2S 8S", "7S", "2H 5S 2S 7S 8S", TWO, False),
        ("5S 2H 7S", "2S", "2S 5S 2H 7S", TWO, True),
        ("5S 2H 7S", "2S", "5S 2S 7S 2H", TWO, False),
        ("5S 2H 7S", "2S 6S", "2H 2S 5S 6S 7S", TWO, False),
        ("5S 2H 7S", "2S 6S", "2H 5S 6S 7S 2S", TWO, True),
        ("5S 2H 7S", "2S", "2S 5S 2H 7S", DEFAULT, False),
        ("KS KH KD", "KC 2H", "2H KC KS KH KD", DEFAULT, True),
        ("KS KH 2D", "2H", "KS KH 2D 2H", DEFAULT, False),
        ("KS KH 2D", "2H", "KS KH 2D 2H", TWO, True),
    ],
)
def test_how_cards_join(before: str, added: str, after: str, options: Options, works: bool) -> None:
    start = read_lay(before.split(), options)
    try:
        end = read_lay(after.split(), options)
    except RuleBroken:
        assert not works
        return
    assert can_become(start, added.split(), end, options) is works


def test_canastras() -> None:
    seven = read_lay(["6H", "7H", "8H", "9H", "TH", "JH", "QH"], DEFAULT)
    dirty = read_lay(["6H", "7H", "2H", "9H", "TH", "JH", "QH"], DEFAULT)
    aces = read_lay(["AH", "AH", "AS", "AS", "AD", "AD", "AC"], DEFAULT)
    dirty_aces = read_lay(["AH", "AH", "AS", "AS", "AD", "AD", "2C"], DEFAULT)
    assert [is_canastra(lay) for lay in (seven, dirty, aces, dirty_aces)] == [True] * 4
    assert [is_clean(lay) for lay in (seven, dirty, aces, dirty_aces)] == [True, False, True, False]
    assert not is_canastra(read_lay(["6H", "7H", "8H", "9H", "TH", "JH"], DEFAULT))


def all_lays(cards: list[str], options: Options) -> set[Lay]:
    """Every meld of these cards, by trying all their arrangements."""
    found = set()
    for size in range(3, len(cards) + 1):
        for way in {order for chosen in combinations(cards, size) for order in permutations(chosen)}:
            try:
                found.add(read_lay(way, options))
            except RuleBroken:
                continue
    return found


def some_cards(rng: random.Random, options: Options, count: int) -> list[str]:
    """Cards that are likely to meld: two suits, a few neighbouring ranks, curingas."""
    low = rng.randrange(7)
    ranks = "456789TJQKA"[low : low + 5]
    pool = [rank + suit for rank in ranks for suit in "SH"] * 2 + ["2S", "2H", "2S"]
    pool += ["JK", "JK"] if options.jokers else []
    return rng.sample(pool, count)


@pytest.mark.parametrize("options", [DEFAULT, TWO, FIXED, JOKERS])
def test_new_melds_against_brute_force(options: Options) -> None:
    rng = random.Random(5)
    for _ in range(40):
        cards = some_cards(rng, options, 6)
        assert set(new_lays(Counter(cards), options)) == all_lays(cards, options), cards


def grown(lay: Lay, cards: tuple[str, ...], options: Options) -> set[Lay]:
    """What a meld can become when these cards are added in this order."""
    lays = {lay}
    for card in cards:
        lays = set(chain.from_iterable(additions(one, card, options) for one in lays))
    return lays


@pytest.mark.parametrize("options", [DEFAULT, TWO, FIXED, JOKERS])
def test_extensions_against_brute_force(options: Options) -> None:
    rng = random.Random(6)
    tried = 0
    while tried < 40:
        cards = some_cards(rng, options, 8)
        starts = sorted(new_lays(Counter(cards[:4]), options), key=lambda lay: lay.cards)
        if not starts:
            continue
        tried += 1
        lay, hand = rng.choice(starts), cards[4:]
        brute: dict[tuple[str, ...], set[Lay]] = {}
        for size in range(1, len(hand) + 1):
            for order in permutations(hand, size):
                brute.setdefault(tuple(sorted(order)), set()).update(grown(lay, order, options))
        found: dict[tuple[str, ...], set[Lay]] = {}
        for way, used in extensions(lay, Counter(hand), options):
            found.setdefault(tuple(sorted(used.elements())), set()).add(way)
        assert found == {added: ways for added, ways in brute.items() if ways}
        for added, ways in found.items():
            assert all(can_become(lay, added, way, options) for way in ways)
            assert all(read_lay(way.cards, options) == way for way in ways)
