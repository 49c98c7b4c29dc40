"""Canasta: drawing, red threes and the pile, by the compiled rules (KAN-05 to KAN-10, KAN-13, KAN-14, KAN-16)."""

from __future__ import annotations

import pytest

from tests.rules.canasta_table import Desk

QUEENS = "QS QH QD"
CANASTA = "KS KH KD KC KS KH KD"
SPARE = " 4C 5D"


def test_kan_05_red_threes_are_laid_in_the_first_turn_and_replaced_again_and_again() -> None:
    desk = Desk("4C", stock="3H 7S 8S")
    desk.table.started[0] = 0
    desk.state.hand_one[0] |= 1 << 19
    desk.table.hand_count[0] += 1
    assert not desk.start_turn()
    assert desk.events() == [
        ("red_three", "3D"),
        ("draw", "3H"),
        ("red_three", "3H"),
        ("draw", "7S"),
    ]
    assert desk.hand() == "4C 7S"
    assert desk.table.red_threes.tolist() == [2, 0]


def test_kan_05_a_red_three_drawn_is_laid_at_once_and_replaced() -> None:
    desk = Desk("4C", stock="3D 7S 8S")
    assert not desk.draw()
    assert desk.hand() == "4C 7S"
    assert desk.events() == [("draw", "3D"), ("red_three", "3D"), ("draw", "7S")]


def test_kan_05_red_threes_of_the_pile_are_laid_without_replacement() -> None:
    desk = Desk("QS QH KS KH JK 4C", pile="3H 9C QD", stock="7S 8S", frozen=True).taken("QS QH / KS KH JK")
    assert desk.table.red_threes.tolist() == [1, 0]
    assert desk.hand() == "4C 9C"
    assert desk.table.stock_left == 2
    assert [name for name, _ in desk.events()] == ["take_pile", "red_three", "meld", "meld"]


@pytest.mark.parametrize("stock", ["3D", "3D 3H"])
def test_kan_16_the_last_card_a_red_three_ends_the_hand(stock: str) -> None:
    desk = Desk("4C", stock=stock)
    assert desk.draw()
    assert desk.table.red_threes[0] == len(stock.split())
    assert desk.hand() == "4C"


def test_kan_16_a_last_card_that_replaces_a_red_three_is_played() -> None:
    assert not Desk("4C", stock="3D 7S").draw()


@pytest.mark.parametrize("top", ["2S", "JK", "3S", "3C"])
def test_kan_07_a_wild_card_or_a_black_three_on_top_stops_the_pile(top: str) -> None:
    desk = Desk("2S 2H 3S 3C JK 4C", pile=f"QC {top}").own(QUEENS)
    assert desk.take("") == 7


def test_kan_07_there_must_be_a_pile() -> None:
    assert Desk("4C 5C").own(QUEENS).take("") == 7


@pytest.mark.parametrize(
    ("frozen", "own", "laid", "article"),
    [
        (False, QUEENS, "KS KH", 0),
        (False, QUEENS, "KS 2H", 0),
        (False, QUEENS, "KS JK", 0),
        (False, QUEENS, "KS JK 2H", 0),
        (False, QUEENS, "K: JK 2H", 8),
        (False, QUEENS, "KS", 8),
        (False, QUEENS, "", 8),
        (False, "KC KD KC", "", 0),
        (False, CANASTA, "", 0),
        (False, "KC KD KC", "KS", 0),
        (True, QUEENS, "KS KH", 0),
        (True, QUEENS, "KS KH 2H", 0),
        (True, QUEENS, "KS 2H", 8),
        (True, "KC KD KC", "", 8),
        (True, "KC KD KC", "KS", 8),
        (True, "KC KD KC", "KS KH", 0),
    ],
)
def test_kan_08_what_takes_a_pile(frozen: bool, own: str, laid: str, article: int) -> None:
    desk = Desk("KS KH JK 2H" + SPARE, pile="9C KD", frozen=frozen).own(own)
    assert desk.take(laid) == article


def test_kan_08_a_taken_pile_is_no_longer_frozen_and_its_cards_join_the_hand() -> None:
    desk = Desk("KS KH" + SPARE, pile="9C 2S 9D KD", frozen=True).own(QUEENS).taken("KS KH")
    assert desk.hand() == "2S 4C 5D 9C 9D" or sorted(desk.hand().split()) == sorted(["4C", "9C", "5D", "9D", "2S"])
    assert (desk.table.pile_size, desk.table.pile_frozen) == (0, 0)
    assert desk.events() == [("take_pile", "9C 2S 9D KD"), ("meld", "KD KH KS")]


def test_kan_08_for_a_side_that_has_not_melded_the_pile_is_frozen() -> None:
    assert Desk("KS 2H AS AH AD" + SPARE, pile="9C KD").take("KS 2H / AS AH AD") == 8
    assert Desk("KS KH AS AH AD" + SPARE, pile="9C KD").take("KS KH / AS AH AD") == 0


def test_kan_13_only_the_top_card_of_the_pile_counts_and_cards_of_the_hand() -> None:
    assert Desk("6S 6H 4S 4H 2D" + SPARE, pile="AC AD 6D").take("6S 6H / 4S 4H 2D") == 13
    assert Desk("6S 6H AS 4H" + SPARE, pile="AC AD 6D").take("6S 6H / AS AH AD") == 6


@pytest.mark.parametrize(
    ("score", "laid", "article"),
    [(0, "6S 6H / 4S 4H 2D", 13), (1_600, "6S 6H / KS KH KD 2S", 13), (1_600, "6S 6H / AS AH AD 2S", 0)],
)
def test_kan_13_the_worked_takes(score: int, laid: str, article: int) -> None:
    desk = Desk(laid.replace("/", "") + SPARE, pile="9C 6D", start_score=[score, 0])
    assert desk.take(laid) == article


def test_kan_08_a_side_that_has_melded_lays_only_the_rank_of_the_top_card_with_it() -> None:
    assert Desk("KS KH AS AH AD" + SPARE, pile="9C KD").own(QUEENS).take("KS KH / AS AH AD") == 6


@pytest.mark.parametrize(("card", "freezes"), [("2S", 1), ("JK", 1), ("3C", 0), ("9C", 0)])
def test_kan_08_a_wild_discard_freezes(card: str, freezes: int) -> None:
    desk = Desk(f"{card} 4C", pile="9D").throw(card)
    assert desk.table.pile_frozen == freezes
    assert desk.record.freezes[0] == freezes
    assert desk.pile() == f"9D {card}"


def test_kan_08_a_pile_freezes_once() -> None:
    desk = Desk("2S 2H 4C", pile="9D").throw("2S").throw("2H")
    assert desk.record.freezes[0] == 1


@pytest.mark.parametrize("option", [False, True])
def test_kan_09_a_black_three_stops_and_freezes_under_the_option_alone(option: bool) -> None:
    desk = Desk("3C 4C", pile="9D", black_three_freezes=option).throw("3C")
    assert desk.table.pile_frozen == option
    assert desk.record.stops[0] == 1
    assert desk.hold(0, "").take("") == 7


def test_kan_10_one_card_in_hand_and_a_pile_of_one() -> None:
    assert Desk("4C", pile="QC").own(f"{QUEENS} / {CANASTA}").take("") == 10
    assert Desk("4C", pile="9C QC").own(QUEENS).take("") == 0
    assert Desk("4C 5C", pile="QC").own(QUEENS).take("") == 0


@pytest.mark.parametrize(
    ("hand", "own", "laid", "article"),
    [
        ("KS KH", QUEENS, "KS KH", 14),
        ("KS KH", CANASTA, "", 0),
        ("KS KH 4C", QUEENS, "KS KH", 14),
        ("KS KH 4C", "4S 4H 4D 4C 4S 4H", "KS KH", 0),
        ("KS KH 2C", "4S 4H 4D 4C 4S 4H", "KS KH", 0),
        ("KS KH 2C", "4S 4H 4D 2C 2S 2H", "KS KH", 14),
        ("KS KH 4C 5C", QUEENS, "KS KH", 0),
        ("KS KH", "KC KD KC KS", "KS KH", 0),
    ],
)
def test_kan_14_a_take_must_leave_a_way_to_end_the_turn(hand: str, own: str, laid: str, article: int) -> None:
    assert Desk(hand, pile="KD").own(own).take(laid) == article


@pytest.mark.parametrize(
    ("hand", "pile", "own", "frozen", "must"),
    [
        ("4C 5C", "QC", QUEENS, False, True),
        ("4C 5C", "QC", QUEENS, True, False),
        ("4C 5C", "KC", QUEENS, False, False),
        ("KS KH 5C", "KC", QUEENS, False, False),
        ("4C", "QC", QUEENS, False, False),
        ("4C", "9C QC", QUEENS, False, True),
        ("4C 5C", "QC 3S", QUEENS, False, False),
        ("QC QH 5C", "QS", "", False, False),
    ],
)
def test_kan_16_when_the_pile_must_be_taken(hand: str, pile: str, own: str, frozen: bool, must: bool) -> None:
    desk = Desk(hand, pile=pile, frozen=frozen)
    if own:
        desk.own(own)
    assert desk.must_take() is must


def test_kan_06_a_discard_comes_from_the_hand() -> None:
    assert Desk("4C 5C").discard("6C") == 6
    assert Desk("4C 5C").discard("5C") == 0


def test_kan_14_the_last_card_may_go_with_a_canasta_alone() -> None:
    assert Desk("4C").own(QUEENS).discard("4C") == 14
    assert Desk("4C").own(CANASTA).discard("4C") == 0
