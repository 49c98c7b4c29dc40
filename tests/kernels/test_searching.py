"""The frame of all searches: how rollouts are shared out, what is dropped, and when another option is preferred."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kernels.searching import (
    MOST_OPTIONS,
    TALLY_LAYOUT,
    best_left,
    end_world,
    is_surely_ahead,
    note_outcome,
    note_result,
    open_tally,
    wants_world,
)

Margin = Callable[[int, int], int]


def searched(
    options: int, rollouts: int, margin: Margin, usual: int = 0, caution: int = 0, hopeless: int = 0
) -> tuple[int, Any]:
    """Search options with a given margin in each world; the one taken, and the tally."""
    tally = np.zeros(1, TALLY_LAYOUT).view(np.recarray)[0]
    open_tally(tally, np.int64(options), np.int64(rollouts), np.array([7], np.uint64))
    tally.usual, tally.caution, tally.hopeless = usual, caution, hopeless
    world = 0
    while wants_world(tally):
        assert tally.is_left[usual]
        for option in range(options):
            if tally.is_left[option]:
                note_result(tally, np.int64(option), np.int64(margin(option, world)), np.int64(0))
        end_world(tally)
        world += 1
    return int(best_left(tally)), tally


@pytest.mark.parametrize("options", range(1, MOST_OPTIONS + 1, 7))
@pytest.mark.parametrize("rollouts", [1, 50, 1_000])
def test_the_rollouts_are_spent_and_the_best_is_found(options: int, rollouts: int) -> None:
    for best in (0, options // 2, options - 1):

        def margin(option: int, _world: int, best: int = best) -> int:
            return -abs(option - best)

        found, tally = searched(options, rollouts, margin)
        assert found == best
        assert tally.left == 1
        spent = int(tally.worlds[:options].sum())
        # Every round has an equal share, and at least one world.
        rounds, left, most = math.ceil(math.log2(options)), options, 0
        while left > 1:
            most += max(rollouts // rounds, left)
            left -= left // 2
        assert spent <= most
        if rollouts >= 1_000 and options > 1:
            assert spent > rollouts // 2


def test_of_equals_the_usual_option_is_taken() -> None:
    for usual in range(5):
        assert searched(5, 100, lambda _option, _world: 3, usual)[0] == usual


def test_the_usual_option_stays_to_the_end_however_it_does() -> None:
    """It has been played out in every world, so that the last of the others is weighed against it in all of them."""
    found, tally = searched(16, 500, lambda option, _: -10 if option == 5 else option, usual=5)
    assert found == 15
    assert tally.worlds[5] == tally.worlds[15] == max(tally.worlds)


def test_caution_wants_so_many_standard_errors() -> None:
    """The mean of the differences over its standard error, as statistics has it."""
    rng = random.Random(3)
    near = 0
    for _ in range(300):
        worlds = rng.randint(2, 400)
        differences = [round(rng.gauss(rng.uniform(-1, 2), 6)) for _ in range(worlds)]
        mean = sum(differences) / worlds
        spread = math.sqrt(sum((one - mean) ** 2 for one in differences) / (worlds - 1))
        for caution in (50, 100, 150, 300):
            tally = np.zeros(1, TALLY_LAYOUT).view(np.recarray)[0]
            tally.caution = caution
            tally.worlds[1], tally.ahead[1] = worlds, sum(differences)
            tally.ahead_squares[1] = sum(one * one for one in differences)
            errors = mean / (spread / math.sqrt(worlds)) if spread else math.inf * mean
            if abs(errors - caution / 100) < 0.02:
                near += 1
                continue
            assert is_surely_ahead(tally, np.int64(1)) == (errors > caution / 100), (errors, caution)
    assert near < 60


def test_caution_holds_without_overflow() -> None:
    """Half a million worlds with margins of thousands."""
    tally = np.zeros(1, TALLY_LAYOUT).view(np.recarray)[0]
    tally.caution, worlds = 1_000, 500_000
    tally.worlds[1], tally.ahead[1], tally.ahead_squares[1] = worlds, 4_000 * worlds, 4_000**2 * worlds
    assert is_surely_ahead(tally, np.int64(1))
    tally.ahead[1] = 50 * worlds
    assert not is_surely_ahead(tally, np.int64(1))
    tally.ahead[1] = 60 * worlds
    assert is_surely_ahead(tally, np.int64(1))


def test_one_world_is_no_evidence_for_the_cautious() -> None:
    assert searched(2, 2, lambda option, _: option, caution=1)[0] == 0
    assert searched(2, 2, lambda option, _: option)[0] == 1


@pytest.mark.parametrize(("caution", "least", "most"), [(0, 0.4, 0.6), (150, 0.02, 0.2), (300, 0.0, 0.02)])
def test_the_cautious_seldom_take_what_is_as_good_by_chance(caution: int, least: float, most: float) -> None:
    """Of two options that are equally good the other is preferred as often as its lead is that large by chance."""
    rng = random.Random(6)
    taken = sum(searched(2, 80, lambda _option, _world: rng.randint(-50, 50), caution=caution)[0] for _ in range(400))
    assert least <= taken / 400 <= most


def test_what_is_hopeless_is_dropped_early() -> None:
    """The usual option is far ahead of all others, which nearly all rollouts are spared."""
    rng = random.Random(8)

    def margin(option: int, _world: int) -> int:
        return rng.randint(-50, 50) + (100 if option == 3 else 0)

    kept, with_all = searched(8, 8_000, margin, usual=3)
    dropped, with_few = searched(8, 8_000, margin, usual=3, hopeless=200)
    assert kept == dropped == 3
    assert with_all.worlds.sum() > 7_000
    assert with_few.worlds.sum() < 500
    assert with_few.left == 1


def test_what_is_spared_goes_to_the_others() -> None:
    """Of two good options among many bad ones the difference is known the better."""
    rng = random.Random(9)

    def margin(option: int, _world: int) -> int:
        return rng.randint(-50, 50) + (0 if option < 2 else -100)

    _, with_all = searched(16, 4_000, margin)
    _, with_few = searched(16, 4_000, margin, hopeless=300)
    assert with_few.worlds[1] > 1.5 * with_all.worlds[1]


def test_the_usual_option_is_never_hopeless() -> None:
    found, tally = searched(4, 4_000, lambda option, _: -10 if option == 2 else option, usual=2, hopeless=100)
    assert found == 3
    assert tally.worlds[2] == max(tally.worlds)


def test_nothing_is_hopeless_where_all_are_weighed() -> None:
    tally = np.zeros(1, TALLY_LAYOUT).view(np.recarray)[0]
    tally.weighs_all = 1
    open_tally(tally, np.int64(3), np.int64(200), np.array([7], np.uint64))
    tally.hopeless = 100
    while wants_world(tally):
        for option in range(3):
            note_result(tally, np.int64(option), np.int64(-100 * option), np.int64(0))
        end_world(tally)
    assert tally.worlds[:3].tolist() == [200] * 3


def test_who_wins_can_be_told_apart_from_the_margin() -> None:
    tally = np.zeros(1, TALLY_LAYOUT).view(np.recarray)[0]
    tally.weighs_all = 1
    open_tally(tally, np.int64(2), np.int64(1), np.array([7], np.uint64))
    note_result(tally, np.int64(0), np.int64(5), np.int64(1))
    note_outcome(tally, np.int64(1), np.int64(5), np.int64(1), False)
    end_world(tally)
    assert tally.won[:2].tolist() == [1, 0]
    assert tally.total[:2].tolist() == [5, 5]
