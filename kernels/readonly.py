"""Records that compiled code can read and never write: what a policy that comes from outside is given.

`reading` turns a record into a view of it that has the record's scalars, arrays and records and no way to write any of
them; every index is held against the bounds of its array. It is the address of the record and costs nothing. Kernels
that only read a record compile with a view as they do with the record.

Interpreted, a view is an object with the same manners.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

import kernels._jit  # noqa: F401  (the cache folder must be set before numba is imported)

from numba import types  # isort: skip
from numba.core import cgutils, errors, imputils  # isort: skip
from numba.core.datamodel import models, register_default  # isort: skip
from numba.core.typing import signature  # isort: skip
from numba.core.typing.templates import AttributeTemplate, infer_getattr  # isort: skip
from numba.extending import (  # isort: skip
    intrinsic,
    lower_builtin,
    overload,
    overload_attribute,
    overload_method,
    type_callable,
)
from numba.np.arrayobj import make_array  # isort: skip
from numba.np.numpy_support import as_dtype  # isort: skip

BYTES = cgutils.voidptr_t


class View(types.Type):  # type: ignore[misc]
    """Type of a record that can only be read."""

    def __init__(self, record: types.Record) -> None:
        self.record = record
        super().__init__(name=f"View({record.name})")


class ArrayView(types.Type):  # type: ignore[misc]
    """Type of an array within such a record; of a stream, whose words may be written, `is_written`."""

    def __init__(self, dtype: types.Type, shape: tuple[int, ...], is_written: bool = False) -> None:
        self.dtype = dtype
        self.shape = shape
        self.is_written = is_written
        super().__init__(name=f"ArrayView({dtype}, {shape}, {is_written})")

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from an element to the next one in each dimension."""
        step = _size_of(self.dtype)
        strides: list[int] = []
        for length in reversed(self.shape):
            strides.insert(0, step)
            step *= length
        return tuple(strides)


register_default(View)(models.OpaqueModel)
register_default(ArrayView)(models.OpaqueModel)


def _size_of(dtype: types.Type) -> int:
    if isinstance(dtype, types.Record):
        return int(dtype.size)
    return int(as_dtype(dtype).itemsize)


def _seen(member: types.Type) -> types.Type:
    """Type by which a member of a record is read."""
    if isinstance(member, types.NestedArray):
        return ArrayView(member.dtype, member.shape)
    return View(member) if isinstance(member, types.Record) else member


@infer_getattr
class _Members(AttributeTemplate):  # type: ignore[misc]
    key = View

    def generic_resolve(self, view: View, name: str) -> types.Type | None:
        if name not in view.record.fields:
            known = ", ".join(view.record.fields)
            raise errors.NumbaAttributeError(f"there is no {name!r} to be seen; there is {known}")
        return _seen(view.record.typeof(name))


@imputils.lower_getattr_generic(View)
def _member(context: Any, builder: Any, view: View, value: Any, name: str) -> Any:
    record = view.record
    address = cgutils.pointer_add(builder, value, record.offset(name), BYTES)
    return _loaded(context, builder, record.typeof(name), address, record.aligned)


def _loaded(context: Any, builder: Any, dtype: types.Type, address: Any, is_aligned: bool) -> Any:
    """What lies at an address: a scalar, or the address itself of what is no scalar."""
    if isinstance(dtype, types.NestedArray | types.Record):
        return address
    typed = builder.bitcast(address, context.get_data_type(dtype).as_pointer())
    return context.unpack_value(builder, dtype, typed, None if is_aligned else 1)


def _element_type(array: ArrayView, index: types.Type) -> types.Type | None:
    """Type of an element, or of a row where fewer indices are given than there are dimensions."""
    indices = index.types if isinstance(index, types.BaseTuple) else (index,)
    if not all(isinstance(one, types.Integer) for one in indices):
        return None
    if not 0 < len(indices) <= len(array.shape):
        return None
    rest = array.shape[len(indices) :]
    if rest:
        return ArrayView(array.dtype, rest, array.is_written)
    return View(array.dtype) if isinstance(array.dtype, types.Record) else array.dtype


@type_callable(operator.getitem)
def _type_getitem(_context: Any) -> Any:
    def resolve(array: Any, index: Any) -> types.Type | None:
        return _element_type(array, index) if isinstance(array, ArrayView) else None

    return resolve


@type_callable(operator.setitem)
def _type_setitem(_context: Any) -> Any:
    def resolve(array: Any, index: Any, value: Any) -> types.Type | None:
        if not isinstance(array, ArrayView) or not array.is_written or not isinstance(index, types.Integer):
            return None
        return types.void if isinstance(value, types.Integer) else None

    return resolve


def _address(context: Any, builder: Any, array: ArrayView, value: Any, index: types.Type, places: Any) -> Any:
    """Address of an element; an `IndexError` where there is none."""
    kinds = index.types if isinstance(index, types.BaseTuple) else (index,)
    given = cgutils.unpack_tuple(builder, places, len(kinds)) if isinstance(index, types.BaseTuple) else [places]
    offset = context.get_constant(types.intp, 0)
    for kind, place, length, stride in zip(kinds, given, array.shape, array.strides, strict=False):
        at = context.cast(builder, place, kind, types.intp)
        size = context.get_constant(types.intp, length)
        if kind.signed:
            is_negative = builder.icmp_signed("<", at, context.get_constant(types.intp, 0))
            at = builder.select(is_negative, builder.add(at, size), at)
        with builder.if_then(builder.icmp_unsigned(">=", at, size), likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ("index is out of bounds",))
        offset = builder.add(offset, builder.mul(at, context.get_constant(types.intp, stride)))
    return cgutils.pointer_add(builder, value, offset, BYTES)


@lower_builtin(operator.getitem, ArrayView, types.Any)
def _getitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array, index = sig.args
    address = _address(context, builder, array, args[0], index, args[1])
    if isinstance(sig.return_type, ArrayView | View):
        return address
    return _loaded(context, builder, array.dtype, address, False)


@lower_builtin(operator.setitem, ArrayView, types.Any, types.Any)
def _setitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array, index, kind = sig.args
    address = _address(context, builder, array, args[0], index, args[1])
    typed = builder.bitcast(address, context.get_data_type(array.dtype).as_pointer())
    context.pack_value(builder, array.dtype, context.cast(builder, args[2], kind, array.dtype), typed)
    return context.get_dummy_value()


@overload(len)
def _len(array: Any) -> Any:
    if not isinstance(array, ArrayView):
        return None
    length = array.shape[0]

    def get(array: Any) -> Any:
        return length

    return get


@overload_attribute(ArrayView, "size")
def _size(array: Any) -> Any:
    size = int(np.prod(array.shape))

    def get(array: Any) -> Any:
        return size

    return get


@overload_attribute(ArrayView, "shape")
def _shape(array: Any) -> Any:
    shape = array.shape

    def get(array: Any) -> Any:
        return shape

    return get


@overload_method(ArrayView, "sum")
def _sum(array: Any) -> Any:
    if len(array.shape) != 1:
        return None

    def total(array: Any) -> Any:
        result = np.int64(0)
        for index in range(len(array)):
            result += np.int64(array[index])
        return result

    return total


@intrinsic
def _view_of(_context: Any, record: Any) -> Any:
    if not isinstance(record, types.Record):
        return None

    def codegen(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], BYTES)

    return signature(View(record), record), codegen


def _array_view(is_written: bool) -> Any:
    @intrinsic
    def view_of(_context: Any, array: Any) -> Any:
        if not isinstance(array, types.NestedArray):
            return None

        def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.bitcast(make_array(array)(context, builder, args[0]).data, BYTES)

        return signature(ArrayView(array.dtype, array.shape, is_written), array), codegen

    return view_of


@intrinsic
def _not_written(_context: Any, array: Any) -> Any:
    if not isinstance(array, types.Array):
        return None

    def codegen(context: Any, builder: Any, typed: Any, args: Any) -> Any:
        return imputils.impl_ret_borrowed(context, builder, typed.return_type, args[0])

    return signature(array.copy(readonly=True), array), codegen


_read_array, _written_array = _array_view(False), _array_view(True)


def reading(value: Any) -> Any:
    """Return a view of a record, or of an array within one, that cannot be written; other values as they are.

    A row of such an array, whose length is not known to the compiler, is a read-only array.
    """
    if isinstance(value, np.record | np.recarray | np.void):
        return _Reading(value)
    return _ReadingArray(value, False) if isinstance(value, np.ndarray) else value


def words(array: Any) -> Any:
    """Return a view of an array within a record whose elements alone can be written: a stream."""
    return _ReadingArray(array, True)


@overload(reading, inline="always")
def _reading(value):  # type: ignore[no-untyped-def]  # Numba compares the bare signatures
    if isinstance(value, types.Record):
        return lambda value: _view_of(value)
    if isinstance(value, types.NestedArray):
        return lambda value: _read_array(value)
    if isinstance(value, types.Array):
        return lambda value: _not_written(value)
    if isinstance(value, types.Number | types.Boolean):
        return lambda value: value
    return None


@overload(words, inline="always")
def _words(array):  # type: ignore[no-untyped-def]
    return lambda array: _written_array(array)


class _Reading:
    """What `View` is to interpreted code."""

    __slots__ = ("_record",)

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        record = object.__getattribute__(self, "_record")
        if name not in (record.dtype.names or ()):
            raise AttributeError(f"there is no {name!r} to be seen; there is {', '.join(record.dtype.names)}")
        return reading(record[name])

    def __setattr__(self, name: str, _value: Any) -> None:
        raise TypeError(f"{name!r} can be read, not written")


class _ReadingArray:
    """What `ArrayView` is to interpreted code."""

    __slots__ = ("_array", "_is_written", "shape", "size")

    def __init__(self, array: Any, is_written: bool) -> None:
        self._array = array
        self._is_written = is_written
        self.shape = array.shape
        self.size = array.size

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: Any) -> Any:
        return reading(self._array[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        if not self._is_written:
            raise TypeError("an array of the table can be read, not written")
        self._array[index] = value

    def sum(self) -> Any:
        """Sum of the elements."""
        return np.int64(sum(int(one) for one in self._array))
