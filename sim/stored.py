"""Stored runs read back: every part held against its checksum, then counted or searched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.errors import DamageError, UsageError
from sim.games import Setup
from sim.manifest import MANIFEST, Manifest, read_manifest, setup_of
from sim.parts import PartReader, Tables
from sim.playing import count_stored, summarizers


@dataclass(frozen=True)
class StoredRun:
    """A run on disk.

    Attributes
    ----------
    folder, manifest
        Where it lies and what it says of itself.
    setup
        Game, options, policies and seed, checked against the games of this version.
    """

    folder: Path
    manifest: Manifest
    setup: Setup

    @property
    def unit(self) -> str:
        """What is numbered: ``deals`` or ``matches``."""
        return self.manifest.unit

    @property
    def is_complete(self) -> bool:
        """Whether all units that were asked for are there."""
        return self.manifest.is_complete

    def chunks(self) -> Iterator[Tables]:
        """Tables of each chunk by name (``deals``, ``sides``, ``matches``), in order.

        Raises
        ------
        UsageError
            If a part is missing, altered, no Parquet, or has the columns of another version.
        """
        reader = PartReader(self.folder, self.setup, self.unit)
        for chunk in self.manifest.chunks:
            try:
                yield reader.tables(chunk)
            except DamageError as damage:
                raise UsageError(f"{str(self.folder)!r} is damaged: {damage}") from None


def open_run(folder: Path) -> StoredRun:
    """Open a stored run.

    Raises
    ------
    UsageError
        If the folder holds none, or its manifest does not hold together.
    """
    manifest = read_manifest(folder)
    if not manifest.chunks:
        raise UsageError(f"{str(folder)!r} holds a run of which no chunk is finished yet")
    expected = manifest.first
    for chunk in manifest.chunks:
        if chunk.first != expected:
            where = str(folder / MANIFEST)
            raise UsageError(f"{where!r} has a gap: chunk {chunk.index} does not follow the one before it")
        expected += chunk.count
    return StoredRun(folder, manifest, setup_of(manifest, folder))


def stored_document(run: StoredRun, confidence: float) -> dict[str, Any]:
    """Return the summary of a stored run, as `sim.Run.document` of the run itself.

    Raises
    ------
    UsageError
        If a part is missing or altered, or its columns are those of another version.
    """
    from analysis.summary import summary_document

    setup, unit, manifest = run.setup, run.unit, run.manifest
    summarizer, matches = summarizers(setup, unit)
    for tables in run.chunks():
        try:
            counted = count_stored(setup, tables, summarizer, matches)
        except DamageError as damage:
            raise UsageError(f"{str(run.folder)!r} is damaged: {damage}") from None
        summarizer.merge(counted.partial)
        if matches is not None:
            matches.merge(counted.match_partial)
    return summary_document(
        summarizer,
        setup.seed,
        manifest.provenance or (manifest.pieces[-1].provenance if manifest.pieces else {}),
        matches=matches,
        confidence=confidence,
        first=manifest.first,
        command=setup.run_command(unit, manifest.first, manifest.done, confidence),
    )
