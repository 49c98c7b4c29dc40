"""Paths as people write them."""

from __future__ import annotations

import os
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
