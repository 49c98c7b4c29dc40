"""Who may import whom (docs/design.md), read off the source, and what an import costs."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kernels import registry
from tests.trees import ROOT, run_python

DECLARING = ("spec", "match_ends", "placing", "registry", "cards")
"""Modules of the kernels that declarations are made with: plain data."""

OURS = ("kernels", "sim", "analysis", "benches", "tests")


@dataclass(frozen=True)
class Import:
    """Module `target`, imported by module `source`, inside a function or not."""

    source: str
    target: str
    line: int
    is_late: bool

    @property
    def top(self) -> str:
        return self.target.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.source}:{self.line} imports {self.target}"


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def walk(node: ast.AST, is_late: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Every node below `node` that runs, with whether it runs only when a function is called."""
    for child in ast.iter_child_nodes(node):
        if is_type_checking(child):
            continue
        yield child, is_late
        yield from walk(child, is_late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))


def imports_of(path: Path) -> Iterator[Import]:
    source = module_name(path)
    for node, is_late in walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(source, alias.name, node.lineno, is_late)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}:{node.lineno}: a relative import"
            assert node.module
            for alias in node.names:
                yield Import(source, f"{node.module}.{alias.name}", node.lineno, is_late)


def imports(package: str) -> list[Import]:
    return [found for path in sorted((ROOT / package).rglob("*.py")) for found in imports_of(path)]


def is_library(found: Import) -> bool:
    return found.top not in OURS and found.top not in sys.stdlib_module_names


def complaints(package: str, libraries: tuple[str, ...], ours: tuple[str, ...]) -> list[str]:
    return [
        str(found)
        for found in imports(package)
        if (is_library(found) and found.top not in libraries) or (found.top in OURS and found.top not in ours)
    ]


def games_package(module: str) -> str | None:
    """Package of the game that `module` belongs to."""
    for package in registry.GAMES.values():
        if module == package or module.startswith(f"{package}."):
            return package
    return None


def test_kernels_import_numba_and_numpy_alone() -> None:
    assert complaints("kernels", ("numba", "numpy", "platformdirs"), ("kernels",)) == []
    assert {found.source for found in imports("kernels") if found.top == "platformdirs"} == {"kernels._jit"}


def test_games_do_not_import_each_other_nor_shared_kernels_a_game() -> None:
    wrong = [
        str(found)
        for found in imports("kernels")
        if (other := games_package(found.target)) is not None and games_package(found.source) != other
    ]
    assert wrong == []


def test_what_a_game_declares_needs_no_compiler() -> None:
    plain = ("layout", "events", "narration", "kinds")
    shared = [
        f"kernels.{name}"
        for name in ("spec", "match_ends", "placing", "registry", "cards", "trace", "decoding", "telling")
    ]
    for found in imports("kernels"):
        if found.source in shared or found.source.rpartition(".")[2] in plain:
            assert found.top != "numba", str(found)
            assert not found.target.startswith(("kernels._jit", "kernels.rng", "kernels.bits", "kernels.melds")), found


def test_analysis_imports_of_the_kernels_only_what_a_game_declares() -> None:
    libraries = ("numpy", "polars", "scipy", "choix", "rich", "msgspec", "altair", "jinja2", "markupsafe", "vl_convert")
    assert complaints("analysis", libraries, ("analysis", "kernels")) == []
    for found in imports("analysis"):
        if found.top == "kernels":
            module = found.target.removeprefix("kernels.").split(".")
            assert module[0] in ("spec", "match_ends", "placing", "registry", "cards") or module[1] == "layout", str(
                found
            )


def test_sim_imports_analysis_only_for_reports_and_only_when_it_makes_one() -> None:
    libraries = ("numpy", "polars", "typer", "rich", "msgspec", "platformdirs", "dask", "distributed", "cma")
    assert complaints("sim", libraries, ("sim", "kernels", "analysis", "benches")) == []
    for found in imports("sim"):
        if found.top in ("analysis", "benches"):
            assert found.is_late, f"{found} before it needs to"


def test_the_referee_knows_nothing_of_the_program() -> None:
    wrong = [
        str(found)
        for found in imports("tests")
        if found.source.startswith("tests.referee.")
        and not found.source.rpartition(".")[2].startswith(("test_", "conftest"))
        and (found.top in ("kernels", "sim", "analysis", "benches") or (is_library(found) and found.top != "pytest"))
    ]
    assert wrong == []


def test_nothing_that_ships_imports_the_tests_and_kernels_nothing_above_them() -> None:
    for package in ("kernels", "sim", "analysis", "benches"):
        assert [str(found) for found in imports(package) if found.top == "tests"] == []


@pytest.mark.parametrize("package", ["sim", "analysis"])
def test_no_game_is_named_outside_its_folder_its_catalogue_and_the_registry(package: str) -> None:
    games = set(registry.GAMES)
    for path in sorted((ROOT / package).rglob("*.py")):
        if path.parent.name == "catalogue" and path.stem in games:
            continue
        tree = ast.parse(path.read_text())
        documentation = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            words: list[str] = []
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
                words = node.value.replace("/", " ").split()
            elif isinstance(node, ast.Name):
                words = [node.id]
            elif isinstance(node, ast.Import | ast.ImportFrom):
                words = ast.unparse(node).replace(".", " ").split()
            assert not games & set(words), f"{path.relative_to(ROOT)}:{node.lineno} names a game"  # type: ignore[attr-defined]


def modules_after(statement: str) -> set[str]:
    found: list[str] = json.loads(
        run_python(["-c", f"{statement}\nimport json, sys; print(json.dumps(sorted(sys.modules)))"]).stdout
    )
    return {module.partition(".")[0] for module in found}


def test_listing_games_and_checking_options_starts_no_compiler() -> None:
    statement = (
        "import sim.games, kernels.registry as registry\n"
        "for game in registry.GAMES: sim.games.make_setup(game), registry.module(game, 'events')"
    )
    loaded = modules_after(statement)
    assert not loaded & {"numba", "llvmlite", "polars", "scipy"}


def test_the_command_line_starts_without_what_only_commands_need() -> None:
    assert not modules_after("import sim.cli") & {"numba", "llvmlite", "polars", "scipy", "numpy", "analysis"}
