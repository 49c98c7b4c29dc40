"""`carteador report`: folders and documents, in the terminal and as a page, and every way in which it cannot be."""

from __future__ import annotations

import io
import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from sim import report_command
from tests.analysis import documents as made
from tests.cli.conftest import Command
from tests.trees import ROOT, run_python

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pytest.fixture
def folder(command: Command) -> str:
    assert command("run", "canastra", "--deals", "300", "--seed", "7", "--out", "run", "--quiet").status == 0
    return "run"


def write(name: str, document: object) -> str:
    Path(name).write_text(json.dumps(document))
    return name


def test_a_folder_is_told_as_its_run_was(command: Command, folder: str) -> None:
    played = command("run", "canastra", "--deals", "300", "--seed", "7").stdout.splitlines()
    done = command("report", folder)
    assert (done.status, done.stderr) == (0, "")
    told = done.stdout.splitlines()
    assert told[0] == "Canastra: 300 deals, seed 7 (run)"
    # All but the heading, and what says how fast it was.
    assert [line for line in played[4:] if "deals/s" not in line and line] == [
        line for line in told[4:-2] if line and line != "To repeat it:"
    ]
    assert told[-1] == "carteador run canastra --deals 300 --seed 7"


def test_the_document_of_a_folder_is_that_of_its_run(command: Command, folder: str) -> None:
    played = json.loads(command("run", "canastra", "--deals", "300", "--seed", "7", "--format", "json").stdout)
    told = json.loads(command("report", folder, "--format", "json").stdout)
    assert {**told, "provenance": None} == {**played, "provenance": None}


def test_a_document_is_told_as_its_folder(command: Command, folder: str) -> None:
    Path("run.json").write_text(command("report", folder, "--format", "json").stdout)
    assert command("report", "run.json").stdout.replace("run.json", "run") == command("report", folder).stdout


@pytest.mark.parametrize("name", ["compare", "tournament", "sweep", "tune", "advice"])
def test_documents_of_analyses_are_told_with_a_chart(command: Command, name: str) -> None:
    done = command("report", write("it.json", getattr(made, name)()))
    assert (done.status, done.stderr) == (0, "")
    assert "One is ahead of the other." in done.stdout
    assert "█" in done.stdout or "●" in done.stdout
    assert done.stdout.endswith("carteador something\n")


def test_advice_is_told_as_its_command_told_it(command: Command) -> None:
    words = shlex.split("advise escopa --seed 2 --deal 3 --turn 10 --rollouts 50 --quiet --out a.json")
    said = command(*words).stdout.splitlines()
    told = command("report", "a.json").stdout.splitlines()
    start = next(number for number, line in enumerate(said) if line.startswith("Seat 0: play: "))
    assert said[0] == told[0]
    # All but the speed.
    assert said[start:-2] == told[told.index(said[start]) : -3]
    assert "Points behind the best option" in told
    assert told[-1] == "carteador advise escopa --deal 3 --turn 10 --rollouts 50 --seed 2"


def test_a_search_is_told_as_its_command_told_it(command: Command) -> None:
    words = "tune canastra --policy novice --parameter take_lixo=1..3 --parameter keep_gap=0..90 --seed 3 --deals 40"
    words += " --fresh 400 --generations 3 --quiet --out t.json"
    said = command(*shlex.split(words)).stdout.splitlines()
    told = command("report", "t.json").stdout.splitlines()
    assert said[0] == told[0]
    start = next(number for number, line in enumerate(said) if line.startswith("Search: "))
    end = max(number for number, line in enumerate(said) if line.startswith(("Use: ", "Check: "))) + 1
    at = told.index(said[start])
    assert said[start:end] == told[at : at + end - start]
    assert any(line.startswith("mean of the candidates, points a deal over novice (") for line in told)
    assert command("report", "t.json", "--html", "t.html").status == 0
    assert "The policy to use:" in Path("t.html").read_text()


def test_several_results_become_parts_of_one_page(command: Command, folder: str) -> None:
    names = [
        write(f"{name}.json", getattr(made, name)())
        for name in ("compare", "tournament", "sweep", "tune", "odds", "advice")
    ]
    done = command("report", folder, *names, "--html", "all.html", "--quiet")
    assert (done.status, done.stdout, done.stderr) == (0, "all.html\n", "")
    page = Path("all.html").read_text()
    assert page.count("<article") == 7
    for words in ("7 results", "The record score", "carteador show canastra --deal", "Ranking", "Over the grid"):
        assert words in page
    assert sorted(path.name for path in Path().iterdir()) == sorted([folder, *names, "all.html"])


def test_a_document_has_its_deals_played_again(command: Command, folder: str) -> None:
    Path("run.json").write_text(command("report", folder, "--format", "json").stdout)
    assert command("report", "run.json", "--html", "a.html", "--quiet").status == 0
    assert command("report", folder, "--html", "b.html", "--quiet").status == 0
    one, other = (Path(name).read_text() for name in ("a.html", "b.html"))
    assert one.replace("run.json", "run") == other
    document = json.loads(Path("run.json").read_text())
    document["histograms"]["turns"]["all"]["counts"][0] = 0
    assert command("report", write("run.json", document), "--html", "c.html", "--quiet").status == 0
    page = Path("c.html").read_text()
    assert "No deals are shown" in page
    assert "The record score" not in page


def test_a_file_is_replaced_whole_or_not_at_all(command: Command, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis import report

    Path("page.html").write_text("before")
    assert command("report", folder, "--html", "page.html", "--quiet").status == 0
    assert Path("page.html").read_text().startswith("<!doctype html>")
    Path("page.html").write_text("before")

    def full(_parts: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(report, "html", full)
    done = command("report", folder, "--html", "page.html", "--quiet")
    assert (done.status, done.stdout) == (1, "")
    assert "No space left on device" in done.stderr
    assert Path("page.html").read_text() == "before"
    assert sorted(path.name for path in Path().iterdir()) == ["page.html", folder]


def test_an_unfinished_run_is_told_as_one(command: Command, folder: str) -> None:
    manifest = json.loads(Path(folder, "manifest.json").read_text())
    Path(folder, "manifest.json").write_text(json.dumps(manifest | {"count": 9_000, "chunk_size": 300}))
    assert "The run is not finished: 300 deals of 9,000 are told here." in command("report", folder).stdout
    assert command("report", folder, "--html", "a.html", "--quiet").status == 0
    assert "The run is not finished" in Path("a.html").read_text()


CASES = [
    ("report", "Missing argument 'RUN...'"),
    ("report nowhere", "RUN: there is no file or folder 'nowhere'; allowed is a folder that"),
    ("report ''", "RUN: the value is empty"),
    ("report empty", "'empty' holds no manifest.json"),
    ("report text.json", "'text.json' cannot be reported: it is no JSON"),
    ("report other.json", "'other.json' cannot be reported: its schema is 'carteador.bench/1'; a report is made of"),
    ("report bad.json", "'bad.json' cannot be reported: it is no carteador.summary/1"),
    ("report truco.json", "no game is called 'truco'"),
    ("report good.json --html empty", "--html: 'empty' is a folder"),
    ("report good.json --html nowhere/a.html", "--html: there is no folder 'nowhere'"),
    ("report good.json --html ''", "--html: the value is empty"),
    ("report good.json --format csv", "--format: 'csv' is not allowed; allowed is table, json"),
    ("report good.json --html a.html --format json", "--html and --format cannot go together"),
    ("report good.json good.json --format json", "it writes one document, and 2 are given"),
    ("report good.json --confidence 2", "--confidence: '2' is not allowed"),
    ("report good.json --htlm a.html", "Did you mean --html?"),
    ("report good.json nowhere", "RUN: there is no file or folder 'nowhere'"),
]


@pytest.mark.parametrize(("words", "told"), CASES)
def test_what_cannot_be_is_one_line_and_status_2(command: Command, words: str, told: str) -> None:
    Path("empty").mkdir()
    Path("text.json").write_text("hello")
    write("other.json", {"schema": "carteador.bench/1"})
    write("bad.json", {"schema": "carteador.summary/1"})
    write("truco.json", made.summary() | {"game": "truco"})
    write("good.json", made.compare())
    before = sorted(Path().rglob("*"))
    done = command(*shlex.split(words))
    assert (done.status, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(Path().rglob("*")) == before


def test_a_damaged_folder_is_one_line_and_status_2(command: Command, folder: str) -> None:
    part = next(Path(folder).glob("sides-*.parquet"))
    part.write_bytes(part.read_bytes()[:-7])
    for words in ((), ("--html", "a.html")):
        done = command("report", folder, *words)
        assert (done.status, done.stdout) == (2, "")
        assert f"'{folder}' is damaged: {part.name} has " in done.stderr
    assert not Path("a.html").exists()


@posix
def test_a_place_that_cannot_be_written_is_one_line_and_status_1(command: Command) -> None:
    write("good.json", made.compare())
    done = command("report", "good.json", "--html", "/proc/page.html")
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr.startswith("carteador: ")
    assert "/proc/page.html" in done.stderr
    assert done.stderr.count("\n") == 1


@posix
@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read_is_one_line_and_status_1(command: Command) -> None:
    Path(write("good.json", made.compare())).chmod(0)
    done = command("report", "good.json")
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr == "carteador: Permission denied (good.json)\n"


def test_without_the_extra_one_line_says_how_to_install_it(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    write("good.json", made.compare())
    monkeypatch.setattr(report_command, "PAGE_NEEDS", ("altair", "no_such_library"))
    done = command("report", "good.json", "--html", "a.html")
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr == (
        "carteador: --html: a page needs no_such_library, not installed here; "
        "to install it: pip install 'carteador[report]'\n"
    )


def test_the_terminal_needs_none_of_the_extra(command: Command) -> None:
    path = str(Path(write("good.json", made.sweep())).resolve())
    code = f"from sim.cli import run_command; import sys; assert run_command(['report', {path!r}]) == 0; "
    code += "print({'altair', 'jinja2', 'vl_convert', 'numba'} & set(sys.modules))"
    assert run_python(["-c", code]).stdout.splitlines()[-1] == "set()"


def test_run_draws_its_scores_and_its_first_curve(command: Command) -> None:
    lines = command("run", "canastra", "--deals", "300").stdout.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("score (points), "))
    assert "█" in "".join(lines[start + 1 : start + 4])
    assert lines[start + 5] == "first meld by (0 to 100%)"
    assert lines[start + 9].split() == [*map(str, range(1, 11)), "own", "turns"]
    assert len(lines[start:]) <= 14


def test_charts_are_letters_where_there_are_no_blocks() -> None:
    code = "from sim.cli import run_command; run_command(['run', 'canastra', '--deals', '300'])"
    shown = run_python(["-c", code], ROOT, {"PYTHONIOENCODING": "ascii"}).stdout
    assert shown.isascii()
    assert "|||" in shown


@pytest.mark.parametrize("width", [20, 29, 30, 60, 200])
def test_charts_keep_to_the_width_of_the_terminal(width: int) -> None:
    from rich.console import Console

    from analysis.report.terminal import print_run_charts, print_strategy_charts

    text = io.StringIO()
    console = Console(file=text, width=width)
    print_run_charts(made.summary(), console)
    for document in (made.compare(), made.tournament(), made.sweep(), made.tune()):
        print_strategy_charts(document, console)
    assert all(len(line) <= width for line in text.getvalue().splitlines())
    assert bool(text.getvalue()) is (width >= 30)
