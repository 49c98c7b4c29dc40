"""The worked examples and the page on policy files: legal, better than novice, and what the games say of themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sim
from benches import own_policies, policy_pages
from kernels import registry
from sim import batch
from sim.games import make_setup
from sim.own.source import questions_of
from sim.policy_commands import template
from tests.sim.own_files import written
from tests.trees import ROOT

EXAMPLES = ROOT / "docs" / "examples"
PAGE = policy_pages.PAGE.read_text(encoding="utf-8")
QUICK = ("escopa", "mau_mau")
GAMES = [game if game in QUICK else pytest.param(game, marks=pytest.mark.slow) for game in registry.GAMES]
"""Those whose made play modules are compiled in seconds; the others with the slow tests."""


def test_there_is_an_example_for_every_game() -> None:
    assert {path.stem.removesuffix("_policy") for path in EXAMPLES.glob("*.py")} == set(registry.GAMES)


@pytest.mark.parametrize("game", registry.GAMES)
def test_examples_and_templates_can_be_read(tmp_path: Path, game: str) -> None:
    for path in (str(EXAMPLES / f"{game}_policy.py"), written(tmp_path, "template.py", template(game))):
        own = make_setup(game, policies=path).policies[0].own
        assert own is not None
        assert own.base.name in ("novice", "standard")
        assert f'GAME = "{game}"' in own.text


@pytest.mark.parametrize("game", GAMES)
def test_the_example_beats_novice_by_what_it_adds_to_it(game: str) -> None:
    path = str(EXAMPLES / f"{game}_policy.py")
    setup = make_setup(game, policies=path)
    assert batch.play(setup, batch.deal_jobs(setup, 0, 2_000))["status"].all()
    found = sim.compare(game, path, "novice", deals=3_000, seed=1)
    assert found.document()["differences"][0]["low"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.GAMES)
def test_the_template_beats_novice(tmp_path: Path, game: str) -> None:
    path = written(tmp_path, "template.py", template(game))
    found = sim.compare(game, path, "novice", deals=3_000, seed=1)
    assert found.document()["differences"][0]["low"] > 0


@pytest.mark.parametrize("game", GAMES)
def test_what_is_measured_as_a_file_plays_as_standard_does(game: str) -> None:
    """Else the ratio of their times would say nothing. Escopa's is written anew, and of equals it takes others."""
    file = str(own_policies.FILES / f"{game}_standard.py")
    setups = [make_setup(game, policies=policy) for policy in ("standard", file)]
    built_in, own = [batch.play(setup, batch.deal_jobs(setup, 0, 300)) for setup in setups]
    if game != "escopa":
        np.testing.assert_array_equal(own, built_in)
        return
    assert (own["turns"] == built_in["turns"]).all()
    assert (own["score"] == built_in["score"]).all(axis=1).mean() > 0.5
    score = sim.compare(game, file, "standard", deals=3_000, seed=1, confidence=0.999).document()["differences"][0]
    assert score["low"] <= 0 <= score["high"]


def test_the_page_says_what_the_games_say() -> None:
    assert policy_pages.with_games(PAGE) == PAGE, "python -m benches.policy_pages writes it anew"


@pytest.mark.parametrize("game", registry.GAMES)
def test_everything_at_the_table_is_told(game: str) -> None:
    told, layout = registry.module(game, "questions"), registry.module(game, "layout")
    assert [field.name for field in told.SEEN] == list(layout.TABLE_LAYOUT.names)
    for name in questions_of(game):
        assert f"| `{name}`: " in PAGE


def test_every_game_has_a_table_of_its_helpers() -> None:
    for game in registry.GAMES:
        for name in registry.module(game, "helpers").__all__:
            assert f"`{name}" in PAGE, (game, name)
