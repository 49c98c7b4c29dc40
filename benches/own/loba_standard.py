"""`standard` of loba by its own functions, called as a policy file calls them: what that way costs."""

import numpy as np

from kernels.loba.parameters import HEURISTIC
from kernels.loba.policy_discard import heuristic_discard
from kernels.loba.policy_heuristic import heuristic_draw, heuristic_lay

GAME = "loba"
SETTINGS = np.array([parameter.default for parameter in HEURISTIC], np.int64)


def choose_draw(table, options, seat, one, two):
    """Whether to take the top of the discards."""
    return heuristic_draw(table, options, seat, one, two, SETTINGS)


def choose_lay(table, options, seat, one, two):
    """What to lay."""
    return heuristic_lay(table, options, seat, one, two, SETTINGS)


def choose_discard(table, options, seat, one, two):
    """The card to discard, and where it lies."""
    return heuristic_discard(table, options, seat, one, two, SETTINGS)
