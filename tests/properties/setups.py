"""Tables to test a game at: every two option values and policies together, and any house rules at random."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from kernels import registry
from kernels.spec import Option, Policy
from sim.games import Setup, make_setup

SEATS = 4
"""Policies are drawn for so many seats; a smaller table leaves the last ones out."""

PAIRED_SEATS = 2
"""The first seats, which every table has: their policies meet every value of every option."""

Pair = tuple[str, int, str, int]


def some_values(option: Option) -> list[Any]:
    """Every value of a choice or flag; of ranks and scores some of all kinds; the default and the ends of a range."""
    if option.kind == "choice":
        return list(option.choices)
    if option.kind == "flag":
        return [False, True]
    if option.kind == "ranks":
        return [list(option.default), [], list(option.choices), [option.choices[4]]]
    if option.kind == "scores":
        # Every first meld of canasta on either side.
        return [list(option.default), [-5, 1_500], [1_500, 3_000], [3_000, -5]]
    return [option.default, option.low, option.high]


def factors(game: str) -> dict[str, list[Any]]:
    """What a table is made of, with its values: the options, and the policies of the first seats."""
    spec = registry.spec(game)
    names = [policy.name for policy in spec.policies]
    seats = {f"seat {seat}": list(names) for seat in range(PAIRED_SEATS)}
    return {option.name: some_values(option) for option in spec.options} | seats


def covering_rows(values: dict[str, list[Any]], rng: random.Random) -> Iterator[dict[str, int]]:
    """Rows of value numbers in which every two values of different factors meet at least once (greedy)."""
    names = list(values)
    todo: set[Pair] = {
        (one, i, other, j)
        for one, other in combinations(names, 2)
        for i in range(len(values[one]))
        for j in range(len(values[other]))
    }
    while todo:
        one, i, other, j = min(todo)
        row = {one: i, other: j}
        for name in rng.sample(names, len(names)):
            if name not in row:
                row[name] = max(range(len(values[name])), key=lambda k: len(_pairs({**row, name: k}, names) & todo))
        todo -= _pairs(row, names)
        yield row


def _pairs(row: dict[str, int], names: Sequence[str]) -> set[Pair]:
    there = [name for name in names if name in row]
    return {(one, row[one], other, row[other]) for one, other in combinations(there, 2)}


@cache
def covering_setups(game: str, seed: int = 0) -> list[Setup]:
    """Tables at which every two option values, and every option value and policy of a seat, meet."""
    values, rng = factors(game), random.Random(seed)
    setups = []
    for row in covering_rows(values, rng):
        chosen = {name: values[name][number] for name, number in row.items()}
        for seat in range(PAIRED_SEATS, SEATS):
            chosen[f"seat {seat}"] = rng.choice(values["seat 0"])
        setups.append(_setup(game, chosen, seed))
    return setups


def random_setup(game: str, rng: random.Random, with_parameters: bool = True) -> Setup:
    """Any house rules and any policies, half of them with a few parameters anywhere in their ranges."""
    spec = registry.spec(game)
    chosen: dict[str, Any] = {}
    for option in spec.options:
        if option.kind == "ranks":
            chosen[option.name] = [rank for rank in option.choices if rng.random() < 0.4]
        elif option.kind == "integer":
            chosen[option.name] = rng.choice((option.default, rng.randint(option.low, option.low + 1_000)))
        else:
            chosen[option.name] = rng.choice(some_values(option))
    for seat in range(SEATS):
        policy = rng.choice(spec.policies)
        chosen[f"seat {seat}"] = policy.name + (_parameters(policy, rng) if with_parameters else "")
    return _setup(game, chosen, rng.getrandbits(64))


def _parameters(policy: Policy, rng: random.Random) -> str:
    if rng.random() < 0.5:
        return ""
    some = rng.sample(policy.parameters, min(3, len(policy.parameters)))
    words = []
    for parameter in some:
        ends = (parameter.low, parameter.high)
        words.append(f"{parameter.name}={rng.choice((*ends, rng.randint(*ends)))}")
    return ":" + ",".join(words) if words else ""


def _setup(game: str, chosen: dict[str, Any], seed: int) -> Setup:
    rules = {name: value for name, value in chosen.items() if not name.startswith("seat ")}
    spec = registry.spec(game)
    seats = spec.seats({option.name: rules[option.name] for option in spec.options})
    return make_setup(game, seed=seed, policies=[chosen[f"seat {seat}"] for seat in range(seats)], rules=rules)
