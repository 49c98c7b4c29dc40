"""A deal told in words."""

from __future__ import annotations

from typing import Any

import pytest

from kernels.canastra.narration import canastra_text, hand_text, score_lines
from kernels.telling import card, meld_text
from sim.replay import narrate_plainly, plain_text

NOTHING = {
    "batida": 0,
    "clean_canastras": 0,
    "dirty_canastras": 0,
    "cards_on_table": 0,
    "red_threes": 0,
    "red_threes_on_table": 0,
    "cards_in_hand": 0,
    "no_morto": 0,
}
OPTIONS = {"red_three_table_points": 10}


@pytest.mark.parametrize(("text", "shown"), [("TH", "10♥"), ("2C", "2♣"), ("AS", "A♠"), ("7D", "7♦"), ("JK", "joker")])
def test_cards_are_written_as_players_write_them(text: str, shown: str) -> None:
    assert card(text) == shown


def test_hands_are_sorted_by_suit_with_curingas_and_threes_apart() -> None:
    hand = ["TH", "4C", "2S", "AC", "5H", "3D", "JK", "TC", "9S"]
    assert hand_text(hand) == "4♣ 10♣ A♣  9♠  5♥ 10♥  joker 2♠ 3♦"
    assert hand_text([]) == "no cards"


def test_a_curinga_is_marked_where_it_lies() -> None:
    assert meld_text(["7S", "2H", "9S"]) == "7♠ [2♥] 9♠"
    assert meld_text(["KC", "KD", "JK"]) == "K♣ K♦ [joker]"


def test_canastras_are_named() -> None:
    clean = ["6H", "7H", "8H", "9H", "TH", "JH", "QH"]
    assert canastra_text(clean) == "canastra limpa"
    assert canastra_text([*clean[:2], "2H", *clean[3:]]) == "canastra suja"
    assert canastra_text(clean[:6]) == ""


def test_the_score_of_the_source_text_is_explained() -> None:
    detail = NOTHING | {
        "batida": 100,
        "clean_canastras": 400,
        "dirty_canastras": 100,
        "cards_on_table": 380,
        "red_threes": 300,
        "red_threes_on_table": 30,
        "cards_in_hand": -50,
        "total": 1260,
    }
    assert list(score_lines(detail, OPTIONS, morto_taken=True)) == [
        ("the batida", 100),
        ("2 canastras limpas, 200 each", 400),
        ("1 canastra suja", 100),
        ("38 cards on the table, 10 each", 380),
        ("3 red threes, 100 each", 300),
        ("3 red threes as cards, 10 each", 30),
        ("5 cards in hand, 10 each", -50),
    ]


def test_debts_are_explained() -> None:
    detail = NOTHING | {"red_threes": -200, "cards_in_hand": -10, "no_morto": -100, "total": -310}
    assert list(score_lines(detail, OPTIONS, morto_taken=False)) == [
        ("2 red threes, 100 each, owed without a canastra", -200),
        ("1 card in hand", -10),
        ("no morto taken", -100),
    ]
    assert list(score_lines(detail, OPTIONS, morto_taken=True))[-1] == ("morto taken, but not opened in time", -100)
    assert list(score_lines(NOTHING | {"total": 0}, OPTIONS, morto_taken=True)) == [("nothing laid, nothing left", 0)]


def test_a_game_without_a_story_is_told_event_by_event() -> None:
    events: list[dict[str, Any]] = [
        {"event": "deal", "game": "toy", "hands": [["7S"], ["TD"]]},
        {"event": "play", "turn": 1, "seat": 0, "cards": ["7S"], "suit": None},
        {"event": "end", "scores": [1, 0]},
    ]
    text = plain_text(narrate_plainly(events))
    assert '  hands: [["7S"],["TD"]]\n' in text
    assert "   1  seat 0  play             7S  suit=null\n" in text
    assert text.endswith("  scores: [1,0]\n")
