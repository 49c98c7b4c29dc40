"""A new game needs one folder, one catalogue file and one line; every command then knows it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.contract.toy_tree import toy_tree
from tests.trees import carteador


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_tree(tmp_path_factory.mktemp("toy"))


def run_document(tree: Path, *arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(carteador("run", "toy", "--format", "json", *arguments, tree=tree).stdout)
    return document


def estimates(document: dict[str, Any], group: str = "all") -> dict[str, float]:
    return {row["statistic"]: row["estimate"] for row in document["statistics"] if row["group"] == group}


def test_games_lists_it_with_its_options_policies_and_statistics(tree: Path) -> None:
    assert "toy" in carteador("games", tree=tree).stdout
    shown = carteador("games", "toy", tree=tree).stdout
    for word in ("hand_size", "low_wins", "random", "standard", "keep", "aces"):
        assert word in shown, word


def test_run_prints_its_statistics(tree: Path) -> None:
    shown = carteador("run", "toy", "--deals", "1000", tree=tree).stdout
    for word in ("win_rate", "aces", "turns"):
        assert word in shown, word


def test_the_numbers_are_the_games_own(tree: Path) -> None:
    document = run_document(tree, "--deals", "1000", "--rule", "hand_size=7")
    assert (document["game"], document["deals"], document["options"]["hand_size"]) == ("toy", 1000, 7)
    found = estimates(document)
    assert found["turns"] == 14
    assert found["score"] == 3.5
    # Aces in seven cards of fifty-two: 7 * 4 / 52, with a standard error of about 0.014 over 2,000 hands.
    assert abs(found["aces"] - 7 * 4 / 52) < 0.06


def test_a_preset_and_a_policy_parameter_reach_the_kernel(tree: Path) -> None:
    document = run_document(
        tree, "--deals", "2000", "--rules", "long", "--policy", "0=standard:keep=3", "--policy", "1=random"
    )
    assert estimates(document)["turns"] == 52
    assert document["policies"] == ["standard:keep=3", "random"]


def test_matches_are_played_to_its_target(tree: Path) -> None:
    document = run_document(tree, "--matches", "50", "--rule", "target=20")
    # Five tricks a deal are shared, so somebody has twenty after four deals at the earliest, seven at the latest,
    # and one deal more for each time both stand level.
    assert 4 <= estimates(document)["deals_per_match"] <= 8


def test_show_tells_a_deal_as_text_and_as_json_lines(tree: Path) -> None:
    assert "play" in carteador("show", "toy", "--deal", "3", tree=tree).stdout
    lines = carteador("show", "toy", "--deal", "3", "--format", "jsonl", tree=tree).stdout.splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["event"] for event in events] == ["deal", *["play"] * 10, "end"]
    assert sum(events[-1]["scores"]) == 5


def test_a_policy_file_plays_it(tree: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    carteador("policy", "new", "toy", str(mine), tree=tree)
    assert 'GAME = "toy"' in mine.read_text()
    plain = estimates(run_document(tree, "--deals", "500"), "seat:0")
    assert estimates(run_document(tree, "--deals", "500", "--policy", f"0={mine}"), "seat:0") == plain
    written = mine.read_text().replace("return base", "return base if hand[base] > 20 else 0")
    mine.write_text(written.replace("hand, count", "count, hand"))
    assert estimates(run_document(tree, "--deals", "500", "--policy", f"0={mine}"), "seat:0") != plain
    mine.write_text(written.replace("return base", "hand[0] = 1; return base"))
    done = carteador("run", "toy", "--policy", f"0={mine}", tree=tree, check=False)
    assert done.returncode != 0
    assert "mine.py" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_option_is_refused_by_name(tree: Path) -> None:
    done = carteador("run", "toy", "--rule", "hand_siz=4", tree=tree, check=False)
    assert done.returncode == 2
    assert "hand_size" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_report_draws_what_its_catalogue_has_and_tells_its_deals(tree: Path, tmp_path: Path) -> None:
    run, page = str(tmp_path / "run"), tmp_path / "toy.html"
    carteador("run", "toy", "--deals", "500", "--out", run, tree=tree)
    shown = carteador("report", run, tree=tree).stdout
    assert shown.startswith("Toy: 500 deals, seed 0")
    assert "score (points)" in shown
    carteador("report", run, "--html", str(page), tree=tree)
    text = page.read_text()
    for words in ("How many aces is a player dealt?", "The record score", "End reason", "hand size"):
        assert words in text, words
    assert re.search("Seat [01] scores [0-9] points, the most of 500 deals", text)
