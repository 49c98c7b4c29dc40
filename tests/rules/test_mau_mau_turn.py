"""Mau-mau: following, Jacks, the last card, by the compiled rules (MAU-04, MAU-07, MAU-13 to MAU-15)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.mau_mau_table import NOTHING_ANNOUNCED, Desk

HANDS = ["4S 9H JD QC 8D", "2C 3C", "2D 3D", "2H 3H"]


def test_mau_04_suit_rank_and_jacks_follow() -> None:
    desk = Desk(HANDS, top="9S")
    assert desk.legal() == {"4S", "9H", "JD"}
    assert [desk.article(card) for card in ("4S", "9H", "JD", "QC", "8D")] == [0, 0, 0, 4, 4]


def test_mau_04_a_card_comes_from_the_hand() -> None:
    assert Desk(HANDS, top="9S").article("5S") == 4
    assert Desk(["JD JD 4C", "2C"], packs=2).article("JD JD", "D") == 0
    assert Desk(["JD 4C", "2C"], packs=2).article("JD JD", "D") == 13


def test_mau_04_the_turn_goes_to_the_left_and_the_card_lies_on_top() -> None:
    desk = Desk(HANDS, top="9S").play("9H")
    assert (desk.seat, desk.lixo(), desk.hand(0)) == (1, "9S 9H", "QC 8D JD 4S")
    assert desk.legal() == set()


def test_mau_04_of_two_copies_one_is_played() -> None:
    desk = Desk(["4S 4S 5C", "2C"], packs=2).play("4S")
    assert desk.hand(0) == "5C 4S"


def test_mau_07_a_barred_player_does_not_empty_his_hand() -> None:
    assert Desk(["4S", "2C"], barred=[0]).article("4S") == 7
    assert Desk(["JS JH", "2C"], barred=[0]).article("JS JH", "H") == 7
    assert Desk(["JS JH", "2C"], barred=[0]).article("JS", "H") == 0
    assert Desk(["JS JH 2D", "2C"], barred=[0]).article("JS JH", "H") == 0


def test_mau_07_with_one_card_that_follows_he_passes_without_fine_or_draw() -> None:
    desk = Desk(["4S", "2C 2D"], barred=[0], stock="5S 6S")
    assert not desk.turn()
    assert desk.events() == ["pass 0 (barred)"]
    assert (desk.seat, desk.hand(0), desk.table.fines[0]) == (1, "4S", 1)


def test_mau_07_with_one_card_that_does_not_follow_he_is_fined_again() -> None:
    desk = Desk(["4H", "2C 2D"], barred=[0], stock="5S 6S")
    assert not desk.turn()
    assert desk.events() == ["unable 0 (50)", "draw 0 5S (unable)"]
    assert desk.table.fines[0] == 2


@pytest.mark.parametrize(
    ("top", "suit", "legal"),
    [
        ("JH", "S", {"4S", "JD"}),
        ("JH", "H", {"9H", "JD"}),
        ("JH", "C", {"QC", "JD"}),
        ("JH", NOTHING_ANNOUNCED, {"4S", "9H", "JD", "QC", "8D"}),
        ("QD", "", {"JD", "QC", "8D"}),
    ],
)
def test_mau_13_what_follows_a_jack(top: str, suit: str, legal: set[str]) -> None:
    assert Desk(HANDS, top=top, suit=suit).legal() == legal


@pytest.mark.parametrize("suit", ["S", "H", "D", "C", ""])
def test_mau_13_a_jack_announces_any_suit_or_none(suit: str) -> None:
    desk = Desk(HANDS, top="9S").play("JD", suit)
    assert desk.events() == [f"play 0 JD ({suit})" if suit else "play 0 JD"]
    desk.table.seat = 0
    expected = {"S": {"4S"}, "H": {"9H"}, "D": {"8D"}, "C": {"QC"}, "": {"4S", "9H", "8D", "QC"}}
    assert desk.legal() == expected[suit]


def test_mau_13_no_other_card_announces_a_suit() -> None:
    assert Desk(HANDS, top="9S").article("4S", "H") == 13


def test_mau_13_the_suit_of_the_last_of_two_jacks_counts() -> None:
    hands = ["JD JC 4S 8C", "2C 2D"]
    assert [Desk(hands).article("JD JC", suit) for suit in ("C", "D", "S", "")] == [0, 13, 13, 13]
    desk = Desk(hands).play("JD JC", "C")
    assert desk.events() == ["play 0 JD JC (C)"]
    assert (desk.lixo(), desk.seat, desk.legal()) == ("9S JD JC", 1, {"2C"})


def test_mau_13_no_other_pair_is_played_and_three_jacks_need_two_turns() -> None:
    assert Desk(["9H 9D 4S", "2C"]).article("9H 9D", "D") == 13
    assert Desk(["JD 9D 4S", "2C"]).article("JD 9D", "D") == 13
    assert Desk(["9H JD 4S", "2C"]).article("9H JD", "D") == 13
    desk = Desk(["JD JC JH", "2C 2D"]).play("JD JC", "C")
    assert desk.hand(0) == "JH"


def test_mau_14_one_card_left_is_announced() -> None:
    desk = Desk(["4S 5S", "2C 2D"], stock="3C 3D 3H 3S 5C 5D").play("4S")
    assert desk.events() == ["play 0 4S", "call 0"]
    assert desk.record.first_one_card == 1


def test_mau_14_two_jacks_that_leave_one_card_too() -> None:
    desk = Desk(["JS JH 5S", "2C 2D"]).play("JS JH", "H")
    assert desk.events() == ["play 0 JS JH (H)", "call 0"]


@pytest.mark.parametrize(
    ("card", "effect"),
    [("7S", "draw 1 3C 3D (seven)"), ("AS", "skip 1"), ("QS", "reverse 0"), ("4S", "")],
)
def test_mau_14_who_forgets_draws_five_after_the_effect(card: str, effect: str) -> None:
    desk = Desk([f"{card} 5S", "2C 2D"], stock="3C 3D 3H 3S 5C 5D 6C 6D", forget_call_rate=1.0).play(card)
    drawn = "3H 3S 5C 5D 6C" if card == "7S" else "3C 3D 3H 3S 5C"
    expected = [f"play 0 {card}", effect, f"draw 0 {drawn} (forgot_call)"]
    assert desk.events() == [event for event in expected if event]
    assert desk.table.hand_count[0] == 6
    assert desk.record.forgotten[0] == 1


def test_mau_15_the_winning_card_does_nothing() -> None:
    for card in ("8S", "7S", "AS", "QS"):
        desk = Desk([card, "2C 2D", "KD"], stock="3C 3D 3H 3S").play(card)
        assert desk.events() == [f"play 0 {card}", "go_out 0"]
        assert (desk.record.reason, desk.record.winner, desk.hand(1)) == (0, 0, "2C 2D")


@pytest.mark.parametrize(
    ("card", "house_rules", "drawn"),
    [
        ("8S", {}, "draw 1 3C 3D 3H (eight)"),
        ("7S", {}, "draw 2 3C 3D (seven)"),
        ("7S", {"seven_hits": "next"}, "draw 1 3C 3D (seven)"),
        ("AS", {}, ""),
        ("QS", {}, ""),
    ],
)
def test_mau_15_last_card_acts(card: str, house_rules: dict[str, Any], drawn: str) -> None:
    desk = Desk([card, "2C 2D", "KD"], stock="3C 3D 3H 3S", last_card_acts=True, **house_rules).play(card)
    assert desk.events() == [event for event in (f"play 0 {card}", drawn, "go_out 0") if event]


def test_mau_15_stacked_eights_are_all_drawn_for() -> None:
    house_rules: dict[str, Any] = {"last_card_acts": True, "stack_eights": True}
    stock = "3C 3D 3H 4C 4D 4H 5C"
    desk = Desk(["8H", "2C 2D"], top="8S", pending=3, stock=stock, **house_rules).play("8H")
    assert desk.events() == ["play 0 8H", "draw 1 3C 3D 3H 4C 4D 4H (eight)", "go_out 0"]
    assert desk.record.hand_cards[1] == 8
