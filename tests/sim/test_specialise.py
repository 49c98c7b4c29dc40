"""Play modules made with further policies: the same loops, which ask a part for its number and have a memory for it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels import registry
from sim import batch
from sim.games import Setup, make_setup
from sim.specialise import Part, made, plain_state, play_module

ONE, OTHER = 1_000, 1_001
PART = """
import numpy as np
from kernels._jit import kernel
from kernels.escopa.policy_heuristic import heuristic_play
ALLOCATES = {allocates}
MEMORY_LAYOUT = np.dtype([("asked", np.int64), ("prepared", np.int64)], align=True)
def prepare(memory):
    memory["prepared"] = 7
@kernel
def choose_play(table, options, seat, hand, sees, parameters, stream, work, memory):
    memory.asked += 1
    return heuristic_play(table, options, hand, sees, parameters, work)
"""


@pytest.fixture
def parts_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith(("part_", "carteador_made_")):
            del sys.modules[name]


def with_parts(setup: Setup, parts: tuple[Part, ...], numbers: list[int]) -> Setup:
    setup.__dict__["parts"] = parts
    setup.__dict__["policy_numbers"] = np.array(numbers, np.int64)
    return setup


@pytest.mark.parametrize("allocates", [False, True])
def test_a_part_answers_for_its_number_alone_and_keeps_its_memory(parts_folder: Path, allocates: bool) -> None:
    name = f"part_{allocates}".lower()
    (parts_folder / f"{name}.py").write_text(PART.format(allocates=allocates))
    plain = make_setup("escopa", seed=3)
    jobs = batch.deal_jobs(plain, 0, 200)
    parts = (Part(ONE, name, otherwise=1), Part(OTHER, name, otherwise=1))
    asked = with_parts(make_setup("escopa", seed=3), parts, [ONE, 1])
    state = play_module("escopa", parts).new_state()
    records = np.zeros(200, plain.spec.record_layout)
    batch.run_kernel(asked, jobs, np.zeros(0, _event()), records, state)
    np.testing.assert_array_equal(records, batch.play(plain, jobs))
    memory = state["memory"]
    assert memory["part_0"]["prepared"] == 7
    assert memory["part_0"]["asked"] == records["turns"].sum() // 2
    assert memory["part_1"]["asked"] == 0
    assert plain_state(state).dtype == registry.module("escopa", "play").new_state().dtype


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_question_of_every_game_is_handed_the_memory(game: str) -> None:
    """Without a part that answers, the made loops play what the game's own play."""
    text = Path(made(game, ()).play.__file__ or "").read_text()
    own = ast.parse(Path(registry.module(game, "policies").__file__ or "").read_text())
    questions = {node.name for node in own.body if isinstance(node, ast.FunctionDef)}
    calls = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in questions
    ]
    assert {ast.unparse(call.func) for call in calls} == questions
    assert all(ast.unparse(call.args[-1]) == "memory" for call in calls)


def test_other_parts_are_other_modules() -> None:
    assert made("escopa", ()).key != made("canasta", ()).key


def test_own_policies_are_called_by_their_address_but_where_a_policy_file_plays(parts_folder: Path) -> None:
    (parts_folder / "part_plain.py").write_text(PART.format(allocates=False))
    search, file = Part(ONE, "kernels.escopa.search"), Part(OTHER, "part_plain")

    def is_apart(parts: tuple[Part, ...], **others: Any) -> bool:
        return "callee_own_choose_play" in Path(made("escopa", parts, **others).policies.__file__ or "").read_text()

    assert is_apart((search,))
    assert not is_apart((search, file))
    assert not is_apart((file,))
    for parts in ((), (file,)):
        assert is_apart(parts, notes=True)
        assert is_apart(parts, walk="kernels.escopa.hidden_cards")


def _event() -> np.dtype[np.void]:
    from kernels.trace import EVENT

    return EVENT
