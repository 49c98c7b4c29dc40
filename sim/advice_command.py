"""What ``advise`` does, once its options are words: check, play out, print."""

from __future__ import annotations

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
from sim.rules import option_text
from sim.strategy_commands import print_line
from sim.streams import tell

if TYPE_CHECKING:
    from rich.console import Console

FORMATS = ("table", "json")
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
    quiet: bool,
    **asked: Any,
) -> int:
    """Carry out ``carteador advise``; returns the exit status."""
    find_game(game)
    level, workers = parse_fraction("--confidence", confidence), read_threads(threads)
    setup = make_setup(
        game, seed=seed, policy_texts=policies, rule_texts=rule_texts, rules=rules, names=on_command_line
    )
    asking = advising.prepare(setup, **asked, policies=policies, names=on_command_line)
    announce = None if quiet else batch.announce_on_stderr
    with progress_line(WORLDS, None, quiet) as watch:
        playing = Playing(
            0, asking.worlds, workers, announce=announce, watch=watch, stopping=lambda: batch.interruptible(announce)
        )
        advice = asking.play(playing, level)
    document = advice.document()
    if output == "json":
        write_json(document)
    else:
        _print(document, advice, console())
    if advice.progress.stopped:
        sys.stdout.flush()
        done, total = advice.progress.done, counted(advice.progress.total, "world")
        tell(f"carteador: stopped after {done:,} of {total}. To play them all: {document['command']}")
        return INTERRUPTED
    return DONE


def _print(document: Mapping[str, Any], advice: advising.Advice, paper: Console) -> None:
    from analysis.advice import advice_table

    print_line(paper, advice.title())
    if document["changed"]:
        changed = ", ".join(f"{name} = {option_text(value)}" for name, value in document["changed"].items())
        print_line(paper, f"House rules: {changed}")
    print_line(paper, f"Played on by {document['search']}; intervals: {document['confidence']:.6g} confidence")
    for decision in document["decisions"]:
        print_line(paper, "")
        print_line(paper, f"Seat {decision['seat']}: {decision['question']}")
        width = max(len(line["what"]) for line in decision["seen"])
        for line in decision["seen"]:
            print_line(paper, f"  {line['what']:<{width}}  {line['text']}")
        print_line(paper, "")
        paper.print(advice_table(decision))
    progress = advice.progress
    print_line(paper, "")
    threads = counted(advice.playing.workers, "thread")
    print_line(paper, f"{progress.deals:,} rollouts in {clock_text(progress.seconds)} on {threads}")
