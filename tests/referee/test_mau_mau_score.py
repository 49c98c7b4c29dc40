"""The score of mau-mau: worked values of the rule book, factors, fines, the winner who collects (MAU-18, MAU-19)."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import pytest

from tests.referee.cards import PACK_52, SUITS, rank_of
from tests.referee.log import Event
from tests.referee.mau_mau import judge
from tests.referee.mau_mau_builder import Recorder
from tests.referee.mau_mau_checks import rejected
from tests.referee.mau_mau_options import Options
from tests.referee.mau_mau_scenes import DUEL, FOLLOWS_NOTHING, aces, stuck, table
from tests.referee.mau_mau_score import points
from tests.referee.mau_mau_table import Table

NOTHING = {"hand": 0, "factor": 1, "fines": 0, "fines_won": 0, "collected": 0, "total": 0}


def worked(cards: str, start: str = "KH", options: Options = DUEL) -> Recorder:
    """The loser keeps J, 8, 7, A, K and 9; the winner's last cards are these."""
    first, answer = f"4{start[1]}", "4H" if start[1] == "D" else "4D"
    held = f"A{answer[1]} AC AC AD AH".split()[: 6 - len(cards.split())]
    hands = {0: " ".join([first, *held, cards]), 1: f"{answer} JH 8D 7D AS KD 9D"}
    recorder = table(options, hands, start=start).play(first).play(answer)
    return aces(recorder, " ".join(held)).play(cards)


@pytest.mark.parametrize(
    ("cards", "start", "factor", "hand"),
    [
        ("2H", "KH", 1, -89),
        ("JC", "KH", 2, -178),
        ("JC JD", "KH", 4, -356),
        ("2H", "KS", 2, -178),
        ("JC", "KS", 4, -356),
        ("JC JD", "KS", 8, -712),
    ],
)
def test_mau_18_worked_values(cards: str, start: str, factor: int, hand: int) -> None:
    verdict = judge(worked(cards, start).events)
    assert (verdict.reason, verdict.winner) == ("went_out", 0)
    assert verdict.details == [
        {**NOTHING, "factor": factor},
        {**NOTHING, "factor": factor, "hand": hand, "total": hand},
    ]


def test_mau_18_what_cards_are_worth() -> None:
    values = {rank: points([f"{rank}S"]) for rank in "23456789TJQKA"}
    faces = {str(face): face for face in (2, 3, 4, 5, 6, 9)}
    assert values == {**faces, "7": 15, "8": 20, "T": 10, "J": 20, "Q": 10, "K": 10, "A": 15}
    assert points(["JS", "8S", "7S", "AS", "KS", "9S"]) == 89
    assert points([]) == 0


def test_mau_18_a_whole_pack_is_worth_516() -> None:
    assert points(PACK_52) == 516


def test_mau_06_the_chance_of_seven_cards_that_cannot_follow() -> None:
    for start in PACK_52:
        hand = [card for card in PACK_52 if card != start]
        cards = Table(Options(players=2), 1, [hand, []], [], start)
        followers = sum(cards.follows(card) for card in hand)
        assert followers == (15 if rank_of(start) == "J" else 18)
    assert round(100 * comb(51 - 18, 7) / comb(51, 7), 2) == 3.69


@pytest.mark.parametrize("suit", SUITS)
def test_mau_18_only_spades_double(suit: str) -> None:
    verdict = judge(worked("2H" if suit == "H" else "JC", f"K{suit}").events)
    assert verdict.details[0]["factor"] == {"S": 4, "H": 1, "D": 2, "C": 2}[suit]


def test_mau_18_a_jack_that_does_not_win_doubles_nothing() -> None:
    recorder = table(DUEL, {0: "JC AH AH AD AD AC 2C", 1: "9H"}, start="KH").play("JC", "H").play("9H")
    verdict = judge(aces(recorder, "AH AH AD AD AC").play("2C").events)
    assert verdict.details[1]["factor"] == 1


def fined(options: Options = DUEL, last: str = "JC") -> Recorder:
    """Seat 1 is fined twice; seat 0 wins with this card after a start card of spades."""
    hands = {0: f"AS AS AH AH 2S 3S {last}", 1: "TH TD 9H 9D 5H 5D 4H"}
    recorder = table(options, hands, "6D 6H", "KS").play("2S").unable().play("3S").unable()
    return aces(recorder, "AS AS AH AH").play(last)


def test_mau_18_fines_are_not_multiplied() -> None:
    verdict = judge(fined().events)
    hand = -4 * (10 + 10 + 9 + 9 + 5 + 5 + 4 + 6 + 6)
    assert verdict.details == [
        {**NOTHING, "factor": 4, "fines_won": 100, "total": 100},
        {**NOTHING, "factor": 4, "hand": hand, "fines": -100, "total": hand - 100},
    ]


def test_mau_19_the_winner_collects_and_nobody_goes_negative() -> None:
    verdict = judge(fined(replace(DUEL, winner_collects=True)).events)
    assert verdict.details == [
        {**NOTHING, "factor": 4, "fines_won": 100, "collected": 256, "total": 356},
        {**NOTHING, "factor": 4},
    ]


def test_mau_19_the_collecting_winners_own_fines_are_nothing() -> None:
    hands = {0: "AH AH AD AD AS AS 2S", 1: "TH TD 9H 9D 5H 5D 4H"}
    options = replace(DUEL, winner_collects=True)
    recorder = table(options, hands, "KS 3D 3S", "KC").unable().unable().play("KS").unable()
    verdict = judge(aces(recorder, "AS AH AH AD AD AS").play("2S").events)
    assert verdict.details == [{**NOTHING, "fines_won": 100, "collected": 58, "total": 158}, NOTHING]


@pytest.mark.parametrize("winner_collects", [False, True])
def test_mau_08_a_void_round_is_scored_singly_without_fines(winner_collects: bool) -> None:
    options = replace(DUEL, unable="fine_only", winner_collects=winner_collects)
    recorder = table(options, dict(enumerate(FOLLOWS_NOTHING)), start="KS").unable().unable()
    hand = 0 if winner_collects else -39
    assert judge(recorder.events).details == [{**NOTHING, "hand": hand, "total": hand}] * 2


def test_mau_18_every_line_of_every_seat_is_checked() -> None:
    events = fined().events
    for seat in (0, 1):
        for line, article in (
            ("hand", "MAU-18"),
            ("factor", "MAU-18"),
            ("fines", "MAU-06"),
            ("fines_won", "MAU-06"),
            ("collected", "MAU-19"),
            ("total", "MAU-18"),
        ):
            rejected(with_line(events, seat, line), article)
    rejected([*events[:-1], {**events[-1], "scores": [0, 0]}], "MAU-18")
    rejected([*events[:-1], {**events[-1], "scores": [100]}], "MAU-18")


def with_line(events: list[Event], seat: int, line: str) -> list[Event]:
    """The log with 10 more in one line of one seat's score."""
    detail = [dict(lines) for lines in events[-1]["detail"]]
    detail[seat][line] += 10
    return [*events[:-1], {**events[-1], "detail": detail}]


def test_mau_08_every_line_of_a_void_round_is_checked() -> None:
    events = stuck("fine_only").unable().unable().events
    for seat in (0, 1):
        for line in NOTHING:
            rejected(with_line(events, seat, line), "MAU-08")


def test_the_score_has_an_object_for_each_seat() -> None:
    events = fined().events
    detail = events[-1]["detail"]
    wrong: list[object] = [detail[:1], [*detail, detail[0]], [], {}, [detail[0], {**detail[1], "hand": 1.0}]]
    for value in wrong:
        rejected([*events[:-1], {**events[-1], "detail": value}], "LOG")
