"""A policy that comes from outside the program, compiled into its kernels.

Its functions are compiled with every index held against its bounds and with errors of arithmetic raised. What they are
given is read-only (`kernels.readonly`), and what they call is looked at after their types are known: nothing that
outlasts an answer, draws from another source of chance, or reaches memory that is not theirs.
"""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import operator
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from kernels._jit import FLAGS
from kernels.readonly import ArrayView, View

import numba  # isort: skip
from numba import types  # isort: skip
from numba.core import errors, ir  # isort: skip
from numba.core.compiler import CompilerBase, DefaultPassBuilder  # isort: skip
from numba.core.compiler_machinery import AnalysisPass, register_pass  # isort: skip
from numba.core.typed_passes import NopythonTypeInference  # isort: skip
from numba.extending import overload  # isort: skip

PREFIX = "carteador_own_"
"""How the modules of such policies begin."""

ANSWER = "_answer_"
"""With the name of a question: what every `return` of its function passes through."""

last_return: dict[str, int] = {"line": 0}
"""Line of the last answer, of interpreted code."""

WORD, NUMBER, YES = "word", "number", "yes"
"""What an answer is made of: a word of cards (uint64), a number (int64), yes or no."""

_CASTS = {WORD: "np.uint64({})", NUMBER: "np.int64({})", YES: "bool({})"}
_FORBIDDEN = ("numpy.random", "numpy.lib.stride_tricks", "numba.carray", "numba.farray", "numba.np.carray")
_WRITING = {
    "ascontiguousarray": "hands on the array itself",
    "asfortranarray": "hands on the array itself",
    "dot": "writes its third argument",
    "fill_diagonal": "writes its first argument",
    "nan_to_num": "may write its argument",
    "nditer": "lets what it walks over be written",
}
"""Functions of NumPy by which Numba would write arrays that it takes for constant; the process would end on it."""

_MIXED = "a variable that is an int64 in one place and a uint64 in another: write np.uint64(...) for both, also for 0"


class RefusedError(Exception):
    """Code of a policy that cannot be compiled, or may not be.

    Attributes
    ----------
    line
        Of its file, 0 where that is not known.
    reason
        In words.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


@register_pass(mutates_CFG=False, analysis_only=True)
class _Look(AnalysisPass):  # type: ignore[misc]
    """Looks at a function of a policy once all its types are known."""

    _name = "look_at_own_policy"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for statement in block.body:
                _look_at(statement, state)
        name = state.func_id.func_name
        kinds = getattr(sys.modules[state.func_id.modname], "ANSWERS", {}).get(name)
        if kinds is not None and state.return_type != type_of_answer(kinds):
            raise RefusedError(
                state.func_id.firstlineno, f"{name} can come to its end without an answer; return one in every case"
            )
        return False


class OwnCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual way of compiling, with a look at what was written."""

    def define_pipelines(self) -> list[Any]:
        """Return the one pipeline."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(_Look, NopythonTypeInference)
        manager.finalize()
        return [manager]


def _compiled(function: Any, counts: bool) -> Any:
    """Compile a function of a policy as all of them are."""
    flags = {**FLAGS, "error_model": "python", "boundscheck": True, "_nrt": counts}
    return numba.njit(**flags, pipeline_class=OwnCompiler)(function)


def asking(function: Any) -> Any:
    """Compile a function that asks a policy, written into whoever calls it."""
    return numba.njit(**FLAGS, _nrt=False, forceinline=True)(function)


def asking_counted(function: Any) -> Any:
    """Like `asking`, of a policy that makes arrays."""
    return numba.njit(**FLAGS, forceinline=True)(function)


# ------------------------------------------------------------ looking at typed code


def _look_at(statement: Any, state: Any) -> None:
    line = statement.loc.line
    if isinstance(statement, ir.SetAttr):
        raise RefusedError(line, f"{statement.attr!r} can be read, not written")
    if isinstance(statement, ir.Print):
        raise RefusedError(
            line, "print would mix with the results; raise an error with what is to be seen, and `show` tells the deal"
        )
    if not isinstance(statement, ir.Assign):
        return
    typed, value = state.typemap[statement.target.name], statement.value
    if isinstance(typed, types.Record):
        raise RefusedError(line, "arrays of records cannot be used here; keep a plain array for each field")
    if isinstance(value, ir.Expr):
        if value.op == "call":
            _look_at_call(value, line, state)
        elif value.op == "phi":
            _look_at_mix(typed, [one.name for one in value.incoming_values], statement, state)
        elif value.op in ("binop", "inplace_binop") and value.fn not in (
            operator.truediv,
            operator.itruediv,
            operator.pow,
            operator.ipow,
        ):
            _look_at_mix(typed, [value.lhs.name, value.rhs.name], statement, state)


def _look_at_mix(typed: Any, parts: Sequence[str], statement: Any, state: Any) -> None:
    """Refuse a float that comes of whole numbers alone, as it does where signed and unsigned ones meet."""
    if not isinstance(typed, types.Float):
        return
    if all(isinstance(state.typemap.get(part), types.Integer | types.UndefVar) for part in parts):
        name = statement.target.unversioned_name
        what = "it" if name.startswith("$") else name
        raise RefusedError(statement.loc.line, f"{what} becomes a float, which loses cards, as does {_MIXED}")


def _look_at_call(call: Any, line: int, state: Any) -> None:
    called = state.typemap[call.func.name]
    if isinstance(called, types.ExternalFunction | types.ExternalFunctionPointer | types.FunctionType):
        raise RefusedError(line, "a policy cannot call code that Numba has not compiled")
    if isinstance(called, types.ObjModeDispatcher):
        raise RefusedError(line, "a policy cannot leave compiled code (numba.objmode)")
    if isinstance(called, types.Dispatcher):
        module = called.dispatcher.py_func.__module__
        if not module.startswith((PREFIX, "kernels.")):
            raise RefusedError(line, f"a policy cannot call {called.dispatcher.py_func.__name__} of {module}")
        return
    function = getattr(called, "typing_key", None)
    name = getattr(function, "__name__", "")
    if str(getattr(function, "__module__", "")).startswith("numpy") and name in _WRITING:
        given = [state.typemap.get(one.name) for one in (*call.args, *(value for _, value in call.kws))]
        read_only = [isinstance(one, types.Array) and not one.mutable for one in given]
        if any(read_only[2:] if name == "dot" else read_only):
            raise RefusedError(line, f"np.{name} {_WRITING[name]}, and what stands outside the functions is constant")
    owner = f"{getattr(function, '__module__', None) or ''}.{getattr(function, '__qualname__', '')}"
    if isinstance(function, FunctionType) and function.__name__.startswith(ANSWER):
        _look_at_answer(function, state.typemap[call.args[0].name], line)
    elif getattr(function, "__self__", None).__class__.__module__ == "numpy.random.mtrand" or owner.startswith(
        _FORBIDDEN
    ):
        name = getattr(function, "__name__", str(function))
        raise (
            RefusedError(line, f"a policy cannot call {name}; chance comes from `stream` (kernels.rng.bounded)")
            if "random" in owner
            else RefusedError(line, f"a policy cannot call {name}")
        )


def _look_at_answer(function: Any, given: Any, line: int) -> None:
    names, kinds = function.names, function.kinds
    question = function.__name__.removeprefix(ANSWER)
    if _fits(kinds, given):
        return
    wanted = f"{question} returns " + (f"({', '.join(names)})" if len(names) > 1 else names[0])
    if len(kinds) > 1 and not isinstance(given, types.BaseTuple):
        raise RefusedError(line, f"{wanted}, {len(kinds)} values, not {_plain(given)}")
    if len(kinds) > 1 and given.count != len(kinds):
        raise RefusedError(line, f"{wanted}, {len(kinds)} values, not {given.count}")
    parts = given.types if len(kinds) > 1 else (given,)
    for name, part in zip(names, parts, strict=True):
        if isinstance(part, types.Float):
            raise RefusedError(
                line, f"{wanted}, and {name} is a float here; / makes one, where // does not, and so does {_MIXED}"
            )
        if not isinstance(part, types.Integer | types.Boolean):
            raise RefusedError(line, f"{wanted}, and {name} is {_plain(part)} here, not a whole number")


def _plain(typed: Any) -> str:
    if isinstance(typed, types.NoneType):
        return "nothing"
    if isinstance(typed, types.BaseTuple):
        return f"{typed.count} values"
    if isinstance(typed, types.Literal):
        return str(typed.literal_type)
    return "a record" if isinstance(typed, View) else "an array" if isinstance(typed, ArrayView) else f"{typed}"


# ------------------------------------------------------------ answers


def _fits(kinds: Sequence[str], given: Any) -> bool:
    parts = given.types if isinstance(given, types.BaseTuple) else (given,)
    if len(kinds) != len(parts) or (len(kinds) == 1 and isinstance(given, types.BaseTuple)):
        return False
    return all(isinstance(part, types.Integer | types.Boolean) for part in parts)


def type_of_answer(kinds: Sequence[str]) -> Any:
    """Numba's type of an answer whose values are of these kinds."""
    parts = [{WORD: types.uint64, NUMBER: types.int64, YES: types.boolean}[kind] for kind in kinds]
    return parts[0] if len(parts) == 1 else types.Tuple(parts)


@cache
def answering(question: str, names: tuple[str, ...], kinds: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return the function that casts what a policy answers to the types that the question has.

    Parameters
    ----------
    names, kinds
        Of the values of the answer: what each is called, and `WORD`, `NUMBER` or `YES`.
    """
    places = ["value"] if len(kinds) == 1 else [f"value[{place}]" for place in range(len(kinds))]
    casts = ", ".join(_CASTS[kind].format(place) for kind, place in zip(kinds, places, strict=True))
    made: dict[str, Any] = {"np": np}
    exec(f"def cast(value):\n    return {casts}\ndef same(value):\n    return value", made)

    def answer(value: Any) -> Any:
        last_return["line"] = sys._getframe(1).f_lineno
        given = value if isinstance(value, tuple) else (value,)
        if len(given) != len(kinds) or not all(isinstance(one, int | bool | np.integer | np.bool_) for one in given):
            raise TypeError(f"{question} returns {', '.join(names)}, not {value!r}")
        return made["cast"](value if len(kinds) > 1 else given[0])

    answer.__name__ = answer.__qualname__ = f"{ANSWER}{question}"
    answer.names, answer.kinds = names, kinds  # type: ignore[attr-defined]

    @overload(answer, inline="always")
    def _typed(value):  # type: ignore[no-untyped-def]
        return made["cast" if _fits(kinds, value) else "same"]

    return answer


class _Answering(ast.NodeTransformer):
    """Sends every `return` of one function through its cast."""

    def __init__(self, question: str) -> None:
        self.question = question

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """Wrap what is returned."""
        value = node.value if node.value is not None else ast.Constant(None)
        call = ast.Call(ast.Name(f"{ANSWER}{self.question}", ast.Load()), [value], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Return(ast.copy_location(call, node)), node))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Leave functions within the function alone."""
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Leave them alone too."""
        return node


# ------------------------------------------------------------ loading


def load(
    path: Path, name: str, answers: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]], counts: bool
) -> ModuleType:
    """Import the file of a policy, its functions compiled when they are first called.

    Parameters
    ----------
    name
        Of the module; it begins with `PREFIX`, and no two contents have the same.
    answers
        Names and kinds of the values of every question's answer, by the question.
    counts
        Whether the code makes arrays, whose holders are counted then.
    """
    if name in sys.modules:
        return sys.modules[name]
    tree = ast.parse(path.read_bytes(), filename=str(path))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in answers:
            wrap = _Answering(node.name)
            node.body = [wrap.visit(statement) for statement in node.body]
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    found = importlib.util.spec_from_loader(name, loader, origin=str(path))
    assert found is not None
    module = importlib.util.module_from_spec(found)
    module.__file__ = str(path)
    content = module.__dict__
    for question, (names, kinds) in answers.items():
        content[f"{ANSWER}{question}"] = answering(question, names, kinds)
    content["ANSWERS"] = {question: kinds for question, (_, kinds) in answers.items()}
    sys.modules[name] = module
    try:
        exec(compile(tree, str(path), "exec"), content)
        for key, value in list(content.items()):
            plain = getattr(value, "py_func", value)
            if isinstance(plain, FunctionType) and plain.__module__ == name and not key.startswith(ANSWER):
                content[key] = _compiled(plain, counts)
    except BaseException:
        del sys.modules[name]
        raise
    return module


# ------------------------------------------------------------ trying


def compile_question(function: Any, arguments: Sequence[Any]) -> None:
    """Compile the function of a question for arguments of these types.

    Raises
    ------
    RefusedError
        If that is not possible, with the line and the reason; without `counts` perhaps because it makes arrays.
    """
    if not hasattr(function, "compile"):
        return
    code = function.py_func.__code__
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", errors.NumbaWarning)
            function.compile(tuple(arguments))
    except RefusedError:
        raise
    except Exception as error:
        line, reason = explained(error, code.co_filename)
        raise RefusedError(line or code.co_firstlineno, reason) from error


def type_of_argument(name: str, annotation: str, state: Any, options: Any) -> Any:
    """Numba's type of what a policy is given by a name; None where that cannot be told without compiling the game.

    Parameters
    ----------
    annotation
        Of the argument in the game's module of policies.
    state, options
        Dtypes of the game's state and options.
    """
    if name == "options":
        return View(numba.from_dtype(options))
    if name in (state.names or ()):
        inner = numba.from_dtype(state).typeof(name)
        if isinstance(inner, types.Record):
            return View(inner)
    if name == "stream":
        return ArrayView(types.uint64, (1,), True)
    return {"int": types.int64, "np.int64": types.int64, "np.uint64": types.uint64, "bool": types.boolean}.get(
        annotation
    )


_TYPE_NAMES = (
    (re.compile(r"(?:Array)?View\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)"), "read-only"),
    (re.compile(r"Literal\[(?:int|bool|str)\]\(([^)]*)\)"), r"\1"),
)


def explained(error: Exception, path: str) -> tuple[int, str]:
    """Line of a policy's copy, 0 if it is not concerned, and what is wrong there, of one of Numba's errors."""
    if isinstance(error, RefusedError):
        return error.line, error.reason
    text = str(error)
    lines = [int(number) for number in re.findall(rf'File "[^"]*{re.escape(Path(path).name)}", line (\d+)', text)]
    where = getattr(error, "loc", None)
    line = lines[0] if lines else where.line if where is not None else 0
    for pattern, name in _TYPE_NAMES:
        text = pattern.sub(name, text)
    return line, _reason(text)


def _reason(text: str) -> str:
    """The one sentence of Numba's message that says what is wrong."""
    found = re.search(r"No implementation of function Function\((.*?)\) found for signature:\s*>>> (.*)", text)
    if found:
        name = re.sub(r"<(?:built-in )?function ([\w.]+).*?>|<class '([\w.]+)'>", r"\1\2", found[1]).split()[0]
        if name == "setitem" and "setitem(read-only" in found[2]:
            return "an array of the table can be read, not written"
        if name == "setitem" and "setitem(readonly array" in found[2]:
            return "what stands outside the functions is constant: it can be read, not written"
        if name == "getitem" and "getitem(read-only" in found[2]:
            return "an array of the table is read by whole indices, one for each dimension, or fewer for a row"
        if "UniTuple" in found[2] and name == "getitem":
            return f"a tuple has no such index: {found[2].strip()}"
        return f"{name} cannot be used like that: {found[2].strip()}"
    lowered = re.search(r"No definition for lowering read-only\.(\w+) =", text)
    if lowered:
        return f"it calls a function that writes {lowered[1]!r}, which can be read, not written"
    constant = re.search(r"The use of a (.*?) type, assigned to variable '(\w+)' in globals, is not supported", text)
    if constant:
        return f"{constant[2]} stands outside the functions and is no constant; a tuple or a NumPy array can be one"
    kept = [
        row.strip()
        for row in text.splitlines()
        if row.strip() and not row.startswith(("Failed in", "During", "File ", "This error", "<source"))
    ]
    reason = kept[0] if kept else text.strip() or type(text).__name__
    reason = re.sub(r"of type read-only", "of a read-only record", reason)
    if "Unknown attribute" in reason and "read-only" in reason:
        return (
            f"{re.sub(' of a read-only record', '', reason)}: what is given can be read, not written, nor has it more"
        )
    return reason[:400]
