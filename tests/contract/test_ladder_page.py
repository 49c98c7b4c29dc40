"""What the policies are worth: the script that plays them writes its page, a part a game."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from benches import ladder
from kernels import registry
from tests.trees import ROOT

PAGE = ROOT / "docs" / "ladder.md"


def rungs(part: str) -> list[tuple[str, str]]:
    """Policy and its opponent, of the rows without a house rule."""
    return re.findall(r"^\|  \| `(\w+)` \| `(\w+)` \|", part, re.MULTILINE)


def test_every_game_has_its_tables() -> None:
    assert set(ladder.TABLES) == set(registry.GAMES)
    assert set(ladder.SEARCH_DEALS) == set(registry.GAMES)


@pytest.mark.parametrize("game", registry.GAMES)
def test_the_page_has_every_rung(game: str) -> None:
    spec = registry.spec(game)
    part = PAGE.read_text().partition(f"## {spec.title}\n")[2].partition("\n## ")[0]
    assert rungs(part) == ladder.meetings(spec, searches=True)
    assert {(one.name, other.name) for other, one in pairwise(spec.all_policies)} <= set(rungs(part))


def test_a_part_is_written_in_the_order_of_the_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "ladder.md"
    for game in ("escopa", "canastra"):
        ladder.main(["--deals", "60", "--search-deals", "2", "--page", str(page), game])
        assert capsys.readouterr().out.strip() in page.read_text()
    text = page.read_text()
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [
        registry.spec(game).title for game in ("canastra", "escopa")
    ]
    assert text.startswith(ladder.HEAD)
    assert "| `players=3` | `expert` | `standard` |" in text


def test_other_house_rules_are_printed_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "ladder.md"
    ladder.main(["--deals", "60", "--search-deals", "2", "--page", str(page), "--rule", "players=3", "escopa"])
    shown = capsys.readouterr().out
    assert "| `players=3` | `search` | `expert` |" in shown
    assert "| `turns` |" in shown
    assert not page.exists()


def test_another_name_is_refused() -> None:
    with pytest.raises(SystemExit, match="there is no game 'bridge'"):
        ladder.main(["bridge"])
