"""Runs that stop at a precision: where they stop, and that they are then the run of so many deals."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import sim
from sim import batch, precision
from sim.api import Request, Run, execute
from sim.batch import Progress
from sim.games import make_setup
from sim.precision import look_from, looks, pieces
from sim.store import MANIFEST, read_manifest

UNTIL = {"win_rate@side:0": 0.1, "turns": 1}
"""Reached within some hundreds of deals, and not at the first look."""


@pytest.fixture(autouse=True)
def early_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks from 60 deals on, so that a run with many of them is quick."""
    monkeypatch.setattr(precision, "FIRST_LOOK", 60)


def run_until(**others: Any) -> Run:
    return sim.simulate("canastra", **{"seed": 7, "until": UNTIL, "deals": 20_000, **others})


@pytest.fixture(scope="module")
def usual() -> Run:
    """The run that others must equal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(precision, "FIRST_LOOK", 60)
        return run_until(threads=1)


def test_looks_grow_by_an_eighth_in_whole_rounds() -> None:
    found = list(looks(3, 10**6))
    assert found[0] == 60
    assert found[-1] == 10**6
    assert all(look % 3 == 0 for look in found[:-1])
    assert all(before * 9 / 8 <= look <= before * 9 / 8 + 3 for before, look in pairwise(found[:-1]))
    assert list(looks(4, 50)) == [50]
    assert list(looks(4, 60)) == [60]
    # What may be played at most adds a last look and changes no other.
    assert list(looks(3, 5000))[:-1] == [look for look in found if look < 5000]


def test_the_look_at_which_a_number_of_deals_is_passed() -> None:
    assert look_from(0, 4, 1000) == 60
    assert look_from(61, 4, 1000) == 68
    assert look_from(68, 4, 1000) == 68
    assert look_from(10**7, 4, 1000) == 1000


@pytest.mark.parametrize(("done", "look"), [(0, 30), (90, 110), (95, 500), (200, 300), (130, 1000)])
def test_pieces_follow_on_each_other_and_lie_in_one_part(done: int, look: int) -> None:
    cut = list(pieces(1000, done, look, 100, 7))
    assert cut[0].first == 1000 + done
    assert all(before.first + before.count == piece.first for before, piece in pairwise(cut))
    assert cut[-1].first + cut[-1].count == 1000 + look
    for piece in cut:
        start = 1000 + 100 * piece.index
        assert start <= piece.first < piece.first + piece.count <= start + 100
        assert piece.count == 100 or piece.count <= 7
    whole = {piece.index for piece in cut if piece.count == 100}
    assert whole == {index for index in range(10) if done <= 100 * index and 100 * (index + 1) <= look}


def test_a_run_stops_where_all_precisions_are_reached(usual: Run) -> None:
    done = usual.progress.done
    assert 60 < done < 20_000
    assert done in list(looks(4, 20_000))
    assert not usual.progress.stopped
    assert [(standing.target.name, standing.met) for standing in usual.until] == [
        ("win_rate@side:0", True),
        ("turns", True),
    ]
    before = list(looks(4, 20_000))[usual.document()["until"][0]["looks"] - 2]
    earlier = run_until(deals=before)
    assert earlier.progress.done == before
    assert not all(standing.met for standing in earlier.until)
    alone = [run_until(until={name: value}).progress.done for name, value in UNTIL.items()]
    assert max(alone) == done
    assert min(alone) < done


def test_it_is_the_run_of_so_many_deals(usual: Run) -> None:
    done = usual.progress.done
    plain = sim.simulate("canastra", seed=7, deals=done)
    assert usual.deals.equals(plain.deals)
    assert usual.sides.equals(plain.sides)
    # The intervals are those of these deals, whenever they were looked at before.
    wanted = {("win_rate", "side:0"): 0.1, ("turns", "all"): 1.0}
    assert usual.summary() == plain.summarizer.rows(0.95, wanted)
    estimates = [(row.statistic, row.group, row.n, row.estimate) for row in usual.summary()]
    assert estimates == [(row.statistic, row.group, row.n, row.estimate) for row in plain.summary()]


@pytest.mark.parametrize(("threads", "chunk_size"), [(1, 5), (2, 17), (5, None), (3, 100_000)])
def test_threads_and_chunks_change_nothing(threads: int, chunk_size: int | None, usual: Run) -> None:
    run = run_until(threads=threads, chunk_size=chunk_size)
    assert run.progress.done == usual.progress.done
    assert run.sides.equals(usual.sides)
    assert run.summary() == usual.summary()
    assert run.document()["until"] == usual.document()["until"]


def test_what_is_played_at_most_changes_nothing_before_it(usual: Run) -> None:
    assert run_until(deals=usual.progress.done + 1).summary() == usual.summary()
    most = run_until(deals=101)
    assert most.progress.done == 101
    assert not most.progress.stopped
    assert [standing.met for standing in most.until] == [False, False]
    assert [entry["met"] for entry in most.document()["until"]] == [False, False]


def test_deals_may_begin_anywhere() -> None:
    run = run_until(first=1001)
    assert run.deals["deal"].to_list() == list(range(1001, 1001 + run.progress.done))


@pytest.mark.parametrize("part", [90, 64, 100_000])
def test_what_is_stored_is_the_run_of_so_many_deals(
    part: int, usual: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "STORED_CHUNK", part)
    run = run_until(out=tmp_path / "until", threads=2)
    assert run.summary() == usual.summary()
    sim.simulate("canastra", seed=7, deals=run.progress.done, out=tmp_path / "plain")
    manifest, plain = (read_manifest(tmp_path / name) for name in ("until", "plain"))
    assert manifest.count == plain.count == run.progress.done
    assert manifest.chunks == plain.chunks
    assert manifest.until is not None
    assert manifest.until.half_widths == UNTIL
    files = {path.name: path.read_bytes() for path in (tmp_path / "until").iterdir() if path.name != MANIFEST}
    assert files == {path.name: path.read_bytes() for path in (tmp_path / "plain").iterdir() if path.name != MANIFEST}
    assert pl.read_parquet(tmp_path / "until" / "sides-*.parquet").equals(run.sides)


def test_a_folder_takes_the_same_run_again_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "STORED_CHUNK", 90)
    folder = tmp_path / "run"
    run = run_until(out=folder)
    parts = {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
    assert run_until(out=folder).summary() == run.summary()
    assert parts == {path.name: path.read_bytes() for path in folder.glob("*.parquet")}
    for others in ({"until": {"turns": 1}}, {"confidence": 0.9}, {"deals": 10_000}):
        with pytest.raises(sim.UsageError, match=r"another run of canastra \(it differs in until\)"):
            run_until(out=folder, **others)
    with pytest.raises(sim.UsageError, match=r"\(it differs in (count, )?until"):
        sim.simulate("canastra", seed=7, deals=run.progress.done, out=folder)


def test_an_interrupt_leaves_the_first_deals_in_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "STORED_CHUNK", 90)
    folder = tmp_path / "run"
    longer = run_until(out=folder)
    stop = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.done > 200:
            stop.set()

    def asked(totals: Any, others: Any) -> Any:
        return precision.targets_of(UNTIL, totals, others)

    setup = make_setup("canastra", seed=7)
    request = Request(
        *(setup, "deals", 0, 20_000, 1),
        chunk_size=None,
        out=folder,
        stopping=nullcontext(stop),
        watch=watch,
        until=asked,
    )
    run = execute(request)
    assert run.progress.stopped
    assert 200 < run.progress.done < longer.progress.done
    assert not all(standing.met for standing in run.until)
    manifest = read_manifest(folder)
    assert manifest.count == manifest.done == run.progress.done
    assert pl.read_parquet(folder / "deals-*.parquet").height == run.progress.done
    assert run_until(out=folder).summary() == longer.summary()


def test_matches_stop_at_a_precision_of_matches(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"match_win_rate@side:0": "12%", "deals_per_match": 0.5}
    words: dict[str, Any] = {"rules": {"target": 600}, "seed": 3}
    run = sim.simulate("canastra", matches=3000, until=asked, out=tmp_path / "run", threads=2, **words)
    done = run.progress.done
    assert 60 < done < 3000
    plain = sim.simulate("canastra", matches=done, **words)
    assert run.matches.equals(plain.matches)
    assert run.deals.equals(plain.deals)
    assert pl.read_parquet(tmp_path / "run" / "matches-*.parquet").equals(run.matches)
    document = run.document()
    assert document["matches"] == document["until"][0]["matches"] == done
    assert document["until"][0]["wanted"] == 0.12
    with pytest.raises(sim.UsageError, match="win_rate is told of deals, which depend on each other within a match"):
        sim.simulate("canastra", matches=100, until={"win_rate": 0.1})


def test_the_document_says_what_was_asked_and_reached(usual: Run) -> None:
    document = usual.document()
    assert document["intervals"] == "anytime"
    share, turns = document["until"]
    rows = {(row["statistic"], row["group"]): row for row in document["statistics"]}
    for entry, group, kind in ((share, "side:0", "beta_binomial"), (turns, "all", "asymptotic")):
        row = rows[entry["statistic"], group]
        assert [entry[name] for name in ("estimate", "low", "high")] == [row[n] for n in ("estimate", "low", "high")]
        assert entry["reached"] == pytest.approx((row["high"] - row["low"]) / 2)
        assert (entry["group"], entry["interval"], entry["met"]) == (group, kind, True)
        assert entry["reached"] <= entry["wanted"]
        assert entry["deals"] == document["deals"]
        assert entry["looks"] == len([look for look in looks(4, 20_000) if look <= document["deals"]])
    assert "until" not in sim.simulate("canastra", deals=5).document()


@pytest.mark.parametrize(
    ("name", "kind"), [("win_rate", "betting"), ("turns:p50", "quantile"), ("lixo_size", "asymptotic")]
)
def test_every_kind_of_row_can_be_asked_for(name: str, kind: str) -> None:
    run = sim.simulate("canastra", until={name: 0.45 if kind == "betting" else 4}, deals=5_000)
    [standing] = run.until
    assert (standing.interval, standing.met) == (kind, True)
    assert run.progress.done < 5_000


def test_a_standard_deviation_and_every_group_can_be_asked_for() -> None:
    asked = {"score:sd@side:1": 100, "margin@plays_first:no": 100, "lixo_size@policy:novice": 1.5}
    run = sim.simulate("canastra", until=asked, deals=20_000, policies=["novice", "standard"] * 2)
    assert [standing.met for standing in run.until] == [True] * 3
    assert run.progress.done < 20_000


def test_every_row_has_an_interval_that_is_wider_than_that_of_a_fixed_number_of_deals() -> None:
    run = sim.simulate("canastra", until={"turns": 0.5}, seed=7, keep_rows=False)
    fixed = {(row.statistic, row.group): row for row in run.summarizer.rows(0.95)}
    compared = 0
    for row in run.summary():
        other = fixed[row.statistic, row.group]
        assert (row.n, row.estimate, row.std_error) == (other.n, other.estimate, other.std_error)
        if None not in (row.low, row.high, other.low, other.high) and row.std_error:
            compared += 1
            assert row.high - row.low > other.high - other.low  # type: ignore[operator]
    assert compared > 100


def test_progress_tells_the_precision_and_what_it_will_take(usual: Run) -> None:
    seen: list[tuple[int, int | None, str, float | None]] = []

    def watch(progress: Progress) -> None:
        seen.append((progress.done, progress.expected, progress.precision, progress.seconds_left))

    run_until(progress=watch, threads=1)
    told = [entry for entry in seen if entry[1] is not None]
    assert len(told) > 3
    assert all(done <= expected + 1 and left is not None for done, expected, _, left in told if expected)
    _, expected, text, _ = told[-1]
    assert text.endswith((" of 10%", " of 1"))
    assert expected is not None
    assert usual.progress.done / 1.5 < expected < usual.progress.done * 1.5


@pytest.mark.parametrize(
    ("until", "fragment"),
    [
        ({}, "^until: {} is not allowed; allowed is half widths by statistic"),
        ("turns=1", "^until: 'turns=1' is not allowed"),
        ({5: 1}, "^until: 5 is no text"),
        ({"turn": 1}, "no statistic is called 'turn'; .* Did you mean turns?"),
        ({"turns": 0}, "^until turns: 0 is not allowed; allowed is a number above 0, in turns"),
        ({"turns": None}, "^until turns: None is not allowed"),
        ({"turns": True}, "^until turns: True is not allowed"),
        ({"turns": float("nan")}, "^until turns: nan is not allowed"),
        ({"turns": float("inf")}, "^until turns: inf is not allowed"),
        ({"turns": "5%"}, "^until turns: '5%' is not allowed"),
        ({"win_rate": 0.5}, "^until win_rate: 0.5 is not allowed; allowed is a number above 0 and below 0.5"),
        ({"win_rate": np.float64(-1)}, "^until win_rate: .* is not allowed"),
        ({"win_rate@side:2": 0.1}, "win_rate has no group 'side:2'; it has all, side:0, .* Did you mean win_rate@side"),
        ({"margin": 1}, "margin has no group 'all'; it has side:0"),
        ({"turns": 1, "turns@all": 2}, "turns is given twice"),
    ],
)
def test_what_cannot_be_asked_for_is_named(until: Any, fragment: str) -> None:
    with pytest.raises(sim.UsageError, match=fragment):
        sim.simulate("canastra", until=until)


def test_numbers_of_any_type_are_half_widths() -> None:
    given: list[tuple[Callable[[float], Any], float]] = [(float, 2.5), (int, 3), (np.float32, 2.5), (str, 2.5)]
    for make, value in given:
        run = sim.simulate("canastra", until={"turns": make(value)}, deals=2_000)
        assert run.until[0].target.half_width == value
