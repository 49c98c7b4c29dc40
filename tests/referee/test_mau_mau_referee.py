"""The referee of mau-mau on hand-written rounds: form, deal, start card, following, stock (MAU-01 to 05, 16, 17)."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tests.referee.cards import PACK_52
from tests.referee.log import Event, RuleBroken, read_jsonl
from tests.referee.mau_mau import judge
from tests.referee.mau_mau_builder import Recorder, random_deal
from tests.referee.mau_mau_checks import accepted, rejected, told
from tests.referee.mau_mau_deal import is_decided
from tests.referee.mau_mau_options import Options
from tests.referee.mau_mau_random_player import random_log
from tests.referee.mau_mau_scenes import SCENES, last_card, stuck, table
from tests.referee.mau_mau_table import MOST_TURNS

ACTS = Options(start_card_acts=True)


def deal_with(log: list[Event] | None = None, **changes: Any) -> list[Event]:
    """A round whose first line has these fields."""
    first, *others = table().finish() if log is None else log
    return [{**first, **changes}, *others]


@pytest.mark.parametrize("name", SCENES)
def test_hand_written_rounds_are_accepted(name: str) -> None:
    log = SCENES[name]()
    verdict = judge(log)
    assert verdict.events == len(log)
    assert verdict.scores == [lines["total"] for lines in verdict.details]


def test_a_fault_names_article_event_turn_and_seat() -> None:
    log = stuck("fine_draw").unable().unable().finish()
    log[2] = {**log[2], "seat": 1}
    with pytest.raises(RuleBroken) as caught:
        judge(log)
    assert (caught.value.article, caught.value.event_index) == ("MAU-06", 2)
    assert (caught.value.turn, caught.value.seat) == (1, 0)


def test_a_verdict_says_who_won_and_how() -> None:
    verdict = judge(last_card("JS", loser="2S 2S 2D 2D 2C 2C 2H").play("JS").events)
    assert (verdict.reason, verdict.turns, verdict.winner, verdict.scores) == ("went_out", 7, 0, [0, -28])
    assert judge(SCENES["void"]()).winner is None


def test_rounds_are_read_from_json_lines() -> None:
    logs = [SCENES["void"](), SCENES["won with a Jack"]()]
    lines = [json.dumps(event) for log in logs for event in log]
    assert [judge(log).turns for log in read_jsonl([*lines, ""])] == [2, 7]


# ---------------------------------------------------------------- MAU-01 to 04


@pytest.mark.parametrize(("players", "packs"), [*product(range(2, 11), ("auto", 2)), *product(range(2, 8), (1,))])
def test_mau_01_two_to_ten_players_with_one_pack_or_two(players: int, packs: str | int) -> None:
    options = Options(players=players, packs=packs)
    log = table(options).finish()
    count = {"auto": 1 if players <= 4 else 2, 1: 1, 2: 2}[packs]
    cards = [*log[0]["stock"], log[0]["start_card"], *(card for hand in log[0]["hands"] for card in hand)]
    assert Counter(cards) == Counter(dict.fromkeys(PACK_52, count))
    assert len(judge(log).scores) == players
    rejected(deal_with(log, options={**options.as_json(), "packs": 3 - count})[:1], "MAU-01")


@pytest.mark.parametrize("players", [8, 9, 10])
def test_mau_01_one_pack_is_not_enough_for_more_than_seven(players: int) -> None:
    options = Options(players=players).as_json()
    rejected(deal_with(table(Options(players=players)).events, options={**options, "packs": 1})[:1], "MAU-01")


def test_mau_01_no_jokers_no_other_cards() -> None:
    deal = table().events[0]
    for card in ("JK", "4S" if deal["hands"][0][0] != "4S" else "5S"):
        hands = [[card, *deal["hands"][0][1:]], *deal["hands"][1:]]
        rejected(deal_with(hands=hands)[:1], "MAU-01")
    rejected(deal_with(start_card="JK")[:1], "MAU-01")
    rejected(deal_with(policies=["scripted"] * 3)[:1], "LOG")


def test_mau_02_deal_i_is_dealt_by_seat_i_mod_players() -> None:
    for deal in range(7):
        log = random_log(Options(players=3), random.Random(deal), deal)
        assert (log[0]["dealer"], log[0]["first"]) == (deal % 3, (deal + 1) % 3)
        judge(log)
        rejected(deal_with(log, dealer=(deal + 1) % 3, first=(deal + 2) % 3)[:1], "MAU-02")
        judge(deal_with(log, match=4, deal=deal + 1))  # in a match the dealer of the first round is drawn


def test_mau_03_seven_cards_each_and_one_turned() -> None:
    deal = table().events[0]
    more = [[*deal["hands"][0], deal["stock"][0]], *deal["hands"][1:]]
    rejected(deal_with(hands=more, stock=deal["stock"][1:])[:1], "MAU-03")
    rejected(deal_with(hands=deal["hands"][1:], stock=[*deal["stock"], *deal["hands"][0]])[:1], "MAU-03")
    rejected(deal_with(stock=deal["stock"][1:])[:1], "MAU-01")
    for start in (None, [], [deal["start_card"]], ""):
        rejected(deal_with(start_card=start)[:1], "LOG")


def test_mau_03_a_card_drawn_is_the_top_of_the_stock() -> None:
    recorder = stuck("fine_draw", "KS QS")
    assert recorder.events[0]["stock"][:2] == ["KS", "QS"]
    recorder.write("unable", fine=50)
    rejected(recorder.write("draw", "QS", why="unable"), "CARDS")


def test_mau_04_the_left_of_the_dealer_begins_and_play_goes_clockwise() -> None:
    plain = {0: "2S 3S", 1: "4S", 2: "5S", 3: "6S"}
    recorder = table(hands=plain, start="9S").play("2S").play("4S").play("5S").play("6S").play("3S")
    assert told(recorder) == ["1.0 play 2S", "2.1 play 4S", "3.2 play 5S", "4.3 play 6S", "5.0 play 3S"]
    accepted(recorder)
    rejected(deal_with(first=1)[:1], "MAU-04")
    recorder = table(hands=plain, start="9S").play("2S")
    recorder.table.seat = 2
    rejected(recorder.write("play", "5S", suit=None), "MAU-04")


@pytest.mark.parametrize(("card", "follows"), [("2S", True), ("9D", True), ("2D", False), ("8H", False)])
def test_mau_04_a_card_follows_by_rank_or_suit(card: str, follows: bool) -> None:
    recorder = table(hands={0: f"{card} 3S"}, start="9S")
    if follows:
        accepted(recorder.play(card))
    else:
        rejected(recorder.write("play", card, suit=None), "MAU-04")


def test_mau_04_the_last_card_played_is_followed_not_the_start_card() -> None:
    recorder = table(hands={0: "9D", 1: "2S 3D"}, start="9S").play("9D")
    rejected(recorder.write("play", "2S", suit=None), "MAU-04")


def test_mau_04_who_can_follow_must_play() -> None:
    rejected(table(hands={0: "2S"}, start="9S").write("unable", fine=50), "MAU-06")
    rejected(table(hands={0: "2S"}, start="9S").write("pass", why="barred"), "MAU-07")
    rejected(table(hands={0: "2S"}, start="9S").write("pass", why="eight"), "MAU-09")
    recorder = table(hands={0: "2S"}, start="9S")
    rejected(recorder.write("draw", recorder.table.next_cards(1), why="unable"), "MAU-06")


def test_mau_04_one_card_of_the_own_hand() -> None:
    rejected(table(hands={0: "2S", 1: "3S"}, start="9S").write("play", "3S", suit=None), "CARDS")
    rejected(table(hands={0: "2S"}, start="9S").write("play", "", suit=None), "MAU-04")
    rejected(table(hands={0: "2S"}, start="9S").write("play", "2S 2S", suit=None), "CARDS")


# ---------------------------------------------------------------- MAU-05


@pytest.mark.parametrize("start", ["8S", "7S", "AS", "QS"])
def test_mau_05_the_start_card_has_no_effect(start: str) -> None:
    recorder = table(hands={0: "2S"}, start=start).play("2S")
    assert told(recorder) == ["1.0 play 2S"]
    accepted(recorder)


def test_mau_05_a_jack_turned_up_is_its_own_suit_and_rank() -> None:
    accepted(table(hands={0: "2S"}, start="JS").play("2S"))
    rejected(table(hands={0: "2S 2D"}, start="JS").write("play", "2D", suit=None), "MAU-04")
    accepted(table(hands={0: "JD"}, start="JS").play("JD", "C"))


def test_mau_05_an_8_turned_up_is_drawn_for_and_skips() -> None:
    recorder = table(ACTS, {0: "8D", 1: "2S"}, "4H 5H 6H", "8S").play("2S")
    assert told(recorder) == ["1.0 draw 4H 5H 6H start_card", "1.0 skip", "1.1 play 2S"]
    accepted(recorder)
    stacks = replace(ACTS, stack_eights=True)
    recorder = Recorder(table(stacks, {0: "8D", 1: "8H"}, "4H 5H 6H", "8S").events[0], Options())
    rejected(recorder.write("play", "8D", suit=None), "MAU-05")  # the start card's 8 cannot be answered
    assert judge(table(stacks, {1: "8H"}, start="8S").play("8H").finish())


def test_mau_05_an_8_turned_up_for_seven_with_one_pack() -> None:
    options = replace(ACTS, players=7, packs=1)
    recorder = table(options, {1: "2S"}, "4H 5H", "8S")
    assert told(recorder) == ["1.0 draw 4H 5H start_card", "1.0 skip"]  # there are no more cards
    accepted(recorder)


def test_mau_05_an_ace_turned_up_skips() -> None:
    recorder = table(ACTS, {1: "2S"}, start="AS").play("2S")
    assert told(recorder) == ["1.0 skip", "1.1 play 2S"]
    accepted(recorder)
    recorder = table(Options(players=2, start_card_acts=True), {1: "2S"}, start="AS").play("2S")
    assert told(recorder) == ["1.0 skip", "1.1 play 2S"]
    accepted(recorder)


@pytest.mark.parametrize("seven_hits", ["previous", "next"])
def test_mau_05_the_dealer_draws_for_a_7_turned_up(seven_hits: str) -> None:
    recorder = table(replace(ACTS, seven_hits=seven_hits), {0: "2S"}, "4H 5H", "7S").play("2S")
    assert told(recorder) == ["1.3 draw 4H 5H start_card", "1.0 play 2S"]
    accepted(recorder)


def test_mau_05_a_queen_turned_up_turns_the_direction() -> None:
    recorder = table(ACTS, {2: "2S", 1: "3S", 0: "4S"}, start="QS").play("2S").play("3S").play("4S")
    assert told(recorder) == ["1.3 reverse", "1.2 play 2S", "2.1 play 3S", "3.0 play 4S"]
    accepted(recorder)
    rejected(deal_with(table(ACTS, start="QS").events, first=0)[:1], "MAU-05")
    two = Options(players=2, start_card_acts=True, queen_skips_two_players=True)
    recorder = table(two, {0: "2S"}, start="QS").play("2S")
    assert told(recorder) == ["1.1 reverse", "1.0 play 2S"]  # nobody played the Queen, so nobody plays again
    accepted(recorder)


def test_mau_05_any_card_follows_a_jack_turned_up() -> None:
    accepted(table(ACTS, {0: "2D"}, start="JS").play("2D"))
    rejected(table(ACTS, {0: "2D"}, start="JS").write("unable", fine=50), "MAU-06")
    recorder = table(ACTS, {0: "2D", 1: "3S 3D"}, start="JS").play("2D")
    rejected(recorder.write("play", "3S", suit=None), "MAU-04")


@pytest.mark.parametrize("start", ["8S", "7S", "AS", "QS"])
def test_mau_05_the_effect_is_not_left_out(start: str) -> None:
    recorder = table(ACTS, {seat: f"2{suit}" for seat, suit in enumerate("SHDC")}, start=start)
    del recorder.events[1:]
    seat = recorder.events[0]["first"]
    rejected(recorder.write("play", recorder.table.hands[seat][0], suit=None, seat=seat), "MAU-05")


# ---------------------------------------------------------------- MAU-16, 17


def exhausted() -> Recorder:
    """Turn 5 of seven players with one pack: an 8 and a 7 have taken the stock and, twice, the lixo."""
    hands = {0: "9S", 1: "8S", 3: "7S", 4: "2S"}
    recorder = table(Options(players=7, packs=1), hands, "4H 5H", "KS").play("9S").play("8S")
    recorder.new_stock = "KS"
    return recorder.take_eights().play("7S")


def test_mau_16_the_lixo_but_its_top_card_is_the_new_stock() -> None:
    recorder = exhausted()
    assert told(recorder) == [
        "1.0 play 9S",
        "2.1 play 8S",
        "3.2 draw 4H 5H eight",
        "3.2 reshuffle KS 9S",
        "3.2 draw KS eight",
        "3.2 pass eight",
        "4.3 play 7S",
        "4.2 draw 9S seven",
        "4.2 reshuffle 8S",
        "4.2 draw 8S seven",
    ]
    accepted(recorder)


@pytest.mark.parametrize("stock", ["9S", "KS 9S 8S", "KS 8S", "KS KS", ""])
def test_mau_16_no_card_more_and_none_less(stock: str) -> None:
    events = exhausted().events[:4]
    reshuffle = {"event": "reshuffle", "turn": 3, "seat": 2, "cards": [], "stock": stock.split()}
    rejected([*events, reshuffle], "MAU-16")


def test_mau_16_only_when_a_card_must_be_drawn_and_the_stock_is_empty() -> None:
    recorder = table(hands={0: "2S"}, start="9S")
    rejected(recorder.write("reshuffle", stock=[]), "MAU-16")
    recorder = table(hands={0: "2S", 1: "3S"}, start="9S").play("2S")
    rejected(recorder.write("reshuffle", stock=["9S"]), "MAU-16")
    events = exhausted().events
    rejected([*events[:4], events[6]], "MAU-16")  # the pass without the reshuffle


def test_mau_16_a_draw_is_split_by_a_reshuffle_alone() -> None:
    recorder = table(hands={0: "8S"}, stock="4H 5H 6H", start="9S").play("8S")
    rejected(recorder.write("draw", "4H 5H", why="eight"), "MAU-09")


def test_mau_16_still_short_draw_what_there_is() -> None:
    hands = {0: "8S", 1: "2S", 2: "3S", 3: "7S"}
    recorder = table(Options(players=7, packs=1), hands, "4H 5H", "KS").play("8S").take_eights().play("3S")
    assert told(recorder) == [
        "1.0 play 8S",
        "2.1 draw 4H 5H eight",
        "2.1 reshuffle KS",
        "2.1 draw KS eight",
        "2.1 pass eight",
        "3.2 play 3S",
    ]
    recorder.play("7S")
    assert told(recorder)[6:] == ["4.3 play 7S", "4.2 reshuffle " + told(recorder)[7][14:], told(recorder)[8]]
    assert (recorder.table.stock, recorder.table.lixo) == ([], ["7S"])
    accepted(recorder)


def test_mau_16_with_one_card_under_the_top_one_card_is_drawn_for_a_seven() -> None:
    recorder = table(Options(players=7, packs=1), {0: "8S", 2: "7S"}, "4H 5H", "KS").play("8S").take_eights()
    recorder.play("7S")
    assert told(recorder, -2) == ["3.1 reshuffle 8S", "3.1 draw 8S seven"]
    accepted(recorder)


def test_mau_16_an_announced_suit_stays_with_the_top_card() -> None:
    options = Options(players=7, packs=1)
    clubs = "2C 3C 4C 5C 6C 7C 9C"
    hands = {0: "8S JS", 1: clubs, 2: "8H", 3: "TD", 6: "8D JD", 4: "JH JC"}
    recorder = table(options, hands, "TC KC", "KS").play("8S").take_eights().play("8H").take_eights()
    assert told(recorder, 3)[-5:] == [
        "2.1 pass eight",
        "3.2 play 8H",
        "4.3 reshuffle 8S",
        "4.3 draw 8S eight",
        "4.3 pass eight",
    ]
    recorder.play("JC", "C")
    assert (recorder.table.seat, recorder.table.can_follow()) == (5, False)
    recorder.unable()
    assert told(recorder)[-3:] == ["6.5 unable 50", "6.5 reshuffle 8H", "6.5 draw 8H unable"]
    assert recorder.table.announced == "C"
    strangers = [card for card in recorder.table.hand if card[1] != "C" and card[0] != "J"]
    rejected(recorder.write("play", strangers[:1], suit=None), "MAU-13")


def capped() -> list[Event]:
    """Two who always forget to call, and draw five cards each time, play on without end."""
    return random_log(Options(players=2, forget_call_rate=1.0), random.Random(3))


def test_mau_17_two_thousand_turns_and_no_more() -> None:
    log = capped()
    verdict = judge(log)
    assert (verdict.reason, verdict.turns, verdict.winner) == ("cap", MOST_TURNS, None)
    assert verdict.turns == 2000
    assert all(line["factor"] == 1 and line["fines"] == 0 for line in verdict.details)
    assert verdict.scores == [line["hand"] for line in verdict.details]
    last = log[-2]
    rejected([*log[:-1], {**last, "turn": 2001, "seat": 1 - last["seat"]}], "MAU-17")
    rejected([*log[:-1], {**log[-1], "reason": "void"}], "MAU-17")
    early = next(index for index, event in enumerate(log) if event.get("turn") == 2000)
    assert log[early]["event"] in ("play", "unable")
    rejected([*log[:early], {**log[-1], "turn": 1999}], "MAU-17")


# ---------------------------------------------------------------- form


def test_every_event_has_its_fields_and_no_others() -> None:
    for log in (SCENES["void"](), SCENES["bars lifted"](), SCENES["won with an 8"](), SCENES["start card Queen"]()):
        for index, event in enumerate(log):
            for name in event:
                shorter = {key: value for key, value in event.items() if key != name}
                with pytest.raises(RuleBroken, match="LOG"):
                    judge([*log[:index], shorter, *log[index + 1 :]])
            with pytest.raises(RuleBroken, match="LOG"):
                judge([*log[:index], {**event, "why_not": 1}, *log[index + 1 :]])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("players", 1),
        ("players", 11),
        ("packs", 3),
        ("packs", "1"),
        ("start_card_acts", 0),
        ("unable", "fine"),
        ("stack_eights", None),
        ("seven_hits", "both"),
        ("queen_skips_two_players", 1),
        ("forget_call_rate", 1.01),
        ("forget_call_rate", "0"),
        ("forget_call_rate", True),
        ("last_card_acts", "no"),
        ("winner_collects", 1.0),
        ("target", -1000),
        ("target", 0),
    ],
)
def test_options_have_their_values_and_no_others(name: str, value: object) -> None:
    rejected(deal_with(options={**Options().as_json(), name: value})[:1], "LOG")


def test_every_option_is_stated_and_no_other() -> None:
    options = Options().as_json()
    assert list(options) == [
        "players",
        "packs",
        "start_card_acts",
        "unable",
        "stack_eights",
        "seven_hits",
        "queen_skips_two_players",
        "forget_call_rate",
        "last_card_acts",
        "winner_collects",
        "target",
    ]
    for name in options:
        rejected(deal_with(options={key: options[key] for key in options if key != name})[:1], "LOG")
    rejected(deal_with(options={**options, "jokers": 0})[:1], "LOG")
    rejected(deal_with(options=[])[:1], "LOG")


def test_mau_19_a_match_begins_at_nothing_and_goes_on_until_it_is_decided() -> None:
    assert judge(deal_with(match=0, deal=7, scores_before=[-999, 20, 999, 0]))
    assert judge(deal_with(match=0, deal=7, scores_before=[-1000, 20, 20, 0]))  # the best total is not alone
    rejected(deal_with(match=0, deal=7, scores_before=[-1000, 20, 19, 0])[:1], "MAU-19")
    rejected(deal_with(match=0, deal=0, scores_before=[-10, 0, 0, 0])[:1], "MAU-19")
    rejected(deal_with(scores_before=[-10, 0, 0, 0])[:1], "MAU-19")
    rejected(deal_with(scores_before=[0, 0, 0])[:1], "LOG")


def test_mau_19_when_a_match_is_decided() -> None:
    paying, collecting = Options(players=2, target=500), Options(players=2, target=500, winner_collects=True)
    assert is_decided([-500, 0], paying)
    assert not is_decided([-499, 700], paying)
    assert not is_decided([-600, -600], paying)
    assert is_decided([500, 499], collecting)
    assert not is_decided([499, 0], collecting)
    assert not is_decided([700, 700], collecting)


def test_random_deals_are_whole() -> None:
    deal = random_deal(Options(players=10), random.Random(5), 3)
    assert [len(hand) for hand in deal["hands"]] == [7] * 10
    assert len(deal["stock"]) == 104 - 70 - 1
