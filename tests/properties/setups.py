"""Tables to test a game at: every two option values and policies together, and any house rules at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from kernels import registry
from kernels.spec import MAX_SEATS, GameSpec, Option, Policy
from sim.games import Setup, make_setup

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
    if option.kind == "rate":
        return [0.0, 0.3, 1.0]
    return list(dict.fromkeys((option.default, option.low, option.high)))


def factors(game: str) -> dict[str, list[Any]]:
    """What a table is made of, with its values: the options, and the policies of the first seats."""
    spec = registry.spec(game)
    names = [policy.name for policy in spec.policies]
    seats = {f"seat {seat}": list(names) for seat in range(PAIRED_SEATS)}
    return {option.name: some_values(option) for option in spec.options} | seats


def covering_rows(
    values: dict[str, list[Any]], rng: random.Random, may_be: Callable[[dict[str, int]], bool]
) -> Iterator[dict[str, int]]:
    """Rows of value numbers in which every two values of different factors meet at least once (greedy).

    Parameters
    ----------
    may_be
        Whether a row, or a part of one, can be played.
    """
    names = list(values)
    todo: set[Pair] = {
        (one, i, other, j)
        for one, other in combinations(names, 2)
        for i in range(len(values[one]))
        for j in range(len(values[other]))
        if may_be({one: i, other: j})
    }
    while todo:
        one, i, other, j = min(todo)
        row = {one: i, other: j}
        for name in rng.sample(names, len(names)):
            if name not in row:
                choices = [k for k in range(len(values[name])) if may_be({**row, name: k})]
                row[name] = max(choices, key=lambda k: len(_pairs({**row, name: k}, names) & todo))
        todo -= _pairs(row, names)
        yield row


def _pairs(row: dict[str, int], names: Sequence[str]) -> set[Pair]:
    there = [name for name in names if name in row]
    return {(one, row[one], other, row[other]) for one, other in combinations(there, 2)}


@cache
def covering_setups(game: str, seed: int = 0) -> list[Setup]:
    """Tables at which every two option values, and every option value and policy of a seat, meet."""
    values, rng = factors(game), random.Random(seed)

    def may_be(row: dict[str, int]) -> bool:
        return can_go_together(game, {name: values[name][number] for name, number in row.items()})

    setups = []
    for row in covering_rows(values, rng, may_be):
        chosen = {name: values[name][number] for name, number in row.items()}
        for seat in range(PAIRED_SEATS, MAX_SEATS):
            chosen[f"seat {seat}"] = rng.choice(values["seat 0"])
        setups.append(_setup(game, chosen, seed))
    return setups


def can_go_together(game: str, chosen: dict[str, Any]) -> bool:
    """Whether a game can be played with these values; options that are not among them have their default."""
    spec = registry.spec(game)
    options = {option.name: chosen.get(option.name, option.default) for option in spec.options}
    return spec.conflict(options) is None


def random_setup(game: str, rng: random.Random, with_parameters: bool = True) -> Setup:
    """Any house rules and any policies, half of them with a few parameters anywhere in their ranges."""
    spec = registry.spec(game)
    chosen = _random_options(spec, rng)
    while not can_go_together(game, chosen):
        chosen = _random_options(spec, rng)
    for seat in range(MAX_SEATS):
        policy = rng.choice(spec.policies)
        chosen[f"seat {seat}"] = policy.name + (_parameters(policy, rng) if with_parameters else "")
    return _setup(game, chosen, rng.getrandbits(64))


def _random_options(spec: GameSpec, rng: random.Random) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for option in spec.options:
        if option.kind == "ranks":
            chosen[option.name] = [rank for rank in option.choices if rng.random() < 0.4]
        elif option.kind == "integer":
            near = min(option.high, option.low + 1_000)
            chosen[option.name] = rng.choice((option.default, rng.randint(option.low, near)))
        elif option.kind == "rate":
            chosen[option.name] = rng.choice((0.0, round(rng.random(), 3)))
        else:
            chosen[option.name] = rng.choice(some_values(option))
    return chosen


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
