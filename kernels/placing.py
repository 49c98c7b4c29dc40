"""Cards that a deal is made to give: plain data, filled in by whoever asks what a hand is worth.

A state that has the field `placed` can be dealt so (`kernels.dealing.place_cards`). Empty, it changes nothing.
"""

from __future__ import annotations

import numpy as np

from kernels.spec import MAX_SEATS

MOST_PLACED = 112
"""A whole deck of any game: two packs and eight jokers (loba)."""

PLACED_LAYOUT = np.dtype(
    [
        ("number", np.int64),
        ("jokers", np.int64),
        ("card", np.uint8, (MOST_PLACED,)),
        ("position", np.uint8, (MAX_SEATS, MOST_PLACED)),
    ],
    align=True,
)
"""How many cards are placed; whether rank 0 is a joker; which cards, and where in the shuffled deck each lies, by the
dealer's seat."""
