"""What the referees share stands once: neither game's referee knows the other's."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from kernels.registry import GAMES

HERE = Path(__file__).parent
SHARED = {
    "cards",
    "corruptions_form",
    "deal_checks",
    "faults",
    "log",
    "log_edits",
    "recording",
    "replay",
    "table",
}

OTHER_GAMES = tuple(game for game in GAMES if game != "canastra")


def imported(path: Path) -> set[str]:
    """The modules of this folder that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "tests.referee":
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests.referee."):
            found.add((node.module or "").removeprefix("tests.referee."))
    return found


def game_of(module: str) -> str:
    """Name of the game whose referee a module, or a test of it, belongs to; canastra's bear no common name."""
    name = module.removeprefix("test_")
    return next((game for game in OTHER_GAMES if name.startswith(game)), "canastra")


@pytest.mark.parametrize("path", sorted(HERE.glob("*.py")), ids=lambda path: path.stem)
def test_neither_game_imports_another(path: Path) -> None:
    modules = imported(path)
    if path.stem in SHARED:
        assert modules <= SHARED
    else:
        assert {game_of(module) for module in modules - SHARED} <= {game_of(path.stem)}


def test_the_list_of_shared_modules_is_right() -> None:
    assert {f"{name}.py" for name in SHARED} <= {path.name for path in HERE.glob("*.py")}
    users = {name: set[str]() for name in SHARED}
    for path in HERE.glob("*.py"):
        for module in imported(path) & SHARED:
            users[module].add(game_of(path.stem))
    assert all(len(games) >= 2 for games in users.values())
