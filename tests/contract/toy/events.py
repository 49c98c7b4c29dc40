"""The log of toy in words."""

from __future__ import annotations

from typing import Any

from kernels.cards import card_text
from kernels.toy.layout import END_REASONS, HAND, SEATS


def decode(rows: Any, record: Any, context: dict[str, Any]) -> list[dict[str, Any]]:
    """Events of one deal."""
    hands: list[list[str]] = [[] for _ in range(SEATS)]
    plays = []
    for row in rows:
        if row["kind"] == HAND:
            hands[row["seat"]].append(card_text(int(row["card"])))
        else:
            cards = [card_text(int(row["card"]))]
            plays.append({"event": "play", "turn": int(row["turn"]), "seat": int(row["seat"]), "cards": cards})
    scores = record["score"].tolist()
    deal = {"event": "deal", "game": "toy", **context, "dealer": int(record["dealer"]), "first": int(record["first"])}
    end = {
        "event": "end",
        "turn": int(record["turns"]),
        "reason": END_REASONS[record["reason"]],
        "scores": scores,
        "detail": [{"tricks": score, "total": score} for score in scores],
    }
    return [deal | {"hands": hands}, *plays, end]
