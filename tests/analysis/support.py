"""Records to analyse: a made-up game with any number of seats, and canastra records that no kernel played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from analysis.seating import Group, Seating
from analysis.statistic import Statistic, number, proportion, ratio
from analysis.summary import Totals
from kernels.canastra.layout import RECORD_LAYOUT
from kernels.spec import GameSpec

Records = npt.NDArray[np.void]


def table_game(seats: int, sides: int | None = None, reasons: tuple[str, ...] = ("won", "void")) -> GameSpec:
    """Return a game that only has a table: so many seats, each for himself unless there are fewer sides."""
    sides = sides or seats
    layout = np.dtype(
        [
            ("deal", np.uint64),
            ("match", np.int64),
            ("score", np.int32, (sides,)),
            ("turns", np.int16),
            ("status", np.uint8),
            ("reason", np.uint8),
            ("dealer", np.int8),
            ("first", np.int8),
            ("winner", np.int8),
            ("cards", np.int16, (sides,)),
            ("takes", np.int16, (sides,)),
        ],
        align=True,
    )

    def number_of(count: int) -> Any:
        return lambda _values: count

    def encode(_values: Mapping[str, Any]) -> dict[str, Any]:
        return {}

    return GameSpec(
        name="table",
        title="Table",
        summary="",
        rules="",
        options=(),
        policies=(),
        option_layout=np.dtype([("none", np.int64)]),
        record_layout=layout,
        encode=encode,
        seats=number_of(seats),
        sides=number_of(sides),
        side_of=lambda seat, _values: seat % sides,
        shuffle_cards=number_of(52),
        end_reasons=reasons,
        void_reasons=("void",) if "void" in reasons else (),
        max_parameters=1,
        max_events=1,
    )


TABLE_STATISTICS: tuple[Statistic, ...] = (
    proportion("many", "?", pl.col("cards") > 3, "Table"),
    proportion("odd_take", "?", pl.when(pl.col("takes") > 0).then(pl.col("takes") % 2 == 1), "Table", among="takers"),
    proportion("best", "?", pl.col("won"), "Table", most=1),
    proportion("anybody", "?", pl.col("cards") > 5, "Table", level="deals", across="any"),
    number("cards", "cards", "?", pl.col("cards"), "Table"),
    number("big", "points", "?", pl.col("score").cast(pl.Int64) * 1000, "Table"),
    number("takes", "takes", "?", pl.when(pl.col("takes") > 0).then(pl.col("takes")), "Table", among="takers"),
    number("turns", "turns", "?", pl.col("turns"), "Table", level="deals"),
    ratio("size", "cards", "?", pl.col("cards"), pl.col("takes"), "Table", among="takes"),
)
"""One statistic of every kind, with and without nulls."""


def table_records(spec: GameSpec, deals: int, seed: int = 1) -> Records:
    """Records with small numbers, so that all cases (no takes at all, ties) occur."""
    random = np.random.default_rng(seed)
    records = np.zeros(deals, spec.record_layout)
    shape = records["score"].shape
    luck = random.integers(0, 4, (deals, 1))
    records["deal"] = np.arange(deals)
    records["match"] = -1
    records["status"] = 1
    records["score"] = random.integers(-40, 90, shape) * random.integers(1, 3, shape)
    records["turns"] = random.integers(1, 40, deals)
    records["reason"] = random.integers(0, len(spec.end_reasons), deals)
    records["first"] = random.integers(0, spec.seats({}), deals)
    records["cards"] = random.integers(0, 4, shape) + luck
    records["takes"] = np.maximum(random.integers(-3, 4, shape), 0)
    return records


def table_totals(spec: GameSpec, policies: Sequence[str], statistics: Sequence[Statistic] = TABLE_STATISTICS) -> Totals:
    """Totals of the made-up game."""
    return Totals(Seating.of(spec, {}, policies), statistics, "plays_first")


def canastra_records(deals: int, seed: int = 1) -> Records:
    """Canastra records of independent numbers within their ranges; scores and winners do not fit the rest."""
    random = np.random.default_rng(seed)
    records = np.zeros(deals, RECORD_LAYOUT)
    for name in RECORD_LAYOUT.names or ():
        highest = 25 if name.endswith("turn") else 3
        records[name] = random.integers(0, highest, records[name].shape)
    records["deal"] = np.arange(deals)
    records["match"] = -1
    records["status"] = 1
    records["reason"] = random.integers(0, 2, deals)
    records["turns"] = random.integers(20, 94, deals)
    records["dealer"] = np.arange(deals) % 4
    records["first"] = (records["dealer"] + 1) % 4
    records["score"] = random.integers(-60, 300, (deals, 2)) * 10
    records["red_three_points"] = random.integers(-2, 3, (deals, 2)) * 100
    # One side goes out, or none.
    records["batida"][:, 1][records["batida"][:, 0] > 0] = 0
    return records


def belongs(group: Group, side: int, plays_first: bool) -> bool:
    """Whether a row is in a group, by the words of its definition."""
    return side in group.members and group.first in (None, plays_first)
