"""Going on with a stored run: the same files and numbers as without the break, and nothing wrong silently used."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sim
from sim import batch, precision, sources, store
from sim.api import Request, execute
from sim.batch import Progress
from sim.errors import DamageError, UsageError
from sim.games import make_setup
from sim.manifest import MANIFEST, read_manifest
from sim.shelf import spread
from sim.stored import open_run, stored_document
from tests.sim import folders
from tests.sim.folders import change_manifest, content, flip, forget, numbers, resume, rewrite


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, sim.Run]:
    """The run without a break: its folder, not to be touched, and what it says."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    return folder, folders.store(folder)


@pytest.fixture
def folder(whole: tuple[Path, sim.Run], tmp_path: Path) -> Path:
    """A copy of that folder."""
    return shutil.copytree(whole[0], tmp_path / "run")


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the first deals of whatever is played a chunk at a time, not of samples."""
    first_deals: list[int] = []
    deal_jobs = batch.deal_jobs

    def watched(setup: Any, first: int, count: int) -> Any:
        first_deals.append(first)
        return deal_jobs(setup, first, count)

    monkeypatch.setattr(batch, "deal_jobs", watched)
    return first_deals


def test_a_finished_run_is_read_back_and_nothing_is_played_or_written(
    whole: tuple[Path, sim.Run], folder: Path, played: list[int]
) -> None:
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    run = resume(folder)
    assert played == []
    assert numbers(run) == numbers(whole[1])
    assert run.deals.equals(whole[1].deals)
    assert run.sides.equals(whole[1].sides)
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


@pytest.mark.parametrize("missing", [(0,), (6,), (2, 3), (0, 1, 2, 3, 4, 5, 6), (1, 4, 6)])
def test_what_is_missing_is_played_and_nothing_else(
    missing: tuple[int, ...], whole: tuple[Path, sim.Run], folder: Path, played: list[int]
) -> None:
    forget(folder, *missing)
    run = resume(folder)
    assert sorted(played) == [150 * index for index in missing]
    assert content(folder) == content(whole[0])
    assert numbers(run) == numbers(whole[1])
    assert run.deals.equals(whole[1].deals)


def test_after_any_file_operation_that_was_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that ends between any two operations on files leaves a folder with which it goes on.

    The folder is copied before and after every writing, renaming and removal: the states in which a kill can leave it.
    """
    folder, states = tmp_path / "run", tmp_path / "states"
    lock = threading.Lock()

    def keep() -> None:
        with lock:
            target = states / f"{len(list(states.iterdir())):04d}"
            target.mkdir()
            for path in folder.iterdir():
                # Another thread may rename its file meanwhile.
                with suppress(FileNotFoundError):
                    shutil.copy(path, target)

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*words: Any, **others: Any) -> Any:
            keep()
            result = function(*words, **others)
            keep()
            return result

        return watched

    states.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", around(os.fsync))
        patch.setattr(Path, "replace", around(Path.replace))
        patch.setattr(Path, "unlink", around(Path.unlink))
        run = folders.store(folder, deals=60, chunk_size=20, threads=1)
    expected = content(folder)
    kept = sorted(states.iterdir())
    assert len(kept) > 40
    different = {tuple(sorted((path.name, path.read_bytes()) for path in state.iterdir())): state for state in kept}
    assert len(different) > 15
    for state in different.values():
        again = resume(state, deals=60, chunk_size=20, threads=1)
        assert content(state) == expected, state
        assert numbers(again) == numbers(run)


def test_matches_go_on(tmp_path: Path) -> None:
    words: dict[str, Any] = {"deals": None, "matches": 21, "chunk_size": 4, "rules": {"target": 500}}
    run = folders.store(tmp_path / "whole", **words)
    shutil.copytree(tmp_path / "whole", tmp_path / "run")
    forget(tmp_path / "run", 1, 5)
    again = resume(tmp_path / "run", **words)
    assert content(tmp_path / "run") == content(tmp_path / "whole")
    assert numbers(again) == numbers(run)
    assert again.matches.equals(run.matches)
    assert numbers(sim.resume(tmp_path / "run")) == numbers(run)


def test_a_match_without_a_winner_is_told_apart_from_a_shared_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sim import match

    monkeypatch.setattr(match, "HAND_CAP", 2)
    words: dict[str, Any] = {"deals": None, "matches": 30, "chunk_size": 10, "rules": {"target": 1500}}
    run = folders.store(tmp_path / "run", **words)
    unfinished = next(row for row in run.document()["statistics"] if row["statistic"] == "match_unfinished_rate")
    assert 0 < unfinished["estimate"] < 1
    assert numbers(resume(tmp_path / "run", **words)) == numbers(run)


def make_pipe(path: Path) -> None:
    """Put a pipe in the place of a file: whoever opens one to read waits for a writer."""
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("harm", "what"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-100]), "has .* bytes of"),
        (lambda path: path.write_bytes(b""), "has 0 bytes of"),
        (lambda path: path.write_bytes(path.read_bytes() + b"x"), "more than can be meant"),
        (flip, "checksum differs"),
        (lambda path: flip(path, 1000), "checksum differs"),
        (lambda path: path.unlink(), "is missing"),
        (lambda path: (path.rename(path.with_name("x")), path.symlink_to(path.with_name("x"))), "it is a link"),
        (make_pipe, "it is no regular file"),
    ],
    ids=["cut off", "empty", "longer", "altered", "altered in the middle", "missing", "a link", "a pipe"],
)
def test_a_damaged_part_is_played_again_and_named(
    harm: Callable[[Path], object], what: str, whole: tuple[Path, sim.Run], folder: Path, played: list[int]
) -> None:
    harm(folder / "sides-00003.parquet")
    lines: list[str] = []
    setup = make_setup("canastra", seed=4)
    request = Request(setup, "deals", 0, 1000, 2, 150, out=folder, resume=True, announce=lines.append)
    run = execute(request)
    assert played == [450]
    assert len(lines) == 1
    assert lines[0].startswith("carteador: sides-00003.parquet ")
    assert lines[0].endswith(". Chunk 3 is played again.")
    assert re.search(what, lines[0])
    (folder / "x").unlink(missing_ok=True)
    assert content(folder) == content(whole[0])
    assert numbers(run) == numbers(whole[1])


def test_altered_rows_with_a_checksum_that_fits_are_found(folder: Path) -> None:
    import hashlib

    import polars as pl

    path = folder / "deals-00002.parquet"
    pl.read_parquet(path).with_columns(turns=pl.col("turns") + 1).write_parquet(path)

    def change(manifest: dict[str, Any]) -> None:
        manifest["chunks"][2]["files"][0] |= {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }

    change_manifest(folder, change)
    before = content(folder)
    with pytest.raises(
        UsageError, match=r"plays it differently: deals-00002.parquet, deal \d+: turns is \d+, and \d+ as"
    ):
        resume(folder)
    assert content(folder) == before


def test_rows_of_other_numbers_are_damage(folder: Path) -> None:
    """A part of another place, with the checksum that is listed: each row right, and in the wrong place."""
    shutil.copy(folder / "deals-00001.parquet", folder / "deals-00003.parquet")

    def change(manifest: dict[str, Any]) -> None:
        one, other = (manifest["chunks"][index]["files"][0] for index in (1, 3))
        other |= {"bytes": one["bytes"], "sha256": one["sha256"]}

    change_manifest(folder, change)
    lines: list[str] = []
    setup = make_setup("canastra", seed=4)
    execute(Request(setup, "deals", 0, 1000, 1, 150, out=folder, resume=True, announce=lines.append))
    assert lines == [
        "carteador: deals-00003.parquet does not hold the deals of its chunk in order. Chunk 3 is played again."
    ]


def test_the_folder_says_all_that_is_played(whole: tuple[Path, sim.Run], folder: Path) -> None:
    forget(folder, 4)
    run = sim.resume(folder)
    assert content(folder) == content(whole[0])
    assert numbers(run) == numbers(whole[1])
    assert (run.unit, run.first, run.count) == ("deals", 0, 1000)
    level = sim.resume(folder, confidence=0.5, keep_rows=False)
    assert level.summary() == sim.simulate("canastra", deals=1000, seed=4, confidence=0.5).summary()


def test_a_folder_that_is_not_there_or_empty_is_begun(whole: tuple[Path, sim.Run], tmp_path: Path) -> None:
    resume(tmp_path / "new")
    assert content(tmp_path / "new") == content(whole[0])
    (tmp_path / "empty").mkdir()
    # What a run leaves that was killed before it wrote anything.
    (tmp_path / "empty" / "run.lock").write_text("")
    (tmp_path / "empty" / f"{MANIFEST}.1-1.partial").write_text("{")
    resume(tmp_path / "empty")
    assert content(tmp_path / "empty") == content(whole[0])


def test_the_size_of_the_chunks_is_that_of_the_folder(whole: tuple[Path, sim.Run], folder: Path) -> None:
    forget(folder, 1)
    resume(folder, chunk_size=None)
    assert content(folder) == content(whole[0])
    with pytest.raises(UsageError, match="differs in chunk_size"):
        resume(folder, chunk_size=100)


def test_another_run_is_refused(folder: Path) -> None:
    for others, field in (({"seed": 5}, "seed"), ({"deals": 900}, "count"), ({"policies": "novice"}, "policies")):
        with pytest.raises(UsageError, match=rf"differs in {field}\)"):
            resume(folder, **others)


def test_a_run_that_stops_at_a_precision_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precision, "FIRST_LOOK", 60)
    words: dict[str, Any] = {"until": {"win_rate@side:0": 0.1, "turns": 1}, "deals": 20_000, "chunk_size": 70}
    run = folders.store(tmp_path / "whole", **words)
    done = run.progress.done
    last = (done - 1) // 70
    assert done % 70
    for missing in ((0,), (last,), (1, last - 1), range(2, last + 1)):
        folder = tmp_path / f"run-{'-'.join(map(str, missing))}"
        shutil.copytree(tmp_path / "whole", folder)
        forget(folder, *missing)
        change_manifest(folder, lambda manifest: manifest.update(count=20_000))
        again = sim.resume(folder)
        assert content(folder) == content(tmp_path / "whole")
        assert numbers(again) == numbers(run)
        assert again.deals.equals(run.deals)
    with pytest.raises(UsageError, match=r"stops at a precision with confidence 0\.95"):
        sim.resume(tmp_path / "whole", confidence=0.9)


def test_an_interrupt_at_any_chunk(whole: tuple[Path, sim.Run], tmp_path: Path) -> None:
    setup = make_setup("canastra", seed=4)
    folder = tmp_path / "run"
    done = [0]
    while not done or done[-1] < 1000:
        stop = threading.Event()

        def watch(progress: Progress, stop: threading.Event = stop) -> None:
            if progress.done > progress.read:
                stop.set()

        request = Request(
            *(setup, "deals", 0, 1000, 1, 150), out=folder, resume=True, stopping=nullcontext(stop), watch=watch
        )
        run = execute(request)
        assert run.progress.done > done[-1]
        assert read_manifest(folder).done == run.progress.done
        assert run.progress.read == done[-1]
        done.append(run.progress.done)
    assert len(done) > 4
    assert content(folder) == content(whole[0])
    assert numbers(run) == numbers(whole[1])


def test_who_played_what_is_kept(folder: Path) -> None:
    first = json.loads((folder / MANIFEST).read_text())
    assert [(piece["first"], piece["count"]) for piece in first["pieces"]] == [(0, 1000)]
    assert first["pieces"][0]["provenance"] == first["provenance"]
    forget(folder, 2, 3, 6)
    change_manifest(folder, lambda manifest: manifest["pieces"][0]["provenance"].update(cpu="abacus"))
    resume(folder)
    after = json.loads((folder / MANIFEST).read_text())
    assert [(piece["first"], piece["count"], piece["provenance"]["cpu"] == "abacus") for piece in after["pieces"]] == [
        (0, 300, True),
        (300, 300, False),
        (600, 300, True),
        (900, 100, False),
    ]
    assert after["provenance"]["cpu"] != "abacus"


def test_other_kernels_are_refused_unless_they_are_declared_the_same(
    folder: Path, whole: tuple[Path, sim.Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    forget(folder, 5)

    def change(manifest: dict[str, Any]) -> None:
        manifest["kernels"] = "0123456789abcdef"
        manifest["pieces"][0]["provenance"]["version"] = "0.0.9"

    change_manifest(folder, change)
    before = content(folder)
    now = sources.fingerprint("canastra")
    message = rf"made by version .* with other kernels of canastra \(0123456789abcdef\) than .*{now}.* not declared"
    for going_on in (resume, sim.resume, folders.store):
        with pytest.raises(UsageError, match=message):
            going_on(folder)
    assert content(folder) == before
    group = sources.Declared("", ["0123456789abcdef", now])
    monkeypatch.setattr(sources, "declared", lambda: {"canastra": [group]})
    run = sim.resume(folder)
    assert numbers(run) == numbers(whole[1])
    assert content(folder) == content(whole[0]) | {"kernels": "0123456789abcdef"}


def test_another_version_of_the_same_sources_goes_on(folder: Path, whole: tuple[Path, sim.Run]) -> None:
    forget(folder, 5)

    def change(manifest: dict[str, Any]) -> None:
        for made in (manifest["provenance"], manifest["pieces"][0]["provenance"]):
            made |= {"version": "9.9.9", "python": "4.0.0", "numba": "1.0.0"}

    change_manifest(folder, change)
    assert numbers(sim.resume(folder)) == numbers(whole[1])
    assert content(folder) == content(whole[0])


def test_the_pace_and_the_time_left_are_of_what_is_played() -> None:
    progress = Progress(total=1000, started=0.0)
    assert progress.seconds_left is None
    progress.read, progress.read_deals, progress.read_seconds = 600, 600, 2.0
    progress.done, progress.deals, progress.seconds = 600, 600, 2.0
    assert (progress.seconds_left, progress.deals_per_second) == (None, 0.0)
    progress.done, progress.deals, progress.seconds = 700, 700, 12.0
    assert progress.played_deals == 100
    assert progress.deals_per_second == 10
    assert progress.seconds_left == 30


def test_finished_chunks_reach_the_manifest_soon(tmp_path: Path) -> None:
    """While a run goes on its manifest lists what is finished, all but what the last moments finished."""
    seen: list[tuple[int, int]] = []

    def watch(progress: Progress) -> None:
        seen.append((progress.done, read_manifest(tmp_path / "run").done))

    folders.store(tmp_path / "run", chunk_size=20, progress=watch)
    assert all(listed <= done for done, listed in seen)
    assert len({listed for _, listed in seen}) > 1
    assert store.MANIFEST_SHARE <= 0.1


def test_samples_are_spread() -> None:
    assert spread(100, 4) == [12, 37, 62, 87]
    assert spread(3, 5) == [0, 1, 2]
    assert spread(10, 0) == []
    for turn in range(50):
        found = spread(1000, 7, turn)
        assert len(found) == 7
        assert found == sorted(set(found))
        assert 0 <= found[0] <= found[-1] < 1000
    assert len({tuple(spread(1000, 7, turn)) for turn in range(50)}) > 40


def test_resume_needs_a_folder_and_says_yes_or_no() -> None:
    with pytest.raises(UsageError, match="resume: it goes on in a folder, so out is needed too"):
        sim.simulate("canastra", deals=5, resume=True)
    with pytest.raises(UsageError, match="resume: 'run' is not allowed; allowed is True or False"):
        sim.simulate("canastra", deals=5, resume="run", out="x")  # type: ignore[arg-type]


@pytest.mark.parametrize("column", ["turns", "reason"])
def test_rows_that_no_deal_leaves_are_played_again_though_their_checksum_is_right(
    column: str, whole: tuple[Path, sim.Run], folder: Path
) -> None:
    """The sample of deals that are played again need not meet them."""
    with_gaps = pl.when(pl.col("deal") % 50 != 1).then(pl.col(column)).alias(column)
    rewrite(folder, "deals-00003.parquet", lambda deals: deals.with_columns(with_gaps))
    shutil.copytree(folder, folder.with_name("other"))
    lines: list[str] = []
    request = Request(make_setup("canastra", seed=4), "deals", 0, 1000, 2, 150, out=folder, resume=True)
    request.announce = lines.append
    run = execute(request)
    assert len(lines) == 1
    assert "the rows from deal 450 on hold what no deal leaves: " in lines[0]
    assert lines[0].endswith(". Chunk 3 is played again.")
    assert numbers(run) == numbers(whole[1])
    assert content(folder) == content(whole[0])
    with pytest.raises(DamageError, match="the rows from deal 450 on hold what no deal leaves"):
        sim.merge([folder.with_name("other")], folder.with_name("merged"))
    with pytest.raises(UsageError, match="is damaged: the rows from deal 450 on hold what no deal leaves"):
        stored_document(open_run(folder.with_name("other")), 0.95)
