"""Simulations and stored runs from a program: what the commands do, as functions."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sim import batch, precision, store
from sim.api import Request, Run, Targets, check_extent, execute
from sim.batch import Progress
from sim.errors import UsageError
from sim.games import make_setup
from sim.manifest import DEALS, LARGEST_CHUNK, MATCHES, MOST_UNITS
from sim.numbers import check_fraction, check_integer
from sim.paths import read_path
from sim.resuming import refuse_other_confidence, request_of
from sim.verifying import SAMPLE, Verification, verify_run


def read_folder(name: str, given: str | os.PathLike[str]) -> Path:
    """Folder of a run as a user or a program names it.

    Raises
    ------
    UsageError
        If it can be no path.
    """
    return read_path(name, given, store.ALLOWED_FOLDER)


def simulate(
    game: str,
    *,
    deals: int | None = None,
    matches: int | None = None,
    seed: int | None = None,
    first: int = 0,
    policies: str | Sequence[str] | Mapping[int, str] | None = None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    threads: int | None = None,
    chunk_size: int | None = None,
    keep_rows: bool = True,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    until: Mapping[str, float | str] | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
    cluster: Any = None,
) -> Run:
    """Play many deals, or many matches, and return what happened.

    Deal i depends on the seed, i, the game, its options and the policies alone: the rows are the same for any
    number of threads, and deal i of a long run is deal i of a short one.

    Parameters
    ----------
    game
        Name of a game, as ``canastra``.
    deals, matches
        How many deals, or matches to the target score; one of the two. 100,000 deals if neither is given.
    seed
        0 to 2^64 - 1; 0 if None.
    first
        Number of the first deal (or match), to go on where another run ended.
    policies
        One policy for all seats, a list by seat, or a mapping from seat to policy. A policy is a name with
        parameters where wanted, as ``"standard:take_lixo=3"``. The game's default policy if None.
    rules
        House rules: a mapping of options, the name of a preset, or the path of a TOML file.
    threads
        Worker threads; all processors if None.
    chunk_size
        Deals (or matches) in a chunk. It changes the speed only.
    keep_rows
        Whether `Run.deals` and `Run.sides` can be read afterwards (about 150 bytes a deal). Without rows the
        memory does not grow with the number of deals.
    out
        Folder to store the rows in, as ``carteador run --out``.
    resume
        Go on with what of this run the folder holds already; parts that are damaged are played again. The frames and
        the summary are those of the whole run.
    until
        Stop as soon as all of these half widths are reached, by row of the summary, as
        ``{"win_rate@side:0": 0.001, "turns": "0.05"}``; the group is ``all`` where none is named. The intervals of the
        summary are then confidence sequences, which stopping does not spoil, and `Run.until` says what was reached.
    confidence
        Level of the intervals of the summary, between 0 and 1.
    progress
        Called with a `sim.batch.Progress` after each chunk.
    cluster
        Play on a Dask cluster: an address as for ``carteador run --cluster``, a `distributed.Client`, or a cluster
        object of Dask's (docs/cluster.md). It changes no number. With `keep_rows`, which is the default, workers send
        every row back.

    Returns
    -------
    Run
        With `deals`, `sides` and `matches` (Polars frames), `summary` (rows) and `document` (for JSON).

    Raises
    ------
    UsageError
        If an argument is wrong; the message says what is allowed.
    BusyError
        If another process writes to the folder.
    KernelError
        If a kernel breaks an invariant; the message has the command that shows the deal.
    ClusterError
        If a cluster cannot be reached or was lost; `ClusterError.run` is what was done before.

    Examples
    --------
    >>> import sim
    >>> run = sim.simulate("canastra", deals=2_000, seed=7, policies={0: "novice", 2: "novice"})
    >>> run.deals.height, run.sides.height
    (2000, 4000)
    >>> batida = next(row for row in run.summary() if row.statistic == "end_reason:batida")
    >>> 0 < batida.low < batida.estimate < batida.high < 1
    True
    >>> precise = sim.simulate("canastra", seed=7, until={"win_rate@side:0": "5%"}, keep_rows=False)
    >>> precise.until[0].met, precise.until[0].reached < 0.05
    (True, True)
    """
    if deals is not None and matches is not None:
        raise UsageError("deals and matches cannot go together; a run plays one or the other")
    setup = make_setup(game, seed=seed, policies=policies, rules=rules)
    unit = MATCHES if matches is not None else DEALS
    asked = None if until is None else _asked(until)
    count, first = check_extent(unit, matches if matches is not None else deals, first, most=asked is not None)
    _check_types(keep_rows, out, progress)
    if not isinstance(resume, bool | np.bool_):
        raise UsageError(f"resume: {resume!r} is not allowed; allowed is True or False")
    if resume and out is None:
        raise UsageError("resume: it goes on in a folder, so out is needed too")
    _check_cluster(threads, cluster)
    return execute(
        Request(
            setup,
            unit,
            first,
            count,
            threads=None if threads is None else check_integer("threads", threads, 1, batch.MAX_THREADS),
            chunk_size=None if chunk_size is None else check_integer("chunk_size", chunk_size, 1, LARGEST_CHUNK),
            keep_rows=bool(keep_rows),
            out=None if out is None else read_folder("out", out),
            resume=bool(resume),
            confidence=check_fraction("confidence", confidence),
            watch=progress,
            until=asked,
            cluster=cluster,
        )
    )


def resume(
    folder: str | os.PathLike[str],
    *,
    policies: str | Sequence[str] = (),
    threads: int | None = None,
    keep_rows: bool = True,
    confidence: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    cluster: Any = None,
) -> Run:
    """Go on with a stored run, as ``carteador run --resume``; its manifest says what is played.

    Parameters
    ----------
    folder
        That ``simulate(..., out=folder)`` or ``carteador run --out`` wrote.
    policies
        The policy files that the run is played with, if it is: none is run that is not named here.
    threads, keep_rows, confidence, progress, cluster
        As for `simulate`. A run that stops at a precision keeps its confidence.

    Returns
    -------
    Run
        The whole run, what was there before included.

    Raises
    ------
    UsageError
        If there is no run in the folder, or this version would play it differently.
    BusyError
        If another process writes to it.
    KernelError
        If a kernel breaks an invariant.
    ClusterError
        If a cluster cannot be reached or was lost; the folder holds what was done before.
    """
    _check_types(keep_rows, folder, progress)
    _check_cluster(threads, cluster)
    files = [policies] if isinstance(policies, str) else list(policies)
    request = request_of(
        read_folder("folder", folder), lambda name: name if name in ("policies", "cluster") else "folder", files
    )
    request.threads = None if threads is None else check_integer("threads", threads, 1, batch.MAX_THREADS)
    request.keep_rows, request.watch, request.cluster = bool(keep_rows), progress, cluster
    if confidence is not None:
        level = check_fraction("confidence", confidence)
        refuse_other_confidence(request, level, "confidence")
        request.confidence = level
    return execute(request)


def merge(
    folders: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    threads: int | None = None,
    confidence: float = 0.95,
    progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Make one stored run of several that were played in parts, as ``carteador merge``.

    Parameters
    ----------
    folders
        Runs of the same game, seed, options and policies that together hold every deal (or match) once, in any order.
    out
        Folder for the run that they make together.
    threads, confidence, progress
        As for `simulate`.

    Returns
    -------
    Run
        With the statistics of all; its rows are in the folder.

    Raises
    ------
    UsageError
        If the runs do not belong together, or deals are there twice or not at all.
    DamageError
        If a part of one of them is damaged.
    BusyError
        If another process writes to the folder.
    """
    from sim.merging import Merge, merge_runs

    return merge_runs(
        Merge([read_folder("folders", folder) for folder in folders], "folders"),
        read_folder("out", out),
        threads=_workers(threads),
        confidence=check_fraction("confidence", confidence),
        watch=progress,
    )


def verify(
    folder: str | os.PathLike[str],
    *,
    sample: int | None = SAMPLE,
    policies: str | Sequence[str] = (),
    threads: int | None = None,
) -> Verification:
    """Check a stored run, as ``carteador verify``: checksums, columns, numbers of rows, and deals played again.

    Parameters
    ----------
    folder
        Of the run.
    sample
        How many deals (of a run of matches, matches) are played again, spread over the parts; None for all.
    policies
        The policy files that the run was played with, if it was: none is run that is not named here.
    threads
        As for `simulate`.

    Returns
    -------
    Verification
        With its `findings`, a line each, and `is_well`.

    Raises
    ------
    UsageError
        If there is no run in the folder.
    """
    checked = None if sample is None else check_integer("sample", sample, 0, MOST_UNITS)
    files = [policies] if isinstance(policies, str) else list(policies)
    return verify_run(
        read_folder("folder", folder), sample=checked, policies=files, threads=_workers(threads), where="folder"
    )


def _workers(threads: int | None) -> int:
    return batch.default_threads() if threads is None else check_integer("threads", threads, 1, batch.MAX_THREADS)


def _asked(given: Mapping[str, float | str]) -> Targets:
    return lambda totals, others: precision.targets_of(given, totals, others)


def _check_cluster(threads: object, cluster: object) -> None:
    if threads is not None and cluster is not None:
        raise UsageError("threads and cluster cannot go together; workers have the threads that they were started with")
    if isinstance(cluster, str):
        from sim.cluster import read_address

        read_address("cluster", cluster)


def _check_types(keep_rows: object, out: object, progress: object) -> None:
    if not isinstance(keep_rows, bool | np.bool_):
        raise UsageError(f"keep_rows: {keep_rows!r} is not allowed; allowed is True or False")
    if out is not None and not isinstance(out, str | os.PathLike):
        raise UsageError(f"out: {out!r} is no path; allowed is {store.ALLOWED_FOLDER}")
    if progress is not None and not callable(progress):
        raise UsageError(f"progress: {progress!r} is not allowed; allowed is a function of a sim.batch.Progress")
