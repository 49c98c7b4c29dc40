"""Canastra: a turn by the compiled rules: red threes, drawing, the lixo, laying, discarding (CAN-06 to CAN-11)."""

from __future__ import annotations

from typing import Any

import pytest

from kernels.canastra.lixo import lixo_blocked
from tests.rules.table import FILLER, Desk

SIX_OF_DIAMONDS = "4D 5D 6D 7D 8D 9D"
NATURALS: dict[str, Any] = {"lixo_justify": "naturals_only"}
EXTEND: dict[str, Any] = {"lixo_justify": "new_or_extend"}
TWO_CURINGAS: dict[str, Any] = {"curingas_per_meld": 2}

# ---------------------------------------------------------------- CAN-06: red threes


def test_can_06_red_threes_of_the_first_turn_are_laid_and_replaced_before_it() -> None:
    desk = Desk({0: "3H 3D KC"}, stock="3H 7S 8S 9S")
    desk.table.started[0] = 0
    desk.start_turn()
    assert desk.events() == [
        ("red_three", "3D"),
        ("draw", "3H"),
        ("red_three", "3H"),
        ("draw", "7S"),
        ("red_three", "3H"),
        ("draw", "8S"),
    ]
    assert desk.hand() == "KC 7S 8S"
    assert desk.table.red_threes.tolist() == [3, 0]
    assert desk.table.started[0] == 1


def test_can_06_one_drawn_later_is_laid_and_replaced_at_once() -> None:
    desk = Desk({0: "KC"}, stock="3D 3H 9S")
    assert desk.draw() == "3D"
    desk.red_threes()
    assert desk.hand() == "KC 9S"
    assert desk.table.red_threes.tolist() == [2, 0]
    assert desk.table.stock_left == 0


@pytest.mark.parametrize(("stock_out", "hand"), [("end", "KC"), ("morto_becomes_stock", "6C KC")])
def test_can_06_without_a_card_to_replace_it_the_turn_goes_on(stock_out: str, hand: str) -> None:
    desk = Desk({0: "KC 3D"}, stock_out=stock_out).start_turn()
    assert desk.hand() == hand
    assert desk.table.red_threes.tolist() == [1, 0]


def test_can_06_red_threes_of_a_turn_that_never_came_are_laid_at_the_end() -> None:
    desk = Desk({0: "KC", 1: "3H 3H 3D 9C"}).own("4S 5S 6S 7S 8S 9S TS", side=1)
    desk.table.started[1] = 0
    assert desk.scores()[1] == 200 + 70 + 3 * 110 - 10
    assert desk.record.red_threes.tolist() == [0, 3]


def test_can_06_red_threes_of_a_morto_opened_are_laid_then() -> None:
    mortos = ("3H 3D 4C 5C 8C TC QC 8H TH QH KH", FILLER)
    desk = Desk(stock="9S JS", mortos=mortos).take_morto(at_once=True)
    assert desk.events()[1:] == [("red_three", "3D"), ("draw", "9S"), ("red_three", "3H"), ("draw", "JS")]
    assert desk.table.hand_count[0] == 11


def test_can_06_a_red_three_is_never_discarded() -> None:
    assert Desk({0: "3H KC"}).discard_article("3H") == 6


# ---------------------------------------------------------------- CAN-07: drawing


def test_can_07_the_top_card_of_the_stock() -> None:
    desk = Desk({0: "KC"}, stock="9S KC 4D")
    assert [desk.draw(), desk.draw()] == ["9S", "KC"]
    assert desk.hand() == "KC KC 9S"
    assert desk.table.stock_left == 1


def test_can_07_the_lixo_is_taken_whole() -> None:
    desk = Desk({0: "7S 8S KC"}, lixo="3C 4D 4D JH 9S").take("7S 8S")
    assert desk.events() == [("take_pile", "3C 4D 4D JH 9S"), ("meld", "7S 8S 9S")]
    assert desk.hand() == "3C KC 4D 4D JH"
    assert desk.table.lixo_size == 0
    assert (desk.record.lixo_takes[0], desk.record.lixo_cards[0]) == (1, 5)


def test_can_07_an_empty_lixo_cannot_be_taken() -> None:
    assert Desk({0: "7S 8S 9S KC"}).take_article("7S 8S 9S") != 0


# ---------------------------------------------------------------- CAN-08: justifying the take


@pytest.mark.parametrize(
    ("hand", "cards", "places", "house_rules", "article"),
    [
        ("7S 8S", "7S 8S", "", {}, 0),
        ("8S TS", "8S TS", "", {}, 0),
        ("TS JS QS", "TS JS QS", "", {}, 0),
        ("7S", "7S", "", {}, 8),
        ("7S JS", "7S JS", "", {}, 12),
        ("7S 8H", "7S 8H", "", {}, 12),
        ("7S TS", "7S 8S", "", {}, 8),  # the 8S is not in hand
        ("8S 8S", "8S 8S", "", {}, 12),
        ("8S 2H", "8S 2H", "7", {}, 0),
        ("8S 2H", "8S 2H", "7", NATURALS, 8),
        ("8S 2H", "8S 2H", "7", EXTEND, 0),
        ("7S 8S", "7S 8S", "", NATURALS, 0),
        ("7S 8S 2H", "7S 8S 2H", "6", NATURALS, 8),
        ("2D 2H", "2D 2H", "7 8", TWO_CURINGAS, 14),
        ("8S 2D 2H", "8S 2D 2H", "6 7", TWO_CURINGAS, 0),
    ],
)
def test_can_08_the_top_card_and_two_of_the_hand(
    hand: str, cards: str, places: str, house_rules: dict[str, Any], article: int
) -> None:
    desk = Desk({0: f"{hand} QC QD"}, lixo="5C 9S", **house_rules)
    assert desk.take_article(cards, places, target=-1) == article


@pytest.mark.parametrize(
    ("hand", "cards", "house_rules", "article"),
    [
        ("KS KH", "KS KH", {}, 0),
        ("KD KH", "KD KH", {}, 0),
        ("KS 2H", "KS 2H", {}, 0),
        ("KS 2H", "KS 2H", NATURALS, 8),
        ("KS", "KS", {}, 8),
        ("KD KD", "KD KD", {}, 8),  # with the top card these would be three
    ],
)
def test_can_08_a_new_lavadeira(hand: str, cards: str, house_rules: dict[str, Any], article: int) -> None:
    assert Desk({0: f"{hand} QC QD"}, lixo="5C KD", **house_rules).take_article(cards, target=-2) == article


@pytest.mark.parametrize(
    ("hand", "cards", "house_rules", "article"),
    [
        ("KS KH", "KS KH", {}, 0),
        ("KS KH", "KS KH", NATURALS, 0),
        ("KS KH 2D", "KS KH 2D", {}, 0),
        ("KS KH 2D", "KS KH 2D", NATURALS, 8),
        ("KS 2D", "KS 2D", {}, 8),
        ("KS", "KS", {}, 8),
        ("KS", "KS", EXTEND, 0),
        ("", "", EXTEND, 0),
        ("2D", "2D", EXTEND, 0),
    ],
)
def test_can_08_joined_to_the_lavadeira_of_the_side(
    hand: str, cards: str, house_rules: dict[str, Any], article: int
) -> None:
    desk = Desk({0: f"{hand} QC QD"}, lixo="5C KC", **house_rules).own("KS KH KD")
    assert desk.take_article(cards, target=0) == article
    assert desk.take_article(cards, target=-2) in (8, 16)


def test_can_08_a_curinga_on_top_joins_a_lavadeira_with_two_of_its_rank() -> None:
    desk = Desk({0: "KC KC QC QD"}, lixo="2C").own("KS KH KD")
    assert desk.take_article("KC KC", target=0) == 0
    assert desk.take_article("KC", target=0) == 8


@pytest.mark.parametrize(("house_rules", "article"), [({}, 8), (NATURALS, 8), (EXTEND, 0)])
@pytest.mark.parametrize(("hand", "places"), [("", ""), ("TD", ""), ("TD JD", ""), ("2H", "T")])
def test_can_08_extending_a_sequence(hand: str, places: str, house_rules: dict[str, Any], article: int) -> None:
    top = "JD" if hand in ("TD", "2H") else "QD" if hand else "TD"
    desk = Desk({0: f"{hand} QC KH"}, lixo=f"5C {top}", **house_rules).own(SIX_OF_DIAMONDS)
    assert desk.take_article(hand, places, target=0) == article


def test_can_08_an_extension_must_fit() -> None:
    desk = Desk({0: "JD QC KH"}, lixo="5C QD", **EXTEND).own(SIX_OF_DIAMONDS)
    assert desk.take_article("JD", target=0) == 12
    assert desk.take_article("QC KH", target=0) == 12
    assert desk.take_article("", target=1) == 8


def test_can_08_not_with_cards_of_the_rest_of_the_lixo() -> None:
    desk = Desk({0: "7S QC QD"}, lixo="8S 9S")
    assert desk.take_article("7S 8S") == 8


def test_can_08_a_take_must_leave_a_card_to_discard_and_one_to_keep() -> None:
    assert Desk({0: "7S 8S"}, lixo="9S").no_mortos().take_article("7S 8S") == 21
    assert Desk({0: "7S 8S KC"}, lixo="9S").no_mortos().take_article("7S 8S") == 21
    assert Desk({0: "7S 8S"}, lixo="QD 9S").no_mortos().take_article("7S 8S") == 21
    assert Desk({0: "7S 8S"}, lixo="QD QD 9S").no_mortos().take_article("7S 8S") == 0
    assert Desk({0: "7S 8S KC QC"}, lixo="9S").no_mortos().take_article("7S 8S") == 0


def test_can_08_a_take_may_empty_the_hand_for_the_morto_or_the_batida() -> None:
    assert Desk({0: "7S 8S"}, lixo="9S").take_article("7S 8S") == 0
    out = Desk({0: "7S 8S"}, lixo="9S").own("4H 5H 6H 7H 8H 9H TH").had_morto(0)
    assert out.take_article("7S 8S") == 0
    out = Desk({0: "7S 8S"}, lixo="9S", batida_needs_discard=True).own("4H 5H 6H 7H 8H 9H TH").had_morto(0)
    assert out.take_article("7S 8S") == 21
    out = Desk({0: "7S 8S KC"}, lixo="9S", batida_needs_discard=True).own("4H 5H 6H 7H 8H 9H TH").had_morto(0)
    assert out.take_article("7S 8S") == 0


@pytest.mark.parametrize(
    ("melds", "hand", "cards", "lixo", "house_rules", "article"),
    [
        # Six of a sequence on the table and its seventh card left in hand, or its curinga.
        ([SIX_OF_DIAMONDS], "7S 8S TD", "7S 8S", "9S", {}, 0),
        ([SIX_OF_DIAMONDS], "7S 8S 2C", "7S 8S", "9S", {}, 0),
        ([SIX_OF_DIAMONDS], "7S 8S JD", "7S 8S", "9S", {}, 21),
        ([SIX_OF_DIAMONDS], "7S 8S TH", "7S 8S", "9S", {}, 21),
        ([SIX_OF_DIAMONDS], "7S 8S TD", "7S 8S", "9S", {"batida_needs_discard": True}, 21),
        ([SIX_OF_DIAMONDS], "7S 8S", "7S 8S", "TD 9S", {}, 0),
        (["4D 5D 7D 8D 9D 2H/6"], "7S 8S 2C", "7S 8S", "9S", {}, 21),
        (["4D 5D 7D 8D 9D 2H/6"], "7S 8S 2C", "7S 8S", "9S", TWO_CURINGAS, 0),
        (["4D 5D 7D 8D 9D 2H/6"], "7S 8S 6D", "7S 8S", "9S", {}, 0),
        (["4D 5D 7D 8D 9D 2H/6"], "7S 8S 6D", "7S 8S", "9S", {"curinga_slides": False}, 21),
        (["KS KS KH KH KD KD"], "7S 8S KC", "7S 8S", "9S", {}, 0),
        (["KS KS KH KH KD KD"], "7S 8S QC", "7S 8S", "9S", {}, 21),
        (["4D 5D 6D 7D 8D"], "7S 8S 9D", "7S 8S", "9S", {}, 21),
        # The justifying meld itself becomes six cards, and the last card its seventh.
        ([], "4S 5S 6S 7S 8S TS", "4S 5S 6S 7S 8S", "9S", {}, 0),
        ([], "4S 5S 6S 7S 8S 2C", "4S 5S 6S 7S 8S", "9S", {}, 0),
        ([], "4S 5S 6S 7S 8S JS", "4S 5S 6S 7S 8S", "9S", {}, 21),
        ([], "KS KS KH KH KD KC", "KS KS KH KH KD", "KD", {}, 0),
        ([], "KS KS KH KH KD 2C", "KS KS KH KH KD", "KD", {}, 0),
        # Joined to the lavadeira, which becomes six.
        (["KS KH KD"], "KS KH KC", "KS KH", "KD", {}, 0),
        (["KS KH KD"], "KS KH 2C", "KS KH", "KD", {}, 0),
        (["KS KH 2D"], "KS KH 2C", "KS KH", "KD", {}, 21),
        (["KS KH KD"], "KS KH QC", "KS KH", "KD", {}, 21),
    ],
)
def test_can_08_a_take_that_only_the_last_card_can_finish(
    melds: list[str], hand: str, cards: str, lixo: str, house_rules: dict[str, Any], article: int
) -> None:
    desk = Desk({0: hand}, lixo=lixo, **house_rules).own(*melds).had_morto(0)
    joins = bool(melds) and melds[0].startswith("KS KH") and cards.startswith("K")
    assert desk.take_article(cards, target=0 if joins else None) == article
    without_morto = Desk({0: hand}, lixo=lixo, **house_rules).own(*melds).no_mortos()
    assert without_morto.take_article(cards, target=0 if joins else None) == 21


# ---------------------------------------------------------------- CAN-09, CAN-10: what locks the lixo


@pytest.mark.parametrize("three", ["3S", "3C"])
def test_can_09_a_black_three_on_top_locks_and_travels_when_buried(three: str) -> None:
    desk = Desk({0: "7S 8S KC"}, lixo=f"9S {three}")
    assert lixo_blocked(desk.table, desk.options)
    assert desk.take_article("7S 8S") == 9
    desk = Desk({0: "7S 8S KC"}, lixo=f"{three} 9S")
    assert desk.take_article("7S 8S") == 0
    assert three in desk.take("7S 8S").hand()


def test_can_09_a_black_three_is_never_melded() -> None:
    desk = Desk({0: "3S 3C 3S 4S 5S"}).own("4S 5S 6S")
    assert desk.action_article("3S 4S 5S") == 12
    assert desk.action_article("3S 3C 3S", target=-2) == 13
    assert desk.action_article("3S", target=0) != 0


def test_can_09_a_black_three_discarded_is_counted_as_a_lock() -> None:
    desk = Desk({0: "3S KC 3C"}).discard("3S").discard("KC").discard("3C")
    assert desk.record.locks.tolist() == [2, 0]


@pytest.mark.parametrize(("blocks", "article"), [(False, 0), (True, 10)])
def test_can_10_a_curinga_on_top(blocks: bool, article: int) -> None:
    for top in ("2H", "JK"):
        desk = Desk({0: "7S 8S KC"}, lixo=f"5C {top}", jokers=4, curinga_top_blocks=blocks)
        assert desk.take_article("7S 8S", "9") == article
        assert lixo_blocked(desk.table, desk.options) == blocks
        buried = Desk({0: "7S 8S KC"}, lixo=f"{top} 9S", jokers=4, curinga_top_blocks=blocks)
        assert buried.take_article("7S 8S") == 0


def test_can_10_naturals_only_speaks_of_the_hand_cards() -> None:
    assert Desk({0: "7S 8S KC"}, lixo="5C 2H", **NATURALS).take_article("7S 8S", "9") == 0


# ---------------------------------------------------------------- CAN-11: laying and discarding


def test_can_11_any_number_of_melds_then_one_discard() -> None:
    desk = Desk({0: "4S 5S 6S 7S KS KH KD QC JD"})
    desk.meld("4S 5S 6S").meld("KS KH KD").meld("7S", target=0).discard("QC")
    assert [name for name, _ in desk.events()] == ["meld", "meld", "extend", "discard"]
    assert (desk.hand(), desk.lixo()) == ("JD", "QC")


def test_can_11_only_cards_of_the_hand() -> None:
    desk = Desk({0: "4S 5S 6S 6S KC QC"})
    assert desk.action_article("4S 5S 6S") == 0
    assert desk.action_article("5S 6S 7S") == 11
    assert desk.action_article("4S 4S 5S 6S") == 11
    assert desk.discard_article("7S") == 11
    assert desk.discard_article("6S") == 0


def test_can_11_a_player_extends_the_melds_of_his_side_alone() -> None:
    desk = Desk({0: "7S KC QC JD"}).own("4S 5S 6S", side=1)
    assert desk.action_article("7S", target=0) == 11
    desk.own("TS JS QS", side=0)
    assert desk.action_article("7S", target=0) == 12
    partner = Desk({2: "7S KC QC JD"}, seat=2).own("4S 5S 6S", side=0)
    assert partner.action_article("7S", target=0) == 0
    assert partner.action_article("7S", target=1) == 11


def test_can_11_an_extension_adds_cards() -> None:
    assert Desk({0: "7S KC"}).own("4S 5S 6S").action_article("", target=0) == 11
