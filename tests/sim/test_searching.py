"""The search for whole numbers, on objectives whose best point is known."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from analysis.paired import PairedRatios
from sim import searching
from sim.candidates import Dimension, Point, Strategy
from sim.searching import Found, Search, StoppedError, Terms, rank, rungs

SPACE = (
    Dimension("wide", 0, 1000, 60, 18.0),
    Dimension("flag", 0, 1, 0, 0.6),
    Dimension("small", 0, 10, 4, 1.2),
    Dimension("signed", -10_000, 10_000, 120, 36.0),
    Dimension("low_end", 1, 108, 1, 1.5),
    Dimension("from_nothing", 0, 1000, 0, 18.0),
    Dimension("other_flag", 0, 1, 1, 0.6),
)
START = tuple(one.start for one in SPACE)
BEST = (95, 1, 8, -20, 4, 30, 0)
SCALE = 1_000
"""Deals tell thousandths, so that their sums are whole numbers."""


class Table:
    """Plays points: each falls short of the best by its squared distance in steps, with noise in every deal.

    Parameters
    ----------
    common, own
        Spread of the noise that all points of a deal share, and of that which each has for itself.
    """

    def __init__(
        self,
        space: Sequence[Dimension] = SPACE,
        best: Sequence[int] = BEST,
        *,
        common: float = 0.0,
        own: float = 0.0,
        flat: bool = False,
        calls: int | None = None,
    ) -> None:
        self.space, self.best, self.common, self.own, self.flat = space, best, common, own, flat
        self.calls = calls
        self.played: list[tuple[int, int, int]] = []

    def worth(self, point: Point) -> float:
        if self.flat:
            return 0.0
        return -sum(
            ((value - best) / one.step) ** 2 for one, value, best in zip(self.space, point, self.best, strict=True)
        )

    def __call__(self, points: Sequence[Point], first: int, count: int) -> list[PairedRatios]:
        if self.calls is not None and len(self.played) >= self.calls:
            raise StoppedError
        self.played.append((len(points), first, count))
        for point in points:
            assert all(one.low <= value <= one.high for one, value in zip(self.space, point, strict=True)), point
        deals = np.arange(first, first + count)
        values = [self._values(point, deals) for point in points]
        rows = np.full(count, SCALE)
        return [PairedRatios.of(one, rows, values[0], rows) for one in values]

    def _values(self, point: Point, deals: np.ndarray) -> np.ndarray:
        shared = np.array([np.random.default_rng([deal]).standard_normal() for deal in deals])
        key = [value % 2**32 for value in point]
        alone = np.array([np.random.default_rng([deal, *key]).standard_normal() for deal in deals])
        return np.rint(SCALE * (self.worth(point) + self.common * shared + self.own * alone)).astype(np.int64)


def search(table: Table, seed: int = 1, *, start: Point | None = None, **changes: int | None) -> Found:
    count = len(table.space)
    terms = Terms(4, searching.default_population(count), 60, 60)
    terms = dataclasses.replace(terms, **changes)  # type: ignore[arg-type]
    start = tuple(one.start for one in table.space) if start is None else start
    return Search(table.space, start, table, terms, seed).run()


@pytest.mark.parametrize("seed", range(4))
def test_the_best_whole_numbers_are_found(seed: int) -> None:
    found = search(Table(), seed)
    assert found.incumbent == BEST
    assert found.estimate == 0
    assert found.trajectory[-1].sigma < found.trajectory[0].sigma


def test_it_ends_once_nothing_moves_any_more() -> None:
    found = search(Table(), generations=1_000, patience=1_000)
    assert found.stopped_by == searching.CONVERGED
    assert found.incumbent == BEST


def test_the_ends_of_the_ranges_are_reached() -> None:
    space = tuple(dataclasses.replace(one, high=min(one.high, 300), low=max(one.low, -300)) for one in SPACE)
    best = tuple(one.low if place % 2 else one.high for place, one in enumerate(space))
    assert search(Table(space, best), generations=200).incumbent == best


def test_noise_costs_some_of_it_and_not_most() -> None:
    """The noise of a candidate's estimate is as large as what a step in one dimension changes."""
    table = Table(common=20.0, own=2.0)
    found = search(table, 5)
    assert table.worth(found.incumbent) > 0.15 * table.worth(START)
    assert found.trajectory[-1].deals <= found.deals


@pytest.mark.parametrize(
    ("one", "best"),
    [
        (Dimension("alone", 0, 1000, 60, 18.0), 200),
        (Dimension("alone", 0, 1, 0, 0.6), 1),
        (Dimension("alone", 0, 9, 1, 2.0), 9),
        (Dimension("alone", -5, 3, 0, 0.6), -5),
    ],
)
def test_one_dimension_alone(one: Dimension, best: int) -> None:
    assert search(Table((one,), (best,)), patience=30).incumbent == (best,)


def test_a_space_no_larger_than_a_population_is_tried_whole() -> None:
    space = (Dimension("a", 0, 1, 0, 0.6), Dimension("b", 3, 5, 4, 0.6))
    found = search(Table(space, (1, 5)), population=6)
    assert (found.incumbent, found.stopped_by, len(found.trajectory)) == ((1, 5), searching.ALL_TRIED, 1)


def test_a_start_outside_of_the_ranges_is_the_incumbent_that_must_be_beaten() -> None:
    space = (Dimension("a", 50, 90, 50, 10.0), Dimension("b", 0, 40, 20, 10.0))

    class Free(Table):
        def __call__(self, points: Sequence[Point], first: int, count: int) -> list[PairedRatios]:
            inside = [point if point != (5, 20) else (50, 20) for point in points]
            return super().__call__(inside, first, count)

    found = search(Free(space, (80, 3)), start=(5, 20))
    assert found.incumbent == (80, 3)


class TestRungs:
    @pytest.mark.parametrize("candidates", range(1, 70))
    @pytest.mark.parametrize("deals", [1, 2, 3, 100, 1001])
    def test_half_of_them_go_on_to_twice_as_many_deals(self, candidates: int, deals: int) -> None:
        steps = rungs(candidates, deals)
        assert steps[0][0] == candidates
        assert steps[-1][0] <= searching.LAST_RUNG
        assert steps[-1][1] == deals
        for (size, upto), (smaller, further) in pairwise(steps):
            assert smaller == math.ceil(size / 2)
            assert upto == math.ceil(further / 2)
        assert steps[0][1] >= 1

    def test_halving_keeps_the_best(self) -> None:
        table = Table()
        points = Strategy(SPACE, 20, 3).ask()
        ranking, played = rank(points, table, 100, 800)
        order = sorted(points, key=table.worth, reverse=True)
        assert ranking.best == order[0]
        assert [points[index] for index in np.argsort(ranking.places, kind="stable")] == order
        assert [size for size, _, _ in table.played] == [20, 10, 5, 3]
        assert [count for _, _, count in table.played] == [100, 100, 200, 400]
        assert [first for _, first, _ in table.played] == [100, 200, 300, 500]
        assert played == sum(size * count for size, _, count in table.played)

    def test_equal_candidates_are_played_once_and_share_a_place(self) -> None:
        points = [START, BEST, START, BEST, START]
        table = Table()
        ranking, _ = rank(points, table, 0, 8)
        assert ranking.places == [1, 0, 1, 0, 1]
        assert table.played == [(2, 0, 8)]

    def test_a_candidate_that_got_further_ranks_above_one_that_did_not(self) -> None:
        """One falls back on later deals: it is still ahead of those that were out by then."""

        class Late(Table):
            def worth(self, point: Point) -> float:
                return float(point[0])

            def __call__(self, points: Sequence[Point], first: int, count: int) -> list[PairedRatios]:
                penalty = 100 * SCALE if first else 0
                values = [np.full(count, SCALE * point[0] - penalty * (point == (7,))) for point in points]
                rows = np.full(count, SCALE)
                return [PairedRatios.of(one, rows, values[0], rows) for one in values]

        points: list[Point] = [(value,) for value in range(8)]
        ranking, _ = rank(points, Late(), 0, 8)
        assert ranking.places == [7, 6, 5, 4, 2, 1, 0, 3]


class TestRandomness:
    def test_the_same_seed_finds_the_same_way(self) -> None:
        one, same, other = (search(Table(own=1.0), seed, generations=6) for seed in (3, 3, 4))
        assert one == same
        assert one.trajectory != other.trajectory

    def test_the_random_numbers_of_others_are_left_alone(self) -> None:
        np.random.seed(5)  # noqa: NPY002
        expected = np.random.rand(3)  # noqa: NPY002
        np.random.seed(5)  # noqa: NPY002
        one = search(Table(), 3, generations=5)
        assert (np.random.rand(3) == expected).all()  # noqa: NPY002
        np.random.seed(99)  # noqa: NPY002
        assert search(Table(), 3, generations=5) == one

    def test_no_file_is_written_or_obeyed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        plain = search(Table(), 3, generations=5)
        (tmp_path / "cma_signals.in").write_text("{'maxiter': 1, 'ftarget': 1e9, 'timeout': 0}")
        monkeypatch.chdir(tmp_path)
        assert search(Table(), 3, generations=5) == plain
        assert [path.name for path in tmp_path.iterdir()] == ["cma_signals.in"]


class TestStopRules:
    def test_generations(self) -> None:
        found = search(Table(own=1.0), generations=3)
        assert (len(found.trajectory), found.stopped_by) == (3, searching.GENERATIONS)

    def test_patience(self) -> None:
        found = search(Table(flat=True, own=1.0), patience=5, generations=500)
        assert found.stopped_by == searching.STALLED
        assert len(found.trajectory) < 100
        assert not any(one.replaced for one in found.trajectory[-5:])

    @pytest.mark.parametrize("budget", [400, 1_000, 5_000])
    def test_the_budget_is_kept(self, budget: int) -> None:
        table = Table(own=1.0)
        found = search(table, budget=budget, patience=1_000, generations=1_000)
        assert found.stopped_by == searching.BUDGET
        assert found.deals == sum(size * count for size, _, count in table.played) <= budget
        assert len(found.trajectory) >= 1

    def test_no_more_is_played_than_was_said(self) -> None:
        terms = Terms(7, 12, 9, 100)
        table = Table(own=1.0)
        found = Search(SPACE, START, table, terms, 3).run()
        assert found.deals <= searching.most_deals(terms)
        assert len(found.trajectory) == 9

    @pytest.mark.parametrize("calls", range(12))
    def test_an_interrupt_keeps_what_was_found(self, calls: int) -> None:
        whole, cut = search(Table(), generations=8), search(Table(calls=calls), generations=8)
        done = len(cut.trajectory)
        assert cut.stopped_by == searching.INTERRUPTED
        assert cut.trajectory == whole.trajectory[:done]
        assert cut.incumbent == (cut.trajectory[-1].incumbent if done else START)


class TestNoise:
    def test_no_deal_that_chose_a_challenger_tries_it(self) -> None:
        table = Table(own=1.0)
        search(table, generations=6)
        choosing = [(first, first + count) for size, first, count in table.played if size > 3 or count < 4]
        trying = [(first, first + count) for size, first, count in table.played if size <= 3 and count >= 4]
        assert trying
        for first, end in trying:
            assert all(end <= start or first >= stop for start, stop in choosing)

    def test_luck_replaces_the_incumbent_seldom(self) -> None:
        """Where all are equal, the best of a generation looks good, and is hardly ever taken for it."""
        space = (Dimension("a", 0, 1000, 500, 50.0), Dimension("b", 0, 1000, 500, 50.0))
        looked, replaced, tried = [], 0, 0
        for seed in range(5):
            found = search(Table(space, (0, 0), flat=True, own=10.0), seed, deals=40, population=12, patience=100)
            looked += [one.best_estimate for one in found.trajectory]
            replaced += sum(one.replaced for one in found.trajectory)
            tried += len(found.trajectory)
        # Noise of the mean of 40 deals is 1.6; the truth is 0 for all.
        assert np.mean(looked) > 1.2
        assert replaced / tried < 0.12
