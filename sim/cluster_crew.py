"""The workers of a cluster: who is there, and who may play a run."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from sim.batch import compiling_text
from sim.cluster_messages import Introduction, MessageError, RunOrder, read_answer
from sim.cluster_worker import introduce, versions
from sim.errors import ClusterError, error_text

LOOK_SECONDS = 1.0
"""How often it is looked who is there."""

PATIENCE = 60.0
"""Seconds for which a run waits for a worker while there is none."""

GATHER_SECONDS = 5.0
"""Seconds for which a run that has a worker waits for what others say of themselves."""

ANSWER_SECONDS = 60.0
"""Seconds for which a worker that was asked what it is counts as one."""

ASKED_TOGETHER = 8
MOST_SILENT = 4
"""How often a worker may fail to say what it is before it is given up."""

MISSING = ("ModuleNotFoundError", "ImportError", "AttributeError")
"""Errors of a worker that does not find what is to be called there; Dask may have put them into others."""

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
        self._asking: dict[str, float] = {}
        self._silent: dict[str, int] = {}
        self._answers: queue.SimpleQueue[list[tuple[str, int, object]]] = queue.SimpleQueue()
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
        """Wait for the first worker that may play the run, and a moment for the others that are there.

        Raises
        ------
        ClusterError
            If there is none for `PATIENCE` seconds, or all that are there are refused.
        """
        self.look(at_once=True)
        if not self._present:
            self._note("Waiting for workers: the cluster has none yet.")
        start = time.monotonic()
        while not self.usable or (self._asking and time.monotonic() - start < GATHER_SECONDS):
            if self._present and self._present <= self.refused.keys():
                raise ClusterError(f"no worker of the cluster can play this run: {self._refusals_text()}")
            time.sleep(0.02)
            self.look()

    def look(self, *, at_once: bool = False) -> bool:
        """See who is there, if it is time to, and ask those who are new; returns whether anything changed.

        Raises
        ------
        ClusterError
            If nobody who may play the run was there for `PATIENCE` seconds, or the scheduler is gone.
        """
        before = set(self.usable)
        now = time.monotonic()
        if at_once or now - self._looked_at >= LOOK_SECONDS:
            self._looked_at = now
            found = self._workers()
            for address in self.usable.keys() - found.keys():
                del self.usable[address]
            self._present = set(found)
            self._ask({name: found[name] for name in found if not self._is_known(name)})
        self._hear()
        self.threads_at_most = max(self.threads_at_most, self.threads)
        if self.usable or any(now - since < ANSWER_SECONDS for since in self._asking.values()):
            self._alone_since = now
        elif now - self._alone_since > PATIENCE:
            raise ClusterError(self._alone_text())
        return before != set(self.usable)

    def _is_known(self, address: str) -> bool:
        return address in self.usable or address in self.refused or address in self._asking

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
            found: Mapping[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        except Exception as error:
            raise ClusterError(f"the scheduler of the cluster is gone ({error_text(error)})") from None
        return {address: int(worker["nthreads"]) for address, worker in found.items()}

    def _ask(self, new: Mapping[str, int]) -> None:
        """Have workers say what they are, some at a time: one that dies over it must not hold up the others."""
        addresses = sorted(new)
        for first in range(0, len(addresses), ASKED_TOGETHER):
            some = {address: new[address] for address in addresses[first : first + ASKED_TOGETHER]}
            self._asking |= dict.fromkeys(some, time.monotonic())
            asking = threading.Thread(target=self._ask_some, args=(some,), daemon=True, name="carteador-introductions")
            asking.start()

    def _ask_some(self, new: Mapping[str, int]) -> None:
        answers: dict[str, Any] = {}
        try:
            answers = self._client.run(introduce, self._content, workers=list(new), on_error="return")
        except Exception as error:
            answers = dict.fromkeys(new, OSError(error_text(error)))
        finally:
            self._answers.put([(address, threads, answers.get(address)) for address, threads in new.items()])

    def _hear(self) -> None:
        """Take what workers said of themselves."""
        refusals: dict[str, list[str]] = {}
        compiling = []
        while not self._answers.empty():
            for address, threads, answer in self._answers.get():
                self._asking.pop(address, None)
                introduction = self._introduction(address, answer)
                if introduction is None or address not in self._present:
                    # It went away; if it is there the next time, it is asked again.
                    continue
                if introduction.refusal:
                    self.refused[address] = introduction.refusal
                    refusals.setdefault(introduction.refusal, []).append(address)
                    continue
                worker = Worker(threads, introduction)
                self.usable[address] = self.seen[address] = worker
                if not introduction.is_compiled:
                    compiling.append(introduction.host)
                self._note_versions(address, introduction)
        for why, addresses in refusals.items():
            what = f"workers {_listed(addresses)} play" if len(addresses) > 1 else f"worker {addresses[0]} plays"
            self._note(f"carteador: {what} nothing of this run: {why}")
        if compiling:
            self._note(f"{compiling_text(self._order.game, elsewhere=True)} ({_listed(sorted(set(compiling)))})")

    def _introduction(self, address: str, answer: object) -> Introduction | None:
        """Read what a worker answered; what is no answer is a refusal, and no word from it is None."""
        if isinstance(answer, bytes):
            try:
                introduction: Introduction = read_answer(answer, Introduction)
                return introduction
            except MessageError as error:
                refusal = f"it has another version of carteador: {error}"
        elif any(name in error_text(answer) for name in MISSING):
            refusal = f"it has no carteador, or another version: {error_text(answer)}"
        else:
            self._silent[address] = self._silent.get(address, 0) + 1
            if self._silent[address] < MOST_SILENT:
                return None
            refusal = f"it does not say what it is ({error_text(answer)})"
        return Introduction(refusal, "", {}, "", True)

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
        gone = "all workers of the cluster are gone" if self.seen else "the cluster has no workers"
        text = f"{gone}: none that could play this run came within {PATIENCE:.0f} s"
        return f"{text} ({self._refusals_text()})" if self.refused else text

    def _refusals_text(self) -> str:
        by_reason: dict[str, list[str]] = {}
        for address, why in self.refused.items():
            by_reason.setdefault(why, []).append(address)
        return "; ".join(f"{_listed(sorted(addresses))}: {why}" for why, addresses in by_reason.items())


def _minor(text: str) -> tuple[str, ...]:
    """First two numbers of a version."""
    return tuple(text.split(".")[:2])


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    more = len(every) - NAMED
    return ", ".join(every[:NAMED]) + (f" and {more} more" if more > 0 else "")
