"""Where the candidates of a search meet their opponent: the same deals for all, stages that an interrupt ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, NoReturn

from sim import batch, comparing
from sim.batch import Chunk, Progress, Records
from sim.candidates import Point
from sim.common_deals import Playing, seating_of, sum_over_deals
from sim.games import PolicyChoice, Setup
from sim.searching import StoppedError
from sim.tuning_space import with_values

if TYPE_CHECKING:
    from analysis.paired import PairedRatios

LARGEST_RECORDS = 50_000
"""Deals of a chunk, those of all tables added."""

Stopping = Callable[[], AbstractContextManager[threading.Event | None]]


class Meter:
    """Progress over all stages of a search, in deals of all tables and candidates."""

    def __init__(self, watch: Callable[[Progress], None] | None) -> None:
        self.progress = Progress(total=-1, started=time.perf_counter())
        self._watch = watch
        self._before = 0

    def expect(self, more: int, words: str) -> None:
        """Say how many deals are still to come at most, and what is being done."""
        self.progress.expected = self.progress.deals + more
        self.progress.precision = words

    def begin(self) -> None:
        """Begin a piece of work, whose own count begins at 0."""
        self._before = self.progress.deals

    def note(self, piece: Progress) -> None:
        """Receive the progress of a piece of work."""
        progress = self.progress
        progress.deals = progress.done = self._before + piece.deals
        progress.seconds = time.perf_counter() - progress.started
        if self._watch is not None:
            self._watch(progress)

    def finish(self) -> None:
        """End the work."""
        self.progress.seconds = time.perf_counter() - self.progress.started


class Arena:
    """Plays values of a policy's parameters against one opponent or several, all on the same deals.

    Parameters
    ----------
    common
        Game, rules and seed.
    policy, against
        Whose parameters they are, and the opponents.
    meter
        Receives the progress.
    """

    def __init__(
        self,
        common: Setup,
        policy: PolicyChoice,
        against: Sequence[PolicyChoice],
        meter: Meter,
        threads: int | None,
        announce: Callable[[str], None] | None = None,
    ) -> None:
        from analysis.comparison import tables_for

        self.common = common
        self.meter = meter
        self._policy = policy
        self._against = tuple(against)
        self._tables = tables_for(common.sides)
        self.was_stopped = False
        self._threads = threads
        self._announce = announce
        self._stop: threading.Event | None = None

    @property
    def workers(self) -> int:
        """Worker threads."""
        return self._threads or batch.default_threads()

    @property
    def is_searched(self) -> bool:
        """Whether the policy or an opponent searches."""
        return any(choice.is_search for choice in (self._policy, *self._against))

    @contextmanager
    def stage(self, stopping: Stopping) -> Iterator[None]:
        """A stage of the work that one Ctrl-C ends."""
        with stopping() as stop:
            self._stop = stop
            yield

    def stopped(self) -> NoReturn:
        """Give up a piece of work that was interrupted.

        Raises
        ------
        StoppedError
            Always.
        """
        self.was_stopped = True
        raise StoppedError

    def playing(self, first: int, count: int, tables: int = 1) -> Playing:
        """How to play some deals, each at so many tables."""
        self.meter.begin()
        largest = batch.SEARCHED_CHUNK if self.is_searched else LARGEST_RECORDS
        size = max(1, min(-(-count // (4 * self.workers)), largest // tables))
        return Playing(
            first,
            count,
            self._threads,
            chunk_size=size,
            announce=self._announce,
            watch=self.meter.note,
            stopping=lambda: nullcontext(self._stop),
        )

    def play(self, points: Sequence[Point], first: int, count: int) -> list[PairedRatios]:
        """Advantage of each point, the mean over the opponents, paired with that of the first.

        Raises
        ------
        StoppedError
            If it was interrupted.
        """
        from analysis.tuning import advantages, over_all, paired_with_first

        tables = self._tables
        setups = [setup for point in points for opponent in self._against for setup in self._setups(point, opponent)]
        seatings = [seating_of(setup) for setup in setups]
        size = len(tables)
        total: list[PairedRatios] = []

        def count_deals(records: Sequence[Records]) -> list[PairedRatios]:
            starts = range(0, len(setups), size)
            found = [advantages(tables, seatings[at : at + size], records[at : at + size]) for at in starts]
            return paired_with_first(over_all(found, len(self._against)))

        def add(_chunk: Chunk, sums: list[PairedRatios]) -> None:
            total[:] = [x + y for x, y in zip(total, sums, strict=True)] if total else sums

        if sum_over_deals(setups, count_deals, add, self.playing(first, count, len(setups))).stopped:
            self.stopped()
        return total

    def _setups(self, point: Point, opponent: PolicyChoice) -> list[Setup]:
        common, choice = self.common, with_values(self._policy, point)
        side_of = [common.spec.side_of(seat, common.options) for seat in range(common.seats)]
        return [
            Setup(
                common.spec,
                common.options,
                tuple(choice if table[side] else opponent for side in side_of),
                common.seed,
            )
            for table in self._tables
        ]

    def compare(
        self, one: PolicyChoice, other: PolicyChoice, first: int, count: int, confidence: float
    ) -> comparing.ComparisonRun | None:
        """Compare two policies; None if not a single deal was played before an interrupt."""
        common = self.common
        a, b = (comparing.Contestant(choice, common.options, common.changed) for choice in (one, other))
        contest = comparing.Contest(common.spec, a, b, common.seed)
        try:
            run = contest.play_policies(self.playing(first, count, len(self._tables)), confidence)
        except KeyboardInterrupt:
            if self._stop is None or not self._stop.is_set():
                raise
            self.was_stopped = True
            return None
        self.was_stopped |= run.progress.stopped
        return run
