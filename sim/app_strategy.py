"""The commands that weigh policies, house rules, hands and options against each other, and their options."""

from __future__ import annotations

from typing import Annotated

import typer

from sim.app_options import (
    Confidence,
    Deals,
    Deck,
    First,
    Game,
    Policies,
    Quiet,
    ResultFile,
    ResultFormat,
    Rule,
    Rules,
    Scores,
    Seed,
    Statistic,
    Threads,
)


def compare(
    game: Game,
    a: Annotated[
        str | None, typer.Option("--a", metavar="P", help="The one policy.", show_default="the game's default")
    ] = None,
    b: Annotated[str | None, typer.Option("--b", metavar="P", help="The other policy.", show_default="as --a")] = None,
    deals: Deals = None,
    seed: Seed = None,
    first: First = None,
    rule: Rule = [],  # noqa: B006
    a_rule: Annotated[
        list[str], typer.Option("--a-rule", metavar="NAME=VALUE", help="A house rule of the one alone.")
    ] = [],  # noqa: B006
    b_rule: Annotated[
        list[str], typer.Option("--b-rule", metavar="NAME=VALUE", help="A house rule of the other alone.")
    ] = [],  # noqa: B006
    rules: Rules = None,
    stat: Statistic = [],  # noqa: B006
    threads: Threads = None,
    out: ResultFile = None,
    output: ResultFormat = "table",
    confidence: Confidence = "0.95",
    quiet: Quiet = False,
) -> None:
    """Play the same deals both ways round: two policies changing places, or one under two sets of rules."""
    from sim import commands, strategy_commands

    commands.check_format(output, strategy_commands.FORMATS)
    raise typer.Exit(
        strategy_commands.compare(
            game,
            a=a,
            b=b,
            seed=seed,
            rule_texts=rule,
            a_rule_texts=a_rule,
            b_rule_texts=b_rule,
            rules=rules,
            statistics=stat,
            deals=deals,
            first=first,
            threads=threads,
            confidence=confidence,
            output=output,
            out=out,
            quiet=quiet,
        )
    )


def tournament(
    game: Game,
    policy: Annotated[
        list[str],
        typer.Option(
            "--policy", metavar="P", help="A policy that takes part; once for each.", show_default="all built in"
        ),
    ] = [],  # noqa: B006
    deals: Deals = None,
    seed: Seed = None,
    first: First = None,
    rule: Rule = [],  # noqa: B006
    rules: Rules = None,
    threads: Threads = None,
    out: ResultFile = None,
    output: ResultFormat = "table",
    confidence: Confidence = "0.95",
    quiet: Quiet = False,
) -> None:
    """Play every two policies against each other, and all together where three or more can sit."""
    from sim import commands, strategy_commands

    commands.check_format(output, strategy_commands.FORMATS)
    raise typer.Exit(
        strategy_commands.play_tournament(
            game,
            policies=policy,
            seed=seed,
            rule_texts=rule,
            rules=rules,
            deals=deals,
            first=first,
            threads=threads,
            confidence=confidence,
            output=output,
            out=out,
            quiet=quiet,
        )
    )


def sweep(
    game: Game,
    rule: Annotated[
        list[str],
        typer.Option(
            "--rule",
            metavar="NAME=V,V",
            help="A house rule: one value for all, or several, or LOW..HIGH[:STEP].",
        ),
    ] = [],  # noqa: B006
    param: Annotated[
        list[str],
        typer.Option("--param", metavar="POLICY:NAME=LOW..HIGH[:STEP]", help="A parameter of a policy; or V,V,..."),
    ] = [],  # noqa: B006
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy", metavar="P", help="Policy of all seats, where only rules are swept.", show_default="standard"
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="P", help="Whom a policy plays whose parameters are swept.", show_default="itself, as it is"
        ),
    ] = None,
    stat: Statistic = [],  # noqa: B006
    best: Annotated[
        list[str], typer.Option("--best", metavar="STAT=highest|lowest|NUMBER", help="What the best point is best in.")
    ] = [],  # noqa: B006
    deals: Deals = None,
    seed: Seed = None,
    first: First = None,
    rules: Rules = None,
    threads: Threads = None,
    out: ResultFile = None,
    output: ResultFormat = "table",
    confidence: Confidence = "0.95",
    quiet: Quiet = False,
) -> None:
    """Tell statistics for every value of options and parameters, on the same deals."""
    from sim import commands, strategy_commands

    commands.check_format(output, strategy_commands.FORMATS)
    raise typer.Exit(
        strategy_commands.play_sweep(
            game,
            rule_texts=rule,
            param_texts=param,
            policy=policy,
            against=against,
            statistics=stat,
            best=best,
            seed=seed,
            rules=rules,
            deals=deals,
            first=first,
            threads=threads,
            confidence=confidence,
            output=output,
            out=out,
            quiet=quiet,
        )
    )


def odds(
    game: Game,
    hand: Annotated[str, typer.Option(metavar="CARDS", help='Cards that the seat is dealt, as "KS KD 10H JK".')],
    seat: Annotated[str, typer.Option(metavar="S", help="Whose hand it is.")] = "0",
    top_card: Annotated[
        str, typer.Option(metavar="CARDS", help="What lies open before the first turn, where a game has that.")
    ] = "",
    score: Annotated[
        str | None, typer.Option(metavar="A:B", help="Score of each side before the deal, where it decides something.")
    ] = None,
    deals: Deals = None,
    seed: Seed = None,
    first: First = None,
    policy: Policies = [],  # noqa: B006
    rule: Rule = [],  # noqa: B006
    rules: Rules = None,
    threads: Threads = None,
    out: ResultFile = None,
    output: ResultFormat = "table",
    confidence: Confidence = "0.95",
    quiet: Quiet = False,
) -> None:
    """Say what a hand is worth: all that is told of a seat that holds it, beside an average hand."""
    from sim import commands, strategy_commands

    commands.check_format(output, strategy_commands.FORMATS)
    raise typer.Exit(
        strategy_commands.play_odds(
            game,
            hand=hand,
            seat=seat,
            top_card=top_card,
            score=score,
            policies=policy,
            seed=seed,
            rule_texts=rule,
            rules=rules,
            deals=deals,
            first=first,
            threads=threads,
            confidence=confidence,
            output=output,
            out=out,
            quiet=quiet,
        )
    )


def advise(
    game: Game,
    deal: Annotated[str | None, typer.Option(metavar="I", help="Number of the deal.", show_default="0")] = None,
    match: Annotated[str | None, typer.Option(metavar="M", help="In place of --deal, a match.")] = None,
    turn: Annotated[
        str | None, typer.Option(metavar="T", help="Which turn, as `carteador show` numbers them.", show_default="1")
    ] = None,
    hand: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS", help='In place of a deal, your cards, as "KS 10H"; with --match, which hand of it.'
        ),
    ] = None,
    position: Annotated[
        str | None, typer.Option(metavar="FILE", help="What else you know at your table: fields in TOML or JSON.")
    ] = None,
    know: Annotated[
        list[str],
        typer.Option(metavar="NAME=VALUE", help="The same, field by field; `carteador games GAME` lists them."),
    ] = [],  # noqa: B006
    deck: Deck = None,
    scores: Scores = None,
    rollouts: Annotated[str, typer.Option(metavar="N", help="How many worlds each option is played out in.")] = "1000",
    search: Annotated[
        str | None,
        typer.Option(metavar="P", help="Which search plays them out, with its parameters.", show_default="search"),
    ] = None,
    seed: Seed = None,
    policy: Policies = [],  # noqa: B006
    rule: Rule = [],  # noqa: B006
    rules: Rules = None,
    threads: Threads = None,
    out: ResultFile = None,
    output: ResultFormat = "table",
    confidence: Confidence = "0.95",
    quiet: Quiet = False,
) -> None:
    """Say what to play: all options of a turn, each played out many times as far as its seat can know the cards."""
    from sim import advice_command, commands, strategy_commands

    commands.check_format(output, strategy_commands.FORMATS)
    raise typer.Exit(
        advice_command.advise(
            game,
            deal=deal,
            match=match,
            hand=hand,
            turn=turn,
            position=position,
            know=know,
            deck=deck,
            scores=scores,
            rollouts=rollouts,
            search=search,
            policies=policy,
            seed=seed,
            rule_texts=rule,
            rules=rules,
            threads=threads,
            confidence=confidence,
            output=output,
            out=out,
            quiet=quiet,
        )
    )
