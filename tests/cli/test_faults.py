"""What befalls real runs: killed, interrupted, no room, no right to write, two at once. Nothing finished is lost."""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.locking import LOCK
from sim.manifest import MANIFEST, read_manifest
from tests.cli.conftest import Command
from tests.cli.test_run import numbers, posix, read_until, start, wait_for
from tests.sim.folders import content
from tests.trees import ROOT, carteador, run_python

pytestmark = posix

# Many small chunks, so that a kill meets every moment of their making.
SMALL = "from sim import batch; batch.STORED_CHUNK = {size}\nfrom sim.cli import main; main()"
CHUNK, DEALS = 400, 20_000
WORDS = ["run", "canastra", "--seed", "11", "--deals", str(DEALS), "--threads", "2", "--quiet", "--format", "json"]


def small(*words: str) -> list[str]:
    """Command that runs `carteador` in small chunks."""
    return [sys.executable, "-c", SMALL.format(size=CHUNK), *words]


def begin(*words: str) -> subprocess.Popen[str]:
    """Start it in a process of its own."""
    return subprocess.Popen(
        small(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The run that nothing befell: its folder and what it prints."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    done = run_python(small(*WORDS, "--out", str(folder))[1:])
    return folder, numbers(json.loads(done.stdout))


def listed(folder: Path) -> dict[str, str]:
    """Files that a manifest lists as finished, with their checksums."""
    if not (folder / MANIFEST).exists():
        return {}
    return {file.name: file.sha256 for chunk in read_manifest(folder).chunks for file in chunk.files}


def kill_and_resume(folder: Path, kills: int, whole: tuple[Path, dict[str, Any]], seed: int) -> None:
    """Kill a run at random moments, go on each time, and compare what comes out."""
    chance = random.Random(seed)
    words = [*WORDS, "--out", str(folder), "--resume"]
    before: dict[str, str] = {}
    killed = 0
    # A third of the kills while the program starts and reads back, the others while chunks are written.
    while killed < kills:
        process = begin(*words)
        if killed % 3:
            count = len(list(folder.glob("*.parquet"))) if folder.exists() else 0
            limit = time.monotonic() + 120
            while process.poll() is None and time.monotonic() < limit:
                if folder.exists() and len(list(folder.glob("*.parquet"))) > count:
                    break
                time.sleep(0.002)
            time.sleep(chance.uniform(0, 0.05))
        else:
            time.sleep(chance.uniform(0, 3))
        process.send_signal(signal.SIGKILL)
        stdout, stderr = process.communicate()
        if process.returncode == 0:
            # It was quicker: from the start again.
            assert numbers(json.loads(stdout)) == whole[1]
            assert content(folder) == content(whole[0])
            for path in folder.iterdir():
                path.unlink()
            before = {}
            continue
        assert (process.returncode, stderr) == (-signal.SIGKILL, "")
        # The numbers come when all is stored; the kill can meet them on their way out.
        assert not stdout or read_manifest(folder).is_complete
        killed += 1
        now = listed(folder)
        # What was finished stays finished, with the same bytes.
        assert before.items() <= now.items()
        before = now
    done = run_python(small(*words)[1:])
    assert numbers(json.loads(done.stdout)) == whole[1]
    assert content(folder) == content(whole[0])


def test_kills_at_random_moments(tmp_path: Path, whole: tuple[Path, dict[str, Any]]) -> None:
    kill_and_resume(tmp_path / "run", 4, whole, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
def test_many_kills_at_random_moments(seed: int, tmp_path: Path, whole: tuple[Path, dict[str, Any]]) -> None:
    kill_and_resume(tmp_path / "run", 15, whole, seed)


def test_ctrl_c_and_the_command_that_it_names(tmp_path: Path, whole: tuple[Path, dict[str, Any]]) -> None:
    folder = tmp_path / "a run"
    process = begin(*WORDS, "--out", str(folder))
    wait_for(folder / "deals-00003.parquet", process)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 130
    assert 0 < json.loads(stdout)["deals"] < DEALS
    assert sorted(path.suffix for path in folder.iterdir() if path.suffix != ".parquet") == [".json"]
    rest = shlex.split(stderr.partition("To go on: ")[2])
    assert rest[:4] == ["carteador", "run", "--resume", str(folder)]
    done = run_python(small(*rest[1:])[1:])
    assert numbers(json.loads(done.stdout)) == whole[1]
    assert content(folder) == content(whole[0])


def test_two_at_once(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "run"
    process = start("run", "canastra", "--deals", "1e9", "--out", str(folder), "--format", "json")
    try:
        wait_for(folder / "deals-00000.parquet", process)
        for words in (
            ("run", "canastra", "--deals", "1e9", "--out", str(folder)),
            ("run", "canastra", "--deals", "1e9", "--out", str(folder), "--resume"),
            ("run", "--resume", str(folder)),
        ):
            done = command(*words, "--quiet")
            assert (done.status, done.stdout) == (1, "")
            assert done.stderr.startswith(f"carteador: '{folder}' is in use by process {process.pid} on ")
            assert done.stderr.count("\n") == 1
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()
    assert (folder / LOCK).exists()
    # The dead hold nothing; the folder is whole as far as it goes.
    found = command("verify", str(folder), "--quiet")
    assert found.status == 1
    assert all(" not there" in line or "not in the manifest" in line for line in found.stdout.splitlines()[:-1])


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 300 kB; where none can be had, the test is left out."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=300k", "none", str(place)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("only root can mount a small disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_keeps_what_was_finished(small_disk: Path, whole: tuple[Path, dict[str, Any]]) -> None:
    folder = small_disk / "run"
    words = [*WORDS, "--out", str(folder)]
    done = run_python(small(*words)[1:], check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"carteador: No space left on device ({folder}/")
    assert done.stderr.count("\n") == 1
    assert not list(folder.glob("*.partial"))
    finished = listed(folder)
    assert finished.items() <= listed(whole[0]).items()
    again = run_python(small(*words, "--resume")[1:], check=False)
    assert (again.returncode, again.stdout) == (1, "")
    assert finished.items() <= listed(folder).items()
    subprocess.run(["mount", "-o", "remount,size=100m", str(small_disk)], check=True)
    verified = carteador("verify", str(folder), check=False)
    assert "not what was written" not in verified.stdout
    assert "is missing" not in verified.stdout
    done = run_python(small(*words, "--resume")[1:])
    assert numbers(json.loads(done.stdout)) == whole[1]
    assert content(folder) == content(whole[0])


def test_a_limit_on_files_keeps_what_was_finished(tmp_path: Path, whole: tuple[Path, dict[str, Any]]) -> None:
    """The same where nobody can mount anything: the manifest grows past what a file may have."""
    folder, most = tmp_path / "run", 40_000
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))\n"
    tiny = SMALL.format(size=50)
    words = [*WORDS, "--out", str(folder)]
    done = run_python(["-c", limit + tiny, *words], check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"carteador: File too large ({folder / MANIFEST})\n"
    assert max(path.stat().st_size for path in folder.glob("*.parquet")) < most
    assert not list(folder.glob("*.partial"))
    finished = listed(folder)
    assert 0 < len(finished) < 2 * DEALS // 50
    again = run_python(["-c", tiny, *words, "--resume"])
    assert numbers(json.loads(again.stdout)) == whole[1]
    assert finished.items() <= listed(folder).items()
    assert read_manifest(folder).is_complete


@pytest.fixture
def read_only(tmp_path: Path, whole: tuple[Path, dict[str, Any]]) -> Iterator[Path]:
    """A folder with half a run in it that nobody may write to."""
    from shutil import copytree

    from tests.sim.folders import forget

    folder = copytree(whole[0], tmp_path / "run")
    forget(folder, *range(20, 50))
    if os.geteuid() != 0:
        folder.chmod(0o500)
        yield folder
        folder.chmod(0o700)
        return
    # For root, rights are no hindrance; a disk that is mounted to be read is.
    for step in (["--bind", str(folder), str(folder)], ["-o", "remount,ro,bind", str(folder)]):
        if subprocess.run(["mount", *step], capture_output=True, check=False).returncode != 0:
            pytest.skip("root that may not mount can write everywhere")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_folder_that_can_only_be_read(read_only: Path, whole: tuple[Path, dict[str, Any]], command: Command) -> None:
    before = content(read_only)
    for words in (
        [*WORDS, "--out", str(read_only)],
        [*WORDS, "--out", str(read_only), "--resume"],
        ["run", "--resume", str(read_only), "--quiet"],
        ["merge", str(whole[0]), "--out", str(read_only / "merged")],
    ):
        done = run_python(small(*words)[1:], check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(("carteador: Read-only file system (", "carteador: Permission denied ("))
        assert str(read_only) in done.stderr
        assert done.stderr.count("\n") == 1
    found = command("verify", str(read_only), "--quiet")
    assert found.status == 1
    assert "deals 8,000 to 19,999 are not there" in found.stdout
    assert content(read_only) == before


def test_a_second_ctrl_c_leaves_a_folder_that_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ["run", "canastra", "--deals", "200_000", "--seed", "3", "--out", str(folder), "--format", "json"]
    process = start(*words)
    wait_for(folder / "deals-00000.parquet", process)
    process.send_signal(signal.SIGINT)
    read_until(process, "Stopping")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    resumed = carteador("run", "--resume", str(folder), "--format", "json", "--quiet")
    plain = carteador("run", "canastra", "--deals", "200_000", "--seed", "3", "--format", "json", "--quiet")
    assert numbers(json.loads(resumed.stdout)) == numbers(json.loads(plain.stdout))
    assert read_manifest(folder).is_complete
