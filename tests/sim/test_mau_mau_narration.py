"""A round of mau-mau told in words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kernels.mau_mau.narration import hand_text, score_lines
from sim.games import make_setup
from sim.replay import Replayer, narrate, plain_text

NOTHING = {"hand": 0, "factor": 1, "fines": 0, "fines_won": 0, "collected": 0, "total": 0}
TABLES: list[dict[str, Any]] = [
    {},
    {"start_card_acts": True, "forget_call_rate": 0.5, "stack_eights": True, "last_card_acts": True},
    {"unable": "fine_only", "players": 2, "queen_skips_two_players": True},
    {"unable": "draw_until", "players": 10},
    {"unable": "fine_once", "winner_collects": True},
    {"unable": "draw_one", "players": 3, "seven_hits": "next"},
]


def told(deals: int, policies: str = "standard", **rules: Any) -> str:
    replayer = Replayer(make_setup("mau_mau", seed=3, policies=policies, rules=rules))
    return "".join(plain_text(narrate("mau_mau", replayer.deal(deal), 100)) for deal in range(deals))


def test_hands_are_sorted_by_suit() -> None:
    assert hand_text(["TH", "4C", "AC", "JD", "4H", "9S"]) == "4♣ A♣  J♦  4♥ 10♥  9♠"
    assert hand_text([]) == "no cards"


def test_scores_are_explained() -> None:
    assert list(score_lines(NOTHING)) == [("nothing", 0)]
    assert list(score_lines({**NOTHING, "hand": -178, "factor": 2, "fines": -50, "total": -228})) == [
        ("cards in hand, counted twice", -178),
        ("fines for not following", -50),
    ]
    assert list(score_lines({**NOTHING, "factor": 4, "fines_won": 100, "collected": 356, "total": 456})) == [
        ("fines credited to the winner", 100),
        ("the losers' cards, counted four times", 356),
    ]


def test_a_round_is_told_from_the_hands_to_the_score() -> None:
    lines = told(2).splitlines()
    assert lines[0] == "Mau-mau · deal 0 of seed 3"
    assert lines[1] == "Seat 0: playing standard."
    assert "Hands" in lines
    assert "Play" in lines
    assert any(line.startswith("Score: somebody went out, after") for line in lines)
    assert any(re.match(r" +\d+  seat \d  Plays ", line) for line in lines)


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: ",".join(rules) or "default")
@pytest.mark.parametrize("policy", ["random", "standard"])
def test_every_event_has_its_words(rules: dict[str, Any], policy: str) -> None:
    text = told(60, policy, **rules)
    # No event is left as the log writes it.
    assert "_" not in text
    for line in text.splitlines():
        assert len(line) <= 110


def test_what_happens_is_said() -> None:
    text = re.sub(r"\s+", " ", told(120, "random", **TABLES[1]))
    for words in (
        "turned up seat",
        "loses the first turn",
        "turned up turns the direction of play",
        "is fined 50 points and barred",
        "all bars are lifted",
        "may not play the last card",
        "Forgets to announce the last card and draws",
        "asks for",
        "at once, and asks for",
        "announces nothing",
        "The direction of play turns",
        "loses the turn",
        "shuffled into a new one",
        "for the 8",
        "Goes out!",
    ):
        assert words in text, words
    assert "the round is void" in told(60, **TABLES[2])
