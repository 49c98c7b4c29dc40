"""Differences in words, for people who do not read tables."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.paired import Difference

SHARE = "share"
_SIGNIFICANT = 2


def decimals_for(half_width: float) -> int:
    """Decimals that show two digits of a half width, 0 to 6."""
    digits = 0
    while half_width > 0 and digits < 6 and round(half_width, digits) < 10 ** (_SIGNIFICANT - 1 - digits):
        digits += 1
    return digits


def amount(value: float, half_width: float, unit: str, *, signed: bool = False) -> str:
    """Return a number with its half width and unit, as ``212.3 ± 6.1 points`` or ``4.2 ± 0.3 percentage points``."""
    scale, words = (100.0, "percentage points") if unit == SHARE else (1.0, unit)
    return _told(value * scale, half_width * scale, words, signed)


def level(value: float, half_width: float, unit: str) -> str:
    """Return an estimate that is no difference with its half width, as ``52.2 ± 3.1 %``."""
    scale, words = (100.0, "%") if unit == SHARE else (1.0, unit)
    return _told(value * scale, half_width * scale, words, signed=False)


def _told(value: float, half_width: float, words: str, signed: bool) -> str:
    digits = decimals_for(half_width)
    sign = "+" if signed else ""
    return f"{value:{sign},.{digits}f} ± {half_width:,.{digits}f} {words}"


def verdict(first: str, second: str, found: Difference, what: str, unit: str) -> str:
    """Say which of two is ahead in something, and whether they may be equal.

    Parameters
    ----------
    what
        Follows the amount, as ``a deal``.
    """
    if found.difference is None or found.low is None or found.high is None:
        return f"So few deals tell nothing about {first} and {second}."
    if found.std_error == 0 and found.difference == 0:
        return f"{first} and {second} make the same of every deal."
    if found.low <= 0 <= found.high:
        told = amount(found.difference, found.half_width, unit, signed=True)
        return f"{first} and {second} may be equal: the difference is {told} {what}, and 0 lies within."
    ahead, behind = (first, second) if found.difference > 0 else (second, first)
    told = amount(abs(found.difference), found.half_width, unit)
    return f"{ahead} beats {behind} by {told} {what}; equal strength is excluded."


def listed(texts: Sequence[str]) -> str:
    """Return texts as ``a, b and c``."""
    return texts[0] if len(texts) == 1 else ", ".join(texts[:-1]) + f" and {texts[-1]}" if texts else ""
