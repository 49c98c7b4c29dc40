"""Mau-mau: what cards are worth, factors, fines, and who collects (MAU-06, MAU-18, MAU-19)."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.cards import RANKS, SUITS, card_number
from kernels.mau_mau.layout import FACTORS, SPEC
from kernels.mau_mau.masks import EVERY_CARD, hand_value
from tests.rules.mau_mau_table import Desk

WORKED = "JC 8D 7H AC KD 9H"
VALUES = {"J": 20, "8": 20, "7": 15, "A": 15, "K": 10, "Q": 10, "T": 10}


def value(text: str) -> int:
    words = [0, 0]
    for card in text.split():
        bit = 1 << card_number(card)
        words[1] |= words[0] & bit
        words[0] |= bit
    return int(hand_value(*map(np.uint64, words)))


def finished(last: str, *, spade: bool = False, suit: str = "", **more: object) -> Desk:
    desk = Desk([last, WORKED, "2C"], top="9S", **more)  # type: ignore[arg-type]
    desk.record.start_card = card_number("4S" if spade else "4H")
    return desk.play(last, suit)


def test_mau_18_the_values_of_cards() -> None:
    for rank in RANKS:
        for suit in SUITS:
            assert value(rank + suit) == (VALUES[rank] if rank in VALUES else int(rank))
    assert value("JC JC 2D") == 42


def test_mau_18_a_whole_pack_is_worth_516_and_a_hand_89() -> None:
    assert int(hand_value(EVERY_CARD, np.uint64(0))) == 516
    assert int(hand_value(EVERY_CARD, EVERY_CARD)) == 1032
    assert value(WORKED) == 89


@pytest.mark.parametrize(
    ("last", "suit", "spade", "points"),
    [
        ("4S", "", False, 89),
        ("JS", "S", False, 178),
        ("JS JH", "H", False, 356),
        ("4S", "", True, 178),
        ("JS", "", True, 356),
        ("JS JH", "H", True, 712),
    ],
)
def test_mau_18_jacks_and_spades_multiply(last: str, suit: str, spade: bool, points: int) -> None:
    desk = finished(last, suit=suit, spade=spade)
    assert desk.scores() == [0, -points, -2 * points // 89]
    assert desk.record.factor == points // 89
    assert desk.record.factor in FACTORS
    assert desk.detail(1) == {"hand": -points, "factor": points // 89}


def test_mau_18_an_eight_or_a_seven_that_wins_is_no_jack() -> None:
    assert finished("8S").record.factor == 1


def test_mau_06_the_winner_is_credited_with_all_fines_unmultiplied() -> None:
    desk = finished("JS", suit="S", barred=[1, 2])
    assert desk.scores() == [100, -178 - 50, -4 - 50]
    assert desk.detail(0) == {"factor": 2, "fines_won": 100}
    assert desk.detail(1) == {"hand": -178, "factor": 2, "fines": -50}


def test_mau_06_his_own_fines_among_them() -> None:
    desk = Desk(["4S", "2C", "3D"], barred=[0, 1])
    desk.table.barred = 0
    desk.play("4S")
    assert desk.scores() == [50, -52, -3]
    assert desk.detail(0) == {"factor": 1, "fines": -50, "fines_won": 100}


def test_mau_19_the_winner_collects() -> None:
    desk = Desk(["JS", WORKED, "2C"], barred=[0, 1], winner_collects=True)
    desk.table.barred = 0
    desk.play("JS", "S")
    assert desk.scores() == [2 * 91 + 50, 0, 0]
    assert desk.detail(0) == {"factor": 2, "fines_won": 50, "collected": 182}
    assert desk.detail(1) == {"factor": 2}


def test_mau_19_a_void_round_brings_a_collector_nothing() -> None:
    desk = Desk(["4C", "5H", "6D"], unable="fine_only", barred=[1, 2], winner_collects=True)
    assert desk.turn()
    assert desk.scores() == [0, 0, 0]
    assert desk.detail(0) == {"factor": 1}


@pytest.mark.parametrize(
    ("totals", "collects", "winner"),
    [
        ([-999, -10, -20, -30], False, -1),
        ([-1000, -10, -20, -30], False, 1),
        ([-1000, -10, -10, -30], False, -1),
        ([-1500, -1000, 400, -30], False, 2),
        ([999, 0, 0, 0], True, -1),
        ([0, 1000, 900, 0], True, 1),
        ([0, 1000, 1000, 0], True, -1),
    ],
)
def test_mau_19_the_best_total_wins_once_the_target_is_reached(totals: list[int], collects: bool, winner: int) -> None:
    options = {"winner_collects": collects, "target": 1000}
    assert SPEC.match_winners(np.array([totals]), options).tolist() == [winner]
