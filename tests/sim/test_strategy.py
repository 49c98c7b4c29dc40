"""Comparisons, tournaments and sweeps of games: the same for any threads, fair, and honest about the best."""

from __future__ import annotations

import dataclasses
import doctest
from typing import Any

import numpy as np
import pytest

from analysis.estimate import paired_difference
from analysis.sweep_words import best_sentences
from kernels import registry
from sim import batch, comparing, competing, sweeping
from sim.common_deals import Playing
from sim.errors import UsageError
from sim.games import make_setup

GAMES = sorted(registry.GAMES)
TWO_WAYS = [(1, 7), (3, 64)]
"""Threads and chunk sizes."""


def same_document(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two documents differ in nothing but where and when they were made."""
    return {**one, "provenance": None} == {**other, "provenance": None}


@pytest.mark.parametrize("game", GAMES)
def test_a_comparison_is_the_same_for_any_threads_and_chunks(game: str) -> None:
    contest = comparing.prepare(game, "standard", "novice", 3)
    found = [contest.play((), Playing(5, 150, *way), 0.95, "").document() for way in TWO_WAYS]
    assert same_document(*found)
    assert found[0]["differences"][0]["difference"] > 0


def test_a_comparison_is_that_of_the_records() -> None:
    found = comparing.compare("canastra", "standard", "novice", deals=200, seed=9)
    scores = [
        batch.play_deals(make_setup("canastra", seed=9, policies=policies), 0, 200)["score"].astype(np.int64)
        for policies in (["standard", "novice"] * 2, ["novice", "standard"] * 2)
    ]
    paired = paired_difference(scores[0][:, 0] + scores[1][:, 1], scores[0][:, 1] + scores[1][:, 0])
    assert paired.mean is not None
    assert found.result.score.difference == pytest.approx(paired.mean / 2)  # type: ignore[union-attr]
    assert found.result.sign_test()["better"] == paired.better


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_has_no_lead_over_itself(game: str) -> None:
    contest = comparing.prepare(game, "standard", "novice", 3)
    found = dataclasses.replace(contest, b=contest.a).play_policies(Playing(0, 60), 0.95)
    assert found.result.score.difference == 0  # type: ignore[union-attr]
    assert found.result.sign_test()["equal"] == 60


def test_one_policy_under_two_sets_of_rules() -> None:
    found = comparing.compare("canastra", a_rules={"jokers": 4}, statistics=["turns", "score"], deals=200)
    turns = [batch.play_deals(make_setup("canastra", rules={"jokers": jokers}), 0, 200)["turns"] for jokers in (4, 0)]
    row = found.document()["differences"][0]
    assert (row["statistic"], row["a"], row["b"]) == ("turns", turns[0].mean(), turns[1].mean())
    assert found.labels == ("jokers=4", "jokers=0")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "nothing differs"),
        ({"a": "standard", "b": "standard"}, "nothing differs"),
        ({"a": "standard", "b": "novice", "b_rules": {"jokers": 4}}, "and so do their rules"),
        ({"a": "standrd", "b": "novice"}, "Did you mean standard"),
        ({"a": "standard", "b": "novice", "statistics": ["turns"]}, "score and win_rate"),
        ({"a_rules": {"jokers": 4}, "statistics": ["turn"]}, "Did you mean turns"),
        ({"a_rules": {"joker": 0}}, "Did you mean jokers"),
        ({"a_rules": {"jokers": 3}}, "0 or 4"),
        ({"b": "novice", "confidence": 95}, "confidence"),
        ({"b": "novice", "deals": 0}, "out of range"),
    ],
)
def test_comparisons_that_make_no_sense_are_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        comparing.compare("canastra", **arguments)


@pytest.mark.parametrize("game", GAMES)
def test_a_tournament_finds_the_order_and_is_the_same_for_any_threads(game: str) -> None:
    common, choices = competing.prepare(game, ["random", "standard"], 4)
    found = [competing.play(common, choices, Playing(0, 200, threads), 0.95).document() for threads in (1, 3)]
    assert same_document(*found)
    assert [row["policy"] for row in found[0]["ranking"]] == ["standard", "random"]
    assert found[0]["ranking"][1]["strength_high"] < found[0]["ranking"][0]["strength_low"]
    assert (found[0]["mixed"] is None) == (make_setup(game).sides == 2)


def test_a_tournament_of_all_policies_has_every_pair() -> None:
    found = competing.tournament("canasta", deals=100).document()
    names = [policy.name for policy in registry.spec("canasta").policies]
    assert found["policies"] == names
    assert len(found["pairs"]) == len(names) * (len(names) - 1) // 2
    assert all(row["p_holm"] >= row["p_value"] for row in found["pairs"])


@pytest.mark.parametrize(
    ("policies", "words"),
    [(["novice"], "2 to 20"), (["novice", "novice"], "named twice"), (["novice", "expret"], "Did you mean expert")],
)
def test_tournaments_that_make_no_sense_are_refused(policies: list[str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        competing.tournament("canastra", policies, deals=10)


def test_a_sweep_of_rules_is_that_of_runs() -> None:
    found = sweeping.sweep("canastra", rules={"players": [2, 4], "jokers": [0, 4]}, statistics=["turns"], deals=150)
    document = found.document()
    assert [point["values"] for point in document["points"]] == [
        {"players": players, "jokers": jokers} for players in (2, 4) for jokers in (0, 4)
    ]
    for point in document["points"]:
        turns = batch.play_deals(make_setup("canastra", rules=point["values"]), 0, 150)["turns"]
        assert point["rows"][0]["estimate"] == turns.mean()
    assert document["best"] is None


def test_the_best_point_is_played_again_on_deals_that_did_not_choose_it() -> None:
    arguments: dict[str, Any] = {"params": {"standard:take_lixo": [1, 4]}, "against": "novice", "deals": 150, "seed": 2}
    found = sweeping.sweep("canastra", **arguments).document()
    best = found["best"]
    again = comparing.compare(
        "canastra", f"standard:take_lixo={best['values']['standard:take_lixo']}", "novice", deals=150, first=150, seed=2
    )
    assert best["fresh"]["estimate"] == again.result.score.difference  # type: ignore[union-attr]
    assert best["fresh"]["first_deal"] == 150
    assert best["estimate_in_sweep"] == max(point["rows"][0]["estimate"] for point in found["points"])


def test_a_sweep_is_the_same_for_any_threads_and_chunks() -> None:
    common = make_setup("canasta", seed=5)
    from sim.sweep_axes import rule_axis

    axes = [rule_axis(common, "canastas_to_go_out", [1, 2], "rules")]
    goals = [sweeping.Goal("turns", "nearest", 30)]
    plan = sweeping.prepare(common, axes, None, None, ["turns"], goals, str)
    found = [plan.play(Playing(0, 150, *way), 0.95).document() for way in TWO_WAYS]
    assert same_document(*found)
    assert found[0]["best"]["direction"] == "nearest"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "nothing is swept"),
        ({"rules": {"jokers": [0, 0]}}, "given twice"),
        ({"rules": {"jokers": []}}, "no value"),
        ({"rules": {"jokers": [0, 3]}}, "0 or 4"),
        ({"rules": {"joker": [0, 4]}}, "Did you mean jokers"),
        ({"rules": {"target": range(100, 1_200)}}, "1,000 are the most"),
        ({"params": {"standard": [1]}}, "no parameter of policy standard"),
        ({"params": {"standard:take_lixi": [1]}}, "Did you mean take_lixo"),
        ({"params": {"random:x": [1]}}, "no parameter of policy random"),
        ({"params": {"standard:take_lixo": [1, 10**9]}}, "out of range"),
        ({"params": {"standard:take_lixo": [1], "novice:take_lixo": [1]}}, "cannot be swept together"),
        ({"params": {"standard:take_lixo": [1]}, "policy": "novice"}, "whose parameters are swept"),
        ({"rules": {"jokers": [0, 4]}, "against": "novice"}, "plays against another"),
        ({"rules": {"jokers": [0, 4]}, "best": {"advantage": "highest"}}, "none are"),
        ({"rules": {"jokers": [0, 4]}, "best": {"turns": "higest"}}, "Did you mean highest"),
        ({"rules": {"jokers": [0, 4]}, "best": {"turns": "highest", "score": 2}}, "one statistic decides"),
        ({"rules": {"jokers": [0, 4]}, "statistics": ["turn"]}, "Did you mean turns"),
    ],
)
def test_sweeps_that_make_no_sense_are_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        sweeping.sweep("canastra", deals=10, **arguments)


@pytest.mark.parametrize("module", [comparing, competing, sweeping])
def test_the_examples_run(module: Any) -> None:
    assert doctest.testmod(module).attempted > 0
    assert doctest.testmod(module).failed == 0


def test_a_value_that_changes_nothing_is_not_called_the_policy_itself() -> None:
    fresh = {"estimate": 0.0, "low": 0.0, "high": 0.0, "std_error": 0.0, "deals": 10, "unit": "points"}
    best = {"statistic": "advantage", "direction": "highest", "target": None, "values": {"a": 1}, "fresh": fresh}
    assert best_sentences(best, "mine.py", 3)[1] == "It plays as mine.py itself does: no value did better."
