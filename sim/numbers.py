"""Whole numbers as people write them: 1000000, 1_000_000 or 1e6."""

from __future__ import annotations

import re
from decimal import Decimal

from sim.errors import UsageError

MAX_UINT64 = 2**64 - 1
MAX_INT64 = 2**63 - 1

_NUMBER = re.compile(r"[+-]?(\d+(_\d+)*)(\.(\d+(_\d+)*)?)?([eE][+-]?\d{1,3})?", re.ASCII)


def parse_integer(name: str, text: str, low: int, high: int) -> int:
    """Read a whole number from `low` to `high`.

    Parameters
    ----------
    name
        What the number is, for the message, as ``--deals``.
    text
        As ``1000000``, ``1_000_000``, ``1e6`` or ``2.5e6``.

    Raises
    ------
    UsageError
        If the text is no whole number or lies outside the range.
    """
    written = text.strip()
    allowed = f"a whole number from {low:_} to {high:_}, as 1000000, 1_000_000 or 1e6"
    if not _NUMBER.fullmatch(written):
        raise UsageError(f"{name}: {text!r} is no number; allowed is {allowed}")
    number = Decimal(written.replace("_", ""))
    if number.adjusted() > 30 or number != number.to_integral_value():
        raise UsageError(f"{name}: {text!r} is not allowed; allowed is {allowed}")
    if not low <= number <= high:
        raise UsageError(f"{name}: {text!r} is out of range; allowed is {allowed}")
    return int(number)


def check_integer(name: str, value: object, low: int, high: int) -> int:
    """Check a number that a program passes: an integer (or a text of one) from `low` to `high`.

    Raises
    ------
    UsageError
        If it is of another type or outside the range.
    """
    if isinstance(value, str):
        return parse_integer(name, value, low, high)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise UsageError(f"{name}: {value!r} is no whole number; allowed is {low:_} to {high:_}")
    number = int(value.__index__())
    if not low <= number <= high:
        raise UsageError(f"{name}: {number:_} is out of range; allowed is {low:_} to {high:_}")
    return number


def parse_fraction(name: str, text: str) -> float:
    """Read a number strictly between 0 and 1, as ``0.95`` or ``95%``.

    Raises
    ------
    UsageError
        If the text is no such number.
    """
    written = text.strip()
    scale = 1.0
    if written.endswith("%"):
        written, scale = written[:-1], 100.0
    try:
        value = float(written) / scale
    except ValueError:
        value = -1.0
    if not 0.0 < value < 1.0:
        raise UsageError(f"{name}: {text!r} is not allowed; allowed is a number between 0 and 1, as 0.95 or 95%")
    return value
