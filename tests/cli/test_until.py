"""`carteador run --until`: what it says of the precision, in every format, reached or not."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sim import precision, progress
from sim.batch import Progress
from sim.manifest import read_manifest
from tests.cli.conftest import Command
from tests.cli.test_run import numbers, posix, start, wait_for

WORDS = ("run", "canastra", "--seed", "7", "--until", "win_rate@side:0=8%", "--until", "turns=0.8")


@pytest.fixture(autouse=True)
def early_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks from 60 deals on, so that a run with many of them is quick."""
    monkeypatch.setattr(precision, "FIRST_LOOK", 60)


def test_the_table_says_what_was_reached(command: Command) -> None:
    done = command(*WORDS)
    assert (done.status, done.stderr) == (0, "")
    head = done.stdout.splitlines()[:6]
    assert head[3] == "Intervals: 0.95 confidence, at whatever number of deals the run stops"
    assert head[4].startswith("Until win_rate@side:0 is within ± 8%: ")
    assert head[5].startswith("Until turns is within ± 0.8: ")
    assert [line.endswith(", reached") for line in head[4:6]] == [True, True]
    assert "which stopping at a precision does not spoil" in done.stdout
    plain = command("run", "canastra", "--deals", "100").stdout
    assert "spoil" not in plain
    assert "Until" not in plain


def test_the_json_is_the_same_for_any_threads_and_stored_or_not(command: Command) -> None:
    documents = [
        numbers(json.loads(command(*WORDS, "--format", "json", *more).stdout))
        for more in ((), ("--threads", "1"), ("--threads", "5"), ("--out", "run"))
    ]
    assert all(document == documents[0] for document in documents)
    document = documents[0]
    assert document["schema"] == "carteador.summary/1"
    assert document["intervals"] == "anytime"
    assert [(entry["statistic"], entry["group"], entry["wanted"]) for entry in document["until"]] == [
        ("win_rate", "side:0", 0.08),
        ("turns", "all", 0.8),
    ]
    assert all(entry["met"] and entry["reached"] <= entry["wanted"] for entry in document["until"])
    assert read_manifest(Path("run")).count == document["deals"]


def test_csv_has_the_intervals_of_the_json(command: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(command(*WORDS, "--format", "csv").stdout)))
    statistics = json.loads(command(*WORDS, "--format", "json").stdout)["statistics"]
    assert [row["high"] for row in rows] == [str(row["high"]) if row["high"] is not None else "" for row in statistics]


def test_the_most_that_is_played_is_named_where_it_does_not_do(command: Command) -> None:
    done = command(*WORDS, "--deals", "100")
    assert done.status == 0
    assert "NOT reached in 100 deals, the most that is played" in done.stdout
    assert done.stderr.startswith(
        "carteador: not reached in 100 deals, the most that is played (--deals allows more): "
    )
    assert done.stderr.count("\n") == 1
    assert "win_rate@side:0 ± " in done.stderr
    assert ", wanted ± 8%; turns " in done.stderr
    quiet = command(*WORDS, "--deals", "100", "--quiet", "--format", "json")
    assert quiet.stderr == ""
    assert [entry["met"] for entry in json.loads(quiet.stdout)["until"]] == [False, False]


def test_matches_are_a_unit_too(command: Command) -> None:
    words = ("run", "canastra", "--rule", "target=600", "--until", "match_win_rate@side:0=12%")
    done = command(*words, "--matches", "2000", "--format", "json")
    document = json.loads(done.stdout)
    assert (done.status, document["until"][0]["met"]) == (0, True)
    assert 60 < document["matches"] == document["until"][0]["matches"] < 2000


@posix
def test_ctrl_c_says_how_far_it_is_and_how_to_go_on(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "run"
    until = ("--until", "win_rate@side:0=1e-06", "--until", "turns=0.001")
    words = ("run", "canastra", "--seed", "5", "--policy", "random", *until, "--format", "json", "--threads", "2")
    process = start(*words, "--out", str(folder))
    wait_for(folder / "deals-00000.parquet", process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 130
    document = json.loads(stdout)
    done = document["deals"]
    assert "Traceback" not in stderr
    assert f"stopped after {done:,} deals. {folder} holds them. win_rate@side:0 ± " in stderr
    rest = shlex.split(stderr.partition("To go on: ")[2])
    assert rest == ["carteador", "run", "--resume", str(folder), "--format", "json", "--threads", "2"]
    manifest = read_manifest(folder)
    assert (manifest.count, manifest.done) == (100_000_000, done)
    assert not list(folder.glob("*.partial"))
    again = command("run", "canastra", "--seed", "5", "--policy", "random", "--deals", str(done), "--format", "csv")
    assert [line.split(",")[3:5] for line in again.stdout.splitlines()[1:]] == [
        [str(row["n"]), str(row["estimate"] if row["estimate"] is not None else "")] for row in document["statistics"]
    ]


def test_the_progress_line_tells_the_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setitem(os.environ, "COLUMNS", "80")
    monkeypatch.setitem(os.environ, "TERM", "xterm")
    states: list[dict[str, Any]] = [
        {"done": 500, "expected": None, "precision": ""},
        {"done": 2000, "expected": 8000, "precision": "turns ± 2 of 1"},
        {"done": 3000, "expected": 9000, "precision": "turns ± 1.8 of 1"},
    ]
    with progress.progress_line("deals", None, False) as watch:
        assert watch is not None
        for state in states:
            watch(Progress(total=9000, deals=state["done"], seconds=state["done"] / 100, **state))
    assert progress._done_text(Progress(9000, **states[0]), "deals", None) == "500 deals"
    assert progress._done_text(Progress(9000, **states[1]), "deals", None) == "2,000 of ~8,000"
    assert progress._done_text(Progress(9000, **states[2]), "deals", None) == "3,000 of ~9,000 (the most)"
    # Every state that says something new is drawn, however fast they follow one another.
    assert "turns ± 2 of 1" in screen.getvalue()
    assert "turns ± 1.8 of 1" in screen.getvalue()
    assert "about 1 min 00 s left" in screen.getvalue()


@pytest.mark.slow
def test_a_run_to_a_real_precision_ends_where_it_should() -> None:
    code = "from sim.cli import main; main()"
    words = ["run", "canastra", "--until", "win_rate@side:0=0.2%", "--quiet", "--format", "json"]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    [entry] = json.loads(done.stdout)["until"]
    # 1/4 x (3.035 / 0.002)², at a look of an eighth more at most, the interval being exact.
    assert 1 <= entry["deals"] / (0.25 * (3.035 / 0.002) ** 2) < 1.14
