"""Policy files on the command line: wherever a policy is named, and ``carteador policy new`` and ``check``."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from kernels import registry
from sim.own import trying
from sim.own.trying import STEPS
from tests.cli.conftest import Command
from tests.sim.own_files import MOODY, PLAIN, written
from tests.trees import ROOT

EVERYWHERE = [
    "run escopa --policy mine.py --deals 50",
    "run escopa --policy 0=mine.py:lowest=1 --policy 1=standard --matches 2",
    "compare escopa --a mine.py:lowest=1 --b standard --deals 50",
    "tournament escopa --policy mine.py --policy mine.py:lowest=1 --policy novice --deals 50",
    "sweep escopa --param mine.py:lowest=0,1 --against standard --deals 50",
    "sweep escopa --rule players=2,4 --policy mine.py --stat turns --deals 50",
    "odds escopa --hand 'AS 2S 3S' --policy mine.py --deals 50",
]


@pytest.fixture
def mine(command: Command) -> Path:
    """A policy file in the folder in which commands run."""
    return Path(written(Path.cwd(), "mine.py", PLAIN))


@pytest.mark.usefixtures("mine")
@pytest.mark.parametrize("line", EVERYWHERE)
def test_a_file_can_stand_wherever_a_policy_can(command: Command, line: str) -> None:
    done = command(*shlex.split(line), "--quiet", "--format", "json")
    assert (done.status, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert "mine.py" in json.dumps(document)
    words = shlex.split(document["command"])
    again = json.loads(command(*words[1:], "--quiet", "--format", "json").stdout)
    assert {**again, "provenance": 0} == {**document, "provenance": 0}


@pytest.mark.usefixtures("mine")
def test_show_names_the_file(command: Command) -> None:
    done = command("show", "escopa", "--policy", "0=mine.py:lowest=1", "--quiet")
    assert done.status == 0
    assert "Seat 0: playing mine.py:lowest=1." in done.stdout
    first = json.loads(command("show", "escopa", "--policy", "mine.py", "--format", "jsonl").stdout.splitlines()[0])
    assert first["policies"] == ["mine.py", "mine.py"]


def test_show_tells_a_deal_that_breaks_off_up_to_there(command: Command) -> None:
    written(Path.cwd(), "moody.py", MOODY)
    words = ["show", "escopa", "--deal", "7", "--seed", "3", "--policy", "0=moody.py:mood=2,turn=12", "--quiet"]
    done = command(*words)
    assert done.status == 1
    assert done.stdout.startswith("Escopa de 15 · deal 7 of seed 3")
    assert "Score" not in done.stdout
    assert "moody.py, choose_play, line 21, " in done.stderr
    assert "ValueError: what is this?, at deal 7 of seed 3, turn 12, seat 0" in done.stderr
    assert "Reproduce" not in done.stderr
    assert done.stderr.count("\n") == 1
    lines = command(*words, "--format", "jsonl")
    assert lines.status == 1
    events = [json.loads(line)["event"] for line in lines.stdout.splitlines()]
    assert (events[0], events[-1]) == ("deal", "play")


def test_run_ends_with_the_command_that_shows_the_deal(command: Command) -> None:
    written(Path.cwd(), "moody.py", MOODY)
    done = command("run", "escopa", "--policy", "0=moody.py:mood=1", "--deals", "300", "--quiet")
    assert (done.status, done.stdout) == (1, "")
    assert "which breaks ESC-05, at deal 0 of seed 0" in done.stderr
    shown = command(*shlex.split(done.stderr.strip().partition("Reproduce: ")[2])[1:])
    assert shown.status == 1
    assert "which breaks ESC-05, at deal 0 of seed 0" in shown.stderr


def test_a_wrong_file_is_wrong_use(command: Command) -> None:
    written(Path.cwd(), "mine.py", PLAIN.replace("lowest_bit(hand), NOTHING", "lowest_bits(hand), NOTHING"))
    done = command("run", "escopa", "--policy", "mine.py", "--deals", "10")
    assert done.status == 2
    assert done.stderr.splitlines()[-1].startswith("carteador: mine.py, line 15, ")
    assert command("run", "escopa", "--policy", "0=min.py").stderr == (
        "carteador: --policy: there is no file 'min.py'. Did you mean mine.py?\n"
    )


@pytest.mark.usefixtures("mine")
def test_stored_runs_go_on_when_the_file_is_named(command: Command) -> None:
    played = command("run", "escopa", "--policy", "mine.py", "--deals", "100", "--out", "run", "--quiet")
    assert played.status == 0
    for words in (["verify", "run"], ["run", "--resume", "run"]):
        refused = command(*words)
        assert refused.status == 2
        assert "add --policy mine.py" in refused.stderr
        assert command(*words, "--policy", "mine.py", "--quiet").status == 0
    assert command("report", "run").status == 0
    refused = command("run", "--resume", "run", "--policy", "0=mine.py")
    assert "cannot go together" in refused.stderr


# ------------------------------------------------------------ policy new


@pytest.mark.parametrize("game", registry.GAMES)
def test_new_writes_a_file_to_begin_with(command: Command, game: str) -> None:
    done = command("policy", "new", game)
    assert done.status == 0
    path = Path(f"{game}_policy.py")
    assert f"{path} is written" in done.stdout
    assert f'GAME = "{game}"' in path.read_text()
    kept = path.write_text("# mine\n")
    refused = command("policy", "new", game)
    assert (refused.status, path.stat().st_size) == (2, kept)
    assert "is there already; --force writes over it" in refused.stderr
    assert command("policy", "new", game, str(path), "--force").status == 0
    assert path.stat().st_size > kept


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["escoba"], "no game is called 'escoba': .* Did you mean escopa"),
        (["escopa", "mine.txt"], "the name of a policy file ends in .py"),
        (["escopa", "nowhere/mine.py"], "there is no folder 'nowhere'"),
    ],
)
def test_new_says_what_is_wrong(command: Command, words: list[str], message: str) -> None:
    done = command("policy", "new", *words)
    assert done.status == 2
    assert re.search(message, done.stderr)


# ------------------------------------------------------------ policy check


@pytest.mark.usefixtures("mine")
def test_check_tries_all_of_it(command: Command) -> None:
    done = command("policy", "check", "mine.py:lowest=1", "--deals", "200", "--format", "json", "--quiet")
    assert (done.status, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["schema"] == "carteador.policy_check/1"
    assert [step["step"] for step in document["steps"]] == list(STEPS)
    assert all(step["well"] for step in document["steps"])
    assert document["well"]
    assert document["error"] is None
    names = [policy.name for policy in registry.spec("escopa").policies]
    assert [row["policy"] for row in document["against"]] == names
    assert {row["policy"] for row in document["speed"]} == {"mine.py:lowest=1", *names}
    assert all(row["low"] <= row["difference"] <= row["high"] for row in document["against"])
    table = command("policy", "check", "mine.py", "escopa", "--deals", "100", "--quiet")
    assert table.status == 0
    for word in (*STEPS[:4], "against expert", "deals/s", "It can be used."):
        assert word in table.stdout


@pytest.mark.parametrize(
    ("mood", "message"),
    [
        (1, "it answers card .*, take bit 60, which breaks ESC-05, at deal"),
        (2, "ValueError: what is this\\?, at deal"),
    ],
)
def test_check_fails_with_one_message(command: Command, mood: int, message: str) -> None:
    written(Path.cwd(), "moody.py", MOODY)
    done = command(
        "policy", "check", f"moody.py:mood={mood}", "escopa", "--deals", "100", "--format", "json", "--quiet"
    )
    document = json.loads(done.stdout)
    assert (done.status, document["well"]) == (1, False)
    assert re.search(message, document["error"])
    assert document["steps"][-1] == {"step": "legal", "well": False, "text": document["error"]}


def test_check_ends_what_does_not_end(command: Command) -> None:
    written(Path.cwd(), "moody.py", MOODY)
    words = ["moody.py:mood=6", "escopa", "--deals", "100", "--time-limit", "3", "--quiet"]
    done = command("policy", "check", *words)
    assert done.status == 1
    text = " ".join(done.stdout.split())
    assert re.search(r"moody.py, line (29|30), '", text)
    assert "it does not come to an end, in deal 0 of seed 0" in text
    assert "It cannot be used." in text


def test_what_is_tried_ends_with_the_process_that_tries_it() -> None:
    """However that ends, as by a kill: a policy that never comes to its end would go on for ever."""
    request = trying.Request("escopa", "nowhere.py", 100, 0, 1, table=0)
    code = "import sys, time; from sim.own import trying; trying.one_by_one = lambda _: time.sleep(600); trying.main()"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE) as tried:
        assert tried.stdin is not None
        tried.stdin.write(json.dumps(asdict(request)).encode() + b"\n")
        tried.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            tried.wait(1)
        tried.stdin.close()
        assert tried.wait(60) == 1


def test_check_of_what_is_no_policy_is_wrong_use(command: Command) -> None:
    written(Path.cwd(), "moody.py", MOODY)
    written(Path.cwd(), "broken.py", "def choose_play(table:")
    assert "does not say which game it is for" in command("policy", "check", "moody.py").stderr
    assert "no game is called 'escoba'" in command("policy", "check", "moody.py", "escoba").stderr
    assert "is no policy file; its name ends in .py" in command("policy", "check", "standard", "escopa").stderr
    assert "broken.py, line 1" in command("policy", "check", "broken.py", "escopa").stderr
    assert "there is no file" in command("policy", "check", "none.py").stderr


def test_help_of_the_group_and_its_commands(command: Command) -> None:
    assert "Usage: carteador policy" in command("policy", "--help").stdout
    for name in ("new", "check"):
        done = command("policy", name, "--help")
        assert (done.status, done.stderr) == (0, "")
        assert f"Usage: carteador policy {name}" in done.stdout
    assert "Help: carteador policy check --help" in command("policy", "check").stderr
