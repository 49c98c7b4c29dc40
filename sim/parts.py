"""The rows of a chunk as tables: made of what the kernels leave, or read back from a folder of anybody's.

What is read back is believed only after its checksum, its columns, its number of rows and the numbering of its deals.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.batch import Records, deal_jobs, play
from sim.errors import DamageError
from sim.games import Setup
from sim.manifest import MATCHES, TABLES, StoredChunk, StoredFile, part_name, table_of
from sim.match import HAND_CAP, match_layout, play_matches
from sim.numbers import unit_name
from sim.paths import read_inside

if TYPE_CHECKING:
    import polars as pl

Tables = dict[str, "pl.DataFrame"]
"""Rows of some units by table: ``deals``, ``sides`` and, of matches, ``matches``."""


def tables_of(setup: Setup, records: Records, matches: Records | None) -> Tables:
    """Tables of records, and of the matches that they are of."""
    from analysis.frames import deals_frame, matches_frame, sides_frame

    policies, options = setup.policy_texts, dict(setup.options)
    tables = {
        "deals": deals_frame(setup.spec, records, policies, options),
        "sides": sides_frame(setup.spec, records, policies, options),
    }
    if matches is not None:
        tables["matches"] = matches_frame(matches)
    return tables


def match_records(setup: Setup, matches: pl.DataFrame) -> Records:
    """Rows of matches as they were played; who won follows from the scores, a shared victory included."""
    records = np.zeros(matches.height, match_layout(setup.sides))
    for name in ("match", "deals", "first_dealer"):
        records[name] = matches[name].to_numpy()
    records["scores"] = matches["scores"].to_numpy()
    records["winner"] = setup.spec.match_winners(records["scores"], setup.options)
    return records


def joined(pieces: Sequence[Tables]) -> Tables:
    """Tables of several pieces that follow one another."""
    import polars as pl

    if len(pieces) == 1:
        return pieces[0]
    return {name: pl.concat([piece[name] for piece in pieces]).rechunk() for name in pieces[0]}


def played_again(setup: Setup, unit: str, numbers: Sequence[int]) -> Tables:
    """Tables of some units, by their rising numbers, as this version plays them."""
    first, count = numbers[0], len(numbers)
    runs = [(first, count)] if numbers[-1] - first == count - 1 else [(number, 1) for number in numbers]
    if unit == MATCHES:
        played = [play_matches(setup, *run) for run in runs]
        matches, records = (np.concatenate(rows) for rows in zip(*played, strict=True))
        return tables_of(setup, records, matches)
    jobs = np.concatenate([deal_jobs(setup, *run) for run in runs])
    return tables_of(setup, play(setup, jobs), None)


class PartReader:
    """Reads the parts of a run.

    Parameters
    ----------
    folder
        Of the run.
    setup, unit
        What was played; the tables must be those of this version.
    """

    def __init__(self, folder: Path, setup: Setup, unit: str) -> None:
        self.folder = folder
        self.setup = setup
        self.unit = unit

    @cached_property
    def schemas(self) -> dict[str, pl.Schema]:
        """Columns and types of each table."""
        matches = np.zeros(0, match_layout(self.setup.sides)) if self.unit == MATCHES else None
        empty = tables_of(self.setup, np.zeros(0, self.setup.spec.record_layout), matches)
        return {name: table.schema for name, table in empty.items()}

    def content(self, file: StoredFile) -> bytes:
        """Bytes of a file, as they were written.

        Raises
        ------
        DamageError
            If it is missing or was altered.
        """
        try:
            content = read_inside(self.folder, file.name, file.bytes)
        except FileNotFoundError:
            raise DamageError(f"{file.name} is missing") from None
        except OSError as error:
            raise DamageError(f"{file.name} cannot be read: {error.strerror or error}") from None
        if len(content) != file.bytes:
            raise DamageError(f"{file.name} has {len(content):,} bytes of {file.bytes:,}")
        if hashlib.sha256(content).hexdigest() != file.sha256:
            raise DamageError(f"{file.name} is not what was written: its checksum differs")
        return content

    def tables(self, chunk: StoredChunk) -> Tables:
        """Tables of a finished chunk.

        Raises
        ------
        DamageError
            If a file is missing, was altered, or does not hold the rows of the chunk.
        """
        return self.tables_in(chunk, {file.name: self.content(file) for file in chunk.files})

    def tables_in(self, chunk: StoredChunk, contents: Mapping[str, bytes]) -> Tables:
        """Tables of a finished chunk from the bytes of its files.

        Raises
        ------
        DamageError
            If a file does not hold the rows of the chunk.
        """
        most = chunk.count * (HAND_CAP if self.unit == MATCHES else 1)
        tables = {}
        for name, content in contents.items():
            table = table_of(name)
            rows = most if table == "deals" else most * self.setup.sides
            tables[table] = _frame(content, name, self.schemas[table], rows)
        complaint = self._numbering_complaint(chunk, tables)
        if complaint:
            raise DamageError(complaint)
        return tables

    def _numbering_complaint(self, chunk: StoredChunk, tables: Tables) -> str:
        """Say what is wrong with the numbers of the deals and sides; nothing if all is well."""
        units = chunk.first + np.arange(chunk.count, dtype=np.uint64)
        deals, sides = tables["deals"], tables["sides"]
        if self.unit == MATCHES:
            matches = tables["matches"]
            lengths = matches["deals"].to_numpy()
            if not _equal(matches["match"], units):
                return f"{chunk.files[-1].name} does not hold matches {chunk.first:,} to {int(units[-1]):,}"
            if lengths.min() < 1 or lengths.max() > HAND_CAP:
                return f"{chunk.files[-1].name} has a match of no deals or too many"
            match_column: Any = np.repeat(units, lengths).astype(np.int64)
            ends = np.cumsum(lengths)
            deal_column = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
        else:
            match_column, deal_column = None, units
        count = self.setup.sides
        for table, times in ((deals, 1), (sides, count)):
            name = chunk.files[0 if table is deals else 1].name
            if not _equal(table["deal"], np.repeat(deal_column, times)):
                return f"{name} does not hold the deals of its chunk in order"
            wanted = None if match_column is None else np.repeat(match_column, times)
            fits = table["match"].null_count() == table.height if wanted is None else _equal(table["match"], wanted)
            if not fits:
                return f"{name} does not hold the matches of its chunk in order"
        if not _equal(sides["side"], np.tile(np.arange(count), deals.height)):
            return f"{chunk.files[1].name} does not hold the sides of each deal in order"
        return ""

    def cut(self, tables: Tables, offset: int, count: int) -> Tables:
        """Rows of `count` units of a chunk, from the unit `offset` in it on."""
        if self.unit != MATCHES:
            return self._cut_deals(tables, offset, count)
        matches = tables["matches"].slice(offset, count)
        before = int(tables["matches"]["deals"].head(offset).sum())
        return self._cut_deals(tables, before, int(matches["deals"].sum())) | {"matches": matches}

    def _cut_deals(self, tables: Tables, first: int, count: int) -> Tables:
        sides = self.setup.sides
        return {
            "deals": tables["deals"].slice(first, count),
            "sides": tables["sides"].slice(first * sides, count * sides),
        }

    def played_differently(self, chunk: StoredChunk, tables: Tables, offsets: Sequence[int]) -> str:
        """Play some units of a chunk again and say which row differs first; nothing if none does.

        Parameters
        ----------
        offsets
            Units from the first of the chunk, rising.
        """
        is_whole = len(offsets) == chunk.count
        stored = tables if is_whole else joined([self.cut(tables, offset, 1) for offset in offsets])
        again = played_again(self.setup, self.unit, [chunk.first + offset for offset in offsets])
        # Matches first: where they agree, so does the number of deals.
        for name in sorted(TABLES[self.unit], key=lambda name: name != MATCHES):
            if not stored[name].equals(again[name]):
                return self._difference_text(part_name(name, chunk.index), stored[name], again[name])
        return ""

    def _difference_text(self, part: str, stored: pl.DataFrame, again: pl.DataFrame) -> str:
        column, row = _first_difference(stored, again)
        number = stored["match" if self.unit == MATCHES else "deal"][row]
        what = unit_name(self.unit)
        command = self.setup.command("show", f"--{what}", number)
        return (
            f"{part}, {what} {number:,}: {column} is {stored[column][row]}, and {again[column][row]} as this version "
            f"plays it. See: {command}"
        )


def _equal(column: pl.Series, wanted: Any) -> bool:
    return len(column) == len(wanted) and column.null_count() == 0 and bool((column.to_numpy() == wanted).all())


def _first_difference(stored: pl.DataFrame, again: pl.DataFrame) -> tuple[str, int]:
    """Column and row of the first difference between two tables of one shape that differ."""
    found = []
    for column in stored.columns:
        pairs = zip(stored[column].to_list(), again[column].to_list(), strict=True)
        row = next((row for row, (here, there) in enumerate(pairs) if here != there), None)
        if row is not None:
            found.append((row, column))
    row, column = min(found, key=lambda difference: difference[0])
    return column, row


def _frame(content: bytes, name: str, schema: pl.Schema, most_rows: int) -> pl.DataFrame:
    """Read Parquet of known columns.

    Raises
    ------
    DamageError
        If it is no Parquet, or has other columns or more rows.
    """
    import polars as pl

    try:
        found = pl.Schema(pl.read_parquet_schema(io.BytesIO(content)))
        if found != schema:
            raise DamageError(f"{name} has not the columns of this version{_schema_text(found, schema)}")
        rows = pl.scan_parquet(io.BytesIO(content)).select(pl.len()).collect().item()
        if rows > most_rows:
            raise DamageError(f"{name} has {rows:,} rows where at most {most_rows:,} can be")
        return pl.read_parquet(io.BytesIO(content))
    except DamageError:
        raise
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    # What Parquet cannot be read, Polars says in many ways, one of which is no Exception.
    except BaseException as error:
        raise DamageError(f"{name} is no Parquet: {' '.join(str(error).split())[:200]}") from None


def _schema_text(found: pl.Schema, wanted: pl.Schema) -> str:
    for column in [*wanted, *found]:
        if found.get(column) != wanted.get(column):
            return f": {column} is {found.get(column, 'missing')}, not {wanted.get(column, 'there')}"
    return ": they are in another order"
