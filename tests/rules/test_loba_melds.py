"""Loba: sets, sequences, jokers, and what leaves a meld again (LOB-05 to LOB-10)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.loba_table import Desk

SPADES = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"


def test_lob_05_three_different_suits_make_a_set_and_four_do_not() -> None:
    assert Desk("7S 7H 7D KC").meld("7S 7H 7D") == 0
    assert Desk("7S 7H 7D 7C KC").meld("7S 7H 7D 7C") == 5
    assert Desk("7S 7H 7H KC").meld("7S 7H 7H") == 5
    assert Desk("7S 7H KC").meld("7S 7H") == 5
    assert Desk("7S 7H 8D KC").meld("7S 7H 8D") != 0


def test_lob_05_further_cards_are_duplicates_of_the_three_suits_at_once_or_later() -> None:
    assert Desk("7S 7S 7H 7D KC").meld("7S 7S 7H 7D") == 0
    desk = Desk("7S 7C 7H KC").own("7S 7H 7D")
    assert desk.meld("7S 7S 7H 7D", 0) == 0
    assert desk.meld("7S 7S 7H 7H 7D", 0) == 0
    assert desk.meld("7S 7H 7D 7C", 0) == 5
    assert desk.lay("7S 7S 7H 7D", 0).now() == "7D 7H 7S 7S"


def test_lob_05_any_three_of_a_rank_under_the_option() -> None:
    any_set: dict[str, Any] = {"set_suits": "any"}
    assert Desk("7S 7H 7H KC", **any_set).meld("7S 7H 7H") == 0
    assert Desk("7S 7H 7D 7C KC", **any_set).meld("7S 7H 7D 7C") == 0
    assert Desk("7S 7H KC", **any_set).meld("7S 7H") == 5
    assert Desk("7C KC", **any_set).own("7S 7H 7D").meld("7S 7H 7D 7C", 0) == 0
    assert Desk("8C KC", **any_set).own("7S 7H 7D").meld("7S 7H 7D 8C", 0) == 5


def test_lob_06_consecutive_cards_of_a_suit() -> None:
    assert Desk("4S 5S 6S KC").meld("4S 5S 6S") == 0
    assert Desk("4S 5S KC").meld("4S 5S") == 6
    assert Desk("4S 5S 7S KC").meld("4S 5S 7S") == 6
    assert Desk("4S 5H 6S KC").meld("4S 5H 6S") != 0


def test_lob_06_the_ace_is_high_or_low_and_never_both() -> None:
    assert Desk("AS 2S 3S KC").meld("AS 2S 3S") == 0
    assert Desk("QS KS AS KC").meld("QS KS AS") == 0
    assert Desk("KS AS 2S KC").meld("KS AS 2S") == 6
    desk = Desk("AS AS KC").own("2S 3S 4S")
    assert desk.lay("AS 2S 3S 4S", 0).now() == "AS 2S 3S 4S"
    whole = f"{SPADES} AS"
    assert Desk(whole).meld(whole) == 6
    assert Desk(f"{SPADES} KC").meld(SPADES) == 0
    assert Desk("AS KC").own(SPADES).meld(whole, 0) == 6


@pytest.mark.parametrize(
    ("cards", "article"),
    [
        ("7S JK 9S", 0),
        ("JK 7S 8S", 7),
        ("6S 7S JK", 7),
        ("6S JK 8S JK TS", 7),
        ("6S JK 8S 9S JK JS", 0),
        ("6S JK JK 9S", 7),
        ("2S JK 4S 5S JK 7S 8S JK TS", 7),
        ("AS JK 3S", 0),
        ("QS JK AS", 0),
    ],
)
def test_lob_07_jokers_lie_within_a_sequence_two_naturals_apart(cards: str, article: int) -> None:
    assert Desk(f"{cards} KC").meld(cards) == article


def test_lob_07_a_joker_has_no_place_in_a_set() -> None:
    assert Desk("7S 7H JK KC").meld("7S 7H JK") == 7
    assert Desk("JK KC").own("7S 7H 7D").meld("7S 7H 7D JK", 0) == 7


def test_lob_07_an_extension_brings_a_joker_that_a_natural_card_closes() -> None:
    desk = Desk("JS JK KC").own("7S 8S 9S")
    assert desk.meld("7S 8S 9S JK", 0) == 7
    assert desk.lay("7S 8S 9S JK JS", 0).now() == "7S 8S 9S JK JS"
    assert desk.events()[-1] == ("extend", "JK JS")
    assert Desk("5S JK KC").own("7S JK 9S").meld("5S JK 7S JK 9S", 0) == 7
    assert Desk("4S 6S JK KC").own("7S JK 9S").meld("4S JK 6S 7S JK 9S", 0) == 0
    assert Desk("5S JS JK JK KC").own("7S 8S 9S").meld("5S JK 7S 8S 9S JK JS", 0) == 0
    assert Desk("AS JK KC").own("3S 4S 5S").meld("AS JK 3S 4S 5S", 0) == 0


def test_lob_07_a_joker_is_never_replaced() -> None:
    desk = Desk("8S 8S KC").own("7S JK 9S")
    assert desk.meld("7S 8S 9S", 0) != 0
    assert desk.discard("8S", 0) == 8


def test_lob_08_an_end_card_of_a_sequence_of_four() -> None:
    desk = Desk("KC QD").own("4S 5S 6S 7S")
    assert [desk.discard(card, 0) for card in ("4S", "5S", "6S", "7S", "8S")] == [0, 8, 8, 0, 8]
    desk.throw("4S", 0)
    assert desk.discards() == "4S"
    assert desk.hand() == "KC QD"
    assert desk.discard("7S", 0) == 8
    assert desk.meld("4S 5S 6S 7S", 0) == 4


def test_lob_08_no_joker_comes_to_lie_at_an_end() -> None:
    desk = Desk("KC QD").own("4S JK 6S 7S")
    assert desk.discard("4S", 0) == 8
    assert desk.discard("7S", 0) == 0
    assert desk.discard("JK", 0) == 8


def test_lob_08_the_low_ace_leaves_from_its_end() -> None:
    desk = Desk("KC QD").own("AS 2S 3S 4S")
    assert desk.throw("AS", 0).discard("4S", 0) == 8
    assert Desk("AS KC").own("AS 2S 3S 4S").throw("AS", 0).meld("AS 2S 3S 4S", 0) == 0


def test_lob_08_a_set_keeps_its_three_suits() -> None:
    desk = Desk("KC QD").own("7S 7S 7H 7D")
    assert [desk.discard(card, 0) for card in ("7S", "7H", "7D")] == [0, 8, 8]
    assert Desk("KC QD").own("7S 7H 7D").discard("7S", 0) == 8
    desk = Desk("KC QD", set_suits="any").own("7S 7H 7D 7C")
    assert [desk.discard(card, 0) for card in ("7S", "7C")] == [0, 0]


def test_lob_09_only_own_melds_are_extended() -> None:
    desk = Desk("8S KC").own("5S 6S 7S", seat=1)
    assert desk.meld("8S", 0) == 9
    assert Desk("KC QD").own("4S 5S 6S 7S", seat=1).discard("4S", 0) == 8


def test_lob_10_a_joker_is_discarded_as_the_last_card_alone() -> None:
    assert Desk("JK KC").discard("JK") == 10
    assert Desk("JK").discard("JK") == 0
    assert Desk("JK").throw("JK").go_out().events()[-1] == ("go_out", "")


def test_lob_10_with_nothing_but_jokers_a_laid_card_goes_if_one_can() -> None:
    assert Desk("JK JK").discard("JK") == 0
    assert Desk("JK JK").own("4S 5S 6S").discard("JK") == 0
    desk = Desk("JK JK").own("4S 5S 6S 7S")
    assert desk.discard("JK") == 10
    assert desk.discard("7S", 0) == 0


def test_lob_10_a_joker_goes_where_the_only_other_card_was_just_taken() -> None:
    desk = Desk("JK QD", discards="4S").taken()
    assert desk.discard("JK") == 10
    desk = Desk("JK JK", discards="4S").taken()
    assert desk.discard("4S") == 4
    assert desk.discard("JK") == 0
    desk = Desk("JK JK", discards="4S").own("9D TD JD QD").taken()
    assert desk.discard("JK") == 10
    assert desk.discard("9D", 0) == 0


def test_lob_06_and_lob_05_share_a_hand_for_the_least_deadwood() -> None:
    assert Desk("4S 5S 6S 6H 6D KC").deadwood() == 19
    assert Desk("4S 5S 6S 6H 6D 3S KC").deadwood() == 10
    assert Desk("7S JK 9S 8H 8D 8C").deadwood() == 0
    assert Desk("7S JK JK TS KC").deadwood() == 57
    assert Desk("8S KC").own("5S 6S 7S").deadwood() == 10
    assert Desk("8S JK TS KC").own("5S 6S 7S").deadwood() == 10
    assert Desk("AS 2S 3S QS KS").deadwood() == 5
    assert Desk("AS AS 2S 3S QS KS").deadwood() == 0
