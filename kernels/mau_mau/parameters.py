"""The named integers of the policies of mau-mau, with the values of each policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kernels.spec import Parameter

RANDOM: tuple[Parameter, ...] = ()

HEURISTIC: tuple[Parameter, ...] = (
    Parameter("shed_points", 4, 0, 1000, "Worth of each point of a card that leaves the hand."),
    Parameter("shed_danger", 10, 0, 1000, "The same while a rival who can win holds few cards."),
    Parameter("shed_barred", 4, 0, 1000, "The same while barred."),
    Parameter("danger_hand", 2, 0, 104, "Cards in a rival's hand at or below which that is so."),
    Parameter("keep_suit", 20, 0, 1000, "Worth of each card left of the suit that lies on top then."),
    Parameter("last_suit", 40, 0, 1000, "Harm of playing the last card of a suit."),
    Parameter("keep_rank", 10, 0, 1000, "Worth of each card left of the rank that lies on top then."),
    Parameter("keep_jacks", 150, -1000, 1000, "Harm of spending a Jack."),
    Parameter("keep_jacks_barred", 150, -1000, 1000, "Harm of spending a Jack while barred."),
    Parameter("second_jack", 0, -1000, 1000, "Worth of playing two Jacks at once rather than one."),
    Parameter("eight", 40, -1000, 1000, "Worth of playing an 8."),
    Parameter("seven", 20, -1000, 1000, "Worth of playing a 7."),
    Parameter("ace", 20, -1000, 1000, "Worth of playing an Ace."),
    Parameter("queen", 0, -1000, 1000, "Worth of playing a Queen."),
    Parameter("near_hand", 4, 0, 104, "Cards in a hand below which its owner is nearly out."),
    Parameter("eight_near", 30, -1000, 1000, "Worth of an 8 for each card less that the next player holds."),
    Parameter("seven_near", 20, -1000, 1000, "Worth of a 7 for each card less that its victim holds."),
    Parameter("ace_near", 20, -1000, 1000, "Worth of an Ace for each card less that the next player holds."),
    Parameter("queen_near", 10, -1000, 1000, "Worth of a Queen for each card less that the next player holds."),
    Parameter("block", 0, 0, 10000, "Worth of a next player who surely cannot follow; cards are counted for it."),
    Parameter("answer_eights", 1, 0, 1, "1: an 8 is answered with an 8 wherever the rules let it."),
    Parameter("play_drawn", 1, 0, 1, "1: a card just drawn is played where it follows, a Jack included."),
)
"""Parameters of the heuristic policies with the values of `standard`; worths are compared with each other."""

NOVICE = {
    "shed_points": 10,
    "shed_danger": 10,
    "shed_barred": 10,
    "keep_suit": 0,
    "last_suit": 0,
    "keep_rank": 0,
    "keep_jacks": 0,
    "keep_jacks_barred": 0,
    "second_jack": 50,
    "eight": 0,
    "seven": 0,
    "ace": 0,
    "near_hand": 0,
}
"""Where `novice` differs: it looks at its own hand alone."""

EXPERT: dict[str, int] = {"block": 100}
"""Where `expert` differs."""


def with_defaults(values: Mapping[str, int]) -> tuple[Parameter, ...]:
    """The heuristic parameters with other default values."""
    return tuple(replace(parameter, default=values.get(parameter.name, parameter.default)) for parameter in HEURISTIC)


(
    SHED_POINTS,
    SHED_DANGER,
    SHED_BARRED,
    DANGER_HAND,
    KEEP_SUIT,
    LAST_SUIT,
    KEEP_RANK,
    KEEP_JACKS,
    KEEP_JACKS_BARRED,
    SECOND_JACK,
    EIGHT,
    SEVEN,
    ACE,
    QUEEN,
    NEAR_HAND,
    EIGHT_NEAR,
    SEVEN_NEAR,
    ACE_NEAR,
    QUEEN_NEAR,
    BLOCK,
    ANSWER_EIGHTS,
    PLAY_DRAWN,
) = range(len(HEURISTIC))
"""Places of the heuristic parameters, in the order declared above."""
