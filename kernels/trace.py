"""The event log that a kernel writes while it plays; in a batch its length is 0 and nothing is kept.

An event is a head row (kind, turn, seat, value) followed by one row a card: `CARD` rows for the cards of the
event, `NOW` rows for a meld as it then lies. Each game names its kinds in its ``events`` module.
"""

from __future__ import annotations

import numpy as np

EVENT = np.dtype(
    [("turn", np.int16), ("value", np.int16), ("kind", np.uint8), ("card", np.uint8), ("seat", np.int8)],
    align=True,
)

CARD = 255
NOW = 254
