"""What ``advise`` does, once its options are words: check, play out, print."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sim import advising, batch
from sim.commands import console, read_threads, write_json
from sim.common_deals import Playing
from sim.errors import DONE, INTERRUPTED
from sim.games import find_game, make_setup
from sim.names import on_command_line
from sim.numbers import counted, parse_fraction
from sim.progress import clock_text, progress_line
from sim.results import check_result_file, csv_text, write_result_file
from sim.rules import option_text
from sim.strategy_commands import print_line
from sim.streams import tell

if TYPE_CHECKING:
    from rich.console import Console

WORLDS = "worlds"


def advise(
    game: str,
    *,
    seed: str | None,
    policies: Sequence[str],
    rule_texts: Sequence[str],
    rules: str | None,
    threads: str | None,
    confidence: str,
    output: str,
    out: str | None,
    quiet: bool,
    **asked: Any,
) -> int:
    """Carry out ``carteador advise``; returns the exit status."""
    find_game(game)
    level, workers = parse_fraction("--confidence", confidence), read_threads(threads)
    path = None if out is None else check_result_file("--out", out)
    setup = make_setup(
        game, seed=seed, policy_texts=policies, rule_texts=rule_texts, rules=rules, names=on_command_line
    )
    asking = advising.prepare(setup, **asked, policies=policies, names=on_command_line)
    announce = batch.announcer(quiet=quiet)
    with progress_line(WORLDS, None, quiet) as watch:
        playing = Playing(
            0, asking.worlds, workers, announce=announce, watch=watch, stopping=lambda: batch.interruptible(announce)
        )
        advice = asking.play(playing, level)
    document = advice.document()
    if path is not None:
        write_result_file(path, document)
    if output == "json":
        write_json(document)
    elif output == "csv":
        sys.stdout.write(csv_text(document))
    else:
        _print(document, advice, console())
    if advice.progress.stopped:
        sys.stdout.flush()
        done, total = advice.progress.done, counted(advice.progress.total, "world")
        stored = "" if path is None else f" --out {shlex.quote(str(path))}"
        tell(f"carteador: stopped after {done:,} of {total}. To play them all: {document['command']}{stored}")
        return INTERRUPTED
    return DONE


def _print(document: Mapping[str, Any], advice: advising.Advice, paper: Console) -> None:
    from analysis.report import terminal

    print_line(paper, advice.title())
    if document["changed"]:
        changed = ", ".join(f"{name} = {option_text(value)}" for name, value in document["changed"].items())
        print_line(paper, f"House rules: {changed}")
    print_line(paper, f"Played on by {document['search']}; intervals: {document['confidence']:.6g} confidence")
    print_line(paper, "")
    terminal.print_advice(document, paper)
    progress = advice.progress
    print_line(paper, "")
    threads = counted(advice.playing.workers, "thread")
    print_line(paper, f"{progress.deals:,} rollouts in {clock_text(progress.seconds)} on {threads}")
