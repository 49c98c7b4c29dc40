"""The statistics of loba (docs/rules/loba.md).

A rate is a share of all seats, whatever happened. A turn at which something happened (`went_out_turn`) is told among
the seats to which it happened, in the seat's own turns from 1. Counts and points are told for all seats, zeros
included, so the means of the `points:` lines add up to the mean `score`; what is left in hand is told of those who did
not go out. In matches a seat that is out of it counts nowhere.
"""

from __future__ import annotations

import polars as pl

from analysis.statistic import Statistic, number, proportion
from kernels.loba.layout import ALL_AT_ONCE_POINTS

MELDS = "Melds"
GOING_OUT = "Going out"
CARDS = "Stock and discards"
LEFT = "What is left in hand"
POINTS = "Points by source"
OUT = "Out of the match"

FIRST_MELD_TURNS = range(1, 11)
ROUNDS = range(1, 21)


def _count(field: str) -> pl.Expr:
    """Wide enough for any arithmetic: the fields of a record are as narrow as they can be."""
    return pl.col(field).cast(pl.Int64)


def _when_it_happened(field: str) -> pl.Expr:
    return pl.when(pl.col(field) > 0).then(pl.col(field))


def _left(field: str) -> pl.Expr:
    return pl.when(pl.col("went_out") == 0).then(_count(field))


_bonus = ALL_AT_ONCE_POINTS * _count("all_at_once")
_first_meld_by = [
    proportion(
        f"first_meld_by:{turn}",
        f"How likely is it that a player has melded by the end of the own turn {turn}?",
        pl.col("first_meld_turn").is_between(1, turn),
        MELDS,
    )
    for turn in FIRST_MELD_TURNS
]
_eliminated_by_round = [
    proportion(
        f"eliminated_rate:{round_number}",
        f"How often does round {round_number} of a match put a player out of it?",
        pl.when(pl.col("match").is_not_null() & (pl.col("deal") == round_number - 1)).then(pl.col("eliminated") > 0),
        OUT,
        among=f"players in round {round_number} of a match",
    )
    for round_number in ROUNDS
]

STATISTICS: tuple[Statistic, ...] = (
    proportion("first_meld_rate", "How often does a player meld at all?", pl.col("first_meld_turn") > 0, MELDS),
    number(
        "first_meld_turn",
        "own turns",
        "In which of the own turns does a player first meld?",
        _when_it_happened("first_meld_turn"),
        MELDS,
        among="players who melded",
    ),
    *_first_meld_by,
    number("melds", "melds", "How many melds has a player on the table at the end?", _count("melds"), MELDS),
    number("sets", "sets", "How many of them are sets?", _count("sets"), MELDS),
    number("laid_cards", "cards", "How many cards lie in a player's melds at the end?", _count("laid_cards"), MELDS),
    number("jokers_used", "jokers", "How many jokers does a player lay?", _count("jokers_used"), MELDS),
    proportion("went_out_rate", "How often does a player go out?", pl.col("went_out") > 0, GOING_OUT, most=1),
    number(
        "went_out_turn",
        "own turns",
        "In which of the own turns does a player go out?",
        _when_it_happened("out_turn"),
        GOING_OUT,
        among="players who went out",
    ),
    proportion(
        "all_at_once_rate",
        "How often does a player go out by laying everything at once?",
        pl.col("all_at_once") > 0,
        GOING_OUT,
        most=1,
    ),
    proportion(
        "all_at_once_rate_any",
        "How often does anybody go out by laying everything at once?",
        (pl.col("all_at_once") > 0).fill_null(False),
        GOING_OUT,
        level="deals",
        across="any",
    ),
    number(
        "discard_takes", "takes", "How often does a player take the discard in a deal?", _count("discard_takes"), CARDS
    ),
    number(
        "meld_discards",
        "discards",
        "How often does a player discard a card of an own meld?",
        _count("meld_discards"),
        CARDS,
    ),
    number(
        "reshuffles",
        "reshuffles",
        "How often are the discards shuffled again?",
        _count("reshuffles"),
        CARDS,
        level="deals",
    ),
    number(
        "redeals", "redeals", "How often is dealt again for an exposed joker?", _count("redeals"), CARDS, level="deals"
    ),
    proportion(
        "redeal_rate", "How often does a joker come to be exposed?", pl.col("redeals") > 0, CARDS, level="deals"
    ),
    number(
        "deadwood",
        "points",
        "What are the cards worth that are left in a hand, undoubled?",
        _left("deadwood"),
        LEFT,
        among="players who did not go out",
    ),
    number(
        "cards_left",
        "cards",
        "How many cards are left in a hand?",
        _left("cards_left"),
        LEFT,
        among="players who did not go out",
    ),
    number(
        "jokers_left",
        "jokers",
        "How many jokers are left in a hand?",
        _left("jokers_left"),
        LEFT,
        among="players who did not go out",
    ),
    number(
        "points:hand",
        "points",
        "What do cards left in hand cost, doubled where they are?",
        pl.col("score").cast(pl.Int64) - _bonus,
        POINTS,
    ),
    number("points:bonus", "points", "What does laying everything at once bring?", _bonus, POINTS),
    *_eliminated_by_round,
)
