"""The commands that work on stored runs: going on with one, merging several, verifying one."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from sim import batch
from sim.commands import CONFIDENCE, carry_out, check_cluster, print_run, read_threads, refuse_together, run, same_words
from sim.errors import DONE, FAILED, INTERRUPTED, UsageError
from sim.manifest import MOST_UNITS
from sim.names import on_command_line
from sim.numbers import parse_fraction, parse_integer, units_text
from sim.own.source import is_file, split_policy
from sim.paths import read_path
from sim.progress import progress_line
from sim.resuming import refuse_other_confidence, request_of
from sim.store import ALLOWED_FOLDER
from sim.streams import tell, visible

ALLOWED_RUN = "a folder that `carteador run --out` wrote"
_WORDS = {"policies": "--policy", "rule_texts": "--rule"}


def check_resume(value: str | None, out: str | None) -> None:
    """Check ``--resume`` beside ``--out``: it then stands alone, and means that folder.

    Raises
    ------
    UsageError
        If both name a folder, or neither does.
    """
    if value is not None and not value and out is None:
        raise UsageError("--resume: it needs a folder; write --resume DIR, or --out DIR --resume")
    if value and out is not None:
        raise UsageError(
            f"--resume {value} and --out {out} cannot go together; give --resume DIR, or --out DIR --resume"
        )


def resume(
    value: str,
    game: str | None,
    deciding: Mapping[str, Any],
    *,
    threads: str | None,
    cluster: str | None,
    output: str,
    confidence: str | None,
    quiet: bool,
) -> int:
    """Carry out ``carteador run --resume DIR``; returns the exit status.

    Parameters
    ----------
    value
        The folder.
    game, deciding
        What else the command says. If it is the whole command, the folder must hold that very run.
    """
    given = [_WORDS.get(name, f"--{name}") for name, text in deciding.items() if text]
    policies = deciding["policies"]
    if game is None and given == ["--policy"] and all(is_file(text) and not _names_seat(text) for text in policies):
        # They decide nothing: without them no file is run.
        given = []
    folder = read_path("--resume", value, ALLOWED_RUN)
    if given and game is None:
        raise UsageError(
            f"{given[0]} and --resume {value} cannot go together, for the folder says what is played; leave it out, or "
            "give the whole command with its game"
        )
    check_cluster(cluster)
    request = request_of(folder, on_command_line, policies)
    played = request.setup.spec.name
    if game is not None and game != played:
        raise UsageError(f"--resume: {str(folder)!r} holds a run of {played}, not of {game}")
    if given:
        others: dict[str, Any] = {"threads": threads, "output": output, "confidence": confidence, "quiet": quiet}
        return run(played, out=value, resume=True, cluster=cluster, **deciding, **others)
    request.threads, request.cluster = read_threads(threads), cluster
    if confidence is not None:
        level = parse_fraction("--confidence", confidence)
        refuse_other_confidence(request, level, "--confidence")
        request.confidence = level
    same = same_words(output=output, confidence=confidence, threads=threads, cluster=cluster, quiet=quiet)
    return carry_out(request, output, same, quiet)


def _names_seat(text: str) -> bool:
    head, equals, _ = text.partition("=")
    return bool(equals) and head.strip().isdecimal()


def merge(
    runs: Sequence[str], *, out: str, threads: str | None, output: str, confidence: str | None, quiet: bool
) -> int:
    """Carry out ``carteador merge``; returns the exit status."""
    from sim.merging import Merge, merge_runs

    folder = read_path("--out", out, ALLOWED_FOLDER)
    level = parse_fraction("--confidence", CONFIDENCE if confidence is None else confidence)
    workers = read_threads(threads) or batch.default_threads()
    merging = Merge([read_path("DIR", each, ALLOWED_RUN) for each in runs], "")
    manifest = merging.manifest()
    with progress_line(manifest.unit, manifest.count, quiet) as watch:
        merged = merge_runs(
            merging,
            folder,
            threads=workers,
            confidence=level,
            where="--out",
            watch=watch,
            stopping=batch.interruptible(batch.announcer(quiet=quiet)),
        )
    if merged.progress.stopped:
        done = f"{merged.progress.done:,} of {units_text(manifest.count, manifest.unit)}"
        tell(f"carteador: stopped after {done}. The runs are as they were; the same command merges them from the start")
        return INTERRUPTED
    print_run(merged, output)
    return DONE


def verify(
    folder: str,
    *,
    sample: str | None,
    everything: bool,
    policies: Sequence[str],
    threads: str | None,
    quiet: bool,
) -> int:
    """Carry out ``carteador verify``; returns the exit status."""
    from sim.verifying import SAMPLE, verify_run

    refuse_together(sample=sample, all=everything or None)
    for text in policies:
        if not is_file(split_policy(text.partition("=")[2] if _names_seat(text) else text)[0]):
            raise UsageError(f"--policy: {text!r} is no policy file; only those of the run are named here")
    number = SAMPLE if sample is None else parse_integer("--sample", sample, 0, MOST_UNITS)
    announce = batch.announcer(quiet=quiet)
    found = verify_run(
        read_path("DIR", folder, ALLOWED_RUN),
        sample=None if everything else number,
        policies=policies,
        threads=read_threads(threads) or batch.default_threads(),
        announce=announce,
        watching=lambda unit, total: progress_line(unit, total, quiet),
        stopping=batch.interruptible(announce),
    )
    for finding in found.findings:
        print(visible(finding))
    print(visible(found.conclusion()))
    sys.stdout.flush()
    if found.stopped:
        tell("carteador: interrupted")
        return INTERRUPTED
    return DONE if found.is_well else FAILED
