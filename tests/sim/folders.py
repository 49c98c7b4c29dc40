"""Stored runs in tests: what a folder holds, and ways to spoil it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import sim
from sim.manifest import MANIFEST

RUN: dict[str, Any] = {"deals": 1000, "seed": 4, "chunk_size": 150, "threads": 2}
"""Seven chunks, the last one smaller."""


def store(folder: Path, **others: Any) -> sim.Run:
    """Store a run, `RUN` of canastra unless something else is asked for."""
    return sim.simulate(**{"game": "canastra", "out": folder, **RUN, **others})


def resume(folder: Path, **others: Any) -> sim.Run:
    """Go on with that run."""
    return store(folder, resume=True, **others)


def content(folder: Path) -> dict[str, Any]:
    """Everything in a run's folder but where and when it was made."""
    found: dict[str, Any] = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != MANIFEST}
    manifest = json.loads((folder / MANIFEST).read_text())
    return found | {name: value for name, value in manifest.items() if name not in ("provenance", "pieces")}


def numbers(run: sim.Run) -> dict[str, Any]:
    """Everything that a run says but where and when it was made."""
    return {name: value for name, value in run.document().items() if name != "provenance"}


def change_manifest(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change a manifest in place."""
    path = folder / MANIFEST
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))


def forget(folder: Path, *indexes: int) -> None:
    """Take chunks out of a manifest, as if they had not been finished; their files stay."""

    def change(manifest: dict[str, Any]) -> None:
        manifest["chunks"] = [chunk for chunk in manifest["chunks"] if chunk["index"] not in indexes]

    change_manifest(folder, change)


def flip(path: Path, at: int = -9) -> None:
    """Alter a byte of a file."""
    changed = bytearray(path.read_bytes())
    changed[at] ^= 1
    path.write_bytes(changed)


def rewrite(folder: Path, part: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change the rows of a part, and let the manifest have the checksum of what comes out."""
    path = folder / part
    change(pl.read_parquet(path)).write_parquet(path)
    told = {"bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}

    def tell(manifest: dict[str, Any]) -> None:
        files = [file for chunk in manifest["chunks"] for file in chunk["files"] if file["name"] == part]
        files[0].update(told)

    change_manifest(folder, tell)
