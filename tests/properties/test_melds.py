"""The bit searches in hands against plain loops over lists of cards, for any hand of two packs."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels import melds
from kernels.bits import highest_bit, lowest_bit, popcount
from kernels.cards import pack

CARDS = [int(card) for card in pack(1)]
MELDING = [card for card in CARDS if card & 15 >= 4]
"""Cards of the ranks 4 to ace: the lanes' lowest and highest bits are clear."""

Hand = Counter[int]

EXAMPLES = settings(max_examples=200, deadline=None)  # the first call compiles

WORDS = st.integers(0, 2**64 - 1)
LANES = st.integers(0, 2**16 - 1)
SUITS = st.integers(0, 3)
HANDS = st.dictionaries(st.sampled_from(CARDS), st.integers(1, 2), max_size=40).map(Counter)
LONG_HANDS = st.dictionaries(st.sampled_from(MELDING), st.integers(1, 2), max_size=44).map(Counter)


def words(hand: Hand) -> tuple[np.uint64, np.uint64]:
    one = sum(1 << card for card, copies in hand.items() if copies >= 1)
    two = sum(1 << card for card, copies in hand.items() if copies == 2)
    return np.uint64(one), np.uint64(two)


def hand_of(one: np.uint64, two: np.uint64) -> Hand:
    held = [card for word in (one, two) for card in range(64) if int(word) >> card & 1]
    return Counter(held)


def bits(word: int | np.uint64) -> set[int]:
    return {bit for bit in range(64) if int(word) >> bit & 1}


@EXAMPLES
@given(WORDS)
def test_bits_are_counted_and_found(word: int) -> None:
    there = sorted(bits(word))
    assert popcount(np.uint64(word)) == len(there)
    assert lowest_bit(np.uint64(word)) == (there[0] if there else 64)
    assert highest_bit(np.uint64(word)) == (there[-1] if there else -1)


@EXAMPLES
@given(HANDS)
def test_cards_of_a_hand_are_counted(hand: Hand) -> None:
    assert melds.count(*words(hand)) == hand.total()
    assert hand_of(*words(hand)) == hand


@EXAMPLES
@given(HANDS, HANDS)
def test_a_hand_holds_another(hand: Hand, part: Hand) -> None:
    assert melds.holds(*words(hand), *words(part)) == (part <= hand)
    both = hand & part
    assert melds.holds(*words(hand), *words(both))


@EXAMPLES
@given(HANDS, HANDS)
def test_hands_are_joined_and_parted(hand: Hand, other: Hand) -> None:
    both = hand + other
    if max(both.values(), default=0) <= 2:
        assert hand_of(*melds.joined(*words(hand), *words(other))) == both
        assert hand_of(*melds.without(*words(both), *words(other))) == hand
    assert hand_of(*melds.without(*words(hand), *words(other))) == hand - other


@EXAMPLES
@given(WORDS, SUITS)
def test_a_lane_is_the_ranks_of_a_suit(word: int, suit: int) -> None:
    lane = melds.lane(np.uint64(word), np.int64(suit))
    assert bits(lane) == {bit - 16 * suit for bit in bits(word) if bit // 16 == suit}
    assert bits(melds.in_lane(lane, np.int64(suit))) == {bit for bit in bits(word) if bit // 16 == suit}


def test_a_rank_is_in_every_suit() -> None:
    for rank in range(16):
        assert bits(melds.of_rank(np.int64(rank))) == {rank, 16 + rank, 32 + rank, 48 + rank}


@EXAMPLES
@given(LANES.filter(bool))
def test_ranks_are_consecutive(ranks: int) -> None:
    there = sorted(bits(ranks))
    assert melds.is_consecutive(np.uint64(ranks)) == (there[-1] - there[0] + 1 == len(there))


def test_every_run_of_ranks_is_consecutive() -> None:
    for low in range(16):
        for high in range(low, 16):
            assert melds.is_consecutive(np.uint64((1 << high + 1) - (1 << low)))


@EXAMPLES
@given(LONG_HANDS)
def test_runs_of_three_are_found(hand: Hand) -> None:
    one, _ = words(hand)
    starts = {card for card in hand if {card + 1, card + 2} <= hand.keys() and (card + 2) // 16 == card // 16}
    assert bits(melds.runs_of_three(one)) == starts
    assert bits(melds.in_runs_of_three(one)) == {card + step for card in starts for step in range(3)}


@EXAMPLES
@given(LONG_HANDS.filter(bool), st.data())
def test_a_run_goes_on_while_cards_follow(hand: Hand, data: st.DataObject) -> None:
    card = data.draw(st.sampled_from(sorted(hand)))
    run = {card}
    while max(run) + 1 in hand:
        run.add(max(run) + 1)
    assert bits(melds.run_from(words(hand)[0], np.int64(card))) == run


@EXAMPLES
@given(HANDS)
def test_ranks_held_three_times_are_found(hand: Hand) -> None:
    held: Counter[int] = Counter()
    for card, copies in hand.items():
        held[card & 15] += copies
    found = melds.rank_counts_at_least_three(*words(hand))
    assert bits(found) == {rank for rank, copies in held.items() if copies >= 3}
