"""Charts of characters: true to their numbers, never wider than they may be, in any encoding."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import charts_text
from analysis.charts_text import Interval, curve_lines, has_blocks, histogram_lines, interval_lines
from analysis.documents import Counts

numbers = st.none() | st.floats(-1e12, 1e12)


def test_the_examples_are_what_is_drawn() -> None:
    failed, tried = doctest.testmod(charts_text)
    assert (failed, tried >= 3) == (0, True)


def test_the_highest_value_has_the_highest_bar_and_an_empty_one_none() -> None:
    lines = histogram_lines(Counts([0, 1, 3], [10, 5, 5]), 40, title="aces", rows=1)
    assert lines == ["aces, 50.0% at the highest", "  ██████▄▄▄▄▄▄      ▄▄▄▄▄▄", "  0     1     2     3"]


def test_what_is_rare_is_seen() -> None:
    assert "▁" in histogram_lines(Counts([0, 1], [10**9, 1]), 40, rows=3)[3]


def test_letters_draw_the_same_columns() -> None:
    counts = Counts([0, 1, 2], [1, 3, 9])
    blocks, letters = (histogram_lines(counts, 60, blocks=drawn) for drawn in (True, False))
    assert [[sign != " " for sign in line] for line in blocks] == [[sign != " " for sign in line] for line in letters]
    assert "".join(letters).isascii()


def test_a_curve_ends_at_its_height() -> None:
    lines = curve_lines({1.0: 0.0, 2.0: 0.5, 3.0: 1.0}, 60, title="by", x_title="turns", rows=2)
    assert lines == [
        "by (0 to 100%)",
        "                ███████",
        "         ██████████████",
        "  1      2      3  turns",
        "  0%     50%    100%",
    ]


def test_a_curve_of_amounts_goes_over_its_span() -> None:
    lines = curve_lines({1.0: -2.0, 2.0: 0.0, 3.0: 2.0}, 60, title="by", rows=1, span=(-2, 2), told="{:+.1f}".format)
    assert lines == [
        "by (-2.0 to +2.0)",
        "         ▄▄▄▄▄▄▄███████",
        "  1      2      3",
        "  -2.0   +0.0   +2.0",
    ]


def test_intervals_stand_where_their_numbers_are() -> None:
    marks = [Interval("low", -10.0, -10.0, -10.0, "-10"), Interval("high", 10.0, 0.0, 10.0, "+10")]
    low, high = interval_lines(marks, 40, blocks=False, zero=True)
    start = len("high  ")
    room = 40 - len("high") - len("+10") - 4
    assert low[start] == "o"
    assert low[start + room // 2] == "|"
    assert high[start + room // 2] == "|"
    assert high[start + room - 1] == "o"
    assert set(high[start + room // 2 + 1 : start + room - 1]) == {"-"}


@pytest.mark.parametrize(("encoding", "has"), [("utf-8", True), ("ascii", False), ("cp1252", False), (None, False)])
def test_blocks_are_drawn_where_the_stream_has_them(encoding: str | None, has: bool) -> None:
    assert has_blocks(encoding) is has
    assert not has_blocks("no-such-encoding")


@given(
    st.dictionaries(st.integers(-(10**9), 10**9), st.integers(0, 10**9), max_size=30),
    st.integers(0, 120),
    st.booleans(),
)
def test_a_histogram_fits_any_width(counts: dict[int, int], width: int, blocks: bool) -> None:
    values = sorted(counts)
    lines = histogram_lines(Counts(values, [counts[value] for value in values]), width, title="x" * 50, blocks=blocks)
    assert all(len(line) <= width for line in lines)
    assert not lines or width >= charts_text.LEAST_WIDTH


@given(st.lists(st.tuples(st.text(max_size=40), numbers, numbers, numbers), max_size=8), st.integers(0, 120))
def test_intervals_fit_any_width(rows: list[tuple[Any, ...]], width: int) -> None:
    marks = []
    for label, *ends in rows:
        known = sorted(end for end in ends if end is not None)
        low, estimate, high = known if len(known) == 3 else (None, known[0] if known else None, None)
        marks.append(Interval(label, estimate, low, high, f"{estimate}"))
    assert all(len(line) <= width for line in interval_lines(marks, width))


@given(st.dictionaries(st.integers(1, 99).map(float), st.floats(0, 1), max_size=60), st.integers(0, 120))
def test_a_curve_fits_any_width(points: dict[float, float], width: int) -> None:
    assert all(len(line) <= width for line in curve_lines(points, width, title="t" * 90, x_title="turns"))
