"""`standard` of canasta by its own functions, called as a policy file calls them: what that way costs."""

import numpy as np

from kernels.canasta.parameters import HEURISTIC
from kernels.canasta.policy_discard import heuristic_discard
from kernels.canasta.policy_heuristic import heuristic_answer, heuristic_ask, heuristic_draw, heuristic_meld

GAME = "canasta"
SETTINGS = np.array([parameter.default for parameter in HEURISTIC], np.int64)


def choose_draw(table, options, seat, hand):
    """Whether to take the pile, and with which cards."""
    return heuristic_draw(table, options, seat, hand, SETTINGS)


def choose_ask(table, options, seat, hand):
    """Whether to ask the partner, and with which cards."""
    return heuristic_ask(table, options, seat, hand, SETTINGS)


def choose_answer(table, options, seat, hand):
    """Whether the partner may go out."""
    return heuristic_answer(table, options, seat, hand, SETTINGS)


def choose_meld(table, options, seat, hand):
    """What to lay."""
    return heuristic_meld(table, options, seat, hand, SETTINGS)


def choose_discard(table, options, seat, hand):
    """Rank of the card to discard."""
    return heuristic_discard(table, options, seat, hand, SETTINGS)
