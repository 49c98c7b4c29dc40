"""Verifying a stored run: each kind of harm is one line, and a run without harm has none."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sim
from sim.errors import UsageError
from tests.sim import folders
from tests.sim.folders import change_manifest, flip, forget


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stored run, not to be touched."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    folders.store(folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(whole, tmp_path / "run")


def sign(folder: Path, name: str) -> None:
    """Make the manifest's checksum of a part fit what lies there."""
    content = (folder / name).read_bytes()

    def change(manifest: dict[str, Any]) -> None:
        for chunk in manifest["chunks"]:
            for file in chunk["files"]:
                if file["name"] == name:
                    file |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}

    change_manifest(folder, change)


def alter(name: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> Callable[[Path], None]:
    """Harm that changes the rows of a part and signs it anew."""

    def harm(folder: Path) -> None:
        change(pl.read_parquet(folder / name)).write_parquet(folder / name)
        sign(folder, name)

    return harm


def no_parquet(folder: Path) -> None:
    (folder / "deals-00003.parquet").write_bytes(b"PAR1" + b"\0" * 200 + b"PAR1")
    sign(folder, "deals-00003.parquet")


def test_a_run_without_harm_is_well(folder: Path) -> None:
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    for sample, played in ((300, 300), (0, 0), (5, 5), (None, 1000), (10**9, 1000)):
        found = sim.verify(folder, sample=sample, threads=2)
        assert found.findings == []
        assert found.is_well
        assert found.played == played
        assert found.conclusion() == f"{folder}: 1,000 deals in 7 parts, {played:,} played again: all well"
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


HARMS: list[tuple[Callable[[Path], object], str, int]] = [
    (lambda folder: (folder / "deals-00003.parquet").unlink(), r"deals-00003.parquet is missing", 1),
    (lambda folder: flip(folder / "deals-00003.parquet"), r"deals-00003.parquet is not what was written", 1),
    (no_parquet, r"deals-00003.parquet is no Parquet: ", 1),
    (
        alter("deals-00003.parquet", lambda rows: rows.drop("turns")),
        r"deals-00003.parquet has not the columns.*turns",
        1,
    ),
    (
        alter("deals-00003.parquet", lambda rows: rows.with_columns(pl.col("turns").cast(pl.Int64))),
        r"deals-00003.parquet has not the columns of this version: turns is Int64, not Int16",
        1,
    ),
    (alter("deals-00003.parquet", lambda rows: rows.head(149)), r"deals-00003.parquet does not hold the deals", 1),
    (alter("deals-00003.parquet", lambda rows: rows.reverse()), r"deals-00003.parquet does not hold the deals", 1),
    (
        alter("deals-00003.parquet", lambda rows: pl.concat([rows, rows])),
        r"deals-00003.parquet has 300 rows where at most 150 can be",
        1,
    ),
    (
        alter("sides-00003.parquet", lambda rows: rows.with_columns(side=1 - pl.col("side"))),
        r"sides-00003.parquet does not hold the sides of each deal",
        1,
    ),
    (
        alter("sides-00003.parquet", lambda rows: rows.with_columns(score=pl.col("score") + 10)),
        r"sides-00003.parquet, deal 4\d\d: score is -?\d+, and -?\d+ as .* See: carteador show canastra --deal 4\d\d ",
        1,
    ),
    (
        lambda folder: shutil.copy(folder / "deals-00001.parquet", folder / "deals-00007.parquet"),
        r"deals-00007.parquet is not in the manifest",
        1,
    ),
    (lambda folder: forget(folder, 3), r"deals 450 to 599 are not there: carteador run --resume ", 3),
    (lambda folder: (folder / "manifest.json").write_text("{"), r"manifest.json' is no manifest of a run: ", 1),
    (
        lambda folder: change_manifest(folder, lambda manifest: manifest["chunks"].reverse()),
        r"manifest.json' is damaged: chunk 5 does not follow",
        1,
    ),
    (
        lambda folder: change_manifest(folder, lambda manifest: manifest["options"].update(jokers=3)),
        r"manifest.json' cannot be used: .*jokers: 3 is not allowed",
        1,
    ),
    (lambda folder: change_manifest(folder, lambda manifest: manifest.update(seed=5)), r"as this version plays it", 7),
]


@pytest.mark.parametrize(("harm", "message", "count"), HARMS)
def test_harm_is_found(harm: Callable[[Path], object], message: str, count: int, folder: Path) -> None:
    harm(folder)
    found = sim.verify(folder, sample=30)
    assert not found.is_well
    pattern = re.compile(message)
    assert any(pattern.search(finding) for finding in found.findings), found.findings
    assert all("\n" not in finding for finding in found.findings)
    assert len(found.findings) == count


def test_every_part_that_is_harmed_is_named(folder: Path) -> None:
    for name in ("deals-00000.parquet", "sides-00000.parquet", "sides-00006.parquet"):
        flip(folder / name)
    found = sim.verify(folder)
    assert [finding.split()[0] for finding in found.findings] == [
        *("deals-00000.parquet", "sides-00000.parquet", "sides-00006.parquet")
    ]
    assert found.conclusion().endswith(": 3 findings")
    sim.resume(folder)
    assert sim.verify(folder).is_well


def test_one_row_that_is_wrong_is_found_if_all_are_played(folder: Path) -> None:
    alter(
        "deals-00005.parquet",
        lambda rows: rows.with_columns(turns=pl.when(pl.col("deal") == 811).then(99).otherwise("turns").cast(pl.Int16)),
    )(folder)
    found = sim.verify(folder, sample=None)
    assert len(found.findings) == 1
    assert found.findings[0].startswith("deals-00005.parquet, deal 811: turns is 99, and ")


def test_matches_are_verified(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folders.store(folder, deals=None, matches=20, chunk_size=6, rules={"target": 500})
    for sample in (7, None):
        assert sim.verify(folder, sample=sample).is_well
    alter("matches-00001.parquet", lambda rows: rows.with_columns(first_dealer=3 - pl.col("first_dealer")))(folder)
    found = sim.verify(folder, sample=None)
    assert len(found.findings) == 1
    assert found.findings[0].startswith("matches-00001.parquet, match 6: first_dealer is ")
    assert "carteador show canastra --match 6" in found.findings[0]
    alter("deals-00002.parquet", lambda rows: rows.with_columns(match=pl.lit(12, pl.Int64)))(folder)
    assert any("does not hold the matches" in finding for finding in sim.verify(folder, sample=0).findings)


def test_a_run_of_other_kernels_that_play_the_same_is_well(folder: Path) -> None:
    change_manifest(folder, lambda manifest: manifest.update(kernels="0123456789abcdef"))
    assert sim.verify(folder).is_well
    alter("sides-00003.parquet", lambda rows: rows.with_columns(score=pl.col("score") + 10))(folder)
    assert "with other kernels than those of this version" in sim.verify(folder).findings[0]


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        sim.verify(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"holds no manifest.json"):
        sim.verify(tmp_path)
