"""Runs on disk: whole chunks, their sums, the manifest, and folders that are not to be touched."""

from __future__ import annotations

import errno
import hashlib
import json
from pathlib import Path

import polars as pl
import pytest

import sim
from sim.batch import Progress
from sim.errors import UsageError
from sim.games import make_setup
from sim.manifest import new_manifest, read_manifest
from sim.store import Store


def stored(folder: Path, **more: object) -> sim.Run:
    arguments: dict[str, object] = {"deals": 1000, "seed": 4, "chunk_size": 300, "threads": 2, "out": folder}
    return sim.simulate("canastra", **(arguments | more))  # type: ignore[arg-type]


def read(folder: Path, name: str) -> pl.DataFrame:
    return pl.concat([pl.read_parquet(path) for path in sorted(folder.glob(f"{name}-*.parquet"))])


def test_a_run_is_stored_chunk_by_chunk(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    run = stored(folder)
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        *(f"deals-0000{index}.parquet" for index in range(4)),
        "manifest.json",
        *(f"sides-0000{index}.parquet" for index in range(4)),
    ]
    assert read(folder, "deals").equals(run.deals)
    assert read(folder, "sides").equals(run.sides)


def test_storing_changes_no_number(tmp_path: Path) -> None:
    run = stored(tmp_path / "run")
    assert run.summary() == sim.simulate("canastra", deals=1000, seed=4).summary()


def test_the_manifest_holds_all_that_decides_the_rows_and_the_sums_of_the_files(tmp_path: Path) -> None:
    run = stored(tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["schema"] == "carteador.run/1"
    assert (manifest["game"], manifest["unit"], manifest["seed"]) == ("canastra", "deals", 4)
    assert (manifest["first"], manifest["count"], manifest["chunk_size"]) == (0, 1000, 300)
    assert manifest["options"] == dict(run.setup.options)
    assert manifest["policies"] == ["standard"] * 4
    assert len(manifest["kernels"]) == 16
    assert manifest["provenance"]["threads"] == 2
    assert [(chunk["index"], chunk["first"], chunk["count"]) for chunk in manifest["chunks"]] == [
        (0, 0, 300),
        (1, 300, 300),
        (2, 600, 300),
        (3, 900, 100),
    ]
    for chunk in manifest["chunks"]:
        for file in chunk["files"]:
            content = (tmp_path / "run" / file["name"]).read_bytes()
            assert len(content) == file["bytes"]
            assert hashlib.sha256(content).hexdigest() == file["sha256"]


def test_threads_change_no_byte_of_the_rows(tmp_path: Path) -> None:
    stored(tmp_path / "one", threads=1)
    stored(tmp_path / "five", threads=5)
    assert read_manifest(tmp_path / "one").chunks == read_manifest(tmp_path / "five").chunks


def test_matches_are_stored_with_their_deals(tmp_path: Path) -> None:
    run = sim.simulate("canastra", matches=12, rules={"target": 500}, chunk_size=5, out=tmp_path / "run")
    assert read(tmp_path / "run", "matches").equals(run.matches)
    assert read(tmp_path / "run", "deals").equals(run.deals)
    assert read_manifest(tmp_path / "run").unit == "matches"
    assert run.matches["deals"].sum() == run.deals.height


def test_the_same_run_may_be_stored_again(tmp_path: Path) -> None:
    stored(tmp_path / "run")
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").glob("*.parquet")}
    (tmp_path / "run" / "deals-00009.parquet.1-1.partial").write_bytes(b"half")
    stored(tmp_path / "run")
    after = {path.name: path.read_bytes() for path in (tmp_path / "run").glob("*.parquet")}
    assert after == before
    assert not list((tmp_path / "run").glob("*.partial"))


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"seed": 5}, "seed"),
        ({"deals": 1001}, "count"),
        ({"first": 1}, "first"),
        ({"chunk_size": 250}, "chunk_size"),
        ({"policies": "random"}, "policies"),
        ({"rules": {"jokers": 4}}, "options"),
        ({"deals": None, "matches": 1000}, "unit"),
    ],
)
def test_another_run_is_refused_and_nothing_changes(more: dict[str, object], what: str, tmp_path: Path) -> None:
    stored(tmp_path / "run", deals=300)
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    with pytest.raises(UsageError, match=what):
        stored(tmp_path / "run", **({"deals": 300} | more))
    assert {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(UsageError, match="not empty"):
        stored(tmp_path)
    (tmp_path / "manifest.json").write_text('{"schema": "something/1"}')
    with pytest.raises(UsageError, match="no manifest of a run"):
        stored(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "dear"


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    stored(tmp_path, deals=10)
    assert read_manifest(tmp_path).done == 10


def test_a_run_that_dies_leaves_whole_chunks_only(tmp_path: Path) -> None:
    class DiedError(Exception):
        pass

    def die(progress: Progress) -> None:
        if progress.done >= 600:
            raise DiedError

    with pytest.raises(DiedError):
        stored(tmp_path / "run", progress=die, threads=1)
    manifest = read_manifest(tmp_path / "run")
    assert [chunk.index for chunk in manifest.chunks] == [0, 1]
    whole = sim.simulate("canastra", deals=1000, seed=4).deals
    for path in sorted((tmp_path / "run").glob("deals-*.parquet")):
        index = int(path.stem.partition("-")[2])
        assert pl.read_parquet(path).equals(whole[300 * index : 300 * index + 300])


def test_a_manifest_comes_back_as_it_was(tmp_path: Path) -> None:
    setup = make_setup("canastra", seed=2**64 - 1, rules={"lavadeira_ranks": []})
    manifest = new_manifest(setup, "deals", 2**64 - 10, 10, 5)
    sim.simulate(
        "canastra",
        deals=10,
        first=2**64 - 10,
        seed=2**64 - 1,
        rules={"lavadeira_ranks": []},
        chunk_size=5,
        out=tmp_path,
    )
    assert read_manifest(tmp_path).identity() == manifest.identity()


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    """Downloads end in .partial too: a folder with one is not empty, and a run's keeps it."""
    for name in ("film.partial", "deals.partial", "notes.1-1.partial", "probe.partial", "manifest.json.partial"):
        folder = tmp_path / name.replace(".", "-")
        folder.mkdir()
        (folder / name).write_text("mine")
        with pytest.raises(UsageError, match="is not empty"):
            stored(folder)
        assert [path.name for path in folder.iterdir()] == [name]
    stored(tmp_path / "run")
    (tmp_path / "run" / "film.partial").write_text("mine")
    stored(tmp_path / "run")
    assert (tmp_path / "run" / "film.partial").read_text() == "mine"


@pytest.mark.parametrize("name", ["a/b/" + "x" * 300, "run"])
def test_a_folder_that_cannot_be_begun_is_not_left(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_self: Store) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Store, "flush", refuse)
    (tmp_path / "there").mkdir()
    for place in (tmp_path, tmp_path / "there"):
        with pytest.raises(OSError, match=r"No space left|File name too long"):
            stored(place / name)
    with pytest.raises(OSError, match="No space left"):
        stored(tmp_path / "there")
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]
