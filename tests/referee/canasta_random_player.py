"""A slow random player of Canasta: legal moves drawn by lot, one whole log a deal.

It knows the rules through the table's questions, so it is a self-test of the referee and a source of long
logs under every option; it is not a model of anybody's play.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import islice

from tests.referee.canasta_builder import Recorder, random_deal
from tests.referee.canasta_melds import MOST_WILDS, points_of
from tests.referee.canasta_options import Options
from tests.referee.canasta_ways import (
    BLACK,
    WILD,
    Kinds,
    Shape,
    best_points,
    cards_used,
    kind_of,
    kinds_of,
    openings,
    shapes_of,
    with_lays,
)
from tests.referee.cards import is_red_three, is_wild, rank_of
from tests.referee.log import Event

OPTION_SETS: tuple[Options, ...] = (
    Options(),
    Options(opening_black_three_covers=False),
    Options(black_three_freezes=True),
    Options(opening_black_three_covers=False, black_three_freezes=True),
    Options(ask_partner=True),
    Options(canastas_to_go_out=2),
    Options(ask_partner=True, canastas_to_go_out=2),
    Options(start_score=(-120, 1600)),
    Options(start_score=(3000, -5), ask_partner=True),
    Options(start_score=(1495, 2995), target=3000),
)


def random_options(rng: random.Random) -> Options:
    """Any house rules."""
    return Options(
        opening_black_three_covers=rng.random() < 0.5,
        black_three_freezes=rng.random() < 0.4,
        ask_partner=rng.random() < 0.5,
        canastas_to_go_out=rng.choice((1, 1, 2)),
        start_score=(rng.choice((-200, 0, 1600, 3200)), rng.choice((-200, 0, 1600, 3200))),
    )


def random_log(options: Options, rng: random.Random, deal: int = 0, eager: float = 0.8) -> list[Event]:
    """One deal played at random; `eager` is the chance to go on laying."""
    return RandomPlayer(options, rng, deal, eager).play()


class RandomPlayer:
    """Plays all seats."""

    def __init__(self, options: Options, rng: random.Random, deal: int, eager: float) -> None:
        self.rng = rng
        self.eager = eager
        self.recorder = Recorder(random_deal(options, rng, deal), options)
        self.table = self.recorder.table

    def play(self) -> list[Event]:
        """Turns until the hand is over."""
        while not self.recorder.over:
            self.turn()
        return self.recorder.events

    def turn(self) -> None:
        """One turn."""
        self.recorder.begin()
        if not self.take():
            if not self.table.stock:
                self.recorder.nothing_left()
            else:
                self.recorder.draw()
                self.ask()
                self.open_from_hand()
        if self.table.mine:
            self.lay()
        self.go_out()
        self.end_turn()

    # ------------------------------------------------------------ the pile

    def take(self) -> bool:
        """The pile is taken, if it can be and the lot says so."""
        if not self.table.must_take() and self.rng.random() > 0.7:
            return False
        if self.table.mine:
            ways = self.table.takes()
            if ways:
                self.take_with(self.rng.choice(ways))
            return bool(ways)
        plans = list(islice(self.table.opening_takes(), 300))
        if plans:
            self.take_to_open(self.rng.choice(plans))
        return bool(plans)

    def take_with(self, from_hand: Kinds) -> None:
        """A side that has melded takes the pile."""
        top = self.table.pile[-1]
        cards = [top, *self.pick(from_hand)]
        self.lift()
        self.lay_cards(rank_of(top), cards, justify=True)

    def take_to_open(self, lays: Mapping[str, Shape]) -> None:
        """A side takes the pile with its first melds."""
        top = self.table.pile[-1]
        rank = rank_of(top)
        shape = lays[rank]
        wilds = self.best_wilds()
        first = [top, *self.pick({rank: shape.naturals - 1}), *wilds[: shape.wilds]]
        self.lift()
        self.lay_cards(rank, first, justify=True)
        self.lay_plan({other: lay for other, lay in lays.items() if other != rank}, wilds[shape.wilds :])

    def lift(self) -> None:
        """The pile is in hand; its red threes are laid now or at the end of the turn."""
        self.recorder.lift()
        for card in [card for card in self.table.taken if is_red_three(card)]:
            if self.rng.random() < 0.5:
                self.recorder.red_three(card)

    # ------------------------------------------------------------ the first meld

    def open_from_hand(self) -> None:
        """A side that has not melded lays enough for its first meld, if the lot says so."""
        if self.recorder.over or self.table.mine or self.rng.random() > self.eager:
            return
        kinds, wilds = kinds_of(self.table.hand), self.best_wilds()
        least = self.table.minimums[self.table.side]
        plans = [
            lays
            for lays in islice(openings(kinds), 3000)
            if best_points(lays, wilds) >= least and self.table.can_finish(lays, kinds - cards_used(lays))
        ]
        if plans:
            self.lay_plan(self.rng.choice(plans), wilds)

    def lay_plan(self, lays: Mapping[str, Shape], wilds: list[str]) -> None:
        """These melds, one after the other, sometimes in two steps."""
        for rank, shape in self.rng.sample(list(lays.items()), len(lays)):
            if self.recorder.over:
                return
            cards = [*self.pick({rank: shape.naturals}), *wilds[: shape.wilds]]
            wilds = wilds[shape.wilds :]
            if len(cards) > 3 and shape.naturals > 2 and self.table.own_meld(rank) is None and self.rng.random() < 0.5:
                self.lay_cards(rank, cards[:3])
                cards = cards[3:]
            self.lay_cards(rank, cards)

    # ------------------------------------------------------------ later melds

    def lay(self) -> None:
        """Melds and extensions, as long as the lot says so."""
        while not self.recorder.over and self.table.minimum_reached() and self.rng.random() < self.eager:
            steps = [step for step in self.steps() if self.legal(*step)]
            if not steps:
                return
            rank, shape = self.rng.choice(steps)
            self.lay_cards(rank, self.pick({rank: shape.naturals, WILD: shape.wilds}))

    def steps(self) -> list[tuple[str, Shape]]:
        """Small new melds and extensions from the hand."""
        kinds, melds = kinds_of(self.table.hand), shapes_of(self.table.mine)
        found = []
        for rank in sorted({*kinds, *melds} - {WILD}):
            before = melds.get(rank, Shape(0, 0))
            for naturals in range(min(kinds[rank], 4) + 1):
                for wilds in range(min(kinds[WILD], 1 if rank != BLACK else 0) + 1):
                    after = Shape(before.naturals + naturals, before.wilds + wilds)
                    enough = after.size >= 3 and after.naturals >= (3 if rank == BLACK else 2)
                    if naturals + wilds and enough and after.wilds <= MOST_WILDS:
                        found.append((rank, Shape(naturals, wilds)))
        return found

    def legal(self, rank: str, lay: Shape) -> bool:
        """Can the turn still end after this step?"""
        melds = with_lays(shapes_of(self.table.mine), {rank: lay})
        return self.table.can_finish(melds, kinds_of(self.table.hand) - cards_used({rank: lay}))

    # ------------------------------------------------------------ the end of the turn

    def ask(self) -> None:
        """The partner is asked, by a player who could go out or just likes to ask."""
        if self.recorder.over or not self.table.options.ask_partner or self.table.has_asked[self.table.seat]:
            return
        way = self.table.way_out(shapes_of(self.table.mine), kinds_of(self.table.hand))
        if self.rng.random() < (0.9 if way else 0.03):
            self.recorder.ask(way is not None and self.rng.random() < 0.6)

    def go_out(self) -> None:
        """The whole hand is laid, if it can be and must be or the lot says so."""
        if self.recorder.over:
            return
        melds, kinds = shapes_of(self.table.mine), kinds_of(self.table.hand)
        must = kinds.total() < 2 or self.table.black_threes_laid() or self.table.now.answer is True
        if not must and self.rng.random() > 0.7:
            return
        way = self.table.way_out(melds, kinds)
        if way is None:
            assert not must
            return
        self.remaining_red_threes()
        self.lay_plan(way.lays, self.best_wilds())
        if way.discard:
            self.recorder.discard(self.table.hand[0])

    def remaining_red_threes(self) -> None:
        """Red threes of the pile are laid before the turn ends."""
        for card in [card for card in self.table.hand if is_red_three(card)]:
            if not self.recorder.over:
                self.recorder.red_three(card)

    def end_turn(self) -> None:
        """A discard."""
        if not self.recorder.over:
            self.remaining_red_threes()
            self.recorder.discard(self.rng.choice(self.table.hand))

    # ------------------------------------------------------------ cards

    def pick(self, kinds: Mapping[str, int]) -> list[str]:
        """Cards of these kinds from the hand."""
        cards = []
        for kind, count in kinds.items():
            held = [card for card in self.table.hand if not is_red_three(card) and kind_of(card) == kind]
            cards += self.rng.sample(held, count)
        return cards

    def best_wilds(self) -> list[str]:
        """The wild cards in hand, the dearest first."""
        return sorted(filter(is_wild, self.table.hand), key=points_of, reverse=True)

    def lay_cards(self, rank: str, cards: list[str], justify: bool = False) -> None:
        """A meld or an extension with these cards, in any order."""
        number = self.table.own_meld(rank)
        now = [*cards, *(self.recorder.meld_cards(number) if number is not None else ())]
        self.rng.shuffle(now)
        if justify:
            self.recorder.justify(now, number)
        else:
            self.recorder.lay(now, number)
