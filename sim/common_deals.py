"""The same deals at several tables: what comparisons, tournaments and sweeps are made of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from sim import batch
from sim.batch import Chunk, Progress, Records
from sim.games import Setup
from sim.provenance import provenance

if TYPE_CHECKING:
    from analysis.seating import Seating

Sums = TypeVar("Sums")


@dataclass
class Playing:
    """How many deals are played, and how.

    Attributes
    ----------
    first, count
        Deals `first` to ``first + count - 1``, each at every table.
    threads, chunk_size
        They change the speed, never a number; None for what suits the machine.
    watch
        Called after each chunk.
    stopping
        Makes a context that yields an event which ends the work early, or None.
    """

    first: int
    count: int
    threads: int | None = None
    chunk_size: int | None = None
    announce: Callable[[str], None] | None = None
    watch: Callable[[Progress], None] | None = None
    stopping: Callable[[], AbstractContextManager[threading.Event | None]] = nullcontext

    @property
    def workers(self) -> int:
        """Worker threads."""
        return self.threads or batch.default_threads()


def seating_of(setup: Setup) -> Seating:
    """Who sits where, for `analysis`."""
    from analysis.seating import Seating

    return Seating.of(setup.spec, dict(setup.options), setup.policy_texts)


def chunk_size_for(count: int, threads: int, setups: Sequence[Setup]) -> int:
    """Return a chunk size that keeps progress moving and Ctrl-C quick, a deal being played at every table."""
    searched = any(setup.is_searched for setup in setups)
    return batch.chunk_size_for(count, threads, largest_chunk(setups), searched=searched)


def largest_chunk(setups: Sequence[Setup]) -> int:
    """Return the most deals that are played at once, each at every table."""
    if any(setup.is_searched for setup in setups):
        return max(1, batch.SEARCHED_CHUNK // len(setups))
    return max(batch.SMALLEST_CHUNK, batch.LARGEST_CHUNK // len(setups))


def together(setups: Sequence[Setup]) -> list[Setup]:
    """Let tables whose policies are not all built in share one play module: each would be compiled by itself."""
    beside = tuple({choice: None for setup in setups for choice in setup.policies if choice.is_made})
    return [
        replace(setup, beside=beside) if any(choice.is_made for choice in setup.policies) else setup for setup in setups
    ]


def sum_over_deals(
    setups: Sequence[Setup],
    count_deals: Callable[[Sequence[Records]], Sums],
    add: Callable[[Chunk, Sums], None],
    playing: Playing,
) -> Progress:
    """Play every deal at every table and hand over the sums of each chunk, in order.

    Parameters
    ----------
    setups
        One a table.
    count_deals
        Called in a worker thread with the records of each table, the same deals in the same order.
    add
        Called in this thread with what it returned.

    Raises
    ------
    KernelError
        If a kernel breaks an invariant.
    """
    tables = together(setups)
    for setup in {(setup.spec.name, setup.parts): setup for setup in tables}.values():
        batch.first_compile(setup, playing.announce)

    def work(chunk: Chunk) -> tuple[int, Any]:
        records = [batch.play(setup, batch.deal_jobs(setup, chunk.first, chunk.count)) for setup in tables]
        return chunk.count * len(tables), count_deals(records)

    with playing.stopping() as stop:
        return batch.run_chunks(
            work,
            playing.first,
            playing.count,
            threads=playing.workers,
            chunk_size=playing.chunk_size or chunk_size_for(playing.count, playing.workers, setups),
            finish=add,
            watch=playing.watch,
            stop=stop,
        )


def provenance_of(playing: Playing, progress: Progress) -> dict[str, Any]:
    """Versions, commit, machine, threads, time."""
    return provenance(playing.workers, progress.seconds, progress.deals_per_second)


def check_played(sums: Collection[object]) -> None:
    """Give up where an interrupt came before the first chunk was done.

    Raises
    ------
    KeyboardInterrupt
        If there are no sums.
    """
    if not sums:
        raise KeyboardInterrupt
