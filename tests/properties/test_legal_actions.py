"""Melds and takes that the kernels call legal are those that the referee finds by plain search, card by card.

Small hands in the middle of a deal, with melds on the table, under any house rules. A take that only a last card
can finish and melds with two curingas are too rare in play to rely on played deals.
"""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain, combinations, islice

import numpy as np
import pytest

from kernels.canastra.decline import could_take
from kernels.canastra.layout import LAVADEIRA, NEW_LAVADEIRA, NEW_SEQUENCE
from kernels.canastra.meld_rules import accepted_naturals, takes_curinga
from kernels.cards import card_number, card_text
from tests.referee.canastra_melds import Lay, additions, extensions, is_curinga, lavadeira, new_lays, sequence
from tests.referee.canastra_options import Options
from tests.referee.canastra_table import Table
from tests.referee.cards import rank_letter, two_packs
from tests.referee.random_player import random_options
from tests.rules.table import Desk

SPOTS = 250
MANY_SPOTS = 8_000
STEP = 50

Cards = tuple[str, ...]
Target = int | str
Action = tuple[Target, Cards, Lay]
"""An own meld or `sequence` or `lavadeira` for a new one; the cards of the hand; the meld as it lies then."""


class Spot:
    """A place in a deal, known to the kernels (`desk`) and to the referee (`table`)."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.options = random_options(self.rng)
        pack = list(two_packs(self.options.jokers).elements())
        self.rng.shuffle(pack)
        # Few suits and many curingas make many melds.
        suits = self.rng.choice(("S", "SH", "SHDC"))
        self.pool = sorted(pack, key=lambda card: card[1] not in suits and not is_curinga(card))
        self.melds = [self.some_meld(self.rng.choice((6, 6, 11))) for _ in range(self.rng.randint(0, 3))]
        self.hand, self.lixo = self.hand_and_lixo()
        self.took_morto = [self.rng.random() < 0.7, self.rng.random() < 0.5]
        self.mortos_left = self.rng.randint(0, 2 - sum(self.took_morto))
        self.table = self.for_the_referee()
        self.desk = self.for_the_kernels()

    def deal(self, count: int) -> list[str]:
        """Take cards off the pool; no red threes, which would be laid."""
        cards = [card for card in self.pool if card not in ("3H", "3D")][:count]
        return [self.pool.pop(self.pool.index(card)) for card in cards]

    def hand_and_lixo(self) -> tuple[list[str], list[str]]:
        """A hand and a lixo, in half of the places with a meld between them and with cards that fit others."""
        lay = self.some_meld(longest=6) if self.rng.random() < 0.5 else None
        if lay is None:
            return self.deal(self.rng.randint(1, 5)), self.deal(self.rng.randint(1, 3))
        hand = list(lay.cards)
        top = hand.pop(self.rng.randrange(len(hand)))
        fitting = [card for card in self.pool if any(lay and additions(lay, card, self.options) for lay in self.melds)]
        if fitting and self.rng.random() < 0.7:
            hand.append(self.rng.choice(fitting))
            self.pool.remove(hand[-1])
        return [*hand, *self.deal(self.rng.randint(0, 1))], [*self.deal(self.rng.randint(0, 1)), top]

    def some_meld(self, longest: int = 11) -> Lay | None:
        """A meld of cards of the pool, which loses them; sometimes a long one."""
        some = Counter(self.pool[:26])
        lays = [lay for lay in islice(new_lays(some, self.options), 400) if len(lay.cards) <= longest]
        if not lays:
            return None
        lay = self.rng.choice(lays)
        if self.rng.random() < 0.6:
            longer = list(islice(extensions(lay, some - Counter(lay.cards), self.options), 60))
            longer = [(way, used) for way, used in longer if len(way.cards) <= longest]
            lay = max((way for way, _ in longer), key=lambda way: len(way.cards), default=lay)
        for card in lay.cards:
            self.pool.remove(card)
        return lay

    def own_melds(self) -> list[Lay]:
        """The melds of the side to move; a second lavadeira of a rank is left out."""
        kept: list[Lay] = []
        for lay in self.melds:
            if lay and (lay.is_sequence or all(other.is_sequence or other.low != lay.low for other in kept)):
                kept.append(lay)
        return kept

    def for_the_referee(self) -> Table:
        """The place on the referee's table."""
        table = Table(self.options, 0, [self.hand, *[[]] * (self.options.players - 1)], [], [[], []])
        table.lixo = list(self.lixo)
        table.melds[0] = self.own_melds()
        table.took_morto = list(self.took_morto)
        table.morto_left = [number >= 2 - self.mortos_left for number in range(2)]
        return table

    def for_the_kernels(self) -> Desk:
        """The place as a state of the kernels."""
        rules = {name: value for name, value in asdict(self.options).items() if name != "lavadeira_ranks"}
        rules["lavadeira_ranks"] = list(self.options.lavadeira_ranks)
        desk = Desk({0: " ".join(self.hand)}, lixo=" ".join(self.lixo), **rules)
        for number, lay in enumerate(self.table.melds[0]):
            target = NEW_SEQUENCE if lay.is_sequence else NEW_LAVADEIRA
            desk.lay(" ".join(lay.cards), places_of(lay), target=int(target))
            # Of two curingas laid together the kernels put the lower card lower.
            self.table.melds[0][number] = as_read(desk.meld_as_it_lies(0, number).split())
        desk.table.morto_taken[:] = self.took_morto
        desk.table.mortos_left = self.mortos_left
        return desk

    # ------------------------------------------------------------ what the referee finds

    def melds_by_the_referee(self) -> set[Action]:
        """Every meld and extension of the hand that the rule book allows."""
        table, mine = self.table, self.table.melds[0]
        found: set[Action] = set()
        for number, lay in enumerate(mine):
            for way, _ in extensions(lay, Counter(self.hand), self.options):
                used = Counter(way.cards) - Counter(lay.cards)
                if table.may_hold(len(self.hand) - used.total(), [*mine[:number], way, *mine[number + 1 :]]):
                    found.add((number, tuple(sorted(used.elements())), way))
        for lay in new_lays(Counter(self.hand), self.options):
            if not table.second_lavadeira(lay) and table.may_hold(len(self.hand) - len(lay.cards), [*mine, lay]):
                found.add((kind_of(lay), tuple(sorted(lay.cards)), lay))
        return found

    def takes_by_the_referee(self) -> set[tuple[Target, Cards]]:
        """Every justification of a take that the rule book allows."""
        return {
            (kind_of(take.lay) if take.new else take.number, tuple(sorted(take.from_hand.elements())))
            for take in self.table.takes()
        }

    # ------------------------------------------------------------ what the kernels allow

    def targets(self) -> list[tuple[Target, int]]:
        """Every target of an action by both names."""
        mine = range(len(self.table.melds[0]))
        return [("sequence", int(NEW_SEQUENCE)), ("lavadeira", int(NEW_LAVADEIRA)), *((meld, meld) for meld in mine)]

    def melds_by_the_kernels(self) -> set[Action]:
        """Every meld and extension that they call legal, laid to see how it lies."""
        found: set[Action] = set()
        for name, target in self.targets():
            for cards in parts(self.hand):
                for places in self.places(cards, target):
                    if cards and self.desk.action_article(" ".join(cards), places, target) == 0:
                        found.add((name, cards, self.laid(cards, places, target)))
        return found

    def laid(self, cards: Cards, places: str, target: int) -> Lay:
        """How a meld lies after an action, which is then undone."""
        before = self.desk.states.copy()
        now = self.desk.meld(" ".join(cards), places, target).now()
        self.desk.states[:] = before
        return as_read(now.split())

    def takes_by_the_kernels(self) -> set[tuple[Target, Cards]]:
        """Every justification of a take that they call legal."""
        top = self.lixo[-1]
        return {
            (name, cards)
            for name, target in self.targets()
            for cards in parts(self.hand)
            for places in self.places((*cards, top), target)
            if self.desk.take_article(" ".join(cards), places, target) == 0
        }

    def places(self, cards: Cards, target: int) -> Iterator[str]:
        """Every way to name the places of the curingas among cards; none on a lavadeira."""
        curingas = sum(is_curinga(card) for card in cards)
        on_lavadeira = target >= 0 and self.desk.table.meld_kind[0, target] == LAVADEIRA
        if curingas == 0 or on_lavadeira or target == NEW_LAVADEIRA:
            yield ""
        elif curingas <= 2:
            yield from (" ".join(places) for places in combinations("456789TJQKA", curingas))


def parts(hand: list[str]) -> list[Cards]:
    """Every part of a hand, each once."""
    return sorted({tuple(sorted(part)) for size in range(len(hand) + 1) for part in combinations(hand, size)})


def as_read(now: list[str]) -> Lay:
    """A meld from its cards as they lie."""
    naturals = [card for card in now if not is_curinga(card)]
    first = card_number(naturals[0]) & 15
    if len({card[0] for card in naturals}) == 1:
        return lavadeira(first, now)
    return sequence(naturals[0][1], first - now.index(naturals[0]), now)


def places_of(lay: Lay) -> str:
    """Ranks that the curingas of a sequence stand for."""
    if not lay.is_sequence:
        return ""
    return " ".join(rank_letter(lay.low + at) for at, card in enumerate(lay.cards) if is_curinga(card))


def kind_of(lay: Lay) -> Target:
    """Name of a new meld of this kind."""
    return "sequence" if lay.is_sequence else "lavadeira"


def check(spot: Spot) -> Counter[str]:
    """The kernels and the referee agree; what occurred."""
    where = f"{spot.options}: {spot.hand} with {spot.table.melds[0]}, lixo {spot.lixo}, mortos {spot.took_morto}"
    by_referee = spot.melds_by_the_referee()
    by_kernels = spot.melds_by_the_kernels()
    assert {action[:2] for action in by_kernels} == {action[:2] for action in by_referee}, where
    # Of several ways to lie the kernels choose one for each naming of places.
    assert by_kernels <= by_referee, where
    takes = spot.takes_by_the_referee()
    assert spot.takes_by_the_kernels() == takes, where
    state = spot.desk.state
    seat, one, two = np.int64(0), np.uint64(state.hand_one[0]), np.uint64(state.hand_two[0])
    assert could_take(spot.desk.table, spot.desk.options, seat, one, two) == bool(takes), where
    check_single_cards(spot)
    return Counter(
        melds=len(by_referee),
        takes=len(takes),
        finished=sum(take_must_be_finished(spot, cards) for _, cards in takes),
    )


def take_must_be_finished(spot: Spot, from_hand: Cards) -> bool:
    """Whether a take leaves one card, with which alone the turn can be ended."""
    left = len(spot.hand) - len(from_hand) + len(spot.lixo) - 1
    return left == 1 and not spot.table.morto_open() and not spot.table.batida_open()


def check_single_cards(spot: Spot) -> None:
    """The quick answers for a single card agree with the rule."""
    table, options = spot.desk.table, spot.desk.options
    for meld, lay in enumerate(spot.table.melds[0]):
        accepted = int(accepted_naturals(table, options, np.int64(0), np.int64(meld)))
        naturals = {text for text in set(two_packs(0)) if not is_curinga(text)}
        found = {card_text(card) for card in range(64) if accepted >> card & 1}
        assert found == {card for card in naturals if spot.desk.meld_article(card, target=meld) == 0}, lay
        legal = any(spot.desk.meld_article("2C", places, meld) == 0 for places in spot.places(("2C",), meld))
        assert takes_curinga(table, options, np.int64(0), np.int64(meld)) == legal, lay


def test_the_kernels_and_the_referee_find_the_same_legal_actions() -> None:
    met = sum((check(Spot(seed)) for seed in range(SPOTS)), Counter())
    assert met["melds"] > SPOTS
    assert met["takes"] > SPOTS
    assert met["finished"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("first", range(SPOTS, MANY_SPOTS, (MANY_SPOTS - SPOTS) // STEP))
def test_they_do_in_many_more_places(first: int) -> None:
    for seed in range(first, min(first + (MANY_SPOTS - SPOTS) // STEP, MANY_SPOTS)):
        check(Spot(seed))


def test_the_places_bring_long_melds_and_every_option() -> None:
    spots = [Spot(seed) for seed in range(SPOTS)]
    sizes = Counter(len(lay.cards) for lay in chain.from_iterable(spot.table.melds[0] for spot in spots))
    assert min(sizes[6], sum(count for size, count in sizes.items() if size >= 7)) > 10
    for name in asdict(Options()):
        assert name == "target" or len({getattr(spot.options, name) for spot in spots}) > 1
