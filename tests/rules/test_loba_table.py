"""Loba: players, packs, the deal and the exposed card, counts and matches (LOB-01 to LOB-03, LOB-14, LOB-16)."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from math import sqrt
from typing import Any

import numpy as np
import pytest

from kernels.cards import RANKS, SUITS, card_text, pack
from kernels.loba.layout import SPEC, jokers_for, match_winners, next_dealers
from kernels.match_ends import SHARED, UNDECIDED
from kernels.rng import PURPOSE_DEAL, shuffle, stream_start
from sim import batch, match
from sim.games import make_setup
from sim.replay import Event, Replayer
from tests.rules.loba_table import Desk

COUNTED = 1_000_000


def dealt(deals: int = 30, **rules: Any) -> list[list[Event]]:
    replayer = Replayer(make_setup("loba", seed=11, policies="novice", rules=rules))
    return [replayer.deal(deal) for deal in range(deals)]


def pack_of(jokers: int) -> Counter[str]:
    return Counter({rank + suit: 2 for rank in RANKS for suit in SUITS} | ({"JK": jokers} if jokers else {}))


@pytest.mark.parametrize(("players", "jokers"), [(2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4)])
def test_lob_01_two_packs_and_jokers_by_the_players(players: int, jokers: int) -> None:
    assert jokers_for(players) == jokers
    for events in dealt(10, players=players):
        start = events[0]
        assert [len(hand) for hand in start["hands"]] == [9] * players
        assert Counter([*chain(*start["hands"]), *start["stock"], start["exposed"]]) == pack_of(jokers)


@pytest.mark.parametrize("jokers", range(9))
@pytest.mark.parametrize("players", [2, 7])
def test_lob_01_jokers_by_the_option(players: int, jokers: int) -> None:
    for events in dealt(10, players=players, jokers=jokers):
        start = events[0]
        assert Counter([*chain(*start["hands"]), *start["stock"], start["exposed"]]) == pack_of(jokers)


@pytest.mark.parametrize("players", range(2, 8))
def test_lob_01_turns_go_clockwise(players: int) -> None:
    for events in dealt(10, players=players):
        turns = {event["turn"]: event["seat"] for event in events[1:-1] if event["event"] != "redeal"}
        first = events[0]["first"]
        assert [turns[turn] for turn in sorted(turns)] == [(first + turn) % players for turn in range(len(turns))]


def test_lob_02_every_seat_deals_and_the_next_one_begins() -> None:
    deals = dealt(20)
    assert Counter(events[0]["dealer"] for events in deals) == dict.fromkeys(range(4), 5)
    assert all(events[0]["first"] == (events[0]["dealer"] + 1) % 4 for events in deals)


def test_lob_02_three_cards_at_a_time_from_the_left() -> None:
    """The order of the pack is that of the stream of the deal."""
    for events in (log for log in dealt(10) if log[1]["event"] != "redeal"):
        start = events[0]
        deck = np.concatenate([pack(2), np.array([0, 16, 32], np.uint8)])
        begin = stream_start(np.uint64(11), np.int64(-1), np.uint64(start["deal"]), PURPOSE_DEAL)
        stream = np.array([begin], np.uint64)
        shuffle(stream, deck, np.int64(107))
        order = [card_text(int(card)) for card in deck]
        for seat in range(4):
            place = (seat - start["first"]) % 4
            own = [order[12 * lap + 3 * place + card] for lap in range(3) for card in range(3)]
            assert Counter(start["hands"][seat]) == Counter(own)
        assert start["stock"] == order[36:-1]
        assert start["exposed"] == order[-1]


@pytest.mark.parametrize(("players", "jokers", "cards"), [(2, 2, 106), (4, 3, 107), (7, 4, 108)])
def test_lob_03_the_chance_that_a_joker_is_exposed(players: int, jokers: int, cards: int) -> None:
    """2/106, 3/107 and 4/108."""
    setup = make_setup("loba", seed=3, policies="novice", rules={"players": players})
    deals = COUNTED // 10
    redeals = batch.play_deals(setup, 0, deals)["redeals"]
    chance = jokers / cards
    assert abs((redeals > 0).mean() - chance) < 4 * sqrt(chance * (1 - chance) / deals)
    # A redeal may expose a joker again: so many follow each other as the geometric law says.
    again = (redeals > 1).sum() / (redeals > 0).sum()
    assert abs(again - chance) < 4 * sqrt(chance * (1 - chance) / (redeals > 0).sum())


@pytest.mark.slow
def test_lob_03_the_chance_that_a_joker_is_exposed_over_a_million_deals() -> None:
    redeals = batch.play_deals(make_setup("loba", seed=5, policies="novice"), 0, COUNTED)["redeals"]
    chance = 3 / 107
    assert abs((redeals > 0).mean() - chance) < 4 * sqrt(chance * (1 - chance) / COUNTED)


def test_lob_03_a_redeal_shows_the_joker_and_all_the_cards() -> None:
    met = 0
    for events in dealt(200, jokers=8):
        start = events[0]
        assert start["exposed"] != "JK"
        for event in events[1:]:
            if event["event"] != "redeal":
                break
            met += 1
            assert (event["turn"], event["seat"], event["exposed"]) == (1, start["dealer"], "JK")
            assert event["cards"][-1] == "JK"
            assert Counter(event["cards"]) == pack_of(8)
    assert met > 5


def test_lob_03_the_exposed_card_is_never_drawn() -> None:
    setup = make_setup("loba", seed=4, policies="random:stop_weight=100", rules={"players": 7})
    for deal in range(20):
        events = Replayer(setup).deal(deal)
        exposed = events[0]["exposed"]
        drawn = Counter(card for event in events if event["event"] == "draw" for card in event["cards"])
        dealt_out = Counter([*chain(*events[0]["hands"]), *events[0]["stock"]])
        if not any(event["event"] == "reshuffle" for event in events):
            assert drawn[exposed] <= dealt_out[exposed] <= 1


def test_lob_14_the_values_of_cards() -> None:
    values = {"2S": 2, "9H": 9, "TD": 10, "JC": 10, "QS": 10, "KH": 10, "AS": 15, "JK": 15}
    for card, value in values.items():
        desk = Desk({0: "4S", 1: card}, players=2).throw("4S").go_out()
        assert desk.scores() == [20, -2 * value]
    assert Desk({0: "4S", 1: "2S TS AS JK KS"}, players=2).own("9D 9C 9H").throw("4S").go_out().scores() == [0, -52]


def test_lob_14_nobody_goes_out_and_everybody_counts() -> None:
    assert Desk({0: "4S", 1: "2S", 2: "AS", 3: "2H"}).scores() == [-4, -2, -15, -2]
    assert Desk({0: "4S", 1: "2S", 2: "AS", 3: "2H"}).record.winner == 0


def test_lob_16_the_last_one_still_in_wins() -> None:
    scores = np.array([[-100, -99, -250], [-99, -99, -250], [-100, -100, -250], [-120, -101, -101]])
    options = {"target": 100}
    assert match_winners(scores, options).tolist() == [1, UNDECIDED, SHARED, SHARED]
    assert match_winners(np.array([[-100, -130]]), options).tolist() == [0]


def test_lob_16_the_deal_passes_to_the_next_one_still_in() -> None:
    scores = np.array([[-5, -100, -120, -7], [-5, -100, -120, -107], [-5, -6, -7, -8]])
    assert next_dealers(np.array([0, 0, 3]), scores, {"target": 100}, 4).tolist() == [3, 0, 0]


def test_lob_16_who_is_out_has_no_cards_and_no_turns() -> None:
    setup = make_setup("loba", seed=21, policies="novice", rules={"players": 5})
    out_for_rounds = 0
    for number in range(6):
        for events in Replayer(setup).match(number):
            start = events[0]
            out = {seat for seat, score in enumerate(start["scores_before"]) if score <= -100}
            out_for_rounds += len(out)
            assert {seat for seat, hand in enumerate(start["hands"]) if not hand} == out
            assert {event["seat"] for event in events[1:-1]} <= set(range(5)) - out
            assert all(events[-1]["scores"][seat] == 0 for seat in out)
            jokers = jokers_for(5 - len(out))
            assert Counter([*chain(*start["hands"]), *start["stock"], start["exposed"]]) == pack_of(jokers)
    assert out_for_rounds > 10


def test_lob_16_a_match_lasts_until_one_is_left() -> None:
    setup = make_setup("loba", seed=22, policies="novice", rules={"players": 3})
    matches, records = match.play_matches(setup, 0, 50)
    for row in matches:
        own = records[records["match"] == row["match"]]
        totals = own["score"][:, :3].sum(axis=0)
        assert totals.tolist() == row["scores"].tolist()
        assert (totals > -100).sum() <= 1
        assert (totals - own["score"][-1, :3] > -100).sum() >= 2
        assert own["eliminated"][:, :3].sum() == (totals <= -100).sum()
        if row["winner"] >= 0:
            assert totals[row["winner"]] == totals.max()


def test_lob_16_the_bonus_is_banked() -> None:
    """Twenty points above zero count in a match as they are."""
    desk = Desk({0: "4S 5S 6S", 1: "2S"}, players=2).lay("4S 5S 6S").go_out()
    assert desk.scores() == [20, -4]


def test_the_target_eliminates_from_its_value_on() -> None:
    assert {option.name: option.default for option in SPEC.options}["target"] == 100
    desk = Desk({0: "KS", 1: "2S"}, players=2, target=10)
    desk.scores()
    assert desk.record.eliminated[:2].tolist() == [1, 0]
