"""The cache of compiled kernels: never stale, never compiled twice, never in the way."""

from __future__ import annotations

import json
import os
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.contract.toy_tree import toy_tree
from tests.trees import run_python

PLAY = """
import json
from numba.core import event
import kernels._jit
from sim import batch
from sim.games import make_setup
before = kernels._jit.is_compiled("toy")
with event.install_recorder("numba:compile") as recorder:
    setup = make_setup("toy", policies=["standard", "random"])
    batch.first_compile(setup)
    records = batch.play(setup, batch.deal_jobs(setup, 0, 200))
print(json.dumps({
    "scores": records["score"].tolist(),
    "compiled": sum(one.is_start for _, one in recorder.buffer),
    "folder": str(kernels._jit.cache_folder()),
    "was_marked": before,
    "is_marked": kernels._jit.is_compiled("toy"),
}))
"""

STRONGEST, WEAKEST = "its > mine", "its < mine"


@dataclass(frozen=True)
class Played:
    scores: list[list[int]]
    compiled: int
    folder: Path
    was_marked: bool
    is_marked: bool


def play(tree: Path, **environment: str) -> Played:
    found = json.loads(run_python(["-c", PLAY], tree, environment).stdout)
    return Played(**found | {"folder": Path(found["folder"])})


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_tree(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def first(tree: Path, cache: str) -> Played:
    return play(tree, CARTEADOR_CACHE_DIR=cache)


def test_the_first_process_compiles_and_says_so_to_the_next(first: Played, cache: str) -> None:
    assert first.compiled > 0
    assert (first.was_marked, first.is_marked) == (False, True)
    assert first.folder.parent == Path(cache)


def test_a_second_process_compiles_nothing(tree: Path, cache: str, first: Played) -> None:
    files = {path: path.stat().st_mtime_ns for path in first.folder.rglob("*.nb?")}
    assert files
    second = play(tree, CARTEADOR_CACHE_DIR=cache)
    assert second.compiled == 0
    assert second.was_marked
    assert second.scores == first.scores
    assert {path: path.stat().st_mtime_ns for path in first.folder.rglob("*.nb?")} == files


def test_a_changed_policy_plays_at_once_with_nothing_cleared(tree: Path, cache: str, first: Played) -> None:
    policies = tree / "kernels" / "toy" / "policies.py"
    source = policies.read_text()
    assert source.count(STRONGEST) == 1
    policies.write_text(source.replace(STRONGEST, WEAKEST))
    try:
        changed = play(tree, CARTEADOR_CACHE_DIR=cache)
    finally:
        policies.write_text(source)
    assert changed.compiled > 0
    assert changed.scores != first.scores
    back = play(tree, CARTEADOR_CACHE_DIR=cache)
    assert back.scores == first.scores


def test_a_changed_flag_compiles_anew(tree: Path, cache: str, first: Played) -> None:
    checked = play(tree, CARTEADOR_CACHE_DIR=cache, NUMBA_BOUNDSCHECK="1")
    assert checked.compiled > 0
    assert checked.folder != first.folder
    assert checked.scores == first.scores


@pytest.mark.parametrize("variable", ["CARTEADOR_CACHE_DIR", "XDG_CACHE_HOME"])
def test_a_cache_that_cannot_be_written_costs_time_and_nothing_else(
    tree: Path, first: Played, tmp_path: Path, variable: str
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    environment = {"CARTEADOR_CACHE_DIR": ""} | {variable: str(in_the_way / "cache")}
    played = play(tree, **environment)
    assert played.scores == first.scores
    assert played.compiled > 0
    assert not played.folder.exists()
    assert in_the_way.read_text() == "not a folder"


def test_two_processes_may_fill_an_empty_cache_at_once(tree: Path, first: Played, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: play(tree, CARTEADOR_CACHE_DIR=str(tmp_path)), range(2)))
    assert [one.scores for one in both] == [first.scores] * 2
    assert play(tree, CARTEADOR_CACHE_DIR=str(tmp_path)).compiled == 0


SAVED = """
import kernels._jit
from numba.core.caching import IndexDataCacheFile
file = IndexDataCacheFile({folder!r}, "function", "source")
file._load_index = dict
file.save({key!r}, {key!r})
"""


def test_two_processes_may_keep_one_function_for_other_types_at_once(tmp_path: Path) -> None:
    """Both have seen an index without the other; what the last index names is what was saved under that key."""
    for key in ("one", "other"):
        run_python(["-c", SAVED.format(folder=str(tmp_path), key=key)])
    contents = [pickle.loads(path.read_bytes()) for path in tmp_path.glob("function.*.nbc")]
    assert sorted(contents) == ["one", "other"]


def test_folders_of_sources_long_gone_are_removed(tree: Path, tmp_path: Path) -> None:
    long_ago = time.time() - 60 * 24 * 3600
    for number in range(20):
        folder = tmp_path / f"kernels-{number:016x}"
        folder.mkdir()
        os.utime(folder, (long_ago - number, long_ago - number))
    run_python(["-c", "import kernels._jit"], tree, {"CARTEADOR_CACHE_DIR": str(tmp_path)})
    left = sorted(path.name for path in tmp_path.iterdir())
    assert [name for name in left if name.startswith("kernels-0000")] == [f"kernels-{n:016x}" for n in range(8)]
    assert len(left) == 9
