"""The commands compare, tournament and sweep, as they are used."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path

import polars as pl
import pytest

from sim.cli import run_command
from tests.cli.conftest import Command

FIFTY = "--deals 50 --quiet"
COMMANDS = [
    f"compare canastra --a standard --b novice {FIFTY}",
    f"compare canasta --a-rule canastas_to_go_out=2 --rule black_three_freezes=true {FIFTY}",
    f"tournament canastra --policy novice --policy standard:take_lixo=2 {FIFTY}",
    f"sweep canastra --rule players=2,4 --rule jokers=0 --stat turns --best turns=lowest {FIFTY}",
    f"sweep canastra --param standard:take_lixo=1..3:2 --against novice {FIFTY}",
    f"odds canasta --hand 'KS kd 10h JK' --seat 2 --top-card KC --score 0:1500 {FIFTY}",
]


@pytest.mark.parametrize("line", COMMANDS)
def test_all_formats_tell_the_same(command: Command, line: str) -> None:
    table = command(*shlex.split(line))
    assert (table.status, table.stderr) == (0, "")
    document = json.loads(command(*shlex.split(line), "--format", "json").stdout)
    assert document["schema"] == f"carteador.{line.split()[0]}/1"
    for sentence in document["sentence"]:
        assert sentence in " ".join(table.stdout.split())
    rows = list(csv.DictReader(io.StringIO(command(*shlex.split(line), "--format", "csv").stdout)))
    assert rows
    assert {row["schema"] for row in rows} == {document["schema"]}


@pytest.mark.parametrize("line", COMMANDS)
def test_the_command_of_a_document_makes_it_again(command: Command, line: str) -> None:
    first = json.loads(command(*shlex.split(line), "--format", "json").stdout)
    again = json.loads(command(*shlex.split(first["command"])[1:], "--format", "json").stdout)
    assert {**again, "provenance": 0} == {**first, "provenance": 0}


@pytest.mark.parametrize("ending", ["json", "csv", "parquet"])
def test_a_result_is_stored_by_the_ending(command: Command, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"result.{ending}"
    done = command(*shlex.split(COMMANDS[3]), "--out", str(path))
    assert done.status == 0
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == [path.name]
    if ending == "json":
        assert json.loads(path.read_text())["axes"][0]["values"] == [2, 4]
        return
    frame = pl.read_csv(path) if ending == "csv" else pl.read_parquet(path)
    assert frame["players"].unique().sort().to_list() == [2, 4]
    assert frame.filter(statistic="turns").height == 2


REFUSED = [
    ("compare canastra", "--b: 'standard' under the same rules is the same as --a; nothing differs"),
    ("compare canastra --a standrd --b novice", "Did you mean standard?"),
    ("compare canastra --b novice --b-rule jokers=4", "so do their rules"),
    ("compare canastra --a-rule jokers=3", "--a-rule jokers: '3' is not allowed; allowed is 0 or 4"),
    ("compare canastra --a-rule joker=4", "--a-rule: no option of canastra is called 'joker'"),
    ("compare canastra --b novice --stat turns", "--stat: policies are compared in score and win_rate"),
    ("compare canastra --a-rule jokers=4 --stat turn", "--stat: there is no statistic 'turn'. Did you mean turns?"),
    ("compare canastra --b novice --out result.txt", "--out: 'result.txt' is not allowed"),
    ("compare canastra --b novice --out no/result.csv", "--out: there is no folder 'no'"),
    ("compare canastra --b novice --format xml", "--format: 'xml' is not allowed"),
    ("compare canastra --b novice --deals 0", "--deals: '0' is out of range"),
    ("tournament canastra --policy novice", "--policy: 1 named; a tournament needs 2 to 20 policies"),
    ("tournament canastra --policy novice --policy novice", "--policy: a policy is named twice"),
    ("tournament canstra", "Did you mean canastra?"),
    ("odds canastra", "Missing option '--hand'"),
    ("odds canastra --hand 'KS KX'", "--hand: 'KX' is no card"),
    ("odds canastra --hand KS --seat 9", "--seat: '9' is out of range"),
    ("odds canastra --hand KS --top-card QS", "--top-card: 1 cards; no card of canastra lies open"),
    ("odds canasta --hand KS --score 5", "--score"),
    ("odds canstra --hand KS", "Did you mean canastra?"),
    ("sweep canastra", "--rule: nothing is swept"),
    ("sweep canastra --rule players=2", "--rule: nothing is swept"),
    ("sweep canastra --rule players=2,4 --rule players=4", "--rule: players is given twice"),
    ("sweep canastra --rule players=2,2", "--rule players: 2 is given twice"),
    ("sweep canastra --rule players=2,5", "--rule players: '5' is not allowed"),
    ("sweep canastra --rule target=500..100", "--rule target: '500..100' ends below its start"),
    ("sweep canastra --rule target=100..100000", "more than 1,000 values"),
    ("sweep canastra --param take_lixo=1..3", "--param: 'take_lixo=1..3' is not of the form"),
    ("sweep canastra --param standard:take_lixo=1...3", "--param"),
    ("sweep canastra --param standard:take_lixo=1..3:0", "--param standard:take_lixo, step: '0' is out of range"),
    ("sweep canastra --param standard:take_lixo=1..x", "'x' is no number"),
    ("sweep canastra --param standrd:take_lixo=1..3", "Did you mean standard?"),
    ("sweep canastra --rule players=2,4 --best turns", "--best: 'turns' is not of the form"),
    ("sweep canastra --rule players=2,4 --best turns=hihgest", "Did you mean highest?"),
]


@pytest.mark.parametrize(("line", "words"), REFUSED)
def test_what_makes_no_sense_is_refused_in_one_line(command: Command, line: str, words: str) -> None:
    done = command(*shlex.split(line))
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(Path.cwd().iterdir()) == []


def test_a_file_that_cannot_be_written_leaves_nothing(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: Path, _target: Path) -> None:
        raise OSError(28, "No space left on device", str(tmp_path / "result.json"))

    monkeypatch.setattr(Path, "replace", refuse)
    done = command(*shlex.split(COMMANDS[0]), "--out", str(tmp_path / "result.json"))
    assert done.status == 1
    assert "No space left on device" in done.stderr
    assert [entry for entry in tmp_path.iterdir() if entry.is_file()] == []


def test_help_names_all_options() -> None:
    for name in ("compare", "tournament", "sweep", "odds"):
        assert run_command([name, "--help"]) == 0
