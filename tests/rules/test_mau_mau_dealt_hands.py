"""Mau-mau: chances of dealt hands against exact combinatorics, over a million rounds (MAU-01 to MAU-06, MAU-18)."""

# Compiled code, where int and numpy.int64 are one type and the fields of a record are Any.
# mypy: disable-error-code="arg-type,assignment,no-any-return,operator"

from __future__ import annotations

from functools import cache
from math import comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.cards import pack
from kernels.mau_mau.deal import deal_cards
from kernels.mau_mau.layout import HAND_SIZE, SPEC, STATE_LAYOUT
from kernels.mau_mau.masks import JACKS
from kernels.melds import NONE
from kernels.trace import EVENT
from sim import batch
from sim.games import make_setup

DEALS = 1_000_000
START_CARDS = 64
MOST_JACKS = 8


@kernel
def count_hands(
    states: Any,
    options: Any,
    pack_cards: Any,
    seed: np.uint64,
    jobs: Any,
    records: Any,
    log: Any,
    starts: Any,
    jacks: Any,
) -> None:
    """Deal every job; count start cards, those that the first hand cannot follow, and Jacks of that hand."""
    state = states[0]
    for index in range(jobs.size):
        deal_cards(state, options[0], pack_cards, seed, jobs[index], records[0], log)
        first = np.int64(state.table.first)
        one, two = state.hand_one[first], state.hand_two[first]
        card = np.int64(state.table.pile[0])
        starts[card, 0] += 1
        if (one & state.table.follow) == NONE:
            starts[card, 1] += 1
        jacks[popcount(one & JACKS) + popcount(two & JACKS)] += 1


@cache
def counted(packs: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    setup = make_setup("mau_mau", seed=2_026, rules={"packs": packs})
    starts, jacks = np.zeros((START_CARDS, 2), np.int64), np.zeros(MOST_JACKS + 1, np.int64)
    count_hands(
        np.zeros(1, STATE_LAYOUT).view(np.recarray),
        setup.encoded_options.view(np.recarray),
        pack(packs),
        np.uint64(setup.seed),
        batch.deal_jobs(setup, 0, DEALS).view(np.recarray),
        np.zeros(1, SPEC.record_layout).view(np.recarray),
        np.zeros(0, EVENT).view(np.recarray),
        starts,
        jacks,
    )
    return starts, jacks


def assert_chance(times: int, of: int, chance: float) -> None:
    """Within four standard errors."""
    assert abs(times / of - chance) < 4 * sqrt(chance * (1 - chance) / of), (times / of, chance)


def cannot_follow(packs: int, is_jack: bool) -> float:
    """Exact chance: what follows is of the suit, of the rank, or a Jack."""
    others = 52 * packs - 1
    of_suit = 13 * packs - 1
    of_rank, jacks = 3 * packs, 3 * packs
    follow = of_suit + jacks + (0 if is_jack else of_rank)
    return comb(others - follow, HAND_SIZE) / comb(others, HAND_SIZE)


@pytest.mark.parametrize("packs", [1, 2])
@pytest.mark.parametrize("is_jack", [False, True])
def test_mau_06_the_chance_that_the_first_player_cannot_follow(packs: int, is_jack: bool) -> None:
    starts, _ = counted(packs)
    chosen = starts[(np.arange(START_CARDS) % 16 == 11) == is_jack].sum(axis=0)
    assert_chance(int(chosen[1]), int(chosen[0]), cannot_follow(packs, is_jack))


def test_mau_06_with_one_pack_and_no_jack_it_is_369_in_ten_thousand() -> None:
    assert round(cannot_follow(1, False), 4) == 0.0369
    assert cannot_follow(1, False) == comb(33, 7) / comb(51, 7)


@pytest.mark.parametrize("packs", [1, 2])
def test_mau_03_jacks_in_a_hand_follow_the_hypergeometric_law(packs: int) -> None:
    _, jacks = counted(packs)
    for number in range(4):
        chance = comb(4 * packs, number) * comb(48 * packs, HAND_SIZE - number) / comb(52 * packs, HAND_SIZE)
        assert_chance(int(jacks[number]), DEALS, chance)


@pytest.mark.parametrize("packs", [1, 2])
def test_mau_18_a_quarter_of_the_start_cards_are_spades_and_each_is_as_likely(packs: int) -> None:
    starts = counted(packs)[0][:, 0]
    assert_chance(int(starts[48:].sum()), DEALS, 1 / 4)
    dealt = starts[starts > 0]
    assert len(dealt) == 52
    for times in dealt:
        assert_chance(int(times), DEALS, 1 / 52)
