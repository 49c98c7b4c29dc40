"""Every way of asking for what cannot be: one line that names it, status 2, nothing written."""

from __future__ import annotations

import os
import shlex
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import typer

from sim.app import app
from tests.cli.conftest import Command, tuned_policy
from tests.trees import run_python

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")

RULES: dict[str, str | bytes] = {
    "broken.toml": "players = ",
    "unknown.toml": "player = 2",
    "wrong_type.toml": 'players = "two"',
    "wrong_flag.toml": "curinga_slides = 1",
    "wrong_ranks.toml": 'lavadeira_ranks = ["4", "Z"]',
    "wrong_number.toml": "target = 10.5",
    "low_number.toml": "target = 1",
    "other_game.toml": 'game = "truco"\nplayers = 2',
    "latin.toml": b"# \xe9\n",
    "deep.toml": "players = " + "[" * 30_000,
    "long.toml": "target = " + "9" * 5_000,
    "rate.toml": "overlook_rate = 1" + "0" * 400,
    "name.toml": "a." * 50_000 + "b = 1",
}

CASES = [
    # Games and commands.
    ("run canstra", "'canstra': there is canastra, canasta, mau_mau, escopa, loba. Did you mean canastra?"),
    ("show canstra", "Did you mean canastra?"),
    ("games canstra", "Did you mean canastra?"),
    ("games canstra --json", "Did you mean canastra?"),
    ("bench canstra", "Did you mean canastra?"),
    ("run", "Missing argument 'GAME'"),
    ("rnu canastra", "Did you mean 'run'?"),
    ("xyzzy", "There is games, run, show, compare"),
    ("run canastra canastra", "unexpected extra argument"),
    ("run canastra --dels 5", "No such option: --dels. Did you mean --deals?"),
    ("show canastra --deals 5", "No such option: --deals"),
    ("--verson", "Did you mean --version?"),
    ("run canastra --deals", "requires an argument"),
    # Numbers.
    ("run canastra --deals 0", "--deals: '0' is out of range; allowed is a whole number from 1 to"),
    ("run canastra --deals -5", "--deals: '-5' is out of range"),
    ("run canastra --deals 1.5", "--deals: '1.5' is not allowed"),
    ("run canastra --deals 1e99", "--deals: '1e99' is not allowed"),
    ("run canastra --deals 1e-3", "--deals: '1e-3' is not allowed"),
    ("run canastra --deals many", "--deals: 'many' is no number"),
    ("run canastra --deals 1__0", "--deals: '1__0' is no number"),
    ("run canastra --deals ''", "--deals: '' is no number"),
    ("run canastra --deals nan", "--deals: 'nan' is no number"),
    ("run canastra --deals ٣", "--deals: '٣' is no number"),
    ("run canastra --matches 0", "--matches: '0' is out of range"),
    ("run canastra --seed -1", "--seed: '-1' is out of range"),
    ("run canastra --seed 18446744073709551616", "18_446_744_073_709_551_615"),
    ("run canastra --seed x", "--seed: 'x' is no number"),
    ("run canastra --first -1", "--first: '-1' is out of range"),
    ("run canastra --first 18446744073709551615 --deals 2", "goes past the last number"),
    ("run canastra --threads 0", "--threads: '0' is out of range"),
    ("run canastra --threads two", "--threads: 'two' is no number"),
    ("run canastra --confidence 1", "--confidence: '1' is not allowed"),
    ("run canastra --confidence 0", "--confidence: '0' is not allowed"),
    ("run canastra --confidence 95", "as 0.95 or 95%"),
    ("run canastra --confidence nan", "--confidence: 'nan'"),
    ("run canastra --confidence high", "--confidence: 'high'"),
    ("show canastra --deal -1", "--deal: '-1' is out of range"),
    ("show canastra --deal 18446744073709551615 --count 2", "--deal: '18446744073709551615' is out of range"),
    ("show canastra --count 0", "--count: '0' is out of range"),
    ("show canastra --match -1", "--match: '-1' is out of range"),
    ("show canastra --match 1 --hand -1", "--hand: '-1' is out of range"),
    ("bench canastra --threads -2", "--threads: '-2' is out of range"),
    # Options that cannot go together.
    ("run canastra --deals 5 --matches 5", "--deals and --matches cannot go together"),
    ("show canastra --deal 5 --match 5", "--deal and --match cannot go together"),
    ("show canastra --match 5 --hand 1 --count 2", "--hand and --count cannot go together"),
    ("show canastra --hand 1", "--match is needed too"),
    # Precisions.
    ("run canastra --until win_rate", "--until: 'win_rate' is not of the form STAT=HALFWIDTH"),
    ("run canastra --until =1", "--until: '=1' is not of the form STAT=HALFWIDTH"),
    ("run canastra --until ''", "--until: '' is not of the form STAT=HALFWIDTH"),
    ("run canastra --until win_rat=1%", "--until: no statistic is called 'win_rat'; `carteador games canastra` lists"),
    ("run canastra --until win_rat=1%", "Did you mean win_rate?"),
    ("run canastra --until turns:p49=1", "no statistic is called 'turns:p49'"),
    ("run canastra --until win_rate@side:2=1%", "it has all, side:0, side:1, plays_first:yes, plays_first:no. Did you"),
    ("run canastra --until win_rate@sid:1=1%", "Did you mean win_rate@side:1?"),
    ("run canastra --until win_rate@=1%", "win_rate has no group ''"),
    ("run canastra --until turns@side:0=1", "turns has no group 'side:0'; it has all. Did you mean turns@all?"),
    ("run canastra --until margin=1", "margin has no group 'all'; it has side:0"),
    ("run canastra --until win_rate=0", "--until win_rate: '0' is not allowed; allowed is a number above 0 and below"),
    ("run canastra --until win_rate=50%", "--until win_rate: '50%' is not allowed; allowed is a number above 0 and"),
    ("run canastra --until turns=1%", "--until turns: '1%' is not allowed; allowed is a number above 0, in turns"),
    ("run canastra --until turns=-1", "--until turns: '-1' is not allowed"),
    ("run canastra --until turns=few", "--until turns: 'few' is not allowed"),
    ("run canastra --until turns=nan", "--until turns: 'nan' is not allowed"),
    ("run canastra --until turns=1e999", "--until turns: '1e999' is not allowed"),
    ("run canastra --until turns=1 --until turns=2", "--until: turns is given twice, with 1 and with 2; give it once"),
    ("run canastra --until turns=1 --until turns@all=2", "--until: turns is given twice"),
    ("run canastra --until win_rate=1% --matches 9", "--until: win_rate is told of deals, which depend on each other"),
    ("run canastra --until win_rate=1% --matches 9", "Did you mean match_win_rate?"),
    ("run canastra --until match_win_rate=1%", "--until: no statistic is called 'match_win_rate'"),
    ("run canastra --until turns=1 --deals 0", "--deals: '0' is out of range"),
    # Formats.
    ("run canastra --format jsn", "--format: 'jsn' is not allowed; allowed is table, json, csv. Did you mean json?"),
    ("run canastra --format JSON", "Did you mean json?"),
    ("games Canastra", "Did you mean canastra?"),
    ("run canastra --format text", "allowed is table, json, csv"),
    ("show canastra --format json", "allowed is text, jsonl. Did you mean jsonl?"),
    ("bench canastra --format csv", "allowed is table, json"),
    # House rules.
    ("run canastra --rule player=2", "Did you mean players?"),
    ("run canastra --rule zzz=2", "option of canastra is called 'zzz': there is players, jokers"),
    ("run canastra --rule players", "'players' is not of the form name=value"),
    ("run canastra --rule =2", "'=2' is not of the form name=value"),
    ("run canastra --rule players=3", "--rule players: '3' is not allowed; allowed is 4 or 2"),
    ("run canastra --rule players=", "--rule players: '' is not allowed"),
    ("run canastra --rule players=2 --rule players=4", "players is given twice, as '2' and as '4'"),
    ("run canastra --rule curinga_slides=maybe", "'maybe' is not allowed; allowed is true or false"),
    ("run canastra --rule lixo_justify=new_mled", "Did you mean new_meld?"),
    ("run canastra --rule stock_out=END", "allowed is morto_becomes_stock or end. Did you mean end?"),
    ("run canastra --rule jokers=1e0", "--rule jokers: '1e0' is not allowed; allowed is 0 or 4\n"),
    ("run canastra --rule Jokers=4", "Did you mean jokers?"),
    ("run canastra --rule target=99", "--rule target: '99' is out of range; allowed is a whole number from 100 to"),
    ("run canastra --rule target=x", "--rule target: 'x' is no number"),
    ("run canastra --rule lavadeira_ranks=45X", "'X' is no rank that it may hold"),
    ("run canastra --rule lavadeira_ranks=3", "'3' is no rank that it may hold"),
    ("run canastra --rule lavadeira_ranks=44", "rank 4 is given twice"),
    ("run canastra --rule lavadeira_ranks=10,T", "rank T is given twice"),
    ("run canastra --rule lavadeira_ranks=", "the value is empty"),
    ("show canastra --rule player=2", "Did you mean players?"),
    # Files of house rules, and presets.
    ("run canastra --rules nowhere.toml", "there is no file 'nowhere.toml'"),
    ("run canastra --rules strct", "Did you mean strict?"),
    ("run canastra --rules .", "'.' is a folder"),
    ("run canastra --rules {rules}/broken.toml", "is not TOML"),
    ("run canastra --rules {rules}/latin.toml", "is not TOML"),
    ("run canastra --rules {rules}/unknown.toml", "Did you mean players?"),
    ("run canastra --rules {rules}/wrong_type.toml", "players: 'two' is not allowed; allowed is 4 or 2"),
    ("run canastra --rules {rules}/wrong_flag.toml", "curinga_slides: 1 is not allowed; allowed is true or false"),
    ("run canastra --rules {rules}/wrong_ranks.toml", "'Z' is no rank"),
    ("run canastra --rules {rules}/wrong_number.toml", "target: 10.5 is no whole number"),
    ("run canastra --rules {rules}/low_number.toml", "target: 1 is out of range"),
    ("run canastra --rules {rules}/other_game.toml", "is for the game 'truco', not for canastra"),
    ("show canastra --rules strct", "Did you mean strict?"),
    ("run canastra --rules Strict", "--rules: no preset of canastra, nor a file, is called 'Strict'"),
    ("run canastra --rules Strict", "Did you mean strict?"),
    ("run canastra --rules ''", "--rules: the value is empty; allowed is a TOML file or a preset of canastra"),
    ("run canastra --rules {rules}/deep.toml", "nested too deeply"),
    ("run canastra --rules {rules}/long.toml", "a number of too many digits"),
    ("run canastra --rules {rules}/unknown.toml", "--rules {rules}/unknown.toml: no option of canastra"),
    ("run canastra --rules '~/nowhere.toml'", "there is no file '~/nowhere.toml'"),
    ("run canastra --rules '~nobody-of-this-name/x.toml'", "~nobody-of-this-name is no home folder here"),
    # Policies.
    ("run canastra --policy stndard", "Did you mean standard?"),
    ("run canastra --policy ''", "there is random, novice, standard, expert"),
    ("run canastra --policy 4=random", "there is no seat 4 in '4=random'; the seats are 0 to 3"),
    ("run canastra --policy 2=random --rule players=2", "the seats are 0 to 1"),
    ("run canastra --policy -1=random", "'-1' in '-1=random' is no seat"),
    ("run canastra --policy 0=rndom", "Did you mean random?"),
    ("run canastra --policy 0=random --policy 0=novice", "seat 0 is given twice"),
    ("run canastra --policy random --policy novice", "cannot stand beside another --policy"),
    ("run canastra --policy 0=random --policy novice", "cannot stand beside another --policy"),
    ("run canastra --policy {policy}={name}=3", "Did you mean {policy}:{name}=3?"),
    ("run canastra --policy {policy}:{name}x=3", "Did you mean {name}?"),
    ("run canastra --policy {policy}:{name}=-1e9", "parameter {name}: '-1e9' is out of range"),
    ("run canastra --policy {policy}:{name}=1e9", "parameter {name}: '1e9' is out of range"),
    ("run canastra --policy {policy}:{name}=few", "parameter {name}: 'few' is no number"),
    ("run canastra --policy {policy}:{name}", "'{name}' in '{policy}:{name}' is not of the form parameter=value"),
    ("run canastra --policy {policy}:", "is not of the form parameter=value"),
    ("run canastra --policy {policy}:{name}=1,{name}=1", "{name} is given twice"),
    ("run canastra --policy random:stop_wait=1", "Did you mean stop_weight?"),
    ("run canastra --policy Standard", "Did you mean standard?"),
    ("run canastra --policy 0=EXPERT", "Did you mean expert?"),
    ("show canastra --policy stndard", "Did you mean standard?"),
    ("bench canastra --policy stndard", "Did you mean standard?"),
    # Folders.
    ("run canastra --deals 5 --out {rules}", "is not empty"),
    ("run canastra --deals 5 --out {rules}/broken.toml", "is a file"),
    ("run canastra --deals 5 --out ''", "--out: the value is empty"),
    ("run canastra --deals 5 --out '~nobody-of-this-name/x'", "~nobody-of-this-name is no home folder here"),
    ("run canastra --deals 5 --resume", "--resume: it needs a folder; write --resume DIR, or --out DIR --resume"),
    ("run canastra --deals 5 --resume=", "--resume: it needs a folder"),
    ("run canastra --deals 5 --resume nowhere", "--resume: there is no folder 'nowhere'"),
    ("run canastra --deals 5 --resume {rules}", "holds no manifest.json, so it is no run of carteador"),
    ("run canastra --deals 5 --resume {rules}/broken.toml", "there is no folder"),
    ("run canastra --deals 5 --resume=x --out y", "--resume x and --out y cannot go together"),
    ("run canastra --deals 5 --resume '~nobody-of-this-name/x'", "~nobody-of-this-name is no home folder here"),
    ("run --deals 5 --resume nowhere", "--deals and --resume nowhere cannot go together, for the folder says what"),
    ("run --resume nowhere --deals 5 --policy random", "--deals and --resume nowhere cannot go together"),
    ("merge", "Missing argument 'DIR'"),
    ("merge {rules}", "Missing option '--out'"),
    ("merge {rules} --out new", "holds no manifest.json, so it is no run of carteador"),
    ("merge nowhere --out new", "there is no folder 'nowhere'"),
    ("merge nowhere {rules} --out {rules}", "there is no folder 'nowhere'"),
    ("run canastra --resume {rules} --out new --deals 5", "cannot go together; give --resume DIR, or --out DIR"),
    ("run --resume {rules}", "cannot go together; give --resume DIR, or --out DIR --resume"),
    ("run --resume ~/x", "--resume ~/x and --out new cannot go together"),
    ("run --resume canstra", "Did you mean canastra?"),
    ("run escopa --rules {rules}/rate.toml", "is not allowed; allowed is a probability from 0 to 1"),
    ("run escopa --rules {rules}/name.toml", "it has more than 32,768 bytes, more than can be meant"),
    ("advise escopa --position {rules}/long.toml", "is no TOML"),
    ("advise escopa --position {rules}/name.toml", "it has more than 32,768 bytes, more than can be meant"),
    ("verify {rules} --policy standard", "--policy: 'standard' is no policy file"),
    ("merge '' --out new", "DIR: the value is empty"),
    ("merge {rules} --out new --threads 0", "--threads: '0' is out of range"),
    ("merge {rules} --out new --confidence 2", "--confidence: '2' is not allowed"),
    ("verify", "Missing argument 'DIR'"),
    ("verify nowhere", "there is no folder 'nowhere'"),
    ("verify {rules}", "holds no manifest.json, so it is no run of carteador"),
    ("verify {rules} --sample 5 --all", "--sample and --all cannot go together"),
    ("verify {rules} --sample few", "--sample: 'few' is no number"),
    ("verify {rules} {rules}", "unexpected extra argument"),
    ("sweep escopa --rule players=2..5", "'5' is out of range; allowed is a whole number from 2 to 4"),
    ("sweep escopa --rule players=2..4 --best foo=highest", "--best: there is no statistic 'foo'"),
    ("run mau_mau --until position_win_rate:7=1%", "told of tables of 7 players or more, and 4 play here"),
]


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Folder of TOML files that are wrong, each in its way."""
    folder = tmp_path / "rules"
    folder.mkdir()
    for name, text in RULES.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


@pytest.mark.parametrize(("line", "fragment"), CASES)
def test_wrong_use_is_one_line_and_changes_nothing(line: str, fragment: str, command: Command, rules: Path) -> None:
    policy, parameter = tuned_policy("canastra")
    words = shlex.split(line.format(rules=rules, policy=policy.name, name=parameter.name))
    if words[0] == "run" and "--deals" not in words and "--matches" not in words:
        words += ["--out", "new"]
    before = {path: path.read_bytes() for path in rules.iterdir()}
    done = command(*words)
    assert fragment.format(rules=rules, policy=policy.name, name=parameter.name) in done.stderr
    if any(word.startswith("--") for word in words[2:-2]) and "--help" not in done.stderr:
        given = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert done.stderr.split()[1].rstrip(":") in given
    assert done.status == 2
    assert done.stdout == ""
    assert done.stderr.startswith("carteador: ")
    assert done.stderr.count("\n") == 1
    assert list(Path.cwd().iterdir()) == []
    assert {path: path.read_bytes() for path in rules.iterdir()} == before


@posix
def test_what_is_no_regular_file_is_not_read(command: Command, tmp_path: Path) -> None:
    pipe = tmp_path / "rules.toml"
    os.mkfifo(pipe)
    for path in (str(pipe), os.devnull):
        done = command("run", "canastra", "--rules", path)
        assert (done.status, done.stdout) == (2, "")
        assert f"--rules: {path!r} is no regular file" in done.stderr


@posix
def test_a_link_that_leads_nowhere_is_no_folder(command: Command, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in ("link", "loop"):
        done = command("run", "escopa", "--deals", "5", "--out", str(tmp_path / name))
        assert (done.status, done.stdout) == (2, "")
        assert f"--out: '{tmp_path / name}' is a link that leads nowhere" in done.stderr


READERS = [
    "run canastra --policy {file}.py",
    "policy check {file}.py",
    "show escopa --deck {file}.json",
    "advise escopa --position {file}.json",
    "report {file}.json",
]


@posix
@pytest.mark.parametrize("line", READERS)
def test_no_reader_waits_for_a_pipe_or_drinks_a_device(line: str, command: Command, tmp_path: Path) -> None:
    for ending in ("py", "json"):
        os.mkfifo(tmp_path / f"pipe.{ending}")
        (tmp_path / f"zero.{ending}").symlink_to("/dev/zero")
    for name, fragment in (("pipe", ""), ("zero", "bytes, more than can be meant")):
        done = command(*line.format(file=tmp_path / name).split())
        assert (done.status, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert fragment in done.stderr


def test_a_pipe_that_somebody_writes_to_is_read(command: Command, tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("/proc names the descriptors of a process on Linux")
    document = command("run", "escopa", "--deals", "20", "--format", "json").stdout.encode()
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb") as file:
            file.write(document)

    writer = threading.Thread(target=write)
    writer.start()
    done = command("report", f"/proc/self/fd/{reading}", "--format", "json")
    os.close(reading)
    writer.join()
    assert (done.status, done.stderr) == (0, "")


def test_a_folder_with_a_broken_manifest_is_refused_by_name(command: Command) -> None:
    Path("run").mkdir()
    Path("run", "manifest.json").write_text("{")
    done = command("run", "canastra", "--deals", "5", "--out", "run")
    assert done.status == 2
    assert done.stderr.startswith("carteador: --out: ")
    assert Path("run", "manifest.json").read_text() == "{"


def single_valued_options() -> list[tuple[str, str]]:
    group: Any = typer.main.get_command(app)
    return [
        (name, option)
        for name, command in group.commands.items()
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--") and not parameter.is_flag and not parameter.multiple
    ]


@pytest.mark.parametrize(("name", "option"), single_valued_options())
def test_an_option_of_one_value_is_given_once(name: str, option: str, command: Command) -> None:
    needed = ["--hand", "KS"] if name == "odds" and option != "--hand" else []
    done = command(name, "canastra", *needed, option, "1", f"{option}=2")
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr == f"carteador: {option} is given twice, as '1' and as '2'; give it once\n"


def test_the_value_of_an_option_is_no_option() -> None:
    done = run_python(
        ["-c", "from sim.cli import main; main()", "run", "canastra", "--rules", "--seed", "--seed", "x"], check=False
    )
    assert "--seed: 'x' is no number" in done.stderr


def test_no_command_shows_the_help_and_is_wrong_use(command: Command) -> None:
    done = command()
    assert (done.status, done.stdout) == (2, "")
    assert "Commands:" in done.stderr


def test_the_process_itself_ends_with_the_status_and_no_traceback() -> None:
    done = run_python(["-c", "from sim.cli import main; main()", "run", "canastra", "--deals", "x"], check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("carteador: --deals")
    assert "Traceback" not in done.stderr


def test_a_file_that_cannot_be_written_is_one_line_and_status_1(command: Command, tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("/proc takes no folders on Linux")
    done = command("run", "canastra", "--deals", "5", "--out", "/proc/carteador")
    assert done.status == 1
    assert done.stdout == ""
    assert "/proc/carteador" in done.stderr
    assert "Traceback" not in done.stderr
