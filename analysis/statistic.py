"""What a statistic is: a name, a unit, a question, and Polars expressions over a frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import polars as pl

from analysis.seating import ALL, FIRST, POLICY, SIDE

Kind = Literal["proportion", "number", "ratio"]
Level = Literal["deals", "sides"]
Across = Literal["any", "all", "sum"]

QUANTILES = (5, 25, 50, 75, 95)
"""Quantiles of every number, in percent: ``turns:p50`` is the median of ``turns``."""

EVERY_GROUP = (ALL, SIDE, POLICY, FIRST)


@dataclass(frozen=True, slots=True, eq=False)
class Statistic:
    """One question asked of every deal.

    Attributes
    ----------
    name
        Its stable name; a parameter follows a colon.
    unit
        Unit of the estimate: ``share`` (0 to 1) for a proportion, else what is counted.
    question
        What it answers, in one sentence.
    kind
        ``proportion``: `value` is true or false. ``number``: an integer, told by its mean, standard deviation,
        quantiles and value counts. ``ratio``: the sum of `value` over the sum of `per`.
    value
        Over the columns of the frame of `level`; null where the question does not arise, and `n` counts the others.
    section
        Heading of the tables it stands under.
    level
        ``deals``: one row a deal. ``sides``: a row a deal and side.
    among
        The rows that are asked, where it is not all of them.
    per
        Denominator of a ratio, 0 or more.
    most
        Of how many of a deal's rows a proportion can be true (of one: who wins); None where of any number.
    across
        Turns the values of a deal's sides into one for the deal: `value` is then over the columns of `sides`, never
        null, and `level` is ``deals``.
    groups
        Kinds of group that it is told for; a statistic of deals has `ALL` alone.
    seats
        Seats that a table must have for it to be told of anything.
    """

    name: str
    unit: str
    question: str
    kind: Kind
    value: pl.Expr
    section: str
    level: Level = "sides"
    among: str = ""
    per: pl.Expr | None = None
    most: int | None = None
    across: Across | None = None
    groups: tuple[str, ...] = EVERY_GROUP
    seats: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be measured."""
        if (self.kind == "ratio") != (self.per is not None):
            raise ValueError(f"{self.name}: a ratio, and nothing else, has a denominator")
        if self.most is not None and (self.kind != "proportion" or self.most < 1):
            raise ValueError(f"{self.name}: only a proportion can be true of so many rows, and then of one at least")
        if self.across and (self.level == "sides" or self.kind == "ratio"):
            raise ValueError(f"{self.name}: only a proportion or a number of deals is put together across sides")

    @property
    def rows(self) -> tuple[str, ...]:
        """Names that it has in the `statistic` column of a summary."""
        if self.kind != "number":
            return (self.name,)
        return (self.name, f"{self.name}:sd", *(f"{self.name}:p{percent}" for percent in QUANTILES))

    @property
    def source(self) -> Level:
        """The frame that `value` is evaluated on."""
        return "sides" if self.across else self.level


def proportion(
    name: str,
    question: str,
    value: pl.Expr,
    section: str,
    *,
    level: Level = "sides",
    among: str = "",
    most: int | None = None,
    across: Across | None = None,
    seats: int = 0,
) -> Statistic:
    """Share of the rows of which `value` is true."""
    return Statistic(
        name, "share", question, "proportion", value, section, level, among, most=most, across=across, seats=seats
    )


def number(
    name: str,
    unit: str,
    question: str,
    value: pl.Expr,
    section: str,
    *,
    level: Level = "sides",
    among: str = "",
    groups: tuple[str, ...] = EVERY_GROUP,
    seats: int = 0,
) -> Statistic:
    """Integer with a mean, a standard deviation, quantiles and value counts."""
    return Statistic(name, unit, question, "number", value, section, level, among, groups=groups, seats=seats)


def ratio(name: str, unit: str, question: str, value: pl.Expr, per: pl.Expr, section: str, *, among: str) -> Statistic:
    """Sum of `value` over the sum of `per`."""
    return Statistic(name, unit, question, "ratio", value, section, among=among, per=per)
