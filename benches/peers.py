"""Mau-mau under `random` beside OpenSpiel's crazy eights with random bots: decisions a second, in one run.

Run as ``python -m benches.peers``; needs OpenSpiel (the extra ``peers``). Both games are of the same family, played by
four with one pack. What is counted is the same on both sides: a seat that chooses among legal plays, or that passes
because it must. OpenSpiel's games are played by its own loop and bots in C++ (`pyspiel.evaluate_bots`); there a choice
among cards and drawing counts, a draw that is forced and the suit that goes with a card do not. Here every turn counts
once, however many cards are drawn in it.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from sim import batch
from sim.games import make_setup

REPEATS = 5
ROUNDS, PEER_ROUNDS = 20_000, 1_000
SEED = 28
PLAYERS = 4
PEER = "crazy_eights(players=4)"
MISSING = "OpenSpiel is not installed: pip install 'carteador[peers]'"


@dataclass(frozen=True, slots=True)
class Pace:
    """Decisions a second, median of `REPEATS`; rounds a second; and decisions a round."""

    decisions: float
    rounds: float
    decisions_a_round: float


def is_installed() -> bool:
    """Whether OpenSpiel can be imported."""
    return find_spec("pyspiel") is not None


def decisions_of(game: Any, history: Any) -> int:
    """Decisions in the history of a game of crazy eights, played again from its start."""
    state = game.new_initial_state()
    count = 0
    for step in history:
        if state.current_player() >= 0:
            names = [state.action_to_string(step.player, action) for action in state.legal_actions()]
            count += any(name.startswith(("Play", "Pass")) for name in names)
        state.apply_action(step.action)
    return count


def peer_round(game: Any, seed: int) -> tuple[float, Any]:
    """Seconds of one game of random bots, and its history."""
    import pyspiel

    bots = [pyspiel.make_uniform_random_bot(player, seed * PLAYERS + player) for player in range(PLAYERS)]
    start = time.perf_counter()
    state = game.new_initial_state()
    pyspiel.evaluate_bots(state, bots, seed)
    return time.perf_counter() - start, state.full_history()


def peer_pace(repeat: int) -> Pace:
    """Pace of crazy eights; counting and making the bots is not timed."""
    import pyspiel

    game = pyspiel.load_game(PEER)
    seconds, decisions = 0.0, 0
    for number in range(PEER_ROUNDS):
        taken, history = peer_round(game, SEED + repeat * PEER_ROUNDS + number)
        seconds += taken
        decisions += decisions_of(game, history)
    return Pace(decisions / seconds, PEER_ROUNDS / seconds, decisions / PEER_ROUNDS)


def own_pace(repeat: int) -> Pace:
    """Pace of mau-mau under `random`, on one thread."""
    setup = make_setup("mau_mau", seed=SEED, policies="random")
    batch.first_compile(setup)
    jobs = batch.deal_jobs(setup, repeat * ROUNDS, ROUNDS)
    start = time.perf_counter()
    turns = int(batch.play(setup, jobs)["turns"].sum())
    seconds = time.perf_counter() - start
    return Pace(turns / seconds, ROUNDS / seconds, turns / ROUNDS)


def measure() -> tuple[Pace, Pace, float]:
    """Both paces, medians of runs in turn, and the median of how many times the first is the second."""
    own_pace(0)
    pairs = [(own_pace(repeat), peer_pace(repeat)) for repeat in range(REPEATS)]
    own, peer = (sorted(paces, key=lambda pace: pace.decisions)[REPEATS // 2] for paces in zip(*pairs, strict=True))
    return own, peer, statistics.median(mine.decisions / other.decisions for mine, other in pairs)


def lines() -> Iterator[str]:
    """What was measured, in words."""
    own, peer, times = measure()
    for name, pace in (("carteador, mau_mau, random", own), (f"OpenSpiel, {PEER}, random bots", peer)):
        yield (
            f"{name:<48}{pace.decisions:>14,.0f} decisions/s {1e9 / pace.decisions:>8.1f} ns each"
            f"{pace.rounds:>12,.0f} rounds/s of {pace.decisions_a_round:.1f} decisions"
        )
    yield f"carteador makes {times:.1f} times as many decisions a second"


def main() -> int:
    """Print the comparison; status 1 where OpenSpiel is not installed."""
    if not is_installed():
        print(MISSING, file=sys.stderr)
        return 1
    for line in lines():
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
