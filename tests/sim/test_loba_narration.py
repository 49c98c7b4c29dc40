"""A deal of loba told in words."""

from __future__ import annotations

import pytest

from kernels.loba.narration import card_points, hand_text, meld_name, meld_text, score_lines
from sim.games import make_setup
from sim.replay import Replayer, narrate, plain_text
from tests.referee.loba_melds import points_of


def told(events: list[dict[str, object]]) -> str:
    """Return the story on one line."""
    return " ".join(plain_text(narrate("loba", events, 100)).split())


def test_hands_are_sorted_by_suit_with_jokers_last() -> None:
    assert hand_text(["TH", "JK", "4C", "AC", "TD", "3S", "9S"]) == "4♣ A♣  10♦  10♥  3♠ 9♠  joker"
    assert hand_text([]) == "no cards"


def test_melds_are_named_and_their_jokers_stand_in_brackets() -> None:
    assert meld_name(["7S", "7H", "7D"]) == "a set of 7s"
    assert meld_name(["7S", "JK", "9S"]) == "a sequence"
    assert meld_text(["7S", "JK", "9S"]) == "7♠ [joker] 9♠"


def test_values_are_those_of_the_referee() -> None:
    for card in ("JK", *(rank + "C" for rank in "23456789TJQKA")):
        assert card_points(card) == points_of(card)


def test_scores_are_explained() -> None:
    doubled = {"hand": -104, "factor": 2, "bonus": 0, "total": -104}
    assert list(score_lines(doubled)) == [("cards in hand, doubled since everything was laid at once", -104)]
    assert list(score_lines({"hand": -52, "factor": 1, "bonus": 0, "total": -52})) == [("cards in hand", -52)]
    winner = {"hand": 0, "factor": 2, "bonus": 20, "total": 20}
    assert list(score_lines(winner)) == [("no card left", 0), ("everything laid at once", 20)]
    assert list(score_lines(doubled, is_out=True)) == [("out of the match", 0)]


@pytest.mark.parametrize("deal", range(12))
def test_every_event_of_a_deal_is_told(deal: int) -> None:
    policies = ["random", "expert", "standard", "random", "novice"]
    events = Replayer(make_setup("loba", seed=5, policies=policies, rules={"players": 5, "jokers": 8})).deal(deal)
    text = told(events)
    assert "Seat 4: playing novice." in text
    assert text.count(" Discards ") == sum(event["event"] == "discard" for event in events)
    assert text.count(" Takes ") == sum(event["event"] == "take_discard" for event in events)
    assert text.count(" Lays ") == sum(event["event"] == "meld" for event in events)
    assert text.count(" Adds ") == sum(event["event"] == "extend" for event in events)
    assert text.count("The stock is empty") == sum(event["event"] == "reshuffle" for event in events)
    assert ("A joker came to be exposed" in text) == any(event["event"] == "redeal" for event in events)
    assert ("Goes out" in text) == any(event["event"] == "go_out" for event in events)


def test_a_round_without_a_winner_is_told_to_its_end() -> None:
    replayer = Replayer(make_setup("loba", seed=7, policies="random:stop_weight=100", rules={"players": 7}))
    events = next(log for log in map(replayer.deal, range(50)) if log[-1]["reason"] == "no_winner")
    text = told(events)
    assert f"{events[-1]['turn']} seat " in text
    assert "No card is left to draw, so the round ends without a winner." in text
    assert "no card is left to draw, and nobody went out" in text


def test_a_round_of_a_match_tells_who_is_out() -> None:
    rounds = Replayer(make_setup("loba", seed=5, policies="novice", rules={"players": 3})).match(0)
    events = next(log for log in rounds if min(log[0]["scores_before"]) <= -100)
    out = events[0]["scores_before"].index(min(events[0]["scores_before"]))
    text = told(events)
    assert f"Seat {out}: playing novice, {events[0]['scores_before'][out]} points so far, out of the match." in text
    assert "out of the match ...." in text


def test_who_is_out_of_the_match_neither_wins_a_hand_nor_shares_it() -> None:
    rules = {"players": 3, "target": 60}
    replayer = Replayer(make_setup("loba", seed=4, rules=rules))
    told = 0
    for hand in replayer.match(1):
        out = [not cards for cards in hand[0]["hands"]]
        if any(out):
            text = "\n".join(words for _, words in narrate("loba", hand, 100))
            survivors = [seat for seat in range(3) if not out[seat]]
            best = max(survivors, key=lambda seat: hand[-1]["scores"][seat])
            ending = f"Seat {best} wins the hand by" if hand[-1]["reason"] == "went_out" else "Nobody wins the hand."
            assert ending in text
            told += 1
    assert told > 0
