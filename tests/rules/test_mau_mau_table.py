"""Mau-mau: the table, the deal and the carta da partida, read off the events of rounds (MAU-01 to MAU-05, MAU-19)."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

import pytest

from kernels.cards import RANKS, SUITS
from kernels.mau_mau.layout import HAND_SIZE
from sim.errors import UsageError
from sim.games import make_setup
from sim.replay import Event, Replayer

PACK = [rank + suit for rank in RANKS for suit in SUITS]


def dealt(deals: int, **rules: Any) -> list[list[Event]]:
    replayer = Replayer(make_setup("mau_mau", seed=11, rules=rules))
    return [replayer.deal(deal) for deal in range(deals)]


@pytest.mark.parametrize(
    ("players", "packs", "count"),
    [(2, "auto", 1), (4, "auto", 1), (5, "auto", 2), (10, "auto", 2), (7, 1, 1), (2, 2, 2), (10, 2, 2)],
)
def test_mau_01_one_pack_or_two(players: int, packs: str | int, count: int) -> None:
    for events in dealt(10, players=players, packs=packs):
        start = events[0]
        cards = Counter(chain(*start["hands"], start["stock"], [start["start_card"]]))
        assert cards == Counter(PACK * count)
        assert len(start["hands"]) == len(events[-1]["scores"]) == players


@pytest.mark.parametrize("players", [8, 10])
def test_mau_01_one_pack_is_refused_for_more_than_seven(players: int) -> None:
    with pytest.raises(UsageError, match=r"packs.*auto or 2 with more than 7 players"):
        make_setup("mau_mau", rules={"players": players, "packs": 1})


@pytest.mark.parametrize("players", [2, 3, 10])
def test_mau_02_every_seat_deals_in_turn(players: int) -> None:
    assert [events[0]["dealer"] for events in dealt(20, players=players)] == [deal % players for deal in range(20)]


@pytest.mark.parametrize("players", [2, 4, 10])
def test_mau_03_seven_cards_each_and_one_turned_up(players: int) -> None:
    for events in dealt(10, players=players):
        start = events[0]
        assert [len(hand) for hand in start["hands"]] == [HAND_SIZE] * players
        assert len(start["stock"]) == 52 * (1 if players <= 4 else 2) - HAND_SIZE * players - 1
        assert start["start_card"] in PACK


@pytest.mark.parametrize("players", [2, 4, 10])
def test_mau_04_the_dealers_left_plays_first(players: int) -> None:
    for events in dealt(20, players=players):
        start = events[0]
        assert start["first"] == (start["dealer"] + 1) % players
        assert (events[1]["turn"], events[1]["seat"]) == (1, start["first"])


def turned_up(rank: str, *, deals: int = 400, **rules: Any) -> list[list[Event]]:
    """Rounds whose carta da partida has a rank."""
    return [events for events in dealt(deals, **rules) if events[0]["start_card"][0] == rank]


def before_the_first_turn(events: list[Event]) -> list[tuple[str, int, int, str]]:
    """Name, seat, number of cards and reason of what the carta da partida does."""
    first_turn = next(at for at, event in enumerate(events) if event["event"] in ("play", "unable"))
    told = events[1:first_turn]
    return [(event["event"], event["seat"], len(event["cards"]), event.get("why", "")) for event in told]


@pytest.mark.parametrize("rank", ["8", "A", "7", "Q", "J"])
def test_mau_05_the_carta_da_partida_does_nothing(rank: str) -> None:
    for events in turned_up(rank):
        assert before_the_first_turn(events) == []
        assert events[1]["seat"] == events[0]["first"] == (events[0]["dealer"] + 1) % 4


@pytest.mark.parametrize("players", [2, 4, 10])
def test_mau_05_the_carta_da_partida_acts(players: int) -> None:
    met: Counter[str] = Counter()
    for events in dealt(250, players=players, start_card_acts=True):
        start = events[0]
        rank, dealer, left = start["start_card"][0], start["dealer"], (start["dealer"] + 1) % players
        expected: dict[str, list[tuple[str, int, int, str]]] = {
            "8": [("draw", left, 3, "start_card"), ("skip", left, 0, "")],
            "A": [("skip", left, 0, "")],
            "7": [("draw", dealer, 2, "start_card")],
            "Q": [("reverse", dealer, 0, "")],
        }
        first = (dealer - 1) % players if rank == "Q" else left
        begins = (left + 1) % players if rank in "8A" else first
        told = expected.get(rank, [])
        assert before_the_first_turn(events) == told, start
        assert start["first"] == first
        assert (events[1 + len(told)]["turn"], events[1 + len(told)]["seat"]) == (1, begins)
        met[rank] += 1
    assert met.keys() >= set("8A7QJ")


def test_mau_05_an_eight_turned_up_is_not_answered_and_a_seven_hits_the_dealer() -> None:
    rules: dict[str, Any] = {"start_card_acts": True, "stack_eights": True, "seven_hits": "next"}
    for events in turned_up("8", **rules):
        assert [event["event"] for event in events[1:3]] == ["draw", "skip"]
    for events in turned_up("7", **rules):
        assert (events[1]["seat"], events[1]["why"]) == (events[0]["dealer"], "start_card")


def test_mau_05_after_a_jack_turned_up_any_card_follows_under_the_option_alone() -> None:
    def first_cards(**rules: Any) -> list[tuple[str, str]]:
        rounds = turned_up("J", deals=1_500, **rules)
        return [(events[0]["start_card"], events[1]["cards"][0]) for events in rounds if events[1]["event"] == "play"]

    assert all(card[0] == "J" or card[1] == start[1] for start, card in first_cards())
    assert any(card[0] != "J" and card[1] != start[1] for start, card in first_cards(start_card_acts=True))


def test_mau_19_in_a_match_the_deal_passes_left_and_the_scores_follow() -> None:
    replayer = Replayer(make_setup("mau_mau", seed=4, rules={"target": 600}))
    for match in range(4):
        before, dealer = [0, 0, 0, 0], None
        for events in replayer.match(match):
            assert events[0]["scores_before"] == before
            assert dealer is None or events[0]["dealer"] == (dealer + 1) % 4
            dealer = events[0]["dealer"]
            before = [total + score for total, score in zip(before, events[-1]["scores"], strict=True)]
        assert min(before) <= -600
        assert before.count(max(before)) == 1
