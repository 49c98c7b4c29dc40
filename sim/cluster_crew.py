"""The workers of a cluster: who is there, and who may play a run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TimedOut
from dataclasses import dataclass
from typing import Any

import msgspec

from sim.batch import compiling_text
from sim.cluster_messages import Introduction, MessageError, RunOrder, read_answer
from sim.cluster_worker import introduce, versions
from sim.errors import ClusterError, error_text
from sim.numbers import counted

LOOK_SECONDS = 1.0
"""How often it is looked who is there."""

PATIENCE = 60.0
"""Seconds for which a run waits for a worker while there is none."""

INTRODUCTION_SECONDS = 60.0
"""Seconds that workers have to say what they are."""

NAMED = 3
"""Most workers that a line names."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker that may play the run."""

    threads: int
    introduction: Introduction


class Crew:
    """Workers of a cluster, and which of them may play a run.

    Parameters
    ----------
    client
        A `distributed.Client`.
    order
        What is to be played.
    announce
        Receives a line for each thing that is worth knowing of them; None for silence.

    Attributes
    ----------
    usable
        Workers that are there and may play the run, by address.
    refused
        Why others may not, by address.
    seen
        Every worker that ever was usable.
    """

    def __init__(self, client: Any, order: RunOrder, announce: Callable[[str], None] | None) -> None:
        self.usable: dict[str, Worker] = {}
        self.refused: dict[str, str] = {}
        self.seen: dict[str, Worker] = {}
        self.threads_at_most = 0
        self._client = client
        self._order = order
        self._content = msgspec.json.encode(order)
        self._announce = announce
        self._present: set[str] = set()
        self._noted: set[str] = set()
        self._looked_at = 0.0
        self._alone_since = time.monotonic()

    @property
    def threads(self) -> int:
        """Threads of the workers that may play the run."""
        return sum(worker.threads for worker in self.usable.values())

    @property
    def only(self) -> list[str] | None:
        """Addresses to which chunks must be confined; None if whoever is there may play them."""
        return None if self._present <= self.usable.keys() else sorted(self.usable)

    def gather(self) -> None:
        """Wait for the first worker that may play the run.

        Raises
        ------
        ClusterError
            If there is none for `PATIENCE` seconds, or all that are there are refused.
        """
        self.look(at_once=True)
        if not self._present and self._announce is not None:
            self._announce("Waiting for workers: the cluster has none yet.")
        while not self.usable:
            if self._present and self._present <= self.refused.keys():
                raise ClusterError(f"no worker of the cluster can play this run: {self._refusals_text()}")
            time.sleep(0.1)
            self.look()

    def look(self, *, at_once: bool = False) -> bool:
        """See who is there, if it is time to, and ask those who are new; returns whether anything changed.

        Raises
        ------
        ClusterError
            If nobody who may play the run was there for `PATIENCE` seconds, or the scheduler is gone.
        """
        now = time.monotonic()
        if not at_once and now - self._looked_at < LOOK_SECONDS:
            return False
        found = self._workers()
        new = found.keys() - self.usable.keys() - self.refused.keys()
        gone = self.usable.keys() - found.keys()
        for address in gone:
            del self.usable[address]
        self._present = set(found)
        if new:
            self._ask({address: found[address] for address in new})
        self._looked_at = time.monotonic()
        self.threads_at_most = max(self.threads_at_most, self.threads)
        if self.usable:
            self._alone_since = self._looked_at
        elif self._looked_at - self._alone_since > PATIENCE:
            raise ClusterError(self._alone_text())
        return bool(new or gone)

    def refuse(self, address: str, why: str) -> None:
        """Give a worker no more chunks."""
        self.usable.pop(address, None)
        if address not in self.refused:
            self.refused[address] = why
            self._present.add(address)
            self._note(f"carteador: worker {address} plays nothing of this run: {why}")

    def _workers(self) -> dict[str, int]:
        """Threads of everybody who is there, by address."""
        try:
            found: Mapping[str, Any] = self._client.scheduler_info()["workers"]
        except Exception as error:
            raise ClusterError(f"the scheduler of the cluster is gone ({error_text(error)})") from None
        return {address: int(worker["nthreads"]) for address, worker in found.items()}

    def _ask(self, new: Mapping[str, int]) -> None:
        refusals: dict[str, list[str]] = {}
        waiting = []
        for address, answer in self._answers(new).items():
            if isinstance(answer, OSError):
                # It went away; if it is there again next time, it is asked again.
                continue
            introduction = _introduction(answer)
            if introduction.refusal:
                self.refused[address] = introduction.refusal
                refusals.setdefault(introduction.refusal, []).append(address)
                continue
            worker = Worker(new[address], introduction)
            self.usable[address] = self.seen[address] = worker
            if not introduction.is_compiled:
                waiting.append(introduction.host)
            self._note_versions(address, introduction)
        for why, addresses in refusals.items():
            plural = len(addresses) > 1
            what = f"workers {_listed(addresses)} play" if plural else f"worker {addresses[0]} plays"
            self._note(f"carteador: {what} nothing of this run: {why}")
        if waiting:
            self._note(f"{compiling_text(self._order.game, elsewhere=True)} ({_listed(sorted(set(waiting)))})")

    def _answers(self, new: Mapping[str, int]) -> dict[str, Any]:
        """What workers answer, by address: bytes or an exception."""
        asked: Future[dict[str, Any]] = Future()

        def ask() -> None:
            try:
                asked.set_result(self._client.run(introduce, self._content, workers=list(new), on_error="return"))
            except BaseException as error:
                asked.set_exception(error)

        threading.Thread(target=ask, daemon=True, name="carteador-introductions").start()
        try:
            return asked.result(INTRODUCTION_SECONDS)
        except TimedOut:
            raise ClusterError(
                f"{counted(len(new), 'worker')} of the cluster did not say within {INTRODUCTION_SECONDS:.0f} s what "
                f"they are: {_listed(sorted(new))}"
            ) from None
        except Exception as error:
            raise ClusterError(f"the workers of the cluster cannot be asked: {error_text(error)}") from None

    def _note(self, line: str) -> None:
        if line not in self._noted and self._announce is not None:
            self._noted.add(line)
            self._announce(line)

    def _note_versions(self, address: str, introduction: Introduction) -> None:
        here = versions()
        there = introduction.versions
        other = [name for name, text in here.items() if _minor(there.get(name, "")) != _minor(text)]
        if not other:
            return
        texts = ", ".join(f"{name} {there.get(name, '')} ({here[name]} here)" for name in other)
        key = f"versions {texts}"
        if key in self._noted:
            return
        self._noted.add(key)
        files = self._order.folder is not None and "polars" in other
        end = "; the bytes of the files do" if files else ""
        self._note(f"carteador: worker {address} has {texts}. The rows do not depend on that{end}.")

    def _alone_text(self) -> str:
        waited = f"none that could play this run came within {PATIENCE:.0f} s"
        if self.seen:
            return f"all workers of the cluster are gone, and {waited}"
        return f"the cluster has no workers: {waited}" if not self.refused else f"{waited}: {self._refusals_text()}"

    def _refusals_text(self) -> str:
        by_reason: dict[str, list[str]] = {}
        for address, why in self.refused.items():
            by_reason.setdefault(why, []).append(address)
        return "; ".join(f"{_listed(sorted(addresses))}: {why}" for why, addresses in by_reason.items())


def _introduction(answer: object) -> Introduction:
    """Read what a worker answered; what is no answer is a refusal."""
    try:
        if isinstance(answer, bytes):
            introduction: Introduction = read_answer(answer, Introduction)
            return introduction
        refusal = f"it has no carteador, or another version: {error_text(answer)}"
    except MessageError as error:
        refusal = f"it has another version of carteador: {error}"
    return Introduction(refusal, "", {}, "", True)


def _minor(text: str) -> tuple[str, ...]:
    """First two numbers of a version."""
    return tuple(text.split(".")[:2])


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - NAMED
    return ", ".join(every[:NAMED]) + (f" and {more} more" if more > 0 else "")
