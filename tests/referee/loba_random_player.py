"""A slow random player of Loba: legal moves drawn by lot, one whole log a deal.

It knows the rules through the table's questions, so it is a self-test of the referee and a source of long
logs under every option; it is not a model of anybody's play.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.referee.cards import JOKER, number_of, rank_of, suit_of
from tests.referee.loba_builder import Recorder, random_deal
from tests.referee.loba_options import FEWEST_PLAYERS, MOST_JOKERS, MOST_PLAYERS, Options
from tests.referee.loba_table import Discard
from tests.referee.loba_ways import Lay, every_lay, way_out
from tests.referee.log import Event

OPTION_SETS: tuple[Options, ...] = (
    Options(),
    *(Options(players=players) for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)),
    *(Options(jokers=jokers) for jokers in range(MOST_JOKERS + 1)),
    Options(set_suits="any"),
    Options(taken_discard_must_meld=True),
    Options(set_suits="any", taken_discard_must_meld=True),
    Options(players=2, jokers=8, taken_discard_must_meld=True),
    Options(players=7, jokers=0, set_suits="any"),
    Options(players=7, jokers=8, set_suits="any", taken_discard_must_meld=True),
    Options(players=2, jokers=0, target=1),
)


@dataclass(frozen=True)
class Temper:
    """How a random player is inclined, in chances."""

    lays: float = 0.7  # goes on laying
    keeps: float = 0.9  # discards what is of least use to him
    takes: float = 0.6  # takes a discard that fits
    goes_out: float = 0.9  # goes out when he can


TEMPERS = (
    Temper(),
    Temper(lays=0.0),  # for everything at once
    Temper(lays=0.95, keeps=1.0, takes=0.8),
    Temper(lays=0.4, keeps=0.5, takes=0.9, goes_out=0.5),
    Temper(lays=0.9, keeps=0.2, takes=0.3),
)


def random_options(rng: random.Random) -> Options:
    """Any house rules."""
    return Options(
        players=rng.randint(FEWEST_PLAYERS, MOST_PLAYERS),
        jokers=rng.choice(("auto", *range(MOST_JOKERS + 1))),
        set_suits=rng.choice(("three_different", "any")),
        taken_discard_must_meld=rng.random() < 0.5,
        target=rng.choice((1, 50, 100, 500)),
    )


def random_scores(options: Options, rng: random.Random) -> list[int]:
    """Totals before a later deal of a match; two players at least are still in."""
    totals = [rng.randint(-options.target - 40, 30) for _ in range(options.players)]
    for seat in rng.sample(range(options.players), 2):
        totals[seat] = rng.randint(1 - options.target, 30)
    return totals


def random_log(
    options: Options, rng: random.Random, deal: int = 0, temper: Temper = TEMPERS[0], match: bool = False
) -> list[Event]:
    """One deal played at random, by itself or in a match."""
    scores = random_scores(options, rng) if match else ()
    return RandomPlayer(rng, temper, random_deal(options, rng, deal, scores)).play()


class RandomPlayer:
    """Plays all seats."""

    def __init__(self, rng: random.Random, temper: Temper, start: Sequence[Event]) -> None:
        self.rng = rng
        self.temper = temper
        self.recorder = Recorder(start[0], start[1:])
        self.table = self.recorder.table

    def play(self) -> list[Event]:
        """Turns until the round is over."""
        while not self.recorder.over:
            self.turn()
        return self.recorder.events

    def turn(self) -> None:
        """One turn."""
        self.recorder.begin()
        if self.wants_discard():
            self.recorder.take()
        else:
            self.recorder.draw()
        if not self.recorder.over:
            self.lay()
        if not self.recorder.over:
            self.recorder.discard(*self.choose_discard())

    def wants_discard(self) -> bool:
        """The top discard is taken if it may be, fits, and the lot says so."""
        if self.table.why_not_take():
            return False
        use = self.use_of(self.table.discards[-1], self.table.hand)
        return self.rng.random() < (self.temper.takes if use else 0.05)

    def lay(self) -> None:
        """The whole hand, if that is possible; else melds and extensions as long as the lot says so."""
        table = self.table
        kept = table.now.taken if table.now.only_copy else None
        if self.rng.random() < self.temper.goes_out:
            way = way_out(table.hand, table.mine, table.options, kept)
            if way is not None:
                for lay in self.rng.sample(way.lays, len(way.lays)) if self.are_new(way.lays) else way.lays:
                    self.recorder.lay(lay.now, lay.number)
                return
        while not self.recorder.over and (table.owes_meld() or self.rng.random() < self.temper.lays):
            lays = [lay for lay in every_lay(table.hand, table.mine, table.options) if table.leaves_an_end(lay)]
            if not lays:
                return
            lay = self.rng.choice(lays)
            self.recorder.lay(lay.now, lay.number)

    def are_new(self, lays: Sequence[Lay]) -> bool:
        """New melds alone can be laid in any order."""
        return all(lay.number is None for lay in lays)

    def choose_discard(self) -> Discard:
        """Mostly what is of least use, at times a laid card."""
        allowed = self.table.legal_discards()
        of_hand = [discard for discard in allowed if discard[1] is None]
        if not of_hand or self.rng.random() < 0.05:
            return self.rng.choice(allowed)
        if self.rng.random() < self.temper.keeps:
            uses = [self.use_of(card, self.table.hand) for card, _ in of_hand]
            return self.rng.choice([of_hand[index] for index, use in enumerate(uses) if use == min(uses)])
        return self.rng.choice(of_hand)

    def use_of(self, card: str, hand: Sequence[str]) -> int:
        """How many cards of the hand go with this one, and whether a meld of his own does."""
        if card == JOKER:
            return 9
        fits = any(card in meld.cards or (meld.is_sequence and meld.suit == suit_of(card)) for meld in self.table.mine)
        return fits + sum(1 for other in set(hand) if other not in (card, JOKER) and self.go_together(card, other))

    def go_together(self, one: str, other: str) -> bool:
        """Of one rank, or near each other in one suit."""
        if rank_of(one) == rank_of(other):
            return True
        distance = abs(number_of(one) - number_of(other))
        return suit_of(one) == suit_of(other) and (distance <= 2 or distance in (11, 12))
