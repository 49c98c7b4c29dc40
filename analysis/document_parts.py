"""What the documents of a search and of advice are made of (`analysis.documents` has them whole)."""

from __future__ import annotations

from typing import Any

import msgspec


class SoughtParameter(msgspec.Struct, kw_only=True):
    """A parameter that is sought: from where, how far, and the first spread of the candidates (`step`)."""

    name: str
    low: int
    high: int
    start: int
    step: float | None = None


class ChangedParameter(msgspec.Struct, kw_only=True):
    """A parameter that was changed, and what putting it back costs.

    Attributes
    ----------
    level
        Confidence of this interval alone, so that all of them go together.
    """

    name: str
    old: int
    new: int
    n: int | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    std_error: float | None = None
    level: float | None = None
    p_holm: float | None = None


class PutBack(msgspec.Struct, kw_only=True):
    """A parameter that was put back to what it was, since nothing was shown to be lost by that."""

    name: str
    old: int
    found: int


class Rung(msgspec.Struct, kw_only=True):
    """How many candidates of a generation play how many deals."""

    candidates: int
    deals: int


class Generation(msgspec.Struct, kw_only=True):
    """A generation of candidates: points a deal over the opponent of the one in front and of all, step size."""

    generation: int
    deals: int
    best: float | None = None
    best_values: dict[str, int] = {}
    mean: float | None = None
    sigma: float | None = None
    incumbent: dict[str, int] = {}
    replaced: bool = False


class Searching(msgspec.Struct, kw_only=True):
    """How parameters were sought."""

    deals: int
    fresh: int
    population: int
    generations: int
    deals_played: int
    stopped_by: str
    parameters: list[SoughtParameter]
    inert: list[str] = []
    rungs: list[Rung] = []
    most_generations: int | None = None
    budget: int | None = None
    estimate: float | None = None
    trajectory: list[Generation] = []


class Seen(msgspec.Struct, kw_only=True):
    """A line of what a seat knows."""

    what: str
    text: str


class OptionRow(msgspec.Struct, kw_only=True):
    """An option of a decision and what it comes to, as `analysis.advice.OptionSums.rows`."""

    words: str
    rank: int
    margin: float
    score: float
    behind: float
    win_rate: float
    best_rate: float
    margin_low: float | None = None
    margin_high: float | None = None
    margin_std_error: float | None = None
    score_low: float | None = None
    score_high: float | None = None
    score_std_error: float | None = None
    behind_low: float | None = None
    behind_high: float | None = None
    win_rate_low: float | None = None
    win_rate_high: float | None = None
    best_rate_low: float | None = None
    best_rate_high: float | None = None
    played: bool = False
    standard: bool = False
    expert: bool = False
    event: Any = None


class Decision(msgspec.Struct, kw_only=True):
    """What a seat decides, what it knows, and its options, the best first."""

    question: str
    seat: int
    worlds: int
    rows: list[OptionRow]
    seen: list[Seen] = []

    def __post_init__(self) -> None:
        """Refuse a decision between nothing."""
        if not self.rows:
            raise ValueError("a decision has an option at least")
