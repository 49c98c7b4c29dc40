"""Ten thousand random command lines and files: a result or an error of one line, no hang, nothing left behind."""

from __future__ import annotations

import io
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import sim
from kernels import registry
from sim import api, bench, commands, manifest, precision
from sim.batch import first_compile
from sim.cli import run_command
from sim.errors import UsageError
from sim.games import make_setup
from sim.locking import LOCK
from tests.cli.fuzzing import PARTS, Case, cases
from tests.cli.test_run import posix

pytestmark = posix

SECONDS = 60
"""Longer than any of these commands takes on a busy machine."""

NOTES = re.compile(r"carteador: .* is played again\.|carteador: not reached in .*|Compiling the kernels of .*")
"""Lines on stderr that are no errors."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs that belong together, and files."""
    for game in registry.GAMES:
        # No command is to wait for a compiler.
        first_compile(make_setup(game))
    folder = tmp_path_factory.mktemp("runs")
    for first, name in ((0, "run-a"), (12, "run-b")):
        sim.simulate("canastra", deals=12, first=first, chunk_size=4, out=folder / name)
        assert sorted(path.name for path in (folder / name).glob("*.parquet")) == sorted(PARTS)
    (folder / "file.txt").write_text("dear")
    return folder


def not_here(*_words: object) -> None:
    """In place of a measurement, which takes minutes."""
    raise UsageError("nothing is measured here")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What is played where nobody says how much, and the most that may be asked for."""
    for module, name, value in (
        (api, "DEFAULT_DEALS", 8),
        (api, "MOST_DEALS", 200),
        (api, "MOST_UNITS", 200),
        (manifest, "MOST_UNITS", 200),
        (precision, "FIRST_LOOK", 20),
        (commands, "LARGEST_COUNT", 5),
    ):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(bench, "measure", not_here)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder, folders as None."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
    }


class Hangs(Exception):
    """A command took too long."""


def watched(words: list[str]) -> tuple[int, str, str]:
    """Run a command; returns its exit status and what it wrote."""

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise Hangs

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="carteador.spelt") for _ in range(2))
    before = sys.stdout, sys.stderr
    previous = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    try:
        sys.stdout, sys.stderr = out, err
        status = run_command(words)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
        sys.stdout, sys.stderr = before
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return status, texts[0], texts[1]


def check(case: Case, runs: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a case in a folder of its own and look at what it did."""
    shutil.rmtree(place, ignore_errors=True)
    here = place / "here"
    shutil.copytree(runs, here)
    (here / "rules.toml").write_bytes(case.rules)
    if case.harm is not None:
        path = here / "run-a" / case.harm[0]
        path.write_bytes(case.harm[1](path.read_bytes()))
    monkeypatch.chdir(here)
    before = tree(here)
    status, stdout, stderr = watched(case.words)
    after = tree(here)
    errors = [line for line in stderr.splitlines() if not NOTES.fullmatch(line)]
    assert "Traceback" not in stderr + stdout
    assert status in (0, 1, 2), (status, stderr)
    assert [path.name for path in place.iterdir()] == ["here"]
    assert not [name for name in after if name.endswith((".partial", LOCK))]
    if status == 0:
        assert errors == []
        assert stdout
    elif case.words[:1] == ["verify"] and status == 1 and not errors:
        assert stdout.splitlines()[-1].endswith(("finding", "findings"))
    else:
        assert len(errors) == 1
        assert errors[0].startswith("carteador: ")
    if status == 2 or case.words[:1] == ["verify"]:
        assert after == before
    gone = [name for name in before if name not in after]
    assert gone == []


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder for the folders of the commands."""
    yield tmp_path / "place"
    shutil.rmtree(tmp_path / "place", ignore_errors=True)


COMMON: dict[str, Any] = {
    "deadline": None,
    "database": None,
    "print_blob": False,
    "suppress_health_check": list(HealthCheck),
}


@settings(max_examples=300, derandomize=True, **COMMON)
@given(case=cases())
def test_some_hundreds(case: Case, runs: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(case, runs, place, monkeypatch)


@pytest.mark.slow
@settings(max_examples=10_000, **COMMON)
@given(case=cases())
def test_ten_thousand(case: Case, runs: Path, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(case, runs, place, monkeypatch)
