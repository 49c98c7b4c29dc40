"""The manifest of a stored run: all that decides its rows, and which chunks are finished.

A manifest may come from anywhere, so nothing in it is believed: what it names is compared with what this version
would name, and it is never more than data.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sim import sources
from sim.errors import UsageError
from sim.games import Setup, find_game, make_setup
from sim.numbers import MAX_INT64, MAX_UINT64
from sim.own.source import OwnPolicy
from sim.own.stored import StoredPolicy, files_to_read, files_to_run, stored_policies
from sim.paths import read_inside
from sim.rules import plain

SCHEMA = "carteador.run/1"
MANIFEST = "manifest.json"

DEALS, MATCHES = "deals", "matches"
TABLES = {DEALS: ("deals", "sides"), MATCHES: ("deals", "sides", "matches")}
"""Tables of a chunk by the unit of the run, a file each."""

MOST_UNITS = 10**15
LARGEST_CHUNK = 10**7
"""Most units in a chunk that is stored; its rows must fit the memory."""

LARGEST_MANIFEST = 1 << 28
LARGEST_UNIT = {DEALS: 1 << 14, MATCHES: 1 << 20}
"""Bytes in a file of a part, for each unit of the part, that no run comes near."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_PART = re.compile(r"(deals|sides|matches)-\d{5,15}\.parquet", re.ASCII)
_SCHEMA_NAME = SCHEMA.partition("/")[0]


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


class Piece(msgspec.Struct, frozen=True):
    """Units `first` to ``first + count - 1`` and where one process played them."""

    first: int
    count: int
    provenance: dict[str, Any]


class Manifest(msgspec.Struct, kw_only=True):
    """All that decides a run's rows, where they were made, and which chunks are finished.

    Attributes
    ----------
    unit
        What `first`, `count` and the chunks count: ``deals`` or ``matches``.
    policy_files
        The files among the policies, as text: data, which only a command that names them turns into code.
    kernels
        Fingerprint of the sources that decide the rows of the game (`sim.sources`). Rows of different sources do not
        belong together unless they are declared the same.
    chunk_size
        Units in every chunk but the last; chunk i begins at ``first + i * chunk_size``.
    until
        Of a run that stops at a precision; its `count` is the most that it may play until it has stopped.
    pieces
        Which process played what, in order: several where the run was resumed, or merged of others.
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
    policy_files: list[StoredPolicy] = []
    kernels: str
    until: Until | None = None
    provenance: dict[str, Any] = {}
    pieces: list[Piece] = []
    chunks: list[StoredChunk] = []

    @property
    def done(self) -> int:
        """Units in finished chunks."""
        return sum(chunk.count for chunk in self.chunks)

    @property
    def is_complete(self) -> bool:
        """Whether all units are there."""
        return self.done == self.count

    @property
    def file_names(self) -> list[str]:
        """Names of the policy files."""
        return [one.name for one in self.policy_files]

    def identity(self) -> dict[str, Any]:
        """All that must agree for a folder to hold this very run, by name of the field."""
        # Where a run stops at a precision, its length is a result.
        left_out = {"provenance", "pieces", "chunks", *(["count"] if self.until else [])}
        return {name: getattr(self, name) for name in self.__struct_fields__ if name not in left_out}

    def differing(self, other: Manifest, but: Sequence[str] = ()) -> list[str]:
        """Names of the fields in which this is not the same run as another."""
        mine, its = self.identity(), other.identity()
        names = [name for name in mine if name not in but and mine[name] != its.get(name)]
        if "kernels" in names and sources.give_same_rows(self.game, self.kernels, other.kernels):
            names.remove("kernels")
        return names


class _Head(msgspec.Struct):
    schema: str


def new_manifest(
    setup: Setup, unit: str, first: int, count: int, chunk_size: int, until: Until | None = None
) -> Manifest:
    """Manifest of a run of which nothing is done yet."""
    return Manifest(
        game=setup.spec.name,
        unit=unit,
        seed=setup.seed,
        first=first,
        count=count,
        chunk_size=chunk_size,
        options=dict(setup.options),
        policies=setup.policy_texts,
        policy_files=stored_policies(setup),
        kernels=sources.fingerprint(setup.spec.name),
        until=until,
    )


def part_name(table: str, index: int) -> str:
    """Name of the file of a chunk's table, as ``deals-00012.parquet``."""
    return f"{table}-{index:05d}.parquet"


def is_sha256(text: str) -> bool:
    """Whether a text is a SHA-256 as it is written here."""
    return _SHA256.fullmatch(text) is not None


def is_part_name(name: str) -> bool:
    """Whether a file is called as one of a chunk's."""
    return _PART.fullmatch(name) is not None


def table_of(part: str) -> str:
    """Table that a file of a chunk holds, as ``deals``."""
    return part.partition("-")[0]


def resume_command(folder: Path, *words: str, files: Sequence[str] = ()) -> str:
    """Return the command that goes on with the run of a folder, whose policy files it names."""
    named = [word for name in files for word in ("--policy", name)]
    return shlex.join(["carteador", "run", "--resume", str(folder), *named, *words])


def read_manifest(folder: Path, where: str = "") -> Manifest:
    """Manifest of a stored run.

    Parameters
    ----------
    where
        What named the folder, for the message, as ``--out``.

    Raises
    ------
    UsageError
        If the folder holds none, one of another version, or one that does not hold together.
    """
    prefix = f"{where}: " if where else ""
    path = folder / MANIFEST
    try:
        content = read_inside(folder, MANIFEST, LARGEST_MANIFEST)
    except (FileNotFoundError, NotADirectoryError):
        if not folder.exists():
            raise UsageError(f"{prefix}there is no folder {str(folder)!r}") from None
        raise UsageError(f"{prefix}{str(folder)!r} holds no {MANIFEST}, so it is no run of carteador") from None
    except OSError as error:
        raise UsageError(f"{prefix}{str(path)!r} cannot be read: {error.strerror or error}") from None
    try:
        schema = msgspec.json.decode(content, type=_Head).schema
        if schema != SCHEMA and schema.startswith(f"{_SCHEMA_NAME}/"):
            raise UsageError(
                f"{prefix}{str(path)!r} was written by another version of carteador: its schema is {schema!r}, and "
                f"this version reads {SCHEMA}"
            )
        if schema != SCHEMA:
            raise UsageError(f"{prefix}{str(path)!r} is no manifest of a run: its schema is {schema!r}, not {SCHEMA}")
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{prefix}{str(path)!r} is no manifest of a run: {_first_line(error)}") from None
    complaint = _complaint(manifest)
    if complaint:
        raise UsageError(f"{prefix}{str(path)!r} is damaged: {complaint}")
    return manifest


def setup_of(manifest: Manifest, folder: Path, where: str = "", named: Sequence[OwnPolicy] | None = None) -> Setup:
    """Game, options, policies and seed of a stored run, as this version has them.

    No file that a manifest names is ever read, and none of its policy files is run unless it is among those `named`.

    Parameters
    ----------
    named
        The policy files that a command names to play the run's deals; None where none is to be played.

    Raises
    ------
    UsageError
        If one of them is not what this version would have written.
    """
    prefix = f"{where}: " if where else ""
    name = str(folder / MANIFEST)
    try:
        setup = setup_of_texts(
            manifest.game,
            manifest.seed,
            manifest.options,
            manifest.policies,
            files_to_read(find_game(manifest.game), manifest.policy_files),
        )
    except UsageError as error:
        raise UsageError(f"{prefix}{name!r} cannot be used: {_first_line(error)}") from None
    if named is None or not manifest.policy_files:
        return setup
    try:
        files = files_to_run(setup.spec, manifest.policy_files, named)
        return setup_of_texts(manifest.game, manifest.seed, manifest.options, manifest.policies, files)
    except UsageError as error:
        raise UsageError(f"{prefix}{str(folder)!r}: {error}") from None


def setup_of_texts(
    game: str,
    seed: int,
    options: Mapping[str, Any],
    policies: Sequence[str],
    files: Mapping[str, OwnPolicy] | None = None,
) -> Setup:
    """Game, options, policies and seed as they were written down, checked.

    Policies are those that are built in, and `files`: no file that is named is ever loaded.

    Raises
    ------
    UsageError
        If one of them is not what this version would have written.
    """
    setup = make_setup(game, seed=seed, policies=policies, rules=options, files=files or {})
    read_options = {option: plain(value) for option, value in setup.options.items()}
    for field, written, read in (
        ("options", options, read_options),
        ("policies", policies, setup.policy_texts),
    ):
        if written != read:
            raise UsageError(f"this version does not write its {field} like that")
    return setup


def _complaint(manifest: Manifest) -> str:
    """What is wrong with a manifest in itself, in words; nothing if all is well."""
    if manifest.unit not in TABLES:
        return f"its unit is {manifest.unit!r}; allowed is {' or '.join(TABLES)}"
    if not _FINGERPRINT.fullmatch(manifest.kernels):
        return "its kernels are no fingerprint"
    last = MAX_INT64 if manifest.unit == MATCHES else MAX_UINT64
    ranges = (
        ("seed", manifest.seed, 0, MAX_UINT64),
        ("first", manifest.first, 0, last),
        ("count", manifest.count, 1, min(MOST_UNITS, last - manifest.first + 1)),
        ("chunk_size", manifest.chunk_size, 1, LARGEST_CHUNK),
    )
    for name, value, low, high in ranges:
        if not low <= value <= high:
            return f"its {name} is out of range"
    if manifest.until is not None:
        if not 0 < manifest.until.confidence < 1:
            return "the confidence of its until is not between 0 and 1"
        if not manifest.count <= manifest.until.most <= MOST_UNITS:
            return "its until does not fit its count"
    before = -1
    for chunk in manifest.chunks:
        if chunk.index <= before:
            return f"chunk {chunk.index} does not follow the one before it"
        before = chunk.index
        complaint = _chunk_complaint(chunk, manifest)
        if complaint:
            return complaint
    return ""


def _chunk_complaint(chunk: StoredChunk, manifest: Manifest) -> str:
    offset = chunk.index * manifest.chunk_size
    whole = min(manifest.chunk_size, manifest.count - offset)
    # Where a run that stops at a precision was interrupted, its last part is shorter.
    fits = chunk.count == whole or (manifest.until is not None and 0 < chunk.count < whole)
    if chunk.first != manifest.first + offset or not fits:
        return f"chunk {chunk.index} is not the units that it should be"
    names = [part_name(table, chunk.index) for table in TABLES[manifest.unit]]
    if [file.name for file in chunk.files] != names:
        return f"the files of chunk {chunk.index} are not called {', '.join(names)}"
    for file in chunk.files:
        if not is_sha256(file.sha256):
            return f"the sha256 of {file.name} is none"
        if not 0 < file.bytes <= chunk.count * LARGEST_UNIT[manifest.unit] + (1 << 20):
            return f"the size of {file.name} is out of range"
    return ""


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
