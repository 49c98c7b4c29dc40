"""A command line run in this process: quick, and its output at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kernels.registry import spec
from kernels.spec import Parameter, Policy
from sim.cli import run_command


@dataclass(frozen=True)
class Done:
    """How a command ended and what it wrote."""

    status: int
    stdout: str
    stderr: str


def tuned_policy(game: str) -> tuple[Policy, Parameter]:
    """The first policy of a game that has parameters, and the first of them."""
    policy = next(policy for policy in spec(game).policies if policy.parameters)
    return policy, policy.parameters[0]


Command = Callable[..., Done]


@pytest.fixture
def command(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run ``carteador`` with these words, in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def run(*words: str) -> Done:
        status = run_command(words)
        written = capfdbinary.readouterr()
        return Done(status, written.out.decode(), written.err.decode())

    return run
