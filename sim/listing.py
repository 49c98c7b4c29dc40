"""What there is: games, and one game's options, presets, policies and statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernels import registry
from kernels.positions import REQUIRED, PositionField
from kernels.spec import GameSpec, Option, Policy
from sim import typed
from sim.games import find_game
from sim.rules import allowed_text, option_text, plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

SCHEMA = "carteador.games/1"


def games_document() -> dict[str, Any]:
    """All games, for JSON."""
    return {"schema": SCHEMA, "games": [_head(registry.spec(name)) for name in registry.GAMES]}


def game_document(game: str) -> dict[str, Any]:
    """One game with everything that can be chosen or asked, for JSON.

    Raises
    ------
    UsageError
        If there is no such game.
    """
    spec = find_game(game)
    return {
        "schema": SCHEMA,
        **_head(spec),
        "rules": spec.rules,
        "end_reasons": list(spec.end_reasons),
        "default_policy": spec.default_policy,
        "options": [_option(option) for option in spec.options],
        "presets": {
            name: {key: plain(value) for key, value in values.items()} for name, values in spec.presets.items()
        },
        "policies": [_policy(policy) for policy in spec.all_policies],
        "position": [_position_field(field) for field in typed.fields(game)],
        "statistics": statistics(game),
    }


def statistics(game: str) -> list[dict[str, Any]]:
    """Statistics of a game's catalogue: name, unit, question."""
    from analysis import catalogue

    return [
        {"name": statistic.name, "unit": statistic.unit, "question": statistic.question}
        for statistic in catalogue.load(game)
    ]


def print_games(console: Console) -> None:
    """Print the games, a line each."""
    table = _table("game", "", "")
    for game in games_document()["games"]:
        table.add_row(game["name"], game["title"], game["summary"])
    console.print(table)
    console.print("carteador games GAME lists a game's options, presets, policies and statistics.", style="dim")


def print_game(game: str, console: Console) -> None:
    """Print all that `game_document` holds as tables.

    Raises
    ------
    UsageError
        If there is no such game.
    """
    spec = find_game(game)
    console.print(f"[bold]{spec.title}[/bold]: {spec.summary}")
    console.print(f"Rules: {spec.rules}. A deal ends by {' or '.join(spec.end_reasons)}.\n")

    options = _table("option", "allowed", "default", "article", "what it changes")
    for option in spec.options:
        allowed, default = _allowed_short(option), option_text(plain(option.default))
        options.add_row(option.name, allowed, default, option.article, option.help)
    _print_section(console, "Options", "--rule name=value", options)

    presets = _table("preset", "options")
    for name, values in spec.presets.items():
        presets.add_row(name, "  ".join(f"{key}={option_text(plain(value))}" for key, value in values.items()))
    if spec.presets:
        _print_section(console, "Presets", "--rules NAME", presets)

    policies = _table("policy", "how it plays")
    for policy in spec.all_policies:
        default = " (default)" if policy.name == spec.default_policy else ""
        policies.add_row(policy.name, policy.help + default)
    _print_section(console, "Policies, weakest first", "--policy NAME", policies)
    _print_section(console, "Parameters", "--policy NAME:parameter=value,...", _parameter_table(spec))

    position = _table("field", "what", "article", "what it is")
    for field in typed.fields(game):
        needed = " (needed)" if field.default == REQUIRED else ""
        position.add_row(field.name, field.kind, field.article, field.help + needed)
    if typed.fields(game):
        _print_section(console, "Positions for advice", "--hand CARDS, --know name=value, --position FILE", position)

    asked = _table("statistic", "unit", "question")
    for statistic in statistics(game):
        asked.add_row(statistic["name"], statistic["unit"], statistic["question"])
    _print_section(console, "Statistics", "", asked)


def _head(spec: GameSpec) -> dict[str, Any]:
    return {"name": spec.name, "title": spec.title, "summary": spec.summary}


def _option(option: Option) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": option.name,
        "kind": option.kind,
        "default": plain(option.default),
        "allowed": allowed_text(option),
        "help": option.help,
        "article": option.article,
    }
    if option.choices:
        described["choices"] = list(option.choices)
    if option.kind in ("integer", "scores"):
        described |= {"low": option.low, "high": option.high}
    return described


def _policy(policy: Policy) -> dict[str, Any]:
    return {
        "name": policy.name,
        "help": policy.help,
        "parameters": [
            {
                "name": parameter.name,
                "default": parameter.default,
                "low": parameter.low,
                "high": parameter.high,
                "help": parameter.help,
            }
            for parameter in policy.parameters
        ],
    }


def _position_field(field: PositionField) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": field.name,
        "kind": field.kind,
        "needed": field.default == REQUIRED,
        "help": field.help,
        "article": field.article,
    }
    if field.choices:
        described["choices"] = list(field.choices)
    if field.kind.startswith("number"):
        described |= {"low": field.low, "high": field.high}
    return described


def _parameter_table(spec: GameSpec) -> Table:
    """A row a parameter, with the default of every policy that has it."""
    policies = [policy for policy in spec.all_policies if policy.parameters]
    table = _table("parameter", *(policy.name for policy in policies), "range", "what it is")
    known = {parameter.name: parameter for policy in policies for parameter in policy.parameters}
    for name, parameter in known.items():
        defaults = [
            next((str(own.default) for own in policy.parameters if own.name == name), "") for policy in policies
        ]
        table.add_row(name, *defaults, f"{parameter.low}..{parameter.high}", parameter.help)
    return table


def _allowed_short(option: Option) -> str:
    if option.kind == "integer":
        return f"{option.low}..{option.high}"
    if option.kind == "ranks":
        return f"set of {''.join(option.choices)}"
    if option.kind == "rate":
        return "0 to 1"
    if option.kind == "scores":
        return f"{option.low}..{option.high}, one a side"
    return "true | false" if option.kind == "flag" else " | ".join(str(choice) for choice in option.choices)


def _table(*headings: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for index, heading in enumerate(headings):
        last = index == len(headings) - 1
        table.add_column(heading, style="cyan" if index == 0 else "", no_wrap=index == 0, ratio=1 if last else None)
    return table


def _print_section(console: Console, title: str, usage: str, table: Table) -> None:
    console.print(f"[bold]{title}[/bold]" + (f"  {usage}" if usage else ""), highlight=False)
    console.print(table)
    console.print()
