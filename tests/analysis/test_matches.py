from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from analysis.matches import MatchSummary
from analysis.summary import Summarizer, summary_document
from kernels.canastra.layout import SPEC
from kernels.match_ends import SHARED
from tests.analysis.support import canastra_records

LAYOUT = np.dtype(
    [
        ("match", np.uint64),
        ("deals", np.int32),
        ("margin", np.int32),
        ("scores", np.int32, (2,)),
        ("first_dealer", np.int8),
        ("winner", np.int8),
    ],
    align=True,
)


def match_rows(*rows: tuple[int, tuple[int, int], int, int]) -> npt.NDArray[np.void]:
    """Rows of (deals, scores, first dealer, winner)."""
    made = np.zeros(len(rows), LAYOUT)
    made["match"] = np.arange(len(rows))
    for index, (deals, scores, dealer, winner) in enumerate(rows):
        made["deals"][index], made["scores"][index] = deals, scores
        made["first_dealer"][index], made["winner"][index] = dealer, winner
    return made


ROWS = match_rows((4, (2100, 900), 0, 0), (6, (1900, 2000), 2, 1), (5, (2300, 1100), 1, 0), (1000, (-5, -9), 3, -1))
SHARED_ROWS = match_rows((3, (-120, -120), 0, SHARED), (4, (10, -120), 1, 0))


def summary(policies: list[str] | None = None) -> MatchSummary:
    made = MatchSummary(SPEC, {}, policies or ["standard"] * 4)
    made.merge(made.chunk(ROWS[2:]))
    made.merge(made.chunk(ROWS[:2]))
    return made


@pytest.mark.parametrize(
    ("statistic", "group", "n", "estimate"),
    [
        ("deals_per_match", "all", 4, 1015 / 4),
        ("deals_per_match:p50", "all", 4, 5),
        ("match_win_rate", "side:0", 4, 0.5),
        ("match_win_rate", "side:1", 4, 0.25),
        ("match_win_rate", "all", 8, 0.375),
        ("match_win_rate", "deals_first:yes", 4, 0.25),
        ("match_win_rate", "deals_first:no", 4, 0.5),
        ("first_dealer_win_rate", "all", 4, 0.25),
        ("match_unfinished_rate", "all", 4, 0.25),
        ("match_score", "side:1", 4, (900 + 2000 + 1100 - 9) / 4),
        ("match_margin", "side:0", 4, (1200 - 100 + 1200 + 4) / 4),
        ("match_winning_margin", "all", 3, (1200 + 100 + 1200) / 3),
    ],
)
def test_worked_values(statistic: str, group: str, n: int, estimate: float) -> None:
    row = summary().row(statistic, group)
    assert row.n == n
    assert row.estimate == pytest.approx(estimate)


def test_a_shared_match_is_over_and_nobody_has_won_it() -> None:
    made = MatchSummary(SPEC, {}, ["standard"] * 4)
    made.merge(made.chunk(SHARED_ROWS))
    names = ("match_win_rate", "match_tie_rate", "match_unfinished_rate", "first_dealer_win_rate")
    assert [made.row(name).estimate for name in names] == [0.25, 0.5, 0, 0]


def test_policies_are_told_apart() -> None:
    made = summary(["expert", "novice", "expert", "novice"])
    assert made.row("match_win_rate", "policy:expert").estimate == 0.5
    assert made.row("match_win_rate", "policy:novice").estimate == 0.25
    assert made.row("match_margin", "policy:novice").estimate == pytest.approx(-(1200 - 100 + 1200 + 4) / 4)


def test_a_document_of_matches_has_both_kinds_of_statistics() -> None:
    deals: Any = Summarizer(SPEC, {}, ["standard"] * 4)
    deals.merge(deals.chunk(canastra_records(20)))
    document = summary_document(deals, 7, {}, summary())
    names = {row["statistic"] for row in document["statistics"]}
    assert {"turns", "deals_per_match", "match_win_rate", "match_margin"} <= names
    assert (document["deals"], document["matches"]) == (20, 4)
    assert document["histograms"]["deals_per_match"]["all"] == {"values": [4, 5, 6, 1000], "counts": [1] * 4}
