"""Stored runs read back: the same statistics as when they were played, and damage is noticed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.errors import UsageError
from sim.manifest import MANIFEST
from sim.stored import open_run, stored_document


@pytest.fixture(scope="module")
def deals(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, sim.Run]:
    folder = tmp_path_factory.mktemp("deals") / "run"
    policies = {0: "expert", 2: "expert"}
    return folder, sim.simulate("canastra", deals=700, chunk_size=300, seed=7, first=40, policies=policies, out=folder)


@pytest.fixture
def folder(deals: tuple[Path, sim.Run], tmp_path: Path) -> Path:
    return Path(shutil.copytree(deals[0], tmp_path / "copy"))


def change_manifest(folder: Path, **changes: Any) -> None:
    path = folder / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_run_of_deals_tells_what_it_told_when_it_was_played(deals: tuple[Path, sim.Run]) -> None:
    folder, run = deals
    document = stored_document(open_run(folder), 0.95)
    assert document == run.document() | {"provenance": document["provenance"]}
    assert document["provenance"]["threads"] == run.threads
    assert document["command"] == (
        "carteador run canastra --deals 700 --first 40 --seed 7 --policy 0=expert --policy 1=standard "
        "--policy 2=expert --policy 3=standard"
    )


def test_a_run_of_matches_tells_what_it_told_when_it_was_played(tmp_path: Path) -> None:
    run = sim.simulate("canastra", matches=30, seed=3, rules={"target": 500}, chunk_size=11, out=tmp_path / "matches")
    document = stored_document(open_run(tmp_path / "matches"), 0.9)
    run.confidence = 0.9
    assert document == run.document() | {"provenance": document["provenance"]}
    assert (document["matches"], document["first"]) == (30, 0)
    assert "--matches 30" in document["command"]
    assert "--confidence 0.9" in document["command"]


def test_an_unfinished_run_tells_what_it_has(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    change_manifest(folder, chunks=manifest["chunks"][:2])
    run = open_run(folder)
    assert not run.is_complete
    document = stored_document(run, 0.95)
    assert document["deals"] == 600
    assert "--deals 600" in document["command"]


def test_a_part_that_is_gone_altered_or_short_is_noticed(folder: Path) -> None:
    part = folder / "sides-00001.parquet"
    content = part.read_bytes()
    for damaged in (content[:-1], content[:100] + bytes([content[100] ^ 1]) + content[101:], b""):
        part.write_bytes(damaged)
        with pytest.raises(UsageError, match=r"damaged: sides-00001\.parquet (is not what|has [\d,]+ bytes of)"):
            stored_document(open_run(folder), 0.95)
    part.unlink()
    with pytest.raises(UsageError, match=r"damaged: sides-00001\.parquet is missing"):
        stored_document(open_run(folder), 0.95)


def test_a_part_without_the_columns_of_this_version_is_named(folder: Path) -> None:
    import hashlib

    import polars as pl

    manifest = json.loads((folder / MANIFEST).read_text())
    stored = next(file for file in manifest["chunks"][0]["files"] if file["name"].startswith("sides"))
    path = folder / stored["name"]
    pl.read_parquet(path).drop("score").write_parquet(path)
    stored["bytes"], stored["sha256"] = path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest()
    change_manifest(folder, chunks=manifest["chunks"])
    with pytest.raises(UsageError, match=r"has not the columns of this version: .*score"):
        stored_document(open_run(folder), 0.95)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema": "carteador.run/9"}, "its schema is 'carteador.run/9'"),
        ({"chunks": []}, "no chunk is finished"),
        ({"count": 5}, "chunk 0 is not the units that it should be"),
        ({"game": "truco"}, "no game is called 'truco'"),
        ({"policies": ["master"] * 4}, "no policy of canastra is called 'master'"),
        ({"options": {"players": 3}}, "players"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_manifest_that_does_not_hold_together_is_refused(folder: Path, changes: dict[str, Any], words: str) -> None:
    change_manifest(folder, **changes)
    with pytest.raises(UsageError) as refused:
        open_run(folder)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_manifest_cannot_lead_out_of_its_folder(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["chunks"][0]["files"][0]["name"] = "../secret.parquet"
    change_manifest(folder, chunks=manifest["chunks"])
    with pytest.raises(UsageError, match="the files of chunk 0 are not called"):
        open_run(folder)


def test_chunks_that_do_not_follow_each_other_are_refused(folder: Path) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    change_manifest(folder, chunks=manifest["chunks"][1:])
    with pytest.raises(UsageError, match="chunk 1 does not follow"):
        open_run(folder)


def test_a_folder_without_a_manifest_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no manifest\.json"):
        open_run(tmp_path)
