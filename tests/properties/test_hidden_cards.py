"""No policy sees a hidden card: with all of them exchanged, and the same history, it decides the same."""

from __future__ import annotations

import numpy as np
import pytest

from kernels import registry
from sim import batch
from sim.games import Setup, make_setup
from sim.hidden_cards import compare, walk_of
from tests.properties.setups import covering_setups

DEALS = 150
MANY_DEALS = 3_000
LEAST_EXCHANGED = {"escopa": 0.8}
"""Share of the decisions before which other cards can be dealt; in escopa no card is hidden any more at the end."""

POLICIES = [(game, policy.name) for game in registry.GAMES for policy in registry.spec(game).policies]
TABLES, OTHER_TABLES = (
    [(game, number) for game in registry.GAMES for number in range(len(covering_setups(game, seed)))] for seed in (0, 1)
)
PEEKING = [(game, what) for game in registry.GAMES for what in walk_of(game).PEEKING]


def check(setup: Setup, deals: int) -> None:
    """Every decision stays; the deals are those of a run."""
    found = compare(setup, deals)
    assert found.different == 0, f"deal {found.first[0]}, decision {found.first[1]}: {setup.command('show')}"
    assert found.with_other_cards > LEAST_EXCHANGED.get(setup.spec.name, 0.95) * found.decisions
    expected = batch.play(setup, batch.deal_jobs(setup, 0, deals))
    for name in set(expected.dtype.names or ()) - {"decisions"}:
        np.testing.assert_array_equal(found.records[name], expected[name], err_msg=name)


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
    found = compare(make_setup(game, seed=31, policies="expert"), DEALS, walk_of(game).PEEKING[what])
    assert found.different > found.decisions // 50
