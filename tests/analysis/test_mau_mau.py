"""The statistics of mau-mau over rounds that were played."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

from analysis.frames import sides_frame
from analysis.summary import Summarizer
from kernels.mau_mau.layout import END_REASONS, FACTORS, SPEC
from sim.batch import deal_jobs, play
from sim.games import make_setup
from tests.analysis.support import Records

DEALS = 2_000
POLICIES = ["standard", "random", "novice", "expert"]
TABLES: dict[str, dict[str, Any]] = {
    "default": {},
    "collecting": {"winner_collects": True, "start_card_acts": True, "forget_call_rate": 0.3},
    "void": {"unable": "fine_only"},
}


@cache
def played(table: str) -> tuple[Records, list[str]]:
    setup = make_setup("mau_mau", seed=11, policies=POLICIES, rules=TABLES[table])
    return play(setup, deal_jobs(setup, 0, DEALS)), setup.policy_texts


@cache
def summarizer(table: str) -> Summarizer:
    records, policies = played(table)
    made = Summarizer(SPEC, TABLES[table], policies)
    made.merge(made.chunk(records))
    return made


def value(name: str, group: str = "all", table: str = "default") -> float:
    estimate = summarizer(table).row(name, group).estimate
    assert estimate is not None
    return estimate


def wins(table: str) -> Records:
    records, _ = played(table)
    won: Records = records[records["reason"] == END_REASONS.index("went_out")]
    return won


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("group", ["all", "seat:0", "seat:3", "plays_first:yes", "policy:random"])
def test_points_by_source_add_up_to_the_score(table: str, group: str) -> None:
    names = [name.name for name in summarizer(table).statistics if name.name.startswith("points:")]
    assert len(names) == 4
    assert sum(value(name, group, table) for name in names) == pytest.approx(value("score", group, table))


@pytest.mark.parametrize("table", TABLES)
def test_points_add_up_in_every_row(table: str) -> None:
    records, policies = played(table)
    sides = sides_frame(SPEC, records, policies, TABLES[table])
    points = [one.value for one in summarizer(table).statistics if one.name.startswith("points:")]
    assert sides.select((pl.sum_horizontal(points) == pl.col("score")).all()).item()


def test_fines_go_from_hand_to_hand() -> None:
    assert value("points:fines_won") == pytest.approx(-value("points:fines"))
    assert value("points:fines_won") > 50
    assert value("points:collected", table="collecting") > 0 == value("points:hand", table="collecting")


@pytest.mark.parametrize("table", TABLES)
def test_multipliers_and_finishes_are_told_among_the_rounds_won(table: str) -> None:
    records = wins(table)
    for factor in FACTORS:
        assert value(f"multiplier:{factor}", table=table) == pytest.approx((records["factor"] == factor).mean())
    jacks = records["last_jacks"]
    for name, number in (("no_jack", 0), ("jack", 1), ("jack_pair", 2)):
        assert value(f"finish:{name}", table=table) == pytest.approx((jacks == number).mean())
    assert value("jack_finish_rate", table=table) == pytest.approx((jacks > 0).mean())
    assert summarizer(table).row("jack_finish_rate", "all").n == len(records)


def test_what_a_finish_brings_is_the_margin_of_the_winner() -> None:
    records = wins("default")
    scores = np.sort(records["score"][:, :4], axis=1)
    margin = scores[:, -1] - scores[:, -2]
    for name, number in (("no_jack", 0), ("jack", 1), ("jack_pair", 2)):
        chosen = margin[records["last_jacks"] == number]
        assert len(chosen) > 5
        assert value(f"finish_margin:{name}") == pytest.approx(chosen.mean())


def test_void_rounds_count_for_nobody_and_leave_no_losers() -> None:
    records, _ = played("void")
    void = records["reason"] != END_REASONS.index("went_out")
    assert void.sum() > 50
    assert value("void_rate", table="void") == pytest.approx(void.mean())
    assert value("win_rate", table="void") == pytest.approx((~void).mean() / 4)
    assert summarizer("void").row("cards_left", "all").n == 3 * (~void).sum()


def test_cards_left_are_those_of_the_losers() -> None:
    records = wins("default")
    losers = np.arange(4) != records["winner"][:, None]
    assert value("cards_left") == pytest.approx(records["hand_cards"][:, :4][losers].mean())
    assert value("points_left") == pytest.approx(records["hand_points"][:, :4][losers].mean())


@pytest.mark.parametrize("table", ["default", "collecting"])
def test_every_seat_has_its_place_in_the_playing_order(table: str) -> None:
    records, _ = played(table)
    places = records["position"][:, :4]
    assert (np.sort(places, axis=1) == np.arange(4)).all()
    assert (places[np.arange(len(records)), records["first"]] == 0).all()
    won = np.arange(4) == records["winner"][:, None]
    for place in range(4):
        here = places == place
        assert value(f"position_win_rate:{place + 1}", table=table) == pytest.approx(won[here].mean())
        assert value(f"position_score:{place + 1}", table=table) == pytest.approx(records["score"][:, :4][here].mean())
    assert value("position_win_rate:1", table=table) == value("first_player_win_rate", table=table)
    assert summarizer(table).row("position_win_rate:5", "all").n == 0


def test_turns_have_a_direction_and_a_seat() -> None:
    records, _ = played("default")
    assert (records["seat_turns"].sum(axis=1) == records["turns"]).all()
    both = value("turns:clockwise") + value("turns:counterclockwise")
    assert both == pytest.approx(value("turns"))
    one_way = records["reversals"] == 0
    assert value("one_direction_rate") == pytest.approx(one_way.mean())
    assert (records["forward_turns"][one_way] == records["turns"][one_way]).all()


def test_every_turn_is_a_play_or_has_its_reason() -> None:
    """A turn is a play, a failure to follow, three cards for an 8, or a barred pass."""
    records, _ = played("default")
    others = records["seat_turns"] - records["plays"] - records["unable"]
    assert (others >= 0).all()
    assert (others.sum(axis=1) >= records["eights"].sum(axis=1) - 1).all()
    drawn = records["drawn"].sum(axis=1)
    left = records["hand_cards"].sum(axis=1)
    played_cards = records["plays"].sum(axis=1) + records["jack_pairs"].sum(axis=1) + (records["last_jacks"] == 2)
    assert (7 * 4 + drawn - played_cards == left).all()


def test_a_forgotten_call_is_counted_under_the_house_rule_alone() -> None:
    assert value("forgotten_calls") == 0
    assert value("forgotten_calls", table="collecting") > 0.1
