"""docs/commands.md and docs/files.md say what the program does."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer

from sim.app import app
from sim.games import find_game, make_setup, parse_policy
from sim.manifest import SCHEMA, Manifest, StoredChunk, StoredFile
from sim.own.stored import StoredPolicy
from tests.trees import ROOT

COMMANDS = (ROOT / "docs" / "commands.md").read_text()
FILES = (ROOT / "docs" / "files.md").read_text()


def section(text: str, title: str) -> str:
    return re.split(r"^## ", text.partition(f"\n## {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def commands() -> dict[str, Any]:
    """Every command by its words, as ``policy check``."""
    found: dict[str, Any] = {}
    waiting: list[tuple[str, Any]] = [("", typer.main.get_command(app))]
    while waiting:
        name, command = waiting.pop()
        if hasattr(command, "commands"):
            waiting += [(f"{name} {word}".strip(), inner) for word, inner in command.commands.items()]
        else:
            found[name] = command
    return found


def test_every_option_of_every_command_is_described() -> None:
    shared = section(COMMANDS, "What every deal depends on")
    for name, command in commands().items():
        described = section(COMMANDS, name) + (shared if name in ("run", "show") else "")
        assert described, name
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("--"):
                    assert f"`{option}" in described, f"{name} {option}"


def test_no_option_is_described_that_is_not_there() -> None:
    there = {option for command in commands().values() for p in command.params for option in p.opts}
    there |= {option for parameter in typer.main.get_command(app).params for option in parameter.opts} | {"--help"}
    assert set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", COMMANDS)) <= there


@pytest.mark.parametrize("line", re.findall(r"^    carteador (?:run|show) [^-].*(?<!\])$", COMMANDS, re.MULTILINE))
def test_the_examples_are_commands(line: str) -> None:
    words = shlex.split(re.split(r" [|>] ", line)[0])
    options = [(word, value) for word, value in pairwise([*words[3:], ""]) if word.startswith("--")]
    make_setup(
        words[2],
        policy_texts=[value for name, value in options if name == "--policy"],
        rule_texts=[value for name, value in options if name == "--rule"],
        rules=next((value for name, value in options if name == "--rules"), None),
    )


def test_the_policies_in_the_text_are_policies() -> None:
    written = re.findall(r"`(\w+:\w+=\d+)`", COMMANDS)
    assert written
    for text in written:
        assert parse_policy(find_game("canastra"), text).text == text


def test_the_example_of_house_rules_is_one(tmp_path: Path) -> None:
    example = re.findall(r"^    (.+ = .+)$", section(FILES, "House rules"), re.MULTILINE)
    path = tmp_path / "rules.toml"
    path.write_text("\n".join(example))
    setup = make_setup("canastra", rules=str(path))
    assert len(setup.changed) == len(example) - 2
    assert find_game("canastra") is setup.spec


def test_every_field_of_the_manifest_is_described() -> None:
    described = section(FILES, "A run on disk")
    assert f"schema `{SCHEMA}`" in described
    of_files = (*StoredFile.__struct_fields__, *StoredPolicy.__struct_fields__)
    for field in (*Manifest.__struct_fields__, *StoredChunk.__struct_fields__, *of_files):
        assert field == "schema" or f"`{field}`" in described, field


def test_every_event_is_described() -> None:
    from kernels.canastra.events import NAMES

    described = section(FILES, "The event log")
    for name in (*NAMES.values(), "deal", "end"):
        assert f"`{name}`" in described or f'"event": "{name}"' in described, name
