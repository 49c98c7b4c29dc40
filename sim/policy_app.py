"""The commands ``carteador policy ...``: writing a policy of one's own, and trying it."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.app_options import Game, Quiet, Seed, Threads
from sim.command import Command

policy_app = typer.Typer(
    help="A policy of your own: a Python file that is compiled into the game.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@policy_app.command(cls=Command)
def new(
    game: Game,
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="The file to write.", show_default="GAME_policy.py"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a policy file to begin with: it can be run at once, and says what can be done in it."""
    from sim import policy_commands

    raise typer.Exit(policy_commands.new(game, file, force=force))


@policy_app.command(cls=Command)
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The policy file, perhaps with :parameter=value,...")],
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="The game, where the file does not say it.", show_default="its GAME"),
    ] = None,
    deals: Annotated[
        str | None, typer.Option(metavar="N", help="Deals that have to be legal.", show_default="10000")
    ] = None,
    seed: Seed = None,
    threads: Threads = None,
    time_limit: Annotated[
        str | None,
        typer.Option(
            "--time-limit",
            metavar="S",
            help="Seconds without progress after which it is held for endless.",
            show_default="60",
        ),
    ] = None,
    output: Annotated[str, typer.Option("--format", metavar="F", help="table or json.")] = "table",
    quiet: Quiet = False,
) -> None:
    """Try a policy file: legal, deterministic, blind to hidden cards; how fast, and how it fares against the others."""
    from sim import policy_commands

    raise typer.Exit(
        policy_commands.check(
            file,
            game,
            deals=deals,
            seed=seed,
            threads=threads,
            time_limit=time_limit,
            output=output,
            quiet=quiet,
        )
    )
