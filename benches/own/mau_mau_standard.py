"""`standard` of mau-mau by its own functions, called as a policy file calls them: what that way costs."""

import numpy as np

from kernels.mau_mau.parameters import HEURISTIC
from kernels.mau_mau.policy_heuristic import heuristic_answer, heuristic_drawn, heuristic_play, heuristic_suit

GAME = "mau_mau"
SETTINGS = np.array([parameter.default for parameter in HEURISTIC], np.int64)


def choose_play(table, options, seat, one, two):
    """Which card to play, or which two Jacks, and what to announce."""
    return heuristic_play(table, options, seat, one, two, SETTINGS)


def choose_answer(one, two):
    """Whether to answer an 8."""
    return heuristic_answer(one, two, SETTINGS)


def choose_drawn():
    """Whether to play the card just drawn."""
    return heuristic_drawn(SETTINGS)


def choose_suit(table, options, seat, one, two):
    """What the Jack just drawn announces."""
    return heuristic_suit(table, options, seat, one, two, SETTINGS)
