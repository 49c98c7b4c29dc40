"""A disk without room for compiled kernels: they are compiled for the process, and it plays on."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels._jit import kernel
from sim import uncached
from sim.errors import KernelError
from tests.cli.test_run import numbers
from tests.trees import run_python


@kernel
def twice(value: Any) -> Any:
    """Twice a number, compiled anew for each type."""
    return value * 2


def test_what_cannot_be_kept_is_compiled_nevertheless(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_signature: object, _compiled: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    files = getattr(twice, "_cache", None)
    if files is None:
        pytest.skip("nothing is compiled")
    monkeypatch.setattr(files, "load_overload", lambda _signature, _context: None)
    monkeypatch.setattr(files, "save_overload", refuse)
    found: list[float] = []

    def kernels() -> None:
        try:
            found.extend(twice(number) for number in (np.int8(3), np.int16(4), np.float32(5)))
        except OSError as error:
            raise KernelError("the kernels failed") from error

    lines: list[str] = []
    assert not uncached.load(kernels, lines.append)
    assert found == [6, 8, 10]
    (line,) = lines
    assert line.startswith("The compiled kernels cannot be kept in ")
    assert "No space left on device" in line
    assert uncached.load(kernels, lines.append)
    assert len(lines) == 1


def test_what_cannot_be_compiled_is_an_error() -> None:
    def kernels() -> None:
        raise KernelError("wrong types")

    with pytest.raises(KernelError, match="wrong types"):
        uncached.load(kernels, None)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_run_with_a_full_cache_folder(tmp_path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
    words = ["-c", limit + "from sim.cli import main; main()", "run", "escopa", "--deals", "200", "--format", "json"]
    environment = {"CARTEADOR_CACHE_DIR": str(tmp_path / "cache")}
    first = run_python(words, environment=environment, timeout=900)
    again = run_python(words, environment=environment, timeout=900)
    for done in (first, again):
        assert f"cannot be kept in '{tmp_path / 'cache'}': File too large" in done.stderr
    plain = run_python(["-c", "from sim.cli import main; main()", *words[2:]])
    assert numbers(json.loads(first.stdout)) == numbers(json.loads(plain.stdout))
