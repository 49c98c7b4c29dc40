from __future__ import annotations

import dataclasses

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from analysis.frames import deals_frame, matches_frame, sides_frame
from kernels.canastra.layout import RECORD_LAYOUT, SPEC
from tests.analysis.support import canastra_records, table_game, table_records

POLICIES = ["standard", "novice", "standard", "expert"]

DEAL_SCHEMA = {
    "deal": pl.UInt64,
    "match": pl.Int64,
    "decisions": pl.Int32,
    "turns": pl.Int16,
    "reason": pl.Enum(["batida", "stock_out"]),
    "dealer": pl.Int8,
    "first": pl.Int8,
    "winner": pl.Int8,
    "out_seat": pl.Int8,
    "first_side": pl.Int8,
    "tie": pl.Boolean,
    "void": pl.Boolean,
    "first_player_won": pl.Boolean,
    "winning_margin": pl.Int64,
    "policies": pl.Enum(["standard - novice+expert"]),
}

SIDE_SCHEMA_HEAD = {
    "deal": pl.UInt64,
    "match": pl.Int64,
    "side": pl.UInt8,
    "turns": pl.Int16,
    "reason": pl.Enum(["batida", "stock_out"]),
    "void": pl.Boolean,
    "plays_first": pl.Boolean,
    "policy": pl.Enum(["standard", "novice+expert"]),
    "opponents_policy": pl.Enum(["novice+expert", "standard"]),
    "score": pl.Int32,
}
SIDE_SCHEMA_TAIL = {"won": pl.Boolean, "tie": pl.Boolean, "margin": pl.Int64}


def test_schema_of_deals() -> None:
    frame = deals_frame(SPEC, canastra_records(10), POLICIES, {})
    assert dict(frame.schema) == DEAL_SCHEMA
    assert frame.height == 10


def test_schema_of_sides() -> None:
    frame = sides_frame(SPEC, canastra_records(10), POLICIES, {})
    names = [name for name in RECORD_LAYOUT.names or () if RECORD_LAYOUT[name].shape and name != "score"]
    assert list(frame.columns) == [*SIDE_SCHEMA_HEAD, *names, *SIDE_SCHEMA_TAIL]
    for name, dtype in {**SIDE_SCHEMA_HEAD, **SIDE_SCHEMA_TAIL}.items():
        assert frame.schema[name] == dtype, name
    assert frame.height == 20
    assert frame["side"].to_list() == [0, 1] * 10


def test_every_field_of_a_record_arrives_unchanged() -> None:
    records = canastra_records(50)
    deals, sides = (make(SPEC, records, POLICIES, {}) for make in (deals_frame, sides_frame))
    for name in RECORD_LAYOUT.names or ():
        if RECORD_LAYOUT[name].shape:
            assert sides[name].to_list() == records[name].reshape(-1).tolist(), name
        elif name == "reason":
            assert deals[name].to_list() == [("batida", "stock_out")[code] for code in records[name]]
        elif name == "match":
            assert deals[name].null_count() == len(records)
        elif name != "status":
            assert deals[name].to_list() == records[name].tolist(), name


def test_what_is_derived_from_scores() -> None:
    spec = table_game(3)
    records = table_records(spec, 4)
    records["score"] = [[10, 30, 20], [5, -5, 5], [0, 0, 0], [7, 1, 1]]
    records["reason"] = [0, 0, 1, 0]
    records["first"] = [1, 0, 2, 2]
    deals, sides = (make(spec, records, ["a", "b", "a"], {}) for make in (deals_frame, sides_frame))
    assert deals["tie"].to_list() == [False, True, False, False]
    assert deals["void"].to_list() == [False, False, True, False]
    assert deals["first_player_won"].to_list() == [True, False, False, False]
    assert deals["winning_margin"].to_list() == [10, 0, 0, 6]
    assert sides["margin"].to_list() == [-20, 10, -10, 0, -10, 0, 0, 0, 0, 6, -6, -6]
    assert np.flatnonzero(sides["won"].to_numpy()).tolist() == [1, 9]
    assert np.flatnonzero(sides["plays_first"].to_numpy()).tolist() == [1, 3, 8, 11]
    assert sides["policy"].to_list() == ["a", "b", "a"] * 4
    assert sides["opponents_policy"].to_list() == ["b+a", "a", "a+b"] * 4


def test_two_players_sit_one_a_side() -> None:
    records = canastra_records(6)
    records["first"] = [0, 1, 0, 1, 0, 1]
    sides = sides_frame(SPEC, records, ["novice", "expert"], {"players": 2})
    assert sides["plays_first"].to_list() == [True, False, False, True] * 3
    assert sides["opponents_policy"].to_list() == ["expert", "novice"] * 6


def test_deals_of_matches_keep_their_match() -> None:
    records = canastra_records(3)
    records["match"] = [4, 4, -1]
    assert deals_frame(SPEC, records, POLICIES, {})["match"].to_list() == [4, 4, None]
    assert sides_frame(SPEC, records, POLICIES, {})["match"].to_list() == [4, 4, 4, 4, None, None]


def test_no_records_make_empty_frames_of_the_same_schema() -> None:
    for make in (deals_frame, sides_frame):
        full, empty = (make(SPEC, canastra_records(count), POLICIES, {}) for count in (5, 0))
        assert empty.height == 0
        assert empty.schema == full.schema


def test_frames_of_pieces_put_together_are_the_frame_of_all() -> None:
    records = canastra_records(40)
    for make in (deals_frame, sides_frame):
        pieces = [make(SPEC, part, POLICIES, {}) for part in (records[:15], records[15:])]
        assert_frame_equal(pl.concat(pieces), make(SPEC, records, POLICIES, {}))


def test_what_is_no_record_of_the_game_is_refused() -> None:
    records = canastra_records(5)
    records["status"][3] = 0
    with pytest.raises(ValueError, match=r"1 of 5 records were never played, the first in row 3"):
        deals_frame(SPEC, records, POLICIES, {})
    with pytest.raises(ValueError, match="no records of canastra"):
        sides_frame(SPEC, table_records(table_game(2), 3), POLICIES, {})
    with pytest.raises(ValueError, match="4 seats, but 2 policies"):
        deals_frame(SPEC, canastra_records(5), POLICIES[:2], {})
    with pytest.raises(ValueError, match="2 seats, but 4 policies"):
        deals_frame(SPEC, canastra_records(5), POLICIES, {"players": 2})


def test_frame_of_matches() -> None:
    rows = np.zeros(
        2, [("match", "u8"), ("deals", "i4"), ("winner", "i1"), ("first_dealer", "i1"), ("scores", "i4", (2,))]
    )
    rows["match"], rows["deals"], rows["winner"], rows["first_dealer"] = [8, 9], [4, 1000], [1, -1], [3, 0]
    rows["scores"] = [[1500, 2100], [-400, -900]]
    frame = matches_frame(rows)
    assert frame.to_dicts() == [
        {"match": 8, "deals": 4, "winner": 1, "first_dealer": 3, "scores": [1500, 2100], "winning_margin": 600},
        {"match": 9, "deals": 1000, "winner": None, "first_dealer": 0, "scores": [-400, -900], "winning_margin": None},
    ]


def test_a_side_that_is_out_is_neither_counted_nor_compared() -> None:
    spec = table_game(3)
    names = [*(spec.record_layout.descr), ("playing", np.int8, (3,))]
    spec = dataclasses.replace(spec, record_layout=np.dtype([field for field in names if field[0]]))
    records = np.zeros(2, spec.record_layout)
    records["status"] = 1
    records["playing"] = [[1, 0, 1], [1, 1, 1]]
    records["score"] = [[-10, 0, -4], [-10, -3, -4]]
    frame = sides_frame(spec, records, ["standard"] * 3, {})
    assert frame["score"].to_list() == [-10, None, -4, -10, -3, -4]
    assert frame["won"].to_list() == [False, None, True, False, True, False]
    assert frame["margin"].to_list() == [-6, None, 6, -7, 1, -1]
    assert deals_frame(spec, records, ["standard"] * 3, {})["winning_margin"].to_list() == [6, 1]
