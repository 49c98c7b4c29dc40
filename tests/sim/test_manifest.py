"""Manifests from anywhere: whatever they say, one line of complaint, and nothing touched, run, or read outside."""

from __future__ import annotations

import json
import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.errors import DamageError, UsageError
from sim.manifest import LARGEST_CHUNK, MANIFEST, SCHEMA, read_manifest
from sim.paths import read_inside
from tests.sim import folders
from tests.sim.folders import change_manifest

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stored run, not to be touched."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    folders.store(folder, deals=60, chunk_size=20)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, beside a file that is nobody's business."""
    (tmp_path / "secret.parquet").write_bytes(b"secret")
    return shutil.copytree(whole, tmp_path / "run")


def first_file(**fields: object) -> Change:
    return lambda manifest: manifest["chunks"][0]["files"][0].update(fields)


def chunk(number: int, /, **fields: object) -> Change:
    return lambda manifest: manifest["chunks"][number].update(fields)


def field(**fields: object) -> Change:
    return lambda manifest: manifest.update(fields)


def options(**values: object) -> Change:
    return lambda manifest: manifest["options"].update(values)


CHANGES: list[tuple[Change, str]] = [
    # Another schema.
    (field(schema="carteador.run/0"), "written by another version of carteador: its schema is 'carteador.run/0', and"),
    (field(schema="carteador.run/2"), "written by another version of carteador: its schema is 'carteador.run/2', and"),
    (field(schema="carteador.summary/1"), "no manifest of a run: its schema is 'carteador.summary/1', not"),
    (field(schema=1), "no manifest of a run: Expected `str`"),
    (lambda manifest: manifest.pop("schema"), "no manifest of a run: Object missing required field `schema`"),
    # Names that lead elsewhere.
    (
        first_file(name="../secret.parquet"),
        "the files of chunk 0 are not called deals-00000.parquet, sides-",
    ),
    (first_file(name="/etc/passwd"), "the files of chunk 0 are not called"),
    (first_file(name="C:\\secret"), "the files of chunk 0 are not called"),
    (first_file(name=""), "the files of chunk 0 are not called"),
    (first_file(name="deals-00001.parquet"), "the files of chunk 0 are not called"),
    (first_file(name="deals-00000.parquet\0"), "the files of chunk 0 are not called"),
    (first_file(name="manifest.json"), "the files of chunk 0 are not called"),
    (chunk(0, files=[]), "the files of chunk 0 are not called"),
    # Sums and sizes.
    (first_file(sha256="x"), "the sha256 of deals-00000.parquet is none"),
    (first_file(sha256="A" * 64), "the sha256 of deals-00000.parquet is none"),
    (first_file(bytes=0), "the size of deals-00000.parquet is out of range"),
    (first_file(bytes=-1), "the size of deals-00000.parquet is out of range"),
    (first_file(bytes=10**12), "the size of deals-00000.parquet is out of range"),
    (first_file(bytes=10**30), "the size of deals-00000.parquet is out of range"),
    (first_file(bytes="9"), "no manifest of a run: Expected `int`, got `str`"),
    # Numbers.
    (field(seed=-1), "its seed is out of range"),
    (field(seed=2**64), "its seed is out of range"),
    (field(seed=1.5), "no manifest of a run: Expected `int`"),
    (field(seed=True), "no manifest of a run: Expected `int`"),
    (field(first=-1), "its first is out of range"),
    (field(first=2**64 - 1), "its count is out of range"),
    (field(count=0), "its count is out of range"),
    (field(count=10**15 + 1), "its count is out of range"),
    (field(chunk_size=0), "its chunk_size is out of range"),
    (field(chunk_size=LARGEST_CHUNK + 1), "its chunk_size is out of range"),
    (field(chunk_size=30), "chunk 0 is not the units that it should be"),
    # Chunks.
    (chunk(1, index=0), "chunk 0 does not follow the one before it"),
    (chunk(1, index=-1), "chunk -1 does not follow"),
    (chunk(1, first=0), "chunk 1 is not the units that it should be"),
    (chunk(1, count=21), "chunk 1 is not the units that it should be"),
    (chunk(1, count=-20), "chunk 1 is not the units that it should be"),
    (chunk(2, index=3, first=60), "chunk 3 is not the units that it should be"),
    (field(chunks={}), "no manifest of a run: Expected `array`"),
    (lambda manifest: manifest["chunks"].append(manifest["chunks"][0]), "chunk 0 does not follow"),
    # What is played.
    (field(unit="hands"), "its unit is 'hands'; allowed is deals or matches"),
    (field(unit="matches"), "the files of chunk 0 are not called deals-.*, sides-.*, matches-"),
    (field(game="truco"), "no game is called 'truco'"),
    (field(game="kernels"), "no game is called 'kernels'"),
    (field(game="canasta"), "cannot be used: "),
    (field(policies=["standard"]), "cannot be used: this version does not write its policies like that"),
    (field(policies=["standard"] * 3), "3 are given for 4 seats"),
    (field(policies=["standard"] * 3 + ["os.system"]), "no policy of canastra is called 'os.system'"),
    (
        field(policies=["standard"] * 3 + ["elsewhere/evil.py"]),
        "the policy file 'elsewhere/evil.py' is run only if the command itself names it",
    ),
    (field(policies=["standard"] * 3 + ["standard:take_lixo=x"]), "'x' is no number"),
    (field(policies=["standard"] * 3 + [" standard"]), "this version does not write its policies like that"),
    (field(policies=[None] * 4), "no manifest of a run: Expected `str`"),
    (field(options={}), "this version does not write its options like that"),
    (options(players=3), "3 is not allowed"),
    (options(surprise=1), "no option of canastra is called 'surprise'"),
    (options(players="4"), "cannot be used|does not write its options like that"),
    (options(lavadeira_ranks=["K", "A", "4", "5"]), "this version does not write its options like that"),
    (options(jokers=[[[]]]), "is not allowed"),
    (field(kernels=""), "its kernels are no fingerprint"),
    (field(kernels="0123456789abcdef\n"), "its kernels are no fingerprint"),
    (field(kernels="0123456789abcdef"), r"with other kernels of canastra \(0123456789abcdef\)"),
    (field(kernels=None), "no manifest of a run: Expected `str`"),
    (field(until={"half_widths": {}, "confidence": 2, "most": 60}), "confidence of its until is not between 0 and 1"),
    (field(until={"half_widths": {}, "confidence": 0.9, "most": 59}), "its until does not fit its count"),
    (field(until={"half_widths": {}, "confidence": 0.9, "most": 60}), "half widths by statistic"),
    (field(until={"half_widths": {"x": 1}, "confidence": 0.9, "most": 60}), "no statistic is called 'x'"),
    (field(until={"half_widths": {"turns": -1}, "confidence": 0.9, "most": 60}), "allowed is a number above 0"),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_a_manifest_that_was_changed(change: Change, message: str, folder: Path) -> None:
    change_manifest(folder, change)
    before = folders.content(folder)
    with pytest.raises(UsageError, match=message) as caught:
        sim.resume(folder)
    assert "\n" not in str(caught.value)
    assert folders.content(folder) == before
    assert {path.name for path in folder.parent.iterdir()} == {"run", "secret.parquet"}
    found = sim.verify(folder, sample=60)
    assert all("\n" not in finding for finding in found.findings)
    # A run is what it is whoever made it, and whatever it was to stop at.
    assert found.is_well == message.startswith(("with other kernels", "half widths", "no statistic", "allowed is a"))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 500,
        b"null",
        b"[]",
        b"{}",
        b"{" * 10_000,
        b'{"schema": "carteador.run/1", "options": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"schema": "carteador.run/1", "seed": ' + b"9" * 10_000 + b"}",
        b'{"schema": "carteador.run/1"',
        b'{"schema": "carteador.run/1"}',
        "{'schema': 'carteador.run/1'}".encode("utf-16"),
        b"\x80\x04\x95\x00.",
    ],
    ids=[
        "empty",
        "zeros",
        "null",
        "list",
        "object",
        "open",
        "deep",
        "long number",
        "cut off",
        "bare",
        "utf-16",
        "pickle",
    ],
)
def test_a_manifest_that_is_none(content: bytes, folder: Path) -> None:
    (folder / MANIFEST).write_bytes(content)
    for going_on in (sim.resume, folders.resume, folders.store):
        with pytest.raises(UsageError, match="no manifest of a run") as caught:
            going_on(folder)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 600
    assert (folder / MANIFEST).read_bytes() == content
    assert len(sim.verify(folder).findings) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "device", "too large"])
def test_a_manifest_that_is_no_file(kind: str, folder: Path) -> None:
    path = folder / MANIFEST
    moved = path.rename(folder.parent / "elsewhere.json")
    if kind == "link":
        path.symlink_to(moved)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "too large":
        path.touch()
        os.truncate(path, 1 << 40)
    else:
        path.mkdir()
    with pytest.raises(UsageError, match=r"cannot be read|holds no manifest"):
        read_manifest(folder)


def test_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "file").write_text("mine")
    assert read_inside(inside, "file", 4) == b"mine"
    with pytest.raises(OSError, match="more than can be meant"):
        read_inside(inside, "file", 3)
    (inside / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="it is a link"):
        read_inside(inside, "link", 100)


def test_a_part_that_swells_is_not_unpacked(folder: Path) -> None:
    """A small Parquet file of a great many equal rows, signed in the manifest, takes no memory."""
    import hashlib
    import io

    import polars as pl

    from sim.games import make_setup
    from sim.parts import PartReader

    reader = PartReader(folder, make_setup("canastra", seed=4), "deals")
    rows = pl.DataFrame({name: pl.Series([None], dtype=kind) for name, kind in reader.schemas["deals"].items()})
    many = pl.concat([rows.select(pl.all().repeat_by(1_000_000).explode())] * 20, rechunk=True)
    assert many.height == 20_000_000
    parquet = io.BytesIO()
    many.write_parquet(parquet, compression="zstd")
    content = parquet.getvalue()
    assert len(content) < 1_000_000
    (folder / "deals-00000.parquet").write_bytes(content)
    change_manifest(folder, first_file(bytes=len(content), sha256=hashlib.sha256(content).hexdigest()))
    del many, rows
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(DamageError, match="has 20,000,000 rows where at most 20 can be"):
        reader.tables(read_manifest(folder).chunks[0])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


def test_the_schema_is_the_one_that_is_documented(whole: Path) -> None:
    assert json.loads((whole / MANIFEST).read_text())["schema"] == SCHEMA
