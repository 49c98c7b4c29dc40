"""Several stored runs made one: the shards of a run that was played in parts, by ``--first`` and ``--deals``.

The rows are those of the sources, held against their checksums, cut into the chunks of the run as a whole. What comes
out is the run that one process would have stored, but for the provenance.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from sim import batch, parts
from sim.api import Run, stored_chunk_size
from sim.batch import Chunk, Progress
from sim.errors import DamageError, UsageError
from sim.games import Setup
from sim.manifest import (
    Manifest,
    Piece,
    StoredChunk,
    part_name,
    read_manifest,
    resume_command,
    setup_of,
    table_of,
)
from sim.numbers import range_text
from sim.parts import PartReader, Tables
from sim.playing import count_stored, summarizers
from sim.provenance import provenance
from sim.store import Store

LAYOUT = ("first", "count", "chunk_size")
"""Fields of a manifest in which shards may differ."""


@dataclass(frozen=True)
class _Source:
    folder: Path
    manifest: Manifest
    reader: PartReader


@dataclass(frozen=True)
class _Segment:
    """A chunk of a source."""

    source: _Source
    chunk: StoredChunk

    @property
    def first(self) -> int:
        return self.chunk.first

    @property
    def end(self) -> int:
        return self.chunk.first + self.chunk.count


class Merge:
    """Stored runs that belong together.

    Parameters
    ----------
    folders
        Of the runs, in any order.
    where
        What named them, for messages.

    Raises
    ------
    UsageError
        If one holds no run, they do not belong together, or units are there twice or not at all between them.
    """

    def __init__(self, folders: Sequence[Path], where: str) -> None:
        prefix = f"{where}: " if where else ""
        sources = [_open(folder, where) for folder in folders]
        if not sources:
            raise UsageError(f"{prefix}there is nothing to merge")
        for source in sources[1:]:
            _check_alike(sources[0], source, prefix)
        segments = [_Segment(source, chunk) for source in sources for chunk in source.manifest.chunks]
        self.sources = sources
        self.segments = sorted(segments, key=lambda segment: segment.first)
        _check_cover(sources, self.segments, prefix)

    @property
    def setup(self) -> Setup:
        """Game, options, policies and seed of all of them."""
        return self.sources[0].reader.setup

    def manifest(self) -> Manifest:
        """Manifest of the run as a whole, of which nothing is done yet."""
        one = self.sources[0].manifest
        first, end = self.segments[0].first, self.segments[-1].end
        sizes = {source.manifest.chunk_size for source in self.sources}
        return Manifest(
            game=one.game,
            unit=one.unit,
            seed=one.seed,
            first=first,
            count=end - first,
            chunk_size=sizes.pop() if len(sizes) == 1 else stored_chunk_size(one.unit),
            options=one.options,
            policies=one.policies,
            policy_files=one.policy_files,
            kernels=one.kernels,
        )

    def pieces(self) -> list[Piece]:
        """Who played what."""
        found = [piece for source in self.sources for piece in source.manifest.pieces]
        return sorted(found, key=lambda piece: piece.first)

    def within(self, first: int, end: int) -> Iterator[_Segment]:
        """Chunks of the sources that hold units `first` to ``end - 1``, in order."""
        at = bisect_right(self.segments, first, key=lambda segment: segment.first) - 1
        return takewhile(lambda segment: segment.first < end, self.segments[at:])


def merge_runs(
    merge: Merge,
    out: Path,
    *,
    threads: int,
    confidence: float = 0.95,
    where: str = "out",
    watch: Callable[[Progress], None] | None = None,
    stopping: AbstractContextManager[threading.Event | None] | None = None,
) -> Run:
    """Write the run that several make together; returns its statistics.

    Raises
    ------
    UsageError
        If the folder holds something else.
    BusyError
        If another process writes to it.
    DamageError
        If a part of a source is damaged.
    """
    manifest = merge.manifest()
    setup, unit = merge.setup, manifest.unit
    for source in merge.sources:
        lies = out.resolve()
        runs = source.folder.resolve()
        if lies == runs or runs in lies.parents:
            what = "is" if lies == runs else "lies in"
            raise UsageError(f"{where}: {str(out)!r} {what} one of the runs to be merged; give a folder of its own")
    summarizer, match_summarizer = summarizers(setup, unit)
    progress = Progress(total=manifest.count, started=time.perf_counter())
    with ExitStack() as closing:
        folder = Store(out, manifest, where, threads)
        closing.callback(folder.release)
        folder.played_by = merge.pieces()

        def work(chunk: Chunk) -> tuple[int, tuple[StoredChunk, int, Any, Any]]:
            stored, tables = _write(merge, folder, chunk)
            counted = count_stored(setup, tables, summarizer, match_summarizer)
            deals = tables["deals"].height
            return deals, (stored, deals, counted.partial, counted.match_partial)

        def finish(chunk: Chunk, done: tuple[StoredChunk, int, Any, Any]) -> None:
            stored, deals, partial, of_matches = done
            summarizer.merge(partial)
            if match_summarizer is not None:
                match_summarizer.merge(of_matches)
            folder.add(stored)
            progress.note_read(chunk.count, deals)

        try:
            with stopping or nullcontext() as stop:
                batch.run_chunks(
                    work,
                    manifest.first,
                    manifest.count,
                    threads=threads,
                    chunk_size=manifest.chunk_size,
                    finish=finish,
                    watch=watch,
                    stop=stop,
                    progress=progress,
                )
        finally:
            folder.flush()
        run = Run(
            setup,
            unit,
            manifest.first,
            manifest.count,
            threads,
            progress,
            summarizer,
            match_summarizer,
            confidence=confidence,
        )
        if not progress.stopped:
            folder.close(provenance(threads, progress.seconds))
        return run


def _write(merge: Merge, folder: Store, chunk: Chunk) -> tuple[StoredChunk, Tables]:
    """Write a chunk of the whole run from those of the sources."""
    end = chunk.first + chunk.count
    pieces = []
    for segment in merge.within(chunk.first, end):
        reader, name = segment.source.reader, str(segment.source.folder)
        first, last = max(chunk.first, segment.first), min(end, segment.end)
        try:
            if (segment.first, segment.end) == (chunk.first, end):
                return _copy(segment, folder, chunk)
            pieces.append(reader.cut(reader.tables(segment.chunk), first - segment.first, last - first))
        except DamageError as damage:
            source = segment.source
            hint = resume_command(source.folder, files=source.manifest.file_names)
            raise DamageError(f"{name!r} is damaged: {damage}. To play that part again: {hint}") from None
    tables = parts.joined(pieces)
    return folder.write_chunk(chunk, tables), tables


def _copy(segment: _Segment, folder: Store, chunk: Chunk) -> tuple[StoredChunk, Tables]:
    """Take over a chunk as it is: the same bytes, under the name that it has in the run as a whole."""
    reader = segment.source.reader
    contents = {file.name: reader.content(file) for file in segment.chunk.files}
    tables = reader.tables_in(segment.chunk, contents)
    files = [folder.write_part(part_name(table_of(name), chunk.index), content) for name, content in contents.items()]
    return StoredChunk(chunk.index, chunk.first, chunk.count, files), tables


def _open(folder: Path, where: str) -> _Source:
    manifest = read_manifest(folder, where)
    prefix = f"{where}: " if where else ""
    if manifest.until is not None:
        raise UsageError(
            f"{prefix}{str(folder)!r} stops at a precision, so its length is a result, and it is no part of another run"
        )
    if not manifest.chunks:
        raise UsageError(f"{prefix}{str(folder)!r} holds a run of which no chunk is finished yet")
    setup = setup_of(manifest, folder, where)
    return _Source(folder, manifest, PartReader(folder, setup, manifest.unit))


def _check_alike(one: _Source, other: _Source, prefix: str) -> None:
    differing = one.manifest.differing(other.manifest, LAYOUT)
    if not differing:
        return
    name = differing[0]
    more = f" (and in {', '.join(differing[1:])})" if differing[1:] else ""
    raise UsageError(
        f"{prefix}{str(one.folder)!r} and {str(other.folder)!r} do not belong together: they differ in {name}{more}, "
        f"which is {_field_text(name, one, other)} in one and {_field_text(name, other, one)} in the other"
    )


def _field_text(name: str, one: _Source, other: _Source) -> str:
    """Value of a field, of options those that another run has not."""
    if name == "policy_files":
        return ", ".join(f"{file.name} of sha256 {file.sha256[:12]}..." for file in one.manifest.policy_files) or "none"
    value = getattr(one.manifest, name)
    if name != "options":
        return ", ".join(value) if isinstance(value, list) else str(value)
    return ", ".join(f"{key}={option}" for key, option in value.items() if other.manifest.options.get(key) != option)


def _check_cover(sources: Sequence[_Source], segments: Sequence[_Segment], prefix: str) -> None:
    """Check that every unit that any of the runs was to play is there once."""
    unit = segments[0].source.manifest.unit
    for before, after in pairwise(segments):
        if after.first < before.end:
            raise UsageError(
                f"{prefix}{range_text(unit, after.first, min(before.end, after.end))} in {str(before.source.folder)!r} "
                f"and again in {str(after.source.folder)!r}; give every deal once"
            )
    at = min(source.manifest.first for source in sources)
    end = max(source.manifest.first + source.manifest.count for source in sources)
    for first, beyond in [*((segment.first, segment.end) for segment in segments), (end, end)]:
        if first > at:
            hint = "".join(
                f". {str(source.folder)!r} is not finished: "
                + resume_command(source.folder, files=source.manifest.file_names)
                for source in sources
                if not source.manifest.is_complete
            )
            raise UsageError(f"{prefix}{range_text(unit, at, first)} in none of the runs{hint}")
        at = beyond
