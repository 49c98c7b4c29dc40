"""Chunks on a Dask cluster: sent out, counted where they are played, and taken back in order.

Whatever becomes of workers, a chunk is played as often as it takes and counted once.
"""

from __future__ import annotations

import math
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from sim import batch, sources
from sim.batch import Chunk
from sim.cluster_crew import Crew
from sim.cluster_messages import Answer, ChunkOrder, MessageError, RunOrder, read_answer
from sim.cluster_results import Expected, failure_of
from sim.cluster_worker import play_chunk
from sim.errors import ClusterError, error_text
from sim.games import Setup
from sim.manifest import DEALS, MATCHES, StoredChunk
from sim.own.stored import stored_policies
from sim.playing import Played, largest_chunk
from sim.store import PARTIAL, remove_partial, whole_file

TURN = 0.2
"""Seconds for which nothing but answers is waited for."""

CHUNK_SECONDS = 2.0
"""How long a chunk should take on a worker, where its size is free."""

HANDLING_SHARE = 0.25
"""Part of the time that taking answers may take: with many workers chunks become longer."""

FIRST_SIZE = {DEALS: 5_000, MATCHES: 200}
"""Units in a chunk before it is known how long they take."""

MOST_AT_ONCE = {DEALS: 1_000_000, MATCHES: 50_000}
LIVES = 2
"""How often a chunk may end the workers that Dask gives it, one after the other: others may have been to blame once."""

ATTEMPTS = 4
UNREADABLE = "deserialization of the task graph"
"""What Dask says of a scheduler that cannot find the function that is to be called."""

Reading = Callable[[Chunk], "tuple[int, Played] | None"]


class ClusterPool:
    """Pool of the threads of a cluster's workers.

    Parameters
    ----------
    client
        A `distributed.Client`.
    setup, unit
        What is played.
    folder
        Folder of the run, to which workers write; None for none.
    read
        Takes a chunk from the folder if it is there already; None where nothing is.
    is_part
        Whether a chunk is to be written.
    keep_rows
        Whether rows are to be sent back.
    announce
        Receives a line for what is worth knowing of the workers.
    """

    def __init__(
        self,
        client: Any,
        setup: Setup,
        unit: str,
        *,
        folder: Path | None,
        read: Reading | None,
        is_part: Callable[[Chunk], bool],
        keep_rows: bool,
        announce: Callable[[str], None] | None,
    ) -> None:
        self._client = client
        self._setup, self._unit = setup, unit
        self._folder = None if folder is None else folder.absolute()
        self._read, self._is_part, self._keep_rows = read, is_part, keep_rows
        self._token = secrets.token_hex(16)
        self._probe = f"probe-{self._token[:8]}{PARTIAL}"
        self._order = self._run_order()
        self._content = msgspec.json.encode(self._order)
        self._crew = Crew(client, self._order, announce)
        self._expected = Expected(setup, unit, self._folder, makes_tables=read is not None)
        self._local = None if read is None else ThreadPoolExecutor(batch.default_threads(), "carteador")
        self._open: dict[int, _Pending] = {}
        self._sent: dict[int, _Pending] = {}
        self._parked: list[_Pending] = []
        self._serial = 0
        self._stopping = False
        self._pace = 0.0
        self._handling = self._taken_at = 0.0
        self._news: queue.SimpleQueue[tuple[_Pending, Any] | None] = queue.SimpleQueue()
        self._events: queue.SimpleQueue[tuple[_Pending, Any, object]] = queue.SimpleQueue()
        self.bytes_received = 0
        self.answers = 0

    def _run_order(self) -> RunOrder:
        game = self._setup.spec.name
        return RunOrder(
            game=game,
            seed=self._setup.seed,
            options=dict(self._setup.options),
            policies=self._setup.policy_texts,
            unit=self._unit,
            kernels=sources.same_rows(game),
            counting=sources.counting_fingerprint(game),
            folder=None if self._folder is None else str(self._folder),
            probe=self._probe,
            token=self._token,
            policy_files=stored_policies(self._setup),
        )

    def __enter__(self) -> ClusterPool:
        """Wait for workers that may play the run.

        Raises
        ------
        ClusterError
            If there are none.
        """
        if self._folder is not None:
            with whole_file(self._folder / self._probe) as file:
                file.write(self._token.encode())
        try:
            self._crew.gather()
        except BaseException:
            self._take_probe_away()
            raise
        threading.Thread(target=self._gather, daemon=True, name="carteador-answers").start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Give up what is left, and leave nothing beside the run in its folder."""
        self._news.put(None)
        if self._local is not None:
            self._local.shutdown(wait=False, cancel_futures=True)
        self._take_probe_away()

    def _take_probe_away(self) -> None:
        # What workers left that were killed goes with it.
        if self._folder is not None:
            with suppress(OSError):
                remove_partial(self._folder)

    @property
    def threads(self) -> int:
        """Most threads that workers had together so far."""
        return max(1, self._crew.threads_at_most)

    def made(self) -> dict[str, Any]:
        """What the provenance says of the workers: how many there were, and their processors."""
        workers = self._crew.seen.values()
        cpus = sorted({worker.introduction.cpu for worker in workers})
        return {"cpu": "; ".join(cpus), "threads": self.threads, "workers": len(workers)}

    @property
    def handling(self) -> float:
        """Seconds that taking an answer and adding it up takes here, on average; 0 before the first."""
        return self._handling / self.answers if self.answers else 0.0

    # How large chunks are.

    def piece_size(self, count: int) -> int:
        """Units in a chunk, where so many are left."""
        free = max(1, self._crew.threads)
        fair = -(-count // (2 * free))
        most = largest_chunk(self._unit) if self._keep_rows else MOST_AT_ONCE[self._unit]
        smallest = batch.SMALLEST_CHUNK if self._unit == DEALS and not self._setup.is_searched else 1
        return min(most, max(smallest, min(fair, self._suited)))

    @property
    def _suited(self) -> int:
        """Units that take a worker as long as they should."""
        if not self._pace:
            is_searched = self._setup.is_searched
            return largest_chunk(self._unit, searched=True) if is_searched else FIRST_SIZE[self._unit]
        seconds = max(CHUNK_SECONDS, self.handling * self._crew.threads / HANDLING_SHARE)
        return math.ceil(self._pace * seconds)

    def pieces(self, first: int, count: int) -> Iterator[Chunk]:
        """Cut units `first` to ``first + count - 1`` into chunks, each as large as suits when it is begun."""
        index = done = 0
        while done < count:
            size = min(count - done, self.piece_size(count - done))
            yield Chunk(index, first + done, size)
            index, done = index + 1, done + size

    # What `sim.batch.run_chunks` asks for.

    def has_room(self, in_flight: int) -> bool:
        """Whether another chunk may be begun: workers find two for each thread, and few wait to be taken."""
        if self._taken_at:
            # What was taken was added up since.
            self._handling += time.perf_counter() - self._taken_at
            self._taken_at = 0.0
        most = 2 * max(1, self._crew.threads)
        unfinished = len(self._sent) + len(self._parked)
        return unfinished < most and in_flight < 3 * most

    def begin(self, chunk: Chunk) -> _Pending:
        """Have a chunk played, or read back if it is there."""
        order = self._chunk_order(chunk, self._is_part(chunk))
        return self._begin(order, is_read=self._read is not None)

    def wait(self, pending: Any) -> bool:
        """Wait a while for a chunk; returns whether it is done.

        Raises
        ------
        ClusterError
            If the cluster is lost.
        """
        if pending.is_done:
            return True
        self._attend()
        return bool(pending.is_done)

    def end(self, *, wait: bool) -> None:
        """Give up whatever is not done; workers finish what they are at, and nobody takes it."""
        self._give_up([pending for pending in self._open.values() if not pending.is_done])
        self._open.clear()
        self._stopping = False

    def play_part(self, chunk: Chunk) -> StoredChunk:
        """Play a chunk for its files alone: its rows were counted before.

        Raises
        ------
        ClusterError
            If the cluster is lost.
        """
        pending = self._begin(self._chunk_order(chunk, True), is_read=False)
        while not self.wait(pending):
            pass
        stored = pending.result()[1].stored
        assert stored is not None
        return stored

    def _chunk_order(self, chunk: Chunk, writes: bool) -> ChunkOrder:
        piece = largest_chunk(self._unit)
        return ChunkOrder(chunk.index, chunk.first, chunk.count, piece, writes, self._keep_rows)

    def _begin(self, order: ChunkOrder, *, is_read: bool) -> _Pending:
        self._serial += 1
        pending = _Pending(self, self._serial, order)
        self._open[pending.serial] = pending
        if is_read and self._local is not None and self._read is not None:
            pending.local = self._local.submit(self._read, order.chunk)
            pending.local.add_done_callback(lambda future: self._events.put((pending, future, None)))
        else:
            self._send(pending)
        return pending

    # Sending and receiving.

    def _send(self, pending: _Pending) -> None:
        only = self._crew.only
        if only is not None and not only:
            self._parked.append(pending)
            return
        self._serial += 1
        try:
            future = self._client.submit(
                play_chunk,
                self._content,
                msgspec.json.encode(pending.order),
                key=(f"carteador-{self._token[:8]}", self._serial),
                pure=False,
                workers=only,
                retries=0,
            )
        except Exception as error:
            raise ClusterError(f"the scheduler of the cluster is gone ({error_text(error)})") from None
        pending.only, pending.future = only, future
        self._sent[pending.serial] = pending
        future.add_done_callback(lambda done: self._news.put((pending, done)))

    def _gather(self) -> None:
        """Fetch answers as they come, many at once; in a thread of its own, which a lost worker may hold up."""
        while True:
            news = [self._news.get()]
            while not self._news.empty():
                news.append(self._news.get())
            if None in news:
                return
            known = [pair for pair in news if pair is not None]
            finished = [pair for pair in known if pair[1].status == "finished"]
            contents: list[object] = []
            if len(finished) > 1:
                with suppress(Exception):
                    contents = list(self._client.gather([future for _, future in finished]))
            if len(contents) == len(finished):
                for (pending, future), content in zip(finished, contents, strict=True):
                    self._events.put((pending, future, content))
                known = [pair for pair in known if pair not in finished]
            for pending, future in known:
                try:
                    self._events.put((pending, future, future.result()))
                except BaseException as error:
                    self._events.put((pending, future, error))

    def _attend(self) -> None:
        """Take what comes within a short while, and look after the workers."""
        try:
            event = self._events.get(timeout=TURN)
            while True:
                self._take(*event)
                event = self._events.get_nowait()
        except queue.Empty:
            pass
        if self._crew.look():
            lost = [pending for pending in self._sent.values() if pending.only is not None]
            usable = self._crew.usable.keys()
            for pending in [pending for pending in lost if not usable & set(pending.only or ())]:
                self._send_again(pending)
        if self._parked and self._crew.usable:
            parked, self._parked = self._parked, []
            for pending in parked:
                self._send(pending)

    def _take(self, pending: _Pending, future: Any, content: object) -> None:
        if pending.serial not in self._open or (future is not pending.future and future is not pending.local):
            # Given up, or sent again since.
            return
        if pending.local is not None:
            self._take_read(pending, pending.local)
            return
        start = time.perf_counter()
        self._sent.pop(pending.serial, None)
        if isinstance(content, bytes):
            pending.future = None
            self._take_answer(pending, content)
        else:
            self._take_failure(pending, content)
        self._handling += time.perf_counter() - start

    def _take_read(self, pending: _Pending, future: Future[tuple[int, Played] | None]) -> None:
        pending.local = None
        if future.cancelled():
            return
        error = future.exception()
        found = None if error is not None else future.result()
        if error is None and found is None:
            self._send(pending)
        else:
            pending.outcome = error or found

    def _take_answer(self, pending: _Pending, content: bytes) -> None:
        self.bytes_received += len(content)
        self.answers += 1
        try:
            answer: Answer = read_answer(content, Answer)
            if answer.refusal:
                self._crew.refuse(answer.worker, answer.refusal)
                self._crew.look(at_once=True)
                self._send(pending)
            elif answer.failure is not None and answer.failure.kind == "other":
                self._try_again(pending, f"on worker {answer.worker}: {answer.failure.text}")
            elif answer.failure is not None:
                pending.outcome = failure_of(answer.failure, self._range(pending), answer.worker)
            else:
                pending.outcome = answer.deals, self._expected.played(pending.order, answer)
                self._note_pace(pending.order, answer)
        except MessageError as error:
            raise ClusterError(f"a worker of the cluster sent what is no answer: {error}") from None

    def _take_failure(self, pending: _Pending, error: object) -> None:
        from distributed import KilledWorker

        if getattr(self._client, "status", "") != "running":
            raise ClusterError("the scheduler of the cluster is gone")
        if not isinstance(error, KilledWorker):
            text = error_text(error)
            hint = "; the scheduler needs carteador as well, in the same version" if UNREADABLE in text else ""
            self._try_again(pending, f"on the cluster: {text}{hint}")
            return
        pending.killed += 1
        if pending.killed >= LIVES:
            pending.outcome = ClusterError(self._killed_text(pending, error))
        else:
            self._send(pending)

    def _try_again(self, pending: _Pending, how: str) -> None:
        """Send a chunk again that failed for a reason that may not be its own."""
        pending.failed += 1
        if pending.failed >= ATTEMPTS:
            pending.outcome = ClusterError(f"{self._range(pending)} failed {how}")
            return
        self._crew.look(at_once=True)
        self._send(pending)

    def _send_again(self, pending: _Pending) -> None:
        self._sent.pop(pending.serial, None)
        future, pending.future = pending.future, None
        self._cancel([future])
        self._send(pending)

    def _note_pace(self, order: ChunkOrder, answer: Answer) -> None:
        if answer.seconds > 0:
            pace = order.count / answer.seconds
            self._pace = pace if not self._pace else 0.8 * self._pace + 0.2 * pace

    def _killed_text(self, pending: _Pending, error: Any) -> str:
        order = pending.order
        deaths = LIVES * (error.allowed_failures + 1)
        command = self._setup.run_command(self._unit, order.first, order.count)
        return (
            f"{self._range(pending)} ended {deaths} workers of the cluster, one after the other, the last one "
            f"{error.last_worker.address}; the logs of the workers say how. Without a cluster: {command}"
        )

    def _range(self, pending: _Pending) -> str:
        order = pending.order
        return f"{self._unit} {order.first:,} to {order.first + order.count - 1:,}"

    # Giving up.

    def stop(self) -> None:
        """Give up every chunk that no worker has begun, and those behind the first of them."""
        if self._stopping:
            return
        self._stopping = True
        try:
            begun = {key for keys in self._client.processing().values() for key in keys}
        except Exception:
            begun = set()
        # What was done by then is no longer being worked on, and its answer is on its way.
        self._attend()
        waiting = list(self._open.values())
        at = next((at for at, pending in enumerate(waiting) if not pending.has_begun(begun)), len(waiting))
        self._give_up([pending for pending in waiting[at:] if not pending.is_done])
        for pending in waiting[at:]:
            pending.is_given_up = True

    def _give_up(self, waiting: list[_Pending]) -> None:
        futures = []
        for pending in waiting:
            pending.is_given_up = True
            self._sent.pop(pending.serial, None)
            if pending.local is not None:
                pending.local.cancel()
            elif pending.future is not None:
                futures.append(pending.future)
        self._parked = [pending for pending in self._parked if not pending.is_given_up]
        self._cancel(futures)

    def _cancel(self, futures: list[Any]) -> None:
        if futures:
            with suppress(Exception):
                self._client.cancel(futures)

    def close_result(self, pending: _Pending) -> None:
        """Forget a chunk whose result was taken."""
        self._open.pop(pending.serial, None)
        self._taken_at = time.perf_counter()


class _Pending:
    """A chunk on its way, with what became of it: deals and result, or an error."""

    def __init__(self, pool: ClusterPool, serial: int, order: ChunkOrder) -> None:
        self.pool = pool
        self.serial = serial
        self.order = order
        self.future: Any = None
        self.local: Future[tuple[int, Played] | None] | None = None
        self.only: list[str] | None = None
        self.outcome: tuple[int, Played] | BaseException | None = None
        self.killed = self.failed = 0
        self.is_given_up = False

    @property
    def is_done(self) -> bool:
        """Whether there is a result or an error."""
        return self.outcome is not None

    def has_begun(self, begun: set[object]) -> bool:
        """Whether it is done or being worked on, where Dask has begun these keys."""
        if self.local is not None:
            return not self.local.cancel()
        if self.is_done or self.future is None:
            return self.is_done
        return self.future.key in begun or self.future.status != "pending"

    def cancel(self) -> bool:
        """Give the chunk up if it has not begun; returns whether that was so."""
        self.pool.stop()
        return self.is_given_up

    def result(self) -> tuple[int, Played]:
        """Deals and what is left of the chunk."""
        self.pool.close_result(self)
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        assert self.outcome is not None
        return self.outcome
