"""Each policy beats the one before it on the same cards, and standard players play as people do."""

from __future__ import annotations

from itertools import pairwise

import pytest

from analysis.estimate import PairedDifference, paired_difference
from benches.ladder import mirrored_scores
from kernels import registry
from sim import batch
from sim.games import make_setup

SEED = 77
CONFIDENCE = 0.999
LEAST_LEAD: dict[str, dict[str, float]] = {
    "canastra": {"novice": 500, "standard": 150, "expert": 50},
    "canasta": {"novice": 400, "standard": 140, "expert": 25},
    "escopa": {"novice": 0.45, "standard": 1.0, "expert": 0.75},
    "mau_mau": {"novice": 30, "standard": 100, "expert": 12},
    "loba": {"novice": 25, "standard": 2, "expert": 0.3},
}
"""Points a deal by which a policy is better than the one before it, at the least."""

LADDER = [
    (game, worse.name, better.name)
    for game in registry.GAMES
    for worse, better in pairwise(registry.spec(game).policies)
]

SLOW = pytest.mark.slow
EXTENTS = [10_000, pytest.param(100_000, marks=SLOW)]


def lead(game: str, better: str, worse: str, deals: int) -> PairedDifference:
    """Points of one policy less those of the other, over two deals of the same cards with the places changed."""
    scores = mirrored_scores(game, better, worse, deals, SEED)
    return paired_difference(scores[0], scores[1], CONFIDENCE)


@pytest.mark.parametrize("deals", EXTENTS)
@pytest.mark.parametrize(("game", "worse", "better"), LADDER)
def test_each_policy_beats_the_one_before_it(game: str, worse: str, better: str, deals: int) -> None:
    difference = lead(game, better, worse, deals)
    assert difference.n == deals
    assert difference.low is not None
    assert difference.low > make_setup(game).sides * LEAST_LEAD[game][better]
    assert difference.better > difference.worse


@pytest.mark.parametrize("game", registry.GAMES)
def test_a_policy_has_no_lead_over_itself(game: str) -> None:
    difference = lead(game, "standard", "standard", 2_000)
    assert (difference.mean, difference.equal) == (0, 2_000)


@pytest.mark.parametrize("deals", [20_000, pytest.param(100_000, marks=SLOW)])
def test_standard_players_of_canastra_play_as_people_do(deals: int) -> None:
    records = batch.play_deals(make_setup("canastra", seed=SEED, policies="standard"), 0, deals)
    batidas = records["reason"] == registry.spec("canastra").end_reasons.index("batida")
    canastras = records["clean_canastras"] + records["dirty_canastras"]
    assert batidas.mean() >= 0.60
    assert (records["morto"] > 0).any(axis=1).mean() >= 0.95
    assert (canastras > 0).mean() >= 0.75


@pytest.mark.parametrize("deals", [20_000, pytest.param(100_000, marks=SLOW)])
def test_standard_players_of_canasta_play_as_people_do(deals: int) -> None:
    records = batch.play_deals(make_setup("canasta", seed=SEED, policies="standard"), 0, deals)
    melded = records["first_meld_turn"] > 0
    canastas = records["natural_canastas"] + records["mixed_canastas"]
    assert (records["reason"] == registry.spec("canasta").end_reasons.index("went_out")).mean() >= 0.9
    assert (canastas > 0)[melded].mean() >= 0.75
    assert (records["pile_takes"] > 0).any(axis=1).mean() >= 0.95


@pytest.mark.parametrize("deals", [20_000, pytest.param(100_000, marks=SLOW)])
@pytest.mark.parametrize(("players", "won"), [(2, 0.999), (4, 0.999), (7, 0.98)])
def test_between_standard_players_of_loba_hardly_any_round_ends_without_a_winner(
    players: int, won: float, deals: int
) -> None:
    setup = make_setup("loba", seed=SEED, policies="standard", rules={"players": players})
    records = batch.play_deals(setup, 0, deals)
    assert (records["reason"] == registry.spec("loba").end_reasons.index("went_out")).mean() >= won
    assert (records["first_meld_turn"][:, :players] > 0).mean() >= 0.7
    assert 0.02 < records["all_at_once"].any(axis=1).mean() < 0.2
