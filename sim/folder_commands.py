"""The commands that work on stored runs: going on with one, merging several, verifying one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.commands import carry_out, read_threads, same_words
from sim.errors import UsageError
from sim.names import on_command_line
from sim.numbers import parse_fraction
from sim.paths import read_path
from sim.resuming import refuse_other_confidence, request_of

ALLOWED_RUN = "a folder that `carteador run --out` wrote"
_WORDS = {"policies": "--policy", "rule_texts": "--rule"}


def check_resume(value: str | None, out: str | None) -> None:
    """Check ``--resume`` beside ``--out``: it then stands alone, and means that folder.

    Raises
    ------
    UsageError
        If both name a folder.
    """
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
    output: str,
    confidence: str | None,
    quiet: bool,
) -> int:
    """Carry out ``carteador run --resume DIR``; returns the exit status.

    Parameters
    ----------
    game, deciding
        What else the command names: the game may be named again, and nothing else that decides the rows.
    """
    if not value:
        raise UsageError("--resume: it needs a folder; write --resume DIR, or --out DIR --resume")
    given = [_WORDS.get(name, f"--{name}") for name, text in deciding.items() if text]
    if given:
        raise UsageError(
            f"{given[0]} and --resume {value} cannot go together: the folder says what is played. "
            f"To give the whole command: --out {value} --resume"
        )
    folder = read_path("--resume", value, ALLOWED_RUN)
    request = request_of(folder, on_command_line)
    played = request.setup.spec.name
    if game is not None and game != played:
        raise UsageError(f"--resume: {str(folder)!r} holds a run of {played}, not of {game}")
    request.threads = read_threads(threads)
    if confidence is not None:
        level = parse_fraction("--confidence", confidence)
        refuse_other_confidence(request, level, "--confidence")
        request.confidence = level
    same = same_words(output=output, confidence=confidence, threads=threads, quiet=quiet)
    return carry_out(request, output, same, quiet)
