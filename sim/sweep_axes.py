"""The axes of a sweep: options and parameters with the values that they take in turn."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

from kernels.spec import GameSpec, Option, Parameter
from sim.errors import UsageError, unknown
from sim.games import Setup, parse_policy
from sim.numbers import check_integer, parse_integer, parse_rate
from sim.rules import checked_options, option_text, parse_value

_RANGE = re.compile(r"(?P<low>[^.]+(?:\.\d+)?)\.\.(?P<high>[^:]+)(?::(?P<step>.+))?")
MOST_VALUES = 1_000


@dataclass(frozen=True)
class Axis:
    """An option, or a parameter of a policy, and its values in order."""

    name: str
    values: tuple[Any, ...]
    policy: str | None = None

    def row(self) -> dict[str, Any]:
        """What a document says of it."""
        kind = "rule" if self.policy is None else "param"
        return {"name": self.name, "kind": kind, "policy": self.policy, "values": list(self.values)}

    def words(self) -> list[str]:
        """Words of the command line that make it."""
        values = ",".join(map(option_text, self.values))
        return ["--rule", f"{self.name}={values}"] if self.policy is None else ["--param", f"{self.name}={values}"]


def grid(axes: Sequence[Axis]) -> list[dict[str, Any]]:
    """Values of every point, by name of the axis; the last axis changes fastest."""
    names = [axis.name for axis in axes]
    return [dict(zip(names, values, strict=True)) for values in product(*(axis.values for axis in axes))]


def rule_axis(common: Setup, name: str, values: Sequence[Any], where: str) -> Axis:
    """Axis of an option from values with types.

    Raises
    ------
    UsageError
        If there is no such option or a value is not allowed.
    """
    checked = [checked_options(common.spec, {name: value}, where)[name] for value in values]
    return Axis(name, _different(checked, f"{where}, {name}"))


def rule_texts_of(spec: GameSpec, text: str) -> tuple[Option, list[Any]]:
    """Option and values of ``name=v1,v2`` or ``name=lo..hi:step``.

    Raises
    ------
    UsageError
        If the text is of another form, or a value is not allowed.
    """
    name, equals, written = (piece.strip() for piece in text.partition("="))
    known = {option.name: option for option in spec.options}
    if not equals or not name:
        raise UsageError(f"--rule: {text!r} is not of the form name=value or name=value,value,...")
    if name not in known:
        raise unknown("--rule", f"option of {spec.name}", name, known)
    option = known[name]
    if ".." in written and (option.kind in ("integer", "rate") or _is_whole(option)):
        return option, _rule_range(option, written)
    return option, [parse_value(option, piece.strip()) for piece in written.split(",")]


def text_axis(option: Option, values: Sequence[Any]) -> Axis:
    """Axis of an option from values that were read."""
    return Axis(option.name, _different(values, f"--rule {option.name}"))


def params_axis(spec: GameSpec, name: str, values: Sequence[int], where: str) -> Axis:
    """Axis of ``policy:parameter`` from whole numbers.

    Raises
    ------
    UsageError
        If there is no such policy or parameter, or a value is out of range.
    """
    policy, parameter = _parameter(spec, name, where)
    checked = [check_integer(f"{where}, {name}", value, parameter.low, parameter.high) for value in values]
    return Axis(f"{policy}:{parameter.name}", _different(checked, f"{where}, {name}"), policy)


def param_text_axis(spec: GameSpec, text: str) -> Axis:
    """Axis of ``policy:parameter=lo..hi[:step]`` or ``policy:parameter=v1,v2``.

    Raises
    ------
    UsageError
        If the text is of another form, or a value is out of range.
    """
    name, equals, written = (piece.strip() for piece in text.partition("="))
    if not equals or ":" not in name:
        raise UsageError(
            f"--param: {text!r} is not of the form policy:parameter=low..high, low..high:step or value,value,..."
        )
    policy, parameter = _parameter(spec, name, "--param")
    where, low, high = f"--param {name}", parameter.low, parameter.high
    if ".." in written:
        values = _range(where, written, low, high)
    else:
        values = [parse_integer(where, piece, low, high) for piece in written.split(",")]
    return Axis(f"{policy}:{parameter.name}", _different(values, where), policy)


def _parameter(spec: GameSpec, name: str, where: str) -> tuple[str, Parameter]:
    # A file's path may have colons of its own.
    policy_name, _, parameter_name = name.rpartition(":") if ":" in name else (name, "", "")
    policy = parse_policy(spec, policy_name, where).policy
    known = {parameter.name: parameter for parameter in policy.parameters}
    if not known:
        raise UsageError(f"{where}: {policy.name} has no parameters")
    if parameter_name not in known:
        raise unknown(where, f"parameter of policy {policy.name}", parameter_name, known)
    return policy.name, known[parameter_name]


def _range(where: str, written: str, low: int, high: int) -> list[int]:
    found = _RANGE.fullmatch(written)
    if found is None:
        raise UsageError(f"{where}: {written!r} is not of the form low..high or low..high:step")
    start, end = (parse_integer(where, found[end], low, high) for end in ("low", "high"))
    step = parse_integer(f"{where}, step", found["step"], 1, max(1, high - low)) if found["step"] else 1
    if end < start:
        raise UsageError(f"{where}: {written!r} ends below its start; write low..high")
    if (end - start) // step >= MOST_VALUES:
        raise UsageError(f"{where}: {written!r} has more than {MOST_VALUES:,} values; a larger step gives fewer")
    return list(range(start, end + 1, step))


def _is_whole(option: Option) -> bool:
    """Whether a choice is among whole numbers."""
    return option.kind == "choice" and all(isinstance(choice, int) for choice in option.choices)


def _rule_range(option: Option, written: str) -> list[Any]:
    where = f"--rule {option.name}"
    if option.kind == "integer":
        return list(_range(where, written, option.low, option.high))
    if option.kind == "choice":
        numbers = _range(where, written, min(option.choices), max(option.choices))
        return [parse_value(option, str(number)) for number in numbers]
    found = _RANGE.fullmatch(written)
    if found is None or not found["step"]:
        raise UsageError(f"{where}: {written!r} is not of the form low..high:step, as 0..0.5:0.1")
    start, end, step = (Decimal(str(parse_rate(where, found[part]))) for part in ("low", "high", "step"))
    if step == 0 or end < start or (end - start) / step >= MOST_VALUES:
        raise UsageError(f"{where}: {written!r} is no range of at most {MOST_VALUES:,} values")
    return [float(start + step * number) for number in range(int((end - start) / step) + 1)]


def _different(values: Sequence[Any], where: str) -> tuple[Any, ...]:
    if not values:
        raise UsageError(f"{where}: no value is given")
    twice = next((value for number, value in enumerate(values) if value in values[:number]), None)
    if twice is not None:
        raise UsageError(f"{where}: {option_text(twice)} is given twice")
    return tuple(values)


def point_policy(axes: Sequence[Axis], values: Mapping[str, Any], base: str) -> str:
    """Text of the policy of a point: `base` with the values of the parameters that are swept."""
    own = [f"{axis.name.rpartition(':')[2]}={values[axis.name]}" for axis in axes if axis.policy is not None]
    return base + (":" + ",".join(own) if own else "")
