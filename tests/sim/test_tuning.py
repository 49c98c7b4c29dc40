"""Searches for parameters of real policies: honest, the same for any threads, on deals that are kept apart."""

from __future__ import annotations

import dataclasses
import doctest
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from analysis.paired import PairedRatios
from kernels import registry
from sim import comparing, tuning
from sim.batch import Progress
from sim.candidates import Point
from sim.errors import UsageError
from sim.games import find_game, make_setup, parse_policy
from sim.tuning import FRESH_FIRST, PRUNING_FIRST, TuneRun, tune
from sim.tuning_arena import Arena
from sim.tuning_plan import prepare
from sim.tuning_space import dimensions_of

GAMES = sorted(registry.GAMES)
SMALL: dict[str, Any] = {"deals": 20, "fresh": 40, "generations": 2, "population": 6}

BETTER = {
    "canastra": ("novice", ["take_lixo", "keep_gap=0..100"]),
    "canasta": ("novice", ["take_pile", "feed_pair=0..100"]),
    "mau_mau": ("novice", ["mates=0..40", "suit_one=0..100", "last_jack=0..300"]),
    "escopa": ("novice", ["left=0..100", "swept=0..400", "guindis=0..2000"]),
    "loba": ("novice", ["near=0..30", "points_late=0..10"]),
}
"""By game, a policy and parameters of it with which it plays better."""


Finding = Callable[[str], None]


@pytest.fixture
def finding(monkeypatch: pytest.MonkeyPatch) -> Finding:
    """Let every search of canastra find this policy."""

    def find(text: str) -> None:
        def search(self: TuneRun) -> None:
            self.chosen = self.judged = parse_policy(self.plan.common.spec, text)

        monkeypatch.setattr(TuneRun, "search", search)

    return find


def told(document: dict[str, Any]) -> dict[str, Any]:
    """A document without where and when it was made."""
    return {**document, "provenance": None}


@pytest.mark.parametrize("game", GAMES)
def test_a_better_policy_is_found_in_every_game(game: str) -> None:
    policy, parameters = BETTER[game]
    found = tune(game, policy, parameters=parameters, deals=60, fresh=600, generations=6, seed=1)
    document = found.document()
    assert document["improved"]
    assert document["gain"]["low"] > 0
    assert document["tuned"] == document["judged"] == found.policy_text
    assert document["deals"] == 600
    chosen = parse_policy(find_game(game), document["tuned"])
    ranges = {one["name"]: (one["low"], one["high"]) for one in document["search"]["parameters"]}
    for row in document["parameters"]:
        assert ranges[row["name"]][0] <= row["new"] <= ranges[row["name"]][1]
        assert row["new"] != row["old"]
    assert {row["name"] for row in document["parameters"]} <= set(ranges)
    assert len(found.plan.changed(chosen)) == len(document["parameters"])


@pytest.mark.parametrize("game", GAMES)
def test_all_that_matters_is_sought_where_nothing_is_named(game: str) -> None:
    found = tune(game, "novice", **SMALL)
    known = [parameter.name for parameter in find_game(game).policies[1].parameters]
    sought = [one.name for one in found.dimensions]
    assert sorted([*sought, *found.inert]) == sorted(known)
    assert len(sought) >= 3
    assert found.document()["search"]["generations"] == 2


def test_the_same_for_any_threads() -> None:
    one, other = (tune("canastra", "novice", threads=threads, seed=5, **SMALL).document() for threads in (1, 3))
    assert told(one) == told(other)
    assert told(one) != told(tune("canastra", "novice", seed=6, **SMALL).document())


def test_the_numbers_are_those_of_a_comparison(finding: Finding) -> None:
    finding("novice:take_lixo=1")
    document = tune("canastra", "novice", seed=5, against="standard", **SMALL).document()
    for rows, other in ((document["over_start"], "novice"), (document["over_opponents"]["standard"], "standard")):
        again = comparing.compare("canastra", document["judged"], other, deals=40, seed=5, first=FRESH_FIRST)
        row = again.document()["differences"][0]
        assert {name: rows["score"][name] for name in ("difference", "low", "high", "n")} == {
            name: row[name] for name in ("difference", "low", "high", "n")
        }
    start = comparing.compare("canastra", "novice", "standard", deals=40, seed=5, first=FRESH_FIRST)
    gain = (
        document["over_opponents"]["standard"]["score"]["difference"] - start.document()["differences"][0]["difference"]
    )
    assert document["gain"]["difference"] == pytest.approx(gain)
    assert document["checks"][0].endswith(f"--deals 40 --seed 5 --first {FRESH_FIRST}")


def test_the_mean_over_several_opponents_decides(finding: Finding) -> None:
    finding("novice:take_lixo=1")
    others = ["standard", "novice", "expert"]
    document = tune("canastra", "novice", seed=5, against=others, **SMALL).document()
    assert document["against"] == others
    # That over the policy as it was is told once.
    assert list(document["over_opponents"]) == ["standard", "expert"]
    gains = [document["over_start"]["score"]["difference"]]
    for other in ("standard", "expert"):
        judged, start = (
            comparing.compare("canastra", policy, other, deals=40, seed=5, first=FRESH_FIRST).document()["differences"]
            for policy in (document["judged"], "novice")
        )
        gains.append(judged[0]["difference"] - start[0]["difference"])
    assert document["gain"]["difference"] == pytest.approx(sum(gains) / 3)
    assert len(document["checks"]) == 3


def test_a_single_parameter_is_worth_the_whole_gain(finding: Finding) -> None:
    finding("novice:take_lixo=1")
    document = tune("canastra", "novice", seed=5, **SMALL).document()
    (row,) = document["parameters"]
    assert row["difference"] == pytest.approx(document["gain"]["difference"])
    assert (row["low"], row["high"]) == pytest.approx((document["gain"]["low"], document["gain"]["high"]))


def test_three_kinds_of_deals_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[int, int]] = []
    plain = Arena.play

    def play(self: Arena, points: Sequence[Point], first: int, count: int) -> list[PairedRatios]:
        played.append((first, first + count))
        return plain(self, points, first, count)

    monkeypatch.setattr(Arena, "play", play)
    tune("canastra", "novice", seed=5, **SMALL)
    search = [end for _, end in played if end <= PRUNING_FIRST]
    pruning = [pair for pair in played if PRUNING_FIRST <= pair[0] < FRESH_FIRST]
    fresh = [pair for pair in played if pair[0] >= FRESH_FIRST]
    assert search
    assert max(search) < 1_000
    assert pruning[0] == (PRUNING_FIRST, PRUNING_FIRST + 40)
    assert set(pruning[1:]) <= {(PRUNING_FIRST + 40, PRUNING_FIRST + 80)}
    assert set(fresh) == {(FRESH_FIRST, FRESH_FIRST + 40)}
    assert len(search) + len(pruning) + len(fresh) == len(played)


class TestHonesty:
    def test_what_is_best_already_is_not_improved(self) -> None:
        """The true best of two values is where the search begins."""
        document = tune("canastra", "expert", parameters=["count_cards"], deals=400, fresh=800, seed=2).document()
        assert document["search"]["stopped_by"] == "all_tried"
        assert not document["improved"]
        assert document["tuned"] == "expert"
        assert document["sentence"][-1].startswith("No improvement")

    def test_a_worse_one_is_not_recommended(self, finding: Finding) -> None:
        finding("standard:take_lixo=40")
        document = tune("canastra", "standard", **{**SMALL, "fresh": 400}).document()
        assert (document["improved"], document["tuned"]) == (False, "standard")
        assert document["gain"]["high"] < 0
        assert document["sentence"][-1] == "No improvement is shown, so the policy to use is still standard."

    def test_values_that_do_nothing_are_put_back(self, finding: Finding) -> None:
        finding("novice:take_lixo=1,lock_lixo=107,feed_lixo=7,feed_known=50")
        document = tune("canastra", "novice", **{**SMALL, "fresh": 2_000}).document()
        assert document["found"] == "novice:take_lixo=1,lock_lixo=107,feed_lixo=7,feed_known=50"
        assert document["judged"] == "novice:take_lixo=1"
        assert [row["name"] for row in document["pruned"]] == ["lock_lixo", "feed_lixo", "feed_known"]
        assert document["improved"]

    def test_values_that_are_worth_something_only_together_stay(self, finding: Finding) -> None:
        """Each alone is lost in the noise of so few deals; all together are not."""
        small = "take_curinga=7,curinga_hand=30,keep_gap=20,keep_near=15,keep_pair=40,keep_fed=10,feed_pairs=30"
        finding(f"novice:take_lixo=1,{small}")
        document = tune("canastra", "novice", **{**SMALL, "fresh": 300}).document()
        shown = [row for row in document["parameters"] if row["low"] > 0]
        assert len(document["parameters"]) > len(shown)
        assert document["improved"]

    def test_where_nothing_changes_anything_that_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def no_scores(_common: object, _choice: object, jobs: Sequence[object]) -> Any:
            return np.zeros(len(jobs))

        monkeypatch.setattr("sim.tuning_space._scores", no_scores)
        document = tune("canastra", "novice", **SMALL).document()
        assert document["search"]["stopped_by"] == "nothing_matters"
        assert document["tuned"] == "novice"
        assert "no parameter changes anything under these rules" in document["sentence"][0]


class TestInterrupt:
    """A search is cut short after each share of its work."""

    def play(self, stop_after: int | None) -> tuple[dict[str, Any], int, int]:
        """Document, pieces of work done in all, and stages begun."""
        parameters = ["take_lixo=1..2", "keep_gap=0..100"]
        plan = prepare("canastra", "novice", None, parameters=parameters, seed=1, deals=60, fresh=600, generations=4)
        events: list[threading.Event] = []
        seen = [0]

        @contextmanager
        def stopping() -> Iterator[threading.Event]:
            events.append(threading.Event())
            if stop_after == 0 and len(events) == 1:
                events[0].set()
            yield events[-1]

        def watch(_progress: Progress) -> None:
            seen[0] += 1
            if seen[0] == stop_after:
                events[-1].set()

        run = tuning.play(plan, threads=1, confidence=0.95, watch=watch, stopping=stopping)
        document = run.document()
        assert run.is_stopped == document["interrupted"]
        return document, seen[0], len(events)

    def test_what_was_found_is_told(self) -> None:
        whole, pieces, stages = self.play(None)
        assert (stages, whole["improved"], whole["interrupted"]) == (3, True, False)
        found = set()
        for stop_after in range(0, pieces, 3):
            document, done, _ = self.play(stop_after)
            generations = document["search"]["generations"]
            assert done <= pieces
            assert document["interrupted"] == (done < pieces)
            assert document["search"]["trajectory"] == whole["search"]["trajectory"][:generations]
            if document["search"]["stopped_by"] != "interrupted":
                assert document["search"] == whole["search"]
            elif document["judged"] != "novice":
                # The search was cut short; its result is judged on all fresh deals.
                assert document["deals"] == 600
                assert all(row["low"] is not None for row in document["parameters"])
            found.add((document["search"]["stopped_by"], document["deals"]))
        assert ("interrupted", 0) in found
        assert ("interrupted", 600) in found
        assert ("generations", 600) in found

    def test_in_the_fresh_deals_those_done_are_told(self, finding: Finding) -> None:
        finding("novice:take_lixo=1")
        plan = dataclasses.replace(prepare("canastra", "novice", None, seed=5, **SMALL), fresh=400)
        events: list[threading.Event] = []

        @contextmanager
        def stopping() -> Iterator[threading.Event]:
            events.append(threading.Event())
            yield events[-1]

        def watch(progress: Progress) -> None:
            if progress.precision == "fresh deals":
                events[-1].set()

        document = tuning.play(plan, threads=1, confidence=0.95, watch=watch, stopping=stopping).document()
        assert 0 < document["deals"] < 400
        assert document["over_start"]["score"]["n"] == document["deals"]
        assert document["parameters"][0]["low"] is None
        assert document["interrupted"]


class TestSpace:
    def test_what_matters_only_where_another_is_at_work_is_sought_too(self) -> None:
        """While feed_pairs is 0, feed_known and feed_lixo change nothing; refuse_points never does here."""
        found = tune("canastra", "standard", **{**SMALL, "deals": 100})
        assert {"feed_pairs", "feed_known", "feed_lixo"} <= {one.name for one in found.dimensions}
        found = tune("canasta", "standard", **{**SMALL, "deals": 100})
        assert "refuse_points" in found.inert
        assert "refuse_points" in found.document()["sentence"][0]

    def test_steps_are_of_the_size_of_the_values(self) -> None:
        steps = {}
        for game, policy in (("canastra", "standard"), ("mau_mau", "standard"), ("loba", "standard")):
            for one in dimensions_of(parse_policy(find_game(game), policy), {}):
                steps[game, one.name] = one.step
                assert one.low <= one.start <= one.high
                assert 0.6 <= one.step <= max(0.6, (one.high - one.low) / 4)
        assert steps["canastra", "keep_neighbour"] == pytest.approx(18)
        assert steps["canastra", "count_cards"] == 0.6
        assert steps["mau_mau", "last_jack"] == pytest.approx(60)
        # 0 says nothing of its size; the others that have its range do.
        assert 5 < steps["mau_mau", "ace"] < 100
        # 1000 stands for never.
        assert steps["loba", "keep_spare"] == pytest.approx(1000 / 6)

    def test_a_range_that_is_given_sets_the_step(self) -> None:
        plan = prepare("canastra", "standard", None, parameters={"keep_gap": (10, 50), "take_lixo": None})
        (lixo, gap) = plan.dimensions
        assert (gap.low, gap.high, gap.start, gap.step) == (10, 50, 40, 10)
        assert (lixo.low, lixo.high) == (1, 108)

    def test_a_start_outside_of_the_range_is_brought_in(self) -> None:
        (one,) = prepare("canastra", "standard", None, parameters=["take_lixo=3..8"]).dimensions
        assert (one.start, one.low) == (3, 3)
        document = tune("canastra", "standard", parameters=["take_lixo=3..8"], **SMALL).document()
        assert document["found"] == "standard" or document["parameters"][0]["new"] >= 3


REFUSED = [
    ({"parameters": ["take_lxo"]}, "Did you mean take_lixo?"),
    ({"parameters": ["take_lixo", "take_lixo=1..3"]}, "take_lixo is given twice"),
    ({"parameters": ["take_lixo=0..3"]}, "parameters take_lixo: '0' is out of range; allowed is a whole number from 1"),
    ({"parameters": ["take_lixo=1..1e9"]}, "'1e9' is out of range"),
    ({"parameters": ["take_lixo=5..2"]}, "5..2 runs downwards; write low..high"),
    ({"parameters": ["take_lixo=5..5"]}, "5..5 has only one value"),
    ({"parameters": ["take_lixo=5"]}, "'5' is not of the form low..high"),
    ({"parameters": ["take_lixo="]}, "'' is not of the form low..high"),
    ({"parameters": ["take_lixo=a..b"]}, "'a' is no number"),
    ({"parameters": "take_lixo"}, "allowed are names, or a mapping"),
    ({"parameters": 3}, "allowed are names, or a mapping"),
    ({"parameters": {"take_lixo": (3, 1)}}, "(3, 1) runs downwards"),
    ({"parameters": {"take_lixo": 3}}, "allowed is (low, high)"),
    ({"parameters": {"take_lixo": (1, 109)}}, "out of range"),
    ({"parameters": {"take": None}}, "no parameter of policy standard is called 'take'"),
    ({"policy": "standrd"}, "policy: no policy of canastra is called 'standrd'"),
    ({"against": "expet"}, "against: no policy of canastra is called 'expet'"),
    ({"against": ["novice", "expet"]}, "against: no policy of canastra is called 'expet'"),
    ({"against": ["novice", "expert", "novice"]}, "against: novice is given twice"),
    ({"against": [f"standard:take_lixo={n}" for n in range(1, 22)]}, "against: 21 opponents are too many"),
    ({"deals": 0}, "deals: 0 is out of range"),
    ({"deals": 10**30}, "deals"),
    ({"fresh": 1}, "fresh: 1 is out of range"),
    ({"fresh": 10**18}, "fresh"),
    ({"population": 3}, "population: 3 is out of range"),
    ({"population": 10**9}, "population"),
    ({"generations": 0}, "generations: 0 is out of range"),
    ({"generations": 10**12}, "generations"),
    ({"budget": 1_000}, "budget: 1_000 deals are less than a generation takes"),
    ({"budget": 10**40}, "budget"),
    ({"seed": -1}, "seed"),
    ({"rules": {"joker": 4}}, "Did you mean jokers?"),
    ({"threads": 0}, "threads"),
    ({"confidence": 1}, "confidence"),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSED)
def test_what_makes_no_sense_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        tune("canastra", **arguments)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_without_parameters_cannot_be_tuned(game: str) -> None:
    policy = find_game(game).policies[0]
    if policy.parameters:
        assert tune(game, policy.name, **SMALL).document()["policy"] == policy.name
        return
    with pytest.raises(UsageError, match=f"policy: {policy.name} has no parameters"):
        tune(game, policy.name)


def test_without_the_library_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.candidates.find_spec", lambda _name: None)
    with pytest.raises(
        UsageError, match=r"needs cma, not installed here; to install it: pip install 'carteador\[tune\]'"
    ):
        tune("canastra")


def test_the_budget_holds_for_all_tables() -> None:
    document = tune(
        "mau_mau", "novice", parameters=["mates=0..40", "points"], deals=10, fresh=20, budget=20_000
    ).document()
    assert len(make_setup("mau_mau").policies) == 4
    assert document["search"]["stopped_by"] in ("budget", "stalled")
    assert 0 < document["search"]["deals_played"] <= 20_000


def test_the_example_in_the_documentation_is_right() -> None:
    assert doctest.testmod(tuning).failed == 0
