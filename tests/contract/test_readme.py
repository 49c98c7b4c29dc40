"""What the README shows works: its example, its commands, its links."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

import sim
from kernels import registry
from sim.app import app
from sim.cli import run_command
from tests.trees import ROOT

README = ROOT / "README.md"
FEW = "20"


def commands() -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", README.read_text(), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("carteador ")]
    return [shlex.split(line, comments=True)[1:] for line in lines]


def shortened(words: list[str]) -> list[str]:
    """Return the command with fewer deals or matches."""
    short = list(words)
    for name in ("--deals", "--matches", "--count"):
        if name in short:
            short[short.index(name) + 1] = FEW
    if short[0] == "tune":
        short += ["--generations", "2"]
    plays = short[0] in ("run", "compare", "tournament", "sweep", "tune", "odds") and "--resume" not in short
    return [*short, "--deals", FEW] if plays and not {"--deals", "--matches"} & set(short) else short


def folders_read(words: list[str]) -> list[str]:
    """Folders of stored runs that a command reads: they must be there."""
    if "--resume" in words:
        return [words[words.index("--resume") + 1]]
    return words[1 : words.index("--out")] if words[0] == "merge" else words[1:] if words[0] == "verify" else []


def test_the_example_for_programs_runs_as_printed() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert failed == 0
    assert tried >= 5


@pytest.mark.parametrize("words", [words for words in commands() if words[0] != "bench"], ids=" ".join)
def test_every_command_shown_runs(
    words: list[str],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("here"))
    for number, folder in enumerate(folders_read(words)):
        sim.simulate("canastra", first=20 * number, deals=20, out=folder)
    if any(word.endswith("_policy.py") for word in words):
        # The file is made by a command shown before it.
        assert run_command(["policy", "new", words[1]]) == 0
    if words[0] == "report":
        # What it reports is made by a command shown before it.
        made = next(other for other in commands() if "--out" in other and other[other.index("--out") + 1] == words[1])
        assert run_command(shortened(made)) == 0
    assert run_command(shortened(words)) == 0
    assert capfdbinary.readouterr().out


def test_every_command_of_the_program_is_shown() -> None:
    names = [command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands]
    names += [group.name or "" for group in app.registered_groups]
    assert {words[0] for words in commands()} == set(names)


def test_every_game_and_every_policy_is_listed() -> None:
    readme = README.read_text()
    for game in registry.GAMES:
        line = next(line for line in readme.splitlines() if line.startswith(f"| `{game}` |"))
        for policy in registry.spec(game).policies:
            assert f"`{policy.name}`" in line


@pytest.mark.parametrize("page", [README, *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_docs_name_files_that_exist() -> None:
    for path in (ROOT / "docs").rglob("*.md"):
        for name in re.findall(r"`((?:kernels|sim|analysis|benches|tests)/[\w/.]*)`", path.read_text()):
            assert (ROOT / name).exists(), f"{path.name}: {name}"
