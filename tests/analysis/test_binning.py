"""Bins of value counts: nothing is lost, widths read well, any size of number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.binning import bins_of
from analysis.documents import Counts

counted = st.dictionaries(st.integers(-(10**15), 10**15), st.integers(0, 10**12), min_size=1, max_size=60).map(
    lambda counts: Counts(sorted(counts), [counts[value] for value in sorted(counts)])
)


@given(counted, st.integers(2, 60))
def test_every_row_is_in_one_bin_or_among_the_outermost(counts: Counts, most: int) -> None:
    layout = bins_of([counts], most)
    if counts.total == 0:
        assert layout is None
        return
    assert layout is not None
    inside, outside = layout.count(counts)
    assert len(inside) == layout.number <= most
    assert sum(inside) + outside == counts.total
    assert outside <= counts.total * 0.001 + 1e-6


@given(counted)
def test_a_bin_holds_what_its_label_says(counts: Counts) -> None:
    layout = bins_of([counts], 40)
    if layout is None:
        return
    for index in range(layout.number):
        low, high = layout.values(index)
        start, end = layout.edges(index)
        assert start <= low <= high < end


def test_few_values_have_a_bin_each() -> None:
    layout = bins_of([Counts([3, 4, 6], [1, 2, 3])], 10)
    assert layout is not None
    assert layout.is_each
    assert [layout.label(index) for index in range(layout.number)] == ["3", "4", "5", "6"]
    assert layout.count(Counts([3, 4, 6], [1, 2, 3])) == ([1, 2, 0, 3], 0)


def test_points_in_tens_are_put_together_in_readable_widths() -> None:
    layout = bins_of([Counts(list(range(-1000, 2001, 10)), [1] * 301)], 40)
    assert layout is not None
    assert (layout.width, layout.step, layout.number) == (100, 10, 31)
    assert layout.label(0) == "-1,000 to -910"


@pytest.mark.parametrize("rows", [1_999, 2_000_000])
def test_only_many_rows_lose_their_outermost(rows: int) -> None:
    counts = Counts([0, *range(1_000, 1_100), 50_000], [1, *[rows // 100] * 100, 1])
    layout = bins_of([counts], 40)
    assert layout is not None
    assert layout.count(counts)[1] == (0 if rows < 2_000 else 2)


def test_several_groups_share_their_bins() -> None:
    layout = bins_of([Counts([1, 2], [5, 5]), Counts([7], [1])], 10)
    assert layout is not None
    assert layout.number == 7


def test_fractions_are_told_as_fractions() -> None:
    layout = bins_of([Counts([-1, 0, 3], [1, 1, 1])], 10, divisor=2)
    assert layout is not None
    assert [layout.label(index) for index in range(layout.number)] == ["-0.5", "0", "0.5", "1", "1.5"]
    assert layout.edges(0) == (-0.75, -0.25)
