"""Canastra: the score of a hand and the match, by the compiled rules (CAN-22, CAN-25 to CAN-28)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.canastra.layout import REASON_BATIDA
from kernels.match_ends import UNDECIDED, highest_past_target
from sim.games import make_setup
from sim.replay import Replayer
from tests.rules.table import Desk

LIMPA = "4S 5S 6S 7S 8S 9S TS"
OTHER_LIMPA = "4H 5H 6H 7H 8H 9H TH"
SUJA = "4D 5D 6D 2S 8D 9D TD/7"


def example(red_threes: int) -> Desk:
    """The hand of the sheets: a batida, two limpas and a suja, 38 cards laid, five left with the partner."""
    desk = Desk({2: "6C 8C TC QC KC"})
    desk.own(LIMPA, OTHER_LIMPA, SUJA, "4C 5C 6C", "JC QC KC AC", "KS KH KD KC KC", "7H 8H 9H TH JH")
    desk.table.red_threes[0] = red_threes
    return desk.had_morto(0, 1).go_out()


@pytest.mark.parametrize(("red_threes", "total"), [(3, 1_260), (2, 1_150)])
def test_can_25_the_worked_values(red_threes: int, total: int) -> None:
    desk = example(red_threes)
    assert desk.scores() == [total, 0]
    assert desk.record.table_cards[0] + red_threes == {3: 41, 2: 40}[red_threes]
    assert desk.record.hand_cards[0] == 5
    assert (desk.record.clean_canastras[0], desk.record.dirty_canastras[0]) == (2, 1)


@pytest.mark.parametrize(
    ("melds", "hands", "score"),
    [
        ([], {}, 0),
        (["4S 5S 6S"], {}, 30),
        (["4S 5S 6S", "KS KH 2D"], {}, 60),
        ([LIMPA], {}, 270),
        ([SUJA], {}, 170),
        (["6H 7H 2H 9H TH JH QH/8"], {}, 170),
        (["6H 7H 8H 9H TH JH QH"], {}, 270),
        (["AS AS AH AH AD AD AC"], {}, 270),
        (["4S 5S 6S"], {0: "KC 2D"}, 10),
        (["4S 5S 6S"], {0: "KC", 2: "AC 3S"}, 0),
        ([], {2: "KC AC"}, -20),
    ],
)
def test_can_25_cards_and_canastras(melds: list[str], hands: dict[int, str], score: int) -> None:
    desk = Desk(hands).own(*melds).had_morto(0, 1)
    assert desk.scores()[0] == score


@pytest.mark.parametrize("side", [0, 1])
def test_can_25_a_hundred_for_the_batida(side: int) -> None:
    desk = Desk(seat=side).had_morto(0, 1).go_out()
    assert desk.scores() == [100 * (side == 0), 100 * (side == 1)]
    assert desk.record.winner == side


def test_can_25_with_two_players_nobody_else_holds_cards() -> None:
    desk = Desk({0: "KC", 1: "AC 3S"}, players=2).had_morto(0, 1)
    assert desk.scores() == [-10, -20]


@pytest.mark.parametrize("points", [10, 0])
@pytest.mark.parametrize("count", range(5))
@pytest.mark.parametrize("meld", [LIMPA, SUJA, "4S 5S 6S 7S 8S 9S"])
def test_can_26_red_threes_with_and_without_a_canastra(meld: str, count: int, points: int) -> None:
    desk = Desk(red_three_table_points=points).own(meld).had_morto(0, 1)
    without = desk.scores()[0]
    desk.table.red_threes[0] = count
    has_canastra = meld in (LIMPA, SUJA)
    assert desk.scores()[0] - without == (count * (100 + points) if has_canastra else -100 * count)
    assert desk.record.red_three_table_points[0] == (count * points if has_canastra else 0)


# ---------------------------------------------------------------- CAN-22, CAN-27: no morto


def hand_over(closed: int | None, out: int | None, mortos: tuple[int, ...]) -> Desk:
    """A hand that ended: the seat whose morto lies unopened, the seat that went out, the sides that took one."""
    desk = Desk().had_morto(*mortos)
    if closed is not None:
        desk.table.morto_closed[closed] = 1
    if out is not None:
        desk.seat = out
        desk.go_out()
    return desk


@pytest.mark.parametrize(
    ("closed", "out", "mortos", "charged"),
    [
        (1, 0, (0, 1), [0, 1]),  # the opponents go out before he opened it
        (3, 2, (0, 1), [0, 1]),
        (2, 1, (0, 1), [1, 0]),
        (1, 3, (0, 1), [0, 0]),  # his partner goes out
        (1, None, (0, 1), [0, 0]),  # the cards ran out
        (None, 0, (0, 1), [0, 0]),  # it was opened
    ],
)
def test_can_22_a_morto_that_was_never_opened(
    closed: int | None, out: int | None, mortos: tuple[int, ...], charged: list[int]
) -> None:
    desk = hand_over(closed, out, mortos)
    batida = [0 if out is None else 100 * (out % 2 == side) for side in (0, 1)]
    assert desk.scores() == [batida[side] - 100 * charged[side] for side in (0, 1)]
    assert desk.record.no_morto.tolist() == charged
    assert desk.record.hand_cards.tolist() == [0, 0]


def test_can_22_the_red_threes_of_the_unseen_cards_are_not_counted() -> None:
    desk = Desk(mortos=("3H 3D 3H 3D 4C 5C 8C TC QC 8H KH", "6C 8C TC QC 6D 8D TD QD 6H 8H TH"), seat=1)
    desk.take_morto(at_once=False).had_morto(0)
    desk.seat = 0
    assert desk.go_out().scores() == [100, -100]


@pytest.mark.parametrize("stock_out", ["morto_becomes_stock", "end"])
@pytest.mark.parametrize(
    ("out", "mortos", "charged"),
    [
        (None, (), [0, 0]),
        (None, (0,), [0, 1]),
        (None, (1,), [1, 0]),
        (None, (0, 1), [0, 0]),
        (0, (0,), [0, 1]),
        (1, (1,), [1, 0]),
        (1, (0, 1), [0, 0]),
    ],
)
def test_can_27_who_pays_for_no_morto(
    out: int | None, mortos: tuple[int, ...], charged: list[int], stock_out: str
) -> None:
    desk = Desk(stock_out=stock_out).had_morto(*mortos)
    if out is not None:
        desk.seat = out
        desk.go_out()
        assert desk.state.reason == REASON_BATIDA
    desk.scores()
    assert desk.record.no_morto.tolist() == charged


# ---------------------------------------------------------------- CAN-28: the match


@pytest.mark.parametrize(
    ("totals", "target", "winner"),
    [
        ((1_990, 1_990), 2_000, None),
        ((2_000, 1_990), 2_000, 0),
        ((-300, 2_010), 2_000, 1),
        ((2_050, 2_300), 2_000, 1),
        ((2_300, 2_300), 2_000, None),
        ((2_310, 2_300), 2_000, 0),
        ((150, 90), 100, 0),
        ((150, 90), 160, None),
    ],
)
def test_can_28_the_higher_total_past_the_target_wins(totals: Any, target: int, winner: int | None) -> None:
    found = highest_past_target(np.array([totals]), {"target": target})[0]
    assert found == (UNDECIDED if winner is None else winner)


@pytest.mark.parametrize("target", [100, 2_000, 5_000])
def test_can_28_hands_are_played_until_a_side_reaches_the_target(target: int) -> None:
    replayer = Replayer(make_setup("canastra", seed=4, rules={"target": target}))
    for match in range(10):
        totals = [0, 0]
        hands = list(replayer.match(match))
        for hand in hands:
            assert hand[0]["scores_before"] == totals
            assert max(totals) < target or totals[0] == totals[1]
            totals = [total + score for total, score in zip(totals, hand[-1]["scores"], strict=True)]
        assert max(totals) >= target
        assert totals[0] != totals[1]
