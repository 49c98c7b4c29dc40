"""Loba: drawing, taking, reshuffling, going out (LOB-04, LOB-10 to LOB-15, LOB-17)."""

from __future__ import annotations

from typing import Any

import pytest

from kernels.loba.layout import END_REASONS, REASON_CAP, REASON_NO_WINNER, TURN_CAP
from sim.batch import play_deals
from sim.games import make_setup
from sim.replay import Replayer
from tests.referee.loba import judge
from tests.rules.loba_table import Desk


def test_lob_04_the_first_player_has_no_discard_to_take() -> None:
    assert Desk("4S 5S").take() == 4
    assert Desk("4S 5S", discards="9D").take() == 0


def test_lob_04_the_card_just_taken_is_not_discarded() -> None:
    desk = Desk("4S 5S", discards="9D 9H").taken()
    assert desk.hand() == "9H 4S 5S"
    assert desk.discards() == "9D"
    assert desk.discard("9H") == 4
    assert desk.throw("4S").discards() == "9D 4S"


def test_lob_04_another_card_of_its_face_is() -> None:
    assert Desk("9H 5S", discards="9H").taken().discard("9H") == 0


def test_lob_04_the_card_taken_does_not_leave_the_meld_it_was_laid_in() -> None:
    desk = Desk("KC QD", discards="8S").own("5S 6S 7S").taken().lay("5S 6S 7S 8S", 0)
    assert desk.discard("8S", 0) == 4
    assert desk.discard("5S", 0) == 0
    desk = Desk("8S KC QD", discards="8S").own("5S 6S 7S").taken().lay("5S 6S 7S 8S", 0)
    assert desk.discard("8S", 0) == 0


def test_lob_04_a_lay_may_not_leave_the_card_taken_without_a_way() -> None:
    desk = Desk("4S 5S 6S", discards="9H").taken()
    assert desk.meld("4S 5S 6S") == 4
    # It may still be laid, or a laid card be thrown in its place.
    assert Desk("4S 5S 6S", discards="7S").taken().meld("4S 5S 6S") == 0
    assert Desk("4S 5S 6S", discards="9H").own("9D 9C 9S 9S").taken().meld("4S 5S 6S") == 0
    assert Desk("4S 5S 6S", discards="9H").own("TD JD QD KD").taken().meld("4S 5S 6S") == 0
    assert Desk("4S 5S 6S KC", discards="9H").taken().meld("4S 5S 6S") == 0


def test_lob_04_cards_come_from_the_hand() -> None:
    assert Desk("4S 5S KC").meld("4S 5S 6S") == 4
    assert Desk("4S 6S JK KC").meld("4S JK 6S") == 0
    assert Desk("4S 6S KC").meld("4S JK 6S") == 4
    assert Desk("KC").discard("4S") == 4


def test_lob_11_with_one_card_nothing_is_taken() -> None:
    assert Desk("4S", discards="5S").own("6S 7S 8S").take() == 11
    assert Desk("4S KC", discards="5S").own("6S 7S 8S").take() == 0


@pytest.mark.parametrize(
    ("hand", "top", "article"),
    [
        ("4S 5S KC", "6S", 0),
        ("4S 9D KC", "6S", 12),
        ("7D 7H KC", "7C", 0),
        ("7D 7H KC", "7H", 12),
        ("4S JK KC", "6S", 0),
        ("4S 6S KC", "JK", 0),
        ("4S 7S KC", "JK", 12),
    ],
)
def test_lob_12_under_the_option_a_discard_is_taken_only_to_be_laid(hand: str, top: str, article: int) -> None:
    assert Desk(hand, discards=top, taken_discard_must_meld=True).take() == article
    assert Desk(hand, discards=top).take() == 0


def test_lob_12_under_the_option_it_joins_an_own_meld() -> None:
    must: dict[str, Any] = {"taken_discard_must_meld": True}
    assert Desk("8S KC", discards="9S", **must).own("5S 6S 7S").take() == 0
    assert Desk("8S KC", discards="TS", **must).own("5S 6S 7S").take() == 12
    assert Desk("8S JK KC", discards="TS", **must).own("5S 6S 7S").take() == 0
    assert Desk("9S KC", discards="JK", **must).own("5S 6S 7S").take() == 0
    assert Desk("8S TS KC", discards="JK", **must).own("5S 6S 7S").take() == 0
    assert Desk("8S KC", discards="JK", **must).own("5S 6S 7S").take() == 12


def test_lob_12_under_the_option_it_must_be_laid_in_the_turn() -> None:
    desk = Desk("4S 5S KC QD", discards="6S", taken_discard_must_meld=True).taken()
    assert desk.discard("KC") == 12
    assert desk.lay("4S 5S 6S").discard("KC") == 0
    desk = Desk("4S 5S 6D 6H KC", discards="6S", taken_discard_must_meld=True).taken()
    assert desk.meld("6D 6H 6S") == 0
    desk = Desk("3S 4S 5S 6D KC QD", discards="6S", taken_discard_must_meld=True).taken()
    assert desk.meld("3S 4S 5S") == 0
    desk = Desk("4S 5S 7S 8S 9S KC", discards="6S", taken_discard_must_meld=True).taken()
    assert desk.meld("7S 8S 9S") == 0
    desk = Desk("6D 6H 6C KC QD", discards="6S", taken_discard_must_meld=True).taken()
    assert desk.meld("6D 6H 6C") == 12


def test_lob_12_a_final_discard_is_optional() -> None:
    assert Desk("4S 5S 6S").lay("4S 5S 6S").hand() == ""
    desk = Desk("4S 5S 6S KC").lay("4S 5S 6S").throw("KC").go_out()
    assert [name for name, _ in desk.events()] == ["meld", "discard", "go_out"]


def test_lob_13_the_discards_but_the_top_one_become_the_stock() -> None:
    desk = Desk("4S", discards="2C 3C 4C 5C", stock="")
    assert desk.draw()
    assert desk.discards() == "5C"
    name, stock = desk.events()[0]
    assert (name, sorted(stock.split())) == ("reshuffle", ["2C", "3C", "4C"])
    assert desk.events()[1] == ("draw", stock.split()[0])
    assert desk.table.stock_left == 2


def test_lob_13_with_fewer_than_two_cards_beneath_there_is_nothing_to_draw() -> None:
    assert not Desk("4S", discards="2C 3C").draw()
    assert not Desk("4S").draw()
    assert Desk("4S", discards="2C 3C 4C").draw()


def test_lob_13_three_times_at_most() -> None:
    desk = Desk("4S", discards="2C 3C 4C")
    desk.table.reshuffles = 2
    assert desk.draw()
    desk.table.stock_left = 0
    desk.table.discard_count = 3
    assert not desk.draw()
    assert desk.table.reshuffles == 3


def test_lob_13_a_round_without_a_winner_ends_where_a_card_must_be_drawn() -> None:
    setup = make_setup("loba", seed=4, policies="random:stop_weight=100", rules={"players": 7})
    records = play_deals(setup, 0, 400)
    nobody = (records["reason"] == REASON_NO_WINNER).nonzero()[0]
    assert len(nobody) > 5
    for deal in nobody[:5].tolist():
        events = Replayer(setup).deal(deal)
        assert sum(event["event"] == "reshuffle" for event in events) <= 3
        assert events[-1]["turn"] == events[-2]["turn"] + 1
        assert events[-1]["reason"] == "no_winner"
        assert all(score < 0 for score in events[-1]["scores"])


def test_lob_15_everything_at_once_with_or_without_a_discard() -> None:
    for hand, thrown in (("4S 5S 6S", ""), ("4S 5S 6S KC", "KC")):
        desk = Desk({0: hand, 1: "2S TS AS JK KS", 2: "KS", 3: "KS"}).lay("4S 5S 6S")
        if thrown:
            desk.throw(thrown)
        assert desk.go_out().scores() == [20, -104, -20, -20]
        assert desk.record.all_at_once[0] == 1


def test_lob_15_nothing_at_once_for_who_has_laid_before() -> None:
    desk = Desk({0: "4S 5S 6S", 1: "2S TS AS JK KS", 2: "KS", 3: "KS"}).own("9D 9C 9H")
    assert desk.lay("4S 5S 6S").go_out().scores() == [0, -52, -10, -10]
    assert not desk.record.all_at_once.any()


def test_lob_17_after_a_thousand_turns_everybody_counts() -> None:
    """Two players who take each other's discard for ever: the stock is hardly touched."""
    setup = make_setup("loba", seed=4, policies="novice:take_cards=0", rules={"players": 2})
    records = play_deals(setup, 0, 20)
    capped = (records["reason"] == REASON_CAP).nonzero()[0]
    assert len(capped) > 10
    assert (records["turns"][capped] == TURN_CAP).all()
    assert (records["turns"] <= TURN_CAP).all()
    for deal in capped[:3].tolist():
        events = Replayer(setup).deal(deal)
        assert (events[-1]["reason"], events[-1]["turn"], events[-2]["turn"]) == ("cap", 1_000, 1_000)
        assert judge(events).reason == "cap"
        assert all(detail["factor"] == 1 for detail in events[-1]["detail"])
    assert (records["score"][capped, :2] == -records["deadwood"][capped, :2]).all()


def test_lob_17_counts_as_a_round_without_a_winner() -> None:
    desk = Desk({0: "4S 5S", 1: "KS QS"}, players=2)
    desk.state.reason = REASON_CAP
    assert END_REASONS[REASON_CAP] == "cap"
    assert desk.scores() == [-9, -20]
    assert desk.record.winner == 0
