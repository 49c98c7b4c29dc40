"""Simulations from a program."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sim
from sim import programs
from sim.batch import Progress
from tests.trees import ROOT


def test_the_documented_example_runs() -> None:
    tried = doctest.testmod(programs)
    assert tried.attempted >= 4
    assert tried.failed == 0


def test_the_package_offers_it_without_loading_anything() -> None:
    code = "import sim, sys; assert not {'numpy', 'polars', 'numba'} & set(sys.modules); assert callable(sim.simulate)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    with pytest.raises(AttributeError, match="simulat"):
        _ = sim.simulat


def test_rows_have_the_deals_asked_for() -> None:
    run = sim.simulate("canastra", deals=40, first=1000, seed=7)
    assert run.deals["deal"].to_list() == list(range(1000, 1040))
    assert run.sides.height == 80
    assert run.summarizer.deals == 40
    later = sim.simulate("canastra", deals=10, first=1030, seed=7)
    assert later.deals.equals(run.deals[30:])


@pytest.mark.parametrize("chunk_size", [1, 17, 1000])
def test_chunks_and_threads_change_nothing(chunk_size: int) -> None:
    run = sim.simulate("canastra", deals=120, seed=7)
    other = sim.simulate("canastra", deals=120, seed=7, chunk_size=chunk_size, threads=5)
    assert other.deals.equals(run.deals)
    assert other.sides.equals(run.sides)
    assert other.summary() == run.summary()


def test_matches_keep_rows_of_matches_and_deals() -> None:
    run = sim.simulate("canastra", matches=9, rules={"target": 600}, chunk_size=4, threads=2)
    assert run.matches["match"].to_list() == list(range(9))
    assert run.deals.group_by("match", maintain_order=True).len()["len"].to_list() == run.matches["deals"].to_list()
    rows = {(row["statistic"], row["group"]): row for row in run.document()["statistics"]}
    assert rows["deals_per_match", "all"]["estimate"] == pytest.approx(run.matches["deals"].mean())


def test_the_summary_has_the_confidence_asked_for() -> None:
    narrow = sim.simulate("canastra", deals=200, confidence=0.5).document()
    wide = sim.simulate("canastra", deals=200, confidence=0.999).document()
    assert (narrow["confidence"], wide["confidence"]) == (0.5, 0.999)
    for one, other in zip(narrow["statistics"], wide["statistics"], strict=True):
        assert one["confidence"] == 0.5
        bounds = other["low"], one["low"], one["high"], other["high"]
        if None not in bounds:
            assert list(bounds) == sorted(bounds)


def test_progress_is_told_chunk_by_chunk() -> None:
    seen: list[tuple[int, int]] = []

    def watch(progress: Progress) -> None:
        seen.append((progress.done, progress.total))

    sim.simulate("canastra", deals=100, chunk_size=40, progress=watch)
    assert seen == [(40, 100), (80, 100), (100, 100)]


def test_without_rows_there_is_a_summary_and_a_clear_error() -> None:
    run = sim.simulate("canastra", deals=50, keep_rows=False)
    assert run.summary()
    with pytest.raises(sim.UsageError, match="keep_rows=True"):
        _ = run.deals
    with pytest.raises(sim.UsageError, match="matches=N"):
        _ = sim.simulate("canastra", deals=50).matches


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        ({"deals": 5, "matches": 5}, "cannot go together"),
        ({"deals": 0}, "deals: 0 is out of range"),
        ({"deals": 1.5}, "deals: 1.5 is no whole number"),
        ({"matches": -1}, "matches: -1 is out of range"),
        ({"first": -1}, "first: -1 is out of range"),
        ({"threads": 0}, "threads: 0 is out of range"),
        ({"chunk_size": 0}, "chunk_size: 0 is out of range"),
        ({"confidence": 95}, "confidence: 95 is not allowed"),
        ({"policies": "stndard"}, "Did you mean standard"),
        ({"rules": "strct"}, "Did you mean strict"),
        ({"rules": "nofile.toml"}, "^rules: there is no file 'nofile.toml'"),
        ({"rules": {"player": 2}}, "^rules: no option of canastra"),
        ({"rules": 5}, "^rules: 5 is not allowed"),
        ({"rules": []}, r"^rules: \[\] is not allowed"),
        ({"rules": b"strict"}, "^rules: b'strict' is not allowed"),
        ({"rules": Path("nofile.toml")}, "^rules: there is no file"),
        ({"rules": "a\0b"}, "^rules: .* null character"),
        ({"rules": ""}, "^rules: the value is empty"),
        ({"policies": 5}, "^policies: 5 is not allowed"),
        ({"policies": {"random"}}, "^policies: .* is not allowed"),
        ({"policies": [5] * 4}, "^policies: 5 is no text"),
        ({"policies": b"random"}, "^policies: 114 is no text"),
        ({"policies": []}, "^policies: 0 are given"),
        ({"policies": {0: None}}, "^policies: None is no text"),
        ({"policies": "expert:take_lixo=999"}, "^policies: expert, parameter take_lixo"),
        ({"policies": {9: "random"}}, "^policies: there is no seat 9"),
        ({"confidence": "95%"}, "^confidence: '95%' is not allowed"),
        ({"confidence": True}, "^confidence: True is not allowed"),
        ({"confidence": float("nan")}, "^confidence: nan is not allowed"),
        ({"confidence": None}, "^confidence: None is not allowed"),
        ({"out": 5}, "^out: 5 is no path"),
        ({"out": b"x"}, "^out: b'x' is no path"),
        ({"out": ""}, "^out: the value is empty"),
        ({"out": "a\0b"}, "^out: .* null character"),
        ({"out": "~nobody-of-this-name/x"}, "^out: .* is no home folder here"),
        ({"out": __file__}, "^out: .* is a file"),
        ({"out": Path(__file__).parent}, "^out: .* is not empty"),
        ({"progress": 5}, "^progress: 5 is not allowed"),
        ({"keep_rows": "no"}, "^keep_rows: 'no' is not allowed"),
        ({"keep_rows": 1}, "^keep_rows: 1 is not allowed"),
        ({"seed": "x"}, "^seed: 'x' is no number"),
        ({"seed": np.arange(2)}, r"^seed: array\(\[0, 1\]\) is no whole number"),
        ({"deals": [5]}, r"^deals: \[5\] is no whole number"),
        ({"deals": "many"}, "^deals: 'many' is no number"),
        ({"matches": None, "deals": 2, "first": 2**64 - 1}, "^first: .* with deals 2 goes past"),
        ({"threads": "two"}, "^threads: 'two'"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], fragment: str) -> None:
    with pytest.raises(sim.UsageError, match=fragment):
        sim.simulate("canastra", **arguments)


@pytest.mark.parametrize("game", [5, None, ["canastra"], b"canastra"])
def test_a_game_has_a_name(game: Any) -> None:
    with pytest.raises(sim.UsageError, match=r"^game: .* is no name of a game; there is canastra"):
        sim.simulate(game)


def test_a_path_may_be_a_path_and_begin_with_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.toml").write_text("players = 2\n")
    ways: list[str | Path] = [tmp_path / "rules.toml", Path("~/rules.toml"), "~/rules.toml", "rules.toml"]
    for number, rules in enumerate(ways):
        run = sim.simulate("canastra", deals=5, rules=rules, out=Path("~") / f"run{number}")
        assert run.setup.changed == {"players": 2}
        assert (tmp_path / f"run{number}" / "deals-00000.parquet").is_file()
    sim.simulate("canastra", deals=5, out="~/text", confidence=np.float64(0.9), keep_rows=False)
    assert (tmp_path / "text" / "manifest.json").is_file()
    assert not (tmp_path / "~").exists()


def test_policies_differ_by_seat_in_the_rows() -> None:
    run = sim.simulate("canastra", deals=30, policies=["random", "standard", "random", "standard"])
    policies = (
        run.sides.group_by("side").agg(pl.col("policy").unique().cast(pl.String)).sort("side")["policy"].to_list()
    )
    assert policies == [["random"], ["standard"]]
