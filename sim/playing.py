"""A chunk played and counted: what a thread of this process does, and a worker of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim import batch, parts
from sim.batch import Records
from sim.errors import DamageError, error_text
from sim.games import Setup
from sim.manifest import DEALS, MATCHES, StoredChunk
from sim.match import play_matches
from sim.numbers import unit_name

if TYPE_CHECKING:
    from analysis.matches import MatchSummary
    from analysis.summary import Summarizer

MATCH_CHUNK = 2_000
"""Most matches that are played at once, where their rows need not stay together."""


def largest_chunk(unit: str, *, searched: bool = False) -> int:
    """Return the most units that are played at once, where their rows need not stay together."""
    if searched:
        return batch.SEARCHED_CHUNK if unit == DEALS else 1
    return batch.LARGEST_CHUNK if unit == DEALS else MATCH_CHUNK


def summarizers(setup: Setup, unit: str) -> tuple[Summarizer, MatchSummary | None]:
    """Totals of deals and, where matches are played, of matches; else None."""
    from analysis.matches import MatchSummary
    from analysis.summary import Summarizer

    words = (setup.spec, dict(setup.options), setup.policy_texts)
    return Summarizer(*words), MatchSummary(*words) if unit == MATCHES else None


@dataclass(slots=True)
class Played:
    """What is left of a chunk: its rows as tables or records, their sums, and the files if it was written.

    Attributes
    ----------
    is_stored
        Whether it was there before and was read back.
    """

    tables: parts.Tables | None = None
    records: Records | None = None
    matches: Records | None = None
    partial: Any = None
    match_partial: Any = None
    stored: StoredChunk | None = None
    is_stored: bool = False


def play(setup: Setup, unit: str, first: int, count: int) -> Played:
    """Play units `first` to ``first + count - 1`` in this thread.

    Raises
    ------
    KernelError
        If a kernel breaks an invariant.
    """
    if unit == MATCHES:
        matches, records = play_matches(setup, first, count)
        return Played(records=records, matches=matches)
    return Played(records=batch.play(setup, batch.deal_jobs(setup, first, count)))


def count_rows(setup: Setup, played: Played, deals: Summarizer, matches: MatchSummary | None) -> None:
    """Add up the rows of a chunk: of its tables where it has them, else of its records."""
    tables = played.tables
    if tables is not None:
        played.partial = deals.frames_chunk(tables["deals"], tables["sides"])
    elif played.records is not None:
        played.partial = deals.chunk(played.records)
    if matches is not None:
        rows = played.matches
        if rows is None and tables is not None:
            rows = parts.match_records(setup, tables["matches"])
        if rows is not None:
            played.match_partial = matches.chunk(rows)


def count_stored(setup: Setup, tables: parts.Tables, deals: Summarizer, matches: MatchSummary | None) -> Played:
    """Add up the rows of a chunk that were read back.

    Raises
    ------
    DamageError
        If they hold what no deal leaves, as nothing where there is always a number.
    """
    played = Played(tables, is_stored=True)
    try:
        count_rows(setup, played, deals, matches)
    except MemoryError:
        raise
    # A checksum proves no sense: rows that somebody made up can be impossible in every way.
    except Exception as error:
        unit = DEALS if matches is None else MATCHES
        first = tables["deals"]["deal" if unit == DEALS else "match"][0]
        raise DamageError(
            f"the rows from {unit_name(unit)} {first:,} on hold what no deal leaves: {error_text(error)}"
        ) from None
    return played
