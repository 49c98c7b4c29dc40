"""Escopa: the table and the deals, read off the events of dealt packs (ESC-01 to ESC-04, ESC-07, ESC-12)."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, pairwise
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from kernels.escopa.deal import fifteens_of_four
from kernels.escopa.fifteens import ALL, total_of
from kernels.escopa.layout import faces
from sim import batch
from sim.games import make_setup
from sim.replay import Event, Replayer
from tests.rules.escopa_table import Desk

DEALS = 300
COUNTED = 1_000_000
PACK = [rank + suit for rank in "A234567QJK" for suit in "CDHS"]
ONE_FIFTEEN, TWO_FIFTEENS = 3_120, 876
"""Of all openings, those that make fifteen together and in two pairs."""


def dealt(deals: int = DEALS, seed: int = 11, policy: str = "standard", **rules: Any) -> list[list[Event]]:
    replayer = Replayer(make_setup("escopa", seed=seed, rules=rules, policies=policy))
    return [replayer.deal(deal) for deal in range(deals)]


@pytest.mark.parametrize(("figures", "eight", "nine"), [("qjk", "Q", "J"), ("jqk", "J", "Q")])
def test_esc_01_forty_cards_and_their_values(figures: str, eight: str, nine: str) -> None:
    desk = Desk(figures=figures)
    values = {f"{rank}S": total_of(desk.word(f"{rank}S")) for rank in "A234567" + eight + nine + "K"}
    assert list(values.values()) == list(range(1, 11))
    assert desk.word(" ".join(PACK)) == ALL
    assert total_of(ALL) == 220
    assert len(set(faces(0).tolist())) == 40


@pytest.mark.parametrize("cards", ["7S QS", "3C 4D QH", "7S 4S 3S AS", "KD 5C", "JH 6S"])
def test_esc_01_the_fifteens_of_the_rule_sheet(cards: str) -> None:
    assert total_of(Desk().word(cards)) == 15


def test_esc_01_a_card_is_what_the_option_says() -> None:
    assert Desk("7S", table="QD JD", figures="qjk").article("7S", "QD") == 0
    assert Desk("7S", table="QD JD", figures="qjk").article("7S", "JD") == 5
    assert Desk("7S", table="QD JD", figures="jqk").article("7S", "JD") == 0
    assert Desk("7S", table="QD JD", figures="jqk").article("7S", "QD") == 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_esc_02_everybody_plays_in_turn(players: int) -> None:
    for events in dealt(30, players=players, deal_passes=False):
        plays = [event for event in events if event["event"] == "play"]
        assert [play["seat"] for play in plays] == [(events[0]["first"] + turn) % players for turn in range(len(plays))]
        assert [play["turn"] for play in plays] == list(range(1, len(plays) + 1))


@pytest.mark.parametrize(("players", "sides"), [(2, [0, 1]), (3, [0, 1, 2]), (4, [0, 1, 0, 1])])
def test_esc_02_four_players_are_two_pairs(players: int, sides: list[int]) -> None:
    setup = make_setup("escopa", rules={"players": players})
    assert (setup.seats, setup.sides) == (players, max(sides) + 1)
    assert [setup.spec.side_of(seat, setup.options) for seat in range(players)] == sides
    desks = [Desk("7S", seat=seat, table="QD", players=players) for seat in range(players)]
    for desk, side in zip(desks, sides, strict=True):
        assert desk.play("7S", "QD").taken(side) == "7S QD"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_esc_03_three_cards_each_and_four_face_up(players: int) -> None:
    for events in dealt(40, players=players):
        start = events[0]
        assert [len(hand) for hand in start["hands"]] == [3] * players
        assert len(start["table"]) == 4
        assert Counter(chain(*start["hands"], start["table"], start["stock"])) == Counter(PACK)
        assert start["first"] == (start["dealer"] + 1) % players


def test_esc_03_every_seat_deals_equally_often() -> None:
    assert Counter(events[0]["dealer"] for events in dealt(60, players=3)) == {0: 20, 1: 20, 2: 20}


def test_esc_03_singly_from_the_dealers_right() -> None:
    """The order of the deck, put together again from what was dealt, is that of the same shuffle for any table."""
    decks = []
    for players in (2, 3, 4):
        start = dealt(1, players=players)[0][0]
        seats = [(start["first"] + place) % players for place in range(players)]
        hands = [start["hands"][seat][card] for card in range(3) for seat in seats]
        decks.append([*hands, *start["table"], *start["stock"]])
    assert decks[0] == decks[1] == decks[2]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("passes", [True, False])
def test_esc_04_the_next_cards_come_singly_from_the_stock(players: int, passes: bool) -> None:
    for events in dealt(40, players=players, deal_passes=passes):
        stock, dealer = list(events[0]["stock"]), events[0]["dealer"]
        for event, following in pairwise(events):
            if event["event"] == "to_table":
                assert event["cards"] == stock[: len(event["cards"])]
                del stock[: len(event["cards"])]
            if event["event"] == "deal_hands":
                dealer = (dealer + 1) % players if passes else dealer
                assert (event["dealer"], event["seat"]) == (dealer, dealer)
                assert following["seat"] == (dealer + 1) % players
                order = [(dealer + 1 + place) % players for place in range(players)]
                cards = [event["hands"][seat][card] for card in range(len(event["hands"][0])) for seat in order]
                assert cards == stock[: len(cards)]
                del stock[: len(cards)]
        assert stock == []


def test_esc_04_between_two_players_who_played_last_plays_first() -> None:
    desk = Desk({0: "", 1: ""}, stock="AC 2C 3C 4C 5C 6C", dealer=0, seat=1)
    desk.deal_again()
    assert (desk.table.dealer, desk.seat) == (1, 0)
    assert (desk.hand(0), desk.hand(1)) == ("AC 3C 5C", "2C 4C 6C")
    desk = Desk({0: "", 1: ""}, stock="AC 2C 3C 4C 5C 6C", dealer=0, seat=1, deal_passes=False)
    desk.deal_again()
    assert (desk.table.dealer, desk.seat) == (0, 1)


def test_esc_07_of_all_openings_3120_make_fifteen_and_876_two_of_them() -> None:
    words = [sum(1 << card for card in four) for four in combinations(range(40), 4)]
    found = Counter(int(fifteens_of_four(np.uint64(word))) for word in words)
    assert len(words) == comb(40, 4) == 91_390
    assert found == {1: ONE_FIFTEEN, 2: TWO_FIFTEENS, 0: 91_390 - ONE_FIFTEEN - TWO_FIFTEENS}


def test_esc_07_the_chance_of_a_dealers_take() -> None:
    """The first four: 4.372 %, and among them two pairs 0.959 %."""
    chance = (ONE_FIFTEEN + TWO_FIFTEENS) / 91_390
    assert chance == pytest.approx(0.04372, abs=5e-6)
    records = batch.play_deals(make_setup("escopa", seed=5, policies="novice"), 0, COUNTED)
    share = (records["dealer_takes"] > 0).mean()
    assert abs(share - chance) < 4 * sqrt(chance * (1 - chance) / COUNTED)
    two = TWO_FIFTEENS / 91_390
    first = records["dealer_fifteens"].sum(axis=1)[records["dealer_takes"] == 1]
    share = (first == 2).sum() / COUNTED
    again = (records["dealer_takes"] == 2).mean()
    assert abs(share - two * (1 - again / chance)) < 4 * sqrt(two / COUNTED)


@pytest.mark.parametrize(
    ("cards", "fifteens"),
    [
        ("7S 4C 3D AH", 1),
        ("KS 5S JD 6C", 2),
        ("KS KC 5S 5D", 2),
        ("7S QS 7D QD", 2),
        ("KS KC JS AC", 0),
        ("7S QS 4C AD", 0),
        ("KS 5S 7C 4D", 0),
        ("AC AD AH AS", 0),
    ],
)
def test_esc_07_fifteen_together_or_in_two_pairs(cards: str, fifteens: int) -> None:
    desk = Desk(table=cards, dealer=1)
    assert desk.dealer_takes() == (fifteens > 0)
    assert desk.record.dealer_fifteens.tolist() == [0, fifteens, 0, 0]
    assert desk.cards() == ("" if fifteens else desk.text(desk.word(cards)))


@pytest.mark.parametrize(("dealer_take", "takes"), [("twice", 2), ("once", 1), ("none", 0)])
def test_esc_07_twice_once_or_never(dealer_take: str, takes: int) -> None:
    """Among many packs there are some whose first eight cards on the table would be taken."""
    setup = make_setup("escopa", seed=5, policies="novice", rules={"dealer_take": dealer_take})
    records = batch.play_deals(setup, 0, 5_000)
    assert records["dealer_takes"].max() == takes
    replayer = Replayer(setup)
    deal = int(np.argmax(records["dealer_takes"] == takes))
    events = replayer.deal(deal)
    names = [event["event"] for event in events]
    assert names[1 : 1 + takes + (takes > 0)] == ["dealer_take", "to_table", "dealer_take"][: takes + (takes > 0)]
    if takes == 2:
        assert names.count("to_table") == 1
        first = next(event for event in events if event["event"] == "play")
        assert first["take"] == []


@pytest.mark.parametrize(("players", "sizes", "over"), [(2, [3, 3, 3, 3, 1], 0), (3, [3, 3, 1], 2), (4, [3, 2], 0)])
def test_esc_07_after_a_take_the_last_deal_is_even_and_the_cards_over_lie_face_up(
    players: int, sizes: list[int], over: int
) -> None:
    setup = make_setup("escopa", seed=5, policies="novice", rules={"players": players})
    takes = batch.play_deals(setup, 0, 200)["dealer_takes"]
    events = Replayer(setup).deal(int(np.argmax(takes > 0)))
    dealt_hands = [event["hands"] for event in events if event["event"] == "deal_hands"]
    assert [[len(hand) for hand in hands] for hands in dealt_hands] == [[size] * players for size in sizes]
    laid = [event for event in events if event["event"] == "to_table"]
    assert [len(event["cards"]) for event in laid] == ([4, over] if over else [4])
    if over:
        place = events.index(laid[-1])
        assert events[place + 1]["event"] == "deal_hands"
        # The first cards of what is left, before anybody's.
        assert laid[-1]["cards"] == events[0]["stock"][-5:-3]


def test_esc_12_in_a_match_the_deal_passes_on_and_the_scores_follow() -> None:
    replayer = Replayer(make_setup("escopa", seed=11, rules={"players": 3, "target": 31}))
    firsts = set()
    for match in range(15):
        packs = list(replayer.match(match))
        dealers = [pack[0]["dealer"] for pack in packs]
        assert dealers == [(dealers[0] + pack) % 3 for pack in range(len(dealers))]
        firsts.add(dealers[0])
        before = np.zeros(3, int)
        for pack in packs:
            assert pack[0]["scores_before"] == before.tolist()
            assert before.max() < 31 or (before == before.max()).sum() > 1
            before += pack[-1]["scores"]
        assert before.max() >= 31
        assert (before == before.max()).sum() == 1
    assert firsts == {0, 1, 2}


@pytest.mark.parametrize("target", [1, 21, 1_000])
def test_esc_12_any_target_is_played_to(target: int) -> None:
    setup = make_setup("escopa", seed=3, rules={"target": target})
    packs = list(Replayer(setup).match(0))
    totals = np.cumsum([pack[-1]["scores"] for pack in packs], axis=0)
    assert totals[-1].max() >= target
    assert all(row.max() < target or row[0] == row[1] for row in totals[:-1])
