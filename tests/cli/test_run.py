"""`carteador run`: the same numbers however they are made, in every format, and an interrupt that keeps them."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sim.manifest import read_manifest
from tests.cli.conftest import Command, tuned_policy
from tests.trees import ROOT, run_python

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to a child alone")


def numbers(document: dict[str, Any]) -> dict[str, Any]:
    """Everything of a document but where it was made."""
    return {name: value for name, value in document.items() if name != "provenance"}


def test_json_goes_to_stdout_alone(command: Command) -> None:
    done = command("run", "canastra", "--deals", "300", "--seed", "7", "--format", "json")
    assert (done.status, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["schema"] == "carteador.summary/1"
    assert (document["game"], document["deals"], document["seed"]) == ("canastra", 300, 7)
    assert document["policies"] == ["standard"] * 4
    assert document["options"]["lavadeira_ranks"] == ["4", "5", "K", "A"]
    assert document["provenance"].keys() >= {"version", "git_commit", "python", "numba", "numpy", "cpu", "threads"}
    assert all(row["confidence"] == 0.95 for row in document["statistics"])


def test_csv_has_the_rows_of_the_json(command: Command) -> None:
    words = ("run", "canastra", "--deals", "300", "--format")
    rows = list(csv.DictReader(io.StringIO(command(*words, "csv").stdout)))
    statistics = json.loads(command(*words, "json").stdout)["statistics"]
    assert [(row["statistic"], row["group"]) for row in rows] == [
        (row["statistic"], row["group"]) for row in statistics
    ]
    assert [float(row["estimate"]) for row in rows] == pytest.approx([row["estimate"] for row in statistics])


def test_the_table_says_all_that_decides_its_numbers(command: Command) -> None:
    policy, parameter = tuned_policy("canastra")
    other = f"{policy.name}:{parameter.name}={parameter.low + (parameter.low == parameter.default)}"
    done = command(
        *("run", "canastra", "--deals", "200", "--seed", "9", "--first", "40", "--confidence", "99%"),
        *("--policy", "1=random", "--policy", f"2={other}", "--rule", "jokers=4", "--threads", "1"),
    )
    assert done.status == 0
    head, foot = done.stdout.splitlines()[:5], done.stdout.splitlines()[-1]
    assert head[0] == "Canastra: 200 deals from deal 40, seed 9"
    assert head[1] == f"Policies: seat 0 standard, seat 1 random, seat 2 {other}, seat 3 standard"
    assert head[2] == "House rules: jokers = 4"
    assert "0.99" in head[3]
    assert "canastra_rate" in done.stdout
    assert "deals/s" in foot
    assert "1 thread" in foot


def test_threads_change_no_number(command: Command) -> None:
    documents = []
    for threads in ("1", "2", "5"):
        done = command("run", "canastra", "--deals", "3000", "--threads", threads, "--format", "json")
        documents.append(numbers(json.loads(done.stdout)))
    assert documents[0] == documents[1] == documents[2]


def test_a_seed_makes_a_run_again_and_another_does_not(command: Command) -> None:
    def run(seed: str) -> dict[str, Any]:
        done = command("run", "canastra", "--deals", "200", "--seed", seed, "--format", "json")
        return numbers(json.loads(done.stdout))

    largest = str(2**64 - 1)
    assert run(largest) == run(largest)
    assert run(largest)["statistics"] != run("0")["statistics"]


def test_numbers_may_be_written_as_people_write_them(command: Command) -> None:
    for deals in ("1000", "1_000", "1e3", "1.0e3", "+1000"):
        done = command("run", "canastra", "--deals", deals, "--format", "json")
        assert json.loads(done.stdout)["deals"] == 1000


def test_a_rule_wins_over_the_file_and_a_preset_has_a_name(command: Command) -> None:
    Path("rules.toml").write_text('game = "canastra"\nplayers = 2\nlavadeira_ranks = ["A", "4"]\njokers = 4\n')
    done = command("run", "canastra", "--deals", "9", "--rules", "rules.toml", "--rule", "jokers=0", "--format", "json")
    options = json.loads(done.stdout)["options"]
    assert (options["players"], options["lavadeira_ranks"], options["jokers"]) == (2, ["4", "A"], 0)
    preset = json.loads(command("run", "canastra", "--deals", "9", "--rules", "strict", "--format", "json").stdout)
    assert preset["options"]["lixo_justify"] == "naturals_only"
    assert preset["options"]["batida_needs_discard"] is True


@pytest.mark.parametrize(
    ("text", "ranks"),
    [("4,5,K,A", "45KA"), ("45ka", "45KA"), ("A,4", "4A"), ("10,J", "TJ"), ("10J", "TJ"), ("none", ""), ("NONE", "")],
)
def test_ranks_may_be_written_in_several_ways(text: str, ranks: str, command: Command) -> None:
    done = command("run", "canastra", "--deals", "5", "--rule", f"lavadeira_ranks={text}", "--format", "json")
    assert json.loads(done.stdout)["options"]["lavadeira_ranks"] == list(ranks)


def test_matches_are_told_with_their_deals(command: Command) -> None:
    done = command("run", "canastra", "--matches", "40", "--rule", "target=1000", "--format", "json")
    document = json.loads(done.stdout)
    rows = {(row["statistic"], row["group"]): row for row in document["statistics"]}
    assert document["matches"] == 40
    assert rows["deals_per_match", "all"]["n"] == 40
    assert rows["deals_per_match", "all"]["estimate"] == pytest.approx(document["deals"] / 40)
    table = command("run", "canastra", "--matches", "40", "--rule", "target=1000").stdout
    assert table.startswith("Canastra: 40 matches to 1,000, ")


def test_out_stores_whole_chunks_and_repeats_only_itself(command: Command) -> None:
    words = ("run", "canastra", "--deals", "400", "--seed", "3", "--out", "run", "--format", "json")
    first = command(*words)
    folder = Path("run")
    names = {path.name for path in folder.iterdir()}
    assert names == {"manifest.json", "deals-00000.parquet", "sides-00000.parquet"}
    content = (folder / "deals-00000.parquet").read_bytes()
    assert numbers(json.loads(command(*words).stdout)) == numbers(json.loads(first.stdout))
    assert (folder / "deals-00000.parquet").read_bytes() == content
    other = command("run", "canastra", "--deals", "400", "--seed", "4", "--out", "run")
    assert other.status == 2
    assert "another run of canastra (it differs in seed)" in other.stderr
    assert (folder / "deals-00000.parquet").read_bytes() == content


def start(*words: str) -> subprocess.Popen[str]:
    """Start the command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", "from sim.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    limit = time.monotonic() + 300
    while not path.exists() and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.05)


def read_until(process: subprocess.Popen[str], word: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if word in line:
            return


@posix
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "run"
    same = ("--format", "json", "--confidence", "99%", "--threads", "2")
    words = ("run", "canastra", "--seed", "5", "--policy", "random", *same)
    process = start(*words, "--deals", "1e9", "--out", str(folder))
    wait_for(folder / "deals-00000.parquet", process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 130
    document = json.loads(stdout)
    done = document["deals"]
    assert 0 < done < 10**9
    assert "Traceback" not in stderr
    assert f"stopped after {done:,} of 1,000,000,000 deals" in stderr
    assert f"{folder} holds them." in stderr
    rest = shlex.split(stderr.partition("To go on: ")[2])
    assert rest == ["carteador", "run", "--resume", str(folder), *same]

    chunks = json.loads((folder / "manifest.json").read_text())["chunks"]
    assert sum(chunk["count"] for chunk in chunks) == done
    assert [chunk["index"] for chunk in chunks] == list(range(len(chunks)))
    assert not list(folder.glob("*.partial"))
    again = json.loads(command(*words, "--deals", str(done)).stdout)
    assert numbers(again) == numbers(document)


@posix
def test_a_second_ctrl_c_gives_up_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start("run", "canastra", "--deals", "1e9", "--out", str(folder), "--format", "json")
    wait_for(folder / "manifest.json", process)
    wait_for(folder / "deals-00000.parquet", process)
    process.send_signal(signal.SIGINT)
    read_until(process, "Stopping")
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=300)
    assert (process.returncode, stdout) == (130, "")
    assert stderr == "carteador: interrupted\n"
    listed = {file.name for chunk in read_manifest(folder).chunks for file in chunk.files}
    assert listed <= {path.name for path in folder.iterdir()}


def test_what_changes_no_row_is_kept_for_the_rest_of_a_run() -> None:
    from sim.commands import same_words

    assert same_words(output="table", confidence="0.95", threads=None, cluster=None, quiet=False) == []
    words = same_words(output="csv", confidence="0.9", threads="3", cluster=None, quiet=True)
    assert words == ["--format", "csv", "--confidence", "0.9", "--threads", "3", "--quiet"]


def test_one_thing_is_no_things(command: Command) -> None:
    many = re.compile(r"(?<![\d,.:])1 (deals(?! and)|matches|threads|turns|points|cards)\b")
    one = command("run", "canastra", "--deals", "1", "--threads", "1").stdout
    assert one.startswith("Canastra: 1 deal, seed 0\n")
    match = command("run", "canastra", "--matches", "1", "--rule", "target=100").stdout
    assert re.match(r"Canastra: 1 match to 100, \d deals?, ", match)
    shown = command("show", "canastra", "--count", "30").stdout
    for text in (one, match, shown):
        assert not many.search(text)


def test_a_level_in_percent_is_the_level_meant(command: Command) -> None:
    for text, level in (("99.9%", 0.999), ("0.999", 0.999), ("95 %", 0.95), ("29%", 0.29), ("5e-1", 0.5), (".5", 0.5)):
        done = command("run", "canastra", "--deals", "5", "--confidence", text, "--format", "json")
        assert json.loads(done.stdout)["confidence"] == level


def test_whole_numbers_of_a_choice_may_be_written_as_people_write_them(command: Command) -> None:
    for text in ("4", "4.0", "4e0", "+4"):
        done = command("run", "canastra", "--deals", "5", "--rule", f"jokers={text}", "--format", "json")
        assert json.loads(done.stdout)["options"]["jokers"] == 4


def test_the_home_folder_is_meant_by_a_tilde(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    # As editors of Windows write a file: a byte order mark and their line ends.
    (home / "rules.toml").write_bytes(b"\xef\xbb\xbfplayers = 2\r\njokers = 4\r\n")
    done = command(
        *("run", "canastra", "--deals", "9", "--out=~/run", "--rules=~/rules.toml", "--format", "json", "--quiet")
    )
    assert (done.status, done.stderr) == (0, "")
    options = json.loads(done.stdout)["options"]
    assert (options["players"], options["jokers"]) == (2, 4)
    assert {path.name for path in (home / "run").iterdir()} == {
        "manifest.json",
        "deals-00000.parquet",
        "sides-00000.parquet",
    }
    assert list(Path.cwd().iterdir()) == []


@posix
@pytest.mark.parametrize("bytes_allowed", [0, 6_000])
def test_a_full_disk_is_one_line_and_leaves_no_half_file(bytes_allowed: int, tmp_path: Path, command: Command) -> None:
    assert command("run", "canastra", "--deals", "1").status == 0
    folder = tmp_path / "run"
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_allowed}, {bytes_allowed}))\n"
        "from sim.cli import main; main()"
    )
    done = run_python(["-c", code, "run", "canastra", "--deals", "2000", "--out", str(folder), "--quiet"], check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(rf"carteador: .+ \({re.escape(str(folder))}/\w[\w.-]+\)\n", done.stderr)
    assert not list(folder.glob("*.partial"))


@posix
def test_a_cache_folder_that_cannot_be_written_is_named() -> None:
    code = "from sim.cli import main; main()"
    # Interpreted, so that nothing is compiled for this.
    environment = {"CARTEADOR_CACHE_DIR": os.devnull, "NUMBA_DISABLE_JIT": "1"}
    words = ["-c", code, "show", "canastra", "--policy", "random"]
    done = run_python(words, environment=environment)
    assert done.stderr.count("\n") == 1
    assert f"each time anew because the cache folder '{os.devnull}' cannot be written" in done.stderr
    assert "CARTEADOR_CACHE_DIR names another" in done.stderr
    assert "once" not in done.stderr
    assert run_python([*words, "--quiet"], environment=environment).stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("is_stored", [False, True])
def test_memory_does_not_grow_with_the_number_of_deals(is_stored: bool, tmp_path: Path) -> None:
    def peak(deals: int, *more: str) -> int:
        words = ["run", "canastra", "--quiet", "--threads", "2", "--format", "csv", *more]
        if not more:
            words += ["--deals", str(deals), *(["--out", str(tmp_path / str(deals))] if is_stored else [])]
        code = (
            f"import resource, sim.cli; assert sim.cli.run_command({words}) == 0; "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        return int(run_python(["-c", code]).stdout.splitlines()[-1])

    # Both fill every chunk in flight; the rows of the larger one alone would take some hundred megabytes.
    most = 1.15 * peak(400_000)
    assert peak(2_000_000) < most
    if is_stored:
        assert peak(2_000_000, "--resume", str(tmp_path / "2000000")) < most


def test_a_broken_invariant_is_one_line_with_the_command_that_shows_it(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kernels import registry

    play = registry.module("canastra", "play")
    batch = play.batch

    def broken(seed: int, jobs: Any, *rest: Any) -> int:
        *others, records = rest
        if len(jobs) < 3:
            return int(batch(seed, jobs, *rest))
        batch(seed, jobs[:3], *others, records[:3])
        records["status"][2:] = 0
        raise RuntimeError("a card was lost")

    monkeypatch.setattr(play, "batch", broken)
    done = command("run", "canastra", "--deals", "9", "--first", "20", "--seed", "4", "--rule", "jokers=4", "--quiet")
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "failed at deal 22 of seed 4: a card was lost" in done.stderr
    reproduce = done.stderr.strip().partition("Reproduce: ")[2]
    assert reproduce == "carteador show canastra --deal 22 --seed 4 --rule jokers=4"
    shown = command(*reproduce.split()[1:])
    assert shown.status == 0
    assert "deal 22 of seed 4" in shown.stdout
