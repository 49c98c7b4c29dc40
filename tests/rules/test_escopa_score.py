"""Escopa: the cards left and the score, in hand-made places (ESC-09, ESC-10, ESC-11, ESC-12)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from kernels.escopa.events import score_detail
from kernels.match_ends import UNDECIDED
from sim import batch
from sim.games import make_setup
from tests.rules.escopa_table import Desk

DIAMONDS = "AD 2D 3D 4D 5D 6D 7D QD JD KD"
LINES = ("escopas", "guindis", "diamonds", "sevens", "cards", "few", "primeira", "total")


def detail(*taken: str, escopas: tuple[int, ...] = (), **rules: Any) -> list[dict[str, int]]:
    """Lines of the sides' scores that are not zero."""
    desk = Desk(taken=taken, **rules)
    for side, count in enumerate(escopas):
        desk.table.escopas[side] = count
    desk.end()
    lines = [score_detail(desk.record, side) for side in range(desk.setup.sides)]
    assert all(tuple(line) == LINES for line in lines)
    for line in lines:
        assert line.pop("total") == sum(line.values())
    return [{name: points for name, points in line.items() if points} for line in lines]


def filled(cards: str, count: int, without: str = "") -> str:
    """Cards with others of no account added: no diamonds, sevens or cards of `without`."""
    others = [rank + suit for rank in "KJQ65432A" for suit in "SHC"]
    free = [card for card in others if card not in cards.split() and card not in without.split()]
    return " ".join([*cards.split(), *free[: count - len(cards.split())]])


def test_esc_09_the_cards_left_go_to_the_side_that_captured_last() -> None:
    desk = Desk({0: "7D", 1: "KD"}, table="QS KS").play("7D", "QS").play("KD").end()
    assert (desk.taken(0), desk.taken(1)) == ("7D QS KD KS", "")
    assert desk.events()[-1] == ("leftover", 0, "KD KS", "")
    record = desk.record
    assert (record.leftover, record.leftover_cards, record.last_side, record.last_capture_cards) == (20, 2, 0, 4)
    assert record.last_capture.tolist() == [1, 0, 0, 0]


def test_esc_09_the_dealers_take_is_a_capture_too() -> None:
    desk = Desk({0: "KD"}, table="7S 4C 3D AH", dealer=1)
    assert desk.dealer_takes()
    desk.play("KD").end()
    assert desk.taken(1).split()[-1] == "KD"
    assert desk.record.last_capture_cards == 5


def test_esc_09_a_claim_is_a_capture_too() -> None:
    desk = Desk({0: "7D", 1: "KD"}, table="QS 2S").play("7D", by_oversight=True).claim("QS").play("KD").end()
    assert (desk.taken(0), desk.taken(1)) == ("", "2S 7D QS KD")


def test_esc_09_if_nobody_captured_nobody_gets_them() -> None:
    desk = Desk({0: "7D"}, table="KS").play("7D").end()
    assert desk.events()[-1] == ("leftover", -1, "7D KS", "")
    assert (desk.taken(0), desk.taken(1)) == ("", "")
    assert (desk.record.last_side, desk.record.last_capture_points) == (-1, 0)


def test_esc_09_they_count_for_majorities_and_for_ten_cards() -> None:
    desk = Desk(taken=["", filled("2D", 8, "KS")], table="7D KS")
    desk.table.last_seat = 1
    desk.end()
    assert desk.record.cards.tolist() == [0, 10, 0, 0]
    assert desk.record.few_points.tolist() == [0, 2, 0, 0]
    assert (desk.record.guindis[1], desk.record.diamonds[1], desk.record.sevens[1]) == (1, 2, 1)
    # Without them: 0 for two sides with few cards, one more for diamonds and cards; with them guindis, a seven, few.
    assert desk.record.last_capture_points == (1 + 1 + 1 + 1 + 2) - (1 + 1)


@pytest.mark.parametrize("policy", ["random", "novice", "standard", "expert"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_esc_09_what_is_left_is_ten_more_than_a_multiple_of_fifteen(policy: str, players: int) -> None:
    for rate in (0.0, 0.8):
        setup = make_setup("escopa", seed=5, policies=policy, rules={"players": players, "overlook_rate": rate})
        records = batch.play(setup, batch.deal_jobs(setup, 0, 4_000))
        leftover = records["leftover"].astype(int)
        captures = records["captures"].astype(int).sum(axis=1)
        assert (leftover % 15 == 10).all()
        assert np.array_equal(captures, (220 - leftover) // 15)
        taken = records["cards"].astype(int).sum(axis=1)
        nobody = np.where(records["last_side"] < 0, records["leftover_cards"], 0)
        assert np.array_equal(taken + nobody, np.full(4_000, 40))
        assert leftover.max() > (100 if rate else 40)


def test_esc_10_each_escopa_and_the_guindis_are_a_point() -> None:
    one, other = detail(filled("7D", 20), filled("7S", 20, filled("7D", 20)), escopas=(3, 1))
    assert (one["escopas"], one["guindis"], one["diamonds"]) == (3, 1, 1)
    assert other["escopas"] == 1
    assert "guindis" not in other


@pytest.mark.parametrize(
    ("one", "other", "points"),
    [
        ("2D 3D", "4D", (1, 0)),
        ("2D 3D", "4D 5D", (0, 0)),
        ("2D", DIAMONDS.replace("2D ", ""), (0, 1)),
        (DIAMONDS, "2S", (2, 0)),
        ("", "", (0, 0)),
    ],
)
def test_esc_10_most_diamonds_and_all_of_them(one: str, other: str, points: tuple[int, int]) -> None:
    lines = detail(one, other)
    assert tuple(line.get("diamonds", 0) for line in lines) == points


@pytest.mark.parametrize(
    ("one", "other", "points"),
    [
        ("7S 7H", "7D", (1, 0)),
        ("7S 7H", "7D 7C", (0, 0)),
        ("7S 7H 7C", "7D", (1, 0)),
        ("2S", "7S 7H 7D 7C", (0, 3)),
    ],
)
def test_esc_10_most_sevens_and_all_of_them(one: str, other: str, points: tuple[int, int]) -> None:
    lines = detail(one, other)
    assert tuple(line.get("sevens", 0) for line in lines) == points


def test_esc_10_all_of_them_besides_the_most() -> None:
    lines = detail(f"{DIAMONDS} 7S 7H 7C", "2S", all_replaces_most=False)
    assert (lines[0]["diamonds"], lines[0]["sevens"]) == (3, 4)
    lines = detail(f"{DIAMONDS} 7S 7H 7C", "2S", all_replaces_most=True)
    assert (lines[0]["diamonds"], lines[0]["sevens"]) == (2, 3)


@pytest.mark.parametrize(("counts", "cards"), [((21, 19), (1, 0)), ((20, 20), (0, 0)), ((14, 15), (0, 1))])
def test_esc_10_most_cards(counts: tuple[int, int], cards: tuple[int, int]) -> None:
    pack = [rank + suit for rank in "A234567QJK" for suit in "CDHS"]
    lines = detail(" ".join(pack[: counts[0]]), " ".join(pack[counts[0] : sum(counts)]))
    assert tuple(line.get("cards", 0) for line in lines) == cards


@pytest.mark.parametrize(
    ("counts", "few"), [((31, 9), (2, 0)), ((30, 10), (0, 0)), ((9, 9), (2, 2)), ((0, 40), (0, 2))]
)
def test_esc_10_two_points_where_the_opponents_took_fewer_than_ten(
    counts: tuple[int, int], few: tuple[int, int]
) -> None:
    pack = [rank + suit for rank in "A234567QJK" for suit in "CDHS"]
    for players in (2, 4):
        lines = detail(" ".join(pack[: counts[0]]), " ".join(pack[counts[0] : sum(counts)]), players=players)
        assert tuple(line.get("few", 0) for line in lines) == few


def test_esc_10_of_three_nobody_has_few_and_a_majority_is_had_alone() -> None:
    lines = detail("2D 3D 7S 2S", "4D 5D 7H", "6D 7C", players=3)
    assert lines == [{"cards": 1}, {}, {}]
    lines = detail("2D 3D 7S 2S", "4D 5D 6D", "QD 7C 7H", players=3)
    assert lines == [{"cards": 1}, {"diamonds": 1}, {"sevens": 1}]


FOURS = {rank: " ".join(rank + suit for suit in "CDHS") for rank in "A234567QJK"}
ORDER = "76A5432"
WORTH = {"7": 11, "6": 8, "A": 6, "5": 5, "4": 4, "3": 3, "2": 2}


def test_esc_11_the_best_four_of_a_kind_wins() -> None:
    for better, worse in pairwise(ORDER):
        lines = detail(FOURS[worse], FOURS[better])
        assert (lines[0].get("primeira"), lines[1].get("primeira")) == (None, 1)
    assert "primeira" not in detail("7S 7H 7D", FOURS["2"])[0]


@pytest.mark.parametrize("figure", "QJK")
def test_esc_11_four_figures_are_worth_nothing_and_beat_nothing(figure: str) -> None:
    assert detail(FOURS[figure], "7S 7H 7D")[0]["primeira"] == 1
    assert detail(FOURS[figure], FOURS["2"])[1]["primeira"] == 1
    other = "Q" if figure != "Q" else "K"
    assert all("primeira" not in line for line in detail(FOURS[figure], FOURS[other]))
    assert all("primeira" not in line for line in detail("7S 7H 7D", "6S 6H 6D"))


@pytest.mark.parametrize("rank", ORDER)
def test_esc_11_the_worth_of_the_four_may_be_scored(rank: str) -> None:
    assert detail(FOURS[rank], "", primeira="quartet_points")[0]["primeira"] == WORTH[rank]
    assert "primeira" not in detail(FOURS["Q"], "", primeira="quartet_points")[0]
    both = " ".join({*FOURS["2"].split(), *FOURS[rank].split()})
    assert detail(both, "", primeira="quartet_points")[0]["primeira"] == WORTH[rank]


@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [
        ("7S 7H 7D 7C", "6S 6H 6D 6C", 0),
        ("6S 6H 6D AC", "7S 7H 7D", 0),  # a side without a suit cannot win it
        ("7S 7H 2D 2C", "6S 6H 5D 4C", 0),  # 66 against 65
        ("7S 2H 2D 2C", "5S 5H 5D QC", 0),  # 57 against 55
        ("7S QH QD QC", "5S 4H 2D JC", None),  # 51 each
        ("AS AH 2D 2C", "5S 5H 3D 3C", None),  # 56 each
        ("7S 6S QH JD KC", "6H 5D 5C AS", 1),  # only the best of a suit: 51 against 64
        ("7S 7H 7D", "6S 6H 6C", None),
    ],
)
def test_esc_11_the_usual_primeira(one: str, other: str, winner: int | None) -> None:
    lines = detail(one, other, primeira="standard")
    assert [side for side, line in enumerate(lines) if line.get("primeira")] == ([] if winner is None else [winner])


def test_esc_11_among_three_the_best_alone() -> None:
    lines = detail(FOURS["4"], FOURS["6"], FOURS["Q"], players=3)
    assert [line.get("primeira", 0) for line in lines] == [0, 1, 0]
    lines = detail(FOURS["K"], FOURS["J"], FOURS["Q"], players=3)
    assert [line.get("primeira", 0) for line in lines] == [0, 0, 0]


def test_esc_11_in_the_usual_primeira_suits_are_told_apart() -> None:
    desk = Desk(primeira="standard")
    assert desk.word("7S") != desk.word("7H")
    assert detail("7S 7H 7D 7C", "", primeira="standard")[0]["primeira"] == 1
    assert "primeira" not in detail("7S 7H 7D 6D", "2C", primeira="standard")[0]


@pytest.mark.parametrize(
    ("scores", "winner"),
    [([21, 20], 0), ([20, 20], UNDECIDED), ([22, 25], 1), ([23, 23], UNDECIDED), ([0, 21], 1)],
)
def test_esc_12_the_highest_at_or_past_the_target(scores: list[int], winner: int) -> None:
    setup = make_setup("escopa")
    assert setup.spec.match_winners(np.array([scores]), setup.options).tolist() == [winner]
