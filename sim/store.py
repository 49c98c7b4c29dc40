"""Runs on disk while they are made: Parquet parts a chunk, and the manifest that lists them.

Every file is written beside its place, reaches the disk, and is renamed, so a run leaves whole chunks only,
however it ends.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import msgspec

from sim import sources
from sim.batch import Chunk
from sim.errors import UsageError
from sim.locking import LOCK, FolderLock
from sim.manifest import MANIFEST, Manifest, Piece, StoredChunk, StoredFile, is_part_name, part_name, read_manifest
from sim.provenance import provenance

PARTIAL = ".partial"
_LEFT_OVER = re.compile(r"(probe-[0-9a-f]{8}|(?P<of>.+)\.)[0-9a-f-]*\.partial", re.ASCII)
"""What a run that was killed leaves of a file that it was writing; others may have files of that ending too."""

ALLOWED_FOLDER = "a new or empty folder, or that of this run"
MANIFEST_SHARE = 0.05
"""Part of the time that may go into writing the manifest while chunks come in; the last one is always written."""

_UNKNOWN: dict[str, Any] = {}
"""Provenance of a chunk of which the manifest does not say who played it."""


class Table(Protocol):
    """What a chunk's rows must be able to do: a Polars frame."""

    def write_parquet(self, file: Any) -> None:
        """Write the rows as Parquet."""


class Store:
    """A run's folder while the run is made, locked until `release`.

    Chunks that the folder's manifest lists stay listed until they are written anew, so that nothing finished is lost.

    Parameters
    ----------
    folder
        Made if it is not there. A folder that holds anything else than this very run is refused.
    manifest
        From `new_manifest`.
    where
        What named the folder, for the message, as ``--out``.
    threads
        Worker threads, for the provenance.

    Attributes
    ----------
    played_by
        Who played what, where it was not this process; None where it was.

    Raises
    ------
    UsageError
        If the folder cannot be used; nothing is written then.
    BusyError
        If another process writes to it.
    """

    def __init__(self, folder: Path, manifest: Manifest, where: str = "out", threads: int = 1) -> None:
        check_folder(folder, manifest, where)
        with _folders_made(folder):
            self._open(folder, manifest, where, threads)

    def _open(self, folder: Path, manifest: Manifest, where: str, threads: int) -> None:
        self._lock = FolderLock(folder)
        try:
            # Again, now that nobody else changes it.
            found = check_folder(folder, manifest, where)
            self.folder = folder
            self.manifest = manifest
            self._made_here = provenance(threads)
            self._chunks: dict[int, StoredChunk] = {}
            self._makers: dict[int, dict[str, Any]] = {}
            self.played_by: list[Piece] | None = None
            self._written_at = self._pause = 0.0
            self._is_written = found is not None
            if found is not None:
                self._take_over(found)
            remove_partial(folder)
            if found is None:
                self.flush()
        except BaseException:
            self.release()
            raise

    def _take_over(self, found: Manifest) -> None:
        self._chunks = {chunk.index: chunk for chunk in found.chunks}
        pieces = sorted(found.pieces, key=lambda piece: piece.first)
        for chunk in found.chunks:
            at = bisect_right(pieces, chunk.first, key=lambda piece: piece.first) - 1
            if at >= 0 and chunk.first < pieces[at].first + pieces[at].count:
                self._makers[chunk.index] = pieces[at].provenance
        self.manifest.provenance = found.provenance
        # Other kernels are here only if they are declared the same; those that began the run stay named.
        self.manifest.kernels = found.kernels
        # Of a run that stops at a precision: where it stopped, if it did.
        self.manifest.count = found.count
        self._list_chunks()

    @property
    def stored(self) -> Mapping[int, StoredChunk]:
        """Finished chunks by index."""
        return self._chunks

    def write_chunk(self, chunk: Chunk, tables: Mapping[str, Table]) -> StoredChunk:
        """Write the tables of a chunk as ``NAME-NNNNN.parquet``; safe in any thread."""
        return write_chunk(self.folder, chunk, tables)

    def add(self, stored: StoredChunk) -> None:
        """Note a finished chunk of this process in the manifest."""
        self._chunks[stored.index] = stored
        self._makers[stored.index] = self._made_here
        self._is_written = False
        if time.monotonic() - self._written_at > self._pause:
            self.flush()

    def end_at(self, count: int) -> None:
        """Say of how many units the run turned out to be; parts beyond, of a longer run before, are taken away."""
        kept_chunks = {
            index: chunk for index, chunk in self._chunks.items() if index * self.manifest.chunk_size < count
        }
        if (self.manifest.count, self._chunks) != (count, kept_chunks):
            self.manifest.count, self._chunks, self._is_written = count, kept_chunks, False
        kept = {file.name for chunk in self._chunks.values() for file in chunk.files}
        for part in self.folder.iterdir():
            if is_part_name(part.name) and part.name not in kept:
                part.unlink()

    def flush(self) -> None:
        """Write the manifest as it stands."""
        start = time.monotonic()
        self._list_chunks()
        with whole_file(self.folder / MANIFEST) as file:
            file.write(msgspec.json.format(msgspec.json.encode(self.manifest), indent=2) + b"\n")
        self._written_at, self._is_written = time.monotonic(), True
        self._pause = (self._written_at - start) / MANIFEST_SHARE

    def close(self, made: Mapping[str, Any]) -> None:
        """Write the manifest for the last time, with where the run was made; not if this process changed nothing."""
        if any(maker is self._made_here for maker in self._makers.values()) or not self._is_written:
            self._made_here.update(made)
            self.manifest.provenance = dict(made)
            self.flush()

    def release(self) -> None:
        """Let other processes have the folder."""
        self._lock.release()

    def _list_chunks(self) -> None:
        self.manifest.chunks = [self._chunks[index] for index in sorted(self._chunks)]
        self.manifest.pieces = list(self._pieces()) if self.played_by is None else self.played_by

    def _pieces(self) -> Iterator[Piece]:
        """Who played what: neighbouring chunks of one process together."""
        first = count = 0
        maker: dict[str, Any] | None = None
        for chunk in self.manifest.chunks:
            made = self._makers.get(chunk.index, _UNKNOWN)
            if maker is not None and (made is not maker or chunk.first != first + count):
                yield Piece(first, count, maker)
                maker = None
            if maker is None:
                first, count, maker = chunk.first, 0, made
            count += chunk.count
        if maker is not None:
            yield Piece(first, count, maker)

    def write_part(self, name: str, content: bytes) -> StoredFile:
        """Write a file of a chunk; safe in any thread."""
        return write_part(self.folder, name, content)


def write_chunk(folder: Path, chunk: Chunk, tables: Mapping[str, Table]) -> StoredChunk:
    """Write the tables of a chunk into a folder as ``NAME-NNNNN.parquet``; safe in any thread of any machine."""
    files = []
    for name, table in tables.items():
        # In memory, for of a path Polars makes its own sense, and a full disk it reports in its own way.
        parquet = io.BytesIO()
        table.write_parquet(parquet)
        files.append(write_part(folder, part_name(name, chunk.index), parquet.getvalue()))
    return StoredChunk(chunk.index, chunk.first, chunk.count, files)


def write_part(folder: Path, name: str, content: bytes) -> StoredFile:
    """Write a file of a chunk into a folder; safe in any thread of any machine."""
    with whole_file(folder / name) as file:
        file.write(content)
    return StoredFile(name, len(content), hashlib.sha256(content).hexdigest())


def remove_partial(folder: Path) -> None:
    """Take away what was left of files by processes that were killed, where none is at work any more."""
    for left_over in folder.glob(f"*{PARTIAL}"):
        if is_left_over(left_over.name) and left_over.is_file():
            left_over.unlink()


def is_left_over(name: str) -> bool:
    """Whether a file is called as one of a run's that was not finished.

    >>> is_left_over("deals-00012.parquet.0123456789abcdef.partial"), is_left_over("film.partial")
    (True, False)
    """
    found = _LEFT_OVER.fullmatch(name)
    return found is not None and (found["of"] in (None, MANIFEST) or is_part_name(found["of"]))


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that comes to its place when the block has written it, and leaves nothing behind if that fails.

    It is on the disk before it is in its place, so that not even a power failure leaves half of it there.
    """
    # By chance: workers of a cluster that write to one folder may have the same process number on two machines.
    partial = path.with_name(f"{path.name}.{os.urandom(8).hex()}{PARTIAL}")
    try:
        with partial.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        _sync_folder(path.parent)
    except BaseException as error:
        with suppress(OSError):
            partial.unlink()
        if isinstance(error, OSError):
            error.filename = error.filename or str(path)
        raise


@contextmanager
def _folders_made(folder: Path) -> Iterator[None]:
    """Make a folder and those that it lies in for the block; those that are new go again if it fails."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for each in new:
            # One that is not empty, or was never made, stays as it is.
            with suppress(OSError):
                each.rmdir()
        raise


def _sync_folder(folder: Path) -> None:
    """Have a folder's list of names reach the disk, where the system can do that."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def check_folder(folder: Path, manifest: Manifest, where: str = "out") -> Manifest | None:
    """Check that a run may be written to a folder: absent, empty, or holding this very run.

    Parameters
    ----------
    where
        What named the folder, for the message, as ``--out``.

    Returns
    -------
    Manifest or None
        That of the folder, if it holds this run.

    Raises
    ------
    UsageError
        If it may not.
    """
    if not folder.exists():
        if folder.is_symlink():
            raise UsageError(f"{where}: {str(folder)!r} is a link that leads nowhere; allowed is {ALLOWED_FOLDER}")
        return None
    if not folder.is_dir():
        raise UsageError(f"{where}: {str(folder)!r} is a file; allowed is {ALLOWED_FOLDER}")
    if _is_as_good_as_empty(folder):
        return None
    if not (folder / MANIFEST).is_file():
        raise UsageError(f"{where}: the folder {str(folder)!r} is not empty; allowed is {ALLOWED_FOLDER}")
    found = read_manifest(folder, where)
    differing = manifest.differing(found)
    if differing == ["kernels"]:
        raise UsageError(f"{where}: {other_kernels_text(folder, found)}")
    if differing:
        raise UsageError(
            f"{where}: the folder {str(folder)!r} holds another run of {found.game} "
            f"(it differs in {', '.join(differing)}); allowed is {ALLOWED_FOLDER}"
        )
    return found


def other_kernels_text(folder: Path, found: Manifest) -> str:
    """Complaint about a run whose rows are of other sources than these."""
    version = next((made["version"] for made in (found.provenance, *_makers(found)) if "version" in made), "unknown")
    mine = provenance(1)["version"]
    return (
        f"{str(folder)!r} was made by version {version} with other kernels of {found.game} ({found.kernels}) than "
        f"those of this version, {mine} ({sources.fingerprint(found.game)}), and they are not declared to play the same"
    )


def _makers(manifest: Manifest) -> list[dict[str, Any]]:
    return [piece.provenance for piece in manifest.pieces]


def _is_as_good_as_empty(folder: Path) -> bool:
    """Whether a folder holds nothing but what a run leaves that was killed before it wrote its first manifest."""
    return all(path.name == LOCK or is_left_over(path.name) for path in folder.iterdir())
