"""No policy sees a hidden card: with all of them exchanged, and the same history, it decides the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from kernels import registry
from kernels.canastra.layout import SEATS, STATE_LAYOUT
from kernels.cards import pack
from kernels.trace import EVENT
from sim import batch
from sim.games import Setup, make_setup
from tests.properties.hidden_cards import (
    DECISION,
    DECK,
    MAX_DECISIONS,
    PEEK_HAND,
    PEEK_MORTO,
    PEEK_STOCK,
    PEEK_TABLE,
    compare,
)
from tests.properties.setups import covering_setups

DEALS = 150
MANY_DEALS = 3_000
POLICIES = [policy.name for policy in registry.spec("canastra").policies]


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
    jokers = int(setup.options["jokers"])
    pack_cards = np.zeros(DECK, np.uint8)
    pack_cards[: 104 + jokers] = pack(2, jokers)
    policies = setup.policy_numbers.copy()
    if policy_number is not None:
        policies[:] = policy_number
    records = np.zeros(deals + 1, setup.spec.record_layout)
    counts = np.zeros(5, np.int64)
    compare(
        np.zeros(1, STATE_LAYOUT).view(np.recarray),
        setup.encoded_options.view(np.recarray),
        pack_cards,
        np.uint64(setup.seed),
        batch.deal_jobs(setup, 0, deals).view(np.recarray),
        policies,
        setup.parameters,
        records.view(np.recarray),
        np.zeros(0, EVENT).view(np.recarray),
        np.zeros(MAX_DECISIONS, DECISION).view(np.recarray),
        np.zeros(MAX_DECISIONS, DECISION).view(np.recarray),
        np.zeros((MAX_DECISIONS, DECK), np.uint8),
        np.zeros((MAX_DECISIONS, SEATS), np.int8),
        np.array([setup.seed], np.uint64),
        counts,
    )
    decisions, with_other_cards, different, *first = counts.tolist()
    return Comparison(decisions, with_other_cards, different, (first[0], first[1]), records[:deals])


def check(setup: Setup, deals: int) -> None:
    """Every decision stays; the deals are those of a run."""
    found = compared(setup, deals)
    assert found.different == 0, f"deal {found.first[0]}, decision {found.first[1]}: {setup.command('show')}"
    assert found.with_other_cards > 0.95 * found.decisions
    expected = batch.play(setup, batch.deal_jobs(setup, 0, deals))
    for name in set(expected.dtype.names or ()) - {"decisions"}:
        np.testing.assert_array_equal(found.records[name], expected[name], err_msg=name)


@pytest.mark.parametrize("policy", POLICIES)
def test_no_policy_sees_a_hidden_card(policy: str) -> None:
    check(make_setup("canastra", seed=31, policies=policy), DEALS)


@pytest.mark.parametrize("number", range(len(covering_setups("canastra"))))
def test_no_policy_sees_a_hidden_card_under_any_option(number: int) -> None:
    check(covering_setups("canastra")[number], DEALS)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(covering_setups("canastra"))))
def test_no_policy_sees_a_hidden_card_in_many_deals(number: int) -> None:
    check(covering_setups("canastra", seed=1)[number], MANY_DEALS)


@pytest.mark.parametrize(
    "number", [PEEK_STOCK, PEEK_HAND, PEEK_MORTO, PEEK_TABLE], ids=["stock", "hand", "morto", "table"]
)
def test_a_policy_that_peeks_is_caught(number: int) -> None:
    found = compared(make_setup("canastra", seed=31, policies="expert"), DEALS, number)
    assert found.different > found.decisions // 50
