"""What a worker of a cluster does: it says what it is, and plays chunks.

A worker is told nothing but data, and decides by itself whether it may play it: with other kernels, with sums of other
statistics, or before another folder it plays nothing and says so.
"""

from __future__ import annotations

import asyncio
import os
import platform
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim import batch, parts, sources
from sim.cluster_messages import (
    Answer,
    ChunkOrder,
    Failure,
    Introduction,
    MessageError,
    RunOrder,
    partial_message,
    read_order,
    write_answer,
)
from sim.errors import KernelError, error_text
from sim.games import Setup, find_game
from sim.paths import read_inside
from sim.playing import Played, count_rows, play, summarizers
from sim.provenance import carteador_version, cpu_name
from sim.store import PARTIAL, write_chunk

if TYPE_CHECKING:
    from analysis.matches import MatchSummary
    from analysis.summary import Summarizer

LIBRARIES = ("numba", "numpy", "polars", "distributed")
LARGEST_PROBE = 200

_lock = threading.Lock()
_ready: set[str] = set()


def versions() -> dict[str, str]:
    """Versions of Carteador, Python and the libraries here, without loading any."""
    found = {"carteador": carteador_version(), "python": platform.python_version()}
    return found | {name: version(name) for name in LIBRARIES}


async def introduce(content: bytes) -> bytes:
    """Say what this worker is and whether it can play a run; the worker goes on with its work meanwhile.

    Parameters
    ----------
    content
        A `RunOrder`.

    Returns
    -------
    bytes
        An `Introduction`.
    """
    return await asyncio.to_thread(_introduce, content)


def _introduce(content: bytes) -> bytes:
    is_compiled = True
    try:
        order = read_order(content, RunOrder)
        refusal = _refusal(order)
        if not refusal:
            from kernels import _jit

            is_compiled = _jit.is_compiled(order.game)
    except MessageError as error:
        refusal = str(error)
    return write_answer(Introduction(refusal, platform.node(), versions(), cpu_name(), is_compiled))


def _refusal(order: RunOrder) -> str:
    """Why this worker cannot play a run, in words; empty if it can."""
    order.setup()
    find_game(order.game)
    mine = sources.fingerprint(order.game)
    if mine not in order.kernels:
        return (
            f"it has other kernels of {order.game} ({mine}) than are asked for ({order.kernels[0]}), "
            "and they are not declared to play the same"
        )
    counting = sources.counting_fingerprint(order.game)
    if counting != order.counting:
        return f"it counts other statistics of {order.game} ({counting}) than are asked for ({order.counting})"
    return "" if order.folder is None else _folder_refusal(Path(order.folder), order.probe, order.token)


def _folder_refusal(folder: Path, probe: str, token: str) -> str:
    """Why this worker cannot write parts to a folder, in words; empty if it can."""
    shared = "the folder must be shared, under the same name on every machine"
    if not folder.is_absolute() or not probe.endswith(PARTIAL) or Path(probe).name != probe:
        raise MessageError(f"{str(folder)!r} and {probe!r} are no folder and file in it")
    try:
        found = read_inside(folder, probe, LARGEST_PROBE)
    except FileNotFoundError:
        return f"it does not see the folder {str(folder)!r}: {shared}"
    except OSError as error:
        return f"it cannot read the folder {str(folder)!r} ({error.strerror or error}): {shared}"
    if found != token.encode():
        return f"it sees another folder as {str(folder)!r}: {shared}"
    beside = folder / f"{probe.removesuffix(PARTIAL)}-{os.urandom(8).hex()}{PARTIAL}"
    try:
        beside.touch()
        beside.unlink()
    except OSError as error:
        return f"it cannot write to the folder {str(folder)!r}: {error.strerror or error}"
    return ""


@dataclass(frozen=True, slots=True)
class _Job:
    """A run as this worker has it ready."""

    order: RunOrder
    setup: Setup
    deals: Summarizer
    matches: MatchSummary | None
    refusal: str


@lru_cache(maxsize=8)
def _job(content: bytes) -> _Job:
    order = read_order(content, RunOrder)
    setup = order.setup()
    refusal = _refusal(order)
    return _Job(order, setup, *summarizers(setup, order.unit), refusal)


def play_chunk(run: bytes, chunk: bytes) -> bytes:
    """Play a chunk, count it, and write or send its rows if they are asked for.

    Parameters
    ----------
    run, chunk
        A `RunOrder` and a `ChunkOrder`.

    Returns
    -------
    bytes
        An `Answer`.
    """
    worker = _address()
    try:
        order = read_order(chunk, ChunkOrder)
        with _lock:
            job = _job(run)
        answer = Answer(worker, refusal=job.refusal) if job.refusal else _answer(job, order, worker)
    except MessageError as error:
        answer = Answer(worker, refusal=f"it has another version of carteador: {error}")
    except KernelError as error:
        answer = Answer(worker, failure=Failure("kernel", str(error)))
    except MemoryError:
        answer = Answer(worker, failure=Failure("memory", "there is not enough memory for this"))
    except OSError as error:
        text, name = str(error.strerror or error), str(error.filename or "")
        answer = Answer(worker, failure=Failure("system", text, error.errno or 0, name))
    except Exception as error:
        # Told in words: what Dask would make of it is an object of any class.
        answer = Answer(worker, failure=Failure("other", error_text(error)))
    return write_answer(answer)


def _address() -> str:
    from distributed import get_worker

    return str(get_worker().address)


def _answer(job: _Job, order: ChunkOrder, worker: str) -> Answer:
    with _lock:
        if job.setup.spec.name not in _ready:
            batch.first_compile(job.setup)
            _ready.add(job.setup.spec.name)
    start = time.perf_counter()
    played = _played(job, order)
    return Answer(
        worker,
        seconds=time.perf_counter() - start,
        deals=played.partial.deals,
        partial=partial_message(played.partial),
        match_partial=None if played.match_partial is None else partial_message(played.match_partial),
        files=[] if played.stored is None else played.stored.files,
        records=_bytes(played.records) if order.rows else None,
        matches=_bytes(played.matches) if order.rows else None,
    )


def _played(job: _Job, order: ChunkOrder) -> Played:
    """Play a chunk: as a whole if its rows are needed, else in pieces that leave only sums behind."""
    size = order.count if order.rows or order.writes else order.piece
    whole = Played()
    for piece in batch.chunks(order.first, order.count, size):
        played = play(job.setup, job.order.unit, piece.first, piece.count)
        if order.writes and played.records is not None and job.order.folder is not None:
            played.tables = parts.tables_of(job.setup, played.records, played.matches)
            played.stored = write_chunk(Path(job.order.folder), order.chunk, played.tables)
        count_rows(job.setup, played, job.deals, job.matches)
        if whole.partial is not None:
            played.partial = whole.partial + played.partial
            if played.match_partial is not None:
                played.match_partial = whole.match_partial + played.match_partial
        whole = played
    return whole


def _bytes(rows: Any) -> bytes | None:
    return None if rows is None else rows.tobytes()
