"""Policy files of escopa that the tests share, so that each is compiled once."""

from __future__ import annotations

from pathlib import Path

PLAIN = '''"""What standard does, but for greed."""
from kernels.escopa.helpers import NOTHING, can_capture, lowest_bit, may_leave

GAME = "escopa"
PARAMETERS = {"lowest": (0, 0, 1, "1: leaves the lowest card where it may leave one.")}


def leaves(table, options, hand):
    """Whether the lowest card may be left."""
    return may_leave(table, options, hand, lowest_bit(hand))


def choose_play(base, lowest, hand, options, table):
    if lowest == 1 and leaves(table, options, hand):
        return lowest_bit(hand), NOTHING
    return base
'''

MOODY = '''"""Goes wrong in many ways, and in none."""
import numpy as np

from kernels.escopa.helpers import NOTHING, bounded, lowest_bit, next_capture, next_claim, suit_of_nothing

PARAMETERS = {"mood": 0, "turn": (3, 0, 40)}
TABLE = np.arange(4)


def from_table(index):
    return TABLE[index]


def choose_play(table, hand, seat, base, mood, turn, stream):
    card, take = base
    if table.turn < turn or mood == 0:
        return card, take
    if mood == 1:
        return lowest_bit(hand), np.uint64(1) << np.uint64(60)
    if mood == 2:
        raise ValueError("what is this?")
    if mood == 3:
        return from_table(table.turn + 1), take
    if mood == 4:
        assert seat > 100
    if mood == 5:
        return card // (np.int64(table.turn) - turn), take
    if mood == 6:
        while True:
            if table.turn == 100:
                break
    if mood == 7:
        return table.taken[seat + 4] > 0, take
    if mood == 8 and bounded(stream, np.int64(2)) == 0:
        return card, take
    return card, take


def choose_claim(table, base, mood):
    if mood == 9:
        return np.uint64(3)
    if mood == 10:
        return next_claim(table, NOTHING)
    return base
'''.replace(", suit_of_nothing", "").replace(", next_capture", "")

ARRAYS = '''"""Makes arrays, so that their holders must be counted."""
import numpy as np

from kernels.escopa.helpers import NOTHING


def choose_play(base, hand):
    kept = np.zeros(3, np.int64)
    kept[1] = base[0]
    return kept.max(), base[1]
'''


def written(folder: Path, name: str, text: str) -> str:
    """Write a policy file; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)
