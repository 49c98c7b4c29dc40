"""Plays that the kernels call legal are those that the referee finds by plain search, card by card."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from kernels.cards import RANKS, SUITS, card_number, card_texts
from kernels.mau_mau.counting import cards_covered
from tests.referee.mau_mau_deal import pack
from tests.referee.mau_mau_options import Options
from tests.referee.mau_mau_table import Table
from tests.rules.mau_mau_table import NOTHING_ANNOUNCED, Desk

SPOTS = 400
MANY_SPOTS = 8_000
STEP = 50
PACK = [rank + suit for rank in RANKS for suit in SUITS]
JACKS = [card for card in PACK if card[0] == "J"]
ANNOUNCEMENTS = ["", *SUITS]

Play = tuple[tuple[str, ...], str]
"""Cards and the suit announced."""


class Spot:
    """A place in a round, known to the kernels (`desk`) and to the referee (`table`)."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.options = Options(players=rng.choice((2, 3, 4, 10)), packs=2, stack_eights=rng.random() < 0.5)
        cards = list(pack(2).elements())
        rng.shuffle(cards)
        # Jacks and eights are what is special about a hand.
        cards.sort(key=lambda card: card[0] not in "J8" if rng.random() < 0.4 else True)
        start = next(at for at, card in enumerate(cards) if at > 12 and card[0] not in "J")
        top = cards.pop(rng.choice((start, rng.randrange(8))))
        self.hand = [cards.pop(rng.randrange(16)) for _ in range(rng.choice((1, 2, 2, 3, 7)))]
        self.suit = rng.choice((NOTHING_ANNOUNCED, *SUITS)) if top[0] == "J" else ""
        self.barred = rng.random() < 0.5
        self.pending = 3 if top[0] == "8" and rng.random() < 0.7 else 0
        hands = [self.hand, *[["2C", "2D"]] * (self.options.players - 1)]
        self.table = Table(self.options, self.options.players - 1, hands, [], "2H")
        self.table.lixo = [top]
        self.table.announced = self.suit if self.suit in SUITS and self.suit else None
        self.table.anything_follows = self.suit == NOTHING_ANNOUNCED
        self.table.pending = self.pending
        self.table.barred[0] = self.barred
        self.desk = Desk(
            [" ".join(hand) for hand in hands],
            top=top,
            suit=self.suit,
            barred=[0] if self.barred else [],
            pending=self.pending,
            packs=2,
            stack_eights=self.options.stack_eights,
        )

    def by_the_referee(self) -> set[Play]:
        """Every play, with what it may announce."""
        plays: set[Play] = set()
        for cards in self.table.plays():
            if cards[-1][0] != "J":
                plays.add((tuple(cards), ""))
            elif len(cards) == 2:
                plays.add((tuple(cards), cards[-1][1]))
            else:
                plays |= {(tuple(cards), suit) for suit in ANNOUNCEMENTS}
        return plays

    def by_the_kernels(self) -> set[Play]:
        """Every card of the pack, every two Jacks, and some other pairs are tried with every announcement."""
        pairs = [*product(JACKS, JACKS), *product(self.hand, self.hand)]
        tries = [*((card,) for card in PACK), *pairs]
        if self.pending and not self.options.stack_eights:
            return set()
        return {
            (cards, suit) for cards in tries for suit in ANNOUNCEMENTS if self.desk.article(" ".join(cards), suit) == 0
        }


def check(seeds: range) -> Counter[str]:
    met: Counter[str] = Counter()
    for seed in seeds:
        spot = Spot(seed)
        found, expected = spot.by_the_kernels(), spot.by_the_referee()
        assert found == expected, (seed, spot.hand, spot.table.top, spot.suit, found ^ expected)
        met.update(f"{len(cards)} cards" for cards, _ in expected)
        met[f"barred {spot.barred}, {min(len(expected), 1)}"] += 1
        met[f"pending {spot.pending}, {min(len(expected), 1)}"] += 1
    return met


def test_legal_plays_are_those_of_a_plain_search() -> None:
    met = check(range(SPOTS))
    assert met["2 cards"] > 20
    assert min(met[f"barred {barred}, {some}"] for barred in (False, True) for some in (0, 1)) > 10
    assert min(met[f"pending {pending}, {some}"] for pending in (0, 3) for some in (0, 1)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("first", range(SPOTS, MANY_SPOTS, STEP * 20))
def test_many_legal_plays_are_those_of_a_plain_search(first: int) -> None:
    check(range(first, first + STEP * 20))


def test_the_cards_that_a_hand_covers_are_those_of_a_plain_search() -> None:
    rng = random.Random(5)
    for _ in range(500):
        hand = rng.sample(PACK, rng.randint(0, 8))
        word = int(cards_covered(np.uint64(sum(1 << card_number(card) for card in hand))))
        expected = {top for top in PACK if any(card[0] in ("J", top[0]) or card[1] == top[1] for card in hand)}
        assert set(card_texts(card for card in range(64) if word >> card & 1)) == expected
