"""Streams as a process may find them: closed, full, or without the signs of cards."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from sim import streams
from tests.trees import ROOT, run_python

START = [sys.executable, "-c", "from sim.cli import main; main()"]
COMMANDS = [
    "run canastra --deals 200",
    "run canastra --deals 200 --format csv",
    "run canastra --deals 200 --format json",
    "show canastra",
    "show canastra --format jsonl",
    "games",
    "games canastra",
    "games --json",
]
HELP = ["--help", "--version"]
SHORT = ["run canastra --deals 200", "show canastra", "games", "--help"]
"""One of each way in which something is written."""

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
linux = pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is a device of Linux")


def in_shell(words: str, redirection: str) -> subprocess.CompletedProcess[str]:
    """Run ``carteador`` with its streams redirected by the shell."""
    return subprocess.run(
        ["sh", "-c", f"exec {shlex.join(START)} {words} {redirection}"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def in_encoding(words: str, environment: Mapping[str, str]) -> str:
    """What ``carteador`` writes on a stdout of an encoding, decoded."""
    done = subprocess.run(
        [*START, *words.split()],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | dict(environment),
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode(environment.get("PYTHONIOENCODING", "ascii"))


@posix
@pytest.mark.parametrize("words", COMMANDS + HELP)
def test_a_closed_stdout_is_one_line_and_status_1(words: str) -> None:
    done = in_shell(words, ">&-")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "carteador: stdout is closed, so there is no place for the result\n"


@linux
@pytest.mark.parametrize("words", [*SHORT, "run canastra --deals 200 --format csv", "show canastra --format jsonl"])
def test_a_full_stdout_is_one_line_and_status_1(words: str) -> None:
    done = in_shell(words, ">/dev/full")
    assert done.returncode == 1
    assert re.fullmatch(r"carteador: No space left on device( \(stdout\))?\n", done.stderr)


@posix
@pytest.mark.parametrize("redirection", ["2>&-", "0>&- 2>&-", "2>/dev/full"])
def test_a_closed_or_full_stderr_changes_nothing(redirection: str, tmp_path: Path) -> None:
    if "full" in redirection and sys.platform != "linux":
        pytest.skip("/dev/full is a device of Linux")
    for number, words in enumerate(SHORT):
        stored = f" --out {tmp_path / str(number)}" if words.startswith("run canastra") else ""
        done = in_shell(words + stored, redirection)
        assert done.returncode == 0, words
        assert done.stdout
    wrong = in_shell("run canastra --deals x", redirection)
    assert (wrong.returncode, wrong.stdout) == (2, "")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "cp850"},
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=lambda environment: "-".join(environment.values()),
)
def test_what_stdout_cannot_encode_is_spelt_out(environment: dict[str, str]) -> None:
    shown = in_encoding("show canastra", environment)
    assert re.search(r"seat 0 +.*\b(10|[2-9JQKA])[CDHS]\b", shown)
    assert "?" not in shown
    table = in_encoding("run canastra --deals 200 --quiet", environment)
    # Spelt out before the columns are laid out: the estimates still end in one column.
    headings = next(line for line in table.splitlines() if line.startswith("statistic"))
    column = headings.index("estimate") + len("estimate")
    rows = [line for line in table.splitlines() if re.match(r"\w+(:\w+)? .*(±|\+-)", line)]
    assert len(rows) > 20
    assert all(re.match(r".*\d ?$", line[: column + 1]) for line in rows)
    assert "half width" in table
    in_encoding("games", environment)
    in_encoding("games canastra", environment)
    json.loads(in_encoding("games canastra --json", environment))


def test_every_sign_has_a_spelling_and_others_are_left_alone() -> None:
    assert streams.spelt("10♥ ± – − … × ┌─│└ é ’ 東") == "10H +- - - ... x +-|+ e ' ?"
    assert streams.written("7♠ ± 2 – é", "latin-1") == "7S ± 2 - é"
    assert streams.written("7♠ ± 2 – é", "utf-8") == "7♠ ± 2 – é"
    assert streams.written("\udcff", "utf-8") == "?"


def test_an_encoding_that_was_asked_for_with_its_errors_is_kept() -> None:
    words = ["-c", "from sim.cli import main; main()", "show", "canastra"]
    assert "\\u2663" in run_python(words, environment={"PYTHONIOENCODING": "ascii:backslashreplace"}).stdout
