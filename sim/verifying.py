"""A stored run held against what it says of itself: checksums, columns, numbers of rows, and deals played again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from sim import batch, sources
from sim.batch import Chunk, Progress
from sim.errors import DamageError, UsageError
from sim.manifest import MANIFEST, Manifest, StoredChunk, read_manifest, resume_command, setup_of
from sim.numbers import counted, range_text, units_text
from sim.own.stored import named_files
from sim.parts import PartReader, Tables
from sim.shelf import spread

SAMPLE = 300
"""Deals (of a run of matches, matches) that are played again unless another number is asked for."""


Watching = Callable[[str, int], AbstractContextManager["Callable[[Progress], None] | None"]]
"""As `sim.progress.progress_line`."""


def _unwatched(_unit: str, _total: int) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass
class Verification:
    """What was looked at in a stored run, and what is wrong with it.

    Attributes
    ----------
    folder
        Of the run.
    findings
        A line each; none if all is well.
    units
        Deals (or matches) whose files were looked at, in words.
    parts
        Chunks that were looked at.
    played
        Deals (or matches) that were played again.
    stopped
        Whether an interrupt ended it early.
    """

    folder: Path
    findings: list[str] = field(default_factory=list)
    units: str = ""
    parts: int = 0
    played: int = 0
    stopped: bool = False

    @property
    def is_well(self) -> bool:
        """Whether nothing was found, of all that was to be looked at."""
        return not self.findings and not self.stopped

    def conclusion(self) -> str:
        """All of it in a line."""
        looked = f"{self.units} in {counted(self.parts, 'part')}, {self.played:,} played again"
        how = "all well" if self.is_well else counted(len(self.findings), "finding")
        early = " (stopped early)" if self.stopped else ""
        return f"{self.folder}: {looked}: {how}{early}" if self.parts else f"{self.folder}: {how}{early}"


def verify_run(
    folder: Path,
    *,
    sample: int | None = SAMPLE,
    policies: Sequence[str] = (),
    threads: int,
    where: str = "",
    announce: Callable[[str], None] | None = None,
    watching: Watching = _unwatched,
    stopping: AbstractContextManager[threading.Event | None] | None = None,
) -> Verification:
    """Verify a stored run.

    Parameters
    ----------
    sample
        How many units are played again, spread over the parts; None for all.
    policies
        The policy files that the run was played with: none is run that is not named here.
    where
        What named the folder, for messages.
    watching
        Makes, of the unit and the number of units, the context in which the parts are looked at, and what is called
        with the progress.

    Raises
    ------
    UsageError
        If there is no run in the folder.
    KernelError
        If a kernel breaks an invariant.
    """
    prefix = f"{where}: " if where else ""
    if not folder.is_dir():
        raise UsageError(f"{prefix}there is no folder {str(folder)!r}")
    if not (folder / MANIFEST).exists():
        read_manifest(folder, where)
    found = Verification(folder)
    try:
        manifest = read_manifest(folder)
        setup = setup_of(manifest, folder)
    except UsageError as error:
        found.findings.append(str(error))
        return found
    if sample != 0:
        setup = setup_of(
            manifest, folder, where, named_files(setup.spec, policies, "policies" if where else "--policy")
        )
    found.findings += _about_the_whole(folder, manifest)
    if manifest.chunks:
        if sample != 0:
            batch.first_compile(setup, announce)
        reader = PartReader(folder, setup, manifest.unit)
        with watching(manifest.unit, manifest.done) as watch:
            _Parts(manifest, reader, sample, found).look(threads, watch, stopping or nullcontext())
    return found


class _Parts:
    """The parts of a run while they are looked at."""

    def __init__(
        self,
        manifest: Manifest,
        reader: PartReader,
        sample: int | None,
        found: Verification,
    ) -> None:
        self.manifest = manifest
        self.reader = reader
        self.sample = sample
        self.found = found
        self.is_by_others = not sources.give_same_rows(
            manifest.game, manifest.kernels, sources.fingerprint(manifest.game)
        )
        self.order = {chunk.index: number for number, chunk in enumerate(manifest.chunks)}
        self.chunks = {chunk.index: chunk for chunk in manifest.chunks}

    def look(
        self,
        threads: int,
        watch: Callable[[Progress], None] | None,
        stopping: AbstractContextManager[threading.Event | None],
    ) -> None:
        """Look at all parts, noting what is wrong."""
        manifest = self.manifest
        with stopping as stop:
            progress = batch.run_chunks(
                self._work,
                manifest.first,
                manifest.done,
                threads=threads,
                chunk_size=manifest.chunk_size,
                pieces=(Chunk(chunk.index, chunk.first, chunk.count) for chunk in manifest.chunks),
                finish=self._finish,
                watch=watch,
                stop=stop,
            )
        self.found.stopped = progress.stopped
        self.found.units = units_text(progress.done, manifest.unit)

    def _work(self, piece: Chunk) -> tuple[int, tuple[list[str], int]]:
        chunk = self.chunks[piece.index]
        findings, tables = self._read(chunk)
        if tables is None:
            return 0, (findings, 0)
        again = self._again(chunk)
        if again:
            difference = self.reader.played_differently(chunk, tables, again)
            if difference:
                findings.append(difference + self._by_others_text())
        return tables["deals"].height, (findings, len(again))

    def _read(self, chunk: StoredChunk) -> tuple[list[str], Tables | None]:
        """What is wrong with each file of a chunk, and its tables if nothing is."""
        findings, contents = [], {}
        for file in chunk.files:
            try:
                contents[file.name] = self.reader.content(file)
            except DamageError as damage:
                findings.append(str(damage))
        if findings:
            return findings, None
        try:
            return [], self.reader.tables_in(chunk, contents)
        except DamageError as damage:
            return [str(damage)], None

    def _again(self, chunk: StoredChunk) -> list[int]:
        """Units of a chunk, from its first, that are to be played again."""
        if self.sample is None:
            return list(range(chunk.count))
        number, parts = self.order[chunk.index], len(self.order)
        share = (number + 1) * self.sample // parts - number * self.sample // parts
        return spread(chunk.count, share, chunk.index) if share else []

    def _by_others_text(self) -> str:
        return ". The run was made with other kernels than those of this version" if self.is_by_others else ""

    def _finish(self, _piece: Chunk, done: tuple[list[str], int]) -> None:
        findings, played = done
        self.found.findings += findings
        self.found.parts += 1
        self.found.played += played


def _about_the_whole(folder: Path, manifest: Manifest) -> Iterator[str]:
    """Units that are not there, and parts that the manifest does not know."""
    at = manifest.first
    for first, end in [
        *((chunk.first, chunk.first + chunk.count) for chunk in manifest.chunks),
        (manifest.first + manifest.count,) * 2,
    ]:
        if first > at:
            command = resume_command(folder, files=manifest.file_names)
            yield f"{range_text(manifest.unit, at, first)} not there: {command} plays them"
        at = end
    known = {file.name for chunk in manifest.chunks for file in chunk.files}
    for path in sorted(folder.glob("*.parquet")):
        if path.name not in known:
            yield f"{path.name} is not in the manifest"
