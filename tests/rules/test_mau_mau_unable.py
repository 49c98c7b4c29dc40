"""Mau-mau: who cannot follow, bars, void rounds and the cap, by the compiled rules (MAU-06, MAU-08, MAU-17)."""

from __future__ import annotations

import pytest

from kernels.mau_mau.layout import END_REASONS, TURN_CAP
from sim import batch
from sim.games import make_setup
from tests.rules.mau_mau_table import Desk

HANDS = ["4C 4H", "2C 5H", "2D 6H"]
STOCK = "3C 3D 5S 3H KS"


def unable(hands: list[str] | None = None, **more: object) -> Desk:
    desk = Desk(hands or HANDS, **{"top": "9S", "stock": STOCK, **more})  # type: ignore[arg-type]
    desk.turn()
    return desk


def test_mau_06_a_fine_a_bar_and_a_card() -> None:
    desk = unable()
    assert desk.events() == ["unable 0 (50)", "draw 0 3C (unable)"]
    assert (desk.barred(), desk.table.fines[0], desk.seat) == ({0}, 1, 1)


def test_mau_06_each_time_it_happens() -> None:
    desk = unable(barred=[0])
    assert desk.events() == ["unable 0 (50)", "draw 0 3C (unable)"]
    assert (desk.barred(), desk.table.fines[0]) == ({0}, 2)


def test_mau_06_the_card_drawn_is_not_played_even_if_it_follows() -> None:
    desk = unable(stock="KS 3C")
    assert desk.events() == ["unable 0 (50)", "draw 0 KS (unable)"]
    assert desk.seat == 1


def test_mau_06_fine_only_draws_nothing() -> None:
    desk = unable(unable="fine_only")
    assert desk.events() == ["unable 0 (50)"]
    assert (desk.barred(), desk.hand(0), desk.seat) == ({0}, "4C 4H", 1)


def test_mau_06_fine_once_draws_each_time() -> None:
    desk = unable(unable="fine_once")
    assert desk.events() == ["unable 0 (50)", "draw 0 3C (unable)"]
    desk = unable(unable="fine_once", barred=[0])
    assert desk.events() == ["unable 0 (0)", "draw 0 3C (unable)"]
    assert (desk.barred(), desk.table.fines[0]) == ({0}, 1)


def test_mau_06_fine_once_bars_again_after_the_bars_were_lifted() -> None:
    desk = Desk(HANDS, stock=STOCK, unable="fine_once", barred=[0])
    desk.table.barred = 0
    desk.turn()
    assert desk.events() == ["unable 0 (0)", "draw 0 3C (unable)"]
    assert desk.barred() == {0}


def test_mau_06_draw_one_may_be_played_if_it_follows() -> None:
    assert unable(unable="draw_one").events() == ["unable 0 (0)", "draw 0 3C (unable)"]
    desk = unable(unable="draw_one", stock="KS 3C")
    assert desk.events() == ["unable 0 (0)", "draw 0 KS (unable)", "play 0 KS"]
    desk = unable(unable="draw_one", stock="KS 3C", policy="standard:play_drawn=0")
    assert desk.events() == ["unable 0 (0)", "draw 0 KS (unable)"]
    assert (desk.barred(), desk.table.fines[0], desk.seat) == (set(), 0, 1)


def test_mau_06_a_jack_drawn_is_announced() -> None:
    for house_rule in ("draw_one", "draw_until"):
        desk = unable(["4C 4H 5H", "2C 5D"], unable=house_rule, stock="JD 3C")
        assert desk.events() == ["unable 0 (0)", "draw 0 JD (unable)", "play 0 JD (H)"]


def test_mau_06_draw_until_a_card_follows() -> None:
    desk = unable(unable="draw_until")
    assert desk.events() == ["unable 0 (0)", "draw 0 3C 3D 5S (unable)", "play 0 5S"]
    assert (desk.hand(0), desk.stock(), desk.barred()) == ("3C 4C 3D 4H", "3H KS", set())


def test_mau_06_draw_until_nothing_is_left() -> None:
    desk = unable(unable="draw_until", stock="3C 3D")
    assert desk.events() == ["unable 0 (0)", "draw 0 3C 3D (unable)"]
    assert desk.seat == 1
    desk = unable(unable="draw_until", under="2S", stock="3C 3D")
    assert desk.events() == [
        "unable 0 (0)",
        "draw 0 3C 3D (unable)",
        "reshuffle 0",
        "draw 0 2S (unable)",
        "play 0 2S",
    ]


def test_mau_06_the_table_remembers_what_a_seat_could_not_follow() -> None:
    desk = unable()
    lanes = [int(desk.table.may_hold[0]) >> 12 * lane & 0xFFF for lane in range(5)]
    # He has no spades and no Jack but, perhaps, in the card he drew since; seven of any other suit were dealt to him.
    assert lanes == [8, 8, 8, 1, 1]


@pytest.mark.parametrize("players", [2, 10])
def test_mau_08_when_everybody_is_barred_all_bars_are_lifted(players: int) -> None:
    hands = ["4C 4H", *["2C 5H"] * (players - 1)]
    desk = unable(hands, packs=2, barred=range(1, players))
    assert desk.events() == ["unable 0 (50)", "draw 0 3C (unable)", "bars_lifted 0"]
    assert desk.barred() == set()
    assert desk.table.fines[:players].tolist() == [1] * players
    assert desk.record.bars_lifted == 1


def test_mau_08_under_fine_only_the_round_is_void() -> None:
    desk = unable(unable="fine_only", barred=[1, 2])
    assert desk.events() == ["unable 0 (50)", "void 0"]
    assert END_REASONS[desk.record.reason] == "void"
    assert (desk.scores(), desk.record.winner) == ([-8, -7, -8], -1)
    assert desk.detail(1) == {"hand": -7, "factor": 1}


def test_mau_08_a_circuit_without_a_play_or_a_draw_is_void() -> None:
    desk = Desk(["4S", "5S", "6S", "2D 3H"], barred=[0, 1, 2], direction=-1)
    # Seat 3 cannot follow, and there is nothing to draw: all bars are lifted, which ends no circuit.
    desk.table.barred = 0b0111
    assert [desk.turn() for _ in range(1)] == [False]
    assert desk.events() == ["pass 0 (barred)"]
    assert not desk.turn()
    assert desk.events()[1:] == ["unable 3 (50)", "bars_lifted 3"]
    assert desk.seat == 2


@pytest.mark.parametrize("players", [2, 4, 10])
def test_mau_08_the_circuit_has_as_many_turns_as_players(players: int) -> None:
    suits = ["2C", "3D", "4H", "2D", "3H", "4C", "5D", "6H", "7C", "2H"]
    desk = Desk([f"{card} KH" for card in suits[:players]], unable="draw_one", packs=2, top="9S")
    turns = [desk.turn() for _ in range(players)]
    assert turns == [False] * (players - 1) + [True]
    assert desk.events() == [*(f"unable {seat} (0)" for seat in range(players)), f"void {players - 1}"]


def test_mau_08_a_play_or_a_draw_begins_the_circuit_again() -> None:
    desk = Desk(["2C KH", "3D KH", "4S KH"], unable="draw_one", packs=2, top="9S")
    assert not any(desk.turn() for _ in range(3))
    assert desk.events()[2] == "play 2 4S"
    assert desk.state.idle == 0
    desk = Desk(["2C KH", "3D KH", "4H KH"], unable="draw_one", packs=2, top="9S", stock="2H")
    assert not desk.turn()
    assert not desk.turn()
    assert desk.state.idle == 1


def test_mau_17_a_round_of_two_thousand_turns_is_scored_as_void() -> None:
    setup = make_setup("mau_mau", seed=5, policies="random", rules={"players": 2, "forget_call_rate": 1.0})
    records = batch.play(setup, batch.deal_jobs(setup, 0, 300))
    capped = records[records["reason"] == END_REASONS.index("cap")]
    assert len(capped) > 0
    assert (capped["turns"] == TURN_CAP).all()
    assert (capped["winner"] == -1).all()
    assert (capped["score"] == -capped["hand_points"]).all()
    assert (capped["fines"] == 0).all()
    assert (records["turns"] <= TURN_CAP).all()
