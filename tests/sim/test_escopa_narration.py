"""A pack of escopa told in words."""

from __future__ import annotations

from typing import Any

import pytest

from kernels.cards import card_text
from kernels.escopa.layout import QUARTET_VALUES, faces
from kernels.escopa.narration import QUARTET_ORDER, quartet_text, ranks_by_value, score_lines
from sim.games import make_setup
from sim.replay import Replayer, narrate, plain_text

NOTHING = {"escopas": 0, "guindis": 0, "diamonds": 0, "sevens": 0, "cards": 0, "few": 0, "primeira": 0}
CARELESS: dict[str, Any] = {"overlook_rate": 0.3, "capture": "free"}


def told(deal: int, width: int = 100, **rules: Any) -> tuple[str, list[dict[str, Any]]]:
    setup = make_setup("escopa", seed=5, policies="random", rules=rules)
    events = Replayer(setup).deal(deal)
    return plain_text(narrate("escopa", events, width)), events


@pytest.mark.parametrize(("figures", "number"), [("qjk", 0), ("jqk", 1)])
def test_ranks_and_quartets_are_those_of_the_kernels(figures: str, number: int) -> None:
    assert ranks_by_value(figures) == "".join(card_text(card)[0] for card in faces(number)[::4])
    worth = dict(zip(ranks_by_value("qjk"), QUARTET_VALUES, strict=True))
    assert [worth[rank] for rank in QUARTET_ORDER] == sorted(QUARTET_VALUES, reverse=True)[:7]


def test_the_score_is_explained_line_by_line() -> None:
    detail = NOTHING | {"escopas": 2, "guindis": 1, "diamonds": 1, "sevens": 3, "few": 2, "primeira": 1, "total": 10}
    assert list(score_lines(detail, ["7C", "7D", "7H", "7S"])) == [
        ("2 escopas, 1 each", 2),
        ("the guindis, 7♦", 1),
        ("most diamonds", 1),
        ("all four sevens", 3),
        ("the opponents took fewer than ten cards", 2),
        ("the primeira with four 7s", 1),
    ]
    all_diamonds = NOTHING | {"escopas": 1, "diamonds": 2, "sevens": 1, "cards": 1, "primeira": 1, "total": 6}
    assert list(score_lines(all_diamonds, [])) == [
        ("1 escopa", 1),
        ("all ten diamonds", 2),
        ("most sevens", 1),
        ("most cards", 1),
        ("the primeira", 1),
    ]
    assert list(score_lines(NOTHING | {"total": 0}, [])) == [("nothing", 0)]


def test_the_best_four_of_a_kind_is_named() -> None:
    fours = {rank: [rank + suit for suit in "CDHS"] for rank in "A67K"}
    assert quartet_text(fours["A"] + fours["6"]) == " with four 6s"
    assert quartet_text(fours["K"] + fours["A"]) == " with four Aces"
    assert quartet_text(fours["K"]) == " with four Kings"
    assert quartet_text(fours["7"][:3]) == ""


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("deal", range(6))
def test_every_event_of_a_deal_is_told(players: int, deal: int) -> None:
    text, events = told(deal, players=players, **CARELESS)
    words = " ".join(text.split())
    count = {name: sum(event["event"] == name for event in events) for name in ("play", "overlook", "claim")}
    takes = sum(bool(event.get("take")) for event in events)
    assert words.count(" Leaves ") == count["play"] - takes
    assert words.count(" Plays ") == takes
    assert words.count(" Overlooks ") == count["overlook"]
    assert words.count(" Has seen it and claims ") == count["claim"]
    assert words.count("escopa!") == sum(event.get("escopa", False) for event in events)
    assert words.count("Deal ") == 1 + sum(event["event"] == "deal_hands" for event in events)
    assert ": the last cards" in words
    assert "who captured last, gets them." in words
    assert (" Side 1" in words) == (players == 4)


def test_the_dealers_take_and_the_cards_over_are_told() -> None:
    setup = make_setup("escopa", seed=5, rules={"players": 3})
    replayer = Replayer(setup)
    logs = (replayer.deal(deal) for deal in range(500))
    events = next(log for log in logs if log[1]["event"] == "dealer_take")
    words = " ".join(plain_text(narrate("escopa", events, 100)).split())
    assert "Deals and takes " in words
    assert words.count(" Lays ") == 2


def test_a_table_that_does_not_fit_beside_the_play_stands_below() -> None:
    text, events = told(1, width=76, overlook_rate=1.0)
    assert max(map(len, text.splitlines())) <= 76
    assert "Nobody captured anything, so nobody gets them." in text
    assert events[-2]["seat"] is None


def test_a_pack_of_a_match_tells_the_scores_before() -> None:
    events = next(pack for pack in Replayer(make_setup("escopa", seed=5)).match(0) if max(pack[0]["scores_before"]) > 0)
    text = plain_text(narrate("escopa", events, 100))
    before = events[0]["scores_before"]
    assert f"playing standard, {before[0]} point" in text
    assert f"With the hands before {'.' * 38} {before[1] + events[-1]['scores'][1]:>+7,}" in text
