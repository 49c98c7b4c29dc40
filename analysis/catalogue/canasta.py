"""The statistics of canasta (docs/rules/canasta.md).

A rate is a share of all sides, whatever happened. A turn at which something happened (`canasta_turn`) is told among
the sides to which it happened, in the side's own turns from 1. Counts and points are told for all sides, zeros
included, so the means of the `points:` lines add up to the mean `score`.
"""

from __future__ import annotations

import polars as pl

from analysis.statistic import Statistic, number, proportion, ratio
from kernels.canasta.layout import CONCEALED_POINTS, GOING_OUT_POINTS, MINIMUMS, MIXED_POINTS, NATURAL_POINTS

MELDS = "First meld"
PILE = "The battle for the pile"
CANASTAS = "Canastas"
GOING_OUT = "Going out"
THREES = "Threes and cards left"
POINTS = "Points by source"

FIRST_MELD_TURNS = range(1, 9)


def _count(field: str) -> pl.Expr:
    """Wide enough for any arithmetic: the fields of a record are as narrow as they can be."""
    return pl.col(field).cast(pl.Int64)


def _when_it_happened(field: str) -> pl.Expr:
    return pl.when(pl.col(field) > 0).then(pl.col(field))


def _melded_by(turn: int) -> pl.Expr:
    return pl.col("first_meld_turn").is_between(1, turn)


_canastas = _count("natural_canastas") + _count("mixed_canastas")
_melded_by_turn = [
    proportion(
        f"first_meld_by:{turn}",
        f"How likely is it that a side has melded by the end of its own turn {turn}?",
        _melded_by(turn),
        MELDS,
    )
    for turn in FIRST_MELD_TURNS
]
_melded_by_minimum_and_turn = [
    proportion(
        f"first_meld_by:{minimum}:{turn}",
        f"How likely is it that a side that needs {minimum} points has melded by the end of its own turn {turn}?",
        pl.when(pl.col("minimum") == minimum).then(_melded_by(turn)),
        MELDS,
        among=f"sides that need {minimum}",
    )
    for minimum in MINIMUMS
    for turn in FIRST_MELD_TURNS
]

STATISTICS: tuple[Statistic, ...] = (
    proportion("first_meld_rate", "How often does a side meld at all?", pl.col("first_meld_turn") > 0, MELDS),
    number(
        "first_meld_turn",
        "own turns",
        "In which of its own turns does a side first meld?",
        _when_it_happened("first_meld_turn"),
        MELDS,
        among="sides that melded",
    ),
    *_melded_by_turn,
    *_melded_by_minimum_and_turn,
    number(
        "first_meld_cards",
        "cards",
        "How many hand cards does a first meld cost, all that is laid with it included?",
        pl.when(pl.col("first_meld_turn") > 0).then(pl.col("first_meld_cards")),
        MELDS,
        among="sides that melded",
    ),
    proportion(
        "first_meld_from_pile_rate",
        "How often does the first meld take the pile?",
        pl.when(pl.col("first_meld_turn") > 0).then(pl.col("first_meld_from_pile") > 0),
        MELDS,
        among="sides that melded",
    ),
    number("melds", "melds", "How many melds has a side on the table at the end?", _count("melds"), MELDS),
    number("pile_takes", "takes", "How often does a side take the pile in a deal?", _count("pile_takes"), PILE),
    ratio(
        "pile_size",
        "cards a take",
        "How many cards does a taken pile hold?",
        _count("pile_cards"),
        _count("pile_takes"),
        PILE,
        among="takes of the pile",
    ),
    number(
        "first_pile_size",
        "cards",
        "How many cards does the first pile hold that anybody takes?",
        pl.when(pl.col("first_pile_size") > 0).then(pl.col("first_pile_size")),
        PILE,
        level="deals",
        among="deals in which a pile is taken",
    ),
    proportion(
        "first_pile_win_rate",
        "How often does the side win that takes the first pile?",
        pl.when(pl.col("first_pile_side") >= 0).then(pl.col("first_pile_side") == pl.col("winner")),
        PILE,
        level="deals",
        among="deals in which a pile is taken",
    ),
    proportion(
        "most_piles_win_rate",
        "How often does the side win that takes more pile cards than the other?",
        pl.when(pl.col("most_piles_side") >= 0).then(pl.col("most_piles_side") == pl.col("winner")),
        PILE,
        level="deals",
        among="deals in which a side takes more",
    ),
    number("freezes", "discards", "How often does a side freeze the pile?", _count("freezes"), PILE),
    proportion(
        "opening_freeze_rate",
        "How often do the cards turned at the start freeze the pile?",
        pl.col("opening_freeze") > 0,
        PILE,
        level="deals",
    ),
    number(
        "stops", "black threes", "How often does a side stop the next player with a black 3?", _count("stops"), PILE
    ),
    proportion("canasta_rate", "How often does a side make a canasta?", _canastas > 0, CANASTAS),
    proportion(
        "canasta_rate_any",
        "How often does anybody make a canasta?",
        _canastas > 0,
        CANASTAS,
        level="deals",
        across="any",
    ),
    proportion(
        "canasta_rate_melded",
        "How often does a side that melds make a canasta?",
        pl.when(pl.col("first_meld_turn") > 0).then(_canastas > 0),
        CANASTAS,
        among="sides that melded",
    ),
    proportion(
        "natural_canasta_rate",
        "How often does a side end with a natural canasta?",
        pl.col("natural_canastas") > 0,
        CANASTAS,
    ),
    proportion(
        "mixed_canasta_rate",
        "How often does a side end with a mixed canasta?",
        pl.col("mixed_canastas") > 0,
        CANASTAS,
    ),
    number("canastas", "canastas", "How many canastas does a side make?", _canastas, CANASTAS),
    number(
        "canasta_turn",
        "own turns",
        "In which of its own turns does a side make its first canasta?",
        _when_it_happened("canasta_turn"),
        CANASTAS,
        among="sides with a canasta",
    ),
    number("wild_cards", "wild cards", "How many wild cards does a side lay?", _count("wild_cards"), CANASTAS),
    proportion("went_out_rate", "How often does a side go out?", pl.col("went_out") > 0, GOING_OUT),
    number(
        "out_turn",
        "own turns",
        "In which of its own turns does a side go out?",
        _when_it_happened("out_turn"),
        GOING_OUT,
        among="sides that went out",
    ),
    proportion(
        "concealed_rate",
        "How often does a side go out concealed?",
        pl.col("concealed") > 0,
        GOING_OUT,
    ),
    number("asks", "questions", "How often does a side's player ask whether to go out?", _count("asks"), GOING_OUT),
    ratio(
        "refusals",
        "share of questions",
        "How often is the answer no?",
        _count("refusals"),
        _count("asks"),
        GOING_OUT,
        among="questions",
    ),
    number("red_threes", "red threes", "How many red threes does a side have?", _count("red_threes"), THREES),
    proportion(
        "four_red_threes_rate",
        "How often does a side have all four red threes?",
        pl.col("red_threes") == 4,
        THREES,
    ),
    proportion(
        "red_three_debt_rate",
        "How often do red threes count against the side that has them?",
        pl.when(pl.col("red_threes") > 0).then(pl.col("red_three_points") < 0),
        THREES,
        among="sides with red threes",
    ),
    number("cards_left", "cards", "How many cards are left in a side's hands?", _count("hand_cards"), THREES),
    number(
        "points:going_out",
        "points",
        "What does going out bring?",
        GOING_OUT_POINTS * _count("went_out") + (CONCEALED_POINTS - GOING_OUT_POINTS) * _count("concealed"),
        POINTS,
    ),
    number(
        "points:natural",
        "points",
        "What do natural canastas bring, beside their cards?",
        NATURAL_POINTS * _count("natural_canastas"),
        POINTS,
    ),
    number(
        "points:mixed",
        "points",
        "What do mixed canastas bring, beside their cards?",
        MIXED_POINTS * _count("mixed_canastas"),
        POINTS,
    ),
    number("points:cards", "points", "What do melded cards bring?", _count("melded_points"), POINTS),
    number("points:red_threes", "points", "What do red threes bring or cost?", _count("red_three_points"), POINTS),
    number("points:cards_in_hand", "points", "What do cards left in hand cost?", -_count("hand_points"), POINTS),
)
