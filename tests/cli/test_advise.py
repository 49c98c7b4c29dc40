"""The command advise, as it is used."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import polars as pl
import pytest

from kernels import _jit, registry
from tests.cli.conftest import Command

GAMES = [game for game in registry.GAMES if registry.spec(game).searches]
KNOWN = "--know 'table=5C 4H QS 2C' --know 'taken=3C 3D QH AS | 6C 6D 3S KH 5D' --know last=1 --know dealer=0"
DECK = " ".join(f"{rank}{suit}" for rank in "7A2K3JQ456" for suit in "DHSC")
COMMANDS = [
    *(f"advise {game} --deal 2 --turn 3 --seed 5 --rollouts 20 --quiet" for game in GAMES),
    "advise escopa --match 1 --hand 2 --turn 4 --rollouts 20 --confidence 0.9 --quiet",
    "advise escopa --turn 5 --policy 0=novice --rule players=3 --search search:playout=0 --rollouts 20 --quiet",
    "advise escopa --seed 918 --deal 141 --turn 2 --rule escopa=exactly_four --rollouts 20 --quiet",
    f"advise escopa --hand '7D KS' {KNOWN} --rollouts 20 --quiet",
    f"advise escopa --deck '{DECK}' --deal 1 --scores 5:9 --turn 3 --rollouts 20 --quiet",
]


WIDTH = 24
"""Characters of an option that stand in its first line, however narrow the table."""


@pytest.mark.parametrize("line", COMMANDS)
def test_all_formats_tell_the_same(command: Command, line: str) -> None:
    table = command(*shlex.split(line))
    assert (table.status, table.stderr) == (0, "")
    document = json.loads(command(*shlex.split(line), "--format", "json").stdout)
    assert document["schema"] == "carteador.advice/1"
    for sentence in document["sentence"]:
        assert sentence in " ".join(table.stdout.split())
    rows = list(csv.DictReader(io.StringIO(command(*shlex.split(line), "--format", "csv").stdout)))
    options = [row for decision in document["decisions"] for row in decision["rows"]]
    assert [row["words"] for row in rows] == [row["words"] for row in options]
    assert [float(row["margin"]) for row in rows] == [row["margin"] for row in options]
    told = re.split(r"(?m)^(?=Seat \d+: \w+$)", table.stdout)[1:]
    assert len(told) == len(document["decisions"])
    for decision, text_of in zip(document["decisions"], told, strict=True):
        assert f"Seat {decision['seat']}: {decision['question']}" in text_of
        # Long words go on in a second line.
        starts = [row["words"][:WIDTH].rstrip() for row in decision["rows"]]
        lines = [text for text in text_of.splitlines() if text.startswith(tuple(starts))]
        assert len(lines) >= len(starts)
        assert lines[0].startswith(starts[0])
        assert f"{decision['rows'][0]['margin']:+.0f}"[0] in lines[0]


@pytest.mark.parametrize(
    "line", ["advise escopa --turn 3 --rollouts 2", "compare escopa --a novice --b expert --deals 1"]
)
def test_that_kernels_are_compiled_is_said_once(command: Command, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setattr(_jit, "is_compiled", lambda _what: False)
    done = command(*shlex.split(line))
    assert done.status == 0
    assert done.stderr.count("Compiling the kernels of escopa") == 1


@pytest.mark.parametrize("line", COMMANDS)
def test_the_command_of_a_document_makes_it_again(command: Command, line: str) -> None:
    first = json.loads(command(*shlex.split(line), "--format", "json").stdout)
    again = json.loads(command(*shlex.split(first["command"])[1:], "--format", "json", "--quiet").stdout)
    assert {**again, "provenance": 0} == {**first, "provenance": 0}


@pytest.mark.parametrize("ending", ["json", "csv", "parquet"])
def test_a_result_is_stored_by_the_ending(command: Command, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"advice.{ending}"
    done = command(*shlex.split(COMMANDS[0]), "--out", str(path))
    assert (done.status, done.stderr) == (0, "")
    assert [entry.name for entry in tmp_path.iterdir() if entry.is_file()] == [path.name]
    if ending == "json":
        assert json.loads(path.read_text())["decisions"][0]["worlds"] == 20
        return
    frame = pl.read_csv(path) if ending == "csv" else pl.read_parquet(path)
    assert frame["rank"][0] == 1
    assert set(frame["worlds"]) == {20}
    assert {"seat", "question", "behind_low", "best_rate", "played"} <= set(frame.columns)


def test_a_decision_of_a_document_is_a_position_file(command: Command) -> None:
    document = json.loads(command(*shlex.split(COMMANDS[0]), "--format", "json").stdout)
    Path("mine.json").write_text(json.dumps(document["decisions"][0]["position"]))
    game = document["game"]
    done = command("advise", game, "--position", "mine.json", "--rollouts", "20", "--format", "json", "--quiet")
    assert done.status == 0
    assert json.loads(done.stdout)["decisions"][0]["position"] == document["decisions"][0]["position"]


REFUSED = [
    ("advise", "Missing argument"),
    ("advise escpoa", "escopa"),
    ("advise escopa --turn 99", "--turn: the deal has 36 turns, so there is no advice for turn 99. To see the deal:"),
    ("advise escopa --turn x", "--turn: 'x' is no number"),
    ("advise escopa --deal 1 --match 1", "--deal and --match cannot stand together"),
    ("advise escopa --match 0 --hand 500", "--hand: match 0 of seed 0 ends before hand 500"),
    ("advise escopa --match 0 --hand KS", "--hand: 'KS' is no number"),
    ("advise escopa --rollouts 0", "--rollouts: '0' is out of range"),
    ("advise escopa --search expert", "--search: expert is no search; escopa has search"),
    ("advise escopa --search search:rollouts=9", "--search: the rollouts of advice are those of --rollouts"),
    ("advise escopa --match 0 --scores 1:2", "--scores and --match cannot stand together"),
    ("advise escopa --deck 'KS QS'", "--deck: 2 cards; the pack of escopa has 40"),
    ("advise escopa --hand KS --deck 'KS QS'", "--deck: it names a deal that is played again"),
    ("advise escopa --format xml", "--format: 'xml' is not allowed; allowed is table, json, csv"),
    ("advise escopa --out advice.txt", "--out: 'advice.txt' is not allowed; allowed is a file that ends in .json"),
    ("advise escopa --out nowhere/a.json", "--out: there is no folder 'nowhere'"),
    ("advise escopa --hand '7D' --turn 3", "--turn: it names a deal that is played again"),
    ("advise escopa --hand 8D", "--hand: 8D is not in the pack of escopa"),
    ("advise escopa --hand '7D' --know table=7D", "--hand: 7D is given too often"),
    ("advise escopa --hand '7D' --know tabel=5C", "--know: no field of a position of escopa is called 'tabel'"),
    ("advise escopa --hand '7D' --know table", "--know: 'table' is not of the form name=value"),
    ("advise escopa --hand '7D' --know seat=0 --know seat=1", "--know: seat is given twice"),
    ("advise escopa --hand '7D' --know hand=7D", "--hand and --know hand cannot stand together"),
    ("advise escopa --hand '7D' --know table=5C --policy expert", "--policy: nothing is played before --hand"),
    ("advise escopa --know table=5C", "--hand: this is needed. Your cards."),
    ("advise escopa --position nowhere.toml", "--position: 'nowhere.toml' cannot be read"),
    ("advise escopa --position .", "--position: '.' cannot be read"),
    ("advise escopa --position ''", "--position: the value is empty"),
]


@pytest.mark.parametrize(("line", "complaint"), REFUSED)
def test_a_wrong_question_ends_with_one_line(command: Command, line: str, complaint: str) -> None:
    done = command(*shlex.split(line), "--quiet")
    assert done.status == 2
    assert done.stdout == ""
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1


BROKEN = {"a.toml": "hand = ", "b.json": "{", "c.json": "[1]", "d.toml": "\udcff", "e.json": '{"hand": 7}'}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_ends_with_one_line(command: Command, name: str) -> None:
    Path(name).write_bytes(BROKEN[name].encode(errors="surrogateescape"))
    done = command("advise", "escopa", "--position", name)
    assert done.status == 2
    assert "--position" in done.stderr
    assert len(done.stderr.splitlines()) == 1
