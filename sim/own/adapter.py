"""From a policy file to a part of a play module: a copy of the file, and the module that asks it.

Both lie in the folder of the made modules under names that are hashes of all that they are made of, so another file of
the same name, and the same file once it is edited, is other code. The module that asks fills in by name what a
function wants to be given, read-only, and hands on to the file's base what it does not answer.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from kernels import registry
from sim.errors import UsageError
from sim.own.loading import is_quick, tried
from sim.own.source import OUTCOME_OF_BASE, Asked, OwnPolicy, questions_of, shortened
from sim.specialise import FOLDER, Part, write_source, written_module

PREFIX = "carteador_policy_"
STREAMS = ("stream", "random")
"""What the games call the random stream that they hand to a policy."""

COUNTS, LEAN = "counts", "lean"


class OwnPolicyError(UsageError):
    """A policy file cannot be compiled: the message says the line, and what is not possible there."""


@cache
def part_of(own: OwnPolicy) -> Part:
    """Return the part that answers for a policy file, compiled as far as it goes without the game.

    Raises
    ------
    OwnPolicyError
        If Numba cannot compile it, or it does what a policy cannot do.
    """
    if not own.may_run:
        raise UsageError(f"{own.name}: a policy file that a stored run holds is run only if the command names it")

    from kernels._jit import cache_folder
    from kernels.own import PREFIX as OWN_PREFIX

    questions = questions_of(own.game)
    key = _key(own)
    folder = cache_folder() / FOLDER
    copy = folder / f"{OWN_PREFIX}{key}.py"
    write_source(copy, own.text)
    note = folder / f"{OWN_PREFIX}{key}.kind"
    kind = note.read_text() if note.exists() else ""
    if kind not in (COUNTS, LEAN):
        kind = _tried(own, copy, questions)
        note.write_text(kind)
    name = f"{PREFIX}{key}_{kind}"
    with _telling(own):
        written_module(name, _text(own, copy, questions, kind == COUNTS))
    return Part(own.number, name, own.base.number)


def _key(own: OwnPolicy) -> str:
    """Hash of all that the code of a file is made of."""
    digest = hashlib.sha256()
    questions = repr(questions_of(own.game))
    for text in (own.game, own.text, questions, repr(own.policy.parameters), own.base.name, _sources()):
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:16]


def compile_failure(files: Sequence[OwnPolicy], error: Exception) -> OwnPolicyError | None:
    """Return what is wrong with one of the files where the whole game could not be compiled; None if it is not they."""
    from kernels.own import PREFIX as OWN_PREFIX
    from kernels.own import RefusedError, explained

    for own in files:
        line, reason = explained(error, f"{OWN_PREFIX}{_key(own)}.py")
        if line or isinstance(error, RefusedError):
            return OwnPolicyError(f"{where_text(own, line)}: {reason}")
    return None


@cache
def _sources() -> str:
    """Text of the modules that decide what is made of a file."""
    from kernels import own

    here = Path(__file__)
    return "".join(path.read_text(encoding="utf-8") for path in (here, here.with_name("source.py"), Path(own.__file__)))


def _own_name(copy: Path, kind: str) -> str:
    """Name of the module of a copy: the code that counts holders of arrays is another one."""
    return copy.stem if kind == LEAN else f"{copy.stem}_{kind}"


def _answers(questions: dict[str, Asked]) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    return {name: (asked.names, asked.kinds) for name, asked in questions.items()}


def _tried(own: OwnPolicy, copy: Path, questions: dict[str, Asked]) -> str:
    """How the file can be compiled: without counting who holds an array, which is faster, or with it."""
    from kernels.own import RefusedError

    if not is_quick(ast.parse(own.text)):
        wrong = tried(copy, _own_name(copy, LEAN), _answers(questions), counts=False)
        if wrong is not None:
            raise OwnPolicyError(f"{where_text(own, wrong[0])}: {wrong[1]}")
    try:
        if not _compile(own, copy, questions, LEAN):
            # Something else than words and views of records is handed over.
            return COUNTS
    except OwnPolicyError as refused:
        if not isinstance(refused.__cause__, RefusedError):
            raise
        _compile(own, copy, questions, COUNTS)
        return COUNTS
    return LEAN


def _compile(own: OwnPolicy, copy: Path, questions: dict[str, Asked], kind: str) -> bool:
    """Compile the functions whose arguments have types that are known without the game; whether all have."""
    from kernels.own import compile_question, load, type_of_argument

    spec = registry.spec(own.game)
    with _telling(own):
        module = load(copy, _own_name(copy, kind), _answers(questions), kind == COUNTS)
    state = registry.module(own.game, "play").new_state().dtype
    settings = {parameter.name for parameter in own.policy.parameters}
    is_whole = True
    for name, wanted in own.functions.items():
        asked = questions[name]
        annotations = {**asked.arguments, **dict.fromkeys(settings, "np.int64")}
        types = [
            _type_of_base(asked)
            if argument == OUTCOME_OF_BASE
            else type_of_argument(argument, annotations[argument], state, spec.option_layout)
            for argument in wanted
        ]
        if not all(one is not None for one in types):
            is_whole = False
        else:
            with _telling(own):
                compile_question(getattr(module, name), types)
    return is_whole


def _type_of_base(asked: Asked) -> Any:
    from kernels.own import type_of_answer

    return type_of_answer(asked.kinds)


class _telling:  # noqa: N801
    """Turns what goes wrong in a file into one message that says where."""

    def __init__(self, own: OwnPolicy) -> None:
        self.own = own

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        from kernels.own import RefusedError

        if not isinstance(error, Exception):
            return
        if isinstance(error, RefusedError):
            line, reason = error.line, error.reason
        else:
            line, reason = _line_in(trace, self.own), f"{type(error).__name__}: {error}"
        raise OwnPolicyError(f"{where_text(self.own, line)}: {reason}") from error


def _line_in(trace: Any, own: OwnPolicy) -> int:
    from kernels.own import PREFIX as OWN_PREFIX

    line = 0
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).name.startswith(OWN_PREFIX):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def where_text(own: OwnPolicy, line: int) -> str:
    """Return a line of a policy file in words, with what stands there."""
    lines = own.text.split("\n")
    if not 0 < line <= len(lines):
        return own.name
    return f"{own.name}, line {line}, {shortened(lines[line - 1].strip())!r}"


def _text(own: OwnPolicy, copy: Path, questions: dict[str, Asked], counts: bool) -> str:
    """Source of the module that asks a file."""
    package, kind = registry.GAMES[own.game], COUNTS if counts else LEAN
    decorator = "asking_counted" if counts else "asking"
    lines = [
        "from pathlib import Path",
        "import numpy as np",
        f"from kernels.own import {decorator}, load",
        "from kernels.readonly import reading, words",
        "from kernels.rng import next_u64",
        f"from {package} import policies",
        f"COPY = Path(__file__).with_name({copy.name!r})",
        f"own = load(COPY, {_own_name(copy, kind)!r}, {_answers(questions)!r}, {counts})",
        f"ALLOCATES = {counts}",
        "MEMORY_LAYOUT = np.dtype([('stream', np.uint64, (1,))], align=True)",
        f"BASE = np.int64({own.base.number})",
    ]
    for name, wanted in own.functions.items():
        lines += [
            f"own_{name} = own.{name}",
            f"base_{name} = policies.{name}",
            *_asking(own, name, wanted, questions, decorator),
        ]
    return "\n".join(lines) + "\n"


def _asking(
    own: OwnPolicy, name: str, wanted: tuple[str, ...], questions: dict[str, Asked], decorator: str
) -> list[str]:
    """Source of the function that asks one question."""
    arguments = [argument for argument in questions[name].arguments if argument != "policy"]
    row = "parameters" if "parameters" in arguments else None
    filled = []
    body = []
    for argument in wanted:
        if argument == OUTCOME_OF_BASE:
            filled.append(f"base_{name}(BASE, {', '.join(arguments)})")
        elif argument in STREAMS:
            body.append(f"    memory.stream[0] = next_u64({argument})")
            filled.append("words(memory.stream)")
        elif argument in questions[name].arguments:
            filled.append(f"reading({argument})")
        else:
            filled.append(f"{row}[{own.place_of(argument)}]")
    return [
        f"@{decorator}",
        f"def {name}({', '.join(arguments)}, memory):",
        *body,
        f"    return own_{name}({', '.join(filled)})",
    ]
