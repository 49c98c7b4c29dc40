"""The score of a round of mau-mau, line by line (MAU-06, MAU-08, MAU-17, MAU-18, MAU-19)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.referee.cards import rank_of, suit_of

DETAIL_ARTICLES = {
    "hand": "MAU-18",
    "factor": "MAU-18",
    "fines": "MAU-06",
    "fines_won": "MAU-06",
    "collected": "MAU-19",
    "total": "MAU-18",
}
VALUES = {"J": 20, "8": 20, "7": 15, "A": 15, "K": 10, "Q": 10, "T": 10}
FINE = 50  # MAU-06


@dataclass(frozen=True)
class Tally:
    """What lies before the players when the round ends; `winner` is None when it is void or capped."""

    winner: int | None
    hands: Sequence[Sequence[str]]  # by seat
    fines: Sequence[int]  # what each seat has been fined
    start_card: str
    last_play: Sequence[str]
    winner_collects: bool


def points(cards: Sequence[str]) -> int:
    """MAU-18: J and 8 twenty, 7 and A fifteen, K Q 10 ten, others their face value."""
    return sum(VALUES[rank_of(card)] if rank_of(card) in VALUES else int(rank_of(card)) for card in cards)


def factor(tally: Tally) -> int:
    """MAU-18: x2 for winning with a Jack, x4 with two; x2 for a start card of spades; MAU-08: none in a void round."""
    if tally.winner is None:
        return 1
    jacks = [card for card in tally.last_play if rank_of(card) == "J"]
    spades = 2 if suit_of(tally.start_card) == "S" else 1
    return spades * (1, 2, 4)[len(jacks)]


def score(tally: Tally) -> list[dict[str, int]]:
    """Every line of each seat's score in signed points; all but the factor add up to the total."""
    if tally.winner_collects:
        lines = [collecting(tally, seat) for seat in range(len(tally.hands))]
    else:
        lines = [paying(tally, seat) for seat in range(len(tally.hands))]
    return [
        {**line, "factor": factor(tally), "total": line["hand"] + line["fines"] + line["fines_won"] + line["collected"]}
        for line in lines
    ]


def paying(tally: Tally, seat: int) -> dict[str, int]:
    """MAU-18: the cards left count against their holder; MAU-06: fines go to the winner, his own ones too."""
    hand = -factor(tally) * points(tally.hands[seat])
    if tally.winner is None:  # MAU-08: fines are cancelled
        return {"hand": hand, "fines": 0, "fines_won": 0, "collected": 0}
    won = sum(tally.fines) if seat == tally.winner else 0
    return {"hand": hand, "fines": -tally.fines[seat], "fines_won": won, "collected": 0}


def collecting(tally: Tally, seat: int) -> dict[str, int]:
    """MAU-19, `winner_collects`: nobody goes negative; the winner adds the losers' points and fines."""
    if seat != tally.winner:
        return {"hand": 0, "fines": 0, "fines_won": 0, "collected": 0}
    collected = factor(tally) * sum(points(hand) for hand in tally.hands)
    return {"hand": 0, "fines": 0, "fines_won": sum(tally.fines) - tally.fines[seat], "collected": collected}
