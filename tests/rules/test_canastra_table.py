"""Canastra: the table and the deal, read off the events of dealt hands (CAN-01 to CAN-05)."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

import pytest

from kernels.cards import RANKS, SUITS
from sim.games import make_setup
from sim.replay import Event, Replayer

DEALS = 60
EVERY_TABLE = [{"players": players, "jokers": jokers} for players in (4, 2) for jokers in (0, 4)]


def dealt(deals: int = DEALS, **rules: Any) -> list[list[Event]]:
    replayer = Replayer(make_setup("canastra", seed=11, rules=rules))
    return [replayer.deal(deal) for deal in range(deals)]


def first_seats(events: list[Event]) -> list[int]:
    """Seats in the order of their turns."""
    turns = {event["turn"]: event["seat"] for event in events[1:-1] if event["event"] != "morto_to_stock"}
    return [turns[turn] for turn in sorted(turns)]


@pytest.mark.parametrize("players", [4, 2])
def test_can_01_the_seat_after_the_dealer_begins_and_the_others_follow(players: int) -> None:
    for events in dealt(players=players):
        start = events[0]
        assert start["first"] == (start["dealer"] + 1) % players
        seats = first_seats(events)
        assert seats == [(start["first"] + turn) % players for turn in range(len(seats))]
        assert len(start["hands"]) == players
        assert len(events[-1]["scores"]) == 2


@pytest.mark.parametrize("players", [4, 2])
def test_can_02_every_seat_deals_equally_often_in_a_run(players: int) -> None:
    dealers = Counter(events[0]["dealer"] for events in dealt(players=players))
    assert dealers == dict.fromkeys(range(players), DEALS // players)


@pytest.mark.parametrize("players", [4, 2])
def test_can_02_in_a_match_the_deal_passes_on_from_a_drawn_dealer(players: int) -> None:
    replayer = Replayer(make_setup("canastra", seed=11, rules={"players": players}))
    firsts = set()
    for match in range(30):
        dealers = [hand[0]["dealer"] for hand in replayer.match(match)]
        assert dealers == [(dealers[0] + hand) % players for hand in range(len(dealers))]
        firsts.add(dealers[0])
    assert firsts == set(range(players))


@pytest.mark.parametrize("table", EVERY_TABLE, ids=str)
def test_can_03_two_packs_and_the_jokers_are_in_the_deal(table: dict[str, int]) -> None:
    expected = Counter({rank + suit: 2 for rank in RANKS for suit in SUITS})
    if table["jokers"]:
        expected["JK"] = table["jokers"]
    for events in dealt(**table):
        start = events[0]
        assert Counter(chain(*start["hands"], *start["mortos"], start["stock"])) == expected


def test_can_03_twos_and_jokers_are_all_that_stands_for_other_cards() -> None:
    strangers: set[str] = set()
    for events in dealt(jokers=4):
        for event in events:
            # Of four cards or more in a meld most are naturals: of one suit in a sequence, of one rank else.
            now = event.get("now", [])
            suits, ranks = Counter(card[1] for card in now), Counter(card[0] for card in now)
            if len(now) > 3:
                (suit, in_suit), (rank, in_rank) = suits.most_common(1)[0], ranks.most_common(1)[0]
                strangers |= {card for card in now if (card[1] != suit if in_suit > in_rank else card[0] != rank)}
    assert {"2C", "2D", "2H", "2S", "JK"} == strangers


@pytest.mark.parametrize("table", EVERY_TABLE, ids=str)
def test_can_04_eleven_cards_each_two_mortos_of_eleven_and_the_rest_is_stock(table: dict[str, int]) -> None:
    stock = {4: 38, 2: 60}[table["players"]] + table["jokers"]
    for events in dealt(**table):
        start = events[0]
        assert [len(hand) for hand in start["hands"]] == [11] * table["players"]
        assert [len(morto) for morto in start["mortos"]] == [11, 11]
        assert len(start["stock"]) == stock


def test_can_04_the_stock_is_drawn_in_its_order() -> None:
    for events in dealt():
        drawn = [card for event in events if event["event"] == "draw" for card in event["cards"]]
        stock = events[0]["stock"]
        assert drawn[: len(stock)] == stock[: len(drawn)]


def test_can_05_the_first_player_draws_since_the_lixo_is_empty() -> None:
    for events in dealt():
        assert events[0]["pile"] == []
        taken = [event["event"] for event in events[1:-1] if event["turn"] == 1]
        assert "draw" in taken
        assert "take_pile" not in taken
