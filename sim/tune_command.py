"""What ``tune`` does, once its options are words: check, search, print."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim import batch, tuning
from sim.commands import console, write_json
from sim.errors import DONE, INTERRUPTED
from sim.manifest import DEALS
from sim.names import on_command_line
from sim.numbers import counted, parse_fraction, parse_integer
from sim.progress import clock_text, progress_line
from sim.results import check_result_file, csv_text, write_result_file
from sim.rules import option_text
from sim.strategy_commands import print_line
from sim.streams import tell
from sim.tuning_plan import prepare

if TYPE_CHECKING:
    from rich.console import Console

STOPPING = "Stopping: what was found so far is judged on fresh deals. Ctrl-C again cuts that short too."


def tune(
    game: str,
    *,
    policy: str | None,
    against: Sequence[str],
    parameters: Sequence[str],
    deals: str | None,
    fresh: str | None,
    generations: str | None,
    population: str | None,
    budget: str | None,
    seed: str | None,
    rule_texts: Sequence[str],
    rules: str | None,
    threads: str | None,
    out: str | None,
    output: str,
    confidence: str,
    quiet: bool,
) -> int:
    """Carry out ``carteador tune``; returns the exit status."""
    plan = prepare(
        game,
        policy,
        against,
        parameter_texts=parameters,
        deals=deals,
        fresh=fresh,
        generations=generations,
        population=population,
        budget=budget,
        seed=seed,
        rules=rules,
        rule_texts=rule_texts,
        names=on_command_line,
    )
    workers = None if threads is None else parse_integer("--threads", threads, 1, batch.MAX_THREADS)
    level = parse_fraction("--confidence", confidence)
    path = None if out is None else check_result_file("--out", out)
    announce = batch.announcer(quiet=quiet)
    with progress_line(DEALS, None, quiet) as watch:
        run = tuning.play(
            plan,
            threads=workers,
            confidence=level,
            announce=announce,
            watch=watch,
            stopping=lambda: batch.interruptible(None if quiet else _announce_stop),
        )
    document = run.document()
    if path is not None:
        write_result_file(path, document)
    if output == "json":
        write_json(document)
    elif output == "csv":
        sys.stdout.write(csv_text(document))
    else:
        _print(document, console())
    if run.is_stopped:
        sys.stdout.flush()
        stored = "" if path is None else f" --out {shlex.quote(str(path))}"
        tell(f"carteador: stopped early; the result is of what was done. To do it all: {document['command']}{stored}")
        return INTERRUPTED
    return DONE


def _announce_stop(_line: str) -> None:
    tell(STOPPING)


def _print(document: Mapping[str, Any], paper: Console) -> None:
    from analysis.report import terminal
    from analysis.tuning_words import heading

    print_line(paper, heading(*(document[name] for name in ("title", "policy", "against", "seed"))))
    if document["changed"]:
        rules = ", ".join(f"{name} = {option_text(value)}" for name, value in document["changed"].items())
        print_line(paper, f"House rules: {rules}")
    print_line(paper, f"Intervals: {document['confidence']:.6g} confidence")
    print_line(paper, "")
    terminal.print_tune(document, paper)
    provenance = document["provenance"]
    print_line(paper, "")
    print_line(
        paper,
        f"{provenance['deals_per_second']:,.0f} deals/s over all tables, {clock_text(provenance['wall_seconds'])} "
        f"on {counted(provenance['threads'], 'thread')}",
    )
