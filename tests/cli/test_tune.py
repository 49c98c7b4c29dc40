"""The command tune, as it is used."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import sys
from pathlib import Path

import polars as pl
import pytest
import typer

from sim.app import invoke
from tests.cli.conftest import Command
from tests.cli.test_run import posix
from tests.trees import run_python

SMALL = "--deals 40 --fresh 400 --generations 3 --quiet"
ONE = f"tune canastra --policy novice --parameter take_lixo=1..3 --parameter keep_gap=0..90 --seed 3 {SMALL}"
COMMANDS = [
    ONE,
    f"tune canastra --against expert --against novice --parameter feed_pairs --population 5 --rule players=2 {SMALL}",
    f"tune canastra --policy expert --parameter count_cards --budget 1e6 {SMALL}",
]

FIELDS = {
    *("schema", "game", "title", "seed", "first", "deals", "seats", "sides", "confidence", "options", "changed"),
    *("policy", "against", "found", "judged", "tuned", "improved", "gain", "over_start", "over_opponents"),
    *("parameters", "pruned", "search", "interrupted", "command", "checks", "provenance", "sentence"),
}
OF_SEARCH = {
    *("deals", "fresh", "population", "most_generations", "patience", "budget", "rungs", "parameters", "inert"),
    *("generations", "deals_played", "stopped_by", "estimate", "trajectory"),
}
OF_GENERATION = {"generation", "best", "best_values", "mean", "sigma", "deals", "incumbent", "replaced"}


@pytest.mark.parametrize("line", COMMANDS)
def test_all_formats_tell_the_same(command: Command, line: str) -> None:
    table = command(*shlex.split(line))
    assert (table.status, table.stderr) == (0, "")
    document = json.loads(command(*shlex.split(line), "--format", "json").stdout)
    assert document["schema"] == "carteador.tune/1"
    for sentence in document["sentence"]:
        assert sentence in " ".join(table.stdout.split())
    # A line to copy is not broken, however long it is.
    assert f"Use:   --policy {document['tuned']}\n" in table.stdout
    for check in document["checks"]:
        assert f"Check: {check}\n" in table.stdout
    rows = list(csv.DictReader(io.StringIO(command(*shlex.split(line), "--format", "csv").stdout)))
    assert {row["schema"] for row in rows} == {"carteador.tune/1"}
    assert [row["parameter"] for row in rows if row["row"] == "put_back"] == [
        row["name"] for row in document["parameters"]
    ]


@pytest.mark.parametrize("line", COMMANDS)
def test_the_command_of_a_document_makes_it_again(command: Command, line: str) -> None:
    first = json.loads(command(*shlex.split(line), "--format", "json").stdout)
    again = json.loads(command(*shlex.split(first["command"])[1:], "--quiet", "--format", "json").stdout)
    assert {**again, "provenance": 0} == {**first, "provenance": 0}


@pytest.mark.parametrize("line", COMMANDS[:2])
def test_the_command_that_checks_it_gives_its_numbers(command: Command, line: str) -> None:
    document = json.loads(command(*shlex.split(line), "--format", "json").stdout)
    fresh = [document["over_start"], *document["over_opponents"].values()]
    assert len(fresh) == len(document["checks"])
    for check, rows in zip(document["checks"], fresh, strict=True):
        compared = json.loads(command(*shlex.split(check)[1:], "--quiet", "--format", "json").stdout)
        assert compared["a"]["policy"] == document["judged"]
        for row in compared["differences"]:
            told = rows[row["statistic"]]
            assert {name: row[name] for name in told} == told


def test_the_document_has_all_that_is_described(command: Command, root: Path) -> None:
    document = json.loads(command(*shlex.split(ONE), "--format", "json").stdout)
    assert set(document) == FIELDS
    assert set(document["search"]) == OF_SEARCH
    trajectory = document["search"]["trajectory"]
    assert len(trajectory) == document["search"]["generations"] == 3
    assert all(set(one) == OF_GENERATION for one in trajectory)
    deals = [one["deals"] for one in trajectory]
    assert deals == sorted(deals)
    assert 0 < deals[-1] <= document["search"]["deals_played"]
    described = (root / "docs" / "files.md").read_text()
    for name in FIELDS | OF_SEARCH | OF_GENERATION:
        assert f"`{name}`" in described, name


@pytest.mark.parametrize("ending", ["json", "csv", "parquet"])
def test_a_result_is_stored_by_the_ending(command: Command, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"result.{ending}"
    assert command(*shlex.split(ONE), "--out", str(path)).status == 0
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == [path.name]
    if ending == "json":
        assert json.loads(path.read_text())["policy"] == "novice"
        return
    frame = pl.read_csv(path) if ending == "csv" else pl.read_parquet(path)
    assert frame.filter(row="over_start")["statistic"].to_list() == ["score", "win_rate"]


REFUSED = [
    ("tune canstra", "Did you mean canastra?"),
    ("tune canastra --policy standrd", "--policy: no policy of canastra is called 'standrd'"),
    ("tune canastra --against standrd", "--against: no policy of canastra is called 'standrd'"),
    ("tune canastra --against novice --against novice", "--against: novice is given twice"),
    ("tune mau_mau --policy random", "--policy: random has no parameters that could be sought"),
    ("tune canastra --parameter take_lxo", "--parameter: no parameter of policy standard is called 'take_lxo'"),
    ("tune canastra --parameter take_lixo=0..9", "--parameter take_lixo: '0' is out of range"),
    ("tune canastra --parameter take_lixo=3", "--parameter take_lixo: '3' is not of the form low..high"),
    ("tune canastra --parameter take_lixo --parameter take_lixo", "--parameter: take_lixo is given twice"),
    ("tune canastra --parameter ''", "--parameter: no parameter of policy standard is called ''"),
    ("tune canastra --parameter take_lixo=5..2", "--parameter take_lixo: 5..2 runs downwards; write low..high"),
    ("tune canastra --parameter take_lixo=5..5", "--parameter take_lixo: 5..5 has only one value; write low..high"),
    ("tune escopa --against search", "--deals: say how many, as 50; a deal in which --against searches takes as long"),
    (
        "tune escopa --policy search --deals 5",
        "--parameter: name the parameters to seek; to find out which",
    ),
    ("tune canastra --deals 0", "--deals: '0' is out of range"),
    ("tune canastra --deals 1e99", "--deals: '1e99' is not allowed"),
    ("tune canastra --deals 9e18", "--deals: '9e18' is out of range"),
    ("tune canastra --fresh 1", "--fresh: '1' is out of range"),
    ("tune canastra --population 2", "--population: '2' is out of range"),
    ("tune canastra --population 1e7", "--population: '1e7' is out of range"),
    ("tune canastra --generations 1e17", "--generations: '1e17' is out of range"),
    ("tune canastra --budget 100", "--budget: 100 deals are less than a generation takes"),
    ("tune canastra --budget lots", "--budget: 'lots' is no number"),
    ("tune canastra --threads 0", "--threads: '0' is out of range"),
    ("tune canastra --rule jokers=3", "--rule jokers: '3' is not allowed"),
    ("tune canastra --out result.txt", "--out: 'result.txt' is not allowed"),
    ("tune canastra --out no/result.csv", "--out: there is no folder 'no'"),
    ("tune canastra --format xml", "--format: 'xml' is not allowed"),
    ("tune canastra --confidence 2", "--confidence: '2' is not allowed"),
    ("tune canastra --policy standard --policy expert", "--policy is given twice"),
]


@pytest.mark.parametrize(("line", "words"), REFUSED)
def test_what_makes_no_sense_is_refused_in_one_line(command: Command, line: str, words: str) -> None:
    done = command(*shlex.split(line))
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(Path.cwd().iterdir()) == []


def test_with_a_search_it_is_said_how_long_it_takes(command: Command) -> None:
    words = "--parameter caution=0..200 --deals 2 --fresh 4 --generations 1 --population 4"
    done = command(*shlex.split(f"tune escopa --policy search:rollouts=2 --against novice {words}"))
    assert done.status == 0
    told = r"A deal with a search takes \S+ s at all tables, so all of it may take up to .* s\. Fewer --deals, "
    assert re.search(told, done.stderr)


def test_without_the_library_it_is_said_how_to_install_it(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.candidates.find_spec", lambda _name: None)
    done = command("tune", "canastra")
    assert (done.status, done.stdout) == (2, "")
    expected = "carteador: tune: a search needs cma, not installed here; to install it: pip install 'carteador[tune]'\n"
    assert done.stderr == expected


def test_nothing_is_left_behind(command: Command) -> None:
    assert command(*shlex.split(ONE)).status == 0
    assert list(Path.cwd().iterdir()) == []


# Sends the signal when so many generations are done, and again when the fresh deals have begun.
INTERRUPTING = """
import signal, sys
import sim.searching, sim.tuning
plain = sim.searching.Search._generation
def generation(self):
    plain(self)
    if len(self.found.trajectory) == {generations}:
        signal.raise_signal(signal.SIGINT)
sim.searching.Search._generation = generation
judge = sim.tuning.TuneRun.judge
def judging(self):
    if {again}:
        signal.raise_signal(signal.SIGINT)
    judge(self)
sim.tuning.TuneRun.judge = judging
sys.argv[1:] = {words!r}
from sim.cli import main
main()
"""


def interrupted(line: str, generations: int, *, again: bool = False) -> tuple[int, str, str]:
    code = INTERRUPTING.format(generations=generations, again=again, words=shlex.split(line))
    done = run_python(["-c", code], check=False)
    return done.returncode, done.stdout, done.stderr


@posix
def test_ctrl_c_reports_what_was_found_on_fresh_deals(command: Command) -> None:
    line = ONE.replace("--quiet", "--format json").replace("--generations 3", "--generations 500")
    status, stdout, stderr = interrupted(line, 3)
    assert status == 130
    document = json.loads(stdout)
    assert document["interrupted"]
    assert document["search"]["stopped_by"] == "interrupted"
    assert document["search"]["generations"] == 3
    assert document["deals"] == (400 if document["judged"] != "novice" else 0)
    assert "Stopping: what was found so far is judged on fresh deals." in stderr
    assert f"carteador: stopped early; the result is of what was done. To do it all: {document['command']}\n" in stderr
    assert "Traceback" not in stderr
    whole = json.loads(command(*shlex.split(ONE), "--format", "json").stdout)
    assert document["search"]["trajectory"] == whole["search"]["trajectory"]


@posix
def test_a_second_ctrl_c_cuts_the_fresh_deals_short_too() -> None:
    line = ONE.replace("--quiet", "--format json").replace("--generations 3", "--generations 500")
    status, stdout, stderr = interrupted(line, 3, again=True)
    assert status == 130
    document = json.loads(stdout)
    assert document["deals"] == 0
    assert not document["improved"]
    assert document["tuned"] == "novice"
    assert "Traceback" not in stderr


def test_progress_tells_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setitem(os.environ, "COLUMNS", "120")
    monkeypatch.setitem(os.environ, "TERM", "xterm")
    with pytest.raises(typer.Exit):
        invoke(shlex.split(ONE.replace(" --quiet", "")))
    shown = screen.getvalue()
    assert "generation 2 of 3" in shown
    assert " left" in shown
    assert "deals/s" in shown
