"""``carteador tune`` and its options."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.app_options import Confidence, Game, Quiet, ResultFile, ResultFormat, Rule, Rules, Seed, Threads


def tune(
    game: Game,
    policy: Annotated[
        str | None,
        typer.Option("--policy", metavar="P", help="Where the search begins.", show_default="the game's default"),
    ] = None,
    against: Annotated[
        list[str],
        typer.Option(metavar="P", help="Whom the candidates play; once for each.", show_default="--policy, as it is"),
    ] = [],  # noqa: B006
    parameter: Annotated[
        list[str],
        typer.Option(
            metavar="NAME[=LOW..HIGH]",
            help="A parameter that is sought; once for each.",
            show_default="all that change anything",
        ),
    ] = [],  # noqa: B006
    deals: Annotated[
        str | None,
        typer.Option(
            "--deals",
            metavar="N",
            help="Deals of a candidate that comes to the last rung of a generation.",
            show_default="10000",
        ),
    ] = None,
    fresh: Annotated[
        str | None,
        typer.Option(metavar="N", help="Fresh deals that judge the result.", show_default="10 times --deals"),
    ] = None,
    generations: Annotated[
        str | None,
        typer.Option(metavar="G", help="The most generations.", show_default="20 and 2 for each parameter"),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(metavar="N", help="Candidates of a generation.", show_default="by the number of parameters"),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="The most deals of the search, at all tables together.", show_default="no limit"
        ),
    ] = None,
    seed: Seed = None,
    rule: Rule = [],  # noqa: B006
    rules: Rules = None,
    threads: Threads = None,
    out: ResultFile = None,
    output: ResultFormat = "table",
    confidence: Confidence = "0.95",
    quiet: Quiet = False,
) -> None:
    """Seek the parameters with which a policy plays best, and say on fresh deals what they are worth."""
    from sim import commands, strategy_commands, tune_command

    commands.check_format(output, strategy_commands.FORMATS)
    raise typer.Exit(
        tune_command.tune(
            game,
            policy=policy,
            against=against,
            parameters=parameter,
            deals=deals,
            fresh=fresh,
            generations=generations,
            population=population,
            budget=budget,
            seed=seed,
            rule_texts=rule,
            rules=rules,
            threads=threads,
            out=out,
            output=output,
            confidence=confidence,
            quiet=quiet,
        )
    )
