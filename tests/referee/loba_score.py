"""The score of a round of Loba, line by line (LOB-14, LOB-15)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.referee.loba_melds import points

DETAIL_ARTICLES = {"factor": "LOB-15", "hand": "LOB-14", "bonus": "LOB-15", "total": "LOB-14"}
BONUS = 20


def score(hands: Sequence[Sequence[str]], winner: int | None, all_at_once: bool) -> list[dict[str, int]]:
    """Every line of every seat in signed points; the winner's hand is empty, as is that of who no longer plays.

    LOB-14: the others count their hands against them; LOB-13, LOB-17: without a winner everybody does.
    LOB-15: after everything was laid at once the winner gets 20 and the others count double.
    """
    factor = 2 if all_at_once else 1
    lines = []
    for seat, hand in enumerate(hands):
        counted = -factor * points(hand)
        bonus = BONUS if all_at_once and seat == winner else 0
        lines.append({"hand": counted, "factor": factor, "bonus": bonus, "total": counted + bonus})
    return lines
