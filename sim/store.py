"""Runs on disk: Parquet parts a chunk, and a manifest of everything that decides the result.

Every file is written beside its place and renamed, so a killed run leaves whole chunks only.
"""

from __future__ import annotations

import hashlib
import io
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import msgspec

from sim.batch import Chunk
from sim.errors import UsageError
from sim.games import Setup

SCHEMA = "carteador.run/1"
MANIFEST = "manifest.json"
PARTIAL = ".partial"
ALLOWED_FOLDER = "a new or empty folder, or that of this run"
MANIFEST_SECONDS = 2.0
"""Least time between two writings of the manifest while chunks come in; the last one is always written."""


class Table(Protocol):
    """What a chunk's rows must be able to do: a Polars frame."""

    def write_parquet(self, file: Any) -> None:
        """Write the rows as Parquet."""


class StoredFile(msgspec.Struct, frozen=True):
    """A file of a chunk: its name in the folder, its bytes and their SHA-256."""

    name: str
    bytes: int
    sha256: str


class StoredChunk(msgspec.Struct, frozen=True):
    """A finished chunk: units `first` to ``first + count - 1`` and its files."""

    index: int
    first: int
    count: int
    files: list[StoredFile]


class Until(msgspec.Struct, frozen=True):
    """Precisions at which a run stops.

    Attributes
    ----------
    half_widths
        By row of the summary, as ``win_rate@side:0``.
    confidence
        Of the intervals.
    most
        Units after which it stops in any case.
    """

    half_widths: dict[str, float]
    confidence: float
    most: int


class Manifest(msgspec.Struct, kw_only=True):
    """All that decides a run's rows, where they were made, and which chunks are finished.

    Attributes
    ----------
    unit
        What `first`, `count` and the chunks count: ``deals`` or ``matches``.
    kernels
        Fingerprint of the kernel sources, versions and flags. Rows of different kernels do not belong together.
    chunk_size
        Units in every chunk but the last; chunk i begins at ``first + i * chunk_size``.
    until
        Of a run that stops at a precision; its `count` is the most that it may play until it has stopped.
    """

    schema: str = SCHEMA
    game: str
    unit: str
    seed: int
    first: int
    count: int
    chunk_size: int
    options: dict[str, Any]
    policies: list[str]
    kernels: str
    until: Until | None = None
    provenance: dict[str, Any] = {}
    chunks: list[StoredChunk] = []

    @property
    def done(self) -> int:
        """Units in finished chunks."""
        return sum(chunk.count for chunk in self.chunks)

    def identity(self) -> dict[str, Any]:
        """All that must agree for a folder to hold this very run, by name of the field."""
        # Where a run stops at a precision, its length is a result.
        left_out = {"provenance", "chunks", *(["count"] if self.until else [])}
        return {name: getattr(self, name) for name in self.__struct_fields__ if name not in left_out}


def new_manifest(
    setup: Setup, unit: str, first: int, count: int, chunk_size: int, until: Until | None = None
) -> Manifest:
    """Manifest of a run of which nothing is done yet."""
    from kernels import _jit

    return Manifest(
        game=setup.spec.name,
        unit=unit,
        seed=setup.seed,
        first=first,
        count=count,
        chunk_size=chunk_size,
        options=dict(setup.options),
        policies=setup.policy_texts,
        kernels=_jit.fingerprint(),
        until=until,
    )


def read_manifest(folder: Path, where: str = "") -> Manifest:
    """Manifest of a stored run.

    Parameters
    ----------
    where
        What named the folder, for the message, as ``--out``.

    Raises
    ------
    UsageError
        If the folder holds none, or none that can be read.
    """
    path = folder / MANIFEST
    prefix = f"{where}: " if where else ""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise UsageError(f"{prefix}{str(folder)!r} holds no {MANIFEST}, so it is no run of carteador") from None
    except (msgspec.DecodeError, OSError) as error:
        raise UsageError(f"{prefix}{str(path)!r} is no manifest of a run: {error}") from None


class Store:
    """A run's folder while the run is made.

    Parameters
    ----------
    folder
        Made if it is not there. A folder that holds anything else than this very run is refused.
    manifest
        From `new_manifest`.
    where
        What named the folder, for the message, as ``--out``.

    Raises
    ------
    UsageError
        If the folder cannot be used; nothing is written then.
    """

    def __init__(self, folder: Path, manifest: Manifest, where: str = "out") -> None:
        check_folder(folder, manifest, where)
        self.folder = folder
        self.manifest = manifest
        self._written_at = 0.0
        self._threads: set[int] = set()
        folder.mkdir(parents=True, exist_ok=True)
        for left_over in folder.glob(f"*{PARTIAL}"):
            left_over.unlink()
        self._write_manifest()

    def write_chunk(self, chunk: Chunk, tables: Mapping[str, Table]) -> StoredChunk:
        """Write the tables of a chunk as ``NAME-NNNNN.parquet``; safe in any thread."""
        files = [self._write_table(f"{name}-{chunk.index:05d}.parquet", table) for name, table in tables.items()]
        return StoredChunk(chunk.index, chunk.first, chunk.count, files)

    def add(self, stored: StoredChunk) -> None:
        """Note a finished chunk in the manifest."""
        self.manifest.chunks.append(stored)
        if time.monotonic() - self._written_at > MANIFEST_SECONDS:
            self._write_manifest()

    def flush(self) -> None:
        """Write the manifest as it stands."""
        self._write_manifest()

    def end_at(self, count: int) -> None:
        """Say of how many units the run turned out to be; parts beyond, of a longer run before, are taken away."""
        self.manifest.count = count
        kept = {file.name for chunk in self.manifest.chunks for file in chunk.files}
        for part in self.folder.glob("*-*.parquet"):
            if part.name not in kept:
                part.unlink()

    def close(self, provenance: Mapping[str, Any]) -> None:
        """Write the manifest for the last time, with where the run was made."""
        self.manifest.provenance = dict(provenance)
        self.flush()

    def _write_table(self, name: str, table: Table) -> StoredFile:
        # In memory, for of a path Polars makes its own sense, and a full disk it reports in its own way.
        parquet = io.BytesIO()
        table.write_parquet(parquet)
        content = parquet.getvalue()
        with whole_file(self.folder / name) as file:
            file.write(content)
        return StoredFile(name, len(content), hashlib.sha256(content).hexdigest())

    def _write_manifest(self) -> None:
        with whole_file(self.folder / MANIFEST) as file:
            file.write(msgspec.json.format(msgspec.json.encode(self.manifest), indent=2) + b"\n")
        self._written_at = time.monotonic()


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that comes to its place when the block has written it, and leaves nothing behind if that fails."""
    partial = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}{PARTIAL}")
    try:
        with partial.open("wb") as file:
            yield file
        partial.replace(path)
    except BaseException as error:
        with suppress(OSError):
            partial.unlink()
        if isinstance(error, OSError):
            error.filename = error.filename or str(path)
        raise


def check_folder(folder: Path, manifest: Manifest, where: str = "out") -> None:
    """Check that a run may be written to a folder: absent, empty, or holding this very run.

    Parameters
    ----------
    where
        What named the folder, for the message, as ``--out``.

    Raises
    ------
    UsageError
        If it may not.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"{where}: {str(folder)!r} is a file; allowed is {ALLOWED_FOLDER}")
    if not any(folder.iterdir()):
        return
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"{where}: the folder {str(folder)!r} is not empty; allowed is {ALLOWED_FOLDER}")
    found = read_manifest(folder, where)
    there, wanted = found.identity(), manifest.identity()
    if there != wanted:
        differing = ", ".join(name for name in wanted if there.get(name) != wanted[name])
        raise UsageError(
            f"{where}: the folder {str(folder)!r} holds another run of {found.game} (it differs in {differing}); "
            f"allowed is {ALLOWED_FOLDER}"
        )
