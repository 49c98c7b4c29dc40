"""Canasta: the table and the deal, read off the events of dealt hands (KAN-01, KAN-02, KAN-20)."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from kernels.cards import RANKS, SUITS
from sim import batch
from sim.games import make_setup
from sim.replay import Event, Replayer

DEALS = 400
COUNTED = 200_000


def dealt(deals: int = DEALS, **rules: Any) -> list[list[Event]]:
    replayer = Replayer(make_setup("canasta", seed=11, rules=rules))
    return [replayer.deal(deal) for deal in range(deals)]


def test_kan_01_two_packs_and_four_jokers_eleven_cards_each() -> None:
    expected = Counter({rank + suit: 2 for rank in RANKS for suit in SUITS} | {"JK": 4})
    for events in dealt(60):
        start = events[0]
        assert [len(hand) for hand in start["hands"]] == [11] * 4
        assert Counter(chain(*start["hands"], start["pile"], start["stock"])) == expected


def test_kan_01_the_seat_after_the_dealer_begins_and_every_seat_deals() -> None:
    deals = dealt(60)
    for events in deals:
        assert events[0]["first"] == (events[0]["dealer"] + 1) % 4
        turns = {event["turn"]: event["seat"] for event in events[1:-1]}
        assert [turns[turn] for turn in sorted(turns)] == [
            (events[0]["first"] + turn) % 4 for turn in range(len(turns))
        ]
    assert Counter(events[0]["dealer"] for events in deals) == dict.fromkeys(range(4), 15)


@pytest.mark.parametrize("covers", [True, False])
def test_kan_02_cards_are_turned_until_one_stays_on_top(covers: bool) -> None:
    piles = [events[0]["pile"] for events in dealt(opening_black_three_covers=covers)]
    kept = set() if covers else {"3C", "3S"}
    for pile in piles:
        assert pile[-1][0] in "456789TJQKA" or pile[-1] in kept
        assert all(card == "JK" or card[0] in "23" for card in pile[:-1])
        assert kept.isdisjoint(pile[:-1])
    assert any(len(pile) > 1 for pile in piles)


@pytest.mark.parametrize(("covers", "chance"), [(True, 16 / 104), (False, 16 / 108)])
def test_kan_08_the_chance_that_the_start_freezes_the_pile(covers: bool, chance: float) -> None:
    """A wild card or a red three comes before the first card that stays: black threes do not matter, or stay."""
    setup = make_setup("canasta", seed=3, policies="novice", rules={"opening_black_three_covers": covers})
    share = batch.play_deals(setup, 0, COUNTED)["opening_freeze"].mean()
    assert abs(share - chance) < 4 * sqrt(chance * (1 - chance) / COUNTED)


@pytest.mark.parametrize(("threes", "chance"), [(False, 16 / 108), (True, 20 / 108)])
def test_kan_02_the_chance_of_the_first_card_turned_up(threes: bool, chance: float) -> None:
    """14.81 % a joker, a two or a red three; with the black threes 18.52 %."""
    rules = {"opening_black_three_covers": threes, "black_three_freezes": False}
    replayer = Replayer(make_setup("canasta", seed=2_026, policies="novice", rules=rules))
    deals = 4_000
    covered = sum(len(replayer.deal(deal)[0]["pile"]) > 1 for deal in range(deals))
    assert abs(covered / deals - chance) < 4 * sqrt(chance * (1 - chance) / deals)


def test_kan_05_the_chances_of_red_threes_are_those_of_the_hypergeometric_law() -> None:
    replayer = Replayer(make_setup("canasta", seed=77, policies="novice"))
    deals = 4_000
    counts: Counter[int] = Counter()
    for deal in range(deals):
        counts.update(sum(card in ("3D", "3H") for card in hand) for hand in replayer.deal(deal)[0]["hands"])
    for held in range(3):
        chance = comb(4, held) * comb(104, 11 - held) / comb(108, 11)
        assert abs(counts[held] / (4 * deals) - chance) < 4 * sqrt(chance * (1 - chance) / (4 * deals))
    assert comb(104, 11) / comb(108, 11) == pytest.approx(0.6465, abs=5e-5)


def test_kan_13_in_a_match_the_minimum_is_that_of_the_score_before_the_hand() -> None:
    setup = make_setup("canasta", rules={"start_score": [3_000, 3_000]})
    jobs = batch.deal_jobs(setup, 0, 4)
    jobs["match"] = [-1, 0, 0, 0]
    jobs["scores_before"][1:, :2] = [(0, 0), (-5, 1_500), (2_995, 3_000)]
    assert batch.play(setup, jobs)["minimum"].tolist() == [[120, 120], [50, 50], [15, 90], [90, 120]]


def test_kan_20_in_a_match_the_deal_passes_on_and_the_scores_follow() -> None:
    replayer = Replayer(make_setup("canasta", seed=11))
    firsts = set()
    for match in range(20):
        hands = list(replayer.match(match))
        dealers = [hand[0]["dealer"] for hand in hands]
        assert dealers == [(dealers[0] + hand) % 4 for hand in range(len(dealers))]
        firsts.add(dealers[0])
        before = np.zeros(2, int)
        for hand in hands:
            assert hand[0]["scores_before"] == before.tolist()
            assert before.max() < 5_000 or before[0] == before[1]
            before += hand[-1]["scores"]
        assert before.max() >= 5_000
    assert firsts == set(range(4))
