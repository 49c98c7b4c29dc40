"""The statistics of canastra over deals that were played."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl
import pytest

from analysis.frames import deals_frame, sides_frame
from analysis.summary import Summarizer
from kernels.canastra.layout import RECORD_LAYOUT, SPEC
from tests.analysis.support import Records, canastra_records

DEALS = 1500


@cache
def played() -> tuple[Records, list[str]]:
    from sim.batch import deal_jobs, play
    from sim.games import make_setup

    setup = make_setup("canastra", seed=11, policies=["standard", "novice", "standard", "novice"])
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


@pytest.mark.parametrize("group", ["all", "side:0", "side:1", "plays_first:yes", "policy:novice"])
def test_points_by_source_add_up_to_the_score(group: str) -> None:
    names = [statistic.name for statistic in summarizer().statistics if statistic.name.startswith("points:")]
    assert len(names) == 7
    assert sum(value(name, group) for name in names) == pytest.approx(value("score", group))


def test_points_add_up_in_every_row() -> None:
    records, policies = played()
    sides = sides_frame(SPEC, records, policies, {})
    points = [statistic.value for statistic in summarizer().statistics if statistic.name.startswith("points:")]
    assert sides.select((pl.sum_horizontal(points) == pl.col("score")).all()).item()


def test_winners_are_those_of_the_kernel() -> None:
    records, policies = played()
    deals, sides = (make(SPEC, records, policies, {}) for make in (deals_frame, sides_frame))
    won = sides["won"].to_numpy().reshape(-1, 2)
    assert np.array_equal(np.where(won.any(axis=1), won.argmax(axis=1), -1), records["winner"])
    assert deals["tie"].to_list() == (records["winner"] == -1).tolist()


def test_statistics_agree_with_each_other() -> None:
    assert value("end_reason:batida") + value("end_reason:stock_out") == pytest.approx(1)
    assert value("stock_out_rate") == value("end_reason:stock_out")
    assert value("batida_rate") == pytest.approx(value("end_reason:batida") / 2)
    assert value("win_rate") == pytest.approx((1 - value("tie_rate")) / 2)
    assert value("win_rate", "plays_first:yes") == pytest.approx(value("first_player_win_rate"))
    assert value("win_rate", "policy:standard") == value("win_rate", "side:0")
    assert value("margin", "side:0") == pytest.approx(-value("margin", "side:1"))
    assert value("morto_rate") <= value("morto_rate_any") <= 2 * value("morto_rate")
    assert value("canastra_rate") <= value("canastra_rate_any")
    by_turn = [value(f"first_meld_by:{turn}") for turn in range(1, 11)]
    assert by_turn == sorted(by_turn)
    assert by_turn[-1] <= value("first_meld_rate")


def test_means_among_some_rows_say_how_many() -> None:
    for rate, turn in (
        ("first_meld_rate", "first_meld_turn"),
        ("canastra_rate", "canastra_turn"),
        ("morto_rate", "morto_turn"),
        ("batida_rate", "batida_turn"),
    ):
        assert summarizer().row(turn).n == pytest.approx(value(rate) * 2 * DEALS)
        assert value(turn) >= 1
    records, _ = played()
    assert summarizer().row("lixo_size").n == records["lixo_takes"].sum()
    assert value("lixo_size") == pytest.approx(records["lixo_cards"].sum() / records["lixo_takes"].sum())


def test_worked_values_of_two_deals() -> None:
    """Every statistic of the sides, from records filled in by hand."""
    records = np.zeros(2, RECORD_LAYOUT)
    records["status"], records["match"] = 1, -1
    records["reason"], records["turns"], records["first"] = [0, 1], [40, 60], [1, 2]
    records["score"] = [[1260, -140], [200, 200]]
    records["winner"] = [0, -1]
    records["first_meld_turn"] = [[2, 5], [1, 0]]
    records["morto_turn"], records["morto"] = [[8, 0], [12, 0]], [[1, 0], [2, 0]]
    records["batida_turn"], records["batida"] = [[20, 0], [0, 0]], [[1, 0], [0, 0]]
    records["clean_canastras"], records["dirty_canastras"] = [[2, 0], [0, 0]], [[1, 0], [0, 1]]
    records["lixo_takes"], records["lixo_cards"] = [[2, 0], [1, 1]], [[9, 0], [4, 7]]
    records["red_threes"], records["red_three_points"] = [[3, 1], [0, 2]], [[300, -100], [0, 200]]
    records["table_cards"], records["hand_cards"] = [[38, 3], [9, 7]], [[5, 7], [1, 0]]
    records["no_morto"] = [[0, 1], [0, 0]]
    made = Summarizer(SPEC, {}, ["standard"] * 4)
    made.merge(made.chunk(records))
    expected = {
        "end_reason:batida": (0.5, 2),
        "turns": (50, 2),
        "tie_rate": (0.5, 2),
        "winning_margin": (700, 2),
        "first_player_win_rate": (0, 2),
        "win_rate": (0.25, 4),
        "first_meld_rate": (0.75, 4),
        "first_meld_turn": (8 / 3, 3),
        "first_meld_by:1": (0.25, 4),
        "first_meld_by:2": (0.5, 4),
        "first_meld_by:5": (0.75, 4),
        "canastra_rate": (0.5, 4),
        "canastra_rate_any": (1, 2),
        "clean_canastra_rate": (0.25, 4),
        "dirty_canastra_rate": (0.5, 4),
        "canastras": (1, 4),
        "morto_rate": (0.5, 4),
        "morto_rate_any": (1, 2),
        "morto_turn": (10, 2),
        "batida_rate": (0.25, 4),
        "batida_turn": (20, 1),
        "lixo_takes": (1, 4),
        "lixo_size": (5, 4),
        "red_threes": (1.5, 4),
        "red_three_debt_rate": (1 / 3, 3),
        "cards_left": (13 / 4, 4),
        "points:clean": (100, 4),
        "points:cards": (570 / 4, 4),
        "points:cards_in_hand": (-130 / 4, 4),
        "points:red_threes": (100, 4),
        "points:no_morto": (-25, 4),
    }
    for name, (estimate, n) in expected.items():
        row = made.row(name)
        assert row.estimate == pytest.approx(estimate), name
        assert row.n == n, name


def test_a_chunk_is_counted_alike_whoever_counts_it() -> None:
    """Chunks are counted in threads, on one summarizer."""
    from concurrent.futures import ThreadPoolExecutor

    made = Summarizer(SPEC, {}, ["standard"] * 4)
    chunks = [canastra_records(300, seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        partials = list(pool.map(made.chunk, chunks))
    for partial in partials:
        made.merge(partial)
    whole = Summarizer(SPEC, {}, ["standard"] * 4)
    whole.merge(whole.chunk(np.concatenate(chunks)))
    assert made.rows() == whole.rows()
