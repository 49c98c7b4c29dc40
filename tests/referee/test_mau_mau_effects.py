"""The referee of mau-mau on hand-written rounds: 8, 7, Ace, Queen, Jack, the call, the last card (MAU-09 to 15)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.referee.mau_mau import judge
from tests.referee.mau_mau_builder import Recorder
from tests.referee.mau_mau_checks import accepted, rejected, told
from tests.referee.mau_mau_options import Options
from tests.referee.mau_mau_scenes import BARRED_HAND, DUEL, aces, barred, last_card, last_two, table

TEN = Options(players=10)
STACKS = Options(stack_eights=True)

# ---------------------------------------------------------------- MAU-09


def eight(options: Options | None = None, second: str = "") -> Recorder:
    """Turn 2: seat 0 has played an 8 of spades, and the top of the stock is known."""
    hands = {0: "8S", 1: second, 2: "8H 2S", 3: "8D"}
    return table(options, hands, "3H 4H 5H 6H 7H 9H TH QH KH", "9S").play("8S")


def test_mau_09_the_next_player_draws_three_and_does_not_discard() -> None:
    recorder = eight().take_eights().play("2S")
    assert told(recorder)[1:] == ["2.1 draw 3H 4H 5H eight", "2.1 pass eight", "3.2 play 2S"]
    accepted(recorder)
    rejected(eight(second="2D 3S").write("play", "3S", suit=None), "MAU-09")
    rejected(eight().write("pass", why="eight"), "MAU-09")
    rejected(eight().write("draw", "3H 4H", why="eight"), "MAU-09")
    rejected(eight().write("draw", "3H 4H 5H 6H", why="eight"), "MAU-09")
    rejected(eight().write("draw", "3H 4H 5H", why="unable"), "MAU-09")
    rejected(eight().write("draw", "3H 4H 5H", why="eight").write("play", "3H", suit=None), "MAU-09")
    rejected(eight().write("unable", fine=50), "MAU-09")
    rejected(eight().write("skip", turn=1), "MAU-09")


def test_mau_09_the_draw_and_the_pass_are_the_victims_own_turn() -> None:
    recorder = eight()
    rejected(recorder.write("draw", "3H 4H 5H", why="eight", turn=1), "LOG")
    rejected(eight().write("draw", "3H 4H 5H", why="eight", seat=2), "MAU-09")


def test_mau_09_no_stacking() -> None:
    rejected(eight(second="8C").write("play", "8C", suit=None), "MAU-09")


def test_mau_09_an_8_answered_by_an_8_adds_up() -> None:
    recorder = eight(STACKS, "8C").play("8C").play("8H").take_eights()
    assert told(recorder)[1:] == [
        "2.1 play 8C",
        "3.2 play 8H",
        "4.3 draw 3H 4H 5H 6H 7H 9H TH QH KH eight",
        "4.3 pass eight",
    ]
    assert recorder.table.pending == 0
    accepted(recorder)
    rejected(eight(STACKS, "8C").play("8C").write("draw", "3H 4H 5H", why="eight"), "MAU-09")


def test_mau_09_who_has_an_8_need_not_answer() -> None:
    recorder = eight(STACKS, "8C").take_eights()
    assert told(recorder)[1:] == ["2.1 draw 3H 4H 5H eight", "2.1 pass eight"]
    accepted(recorder)
    recorder = eight(STACKS, "8C").play("8C").take_eights()
    assert told(recorder)[2:] == ["3.2 draw 3H 4H 5H 6H 7H 9H eight", "3.2 pass eight"]
    accepted(recorder)


@pytest.mark.parametrize("card", ["JC", "3S", "KS"])
def test_mau_09_nothing_but_an_8_answers(card: str) -> None:
    rejected(eight(STACKS, card).write("play", card, suit=None), "MAU-09")


def test_mau_09_a_barred_players_last_8_does_not_answer() -> None:
    options = replace(DUEL, stack_eights=True)
    hands = {0: f"{BARRED_HAND} 3S", 1: "9H 8S 4H 5H 6H TH KH"}
    recorder = table(options, hands, "8H 2C 3C 4C", "9C").unable().play("9H")
    aces(recorder, BARRED_HAND).play("3S").play("8S")
    assert (recorder.table.hand, recorder.table.barred) == (["8H"], [True, False])
    rejected(recorder.write("play", "8H", suit=None), "MAU-07")
    del recorder.events[-1]
    assert told(recorder.take_eights())[-2:] == ["11.0 draw 2C 3C 4C eight", "11.0 pass eight"]
    accepted(recorder)


def test_mau_09_who_is_not_barred_wins_with_an_answer() -> None:
    options = replace(DUEL, stack_eights=True)
    recorder = table(options, {0: "AH AH AD AD AS 3S 8H", 1: "8S"}, start="9H")
    aces(recorder, "AH AH AD AD AS").play("3S").play("8S").play("8H")
    assert told(recorder)[-3:] == ["8.0 play 8H", "8.0 go_out", "8 end went_out"]
    assert judge(recorder.events).winner == 0


# ---------------------------------------------------------------- MAU-10


def test_mau_10_the_previous_player_draws_two() -> None:
    recorder = table(hands={0: "7S", 1: "2S"}, stock="3H 4H", start="9S").play("7S").play("2S")
    assert told(recorder) == ["1.0 play 7S", "1.3 draw 3H 4H seven", "2.1 play 2S"]
    accepted(recorder)
    rejected(table(hands={0: "7S"}, stock="3H 4H", start="9S").play("7S").events[:2], "LOG")
    events = recorder.events
    rejected([*events[:2], {**events[2], "seat": 1}], "MAU-10")
    rejected([*events[:2], {**events[2], "cards": ["3H"]}], "MAU-10")
    rejected([*events[:2], {**events[3]}], "MAU-10")
    rejected([*events[:3], {**events[2], "cards": ["5H", "6H"]}], "MAU-10")


def test_mau_10_even_if_he_was_skipped() -> None:
    recorder = table(hands={0: "AS", 2: "7S"}, stock="3H 4H", start="9S").play("AS").play("7S")
    assert told(recorder) == ["1.0 play AS", "1.1 skip", "2.2 play 7S", "2.1 draw 3H 4H seven"]
    accepted(recorder)


def test_mau_10_previous_in_the_direction_of_play() -> None:
    recorder = table(TEN, {0: "QS", 9: "7S"}, "3H 4H", "9S").play("QS").play("7S")
    assert told(recorder) == ["1.0 play QS", "1.0 reverse", "2.9 play 7S", "2.0 draw 3H 4H seven"]
    accepted(recorder)


def test_mau_10_between_two_it_is_the_other() -> None:
    recorder = table(Options(players=2), {0: "7S", 1: "2S"}, "3H 4H", "9S").play("7S").play("2S")
    assert told(recorder) == ["1.0 play 7S", "1.1 draw 3H 4H seven", "2.1 play 2S"]
    accepted(recorder)


def test_mau_10_the_next_player_draws_two_and_still_plays() -> None:
    options = Options(seven_hits="next")
    recorder = table(options, {0: "7S", 1: "2D"}, "3S 4H", "9S").play("7S").play("3S")
    assert told(recorder) == ["1.0 play 7S", "1.1 draw 3S 4H seven", "2.1 play 3S"]
    accepted(recorder)
    recorder = table(options, {0: "QS", 3: "7S"}, "3H 4H", "9S").play("QS").play("7S")
    assert told(recorder)[2:] == ["2.3 play 7S", "2.2 draw 3H 4H seven"]
    accepted(recorder)


# ---------------------------------------------------------------- MAU-11, 12


def test_mau_11_the_next_player_loses_his_turn() -> None:
    recorder = table(hands={0: "AS", 2: "2S"}, start="9S").play("AS").play("2S")
    assert told(recorder) == ["1.0 play AS", "1.1 skip", "2.2 play 2S"]
    accepted(recorder)
    recorder = table(hands={0: "AS", 1: "2S"}, start="9S").play("AS")
    events = recorder.events
    rejected([*events[:2], {**events[1], "turn": 2, "seat": 1, "cards": ["2S"]}], "MAU-11")
    rejected([*events[:2], {**events[2], "seat": 2}], "MAU-11")
    rejected([*events, {**events[1], "turn": 2, "seat": 1, "cards": ["2S"]}], "MAU-04")


def test_mau_11_in_the_direction_of_play_and_between_two() -> None:
    recorder = table(TEN, {0: "QS", 9: "AS", 7: "2S"}, start="9S").play("QS").play("AS").play("2S")
    assert told(recorder)[2:] == ["2.9 play AS", "2.8 skip", "3.7 play 2S"]
    accepted(recorder)
    recorder = table(Options(players=2), {0: "AS 2S"}, start="9S").play("AS").play("2S")
    assert told(recorder) == ["1.0 play AS", "1.1 skip", "2.0 play 2S"]
    accepted(recorder)


def test_mau_11_no_skip_without_an_ace() -> None:
    recorder = table(hands={0: "2S"}, start="9S").play("2S")
    rejected(recorder.write("skip", turn=1), "MAU-11")


def test_mau_12_the_direction_turns_until_another_queen() -> None:
    recorder = table(hands={0: "QS", 3: "2S", 2: "3S", 1: "4S"}, start="9S").play("QS").play("2S").play("3S").play("4S")
    assert told(recorder)[1:] == ["1.0 reverse", "2.3 play 2S", "3.2 play 3S", "4.1 play 4S"]
    accepted(recorder)
    recorder = table(hands={0: "QS", 3: "QD 2D", 2: "4D", 1: "5D"}, start="9S").play("QS").play("QD")
    assert told(recorder) == ["1.0 play QS", "1.0 reverse", "2.3 play QD", "2.3 reverse"]
    assert (recorder.table.seat, recorder.table.direction) == (0, 1)
    accepted(recorder)


def test_mau_12_the_player_before_the_queen_plays_next() -> None:
    recorder = table(hands={0: "QS", 1: "2S"}, start="9S").play("QS")
    recorder.table.seat = 1
    rejected(recorder.write("play", "2S", suit=None), "MAU-04")
    recorder = table(hands={0: "QS", 3: "2S"}, start="9S").play("QS")
    del recorder.events[-1]
    rejected(recorder.write("play", "2S", suit=None), "MAU-12")


def test_mau_12_with_two_players_the_opponent_simply_plays() -> None:
    recorder = table(Options(players=2), {0: "QS 2S", 1: "3S"}, start="9S").play("QS").play("3S")
    assert told(recorder) == ["1.0 play QS", "1.0 reverse", "2.1 play 3S"]
    accepted(recorder)
    recorder = table(Options(players=2), {0: "QS 2S"}, start="9S").play("QS")
    rejected(recorder.write("skip", turn=1), "MAU-11")


def test_mau_12_with_two_players_the_queen_plays_again_under_the_option() -> None:
    skips = Options(players=2, queen_skips_two_players=True)
    recorder = table(skips, {0: "QS 2S"}, start="9S").play("QS").play("2S")
    assert told(recorder) == ["1.0 play QS", "1.0 reverse", "1.1 skip", "2.0 play 2S"]
    accepted(recorder)
    rejected([*recorder.events[:3], {**recorder.events[4], "turn": 2, "seat": 1}], "MAU-12")
    recorder = table(Options(players=3, queen_skips_two_players=True), {0: "QS", 2: "2S"}, start="9S").play("QS")
    assert told(recorder.play("2S")) == ["1.0 play QS", "1.0 reverse", "2.2 play 2S"]
    accepted(recorder)


# ---------------------------------------------------------------- MAU-13


@pytest.mark.parametrize("start", ["2S", "8D", "QH", "AC", "JC"])
def test_mau_13_a_jack_goes_on_anything(start: str) -> None:
    accepted(table(hands={0: "JD"}, start=start).play("JD", "D"))


@pytest.mark.parametrize("suit", ["S", "H", "D", "C"])
def test_mau_13_it_announces_any_suit_which_must_be_followed(suit: str) -> None:
    other = "D" if suit != "D" else "H"
    hands = {0: "JD", 1: f"3{suit} 3{other} JC", 2: "9S"}
    accepted(table(hands=hands, start="2S").play("JD", suit).play(f"3{suit}"))
    accepted(table(hands=hands, start="2S").play("JD", suit).play("JC", "H"))
    rejected(table(hands=hands, start="2S").play("JD", suit).write("play", f"3{other}", suit=None), "MAU-13")


def test_mau_13_the_next_but_one_follows_the_card_on_the_jack() -> None:
    recorder = table(hands={0: "JD", 1: "3C", 2: "3H KD"}, start="2S").play("JD", "C").play("3C")
    rejected(recorder.write("play", "KD", suit=None), "MAU-04")
    accepted(table(hands={0: "JD", 1: "3C", 2: "3H"}, start="2S").play("JD", "C").play("3C").play("3H"))


@pytest.mark.parametrize("card", ["3S", "4H", "5D", "6C"])
def test_mau_13_unannounced_any_card_may_follow(card: str) -> None:
    hands = {0: "JD", 1: f"{card} 9{card[1]}", 2: "9S" if card[1] != "S" else "9H"}
    accepted(table(hands=hands, start="2S").play("JD").play(card))
    rejected(table(hands=hands, start="2S").play("JD").write("unable", fine=50), "MAU-06")


def test_mau_13_any_card_may_follow_once() -> None:
    recorder = table(hands={0: "JD", 1: "3C", 2: "4S"}, start="2S").play("JD").play("3C")
    rejected(recorder.write("play", "4S", suit=None), "MAU-04")


def test_mau_13_only_a_jack_announces() -> None:
    rejected(table(hands={0: "3S"}, start="2S").write("play", "3S", suit="S"), "MAU-13")
    rejected(table(hands={0: "JD"}, start="2S").write("play", "JD", suit="JD"), "LOG")


def test_mau_13_two_jacks_at_once_the_last_ones_suit_counts() -> None:
    hands = {0: "JD JC", 1: "3C 3D"}
    recorder = table(hands=hands, start="2S").play("JD JC").play("3C")
    assert told(recorder) == ["1.0 play JD JC C", "2.1 play 3C"]
    assert recorder.table.lixo == ["2S", "JD", "JC", "3C"]
    accepted(recorder)
    accepted(table(hands=hands, start="2S").play("JC JD").play("3D"))
    rejected(table(hands=hands, start="2S").play("JD JC").write("play", "3D", suit=None), "MAU-13")
    for suit in ("D", "S", "H", None):
        rejected(table(hands=hands, start="2S").write("play", "JD JC", suit=suit), "MAU-13")


@pytest.mark.parametrize("cards", ["JD 3S", "3S JD", "3S 3H", "JD JC JH", "3S 3H 3D"])
def test_mau_13_nothing_but_two_jacks_at_once(cards: str) -> None:
    rejected(table(hands={0: "JD JC JH 3S 3H 3D"}, start="2S").write("play", cards, suit=None), "MAU-13")


# ---------------------------------------------------------------- MAU-14


def test_mau_14_one_card_left_is_called_right_after_the_play() -> None:
    recorder = last_two("2C 3C").play("2C")
    assert told(recorder)[-2:] == ["6.0 play 2C", "6.0 call"]
    accepted(recorder)
    rejected(last_two("2C 3C").write("play", "2C", suit=None).write("play", "2H", suit=None, turn=7, seat=1), "MAU-14")


def test_mau_14_before_the_effect() -> None:
    recorder = last_two("7C 3C").play("7C")
    *before, play, call, draw = recorder.events
    accepted(recorder)
    assert [event["event"] for event in (play, call, draw)] == ["play", "call", "draw"]
    rejected([*before, play, draw], "MAU-14")


def test_mau_14_two_jacks_that_leave_one_card_are_called_too() -> None:
    recorder = table(DUEL, {0: "AH AH AD AD JS JC 3C"}, start="4H")
    aces(recorder, "AH AH AD AD").play("JS JC")
    assert told(recorder)[-2:] == ["5.0 play JS JC C", "5.0 call"]
    accepted(recorder)


def test_mau_14_it_is_not_called_with_more_cards_or_by_who_does_not_play() -> None:
    rejected(table(hands={0: "2S"}, start="9S").play("2S").write("call", turn=1, seat=0), "MAU-14")
    rejected(table(hands={0: "2S"}, start="9S").write("call"), "MAU-14")
    recorder = last_two("2C 3C").play("2C")
    rejected([*recorder.events[:-1], {**recorder.events[-1], "seat": 1}], "MAU-14")


def forgetful(rate: float) -> Options:
    """Calls are forgotten at this rate."""
    return replace(DUEL, forget_call_rate=rate)


def test_mau_14_forgotten_five_are_drawn_before_the_next_turn() -> None:
    recorder = last_two("2C 3C", forgetful(0.5)).play("2C", call=False)
    cards = recorder.events[0]["stock"][:5]
    assert told(recorder)[-2:] == ["6.0 play 2C", f"6.0 draw {' '.join(cards)} forgot_call"]
    *before, draw = recorder.events
    accepted(recorder)
    accepted(last_two("2C 3C", forgetful(0.5)).play("2C", call=True))
    rejected([*before, {**draw, "cards": cards[:4]}], "MAU-14")
    rejected([*before, {**draw, "seat": 1}], "MAU-14")
    rejected([*before, {**draw, "event": "pass", "cards": [], "why": "eight"}], "MAU-14")


def test_mau_14_forgotten_after_the_effect() -> None:
    recorder = last_two("AS 3C", forgetful(0.5)).play("AS", call=False)
    assert [event["event"] for event in recorder.events[-3:]] == ["play", "skip", "draw"]
    accepted(recorder)
    recorder = last_two("7C 3C", forgetful(0.5)).play("7C", call=False)
    seven, forgot = recorder.events[-2:]
    assert (seven["why"], forgot["why"]) == ("seven", "forgot_call")
    accepted(recorder)
    recorder = last_two("8C 3C", forgetful(0.5)).play("8C", call=False).take_eights()
    assert [event["event"] for event in recorder.events[-4:]] == ["play", "draw", "draw", "pass"]
    accepted(recorder)


def test_mau_14_never_and_always_forgotten() -> None:
    assert Options().forget_call_rate == 0
    for never in (0, 0.0):
        accepted(last_two("2C 3C", forgetful(never)).play("2C"))
        recorder = last_two("2C 3C", forgetful(never)).write("play", "2C", suit=None)
        rejected(recorder.write("draw", recorder.table.next_cards(5), why="forgot_call"), "MAU-14")
    for always in (1, 1.0):
        accepted(last_two("2C 3C", forgetful(always)).play("2C", call=False))
        rejected(last_two("2C 3C", forgetful(always)).write("play", "2C", suit=None).write("call"), "MAU-14")


def test_mau_14_who_draws_one_and_plays_it_calls_again() -> None:
    hands = {0: "AH AH AD AD AS 2S 3C", 1: "2H"}
    recorder = table(replace(DUEL, unable="draw_one"), hands, "9H", "4H")
    aces(recorder, "AH AH AD AD AS").play("2S").play("2H").unable().play_drawn()
    assert told(recorder)[-4:] == ["8.0 unable 0", "8.0 draw 9H unable", "8.0 play 9H", "8.0 call"]
    accepted(recorder)


# ---------------------------------------------------------------- MAU-15

ACTS = replace(DUEL, last_card_acts=True)


@pytest.mark.parametrize("card", ["8C", "7C", "AS", "QC"])
def test_mau_15_the_effects_of_the_winning_card_are_not_carried_out(card: str) -> None:
    recorder = last_card(card).play(card)
    assert told(recorder)[-3:] == [f"7.0 play {card}", "7.0 go_out", "7 end went_out"]
    assert judge(recorder.events).winner == 0
    played = recorder.events[:-2]
    for name, fields in (
        ("draw", {"cards": recorder.events[0]["stock"][:3], "why": "eight"}),
        ("draw", {"cards": recorder.events[0]["stock"][:2], "why": "seven"}),
        ("skip", {}),
        ("reverse", {}),
        ("call", {}),
    ):
        event = {"event": name, "turn": 7, "seat": 1, "cards": [], **fields}
        rejected([*played, event], "MAU-15")


def test_mau_15_an_8_is_drawn_before_the_count() -> None:
    recorder = table(ACTS, {0: "AH AH AD AD AC AC 8C"}, "2H 2D 2C", "4H")
    before = aces(recorder, "AH AH AD AD AC AC").table.hands[1].copy()
    recorder.play("8C")
    assert told(recorder)[-4:] == ["7.0 play 8C", "7.1 draw 2H 2D 2C eight", "7.0 go_out", "7 end went_out"]
    assert recorder.table.hands[1] == [*before, "2H", "2D", "2C"]
    assert judge(recorder.events).reason == "went_out"
    rejected([*recorder.events[:-3], recorder.events[-2]], "MAU-15")


@pytest.mark.parametrize(("seven_hits", "seat"), [("previous", 2), ("next", 1)])
def test_mau_15_a_7_is_drawn_before_the_count_by_whom_it_hits(seven_hits: str, seat: int) -> None:
    options = Options(players=3, packs=2, last_card_acts=True, seven_hits=seven_hits)
    recorder = all_but_one(options, "7S", "2H 2D").play("7S")
    assert told(recorder)[-3:] == [f"19.{seat} draw 2H 2D seven", "19.0 go_out", "19 end went_out"]
    assert judge(recorder.events).winner == 0


def all_but_one(options: Options, card: str, stock: str) -> Recorder:
    """Turn 19 of three players who followed spades: each holds one card, seat 0 this one."""
    hands = {0: f"2S 3S 4S 5S 6S 9S {card}", 1: "2S 3S 4S 5S 6S 9S 4H", 2: "TS TS KS KS JS JD 5H"}
    recorder = table(options, hands, stock, "QS")
    for number, third in zip("234569", ("TS", "TS", "KS", "KS", "JS", "JD"), strict=True):
        recorder.play(f"{number}S").play(f"{number}S").play(third, "S" if third[0] == "J" else None)
    return recorder


def test_mau_15_all_stacked_eights_are_drawn() -> None:
    options = replace(ACTS, stack_eights=True)
    hands = {0: "AH AH AD AD AS 3S 8H", 1: "8S"}
    recorder = table(options, hands, "2H 2D 2C 4D 4C 5C", "9H")
    aces(recorder, "AH AH AD AD AS").play("3S").play("8S").play("8H")
    assert told(recorder)[-3:] == ["8.1 draw 2H 2D 2C 4D 4C 5C eight", "8.0 go_out", "8 end went_out"]
    assert judge(recorder.events).winner == 0


def test_mau_15_nothing_else_is_carried_out() -> None:
    for card in ("AS", "QC", "JC", "2C"):
        recorder = last_card(card, ACTS).play(card)
        assert told(recorder)[-3:] == [f"7.0 play {card}", "7.0 go_out", "7 end went_out"]
        assert judge(recorder.events).winner == 0


def test_mau_15_who_has_no_card_left_goes_out_and_nobody_else() -> None:
    recorder = last_card("2C").play("2C")
    rejected([*recorder.events[:-2], {**recorder.events[-2], "seat": 1}], "MAU-15")
    rejected([*recorder.events[:-2], recorder.events[-1]], "MAU-15")
    rejected(table(hands={0: "2S"}, start="9S").write("go_out"), "MAU-15")
    two = last_two("2C 3C").play("2C")
    rejected(two.write("go_out", turn=6, seat=0), "MAU-15")


def test_mau_15_a_barred_player_is_not_out() -> None:
    recorder = barred("2S", "3H").play("2S").play("2H")
    rejected(recorder.write("play", "3H", suit=None), "MAU-07")
