"""Stored runs read back: every part held against its checksum, then counted or searched."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.api import MATCHES
from sim.batch import Records
from sim.errors import UsageError
from sim.games import Setup, make_setup
from sim.match import match_layout
from sim.store import MANIFEST, SCHEMA, Manifest, StoredChunk, StoredFile, read_manifest

if TYPE_CHECKING:
    import polars as pl

Frames = dict[str, "pl.DataFrame"]


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
        return self.manifest.done == self.manifest.count

    def chunks(self) -> Iterator[Frames]:
        """Tables of each chunk by name (``deals``, ``sides``, ``matches``), in order.

        Raises
        ------
        UsageError
            If a part is missing, altered or no Parquet.
        """
        for chunk in self.manifest.chunks:
            yield {file.name.partition("-")[0]: self._read(file) for file in chunk.files}

    def _read(self, file: StoredFile) -> pl.DataFrame:
        import polars as pl

        path = self.folder / file.name
        try:
            content = path.read_bytes()
        except (FileNotFoundError, IsADirectoryError):
            raise UsageError(f"{str(self.folder)!r} is damaged: its part {file.name} is missing") from None
        if len(content) != file.bytes or hashlib.sha256(content).hexdigest() != file.sha256:
            raise UsageError(f"{str(self.folder)!r} is damaged: its part {file.name} is not what was written")
        try:
            return pl.read_parquet(io.BytesIO(content))
        except (pl.exceptions.PolarsError, OSError) as error:
            reason = " ".join(str(error).split())
            raise UsageError(f"{str(self.folder)!r} is damaged: its part {file.name} is no Parquet: {reason}") from None


def open_run(folder: Path) -> StoredRun:
    """Open a stored run.

    Raises
    ------
    UsageError
        If the folder holds none, or its manifest does not hold together.
    """
    manifest = read_manifest(folder)
    where = str(folder / MANIFEST)
    if manifest.schema != SCHEMA:
        raise UsageError(f"{where!r} has the schema {manifest.schema!r}; a stored run has {SCHEMA}")
    if not manifest.chunks:
        raise UsageError(f"{str(folder)!r} holds a run of which no chunk is finished yet")
    _check_chunks(manifest.chunks, manifest, where)
    try:
        setup = make_setup(manifest.game, seed=manifest.seed, policies=manifest.policies, rules=manifest.options)
    except UsageError as error:
        raise UsageError(f"{where!r} cannot be used: {error}") from None
    return StoredRun(folder, manifest, setup)


def stored_document(run: StoredRun, confidence: float) -> dict[str, Any]:
    """Return the summary of a stored run, as `sim.Run.document` of the run itself.

    Raises
    ------
    UsageError
        If a part is missing or altered, or its columns are those of another version.
    """
    import polars as pl

    from analysis.matches import MatchSummary
    from analysis.summary import Summarizer, summary_document

    setup, unit = run.setup, run.unit
    options = dict(setup.options)
    summarizer = Summarizer(setup.spec, options, setup.policy_texts)
    matches = MatchSummary(setup.spec, options, setup.policy_texts) if unit == MATCHES else None
    try:
        for tables in run.chunks():
            summarizer.merge(summarizer.frames_chunk(tables["deals"], tables["sides"]))
            if matches is not None:
                matches.merge(matches.chunk(_match_records(setup, tables["matches"])))
    except (pl.exceptions.PolarsError, KeyError) as error:
        reason = " ".join(str(error).split())
        raise UsageError(f"{str(run.folder)!r} has not the columns of this version: {reason}") from None
    manifest = run.manifest
    return summary_document(
        summarizer,
        setup.seed,
        manifest.provenance,
        matches=matches,
        confidence=confidence,
        first=manifest.first,
        command=setup.run_command(unit, manifest.first, manifest.done, confidence),
    )


def _check_chunks(chunks: list[StoredChunk], manifest: Manifest, where: str) -> None:
    expected = manifest.first
    for chunk in chunks:
        if chunk.first != expected or chunk.count < 1:
            raise UsageError(f"{where!r} is damaged: chunk {chunk.index} does not follow the one before it")
        expected += chunk.count
        for file in chunk.files:
            if Path(file.name).name != file.name:
                raise UsageError(f"{where!r} is damaged: {file.name!r} is no file of its folder")
    if manifest.done > manifest.count:
        raise UsageError(f"{where!r} is damaged: it lists more {manifest.unit} than it was to hold")


def _match_records(setup: Setup, matches: pl.DataFrame) -> Records:
    """Rows of matches as they were played; who won follows from the scores, a shared victory included."""
    records = np.zeros(matches.height, match_layout(setup.sides))
    for name in ("match", "deals", "first_dealer"):
        records[name] = matches[name].to_numpy()
    records["scores"] = matches["scores"].to_numpy()
    records["winner"] = setup.spec.match_winners(records["scores"], setup.options)
    return records
