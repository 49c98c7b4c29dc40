"""What travels between a run and the workers of a cluster: plain data, checked where it arrives.

Orders are JSON, answers MessagePack, compressed. Nothing of ours is pickled: what Dask itself packs is the name of a
function and bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from sim.batch import Chunk, Records
from sim.errors import UsageError
from sim.games import Setup, find_game
from sim.manifest import DEALS, LARGEST_CHUNK, TABLES, StoredFile, is_sha256, setup_of_texts
from sim.numbers import MAX_UINT64
from sim.own.stored import StoredPolicy, files_sent

if TYPE_CHECKING:
    from analysis.tally import Partial, Tally

SCHEMA = "carteador.chunk/1"
LARGEST_ORDER = 1 << 20
LARGEST_ANSWER = 1 << 34
"""Bytes that an order and an answer may have, unpacked."""

WHOLE = np.dtype("<i8")


class MessageError(ValueError):
    """A message is not what was agreed on: it comes from another program, or was altered."""


class RunOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all chunks of a run have in common.

    Attributes
    ----------
    game, seed, options, policies, unit
        As in a manifest.
    kernels
        Fingerprints of the sources that give this run's rows: those at hand, and those declared the same.
    counting
        Fingerprint of the sources that add rows up.
    folder
        Folder that parts are written to, as every worker must see it; None for none.
    probe, token
        A file in it and what it holds, by which a worker knows that it is this very folder.
    policy_files
        The policy files of the table, as text: whoever sends work to a cluster runs code on it in any case.
    """

    schema: str = SCHEMA
    game: str
    seed: int
    options: dict[str, Any]
    policies: list[str]
    unit: str
    kernels: list[str]
    counting: str
    folder: str | None = None
    probe: str = ""
    token: str = ""
    policy_files: list[StoredPolicy] = []

    def setup(self) -> Setup:
        """Game, options, policies and seed, checked.

        Raises
        ------
        MessageError
            If they are not what this version would have written.
        """
        try:
            if self.unit not in TABLES:
                raise UsageError(f"unit: {self.unit!r} is none")
            files = files_sent(find_game(self.game), self.policy_files)
            return setup_of_texts(self.game, self.seed, self.options, self.policies, files)
        except UsageError as error:
            raise MessageError(f"the order is of another version: {error}") from None


class ChunkOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chunk to play.

    Attributes
    ----------
    index, first, count
        As in `sim.batch.Chunk`.
    piece
        Units that are played at once; their sums are added up.
    writes
        Whether its rows are written to the folder.
    rows
        Whether they are sent back.
    """

    index: int
    first: int
    count: int
    piece: int
    writes: bool
    rows: bool

    @property
    def chunk(self) -> Chunk:
        """The chunk."""
        return Chunk(self.index, self.first, self.count)


class Introduction(msgspec.Struct, frozen=True):
    """What a worker says of itself.

    Attributes
    ----------
    refusal
        Why it cannot play the run, in words; empty if it can.
    host
        Name of its machine.
    versions
        Of Carteador, Python and the libraries.
    cpu
        Name of its processor.
    is_compiled
        Whether the kernels of the game are compiled there.
    """

    refusal: str
    host: str
    versions: dict[str, str]
    cpu: str
    is_compiled: bool


class TallyMessage(msgspec.Struct, frozen=True, array_like=True):
    """An `analysis.tally.Tally`: arrays as bytes, and sums, which can be of any size, as texts."""

    values: bytes
    counts: bytes
    sums: list[list[str]]
    deals: list[bytes]


class PartialMessage(msgspec.Struct, frozen=True, array_like=True):
    """An `analysis.tally.Partial`."""

    signature: list[str]
    deals: int
    tallies: dict[str, TallyMessage]


class Failure(msgspec.Struct, frozen=True):
    """How a chunk failed on a worker.

    Attributes
    ----------
    kind
        ``kernel``, ``system`` (with `number` and `file`), ``memory`` or ``other``.
    """

    kind: str
    text: str
    number: int = 0
    file: str = ""


class Answer(msgspec.Struct, frozen=True):
    """What becomes of a chunk.

    Attributes
    ----------
    worker
        Address of the worker.
    refusal
        Why that worker cannot play the run; empty if it can.
    failure
        How the chunk failed; None if it did not.
    seconds
        How long it took there, without compiling.
    deals
        Deals played.
    partial, match_partial
        Sums of the deals and of the matches.
    files
        Those that were written.
    records, matches
        Rows as the kernels left them, if they were asked for.
    """

    worker: str
    refusal: str = ""
    failure: Failure | None = None
    seconds: float = 0.0
    deals: int = 0
    partial: PartialMessage | None = None
    match_partial: PartialMessage | None = None
    files: list[StoredFile] = []
    records: bytes | None = None
    matches: bytes | None = None


def read_order(content: bytes, kind: type[Any]) -> Any:
    """Read a `RunOrder` or a `ChunkOrder`.

    Raises
    ------
    MessageError
        If it is none, or one of another version.
    """
    if len(content) > LARGEST_ORDER:
        raise MessageError(f"an order of {len(content):,} bytes")
    try:
        order = msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise MessageError(f"no {kind.__name__}: {error}") from None
    if isinstance(order, RunOrder) and order.schema != SCHEMA:
        raise MessageError(f"an order of schema {order.schema!r}, not {SCHEMA}")
    if isinstance(order, ChunkOrder) and not (
        0 <= order.first <= MAX_UINT64 - order.count + 1 and order.count >= 1 and 1 <= order.piece <= LARGEST_CHUNK
    ):
        raise MessageError("a chunk that is out of range")
    return order


def write_answer(answer: Answer | Introduction) -> bytes:
    """Pack what a worker sends."""
    return zlib.compress(msgspec.msgpack.encode(answer), 1)


def read_answer(content: bytes, kind: type[Any]) -> Any:
    """Read an `Answer` or an `Introduction`.

    Raises
    ------
    MessageError
        If it is none.
    """
    try:
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(content, LARGEST_ANSWER)
        if not unpacking.eof:
            raise MessageError("an answer that is cut off, or larger than can be meant")
        return msgspec.msgpack.decode(plain, type=kind)
    except (zlib.error, msgspec.DecodeError, RecursionError, TypeError) as error:
        raise MessageError(f"no {kind.__name__}: {error}") from None


def partial_message(partial: Partial) -> PartialMessage:
    """Sums as a message."""
    return PartialMessage(
        list(partial.signature), partial.deals, {name: _message(tally) for name, tally in partial.tallies.items()}
    )


def _message(tally: Tally) -> TallyMessage:
    return TallyMessage(
        _bytes(tally.values),
        _bytes(tally.counts),
        [[str(number) for number in sums.as_tuple()] for sums in tally.sums],
        [_bytes(table) for table in tally.deals],
    )


def _bytes(numbers: Any) -> bytes:
    return np.ascontiguousarray(numbers, WHOLE).tobytes()


def partial_of(message: PartialMessage, like: Partial) -> Partial:
    """Sums from a message.

    Parameters
    ----------
    like
        Sums of the same run, of any number of deals.

    Raises
    ------
    MessageError
        If these are not sums of that run.
    """
    from analysis.tally import Partial

    if tuple(message.signature) != like.signature or message.tallies.keys() != like.tallies.keys():
        raise MessageError("sums of another run")
    try:
        tallies = {name: _tally(message.tallies[name], tally) for name, tally in like.tallies.items()}
    except ValueError as error:
        raise MessageError(f"sums that are none: {error}") from None
    return Partial(like.signature, message.deals, tallies)


def _tally(message: TallyMessage, like: Tally) -> Tally:
    from analysis.estimate import Sums
    from analysis.tally import Tally

    values = _numbers(message.values)
    counts = _numbers(message.counts).reshape(len(values), like.counts.shape[1])
    tables = [_numbers(content) for content in message.deals]
    sums = [tuple(map(int, numbers)) for numbers in message.sums]
    lengths = [len(numbers.as_tuple()) for numbers in like.sums]
    if (np.diff(values) <= 0).any() or (counts < 0).any() or [len(numbers) for numbers in sums] != lengths:
        raise ValueError("they do not fit together")
    return Tally(
        values,
        counts,
        tuple(Sums(*numbers) for numbers in sums),
        tuple(table.reshape(known.shape) for table, known in zip(tables, like.deals, strict=True)),
    )


def _numbers(content: bytes) -> Any:
    return np.frombuffer(content, WHOLE).astype(np.int64, copy=False)


def rows_of(content: bytes | None, layout: np.dtype[np.void]) -> Records:
    """Rows from the bytes of them.

    Raises
    ------
    MessageError
        If they are none.
    """
    try:
        return np.frombuffer(content or b"", layout).copy()
    except ValueError as error:
        raise MessageError(f"rows that are none: {error}") from None


def files_complaint(files: Sequence[StoredFile], names: Sequence[str]) -> str:
    """Say what is wrong with the files that a worker says it wrote; nothing if all is well."""
    if [file.name for file in files] != list(names):
        return f"files that are not called {', '.join(names)}"
    odd = next((file for file in files if file.bytes < 1 or not is_sha256(file.sha256)), None)
    return "" if odd is None else f"{odd.name} without a checksum"


def units_complaint(deals: int, chunk: Chunk, unit: str) -> str:
    """Say what is wrong with the number of deals of a chunk; nothing if all is well."""
    fits = deals == chunk.count if unit == DEALS else deals >= chunk.count
    return "" if fits else f"{deals:,} deals for a chunk of {chunk.count:,} {unit}"
