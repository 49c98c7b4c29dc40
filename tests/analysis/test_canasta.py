"""The statistics of canasta over deals that were played."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

from analysis.frames import deals_frame, sides_frame
from analysis.summary import Summarizer
from kernels.canasta.layout import MINIMUMS, SPEC
from sim.batch import deal_jobs, play
from sim.games import make_setup
from tests.analysis.support import Records

DEALS = 1500
POLICIES = ["standard", "random", "standard", "random"]


@cache
def played() -> tuple[Records, list[str]]:
    setup = make_setup("canasta", seed=11, policies=POLICIES, rules={"start_score": [1_500, 3_000]})
    return play(setup, deal_jobs(setup, 0, DEALS)), setup.policy_texts


@cache
def summarizer() -> Summarizer:
    records, policies = played()
    made = Summarizer(SPEC, {}, policies)
    made.merge(made.chunk(records))
    return made


def value(name: str, group: str = "all") -> float:
    estimate = summarizer().row(name, group).estimate
    assert estimate is not None
    return estimate


@pytest.mark.parametrize("group", ["all", "side:0", "side:1", "plays_first:yes", "policy:random"])
def test_points_by_source_add_up_to_the_score(group: str) -> None:
    names = [statistic.name for statistic in summarizer().statistics if statistic.name.startswith("points:")]
    assert len(names) == 6
    assert sum(value(name, group) for name in names) == pytest.approx(value("score", group))


def test_points_add_up_in_every_row() -> None:
    records, policies = played()
    sides = sides_frame(SPEC, records, policies, {})
    points = [statistic.value for statistic in summarizer().statistics if statistic.name.startswith("points:")]
    assert sides.select((pl.sum_horizontal(points) == pl.col("score")).all()).item()


def test_first_melds_are_told_by_their_minimum() -> None:
    assert MINIMUMS == (15, 50, 90, 120)
    for turn in range(1, 9):
        assert value(f"first_meld_by:90:{turn}", "side:0") == value(f"first_meld_by:{turn}", "side:0")
        assert value(f"first_meld_by:120:{turn}", "side:1") == value(f"first_meld_by:{turn}", "side:1")
        assert summarizer().row(f"first_meld_by:50:{turn}", "all").n == 0
    assert value("first_meld_by:90:3", "side:0") > value("first_meld_by:120:3", "side:1")


def test_the_winner_of_the_first_pile_is_the_side_that_won() -> None:
    records, policies = played()
    deals = deals_frame(SPEC, records, policies, {})
    taken = records["first_pile_side"] >= 0
    won = records["first_pile_side"] == records["winner"]
    assert value("first_pile_win_rate") == pytest.approx(won[taken].mean())
    assert np.array_equal(taken, records["pile_takes"].sum(axis=1) > 0)
    assert deals["first_pile_size"].to_numpy()[taken].min() >= 1


def test_statistics_agree_with_each_other() -> None:
    ends = sum(value(f"end_reason:{reason}") for reason in SPEC.end_reasons)
    assert ends == pytest.approx(1)
    assert value("went_out_rate") == pytest.approx(value("end_reason:went_out") / 2)
    assert value("canasta_rate") <= value("natural_canasta_rate") + value("mixed_canasta_rate")
    assert value("canasta_rate_melded") == pytest.approx(value("canasta_rate") / value("first_meld_rate"))
    assert value("pile_size") * value("pile_takes") == pytest.approx(
        float(np.asarray(played()[0]["pile_cards"], np.int64).mean())
    )
