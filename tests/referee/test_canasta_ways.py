"""The searches of the referee of Canasta against plain enumeration, and its questions about the pile."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product

from tests.referee.canasta_melds import Meld
from tests.referee.canasta_scenes import table
from tests.referee.canasta_ways import (
    BLACK,
    WILD,
    Kinds,
    Shape,
    best_points,
    cards_used,
    kinds_of,
    openings,
    way_out,
    with_lays,
)

RANKS = ("4", "5", BLACK)


def is_legal(rank: str, shape: Shape) -> bool:
    """KAN-11, KAN-12."""
    if rank == BLACK:
        return shape.wilds == 0 and shape.naturals >= 3
    return shape.naturals >= 2 and shape.wilds <= 3 and shape.size >= 3


def every_lay(kinds: Kinds) -> Iterator[dict[str, Shape]]:
    """Every way to put some of the cards on the ranks, legal or not."""
    counts = [range(kinds[rank] + 1) for rank in RANKS]
    wilds = [range(kinds[WILD] + 1)] * len(RANKS)
    for numbers in product(*counts, *wilds):
        shapes = zip(RANKS, numbers[: len(RANKS)], numbers[len(RANKS) :], strict=True)
        lays = {rank: Shape(naturals, used) for rank, naturals, used in shapes if naturals + used}
        if sum(lay.wilds for lay in lays.values()) <= kinds[WILD]:
            yield lays


def can_part_with_all(melds: Mapping[str, Shape], kinds: Kinds, canastas: int) -> bool:
    """KAN-14: at most one card is left, every meld is legal, the canastas are there."""
    for lays in every_lay(kinds):
        after = with_lays(melds, lays)
        left = kinds.total() - cards_used(lays).total()
        owned = sum(1 for shape in after.values() if shape.size >= 7)
        if left <= 1 and owned >= canastas and all(is_legal(rank, shape) for rank, shape in after.items()):
            return True
    return False


def random_kinds(rng: random.Random, most: int) -> Kinds:
    """Up to so many cards of few kinds."""
    weights = (5, 3, 2, 3)
    return Counter(rng.choices((*RANKS, WILD), weights, k=rng.randrange(1, most + 1)))


def test_ways_out_are_those_that_enumeration_finds() -> None:
    rng = random.Random(14)
    found = Counter[bool]()
    for _ in range(600):
        kinds = random_kinds(rng, 8)
        kinds[BLACK] = min(kinds[BLACK], 4)
        melds = {}
        if rng.random() < 0.6:
            melds["4"] = Shape(rng.randrange(2, 7), rng.randrange(1, 4))
        if rng.random() < 0.3:
            melds["5"] = Shape(rng.randrange(3, 8), rng.randrange(0, 4))
        canastas = rng.choice((1, 1, 2))
        way = way_out(melds, +kinds, canastas)
        assert (way is not None) == can_part_with_all(melds, +kinds, canastas), (melds, kinds, canastas)
        found[way is not None] += 1
        if way is not None:
            used = cards_used(way.lays) + Counter([way.discard] if way.discard else [])
            assert used == +kinds
            assert all(is_legal(rank, shape) for rank, shape in with_lays(melds, way.lays).items())
    assert min(found[True], found[False]) > 50


def test_openings_are_those_that_enumeration_finds() -> None:
    rng = random.Random(13)
    for _ in range(60):
        kinds = +random_kinds(rng, 9)
        for top in (None, "4", "5"):
            right = {
                frozenset(lays.items())
                for lays in every_lay(kinds)
                if all(is_legal(rank, shape) for rank, shape in lays.items())
                and (top is None or (top in lays and lays[top].naturals >= 3))
            }
            given = [frozenset(lays.items()) for lays in openings(kinds, top)]
            assert len(given) == len(set(given))
            assert set(given) == right


def test_the_best_wild_cards_count_in_a_first_meld() -> None:
    lays = {"K": Shape(2, 1), "4": Shape(2, 1)}
    assert best_points(lays, ["2S", "JK", "2H"]) == 20 + 10 + 50 + 20
    assert best_points({"3": Shape(3, 0)}, []) == 15


def test_red_threes_are_no_kind() -> None:
    assert kinds_of(["3H", "3D", "3S", "JK", "2S", "TD"]) == Counter({BLACK: 1, WILD: 2, "T": 1})


def test_a_take_that_leaves_nothing_to_discard_needs_a_canasta() -> None:
    """A pair of aces for a frozen ace on top, nothing else: with four on the table a canasta, with three not."""
    for lying, possible in (("AS AH AD", False), ("AS AH AD AC", True)):
        recorder = table(pile="AC")
        state = recorder.begin().table
        recorder.table.hands[0] = ["AS", "AH"]
        state.melds[0] = []
        state.lay(0, meld_named(lying), [])
        state.now.opened, state.frozen = True, True
        assert bool(state.takes()) == possible


def meld_named(cards: str) -> Meld:
    """A meld of these cards."""
    return Meld("A", tuple(cards.split()))
