"""The statistics of mau-mau (docs/rules/mau_mau.md).

Everybody plays for himself, so a side is a seat. Counts and points are told for all seats, zeros included, so the
means of the `points:` lines add up to the mean `score`; what a finish brings is told among the rounds won so.
"""

from __future__ import annotations

import polars as pl

from analysis.statistic import Statistic, number, proportion, ratio
from kernels.mau_mau.layout import FACTORS
from kernels.spec import MAX_SEATS

PLAY = "Turns and cards"
UNABLE = "Who cannot follow"
EFFECTS = "Effects"
DIRECTION = "Direction"
FINISH = "Finishes"
LEFT = "Cards left"
ORDER = "Does it pay to play first?"
POINTS = "Points by source"

EFFECT_PLAYS = (
    ("seven", "sevens", "a 7"),
    ("eight", "eights", "an 8"),
    ("ace", "aces", "an Ace"),
    ("queen", "queens", "a Queen"),
    ("jack", "jacks", "a single Jack"),
    ("jack_pair", "jack_pairs", "two Jacks at once"),
)
FINISHES = (("no_jack", 0, "a card that is no Jack"), ("jack", 1, "one Jack"), ("jack_pair", 2, "two Jacks"))


def _count(field: str) -> pl.Expr:
    """Wide enough for any arithmetic: the fields of a record are as narrow as they can be."""
    return pl.col(field).cast(pl.Int64)


_won = pl.col("reason") == "went_out"
_loser = _won & ~pl.col("won")


def _among_wins(value: pl.Expr) -> pl.Expr:
    return pl.when(_won).then(value)


def _place(position: int) -> str:
    return f"seats that are number {position} in the playing order"


STATISTICS: tuple[Statistic, ...] = (
    number("seat_turns", "own turns", "How many turns has a seat in a round?", _count("seat_turns"), PLAY),
    number("plays", "plays", "How often does a seat play a card, or two Jacks?", _count("plays"), PLAY),
    number("drawn", "cards", "How many cards does a seat draw, for whatever reason?", _count("drawn"), PLAY),
    number(
        "first_one_card_turn",
        "turns",
        "In which turn of the round does somebody first hold a single card?",
        pl.when(pl.col("first_one_card") > 0).then(_count("first_one_card")),
        PLAY,
        level="deals",
        among="rounds in which somebody does",
    ),
    number(
        "forgotten_calls", "calls", "How often does a seat forget to announce its last card?", _count("forgotten"), PLAY
    ),
    number(
        "reshuffles",
        "reshuffles",
        "How often is the lixo shuffled into a new stock?",
        _count("reshuffles"),
        PLAY,
        level="deals",
    ),
    number("unable", "turns", "In how many of its turns can a seat not follow?", _count("unable"), UNABLE),
    proportion("unable_rate_any", "How often can a seat not follow at least once?", pl.col("unable") > 0, UNABLE),
    ratio(
        "unable_share",
        "share of turns",
        "In which share of its turns can a seat not follow?",
        _count("unable"),
        _count("seat_turns"),
        UNABLE,
        among="turns",
    ),
    number("fines", "fines", "How many fines does a seat pay?", _count("fines"), UNABLE),
    proportion("barred_rate", "How often is a seat barred when the round ends?", pl.col("barred") > 0, UNABLE),
    number(
        "bars_lifted",
        "times",
        "How often is everybody barred, so that all bars are lifted?",
        _count("bars_lifted"),
        UNABLE,
        level="deals",
    ),
    *(
        number(f"effect:{name}", "plays", f"How often does a seat play {text} before the end?", _count(field), EFFECTS)
        for name, field, text in EFFECT_PLAYS
    ),
    number(
        "skips",
        "turns",
        "How many turns are lost to Aces, and to Queens that skip?",
        _count("skips"),
        EFFECTS,
        level="deals",
    ),
    number(
        "direction_changes",
        "changes",
        "How often does the direction of play change?",
        _count("reversals"),
        DIRECTION,
        level="deals",
    ),
    number(
        "turns:clockwise",
        "turns",
        "How many turns are played clockwise?",
        _count("forward_turns"),
        DIRECTION,
        level="deals",
    ),
    number(
        "turns:counterclockwise",
        "turns",
        "How many turns are played the other way?",
        _count("turns") - _count("forward_turns"),
        DIRECTION,
        level="deals",
    ),
    proportion(
        "one_direction_rate",
        "How often is a round played in one direction alone?",
        pl.col("reversals") == 0,
        DIRECTION,
        level="deals",
    ),
    *(
        proportion(
            f"multiplier:{factor}",
            f"How often do the losers' cards count {factor} times?" if factor > 1 else "How often do they count once?",
            _among_wins(pl.col("factor") == factor),
            FINISH,
            level="deals",
            among="rounds with a winner",
        )
        for factor in FACTORS
    ),
    proportion(
        "jack_finish_rate",
        "How often does a round end with a Jack, or two?",
        _among_wins(pl.col("last_jacks") > 0),
        FINISH,
        level="deals",
        among="rounds with a winner",
    ),
    *(
        proportion(
            f"finish:{name}",
            f"How often does a round end with {text}?",
            _among_wins(pl.col("last_jacks") == jacks),
            FINISH,
            level="deals",
            among="rounds with a winner",
        )
        for name, jacks, text in FINISHES
    ),
    *(
        number(
            f"finish_margin:{name}",
            "points",
            f"How far is a winner ahead of the second best who goes out with {text}?",
            pl.when(_won & (pl.col("last_jacks") == jacks)).then(_count("winning_margin")),
            FINISH,
            level="deals",
            among=f"rounds won with {text}",
        )
        for name, jacks, text in FINISHES
    ),
    *(
        number(
            f"finish_turn:{name}",
            "turns",
            f"How many turns does a round take that ends with {text}?",
            pl.when(_won & (pl.col("last_jacks") == jacks)).then(_count("turns")),
            FINISH,
            level="deals",
            among=f"rounds won with {text}",
        )
        for name, jacks, text in FINISHES
    ),
    number(
        "cards_left",
        "cards",
        "How many cards are left with a loser?",
        pl.when(_loser).then(_count("hand_cards")),
        LEFT,
        among="losers",
    ),
    number(
        "points_left",
        "points",
        "What are the cards worth that are left with a loser, counted once?",
        pl.when(_loser).then(_count("hand_points")),
        LEFT,
        among="losers",
    ),
    *(
        proportion(
            f"position_win_rate:{position}",
            f"How often does the seat win that is number {position} in the playing order at the start?",
            pl.when(pl.col("position") == position - 1).then(pl.col("won")),
            ORDER,
            among=_place(position),
            seats=position,
            most=1,
        )
        for position in range(1, MAX_SEATS + 1)
    ),
    *(
        number(
            f"position_score:{position}",
            "points",
            f"What does the seat score that is number {position} in the playing order at the start?",
            pl.when(pl.col("position") == position - 1).then(pl.col("score")),
            ORDER,
            among=_place(position),
            seats=position,
        )
        for position in range(1, MAX_SEATS + 1)
    ),
    number("points:hand", "points", "What do cards left in hand cost, multiplied?", _count("hand_score"), POINTS),
    number("points:fines", "points", "What do fines cost?", _count("fines_score"), POINTS),
    number(
        "points:fines_won",
        "points",
        "What do the fines bring that the winner is credited with?",
        _count("fines_won"),
        POINTS,
    ),
    number(
        "points:collected", "points", "What does the winner collect for the losers' cards?", _count("collected"), POINTS
    ),
)
