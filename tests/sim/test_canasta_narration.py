"""A deal of canasta told in words."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.canasta.narration import canasta_text, card_points, hand_text, meld_name, minimum_for, score_lines
from kernels.canasta.values import minimum_for as kernel_minimum
from kernels.canasta.values import points_of
from kernels.cards import RANKS
from sim.games import make_setup
from sim.replay import Replayer, narrate, plain_text
from tests.rules.canasta_table import counts

NOTHING = {
    "going_out": 0,
    "natural_canastas": 0,
    "mixed_canastas": 0,
    "red_threes": 0,
    "melded_cards": 0,
    "cards_in_hand": 0,
}


def test_hands_are_sorted_by_rank_with_wild_cards_and_threes_last() -> None:
    hand = ["TH", "4C", "2S", "AC", "TD", "3S", "JK", "4H", "9S"]
    assert hand_text(hand) == "4♣ 4♥  9♠  10♦ 10♥  A♣  2♠ joker  3♠"
    assert hand_text([]) == "no cards"


def test_melds_are_named() -> None:
    seven = ["KC", "KD", "KH", "KS", "KC", "KD"]
    assert canasta_text([*seven, "KH"]) == "natural canasta"
    assert canasta_text([*seven, "2H"]) == "mixed canasta"
    assert canasta_text(seven) == ""
    assert [meld_name(cards) for cards in (["2C", "TD", "TC"], ["3C", "3S", "3S"])] == ["10s", "black threes"]


def test_values_and_minimums_are_those_of_the_kernels() -> None:
    for card in ("JK", *(rank + "C" for rank in RANKS)):
        assert card_points(card) == points_of(counts(card))
    assert card_points("3H") == 0
    for score in (-5, 0, 1_495, 1_500, 2_995, 3_000):
        assert minimum_for(score) == kernel_minimum(np.int64(score))


def test_scores_are_explained() -> None:
    detail = NOTHING | {
        "going_out": 200,
        "natural_canastas": 1000,
        "mixed_canastas": 300,
        "red_threes": 800,
        "melded_cards": 415,
        "cards_in_hand": -20,
        "total": 2695,
    }
    assert list(score_lines(detail)) == [
        ("going out concealed", 200),
        ("2 natural canastas, 500 each", 1000),
        ("1 mixed canasta", 300),
        ("all four red threes", 800),
        ("cards melded", 415),
        ("cards in hand", -20),
    ]
    debt = NOTHING | {"red_threes": -200, "total": -200}
    assert list(score_lines(debt)) == [("2 red threes, 100 each, owed without a meld", -200)]
    assert list(score_lines(NOTHING | {"total": 0})) == [("nothing laid, nothing left", 0)]


@pytest.mark.parametrize("deal", range(12))
def test_every_event_of_a_deal_is_told(deal: int) -> None:
    rules = {"ask_partner": True, "start_score": [1_600, -5]}
    setup = make_setup("canasta", seed=5, policies=["random", "expert", "standard", "random"], rules=rules)
    events = Replayer(setup).deal(deal)
    text = " ".join(plain_text(narrate("canasta", events, 100)).split())
    assert "a first meld needs 90. Side 1:" in text
    assert text.count(" Discards ") == sum(event["event"] == "discard" for event in events)
    assert text.count(" Takes the ") == sum(event["event"] == "take_pile" for event in events)
    assert text.count(" Lays the red three ") == sum(event["event"] == "red_three" for event in events)
    assert text.count(" Asks the partner ") == sum(event["event"] == "ask" for event in events)
    assert ("Goes out" in text) == any(event["event"] == "go_out" for event in events)


def test_a_hand_of_a_match_tells_the_scores_and_what_a_first_meld_needs() -> None:
    events = next(
        hand for hand in Replayer(make_setup("canasta", seed=5)).match(0) if max(hand[0]["scores_before"]) > 0
    )
    text = plain_text(narrate("canasta", events, 100))
    before = events[0]["scores_before"]
    assert f"{before[0]:,} points so far; a first meld needs {minimum_for(before[0])}." in text
    assert f"With the hands before {'.' * 38} {before[1] + events[-1]['scores'][1]:>+7,}" in text
