"""Chunks on threads: the same rows, in order, however they are cut; and a stop that leaves the first of them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kernels import registry
from kernels.match_ends import highest_past_target
from sim import batch, comparing
from sim.api import Request
from sim.batch import Chunk, Progress, chunk_size_for, chunks, run_chunks
from sim.common_deals import Playing
from sim.errors import KernelError
from sim.games import make_setup
from sim.manifest import DEALS, MATCHES
from sim.match import HAND_CAP, hand_job, match_layout, play_hands, play_matches
from tests.trees import ROOT

pytestmark = pytest.mark.filterwarnings("error")


def same(one: batch.Records, other: batch.Records) -> bool:
    """Field by field: the gaps between the fields of a record hold anything."""
    return one.dtype == other.dtype and all(np.array_equal(one[name], other[name]) for name in one.dtype.names or ())


@pytest.mark.parametrize(("count", "size"), [(1, 1), (10, 3), (9, 3), (5, 100), (2**40, 2**39)])
def test_chunks_cover_every_unit_once(count: int, size: int) -> None:
    cut = list(chunks(7, count, size))
    assert [chunk.index for chunk in cut] == list(range(len(cut)))
    assert cut[0].first == 7
    assert all(after.first == before.first + before.count for before, after in pairwise(cut))
    assert cut[-1].first + cut[-1].count == 7 + count


def test_a_chunk_is_neither_tiny_nor_huge() -> None:
    assert chunk_size_for(10**9, 2) == batch.LARGEST_CHUNK
    assert chunk_size_for(10, 8) == batch.SMALLEST_CHUNK
    assert chunk_size_for(80_000, 4) == 2_500


def test_chunks_are_small_where_somebody_searches() -> None:
    """A first Ctrl-C waits for them, and every thread is to have one."""
    setup = make_setup("escopa", policies={0: "search"})
    assert chunk_size_for(2_000, 2, searched=setup.is_searched) == batch.SEARCHED_CHUNK
    assert chunk_size_for(10, 4, searched=True) == 1
    assert Request(setup, DEALS, 0, 2_000, threads=2).size == batch.SEARCHED_CHUNK
    assert Request(setup, MATCHES, 0, 2_000, threads=2).size == 1
    assert Request(setup, DEALS, 0, 2_000, out=Path("x")).size == batch.STORED_SEARCHED_CHUNK
    assert not make_setup("escopa").is_searched
    contest = comparing.prepare("escopa", "search:rollouts=2", "standard", 0)
    sizes: list[int] = []
    contest.play((), Playing(0, 8, 2, watch=lambda progress: sizes.append(progress.done)), 0.95, "")
    assert sizes == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("size", [1, 37, 300, 5_000])
def test_rows_are_the_same_for_any_threads_and_chunks(threads: int, size: int) -> None:
    setup = make_setup("canastra", seed=11, policies=["random", "standard", "novice", "expert"])
    whole = batch.play(setup, batch.deal_jobs(setup, 50, 300))
    assert same(batch.play_deals(setup, 50, 300, threads=threads, chunk_size=size), whole)


def test_deal_k_alone_is_deal_k_of_the_run() -> None:
    setup = make_setup("canastra", seed=11)
    whole = batch.play_deals(setup, 0, 200, threads=2, chunk_size=33)
    for deal in (0, 1, 33, 199):
        assert same(batch.play_deals(setup, deal, 1), whole[deal : deal + 1])


def test_the_largest_deal_and_seed_can_be_played() -> None:
    setup = make_setup("canastra", seed=2**64 - 1)
    records = batch.play_deals(setup, 2**64 - 3, 3)
    assert records["deal"].tolist() == [2**64 - 3, 2**64 - 2, 2**64 - 1]
    assert records["dealer"].tolist() == [1, 2, 3]


def test_results_come_in_order_and_few_chunks_are_in_flight() -> None:
    lock = threading.Lock()
    flying = 0
    most = 0
    finished: list[int] = []

    def work(chunk: Chunk) -> tuple[int, int]:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying - len(finished))
        return chunk.count, chunk.first

    seen: list[Progress] = []
    progress = run_chunks(
        work, 0, 1000, threads=3, chunk_size=10, finish=lambda chunk, _: finished.append(chunk.index), watch=seen.append
    )
    assert finished == list(range(100))
    assert most <= 2 * 3
    assert len(seen) == 100
    assert (progress.done, progress.deals, progress.stopped) == (1000, 1000, False)
    assert progress.seconds_left == 0


@pytest.mark.parametrize("threads", [1, 4])
def test_a_stop_leaves_the_first_units_and_no_other(threads: int) -> None:
    stop = threading.Event()
    worked: set[int] = set()
    finished: list[int] = []

    def work(chunk: Chunk) -> tuple[int, None]:
        worked.add(chunk.index)
        if chunk.index == 5:
            stop.set()
        return chunk.count, None

    progress = run_chunks(
        work,
        0,
        10_000,
        threads=threads,
        chunk_size=10,
        finish=lambda chunk, _: finished.append(chunk.index),
        stop=stop,
    )
    assert progress.stopped
    assert finished == list(range(len(finished)))
    assert progress.done == 10 * len(finished)
    assert worked == set(finished)
    assert len(finished) <= 6 + 2 * threads


def test_an_error_in_a_chunk_ends_the_work() -> None:
    def work(chunk: Chunk) -> tuple[int, None]:
        if chunk.index == 3:
            raise KernelError("lost")
        return chunk.count, None

    with pytest.raises(KernelError, match="lost"):
        run_chunks(work, 0, 10**9, threads=2, chunk_size=10, finish=lambda _chunk, _result: None)


def test_matches_do_not_depend_on_their_chunk() -> None:
    setup = make_setup("canastra", seed=3, rules={"target": 800})
    whole, records = play_matches(setup, 10, 30)
    for first, count in ((10, 7), (17, 1), (18, 22)):
        part, part_records = play_matches(setup, first, count)
        assert same(part, whole[first - 10 : first - 10 + count])
        own = (records["match"] >= first) & (records["match"] < first + count)
        assert same(part_records, records[own])


def test_a_match_is_its_hands_until_somebody_has_the_target() -> None:
    setup = make_setup("canastra", seed=3)
    matches, records = play_matches(setup, 0, 40)
    assert matches.dtype == match_layout(2)
    for match in matches:
        hands = records[records["match"] == int(match["match"])]
        assert hands["deal"].tolist() == list(range(match["deals"]))
        assert hands["dealer"].tolist() == [(match["first_dealer"] + hand) % 4 for hand in range(match["deals"])]
        running = hands["score"].cumsum(axis=0)
        assert running[-1].tolist() == match["scores"].tolist()
        assert all(row.max() < 2000 or row[0] == row[1] for row in running[:-1])
        assert running[-1].max() >= 2000
        assert match["winner"] == running[-1].argmax()
        assert match["margin"] == abs(int(running[-1][0]) - int(running[-1][1]))
    assert set(matches["first_dealer"].tolist()) == {0, 1, 2, 3}


def test_a_hand_of_a_match_is_found_alone() -> None:
    setup = make_setup("canastra", seed=3)
    matches, records = play_matches(setup, 6, 1)
    hands = int(matches["deals"][0])
    assert len(list(play_hands(setup, 6))) == hands
    for hand in range(hands):
        job = hand_job(setup, 6, hand)
        assert job is not None
        assert same(batch.play(setup, job), records[hand : hand + 1])
    assert hand_job(setup, 6, hands) is None


def test_the_higher_total_past_the_target_wins_and_equals_play_on() -> None:
    scores = np.array([[1990, 1980], [2000, 1999], [2100, 2050], [2050, 2100], [2100, 2100], [-50, 2000]])
    assert highest_past_target(scores, {"target": 2000}).tolist() == [-1, 0, 0, 1, -1, 1]
    assert highest_past_target(np.array([[5, 9, 9], [5, 9, 10]]), {"target": 9}).tolist() == [-1, 2]


def test_a_match_that_nobody_can_win_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = make_setup("canastra")
    kernel = registry.module("canastra", "play").batch

    def losing(*arguments: object) -> int:
        rows: int = kernel(*arguments)
        arguments[-1]["score"] = -10  # type: ignore[index]
        return rows

    monkeypatch.setattr(registry.module("canastra", "play"), "batch", losing)
    matches, records = play_matches(setup, 0, 2)
    assert matches["winner"].tolist() == [-1, -1]
    assert matches["deals"].tolist() == [HAND_CAP, HAND_CAP]
    assert matches["margin"].tolist() == [0, 0]
    assert len(records) == 2 * HAND_CAP


COMPILE = """
import sys
from sim import batch
from sim.games import make_setup
print("ready", flush=True)
sys.stdin.readline()
batch.first_compile(make_setup("escopa"))
"""


@pytest.mark.slow
def test_processes_that_start_together_compile_once(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "CARTEADOR_CACHE_DIR": str(tmp_path), "NUMBA_DEBUG_CACHE": "1"}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", COMPILE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(3)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told = [process.communicate(timeout=300)[0] for process in started]
    assert [process.returncode for process in started] == [0, 0, 0]
    # Numba says so of everything that it compiled.
    assert sorted("data saved" in text for text in told) == [False, False, True]
    assert all("data loaded" in text for text in told if "data saved" not in text)
