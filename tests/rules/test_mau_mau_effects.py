"""Mau-mau: what 8, 7, Ace and Queen do, at small and large tables, by the compiled rules (MAU-09 to MAU-12, MAU-16)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.rules.mau_mau_table import Desk

STOCK = "3C 3D 3H 4C 4D 4H 5C 5D 5H 6C 6D 6H"
TEN = ["7S 8S AS QS 9C", *(f"{rank}C {rank}D" for rank in "23456TKQA")]


def hands(players: int, first: str = "7S 8S AS QS 9C") -> list[str]:
    return [first, *TEN[1:players]]


def test_mau_09_the_next_player_draws_three_and_does_not_play() -> None:
    desk = Desk(hands(4), stock=STOCK).play("8S")
    assert (desk.seat, desk.table.pending) == (1, 3)
    assert not desk.turn()
    assert desk.events() == ["play 0 8S", "draw 1 3C 3D 3H (eight)", "pass 1 (eight)"]
    assert (desk.seat, desk.table.pending, desk.hand(1)) == (2, 0, "2C 3C 2D 3D 3H")


def test_mau_09_an_eight_is_not_answered() -> None:
    desk = Desk(["4S 5S", "8D 2C"], top="8S", seat=1, pending=3, stock=STOCK)
    assert not desk.turn()
    assert desk.events() == ["draw 1 3C 3D 3H (eight)", "pass 1 (eight)"]


def test_mau_09_stacked_eights_add_up() -> None:
    house_rules: dict[str, Any] = {"stack_eights": True, "stock": STOCK}
    desk = Desk(["8S 5S", "8D 2C", "8H 2D", "4C 2H"], **house_rules).play("8S")
    assert desk.article("2C") == 9
    assert not desk.turn()
    assert desk.table.pending == 6
    assert not desk.turn()
    assert not desk.turn()
    drawn = "draw 3 3C 3D 3H 4C 4D 4H 5C 5D 5H (eight)"
    plays = ["play 0 8S", "call 0", "play 1 8D", "call 1", "play 2 8H", "call 2"]
    assert desk.events() == [*plays, drawn, "pass 3 (eight)"]
    assert (desk.seat, desk.table.pending) == (0, 0)


def test_mau_09_who_will_not_answer_draws() -> None:
    desk = Desk(
        ["4S 5S", "8D 2C"],
        top="8S",
        seat=1,
        pending=6,
        stock=STOCK,
        stack_eights=True,
        policy="standard:answer_eights=0",
    )
    assert not desk.turn()
    assert desk.events() == ["draw 1 3C 3D 3H 4C 4D 4H (eight)", "pass 1 (eight)"]


def test_mau_09_a_barred_players_last_eight_answers_nothing() -> None:
    desk = Desk(["4S 5S", "8D"], top="8S", seat=1, pending=3, stock=STOCK, stack_eights=True, barred=[1])
    assert desk.article("8D") == 7
    assert not desk.turn()
    assert desk.events() == ["draw 1 3C 3D 3H (eight)", "pass 1 (eight)"]


@pytest.mark.parametrize(
    ("players", "direction", "victim"), [(2, 1, 1), (4, 1, 3), (4, -1, 1), (10, 1, 9), (10, -1, 1)]
)
def test_mau_10_the_previous_player_draws_two(players: int, direction: int, victim: int) -> None:
    desk = Desk(hands(players), stock=STOCK, direction=direction).play("7S")
    assert desk.events() == ["play 0 7S", f"draw {victim} 3C 3D (seven)"]
    assert desk.seat == direction % players


def test_mau_10_even_if_he_was_skipped() -> None:
    desk = Desk(["AS 2S", "2C 2D", "7S 9C 9D", "4C 4D"], stock=STOCK).play("AS").play("7S")
    assert desk.events() == ["play 0 AS", "call 0", "skip 1", "play 2 7S", "draw 1 3C 3D (seven)"]


@pytest.mark.parametrize(("players", "direction", "victim"), [(2, 1, 1), (4, 1, 1), (4, -1, 3), (10, -1, 9)])
def test_mau_10_or_the_next_who_still_plays(players: int, direction: int, victim: int) -> None:
    desk = Desk(hands(players), stock=STOCK, direction=direction, seven_hits="next").play("7S")
    assert desk.events() == ["play 0 7S", f"draw {victim} 3C 3D (seven)"]
    assert desk.seat == victim


@pytest.mark.parametrize(
    ("players", "direction", "skipped", "after"),
    [(2, 1, 1, 0), (2, -1, 1, 0), (3, 1, 1, 2), (4, -1, 3, 2), (10, 1, 1, 2), (10, -1, 9, 8)],
)
def test_mau_11_the_next_player_loses_his_turn(players: int, direction: int, skipped: int, after: int) -> None:
    desk = Desk(hands(players), direction=direction).play("AS")
    assert desk.events() == ["play 0 AS", f"skip {skipped}"]
    assert (desk.seat, desk.record.skips) == (after, 1)


@pytest.mark.parametrize(
    ("players", "direction", "after"), [(2, 1, 1), (3, 1, 2), (4, 1, 3), (4, -1, 1), (10, 1, 9), (10, -1, 1)]
)
def test_mau_12_the_player_before_plays_next(players: int, direction: int, after: int) -> None:
    desk = Desk(hands(players), direction=direction).play("QS")
    assert desk.events() == ["play 0 QS", "reverse 0"]
    assert (desk.seat, desk.table.direction) == (after, -direction)


def test_mau_12_until_another_queen() -> None:
    desk = Desk(["QS 2D 3C", "4S 4C 4D", "5C 5D 5H", "QD 6C 6D"]).play("QS").play("QD")
    assert desk.events() == ["play 0 QS", "reverse 0", "play 3 QD", "reverse 3"]
    assert (desk.seat, desk.table.direction, desk.record.reversals) == (0, 1, 2)
    desk.play("2D")
    assert desk.seat == 1


def test_mau_12_a_queen_that_skips_between_two() -> None:
    desk = Desk(hands(2), queen_skips_two_players=True).play("QS")
    assert desk.events() == ["play 0 QS", "reverse 0", "skip 1"]
    assert desk.seat == 0
    desk = Desk(hands(3), queen_skips_two_players=True).play("QS")
    assert (desk.events(), desk.seat) == (["play 0 QS", "reverse 0"], 2)


def test_mau_16_the_lixo_but_its_top_card_is_the_new_stock() -> None:
    desk = Desk(hands(4), under="2S 3S 4S 5S", top="9S", stock="KH").play("8S")
    assert not desk.turn()
    first, second, third, fourth = desk.events()[1:]
    assert (first, fourth) == ("draw 1 KH (eight)", "pass 1 (eight)")
    assert second == "reshuffle 1"
    drawn = third.split()[2:4]
    assert third == f"draw 1 {' '.join(drawn)} (eight)"
    assert Counter(drawn + desk.stock().split()) == Counter(["2S", "3S", "4S", "5S", "9S"])
    assert (desk.lixo(), desk.record.reshuffles) == ("8S", 1)
    assert int(desk.table.seen_one).bit_count() == 1


def test_mau_16_what_there_is_is_drawn() -> None:
    desk = Desk(hands(4), under="2S", top="9S").play("8S")
    assert not desk.turn()
    assert desk.events()[1:2] == ["reshuffle 1"]
    assert len(desk.hand(1).split()) == 4
    desk = Desk(["4S 5S", "2C 2D"], top="8S", seat=1, pending=3)
    assert not desk.turn()
    assert desk.events() == ["pass 1 (eight)"]


def test_mau_16_no_card_is_shuffled_before_one_must_be_drawn() -> None:
    desk = Desk(hands(4), under="2S", top="9S", stock="3C 3D 3H").play("8S")
    assert not desk.turn()
    assert (desk.table.stock_left, desk.record.reshuffles, desk.lixo()) == (0, 0, "2S 9S 8S")


def test_mau_16_the_announcement_stays_with_the_top_card() -> None:
    desk = Desk(["4C 4H", "2C 5H"], under="2S 3S", top="JS", suit="D")
    assert not desk.turn()
    assert desk.events()[:2] == ["unable 0 (50)", "reshuffle 0"]
    assert (desk.lixo(), desk.legal()) == ("JS", set())
    assert desk.table.suit == 1
