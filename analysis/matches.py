"""Statistics of matches, in the same way as those of deals: mergeable sums, then rows with intervals.

Matches do not depend on each other, so a match is the cluster of its sides' rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.catalogue.common import match_statistics
from analysis.frames import Records, match_frames, matches_frame
from analysis.seating import Seating
from analysis.summary import Totals
from analysis.tally import Partial
from kernels.spec import GameSpec

__all__ = ["MatchSummary", "matches_frame"]


class MatchSummary(Totals):
    """Statistics of matches; groups are sides or seats, policies, and the first dealer's side or not.

    Parameters
    ----------
    spec
        The game.
    options
        Option values by name; those not given have the game's default.
    policies
        Text of the policy at each seat.

    Raises
    ------
    ValueError
        If there is not one policy for each seat.
    """

    def __init__(self, spec: GameSpec, options: Mapping[str, Any], policies: Sequence[str]) -> None:
        super().__init__(Seating.of(spec, options, policies), match_statistics(), "deals_first")

    @property
    def matches(self) -> int:
        """Matches merged so far."""
        return self.total.deals

    def chunk(self, rows: Records) -> Partial:
        """Sums of a chunk of matches.

        Parameters
        ----------
        rows
            Shape (matches,), with the fields `match`, `deals` (played), `winner` (side, -1 for nobody),
            `first_dealer` (seat) and `scores` (shape (sides,)).
        """
        return self.measure.partial(*match_frames(self.seating, rows))
