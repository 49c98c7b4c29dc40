"""A slow random player of Escopa: legal moves drawn by lot, one whole log a pack.

It knows the rules through the table's questions, so it is a self-test of the referee and a source of logs under
every option; it is not a model of anybody's play.
"""

from __future__ import annotations

import random
from itertools import islice, product

from tests.referee.escopa_builder import Recorder, random_deal
from tests.referee.escopa_cards import combinations
from tests.referee.escopa_options import Options
from tests.referee.log import Event

RATES = (0, 0.25, 0.75, 1)
MOST_COMBINATIONS = 50  # of one card, among which the lot decides


def option_sets() -> list[Options]:
    """Every number of players with every way to capture and to overlook; the other options go round."""
    sets = []
    for number, (players, capture, rate) in enumerate(product((2, 3, 4), ("must", "if_played", "free"), RATES)):
        options = Options(
            players=players,
            figures=("qjk", "jqk")[number % 2],
            deal_passes=number % 3 != 0,
            capture=capture,
            overlook_rate=rate,
            dealer_take=("twice", "once", "none")[number // 2 % 3],
            escopa=("clear_table", "exactly_four")[number // 3 % 2],
            dealer_escopas=number % 5 < 3,
            all_replaces_most=number % 7 < 4,
            primeira=("quartet", "quartet_points", "standard")[number // 5 % 3],
            target=(21, 31, 1)[number % 3],
        )
        sets.append(options)
    return sets


OPTION_SETS: tuple[Options, ...] = (Options(), *option_sets())


def random_options(rng: random.Random) -> Options:
    """Any house rules."""
    return Options(
        players=rng.choice((2, 3, 4)),
        figures=rng.choice(("qjk", "jqk")),
        deal_passes=rng.random() < 0.5,
        capture=rng.choice(("must", "if_played", "free")),
        overlook_rate=rng.choice((0, 0, *RATES, rng.random())),
        dealer_take=rng.choice(("twice", "once", "none")),
        escopa=rng.choice(("clear_table", "exactly_four")),
        dealer_escopas=rng.random() < 0.5,
        all_replaces_most=rng.random() < 0.5,
        primeira=rng.choice(("quartet", "quartet_points", "standard")),
        target=rng.choice((1, 21, 31, 1_000)),
    )


def random_log(options: Options, rng: random.Random, deal: int = 0, eager: float = 0.8) -> list[Event]:
    """One pack played at random; `eager` is the chance to capture or claim where one need not."""
    return RandomPlayer(Recorder(random_deal(options, rng, deal), options), rng, eager).play()


class RandomPlayer:
    """Plays all seats."""

    def __init__(self, recorder: Recorder, rng: random.Random, eager: float) -> None:
        self.recorder = recorder
        self.table = recorder.table
        self.options = recorder.options
        self.rng = rng
        self.eager = eager

    def play(self) -> list[Event]:
        """Turns until the pack is over."""
        while not self.table.pack_out:
            self.turn()
        self.recorder.end()
        return self.recorder.events

    def turn(self) -> None:
        """One turn, and the next player's claim."""
        self.recorder.ready()
        if self.table.capture_possible() and self.rng.random() < self.options.overlook_rate:
            card = self.rng.choice(self.table.hand)
            self.recorder.overlook().play(card)
            if self.table.left_can_be_claimed(card) and self.rng.random() >= self.options.overlook_rate:
                self.claim(card)
        else:
            self.play_card()

    def play_card(self) -> None:
        """A capture, or a card that may be left."""
        capturing = [card for card in self.table.hand if self.table.can_capture(card)]
        free = self.options.capture == "free"
        may_leave = [card for card in self.table.hand if free or card not in capturing]
        must = self.options.capture == "must" or not may_leave
        if capturing and (must or self.rng.random() < self.eager):
            card = self.rng.choice(capturing)
            self.recorder.play(card, self.combination(card, self.table.cards))
        else:
            self.recorder.play(self.rng.choice(may_leave))

    def claim(self, card: str) -> None:
        """The next player takes the card just left, if the lot says so."""
        if self.rng.random() < self.eager:
            others = [other for other in self.table.cards if other != card]
            self.recorder.claim([card, *self.combination(card, others)])

    def combination(self, card: str, others: list[str]) -> list[str]:
        """Cards that make fifteen with the card: sometimes the most of them, otherwise by lot."""
        cards = self.rng.sample(others, len(others))
        ways = list(islice(combinations(card, cards, self.options.figures), MOST_COMBINATIONS))
        return max(ways, key=len) if self.rng.random() < 0.5 else self.rng.choice(ways)
