"""Searches of Canasta over kinds of cards: first melds, and ways to lay a whole hand.

Suits do not matter to any rule, so a search knows only kinds: a rank, "3" for the black threes, "W" for the
wild cards. Red threes are left out: they are laid aside whatever happens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.referee.canasta_melds import CANASTA, MELD_RANKS, MOST_WILDS, Meld, points_of
from tests.referee.cards import is_red_three, is_wild, rank_of

BLACK, WILD = "3", "W"
Kinds = Counter[str]


@dataclass(frozen=True)
class Shape:
    """How many naturals and wilds a meld has, or how many are laid on it."""

    naturals: int
    wilds: int

    @property
    def size(self) -> int:
        """All its cards."""
        return self.naturals + self.wilds


@dataclass(frozen=True)
class WayOut:
    """What to lay on which rank so that the hand is empty, and the kind of the last discard if there is one."""

    lays: Mapping[str, Shape]
    discard: str | None


def kind_of(card: str) -> str:
    """The kind of a card that is no red three."""
    return WILD if is_wild(card) else rank_of(card)


def kinds_of(cards: Iterable[str]) -> Kinds:
    """The kinds of the cards, red threes left out."""
    return Counter(kind_of(card) for card in cards if not is_red_three(card))


def shapes_of(melds: Iterable[Meld]) -> dict[str, Shape]:
    """A side's melds by rank."""
    return {meld.rank: Shape(meld.size - meld.wilds, meld.wilds) for meld in melds}


def with_lays(melds: Mapping[str, Shape], lays: Mapping[str, Shape]) -> dict[str, Shape]:
    """The melds after these cards have been laid."""
    after = dict(melds)
    for rank, lay in lays.items():
        before = after.get(rank, Shape(0, 0))
        after[rank] = Shape(before.naturals + lay.naturals, before.wilds + lay.wilds)
    return after


def cards_used(lays: Mapping[str, Shape]) -> Kinds:
    """The kinds of the cards laid."""
    used: Kinds = Counter({rank: lay.naturals for rank, lay in lays.items()})
    used[WILD] = sum(lay.wilds for lay in lays.values())
    return +used


# ---------------------------------------------------------------- KAN-13: the first meld


def openings(kinds: Kinds, top: str | None = None) -> Iterator[dict[str, Shape]]:
    """Every set of melds that can be laid at once from these kinds, black threes too (KAN-11, KAN-12).

    With `top`, the rank of the top card of the pile, which `kinds` holds too: only those that use it with a
    natural pair from the hand (KAN-08).
    """
    ranks = [rank for rank in (*MELD_RANKS, BLACK) if kinds[rank] >= 2]
    if top is None or kinds[top] >= 3:
        yield from _openings(ranks, kinds, kinds[WILD], top)


def _openings(ranks: Sequence[str], kinds: Kinds, wilds: int, top: str | None) -> Iterator[dict[str, Shape]]:
    """The melds of the first rank with those of the others."""
    if not ranks:
        yield {}
        return
    rank, *others = ranks
    for shape in _shapes(rank, kinds[rank], wilds, top):
        for rest in _openings(others, kinds, wilds - shape.wilds, top):
            yield {rank: shape, **rest} if shape.size else rest


def _shapes(rank: str, count: int, wilds: int, top: str | None) -> Iterator[Shape]:
    """No meld of this rank, or any that the cards allow."""
    if rank != top:
        yield Shape(0, 0)
    for naturals in range(3 if rank in (top, BLACK) else 2, count + 1):
        most = 0 if rank == BLACK else min(wilds, MOST_WILDS)
        for used in range(most + 1):
            if naturals + used >= 3:
                yield Shape(naturals, used)


def best_points(lays: Mapping[str, Shape], wild_cards: Iterable[str]) -> int:
    """KAN-13: what the melds are worth with the best of the wild cards."""
    used = sum(lay.wilds for lay in lays.values())
    best = sorted(map(points_of, wild_cards), reverse=True)[:used]
    return sum(best) + sum(lay.naturals * points_of(rank + "S") for rank, lay in lays.items())


# ---------------------------------------------------------------- KAN-14: laying everything


def way_out(melds: Mapping[str, Shape], kinds: Kinds, canastas: int) -> WayOut | None:
    """A way to part with all these cards, the last one perhaps by a discard, owning so many canastas then."""
    for discard in (None, *kinds):
        left = kinds - Counter([discard]) if discard else kinds
        lays = _lay_all(melds, left, canastas)
        if lays is not None:
            return WayOut(lays, discard)
    return None


def _lay_all(melds: Mapping[str, Shape], kinds: Kinds, canastas: int) -> dict[str, Shape] | None:
    """What to lay on which rank so that nothing is left: the naturals have no choice, the wilds have."""
    naturals = {rank: count for rank, count in kinds.items() if rank != WILD and count}
    lays = {rank: Shape(count, 0) for rank, count in naturals.items()}
    after = with_lays(melds, lays)
    if any(shape.naturals < (3 if rank == BLACK else 2) for rank, shape in after.items()):
        return None
    low = {rank: max(0, 3 - shape.size) for rank, shape in after.items() if rank != BLACK}
    high = {rank: MOST_WILDS - after[rank].wilds for rank in low}
    dear = {rank: max(low[rank], CANASTA - after[rank].size) for rank in low}  # what makes it a canasta
    chosen = sorted((rank for rank in low if dear[rank] <= high[rank]), key=lambda rank: dear[rank] - low[rank])
    if len(chosen) < canastas:
        return None
    given = {**low, **{rank: dear[rank] for rank in chosen[:canastas]}}
    return _spread(lays, given, high, kinds[WILD])


def _spread(
    lays: dict[str, Shape], given: dict[str, int], high: Mapping[str, int], wilds: int
) -> dict[str, Shape] | None:
    """The lays with the wilds that each rank must have, and the others wherever there is room."""
    left = wilds - sum(given.values())
    if left < 0 or any(given[rank] > high[rank] for rank in given):
        return None
    for rank in given:
        more = min(left, high[rank] - given[rank])
        given[rank] += more
        left -= more
    if left:
        return None
    return with_lays(lays, {rank: Shape(0, count) for rank, count in given.items() if count})
