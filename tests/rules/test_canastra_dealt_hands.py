"""Canastra: a million dealt hands against exact combinatorics, to within four standard errors (CAN-04)."""

from __future__ import annotations

from math import comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.canastra.layout import HAND_SIZE, RECORD_LAYOUT, STATE_LAYOUT
from kernels.canastra.rules import deal_cards
from kernels.cards import card_number, pack
from kernels.spec import JOB
from kernels.trace import EVENT
from sim.games import make_setup

DEALS = 1_000_000
SEATS = 4
PACK = 104
SEED = np.uint64(2_026)

Counts = npt.NDArray[np.int64]


@kernel
def count_in_hands(
    states: Any, options: Any, cards: Any, jobs: Any, records: Any, log: Any, mask: Any, counts: Any
) -> None:
    """Count how often each seat is dealt how many of the cards of `mask`."""
    state = states[0]
    job = jobs[0]
    for deal in range(DEALS):
        job.deal = deal
        job.dealer = deal % SEATS
        deal_cards(state, options[0], cards, SEED, job, records[0], log)
        for seat in range(SEATS):
            held = popcount(state.hand_one[seat] & mask) + popcount(state.hand_two[seat] & mask)
            counts[seat, held] += 1


def counted(texts: list[str]) -> Counts:
    """How often each seat holds 0, 1, ... 11 of the named cards; shape (4, 12)."""
    setup = make_setup("canastra")
    options = np.zeros(1, setup.spec.option_layout)
    for name, value in setup.spec.encode(setup.options).items():
        options[name] = value
    jobs = np.zeros(1, JOB)
    jobs["match"] = -1
    counts = np.zeros((SEATS, HAND_SIZE + 1), np.int64)
    mask = np.uint64(sum(1 << card_number(text) for text in texts))
    cards = np.zeros(108, np.uint8)
    cards[:PACK] = pack(2)
    arrays = [np.zeros(1, STATE_LAYOUT), options, jobs, np.zeros(1, RECORD_LAYOUT), np.zeros(0, EVENT)]
    state, rules, job, record, log = (array.view(np.recarray) for array in arrays)
    count_in_hands(state, rules, cards, job, record, log, mask, counts)
    return counts


def chances(special: int) -> list[float]:
    """Hypergeometric chances of 0, 1, ... 11 of `special` cards in eleven of the pack."""
    return [
        comb(special, held) * comb(PACK - special, HAND_SIZE - held) / comb(PACK, HAND_SIZE)
        for held in range(HAND_SIZE + 1)
    ]


@pytest.mark.parametrize(
    ("texts", "special"),
    [
        (["3D", "3H"], 4),
        (["2C", "2D", "2H", "2S"], 8),
        (["7S"], 2),
        ([rank + "C" for rank in "23456789TJQKA"], 26),
    ],
    ids=["red threes", "curingas", "one card", "a suit"],
)
def test_can_04_dealt_hands_hold_what_combinatorics_says(texts: list[str], special: int) -> None:
    counts = counted(texts)
    for seat in range(SEATS):
        for held, chance in enumerate(chances(special)):
            # Below ten expected hands the normal error says little.
            if chance * DEALS >= 10:
                error = sqrt(chance * (1 - chance) / DEALS)
                assert abs(counts[seat, held] / DEALS - chance) < 4 * error, (seat, held)


def test_can_04_the_worked_chances_of_red_threes() -> None:
    counts = counted(["3D", "3H"])
    share_without = counts[:, 0] / DEALS
    mean = counts @ np.arange(HAND_SIZE + 1) / DEALS
    assert chances(4)[0] == pytest.approx(0.6350, abs=5e-5)
    assert share_without == pytest.approx(np.full(SEATS, 0.6350), abs=4 * sqrt(0.635 * 0.365 / DEALS) + 5e-5)
    spread = sqrt(11 * (4 / 104) * (100 / 104) * (93 / 103))
    assert mean == pytest.approx(np.full(SEATS, 11 * 4 / 104), abs=4 * spread / sqrt(DEALS))
