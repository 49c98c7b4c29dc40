"""The named parameters of the heuristic policies and their places in a row of parameters; no numba."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kernels.spec import Parameter

RANDOM = (Parameter("stop_weight", 1, 0, 100, "How many steps stopping counts as, against one for each meld."),)

HEURISTIC = (
    Parameter("open_cost", 60, 0, 1000, "Most that a first meld from the stock may cost, ten for each card."),
    Parameter("open_behind", 20, 0, 1000, "Further cost that is borne once the opponents have melded."),
    Parameter("open_turn", 3, 0, 1000, "Further cost that is borne for each turn that has passed."),
    Parameter("open_stock", 16, 0, 108, "Cards in the stock at or below which any first meld is laid."),
    Parameter("open_two", 16, 0, 100, "Cost of a two in a first meld, against ten for a natural card."),
    Parameter("open_joker", 22, 0, 100, "Cost of a joker in a first meld, against ten for a natural card."),
    Parameter("open_pair", 4, 0, 100, "Cost of a pair broken up for a first meld, beside its cards."),
    Parameter("open_pile", 100, 0, 1000, "Cost at or below which a first meld takes a pile of one card."),
    Parameter("open_pile_card", 10, 0, 1000, "Further cost that is borne for each card of the pile."),
    Parameter("take_pile", 1, 1, 108, "Smallest pile that is taken onto an own meld or with a pair."),
    Parameter("take_wild", 4, 1, 108, "Smallest pile for which a wild card is spent."),
    Parameter("take_danger", 108, 1, 108, "Largest pile that is taken once the opponents may soon go out."),
    Parameter("keep_hand", 4, 0, 108, "Cards that a further new meld must leave in hand."),
    Parameter("hold_pairs", 6, 0, 108, "Size of a frozen pile from which pairs of own melds stay in hand."),
    Parameter("first_mix", 4, 4, 7, "Meld size from which wild cards complete a side's first canasta."),
    Parameter("mix", 5, 4, 7, "Meld size from which wild cards complete a further canasta."),
    Parameter("natural_hope", 5, 4, 8, "Size from which an unmixed meld is left to become a natural canasta."),
    Parameter("natural_stock", 20, 0, 108, "Cards in the stock at or below which that is given up."),
    Parameter("danger_hand", 3, 0, 108, "Opponent's hand size that makes everything be laid once they may go out."),
    Parameter("danger_stock", 8, 0, 108, "Cards in the stock at or below which everything is laid."),
    Parameter("out_lead", -10_000, -10_000, 10_000, "Lead in points on the table from which one goes out."),
    Parameter("out_stock", 10, 0, 108, "Cards in the stock at or below which one goes out in any case."),
    Parameter("keep_pair", 50, 0, 1000, "Worth of a pair that no own meld takes."),
    Parameter("keep_triple", 60, 0, 1000, "Worth of three or more of a rank that no own meld takes."),
    Parameter("keep_own", 40, 0, 1000, "Worth of a card that an own meld takes."),
    Parameter("keep_points", 0, -100, 100, "Worth of each point of a card's value, in hundredths."),
    Parameter("keep_wild", 300, 0, 1000, "Worth of a wild card."),
    Parameter("keep_black_three", 15, 0, 1000, "Worth of a black three while the pile is small."),
    Parameter("stop_pile", 5, 0, 108, "Size of the pile from which a black three stops the next player."),
    Parameter("feed_join", 20, 0, 1000, "Harm of a card that joins an opponents' meld, for each card of the pile."),
    Parameter("feed_pair", 60, 0, 1000, "Harm in hundredths of each unseen pair of a rank, for each card of the pile."),
    Parameter("feed_single", 0, 0, 1000, "Harm in hundredths of each unseen card while the pile is not frozen."),
    Parameter("feed_known", 20, 0, 1000, "Harm of a rank of which the next player holds a known pair, likewise."),
    Parameter("feed_pile", 12, 1, 108, "Size of the pile from which it weighs no more."),
    Parameter("safe_thrown", 50, 0, 100, "Share of the harm in percent that a rank loses which the next player threw."),
    Parameter("weigh_hands", 0, 0, 1, "1: harm is weighed by the cards that the next player holds."),
    Parameter("count_cards", 0, 0, 1, "1: a pair counts only while a card that joins it can still come."),
    Parameter("danger_points", 0, 0, 1000, "Worth in hundredths of throwing each point once the hand may soon end."),
    Parameter("freeze_pile", 8, 0, 108, "Size of the pile from which a wild card freezes it for opponents who melded."),
    Parameter("freeze_worth", 0, 0, 1000, "Worth of freezing it, for each card of the pile."),
    Parameter("refuse_points", 100, 0, 1000, "Points in the own hand above which the partner may not go out."),
)
"""Parameters of the heuristic policies with the values of `standard`; worths are compared with each other."""

NOVICE = {
    "open_cost": 1000,
    "open_two": 10,
    "open_joker": 10,
    "open_pair": 0,
    "take_pile": 4,
    "take_wild": 8,
    "keep_hand": 0,
    "hold_pairs": 108,
    "first_mix": 4,
    "mix": 4,
    "natural_hope": 8,
    "danger_hand": 0,
    "keep_pair": 20,
    "keep_triple": 30,
    "keep_own": 0,
    "keep_black_three": 20,
    "stop_pile": 108,
    "feed_join": 0,
    "feed_pair": 0,
    "feed_known": 0,
    "safe_thrown": 0,
    "freeze_worth": 0,
}
"""Where `novice` differs: it melds at once, spends wild cards freely and looks at its own hand alone."""

EXPERT = {
    "open_cost": 2,
    "open_behind": 13,
    "open_turn": 1,
    "open_two": 96,
    "open_joker": 69,
    "open_pair": 62,
    "open_pile": 6,
    "open_pile_card": 16,
    "take_pile": 3,
    "take_wild": 5,
    "keep_hand": 14,
    "hold_pairs": 0,
    "first_mix": 6,
    "mix": 4,
    "natural_hope": 8,
    "danger_hand": 4,
    "danger_stock": 1,
    "out_lead": 639,
    "keep_pair": 28,
    "keep_triple": 2,
    "keep_own": 85,
    "keep_points": 30,
    "keep_wild": 110,
    "keep_black_three": 3,
    "stop_pile": 0,
    "feed_join": 67,
    "feed_pair": 103,
    "feed_single": 52,
    "feed_pile": 45,
    "safe_thrown": 0,
    "count_cards": 1,
    "freeze_pile": 0,
    "freeze_worth": 31,
}
"""Where `expert` differs: it keeps a full hand, freezes the pile, gives nothing away, and goes out when well ahead."""


SEARCH = (
    Parameter("rollouts", 1_000, 1, 1_000_000, "Rollouts at a decision."),
    Parameter("playout", 2, 0, 2, "Who plays the rollouts: 0 standard, 1 expert, 2 expert against both in turn."),
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
    OPEN_COST,
    OPEN_BEHIND,
    OPEN_TURN,
    OPEN_STOCK,
    OPEN_TWO,
    OPEN_JOKER,
    OPEN_PAIR,
    OPEN_PILE,
    OPEN_PILE_CARD,
    TAKE_PILE,
    TAKE_WILD,
    TAKE_DANGER,
    KEEP_HAND,
    HOLD_PAIRS,
    FIRST_MIX,
    MIX,
    NATURAL_HOPE,
    NATURAL_STOCK,
    DANGER_HAND,
    DANGER_STOCK,
    OUT_LEAD,
    OUT_STOCK,
    KEEP_PAIR,
    KEEP_TRIPLE,
    KEEP_OWN,
    KEEP_POINTS,
    KEEP_WILD,
    KEEP_BLACK_THREE,
    STOP_PILE,
    FEED_JOIN,
    FEED_PAIR,
    FEED_SINGLE,
    FEED_KNOWN,
    FEED_PILE,
    SAFE_THROWN,
    WEIGH_HANDS,
    COUNT_CARDS,
    DANGER_POINTS,
    FREEZE_PILE,
    FREEZE_WORTH,
    REFUSE_POINTS,
) = range(len(HEURISTIC))
"""Places of the heuristic parameters, in the order declared above."""

STOP_WEIGHT = 0
"""Place of the parameter of `random`."""

ROLLOUTS, PLAYOUT, CAUTION = range(len(SEARCH))
"""Places of the parameters of `search`."""
