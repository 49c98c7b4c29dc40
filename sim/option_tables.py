"""Tables at which every two option values of a game meet: where what holds for all of its rules is tried."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from kernels.spec import GameSpec, Option

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


def can_go_together(spec: GameSpec, chosen: Mapping[str, Any]) -> bool:
    """Whether a game can be played with these values; options that are not among them have their default."""
    options = {option.name: chosen.get(option.name, option.default) for option in spec.options}
    return spec.conflict(options) is None


def covering_options(spec: GameSpec, seed: int = 0) -> list[dict[str, Any]]:
    """Option values of a few tables at which every two values of different options meet; first the defaults."""
    values = {option.name: some_values(option) for option in spec.options}

    def may_be(row: dict[str, int]) -> bool:
        return can_go_together(spec, {name: values[name][number] for name, number in row.items()})

    rows = covering_rows(values, random.Random(seed), may_be)
    return [{}, *({name: values[name][number] for name, number in row.items()} for row in rows)]
