"""The score of a hand of Canasta, line by line (KAN-14, KAN-15, KAN-18, KAN-19)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.referee.canasta_melds import Meld, points

DETAIL_ARTICLES = {
    "going_out": "KAN-14",
    "natural_canastas": "KAN-18",
    "mixed_canastas": "KAN-18",
    "red_threes": "KAN-18",
    "melded_cards": "KAN-19",
    "cards_in_hand": "KAN-19",
    "total": "KAN-19",
}


@dataclass(frozen=True)
class Tally:
    """What one side has when the hand ends."""

    went_out: bool
    concealed: bool
    melds: Sequence[Meld]
    red_threes: int
    cards_in_hand: Sequence[str]  # of both partners

    @property
    def natural_canastas(self) -> int:
        """KAN-18: canastas without a wild card."""
        return sum(1 for meld in self.melds if meld.is_canasta and meld.is_natural)

    @property
    def mixed_canastas(self) -> int:
        """KAN-18: canastas with one."""
        return sum(1 for meld in self.melds if meld.is_canasta and not meld.is_natural)


def score(tally: Tally) -> dict[str, int]:
    """Every line of the score in signed points, and the total."""
    lines = {
        "going_out": going_out(tally),
        "natural_canastas": 500 * tally.natural_canastas,
        "mixed_canastas": 300 * tally.mixed_canastas,
        "red_threes": red_threes(tally),
        "melded_cards": sum(points(meld.cards) for meld in tally.melds),
        "cards_in_hand": -points(tally.cards_in_hand),
    }
    return {**lines, "total": sum(lines.values())}


def going_out(tally: Tally) -> int:
    """KAN-14: 100 for going out; KAN-15: 200 concealed."""
    if not tally.went_out:
        return 0
    return 200 if tally.concealed else 100


def red_threes(tally: Tally) -> int:
    """KAN-18: 100 each, all four 800; against a side that has not melded."""
    worth = 800 if tally.red_threes == 4 else 100 * tally.red_threes
    return worth if tally.melds else -worth
