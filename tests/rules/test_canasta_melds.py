"""Canasta: what may be laid, by the compiled rules (KAN-03, KAN-04, KAN-11 to KAN-15)."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.canasta.layout import MINIMUMS
from kernels.canasta.values import minimum_for, points_of
from kernels.cards import RANKS
from tests.rules.canasta_table import Desk, counts

SPARE = " 4C 5D"
"""Two cards that stay in hand."""


def hand(cards: str) -> Desk:
    """A desk of a side that has melded and holds these cards and two more."""
    return Desk(cards + SPARE).own("QS QH QD")


@pytest.mark.parametrize(
    ("card", "points"),
    [
        ("JK", 50),
        ("2S", 20),
        ("AH", 20),
        *((rank + "C", 10) for rank in "KQJT98"),
        *((rank + "D", 5) for rank in "7654"),
    ],
)
def test_kan_03_the_values_of_single_cards(card: str, points: int) -> None:
    assert points_of(counts(card)) == points


def test_kan_03_a_black_three_is_worth_five_and_whole_hands_add_up() -> None:
    assert points_of(counts("3C")) == 5
    assert points_of(counts("JK JK 2S AH KD 7C 3S 3S")) == 50 + 50 + 20 + 20 + 10 + 5 + 5 + 5


@pytest.mark.parametrize("rank", RANKS)
def test_kan_11_three_of_a_rank_from_four_to_ace(rank: str) -> None:
    expected = {"2": 11, "3": 12}.get(rank, 0)
    if rank not in "2Q":
        assert hand(f"{rank}C {rank}S {rank}C").melds(f"{rank}C {rank}S {rank}C") == expected


@pytest.mark.parametrize(
    ("cards", "article"),
    [
        ("KS KH", 11),
        ("KS KH 2D", 0),
        ("KS KH JK 2D", 0),
        ("KS KH JK 2D 2S", 0),
        ("KS KH JK JK 2D 2S", 11),
        ("KS JK 2D", 11),
        ("KS KH KD 2S 2H 2D", 0),
        ("KS KH KD KC 2S 2H 2D", 0),
        ("KS KH KD KC KS KH KD KC", 0),
    ],
)
def test_kan_11_two_naturals_and_at_most_three_wild_cards(cards: str, article: int) -> None:
    assert hand(cards).melds(cards) == article


@pytest.mark.parametrize(("cards", "article"), [("K: JK 2S 2D", 11), ("Q: JK 2S 2D", 0), ("Q: JK JK 2S 2D", 11)])
def test_kan_04_wild_cards_alone_are_no_meld_but_join_one(cards: str, article: int) -> None:
    assert hand(cards.partition(":")[2]).melds(cards) == article


def test_kan_04_no_wild_card_joins_threes() -> None:
    assert Desk("3C 3S 3C 2S 4D").own("KS KH KD KC KS KH KD").melds("3C 3S 3C / 3: 2S") == 4


def test_kan_11_three_wild_cards_stay_the_most_of_a_natural_canasta() -> None:
    desk = Desk("2S 2H 2D JK 4C 5D").own("KS KH KD KC KS KH KD")
    assert (desk.table.natural_canastas[0], desk.table.mixed_canastas[0]) == (1, 0)
    assert desk.melds("K: 2S 2H 2D JK") == 11
    desk.lay("K: 2S 2H 2D")
    assert (desk.table.natural_canastas[0], desk.table.mixed_canastas[0]) == (0, 1)
    assert desk.melds("K: JK") == 11


def test_kan_11_cards_join_the_own_meld_of_their_rank() -> None:
    desk = hand("QC")
    assert desk.melds("QC") == 0
    desk.lay("QC")
    assert desk.table.meld_count[0] == 1
    assert desk.events() == [("extend", "QC")]


def test_kan_06_cards_come_from_the_hand() -> None:
    assert hand("KS KH KD").melds("KS KH KD KC") == 6
    assert hand("KS KH").melds("KS KH 2D") == 6


@pytest.mark.parametrize(
    ("cards", "laid", "article"),
    [
        ("3C 3S 3C", "3C 3S 3C", 0),
        ("3C 3S 3C 3S", "3C 3S 3C 3S", 0),
        ("3C 3S 3C 4D", "3C 3S 3C", 0),
        ("3C 3S 3C 4D 5D", "3C 3S 3C", 12),
        ("3C 3S 4D", "3C 3S", 12),
    ],
)
def test_kan_12_black_threes_are_melded_by_who_goes_out(cards: str, laid: str, article: int) -> None:
    assert Desk(cards).own("KS KH KD KC KS KH KD").melds(laid) == article


def test_kan_12_not_without_the_canasta_that_lets_him_go_out() -> None:
    assert Desk("3C 3S 3C 4D").own("KS KH KD KC KS KH").melds("3C 3S 3C") == 14


@pytest.mark.parametrize(
    ("score", "minimum"),
    [(-5, 15), (-100_000, 15), (0, 50), (1_495, 50), (1_500, 90), (2_995, 90), (3_000, 120), (4_995, 120)],
)
def test_kan_13_the_minimum_follows_the_score(score: int, minimum: int) -> None:
    assert minimum_for(np.int64(score)) == minimum
    assert Desk(start_score=[0, score]).table.minimum.tolist() == [50, minimum]
    assert minimum in MINIMUMS


@pytest.mark.parametrize(
    ("score", "cards", "article"),
    [
        (0, "6S 6H 6D / 4S 4H 2D", 13),
        (0, "6S 6H 6D / 7S 7H 2D / 4S 4H 4D", 0),
        (0, "KS KH JK", 0),
        (0, "4S 4H JK", 0),
        (0, "AS AH AD", 0),
        (1_600, "6S 6H 6D / KS KH KD 2S", 13),
        (1_600, "6S 6H 6D / AS AH AD 2S", 0),
        (3_000, "AS AH AD AC 2S 2H", 0),
        (3_000, "AS AH AD AC 2S", 13),
        (-5, "4S 4H 4D", 0),
    ],
)
def test_kan_13_melds_of_a_turn_add_up_to_the_minimum(score: int, cards: str, article: int) -> None:
    desk = Desk(cards.replace("/", "") + " 8C 9D", start_score=[score, 0])
    assert desk.melds(cards) == article


def test_kan_13_once_the_side_has_melded_nothing_is_needed() -> None:
    assert Desk("4S 4H 4D 8C 9D", start_score=[3_000, 0]).own("QS QH QD").melds("4S 4H 4D") == 0


@pytest.mark.parametrize(("cards", "article"), [("KS KH KD", 14), ("KS KH KD 8C", 14), ("KS KH KD 8C 9C", 0)])
def test_kan_14_without_a_canasta_two_cards_stay(cards: str, article: int) -> None:
    assert Desk(cards).own("QS QH QD").melds("KS KH KD") == article


def test_kan_14_the_canasta_may_be_completed_in_that_turn() -> None:
    assert Desk("KS 8C").own("KS KH KD KC KH KD").melds("KS") == 0
    assert Desk("KS").own("KS KH KD KC KH KD").melds("KS") == 0


def test_kan_14_two_canastas_under_the_option() -> None:
    one, two = "KS KH KD KC KS KH KD", "QS QH QD QC QS QH QD"
    assert Desk("JS JH JD", canastas_to_go_out=2).own(one).melds("JS JH JD") == 14
    assert Desk("JS JH JD", canastas_to_go_out=2).own(f"{one} / {two}").melds("JS JH JD") == 0


def test_kan_14_after_a_no_a_card_is_kept() -> None:
    desk = Desk("JS JH JD 8C").own("KS KH KD KC KS KH KD")
    assert desk.melds("JS JH JD") == 0
    desk.table.answer = -1
    assert desk.melds("JS JH JD") == 14
    assert desk.hold(0, "8C").discard("8C") == 14


def test_kan_15_from_a_draw_a_side_without_melds_goes_out_below_its_minimum() -> None:
    seven = "4S 4H 4D 4C 4S 4H 4D"
    assert Desk(seven, start_score=[3_000, 0]).melds(seven) == 0
    assert Desk(f"{seven} 8C", start_score=[3_000, 0]).melds(seven) == 0
    assert Desk(f"{seven} 8C 9C", start_score=[3_000, 0]).melds(seven) == 13


@pytest.mark.parametrize(
    ("before", "partner", "laid", "concealed"),
    [
        (False, "", "4S 4H 4D 4C 4S 4H 4D", 1),
        (False, "QS QH QD", "4S 4H 4D 4C 4S 4H 4D", 1),
        (False, "4S 4H 4D", "4C 4S 4H 4D", 0),
        (False, "QS QH QD", "4S 4H 4D 4C 4S 4H 4D / Q: QC", 0),
        (True, "QS QH QD", "4S 4H 4D 4C 4S 4H 4D", 0),
        (False, "QS QH QD QC QS QH QD", "4S 4H 4D", 0),
    ],
)
def test_kan_15_who_goes_out_concealed(before: bool, partner: str, laid: str, concealed: int) -> None:
    cards = laid.replace("/", "").replace("Q:", "")
    desk = Desk(cards)
    if partner:
        desk.own(partner)
    desk.table.has_laid[0] = before
    desk.state.stock_next = 0
    desk.table.concealed = 0 if before else 1
    desk.lay(laid.replace("Q: QC", "QC")).go_out()
    assert desk.record.concealed[0] == concealed
    assert desk.record.went_out[0] == 1
