"""Tables to test a game at: every two option values and policies together, and any house rules at random."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from kernels import registry
from kernels.spec import MAX_SEATS, GameSpec, Policy
from sim.games import Setup, make_setup
from sim.option_tables import can_go_together, covering_rows, some_values

PAIRED_SEATS = 2
"""The first seats, which every table has: their policies meet every value of every option."""


def factors(game: str) -> dict[str, list[Any]]:
    """What a table is made of, with its values: the options, and the policies of the first seats."""
    spec = registry.spec(game)
    names = [policy.name for policy in spec.policies]
    seats = {f"seat {seat}": list(names) for seat in range(PAIRED_SEATS)}
    return {option.name: some_values(option) for option in spec.options} | seats


@cache
def covering_setups(game: str, seed: int = 0) -> list[Setup]:
    """Tables at which every two option values, and every option value and policy of a seat, meet."""
    values, rng = factors(game), random.Random(seed)

    def may_be(row: dict[str, int]) -> bool:
        return can_go_together(registry.spec(game), {name: values[name][number] for name, number in row.items()})

    setups = []
    for row in covering_rows(values, rng, may_be):
        chosen = {name: values[name][number] for name, number in row.items()}
        for seat in range(PAIRED_SEATS, MAX_SEATS):
            chosen[f"seat {seat}"] = rng.choice(values["seat 0"])
        setups.append(_setup(game, chosen, seed))
    return setups


def random_setup(game: str, rng: random.Random, with_parameters: bool = True) -> Setup:
    """Any house rules and any policies, half of them with a few parameters anywhere in their ranges."""
    spec = registry.spec(game)
    chosen = _random_options(spec, rng)
    while not can_go_together(registry.spec(game), chosen):
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
