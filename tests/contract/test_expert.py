"""How `expert` was found: the script that seeks it writes its page, a part a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benches import expert
from kernels import registry
from sim.games import find_game, parse_policy
from tests.trees import ROOT

PAGE = ROOT / "docs" / "expert.md"


def test_every_game_has_a_budget() -> None:
    assert set(expert.BUDGETS) == set(registry.GAMES)


def test_a_part_takes_the_place_of_the_one_before_and_leaves_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "expert.md"
    for game in ("escopa", "canastra"):
        expert.main(["--share", "0.0005", "--page", str(page), game])
        shown = capsys.readouterr().out
        assert shown.strip() in page.read_text()
    first = page.read_text()
    assert re.findall(r"^## (.*)$", first, re.MULTILINE) == [find_game(game).title for game in ("canastra", "escopa")]
    expert.main(["--share", "0.0005", "--page", str(page), "canastra"])
    assert page.read_text() == first


def test_another_name_is_refused() -> None:
    with pytest.raises(SystemExit, match="there is no game 'bridge'"):
        expert.main(["bridge"])


@pytest.mark.parametrize("game", registry.GAMES)
def test_expert_is_what_was_found(game: str) -> None:
    spec = find_game(game)
    part = PAGE.read_text().partition(f"## {spec.title}\n")[2].partition("\n## ")[0]
    told = part.partition("All values of `expert`:\n\n")[2].partition("\n\n")[0]
    assert "A trial with" not in part
    choice = parse_policy(spec, "expert")
    pairs = zip(choice.policy.parameters, choice.values, strict=True)
    assert told.strip() == ", ".join(f"{parameter.name}={value}" for parameter, value in pairs)
    texts = re.findall(r"--(?:policy|against|a|b) (\S+)", part)
    assert len(texts) == 3 + len(expert.AGAINST.get(game, [expert.OPPONENT]))
    assert all(parse_policy(spec, text).policy in spec.policies for text in texts)


def test_every_game_has_a_start() -> None:
    assert set(expert.START) == set(registry.GAMES)
