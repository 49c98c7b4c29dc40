"""Simulations from a program, and the one place that plays, counts and stores a run."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim import batch, precision, store
from sim.batch import Chunk, Progress, Records
from sim.errors import UsageError
from sim.games import Setup, make_setup
from sim.match import play_matches
from sim.names import Names, in_program
from sim.numbers import MAX_INT64, MAX_UINT64, check_fraction, check_integer
from sim.paths import read_path
from sim.provenance import provenance

if TYPE_CHECKING:
    import polars as pl

    from analysis.precision import Goals, Standing, Target
    from analysis.summary import SummaryRow, Totals

DEALS, MATCHES = "deals", "matches"
DEFAULT_DEALS = 100_000
MOST_DEALS = 100_000_000
"""The most that is played until a precision is reached, where the user does not say."""

MATCH_CHUNK = 2_000
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
    goals
        The precisions at which the run was to stop, if there were any.
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
    confidence: float = 0.95
    goals: Goals | None = None

    @cached_property
    def deals(self) -> pl.DataFrame:
        """A row a deal (`analysis.frames.deals_frame`), if rows were kept."""
        from analysis.frames import deals_frame

        setup = self.setup
        return deals_frame(setup.spec, self._kept(self.records), setup.policy_texts, dict(setup.options))

    @cached_property
    def sides(self) -> pl.DataFrame:
        """A row a deal and side (`analysis.frames.sides_frame`), if rows were kept."""
        from analysis.frames import sides_frame

        setup = self.setup
        return sides_frame(setup.spec, self._kept(self.records), setup.policy_texts, dict(setup.options))

    @cached_property
    def matches(self) -> pl.DataFrame:
        """A row a match, if matches were played and rows kept."""
        if self.unit != MATCHES:
            raise UsageError("this run played single deals; simulate(..., matches=N) plays matches")
        from analysis.frames import matches_frame

        return matches_frame(self._kept(self.match_records))

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
        return provenance(self.threads, self.progress.seconds, self.progress.deals_per_second)

    def _kept(self, records: Records | None) -> Records:
        if records is None:
            raise UsageError("the rows of this run were not kept; simulate(..., keep_rows=True) keeps them")
        return records


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
    until
        Precisions at which to stop; `count` is then the most that is played.
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
    confidence: float = 0.95
    announce: Callable[[str], None] | None = None
    watch: Callable[[Progress], None] | None = None
    stopping: AbstractContextManager[threading.Event | None] = field(default_factory=nullcontext)
    until: Targets | None = None
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
            return batch.STORED_CHUNK if self.unit == DEALS else STORED_MATCH_CHUNK
        return batch.chunk_size_for(self.count, self.workers, self._largest)

    def piece_size(self, count: int) -> int:
        """Units in a piece of so many, from one look at the precision to the next."""
        # Few pieces, for looks are many, and the threads wait for each other there.
        return self.chunk_size or batch.chunk_size_for(count, self.workers, self._largest, each=2)

    @property
    def _largest(self) -> int:
        return batch.LARGEST_CHUNK if self.unit == DEALS else MATCH_CHUNK


def execute(request: Request) -> Run:
    """Play what is requested, count it, and store it if a folder is given.

    Raises
    ------
    UsageError
        If the folder holds something else, or a precision cannot be had.
    KernelError
        If a kernel breaks an invariant.
    """
    from analysis.summary import Summarizer

    setup = request.setup
    summarizer = Summarizer(setup.spec, dict(setup.options), setup.policy_texts)
    match_summarizer = None
    if request.unit == MATCHES:
        from analysis.matches import MatchSummary

        match_summarizer = MatchSummary(setup.spec, dict(setup.options), setup.policy_texts)
    goals = _goals(request, summarizer, match_summarizer)
    folder = _open_store(request, goals)
    batch.first_compile(setup, request.announce)
    kept: list[tuple[Records, Records | None]] = []
    tray = None if goals is None or folder is None else precision.Tray(folder, partial(_tables, setup))

    def work(chunk: Chunk) -> tuple[int, _Played]:
        whole = tray is None or chunk.count == request.size
        return _play_chunk(request, chunk, summarizer, match_summarizer, folder if whole else None)

    def finish(chunk: Chunk, played: _Played) -> None:
        summarizer.merge(played.partial)
        if match_summarizer is not None:
            match_summarizer.merge(played.match_partial)
        if folder is not None and played.stored is not None:
            folder.add(played.stored)
        elif tray is not None:
            tray.add(chunk, played.records, played.matches)
        if request.keep_rows:
            kept.append((played.records, played.matches))

    try:
        with request.stopping as stop:
            progress = _play(request, goals, work, finish, stop)
    finally:
        if folder is not None:
            folder.flush()
    run = Run(
        setup,
        request.unit,
        request.first,
        request.count,
        request.workers,
        progress,
        summarizer,
        match_summarizer,
        confidence=request.confidence,
        goals=goals,
    )
    if request.keep_rows and kept:
        run.records = np.concatenate([records for records, _ in kept])
        if match_summarizer is not None:
            run.match_records = np.concatenate([matches for _, matches in kept if matches is not None])
    if folder is not None:
        if tray is not None:
            tray.end(progress.done)
        folder.close(run.provenance())
    return run


def _play(
    request: Request,
    goals: Goals | None,
    work: Callable[[Chunk], tuple[int, _Played]],
    finish: Callable[[Chunk, _Played], None],
    stop: threading.Event | None,
) -> Progress:
    def stretch(first: int, count: int, chunk_size: int, **others: Any) -> Progress:
        return batch.run_chunks(
            work,
            first,
            count,
            threads=request.workers,
            chunk_size=chunk_size,
            finish=finish,
            watch=request.watch,
            stop=stop,
            **others,
        )

    if goals is None:
        return stretch(request.first, request.count, request.size)
    part_size = None if request.out is None else request.size
    return precision.play(
        stretch, goals, request.first, request.count, request.setup.seats, request.piece_size, part_size
    )


def _goals(request: Request, summarizer: Totals, match_summarizer: Totals | None) -> Goals | None:
    if request.until is None:
        return None
    from analysis.precision import Goals

    counted, others = (summarizer, None) if match_summarizer is None else (match_summarizer, summarizer)
    return Goals(counted, request.until(counted, others), request.confidence)


@dataclass(slots=True)
class _Played:
    records: Records
    matches: Records | None
    partial: Any
    match_partial: Any
    stored: store.StoredChunk | None


def _play_chunk(
    request: Request, chunk: Chunk, summarizer: Any, match_summarizer: Any, folder: store.Store | None
) -> tuple[int, _Played]:
    setup = request.setup
    matches = None
    match_partial = None
    if request.unit == MATCHES:
        matches, records = play_matches(setup, chunk.first, chunk.count)
        match_partial = match_summarizer.chunk(matches)
    else:
        records = batch.play(setup, batch.deal_jobs(setup, chunk.first, chunk.count))
    stored = None
    if folder is None:
        partial = summarizer.chunk(records)
    else:
        tables = _tables(setup, records, matches)
        stored = folder.write_chunk(chunk, tables)
        partial = summarizer.frames_chunk(tables["deals"], tables["sides"])
    return len(records), _Played(records, matches, partial, match_partial, stored)


def _tables(setup: Setup, records: Records, matches: Records | None) -> dict[str, Any]:
    from analysis.frames import deals_frame, sides_frame

    policies, options = setup.policy_texts, dict(setup.options)
    tables: dict[str, Any] = {
        "deals": deals_frame(setup.spec, records, policies, options),
        "sides": sides_frame(setup.spec, records, policies, options),
    }
    if matches is not None:
        from analysis.frames import matches_frame

        tables["matches"] = matches_frame(matches)
    return tables


def _open_store(request: Request, goals: Goals | None) -> store.Store | None:
    if request.out is None:
        return None
    asked = None
    if goals is not None:
        half_widths = {target.name: target.half_width for target in goals.targets}
        asked = store.Until(half_widths, request.confidence, request.count)
    manifest = store.new_manifest(request.setup, request.unit, request.first, request.count, request.size, asked)
    return store.Store(request.out, manifest, request.names("out"))


def read_folder(name: str, given: str | os.PathLike[str]) -> Path:
    """Folder of a run as a user or a program names it.

    Raises
    ------
    UsageError
        If it can be no path.
    """
    return read_path(name, given, store.ALLOWED_FOLDER)


def simulate(
    game: str,
    *,
    deals: int | None = None,
    matches: int | None = None,
    seed: int | None = None,
    first: int = 0,
    policies: str | Sequence[str] | Mapping[int, str] | None = None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    threads: int | None = None,
    chunk_size: int | None = None,
    keep_rows: bool = True,
    out: str | os.PathLike[str] | None = None,
    until: Mapping[str, float | str] | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Play many deals, or many matches, and return what happened.

    Deal i depends on the seed, i, the game, its options and the policies alone: the rows are the same for any
    number of threads, and deal i of a long run is deal i of a short one.

    Parameters
    ----------
    game
        Name of a game, as ``canastra``.
    deals, matches
        How many deals, or matches to the target score; one of the two. 100,000 deals if neither is given.
    seed
        0 to 2^64 - 1; 0 if None.
    first
        Number of the first deal (or match), to go on where another run ended.
    policies
        One policy for all seats, a list by seat, or a mapping from seat to policy. A policy is a name with
        parameters where wanted, as ``"standard:take_lixo=3"``. The game's default policy if None.
    rules
        House rules: a mapping of options, the name of a preset, or the path of a TOML file.
    threads
        Worker threads; all processors if None.
    chunk_size
        Deals (or matches) in a chunk. It changes the speed only.
    keep_rows
        Whether `Run.deals` and `Run.sides` can be read afterwards (about 150 bytes a deal). Without rows the
        memory does not grow with the number of deals.
    out
        Folder to store the rows in, as ``carteador run --out``.
    until
        Stop as soon as all of these half widths are reached, by row of the summary, as
        ``{"win_rate@side:0": 0.001, "turns": "0.05"}``; the group is ``all`` where none is named. The intervals of the
        summary are then confidence sequences, which stopping does not spoil, and `Run.until` says what was reached.
    confidence
        Level of the intervals of the summary, between 0 and 1.
    progress
        Called with a `sim.batch.Progress` after each chunk.

    Returns
    -------
    Run
        With `deals`, `sides` and `matches` (Polars frames), `summary` (rows) and `document` (for JSON).

    Raises
    ------
    UsageError
        If an argument is wrong; the message says what is allowed.
    KernelError
        If a kernel breaks an invariant; the message has the command that shows the deal.

    Examples
    --------
    >>> import sim
    >>> run = sim.simulate("canastra", deals=2_000, seed=7, policies={0: "novice", 2: "novice"})
    >>> run.deals.height, run.sides.height
    (2000, 4000)
    >>> batida = next(row for row in run.summary() if row.statistic == "end_reason:batida")
    >>> 0 < batida.low < batida.estimate < batida.high < 1
    True
    >>> precise = sim.simulate("canastra", seed=7, until={"win_rate@side:0": "5%"}, keep_rows=False)
    >>> precise.until[0].met, precise.until[0].reached < 0.05
    (True, True)
    """
    if deals is not None and matches is not None:
        raise UsageError("deals and matches cannot go together; a run plays one or the other")
    setup = make_setup(game, seed=seed, policies=policies, rules=rules)
    unit = MATCHES if matches is not None else DEALS
    asked = None if until is None else _asked(until)
    count, first = check_extent(unit, matches if matches is not None else deals, first, most=asked is not None)
    _check_types(keep_rows, out, progress)
    return execute(
        Request(
            setup,
            unit,
            first,
            count,
            threads=None if threads is None else check_integer("threads", threads, 1, batch.MAX_THREADS),
            chunk_size=None if chunk_size is None else check_integer("chunk_size", chunk_size, 1, 10**8),
            keep_rows=bool(keep_rows),
            out=None if out is None else read_folder("out", out),
            confidence=check_fraction("confidence", confidence),
            watch=progress,
            until=asked,
        )
    )


def _asked(given: Mapping[str, float | str]) -> Targets:
    return lambda totals, others: precision.targets_of(given, totals, others)


def _check_types(keep_rows: object, out: object, progress: object) -> None:
    if not isinstance(keep_rows, bool | np.bool_):
        raise UsageError(f"keep_rows: {keep_rows!r} is not allowed; allowed is True or False")
    if out is not None and not isinstance(out, str | os.PathLike):
        raise UsageError(f"out: {out!r} is no path; allowed is {store.ALLOWED_FOLDER}")
    if progress is not None and not callable(progress):
        raise UsageError(f"progress: {progress!r} is not allowed; allowed is a function of a sim.batch.Progress")


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
    checked = check_integer(names(unit), default if count is None else count, 1, 10**15)
    if checked_first + checked - 1 > largest:
        raise UsageError(
            f"{names('first')}: {checked_first:_} with {names(unit)} {checked:_} goes past the last number, {largest:_}"
        )
    return checked, checked_first
