"""What stands outside the functions of a policy file, run for the first time: in a process that can be ended.

Python has no way to break off `10**10**10`, and memory that is gone takes the whole process with it. So what may take
long is tried by ``python -m sim.own.loading``; names, numbers and small arrays, which is what most files have, are not.
"""

from __future__ import annotations

import ast
import faulthandler
import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from sim.paths import import_path

SECONDS = 20
"""Seconds in which it has to be done."""

STARTING_SECONDS = 300
"""Seconds more until the process that tries is given up, on a machine that is busy with other things."""

MOST_MEMORY = 2 << 30
"""Bytes that it may take."""

SMALL, SMALL_POWER = 1 << 16, 64
"""Sizes and exponents that are sure to be quick."""

SCALARS = frozenset({"bool_", *(f"{kind}{bits}" for kind in ("int", "uint", "float") for bits in (8, 16, 32, 64))})
COPIES = frozenset({"array", "asarray", "dtype"})
SIZED = frozenset({"arange", "empty", "full", "ones", "zeros"})


def is_quick(tree: ast.Module) -> bool:
    """Whether a file, once run, is sure to be done at once: whatever is not known to be quick is not.

    Examples
    --------
    >>> is_quick(ast.parse("BIT = np.uint64(1 << 60); X = np.arange(4)"))
    True
    >>> is_quick(ast.parse("X = 10**10**10")), is_quick(ast.parse("while True: pass"))
    (False, False)
    """
    return all(_is_quick_statement(node) for node in tree.body)


def _is_quick_statement(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef):
        notes = [one.annotation for one in ast.walk(node.args) if isinstance(one, ast.arg)]
        return all(one is None or _is_quick(one) for one in (*node.decorator_list, *notes, node.returns))
    if isinstance(node, ast.AnnAssign):
        return _is_quick(node.annotation) and (node.value is None or _is_quick(node.value))
    if isinstance(node, ast.Assign | ast.Expr):
        return _is_quick(node.value)
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Pass)


def _is_quick(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant | ast.Name | ast.Lambda):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Pow | ast.LShift):
        return _is_number(node.left) and _is_number(node.right, SMALL_POWER)
    if isinstance(node, ast.Call):
        return _is_quick_call(node)
    kinds = ast.Attribute | ast.Tuple | ast.List | ast.Dict | ast.UnaryOp | ast.BinOp | ast.Compare | ast.Subscript
    if not isinstance(node, kinds):
        return False
    return all(_is_quick(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))


def _is_number(node: ast.expr, most: int = 1 << 64) -> bool:
    """Whether it is a whole number of no more than that, written out or as a scalar of NumPy's."""
    if isinstance(node, ast.Call):
        return _name_of(node.func) in SCALARS and len(node.args) == 1 and _is_number(node.args[0], most)
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and abs(node.value) <= most


def _is_quick_call(node: ast.Call) -> bool:
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    name = _name_of(node.func)
    if name in SIZED:
        return all(isinstance(one, ast.Attribute) or _is_small(one) for one in given)
    return name in SCALARS | COPIES | {"njit", "jit"} and all(_is_quick(one) for one in given)


def _is_small(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return len(node.elts) <= 2 and all(_is_number(one, 1 << 8) for one in node.elts)
    return _is_number(node, SMALL) or (isinstance(node, ast.Constant) and not isinstance(node.value, int))


def _name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def tried(copy: Path, name: str, answers: Any, *, counts: bool) -> tuple[int, str] | None:
    """Run a file in a process of its own.

    Parameters
    ----------
    copy, name, answers, counts
        As `kernels.own.load` has them.

    Returns
    -------
    tuple of int and str, or None
        The line, 0 if it is not known, and what is wrong there; None if it came to its end.
    """
    request = {"copy": str(copy), "name": name, "answers": answers, "counts": counts, "seconds": SECONDS}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "sim.own.loading"],
            input=json.dumps(request).encode(),
            capture_output=True,
            env={**os.environ, "PYTHONPATH": import_path()},
            timeout=SECONDS + STARTING_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 0, f"what stands outside the functions was not run within {SECONDS + STARTING_SECONDS} s"
    if done.returncode == 0:
        found = json.loads(done.stdout)
        return None if found is None else (int(found[0]), str(found[1]))
    trace = done.stderr.decode(errors="replace")
    at = re.search(rf'File "[^"]*{re.escape(copy.name)}", line (\d+)', trace)
    line = int(at[1]) if at else 0
    if trace.startswith("Timeout"):
        return line, f"what stands outside the functions does not come to an end within {SECONDS} s"
    return line, f"what stands outside the functions ended the process that ran it (exit status {done.returncode})"


def main() -> None:
    """Run what the pipe names, and say what came of it."""
    from kernels import own

    request = json.loads(sys.stdin.buffer.read())
    copy = Path(request["copy"])
    answers = {question: (tuple(names), tuple(kinds)) for question, (names, kinds) in request["answers"].items()}
    _limit_memory()
    faulthandler.dump_traceback_later(request["seconds"], exit=True)
    found: tuple[int, str] | None = None
    try:
        own.load(copy, request["name"], answers, request["counts"])
    except MemoryError as error:
        found = _line(error, copy), f"it takes more than {MOST_MEMORY >> 30} GiB of memory"
    except BaseException as error:
        found = _line(error, copy), f"{type(error).__name__}: {error}".removesuffix(": ")
    faulthandler.cancel_dump_traceback_later()
    print(json.dumps(found))


def _line(error: BaseException, copy: Path) -> int:
    line, trace = getattr(error, "line", 0), error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == copy:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _limit_memory() -> None:
    """Let this process take so much more memory and no more, where the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MOST_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
