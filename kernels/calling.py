"""Compiled functions called by their address, so that who calls them is compiled without them.

LLVM optimises all that a function calls again with each caller. A search, which holds a game's loops, would be compiled
anew with every function above it; called by its address it is compiled once. Only what takes microseconds at the least
should be called so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import kernels._jit  # noqa: F401  (the cache folder must be set before numba is imported)

import numba  # isort: skip
from numba.core import cgutils, types  # isort: skip
from numba.core.types.containers import Tuple  # isort: skip
from numba.extending import intrinsic  # isort: skip

Arguments = Sequence[Any]


def type_of(what: Any) -> Any:
    """Return what Numba calls a value of a dtype, a NumPy scalar class, `bool`, `int`, or a type of its own."""
    if isinstance(what, types.Type):
        return what
    dtype = np.dtype(np.int64 if what is int else what)
    return numba.from_dtype(dtype)


def array_of(what: Any, dimensions: int = 1) -> Any:
    """Return what Numba calls an array, whole in memory, of what `type_of` takes."""
    return types.Array(type_of(what), dimensions, "C")


STREAM = types.NestedArray(dtype=types.uint64, shape=(1,))
"""The stream of a state: a field, which Numba calls other than an array of its own."""

UINT64_ARRAY, INT64_ARRAY, INT64_ROWS = array_of(np.uint64), array_of(np.int64), array_of(np.int64, 2)


if numba.config.DISABLE_JIT:

    def own_array(field: Any) -> Any:
        """Return the field."""
        return field

else:

    @intrinsic
    def own_array(_typing: Any, field: Any) -> Any:
        """Return an array that is a field of a record as one of its own.

        What takes such arrays is not compiled once more for the field; nothing may hold it longer than the record.
        """

        def generate(_context: Any, _builder: Any, _signature: Any, given: Any) -> Any:
            return given[0]

        return array_of(field.dtype, field.ndim)(field), generate


@dataclass(frozen=True, slots=True)
class Callee:
    """A compiled function with the one signature that it is called with.

    Attributes
    ----------
    function
        What `kernels._jit` made of it.
    call
        For compiled code: ``call(address, (argument, ...))``.
    """

    function: Any
    result: Any
    arguments: tuple[Any, ...]
    call: Callable[..., Any]

    def address(self) -> int:
        """Where its code is; compiles it unless that is cached.

        Raises
        ------
        TypeError
            If it does not give the result that was declared.
        """
        if numba.config.DISABLE_JIT:
            return 0
        self.function.compile(self.arguments)
        compiled = self.function.overloads[self.arguments]
        if compiled.signature.return_type != self.result:
            name = self.function.py_func.__name__
            raise TypeError(f"{name} gives {compiled.signature.return_type} where {self.result} is declared")
        return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def callee(function: Any, result: Any, arguments: Arguments) -> Callee:
    """Declare how a function is called by its address.

    Parameters
    ----------
    result
        What it returns: for `type_of`, or a list of that for a tuple.
    arguments
        What it takes, likewise.
    """
    if numba.config.DISABLE_JIT:
        return Callee(function, None, (), lambda _address, values: function(*values))
    kinds = tuple(type_of(argument) for argument in arguments)
    returned = Tuple([type_of(part) for part in result]) if isinstance(result, list) else type_of(result)
    return Callee(function, returned, kinds, _caller(returned, kinds))


def _caller(result: Any, arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """Return what calls an address with these types; others are refused when the caller is compiled."""

    @intrinsic
    def call(_typing: Any, address: Any, values: Any) -> Any:
        if len(values) != len(arguments):
            raise numba.core.errors.TypingError(f"{len(values)} values for {len(arguments)} arguments")

        def generate(context: Any, builder: Any, _signature: Any, given: Any) -> Any:
            at, packed = given
            convention = context.call_conv
            pointer = convention.get_function_type(result, arguments).as_pointer()
            parts = [
                _converted(context, builder, builder.extract_value(packed, place), kind, wanted)
                for place, (kind, wanted) in enumerate(zip(values, arguments, strict=True))
            ]
            code = builder.inttoptr(at, pointer)
            status, returned = convention.call_function(builder, code, result, arguments, parts)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return returned

        return result(types.int64, Tuple(tuple(values))), generate

    return call


def _converted(context: Any, builder: Any, value: Any, kind: Any, wanted: Any) -> Any:
    """Return a value as the type that is wanted; an array that is a field of a record is like any other."""
    if isinstance(kind, types.NestedArray) and isinstance(wanted, types.Array):
        if (kind.dtype, kind.ndim, "C") != (wanted.dtype, wanted.ndim, wanted.layout):
            raise numba.core.errors.TypingError(f"{kind} where {wanted} is declared")
        return value
    return context.cast(builder, value, kind, wanted)
