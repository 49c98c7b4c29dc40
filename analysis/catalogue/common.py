"""The statistics that every game has, and those of matches."""

from __future__ import annotations

import polars as pl

from analysis.seating import FIRST, POLICY, SIDE
from analysis.statistic import Statistic, number, proportion
from kernels.spec import GameSpec

ENDINGS = "How deals end"
SCORES = "Score and winner"
MATCHES = "Matches"


def statistics(spec: GameSpec) -> tuple[Statistic, ...]:
    """Statistics of deals, from what a record of any game holds."""
    reason, score = pl.col("reason"), pl.col("score")
    void = (proportion("void_rate", "How often does a deal count for nobody?", pl.col("void"), ENDINGS, level="deals"),)
    return (
        *(
            proportion(
                f"end_reason:{name}",
                f"How often does a deal end by {name.replace('_', ' ')}?",
                reason == name,
                ENDINGS,
                level="deals",
            )
            for name in spec.end_reasons
        ),
        *(void if spec.void_reasons else ()),
        number("turns", "turns", "How many turns does a deal take?", pl.col("turns"), ENDINGS, level="deals"),
        number("score", "points", "What does a side score in a deal?", score, SCORES),
        number(
            "margin",
            "points",
            "By how much does a side beat the best of the others?",
            pl.col("margin"),
            SCORES,
            groups=(SIDE, POLICY, FIRST),
        ),
        number(
            "winning_margin",
            "points",
            "How far is the best score ahead of the second best?",
            pl.col("winning_margin"),
            SCORES,
            level="deals",
        ),
        proportion("win_rate", "How often has a side the best score alone?", pl.col("won"), SCORES, most=1),
        proportion("tie_rate", "How often is the best score shared?", pl.col("tie"), SCORES, level="deals"),
        proportion(
            "first_player_win_rate",
            "How often does the side win that plays first?",
            pl.col("first_player_won"),
            SCORES,
            level="deals",
        ),
    )


def match_statistics() -> tuple[Statistic, ...]:
    """Statistics of matches, over the frames of `analysis.frames.match_frames`."""
    return (
        number(
            "deals_per_match", "deals", "How many deals does a match take?", pl.col("deals"), MATCHES, level="deals"
        ),
        proportion("match_win_rate", "How often does a side win the match?", pl.col("won"), MATCHES, most=1),
        proportion(
            "first_dealer_win_rate",
            "How often does the side of the first dealer win the match?",
            pl.col("first_dealer_won"),
            MATCHES,
            level="deals",
        ),
        proportion(
            "match_tie_rate",
            "How often do several share the victory in a match?",
            pl.col("shared"),
            MATCHES,
            level="deals",
        ),
        proportion(
            "match_unfinished_rate",
            "How often is a match given up before anybody reaches the target?",
            pl.col("unfinished"),
            MATCHES,
            level="deals",
        ),
        number("match_score", "points", "With what score does a side end the match?", pl.col("score"), MATCHES),
        number(
            "match_margin",
            "points",
            "By how much does a side beat the best of the others in the match?",
            pl.col("margin"),
            MATCHES,
            groups=(SIDE, POLICY, FIRST),
        ),
        number(
            "match_winning_margin",
            "points",
            "How far ahead is the winner of a match?",
            pl.col("winning_margin"),
            MATCHES,
            level="deals",
            among="matches with a winner",
        ),
    )
