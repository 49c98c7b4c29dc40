"""The `carteador` command. Each command imports what it needs, so that ``--help`` answers at once."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from sim.errors import KernelError, UsageError, nearest

_POSSIBLE = re.compile(r"(?P<name>-\S+) \(Possible options: (?P<possible>[^)]*)\)")

COMPLETION = "_CARTEADOR_COMPLETE"
DONE, FAILED, WRONG_USE, INTERRUPTED = 0, 1, 2, 130

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

Game = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; `carteador games` lists them.")]
OptionalGame = Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game, not all.")]
Seed = Annotated[
    str | None, typer.Option(metavar="S", help="Seed of all cards and choices, 0 to 2^64 - 1.", show_default="0")
]
Policies = Annotated[
    list[str],
    typer.Option(
        "--policy",
        metavar="P",
        help="Policy of all seats, as NAME or NAME:parameter=value,...; or SEAT=P once for each seat meant.",
        show_default="standard",
    ),
]
Rule = Annotated[
    list[str], typer.Option("--rule", metavar="NAME=VALUE", help="A house rule; once for each. Wins over --rules.")
]
Rules = Annotated[
    str | None, typer.Option(metavar="FILE|PRESET", help="House rules from a TOML file or a preset of the game.")
]
Threads = Annotated[
    str | None, typer.Option(metavar="T", help="Worker threads; they change no number.", show_default="processors")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Neither progress nor notes on stderr.")]


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


@app.command()
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


@app.command()
def run(
    game: Game,
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
    output: Annotated[str, typer.Option("--format", metavar="F", help="table, json or csv.")] = "table",
    confidence: Annotated[str, typer.Option(metavar="C", help="Level of the intervals.")] = "0.95",
    quiet: Quiet = False,
) -> None:
    """Play many deals, or many matches, and print the statistics with intervals."""
    from sim import commands

    _check_format(output, commands.RUN_FORMATS)
    raise typer.Exit(
        commands.run(
            game,
            deals=deals,
            matches=matches,
            seed=seed,
            first=first,
            policies=policy,
            rule_texts=rule,
            rules=rules,
            threads=threads,
            out=out,
            output=output,
            confidence=confidence,
            quiet=quiet,
        )
    )


@app.command()
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
    output: Annotated[str, typer.Option("--format", metavar="F", help="text or jsonl.")] = "text",
    quiet: Quiet = False,
) -> None:
    """Play one deal again and tell it, as text for a player or as JSON lines."""
    from sim import commands

    _check_format(output, commands.SHOW_FORMATS)
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
        output=output,
        quiet=quiet,
    )


@app.command()
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

    _check_format(output, commands.BENCH_FORMATS)
    commands.bench(game, policies=policy, threads=threads, output=output, quiet=quiet)


def main() -> None:
    """Run the command line of this process and end it with the exit status."""
    status = run_command(sys.argv[1:])
    if status == INTERRUPTED and threading.active_count() > 1:
        # Compiled code cannot be interrupted, and a normal exit would wait for it.
        sys.stdout.flush()
        os._exit(status)
    sys.exit(status)


def run_command(arguments: Sequence[str]) -> int:
    """Run a command line.

    Returns
    -------
    int
        Exit status: 0 done, 1 failed, 2 wrong use, 130 interrupted.
    """
    try:
        _invoke(arguments)
        sys.stdout.flush()
    except typer.Exit as ending:
        return ending.exit_code
    except UsageError as error:
        return _complain(str(error), WRONG_USE)
    except KernelError as error:
        return _complain(str(error), FAILED)
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader has what it wants; nothing may be written to the pipe at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        return _complain(f"{error.strerror or error}{where}", FAILED)
    except Exception as error:
        message = getattr(error, "format_message", None)
        if message is None:
            raise
        return _complain(_usage_line(message(), arguments), WRONG_USE)
    return DONE


def _invoke(arguments: Sequence[str]) -> None:
    """Run a command, its exceptions passing through: Typer's own ``main`` turns a closed pipe into a failure."""
    if COMPLETION in os.environ:
        app(args=list(arguments), prog_name="carteador")
    command = typer.main.get_command(app)
    with command.make_context("carteador", list(arguments)) as context:
        command.invoke(context)


def _usage_line(message: str, arguments: Sequence[str]) -> str:
    """Return Typer's complaint about a command line in one line that says where help is."""
    known = [command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands]
    command = f" {arguments[0]}" if arguments and arguments[0] in known else ""
    line = _POSSIBLE.sub(_did_you_mean, " ".join(message.split()).rstrip(".?"))
    line = line.replace(" Did you mean", ". Did you mean").replace("..", ".")
    if arguments and not command and "Did you mean" not in line and not arguments[0].startswith("-"):
        near = nearest(arguments[0], known)
        line += f". Did you mean {near!r}" if near else f". There is {', '.join(known)}"
    end = "?" if "Did you mean" in line else "."
    return f"{line}{end} Help: carteador{command} --help"


def _did_you_mean(match: re.Match[str]) -> str:
    name, possible = match["name"], match["possible"].split(", ")
    return f"{name} Did you mean {nearest(name, possible) or possible[0]}"


def _complain(message: str, status: int) -> int:
    print(f"carteador: {message}", file=sys.stderr)
    return status


def _check_format(output: str, allowed: Sequence[str]) -> None:
    if output not in allowed:
        near = nearest(output, allowed)
        hint = f". Did you mean {near}?" if near else ""
        raise UsageError(f"--format: {output!r} is not allowed; allowed is {', '.join(allowed)}{hint}")


def _console() -> Any:
    from sim.commands import console

    return console()


def _write_json(document: Any) -> None:
    from sim.commands import write_json

    write_json(document)


if __name__ == "__main__":
    main()
