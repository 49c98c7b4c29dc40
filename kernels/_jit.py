"""The one decorator of compiled code, and the cache folder that a stale kernel cannot reach.

Numba's cache does not notice an edit in another file that a kernel calls, nor a changed flag. Therefore
the folder's name is a fingerprint of all kernel sources, the versions and the flags, set before the first
kernel is imported: whatever changes, another folder is used.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

KERNELS = Path(__file__).resolve().parent
TEXT_MODULES = {
    "advice.py",
    "decoding.py",
    "events.py",
    "narration.py",
    "own.py",
    "position.py",
    "questions.py",
    "telling.py",
}
"""Modules that no kernel calls, so that they decide nothing: they read and tell what kernels wrote, tell what is asked,
or compile what is not the program's (`sim.own.adapter` names that code after what decides it)."""

KEEP_FOLDERS = 8
KEEP_SECONDS = 14 * 24 * 3600

# Freshly compiled code runs slower than the same code from the cache at Numba's default level.
os.environ.setdefault("NUMBA_OPT", "max")

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def fingerprint() -> str:
    """Hash of everything that decides the machine code: kernel sources, versions and Numba's flags."""
    digest = hashlib.sha256()
    for path in sorted(KERNELS.rglob("*.py")):
        if path.name in TEXT_MODULES:
            continue
        digest.update(path.relative_to(KERNELS).as_posix().encode())
        digest.update(path.read_bytes())
    for package in ("numba", "llvmlite", "numpy"):
        digest.update(f"{package} {version(package)}".encode())
    digest.update(sys.version.encode())
    flags = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_") and item[0] != "NUMBA_CACHE_DIR")
    digest.update(repr(flags).encode())
    return digest.hexdigest()[:16]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _discard_old(root: Path, keep: Path) -> None:
    """Remove folders of past sources that nothing has used for long."""
    others = [folder for folder in root.glob("kernels-*") if folder != keep]
    others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in others[KEEP_FOLDERS:]:
        if time.time() - folder.stat().st_mtime > KEEP_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def cache_root() -> Path:
    """Folder that is to hold the cache folders: the user's cache, or what ``CARTEADOR_CACHE_DIR`` names."""
    from platformdirs import user_cache_path

    named = os.environ.get("CARTEADOR_CACHE_DIR")
    root = Path(named) if named else user_cache_path("carteador", appauthor=False)
    # Without a home folder the ~ stays, and is left to fail as a folder that cannot be written.
    return Path(os.path.expanduser(root))  # noqa: PTH111


@cache
def cache_folder() -> Path:
    """Folder of the compiled kernels: in the cache root, or a temporary one where that cannot be written."""
    root = cache_root()
    folder = root / f"kernels-{fingerprint()}"
    if root.parts[:1] == ("~",) or not _is_writable(folder):
        temporary = tempfile.mkdtemp(prefix="carteador-")
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        return Path(temporary)
    try:
        os.utime(folder)
        _discard_old(root, folder)
    except OSError:
        # Another process may be tidying the same folder.
        pass
    return folder


def is_cache_kept() -> bool:
    """Whether the compiled kernels outlast this process: not where the cache root cannot be written."""
    return cache_folder().parent == cache_root()


def is_compiled(game: str) -> bool:
    """Whether this machine's cache holds the kernels of `game`, as last marked."""
    return (cache_folder() / f"{game}.compiled").exists()


def mark_compiled(game: str) -> None:
    """Note that the kernels of `game` are compiled and cached."""
    (cache_folder() / f"{game}.compiled").touch()


os.environ["NUMBA_CACHE_DIR"] = str(cache_folder())

import numba  # noqa: E402  (the cache folder must be set before)
import numpy as np  # noqa: E402
from numba.core.caching import IndexDataCacheFile  # noqa: E402

numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"]
_OWN_NUMBERS = int.from_bytes(os.urandom(5), "big")
_numbered = IndexDataCacheFile._data_name


def _data_name(file: IndexDataCacheFile, number: int) -> str:
    """Name of the file of a compiled function, such as no other process gives.

    Numba counts them for each function. Processes that compile one function for the types of two games at once would
    write two codes under one name, and whoever reads them later may run the wrong one.
    """
    name: str = _numbered(file, _OWN_NUMBERS + number)
    return name


IndexDataCacheFile._data_name = _data_name

if numba.config.DISABLE_JIT:
    # Interpreted, the wrap-around of 64-bit hashes is no accident either.
    np.seterr(over="ignore")


# No C callback is ever made of a kernel; leaving its wrapper out saves a tenth of the first compilation.
FLAGS = {"cache": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def kernel(function: Function) -> Function:
    """Compile `function` without the interpreter lock, cached on disk.

    With ``NUMBA_DISABLE_JIT=1`` the function runs as it stands, with the same results.
    """
    compiled: Function = numba.njit(**FLAGS)(function)
    return compiled


def lean(function: Function) -> Function:
    """Like `kernel`, for code that makes no array and no slice of one: nobody counts then who holds an array.

    Where a play takes a tenth of a microsecond, those counts are a quarter of it.
    """
    compiled: Function = numba.njit(**FLAGS, _nrt=False)(function)
    return compiled


def inlined(function: Function) -> Function:
    """Like `kernel`, and written into its caller before that is compiled.

    For the few outer levels of the loop: LLVM optimises a function's whole call tree again at every level,
    so each level less saves seconds of the first compilation.
    """
    compiled: Function = numba.njit(**FLAGS, inline="always")(function)
    return compiled


def hot(function: Function) -> Function:
    """Like `kernel`, and expanded in its callers by LLVM.

    For small functions of the innermost loop, which LLVM would leave as calls.
    """
    compiled: Function = numba.njit(**FLAGS, forceinline=True)(function)
    return compiled


def entry(function: Function) -> Function:
    """Like `kernel`, for the function that Python calls with the arrays: nothing in it counts references to them.

    Counting is an atomic operation wherever an array is passed on, which took a third of the time of a fast game.
    Nothing below an entry may allocate an array.
    """
    compiled: Function = numba.njit(**FLAGS, _nrt=False)(function)
    return compiled
