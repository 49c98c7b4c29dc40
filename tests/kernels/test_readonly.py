"""Views of records: all that can be read of the record, and nothing that could be written, compiled or not."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from kernels import registry
from kernels.own import type_of_argument
from kernels.readonly import ArrayView, View, reading, words
from kernels.rng import bounded, next_u64
from sim.own.source import questions_of

INNER = np.dtype([("low", np.int8), ("pair", np.uint64, (2,))], align=True)
LAYOUT = np.dtype(
    [
        ("word", np.uint64),
        ("small", np.int16),
        ("row", np.int8, (5,)),
        ("grid", np.uint16, (3, 4)),
        ("cube", np.uint8, (2, 3, 2)),
        ("inner", INNER),
        ("stream", np.uint64, (1,)),
    ],
    align=True,
)
STATE = np.dtype([("before", np.uint64), ("table", LAYOUT), ("after", np.uint64)], align=True)


njit: Callable[..., Any] = numba.njit(boundscheck=False)
"""Compiled as the kernels are, without bounds."""


@pytest.fixture
def state() -> Any:
    made = np.zeros(1, STATE)
    table = made["table"]
    table["word"], table["small"] = 2**63 + 1, -7
    table["row"], table["grid"] = np.arange(5) - 2, np.arange(12).reshape(3, 4)
    table["cube"] = np.arange(12).reshape(2, 3, 2)
    table["inner"]["low"], table["inner"]["pair"] = -1, [5, 2**64 - 1]
    table["stream"] = 9
    made["before"], made["after"] = 77, 88
    return made.view(np.recarray)


def both(look: Callable[..., Any]) -> list[Callable[[Any], Any]]:
    """A function of a view, compiled and interpreted."""
    compiled = numba.njit(look)

    @njit
    def in_kernel(states: Any) -> Any:
        return compiled(reading(states[0].table))

    return [in_kernel, lambda states: look(reading(states[0].table))]


READS = {
    "scalars": lambda v: (v.word, v.small),
    "elements": lambda v: (v.row[0], v.row[4], v.row[-5], v.grid[2, 3], v.cube[1, 2, 1]),
    "elements by any whole number": lambda v: (v.row[np.uint8(3)], v.grid[np.int8(1), np.int64(-1)]),
    "rows": lambda v: (v.grid[1][2], v.cube[1][0][1], v.cube[1, 2][0]),
    "a record in it": lambda v: (v.inner.low, v.inner.pair[1]),
    "sizes": lambda v: (len(v.row), v.row.size, v.grid.size, v.grid.shape[1], len(v.grid[0]), v.row.sum()),
}


@pytest.mark.parametrize("what", READS)
def test_everything_can_be_read(state: Any, what: str) -> None:
    compiled, interpreted = (look(state) for look in both(READS[what]))
    assert compiled == interpreted
    assert len(set(compiled)) > 1 or what == "sizes"


BEYOND: list[Callable[[Any], Any]] = [
    lambda v: v.row[5],
    lambda v: v.row[-6],
    lambda v: v.grid[0, 4],
    lambda v: v.grid[3, 0],
    lambda v: v.grid[0][4],
    lambda v: v.row[np.uint64(2**63)],
]


@pytest.mark.parametrize("number", range(len(BEYOND)))
def test_no_index_leads_out_of_an_array(state: Any, number: int) -> None:
    for look in both(BEYOND[number]):
        with pytest.raises((IndexError, OverflowError)):
            look(state)


def test_a_helper_without_checks_of_its_own_cannot_look_beyond_either(state: Any) -> None:
    @njit
    def helper(view: Any, at: Any) -> Any:
        return view.grid[0, at]

    @njit
    def in_kernel(states: Any, at: Any) -> Any:
        return helper(reading(states[0].table), at)

    assert in_kernel(state, 3) == 3
    with pytest.raises(IndexError):
        in_kernel(state, 4)


def write_field(v: Any) -> None:
    v.word = 1


def write_element(v: Any) -> None:
    v.row[0] = 1


def write_alias(v: Any) -> None:
    row = v.grid[1]
    row[2] += 1


def write_inner(v: Any) -> None:
    v.inner.low = 1


def write_inner_element(v: Any) -> None:
    v.inner.pair[0] = 1


def write_all(v: Any) -> None:
    v.row[:] = 1


def fill(v: Any) -> None:
    v.row.fill(1)


def write_stream(v: Any) -> None:
    next_u64(v.stream)


@pytest.mark.parametrize(
    "write",
    [write_field, write_element, write_alias, write_inner, write_inner_element, write_all, fill, write_stream],
    ids=lambda write: write.__name__,
)
def test_nothing_can_be_written(state: Any, write: Callable[[Any], None]) -> None:
    before = state.tobytes()
    for attempt in both(write):
        with pytest.raises((numba.core.errors.NumbaError, NotImplementedError, TypeError, AttributeError)):
            attempt(state)
    assert state.tobytes() == before


def test_the_words_of_a_stream_alone_can_be_written(state: Any) -> None:
    def draw(stream: Any) -> Any:
        return bounded(stream, np.int64(1000)), next_u64(stream), len(stream)

    compiled = numba.njit(draw)

    @njit
    def in_kernel(states: Any) -> Any:
        return compiled(words(states[0].table.stream))

    before = state.copy()
    own = state.copy().table.stream[0].copy()
    assert in_kernel(state) == (bounded(own, np.int64(1000)), next_u64(own), 1)
    assert state.table.stream[0] == own != before["table"]["stream"][0]
    words(state[0].table.stream)[0] = before["table"]["stream"][0, 0]
    assert state.tobytes() == before.tobytes()


def test_the_types_say_what_they_are() -> None:
    record = numba.from_dtype(LAYOUT)
    assert View(record) == View(numba.from_dtype(LAYOUT))
    assert View(record) != View(numba.from_dtype(INNER))
    assert ArrayView(numba.uint8, (2, 3, 2)).strides == (6, 2, 1)


# ------------------------------------------------------------ the helpers of the games

TABLED = [
    (game, name)
    for game in registry.GAMES
    for name in registry.module(game, "helpers").__all__
    if hasattr(getattr(registry.module(game, "helpers"), name), "py_func")
    and "table" in inspect.signature(getattr(registry.module(game, "helpers"), name).py_func).parameters
]


def test_every_game_has_helpers_that_look_at_the_table() -> None:
    assert {game for game, _ in TABLED} == set(registry.GAMES)


@pytest.mark.parametrize(("game", "name"), TABLED)
def test_helpers_are_compiled_with_a_view_of_the_table(game: str, name: str) -> None:
    from kernels.mau_mau.counting import unseen_cards

    helper = getattr(registry.module(game, "helpers"), name)
    state = registry.module(game, "play").new_state().dtype
    options = registry.spec(game).option_layout
    known = {argument: kind for asked in questions_of(game).values() for argument, kind in asked.arguments.items()}
    types = []
    for argument, parameter in inspect.signature(helper.py_func).parameters.items():
        annotation = known.get(argument, parameter.annotation)
        found = type_of_argument(argument, annotation if annotation != "Any" else "", state, options)
        if parameter.annotation == "Unseen":
            table, rules = (type_of_argument(one, "", state, options) for one in ("table", "options"))
            word = numba.uint64
            unseen: Any = unseen_cards
            unseen.compile((table, rules, word, word))
            found = unseen.overloads[(table, rules, word, word)].signature.return_type
        types.append(found)
    assert None not in types, (
        types,
        ast.unparse(ast.parse(str(inspect.signature(helper.py_func)).split(" ->")[0][1:-1])),
    )
    helper.compile(tuple(types))
