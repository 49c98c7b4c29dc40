"""`standard` of canastra by its own functions, called as a policy file calls them: what that way costs."""

import numpy as np

from kernels.canastra.parameters import HEURISTIC
from kernels.canastra.policy_heuristic import heuristic_discard, heuristic_draw
from kernels.canastra.policy_melds import heuristic_meld

GAME = "canastra"
SETTINGS = np.array([parameter.default for parameter in HEURISTIC], np.int64)


def choose_draw(table, options, seat, hand_one, hand_two):
    """Whether to take the lixo, and with which meld."""
    return heuristic_draw(table, options, seat, hand_one, hand_two, SETTINGS)


def choose_meld(table, options, seat, hand_one, hand_two):
    """What to lay next."""
    return heuristic_meld(table, options, seat, hand_one, hand_two, SETTINGS)


def choose_discard(table, options, seat, hand_one, hand_two):
    """Which card to discard."""
    return heuristic_discard(table, options, seat, hand_one, hand_two, SETTINGS)
