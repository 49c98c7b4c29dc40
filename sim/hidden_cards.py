"""Whether a policy sees a hidden card: with all of them exchanged, and the same history, it must decide the same.

``kernels/<game>/hidden_cards.py`` plays a game so: `compare`, `DECISION`, `MAX_DECISIONS`, `DECK` (cards of the largest
pack), `pack_of` (the pack under given options) and `PEEKING`, policies that look at something hidden.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from kernels import registry
from kernels.spec import MAX_SEATS
from sim import batch
from sim.games import Setup
from sim.specialise import Part, made

WALK = "hidden_cards"


@dataclass(frozen=True)
class Comparison:
    """What asking again with other hidden cards has shown.

    Attributes
    ----------
    decisions
        Decisions that were asked for again.
    with_other_cards
        Those of them before which some card could be another.
    different
        Those of them that came out differently.
    first
        Deal and decision of the first of these.
    records
        Of the deals.
    """

    decisions: int
    with_other_cards: int
    different: int
    first: tuple[int, int]
    records: batch.Records


def is_walked(game: str) -> bool:
    """Whether there is a module that plays a game so."""
    return find_spec(f"{registry.GAMES[game]}.{WALK}") is not None


def walk_of(game: str) -> Any:
    """Module that plays a game so."""
    return registry.module(game, WALK)


def compare(
    setup: Setup, deals: int, policy_number: int | None = None, parts: tuple[Part, ...] | None = None
) -> Comparison:
    """Play deals of a table and ask for every decision again, with the hidden cards exchanged by lot.

    Parameters
    ----------
    policy_number
        Kernel number of another policy for every seat, as one of `PEEKING`.
    parts
        What answers beside the game's own policies; what the table needs if None.

    Raises
    ------
    RuntimeError
        If a policy breaks a deal off.
    """
    from kernels.trace import EVENT

    game = setup.spec.name
    walk, parts = walk_of(game), setup.parts if parts is None else parts
    asked = made(game, parts, f"{registry.GAMES[game]}.{WALK}")
    compare_deals: Any = asked.play.compare
    state = registry.module(game, "play").new_state()
    memory = np.zeros(state.shape, asked.policies.MEMORY_LAYOUT)
    asked.policies.prepare(memory)
    cards = walk.pack_of(setup.options)
    pack_cards = np.zeros(walk.DECK, np.uint8)
    pack_cards[: len(cards)] = cards
    policies = setup.policy_numbers.copy()
    if policy_number is not None:
        policies[:] = policy_number
    records = np.zeros(deals + 1, setup.spec.record_layout)
    counts = np.zeros(5, np.int64)
    with np.errstate(over="ignore"):
        compare_deals(
            state.view(np.recarray),
            setup.encoded_options.view(np.recarray),
            pack_cards,
            np.uint64(setup.seed),
            batch.deal_jobs(setup, 0, deals).view(np.recarray),
            policies,
            setup.parameters,
            records.view(np.recarray),
            np.zeros(0, EVENT).view(np.recarray),
            np.zeros(walk.MAX_DECISIONS, walk.DECISION).view(np.recarray),
            np.zeros(walk.MAX_DECISIONS, walk.DECISION).view(np.recarray),
            np.zeros((walk.MAX_DECISIONS, walk.DECK), np.uint8),
            np.zeros((walk.MAX_DECISIONS, MAX_SEATS), np.int8),
            np.array([setup.seed], np.uint64),
            counts,
            memory.view(np.recarray),
        )
    decisions, with_other_cards, different, *first = counts.tolist()
    return Comparison(decisions, with_other_cards, different, (first[0], first[1]), records[:deals])
