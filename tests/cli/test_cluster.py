"""`run --cluster`: what it prints, how it ends, and every way of naming no cluster."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim import cluster, cluster_crew
from tests.cli.conftest import Command
from tests.cli.test_run import numbers, posix, wait_for
from tests.sim import clusters
from tests.sim.folders import content
from tests.trees import ROOT, carteador

pytest.importorskip("distributed")
pytestmark = posix

WORDS = ("run", "canastra", "--deals", "1000", "--seed", "4")


@pytest.fixture(scope="module")
def two() -> Iterator[str]:
    """Address of a cluster with two workers of this machine."""
    with cluster._silence(), cluster._local_cluster(2) as address:
        yield address


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nobody long."""
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    monkeypatch.setattr(cluster_crew, "PATIENCE", 1.0)


def test_every_format_says_the_same_as_without(two: str, command: Command) -> None:
    for output in ("json", "csv"):
        mine, theirs = (command(*WORDS, "--format", output, *more) for more in ((), ("--cluster", two)))
        assert (theirs.status, theirs.stderr) == (0, "")
        if output == "csv":
            assert list(csv.reader(io.StringIO(theirs.stdout))) == list(csv.reader(io.StringIO(mine.stdout)))
        else:
            assert numbers(json.loads(theirs.stdout)) == numbers(json.loads(mine.stdout))
    table = command(*WORDS, "--cluster", two.removeprefix("tcp://"))
    assert table.stdout.splitlines()[:-1] == command(*WORDS).stdout.splitlines()[:-1]
    assert table.stdout.splitlines()[-1].endswith(" on 2 threads of 2 workers")


def test_workers_of_this_machine_are_started_and_end_with_the_run(command: Command) -> None:
    before = descendants(os.getpid())
    done = command(*WORDS, "--cluster", "local:1", "--out", "theirs", "--format", "json")
    assert (done.status, done.stderr) == (0, "")
    assert not [process for process in descendants(os.getpid()) if process not in before and is_running(process)]
    mine = command(*WORDS, "--out", "mine", "--format", "json")
    assert numbers(json.loads(done.stdout)) == numbers(json.loads(mine.stdout))
    assert content(Path("theirs")) == content(Path("mine"))
    provenance = json.loads(done.stdout)["provenance"]
    assert (provenance["workers"], provenance["threads"]) == (1, 1)


def test_the_file_of_a_scheduler_names_it(two: str, command: Command) -> None:
    Path("scheduler.json").write_text(json.dumps({"type": "Scheduler", "address": two, "workers": {}}))
    done = command(*WORDS, "--cluster", "scheduler.json", "--format", "json")
    assert (done.status, done.stderr) == (0, "")
    assert json.loads(done.stdout)["provenance"]["workers"] == 2


WRONG = [
    ("local:0", "--cluster local: '0' is out of range; allowed is a whole number from 1 to 256"),
    ("local:x", "--cluster local: 'x' is no number"),
    ("local:", "--cluster local: '' is no number"),
    ("local:-1", "--cluster local: '-1' is out of range"),
    ("local:2.5", "--cluster local: '2.5' is not allowed"),
    ("local:" + "9" * 30, "is out of range"),
    ("local", "--cluster local: '' is no number"),
    ("", "--cluster: '' is no address; allowed is HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT"),
    ("here", "--cluster: 'here' is no address"),
    ("here:", "--cluster: 'here:' is no address"),
    (":8786", "--cluster: ':8786' is no address"),
    ("here:0", "--cluster: 'here:0' is no address"),
    ("here:65536", "--cluster: 'here:65536' is no address"),
    ("tcp://here", "--cluster: 'tcp://here' is no address"),
    ("tcp://a b:1", "--cluster: 'tcp://a b:1' is no address"),
    ("http://here:80", "--cluster: 'http://here:80' is not allowed; allowed is"),
    ("inproc://here:1", "--cluster: 'inproc://here:1' is not allowed"),
    ("nowhere.json", "--cluster: 'nowhere.json' cannot be read: No such file or directory"),
    ("rows.json", "--cluster: 'rows.json' is no file of a Dask scheduler"),
    ("odd.json", "--cluster: 'nonsense in odd.json' is no address"),
]


@pytest.mark.parametrize(("text", "complaint"), WRONG, ids=[text[:20] for text, _ in WRONG])
def test_what_is_no_address(text: str, complaint: str, command: Command) -> None:
    Path("rows.json").write_text("[1, 2]")
    Path("odd.json").write_text('{"address": "nonsense"}')
    for words in ((*WORDS, "--out", "new"), ("run", "--resume", "new")):
        done = command(*words, "--cluster", text)
        assert (done.status, done.stdout) == (2, "")
        assert done.stderr.startswith("carteador: --cluster")
        assert complaint in done.stderr
        assert done.stderr.count("\n") == 1
    assert not Path("new").exists()


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("127.0.0.1:1", "there is no Dask scheduler to be reached at 127.0.0.1:1: "),
        ("nohost.invalid:8786", "there is no Dask scheduler to be reached at nohost.invalid:8786: "),
        ("tls://127.0.0.1:1", "tls://127.0.0.1:1 cannot be used without certificates, which Dask's configuration must"),
    ],
)
def test_nobody_there(address: str, complaint: str, command: Command) -> None:
    done = command(*WORDS, "--cluster", address, "--out", "new")
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr.startswith(f"carteador: {complaint}")
    assert done.stderr.count("\n") == 1
    assert not Path("new").exists()


@pytest.mark.usefixtures("impatient")
def test_somebody_else_there(command: Command) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        done = command(*WORDS, "--cluster", address)
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr.startswith(f"carteador: there is no Dask scheduler to be reached at {address}: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.usefixtures("impatient")
def test_a_cluster_without_workers(tmp_path: Path, command: Command) -> None:
    with clusters.scheduler(tmp_path) as (address, _):
        done = command(*WORDS, "--cluster", address)
    assert (done.status, done.stdout) == (1, "")
    assert done.stderr == (
        "Waiting for workers: the cluster has none yet.\n"
        "carteador: the cluster has no workers: none that could play this run came within 1 s\n"
    )


def test_what_cannot_go_together(command: Command) -> None:
    done = command(*WORDS, "--cluster", "local:2", "--threads", "2")
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr == "carteador: --threads and --cluster cannot go together; give one of them\n"


def test_without_dask(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda _name: None)
    done = command(*WORDS, "--cluster", "local:2", "--out", "new")
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr == (
        "carteador: --cluster: it needs Dask, which is not installed: pip install 'carteador[cluster]'\n"
    )
    assert not Path("new").exists()


def begin(*words: str, chunk: int = 400) -> subprocess.Popen[str]:
    """Start the command in small chunks, in a process group of its own, as a terminal does."""
    code = f"from sim import batch; batch.STORED_CHUNK = {chunk}\nfrom sim.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


LONG = ("run", "canastra", "--seed", "11", "--deals", "1e9", "--format", "json")


def test_ctrl_c_and_the_command_that_it_names(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "a run"
    process = begin(*LONG, "--out", str(folder), "--cluster", "local:2")
    wait_for(folder / "deals-00003.parquet", process)
    # As the terminal does: to all of the group.
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 130
    done = json.loads(stdout)["deals"]
    lines = stderr.splitlines()
    assert lines[0] == "Stopping: the chunks in flight are finished. Ctrl-C again gives them up."
    assert lines[1] == f"carteador: stopped after {done:,} of 1,000,000,000 deals. {folder} holds them."
    named = shlex.split(lines[2].removeprefix("To go on: "))
    assert named == ["carteador", "run", "--resume", str(folder), "--format", "json", "--cluster", "local:2"]
    assert len(lines) == 3
    assert done >= 400
    mine = command("run", "canastra", "--seed", "11", "--deals", str(done), "--format", "json")
    assert json.loads(mine.stdout)["statistics"] == json.loads(stdout)["statistics"]
    assert {path.suffix for path in folder.iterdir()} == {".json", ".parquet"}


def test_a_second_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = begin(*LONG, "--out", str(folder), "--cluster", "local:1", "--quiet", chunk=200_000)
    wait_for(folder / "manifest.json", process)
    time.sleep(1)
    for _ in range(2):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.3)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout, stderr) == (130, "", "carteador: interrupted\n")


@pytest.mark.slow
def test_a_killed_run_goes_on_and_its_workers_end(tmp_path: Path, command: Command) -> None:
    words = ("run", "canastra", "--seed", "11", "--deals", "12000", "--format", "json", "--quiet")
    whole, folder = tmp_path / "whole", tmp_path / "run"
    expected = begin(*words, "--out", str(whole)).communicate()[0]
    for number in (2, 12):
        process = begin(*words, "--out", str(folder), "--resume", "--cluster", "local:2")
        wait_for(folder / f"deals-{number:05d}.parquet", process)
        workers = descendants(process.pid)
        assert workers
        process.kill()
        assert process.communicate()[1] == ""
        clusters.wait_until(lambda workers=workers: not any(map(is_running, workers)))  # type: ignore[misc]
    process = begin(*words, "--out", str(folder), "--resume", "--cluster", "local:2")
    stdout, stderr = process.communicate(timeout=300)
    assert (process.returncode, stderr) == (0, "")
    assert numbers(json.loads(stdout)) == numbers(json.loads(expected))
    assert content(folder) == content(whole)


def descendants(number: int) -> list[Any]:
    """Processes that a process started."""
    import psutil

    return list(psutil.Process(number).children(recursive=True))


def is_running(process: Any) -> bool:
    """Whether a process is there and no corpse."""
    import psutil

    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@pytest.mark.slow
def test_workers_that_are_lost_leave_what_is_done(tmp_path: Path, command: Command, monkeypatch: Any) -> None:
    monkeypatch.setattr(cluster_crew, "PATIENCE", 1.0)
    monkeypatch.setattr("sim.batch.STORED_CHUNK", 2_000)
    folder = tmp_path / "run"
    with clusters.scheduler(tmp_path) as (address, _), clusters.worker(address) as started:
        clusters.await_workers(address, 1)

        import threading

        def kill() -> None:
            clusters.wait_until((folder / "deals-00001.parquet").exists)
            clusters.kill(started)

        killing = threading.Thread(target=kill)
        killing.start()
        words = ("--seed", "4", "--deals", "1e6", "--format", "json")
        done = command("run", "canastra", *words, "--out", str(folder), "--cluster", address)
        killing.join()
    assert done.status == 1
    deals = json.loads(done.stdout)["deals"]
    assert 2_000 <= deals < 10**6
    assert done.stderr.splitlines() == [
        "carteador: all workers of the cluster are gone: none that could play this run came within 1 s",
        f"carteador: stopped after {deals:,} of 1,000,000 deals. {folder} holds them.",
        f"To go on: carteador run --resume {folder} --format json --cluster {address}",
    ]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="certificates are made with openssl")
def test_with_certificates(tmp_path: Path) -> None:
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=here -keyout key.pem -out cert.pem"
    subprocess.run(shlex.split(words), cwd=tmp_path, check=True, capture_output=True)
    tls = {"CA_FILE": tmp_path / "cert.pem"}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        tls |= {f"{who}__CERT": tmp_path / "cert.pem", f"{who}__KEY": tmp_path / "key.pem"}
    environment = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(path) for name, path in tls.items()}
    with (
        clusters.scheduler(tmp_path, "--protocol", "tls", environment=environment) as (address, _),
        clusters.worker(address, "--protocol", "tls", environment=environment),
    ):
        assert address.startswith("tls://")
        outcomes = {}
        for name, known in (("with", environment), ("without", {})):
            done = carteador(*WORDS, "--format", "csv", "--cluster", address, environment=known, check=False)
            outcomes[name] = done.returncode, done.stdout, done.stderr
        # In the clear nobody gets in.
        plain = carteador(*WORDS, "--cluster", address.replace("tls", "tcp"), environment=environment, check=False)
    assert outcomes["with"] == (0, carteador(*WORDS, "--format", "csv").stdout, "")
    assert outcomes["without"][:2] == (1, "")
    assert "cannot be used without certificates" in outcomes["without"][2]
    assert (plain.returncode, plain.stdout) == (1, "")
    assert plain.stderr.startswith("carteador: there is no Dask scheduler to be reached at tcp://")
    assert plain.stderr.count("\n") == 1
