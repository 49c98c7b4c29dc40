"""Runs that stop at a precision: what is asked, when it is looked at, and the pieces that are played in between.

Looks are at fixed numbers of deals, so where a run stops follows from the seed, the options, the policies and what
is asked alone: not from threads, chunks or speed. A run that stopped after N deals is the run of N deals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING

from sim.batch import Chunk, Progress, chunks
from sim.errors import UsageError, nearest
from sim.manifest import StoredChunk
from sim.names import Names, in_program
from sim.numbers import parse_number
from sim.parts import Tables, joined
from sim.shelf import Shelf
from sim.store import Store

if TYPE_CHECKING:
    from analysis.precision import Goals, Standing, Target
    from analysis.summary import Totals

FIRST_LOOK = 1_000
"""No run stops at a precision before so many deals (or matches)."""

Until = Mapping[str, object]
"""What to reach, as ``{"win_rate@side:0": 0.001}``."""


def looks(round_of: int, most: int) -> Iterator[int]:
    """Numbers of deals at which a run is looked at: each an eighth above the one before.

    Parameters
    ----------
    round_of
        Every look but the last is at a multiple of this. Where every seat has dealt equally often, who deals is no
        reason for a side to be ahead.
    most
        The last look.
    """
    at = _next_multiple(FIRST_LOOK - 1, round_of)
    while at < most:
        yield at
        at = _next_multiple(at + at // 8, round_of)
    yield most


def look_from(needed: float, round_of: int, most: int) -> int:
    """Return the first look at so many deals or more; the last one if it is before."""
    return next((at for at in looks(round_of, most) if at >= needed), most)


def _next_multiple(number: int, of: int) -> int:
    return (number // of + 1) * of


def pieces(first: int, done: int, look: int, part_size: int, piece_size: int) -> Iterator[Chunk]:
    """Cut the units that bring a stored run from `done` to `look` into pieces, none of them in two of its parts.

    Parameters
    ----------
    first
        Number of the run's first unit.
    part_size
        Units in every part. What is no whole part is cut into pieces of `piece_size`.

    Yields
    ------
    Chunk
        A piece, with the index of its part.
    """
    while done < look:
        index = done // part_size
        end = min(look, (index + 1) * part_size)
        size = part_size if end - done == part_size else piece_size
        for piece in chunks(first + done, end - done, size):
            yield Chunk(index, piece.first, piece.count)
        done = end


class Tray:
    """Pieces of a part that a look cuts in two, until the part is whole.

    Parameters
    ----------
    folder
        That the parts are written to.
    shelf
        The parts that are there already, if the run goes on with them.
    play_part
        Plays a part and has it written, where the rows of its pieces are not at hand.
    """

    def __init__(
        self, folder: Store, shelf: Shelf | None, play_part: Callable[[Chunk], StoredChunk] | None = None
    ) -> None:
        self.folder = folder
        self.shelf = shelf
        self._play_part = play_part
        self._pieces: list[tuple[Chunk, Tables | None]] = []

    def add(self, piece: Chunk, tables: Tables | None) -> None:
        """Lay down the next piece, and write the part if it is whole now."""
        self._pieces.append((piece, tables))
        if sum(chunk.count for chunk, _ in self._pieces) == self.folder.manifest.chunk_size:
            self._write()

    def end(self, count: int, stopped: bool) -> None:
        """Write what lies here as the last part of a run of so many units; if it was stopped, it is to go on."""
        if self._pieces and not (stopped and self._is_there()):
            self._write()
        if not stopped:
            self.folder.end_at(count)

    def _part(self) -> Chunk:
        pieces = [chunk for chunk, _ in self._pieces]
        return Chunk(pieces[0].index, pieces[0].first, sum(piece.count for piece in pieces))

    def _is_there(self) -> bool:
        """Whether a part that holds what lies here, and perhaps more, was finished before."""
        part = self._part()
        stored = self.folder.stored.get(part.index)
        return stored is not None and stored.count >= part.count

    def _write(self) -> None:
        part = self._part()
        if self.shelf is None or not self.shelf.has(part.index, part.count):
            self.folder.add(self._written(part))
        self._pieces = []

    def _written(self, part: Chunk) -> StoredChunk:
        if self._play_part is not None:
            return self._play_part(part)
        return self.folder.write_chunk(part, joined([tables for _, tables in self._pieces if tables is not None]))


def play(
    stretch: Callable[..., Progress],
    goals: Goals,
    first: int,
    round_of: int,
    piece_size: Callable[[int], int],
    part_size: int | None,
    progress: Progress,
) -> None:
    """Play from look to look until every precision is reached, or the most that may be played.

    Parameters
    ----------
    stretch
        Plays so many units from one on, as `sim.batch.run_chunks` does: called with their first number, their count,
        the size of chunks, and `pieces`.
    first
        Number of the first unit.
    round_of
        As in `looks`.
    piece_size
        Units in a piece of so many that are to be played at once.
    part_size
        Units in a part of a run that is stored.
    progress
        Of the run; its total is the most that may be played.
    """
    for look in looks(round_of, progress.total):
        left, size = look - progress.done, piece_size(look - progress.done)
        cut = None if part_size is None else pieces(first, progress.done, look, part_size, size)
        stretch(first + progress.done, left, size, pieces=cut)
        if progress.stopped:
            goals.measure()
            break
        met = goals.look()
        _tell(goals, progress, round_of)
        if met:
            break


def _tell(goals: Goals, progress: Progress, round_of: int) -> None:
    """Say in the progress how far the precision is and how many units it will take."""
    needed, furthest = goals.needed(progress.done), goals.furthest(progress.done)
    # Not before the next look, however near it is.
    at_least = progress.done if goals.met else progress.done + 1
    progress.expected = None if needed is None else look_from(max(needed, at_least), round_of, progress.total)
    progress.precision = "" if furthest is None else _short_text(furthest)


def standing_text(standing: Standing) -> str:
    """How far a precision is, as ``win_rate@side:0 ± 0.31%, wanted ± 0.1%``."""
    target, reached = standing.target, standing.reached
    now = "not known yet" if reached is None else f"± {half_width_text(reached, target.unit)}"
    return f"{target.name} {now}, wanted ± {half_width_text(target.half_width, target.unit)}"


def _short_text(standing: Standing) -> str:
    """How far a precision is, as ``win_rate@side:0 ± 0.31% of 0.1%``."""
    target, reached = standing.target, standing.reached
    now = "?" if reached is None else half_width_text(reached, target.unit, 2)
    return f"{target.name} ± {now} of {half_width_text(target.half_width, target.unit)}"


def half_width_text(half_width: float, unit: str, digits: int = 4) -> str:
    """Half width with so many digits, of a share in percent."""
    number = half_width * 100 if unit == "share" else half_width
    text = f"{number:.{digits}g}" if number < 10**digits else f"{number:,.0f}"
    return f"{text}%" if unit == "share" else text


def targets_of_texts(texts: Sequence[str], totals: Totals, others: Totals | None) -> list[Target]:
    """Precisions as the command line has them, ``STAT=HALFWIDTH`` or ``STAT@GROUP=HALFWIDTH``.

    Raises
    ------
    UsageError
        If one is not of that form or cannot be had.
    """
    given: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.rpartition("=")
        name = name.strip()
        if not equals or not name:
            raise UsageError(
                f"--until: {text!r} is not of the form STAT=HALFWIDTH or STAT@GROUP=HALFWIDTH, as win_rate@side:0=0.1%"
            )
        if name in given:
            raise UsageError(f"--until: {name} is given twice, with {given[name]} and with {value}; give it once")
        given[name] = value
    return targets_of(given, totals, others, _option)


def _option(_argument: str) -> str:
    return "--until"


def targets_of(given: Until, totals: Totals, others: Totals | None, names: Names = in_program) -> list[Target]:
    """Precisions by statistic, as ``{"win_rate@side:0": 0.001}``.

    Parameters
    ----------
    totals
        Of what the run counts.
    others
        Of the deals of a run of matches, which are not what it counts.

    Raises
    ------
    UsageError
        If there is no such row, or a half width is none.
    """
    where = names("until")
    if not isinstance(given, Mapping) or not given:
        raise UsageError(f'{where}: {given!r} is not allowed; allowed is half widths by statistic, as {{"turns": 0.1}}')
    targets = [_target(name, value, totals, others, where) for name, value in given.items()]
    for number, target in enumerate(targets):
        if any((target.statistic, target.group) == (other.statistic, other.group) for other in targets[:number]):
            raise UsageError(f"{where}: {target.name} is given twice; give it once")
    return targets


def _target(given: object, value: object, totals: Totals, others: Totals | None, where: str) -> Target:
    from analysis.precision import Target

    if not isinstance(given, str):
        raise UsageError(f"{where}: {given!r} is no text; allowed is STAT or STAT@GROUP, as win_rate@side:0")
    name, at, group = given.partition("@")
    groups, unit = _groups_of(name, totals, others, where)
    group = group if at else "all"
    if group not in groups:
        near = nearest(group, groups) or groups[0]
        raise UsageError(
            f"{where}: {name} has no group {group!r}; it has {', '.join(groups)}. Did you mean {name}@{near}?"
        )
    return Target(name, group, unit, _half_width(value, unit, f"{where} {given}"))


def _groups_of(name: str, totals: Totals, others: Totals | None, where: str) -> tuple[list[str], str]:
    """Names of the groups that a row is told for, and its unit."""
    for statistic in totals.statistics:
        if name in statistic.rows:
            seats = totals.seating.seats
            if statistic.seats > seats:
                raise UsageError(
                    f"{where}: {name} is told of tables of {statistic.seats} players or more, and {seats} play here"
                )
            return [group.name for group in totals.measure.groups_of(statistic)], statistic.unit
    rows = [row for statistic in totals.statistics for row in statistic.rows]
    near = nearest(name, rows)
    hint = f" Did you mean {near}?" if near else ""
    if others is not None and any(name in statistic.rows for statistic in others.statistics):
        listed = ", ".join(statistic.name for statistic in totals.statistics)
        raise UsageError(
            f"{where}: {name} is told of deals, which depend on each other within a match; with matches it is one of "
            f"{listed}.{hint}"
        )
    raise UsageError(
        f"{where}: no statistic is called {name!r}; `carteador games {totals.seating.spec.name}` lists them.{hint}"
    )


def _half_width(value: object, unit: str, where: str) -> float:
    share = unit == "share"
    allowed = "a number above 0 and below 0.5, as 0.001 or 0.1%" if share else f"a number above 0, in {unit}, as 0.5"
    number = -1.0
    if isinstance(value, str):
        written = value.strip()
        found = parse_number(written.removesuffix("%").rstrip() if share else written)
        if found is not None:
            number = float(found.scaleb(-2) if share and written.endswith("%") else found)
    elif not isinstance(value, bool) and isinstance(value, Real | Decimal):
        number = float(value)
    if not 0 < number < (0.5 if share else math.inf):
        raise UsageError(f"{where}: {value!r} is not allowed; allowed is {allowed}")
    return number
