"""What a hand is worth: fair, repeatable, and refused where it cannot be dealt."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

from sim import batch, hands
from sim.common_deals import Playing
from sim.errors import UsageError
from sim.games import make_setup

ROYAL = "AS KS QS JS 10S 9S 8S 7S 6S 5S 4S"


def test_the_rows_are_those_of_the_records() -> None:
    found = hands.odds("canastra", ROYAL, seat=1, deals=200, seed=3)
    rows = {row["statistic"]: row for row in found.document()["rows"]}
    jobs = batch.deal_jobs(found.holding.average, 0, 200)
    given, average = (batch.play(setup, jobs) for setup in (found.holding.given, found.holding.average))
    assert rows["score"]["estimate"] == given["score"][:, 1].mean()
    assert rows["score"]["average"] == average["score"][:, 1].mean()
    assert rows["canastra_rate"]["estimate"] > 0.9 > rows["canastra_rate"]["average"]
    assert rows["canastra_rate"]["low"] < rows["canastra_rate"]["estimate"] <= rows["canastra_rate"]["high"]


def test_odds_are_the_same_for_any_threads_and_chunks() -> None:
    holding = hands.prepare(make_setup("canasta", seed=5), "KS KD KH 2S JK", 2, "KC", None, str)
    one, other = (holding.play(Playing(7, 120, *way), 0.95).document() for way in ((1, 9), (3, 50)))
    assert {**one, "provenance": 0} == {**other, "provenance": 0}
    assert one["hand"] == ["KS", "KD", "KH", "2S", "JK"]


def test_the_score_before_the_deal_counts() -> None:
    low = hands.odds("canasta", "KS KD KH QS QD QH 7S 7D 4C 5C 6C", score=[0, 0], deals=300)
    high = hands.odds("canasta", "KS KD KH QS QD QH 7S 7D 4C 5C 6C", score=[4_000, 0], deals=300)
    first = [
        next(row for row in found.document()["rows"] if row["statistic"] == "first_meld_by:1") for found in (low, high)
    ]
    assert first[0]["estimate"] > first[1]["estimate"]


@pytest.mark.parametrize(
    ("game", "arguments", "words"),
    [
        ("canastra", {"hand": "KX"}, "hand: 'KX' is no card"),
        ("canastra", {"hand": ""}, "0 cards; a hand of canastra has 1 to 11"),
        ("canastra", {"hand": ROYAL + " 4H"}, "12 cards; a hand of canastra has 1 to 11"),
        ("canastra", {"hand": "KS KS KS"}, "KS is given 3 times; the pack of canastra has 2"),
        ("canastra", {"hand": "JK"}, "JK is given once; the pack of canastra has 0"),
        ("canastra", {"hand": "KS", "top_card": "QS"}, "no card of canastra lies open"),
        ("canasta", {"hand": "KS", "top_card": "QS QD"}, "2 cards; 1 can be given"),
        ("canasta", {"hand": "KS KS", "top_card": "KS"}, "top_card: KS is given 3 times"),
        ("canastra", {"hand": "KS", "seat": 4}, "seat: 4 is out of range"),
        ("canastra", {"hand": "KS", "score": [0, 0]}, "no rule of canastra looks at the score"),
        ("canasta", {"hand": "KS", "score": [0, 0, 0]}, "score"),
        ("canasta", {"hand": "KS", "confidence": 2}, "confidence"),
    ],
)
def test_what_cannot_be_dealt_is_refused(game: str, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        hands.odds(game, deals=10, **arguments)


def test_the_example_runs() -> None:
    found = doctest.testmod(hands)
    assert (found.failed, found.attempted > 0) == (0, True)
