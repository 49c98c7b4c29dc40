"""The searches of canasta's policies against plain enumeration and against the referee's own search."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from kernels.canasta.going_out import find_going_out
from kernels.canasta.meld_rules import laid_points, spent
from kernels.canasta.openings import NO_COST, find_opening
from kernels.rank_counts import fits_in, less_at_most, number_of, one_of, total
from sim.games import make_setup
from tests.referee.canasta_ways import Shape, kinds_of, way_out
from tests.referee.cards import two_packs
from tests.rules.canasta_table import counts

SPOTS = 400
MANY_SPOTS = 6_000

COSTS = [(10, 4, 16, 22), (10, 0, 10, 10), (1, 0, 1, 1), (7, 9, 30, 3)]
RANKS = "456789TJQKA"
POINTS = dict.fromkeys("4567", 5) | dict.fromkeys("89TJQK", 10) | {"A": 20}

Hand = Counter[str]


def some_hand(rng: random.Random, size: int) -> list[str]:
    """Cards without threes, of few ranks so that there are melds."""
    ranks = set(rng.sample(RANKS, rng.randint(3, 8))) | {"2", "J" + "K"}
    pool = [card for card in two_packs(4).elements() if card == "JK" or card[0] in ranks]
    return rng.sample(pool, min(size, len(pool)))


def ranks_of(cards: list[str]) -> Hand:
    """Cards by kind: a rank's letter, ``2`` or ``JK``."""
    return Counter(card if card == "JK" else card[0] for card in cards)


def cheapest_by_enumeration(hand: Hand, minimum: int, most: int, costs: tuple[int, ...]) -> int | None:
    """Least cost of any set of melds that reaches the minimum: every number of naturals and of wild cards of a rank."""
    card_cost, pair_cost, two_cost, joker_cost = costs
    best: int | None = None
    choices = [[(rank, 0, 0), *shapes(rank, hand[rank])] for rank in RANKS if hand[rank] >= 2]
    for chosen in product(*choices):
        laid = [(rank, naturals, wilds) for rank, naturals, wilds in chosen if naturals]
        wilds = sum(shape[2] for shape in laid)
        naturals = sum(shape[1] for shape in laid)
        points = sum(POINTS[rank] * count for rank, count, _ in laid)
        pairs = sum(hand[rank] == 2 for rank, _, _ in laid)
        for jokers in range(min(hand["JK"], wilds) + 1):
            twos = wilds - jokers
            if twos <= hand["2"] and points + 50 * jokers + 20 * twos >= minimum and naturals + wilds <= most:
                cost = card_cost * naturals + pair_cost * pairs + two_cost * twos + joker_cost * jokers
                best = cost if best is None else min(best, cost)
    return best


def shapes(rank: str, held: int) -> Iterator[tuple[str, int, int]]:
    """Numbers of naturals and wild cards of a meld."""
    for naturals in range(2, held + 1):
        for wilds in range(max(0, 3 - naturals), 4):
            yield rank, naturals, wilds


def check_opening(seed: int) -> None:
    rng = random.Random(seed)
    cards = some_hand(rng, rng.randint(5, 12))
    minimum, costs = rng.choice((15, 50, 90, 120)), rng.choice(COSTS)
    most = rng.choice((len(cards) - 2, len(cards), 5))
    hand = counts(" ".join(cards))
    # Compiled code returns its words as plain integers.
    cost, *laid = find_opening(hand, np.uint64(0), minimum, most, tuple(map(np.int64, costs)))
    expected = cheapest_by_enumeration(ranks_of(cards), minimum, most, costs)
    if expected is None:
        assert cost == NO_COST, (cards, minimum, most)
        return
    assert cost == expected, (cards, minimum, most, costs)
    naturals, jokers, twos = map(np.uint64, laid)
    leaving = np.uint64(spent(naturals, jokers, twos))
    assert laid_points(naturals, jokers, twos) >= minimum
    assert total(leaving) <= most
    assert fits_in(leaving, hand)
    for rank in range(4, 15):
        wild = number_of(jokers + twos, np.int64(rank))
        natural = number_of(naturals, np.int64(rank))
        assert wild + natural == 0 or (natural >= 2 and wild <= 3 and natural + wild >= 3)


@pytest.mark.parametrize("seed", range(SPOTS))
def test_kan_13_the_cheapest_first_meld_is_the_one_that_enumeration_finds(seed: int) -> None:
    check_opening(seed)


@pytest.mark.slow
def test_kan_13_the_cheapest_first_meld_of_many_hands() -> None:
    for seed in range(SPOTS, MANY_SPOTS):
        check_opening(seed)


def check_going_out(seed: int) -> None:
    rng = random.Random(seed)
    needed = rng.choice((1, 1, 2))
    options = make_setup("canasta", rules={"canastas_to_go_out": needed}).encoded_options.view(np.recarray)[0]
    pool = list(two_packs(4).elements())
    rng.shuffle(pool)
    melds: dict[str, Shape] = {}
    melded, wilds = np.uint64(0), np.uint64(0)
    for rank in rng.sample(RANKS, rng.randint(0, 4)):
        naturals, wild = rng.randint(2, 7), rng.randint(0, 3)
        if naturals + wild >= 3:
            melds[rank] = Shape(naturals, wild)
            place = np.int64(RANKS.index(rank) + 4)
            melded += np.uint64(naturals) * one_of(place)
            wilds += np.uint64(wild) * one_of(place)
    near = [card for card in pool if card[0] in melds or card == "JK" or card[0] in "23"]
    cards = rng.sample(near, min(len(near), rng.randint(0, 5))) + rng.sample(pool, rng.randint(0, 4))
    cards = [card for card in cards if card not in ("3D", "3H")]
    for rank, shape in melds.items():
        held = [card for card in cards if card[0] == rank]
        for card in held[max(0, 8 - shape.naturals) :]:
            cards.remove(card)
    if len(cards) < 2:
        return
    found, *laid = find_going_out(options, melded, wilds, counts(" ".join(cards)))
    expected = way_out(melds, kinds_of(cards), needed)
    assert found == (expected is not None), (melds, cards, needed, expected)
    if found:
        leaving = np.uint64(spent(*map(np.uint64, laid)))
        assert fits_in(leaving, counts(" ".join(cards)))
        assert total(leaving) >= len(cards) - 1


@pytest.mark.parametrize("seed", range(SPOTS))
def test_kan_14_who_can_go_out_finds_the_way(seed: int) -> None:
    check_going_out(seed)


@pytest.mark.slow
def test_kan_14_who_can_go_out_finds_the_way_from_many_places() -> None:
    for seed in range(SPOTS, 5 * MANY_SPOTS):
        check_going_out(seed)


@pytest.mark.parametrize("seed", range(50))
def test_counts_by_rank_are_those_of_plain_counters(seed: int) -> None:
    rng = random.Random(seed)
    one, other = (Counter({rank: rng.randint(0, 8) for rank in range(16)}) for _ in range(2))
    words = [sum(np.uint64(count) << np.uint64(4 * rank) for rank, count in hand.items()) for hand in (one, other)]
    first, second = (np.uint64(word) for word in words)
    assert total(first) == one.total()
    assert fits_in(first, second) == all(one[rank] <= other[rank] for rank in range(16))
    left = np.uint64(less_at_most(first, second))
    assert [number_of(left, np.int64(rank)) for rank in range(16)] == [(one - other)[rank] for rank in range(16)]
