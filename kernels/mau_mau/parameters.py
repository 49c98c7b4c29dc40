"""The named integers of the policies of mau-mau, with the values of each policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kernels.spec import Parameter

WORST_WORTH, BEST_WORTH = -10_000, 10_000

RANDOM: tuple[Parameter, ...] = ()

_WORTHS = (
    ("points", 0, "Worth of each point of a card that leaves the hand"),
    ("suit_one", 40, "Worth of one card left of the suit that then lies on top"),
    ("suit_two", 70, "Worth of two such cards"),
    ("suit_three", 90, "Worth of three or more"),
    ("mates", 15, "Worth of each card left of the rank played"),
    ("last_jack", 200, "Harm of spending the last Jack"),
    ("spare_jack", 180, "Harm of spending another Jack"),
    ("eight", 0, "Worth of playing an 8"),
    ("seven", 0, "Worth of playing a 7"),
    ("ace", 0, "Worth of playing an Ace"),
    ("queen", 0, "Worth of playing a Queen"),
    ("cover", 0, "Worth of keeping a hand that follows every card not seen"),
    ("block", 0, "Worth of a next player who surely cannot follow"),
)


def _worths(suffix: str, when: str) -> tuple[Parameter, ...]:
    """What a card is weighed by in one of three situations."""
    return tuple(
        Parameter(name + suffix, default, WORST_WORTH, BEST_WORTH, f"{text} {when}.") for name, default, text in _WORTHS
    )


HEURISTIC: tuple[Parameter, ...] = (
    *_worths("", "while free to win, and a rival too"),
    *_worths("_alone", "while free to win and every rival barred"),
    *_worths("_barred", "while barred"),
    Parameter("near_hand", 3, 0, 104, "Cards in a hand below which its owner is nearly out, unless he is barred."),
    Parameter("eight_near", 120, WORST_WORTH, BEST_WORTH, "Worth of an 8 for each card less that its victim holds."),
    Parameter("seven_near", 80, WORST_WORTH, BEST_WORTH, "Worth of a 7 for each card less that its victim holds."),
    Parameter("ace_near", 80, WORST_WORTH, BEST_WORTH, "Worth of an Ace for each card less that its victim holds."),
    Parameter(
        "queen_near",
        40,
        WORST_WORTH,
        BEST_WORTH,
        "Worth of a Queen for each card less that the next player holds, and not the one who then is next.",
    ),
    Parameter("second_jack", -200, WORST_WORTH, BEST_WORTH, "Worth of playing two Jacks at once rather than one."),
    Parameter(
        "unfined_points", 4, WORST_WORTH, BEST_WORTH, "Worth of each point of a card where nobody is fined or barred."
    ),
    Parameter("answer_eights", 1, 0, 1, "1: an 8 is answered with an 8 wherever the rules let it."),
    Parameter("play_drawn", 1, 0, 1, "1: a card just drawn is played where it follows, a Jack included."),
    Parameter(
        "dry",
        3,
        0,
        104,
        "Cards left to be drawn below which, where nobody is fined, what others draw is thrown again and comes back.",
    ),
    Parameter("dry_harm", 200, WORST_WORTH, BEST_WORTH, "Harm, then, of playing a 7 or an 8."),
    Parameter(
        "forgetful_jack",
        500,
        WORST_WORTH,
        BEST_WORTH,
        "Harm, more, of spending a Jack where a last card is forgotten more often than not: two at once need no call.",
    ),
    Parameter("patience", 400, 0, 2_000, "Turns after which, then, a player lets the next one follow."),
)
"""Parameters of the heuristic policies with the values of `standard`; worths are compared with each other."""

NOVICE = {
    **{
        name + suffix: value
        for suffix in ("", "_alone", "_barred")
        for name, value in (
            ("points", 1),
            ("suit_one", 10),
            ("suit_two", 20),
            ("suit_three", 30),
            ("mates", 0),
            ("last_jack", 20),
            ("spare_jack", 20),
        )
    },
    "near_hand": 0,
    "second_jack": 0,
    "unfined_points": 1,
    "forgetful_jack": 0,
}
"""Where `novice` differs: it throws what costs most, spends its Jacks, and looks at its own hand alone."""

EXPERT = {
    "points": 0,
    "suit_one": 78,
    "suit_two": 87,
    "suit_three": 99,
    "mates": 12,
    "last_jack": 205,
    "spare_jack": 173,
    "eight": -65,
    "seven": -11,
    "ace": -20,
    "queen": 3,
    "cover": 104,
    "block": 92,
    "points_alone": 0,
    "suit_one_alone": 227,
    "suit_two_alone": 247,
    "suit_three_alone": 50,
    "mates_alone": -19,
    "last_jack_alone": 535,
    "spare_jack_alone": 596,
    "eight_alone": 3,
    "seven_alone": 49,
    "ace_alone": 2,
    "queen_alone": -115,
    "cover_alone": 201,
    "block_alone": 229,
    "points_barred": 1,
    "suit_one_barred": 91,
    "suit_two_barred": 192,
    "suit_three_barred": 237,
    "mates_barred": 20,
    "last_jack_barred": 303,
    "spare_jack_barred": 449,
    "eight_barred": -73,
    "seven_barred": -61,
    "ace_barred": 121,
    "queen_barred": -11,
    "cover_barred": 58,
    "block_barred": 150,
    "near_hand": 3,
    "eight_near": 194,
    "seven_near": 111,
    "ace_near": 153,
    "unfined_points": 6,
    "queen_near": 106,
}
"""Where `expert` differs: it counts the cards, remembers who could not follow what, and keeps a hand that can."""

SEARCH = (
    Parameter("rollouts", 4_000, 1, 1_000_000, "Rollouts at a decision."),
    Parameter("playout", 1, 0, 1, "Who plays the rollouts: 0 standard, 1 expert."),
    Parameter(
        "caution",
        75,
        0,
        1_000,
        "Hundredths of a standard error by which another play must do better than that of expert.",
    ),
    Parameter(
        "jacks_kept",
        1,
        0,
        1,
        "1: others are taken to keep their Jacks while anything else follows; 0: any unseen card is as likely as any.",
    ),
    Parameter(
        "hopeless",
        200,
        0,
        1_000,
        "Hundredths of a standard error behind that of expert, by which a play is dropped early; 0 for never.",
    ),
)
"""Parameters of `search`."""


def with_defaults(values: Mapping[str, int]) -> tuple[Parameter, ...]:
    """The heuristic parameters with other default values."""
    return tuple(replace(parameter, default=values.get(parameter.name, parameter.default)) for parameter in HEURISTIC)


(
    POINTS,
    SUIT_ONE,
    SUIT_TWO,
    SUIT_THREE,
    MATES,
    LAST_JACK,
    SPARE_JACK,
    EIGHT,
    SEVEN,
    ACE,
    QUEEN,
    COVER,
    BLOCK,
) = range(len(_WORTHS))
"""Places of the worths within a situation."""

FREE, ALONE, BARRED = (situation * len(_WORTHS) for situation in range(3))
"""Where the worths of each situation begin."""

(
    NEAR_HAND,
    EIGHT_NEAR,
    SEVEN_NEAR,
    ACE_NEAR,
    QUEEN_NEAR,
    SECOND_JACK,
    UNFINED_POINTS,
    ANSWER_EIGHTS,
    PLAY_DRAWN,
    DRY,
    DRY_HARM,
    FORGETFUL_JACK,
    PATIENCE,
) = range(3 * len(_WORTHS), len(HEURISTIC))
"""Places of the others."""

ROLLOUTS, PLAYOUT, CAUTION, JACKS_KEPT, HOPELESS = range(len(SEARCH))
"""Places of the parameters of `search`."""
