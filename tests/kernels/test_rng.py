"""Random streams: published vectors, uniform draws and shuffles, no two streams alike."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import gammaincc

from kernels import rng
from kernels._jit import kernel
from kernels.cards import pack
from tests.trees import run_python

MILLION = 1_000_000
SEED = 7
NO_MATCH = np.int64(-1)
SURELY_BROKEN = 1e-9
"""The seeds are fixed, so a sound generator passes always; a p-value this low is no accident."""


@kernel
def count_positions(seed: Any, shuffles: Any, is_naive: Any, counts: Any) -> None:
    size = np.int64(counts.shape[0])
    cards = np.empty(size, np.uint8)
    stream = np.empty(1, np.uint64)
    for deal in range(shuffles):
        for card in range(size):
            cards[card] = card
        stream[0] = rng.stream_start(seed, NO_MATCH, np.uint64(deal), rng.PURPOSE_DEAL)
        if is_naive:
            for position in range(size):
                pick = rng.bounded(stream, size)
                cards[position], cards[pick] = cards[pick], cards[position]
        else:
            rng.shuffle(stream, cards, size)
        for position in range(size):
            counts[position, cards[position]] += 1


@kernel
def hash_orders(seed: Any, deck: Any, hashes: Any) -> None:
    cards = np.empty(len(deck), np.uint8)
    stream = np.empty(1, np.uint64)
    for deal in range(len(hashes)):
        cards[:] = deck
        stream[0] = rng.stream_start(seed, NO_MATCH, np.uint64(deal), rng.PURPOSE_DEAL)
        rng.shuffle(stream, cards, np.int64(len(deck)))
        value = np.uint64(0)
        for card in cards:
            value = rng.mix((value ^ np.uint64(card)) + rng.GOLDEN_GAMMA)
        hashes[deal] = value


@kernel
def stream_starts(seed: Any, match: Any, purpose: Any, starts: Any) -> None:
    for deal in range(len(starts)):
        starts[deal] = rng.stream_start(seed, match, np.uint64(deal), purpose)


@kernel
def draw_many(seed: Any, count: Any, draws: Any) -> None:
    stream = np.empty(1, np.uint64)
    stream[0] = seed
    for index in range(len(draws)):
        draws[index] = rng.bounded(stream, count)


def chi_square_p(counts: npt.NDArray[Any], expected: float, freedom: float) -> float:
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return float(gammaincc(freedom / 2, statistic / 2))


def starts(match: int = -1, purpose: np.uint64 = rng.PURPOSE_DEAL, seed: int = SEED) -> npt.NDArray[np.uint64]:
    found = np.empty(MILLION, np.uint64)
    stream_starts(np.uint64(seed), np.int64(match), purpose, found)
    return found


def test_splitmix64_gives_the_published_numbers() -> None:
    stream = np.array([1234567], np.uint64)
    assert [int(rng.next_u64(stream)) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("cards", [40, 52, 104, 108])
def test_every_card_is_as_likely_at_every_position(cards: int) -> None:
    counts = np.zeros((cards, cards), np.int64)
    count_positions(np.uint64(SEED), MILLION, False, counts)
    assert (counts.sum(axis=0) == MILLION).all()
    assert (counts.sum(axis=1) == MILLION).all()
    expected = MILLION / cards
    # Rows and columns of a permutation table are fixed, hence (n-1)^2 degrees of freedom, and the statistic of
    # permutation counts is chi-square only after the factor (n-1)/n.
    scaled = counts.astype(float)
    statistic = float(((scaled - expected) ** 2 / expected).sum()) * (cards - 1) / cards
    overall = float(gammaincc((cards - 1) ** 2 / 2, statistic / 2))
    assert SURELY_BROKEN < overall < 1 - SURELY_BROKEN
    by_position = [chi_square_p(counts[position], expected, cards - 1) for position in range(cards)]
    by_card = [chi_square_p(counts[:, card], expected, cards - 1) for card in range(cards)]
    assert min(by_position + by_card) > SURELY_BROKEN


def test_the_chi_square_notices_a_shuffle_that_swaps_with_any_position() -> None:
    counts = np.zeros((52, 52), np.int64)
    count_positions(np.uint64(SEED), MILLION, True, counts)
    assert min(chi_square_p(counts[position], MILLION / 52, 51) for position in range(52)) < SURELY_BROKEN


def test_no_two_of_a_million_deals_have_the_same_order() -> None:
    hashes = np.empty(MILLION, np.uint64)
    hash_orders(np.uint64(SEED), pack(2), hashes)
    assert len(np.unique(hashes)) == MILLION


def test_no_two_of_a_million_deals_share_a_stream() -> None:
    assert len(np.unique(starts())) == MILLION


def test_streams_of_other_purposes_matches_and_seeds_differ() -> None:
    families = [
        starts(),
        starts(purpose=rng.PURPOSE_POLICY),
        starts(purpose=rng.PURPOSE_FIRST_DEALER),
        starts(match=0),
        starts(match=1),
        starts(seed=SEED + 1),
        starts(seed=2**64 - 1),
    ]
    assert len(np.unique(np.concatenate(families))) == MILLION * len(families)


def test_streams_of_neighbouring_deals_and_purposes_have_nothing_in_common() -> None:
    base = starts()
    for other in (np.roll(base, 1), starts(purpose=rng.PURPOSE_POLICY), starts(match=0), starts(seed=SEED + 1)):
        differing = np.bitwise_count(base ^ other)
        # Independent words differ in 32 bits on average, with a standard error of 4 / sqrt(n).
        assert abs(float(differing.mean()) - 32) < 6 * 4 / MILLION**0.5
        assert abs(float(differing.var()) - 16) < 0.2


@pytest.mark.parametrize("count", [1, 2, 3, 7, 11, 52, 1_000])
def test_bounded_draws_are_uniform(count: int) -> None:
    draws = np.empty(MILLION, np.int64)
    draw_many(np.uint64(SEED), count, draws)
    counts = np.bincount(draws, minlength=count)
    assert len(counts) == count
    if count > 1:
        assert SURELY_BROKEN < chi_square_p(counts, MILLION / count, count - 1) < 1 - SURELY_BROKEN


def test_bounded_draws_reject_what_would_favour_some_numbers() -> None:
    # Of 3 * 2^30 numbers a multiply and shift without rejection draws those divisible by three half of the time.
    draws = np.empty(MILLION, np.int64)
    draw_many(np.uint64(SEED), 3 * 2**30, draws)
    counts = np.bincount(draws % 3, minlength=3)
    assert chi_square_p(counts, MILLION / 3, 2) > SURELY_BROKEN


def test_shuffle_leaves_the_cards_after_the_count_alone() -> None:
    cards = np.arange(104, dtype=np.uint8)
    rng.shuffle(np.array([SEED], np.uint64), cards, np.int64(40))
    assert sorted(cards[:40].tolist()) == list(range(40))
    assert cards[40:].tolist() == list(range(40, 104))
    assert cards[:40].tolist() != list(range(40))


def test_the_first_dealer_of_a_match_is_any_seat_alike() -> None:
    drawn = [int(rng.first_dealer(np.uint64(SEED), np.int64(match), np.int64(4))) for match in range(20_000)]
    assert chi_square_p(np.bincount(drawn, minlength=4), 5_000, 3) > SURELY_BROKEN


PROBE = """
import json
import numpy as np
from kernels import rng
found = []
for seed in (0, 7, 2**64 - 1):
    for match, deal, purpose in ((-1, 5, rng.PURPOSE_DEAL), (3, 2**63, rng.PURPOSE_POLICY)):
        stream = np.array([rng.stream_start(np.uint64(seed), np.int64(match), np.uint64(deal), purpose)], np.uint64)
        cards = np.arange(104, dtype=np.uint8)
        rng.shuffle(stream, cards, np.int64(104))
        draws = [int(rng.bounded(stream, np.int64(count))) for count in (1, 2, 11, 104, 3 * 2**30)]
        dealer = int(rng.first_dealer(np.uint64(seed), np.int64(match), np.int64(4)))
        found.append([int(stream[0]), cards.tolist(), draws, dealer])
print(json.dumps(found))
"""


def test_interpreted_streams_equal_compiled_ones() -> None:
    compiled = json.loads(run_python(["-c", PROBE]).stdout)
    interpreted = json.loads(run_python(["-c", PROBE], environment={"NUMBA_DISABLE_JIT": "1"}).stdout)
    assert compiled == interpreted
