"""What the commands do, once their options are words: check, play, print."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from kernels import registry
from sim import batch, precision
from sim.api import Request, Run, check_extent, execute
from sim.dealt import given_deal
from sim.errors import DONE, FAILED, INTERRUPTED, ClusterError, KernelError, UsageError, nearest
from sim.games import Setup, find_game, make_setup
from sim.manifest import DEALS, MATCHES, resume_command
from sim.names import on_command_line
from sim.numbers import MAX_INT64, MAX_UINT64, counted, parse_fraction, parse_integer, unit_name, units_text
from sim.paths import read_path
from sim.progress import clock_text, progress_line
from sim.rules import option_text
from sim.store import ALLOWED_FOLDER
from sim.streams import tell, written

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from analysis.precision import Standing

RUN_FORMATS = ("table", "json", "csv")
SHOW_FORMATS = ("text", "jsonl")
BENCH_FORMATS = ("table", "json")
CONFIDENCE = "0.95"
PIPE_WIDTH = 120
LARGEST_COUNT = 10**12


def console() -> Console:
    """Console on stdout: as wide as the terminal, or as a page when piped."""
    from rich.console import Console

    class Paper(Console):
        def on_broken_pipe(self) -> None:
            # Rich would end the process as failed; the command line knows better.
            raise BrokenPipeError

        def render_str(self, text: str, **styles: Any) -> Text:
            # Spelt out before it is laid out, so that the columns of a table stay straight.
            return super().render_str(written(text, self.encoding), **styles)

    made = Paper()
    return made if made.is_terminal else Paper(width=PIPE_WIDTH)


def write_json(document: Any) -> None:
    """Write a document to stdout as indented JSON."""
    _write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n")


def _write_bytes(content: bytes) -> None:
    """Write what a program reads: UTF-8 whatever the terminal has."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def check_format(output: str, allowed: Sequence[str]) -> None:
    """Check the value of ``--format``.

    Raises
    ------
    UsageError
        If it is none of those allowed.
    """
    if output not in allowed:
        near = nearest(output, allowed)
        hint = f". Did you mean {near}?" if near else ""
        raise UsageError(f"--format: {output!r} is not allowed; allowed is {', '.join(allowed)}{hint}")


def refuse_together(**given: object) -> None:
    """Refuse options that exclude one another.

    Raises
    ------
    UsageError
        If more than one is given; the message names them.
    """
    names = [f"--{name}" for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise UsageError(f"{' and '.join(names)} cannot go together; give one of them")


def run(
    game: str,
    *,
    deals: str | None,
    matches: str | None,
    seed: str | None,
    first: str | None,
    policies: Sequence[str],
    rule_texts: Sequence[str],
    rules: str | None,
    threads: str | None,
    out: str | None,
    resume: bool,
    output: str,
    until: Sequence[str],
    confidence: str | None,
    quiet: bool,
    cluster: str | None = None,
) -> int:
    """Carry out ``carteador run``; returns the exit status."""
    refuse_together(deals=deals, matches=matches)
    check_cluster(cluster)
    setup = _setup(game, seed, policies, rule_texts, rules)
    unit = DEALS if matches is None else MATCHES
    count, first_number = check_extent(
        unit, deals if matches is None else matches, first, on_command_line, most=bool(until)
    )
    request = Request(
        setup,
        unit,
        first_number,
        count,
        threads=read_threads(threads),
        out=None if out is None else read_path("--out", out, ALLOWED_FOLDER),
        resume=resume,
        confidence=parse_fraction("--confidence", CONFIDENCE if confidence is None else confidence),
        until=partial(precision.targets_of_texts, until) if until else None,
        cluster=cluster,
        names=on_command_line,
    )
    same = same_words(output=output, confidence=confidence, threads=threads, cluster=cluster, quiet=quiet)
    return carry_out(request, output, same, quiet)


def carry_out(request: Request, output: str, same: Sequence[str], quiet: bool) -> int:
    """Play what is requested, print it, and say how it ended; returns the exit status.

    Parameters
    ----------
    same
        Words of the command that change no row, for the command that goes on with it.
    """
    request.announce = batch.announcer(quiet=quiet)
    request.stopping = batch.interruptible(request.announce)
    lost: ClusterError | None = None
    with progress_line(request.unit, None if request.until else request.count, quiet) as watch:
        request.watch = watch
        try:
            played = execute(request)
        except ClusterError as error:
            if error.run is None:
                raise
            lost, played = error, error.run
    if played.progress.deals > 0:
        print_run(played, output)
    if played.progress.stopped:
        sys.stdout.flush()
        if lost is not None:
            tell(f"carteador: {lost}")
        tell(_stopped_text(played, request, same))
        return INTERRUPTED if lost is None else FAILED
    unmet = [standing for standing in played.until if not standing.met]
    if unmet and not quiet:
        sys.stdout.flush()
        tell(_unmet_text(played, unmet))
    return DONE


def show(
    game: str,
    *,
    deal: str | None,
    match: str | None,
    hand: str | None,
    count: str | None,
    seed: str | None,
    policies: Sequence[str],
    rule_texts: Sequence[str],
    rules: str | None,
    deck: str | None,
    scores: str | None,
    output: str,
    quiet: bool,
) -> None:
    """Carry out ``carteador show``."""
    refuse_together(deal=deal, match=match)
    refuse_together(hand=hand, count=count)
    for name, value in (("deck", deck), ("scores", scores)):
        refuse_together(**{name: value, "match": match})
        refuse_together(**{name: value, "count": count})
    if hand is not None and match is None:
        raise UsageError("--hand: it numbers the hands of a match, so --match is needed too")
    setup = _setup(game, seed, policies, rule_texts, rules)
    many = 1 if count is None else parse_integer("--count", count, 1, LARGEST_COUNT)
    deal_number = 0 if deal is None else parse_integer("--deal", deal, 0, MAX_UINT64 - many + 1)
    match_number = None if match is None else parse_integer("--match", match, 0, MAX_INT64 - many + 1)
    hand_number = None if hand is None else parse_integer("--hand", hand, 0, MAX_INT64)
    given = None if deck is None and scores is None else given_deal(setup, deal_number, deck, scores, on_command_line)
    setup = setup if given is None else given.setup
    batch.first_compile(setup, batch.announcer(quiet=quiet))

    from sim.replay import Replayer

    replayer = Replayer(setup)

    def shown() -> Iterator[list[dict[str, Any]]]:
        if given is not None:
            yield replayer.given(given.job)
        elif match_number is None:
            for number in range(deal_number, deal_number + many):
                yield replayer.deal(number)
        elif hand_number is not None:
            yield replayer.hand(match_number, hand_number)
        else:
            for number in range(match_number, match_number + many):
                yield from replayer.match(number)

    try:
        if output == "jsonl":
            _write_json_lines(shown())
        else:
            _write_text(setup, shown())
    except KernelError as error:
        _show_unfinished(setup, error, output)
        raise KernelError(error.text(with_command=False)) from None


def _show_unfinished(setup: Setup, error: KernelError, output: str) -> None:
    """Tell what was played of a deal that broke off."""
    from sim.replay import json_lines, narrate_unfinished, plain_text

    if not error.events:
        return
    events = [dict(event) for event in error.events]
    if output == "jsonl":
        sys.stdout.buffer.write(json_lines(events))
    else:
        width = max(60, min(100, console().width))
        sys.stdout.write(plain_text(narrate_unfinished(setup.spec.name, events, setup.sides, width)))
    sys.stdout.flush()


def bench(game: str | None, *, policies: Sequence[str], threads: str | None, output: str, quiet: bool) -> None:
    """Carry out ``carteador bench``."""
    names = list(registry.GAMES) if game is None else [find_game(game).name]
    setups = [
        make_setup(name, policies=policy, names=on_command_line)
        for name in names
        for policy in (policies or [known.name for known in registry.spec(name).policies])
    ]
    workers = read_threads(threads) or batch.default_threads()

    from sim import bench as benchmark

    start = time.perf_counter()
    speeds = benchmark.measure(setups, workers, batch.announcer(quiet=quiet))
    if output == "json":
        write_json(benchmark.document(speeds, workers, time.perf_counter() - start))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("game", "policy"):
        table.add_column(heading, style="cyan")
    columns: dict[str, Callable[[benchmark.Speed], str]] = {
        "deals/s": lambda speed: f"{speed.deals_per_second:,.0f}",
        "turns/s": lambda speed: f"{speed.turns_per_second:,.0f}",
        "decisions/s": lambda speed: f"{speed.decisions_per_second:,.0f}",
        "shuffle ns": lambda speed: f"{speed.shuffle_ns:,.1f}",
        "shuffles/deal": lambda speed: f"{speed.shuffles_per_deal:,.1f}",
        f"deals/s, {workers} threads": lambda speed: f"{speed.threads_deals_per_second:,.0f}",
        "cold s": lambda speed: f"{speed.cold_seconds:.2f}",
        "warm s": lambda speed: f"{speed.warm_seconds:.2f}",
    }
    for heading in columns:
        table.add_column(heading, justify="right")
    for speed in speeds:
        table.add_row(speed.game, speed.policy, *(column(speed) for column in columns.values()))
    console().print(table)


def _setup(game: str, seed: str | None, policies: Sequence[str], rule_texts: Sequence[str], rules: str | None) -> Setup:
    find_game(game)
    return make_setup(game, seed=seed, policy_texts=policies, rule_texts=rule_texts, rules=rules, names=on_command_line)


def read_threads(text: str | None) -> int | None:
    """Value of ``--threads``; None if it is not given."""
    return None if text is None else parse_integer("--threads", text, 1, batch.MAX_THREADS)


def print_run(played: Run, output: str) -> None:
    """Print a run in one of `RUN_FORMATS`."""
    from analysis import tables
    from analysis.report.terminal import print_run_charts

    document = played.document()
    if output == "json":
        _write_bytes(tables.to_json(document).encode())
    elif output == "csv":
        _write_bytes(tables.to_csv(document).encode())
    else:
        paper = console()
        for line in header_lines(played):
            paper.print(line, highlight=False, markup=False)
        tables.print_table(document, paper)
        print_run_charts(document, paper)
        paper.print(footer_line(played), highlight=False, markup=False)


def header_lines(played: Run) -> Iterator[str]:
    """Lines over the table of a run: all that decides its numbers."""
    setup, progress = played.setup, played.progress
    what = units_text(progress.deals, DEALS)
    if played.unit == MATCHES:
        what = f"{units_text(progress.done, MATCHES)} to {setup.options[setup.spec.target]:,}, {what}"
    start = f" from {unit_name(played.unit)} {played.first:,}" if played.first else ""
    early = ""
    if progress.stopped:
        early = " (stopped early)" if played.until else f" (stopped early, of {played.count:,})"
    yield f"{setup.spec.title}: {what}{start}{early}, seed {setup.seed}"
    texts = setup.policy_texts
    if len(set(texts)) == 1:
        yield f"Policy at all {setup.seats} seats: {texts[0]}"
    else:
        yield "Policies: " + ", ".join(f"seat {seat} {text}" for seat, text in enumerate(texts))
    changed = ", ".join(f"{name} = {option_text(value)}" for name, value in setup.changed.items())
    yield f"House rules: {changed or 'as in the rule book'}"
    sequences = ", at whatever number of deals the run stops" if played.until else ""
    yield f"Intervals: {played.confidence:.12g} confidence{sequences}"
    yield from _until_lines(played)
    yield ""


def _until_lines(played: Run) -> Iterator[str]:
    """A line for each precision that was to be reached."""
    from analysis.tables import estimate_text

    for standing in played.until:
        target, done = standing.target, units_text(played.progress.done, played.unit)
        text = f"Until {target.name} is within ± {precision.half_width_text(target.half_width, target.unit)}: "
        text += estimate_text(asdict(standing.row))
        if standing.met:
            yield f"{text}, reached"
        elif played.progress.stopped:
            yield f"{text}, not reached yet"
        else:
            yield f"{text}, NOT reached in {done}, the most that is played"


def footer_line(played: Run) -> str:
    """Line under the table of a run: its pace."""
    progress = played.progress
    spent = f"{clock_text(progress.seconds)} on {counted(played.threads, 'thread')}"
    if played.workers is not None:
        spent += f" of {counted(played.workers['workers'], 'worker')}"
    if progress.played_deals == 0:
        return f"\nAll of it was there before; read in {spent}"
    pace = f"\n{progress.deals_per_second:,.0f} deals/s, {spent}"
    return f"{pace}; {units_text(progress.read, played.unit)} of it were there before" if progress.read else pace


def check_cluster(text: str | None) -> None:
    """Check the value of ``--cluster``, before anything else is done.

    Raises
    ------
    UsageError
        If it is no address, or Dask is not installed.
    """
    if text is not None:
        from sim import cluster

        cluster.read_address("--cluster", text)
        cluster.check_installed("--cluster")


def same_words(
    *, output: str, confidence: str | None, threads: str | None, quiet: bool, cluster: str | None = None
) -> list[str]:
    """Words of a run that change no row, for the command that goes on with it."""
    given = {
        "--format": (output, "table"),
        "--confidence": (confidence, CONFIDENCE),
        "--threads": (threads, None),
        "--cluster": (cluster, None),
    }
    words = [word for name, (value, usual) in given.items() if value and value != usual for word in (name, value)]
    return [*words, "--quiet"] if quiet else words


def _unmet_text(played: Run, unmet: Sequence[Standing]) -> str:
    how_far = "; ".join(precision.standing_text(standing) for standing in unmet)
    return (
        f"carteador: not reached in {units_text(played.count, played.unit)}, the most that is played "
        f"(--{played.unit} allows more): {how_far}"
    )


def _stopped_text(played: Run, request: Request, same: Sequence[str]) -> str:
    """Say how far a run came that was stopped, and which command goes on with it."""
    done, count = played.progress.done, played.count
    if played.until:
        how_far = "; ".join(precision.standing_text(standing) for standing in played.until)
        stopped, ending = f"stopped after {units_text(done, played.unit)}.", f" {how_far}"
    else:
        stopped, ending = f"stopped after {done:,} of {units_text(count, played.unit)}.", ""
    kept = f" {request.out} holds them." if request.out is not None else ""
    return f"carteador: {stopped}{kept}{ending}\n{_going_on_text(played, request, same)}"


def _going_on_text(played: Run, request: Request, same: Sequence[str]) -> str:
    done, count = played.progress.done, played.count
    if request.out is not None:
        return f"To go on: {resume_command(request.out, *request.setup.file_words, *same)}"
    if played.until:
        words: list[object] = [word for standing in played.until for word in ("--until", standing.target.text)]
        words += ["--first", played.first] if played.first else []
        words += [f"--{played.unit}", count, *same]
        return f"To play them again and go on from there: {played.setup.command('run', *words)}"
    rest = ["--first", played.first + done, f"--{played.unit}", count - done, *same]
    return f"To go on with the rest: {played.setup.command('run', *rest)}"


def _write_json_lines(deals: Iterator[list[dict[str, Any]]]) -> None:
    from sim.replay import json_lines

    for events in deals:
        sys.stdout.buffer.write(json_lines(events))
    sys.stdout.buffer.flush()


def _write_text(setup: Setup, deals: Iterator[list[dict[str, Any]]]) -> None:
    from sim.replay import coloured, match_lines, narrate, plain_text

    paper = console()
    width = max(60, min(100, paper.width))
    for number, events in enumerate(deals):
        lines = [*narrate(setup.spec.name, events, width), *match_lines(setup, events)]
        if number > 0:
            lines.insert(0, ("text", ""))
        if paper.is_terminal:
            for line in lines:
                paper.print(coloured(line), soft_wrap=True)
        else:
            sys.stdout.write(plain_text(lines))
