"""Every game's runs survive: deals and matches, under its rules and presets, resumed, merged, verified and reported."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import sim
from kernels import registry
from sim.stored import open_run, stored_document
from tests.sim import folders
from tests.sim.folders import content, forget, numbers

CASES = [
    (game, unit, preset)
    for game in registry.GAMES
    for unit, preset in (("deals", None), ("matches", None), *(("deals", name) for name in registry.spec(game).presets))
]


@pytest.mark.parametrize(("game", "unit", "preset"), CASES)
def test_a_run_of_any_game_survives(game: str, unit: str, preset: str | None, tmp_path: Path) -> None:
    count = 60 if unit == "deals" else 8
    policies = [policy.name for policy in registry.spec(game).policies]
    words: dict[str, Any] = {"game": game, "deals": None, unit: count, "chunk_size": count // 4, "rules": preset}
    words["policies"] = {0: policies[0], 1: policies[1]}
    run = folders.store(tmp_path / "whole", **words)
    shutil.copytree(tmp_path / "whole", tmp_path / "run")
    forget(tmp_path / "run", 0, 2)
    again = sim.resume(tmp_path / "run")
    assert content(tmp_path / "run") == content(tmp_path / "whole")
    assert numbers(again) == numbers(run)
    assert again.deals.equals(run.deals)
    assert again.sides.equals(run.sides)

    cut = count // 3
    for first, part in ((0, cut), (cut, count - cut)):
        folders.store(tmp_path / str(first), **{**words, "first": first, unit: part})
    merged = sim.merge([tmp_path / str(cut), tmp_path / "0"], tmp_path / "merged")
    assert content(tmp_path / "merged") == content(tmp_path / "whole")
    assert numbers(merged) == numbers(run)
    assert sim.verify(tmp_path / "merged", sample=None).findings == []
    told = stored_document(open_run(tmp_path / "merged"), 0.95)
    assert {name: value for name, value in told.items() if name != "provenance"} == numbers(run)
