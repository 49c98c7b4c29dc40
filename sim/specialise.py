"""Play modules made to measure: a game's own loops, with more policies than the game's module of policies knows.

A part is a module that answers for one policy number: a search, or the policy file of a user. The made module is the
source of the game's own (``kernels/<game>/play.py``) that asks another module of policies, which asks the part for its
number and the game's own policies for all others; where a call costs nothing beside the rest, those are called by
their address (`kernels.calling`), so that they are compiled once for all made modules. It is written into the folder of
the compiled kernels under a name that is a hash of all that it is made of, because two modules of one name would run
the code of the first.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from kernels import registry

FOLDER = "made"
USED = ".used"
"""Ending of the file whose time says when a made module was used last."""

KEEP_MODULES = 300
KEEP_SECONDS = 14 * 24 * 3600
STATE, STATES, MEMORY, MEMORIES = "state", "states", "memory", "memories"
NOTES = "notes"
MOST_NOTED, MOST_GIVEN, MOST_ANSWERED = 32, 4, 6
SHARED_ARGUMENTS = frozenset({"table", "options", "seat", "parameters", "stream", "work"})
"""What every question is asked with, beside what is its own."""


@dataclass(frozen=True, slots=True)
class Part:
    """A module that answers for a policy number.

    It has functions of the names and arguments of the game's module of policies, without the first one, the number, and
    with a last one, `memory`: those of the game's questions that it answers; the others go to the policy `otherwise`.
    `MEMORY_LAYOUT`, if it has that, is the dtype of its memory, one a thread, and ``prepare(memory)``, if it has that,
    is called once with a fresh one. `BY_ADDRESS` says that it is called by its address (`kernels.calling`).

    Attributes
    ----------
    number
        Policy number that it answers for, one that the game itself does not use.
    module
        Name that it is imported by.
    otherwise
        Number of the game's policy that answers what it does not.
    """

    number: int
    module: str
    otherwise: int = 0

    @property
    def allocates(self) -> bool:
        """Whether it makes arrays or slices of them (`ALLOCATES`), so that whoever calls it must count references."""
        return bool(getattr(importlib.import_module(self.module), "ALLOCATES", False)) and not self.by_address

    @property
    def by_address(self) -> bool:
        """Whether it is called by its address."""
        return bool(getattr(importlib.import_module(self.module), "BY_ADDRESS", False))


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a game asks its policies.

    Attributes
    ----------
    name
        Of the function, as ``choose_play``.
    arguments
        All that a part is asked with but its memory, in order.
    given
        Those of them that are this question's own, with their types as they are annotated.
    answered
        Types of the numbers in an answer, likewise.
    """

    name: str
    arguments: tuple[str, ...]
    given: tuple[tuple[str, str], ...]
    answered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A made play module.

    Attributes
    ----------
    play
        With `new_state` and `batch` like a game's own play module.
    policies
        The module of policies that it asks.
    key
        The hash in its name.
    """

    play: ModuleType
    policies: ModuleType
    key: str


def play_module(game: str, parts: Sequence[Part] = (), *, notes: bool = False) -> Any:
    """Play module of a game: its own, or one made with `parts`, or one that notes what is asked (`made`)."""
    return made(game, tuple(parts), notes=notes).play if parts or notes else registry.module(game, "play")


@cache
def questions(game: str) -> tuple[Question, ...]:
    """Questions that a game asks its policies, in the order of its module of policies."""
    own = Path(_spec_of(f"{registry.GAMES[game]}.policies").origin or "").read_text(encoding="utf-8")
    return tuple(_question(node) for node in _questions(own).values())


def _question(node: ast.FunctionDef) -> Question:
    arguments = node.args.args[1:]
    given = tuple(
        (argument.arg, ast.unparse(argument.annotation) if argument.annotation else "int")
        for argument in arguments
        if argument.arg not in SHARED_ARGUMENTS
    )
    assert len(given) <= MOST_GIVEN
    assert node.returns is not None
    answers: list[ast.expr] = [node.returns]
    if isinstance(node.returns, ast.Subscript) and isinstance(node.returns.slice, ast.Tuple):
        answers = node.returns.slice.elts
    answered = tuple(ast.unparse(answer) for answer in answers)
    assert len(answered) <= MOST_ANSWERED
    return Question(node.name, tuple(argument.arg for argument in arguments), given, answered)


@cache
def made(game: str, parts: tuple[Part, ...], walk: str = "", notes: bool = False) -> Made:
    """Make the play module of a game with further policies; compiles nothing yet.

    Parameters
    ----------
    parts
        With numbers that differ.
    walk
        Name of another module to make in place of ``play``: one that takes the policies and its state the same way.
    notes
        Whether the memory has `NOTES`, in which every question of its ``turn`` is noted with its answer, in the order
        asked: ``count`` of them, those beyond `MOST_NOTED` left out, each with ``question`` (its place in `questions`),
        ``seat``, ``table``, ``given`` and ``answer``. Nothing else depends on it.
    """
    package = registry.GAMES[game]
    own = Path(_spec_of(f"{package}.policies").origin or "").read_text(encoding="utf-8")
    loops = Path(_spec_of(walk or f"{package}.play").origin or "").read_text(encoding="utf-8")
    answered = tuple(tuple(_questions_of(part.module)) for part in parts)
    digest = hashlib.sha256()
    for text in (
        game,
        own,
        loops,
        walk,
        repr(parts),
        repr(answered),
        repr(notes),
        Path(__file__).read_text(encoding="utf-8"),
    ):
        digest.update(text.encode() + b"\0")
    for part in parts:
        digest.update(Path(_spec_of(part.module).origin or "").read_bytes() + b"\0")
    key = digest.hexdigest()[:16]
    stem = f"carteador_made_{key}"
    counting = any(part.allocates for part in parts)
    # Speed counts where policy files play; beside a search, in a walk, or while questions are noted, a call is nothing.
    apart = bool(walk) or notes or (bool(parts) and all(part.by_address for part in parts))
    policies = written_module(f"{stem}_policies", _policies_text(game, own, parts, answered, counting, notes, apart))
    play = written_module(
        f"{stem}_play", _loops_text(package, loops, f"{stem}_policies", _question_names(own), counting)
    )
    return Made(play, policies, key)


def plain_state(state: Any) -> Any:
    """State of a deal as the game's own layout has it, of what any play module's `new_state` gives."""
    return state[STATE] if state.dtype.names == (STATE, MEMORY) else state


def _spec_of(module: str) -> Any:
    found = importlib.util.find_spec(module)
    if found is None:
        raise ModuleNotFoundError(module)
    return found


def write_source(path: Path, text: str) -> None:
    """Write a source into the folder of made modules, unless it is there, and note that it is in use."""
    from sim.store import whole_file

    folder = path.parent
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        discard_old_modules(folder)
        with whole_file(path) as file:
            file.write(text.encode())
    note_use(path)


def written_module(name: str, text: str) -> ModuleType:
    """Write a module into the folder of compiled kernels, if it is not there, and import it."""
    from kernels._jit import cache_folder

    if name in sys.modules:
        return sys.modules[name]
    path = cache_folder() / FOLDER / f"{name}.py"
    write_source(path, text)
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def discard_old_modules(folder: Path, keep: int = KEEP_MODULES, seconds: float = KEEP_SECONDS) -> None:
    """Remove made modules that nothing has used for long, with what was compiled of them.

    Parameters
    ----------
    keep
        So many stay in any case, those used last.
    seconds
        After which a module has not been used for long.
    """
    with suppress(OSError):
        notes = sorted(folder.glob(f"*{USED}"), key=lambda path: path.stat().st_mtime, reverse=True)
        for note in notes[keep:]:
            if time.time() - note.stat().st_mtime > seconds:
                for left in (*folder.parent.glob(f"{FOLDER}_*/{note.stem}.*"), *folder.glob(f"{note.stem}.*")):
                    left.unlink(missing_ok=True)


def note_use(module: Path) -> None:
    """Note that a made module is used now; its own time must stay, for Numba knows its file by that."""
    with suppress(OSError):
        module.with_suffix(USED).touch()


def _questions(source: str) -> dict[str, ast.FunctionDef]:
    """Questions that a module of policies answers, by name."""
    return {
        node.name: node
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("choose_")
    }


def _question_names(source: str) -> frozenset[str]:
    return frozenset(_questions(source))


def _questions_of(module: str) -> list[str]:
    """Questions that a part answers."""
    names = dir(importlib.import_module(module))
    return [name for name in names if name.startswith("choose_")]


def _policies_text(
    game: str,
    own: str,
    parts: Sequence[Part],
    answered: Sequence[Sequence[str]],
    counting: bool,
    notes: bool,
    apart: bool,
) -> str:
    package = registry.GAMES[game]
    asked = _questions(own)
    for node in asked.values():
        if counting:
            _count_references(node)
    decorators = sorted({ast.unparse(decorator) for node in asked.values() for decorator in node.decorator_list})
    lines = [
        "import numpy as np",
        f"from kernels._jit import {', '.join(decorators)}",
        f"from kernels.{package.partition('.')[2]} import policies as own",
    ]
    if apart or any(part.by_address for part in parts):
        lines += ["from kernels import calling", f"from {package} import layout"]
    lines += [f"import {part.module} as part_{index}" for index, part in enumerate(parts)]
    for name, node in asked.items():
        question = _question(node)
        lines += _asked(f"own_{name}", f"own.{name}", question if apart else None, first="np.int64")
        for index, (part, known) in enumerate(zip(parts, answered, strict=True)):
            if name in known:
                by_address = question if part.by_address else None
                lines += _asked(
                    f"{name}_{index}", f"part_{index}.{name}", by_address, last=f"part_{index}.MEMORY_LAYOUT"
                )
    lines += [f"NUMBER_{index} = np.int64({part.number})" for index, part in enumerate(parts)]
    lines += [f"OTHERWISE_{index} = np.int64({part.otherwise})" for index, part in enumerate(parts)]
    lines += _notes_layout(package) if notes else []
    lines += ["NOTHING = np.dtype([('unused', np.int64)])", "MEMORY_LAYOUT = np.dtype(["]
    for index, part in enumerate(parts):
        lines.append(f"    ('part_{index}', getattr(part_{index}, 'MEMORY_LAYOUT', NOTHING)),")
        lines += [f"    ('{name}_{index}', np.int64)," for name in answered[index] if part.by_address]
    lines += [f"    ('own_{name}', np.int64)," for name in asked if apart]
    lines += [f"    ('{NOTES}', NOTES_LAYOUT),"] if notes else []
    lines += ["], align=True)", "", "def prepare(memory):", "    pass"]
    for index in range(len(parts)):
        lines += [f"    if hasattr(part_{index}, 'prepare'):", f"        part_{index}.prepare(memory['part_{index}'])"]
        if parts[index].by_address:
            lines += [f"    memory['{name}_{index}'] = callee_{name}_{index}.address()" for name in answered[index]]
    lines += [f"    memory['own_{name}'] = callee_own_{name}.address()" for name in asked if apart]
    for place, (name, node) in enumerate(asked.items()):
        arguments = [argument.arg for argument in node.args.args]
        rest = ", ".join(arguments[1:])
        told_by_own = f"own_{name}({MEMORY}.own_{name}, ({{}}, {rest}))" if apart else f"own_{name}({{}}, {rest})"
        decorated = ["", *(f"@{ast.unparse(decorator)}" for decorator in node.decorator_list)]
        told = f"told_{name}" if notes else name
        lines += [*decorated, f"def {told}({', '.join(arguments)}, {MEMORY}):"]
        for index, known in enumerate(answered):
            lines.append(f"    if {arguments[0]} == NUMBER_{index}:")
            if name in known and parts[index].by_address:
                given = f"({rest}, {MEMORY}.part_{index})"
                lines.append(f"        return {name}_{index}({MEMORY}.{name}_{index}, {given})")
            elif name in known:
                lines.append(f"        return {name}_{index}({rest}, {MEMORY}.part_{index})")
            else:
                lines.append(f"        return {told_by_own.format(f'OTHERWISE_{index}')}")
        lines.append(f"    return {told_by_own.format(arguments[0])}")
        if notes:
            lines += [*decorated, *_noting(place, _question(node), arguments[0])]
    return "\n".join(lines) + "\n"


_LAYOUTS = {
    "table": "layout.TABLE_LAYOUT",
    "options": "layout.OPTION_LAYOUT",
    "seat": "np.int64",
    "parameters": "calling.INT64_ARRAY",
    "stream": "calling.UINT64_ARRAY",
    "work": "layout.WORK_LAYOUT",
}
"""Types of what every question is asked with."""


def _asked(name: str, function: str, question: Question | None, first: str = "", last: str = "") -> list[str]:
    """Source of what answers a question: the function, or what calls its address, with the types of the question.

    `first` and `last` are the types of what it takes before and after those of the question; the game's own policies,
    which have the first, take the stream as the game's loops hand it to them.
    """
    if question is None:
        return [f"{name} = {function}"]
    kinds = {**_LAYOUTS, **dict(question.given), **({"stream": "calling.STREAM"} if first else {})}
    arguments = ", ".join(kind for kind in (first, *(kinds[word] for word in question.arguments), last) if kind)
    result = ", ".join(question.answered)
    if len(question.answered) > 1:
        result = f"[{result}]"
    return [f"callee_{name} = calling.callee({function}, {result}, [{arguments}])", f"{name} = callee_{name}.call"]


def _notes_layout(package: str) -> list[str]:
    return [
        f"from {package}.layout import TABLE_LAYOUT",
        "NOTE = np.dtype([('question', np.int64), ('seat', np.int64), ('table', TABLE_LAYOUT), "
        f"('given', np.uint64, ({MOST_GIVEN},)), ('answer', np.uint64, ({MOST_ANSWERED},))], align=True)",
        "NOTES_LAYOUT = np.dtype([('turn', np.int64), ('count', np.int64), "
        f"('note', NOTE, ({MOST_NOTED},))], align=True)",
    ]


def _noting(place: int, question: Question, policy: str) -> list[str]:
    """Source of a function that asks a question, and notes it if it is of the turn that is wanted."""
    arguments = ", ".join([policy, *question.arguments, MEMORY])
    lines = [
        f"def {question.name}({arguments}):",
        f"    notes = {MEMORY}.{NOTES}",
        f"    noted = notes.turn == table.turn and notes.count < {MOST_NOTED}",
        "    note = notes.note[notes.count if noted else 0]",
        "    if noted:",
        f"        note.question, note.seat = {place}, seat",
        "        note.table = table",
    ]
    lines += [f"        note.given[{index}] = np.uint64({name})" for index, (name, _) in enumerate(question.given)]
    lines += [f"    answer = told_{question.name}({arguments})", "    if noted:"]
    for index in range(len(question.answered)):
        part = f"answer[{index}]" if len(question.answered) > 1 else "answer"
        lines.append(f"        note.answer[{index}] = np.uint64(np.int64({part}))")
    return [*lines, "        notes.count += 1", "    return answer"]


def _loops_text(package: str, source: str, policies: str, questions: frozenset[str], counting: bool) -> str:
    """Source of the loops, with the memory handed down to every question."""
    tree = ast.parse(source)
    asking = _asking(tree, questions)
    for node in list(tree.body):
        if isinstance(node, ast.ImportFrom) and node.module == f"{package}.policies":
            tree.body.insert(tree.body.index(node) + 1, _own_names(node, questions))
            node.module = policies
            node.names = [alias for alias in node.names if alias.name in questions]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in asking:
            _hand_down(node, asking | questions)
            if counting:
                _count_references(node)
        elif isinstance(node, ast.FunctionDef) and node.name == "new_state":
            node.name = "plain_new_state"
    first = next(index for index, node in enumerate(tree.body) if _is_future(node)) + 1
    tree.body[first:first] = ast.parse("from kernels._jit import kernel").body
    tree.body += ast.parse(_NEW_STATE.format(policies=policies)).body
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


_NEW_STATE = """
def new_state():
    import {policies} as asked
    plain = plain_new_state()
    both = np.zeros(plain.shape, np.dtype([("state", plain.dtype), ("memory", asked.MEMORY_LAYOUT)], align=True))
    both["state"] = plain
    asked.prepare(both["memory"])
    return both
"""


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _count_references(node: ast.FunctionDef) -> None:
    """Let a function count the holders of arrays, which those of the fastest loops do not."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Name) and decorator.id in ("lean", "entry"):
            decorator.id = "kernel"


def _own_names(node: ast.ImportFrom, questions: frozenset[str]) -> ast.stmt:
    """The import of whatever else the loops take from the game's module of policies."""
    others = [alias for alias in node.names if alias.name not in questions]
    return ast.ImportFrom(node.module, others, 0) if others else ast.Pass()


def _asking(tree: ast.Module, questions: frozenset[str]) -> frozenset[str]:
    """Functions of a module that ask a question, themselves or through others of them."""
    calls = {
        node.name: {
            call.func.id for call in ast.walk(node) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
        }
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
    }
    asking: set[str] = set()
    while True:
        more = {name for name, called in calls.items() if called & (questions | asking)}
        if more == asking:
            return frozenset(asking)
        asking = more


def _hand_down(node: ast.FunctionDef, receivers: frozenset[str]) -> None:
    """Give a function the memory, and let it hand it to those that it calls.

    A function of one state has the memory that goes with it; one of several states, their memories; what Python calls,
    which is not compiled, takes both out of what `new_state` gave.
    """
    names = [argument.arg for argument in node.args.args]
    held = MEMORY
    if not node.decorator_list:
        held = MEMORIES
        node.body[:0] = ast.parse(
            f"{MEMORIES} = {STATE}['{MEMORY}'].view(np.recarray)\n{STATE} = {STATE}['{STATE}']"
        ).body
    elif STATES in names:
        node.args.args.append(ast.arg(MEMORIES))
        node.body[:0] = ast.parse(f"{MEMORY} = {MEMORIES}[0]").body
    else:
        node.args.args.append(ast.arg(MEMORY))
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in receivers:
            call.args.append(ast.Name(held, ast.Load()))
