"""A slow random player of Canastra: legal moves drawn by lot, one whole log a deal.

It knows the rules through the table's questions, so it is a self-test of the referee and a source of long
logs under every option; it is not a model of anybody's play.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

from tests.referee.builder import Recorder, random_deal
from tests.referee.canastra_melds import Lay, extensions, new_lays
from tests.referee.canastra_options import Options
from tests.referee.canastra_table import Take
from tests.referee.log import Event

OPTION_SETS: tuple[Options, ...] = (
    Options(),
    Options(players=2),
    Options(jokers=4),
    Options(players=2, jokers=4, curingas_per_meld=2),
    Options(lixo_justify="naturals_only"),
    Options(lixo_justify="new_or_extend"),
    Options(players=2, jokers=4, lixo_justify="new_or_extend", curingas_per_meld=2),
    Options(curinga_top_blocks=True),
    Options(lavadeira_ranks=()),
    Options(lavadeira_ranks=tuple("456789TJQKA"), curingas_per_meld=2),
    Options(curinga_slides=False),
    Options(batida_needs_discard=True),
    Options(stock_out="end"),
    Options(players=2, stock_out="end", batida_needs_discard=True),
    Options(red_three_table_points=0, target=3000),
)


def random_options(rng: random.Random) -> Options:
    """Any house rules."""
    return Options(
        players=rng.choice((4, 2)),
        jokers=rng.choice((0, 4)),
        lixo_justify=rng.choice(("new_meld", "naturals_only", "new_or_extend")),
        curinga_top_blocks=rng.random() < 0.3,
        lavadeira_ranks=tuple(rank for rank in "456789TJQKA" if rng.random() < 0.4),
        curingas_per_meld=rng.choice((1, 2)),
        curinga_slides=rng.random() < 0.7,
        batida_needs_discard=rng.random() < 0.4,
        stock_out=rng.choice(("morto_becomes_stock", "end")),
        red_three_table_points=rng.choice((10, 0)),
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
        take = self.choose_take()
        if take is not None:
            self.recorder.take(self.as_it_lies(take.lay), None if take.new else take.number)
        elif self.table.can_draw():
            self.recorder.draw()
        else:
            self.recorder.nothing_left()
        self.lay()
        if not self.recorder.over:
            self.end_turn()

    def choose_take(self) -> Take | None:
        """A way to take the lixo, or none."""
        wish = 0.5 if self.table.can_draw() else 0.8
        takes = list(islice(self.table.takes(), 200)) if self.rng.random() < wish else []
        return self.rng.choice(takes) if takes else None

    def as_it_lies(self, lay: Lay) -> list[str]:
        """The meld as the log shows it: a lavadeira in any order."""
        cards = list(lay.cards)
        if not lay.is_sequence:
            self.rng.shuffle(cards)
        return cards

    def lay(self) -> None:
        """Melds and extensions, as long as the lot says so or the last card must go."""
        while not self.recorder.over and self.table.hand:
            must = not self.table.may_hold(len(self.table.hand)) and self.table.finishing(self.table.hand)
            if not must and self.rng.random() > self.eager:
                return
            steps = self.steps()
            if not steps:
                return
            number, lay = self.rng.choice(steps)
            now = self.as_it_lies(lay)
            if number is None:
                self.recorder.meld(now)
            else:
                self.recorder.extend(number, now)

    def steps(self) -> list[tuple[int | None, Lay]]:
        """The melds and extensions that leave a legal hand."""
        pool = Counter(self.table.hand)
        mine = self.table.melds[self.table.side]
        found: list[tuple[int | None, Lay]] = []
        for number, lay in enumerate(mine):
            for way, used in islice(extensions(lay, pool, self.table.options), 40):
                melds = [*mine[:number], way, *mine[number + 1 :]]
                if self.table.may_hold(len(self.table.hand) - used.total(), melds):
                    found.append((number, way))
        for lay in islice(new_lays(pool, self.table.options), 400):
            left = len(self.table.hand) - len(lay.cards)
            if not self.table.second_lavadeira(lay) and self.table.may_hold(left, [*mine, lay]):
                found.append((None, lay))
        return found

    def end_turn(self) -> None:
        """A discard, or none if the only card may not be parted with."""
        hand = self.table.hand
        if len(hand) == 1 and not self.table.morto_open() and not self.table.batida_open():
            self.recorder.no_discard()
        else:
            self.recorder.discard(self.rng.choice(hand))
