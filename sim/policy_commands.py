"""What ``carteador policy new`` and ``carteador policy check`` do."""

from __future__ import annotations

import shlex
from importlib import resources
from typing import Any

from kernels import registry
from sim import batch
from sim.commands import check_format, console, read_threads, write_json
from sim.errors import DONE, FAILED, UsageError
from sim.games import DEFAULT_SEED, find_game
from sim.numbers import MAX_UINT64, parse_integer
from sim.own.checking import Check, prepare
from sim.own.checking import check as try_policy
from sim.own.source import SUFFIX, is_file, questions_of
from sim.paths import read_path
from sim.store import whole_file
from sim.streams import tell

FORMATS = ("table", "json")
DEALS, FEWEST_DEALS, MOST_DEALS = 10_000, 100, 10**9
TIME_LIMIT, LONGEST_LIMIT = 60, 86_400
TEMPLATE = "policy_template.txt"


def template(game: str) -> str:
    """Text of the policy file that one begins with: the game's own, or one that answers as its default policy does."""
    written = resources.files(registry.GAMES[game]).joinpath(TEMPLATE)
    if written.is_file():
        return written.read_text(encoding="utf-8")
    lines = [f'"""My policy of {game}."""', "", f'GAME = "{game}"']
    for name, asked in questions_of(game).items():
        given = ", ".join(asked.given)
        lines += ["", "", f"def {name}({given}):", f'    """Return {", ".join(asked.names)}."""', "    return base"]
    return "\n".join(lines) + "\n"


def new(game: str, file: str | None, *, force: bool) -> int:
    """Carry out ``carteador policy new``; returns the exit status."""
    spec = find_game(game)
    name = f"{spec.name}_policy{SUFFIX}" if file is None else file
    path = read_path("FILE", name, f"a file to be written, whose name ends in {SUFFIX}")
    if not is_file(path.name):
        raise UsageError(f"FILE: {name!r} is not allowed; the name of a policy file ends in {SUFFIX}")
    if path.is_dir() or not path.parent.is_dir():
        what = "is a folder" if path.is_dir() else f"cannot be written: there is no folder {str(path.parent)!r}"
        raise UsageError(f"FILE: {name!r} {what}")
    if path.exists() and not force:
        raise UsageError(f"FILE: {name!r} is there already; --force writes over it")
    with whole_file(path) as target:
        target.write(template(spec.name).encode())
    quoted = shlex.quote(name)
    print(f"{name} is written. It can be played at once:")
    print(f"  carteador run {spec.name} --policy 0={quoted}")
    print(f"  carteador compare {spec.name} --a {quoted} --b {spec.default_policy}")
    print(f"  carteador policy check {quoted}")
    return DONE


def check(
    file: str,
    game: str | None,
    *,
    deals: str | None,
    seed: str | None,
    threads: str | None,
    time_limit: str | None,
    output: str,
    quiet: bool,
) -> int:
    """Carry out ``carteador policy check``; returns the exit status: 0 if it can be used, 1 if not."""
    check_format(output, FORMATS)
    count = DEALS if deals is None else parse_integer("--deals", deals, FEWEST_DEALS, MOST_DEALS)
    number = DEFAULT_SEED if seed is None else parse_integer("--seed", seed, 0, MAX_UINT64)
    limit = TIME_LIMIT if time_limit is None else parse_integer("--time-limit", time_limit, 1, LONGEST_LIMIT)
    choice = prepare(file, game)
    found = try_policy(
        choice,
        deals=count,
        seed=number,
        threads=read_threads(threads) or batch.default_threads(),
        time_limit=limit,
        announce=None if quiet else tell,
    )
    if output == "json":
        write_json(found.document())
    else:
        _print(found)
    return DONE if found.is_well else FAILED


def _print(found: Check) -> None:
    from rich.table import Table

    own, paper = found.own, console()
    paper.print(
        f"{own.name} answers {', '.join(own.functions)} of {own.game}, {own.base.name} the rest", highlight=False
    )
    paper.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("", "", ""):
        table.add_column(heading, overflow="fold")
    for step, (is_well, text) in found.results.items():
        if text:
            table.add_row(step, "well" if is_well else "FAILED", text)
    for row in found.speed:
        table.add_row(
            "speed",
            row["policy"],
            f"{row['deals_per_second']:,.0f} deals/s, {row['ratio']:.2f} of the time of {found.speed[0]['policy']}",
        )
    for row in found.against:
        table.add_row(f"against {row['policy']}", _verdict(row), _against_text(row))
    paper.print(table, highlight=False)
    paper.print()
    paper.print("It can be used." if found.is_well else "It cannot be used.", highlight=False)


def _verdict(row: dict[str, Any]) -> str:
    return "better" if row["low"] > 0 else "worse" if row["high"] < 0 else "undecided"


def _against_text(row: dict[str, Any]) -> str:
    return (
        f"{row['difference']:+,.3g} points a deal, {row['low']:+,.3g} to {row['high']:+,.3g} "
        f"(95 %, {row['deals']:,} deals both ways round)"
    )
