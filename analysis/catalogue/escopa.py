"""The statistics of escopa (docs/rules/escopa.md).

A rate is a share of all sides, whatever happened. Counts and points are told for all sides, zeros included, so the
means of the `points:` lines add up to the mean `score`.
"""

from __future__ import annotations

import polars as pl

from analysis.statistic import Statistic, number, proportion, ratio
from kernels.escopa.layout import MAX_PLAYERS, SUITS, VALUES

ESCOPAS = "Escopas"
DEALER = "The dealer's take"
CAPTURES = "Captures and the cards taken"
LAST = "The last capture"
OVERSIGHTS = "Overlooked captures"
POINTS = "Points by source"

LEFTOVERS = (10, 25, 40, 55)
"""What the cards left come to in a pack without oversights, other than rarely."""

PLACES = ("first", "second", "third", "fourth")


def _count(field: str) -> pl.Expr:
    """Wide enough for any arithmetic: the fields of a record are as narrow as they can be."""
    return pl.col(field).cast(pl.Int64)


def _in_pack(name: str, unit: str, question: str, value: pl.Expr, section: str) -> Statistic:
    """Sum over the sides of a pack."""
    return Statistic(name, unit, question, "number", value, section, "deals", across="sum")


def _has_capture(value: pl.Expr) -> pl.Expr:
    return pl.when(pl.col("last_side") >= 0).then(value)


_by_place = [
    number(
        f"escopas_by_place:{place}",
        "escopas",
        f"How many escopas does the seat make that plays {word}?",
        pl.when(_count(f"escopas_{place}") >= 0).then(_count(f"escopas_{place}")),
        ESCOPAS,
        level="deals",
        among="deals with such a seat",
        seats=place,
    )
    for place, word in zip(range(1, MAX_PLAYERS + 1), PLACES, strict=True)
]

STATISTICS: tuple[Statistic, ...] = (
    number("escopas", "escopas", "How many escopas are counted for a side?", _count("escopas"), ESCOPAS),
    _in_pack("escopas_in_pack", "escopas", "How many escopas are counted in a pack?", _count("escopas"), ESCOPAS),
    number(
        "escopas_played",
        "escopas",
        "How many of them does a side make by playing or claiming a card?",
        _count("played_escopas"),
        ESCOPAS,
    ),
    number(
        "escopas_dealt",
        "escopas",
        "How many of them does a side owe to the dealer's take?",
        _count("escopas") - _count("played_escopas"),
        ESCOPAS,
    ),
    *_by_place,
    proportion(
        "dealer_take_rate",
        "How often does the dealer take the four cards laid at the start?",
        pl.col("dealer_takes") > 0,
        DEALER,
        level="deals",
    ),
    proportion(
        "dealer_take_twice_rate",
        "How often does he take the four laid instead, too?",
        pl.col("dealer_takes") > 1,
        DEALER,
        level="deals",
    ),
    _in_pack(
        "dealer_fifteens",
        "fifteens",
        "How many fifteens does the dealer take at the start?",
        _count("dealer_fifteens"),
        DEALER,
    ),
    number("captures", "captures", "How many fifteens does a side capture?", _count("captures"), CAPTURES),
    _in_pack("captures_in_pack", "captures", "How many fifteens are captured in a pack?", _count("captures"), CAPTURES),
    number("cards", "cards", "How many cards does a side take?", _count("cards"), CAPTURES),
    number("diamonds", "diamonds", "How many diamonds does a side take?", _count("diamonds"), CAPTURES),
    number("sevens", "sevens", "How many sevens does a side take?", _count("sevens"), CAPTURES),
    proportion("guindis_rate", "How often does a side take the guindis?", pl.col("guindis") > 0, CAPTURES, most=1),
    proportion("most_cards_rate", "How often has a side most cards?", pl.col("card_points") > 0, CAPTURES, most=1),
    proportion(
        "most_diamonds_rate", "How often has a side most diamonds?", pl.col("diamond_points") > 0, CAPTURES, most=1
    ),
    proportion("most_sevens_rate", "How often has a side most sevens?", pl.col("seven_points") > 0, CAPTURES, most=1),
    proportion(
        "all_diamonds_rate", "How often does a side take all diamonds?", pl.col("diamonds") == VALUES, CAPTURES, most=1
    ),
    proportion(
        "all_sevens_rate", "How often does a side take all sevens?", pl.col("sevens") == SUITS, CAPTURES, most=1
    ),
    proportion(
        "primeira_rate", "How often does a side win the primeira?", pl.col("primeira_points") > 0, CAPTURES, most=1
    ),
    proportion(
        "few_rate", "How often do a side's opponents take fewer than ten cards?", pl.col("few_points") > 0, CAPTURES
    ),
    number("leftover", "value", "What do the cards left at the end come to?", _count("leftover"), LAST, level="deals"),
    *(
        proportion(
            f"leftover:{total}",
            f"How often do the cards left at the end come to {total}?",
            pl.col("leftover") == total,
            LAST,
            level="deals",
        )
        for total in LEFTOVERS
    ),
    number(
        "leftover_cards", "cards", "How many cards are left at the end?", _count("leftover_cards"), LAST, level="deals"
    ),
    proportion("last_capture_rate", "How often does a side capture last?", pl.col("last_capture") > 0, LAST, most=1),
    number(
        "last_capture_cards",
        "cards",
        "How many cards does the last capture bring, with those left at the end?",
        _has_capture(_count("last_capture_cards")),
        LAST,
        level="deals",
        among="deals with a capture",
    ),
    number(
        "last_capture_points",
        "points",
        "By how much do the cards left at the end better the lead of the side that gets them?",
        _has_capture(_count("last_capture_points")),
        LAST,
        level="deals",
        among="deals with a capture",
    ),
    proportion(
        "last_capture_win_rate",
        "How often does the side win that captures last?",
        _has_capture(pl.col("last_side") == pl.col("winner")),
        LAST,
        level="deals",
        among="deals with a capture",
    ),
    number(
        "overlooks", "captures", "How many possible captures does a side overlook?", _count("overlooks"), OVERSIGHTS
    ),
    number(
        "claims",
        "claims",
        "How many cards that others left by oversight does a side claim?",
        _count("claims"),
        OVERSIGHTS,
    ),
    ratio(
        "claimed_share",
        "share of oversights",
        "How many oversights end with a claim?",
        _count("claims"),
        _count("overlooks"),
        OVERSIGHTS,
        among="overlooked captures",
    ),
    number("points:escopas", "points", "What do escopas bring?", _count("escopas"), POINTS),
    number("points:guindis", "points", "What does the guindis bring?", _count("guindis"), POINTS),
    number("points:diamonds", "points", "What do most or all diamonds bring?", _count("diamond_points"), POINTS),
    number("points:sevens", "points", "What do most or all sevens bring?", _count("seven_points"), POINTS),
    number("points:cards", "points", "What do most cards bring?", _count("card_points"), POINTS),
    number("points:few", "points", "What do the opponents' few cards bring?", _count("few_points"), POINTS),
    number("points:primeira", "points", "What does the primeira bring?", _count("primeira_points"), POINTS),
)
