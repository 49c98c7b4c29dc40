"""The statistics of loba over deals and matches that were played."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

from analysis.catalogue.loba import ROUNDS
from analysis.frames import sides_frame
from analysis.summary import Summarizer
from kernels.loba.layout import ALL_AT_ONCE_FACTOR, ALL_AT_ONCE_POINTS, SPEC
from sim.batch import deal_jobs, play
from sim.games import make_setup
from sim.match import play_matches
from tests.analysis.support import Records

DEALS = 2_000
MATCHES = 300
PLAYERS = 3
POLICIES = ["standard", "novice", "expert"]
RULES = {"players": PLAYERS}


@cache
def played() -> tuple[Records, list[str]]:
    setup = make_setup("loba", seed=11, policies=POLICIES, rules=RULES)
    return play(setup, deal_jobs(setup, 0, DEALS)), setup.policy_texts


@cache
def matches() -> Records:
    _, records = play_matches(make_setup("loba", seed=12, policies=POLICIES, rules=RULES), 0, MATCHES)
    return records


@cache
def summarizer(of_matches: bool = False) -> Summarizer:
    made = Summarizer(SPEC, RULES, POLICIES)
    made.merge(made.chunk(matches() if of_matches else played()[0]))
    return made


def value(name: str, group: str = "all", of_matches: bool = False) -> float:
    estimate = summarizer(of_matches).row(name, group).estimate
    assert estimate is not None
    return estimate


@pytest.mark.parametrize("group", ["all", "seat:0", "seat:2", "plays_first:yes", "policy:expert"])
@pytest.mark.parametrize("of_matches", [False, True])
def test_points_by_source_add_up_to_the_score(group: str, of_matches: bool) -> None:
    sources = value("points:hand", group, of_matches) + value("points:bonus", group, of_matches)
    assert sources == pytest.approx(value("score", group, of_matches))


def test_points_are_those_of_the_hands_doubled_where_everything_was_laid_at_once() -> None:
    records, policies = played()
    sides = sides_frame(SPEC, records, policies, RULES)
    points = {statistic.name: statistic.value for statistic in summarizer().statistics}
    told = sides.select(hand=points["points:hand"], bonus=points["points:bonus"])
    at_once = records["all_at_once"][:, :PLAYERS]
    factor = np.where(at_once.any(axis=1), ALL_AT_ONCE_FACTOR, 1)[:, None]
    assert told["hand"].to_list() == (-factor * records["deadwood"][:, :PLAYERS].astype(int)).ravel().tolist()
    assert told["bonus"].to_list() == (ALL_AT_ONCE_POINTS * at_once.astype(int)).ravel().tolist()


def test_statistics_agree_with_each_other() -> None:
    assert sum(value(f"end_reason:{reason}") for reason in SPEC.end_reasons) == pytest.approx(1)
    assert value("went_out_rate") == pytest.approx(value("end_reason:went_out") / PLAYERS)
    assert value("all_at_once_rate") == pytest.approx(value("all_at_once_rate_any") / PLAYERS)
    assert value("win_rate") >= value("went_out_rate")
    by_turn = [value(f"first_meld_by:{turn}") for turn in range(1, 11)]
    assert by_turn == sorted(by_turn)
    assert by_turn[-1] <= value("first_meld_rate")
    assert value("redeal_rate") <= value("redeals")
    assert value("sets") < value("melds")
    assert value("laid_cards") >= 3 * value("melds")


def test_what_is_left_is_told_of_those_who_did_not_go_out() -> None:
    records, _ = played()
    left = records["went_out"][:, :PLAYERS] == 0
    for name in ("deadwood", "cards_left", "jokers_left"):
        assert value(name) == pytest.approx(records[name][:, :PLAYERS][left].mean())
        assert summarizer().row(name, "all").n == left.sum()
    out = records["out_turn"][:, :PLAYERS]
    assert value("went_out_turn") == pytest.approx(out[out > 0].mean())


def test_who_is_out_of_the_match_counts_nowhere() -> None:
    records = matches()
    playing = records["playing"][:, :PLAYERS] != 0
    assert not playing.all()
    for name in ("score", "melds", "first_meld_rate", "discard_takes", "win_rate"):
        assert summarizer(of_matches=True).row(name, "all").n == playing.sum()
    assert value("score", of_matches=True) == pytest.approx(records["score"][:, :PLAYERS][playing].mean())
    assert value("discard_takes", of_matches=True) == pytest.approx(
        records["discard_takes"][:, :PLAYERS][playing].mean()
    )
    assert value("went_out_rate", of_matches=True) == pytest.approx(records["went_out"][:, :PLAYERS][playing].mean())


def test_eliminations_are_told_by_round() -> None:
    records = matches()
    assert records["eliminated"].sum() > MATCHES
    told = 0
    for number in ROUNDS:
        row = summarizer(of_matches=True).row(f"eliminated_rate:{number}", "all")
        this = records[records["deal"] == number - 1]
        playing = this["playing"][:, :PLAYERS] != 0
        assert row.n == playing.sum()
        if row.n:
            told += this["eliminated"].sum()
            assert row.estimate == pytest.approx(this["eliminated"][:, :PLAYERS][playing].mean())
    assert told > 0.9 * records["eliminated"].sum()


def test_outside_a_match_nobody_is_eliminated() -> None:
    assert summarizer().row("eliminated_rate:1", "all").n == 0
    records, policies = played()
    assert sides_frame(SPEC, records, policies, RULES).select(pl.col("eliminated").sum()).item() == 0
