"""What the kernels of loba let a player lay, take and discard is what the referee finds by plain search.

Hands in the middle of a turn, with own melds on the table and a card just taken or not, under any house rules.
"""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from kernels.loba.meld_rules import must_lay
from tests.referee.cards import JOKER
from tests.referee.loba_melds import Meld, read_meld
from tests.referee.loba_options import Options
from tests.referee.loba_table import Table
from tests.referee.loba_ways import every_lay
from tests.rules.loba_table import Desk

SPOTS = 200
MANY_SPOTS = 5_000
STEP = 400


class Spot:
    """A place in a turn, known to the kernels (`desk`) and to the referee (`table`)."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.options = Options(
            set_suits=rng.choice(("three_different", "any")),
            taken_discard_must_meld=rng.random() < 0.4,
            jokers=8,
        )
        suits = "".join(rng.sample("CDHS", rng.choice((1, 2, 2, 4))))
        self.pool = [rank + suit for rank in "23456789TJQKA" for suit in suits for _ in range(2)] + [JOKER] * 6
        rng.shuffle(self.pool)
        self.melds = [meld for meld in (self.some_meld(rng) for _ in range(rng.randint(0, 2))) if meld]
        self.hand, self.top = self.hand_and_top(rng)
        if rng.random() < 0.3 and self.top in self.pool:
            # Another of the same face.
            self.pool.remove(self.top)
            self.hand[0] = self.top
        self.table = self.for_the_referee()
        self.desk = self.for_the_kernels()
        self.takes = rng.random() < 0.6

    def deal(self, count: int) -> list[str]:
        """Take cards off the pool."""
        cards, self.pool = self.pool[:count], self.pool[count:]
        return cards

    def hand_and_top(self, rng: random.Random) -> tuple[list[str], str]:
        """A hand and the top discard, in most places with a meld between them or in the hand."""
        lay = self.some_meld(rng) if rng.random() < 0.7 else None
        if lay is None:
            return self.deal(rng.randint(1, 6)), self.deal(1)[0]
        cards = [*lay.cards, *self.deal(rng.randint(0, 3))]
        top = cards.pop(rng.randrange(len(cards)))
        return cards, top

    def some_meld(self, rng: random.Random) -> Meld | None:
        """A meld of cards of the pool, which loses them."""
        ways = [lay for lay in every_lay(self.pool[:13], [], self.options) if len(lay.now) <= 5]
        if not ways:
            return None
        lay = rng.choice(ways)
        self.pool = list((Counter(self.pool) - Counter(lay.cards)).elements())
        rng.shuffle(self.pool)
        return read_meld(lay.now, self.options)

    def for_the_referee(self) -> Table:
        """The table as the referee has it."""
        hands = [list(self.hand), ["KS"], ["KS"], ["KS"]]
        event = {"first": 0, "hands": hands, "stock": ["2C"], "exposed": "2D", "match": None, "scores_before": [0] * 4}
        table = Table(self.options, event)
        table.begin_turn()
        table.melds[0] = list(self.melds)
        table.has_laid[0] = bool(self.melds)
        table.discards = [self.top]
        return table

    def for_the_kernels(self) -> Desk:
        """The table as the kernels have it."""
        rules: dict[str, Any] = {
            "set_suits": self.options.set_suits,
            "taken_discard_must_meld": self.options.taken_discard_must_meld,
        }
        melds = [" ".join(meld.cards) for meld in self.melds]
        return Desk(" ".join(self.hand), discards=self.top, jokers=8, **rules).own(*melds)


def check(seed: int) -> Counter[str]:
    """The kernels and the referee agree; what occurred."""
    spot = Spot(seed)
    table, desk = spot.table, spot.desk
    where = f"{spot.options}: {spot.hand} beside {[meld.cards for meld in spot.melds]}, {spot.top} on top"
    may_take = table.why_not_take() is None
    assert (desk.take() == 0) == may_take, where
    took = spot.takes and may_take
    if took:
        table.take_discard()
        desk.taken()
        where += ", taken"
    met = Counter(taken=took)
    met.update(check_lays(spot, where))
    met.update(check_discards(spot, where))
    stuck = not table.legal_discards()
    assert bool(must_lay(desk.table, desk.options, desk.seat, desk.words_of()[0])) == stuck, where
    met["stuck"] += stuck
    return met


def check_lays(spot: Spot, where: str) -> Counter[str]:
    """Every lay that the referee finds has the same answer, and nothing is laid that it does not find."""
    found: Counter[str] = Counter()
    lays = {(lay.number, lay.now): lay for lay in every_lay(spot.table.hand, spot.table.mine, spot.options)}
    for (number, now), lay in lays.items():
        legal = spot.table.leaves_an_end(lay)
        assert (spot.desk.meld(" ".join(now), number) == 0) == legal, f"{where}: {now} at {number}"
        found["lays"] += 1
        found["no end"] += not legal
    for now in attempts(spot):
        for number in (None, *range(len(spot.table.mine))):
            if number is not None and not grows(spot.table.mine[number], now):
                continue
            allowed = any(key[0] == number and sorted(key[1]) == sorted(now) for key in lays)
            if not allowed:
                assert spot.desk.meld(" ".join(now), number) != 0, f"{where}: {now} at {number}"
                found["refused"] += 1
    return found


def attempts(spot: Spot) -> list[tuple[str, ...]]:
    """Choices of cards that are hardly ever a meld."""
    rng = random.Random(len(spot.pool))
    cards = [*spot.table.hand, *(card for meld in spot.table.mine for card in meld.cards)]
    tries = []
    for _ in range(20):
        some = rng.sample(cards, min(len(cards), rng.randint(2, 5)))
        if any(card != JOKER for card in some):
            tries.append(tuple(some))
    return tries


def grows(meld: Meld, now: tuple[str, ...]) -> bool:
    """Whether these cards are a meld's and some more."""
    return not Counter(meld.cards) - Counter(now) and len(now) > len(meld.cards)


def check_discards(spot: Spot, where: str) -> Counter[str]:
    """Every card of the hand and of the melds may be discarded, or not, as the referee says."""
    legal = set(spot.table.legal_discards())
    for card in set(spot.table.hand):
        assert (spot.desk.discard(card) == 0) == ((card, None) in legal), f"{where}: {card}"
    for number, meld in enumerate(spot.table.mine):
        for card in set(meld.cards) - {JOKER}:
            assert (spot.desk.discard(card, number) == 0) == ((card, number) in legal), f"{where}: {card} of {number}"
    return Counter(
        laid_discards=sum(number is not None for _, number in legal), jokers=sum(card == JOKER for card, _ in legal)
    )


def test_the_kernels_and_the_referee_find_the_same_legal_actions() -> None:
    met = sum((check(seed) for seed in range(SPOTS)), Counter())
    assert met["lays"] > SPOTS
    assert met["refused"] > SPOTS
    assert met["taken"] > SPOTS // 5
    assert met["laid_discards"] > SPOTS // 5
    assert met["no end"] > 0
    assert met["stuck"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("first", range(SPOTS, MANY_SPOTS, STEP))
def test_they_do_in_many_more_places(first: int) -> None:
    met = sum((check(seed) for seed in range(first, first + STEP)), Counter())
    assert met["jokers"] > 0


def test_a_desk_holds_what_the_referee_holds() -> None:
    for seed in range(20):
        spot = Spot(seed)
        assert Counter(spot.desk.hand().split()) == Counter(spot.table.hand)
        assert int(spot.desk.table.hand_count[0]) == len(spot.hand)
        assert np.int64(spot.desk.table.meld_count[0]) == len(spot.melds)
