"""A slow random player of mau-mau: legal moves drawn by lot, one whole log a round.

It knows the rules through the table's questions, so it is a self-test of the referee and a source of long logs under
every option; it is not a model of anybody's play.
"""

from __future__ import annotations

import random
from dataclasses import replace

from tests.referee.cards import SUITS, rank_of
from tests.referee.log import Event
from tests.referee.mau_mau_builder import Recorder, random_deal
from tests.referee.mau_mau_options import MOST_PLAYERS_OF_ONE_PACK, UNABLE, Options

OPTION_SETS: tuple[Options, ...] = (
    Options(),
    Options(players=2),
    Options(players=3, unable="fine_only"),
    Options(players=5),
    Options(players=7, packs=1),
    Options(players=10),
    Options(players=2, packs=2, queen_skips_two_players=True),
    Options(start_card_acts=True),
    Options(players=2, start_card_acts=True),
    Options(unable="fine_only", winner_collects=True),
    Options(unable="fine_once"),
    Options(unable="draw_one"),
    Options(players=10, unable="draw_until"),
    Options(players=2, unable="draw_until", stack_eights=True),
    Options(players=3, stack_eights=True, last_card_acts=True),
    Options(players=6, seven_hits="next", last_card_acts=True),
    Options(forget_call_rate=0.5, packs=2),
    Options(winner_collects=True, target=500),
)


def random_options(rng: random.Random) -> Options:
    """Any house rules."""
    players = rng.randrange(2, 11)
    options = Options(
        players=players,
        start_card_acts=rng.random() < 0.5,
        unable=rng.choice(UNABLE),
        stack_eights=rng.random() < 0.5,
        seven_hits=rng.choice(("previous", "next")),
        queen_skips_two_players=rng.random() < 0.5,
        forget_call_rate=rng.choice((0, 0.0, 0.25, 0.5)) if rng.random() < 0.97 else rng.choice((1, 1.0)),
        last_card_acts=rng.random() < 0.5,
        winner_collects=rng.random() < 0.3,
        target=rng.choice((1, 500, 1000)),
    )
    return replace(options, packs=rng.choice(("auto", 1, 2) if players <= MOST_PLAYERS_OF_ONE_PACK else ("auto", 2)))


def random_log(options: Options, rng: random.Random, deal: int = 0) -> list[Event]:
    """One round played at random."""
    return RandomPlayer(options, rng, deal).play()


class RandomPlayer:
    """Plays all seats."""

    def __init__(self, options: Options, rng: random.Random, deal: int) -> None:
        self.rng = rng
        self.options = options
        self.recorder = Recorder(random_deal(options, rng, deal), options, rng)
        self.table = self.recorder.table

    def play(self) -> list[Event]:
        """Turns until the round is over."""
        while not self.recorder.over:
            self.turn()
        return self.recorder.events

    def turn(self) -> None:
        """One turn."""
        plays = self.table.plays()
        if self.table.pending and not (plays and self.rng.random() < 0.7):
            self.recorder.take_eights()
        elif plays:
            self.play_one(plays)
        elif self.table.must_pass():
            self.recorder.pass_barred()
        else:
            self.recorder.unable()
            if self.recorder.drawn:
                self.drawn()

    def play_one(self, plays: list[list[str]]) -> None:
        """One of the legal plays."""
        cards = self.rng.choice(plays)
        self.recorder.play(cards, self.suit(cards), self.call())

    def drawn(self) -> None:
        """The card just drawn is played, or may be kept."""
        if self.options.unable == "draw_until" or self.rng.random() < 0.6:
            self.recorder.play_drawn(self.suit([self.recorder.drawn]), self.call())
        else:
            self.recorder.keep()

    def suit(self, cards: list[str]) -> str | None:
        """What a single Jack announces: any suit, or none."""
        return self.rng.choice((*SUITS, None)) if len(cards) == 1 and rank_of(cards[0]) == "J" else None

    def call(self) -> bool:
        """One card left is announced, or that is forgotten."""
        return self.rng.random() >= self.options.forget_call_rate
