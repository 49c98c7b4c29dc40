"""Canasta: the score of a hand, by the compiled rules (KAN-05, KAN-18, KAN-19)."""

from __future__ import annotations

import pytest

from tests.rules.canasta_table import Desk


def scored(melds: str = "", hands: dict[int, str] | None = None, red_threes: int = 0) -> int:
    """Score of side 0 with melds on the table, hands left and red threes laid."""
    desk = Desk(hands or {})
    if melds:
        desk.own(melds)
    desk.table.red_threes[0] = red_threes
    return desk.scores()[0]


@pytest.mark.parametrize(
    ("melds", "score"),
    [
        ("KS KH KD KC KS KH KD", 70 + 500),
        ("KS KH KD KC KS KH 2D", 80 + 300),
        ("4S 4H 4D 4C JK JK 2D", 140 + 300),
        ("KS KH KD KC KS KH", 60),
        ("AS AH AD AC AS AH AD AC / 4S 4H 4D", 160 + 500 + 15),
    ],
)
def test_kan_18_canastas_beside_the_values_of_their_cards(melds: str, score: int) -> None:
    assert scored(melds) == score


@pytest.mark.parametrize(("red_threes", "points"), [(0, 0), (1, 100), (2, 200), (3, 300), (4, 800)])
def test_kan_18_red_threes_count_against_a_side_without_a_meld(red_threes: int, points: int) -> None:
    assert scored("4S 4H 4D", red_threes=red_threes) == 15 + points
    assert scored(red_threes=red_threes) == -points


def test_kan_19_the_cards_of_both_partners_hands_are_subtracted() -> None:
    assert scored("4S 4H 4D", {0: "JK 2S", 2: "AS KH 7C 3S", 1: "JK"}) == 15 - 70 - 20 - 10 - 5 - 5


def test_kan_05_red_threes_of_a_first_turn_that_never_came_count_as_laid() -> None:
    desk = Desk({2: "4C"}).own("4S 4H 4D")
    desk.table.started[2] = 0
    desk.state.hand_one[2] |= 1 << 19
    desk.table.hand_count[2] += 1
    assert desk.scores()[0] == 15 - 5 + 100
    assert desk.record.hand_cards[0] == 1


@pytest.mark.parametrize(("concealed", "points"), [(0, 100), (1, 200)])
def test_kan_14_going_out_brings_a_hundred_and_concealed_two(concealed: int, points: int) -> None:
    desk = Desk("").own("KS KH KD KC KS KH KD")
    desk.record.went_out[0] = 1
    desk.record.concealed[0] = concealed
    assert desk.scores()[0] == 570 + points
