"""What the referees share stands once: neither game's referee knows the other's."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

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


def imported(path: Path) -> set[str]:
    """The modules of this folder that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module == "tests.referee":
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests.referee."):
            found.add((node.module or "").removeprefix("tests.referee."))
    return found


def is_canasta(module: str) -> bool:
    """A module of the referee of canasta, or a test of it."""
    return module.startswith(("canasta", "test_canasta"))


@pytest.mark.parametrize("path", sorted(HERE.glob("*.py")), ids=lambda path: path.stem)
def test_neither_game_imports_the_other(path: Path) -> None:
    modules = imported(path)
    if path.stem in SHARED:
        assert modules <= SHARED
    elif is_canasta(path.stem):
        assert all(is_canasta(module) for module in modules - SHARED)
    else:
        assert not any(map(is_canasta, modules))


def test_the_list_of_shared_modules_is_right() -> None:
    assert {f"{name}.py" for name in SHARED} <= {path.name for path in HERE.glob("*.py")}
    users = {name: set[bool]() for name in SHARED}
    for path in HERE.glob("*.py"):
        for module in imported(path) & SHARED:
            users[module].add(is_canasta(path.stem))
    assert all(len(games) == 2 for games in users.values())
