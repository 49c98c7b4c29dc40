"""What went wrong in a deal that a policy file broke off: the line, the answer, the article, the deal.

Compiled code says that something failed, not where. So the deal is played once more, interpreted, in a process of its
own, where every question and every answer can be noted.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from sim.errors import KernelError
from sim.games import Setup
from sim.own.adapter import where_text
from sim.paths import import_path

INTERPRETED_SECONDS = 120
"""Seconds in which a deal is played interpreted, or given up."""


class OwnPolicyFailure(KernelError):
    """A policy file broke off a deal.

    The message is made when it is asked for, since that takes a second or two, and of several failures at the same time
    only the first one is told.

    Parameters
    ----------
    setup, job
        Of the deal that failed, `job` of dtype `kernels.spec.JOB`.
    error
        What the compiled code raised.
    where, command
        The deal in words, and the command that shows it; empty where there is none.
    """

    def __init__(self, setup: Setup, job: Any, error: Exception, where: str, command: str) -> None:
        super().__init__()
        self.setup = setup
        self.job = job
        self.error = error
        self.where = where
        self.command = command

    def __str__(self) -> str:
        return self.text(with_command=True)

    def __reduce__(self) -> tuple[Any, ...]:
        # To another process it goes with its message made.
        return KernelError, (str(self),)

    def text(self, *, with_command: bool) -> str:
        """Return the message, with or without the command that shows the deal."""
        ending = f". Reproduce: {self.command}" if with_command and self.command else ""
        return f"{self._what}{ending}"

    @cached_property
    def found(self) -> dict[str, Any]:
        """What the interpreted deal has shown; empty if nothing."""
        return interpreted(self.setup, self.job)

    @cached_property
    def _what(self) -> str:
        found = self.found
        name = f"{type(self.error).__name__}: {self.error}"
        if not found.get("file"):
            names = ", ".join(own.name for own in self.setup.own_policies)
            more = "; interpreted, the deal goes well" if found.get("finished") else ""
            return f"{self.setup.spec.name} with {names} failed at {self.where}: {name}{more}"
        own = next(own for own in self.setup.own_policies if own.name == found["file"])
        at = f"at {self.where}, turn {found['turn']}, seat {found['seat']}"
        line = where_text(own, found["line"]).replace(own.name, f"{own.name}, {found['question']}", 1)
        if found.get("answer") is None:
            return f"{line}: {found['reason']}, {at}"
        article = f"which breaks {found['article']}" if found["article"] else f"and {found['reason']}"
        return f"{line}: it answers {found['answer']}, {article}, {at}"


def interpreted(setup: Setup, job: Any) -> dict[str, Any]:
    """Play a deal interpreted in a process of its own, and say where it broke off.

    Returns
    -------
    dict
        ``file``, ``question``, ``line``, ``seat``, ``turn``, ``reason``, ``answer`` and ``article`` of a policy file's
        failure; ``finished`` if the deal came to its end; empty if nothing was found in time.
    """
    with _environment() as environment:
        try:
            done = subprocess.run(
                [sys.executable, "-P", "-m", "sim.own.replaying", str(INTERPRETED_SECONDS)],
                input=_request(setup, job),
                capture_output=True,
                env=environment,
                timeout=INTERPRETED_SECONDS,
                check=True,
            )
            found: dict[str, Any] = json.loads(done.stdout)
        except (OSError, ValueError, subprocess.SubprocessError):
            return {}
    return found


def interpreted_trace(setup: Setup, job: Any, seconds: int) -> str:
    """Play a deal interpreted in a process of its own, and say where it stands after so many seconds.

    Returns
    -------
    str
        The lines of a traceback, the innermost call first; nothing if the deal came to its end.
    """
    with _environment() as environment:
        try:
            done = subprocess.run(
                [sys.executable, "-P", "-m", "sim.own.replaying", str(seconds)],
                input=_request(setup, job),
                capture_output=True,
                env=environment,
                timeout=seconds + INTERPRETED_SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            return ""
    return done.stderr.decode(errors="replace")


def _request(setup: Setup, job: Any) -> bytes:
    options = dict(setup.options)
    return pickle.dumps((setup.spec.name, options, setup.policies, setup.seed, setup.placing, job.tobytes()))


@contextmanager
def _environment() -> Iterator[dict[str, str]]:
    """Make the environment of a process that interprets the kernels."""
    with tempfile.TemporaryDirectory(prefix="carteador-") as folder:
        yield {
            **os.environ,
            "NUMBA_DISABLE_JIT": "1",
            "CARTEADOR_CACHE_DIR": folder,
            "PYTHONPATH": import_path(),
        }
