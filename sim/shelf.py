"""Finished chunks of a run that goes on: read back, verified, and counted as if they had just been played."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from sim.batch import Chunk
from sim.errors import DamageError, UsageError
from sim.manifest import MATCHES, StoredChunk
from sim.parts import PartReader, Tables
from sim.store import Store

SAMPLE = {MATCHES: 1}
DEALS_AGAIN = 4
"""Deals of every part that are played again before it is counted (of matches, one)."""

PARTS_FIRST = 8
"""Parts that are looked at before anything is played."""


class Shelf:
    """Finished chunks of the folder in which a run goes on.

    A part that was damaged counts as not there, and is played again. Parts that are whole, but which this version plays
    differently, end the run: what the two would make together would be wrong.

    Parameters
    ----------
    folder
        Of the run.
    reader
        Of its parts.
    announce
        Receives a line for each chunk that was damaged; None for silence.

    Raises
    ------
    UsageError
        If this version plays the run differently.
    """

    def __init__(self, folder: Store, reader: PartReader, announce: Callable[[str], None] | None) -> None:
        self.reader = reader
        self._folder = folder.folder
        self._announce = announce
        self._stored = dict(folder.stored)
        self._lock = threading.Lock()
        self._kept: dict[int, Tables] = {}
        indexes = sorted(self._stored)
        for index in indexes[:: max(1, -(-len(indexes) // PARTS_FIRST))]:
            self._read(self._stored[index])

    def take(self, piece: Chunk) -> Tables | None:
        """Return the rows of a chunk, or of a piece of one, if they are there and as they were written; any thread."""
        stored = self._stored.get(piece.index)
        if stored is None or piece.first + piece.count > stored.first + stored.count:
            return None
        if piece.count == stored.count:
            return self._read(stored)
        with self._lock:
            if piece.index not in self._kept:
                tables = self._read(stored)
                if tables is None:
                    return None
                # Pieces come in order, so one part is enough, and two where several threads are at work.
                self._kept = {**dict(list(self._kept.items())[-1:]), piece.index: tables}
            tables = self._kept[piece.index]
        return self.reader.cut(tables, piece.first - stored.first, piece.count)

    def has(self, index: int, count: int) -> bool:
        """Whether a part of so many units is there and was not found damaged."""
        return index in self._stored and self._stored[index].count == count

    def discard(self, index: int, damage: DamageError) -> None:
        """Have a chunk that was found damaged count as not there; any thread."""
        if self._stored.pop(index, None) is not None and self._announce is not None:
            self._announce(f"carteador: {damage}. Chunk {index} is played again.")

    def _read(self, stored: StoredChunk) -> Tables | None:
        try:
            tables = self.reader.tables(stored)
        except DamageError as damage:
            self.discard(stored.index, damage)
            return None
        difference = self.reader.played_differently(stored, tables, self._sample(stored))
        if difference:
            raise UsageError(
                f"{str(self._folder)!r} cannot be gone on with, for this version plays it differently: {difference}"
            )
        return tables

    def _sample(self, stored: StoredChunk) -> Sequence[int]:
        return spread(stored.count, SAMPLE.get(self.reader.unit, DEALS_AGAIN), stored.index)


def spread(count: int, wanted: int, turn: int = 0) -> list[int]:
    """Numbers below `count`, rising, about evenly apart; other ones for another `turn`.

    >>> spread(100, 4), spread(100, 4, 1), spread(3, 5)
    ([12, 37, 62, 87], [2, 27, 52, 77], [0, 1, 2])
    """
    if wanted >= count:
        return list(range(count))
    # The golden section spreads the turns over the gaps.
    shift = (0.5 + turn * 0.6180339887498949) % 1
    return sorted({min(count - 1, int((number + shift) * count / wanted)) for number in range(wanted)})
