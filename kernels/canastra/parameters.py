"""The named parameters of the heuristic policies and their places in a row of parameters; no numba."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kernels.spec import Parameter

RANDOM = (Parameter("stop_weight", 1, 0, 100, "How many steps stopping counts as, against one for each meld."),)

HEURISTIC = (
    Parameter("take_lixo", 1, 1, 108, "Smallest lixo that is taken when natural cards justify it."),
    Parameter("take_curinga", 4, 1, 108, "Smallest lixo for which a curinga is spent."),
    Parameter("curinga_hand", 7, 0, 108, "Hand size at or below which a curinga makes a new meld of a pair."),
    Parameter("dirty_stock", 10, 0, 108, "Cards left to draw at or below which a curinga completes any canastra."),
    Parameter("first_dirty", 60, 0, 108, "Cards left to draw at or below which the first canastra may be suja."),
    Parameter("danger_hand", 3, 0, 108, "Opponent's hand size that makes everything be laid once they may go out."),
    Parameter("lock_lixo", 4, 0, 108, "Size of the lixo from which a black three locks it."),
    Parameter("keep_neighbour", 60, 0, 1000, "Worth of a card next to another of its suit."),
    Parameter("keep_gap", 40, 0, 1000, "Worth of a card two ranks from another of its suit."),
    Parameter("keep_near", 15, 0, 1000, "Worth of a card that one missing card would join to an own sequence."),
    Parameter("keep_pair", 50, 0, 1000, "Worth of a pair of a lavadeira rank."),
    Parameter("keep_black_three", 10, 0, 1000, "Worth of a black three while the lixo is small."),
    Parameter("keep_curinga", 200, 0, 1000, "Worth of a curinga."),
    Parameter("keep_fed", 10, 0, 1000, "Worth of not throwing what an opponents' meld takes."),
    Parameter("count_cards", 0, 0, 1, "1: a pair counts only while a card that completes it can still come."),
    Parameter(
        "feed_pairs", 0, 0, 10_000, "Worth in hundredths of each unseen pair that takes the lixo, times its size."
    ),
    Parameter("feed_lixo", 20, 1, 108, "Size of the lixo from which feeding it weighs no more."),
    Parameter("feed_known", 2, 0, 100, "Weight, in pairs, of a card that the next player is known to hold."),
)
"""Parameters of the heuristic policies with the values of `standard`; worths are compared with each other."""

NOVICE = {
    "take_lixo": 3,
    "take_curinga": 8,
    "curinga_hand": 108,
    "dirty_stock": 108,
    "first_dirty": 108,
    "danger_hand": 0,
    "lock_lixo": 108,
    "keep_gap": 10,
    "keep_near": 0,
    "keep_pair": 10,
    "keep_black_three": 20,
    "keep_fed": 0,
}
"""Where `novice` differs: it spends curingas at once, fears the lixo, and looks at its own hand alone."""

EXPERT = {
    "take_curinga": 7,
    "curinga_hand": 6,
    "dirty_stock": 16,
    "first_dirty": 8,
    "keep_neighbour": 93,
    "keep_gap": 65,
    "keep_black_three": 1,
    "keep_curinga": 397,
    "count_cards": 1,
    "feed_pairs": 315,
}
"""Where `expert` differs: it counts cards, starves the lixo and waits for the canastra limpa."""


SEARCH = (
    Parameter("rollouts", 1_000, 1, 1_000_000, "Rollouts at a decision."),
    Parameter("playout", 1, 0, 1, "Who plays the rollouts: 0 standard, 1 expert."),
    Parameter(
        "caution",
        150,
        0,
        1_000,
        "Hundredths of a standard error by which an option must be ahead of what the playout policy would do.",
    ),
)
"""Parameters of `search`."""


def with_defaults(values: Mapping[str, int]) -> tuple[Parameter, ...]:
    """The heuristic parameters with other default values."""
    return tuple(replace(parameter, default=values.get(parameter.name, parameter.default)) for parameter in HEURISTIC)


(
    TAKE_LIXO,
    TAKE_CURINGA,
    CURINGA_HAND,
    DIRTY_STOCK,
    FIRST_DIRTY,
    DANGER_HAND,
    LOCK_LIXO,
    KEEP_NEIGHBOUR,
    KEEP_GAP,
    KEEP_NEAR,
    KEEP_PAIR,
    KEEP_BLACK_THREE,
    KEEP_CURINGA,
    KEEP_FED,
    COUNT_CARDS,
    FEED_PAIRS,
    FEED_LIXO,
    FEED_KNOWN,
) = range(len(HEURISTIC))
"""Places of the heuristic parameters, in the order declared above."""

STOP_WEIGHT = 0
"""Place of the parameter of `random`."""

ROLLOUTS, PLAYOUT, CAUTION = range(len(SEARCH))
"""Places of the parameters of `search`."""
