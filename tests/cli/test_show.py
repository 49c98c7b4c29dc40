"""`carteador show`: a deal as JSON lines and as text that a player reads."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.trees import ROOT

SUITED = re.compile(r"^(10|[2-9JQKA])[♣♦♥♠]$")


def events_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def deals_of(text: str) -> list[list[dict[str, Any]]]:
    deals: list[list[dict[str, Any]]] = []
    for event in events_of(text):
        if event["event"] == "deal":
            deals.append([])
        deals[-1].append(event)
    return deals


def test_json_lines_tell_the_whole_deal(command: Command) -> None:
    done = command("show", "canastra", "--seed", "7", "--deal", "3", "--format", "jsonl")
    assert (done.status, done.stderr) == (0, "")
    events = events_of(done.stdout)
    deal, end = events[0], events[-1]
    assert (deal["event"], end["event"]) == ("deal", "end")
    assert (deal["game"], deal["seed"], deal["deal"], deal["match"]) == ("canastra", 7, 3, None)
    assert len(deal["hands"]) == 4
    assert sum(map(len, deal["hands"])) + sum(map(len, deal["mortos"])) + len(deal["stock"]) == 104
    assert sum(detail["total"] for detail in end["detail"]) == sum(end["scores"])


def test_the_deal_shown_is_the_deal_of_the_run(command: Command) -> None:
    shown = deals_of(command("show", "canastra", "--deal", "11", "--count", "4", "--format", "jsonl").stdout)
    run = json.loads(command("run", "canastra", "--first", "11", "--deals", "4", "--format", "json").stdout)
    turns = next(row for row in run["statistics"] if (row["statistic"], row["group"]) == ("turns", "all"))
    assert turns["estimate"] == pytest.approx(sum(events[-1]["turn"] for events in shown) / 4)
    assert [events[0]["deal"] for events in shown] == [11, 12, 13, 14]


def test_many_deals_are_each_the_deal_alone(command: Command) -> None:
    many = deals_of(command("show", "canastra", "--count", "3", "--format", "jsonl").stdout)
    for number, events in enumerate(many):
        alone = command("show", "canastra", "--deal", str(number), "--format", "jsonl").stdout
        assert events_of(alone) == events


def test_a_match_is_shown_hand_by_hand_with_the_scores_carried(command: Command) -> None:
    hands = deals_of(command("show", "canastra", "--match", "5", "--format", "jsonl").stdout)
    scores = [0, 0]
    for number, events in enumerate(hands):
        deal = events[0]
        assert (deal["match"], deal["deal"], deal["scores_before"]) == (5, number, scores)
        assert deal["dealer"] == (hands[0][0]["dealer"] + number) % 4
        scores = [before + score for before, score in zip(scores, events[-1]["scores"], strict=True)]
    assert max(scores) >= 2000
    assert scores[0] != scores[1]
    one = command("show", "canastra", "--match", "5", "--hand", "1", "--format", "jsonl").stdout
    assert events_of(one) == hands[1]
    past = command("show", "canastra", "--match", "5", "--hand", str(len(hands)))
    assert past.status == 2
    assert f"ends before hand {len(hands)}" in past.stderr


def test_the_text_tells_hands_turns_and_score(command: Command) -> None:
    done = command("show", "canastra", "--seed", "7", "--deal", "0")
    events = events_of(command("show", "canastra", "--seed", "7", "--deal", "0", "--format", "jsonl").stdout)
    lines = done.stdout.splitlines()
    assert lines[0] == "Canastra · deal 0 of seed 7"
    assert "\x1b" not in done.stdout
    for seat in range(4):
        shown = next(line for line in lines if line.startswith(f"  seat {seat}  ")).split()[2:]
        assert len(shown) == 11
        assert all(SUITED.match(card) for card in shown)
    turns = [line for line in lines if re.match(r"^ *\d+  seat \d  ", line)]
    assert len(turns) == len({event["turn"] for event in events if "seat" in event})
    totals = [int(line.split()[-1].replace(",", "")) for line in lines if line.startswith("    Total ")]
    assert totals == events[-1]["scores"]


def test_the_lines_of_the_score_add_up(command: Command) -> None:
    lines = command("show", "canastra", "--count", "40").stdout.splitlines()
    found = 0
    running = 0
    for line in lines:
        if re.match(r"^  Side \d \(", line):
            running = 0
        elif line.startswith("    Total "):
            assert running == int(line.split()[-1].replace(",", ""))
            found += 1
        elif match := re.match(r"^    .+ \.+ +([+-][\d,]+)$", line):
            running += int(match[1].replace(",", ""))
    assert found == 80


def test_many_deals_are_told_one_after_the_other(command: Command) -> None:
    text = command("show", "canastra", "--deal", "8", "--count", "3").stdout
    assert re.findall(r"^Canastra · deal (\d+) of seed 0$", text, re.MULTILINE) == ["8", "9", "10"]


@pytest.mark.parametrize("words", ["", "--policy random", "--rule stock_out=end", "--rules two_players"])
def test_every_turn_is_told_and_the_last_says_why_it_ends(words: str, command: Command) -> None:
    text = command("show", "canastra", "--count", "40", *words.split()).stdout
    ended = 0
    for deal in re.split(r"^Canastra · ", text, flags=re.MULTILINE)[1:]:
        told = [(int(turn), int(seat)) for turn, seat in re.findall(r"^ *(\d+)  seat (\d)  ", deal, re.MULTILINE)]
        score = re.search(r"^Score: (.*), after (\d+) turns?$", deal, re.MULTILINE)
        seats = len(re.findall(r"^  seat \d    ", deal, re.MULTILINE))
        assert score
        assert [turn for turn, _ in told] == list(range(1, int(score[2]) + 1))
        assert all((told[0][1] + turn - 1) % seats == seat for turn, seat in told)
        # A paragraph may be wrapped anywhere.
        last = " ".join(deal[deal.rindex(f"{told[-1][0]}  seat {told[-1][1]}  ") : score.start()].split())
        ran_out = "cards ran out" in score[1]
        assert ("No card is left to draw" in last) == ran_out
        assert ("Goes out" in last) == (not ran_out)
        ended += ran_out
    assert ended > 0


def test_a_lixo_that_is_declined_is_not_one_that_cannot_be_taken(command: Command) -> None:
    words = ("show", "canastra", "--policy", "random", "--count", "80")
    ends: list[bool] = []
    for event in events_of(command(*words, "--format", "jsonl").stdout):
        if event["event"] == "deal":
            declined = False
        declined = declined or event["event"] == "decline_pile"
        if event["event"] == "end" and event["reason"] == "stock_out":
            ends.append(declined)
    assert {True, False} == set(ends)
    text = command(*words).stdout
    reasons = re.findall(r"No\s+card\s+is\s+left\s+to\s+draw[;,]\s+(declines|cannot|and)", text)
    assert [reason == "declines" for reason in reasons] == ends


def test_every_house_rule_can_be_told(command: Command) -> None:
    for rules in ("two_players", "sequences_only", "all_lavadeiras", "with_jokers", "strict", "open_lixo"):
        for policy in ("random", "standard"):
            done = command("show", "canastra", "--rules", rules, "--policy", policy, "--count", "5")
            assert done.status == 0
            assert done.stdout.count("Score: ") == 5


def test_a_terminal_gets_red_suits_in_red() -> None:
    from rich.console import Console

    from sim.replay import coloured

    paper = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=100)
    paper.print(coloured(("text", "Draws 10♥. Lays a sequence: 4♠ 5♠ [2♦].")))
    written = paper.file.getvalue()  # type: ignore[attr-defined]
    assert re.search(r"\x1b\[[\d;]*31m10♥", written)
    assert not re.search(r"\x1b\[[\d;]*31m4♠", written)


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("show canastra --count 1e6 --format text", 1),
        ("show canastra --count 1e6 --format jsonl", 1),
        ("run canastra --deals 500", 0),
        ("run canastra --deals 500 --format json", 0),
        ("games canastra", 0),
        ("games --json", 0),
    ],
)
def test_a_reader_that_has_enough_ends_it_quietly(words: str, lines: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "from sim.cli import main; main()", *words.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    for _ in range(lines):
        assert process.stdout.readline()
    process.stdout.close()
    complaint = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(timeout=300) == 0
    assert "Error" not in complaint


@pytest.mark.parametrize("game", ["canastra", "escopa", "loba"])
def test_the_last_hand_of_a_match_says_who_wins_it(game: str, command: Command) -> None:
    told = command("show", game, "--match", "3").stdout
    last = deals_of(command("show", game, "--match", "3", "--format", "jsonl").stdout)[-1]
    scores = [before + own for before, own in zip(last[0]["scores_before"], last[-1]["scores"], strict=True)]
    hands = last[0]["deal"] + 1
    found = re.search(r"^(?:Side|Seat) (\d) wins match 3 after (\d+) hands: (.*)\.$", told, re.MULTILINE)
    assert found is not None
    assert int(found[2]) == hands
    assert [int(text.replace(",", "")) for text in found[3].split(", ")] == scores
    assert scores[int(found[1])] == max(scores)
    assert "wins match" not in command("show", game, "--match", "3", "--hand", "0").stdout
    assert command("show", game, "--match", "3", "--hand", str(hands - 1)).stdout.count("wins match 3") == 1
