"""Paths as people write them."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

from sim.errors import UsageError


def read_path(name: str, given: str | os.PathLike[str], allowed: str) -> Path:
    """Path that a user or a program gave, with a leading ``~`` or ``~user`` expanded.

    Parameters
    ----------
    name, allowed
        What the path is and may be, for the message, as ``--out`` and ``a new or empty folder``.

    Raises
    ------
    UsageError
        If it is empty, can name no file, or begins with a home folder that does not exist.
    """
    text = os.fspath(given)
    if not isinstance(text, str):
        raise UsageError(f"{name}: {given!r} is no text; allowed is {allowed}")
    if not text.strip():
        raise UsageError(f"{name}: the value is empty; allowed is {allowed}")
    if "\0" in text:
        raise UsageError(f"{name}: {text!r} holds a null character; allowed is {allowed}")
    try:
        return Path(text).expanduser()
    except RuntimeError:
        user = Path(text).parts[0]
        raise UsageError(f"{name}: {text!r} cannot be found: {user} is no home folder here") from None


def import_path() -> str:
    """Where this process finds modules, as `PYTHONPATH` of another one."""
    return os.pathsep.join(path for path in sys.path if path)


def read_given(path: Path, limit: int) -> bytes:
    """Content of a file that a command names, whatever it turns out to be.

    A pipe is read to its end, as one of the shell's ``<(...)``; one that nobody writes to is empty, and of a device
    that never ends no more than the limit is read.

    Parameters
    ----------
    limit
        Bytes that it may have.

    Raises
    ------
    OSError
        If there is no such file, it is larger, or the system refuses.
    """
    descriptor = os.open(path, _flags("O_CLOEXEC", "O_NONBLOCK", "O_BINARY"))
    try:
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(descriptor, True)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(limit + 1)
    finally:
        os.close(descriptor)
    if len(content) > limit:
        raise OSError(None, f"it has more than {limit:,} bytes, more than can be meant", str(path))
    return content


def read_inside(folder: Path, name: str, limit: int) -> bytes:
    """Content of a file of a folder that may come from anywhere.

    Parameters
    ----------
    name
        Of a regular file in the folder itself. A link is not followed, and nothing is read of a device or pipe.
    limit
        Bytes that it may have.

    Raises
    ------
    OSError
        If there is no such file, it is larger, or the system refuses.
    """
    path = folder / name
    if path.is_symlink():
        raise OSError(None, "it is a link", str(path))
    descriptor = os.open(path, _flags("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(None, "it is no regular file", str(path))
        if found.st_size > limit:
            raise OSError(None, f"it has {found.st_size:,} bytes, more than can be meant", str(path))
        return file.read(limit + 1)


def _flags(*names: str) -> int:
    """Flags to open a file for reading, of which each system knows its own."""
    return os.O_RDONLY | sum(getattr(os, name, 0) for name in names)
