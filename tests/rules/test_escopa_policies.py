"""Escopa: what the built-in policies play in places where people agree."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.rules.escopa_table import Desk

THINKING = ["novice", "standard", "expert"]
STOCK = "3C 4H 5C 6S 7H QH"


def choice(hand: str, table: str, policy: str) -> tuple[str, str]:
    """Play in a hand of two players, the other one holding three cards, cards left to deal."""
    desk = Desk({0: hand, 1: "KC JC QC"}, table=table, stock=STOCK, policy=policy)
    return desk.choice()


@pytest.mark.parametrize("policy", THINKING)
def test_an_escopa_is_made(policy: str) -> None:
    assert choice("7S 2C KD", "4S 4C", policy) == ("7S", "4C 4S")


@pytest.mark.parametrize("policy", THINKING)
def test_more_cards_are_better_than_fewer(policy: str) -> None:
    assert choice("KS AC", "5C 2H 3S KC", policy) == ("KS", "2H 3S")


@pytest.mark.parametrize("policy", ["standard", "expert"])
def test_sevens_and_the_guindis_are_taken(policy: str) -> None:
    assert choice("QS 2C 3C", "7D 7C KH", policy) == ("QS", "7D")
    assert choice("QS JC", "7C 6H KH KC", policy) == ("QS", "7C")


@pytest.mark.parametrize("policy", ["standard", "expert"])
def test_diamonds_are_taken_before_other_suits(policy: str) -> None:
    assert choice("KS 2C", "5C 5D JH", policy) == ("KS", "5D")
    assert choice("JS 2C", "2D 4H 4C KH KC", policy) == ("JS", "2D 4C")


@pytest.mark.parametrize("policy", ["standard", "expert"])
def test_no_table_is_left_that_a_card_clears(policy: str) -> None:
    """A three makes 13 of the table, which any two clears; the queen makes 18."""
    assert choice("3C QC", "KS", policy)[0] == "QC"


@pytest.mark.parametrize("policy", ["standard", "expert"])
def test_the_guindis_is_not_thrown(policy: str) -> None:
    assert choice("7D KS", "2C", policy) == ("KS", "")


def test_expert_knows_which_cards_are_gone() -> None:
    """All four twos are seen, so a table of 13 is safe; with twos about it is not."""
    twos = "2C 2D 2H 2S"
    for seen, card in ((twos, "3C"), ("", "QC")):
        desk = Desk({0: "3C QC", 1: "KC JH QD"}, table="KS", stock="5C 6C", taken=["", seen], policy="expert")
        assert desk.choice()[0] == card


def test_expert_remembers_what_a_player_cannot_hold() -> None:
    """Who left a card had nothing to capture a ten with: no five. So a table of ten is safe from him."""
    desk = Desk({0: "3C 2C 6C", 1: "JC JD"}, table="KS", seat=1, policy="expert", stock=STOCK)
    desk.play("JC")
    assert desk.state.table.lacks[1] == 1 << 10
    open_rules = Desk({0: "3C", 1: "JC JD"}, table="KS", seat=1, capture="if_played").play("JC")
    assert open_rules.state.table.lacks[1] == 0
    overlooking = Desk({0: "3C", 1: "JC JD"}, table="KS", seat=1, overlook_rate=0.1).play("JC")
    assert overlooking.state.table.lacks[1] == 0


def test_what_a_player_lacks_is_forgotten_with_new_cards() -> None:
    desk = Desk({0: "", 1: "JC"}, table="KS", seat=1, stock="AC 2C 3C 4C 5C 6C").play("JC")
    assert desk.state.table.lacks[1] != 0
    desk.deal_again()
    assert desk.state.table.lacks.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("policy", ["random", "novice", "standard", "expert"])
@pytest.mark.parametrize("capture", ["must", "if_played", "free"])
def test_what_is_overlooked_is_not_taken(policy: str, capture: str) -> None:
    desk = Desk({0: "7S QC", 1: "KC"}, table="QS 7C", stock=STOCK, policy=policy, capture=capture)
    card, take = desk.choice(sees=False)
    assert card in ("7S", "QC")
    assert take == ""


@pytest.mark.parametrize("policy", THINKING)
def test_a_card_left_by_oversight_is_claimed_for_an_escopa(policy: str) -> None:
    desk = Desk({0: "7D 2C", 1: "KC"}, table="4S 3S AS", policy=policy, overlook_rate=0.5, stock=STOCK)
    desk.play("7D", by_oversight=True)
    assert desk.claim_choice() == "AS 3S 4S"
    queen = Desk({0: "7D 2C", 1: "KC"}, table="QS 4S 3S AS", policy=policy, overlook_rate=0.5, stock=STOCK)
    assert queen.play("7D", by_oversight=True).claim_choice() == "AS 3S 4S"


def test_random_is_uniform_over_cards_and_then_over_ways() -> None:
    desk = Desk("7S 2C KD", table="QS QC 4S 4C 5C", policy="random")
    found = Counter(desk.choice() for _ in range(40_000))
    # The two captures nothing: the table has no thirteen but of 4, 4 and 5, or of a queen and the five.
    assert found.keys() == {
        ("7S", "QC"),
        ("7S", "QS"),
        ("7S", "4C 4S"),
        ("KD", "5C"),
        ("2C", "4C 4S 5C"),
        ("2C", "5C QC"),
        ("2C", "5C QS"),
    }
    for way, count in found.items():
        ways = {"7S": 3, "2C": 3, "KD": 1}[way[0]]
        chance = 1 / 3 / ways
        assert abs(count / 40_000 - chance) < 5 * (chance * (1 - chance) / 40_000) ** 0.5


def test_random_counts_leaving_as_one_way_where_that_is_free() -> None:
    desk = Desk("7S", table="QS QC", policy="random", capture="free")
    found = Counter(desk.choice()[1] for _ in range(30_000))
    assert found.keys() == {"", "QC", "QS"}
    assert all(abs(count - 10_000) < 450 for count in found.values())


def test_random_claims_or_lets_it_lie() -> None:
    desk = Desk({0: "7D 2C", 1: "KC"}, table="QS 4S 3S AS", policy="random", overlook_rate=0.5)
    desk.play("7D", by_oversight=True)
    found = Counter(desk.claim_choice() for _ in range(30_000))
    assert found.keys() == {"", "QS", "AS 3S 4S"}
    assert all(abs(count - 10_000) < 450 for count in found.values())


def test_in_the_usual_primeira_expert_takes_the_suit_that_it_lacks() -> None:
    """Of two fives the one of spades, since it has a better heart already; without that reading no suit is better."""
    taken = ["AH 6H 6C 2D 3D 4D 6D QD KD", "2H 3H"]
    for primeira, take in (("standard", "5S"), ("quartet", "5H")):
        desk = Desk(
            {0: "KH 2C", 1: "KC JC QC"},
            table="5H 5S JH JS",
            stock=STOCK,
            taken=taken,
            policy="expert",
            primeira=primeira,
        )
        card, taken_cards = desk.choice()
        assert (card, taken_cards) == ("KH", take)
