"""The named parameters of the heuristic policies and their places in a row of parameters; no numba."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kernels.spec import Parameter

RANDOM = (Parameter("stop_weight", 1, 0, 100, "How many steps stopping counts as, against one for each lay."),)

HEURISTIC = (
    Parameter("take_cards", 1, 0, 10, "Cards more that must lie in melds for a discard to be taken; 0: all are taken."),
    Parameter("hold_left", 4, 0, 10, "Most cards without a meld with which one waits to lay all at once."),
    Parameter("hold_turn", 100, 0, 1000, "Own turn from which nobody waits to lay all at once any more."),
    Parameter("hold_hand", 5, 0, 9, "An opponent's hand of this size or smaller ends the wait to lay all at once."),
    Parameter("hold_laid", 7, 0, 7, "Opponents who have melded, from which many on nobody waits any more."),
    Parameter("joker_laid", 0, -250, 15, "Worth of a joker that lies in a meld, against a natural card's points."),
    Parameter("near", 10, 0, 1000, "Worth of each live card that completes a meld with this one and another."),
    Parameter("near_joker", 5, 0, 1000, "Worth of each live card that completes a meld with this one and a joker."),
    Parameter("loose", 2, 0, 1000, "Worth of each live card that lacks one to a meld with this one."),
    Parameter("points", 2, 0, 1000, "Worth of being rid of a point of a card."),
    Parameter("points_late", 6, 0, 1000, "Worth of that in danger."),
    Parameter("danger_hand", 4, 0, 9, "An opponent's hand of this size or smaller is danger."),
    Parameter("danger_turn", 8, 0, 1000, "Own turn from which there is danger in any case."),
    Parameter("count_cards", 1, 0, 1, "1: a card counts as live only while a copy of it is unseen."),
    Parameter("feed_meld", 20, 0, 1000, "Harm of a card that the next player's melds take."),
    Parameter("feed_took", 0, 0, 1000, "Harm of a card like one that the next player took and holds, or beside it."),
    Parameter("feed_live", 0, 0, 1000, "Harm of each live card that lacks one to a meld with it."),
    Parameter("safe_thrown", 0, 0, 1000, "Worth of throwing a card like one that the next player threw, or beside it."),
    Parameter(
        "ahead", 0, 0, 1000, "Worth in hundredths of what each card that may come adds to the melds; 0: not seen."
    ),
    Parameter("ahead_card", 10, 0, 1000, "Worth of a card that lies in a meld, beside its points, looking ahead."),
    Parameter(
        "keep_spare",
        1000,
        0,
        1000,
        "Worth of a card that an own meld can spare; 1000: it always stays.",
    ),
)

NOVICE = {
    "hold_left": 0,
    "joker_laid": 15,
    "near": 0,
    "near_joker": 0,
    "loose": 0,
    "points": 1,
    "points_late": 1,
    "count_cards": 0,
    "feed_meld": 0,
}
"""Where `novice` differs: it lays at once, throws the highest card without a meld, and looks at its own hand alone."""

EXPERT = {
    "hold_left": 6,
    "hold_hand": 3,
    "feed_meld": 5,
    "feed_took": 10,
    "keep_spare": 30,
    "near": 0,
    "ahead": 15,
}
"""Where `expert` differs: it tries every discard against every card that may come, and waits longer to lay."""


SEARCH = (
    Parameter("rollouts", 2_000, 1, 1_000_000, "Rollouts at a decision."),
    Parameter("playout", 0, 0, 1, "Who plays the rollouts: 0 standard, 1 expert."),
    Parameter(
        "caution",
        100,
        0,
        1_000,
        "Hundredths of a standard error by which an option must be ahead of what expert would do.",
    ),
    Parameter(
        "hopeless",
        200,
        0,
        1_000,
        "Hundredths of a standard error behind that, by which an option is dropped early; 0 for never.",
    ),
)
"""Parameters of `search`."""


def with_defaults(values: Mapping[str, int]) -> tuple[Parameter, ...]:
    """The heuristic parameters with other default values."""
    return tuple(replace(parameter, default=values.get(parameter.name, parameter.default)) for parameter in HEURISTIC)


(
    TAKE_CARDS,
    HOLD_LEFT,
    HOLD_TURN,
    HOLD_HAND,
    HOLD_LAID,
    JOKER_LAID,
    NEAR,
    NEAR_JOKER,
    LOOSE,
    POINTS,
    POINTS_LATE,
    DANGER_HAND,
    DANGER_TURN,
    COUNT_CARDS,
    FEED_MELD,
    FEED_TOOK,
    FEED_LIVE,
    SAFE_THROWN,
    AHEAD,
    AHEAD_CARD,
    KEEP_SPARE,
) = range(len(HEURISTIC))
"""Places of the heuristic parameters, in the order declared above."""

STOP_WEIGHT = 0
"""Place of the parameter of `random`."""

ROLLOUTS, PLAYOUT, CAUTION, HOPELESS = range(len(SEARCH))
"""Places of the parameters of `search`."""
