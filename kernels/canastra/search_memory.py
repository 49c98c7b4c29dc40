"""What a search of canastra works with: its options and its memory."""

from __future__ import annotations

import numpy as np

from kernels.canastra.layout import MAX_CARDS, MAX_PARAMETERS, RECORD_LAYOUT, SEATS, STATE_LAYOUT
from kernels.searching import MOST_OPTIONS, PLAYOUTS, TALLY_LAYOUT
from kernels.trace import EVENT

OPTION = np.dtype(
    [
        ("one", np.uint64),
        ("two", np.uint64),
        ("places", np.uint64),
        ("target", np.int64),
        ("card", np.int64),
        ("takes_lixo", np.int64),
    ],
    align=True,
)
"""A meld action from the hand, with `takes_lixo` 1 one that the top card of the lixo joins; or a card to discard."""

MEMORY_LAYOUT = np.dtype(
    [
        ("tally", TALLY_LAYOUT),
        ("option", OPTION, (MOST_OPTIONS,)),
        # Which of the options `expert` would take.
        ("expert", np.int64),
        # The lowest curinga of the hand, which stands for all of them.
        ("curinga", np.uint64),
        # The world, and the copy of it that is played out.
        ("states", STATE_LAYOUT, (2,)),
        ("records", RECORD_LAYOUT, (1,)),
        ("log", EVENT, (0,)),
        # The cards that are not seen, red threes last, how many of them are none, and how many places take none.
        ("hidden", np.uint8, (MAX_CARDS,)),
        ("hidden_count", np.int64),
        ("common_count", np.int64),
        ("common_places", np.int64),
        # The same cards in the order dealt.
        ("dealt", np.uint8, (MAX_CARDS,)),
        ("policies", np.int64, (len(PLAYOUTS), SEATS)),
        ("parameters", np.int64, (len(PLAYOUTS), SEATS, MAX_PARAMETERS)),
        # Address of `play_on`.
        ("play_on", np.int64),
    ],
    align=True,
)
"""Where a search reckons. Nothing in it outlasts an answer but the policies of the rollouts, which never change."""
