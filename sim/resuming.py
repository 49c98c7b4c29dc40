"""Going on with a stored run, of which its manifest says everything."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sim import precision, sources
from sim.api import Request
from sim.errors import UsageError
from sim.games import Setup
from sim.manifest import Manifest, read_manifest, setup_of
from sim.names import Names, in_program
from sim.own.stored import named_files
from sim.store import other_kernels_text


def request_of(folder: Path, names: Names = in_program, policies: Sequence[str] = ()) -> Request:
    """Return the request that a stored run is of, to go on with it.

    Parameters
    ----------
    policies
        Policies that the command names: only files among them are run, whatever the manifest says.

    Raises
    ------
    UsageError
        If there is no run, or this version does not go on with it; the message says why.
    """
    where = names("resume")
    if not folder.is_dir():
        raise UsageError(f"{where}: there is no folder {str(folder)!r}")
    manifest, setup = open_manifest(folder, where, policies, names("policies"))
    until, confidence, count = None, 0.95, manifest.count
    if manifest.until is not None:
        until = partial(precision.targets_of, manifest.until.half_widths, names=lambda _: where)
        confidence, count = manifest.until.confidence, manifest.until.most
    return Request(
        setup,
        manifest.unit,
        manifest.first,
        count,
        chunk_size=manifest.chunk_size,
        out=folder,
        resume=True,
        until=until,
        confidence=confidence,
        names=lambda argument: names(argument) if argument == "cluster" else where,
    )


def open_manifest(folder: Path, where: str, policies: Sequence[str], whence: str) -> tuple[Manifest, Setup]:
    """Manifest and setup of a run whose rows are those that this version plays.

    Parameters
    ----------
    policies, whence
        Policies that the command names, and what it calls them.

    Raises
    ------
    UsageError
        If there is no run, or this version does not go on with it; the message says why.
    """
    manifest = read_manifest(folder, where)
    spec = setup_of(manifest, folder, where).spec
    setup = setup_of(manifest, folder, where, named_files(spec, policies, whence))
    now = sources.fingerprint(manifest.game)
    if not sources.give_same_rows(manifest.game, manifest.kernels, now):
        raise UsageError(f"{where}: {other_kernels_text(folder, manifest)}")
    return manifest, setup


def refuse_other_confidence(request: Request, level: float, where: str) -> None:
    """Refuse another confidence for a run that stops at a precision: it decides where that is.

    Raises
    ------
    UsageError
        If the run is such a one and its level another.
    """
    if request.until is not None and level != request.confidence:
        raise UsageError(f"{where}: the run stops at a precision with confidence {request.confidence:g}; leave it out")
