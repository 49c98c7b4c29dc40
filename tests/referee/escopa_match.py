"""The referee of a whole match of Escopa: pack after pack until it is decided (ESC-12)."""

from __future__ import annotations

from collections.abc import Sequence

from tests.referee.escopa import judge
from tests.referee.escopa_deal import is_decided
from tests.referee.log import Event, RuleBroken

SAME_IN_EVERY_PACK = ("seed", "match", "options", "policies")


def judge_match(packs: Sequence[Sequence[Event]]) -> list[int]:
    """Judge every pack, and how they follow each other; the scores of the match."""
    scores = [0] * len(packs[0][0]["scores_before"])
    target = packs[0][0]["options"]["target"]
    for number, pack in enumerate(packs):
        check_follows(pack[0], packs[number - 1][0] if number else None, number, scores)
        verdict = judge(pack)
        scores = [before + points for before, points in zip(scores, verdict.scores, strict=True)]
    if not is_decided(scores, target):
        raise RuleBroken("ESC-12", f"the match is not decided at {scores}")
    return scores


def check_follows(deal: Event, before: Event | None, number: int, scores: list[int]) -> None:
    """ESC-12: the packs are numbered, the scores add up; the next pack is dealt by the player to the right."""
    if deal["match"] is None or deal["deal"] != number:
        raise RuleBroken("LOG", f"pack {deal['deal']} of match {deal['match']} stands where pack {number} belongs")
    if deal["scores_before"] != scores:
        raise RuleBroken("ESC-12", f"the scores are {scores}, not {deal['scores_before']}")
    if before is None:
        return
    if any(deal[field] != before[field] for field in SAME_IN_EVERY_PACK):
        raise RuleBroken("LOG", "a match is played at one table")
    if deal["dealer"] != (before["dealer"] + 1) % len(deal["hands"]):
        raise RuleBroken("ESC-12", f"after seat {before['dealer']} the next pack is not dealt by {deal['dealer']}")
