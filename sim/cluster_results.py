"""What comes back from a worker, held against what was asked for: nothing of it is believed."""

from __future__ import annotations

import time
from pathlib import Path

from sim import parts
from sim.cluster_messages import (
    Answer,
    ChunkOrder,
    Failure,
    MessageError,
    files_complaint,
    partial_of,
    rows_of,
    units_complaint,
)
from sim.errors import ClusterError, KernelError
from sim.games import Setup
from sim.manifest import MATCHES, TABLES, StoredChunk, StoredFile, part_name
from sim.match import match_layout
from sim.playing import Played, summarizers

SIGHT_SECONDS = 60.0
"""How long a file that a worker wrote may take to be seen here: shared folders are not seen at once everywhere."""

GLANCE_SECONDS = 0.2


class Expected:
    """What the answers of a run must be.

    Parameters
    ----------
    setup, unit
        What is played.
    folder
        To which workers write; None for none.
    makes_tables
        Whether rows that come back are wanted as tables.
    """

    def __init__(self, setup: Setup, unit: str, folder: Path | None, *, makes_tables: bool) -> None:
        self._setup, self._unit = setup, unit
        self._folder = folder
        self._makes_tables = makes_tables
        deals, matches = summarizers(setup, unit)
        self._deals = deals.total
        self._matches = None if matches is None else matches.total

    def played(self, order: ChunkOrder, answer: Answer) -> Played:
        """What is left of a chunk that was played.

        Raises
        ------
        MessageError
            If the answer does not fit the order.
        ClusterError
            If a file that was written is not seen here.
        """
        complaint = units_complaint(answer.deals, order.chunk, self._unit)
        if complaint or answer.partial is None or (self._matches is not None and answer.match_partial is None):
            raise MessageError(complaint or "no sums")
        played = Played(partial=partial_of(answer.partial, self._deals))
        if self._matches is not None and answer.match_partial is not None:
            played.match_partial = partial_of(answer.match_partial, self._matches)
        counted = [answer.deals] if played.match_partial is None else [answer.deals, order.count]
        if [part.deals for part in (played.partial, played.match_partial) if part is not None] != counted:
            raise MessageError("sums of other deals")
        if order.writes:
            self._see(order, answer)
            played.stored = StoredChunk(order.index, order.first, order.count, answer.files)
        if order.rows:
            self._take_rows(played, answer)
        return played

    def _take_rows(self, played: Played, answer: Answer) -> None:
        played.records = rows_of(answer.records, self._setup.spec.record_layout)
        if self._unit == MATCHES:
            played.matches = rows_of(answer.matches, match_layout(self._setup.sides))
        if len(played.records) != answer.deals:
            raise MessageError(f"{len(played.records):,} rows of {answer.deals:,} deals")
        if self._makes_tables:
            played.tables = parts.tables_of(self._setup, played.records, played.matches)

    def _see(self, order: ChunkOrder, answer: Answer) -> None:
        """Make sure that what a worker wrote is seen here as well."""
        assert self._folder is not None
        complaint = files_complaint(answer.files, [part_name(table, order.index) for table in TABLES[self._unit]])
        if complaint:
            raise MessageError(complaint)
        end = time.monotonic() + SIGHT_SECONDS
        for file in answer.files:
            while not _is_there(self._folder, file):
                if time.monotonic() > end:
                    raise ClusterError(
                        f"{file.name}, which worker {answer.worker} wrote to {str(self._folder)!r}, is not seen here: "
                        "the folder must be shared, under the same name on every machine"
                    )
                time.sleep(GLANCE_SECONDS)


def failure_of(failure: Failure, what: str, worker: str) -> Exception:
    """Return the error that a chunk's failure is here.

    Parameters
    ----------
    what
        The chunk, as ``deals 0 to 49,999``.
    """
    if failure.kind == "kernel":
        return KernelError(failure.text)
    if failure.kind == "system":
        return OSError(failure.number, failure.text, failure.file or None)
    return ClusterError(f"{what} failed on worker {worker}: {failure.text}")


def _is_there(folder: Path, file: StoredFile) -> bool:
    try:
        with (folder / file.name).open("rb") as opened:
            return opened.seek(0, 2) == file.bytes
    except OSError:
        return False
