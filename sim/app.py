"""The commands and their options. Each command imports what it needs, so that ``--help`` answers at once."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from sim.app_options import (
    Cluster,
    Deck,
    Game,
    Level,
    OptionalGame,
    Policies,
    Quiet,
    ResultFormat,
    Rule,
    Rules,
    Scores,
    Seed,
    StoredRun,
    StoredRuns,
    Threads,
)
from sim.app_strategy import advise, compare, odds, sweep, tournament
from sim.app_tune import tune
from sim.command import Command
from sim.errors import WRONG_USE, UsageError, nearest
from sim.policy_app import policy_app

_POSSIBLE = re.compile(r"(?P<name>-\S+) \(Possible options: (?P<possible>[^)]*)\)")

_TWO_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)")

COMPLETION = "_CARTEADOR_COMPLETE"

app = typer.Typer(
    name="carteador",
    help="Deals millions of hands of Latin card games under fixed policies and says what happens, how often, "
    "and how sure it is.",
    epilog="Numbers may be written 1000000, 1_000_000 or 1e6.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


app.add_typer(policy_app, name="policy")


def _version(value: bool) -> None:
    if value:
        from sim.provenance import carteador_version

        typer.echo(f"carteador {carteador_version()}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(WRONG_USE)


@app.command(cls=Command)
def games(
    game: OptionalGame = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the games, or one game's options, presets, policies and statistics."""
    from sim import listing

    if as_json:
        _write_json(listing.games_document() if game is None else listing.game_document(game))
    elif game is None:
        listing.print_games(_console())
    else:
        listing.print_game(game, _console())


@app.command(cls=Command)
def run(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Name of a game; `carteador games` lists them. Not with --resume DIR."),
    ] = None,
    deals: Annotated[str | None, typer.Option(metavar="N", help="Deals to play.", show_default="100000")] = None,
    matches: Annotated[str | None, typer.Option(metavar="N", help="Matches to play, to the target score.")] = None,
    seed: Seed = None,
    first: Annotated[
        str | None, typer.Option(metavar="K", help="Number of the first deal or match.", show_default="0")
    ] = None,
    policy: Policies = [],  # noqa: B006
    rule: Rule = [],  # noqa: B006
    rules: Rules = None,
    threads: Threads = None,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="Folder for the rows, as Parquet, and a manifest.")
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="[DIR]", help="Go on with the run of that folder, of which it says all; alone beside --out DIR."
        ),
    ] = None,
    output: Annotated[str, typer.Option("--format", metavar="F", help="table, json or csv.")] = "table",
    until: Annotated[
        list[str],
        typer.Option(
            metavar="STAT[@GROUP]=HALFWIDTH",
            help="Stop once this interval is so narrow, as win_rate@side:0=0.1%; once for each. "
            "--deals or --matches is then the most that is played.",
            show_default="not at all",
        ),
    ] = [],  # noqa: B006
    confidence: Level = None,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Play many deals, or many matches, and print the statistics with intervals."""
    from sim import commands, folder_commands

    commands.check_format(output, commands.RUN_FORMATS)
    deciding: dict[str, Any] = {
        "deals": deals,
        "matches": matches,
        "seed": seed,
        "first": first,
        "policies": policy,
        "rule_texts": rule,
        "rules": rules,
        "until": until,
    }
    same: dict[str, Any] = {
        "threads": threads,
        "cluster": cluster,
        "output": output,
        "confidence": confidence,
        "quiet": quiet,
    }
    commands.refuse_together(threads=threads, cluster=cluster)
    folder_commands.check_resume(resume, out)
    if resume is not None and out is None:
        raise typer.Exit(folder_commands.resume(resume, game, deciding, **same))
    if game is None:
        raise UsageError("Missing argument 'GAME'. Help: carteador run --help")
    raise typer.Exit(commands.run(game, out=out, resume=resume is not None, **deciding, **same))


@app.command(cls=Command)
def show(
    game: Game,
    deal: Annotated[str | None, typer.Option(metavar="I", help="Number of the deal.", show_default="0")] = None,
    match: Annotated[str | None, typer.Option(metavar="M", help="A match in place of a deal.")] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="H", help="One hand of the match, from 0.", show_default="all")
    ] = None,
    count: Annotated[
        str | None, typer.Option(metavar="N", help="Deals (or matches) to show.", show_default="1")
    ] = None,
    seed: Seed = None,
    policy: Policies = [],  # noqa: B006
    rule: Rule = [],  # noqa: B006
    rules: Rules = None,
    deck: Deck = None,
    scores: Scores = None,
    output: Annotated[str, typer.Option("--format", metavar="F", help="text or jsonl.")] = "text",
    quiet: Quiet = False,
) -> None:
    """Play one deal again and tell it, as text for a player or as JSON lines."""
    from sim import commands

    commands.check_format(output, commands.SHOW_FORMATS)
    commands.show(
        game,
        deal=deal,
        match=match,
        hand=hand,
        count=count,
        seed=seed,
        policies=policy,
        rule_texts=rule,
        rules=rules,
        deck=deck,
        scores=scores,
        output=output,
        quiet=quiet,
    )


app.command(cls=Command)(compare)
app.command(cls=Command)(tournament)
app.command(cls=Command)(sweep)
app.command(cls=Command)(tune)


@app.command(cls=Command)
def merge(
    runs: StoredRuns,
    out: Annotated[str, typer.Option(metavar="DIR", help="Folder for the run that they make together.")],
    threads: Threads = None,
    output: ResultFormat = "table",
    confidence: Level = None,
    quiet: Quiet = False,
) -> None:
    """Make one stored run of several that were played in parts, and print its statistics."""
    from sim import commands, folder_commands

    commands.check_format(output, commands.RUN_FORMATS)
    raise typer.Exit(
        folder_commands.merge(runs, out=out, threads=threads, output=output, confidence=confidence, quiet=quiet)
    )


@app.command(cls=Command)
def verify(
    run: StoredRun,
    sample: Annotated[
        str | None, typer.Option(metavar="N", help="Deals (or matches) to play again.", show_default="300")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Play all of them again.")] = False,
    policy: Annotated[
        list[str],
        typer.Option("--policy", metavar="FILE", help="A policy file that the run was played with; once for each."),
    ] = [],  # noqa: B006
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Check a stored run: checksums, columns, numbers of rows, deals played again. Exit status 1 if not all is well."""
    from sim import folder_commands

    raise typer.Exit(
        folder_commands.verify(run, sample=sample, everything=everything, policies=policy, threads=threads, quiet=quiet)
    )


app.command(cls=Command)(odds)
app.command(cls=Command)(advise)


@app.command(cls=Command)
def report(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", help="A folder that `run --out` wrote, or a JSON document; once for each."),
    ],
    html: Annotated[
        str | None, typer.Option(metavar="FILE", help="One HTML file that opens offline, in place of the tables.")
    ] = None,
    output: Annotated[
        str, typer.Option("--format", metavar="F", help="Without --html: table, or the document as json.")
    ] = "table",
    confidence: Annotated[str, typer.Option(metavar="C", help="Level of the intervals of run folders.")] = "0.95",
    quiet: Quiet = False,
) -> None:
    """Tell what runs and analyses found: tables and charts in the terminal, or a page to read and to send."""
    from sim import report_command

    report_command.report(runs, html=html, output=output, confidence=confidence, quiet=quiet)


@app.command(cls=Command)
def bench(
    game: OptionalGame = None,
    policy: Annotated[
        list[str], typer.Option("--policy", metavar="P", help="Policy of all seats; once for each.", show_default="all")
    ] = [],  # noqa: B006
    threads: Threads = None,
    output: Annotated[str, typer.Option("--format", metavar="F", help="table or json.")] = "table",
    quiet: Quiet = False,
) -> None:
    """Measure this machine: deals a second, the price of a deal in shuffles, cold and warm start."""
    from sim import commands

    commands.check_format(output, commands.BENCH_FORMATS)
    commands.bench(game, policies=policy, threads=threads, output=output, quiet=quiet)


def invoke(arguments: Sequence[str]) -> None:
    """Run a command, its exceptions passing through: Typer's own ``main`` turns a closed pipe into a failure."""
    if COMPLETION in os.environ:
        app(args=list(arguments), prog_name="carteador")
    command = typer.main.get_command(app)
    with command.make_context("carteador", list(arguments)) as context:
        command.invoke(context)


def usage_line(message: str, arguments: Sequence[str]) -> str:
    """Return Typer's complaint about a command line in one line that says where help is."""
    known = [*_names(app), *(group.name or "" for group in app.registered_groups)]
    command = f" {arguments[0]}" if arguments and arguments[0] in known else ""
    if command == " policy" and arguments[1:] and arguments[1] in _names(policy_app):
        command += f" {arguments[1]}"
    line = _POSSIBLE.sub(_did_you_mean, " ".join(message.split()).rstrip(".?"))
    line = _TWO_STOPS.sub(".", line.replace(" Did you mean", ". Did you mean"))
    if arguments and not command and "Did you mean" not in line and not arguments[0].startswith("-"):
        near = nearest(arguments[0], known)
        line += f". Did you mean {near!r}" if near else f". There is {', '.join(known)}"
    end = "?" if "Did you mean" in line else "."
    return f"{line}{end} Help: carteador{command} --help"


def _names(of: typer.Typer) -> list[str]:
    return [command.name or str(getattr(command.callback, "__name__", "")) for command in of.registered_commands]


def _did_you_mean(match: re.Match[str]) -> str:
    name, possible = match["name"], match["possible"].split(", ")
    return f"{name} Did you mean {nearest(name, possible) or possible[0]}"


def _console() -> Any:
    from sim.commands import console

    return console()


def _write_json(document: Any) -> None:
    from sim.commands import write_json

    write_json(document)
