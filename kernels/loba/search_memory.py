"""What a search of loba works with: its options and its memory."""

from __future__ import annotations

import numpy as np

from kernels.loba.layout import MAX_CARDS, MAX_PARAMETERS, MAX_SEATS, MOST_JOKERS, RECORD_LAYOUT, STATE_LAYOUT
from kernels.searching import MOST_OPTIONS, PLAYOUTS, TALLY_LAYOUT
from kernels.spec import JOB
from kernels.trace import EVENT

OPTION = np.dtype(
    [
        ("naturals", np.uint64),
        ("twice", np.uint64),
        ("jokers", np.uint64),
        ("meld", np.int64),
        ("card", np.int64),
        ("takes", np.int64),
    ],
    align=True,
)
"""`takes` 1: take the discard, 0: draw; or a lay, no cards to stop; or the card to discard, and its meld or `HAND`."""

MEMORY_LAYOUT = np.dtype(
    [
        ("tally", TALLY_LAYOUT),
        ("option", OPTION, (MOST_OPTIONS,)),
        # Which of the options `expert` would take.
        ("expert", np.int64),
        # The lowest joker of the hand, which stands for all of them.
        ("joker", np.uint64),
        # The world, and the copy of it that is played out.
        ("states", STATE_LAYOUT, (2,)),
        ("records", RECORD_LAYOUT, (1,)),
        ("jobs", JOB, (1,)),
        ("log", EVENT, (0,)),
        # The jokers that are not seen. Of all cards that are not seen, but for jokers known to be in a hand: those that
        # the stock cannot have, and those that it may have.
        ("jokers", np.uint8, (MOST_JOKERS,)),
        ("held", np.uint8, (MAX_CARDS,)),
        ("stock", np.uint8, (MAX_CARDS,)),
        ("held_count", np.int64),
        ("stock_count", np.int64),
        # By seat, how many cards of the hand are not known, how many of them can be of the stock, and in how many
        # ways the places for a number of those can be chosen in the hands from this seat on.
        ("unknown", np.int64, (MAX_SEATS,)),
        ("most", np.int64, (MAX_SEATS,)),
        ("ways", np.int64, (MAX_SEATS + 1, MAX_CARDS + 1)),
        ("policies", np.int64, (len(PLAYOUTS), MAX_SEATS)),
        ("parameters", np.int64, (len(PLAYOUTS), MAX_SEATS, MAX_PARAMETERS)),
        # Address of `play_on`.
        ("play_on", np.int64),
    ],
    align=True,
)
"""Where a search reckons. Nothing in it outlasts an answer but the policies of the rollouts, which never change."""
