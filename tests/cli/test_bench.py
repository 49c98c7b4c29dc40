"""`carteador bench`: it measures what it says it measures; how fast this machine is, no test says."""

from __future__ import annotations

import json

import pytest

from sim import bench
from sim.games import make_setup
from tests.cli.conftest import Command


def test_a_speed_is_consistent_in_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS_A_REPEAT", 0.02)
    monkeypatch.setattr(bench, "cold_seconds", lambda _setup: 9.0)
    monkeypatch.setattr(bench, "warm_seconds", lambda _setup: 2.0)
    (speed,) = bench.measure([make_setup("canastra", policies="random")], threads=2)
    assert (speed.game, speed.policy, speed.threads) == ("canastra", "random", 2)
    assert (speed.cold_seconds, speed.warm_seconds) == (9.0, 2.0)
    assert speed.shuffles_per_deal == pytest.approx(1e9 / speed.deals_per_second / speed.shuffle_ns, rel=0.01)
    # A deal has more than one turn, and a turn at least one decision.
    assert speed.deals_per_second < speed.turns_per_second < speed.decisions_per_second
    assert speed.threads_deals_per_second > 0


def test_json_has_the_names_of_the_design(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    speed = bench.Speed("canastra", "random", 1.0, 2.0, 3.0, 4.0, 5.0, 2, 6.0, 7.0, 8.0)
    monkeypatch.setattr(bench, "measure", lambda setups, _threads, _announce: [speed] * len(setups))
    document = json.loads(command("bench", "canastra", "--policy", "random", "--format", "json").stdout)
    (result,) = document["results"]
    assert result.keys() >= {
        "deals_per_second",
        "turns_per_second",
        "decisions_per_second",
        "shuffle_ns",
        "shuffles_per_deal",
        "cold_seconds",
        "warm_seconds",
    }
    assert len(json.loads(command("bench", "canastra", "--format", "json").stdout)["results"]) == 4
    assert "shuffles/deal" in command("bench", "canastra", "--policy", "random").stdout


@pytest.mark.slow
def test_the_command_measures_this_machine(command: Command) -> None:
    done = command("bench", "canastra", "--policy", "random", "--format", "json", "--quiet")
    (result,) = json.loads(done.stdout)["results"]
    assert done.stderr == ""
    # Everything is compiled in the one and nothing in the other.
    assert result["cold_seconds"] > 2 * result["warm_seconds"] > 0
