"""How toy is played."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels import rng
from kernels._jit import kernel
from kernels.toy.layout import POLICY_RANDOM


@kernel
def strength(card: int, low_wins: int) -> int:
    """Rank of a card, turned round where the lower card wins."""
    rank = np.int64(card) & 15
    return 16 - rank if low_wins != 0 else rank


@kernel
def choose_card(policy: int, hand: Any, count: int, options: Any, parameters: Any, random: Any) -> int:
    """Index of the card to throw."""
    if policy == POLICY_RANDOM:
        return rng.bounded(random, np.int64(count))
    skip = min(parameters[0], count - 1)
    for index in range(count):
        stronger = 0
        for other in range(count):
            mine, its = strength(hand[index], options.low_wins), strength(hand[other], options.low_wins)
            if its > mine or (its == mine and other < index):
                stronger += 1
        if stronger == skip:
            return index
    raise RuntimeError("no card to throw")
