"""The statistics of mau-mau (docs/rules/mau_mau.md)."""

from __future__ import annotations

from analysis.statistic import Statistic

STATISTICS: tuple[Statistic, ...] = ()
