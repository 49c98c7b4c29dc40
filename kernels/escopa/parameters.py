"""The named parameters of the policies and their places in a row of parameters; no numba."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kernels.spec import Parameter

HEURISTIC = (
    Parameter("card", 60, 0, 10_000, "Worth of each card taken, in thousandths of a point."),
    Parameter("diamond", 200, 0, 10_000, "Further worth of each diamond."),
    Parameter("seven", 450, 0, 10_000, "Further worth of each seven."),
    Parameter("guindis", 1000, 0, 10_000, "Further worth of the seven of diamonds."),
    Parameter("escopa", 1000, 0, 10_000, "Worth of an escopa."),
    Parameter("left", 50, 0, 200, "Percent of a card's worth that is lost by leaving it."),
    Parameter("swept", 200, 0, 10_000, "Cost of a table that one card clears, for each such card not seen yet."),
)
"""Parameters of `novice` and `standard`, with the values of `standard`."""

NOVICE = {"card": 100, "diamond": 0, "seven": 0, "guindis": 0, "escopa": 1000, "left": 0, "swept": 0}
"""Where `novice` differs: it counts cards and escopas, and does not see what it leaves."""

EXPERT = (
    Parameter("card", 80, 0, 1000, "Percent of what the lead in cards is reckoned to be worth."),
    Parameter("diamond", 176, 0, 1000, "The same for diamonds."),
    Parameter("seven", 138, 0, 1000, "The same for sevens."),
    Parameter("guindis", 1000, 0, 10_000, "Worth of the seven of diamonds beside its suit, in thousandths of a point."),
    Parameter("quartet", 213, 0, 1000, "Percent of what a chance of the primeira is reckoned to be worth."),
    Parameter("escopa", 1000, 0, 10_000, "Worth of an escopa."),
    Parameter("next", 190, 0, 1000, "Percent of the next player's expected gain that counts against a play."),
    Parameter("own_next", 82, 0, 1000, "Percent of the own next capture that counts if the next player takes nothing."),
    Parameter("reckon_end", 1, 0, 1, "1: between two players the last cards are played as well as they can be."),
)
"""Parameters of `expert`."""


SEARCH = (
    Parameter("rollouts", 1_000, 1, 1_000_000, "Rollouts at a decision."),
    Parameter("playout", 1, 0, 1, "Who plays the rollouts: 0 standard, 1 expert."),
    Parameter(
        "caution",
        100,
        0,
        1_000,
        "Hundredths of a standard error by which an option must be ahead of what the player of the rollouts would do.",
    ),
)
"""Parameters of `search`."""


def with_defaults(parameters: Sequence[Parameter], values: Mapping[str, int]) -> tuple[Parameter, ...]:
    """The parameters with other default values."""
    return tuple(replace(parameter, default=values.get(parameter.name, parameter.default)) for parameter in parameters)


CARD, DIAMOND, SEVEN, GUINDIS, ESCOPA, LEFT, SWEPT = range(len(HEURISTIC))
"""Places of the parameters of `novice` and `standard`."""

(
    AHEAD_CARD,
    AHEAD_DIAMOND,
    AHEAD_SEVEN,
    AHEAD_GUINDIS,
    AHEAD_QUARTET,
    AHEAD_ESCOPA,
    AHEAD_NEXT,
    AHEAD_OWN_NEXT,
    AHEAD_END,
) = range(len(EXPERT))
"""Places of the parameters of `expert`."""

ROLLOUTS, PLAYOUT, CAUTION = range(len(SEARCH))
"""Places of the parameters of `search`."""
