"""What the code of a policy file may not do, as far as reading tells; the rest is found when it is compiled."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path

from sim.errors import UsageError, nearest
from sim.own.recursion import find_recursion

IMPORTS = ("__future__", "collections.abc", "kernels", "math", "numba", "numpy", "typing")
OF_NUMBA = ("njit", "jit", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)))
"""What a file may use of Numba: its own functions are compiled in any case."""

IMPORTS_OF_KERNELS = ("collections.abc", "math", "numpy", "typing")
"""Modules whose names a file may take from a module of the kernels that imports them, beside other kernels."""

CLOSED_KERNELS = ("_jit", "calling", "own", "readonly", "registry")
PRINT = "print would mix with the results; raise an error with what is to be seen, and `show` tells the deal"
FORBIDDEN_NAMES = {
    "open": "read a file",
    "exec": "run text as code",
    "eval": "run text as code",
    "compile": "run text as code",
    "__import__": "import by name",
    "input": "ask the user",
    "exit": "end the program",
    "quit": "end the program",
    "breakpoint": "stop",
    "globals": "reach what it has not been given",
    "vars": "reach what it has not been given",
    "getattr": "reach what it has not been given",
    "__builtins__": "reach what it has not been given",
    "setattr": "reach what it has not been given",
}
IN_PLACE = {"flat": "name the element by its indices", "sort": "np.sort and sorted give a sorted copy"}
"""Attributes of arrays by which constants of the file could be written."""

TO_FILES = ("dump", "tofile")
"""Attributes of arrays that write files."""

FORBIDDEN_OF_NUMPY = (
    *("random", "lib", "ctypeslib", "core", "f2py", "distutils", "testing"),
    *("load", "loadtxt", "genfromtxt", "fromfile", "fromregex", "memmap", "DataSource"),
    *("save", "savetxt", "savez", "savez_compressed"),
)


Wrong = Callable[[ast.AST | None, str], UsageError]
"""Makes an error of a place and a reason."""


def check_code(tree: ast.Module, error: Wrong) -> None:
    """Refuse what would make the answers depend on something beside the file and what it is given.

    Raises
    ------
    UsageError
        Made by `error`, if there is such a thing.
    """
    _Check(tree, error).all()


class _Check:
    """One file while its code is read."""

    def __init__(self, tree: ast.Module, error: Wrong) -> None:
        self.tree, self.error = tree, error

    def all(self) -> None:
        """Look at every part of it."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._check_import(node, alias.name, None)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self._check_import(node, "." * node.level + (node.module or ""), alias.name)
            elif isinstance(node, ast.Name) and node.id == "print":
                raise self.error(node, PRINT)
            elif isinstance(node, ast.Name) and _is_reserved(node):
                raise self.error(node, f"{node.id}: this name has a meaning already; call it otherwise")
            elif isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
                raise self.error(node, f"{node.id}: a policy cannot {FORBIDDEN_NAMES[node.id]}")
            elif isinstance(node, ast.Attribute):
                self._check_attribute(node)
            elif isinstance(node, ast.arguments):
                self._check_defaults(node)
            elif isinstance(node, ast.AsyncFunctionDef | ast.ClassDef | ast.Global | ast.Nonlocal):
                what = {ast.AsyncFunctionDef: "async", ast.ClassDef: "class", ast.Global: "global"}
                word = what.get(type(node), "nonlocal")
                raise self.error(node, f"{word}: a policy is made of plain functions and constants")
        recursion = find_recursion(self.tree)
        if recursion is not None:
            name, *others = recursion.names
            way = f" by way of {', '.join(others)}" if others else ""
            raise self.error(recursion.node, f"{name} calls itself{way}: a policy cannot recurse; write a loop")

    def _check_defaults(self, node: ast.arguments) -> None:
        """Refuse an argument that is made once and kept: what a call writes into it, the next one would read."""
        for default in (*node.defaults, *node.kw_defaults):
            if default is None:
                continue
            try:
                value = ast.literal_eval(default)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                value = default
            if not isinstance(value, bool | int | float | str | None):
                raise self.error(default, "what an argument is by default must be written out, as a number")

    def _check_import(self, node: ast.AST, module: str, name: str | None) -> None:
        top = module.partition(".")[0]
        if module not in IMPORTS and top not in ("kernels", "numpy"):
            raise self.error(
                node,
                f"a policy cannot import {module}: it is one file, so that its content says all of it; "
                f"it may import {', '.join(IMPORTS)}",
            )
        if module == "numba" and name is not None and name not in OF_NUMBA:
            raise self.error(node, f"a policy cannot import {name} of numba; it may import {', '.join(OF_NUMBA)}")
        if top == "numpy" and {*module.split(".")[1:], name} & set(FORBIDDEN_OF_NUMPY):
            raise self.error(node, f"a policy cannot import {module}.{name or ''}".rstrip("."))
        if top == "kernels":
            parts = [*module.split("."), *([name] if name else [])]
            if len(parts) < 2:
                raise self.error(node, "import modules of kernels by name, as from kernels.bits import popcount")
            if parts[1] in CLOSED_KERNELS:
                raise self.error(node, f"a policy cannot import kernels.{parts[1]}")
            if module not in _kernel_modules():
                near = nearest(module, _kernel_modules())
                hint = f" Did you mean {near}?" if near else ""
                raise self.error(node, f"there is no module {module}.{hint}")
            if name in _borrowed_names(module):
                raise self.error(node, f"a policy cannot import {name} of {module}, which is not made there")

    def _check_attribute(self, node: ast.Attribute) -> None:
        if node.attr.startswith("__") and node.attr.endswith("__"):
            raise self.error(node, f"{node.attr}: a policy cannot reach what it has not been given")
        if node.attr in TO_FILES:
            raise self.error(node, f"a policy cannot use .{node.attr}, which writes a file")
        if node.attr in IN_PLACE:
            raise self.error(node, f"a policy cannot use .{node.attr}, which writes in place; {IN_PLACE[node.attr]}")
        if isinstance(node.value, ast.Name):
            owner = self._modules.get(node.value.id)
            if owner == "numpy" and node.attr in FORBIDDEN_OF_NUMPY:
                hint = "; chance comes from `stream` (kernels.rng.bounded)" if node.attr == "random" else ""
                raise self.error(node, f"a policy cannot use numpy.{node.attr}{hint}")
            if owner == "numba" and node.attr not in OF_NUMBA:
                raise self.error(node, f"a policy cannot use numba.{node.attr}; it may use {', '.join(OF_NUMBA)}")

    @cached_property
    def _modules(self) -> dict[str, str]:
        """Modules that the file imports whole, by the name that it gives them."""
        return {
            alias.asname or alias.name.partition(".")[0]: alias.name.partition(".")[0]
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }


def _is_reserved(node: ast.Name) -> bool:
    """Whether a name is one that the program or Python itself gives what is made of a file."""
    is_inner = node.id.startswith("__") and node.id.endswith("__")
    is_read = isinstance(node.ctx, ast.Load)
    return (is_inner and not (is_read and node.id in ("__name__", *FORBIDDEN_NAMES))) or (
        not is_read and (node.id == "ANSWERS" or node.id.startswith("_answer_"))
    )


@cache
def _borrowed_names(module: str) -> frozenset[str]:
    """Names that a module of the kernels has from elsewhere than kernels, NumPy and the like."""
    origin = find_spec(module)
    if origin is None or origin.origin is None:
        return frozenset()
    found = set()
    for node in ast.walk(ast.parse(Path(origin.origin).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            pairs = [(alias.name, alias.asname or alias.name.partition(".")[0]) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            pairs = [(node.module or "", alias.asname or alias.name) for alias in node.names]
        else:
            continue
        found |= {
            name
            for source, name in pairs
            if source not in IMPORTS_OF_KERNELS and source.partition(".")[0] not in ("kernels", "numpy", "__future__")
        }
    return frozenset(found)


def _kernel_modules() -> list[str]:
    root = Path(__file__).resolve().parents[2]
    paths = sorted((root / "kernels").rglob("*.py"))
    names = [".".join(path.relative_to(root).with_suffix("").parts) for path in paths]
    return [name.removesuffix(".__init__") for name in names]
