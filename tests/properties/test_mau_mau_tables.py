"""The policies of mau-mau keep their order at small and large tables and where nobody is fined."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from analysis.estimate import paired_difference
from kernels import registry
from kernels.mau_mau.layout import REASON_CAP
from sim import batch
from sim.games import Setup, make_setup

DEALS = 50_000
SEED = 78
CONFIDENCE = 0.999
TABLES: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 6},
    {"players": 10},
    {"players": 4, "unable": "fine_only"},
    {"players": 4, "unable": "fine_once"},
    {"players": 4, "unable": "draw_one"},
    {"players": 4, "unable": "draw_until", "stack_eights": True},
    {"players": 4, "winner_collects": True},
]
LADDER = list(pairwise(policy.name for policy in registry.spec("mau_mau").policies))


@pytest.mark.parametrize(("worse", "better"), LADDER)
@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: ",".join(map(str, rules.values())))
def test_each_policy_beats_the_one_before_it_at_other_tables(rules: dict[str, Any], worse: str, better: str) -> None:
    totals = np.zeros((2, DEALS), np.int64)
    for turn in (0, 1):
        policies = [(better, worse)[(seat + turn) % 2] for seat in range(rules["players"])]
        setup = make_setup("mau_mau", seed=SEED, policies=policies, rules=rules)
        scores = batch.play_deals(setup, 0, DEALS)["score"][:, : setup.sides]
        totals[0] += scores[:, turn::2].sum(axis=1)
        totals[1] += scores[:, 1 - turn :: 2].sum(axis=1)
    difference = paired_difference(totals[0], totals[1], CONFIDENCE)
    assert difference.low is not None
    assert difference.low > 0


@pytest.mark.parametrize("policy", ["novice", "standard", "expert"])
@pytest.mark.parametrize("rules", ["draw_to_play", {"unable": "draw_until", "players": 7, "packs": 1}], ids=str)
def test_players_do_not_throw_the_same_few_cards_for_ever(rules: Any, policy: str) -> None:
    """What is left are rounds in which two players draw and throw two Queens or Aces, and nobody can choose."""
    setup = make_setup("mau_mau", seed=SEED, policies=policy, rules=rules)
    assert share_capped(setup) < 0.015
    # Without the parameters that say so they do.
    blind = make_setup("mau_mau", seed=SEED, policies=f"{policy}:dry=0", rules=rules)
    assert share_capped(blind) > 1.5 * share_capped(setup)


def test_a_certain_forgetter_keeps_two_jacks_to_go_out_with() -> None:
    rules = {"unable": "draw_until", "forget_call_rate": 1.0}
    capped = [
        share_capped(make_setup("mau_mau", seed=SEED, policies=policy, rules=rules), 400)
        for policy in ("expert", "expert:forgetful_jack=0")
    ]
    assert capped[0] < capped[1] - 0.2


def share_capped(setup: Setup, deals: int = 1_500) -> float:
    """Share of rounds that end at the cap of turns."""
    return float(np.mean(batch.play_deals(setup, 0, deals)["reason"] == REASON_CAP))
