"""`run --resume`, `merge` and `verify` as commands: what they print, how they end, and the ways to write them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sim
from tests.cli.conftest import Command
from tests.cli.test_run import numbers
from tests.sim import folders
from tests.sim.folders import content, flip, forget

Change = Callable[[dict[str, Any]], object]

PLAIN = ("run", "canastra", "--deals", "1000", "--seed", "4")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stored run, not to be touched."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    folders.store(folder)
    return folder


@pytest.fixture
def run(whole: Path, command: Command) -> Path:
    """A copy of it called ``run``, in the folder of the command, two chunks of it not finished."""
    shutil.copytree(whole, "run")
    forget(Path("run"), 2, 5)
    return Path("run")


WAYS = [
    ("run", "--resume", "run"),
    ("run", "--resume=run"),
    ("run", "canastra", "--resume", "run"),
    ("run", "--resume", "run", "canastra"),
    (*PLAIN, "--resume", "run"),
    (*PLAIN, "--resume=run"),
    ("run", "--resume", "run", *PLAIN[1:]),
    (*PLAIN, "--out", "run", "--resume"),
    (*PLAIN, "--resume", "--out", "run"),
    ("run", "--resume", "--out=run", *PLAIN[1:]),
    ("run", "--out", "run", "--resume", *PLAIN[1:]),
    ("run", "--resume", "./run"),
]


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
def test_every_way_to_write_it_goes_on(words: tuple[str, ...], run: Path, whole: Path, command: Command) -> None:
    done = command(*words, "--format", "json")
    assert (done.status, done.stderr) == (0, "")
    assert numbers(json.loads(done.stdout)) == numbers(json.loads(command(*PLAIN, "--format", "json").stdout))
    assert content(run) == content(whole)


def test_the_table_says_what_was_there(run: Path, command: Command) -> None:
    def foot() -> str:
        return command("run", "--resume", "run", "--threads", "1").stdout.splitlines()[-1]

    assert foot().endswith(" on 1 thread; 700 deals of it were there before")
    assert foot().startswith("All of it was there before; read in ")
    plain = command(*PLAIN).stdout
    assert command("run", "--resume", "run").stdout.splitlines()[:-1] == plain.splitlines()[:-1]
    assert "before" not in plain


def test_a_damaged_part_is_told_on_stderr(run: Path, whole: Path, command: Command) -> None:
    flip(run / "deals-00001.parquet")
    done = command("run", "--resume", "run", "--format", "csv")
    assert done.status == 0
    assert done.stderr == (
        "carteador: deals-00001.parquet is not what was written: its checksum differs. Chunk 1 is played again.\n"
    )
    assert done.stdout == command(*PLAIN, "--format", "csv").stdout
    assert content(run) == content(whole)
    flip(run / "deals-00001.parquet")
    assert command("run", "--resume", "run", "--format", "csv", "--quiet").stderr == ""


def test_resume_without_a_run_begins_it(command: Command) -> None:
    words = ("run", "canastra", "--deals", "30", "--format", "csv")
    first = command(*words, "--out", "new", "--resume")
    again = command(*words, "--out", "new", "--resume")
    assert (first.status, first.stdout) == (0, again.stdout)
    assert again.stdout == command(*words).stdout
    assert command(*words, "--resume", "other").status == 2


def test_what_does_not_fit_is_refused(run: Path, command: Command) -> None:
    before = content(run)
    for words, message in (
        (("run", "canasta", "--resume", "run"), "--resume: 'run' holds a run of canastra, not of canasta"),
        (
            (*PLAIN[:-1], "5", "--resume", "run"),
            "--out: the folder 'run' holds another run of canastra (it differs in seed)",
        ),
        (("run", "--seed", "4", "--resume", "run"), "--seed and --resume run cannot go together"),
        (("run", "--policy", "random", "--resume", "run"), "--policy and --resume run cannot go together"),
        (("run", "--rule", "jokers=4", "--resume", "run"), "--rule and --resume run cannot go together"),
        (("run", "--until", "turns=1", "--resume", "run"), "--until and --resume run cannot go together"),
    ):
        done = command(*words)
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr.startswith(f"carteador: {message}")
    assert content(run) == before


def test_a_run_that_stops_at_a_precision(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    from sim import precision

    monkeypatch.setattr(precision, "FIRST_LOOK", 60)
    words = ("run", "canastra", "--until", "turns=1.5", "--confidence", "90%", "--format", "json", "--out", "run")
    first = command(*words)
    for more in (("run", "--resume", "run"), ("run", "--resume", "run", "--confidence", "0.9")):
        again = command(*more, "--format", "json")
        assert numbers(json.loads(again.stdout)) == numbers(json.loads(first.stdout))
    done = command("run", "--resume", "run", "--confidence", "0.95")
    assert done.status == 2
    assert done.stderr == ("carteador: --confidence: the run stops at a precision with confidence 0.9; leave it out\n")


@pytest.fixture
def shards(command: Command) -> dict[str, Any]:
    """Folders ``a`` and ``b`` with the halves of a run, and what the run as a whole prints."""
    for name, first in (("a", "0"), ("b", "300")):
        command("run", "canastra", "--deals", "300", "--first", first, "--out", name)
    return numbers(json.loads(command("run", "canastra", "--deals", "600", "--format", "json").stdout))


def test_merge_prints_what_the_whole_run_prints(shards: dict[str, Any], command: Command) -> None:
    done = command("merge", "b", "a", "--out", "all", "--format", "json")
    assert (done.status, done.stderr) == (0, "")
    assert numbers(json.loads(done.stdout)) == shards
    assert command("run", "--resume", "all", "--format", "csv").stdout == (
        command("merge", "a", "b", "--out", "all", "--format", "csv").stdout
    )
    assert command("verify", "all").status == 0
    table = command("merge", "a", "b", "--out", "all", "--confidence", "0.5", "--threads", "1").stdout
    assert "Canastra: 600 deals, seed 0\n" in table
    assert "Intervals: 0.5 confidence" in table


def test_merge_refuses_in_a_line(shards: dict[str, Any], command: Command) -> None:
    command("run", "canastra", "--deals", "5", "--first", "600", "--seed", "1", "--out", "c")
    for words, message in (
        (("a", "c"), "'a' and 'c' do not belong together: they differ in seed, which is 0 in one and 1 in the other"),
        (("a", "a"), "deals 0 to 299 are in 'a' and again in 'a'; give every deal once"),
    ):
        done = command("merge", *words, "--out", "all")
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr == f"carteador: {message}\n"
        assert not Path("all").exists()
    flip(Path("b", "deals-00000.parquet"))
    done = command("merge", "a", "b", "--out", "all")
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr == (
        "carteador: 'b' is damaged: deals-00000.parquet is not what was written: its checksum differs. "
        "To play that part again: carteador run --resume b\n"
    )


def test_verify_prints_a_line_for_each_finding(run: Path, command: Command) -> None:
    flip(run / "sides-00000.parquet")
    done = command("verify", "run")
    assert (done.status, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "deals 300 to 449 are not there: carteador run --resume run plays them",
        "deals 750 to 899 are not there: carteador run --resume run plays them",
        *(f"{name}-0000{index}.parquet is not in the manifest" for name in ("deals", "sides") for index in (2, 5)),
        "sides-00000.parquet is not what was written: its checksum differs",
        "run: 700 deals in 5 parts, 240 played again: 7 findings",
    ]
    sim.resume(run)
    for words, played in (((), "300"), (("--sample", "1e1"), "10"), (("--all",), "1,000"), (("--sample", "0"), "0")):
        done = command("verify", "run", "--threads", "2", *words)
        assert (done.status, done.stderr) == (0, "")
        assert done.stdout == f"run: 1,000 deals in 7 parts, {played} played again: all well\n"


RED = "\x1b[31m\n\x07\u202e"


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest: manifest.update(kernels="0123456789abcdef", provenance={"version": RED}),
        lambda manifest: manifest.update(kernels="0123456789abcdef", pieces=[], provenance={"version": [RED]}),
        lambda manifest: manifest.update(kernels=RED),
        lambda manifest: manifest.update(game=RED),
        lambda manifest: manifest.update(unit=RED),
        lambda manifest: manifest.update(schema=f"carteador.run/{RED}"),
        lambda manifest: manifest["options"].update({RED: 1}),
        lambda manifest: manifest["options"].update(jokers=RED),
        lambda manifest: manifest.update(policies=[RED] * 4),
        lambda manifest: manifest["chunks"][0]["files"][0].update(name=RED),
    ],
)
def test_no_manifest_writes_on_the_terminal(change: Change, run: Path, whole: Path, command: Command) -> None:
    folders.change_manifest(run, change)
    for words in (("run", "--resume", "run"), ("merge", str(whole), "run", "--out", "all"), ("verify", "run")):
        done = command(*words, "--quiet")
        assert done.status in (1, 2)
        assert all(sign.isprintable() or sign == "\n" for sign in done.stdout + done.stderr)
        assert done.stderr.count("\n") == (0 if words[0] == "verify" else 1)
