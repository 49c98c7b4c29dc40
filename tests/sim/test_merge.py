"""Shards made one: the run that one process would have stored, or a refusal that says what is wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import sim
from sim import batch
from sim.errors import DamageError, UsageError
from sim.manifest import MANIFEST
from tests.sim import folders
from tests.sim.folders import change_manifest, content, flip, forget, numbers

MATCHES: dict[str, Any] = {"deals": None, "matches": 24, "chunk_size": 5, "rules": {"target": 500}}


def shards(target: Path, *extents: tuple[int, int], unit: str = "deals", **others: Any) -> list[Path]:
    """Store runs of these first units and counts."""
    found = []
    for first, count in extents:
        folder = target / f"from-{first}-{count}"
        folders.store(folder, **{**others, "first": first, unit: count})
        found.append(folder)
    return found


@pytest.mark.parametrize(
    "extents",
    [
        # Cut where chunks end, where none ends, and in pieces smaller than a chunk.
        [(0, 300), (300, 450), (750, 250)],
        [(0, 310), (310, 123), (433, 567)],
        [(0, 10), (10, 10), (20, 10), (30, 970)],
        [(0, 1000)],
    ],
)
def test_the_result_is_the_run_as_a_whole(extents: list[tuple[int, int]], tmp_path: Path) -> None:
    run = folders.store(tmp_path / "whole")
    parts = shards(tmp_path, *extents)
    merged = sim.merge(parts[::-1], tmp_path / "merged", threads=2)
    assert content(tmp_path / "merged") == content(tmp_path / "whole")
    assert numbers(merged) == numbers(run)
    assert sim.verify(tmp_path / "merged").is_well
    manifest = json.loads((tmp_path / "merged" / MANIFEST).read_text())
    assert [(piece["first"], piece["count"]) for piece in manifest["pieces"]] == extents
    assert [piece["provenance"] for piece in manifest["pieces"]] == [
        json.loads((folder / MANIFEST).read_text())["provenance"] for folder in parts
    ]
    assert numbers(sim.resume(tmp_path / "merged")) == numbers(run)


@pytest.mark.parametrize("extents", [[(0, 10), (10, 14)], [(0, 7), (7, 9), (16, 8)]])
def test_matches_are_merged_with_their_deals(extents: list[tuple[int, int]], tmp_path: Path) -> None:
    run = folders.store(tmp_path / "whole", **MATCHES)
    merged = sim.merge(shards(tmp_path, *extents, unit="matches", **MATCHES), tmp_path / "merged")
    assert content(tmp_path / "merged") == content(tmp_path / "whole")
    assert numbers(merged) == numbers(run)


def test_shards_of_other_chunks_are_cut_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "STORED_CHUNK", 200)
    folders.store(tmp_path / "whole", chunk_size=None)
    parts = [*shards(tmp_path, (0, 500), chunk_size=130), *shards(tmp_path, (500, 500), chunk_size=77)]
    sim.merge(parts, tmp_path / "merged")
    assert content(tmp_path / "merged") == content(tmp_path / "whole")


def test_a_part_of_a_run_may_begin_anywhere(tmp_path: Path) -> None:
    last = 2**64 - 1
    run = folders.store(tmp_path / "whole", first=last - 99, deals=100, chunk_size=40)
    parts = shards(tmp_path, (last - 99, 60), (last - 39, 40), chunk_size=40)
    assert numbers(sim.merge(parts, tmp_path / "merged")) == numbers(run)
    assert content(tmp_path / "merged") == content(tmp_path / "whole")


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"seed": 5}, "they differ in seed, which is 4 in one and 5 in the other"),
        ({"game": "canasta"}, r"they differ in game \(and in options"),
        ({"policies": "novice"}, "they differ in policies, which is standard, standard, standard, standard in one"),
        ({"rules": {"jokers": 4}}, "they differ in options, which is jokers=0 in one and jokers=4 in the other"),
        ({"deals": None, "matches": 9}, "they differ in unit, which is deals in one and matches in the other"),
    ],
)
def test_what_does_not_belong_together_is_refused(others: dict[str, Any], message: str, tmp_path: Path) -> None:
    folders.store(tmp_path / "a", deals=20)
    folders.store(tmp_path / "b", **({"first": 20, "deals": 20} | others))
    with pytest.raises(UsageError, match=rf"a' and '.*b' do not belong together: {message}"):
        sim.merge([tmp_path / "a", tmp_path / "b"], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_other_kernels_do_not_belong_together(tmp_path: Path) -> None:
    one, other = shards(tmp_path, (0, 20), (20, 20))
    change_manifest(other, lambda manifest: manifest.update(kernels="0123456789abcdef"))
    with pytest.raises(UsageError, match=r"they differ in kernels, which is \w{16} in one and 0123456789abcdef in the"):
        sim.merge([one, other], tmp_path / "merged")


def test_gaps_and_overlaps_are_named(tmp_path: Path) -> None:
    one, other, third, single = shards(tmp_path, (0, 300), (310, 300), (600, 100), (301, 8))
    with pytest.raises(UsageError, match=r"deals 300 to 309 are in none of the runs$"):
        sim.merge([one, other], tmp_path / "merged")
    with pytest.raises(UsageError, match=r"deals 600 to 609 are in '.*from-310-300' and again in '.*from-600-100'"):
        sim.merge([third, other], tmp_path / "merged")
    with pytest.raises(UsageError, match=r"deal 300 is in none of the runs$"):
        sim.merge([one, single], tmp_path / "merged")
    with pytest.raises(UsageError, match=r"deals 0 to 149 are in '.*from-0-300' and again in '.*from-0-300'"):
        sim.merge([one, one], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_a_run_that_is_not_finished_is_named(tmp_path: Path) -> None:
    one, other = shards(tmp_path, (0, 300), (300, 300))
    forget(one, 1)
    with pytest.raises(UsageError, match=r"deals 150 to 299 are in none .*from-0-300' is not finished: "):
        sim.merge([one, other], tmp_path / "merged")
    shutil.copytree(other, tmp_path / "last")
    forget(tmp_path / "last", 1)
    with pytest.raises(UsageError, match=r"deals 450 to 599 are in none of the runs\. '.*last' is not finished: "):
        sim.merge([*shards(tmp_path, (200, 100)), tmp_path / "last"], tmp_path / "merged")
    forget(one, 0)
    with pytest.raises(UsageError, match="no chunk is finished yet"):
        sim.merge([one, other], tmp_path / "merged")


def test_an_interrupted_run_and_another_that_goes_on_make_one(tmp_path: Path) -> None:
    """What counts is which deals are there, not how many a run was to play."""
    folders.store(tmp_path / "whole", deals=600)
    one, other = shards(tmp_path, (0, 600), (300, 300))
    forget(one, 2, 3)
    sim.merge([one, other], tmp_path / "merged")
    assert content(tmp_path / "merged") == content(tmp_path / "whole")


def test_a_run_that_stops_at_a_precision_is_no_part_of_another(tmp_path: Path) -> None:
    (one,) = shards(tmp_path, (0, 20))
    folders.store(tmp_path / "until", first=20, until={"turns": 100})
    with pytest.raises(UsageError, match="stops at a precision"):
        sim.merge([one, tmp_path / "until"], tmp_path / "merged")


def test_a_damaged_part_ends_the_merge_and_is_named(tmp_path: Path) -> None:
    one, other = shards(tmp_path, (0, 300), (300, 310))
    flip(other / "sides-00001.parquet")
    for cut in (300, 140):
        # As it is, and cut anew.
        if cut != 300:
            shutil.rmtree(one)
            shutil.rmtree(tmp_path / "merged")
            (one,) = shards(tmp_path, (0, 300), chunk_size=cut)
        with pytest.raises(DamageError, match=r"from-300-310' is damaged: sides-00001.parquet is not what was written"):
            sim.merge([one, other], tmp_path / "merged")
    sim.resume(other)
    sim.merge([one, other], tmp_path / "again")
    assert sim.verify(tmp_path / "again", sample=None).is_well


def test_a_merge_may_be_made_again_and_not_into_its_sources(tmp_path: Path) -> None:
    one, other = shards(tmp_path, (0, 300), (300, 300))
    sim.merge([one, other], tmp_path / "merged")
    before = content(tmp_path / "merged")
    sim.merge([other, one], tmp_path / "merged")
    assert content(tmp_path / "merged") == before
    for folder in (one, other):
        expected = content(folder)
        with pytest.raises(UsageError, match=r"one of the runs to be merged|another run"):
            sim.merge([one, other], folder)
        with pytest.raises(UsageError, match="one of the runs to be merged"):
            sim.merge([folder], folder)
        assert content(folder) == expected
    with pytest.raises(UsageError, match="nothing to merge"):
        sim.merge([], tmp_path / "none")
    with pytest.raises(UsageError, match=r"holds no manifest\.json"):
        sim.merge([one, tmp_path], tmp_path / "none")


def test_a_merge_writes_into_none_of_its_sources(tmp_path: Path) -> None:
    (one,) = shards(tmp_path, (0, 300))
    (tmp_path / "link").symlink_to(one)
    before = content(one)
    for inside in (one / "merged", one / "deep" / "merged", one / ".." / one.name / "merged", tmp_path / "link" / "x"):
        with pytest.raises(UsageError, match="lies in one of the runs to be merged"):
            sim.merge([one], inside)
    assert content(one) == before
