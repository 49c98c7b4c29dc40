"""Many deals: numbered chunks over a thread pool, finished in order, the same for any threads and chunk size."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from kernels.spec import JOB
from sim import uncached
from sim.errors import KernelError
from sim.games import Setup
from sim.locking import alone
from sim.specialise import made, plain_state, play_module
from sim.streams import tell

STORED_CHUNK = 50_000
"""Deals in a chunk of a run that is written to disk."""

SMALLEST_CHUNK, LARGEST_CHUNK = 500, 20_000
SEARCHED_CHUNK, STORED_SEARCHED_CHUNK = 5, 10
"""Most deals in a chunk, and deals in one of a run that is written to disk, where somebody searches: a deal takes as
long as thousands of others, and Ctrl-C waits for the chunks in flight."""

MAX_THREADS = 1024
UNPLAYED = 0

LONGEST_COMPILATION = 300.0
"""Seconds for which a process waits while another one compiles the same kernels."""

Records = npt.NDArray[Any]
Result = TypeVar("Result")
Got = TypeVar("Got", covariant=True)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Units (deals or matches) `first` to ``first + count - 1``, the piece of work number `index`."""

    index: int
    first: int
    count: int


@dataclass(slots=True)
class Progress:
    """What is done, for whoever watches.

    Attributes
    ----------
    total, done
        Units (deals or matches) asked for and finished.
    deals
        Deals played, which in matches is not the number of units.
    started, seconds
        Clock (`time.perf_counter`) at the start, and wall time of the finished work.
    stopped
        Whether an interrupt ended the work early. The finished units are then the first `done`.
    expected
        Units that will do, of a run that stops at a precision; None where that cannot be told, or is `total`.
    precision
        How far such a run is, in words.
    read, read_deals, read_seconds
        Units and deals that were there before and were read back, and the wall time until the last of them that nothing
        was played before.
    """

    total: int
    done: int = 0
    deals: int = 0
    started: float = 0.0
    seconds: float = 0.0
    stopped: bool = False
    expected: int | None = None
    precision: str = ""
    read: int = 0
    read_deals: int = 0
    read_seconds: float = 0.0

    @property
    def played_deals(self) -> int:
        """Deals that were played now, not read back."""
        return self.deals - self.read_deals

    @property
    def deals_per_second(self) -> float:
        """Deals played per second of wall time so far; 0 if all were read back."""
        seconds = self.seconds - self.read_seconds
        return self.played_deals / seconds if seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Wall time that the rest will take at the pace so far; None before the first chunk is played."""
        end = self.total if self.expected is None else max(self.expected, self.done)
        played = self.done - self.read
        return (self.seconds - self.read_seconds) / played * (end - self.done) if played else None

    def note_read(self, units: int, deals: int) -> None:
        """Note that the next units were not played but read back."""
        if self.done == self.read:
            self.read_seconds = time.perf_counter() - self.started
        self.read += units
        self.read_deals += deals


def default_threads() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def chunk_size_for(
    count: int, threads: int, largest: int = LARGEST_CHUNK, *, each: int = 8, searched: bool = False
) -> int:
    """Return a chunk size that keeps all threads busy and the progress moving, and is worth its fixed cost.

    Parameters
    ----------
    each
        Chunks for each thread, where none is too small or too large then.
    searched
        Whether somebody searches (`sim.games.Setup.is_searched`).
    """
    smallest, largest = (1, min(largest, SEARCHED_CHUNK)) if searched else (SMALLEST_CHUNK, largest)
    return min(largest, max(smallest, -(-count // (threads * each))))


def chunks(first: int, count: int, size: int) -> Iterator[Chunk]:
    """Cut units `first` to ``first + count - 1`` into chunks of `size`, the last one smaller."""
    for index, offset in enumerate(range(0, count, size)):
        yield Chunk(index, first + offset, min(size, count - offset))


def first_compile(setup: Setup, announce: Callable[[str], None] | None = None, *, notes: bool = False) -> None:
    """Load the game's kernels; if this machine has never compiled them, say what is happening.

    Parameters
    ----------
    announce
        Receives the line that says so; None for silence.
    notes
        Whether they are to note what is asked (`sim.specialise.made`).
    """
    from kernels import _jit

    game = what = setup.spec.name
    if setup.parts or notes:
        what += f"-{made(game, setup.parts, notes=notes).key}"

    def kernels() -> None:
        play(setup, np.zeros(0, JOB), notes=notes)

    if _jit.is_compiled(what):
        uncached.load(kernels, announce)
        return
    if announce is not None:
        announce(compiling_text(game))
    # Processes that start together would all compile the same; so one does, and the others find it done.
    with alone(_jit.cache_folder() / f"{what}.lock", LONGEST_COMPILATION):
        if uncached.load(kernels, announce):
            # Where not even that fits on the disk, the next process says again that it compiles.
            with suppress(OSError):
                _jit.mark_compiled(what)


def compiling_text(game: str, *, elsewhere: bool = False) -> str:
    """Line that says that a game's kernels are being compiled, and how often that happens.

    Parameters
    ----------
    elsewhere
        Whether that is on workers of a cluster.
    """
    if elsewhere:
        return f"Compiling the kernels of {game} on workers: this happens once on each machine and takes some seconds"
    from kernels import _jit

    what = f"Compiling the kernels of {game}: this"
    if _jit.is_cache_kept():
        return f"{what} happens once and takes some seconds."
    return (
        f"{what} takes some seconds, each time anew because the cache folder {str(_jit.cache_root())!r} cannot be "
        "written. CARTEADOR_CACHE_DIR names another."
    )


def deal_jobs(setup: Setup, first: int, count: int) -> Records:
    """Jobs of the deals `first` to ``first + count - 1`` outside a match: deal i is dealt by seat i mod seats."""
    jobs = np.zeros(count, JOB)
    jobs["deal"] = np.uint64(first) + np.arange(count, dtype=np.uint64)
    jobs["match"] = -1
    jobs["dealer"] = (jobs["deal"] % np.uint64(setup.seats)).astype(np.int8)
    return jobs


def play(setup: Setup, jobs: Records, *, notes: bool = False) -> Records:
    """Play jobs in this thread.

    Parameters
    ----------
    notes
        As for `first_compile`.

    Returns
    -------
    numpy.ndarray
        A record a job, in the game's `record_layout`.

    Raises
    ------
    KernelError
        If a kernel breaks an invariant.
    """
    from kernels.trace import EVENT

    records = np.zeros(len(jobs), setup.spec.record_layout)
    run_kernel(setup, jobs, np.zeros(0, EVENT), records, notes=notes)
    return records


def run_kernel(
    setup: Setup, jobs: Records, log: Records, records: Records, state: Any = None, *, notes: bool = False
) -> int:
    """Call the game's kernel; the one place where Python enters compiled code.

    Parameters
    ----------
    notes
        Whether it notes what is asked (`sim.specialise.made`).

    Returns
    -------
    int
        Rows written to `log`.

    Raises
    ------
    KernelError
        If a kernel breaks an invariant: the message names the deal and the command that shows it.
    """
    kernel = play_module(setup.spec.name, setup.parts, notes=notes)
    if state is None:
        state = kernel.new_state()
    if setup.placing is not None:
        setup.placing.fill(plain_state(state))
    try:
        # Interpreted, the 64-bit hashes wrap around as they do compiled.
        with np.errstate(over="ignore"):
            rows: int = kernel.batch(
                np.uint64(setup.seed),
                jobs,
                setup.encoded_options,
                setup.policy_numbers,
                setup.parameters,
                state,
                log,
                records,
            )
    except Exception as error:
        raise _kernel_error(setup, jobs, records, error) from error
    return rows


def _kernel_error(setup: Setup, jobs: Records, records: Records, error: Exception) -> Exception:
    unplayed = np.flatnonzero(records["status"] == UNPLAYED)
    game = setup.spec.name
    if len(unplayed) == 0:
        if setup.own_policies:
            from sim.own.adapter import compile_failure

            failure = compile_failure(setup.own_policies, error)
            if failure is not None:
                return failure
        return KernelError(f"the kernels of {game} failed: {error}")
    job = jobs[unplayed[0]]
    command = ""
    if setup.placing is not None:
        where = f"deal {job['deal']} of seed {setup.seed}, with the cards given"
    elif job["match"] < 0:
        where = f"deal {job['deal']} of seed {setup.seed}"
        command = setup.command("show", "--deal", job["deal"])
    else:
        where = f"match {job['match']}, hand {job['deal']} of seed {setup.seed}"
        command = setup.command("show", "--match", job["match"], "--hand", job["deal"])
    if setup.own_policies:
        from sim.own.failing import OwnPolicyFailure

        return OwnPolicyFailure(setup, jobs[unplayed[0] : unplayed[0] + 1].copy(), error, where, command)
    ending = f". Reproduce: {command}" if command else ""
    return KernelError(f"the kernels of {game} failed at {where}: {error}{ending}")


@contextmanager
def interruptible(announce: Callable[[str], None] | None = None) -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into an event; the second interrupts as usual.

    Outside the main thread signals cannot be caught, and the event is never set.

    Parameters
    ----------
    announce
        Receives a line at the first Ctrl-C.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    previous = signal.getsignal(signal.SIGINT)

    def handle(_number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        if announce is not None:
            announce("Stopping: the chunks in flight are finished. Ctrl-C again gives them up.")

    signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, previous)


class Pending(Protocol[Got]):
    """A chunk that is being worked on, or waits for it."""

    def cancel(self) -> bool:
        """Give the chunk up if it has not begun; returns whether that was so."""

    def result(self) -> tuple[int, Got]:
        """Number of deals played, and the result; waits for it."""


class Pool(Protocol[Result]):
    """Where chunks are worked on."""

    def has_room(self, in_flight: int) -> bool:
        """Whether another chunk may be begun beside so many whose results were not taken yet."""

    def begin(self, chunk: Chunk) -> Pending[Result]:
        """Have a chunk worked on."""

    def wait(self, pending: Pending[Result]) -> bool:
        """Wait until a chunk is done; returns False if it is not, and there may be room for more."""

    def end(self, *, wait: bool) -> None:
        """Give up what has not begun, and wait for what has, if so wished."""


class Threads(Generic[Result]):
    """Pool of threads of this process, in each of which `work` is done."""

    def __init__(self, work: Callable[[Chunk], tuple[int, Result]], threads: int) -> None:
        self._work = work
        self._most = 2 * threads
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="carteador")

    def has_room(self, in_flight: int) -> bool:
        """Whether fewer than two chunks for each thread are in flight."""
        return in_flight < self._most

    def begin(self, chunk: Chunk) -> Future[tuple[int, Result]]:
        """Have a chunk worked on in the next thread that is free."""
        return self._threads.submit(self._work, chunk)

    def wait(self, pending: Pending[Result]) -> bool:
        """Leave the waiting to the chunk's result: chunks take about the same time, and there are enough."""
        return True

    def end(self, *, wait: bool) -> None:
        """Give up what has not begun."""
        self._threads.shutdown(wait=wait, cancel_futures=True)


def run_chunks(
    work: Callable[[Chunk], tuple[int, Result]],
    first: int,
    count: int,
    *,
    threads: int,
    chunk_size: int,
    finish: Callable[[Chunk, Result], None],
    watch: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    pieces: Iterator[Chunk] | None = None,
    progress: Progress | None = None,
    pool: Pool[Result] | None = None,
) -> Progress:
    """Do the work of every chunk on a thread pool and hand over the results in order.

    A bounded number of chunks is in flight, so memory does not grow with `count`. Once `stop` is set no chunk
    is begun; those in flight are finished, so what is done is always the first so many units.

    Parameters
    ----------
    work
        Called in a worker thread; returns the number of deals played and a result.
    first, count
        Units `first` to ``first + count - 1``.
    finish
        Called in this thread with each result, in the order of the chunks.
    watch
        Called in this thread after each chunk.
    pieces
        The chunks, where they are not all of `chunk_size`.
    progress
        Of the work that went before, which this goes on with.
    pool
        Where the work is done, if not in threads of this process; `work` is not called then.
    """
    progress = progress or Progress(total=count, started=time.perf_counter())
    end = progress.done + count
    waiting = pieces or chunks(first, count, chunk_size)
    in_flight: deque[tuple[Chunk, Pending[Result]]] = deque()
    pool = pool or Threads(work, threads)
    try:
        while True:
            while pool.has_room(len(in_flight)) and not (stop and stop.is_set()):
                chunk = next(waiting, None)
                if chunk is None:
                    break
                in_flight.append((chunk, pool.begin(chunk)))
            if not in_flight:
                break
            chunk, pending = in_flight[0]
            # Chunks begin in order, so behind one that has not begun none has.
            if stop and stop.is_set() and pending.cancel():
                break
            if not pool.wait(pending):
                continue
            in_flight.popleft()
            deals, result = pending.result()
            finish(chunk, result)
            progress.done += chunk.count
            progress.deals += deals
            progress.seconds = time.perf_counter() - progress.started
            if watch is not None:
                watch(progress)
    except Exception:
        # What the other threads are at is finished, so that nothing goes on behind the error.
        pool.end(wait=True)
        raise
    except BaseException:
        pool.end(wait=False)
        raise
    pool.end(wait=True)
    progress.stopped = progress.done < end
    return progress


def play_deals(
    setup: Setup,
    first: int,
    count: int,
    *,
    threads: int | None = None,
    chunk_size: int | None = None,
) -> Records:
    """Play deals `first` to ``first + count - 1`` and keep every record.

    Parameters
    ----------
    threads
        Worker threads; all processors if None.
    chunk_size
        Deals in a chunk; the records do not depend on it.

    Returns
    -------
    numpy.ndarray
        Shape (count,), in the game's `record_layout`, in the order of the deals.
    """
    workers = threads or default_threads()
    first_compile(setup)
    records = np.zeros(count, setup.spec.record_layout)

    def work(chunk: Chunk) -> tuple[int, Records]:
        return chunk.count, play(setup, deal_jobs(setup, chunk.first, chunk.count))

    def finish(chunk: Chunk, played: Records) -> None:
        records[chunk.first - first : chunk.first - first + chunk.count] = played

    run_chunks(
        work,
        first,
        count,
        threads=workers,
        chunk_size=chunk_size or chunk_size_for(count, workers, searched=setup.is_searched),
        finish=finish,
    )
    return records


def announcer(*, quiet: bool = False) -> Callable[[str], None] | None:
    """Return what tells the notes of a command on stderr, the same one once; None for silence."""
    if quiet:
        return None
    told: set[str] = set()

    def announce(line: str) -> None:
        if line not in told:
            told.add(line)
            tell(line)

    return announce
