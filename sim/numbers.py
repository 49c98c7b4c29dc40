"""Numbers as people write them, 1000000, 1_000_000 or 1e6, and as they read them."""

from __future__ import annotations

import re
from decimal import Decimal
from numbers import Real
from operator import index

from sim.errors import UsageError

MAX_UINT64 = 2**64 - 1
MAX_INT64 = 2**63 - 1

_NUMBER = re.compile(r"[+-]?(\d+(_\d+)*)(\.(\d+(_\d+)*)?)?([eE][+-]?\d{1,3})?", re.ASCII)
_FRACTION = re.compile(r"\+?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number of things in words, as ``1 deal`` or ``2,000 deals``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def units_text(number: int, unit: str) -> str:
    """Return a number of ``deals`` or ``matches`` in words, as ``1 match``."""
    return counted(number, unit_name(unit), unit)


def unit_name(unit: str) -> str:
    """Return what one of the ``deals`` or ``matches`` is called."""
    return {"matches": "match"}.get(unit, unit.removesuffix("s"))


def range_text(unit: str, first: int, end: int) -> str:
    """Return units `first` to ``end - 1`` in words, as ``deals 300 to 449 are`` or ``match 7 is``."""
    if end - first == 1:
        return f"{unit_name(unit)} {first:,} is"
    return f"{unit} {first:,} to {end - 1:,} are"


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
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UsageError(f"{name}: {value!r} is no whole number; allowed is {low:_} to {high:_}") from None
    if not low <= number <= high:
        raise UsageError(f"{name}: {number:_} is out of range; allowed is {low:_} to {high:_}")
    return number


def parse_number(text: str) -> Decimal | None:
    """Read a number as people write it, or return None for what is none."""
    return Decimal(text.replace("_", "")) if _NUMBER.fullmatch(text) or _FRACTION.fullmatch(text) else None


def check_fraction(name: str, value: object) -> float:
    """Check a number that a program passes: strictly between 0 and 1.

    Raises
    ------
    UsageError
        If it is of another type or outside the range.
    """
    number = _real(value)
    if not 0.0 < number < 1.0:
        raise UsageError(f"{name}: {value!r} is not allowed; allowed is a number between 0 and 1, as 0.95")
    return number


def parse_fraction(name: str, text: str) -> float:
    """Read a number strictly between 0 and 1, as ``0.95`` or ``95%``.

    Raises
    ------
    UsageError
        If the text is no such number.
    """
    value = _parse_share(text)
    if not 0.0 < value < 1.0:
        raise UsageError(f"{name}: {text!r} is not allowed; allowed is a number between 0 and 1, as 0.95 or 95%")
    return value


def check_rate(name: str, value: object) -> float:
    """Check a probability that a program passes: from 0 to 1, or a text of one.

    Raises
    ------
    UsageError
        If it is of another type or outside the range.
    """
    if isinstance(value, str):
        return parse_rate(name, value)
    number = _real(value)
    if not 0.0 <= number <= 1.0:
        raise UsageError(f"{name}: {value!r} is not allowed; allowed is a probability from 0 to 1, as 0.1")
    return number


def parse_rate(name: str, text: str) -> float:
    """Read a probability from 0 to 1, as ``0.1`` or ``10%``.

    Raises
    ------
    UsageError
        If the text is no such number.
    """
    value = _parse_share(text)
    if not 0.0 <= value <= 1.0:
        raise UsageError(f"{name}: {text!r} is not allowed; allowed is a probability from 0 to 1, as 0.1 or 10%")
    return value


def _real(value: object) -> float:
    """Return a real number of any type, or -1 for what is none or has no place among floats."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return -1.0
    try:
        return float(value)
    except OverflowError:
        return -1.0


def _parse_share(text: str) -> float:
    """Read a number or a percentage, or return -1 for what is none."""
    written = text.strip()
    percent = written.endswith("%")
    number = written.removesuffix("%").rstrip()
    # In decimals, so that 99.9% is 0.999 and not the double that comes out of a division.
    return float(Decimal(number).scaleb(-2 if percent else 0)) if _FRACTION.fullmatch(number) else -1.0
