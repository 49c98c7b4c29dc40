from __future__ import annotations

import math
from statistics import NormalDist, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.estimate import PairedSums, paired_difference, sign_test


def test_paired_difference_worked_by_hand() -> None:
    a, b = [120, 80, 100, 90, 100], [100, 90, 100, 60, 80]
    found = paired_difference(a, b, 0.999)
    differences = [20, -10, 0, 30, 20]
    std_error = stdev(differences) / math.sqrt(5)
    z = NormalDist().inv_cdf(0.9995)
    assert (found.n, found.mean, found.better, found.worse, found.equal) == (5, 12.0, 3, 1, 1)
    assert found.std_error == pytest.approx(std_error)
    assert (found.low, found.high) == pytest.approx((12 - z * std_error, 12 + z * std_error))
    # 3 against 1: 2 x (1 + 4) / 16.
    assert found.sign_test == pytest.approx(0.625)


def test_sign_test_worked_values() -> None:
    # 9 against 1: 2 x (1 + 10) / 1024.
    assert sign_test(9, 1) == sign_test(1, 9) == pytest.approx(22 / 1024)
    assert sign_test(5, 5) == 1.0
    assert sign_test(0, 0) == 1.0


def test_few_pairs() -> None:
    none = paired_difference([], [])
    assert (none.n, none.mean, none.low, none.sign_test) == (0, None, None, 1.0)
    one = paired_difference([3], [1])
    assert (one.n, one.mean, one.std_error, one.low) == (1, 2.0, None, None)


def test_flags_and_unsigned_numbers_do_not_wrap() -> None:
    found = paired_difference(np.array([False, True]), np.array([True, True]))
    assert (found.mean, found.worse, found.equal) == (-0.5, 1, 1)
    assert paired_difference(np.array([1], np.uint8), np.array([3], np.uint8)).mean == -2.0
    assert paired_difference(np.array([-30_000], np.int16), np.array([30_000], np.int16)).mean == -60_000.0


def test_what_is_no_pair_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        paired_difference([1, 2], [1, 2, 3])
    with pytest.raises(TypeError, match="whole numbers"):
        paired_difference([1.5], [1.0])
    with pytest.raises(ValueError, match="confidence"):
        paired_difference([1], [1], confidence=99.9)


values = st.lists(st.tuples(st.integers(-(2**31), 2**31), st.integers(-(2**31), 2**31)), max_size=20)


@given(values, values)
def test_sums_of_pairs_add_up(some: list[tuple[int, int]], others: list[tuple[int, int]]) -> None:
    def sums(pairs: list[tuple[int, int]]) -> PairedSums:
        return PairedSums.of([a for a, _ in pairs], [b for _, b in pairs])

    whole = sums(some + others)
    assert sums(some) + sums(others) == sums(others) + sums(some) == whole
    assert whole.squares == sum((a - b) ** 2 for a, b in some + others)
