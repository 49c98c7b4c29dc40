"""The statistics of escopa over deals that were played."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.frames import deals_frame, sides_frame
from analysis.summary import Summarizer
from kernels.escopa.layout import SPEC
from sim.batch import deal_jobs, play
from sim.games import make_setup
from tests.analysis.support import Records

DEALS = 1500
TABLES: dict[int, tuple[dict[str, Any], list[str]]] = {
    2: ({"overlook_rate": 0.1}, ["standard", "random"]),
    3: ({"players": 3, "dealer_escopas": False}, ["standard", "random", "expert"]),
    4: ({"players": 4}, ["standard", "random", "standard", "random"]),
}


@cache
def played(players: int) -> tuple[Records, list[str]]:
    rules, policies = TABLES[players]
    setup = make_setup("escopa", seed=11, policies=policies, rules=rules)
    return play(setup, deal_jobs(setup, 0, DEALS)), setup.policy_texts


@cache
def summarizer(players: int) -> Summarizer:
    records, policies = played(players)
    made = Summarizer(SPEC, TABLES[players][0], policies)
    made.merge(made.chunk(records))
    return made


def value(players: int, name: str, group: str = "all") -> float:
    estimate = summarizer(players).row(name, group).estimate
    assert estimate is not None
    return estimate


@pytest.mark.parametrize("players", TABLES)
def test_points_by_source_add_up_to_the_score(players: int) -> None:
    names = [statistic.name for statistic in summarizer(players).statistics if statistic.name.startswith("points:")]
    assert len(names) == 7
    for group in ("all", "plays_first:yes", "policy:random"):
        assert sum(value(players, name, group) for name in names) == pytest.approx(value(players, "score", group))


@pytest.mark.parametrize("players", TABLES)
def test_points_add_up_in_every_row(players: int) -> None:
    records, policies = played(players)
    sides = sides_frame(SPEC, records, policies, TABLES[players][0])
    points = [statistic.value for statistic in summarizer(players).statistics if statistic.name.startswith("points:")]
    assert sides.select((pl.sum_horizontal(points) == pl.col("score")).all()).item()
    assert len(sides) == DEALS * (3 if players == 3 else 2)


@pytest.mark.parametrize("players", TABLES)
def test_escopas_by_place_are_those_of_the_pack(players: int) -> None:
    places = [value(players, f"escopas_by_place:{place}") for place in range(1, players + 1)]
    assert sum(places) == pytest.approx(value(players, "escopas_in_pack"))
    for place in range(players + 1, 5):
        assert summarizer(players).row(f"escopas_by_place:{place}", "all").n == 0
    sides = 3 if players == 3 else 2
    assert sides * value(players, "escopas") == pytest.approx(value(players, "escopas_in_pack"))
    assert value(players, "escopas_played") + value(players, "escopas_dealt") == pytest.approx(
        value(players, "escopas")
    )
    assert (value(players, "escopas_dealt") == 0) == (players == 3)


@pytest.mark.parametrize("players", TABLES)
def test_captures_and_what_is_left_are_the_pack(players: int) -> None:
    assert 15 * value(players, "captures_in_pack") + value(players, "leftover") == pytest.approx(220)
    shares = [value(players, f"leftover:{total}") for total in (10, 25, 40, 55)]
    assert 0.97 < sum(shares) <= 1
    sides = 3 if players == 3 else 2
    assert sides * value(players, "cards") == pytest.approx(40, abs=0.01)
    assert sides * value(players, "last_capture_rate") == pytest.approx(1, abs=0.001)
    assert value(players, "last_capture_cards") > value(players, "leftover_cards") + 2
    assert value(players, "last_capture_points") > 0


def test_the_side_that_captures_last_is_the_one_that_the_log_names() -> None:
    records, policies = played(2)
    deals = deals_frame(SPEC, records, policies, TABLES[2][0])
    last = deals["last_side"].to_numpy()
    assert np.array_equal(records["last_capture"][:, :2].argmax(axis=1), last)
    assert value(2, "last_capture_win_rate") == pytest.approx((last == records["winner"]).mean())


def test_oversights_are_told() -> None:
    records, _ = played(2)
    assert value(2, "overlooks") == pytest.approx(records["overlooks"][:, :2].mean())
    share = records["claims"].sum() / records["overlooks"].sum()
    assert value(2, "claimed_share") == pytest.approx(share)
    assert 0.3 < share < 0.9
    assert value(4, "overlooks") == 0
    assert summarizer(4).row("claimed_share", "all").n == 0


def test_statistics_agree_with_each_other() -> None:
    for players in TABLES:
        assert value(players, "end_reason:pack_out") == 1
        assert value(players, "guindis_rate") == pytest.approx(value(players, "points:guindis"))
        assert value(players, "most_cards_rate") == pytest.approx(value(players, "points:cards"))
        assert value(players, "primeira_rate") == pytest.approx(value(players, "points:primeira"))
        assert value(players, "all_sevens_rate") <= value(players, "most_sevens_rate")
        assert value(players, "all_diamonds_rate") <= value(players, "most_diamonds_rate")
    assert value(3, "few_rate") == 0
    assert value(2, "points:few") == pytest.approx(2 * value(2, "few_rate"))
