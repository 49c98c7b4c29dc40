"""What the searches of all games share: options weighed against each other in the same worlds.

A search sees what its seat sees. At a decision it lists what it may do (the options), deals the cards that it cannot
see by lot, consistently with what is known (a world), plays the deal on from every option with one policy at all seats,
and takes the option with the best mean margin: determinised Monte Carlo. The rollouts are spent by sequential halving:
in every round each option that is left is played out in the same worlds, and the worse half of them is dropped.

References
----------
Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR 14, 2001.
Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013 (sequential halving).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.rng import next_u64

MOST_OPTIONS = 64

TALLY_LAYOUT = np.dtype(
    [
        ("options", np.int64),
        ("left", np.int64),
        # Whether `cross` is kept too.
        ("keeps_cross", np.int64),
        ("worlds", np.int64, (MOST_OPTIONS,)),
        ("total", np.int64, (MOST_OPTIONS,)),
        ("squares", np.int64, (MOST_OPTIONS,)),
        # Margins of the options in the world that is being played out.
        ("margin", np.int64, (MOST_OPTIONS,)),
        ("cross", np.int64, (MOST_OPTIONS, MOST_OPTIONS)),
        ("is_left", np.int8, (MOST_OPTIONS,)),
        ("stream", np.uint64, (1,)),
    ],
    align=True,
)
"""How the options of one decision have done, in the order in which they were listed.

`options` is their number, `left` how many are not dropped, `is_left` which; `worlds` how often each was played out,
`total` and `squares` the sums of its margins and of their squares, `cross` those of the products of the margins of two
options in the same worlds; `stream` deals the worlds.
"""


@kernel
def open_tally(tally: Any, options: int, stream: Any) -> None:
    """Begin to weigh so many options, 1 to `MOST_OPTIONS`; the worlds follow from one draw of the policy's stream."""
    tally.options, tally.left = options, options
    tally.stream[0] = next_u64(stream)
    for option in range(options):
        tally.worlds[option] = 0
        tally.total[option] = 0
        tally.squares[option] = 0
        tally.is_left[option] = 1
        if tally.keeps_cross != 0:
            for other in range(options):
                tally.cross[option, other] = 0


@kernel
def rounds_of(options: int) -> int:
    """Rounds until one of so many options is left when half of them is dropped after each."""
    rounds = np.int64(0)
    while (np.int64(1) << rounds) < options:
        rounds += 1
    return rounds


@kernel
def worlds_of_round(tally: Any, rollouts: int) -> int:
    """Worlds of the next round, at least one: every round has an equal share of the rollouts."""
    share = rollouts // (rounds_of(tally.options) * tally.left)
    return share if share > 1 else np.int64(1)


@kernel
def end_world(tally: Any) -> None:
    """Count the margins of the options left, all played out in one world."""
    for option in range(tally.options):
        if tally.is_left[option] == 0:
            continue
        margin = tally.margin[option]
        tally.worlds[option] += 1
        tally.total[option] += margin
        tally.squares[option] += margin * margin
        if tally.keeps_cross != 0:
            for other in range(tally.options):
                tally.cross[option, other] += margin * tally.margin[other]


@kernel
def drop_worse_half(tally: Any) -> None:
    """Drop half of the options left, rounded down, those of the least total; of equals the later one.

    Options left have been played out equally often, so totals compare as means do.
    """
    for _ in range(tally.left // 2):
        worst = np.int64(-1)
        for option in range(tally.options):
            if tally.is_left[option] != 0 and (worst < 0 or tally.total[option] <= tally.total[worst]):
                worst = np.int64(option)
        tally.is_left[worst] = 0
        tally.left -= 1


@kernel
def best_left(tally: Any) -> int:
    """The option left with the best total; of equals the one listed first."""
    best = np.int64(-1)
    for option in range(tally.options):
        if tally.is_left[option] != 0 and (best < 0 or tally.total[option] > tally.total[best]):
            best = np.int64(option)
    return best
