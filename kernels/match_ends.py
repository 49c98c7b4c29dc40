"""How matches end: who has won after a deal, from the scores so far; and who deals next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

UNDECIDED, SHARED = -1, -2
"""In place of the winning side: another deal is played; the match is over and nobody won it alone."""

Scores = npt.NDArray[np.integer[Any]]
Sides = npt.NDArray[np.int64]


def best_sides(scores: Scores) -> Sides:
    """Side with the best score of each match, shape (matches,); `UNDECIDED` where it is shared.

    Parameters
    ----------
    scores
        Shape (matches, sides).
    """
    best = scores.max(axis=1)
    alone = (scores == best[:, None]).sum(axis=1) == 1
    sides: Sides = np.where(alone, scores.argmax(axis=1), UNDECIDED)
    return sides


def highest_past_target(scores: Scores, options: Mapping[str, Any]) -> Sides:
    """Winner of each match: the one highest score at or past the option `target` (CAN-28 and its like).

    Equal scores past it mean another deal.

    Parameters
    ----------
    scores
        Shape (matches, sides).
    options
        A value for every option.
    """
    reached = scores.max(axis=1) >= int(options["target"])
    winners: Sides = np.where(reached, best_sides(scores), UNDECIDED)
    return winners


def next_seat_deals(dealers: Sides, _scores: Scores, _options: Mapping[str, Any], seats: int) -> Sides:
    """Dealer of each match's next deal: the next seat in the order of play."""
    after: Sides = (dealers + 1) % seats
    return after
