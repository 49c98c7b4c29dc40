"""What a search of canasta works with: its options and its memory."""

from __future__ import annotations

import numpy as np

from kernels.canasta.layout import CARDS, MAX_PARAMETERS, RECORD_LAYOUT, SEATS, SIDES, STATE_LAYOUT
from kernels.searching import MOST_OPTIONS, PLAYOUTS, TALLY_LAYOUT
from kernels.trace import EVENT

OPTION = np.dtype(
    [
        ("naturals", np.uint64),
        ("jokers", np.uint64),
        ("twos", np.uint64),
        ("rank", np.int64),
        ("yes", np.int64),
    ],
    align=True,
)
"""Cards to lay by the rank of their meld; `yes` 1 to take the pile with them, to ask, or to answer so; or a rank to
discard."""

MEMORY_LAYOUT = np.dtype(
    [
        ("tally", TALLY_LAYOUT),
        ("option", OPTION, (MOST_OPTIONS,)),
        # Which of the options `expert` would take.
        ("expert", np.int64),
        # The world, and the copy of it that is played out.
        ("states", STATE_LAYOUT, (2,)),
        ("records", RECORD_LAYOUT, (1,)),
        ("log", EVENT, (0,)),
        # Cards of the other hands that are known to be there.
        ("known_one", np.uint64, (SEATS,)),
        ("known_two", np.uint64, (SEATS,)),
        # The cards that are not seen, red threes last, how many of them are none, and how many places take none.
        ("hidden", np.uint8, (CARDS,)),
        ("hidden_count", np.int64),
        ("common_count", np.int64),
        ("common_places", np.int64),
        # The same cards in the order dealt.
        ("dealt", np.uint8, (CARDS,)),
        ("policies", np.int64, (len(PLAYOUTS) + SIDES, SEATS)),
        ("parameters", np.int64, (len(PLAYOUTS) + SIDES, SEATS, MAX_PARAMETERS)),
        # Address of `play_on`.
        ("play_on", np.int64),
    ],
    align=True,
)
"""Where a search reckons. Nothing in it outlasts an answer but the policies of the rollouts, which never change."""
