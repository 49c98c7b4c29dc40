"""Value counts in bins, for the histograms of reports and of the terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.documents import Counts

TAIL = 0.0005
"""Share of the rows at either end that a wide histogram leaves out, so that its middle can be seen."""

ROWS_WITH_TAILS = 2_000
"""A histogram of fewer rows leaves out none."""


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins of equal width.

    Attributes
    ----------
    start, width, number
        Bin i holds the values from ``start + i * width`` to under ``start + (i + 1) * width``.
    step
        All values are whole multiples of it away from each other.
    is_each
        Whether every possible value has a bin of its own, which then stands in its middle.
    divisor
        What all of the above are divided by, where values are fractions; `edges`, `values` and labels are divided.
    """

    start: float
    width: int
    number: int
    step: int
    is_each: bool
    divisor: int = 1

    def edges(self, index: int) -> tuple[float, float]:
        """Where a bin starts and ends."""
        return (self.start + index * self.width) / self.divisor, (self.start + (index + 1) * self.width) / self.divisor

    def values(self, index: int) -> tuple[float, float]:
        """Lowest and highest value that a bin can hold."""
        low = round(self.start + index * self.width + (self.width / 2 if self.is_each else 0))
        high = low if self.is_each else low + self.width - self.step
        return (low, high) if self.divisor == 1 else (low / self.divisor, high / self.divisor)

    def label(self, index: int) -> str:
        """Values of a bin in words, as ``600 to 690``."""
        low, high = (value_text(value) for value in self.values(index))
        return low if low == high else f"{low} to {high}"

    def count(self, counts: Counts) -> tuple[list[int], int]:
        """Rows in each bin, and those in none."""
        inside = [0] * self.number
        outside = 0
        for value, count in zip(counts.values, counts.counts, strict=True):
            index = math.floor((value - self.start) / self.width)
            if 0 <= index < self.number:
                inside[index] += count
            else:
                outside += count
        return inside, outside


def value_text(value: float) -> str:
    """Return a value as briefly as it can be read: a whole number, or two decimals at most."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}".rstrip("0")


def bins_of(several: Sequence[Counts], most: int, divisor: int = 1) -> Bins | None:
    """Bins that suit value counts, the same for all of them: `most` at the highest, of a width that reads well.

    Parameters
    ----------
    several
        Value counts, of one group or of several that are compared.
    most
        The highest number of bins, 2 or more.
    divisor
        What the values are divided by.

    Returns
    -------
    Bins or None
        None where there is nothing to count.
    """
    together: dict[int, int] = {}
    for counts in several:
        for value, count in zip(counts.values, counts.counts, strict=True):
            if count:
                together[value] = together.get(value, 0) + count
    if not together:
        return None
    values = sorted(together)
    low, high = values[0], values[-1]
    step = math.gcd(*(value - low for value in values)) or 1
    if (high - low) // step < most:
        return Bins(low - step / 2, step, (high - low) // step + 1, step, True, divisor)
    low, high = _without_tails(values, together)
    for factor in _readable_numbers():
        width = factor * step
        start = low // width * width
        # A bin starts at a value that occurs, also where the values are no multiples of their step.
        start += (values[0] - start) % step
        number = (high - start) // width + 1
        if number <= most:
            return Bins(start, width, number, step, False, divisor)
    raise AssertionError("a width that is large enough is always reached")


def _without_tails(values: Sequence[int], together: dict[int, int]) -> tuple[int, int]:
    total = sum(together.values())
    if total < ROWS_WITH_TAILS:
        return values[0], values[-1]
    return _after(values, together, total * TAIL), _after(values[::-1], together, total * TAIL)


def _after(values: Sequence[int], together: dict[int, int], skipped: float) -> int:
    """Return the first value before which no more than `skipped` rows lie."""
    seen = 0
    for value in values:
        seen += together[value]
        if seen > skipped:
            return value
    return values[-1]


def _readable_numbers() -> Sequence[int]:
    return [digit * 10**power for power in range(25) for digit in (1, 2, 5)]
