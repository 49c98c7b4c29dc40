"""Canastra: a million deals against exact combinatorics, to within four standard errors (CAN-04)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels._jit import kernel
from kernels.bits import popcount
from kernels.canastra.layout import HAND_SIZE, MORTO_SIZE, RECORD_LAYOUT, STATE_LAYOUT
from kernels.canastra.rules import deal_cards
from kernels.cards import card_number, card_text, pack
from kernels.melds import BIT
from kernels.spec import JOB
from kernels.trace import EVENT
from sim.games import make_setup

DEALS = 1_000_000
SEATS = 4
PACK = 104
SEED = np.uint64(2_026)

RED_THREES = ["3D", "3H"]
CURINGAS = ["2C", "2D", "2H", "2S"]
CLUBS = [rank + "C" for rank in "23456789TJQKA"]
GROUPS = {"red threes": RED_THREES, "curingas": CURINGAS, "one card": ["7S"], "a suit": CLUBS}
PLACES = ["seat 0", "seat 1", "seat 2", "seat 3", "morto 0", "morto 1", "stock"]
PLACE_SIZES = [HAND_SIZE] * SEATS + [MORTO_SIZE] * 2 + [38]

Counts = npt.NDArray[np.int64]


@kernel
def count_deals(
    states: Any,
    options: Any,
    cards: Any,
    jobs: Any,
    records: Any,
    log: Any,
    masks: Any,
    groups: Any,
    pairs: Any,
    lying: Any,
) -> None:
    """Deal again and again and count what lies where.

    `groups` [group, place, n]: deals in which the place (a seat or a morto) holds n cards of the group's mask;
    `pairs` [seat, n]: deals in which the seat holds n pairs of identical cards; `lying` [place, card]: copies of the
    card, added up over the deals.
    """
    state = states[0]
    job = jobs[0]
    held = np.zeros(7, np.int64)
    for deal in range(DEALS):
        job.deal = deal
        job.dealer = deal % SEATS
        deal_cards(state, options[0], cards, SEED, job, records[0], log)
        for group in range(masks.size):
            mask = masks[group]
            held[:] = 0
            for seat in range(SEATS):
                held[seat] = popcount(state.hand_one[seat] & mask) + popcount(state.hand_two[seat] & mask)
            for morto in range(2):
                start = np.int64(state.morto_at[morto])
                for index in range(start, start + MORTO_SIZE):
                    held[SEATS + morto] += np.int64((mask >> np.uint64(state.deck[index])) & BIT)
            for place in range(SEATS + 2):
                groups[group, place, held[place]] += 1
        for seat in range(SEATS):
            pairs[seat, popcount(state.hand_two[seat])] += 1
            for word in (state.hand_one[seat], state.hand_two[seat]):
                for card in range(64):
                    lying[seat, card] += np.int64((word >> np.uint64(card)) & BIT)
        for morto in range(2):
            start = np.int64(state.morto_at[morto])
            for index in range(start, start + MORTO_SIZE):
                lying[SEATS + morto, state.deck[index]] += 1
        for index in range(np.int64(state.stock_next), np.int64(state.stock_end)):
            lying[SEATS + 2, state.deck[index]] += 1


@cache
def counted() -> tuple[dict[str, Counts], Counts, Counts]:
    """How often each seat and morto holds so many of a group, each seat so many pairs; where each card lies."""
    jobs = np.zeros(1, JOB)
    jobs["match"] = -1
    options = make_setup("canastra").encoded_options
    cards = np.zeros(108, np.uint8)
    cards[:PACK] = pack(2)
    masks = [np.uint64(sum(1 << card_number(text) for text in texts)) for texts in GROUPS.values()]
    groups = np.zeros((len(GROUPS), SEATS + 2, HAND_SIZE + 1), np.int64)
    pairs = np.zeros((SEATS, HAND_SIZE // 2 + 1), np.int64)
    lying = np.zeros((len(PLACES), 64), np.int64)
    arrays = [np.zeros(1, STATE_LAYOUT), options, jobs, np.zeros(1, RECORD_LAYOUT), np.zeros(0, EVENT)]
    state, rules, job, record, log = (array.view(np.recarray) for array in arrays)
    count_deals(state, rules, cards, job, record, log, np.array(masks), groups, pairs, lying)
    return dict(zip(GROUPS, groups, strict=True)), pairs, lying


def chances(special: int) -> list[float]:
    """Hypergeometric chances of 0, 1, ... 11 of `special` cards in eleven of the pack."""
    return [
        comb(special, held) * comb(PACK - special, HAND_SIZE - held) / comb(PACK, HAND_SIZE)
        for held in range(HAND_SIZE + 1)
    ]


def chances_of_pairs() -> list[float]:
    """Chances of 0, 1, ... 5 pairs of identical cards in eleven of two packs of 52."""
    return [
        comb(52, pairs) * comb(52 - pairs, HAND_SIZE - 2 * pairs) * 2 ** (HAND_SIZE - 2 * pairs) / comb(PACK, HAND_SIZE)
        for pairs in range(HAND_SIZE // 2 + 1)
    ]


def check_shares(counts: Counts, expected: Sequence[float]) -> None:
    """Each place (row) holds each number (column) as often as it should."""
    assert sum(expected) == pytest.approx(1)
    assert (counts.sum(axis=1) == DEALS).all()
    for row in counts:
        for count, chance in zip(row, expected, strict=True):
            # Below ten expected deals the normal error says little.
            if chance * DEALS >= 10:
                assert abs(count / DEALS - chance) < 4 * sqrt(chance * (1 - chance) / DEALS)


@pytest.mark.parametrize("group", GROUPS)
def test_can_04_hands_and_mortos_hold_what_combinatorics_says(group: str) -> None:
    counts, _, _ = counted()
    special = sum(2 for _ in GROUPS[group])
    check_shares(counts[group], chances(special))


def test_can_04_pairs_of_identical_cards_are_as_frequent_as_they_should_be() -> None:
    _, pairs, _ = counted()
    check_shares(pairs, chances_of_pairs())


def test_can_04_every_card_is_equally_likely_in_every_place() -> None:
    _, _, lying = counted()
    assert lying.sum() == PACK * DEALS
    for place, size, copies in zip(PLACES, PLACE_SIZES, lying, strict=True):
        mean = 2 * size / PACK
        spread = sqrt(mean * (PACK - 2) / PACK * (PACK - size) / (PACK - 1))
        for card in pack(1):
            assert abs(copies[card] / DEALS - mean) < 4 * spread / sqrt(DEALS), (place, card_text(card))


def test_can_04_the_worked_chances_of_red_threes() -> None:
    counts = counted()[0]["red threes"][:SEATS]
    without = counts[:, 0] / DEALS
    mean = counts @ np.arange(HAND_SIZE + 1) / DEALS
    assert chances(4)[0] == pytest.approx(0.6350, abs=5e-5)
    assert pytest.approx(0.4231, abs=5e-5) == 11 * 4 / 104
    assert without == pytest.approx(np.full(SEATS, chances(4)[0]), abs=4 * sqrt(0.635 * 0.365 / DEALS))
    spread = sqrt(11 * (4 / 104) * (100 / 104) * (93 / 103))
    assert mean == pytest.approx(np.full(SEATS, 11 * 4 / 104), abs=4 * spread / sqrt(DEALS))
