"""No policy sees a hidden card: with all of them exchanged, and the same history, it decides the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from kernels import registry
from kernels.spec import MAX_SEATS
from kernels.trace import EVENT
from sim import batch
from sim.games import Setup, make_setup
from tests.properties import (
    canasta_hidden_cards,
    escopa_hidden_cards,
    hidden_cards,
    loba_hidden_cards,
    mau_mau_hidden_cards,
)
from tests.properties.setups import covering_setups

DEALS = 150
MANY_DEALS = 3_000
WALKS = {
    "canastra": hidden_cards,
    "canasta": canasta_hidden_cards,
    "mau_mau": mau_mau_hidden_cards,
    "escopa": escopa_hidden_cards,
    "loba": loba_hidden_cards,
}
"""Module that plays each game so: `compare`, `DECISION`, `MAX_DECISIONS`, `DECK` (cards of the largest pack),
`pack_of` (the pack under given options) and `PEEKING`, policies that look at something hidden."""

LEAST_EXCHANGED = {"escopa": 0.8}
"""Share of the decisions before which other cards can be dealt; in escopa no card is hidden any more at the end."""

POLICIES = [(game, policy.name) for game in WALKS for policy in registry.spec(game).policies]
TABLES, OTHER_TABLES = (
    [(game, number) for game in WALKS for number in range(len(covering_setups(game, seed)))] for seed in (0, 1)
)
PEEKING = [(game, what) for game, walk in WALKS.items() for what in walk.PEEKING]


@dataclass(frozen=True)
class Comparison:
    """What asking again with other hidden cards has shown."""

    decisions: int
    with_other_cards: int
    different: int
    first: tuple[int, int]
    records: batch.Records


def compared(setup: Setup, deals: int, policy_number: int | None = None) -> Comparison:
    """Play deals and ask for every decision again; `policy_number` puts another policy on every seat."""
    game = setup.spec.name
    walk = WALKS[game]
    cards = walk.pack_of(setup.options)
    pack_cards = np.zeros(walk.DECK, np.uint8)
    pack_cards[: len(cards)] = cards
    policies = setup.policy_numbers.copy()
    if policy_number is not None:
        policies[:] = policy_number
    records = np.zeros(deals + 1, setup.spec.record_layout)
    counts = np.zeros(5, np.int64)
    walk.compare(
        registry.module(game, "play").new_state().view(np.recarray),
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
    )
    decisions, with_other_cards, different, *first = counts.tolist()
    return Comparison(decisions, with_other_cards, different, (first[0], first[1]), records[:deals])


def check(setup: Setup, deals: int) -> None:
    """Every decision stays; the deals are those of a run."""
    found = compared(setup, deals)
    assert found.different == 0, f"deal {found.first[0]}, decision {found.first[1]}: {setup.command('show')}"
    assert found.with_other_cards > LEAST_EXCHANGED.get(setup.spec.name, 0.95) * found.decisions
    expected = batch.play(setup, batch.deal_jobs(setup, 0, deals))
    for name in set(expected.dtype.names or ()) - {"decisions"}:
        np.testing.assert_array_equal(found.records[name], expected[name], err_msg=name)


def test_every_game_is_walked() -> None:
    assert WALKS.keys() == registry.GAMES.keys()


@pytest.mark.parametrize(("game", "policy"), POLICIES)
def test_no_policy_sees_a_hidden_card(game: str, policy: str) -> None:
    check(make_setup(game, seed=31, policies=policy), DEALS)


@pytest.mark.parametrize(("game", "number"), TABLES)
def test_no_policy_sees_a_hidden_card_under_any_option(game: str, number: int) -> None:
    check(covering_setups(game)[number], DEALS)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "number"), OTHER_TABLES)
def test_no_policy_sees_a_hidden_card_in_many_deals(game: str, number: int) -> None:
    check(covering_setups(game, seed=1)[number], MANY_DEALS)


@pytest.mark.parametrize(("game", "what"), PEEKING)
def test_a_policy_that_peeks_is_caught(game: str, what: str) -> None:
    found = compared(make_setup(game, seed=31, policies="expert"), DEALS, WALKS[game].PEEKING[what])
    assert found.different > found.decisions // 50
