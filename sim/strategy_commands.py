"""What ``compare``, ``tournament``, ``sweep`` and ``odds`` do, once their options are words: check, play, print."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from sim import batch, comparing, competing, hands, sweeping
from sim.api import check_extent
from sim.commands import console, write_json
from sim.common_deals import Playing
from sim.errors import DONE, INTERRUPTED, UsageError
from sim.games import find_game, make_setup
from sim.manifest import DEALS
from sim.names import on_command_line
from sim.numbers import counted, parse_fraction, parse_integer, units_text
from sim.progress import clock_text, progress_line
from sim.results import check_result_file, csv_text, write_result_file
from sim.rules import option_text
from sim.streams import tell
from sim.sweep_axes import Axis, param_text_axis, rule_texts_of, text_axis

if TYPE_CHECKING:
    from rich.console import Console

FORMATS = ("table", "json", "csv")


class Finished(Protocol):
    """A comparison, tournament or sweep that has been played."""

    @property
    def progress(self) -> batch.Progress:
        """What was done."""

    @property
    def playing(self) -> Playing:
        """How it was played."""

    def document(self) -> dict[str, Any]:
        """Everything, ready for JSON."""


class Words:
    """The options that all three commands share, read.

    Raises
    ------
    UsageError
        If one is wrong.
    """

    def __init__(
        self,
        *,
        deals: str | None,
        first: str | None,
        threads: str | None,
        confidence: str,
        output: str,
        out: str | None,
        quiet: bool,
    ) -> None:
        self.count, self.first = check_extent(DEALS, deals, first, on_command_line)
        self.threads = None if threads is None else parse_integer("--threads", threads, 1, batch.MAX_THREADS)
        self.confidence = parse_fraction("--confidence", confidence)
        self.output = output
        self.out = None if out is None else check_result_file("--out", out)
        self.quiet = quiet

    @contextmanager
    def playing(self) -> Iterator[Playing]:
        """How to play, with progress on stderr and Ctrl-C handled."""
        announce = batch.announcer(quiet=self.quiet)
        with progress_line(DEALS, self.count, self.quiet) as watch:
            yield Playing(
                self.first,
                self.count,
                self.threads,
                announce=announce,
                watch=watch,
                stopping=lambda: batch.interruptible(announce),
            )

    def finish(self, run: Finished, print_table: Callable[[Mapping[str, Any], Console], None]) -> int:
        """Print and store the result; returns the exit status."""
        document = run.document()
        if self.out is not None:
            write_result_file(self.out, document)
        if self.output == "json":
            write_json(document)
        elif self.output == "csv":
            sys.stdout.write(csv_text(document))
        else:
            paper = console()
            _print_head(document, paper)
            print_table(document, paper)
            _print_foot(run, paper)
        if run.progress.stopped:
            sys.stdout.flush()
            done, total = run.progress.done, units_text(self.count, DEALS)
            stored = "" if self.out is None else f" --out {shlex.quote(str(self.out))}"
            tell(f"carteador: stopped after {done:,} of {total}. To play them all: {document['command']}{stored}")
            return INTERRUPTED
        return DONE


def compare(
    game: str,
    *,
    a: str | None,
    b: str | None,
    seed: str | None,
    rule_texts: Sequence[str],
    a_rule_texts: Sequence[str],
    b_rule_texts: Sequence[str],
    rules: str | None,
    statistics: Sequence[str],
    **shared: Any,
) -> int:
    """Carry out ``carteador compare``; returns the exit status."""
    words = Words(**shared)
    contest = comparing.prepare(
        game,
        a,
        b,
        seed,
        rules,
        rule_texts=rule_texts,
        a_rule_texts=a_rule_texts,
        b_rule_texts=b_rule_texts,
        names=_comparing_names,
    )
    with words.playing() as playing:
        run = contest.play(statistics, playing, words.confidence, "--stat")
    return words.finish(run, _print_comparison)


def play_tournament(
    game: str,
    *,
    policies: Sequence[str],
    seed: str | None,
    rule_texts: Sequence[str],
    rules: str | None,
    **shared: Any,
) -> int:
    """Carry out ``carteador tournament``; returns the exit status."""
    words = Words(**shared)
    common, choices = competing.prepare(game, policies, seed, rules, rule_texts=rule_texts, names=on_command_line)
    with words.playing() as playing:
        run = competing.play(common, choices, playing, words.confidence)
    return words.finish(run, _print_tournament)


def play_sweep(
    game: str,
    *,
    rule_texts: Sequence[str],
    param_texts: Sequence[str],
    policy: str | None,
    against: str | None,
    statistics: Sequence[str],
    best: Sequence[str],
    seed: str | None,
    rules: str | None,
    **shared: Any,
) -> int:
    """Carry out ``carteador sweep``; returns the exit status."""
    words = Words(**shared)
    common, axes = _sweep_axes(game, rule_texts, param_texts, policy, seed, rules)
    goals = [sweeping.parse_goal(text) for text in best]
    plan = sweeping.prepare(common, axes, policy, against, statistics, goals, _sweep_names)
    with words.playing() as playing:
        run = plan.play(playing, words.confidence, "--stat")
    return words.finish(run, _print_sweep)


def play_odds(
    game: str,
    *,
    hand: str,
    seat: str,
    top_card: str,
    score: str | None,
    policies: Sequence[str],
    seed: str | None,
    rule_texts: Sequence[str],
    rules: str | None,
    **shared: Any,
) -> int:
    """Carry out ``carteador odds``; returns the exit status."""
    words = Words(**shared)
    find_game(game)
    common = make_setup(
        game, seed=seed, policy_texts=policies, rule_texts=rule_texts, rules=rules, names=on_command_line
    )
    holding = hands.prepare(common, hand, seat, top_card, score, _odds_names)
    with words.playing() as playing:
        run = holding.play(playing, words.confidence)
    return words.finish(run, _print_odds)


def _odds_names(argument: str) -> str:
    return {"top_card": "--top-card"}.get(argument, on_command_line(argument))


def _comparing_names(argument: str) -> str:
    return {"a_rules": "--a-rule", "b_rules": "--b-rule"}.get(argument, on_command_line(argument))


def _sweep_names(argument: str) -> str:
    return {"params": "--param", "rules": "--rule"}.get(argument, on_command_line(argument))


def _sweep_axes(
    game: str,
    rule_texts: Sequence[str],
    param_texts: Sequence[str],
    policy: str | None,
    seed: str | None,
    rules: str | None,
) -> tuple[Any, list[Axis]]:
    """Axes of all options with several values; those with one are rules of every point."""
    plain = make_setup(game, seed=seed, rules=rules, names=on_command_line)
    fixed, axes = dict(plain.options), []
    named: set[str] = set()
    for text in rule_texts:
        option, values = rule_texts_of(plain.spec, text)
        if option.name in named:
            raise UsageError(f"--rule: {option.name} is given twice; write all its values in one")
        named.add(option.name)
        if len(values) == 1:
            fixed[option.name] = values[0]
        else:
            axes.append(text_axis(option, values))
    for text in param_texts:
        axis = param_text_axis(plain.spec, text)
        if axis.name in named:
            raise UsageError(f"--param: {axis.name} is given twice; write all its values in one")
        named.add(axis.name)
        axes.append(axis)
    common = make_setup(game, seed=seed, rules=fixed, policies=policy, names=on_command_line)
    return common, axes


def _print_head(document: Mapping[str, Any], paper: Console) -> None:
    deals = units_text(document["deals"], DEALS)
    start = f" from deal {document['first']:,}" if document["first"] else ""
    print_line(paper, f"{document['title']}: {deals}{start}, seed {document['seed']}")
    options = document.get("changed") or {}
    if document.get("of") == "policies":
        options = document["a"]["changed"]
    if options:
        print_line(
            paper, "House rules: " + ", ".join(f"{key} = {option_text(value)}" for key, value in options.items())
        )
    print_line(paper, f"Intervals: {document['confidence']:.12g} confidence")
    print_line(paper, "")


def _print_foot(run: Finished, paper: Console) -> None:
    progress = run.progress
    threads = counted(run.playing.workers, "thread")
    print_line(paper, "")
    print_line(
        paper, f"{progress.deals_per_second:,.0f} deals/s over all tables, {clock_text(progress.seconds)} on {threads}"
    )


def print_line(paper: Console, text: str) -> None:
    """Print a line as it stands."""
    paper.print(text, highlight=False, markup=False)


def _print_comparison(document: Mapping[str, Any], paper: Console) -> None:
    from analysis import strategy_tables
    from analysis.report import terminal

    _print_sentences(document, paper)
    paper.print(strategy_tables.comparison_table(document))
    terminal.print_strategy_charts(document, paper)


def _print_tournament(document: Mapping[str, Any], paper: Console) -> None:
    from analysis import strategy_tables
    from analysis.report import terminal

    _print_sentences(document, paper)
    for table in strategy_tables.tournament_tables(document):
        paper.print(table)
    terminal.print_strategy_charts(document, paper)


def _print_sweep(document: Mapping[str, Any], paper: Console) -> None:
    from analysis import strategy_tables
    from analysis.report import terminal

    for table in strategy_tables.sweep_tables(document):
        paper.print(table)
    terminal.print_strategy_charts(document, paper)
    print_line(paper, "")
    _print_sentences(document, paper)


def _print_odds(document: Mapping[str, Any], paper: Console) -> None:
    from analysis import strategy_tables

    print_line(paper, f"Seat {document['seat']} holds {' '.join(document['hand'])}")
    if document["top_card"]:
        print_line(paper, f"Open: {' '.join(document['top_card'])}")
    _print_sentences(document, paper)
    paper.print(strategy_tables.odds_table(document))


def _print_sentences(document: Mapping[str, Any], paper: Console) -> None:
    for sentence in document["sentence"]:
        print_line(paper, sentence)
    print_line(paper, "")
