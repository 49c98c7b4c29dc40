"""What the command costs before it does anything, and what it says of itself."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Command, tuned_policy
from tests.trees import run_python

HEAVY = {"numba", "llvmlite", "polars", "numpy", "scipy", "rich", "msgspec"}


def loaded_by(code: str) -> set[str]:
    done = run_python(["-c", f"{code}\nimport json, sys; print('\\n' + json.dumps(sorted(sys.modules)))"])
    return {name.partition(".")[0] for name in json.loads(done.stdout.splitlines()[-1])}


def test_the_command_line_loads_nothing_heavy() -> None:
    assert not HEAVY & loaded_by("import sim.cli")


def test_help_loads_nothing_heavy() -> None:
    for words in ("['--help']", "['run', '--help']", "['--version']"):
        assert not HEAVY & loaded_by(f"import sim.cli; assert sim.cli.run_command({words}) == 0")


def test_wrong_numbers_are_found_before_anything_is_compiled() -> None:
    code = "import sim.cli; assert sim.cli.run_command(['run', 'canastra', '--rule', 'players=3']) == 2"
    assert not {"numba", "polars"} & loaded_by(code)


@pytest.mark.parametrize("name", ["games", "run", "show", "bench"])
def test_every_command_has_help(name: str, command: Command) -> None:
    done = command(name, "--help")
    assert done.status == 0
    assert done.stderr == ""
    assert f"Usage: carteador {name}" in done.stdout


def test_version(command: Command) -> None:
    done = command("--version")
    assert done.status == 0
    assert done.stdout.startswith("carteador ")


def test_games_lists_the_games(command: Command) -> None:
    assert "canastra" in command("games").stdout
    document = json.loads(command("games", "--json").stdout)
    assert document["schema"] == "carteador.games/1"
    assert "canastra" in [game["name"] for game in document["games"]]


def test_games_shows_all_that_can_be_chosen_of_a_game(command: Command) -> None:
    from kernels.registry import spec

    shown = command("games", "canastra").stdout
    canastra = spec("canastra")
    for option in canastra.options:
        assert option.name in shown
        assert option.article in shown
    for policy in canastra.policies:
        assert policy.name in shown
        assert all(parameter.name in shown for parameter in policy.parameters)
    assert all(preset in shown for preset in canastra.presets)
    assert "canastra_rate" in shown


def test_games_of_a_game_as_json(command: Command) -> None:
    document = json.loads(command("games", "canastra", "--json").stdout)
    options = {option["name"]: option for option in document["options"]}
    assert options["players"]["choices"] == [4, 2]
    assert options["lavadeira_ranks"]["default"] == ["4", "5", "K", "A"]
    assert (options["target"]["low"], options["target"]["high"]) == (100, 1_000_000)
    policy, parameter = tuned_policy("canastra")
    described = next(known for known in document["policies"] if known["name"] == policy.name)
    assert described["parameters"][0].keys() == {"name", "default", "low", "high", "help"}
    assert described["parameters"][0]["default"] == parameter.default
    assert {"name", "unit", "question"} <= document["statistics"][0].keys()
