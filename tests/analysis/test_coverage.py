"""Intervals where the truth is known: a 95 % interval must hold it in 95 % of the runs.

Each case makes rows that depend on each other within a deal, in the way a whole run does: from frames to sums, merged
in two chunks, to rows. A rate outside the limits has a chance below 1 in 300 with 2,000 repetitions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from analysis.statistic import Statistic, number, proportion, ratio
from tests.analysis.support import table_game, table_totals

DEALS, SEATS = 300, 4
RARE_DEALS = 400
WIDE = 100_000
Columns = dict[str, npt.NDArray[np.int64]]


@dataclass(frozen=True)
class Case:
    """Rows of a run, shape (deals, seats) by column, what is estimated from them, and its true value."""

    rows: Callable[[np.random.Generator], Columns]
    statistic: Statistic
    truth: float
    name: str = ""
    group: str = "all"
    highest: float = 0.965
    deals: int = DEALS
    seats: int = SEATS

    @property
    def row(self) -> str:
        return self.name or self.statistic.name


def shared_luck(random: np.random.Generator) -> Columns:
    """A win is likely for all seats in half of the deals, unlikely in the others."""
    likely = np.where(random.random((DEALS, 1)) < 0.5, 0.7, 0.1)
    return {"x": (random.random((DEALS, SEATS)) < likely).astype(np.int64)}


def one_winner(random: np.random.Generator) -> Columns:
    """One seat wins, in a fifth of the deals nobody: rows that shut each other out."""
    winner = random.integers(0, 5, (DEALS, 1))
    return {"x": (np.arange(SEATS) == winner).astype(np.int64)}


def shared_level(random: np.random.Generator) -> Columns:
    """Uniform luck of the deal plus uniform luck of the seat, half as wide."""
    level = random.integers(0, WIDE, (DEALS, 1))
    return {"x": level + random.integers(0, WIDE // 2, (DEALS, SEATS))}


def opposed(random: np.random.Generator) -> Columns:
    """What one pair of seats has, the other lacks."""
    luck = random.integers(-WIDE, WIDE + 1, (DEALS, 1))
    return {"x": luck * np.array([1, -1, 1, -1]) + random.integers(-100, 101, (DEALS, SEATS))}


def telling_absence(random: np.random.Generator) -> Columns:
    """In good deals more seats are asked, and their values are higher."""
    good = random.random((DEALS, 1)) < 0.5
    asked = random.random((DEALS, SEATS)) < np.where(good, 0.9, 0.3)
    x = np.where(good, 10, 0) + random.integers(0, 10, (DEALS, SEATS))
    takes = np.where(asked, random.integers(1, 4, (DEALS, SEATS)), 0)
    return {"x": np.where(asked, x, 0), "asked": asked.astype(np.int64), "takes": takes, "cards": takes * x}


def true_of_some(*chances: float) -> Callable[[np.random.Generator], Columns]:
    """Deals of which it is true of 0, 1, ... seats with these chances; which seats is drawn."""

    def rows(random: np.random.Generator) -> Columns:
        seats = len(chances) - 1
        true_of = random.choice(len(chances), (RARE_DEALS, 1), p=chances)
        return {"x": (random.permuted(np.tile(np.arange(seats), (RARE_DEALS, 1)), axis=1) < true_of).astype(np.int64)}

    return rows


def rarely(statistic: Statistic, *chances: float, highest: float = 0.975) -> Case:
    """A proportion that varies in few deals."""
    seats = len(chances) - 1
    truth = sum(true_of * chance for true_of, chance in enumerate(chances)) / seats
    # So few different intervals are possible that they hold the truth somewhat more or less often than they say.
    return Case(true_of_some(*chances), statistic, truth, highest=highest, deals=RARE_DEALS, seats=seats)


def quantile_of_sum(share: float) -> float:
    """Quantile of a uniform on 0..1 plus one on 0..1/2 (areas of the trapezoid), in units of `WIDE`."""
    if share <= 0.25:
        return WIDE * math.sqrt(share)
    return WIDE * (share + 0.25) if share <= 0.75 else WIDE * (1.5 - math.sqrt(1 - share))


X = pl.col("x")
SHARE = proportion("share", "?", X > 0, "Coverage")
WINNER = proportion("winner", "?", X > 0, "Coverage", most=1)
VALUE = number("value", "points", "?", X, "Coverage")
ASKED = number("value", "points", "?", pl.when(pl.col("asked") > 0).then(X), "Coverage", among="asked")
HIGH = proportion("high", "?", pl.when(pl.col("asked") > 0).then(X >= 10), "Coverage", among="asked")
SIZE = ratio("size", "cards", "?", pl.col("cards"), pl.col("takes"), "Coverage", among="takes")
SUM_SD = (((WIDE**2 - 1) + (WIDE // 2) ** 2 - 1) / 12) ** 0.5
SUM_MEAN = (WIDE - 1) / 2 + (WIDE // 2 - 1) / 2

CASES = {
    "proportion, rows alike": Case(shared_luck, SHARE, 0.4),
    "proportion, rows shutting each other out": Case(one_winner, SHARE, 0.2),
    "proportion, a row a deal": Case(shared_luck, SHARE, 0.4, group="seat:2"),
    "proportion, of a policy's seats": Case(shared_luck, SHARE, 0.4, group="policy:b"),
    "proportion, of some rows": Case(telling_absence, HIGH, 0.75),
    # The sides' win rate of canastra, where 4.7 deals of 1,000 have no winner, and of a game of four seats.
    "proportion, one winner but for rare ties": rarely(WINNER, 0.0047, 0.9953, 0),
    "proportion, one winner of four but for rare ties": rarely(WINNER, 0.005, 0.995, 0, 0, 0),
    "proportion, nearly always": rarely(SHARE, 0.0003, 0.0586, 0.9411),
    "proportion, nearly always, or of nobody": rarely(SHARE, 0.004, 0.004, 0.992),
    "proportion, in nine runs of ten always": rarely(SHARE, 0, 0.00026, 0.99974, highest=1),
    "proportion, seldom, but then of several": rarely(SHARE, 0.99, 0.004, 0.002, 0.002, 0.002),
    "mean, rows alike": Case(shared_level, VALUE, SUM_MEAN),
    "mean, rows opposed": Case(opposed, VALUE, 0.0),
    "mean, of those not first": Case(shared_level, VALUE, SUM_MEAN, group="plays_first:no"),
    "mean, of some rows": Case(telling_absence, ASKED, 12.0),
    "ratio of sums": Case(telling_absence, SIZE, 12.0),
    "sd, rows alike": Case(shared_level, VALUE, SUM_SD, "value:sd"),
    "sd, a row a deal": Case(shared_level, VALUE, SUM_SD, "value:sd", "seat:0"),
    # An order statistic's interval holds the truth at least as often as it says.
    "median, rows alike": Case(shared_level, VALUE, quantile_of_sum(0.5), "value:p50", highest=0.975),
    "p95, rows alike": Case(shared_level, VALUE, quantile_of_sum(0.95), "value:p95", highest=0.975),
    "p25, of those not first": Case(
        shared_level, VALUE, quantile_of_sum(0.25), "value:p25", "plays_first:no", highest=0.975
    ),
    "median, a row a deal": Case(shared_level, VALUE, quantile_of_sum(0.5), "value:p50", "seat:1", highest=0.975),
}


def held(case: Case, repetitions: int) -> float:
    """Share of repetitions in which the interval holds the truth."""
    spec, policies = table_game(case.seats), ["a", "b", "b", "a"][: case.seats]
    random = np.random.default_rng(20)
    deals = pl.DataFrame({"deal": np.arange(case.deals)})
    count = 0
    for _ in range(repetitions):
        totals = table_totals(spec, policies, [case.statistic])
        first = np.arange(case.seats) == random.integers(0, case.seats, (case.deals, 1))
        columns = {name: column.reshape(-1) for name, column in case.rows(random).items()}
        sides = pl.DataFrame({"plays_first": first.reshape(-1), **columns})
        half = case.deals // 2
        totals.merge(totals.frames_chunk(deals[half:], sides[half * case.seats :]))
        totals.merge(totals.frames_chunk(deals[:half], sides[: half * case.seats]))
        row = totals.row(case.row, case.group)
        assert row.low is not None
        assert row.high is not None
        count += row.low <= case.truth <= row.high
    return count / repetitions


@pytest.mark.parametrize(
    "name",
    [
        "proportion, rows alike",
        "proportion, one winner but for rare ties",
        "proportion, seldom, but then of several",
        "proportion, in nine runs of ten always",
        "mean, of some rows",
        "median, rows alike",
    ],
)
def test_intervals_hold_the_truth_in_a_short_run(name: str) -> None:
    assert 0.91 <= held(CASES[name], 200) <= max(0.99, CASES[name].highest)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_intervals_hold_the_truth_as_often_as_they_say(name: str) -> None:
    assert 0.935 <= held(CASES[name], 2000) <= CASES[name].highest


def test_taking_rows_for_independent_would_fail() -> None:
    """The cases above tell a clustered interval from one that takes every row for a deal of its own."""
    case = CASES["mean, rows alike"]
    random = np.random.default_rng(20)
    count = 0
    for _ in range(400):
        x = case.rows(random)["x"].reshape(-1)
        count += abs(float(x.mean()) - case.truth) <= 1.96 * float(x.std(ddof=1)) / len(x) ** 0.5
    assert count / 400 < 0.85
