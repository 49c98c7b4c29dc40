"""The statistics of toy."""

from __future__ import annotations

import polars as pl

from analysis.statistic import Statistic, number

STATISTICS: tuple[Statistic, ...] = (
    number("aces", "aces", "How many aces is a player dealt?", pl.col("aces").cast(pl.Int64), "Cards"),
)
