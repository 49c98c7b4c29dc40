"""The commands of docs/walkthrough.md do what the page says, and their results stand on it."""

from __future__ import annotations

import shlex

import pytest

from benches.walkthrough import FIGURES, MARK, PAGE
from kernels.registry import GAMES
from sim.cli import run_command

FOUND = list(MARK.finditer(PAGE.read_text()))


def test_every_game_has_its_question() -> None:
    assert {shlex.split(found["command"])[2] for found in FOUND} == set(GAMES)


@pytest.mark.parametrize("name", [found["name"] for found in FOUND])
def test_the_result_and_the_figure_are_there(name: str) -> None:
    found = next(found for found in FOUND if found["name"] == name)
    assert found[0].count(found["command"]) == 2
    assert "Intervals: 0.95 confidence" in found[0]
    assert f"walkthrough/{name}.svg" in found[0]
    assert (FIGURES / f"{name}.svg").read_text().startswith("<svg")


@pytest.mark.parametrize("command", [found["command"] for found in FOUND])
def test_the_command_runs(command: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    words = shlex.split(command)[1:]
    words[words.index("--deals") + 1] = "20"
    assert run_command([*words, "--quiet"]) == 0
    assert capfdbinary.readouterr().out
