"""The score interval of a proportion, against the intervals it must equal and against the test it inverts."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.frames import deals_frame, sides_frame
from analysis.proportion import DealCounts, proportion, score_interval, wilson
from analysis.statistic import number
from analysis.statistic import proportion as share_of_rows
from tests.analysis.support import table_game, table_records, table_totals
from tests.analysis.test_coverage import X

Z = NormalDist().inv_cdf(0.975)


def test_wilson_against_worked_values() -> None:
    # 8 of 10: (0.8 + 0.19207 -+ sqrt(0.38415 (0.016 + 0.00960))) / 1.38415, worked by hand.
    assert wilson(0.8, 10, 0.95) == pytest.approx((0.49016, 0.94332), abs=1e-5)
    low, high = wilson(0, 20, 0.95)
    assert low == 0
    assert high == pytest.approx(Z**2 / (20 + Z**2))
    assert wilson(1, 20, 0.95) == pytest.approx((20 / (20 + Z**2), 1.0))


def test_one_row_a_deal_is_the_textbook_case() -> None:
    found = proportion(DealCounts([(1, 0, 20), (1, 1, 30)]), 0.95)
    assert [found.n, found.estimate, found.std_error] == pytest.approx([50, 0.6, math.sqrt(0.24 / 50)])
    assert (found.low, found.high) == wilson(0.6, 50, 0.95)
    one = proportion(DealCounts([(1, 1, 1)]), 0.95)
    assert [one.n, one.estimate, one.low, one.high] == pytest.approx([1, 1.0, 1 / (1 + Z**2), 1.0])
    assert proportion(DealCounts([]), 0.95).estimate is None


@given(st.integers(0, 500), st.integers(0, 500), st.sampled_from([0.8, 0.95, 0.999]))
def test_the_score_interval_of_one_row_a_deal_is_wilsons(no: int, yes: int, confidence: float) -> None:
    if no + yes:
        counts = DealCounts([(1, a, deals) for a, deals in ((0, no), (1, yes)) if deals])
        expected = wilson(yes / (no + yes), no + yes, confidence)
        assert score_interval(counts, confidence) == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 400), st.integers(0, 60), st.integers(2, 6))
def test_where_one_side_wins_or_none_it_is_wilsons_on_deals(won: int, nobody: int, sides: int) -> None:
    cells = [cell for cell in ((sides, 0, nobody), (sides, 1, won)) if cell[2]]
    deals = won + nobody
    low, high = wilson(won / deals, deals, 0.95)
    assert score_interval(DealCounts(cells, most=1), 0.95) == pytest.approx((low / sides, high / sides), abs=1e-12)
    alone = proportion(DealCounts([cell for cell in ((1, 0, nobody), (1, 1, won)) if cell[2]]), 0.95)
    found = proportion(DealCounts(cells, most=1), 0.95)
    assert found.n == sides * deals
    assert alone.low is not None
    assert alone.high is not None
    assert (found.low, found.high) == pytest.approx((alone.low / sides, alone.high / sides), abs=1e-12)


def test_where_sides_go_together_it_is_wilsons_on_deals() -> None:
    low, high = wilson(0.03, 100, 0.95)
    assert score_interval(DealCounts([(3, 0, 97), (3, 3, 3)]), 0.95) == pytest.approx((low, high), abs=1e-12)
    none = proportion(DealCounts([(2, 0, 50)]), 0.95)
    assert (none.n, none.estimate, none.std_error) == (100, 0.0, 0.0)
    assert (none.low, none.high) == pytest.approx(wilson(0, 50, 0.95))
    every = proportion(DealCounts([(2, 2, 50)]), 0.95)
    assert (every.low, every.high) == pytest.approx(wilson(1, 50, 0.95))


def test_an_end_that_few_deals_decide_is_the_poisson_limit_of_their_number() -> None:
    # The rate at which one deal or more has a chance of 5 % is -log(0.95); two or more: 0.35536, from tables.
    one = proportion(DealCounts([(1, 0, 399), (1, 1, 1)]), 0.95)
    assert [one.low, one.high] == pytest.approx([-math.log(0.95) / 400, wilson(1 / 400, 400, 0.95)[1]])
    two = proportion(DealCounts([(2, 2, 398), (2, 1, 1), (2, 0, 1)]), 0.95)
    assert two.high == pytest.approx(1 - 0.35536 / 2 * 3 / 800, abs=1e-7)
    four = DealCounts([(1, 0, 396), (1, 1, 4)])
    assert proportion(four, 0.95).low == pytest.approx(wilson(0.01, 400, 0.95)[0])


def test_rare_deals_make_an_interval_as_skewed_as_they_are() -> None:
    found = proportion(DealCounts([(2, 0, 2), (2, 1, 398)], most=1), 0.95)
    assert found.estimate is not None
    assert found.low is not None
    assert found.high is not None
    assert 2 * (found.high - found.estimate) < found.estimate - found.low
    assert found.high < 0.5
    # Where nobody was ever without a winner, half of the sides win at the most.
    assert proportion(DealCounts([(2, 1, 400)], most=1), 0.95).high == 0.5
    unbound = proportion(DealCounts([(2, 1, 400)]), 0.95)
    assert [unbound.low, unbound.high] == pytest.approx([0.5 - Z**2 / (800 + 2 * Z**2), 0.5 + Z**2 / (800 + 2 * Z**2)])


def likeliest(counts: tuple[int, int, int], share: float) -> tuple[float, float, float]:
    """Likeliest chances of the totals 0, 1 and 2 with a mean of twice the share, from Tango's quadratic."""
    none, one, both = counts
    deals, shift = sum(counts), 2 * share - 1
    # One chance is free: both = none + shift, one = 1 - shift - 2 none; the likelihood's slope is 0 at a root.
    a = 2 * deals
    b = none * (3 * shift - 1) + one * 2 * shift + both * (shift - 1)
    c = none * shift * (shift - 1)
    root = (-b + math.sqrt(max(0.0, b * b - 4 * a * c))) / (2 * a)
    least = min(max(root, 0.0, -shift), (1 - shift) / 2)
    return least, 1 - shift - 2 * least, least + shift


@pytest.mark.parametrize(
    "counts", [(10, 60, 30), (1, 30, 369), (0, 4, 396), (5, 990, 5), (3, 0, 97), (0, 50, 1), (40, 2, 0)]
)
def test_two_rows_a_deal_have_tangos_interval(counts: tuple[int, int, int]) -> None:
    found = score_interval(DealCounts([(2, a, deals) for a, deals in enumerate(counts) if deals]), 0.95)
    deals, total = sum(counts), counts[1] + 2 * counts[2]
    for end in found:
        chances = likeliest(counts, end)
        mean = 2 * end
        variance = sum(chance * (a - mean) ** 2 for a, chance in enumerate(chances))
        assert abs(total - deals * mean) / math.sqrt(deals * variance) == pytest.approx(Z, rel=1e-6)


rows_of_deals = st.lists(st.lists(st.booleans(), min_size=1, max_size=4), min_size=1, max_size=40)


@given(rows_of_deals, st.sampled_from([0.5, 0.95, 0.9999]))
def test_an_interval_holds_its_estimate_and_turns_with_the_question(deals: list[list[bool]], confidence: float) -> None:
    def counts(wanted: bool) -> DealCounts:
        alike: dict[tuple[int, int], int] = {}
        for rows in deals:
            cell = len(rows), rows.count(wanted)
            alike[cell] = alike.get(cell, 0) + 1
        return DealCounts([(*cell, count) for cell, count in sorted(alike.items())])

    yes, no = (proportion(counts(wanted), confidence) for wanted in (True, False))
    assert yes.estimate is not None
    assert yes.low is not None
    assert yes.high is not None
    assert no.low is not None
    assert no.high is not None
    assert 0 <= yes.low <= yes.estimate <= yes.high <= 1
    assert (yes.low, yes.high) == pytest.approx((1 - no.high, 1 - no.low), abs=1e-9)
    assert yes.high - yes.low > 0


def test_a_billion_deals_are_as_exact_as_a_few() -> None:
    won, nobody = 995_300_000, 4_700_000
    low, high = wilson(won / 10**9, 10**9, 0.95)
    found = score_interval(DealCounts([(2, 0, nobody), (2, 1, won)], most=1), 0.95)
    assert found == pytest.approx((low / 2, high / 2), abs=1e-12)


def test_only_a_proportion_says_of_how_many_rows_it_is_true() -> None:
    with pytest.raises(ValueError, match="only a proportion"):
        share_of_rows("x", "?", X > 0, "Table", most=0)
    stated = number("x", "points", "?", X, "Table")
    with pytest.raises(ValueError, match="only a proportion"):
        type(stated)(**{field: getattr(stated, field) for field in stated.__slots__} | {"most": 1})


def test_who_wins_is_known_to_be_one_side_at_most() -> None:
    spec = table_game(2)
    totals = table_totals(spec, ["a", "a"])
    records = table_records(spec, 40)
    records["score"] = [[10, 20]] * 40
    records["reason"] = 0
    totals.merge(totals.frames_chunk(*(make(spec, records, ["a", "a"], {}) for make in (deals_frame, sides_frame))))
    row = totals.row("best")
    assert (row.n, row.estimate, row.high) == (80, 0.5, 0.5)
