"""Canastra: what may be laid and how it lies, by the compiled rules (CAN-12 to CAN-17)."""

from __future__ import annotations

from typing import Any

import pytest

from kernels.canastra.layout import NEW_LAVADEIRA, NEW_SEQUENCE
from tests.rules.table import Desk

TWO_CURINGAS = {"curingas_per_meld": 2}

# ---------------------------------------------------------------- CAN-12, CAN-13: the two kinds


@pytest.mark.parametrize(
    ("cards", "article"),
    [
        ("4S 5S 6S", 0),
        ("QS KS AS", 0),
        ("4H 5H 6H 7H 8H 9H TH JH QH KH AH", 0),
        ("7S 8S", 12),
        ("7S 8S TS", 12),
        ("7S 8S 9H", 12),
        ("7S 7S 8S 9S", 12),
        ("3S 4S 5S", 12),
        ("3H 4H 5H", 12),
        ("KS AS 4S", 12),
    ],
)
def test_can_12_sequences(cards: str, article: int) -> None:
    assert Desk().meld_article(cards, target=int(NEW_SEQUENCE)) == article


@pytest.mark.parametrize(
    ("cards", "places", "article"),
    [("4S 5S 2H", "3", 15), ("4S 5S 2H", "6", 0), ("KS AS 2H", "Q", 0), ("QS KS 2H", "A", 0)],
)
def test_can_12_a_sequence_lies_between_four_and_ace(cards: str, places: str, article: int) -> None:
    assert Desk().meld_article(cards, places) == article


@pytest.mark.parametrize(
    ("cards", "article"),
    [
        ("KS KH KD", 0),
        ("KS KS KH", 0),
        ("4S 4S 4H 4H 4D 4D 4C 4C", 0),
        ("AS AH AD", 0),
        ("5C 5D 5H", 0),
        ("6S 6H 6D", 13),
        ("QS QH QD", 13),
        ("KS KH", 13),
        ("KS KH AS", 13),
        ("3S 3S 3C", 13),
    ],
)
def test_can_13_lavadeiras_of_the_agreed_ranks(cards: str, article: int) -> None:
    assert Desk().meld_article(cards, target=int(NEW_LAVADEIRA)) == article


@pytest.mark.parametrize(
    ("agreed", "legal"), [(["6", "Q"], "6Q"), ([], ""), (list("456789TJQKA"), "456789TJQKA"), (["A"], "A")]
)
def test_can_13_any_set_of_ranks_may_be_agreed(agreed: list[str], legal: str) -> None:
    desk = Desk(lavadeira_ranks=agreed)
    for rank in "456789TJQKA":
        cards = f"{rank}S {rank}H {rank}D"
        assert desk.meld_article(cards) == (0 if rank in legal else 13), rank


# ---------------------------------------------------------------- CAN-14: curingas in a meld


def test_can_14_seven_and_eight_of_spades_with_the_two_of_hearts() -> None:
    assert Desk().meld_article("7S 8S 2H", "9") == 0
    assert Desk().meld_article("7S 8S 2H", "6") == 0
    assert Desk().meld_article("7S 2H 2D", "8 9") == 14


@pytest.mark.parametrize(
    ("cards", "places", "house_rules", "article"),
    [
        ("7S 9S 2H", "8", {}, 0),
        ("7S 9S 2H 2D", "8 T", {}, 14),
        ("7S 9S 2H 2D", "8 T", TWO_CURINGAS, 0),
        ("7S TS 2H 2D", "8 9", TWO_CURINGAS, 0),
        ("7S 8S 2H 2H", "5 6", TWO_CURINGAS, 0),
        ("7S 2H 2D", "8 9", TWO_CURINGAS, 14),
        ("7S 9S 2H 2D 2C", "6 8 T", TWO_CURINGAS, 14),
        ("KS KH 2D", "", {}, 0),
        ("KS KH 2D 2D", "", {}, 14),
        ("KS KH 2D 2D", "", TWO_CURINGAS, 0),
        ("KS 2D 2C", "", TWO_CURINGAS, 14),
        ("7S 8S JK", "9", {"jokers": 4}, 0),
        ("KS KH JK 2D", "", {"jokers": 4, **TWO_CURINGAS}, 0),
    ],
)
def test_can_14_curingas_of_a_new_meld(cards: str, places: str, house_rules: dict[str, Any], article: int) -> None:
    assert Desk(**house_rules).meld_article(cards, places) == article


@pytest.mark.parametrize(("house_rules", "article"), [({}, 14), (TWO_CURINGAS, 0)])
def test_can_14_a_curinga_more_on_a_meld(house_rules: dict[str, Any], article: int) -> None:
    desk = Desk(**house_rules).own("7S 8S 2H/9", "KS KH 2D")
    assert desk.meld_article("2C", "T", target=0) == article
    assert desk.meld_article("2C", target=1) == article
    assert Desk(**house_rules).own("7S 8S 9S").meld_article("2C", "T", target=0) == 0


# ---------------------------------------------------------------- CAN-15: the place of a curinga


@pytest.mark.parametrize(
    ("cards", "places", "article"),
    [
        ("7S 8S 2H", "", 15),
        ("7S 8S 2H", "8", 15),
        ("7S 8S 9S 2H", "6 T", 15),
        ("7S 8S 2H", "T", 12),
        ("KS AS 2H", "Q", 0),
    ],
)
def test_can_15_whoever_lays_a_curinga_names_its_place(cards: str, places: str, article: int) -> None:
    assert Desk().meld_article(cards, places) == article


def laid(first: str, added: str, places: str = "", **house_rules: Any) -> str:
    """A meld of seat 0 as it lies after cards were added to it."""
    cards, _, first_places = first.partition("/")
    desk = Desk({0: f"{cards} {added} 3C 3S"}, **house_rules).meld(cards, first_places)
    assert desk.action_article(added, places, target=0) == 0
    return desk.meld(added, places, target=0).now()


@pytest.mark.parametrize(
    ("first", "added", "after"),
    [
        ("7S 9S 2H/8", "8S", "2H 7S 8S 9S"),
        ("4S 6S 2H/5", "5S", "4S 5S 6S 2H"),
        ("7S 8S 2H/9", "9S", "2H 7S 8S 9S"),
        ("7S 8S 2H/6", "6S", "2H 6S 7S 8S"),
        ("4S 5S 2H/6", "6S", "4S 5S 6S 2H"),
        ("4S 5S 2H/6", "6S 7S", "4S 5S 6S 7S 2H"),
        ("5S 7S 2H/6", "4S 6S", "4S 5S 6S 7S 2H"),
        ("5S 7S 2S/6", "6S", "2S 5S 6S 7S"),
        ("QS AS 2H/K", "KS", "2H QS KS AS"),
        ("5S 6S 2H/4", "4S", "4S 5S 6S 2H"),
    ],
)
def test_can_15_the_curinga_slides_when_its_natural_comes(first: str, added: str, after: str) -> None:
    assert laid(first, added) == after


def test_can_15_with_no_free_end_the_natural_cannot_be_added() -> None:
    desk = Desk().own("4S 5S 6S 7S 8S 9S TS JS QS AS 2H/K")
    assert desk.meld_article("KS", target=0) == 15
    desk = Desk().own("4S 5S 6S 7S 8S 9S TS JS QS 2H/K")
    assert desk.meld_article("KS", target=0) == 0
    assert desk.meld_article("KS AS", target=0) == 15


def test_can_15_without_sliding_the_natural_cannot_be_added() -> None:
    desk = Desk(curinga_slides=False).own("7S 9S 2H/8")
    assert desk.meld_article("8S", target=0) == 15
    assert desk.meld_article("TS", target=0) == 0


@pytest.mark.parametrize(
    ("first", "added", "places", "after"),
    [
        ("6S 7S 8S 2H/9", "9S", "", ["2H 6S 7S 8S 9S"]),
        ("6S 8S 2D 2H/7 9", "7S", "", ["2D 6S 7S 8S 2H"]),
        ("6S 8S 2D 2H/7 9", "9S", "", ["2H 6S 2D 8S 9S"]),
        # Either natural may have come first.
        ("6S 9S 2D 2H/7 8", "7S 8S", "", ["2H 2D 6S 7S 8S 9S", "2D 2H 6S 7S 8S 9S"]),
        ("5S 6S 2H/4", "2D", "7", ["2H 5S 6S 2D"]),
        ("6S 8S 2H/7", "2D 7S", "5", ["2H 2D 6S 7S 8S"]),
        ("4S 5S 2H/6", "2D 8S", "7", ["4S 5S 2H 2D 8S"]),
    ],
)
def test_can_15_of_two_curingas_the_one_whose_natural_comes_slides(
    first: str, added: str, places: str, after: list[str]
) -> None:
    assert laid(first, added, places, **TWO_CURINGAS) in after


@pytest.mark.parametrize(
    ("added", "places", "article"),
    [
        ("TS", "", 0),
        ("6S 5S", "", 0),
        ("JS", "", 12),
        ("JS TS", "", 0),
        ("2H", "T", 0),
        ("2H", "J", 12),
        ("2H JS", "T", 0),
    ],
)
def test_can_15_cards_added_together_come_in_any_order_that_works(added: str, places: str, article: int) -> None:
    assert Desk().own("7S 8S 9S").meld_article(added, places, target=0) == article


def test_can_15_a_meld_stays_suja() -> None:
    desk = Desk().own("7S 9S 2H/8")
    desk.lay("8S TS JS QS KS", target=0)
    assert (desk.table.clean_canastras[0], desk.table.dirty_canastras[0]) == (0, 1)


# ---------------------------------------------------------------- CAN-16: which melds a side may own


def test_can_16_one_lavadeira_of_a_rank_and_it_is_extended() -> None:
    desk = Desk().own("KS KH KD")
    assert desk.meld_article("KC KC KS") == 16
    assert desk.meld_article("KC", target=0) == 0
    assert desk.meld_article("2C", target=0) == 0
    assert desk.meld_article("QC", target=0) == 13
    assert desk.meld_article("AC AD AH") == 0


def test_can_16_the_other_side_may_own_one_of_the_same_rank() -> None:
    assert Desk().own("KS KH KD", side=1).meld_article("KC KC KS") == 0


def test_can_16_sequences_of_a_suit_lie_side_by_side() -> None:
    desk = Desk().own("4S 5S 6S", "7S 8S 9S", "7S 8S 9S")
    assert desk.table.meld_count[0] == 3
    assert desk.table.meld_size[0, :3].tolist() == [3, 3, 3]
    assert desk.meld_article("7S", target=0) == 0
    assert desk.meld_article("7S", target=1) == 12


# ---------------------------------------------------------------- CAN-17: canastras


@pytest.mark.parametrize(
    ("meld", "clean", "dirty"),
    [
        ("6H 7H 8H 9H TH JH QH", 1, 0),
        ("6H 7H 2H 9H TH JH QH/8", 0, 1),
        ("6H 7H 8H 9H TH JH", 0, 0),
        ("KS KS KH KH KD KD KC", 1, 0),
        ("KS KS KH KH KD KD 2C", 0, 1),
        ("AS AS AH AH AD AD AC AC", 1, 0),
    ],
)
def test_can_17_limpa_and_suja(meld: str, clean: int, dirty: int) -> None:
    desk = Desk().own(meld)
    assert (desk.table.clean_canastras[0], desk.table.dirty_canastras[0]) == (clean, dirty)
    assert (desk.table.clean_canastras[1], desk.table.dirty_canastras[1]) == (0, 0)


def test_can_17_the_seventh_card_makes_it_and_a_curinga_spoils_it() -> None:
    desk = Desk().own("4S 5S 6S 7S 8S 9S")
    counts = []
    for cards, places in (("TS", ""), ("JS", ""), ("2H", "Q"), ("KS", "")):
        desk.lay(cards, places, target=0)
        counts.append((int(desk.table.clean_canastras[0]), int(desk.table.dirty_canastras[0])))
    assert counts == [(1, 0), (1, 0), (0, 1), (0, 1)]
