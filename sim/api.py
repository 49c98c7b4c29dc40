"""The one place that plays, counts and stores a run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim import batch, parts, precision, store
from sim.batch import Chunk, Progress, Records
from sim.errors import ClusterError, DamageError, UsageError
from sim.games import Setup
from sim.manifest import DEALS, MANIFEST, MATCHES, MOST_UNITS, Manifest, Until, new_manifest, read_manifest
from sim.names import Names, in_program
from sim.numbers import MAX_INT64, MAX_UINT64, check_integer
from sim.playing import Played, count_rows, count_stored, largest_chunk, play, summarizers
from sim.provenance import provenance
from sim.shelf import Shelf

if TYPE_CHECKING:
    import polars as pl

    from analysis.precision import Goals, Standing, Target
    from analysis.summary import SummaryRow, Totals
    from sim.cluster_pool import ClusterPool

DEFAULT_DEALS = 100_000
MOST_DEALS = 100_000_000
"""The most that is played until a precision is reached, where the user does not say."""

STORED_MATCH_CHUNK = 5_000


Targets = Callable[["Totals", "Totals | None"], "list[Target]"]
"""Precisions to reach, from the totals of what is counted and those of the deals of a run of matches."""


@dataclass
class Run:
    """A finished (or interrupted) simulation.

    Attributes
    ----------
    setup
        Game, options, policies and seed.
    unit
        ``deals`` or ``matches``: what `first` and `count` number.
    first, count
        The units that were asked for; `progress` says how many are done.
    threads
        Worker threads.
    progress
        What was done and how long it took.
    records, match_records
        Rows as the kernels left them, if they were kept.
    tables
        In their place the tables of all rows, of a run that went on from a folder.
    goals
        The precisions at which the run was to stop, if there were any.
    workers
        What the provenance says of the workers of a cluster, if they played it.
    """

    setup: Setup
    unit: str
    first: int
    count: int
    threads: int
    progress: Progress
    summarizer: Any
    match_summarizer: Any = None
    records: Records | None = None
    match_records: Records | None = None
    tables: parts.Tables | None = None
    confidence: float = 0.95
    goals: Goals | None = None
    workers: dict[str, Any] | None = None

    @cached_property
    def deals(self) -> pl.DataFrame:
        """A row a deal (`analysis.frames.deals_frame`), if rows were kept."""
        return self._tables["deals"]

    @cached_property
    def sides(self) -> pl.DataFrame:
        """A row a deal and side (`analysis.frames.sides_frame`), if rows were kept."""
        return self._tables["sides"]

    @cached_property
    def matches(self) -> pl.DataFrame:
        """A row a match, if matches were played and rows kept."""
        if self.unit != MATCHES:
            raise UsageError("this run played single deals; simulate(..., matches=N) plays matches")
        return self._tables["matches"]

    def summary(self) -> list[SummaryRow]:
        """Statistics with intervals, a row each; of a run that stopped at a precision, with confidence sequences."""
        wanted = None if self.goals is None else self.goals.wanted
        rows: list[SummaryRow] = self.summarizer.rows(self.confidence, wanted)
        return rows

    @property
    def until(self) -> tuple[Standing, ...]:
        """How far each precision is at which the run was to stop; nothing where there were none."""
        return () if self.goals is None else self.goals.standings

    def document(self) -> dict[str, Any]:
        """Everything `summary` says, with what decided the run and where it was made, ready for JSON."""
        from analysis.summary import summary_document

        document: dict[str, Any] = summary_document(
            self.summarizer,
            self.setup.seed,
            self.provenance(),
            matches=self.match_summarizer,
            confidence=self.confidence,
            goals=self.goals,
            first=self.first,
            command=self.setup.run_command(self.unit, self.first, self.progress.done, self.confidence),
        )
        return document

    def provenance(self) -> dict[str, Any]:
        """Versions, commit, machine, threads, time."""
        made = provenance(self.threads, self.progress.seconds, self.progress.deals_per_second)
        return made | (self.workers or {})

    @cached_property
    def _tables(self) -> parts.Tables:
        if self.tables is not None:
            return self.tables
        if self.records is None:
            raise UsageError("the rows of this run were not kept; simulate(..., keep_rows=True) keeps them")
        return parts.tables_of(self.setup, self.records, self.match_records)


@dataclass
class Request:
    """What to play and what to do with it.

    Attributes
    ----------
    unit, first, count
        ``deals`` or ``matches``, and which.
    threads, chunk_size
        They change the speed, never a number; None for what suits the machine.
    keep_rows
        Whether all records are kept in memory.
    out
        Folder to store the rows in.
    resume
        Whether to go on with what the folder holds already.
    until
        Precisions at which to stop; `count` is then the most that is played.
    cluster
        Where chunks are played, if not in this process: what `sim.cluster.connected` takes.
    names
        What errors call the arguments.
    """

    setup: Setup
    unit: str
    first: int
    count: int
    threads: int | None = None
    chunk_size: int | None = None
    keep_rows: bool = False
    out: Path | None = None
    resume: bool = False
    confidence: float = 0.95
    announce: Callable[[str], None] | None = None
    watch: Callable[[Progress], None] | None = None
    stopping: AbstractContextManager[threading.Event | None] = field(default_factory=nullcontext)
    until: Targets | None = None
    cluster: Any = None
    names: Names = in_program

    @property
    def workers(self) -> int:
        """Worker threads."""
        return self.threads or batch.default_threads()

    @property
    def size(self) -> int:
        """Units in a chunk. Stored runs have one size, so that their parts are the same on any machine."""
        if self.chunk_size:
            return self.chunk_size
        if self.out is not None:
            return stored_chunk_size(self.unit, searched=self.setup.is_searched)
        return self._spread(self.count, each=8)

    def piece_size(self, count: int) -> int:
        """Units in a piece of so many, from one look at the precision to the next."""
        # Few pieces, for looks are many, and the threads wait for each other there.
        return self.chunk_size or self._spread(count, each=2)

    def _spread(self, count: int, each: int) -> int:
        searched = self.setup.is_searched
        largest = largest_chunk(self.unit, searched=searched)
        return batch.chunk_size_for(count, self.workers, largest, each=each, searched=searched)


def stored_chunk_size(unit: str, *, searched: bool = False) -> int:
    """Units in a chunk of a run that is written to disk, unless another size is asked for."""
    if searched:
        return batch.STORED_SEARCHED_CHUNK if unit == DEALS else 1
    return batch.STORED_CHUNK if unit == DEALS else STORED_MATCH_CHUNK


def execute(request: Request) -> Run:
    """Play what is requested, count it, and store it if a folder is given.

    Raises
    ------
    UsageError
        If the folder holds something else, or a precision cannot be had.
    BusyError
        If another process writes to the folder.
    KernelError
        If a kernel breaks an invariant.
    ClusterError
        If a cluster cannot be reached or was lost; what was done before is its `run`.
    """
    with ExitStack() as closing:
        return _Execution(request, closing).run()


class _Execution:
    """A run while it is played."""

    def __init__(self, request: Request, closing: ExitStack) -> None:
        setup = request.setup
        if request.resume:
            _adopt_chunk_size(request)
        self.request = request
        self.summarizer, self.match_summarizer = summarizers(setup, request.unit)
        self.goals = _goals(request, self.summarizer, self.match_summarizer)
        manifest = _manifest(request, self.goals)
        client = None
        if request.cluster is not None:
            from sim import cluster

            if manifest is not None and request.out is not None:
                store.check_folder(request.out, manifest, request.names("out"))
            client = closing.enter_context(cluster.connected(request.cluster, request.names("cluster")))
        self.folder = None
        if manifest is not None and request.out is not None:
            self.folder = store.Store(request.out, manifest, request.names("out"), request.workers)
            closing.callback(self.folder.release)
        self.shelf = None
        goes_on = self.folder is not None and request.resume and bool(self.folder.stored)
        if client is None or goes_on:
            batch.first_compile(setup, request.announce)
        if self.folder is not None and request.resume:
            reader = parts.PartReader(self.folder.folder, setup, request.unit)
            self.shelf = Shelf(self.folder, reader, request.announce)
        self.pool = None if client is None else closing.enter_context(self._cluster_pool(client))
        play_part = None if self.pool is None else self.pool.play_part
        self.tray = None
        if self.goals is not None and self.folder is not None:
            self.tray = precision.Tray(self.folder, self.shelf, play_part)
        self.kept: list[Played] = []
        self.progress = Progress(total=request.count, started=time.perf_counter())

    def _cluster_pool(self, client: Any) -> ClusterPool:
        from sim.cluster_pool import ClusterPool

        request = self.request
        return ClusterPool(
            client,
            request.setup,
            request.unit,
            folder=request.out,
            read=None if self.shelf is None else self.read,
            is_part=self.is_part,
            keep_rows=request.keep_rows,
            announce=request.announce,
        )

    def run(self) -> Run:
        """Play, count and store."""
        folder, progress = self.folder, self.progress
        try:
            with self.request.stopping as stop:
                self._play(stop)
            if self.tray is not None:
                self.tray.end(progress.done, progress.stopped)
        except BaseException as error:
            if folder is not None:
                # What is wrong may keep the manifest from being written too; it is the first error that tells.
                with suppress(OSError):
                    folder.flush()
            if isinstance(error, ClusterError) and progress.done:
                progress.stopped = True
                error.run = self._result()
            raise
        run = self._result()
        if folder is not None:
            folder.close(run.provenance())
        return run

    def _result(self) -> Run:
        request = self.request
        run = Run(
            request.setup,
            request.unit,
            request.first,
            request.count,
            request.workers if self.pool is None else self.pool.threads,
            self.progress,
            self.summarizer,
            self.match_summarizer,
            confidence=request.confidence,
            goals=self.goals,
            workers=None if self.pool is None else self.pool.made(),
        )
        if self.kept and self.shelf is not None:
            run.tables = parts.joined([played.tables for played in self.kept if played.tables is not None])
        elif self.kept:
            run.records = np.concatenate([played.records for played in self.kept if played.records is not None])
            matches = [played.matches for played in self.kept if played.matches is not None]
            run.match_records = np.concatenate(matches) if matches else None
        return run

    def _play(self, stop: threading.Event | None) -> None:
        request, pool, progress = self.request, self.pool, self.progress

        def stretch(first: int, count: int, chunk_size: int, **others: Any) -> Progress:
            return batch.run_chunks(
                self.work,
                first,
                count,
                threads=request.workers,
                chunk_size=chunk_size,
                finish=self.finish,
                watch=request.watch,
                stop=stop,
                progress=progress,
                pool=pool,
                **others,
            )

        is_free = pool is not None and request.chunk_size is None
        if self.goals is not None:
            piece_size = pool.piece_size if pool is not None and is_free else request.piece_size
            part_size = None if request.out is None else request.size
            precision.play(stretch, self.goals, request.first, request.setup.seats, piece_size, part_size, progress)
        elif pool is not None and is_free and request.out is None:
            stretch(request.first, request.count, 1, pieces=pool.pieces(request.first, request.count))
        else:
            stretch(request.first, request.count, request.size)

    def work(self, chunk: Chunk) -> tuple[int, Played]:
        """Play a chunk, or take it from the folder, and count it; in any thread."""
        found = self.read(chunk)
        if found is not None:
            return found
        request = self.request
        played = play(request.setup, request.unit, chunk.first, chunk.count)
        deals = 0 if played.records is None else len(played.records)
        if self.folder is not None and played.records is not None:
            played.tables = parts.tables_of(request.setup, played.records, played.matches)
            if self.is_part(chunk):
                played.stored = self.folder.write_chunk(chunk, played.tables)
        count_rows(request.setup, played, self.summarizer, self.match_summarizer)
        return deals, played

    def read(self, chunk: Chunk) -> tuple[int, Played] | None:
        """Take a chunk from the folder and count it, if it is there; in any thread."""
        tables = None if self.shelf is None else self.shelf.take(chunk)
        if self.shelf is None or tables is None:
            return None
        try:
            played = count_stored(self.request.setup, tables, self.summarizer, self.match_summarizer)
        except DamageError as damage:
            self.shelf.discard(chunk.index, damage)
            return None
        return tables["deals"].height, played

    def is_part(self, chunk: Chunk) -> bool:
        """Whether a chunk is a part of the stored run as it is; else it is a piece of one, and waits for the others."""
        return self.folder is not None and (self.tray is None or chunk.count == self.request.size)

    def finish(self, chunk: Chunk, played: Played) -> None:
        """Add a chunk to the totals and the folder, in the order of the chunks."""
        self.summarizer.merge(played.partial)
        if self.match_summarizer is not None:
            self.match_summarizer.merge(played.match_partial)
        if played.is_stored and played.tables is not None:
            self.progress.note_read(chunk.count, played.tables["deals"].height)
        if self.folder is not None and played.stored is not None:
            self.folder.add(played.stored)
        elif self.tray is not None:
            self.tray.add(chunk, played.tables)
        if self.request.keep_rows:
            if self.shelf is None:
                # One of the two is enough.
                played.tables = None
            self.kept.append(played)


def _adopt_chunk_size(request: Request) -> None:
    """Let a run go on in the chunks in which the folder has it: they change no row."""
    folder = request.out
    if request.chunk_size is None and folder is not None and (folder / MANIFEST).exists():
        request.chunk_size = read_manifest(folder, request.names("out")).chunk_size


def _goals(request: Request, summarizer: Totals, match_summarizer: Totals | None) -> Goals | None:
    if request.until is None:
        return None
    from analysis.precision import Goals

    counted, others = (summarizer, None) if match_summarizer is None else (match_summarizer, summarizer)
    return Goals(counted, request.until(counted, others), request.confidence)


def _manifest(request: Request, goals: Goals | None) -> Manifest | None:
    if request.out is None:
        return None
    asked = None
    if goals is not None:
        half_widths = {target.name: target.half_width for target in goals.targets}
        asked = Until(half_widths, request.confidence, request.count)
    return new_manifest(request.setup, request.unit, request.first, request.count, request.size, asked)


def check_extent(
    unit: str,
    count: int | str | None,
    first: int | str | None,
    names: Names = in_program,
    *,
    most: bool = False,
) -> tuple[int, int]:
    """Check how many deals or matches are played, and from which on.

    Parameters
    ----------
    names
        What errors call `first` and the unit.
    most
        Whether the count is the most that is played.

    Returns
    -------
    count, first : int
        With the defaults filled in.

    Raises
    ------
    UsageError
        If a number is out of range, or the last deal would be.
    """
    largest = MAX_INT64 if unit == MATCHES else MAX_UINT64
    checked_first = check_integer(names("first"), 0 if first is None else first, 0, largest)
    default = MOST_DEALS if most else DEFAULT_DEALS
    checked = check_integer(names(unit), default if count is None else count, 1, MOST_UNITS)
    if checked_first + checked - 1 > largest:
        raise UsageError(
            f"{names('first')}: {checked_first:_} with {names(unit)} {checked:_} goes past the last number, {largest:_}"
        )
    return checked, checked_first
