"""``carteador policy check``: a policy file tried in a process of its own, which is ended where it does not end."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from kernels import registry
from sim.errors import UsageError, unknown
from sim.games import PolicyChoice, find_game, parse_policy
from sim.own.adapter import where_text
from sim.own.source import OwnPolicy, game_of, is_file, split_policy
from sim.own.trying import AGAINST, BLIND, COMPILED, LEGAL, SPEED, Request, tables_of
from sim.paths import import_path

SCHEMA = "carteador.policy_check/1"

COMPILE_SECONDS = 1_800
"""Seconds after which a step is given up in which something is compiled."""

ONE_DEAL_SECONDS = 10
"""Seconds of a single deal after which it is looked at as one that never ends."""


@dataclass
class Check:
    """What trying a policy file has shown.

    Attributes
    ----------
    own
        The file.
    results
        By step: whether all is well, and in words what was found.
    speed, against
        Deals a second beside the built-in policies, the first one being its base; and what a deal is worth against
        each of them.
    error
        What ended the try, if something did.
    """

    own: OwnPolicy
    request: Request
    results: dict[str, tuple[bool, str]] = field(default_factory=dict)
    speed: list[dict[str, Any]] = field(default_factory=list)
    against: list[dict[str, Any]] = field(default_factory=list)
    error: str = ""

    @property
    def is_well(self) -> bool:
        """Whether the file is a policy that can be used."""
        return not self.error and all(is_well for is_well, _ in self.results.values())

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "schema": SCHEMA,
            "game": self.own.game,
            "file": self.own.name,
            "sha256": self.own.sha256,
            "policy": self.request.policy,
            "base": self.own.base.name,
            "questions": list(self.own.functions),
            "deals": self.request.deals,
            "seed": self.request.seed,
            "steps": [{"step": step, "well": is_well, "text": text} for step, (is_well, text) in self.results.items()],
            "speed": self.speed,
            "against": self.against,
            "error": self.error or None,
            "well": self.is_well,
        }


def prepare(text: str, game: str | None, where: str = "FILE") -> PolicyChoice:
    """Read the policy file that is to be checked, and say which game it is for.

    Raises
    ------
    UsageError
        If it cannot be read, says no game while none is given, or is no policy of that game.
    """
    name = split_policy(text)[0]
    if not is_file(name):
        raise UsageError(f"{where}: {text!r} is no policy file; its name ends in .py")
    named = game if game is not None else game_of(name, where)
    if named is None:
        raise UsageError(
            f'{where}: {name!r} does not say which game it is for; write GAME = "..." in it, or name one of '
            f"{', '.join(registry.GAMES)} after the file"
        )
    if named not in registry.GAMES:
        raise unknown("", "game", named, registry.GAMES)
    return parse_policy(find_game(named), text, where)


def check(
    choice: PolicyChoice,
    *,
    deals: int,
    seed: int,
    threads: int,
    time_limit: float,
    announce: Callable[[str], None] | None = None,
) -> Check:
    """Try a policy file: compile it, and play with it.

    Parameters
    ----------
    choice
        From `prepare`.
    deals
        Deals in which it has to play by the rules.
    time_limit
        Seconds without a sign of life after which it is held for one that does not end. A sign comes about every
        second, so half a minute is much.
    announce
        Receives a line before each step.
    """
    own = choice.own
    assert own is not None
    request = Request(own.game, choice.text, deals, seed, threads)
    found = Check(own, request)
    at: dict[str, int] = {}
    step = COMPILED
    with _Child(request) as child:
        while True:
            try:
                line = child.line(COMPILE_SECONDS if step in (COMPILED, BLIND, SPEED) else time_limit)
            except TimeoutError:
                found.error = _endless(found, step, at, time_limit)
                break
            if line is None:
                if AGAINST not in found.results and not found.error:
                    found.error = f"the process that tried it ended at {step}: {child.last_words()}"
                break
            step = line.get("begin", step)
            _take(found, line, step)
            if "at" in line:
                at = line
            if "begin" in line and announce is not None:
                announce(f"{own.name}: {step} ...")
    if found.error:
        found.results.setdefault(step, (False, found.error))
    return found


def _take(found: Check, line: dict[str, Any], step: str) -> None:
    """Note what a line says."""
    if "error" in line:
        found.error = line["error"]
        found.results[step] = (False, line["error"])
    elif "row" in line:
        found.against.append(line["row"])
    elif "done" in line:
        if "rows" in line:
            found.speed = line["rows"]
        found.results[line["done"]] = (not line.get("failed", False), line.get("text", ""))


class _Child:
    """The process that tries."""

    def __init__(self, request: Request) -> None:
        self.request = request

    def __enter__(self) -> _Child:
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "sim.own.trying"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env={**os.environ, "PYTHONPATH": import_path()},
        )
        assert self.process.stdin is not None
        # Left open: when it closes, however this process ends, that one ends too.
        self.process.stdin.write(json.dumps(asdict(self.request)).encode() + b"\n")
        self.process.stdin.flush()
        self.lines: queue.Queue[bytes | None] = queue.Queue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def line(self, seconds: float) -> dict[str, Any] | None:
        """Return the next line, None after the last.

        Raises
        ------
        TimeoutError
            If none comes in time.
        """
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        return None if line is None else json.loads(line)

    def last_words(self) -> str:
        """Return the last line that the process has complained with."""
        self.process.wait()
        self.errors.seek(0)
        words = self.errors.read().decode(errors="replace").strip().splitlines()
        return words[-1] if words else f"exit status {self.process.returncode}"


def _endless(found: Check, step: str, at: dict[str, int], time_limit: float) -> str:
    """Say which deal does not end, and where in the file."""
    name = found.own.name
    if step == COMPILED:
        return f"{name} was not compiled within {COMPILE_SECONDS:,} s"
    if step != LEGAL or not at:
        return f"{name}: a deal of the step {step} did not end within {time_limit:g} s"
    setup = tables_of(found.request)[at["at"]]
    for deal in _until_silent(replace(found.request, table=at["at"], first=at["first"], deals=at["count"])):
        command = setup.command("show", "--deal", deal)
        where = _line_that_does_not_end(setup, deal) or name
        return f"{where}: it does not come to an end, in deal {deal} of seed {setup.seed}. That deal: {command}"
    return f"{name}: deals {at['first']} to {at['first'] + at['count'] - 1} did not end within {time_limit:g} s"


def _until_silent(request: Request) -> Iterator[int]:
    """Yield the deal, if there is one, that does not end within `ONE_DEAL_SECONDS`."""
    deal = -1
    with _Child(request) as child:
        while True:
            try:
                line = child.line(ONE_DEAL_SECONDS if deal >= 0 else COMPILE_SECONDS)
            except TimeoutError:
                yield deal
                return
            if line is None:
                return
            deal = line.get("deal", deal)


def _line_that_does_not_end(setup: Any, deal: int) -> str:
    """Return the line at which an interpreted deal stands after a while; nothing if it is not found."""
    from kernels.own import PREFIX
    from sim.batch import deal_jobs
    from sim.own.failing import interpreted_trace

    trace = interpreted_trace(setup, deal_jobs(setup, deal, 1), 2 * ONE_DEAL_SECONDS)
    found = re.search(rf'File "[^"]*{PREFIX}\w+\.py", line (\d+)', trace)
    if found is None or not setup.own_policies:
        return ""
    return where_text(setup.own_policies[0], int(found[1]))
