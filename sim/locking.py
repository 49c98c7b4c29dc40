"""One process at a time in a run's folder.

The lock belongs to the operating system, which takes it back when the process ends, however it ends: what is left of
one that was killed holds nobody up. Its file says who holds it.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from sim.errors import BusyError

LOCK = "run.lock"
_LOCKED_BYTE = 1 << 30
"""Where Windows locks: beyond the text, which it would otherwise keep from whoever wants to read it."""


class Holder(msgspec.Struct):
    """Who holds a lock: process, computer, since when."""

    process: int
    computer: str
    since: str

    @property
    def text(self) -> str:
        """As ``process 4711 on gauss, since 2024-05-01 12:00:00``."""
        return f"process {self.process} on {self.computer}, since {self.since}"


class FolderLock:
    """The lock of a folder, from the moment it is made until `release`.

    Where a file system knows no locks there is none, and two processes can be at work; as every file is written beside
    and renamed, and the same run has the same bytes, they do double work and nothing worse.

    Raises
    ------
    BusyError
        If another process holds it, or another run of this one; the message says who.
    OSError
        If the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK
        self._file: IO[bytes] | None = self._acquire()

    def release(self) -> None:
        """Give the lock back and take its file away."""
        file, self._file = self._file, None
        if file is None:
            return
        # Before it is given back: whoever waits for this file then sees that it is no longer the folder's.
        with suppress(OSError):
            self.path.unlink()
        file.close()
        with suppress(OSError):
            # Windows removes no file that is open.
            if sys.platform == "win32":
                self.path.unlink()

    def _acquire(self) -> IO[bytes]:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        while True:
            file = os.fdopen(os.open(self.path, flags, 0o644), "r+b", buffering=0)
            try:
                if not _lock(file):
                    raise BusyError(
                        f"{str(self.path.parent)!r} is in use by {_holder_text(file)}. Two runs cannot write one folder"
                    )
                if self._is_in_place(file):
                    self._sign(file)
                    return file
            except BaseException:
                file.close()
                raise
            # The one who held it took its file away in between.
            file.close()

    def _is_in_place(self, file: IO[bytes]) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), self.path.stat())
        except OSError:
            return False

    @staticmethod
    def _sign(file: IO[bytes]) -> None:
        holder = Holder(os.getpid(), platform.node() or "this computer", time.strftime("%Y-%m-%d %H:%M:%S"))
        # A disk without room for the name is no reason to go without the lock.
        with suppress(OSError):
            file.truncate(0)
            file.write(msgspec.json.encode(holder) + b"\n")


def _holder_text(file: IO[bytes]) -> str:
    try:
        file.seek(0)
        return msgspec.json.decode(file.read(1000), type=Holder).text
    except (OSError, msgspec.DecodeError):
        return "another process"


@contextmanager
def alone(path: Path, longest: float) -> Iterator[None]:
    """Have the block to itself among all processes that use the same file, or none where there are no locks.

    Parameters
    ----------
    path
        Made if it is not there, and left there.
    longest
        Seconds after which the wait for another process ends, and the block begins nevertheless.
    """
    try:
        file: IO[bytes] | None = path.open("ab", buffering=0)
    except OSError:
        file = None
    try:
        end = time.monotonic() + longest
        while file is not None and not _lock(file) and time.monotonic() < end:
            time.sleep(0.05)
        yield
    finally:
        if file is not None:
            file.close()


def _lock(file: IO[bytes]) -> bool:
    """Lock an open file; returns whether it could be had."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(_LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            file.seek(0)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Windows says so of a lock that is held; elsewhere this file system has none.
        return sys.platform != "win32"
    return True
