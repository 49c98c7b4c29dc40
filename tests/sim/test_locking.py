"""One process at a time in a folder, and none held up by one that was killed."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import sim
from sim.batch import Progress
from sim.errors import BusyError
from sim.locking import LOCK, FolderLock, alone
from tests.sim import folders
from tests.trees import ROOT

HOLD = """
import sys, time
from pathlib import Path
from sim.locking import FolderLock
lock = FolderLock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


@contextmanager
def holder(folder: Path) -> Iterator[int]:
    """Let a process hold the lock of a folder, and kill it at the end of the block; yields its number."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process.pid
        finally:
            process.kill()


def test_a_lock_is_held_once_and_leaves_no_file(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    with pytest.raises(BusyError, match=rf"in use by process {os.getpid()} on {platform.node()}, since \d{{4}}-"):
        FolderLock(tmp_path)
    lock.release()
    lock.release()
    assert list(tmp_path.iterdir()) == []
    FolderLock(tmp_path).release()


def test_another_process_is_named_and_its_death_frees_the_folder(tmp_path: Path) -> None:
    with holder(tmp_path) as number:
        with pytest.raises(BusyError, match=f"in use by process {number} on "):
            FolderLock(tmp_path)
        with pytest.raises(BusyError, match=f"in use by process {number} on "):
            folders.store(tmp_path, deals=5)
    assert (tmp_path / LOCK).exists()
    folders.store(tmp_path, deals=5)
    assert not (tmp_path / LOCK).exists()


def test_a_file_of_the_lock_alone_holds_nobody_up(tmp_path: Path) -> None:
    for content in (b"", b"\xff\x00", b'{"process": 1, "computer": "x", "since": "y"}'):
        (tmp_path / LOCK).write_bytes(content)
        FolderLock(tmp_path).release()


def test_who_holds_it_is_unknown_where_the_file_does_not_say(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    (tmp_path / LOCK).write_bytes(b"?")
    with pytest.raises(BusyError, match="in use by another process"):
        FolderLock(tmp_path)
    lock.release()


def test_a_run_holds_its_folder_until_it_ends_however_it_ends(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    def second(_progress: Progress) -> None:
        with pytest.raises(BusyError, match="Two runs cannot write one folder"):
            folders.store(folder)
        with pytest.raises(BusyError, match="Two runs cannot write one folder"):
            sim.resume(folder)

    folders.store(folder, progress=second)
    expected = folders.content(folder)
    assert LOCK not in expected

    def fail(_progress: Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        folders.store(folder, progress=fail)
    assert not (folder / LOCK).exists()
    sim.resume(folder)
    assert folders.content(folder) == expected


def test_many_that_want_a_folder_get_it_one_after_the_other(tmp_path: Path) -> None:
    inside = 0
    most = 0
    had = 0
    guard = threading.Lock()

    def want() -> None:
        nonlocal inside, most, had
        for _ in range(200):
            try:
                lock = FolderLock(tmp_path)
            except BusyError:
                continue
            with guard:
                inside += 1
                most = max(most, inside)
                had += 1
            with guard:
                inside -= 1
            lock.release()

    threads = [threading.Thread(target=want) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert had > 0
    assert most == 1


ALONE = """
import sys, time
from pathlib import Path
from sim.locking import alone
with alone(Path(sys.argv[1]), 60):
    print("in", flush=True)
    time.sleep(0.2)
    print("out", flush=True)
"""


def test_a_block_is_run_by_one_process_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "block.lock"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with (tmp_path / "log").open("ab") as log:
        words = [sys.executable, "-c", ALONE, str(path)]
        started = [subprocess.Popen(words, stdout=log, env=environment) for _ in range(3)]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert (tmp_path / "log").read_text().split() == ["in", "out"] * 3


def test_nobody_waits_for_ever_for_a_block_nor_where_no_file_can_be(tmp_path: Path) -> None:
    entered = []
    with alone(tmp_path / "block.lock", 60):
        start = time.monotonic()
        with alone(tmp_path / "block.lock", 0.3):
            entered.append(time.monotonic() - start)
        with alone(tmp_path / "nowhere" / "block.lock", 60):
            entered.append(0.0)
    assert len(entered) == 2
    assert entered[0] >= 0.3
