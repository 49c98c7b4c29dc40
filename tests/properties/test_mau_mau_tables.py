"""The policies of mau-mau keep their order at small and large tables and where nobody is fined."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from analysis.estimate import paired_difference
from kernels import registry
from sim import batch
from sim.games import make_setup

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
