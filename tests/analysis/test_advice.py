"""What options are worth: means, paired differences and shares from sums are those of the single worlds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.advice import OptionSums, advice_table
from analysis.advice_words import advice_sentences, where_words
from tests.analysis import documents as made


def sums_of(margins: np.ndarray, scores: np.ndarray) -> OptionSums:
    """Sums of worlds, shape (worlds, options)."""
    best = margins == margins.max(axis=1, keepdims=True)
    return OptionSums(
        worlds=len(margins),
        margin=margins.sum(axis=0),
        margin_squares=(margins**2).sum(axis=0),
        score=scores.sum(axis=0),
        score_squares=(scores**2).sum(axis=0),
        won=(margins > 0).sum(axis=0),
        best=best.sum(axis=0),
        cross=margins.T @ margins,
    )


def worlds(count: int, options: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    common = rng.integers(-30, 30, (count, 1))
    margins = common + rng.integers(-5, 6, (count, options)) - np.arange(options)
    return margins, rng.integers(0, 20, (count, options))


def test_rows_are_those_of_the_worlds() -> None:
    margins, scores = worlds(200, 4, 1)
    rows = sums_of(margins, scores).rows(0.9)
    order = sorted(range(4), key=lambda option: -margins[:, option].mean())
    assert [row["option"] for row in rows] == order
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    for row in rows:
        own, best = margins[:, row["option"]], margins[:, order[0]]
        assert row["margin"] == pytest.approx(own.mean())
        assert row["margin_std_error"] == pytest.approx(stats.sem(own))
        assert row["score"] == pytest.approx(scores[:, row["option"]].mean())
        assert row["win_rate"] == (own > 0).mean()
        assert row["best_rate"] == (own == margins.max(axis=1)).mean()
        assert row["win_rate_low"] < row["win_rate"] < row["win_rate_high"]
        assert row["behind"] == pytest.approx((best - own).mean())
        if row["rank"] > 1:
            half = stats.norm.ppf(0.95) * stats.sem(best - own)
            assert row["behind_high"] - row["behind"] == pytest.approx(half)
            assert row["behind"] - row["behind_low"] == pytest.approx(half)


def test_sums_of_parts_are_those_of_the_whole() -> None:
    margins, scores = worlds(90, 3, 2)
    whole, parts = sums_of(margins, scores), sums_of(margins[:40], scores[:40]) + sums_of(margins[40:], scores[40:])
    assert parts.rows(0.95) == whole.rows(0.95)


def test_the_best_is_behind_nothing_and_one_world_gives_no_interval() -> None:
    rows = sums_of(*worlds(1, 2, 3)).rows(0.95)
    assert rows[0]["behind"] == 0
    assert all(row["behind_low"] is None and row["margin_low"] is None for row in rows)


def test_of_equal_options_the_one_listed_first_is_best() -> None:
    margins = np.repeat(np.array([[3], [-1], [5]]), 3, axis=1)
    rows = sums_of(margins, margins).rows(0.95)
    assert [row["option"] for row in rows] == [0, 1, 2]
    assert all(row["behind"] == row["behind_low"] == row["behind_high"] == 0 for row in rows[1:])
    assert all(row["best_rate"] == 1 for row in rows)


def test_the_table_has_a_line_an_option() -> None:
    rows = sums_of(*worlds(50, 3, 4)).rows(0.95)
    marks = {"played": False, "standard": True, "expert": False, "event": None}
    told = {"rows": [{**row, **marks, "words": f"Play {row['option']}"} for row in rows]}
    assert advice_table(told).row_count == 3


def test_sentences_say_what_is_best_and_whether_it_is_sure() -> None:
    rows = [made.option_row(1, "Draw", expert=True), made.option_row(2, "Take", standard=True, played=True)]
    assert advice_sentences([made.decision(*rows)]) == [
        'Seat 1: play: "Draw" comes first of 2 options, with an expected margin of +3.0 ± 3.0 points.',
        'The next, "Take", is behind by 2.0 ± 3.0 points: it may be as good, since 0 lies within.',
        'standard does otherwise, and so it was played: "Take", behind by 2.0 ± 3.0 points.',
    ]
    other = made.option_row(3, "Pass", played=True)
    assert advice_sentences([made.decision(rows[0], other)])[2:] == [
        'What was played, "Pass", is behind by 4.0 ± 3.0 points.'
    ]
    both = made.option_row(2, "Take", standard=True, expert=True)
    assert advice_sentences([made.decision(rows[0], both)])[2:] == [
        'standard and expert do otherwise: "Take", behind by 2.0 ± 3.0 points.'
    ]
    sure = rows[1] | {"behind_low": 0.5, "behind_high": 3.5}
    assert advice_sentences([made.decision(rows[0], sure)])[1] == (
        'The next, "Take", is behind by 2.0 ± 1.5 points: equal worth is excluded.'
    )
    more = [*rows, made.option_row(3, "Pass"), made.option_row(2, "Ask")]
    assert advice_sentences([made.decision(*more)])[1].endswith(
        "0 lies within, so it may be as good, and so may 1 more."
    )


def test_sentences_of_one_option_and_of_one_world() -> None:
    only = made.option_row(1, "Draw", played=True)
    assert advice_sentences([made.decision(only)]) == [
        'Seat 1: play: "Draw" is the only option, with an expected margin of +3.0 ± 3.0 points.'
    ]
    ends = dict.fromkeys(("margin_low", "margin_high", "behind_low", "behind_high"))
    one_world = [only | ends, made.option_row(2, "Take") | ends]
    assert advice_sentences([made.decision(*one_world)]) == [
        'Seat 1: play: "Draw" comes first of 2 options, with an expected margin of +3.00 points.',
        "One world does not tell how sure that is.",
    ]


def test_a_turn_is_named() -> None:
    assert where_words({"deal": 3, "match": None, "turn": 5}, 7) == "deal 3 of seed 7, turn 5"
    assert where_words({"deal": 2, "match": 1, "turn": 5}, 7) == "match 1, hand 2 of seed 7, turn 5"
    assert where_words({"deal": None, "match": None, "turn": None}, 7) == "a position typed in"
