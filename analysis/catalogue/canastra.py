"""The statistics of canastra (docs/rules/canastra.md).

A rate is a share of all sides, whatever happened. A turn at which something happened (`morto_turn`) is told among
the sides to which it happened, in the side's own turns from 1. Counts and points are told for all sides, zeros
included, so the means of the `points:` lines add up to the mean `score`.
"""

from __future__ import annotations

import polars as pl

from analysis.statistic import Statistic, number, proportion, ratio
from kernels.canastra.layout import BATIDA_POINTS, CARD_POINTS, CLEAN_POINTS, DIRTY_POINTS, NO_MORTO_POINTS

MELDS = "First meld"
CANASTRAS = "Canastras"
MORTO = "Morto and batida"
LIXO = "Lixo"
THREES = "Threes and cards left"
POINTS = "Points by source"

FIRST_MELD_TURNS = range(1, 11)


def _count(field: str) -> pl.Expr:
    """Wide enough for any arithmetic: the fields of a record are as narrow as they can be."""
    return pl.col(field).cast(pl.Int64)


def _when_it_happened(field: str) -> pl.Expr:
    return pl.when(pl.col(field) > 0).then(pl.col(field))


_canastras = _count("clean_canastras") + _count("dirty_canastras")
_melded_by = [
    proportion(
        f"first_meld_by:{turn}",
        f"How likely is it that a side has melded by the end of its own turn {turn}?",
        pl.col("first_meld_turn").is_between(1, turn),
        MELDS,
    )
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
    *_melded_by,
    number("melds", "melds", "How many melds has a side on the table at the end?", _count("melds"), MELDS),
    number("curingas", "curingas", "How many curingas does a side lay?", _count("curingas"), MELDS),
    proportion("canastra_rate", "How often does a side make a canastra?", _canastras > 0, CANASTRAS),
    proportion(
        "canastra_rate_any",
        "How often does anybody make a canastra?",
        _canastras > 0,
        CANASTRAS,
        level="deals",
        across="any",
    ),
    proportion(
        "clean_canastra_rate",
        "How often does a side end with a canastra limpa?",
        pl.col("clean_canastras") > 0,
        CANASTRAS,
    ),
    proportion(
        "dirty_canastra_rate",
        "How often does a side end with a canastra suja?",
        pl.col("dirty_canastras") > 0,
        CANASTRAS,
    ),
    number("canastras", "canastras", "How many canastras does a side make?", _canastras, CANASTRAS),
    number(
        "canastra_turn",
        "own turns",
        "In which of its own turns does a side make its first canastra?",
        _when_it_happened("canastra_turn"),
        CANASTRAS,
        among="sides with a canastra",
    ),
    proportion("morto_rate", "How often does a side take a morto?", pl.col("morto") > 0, MORTO),
    proportion(
        "morto_rate_any",
        "How often does anybody take a morto?",
        pl.col("morto") > 0,
        MORTO,
        level="deals",
        across="any",
    ),
    number(
        "morto_turn",
        "own turns",
        "In which of its own turns does a side take its morto?",
        _when_it_happened("morto_turn"),
        MORTO,
        among="sides that took a morto",
    ),
    proportion("batida_rate", "How often does a side go out?", pl.col("batida") > 0, MORTO, most=1),
    number(
        "batida_turn",
        "own turns",
        "In which of its own turns does a side go out?",
        _when_it_happened("batida_turn"),
        MORTO,
        among="sides that went out",
    ),
    proportion(
        "stock_out_rate",
        "How often do the cards run out before anybody goes out?",
        pl.col("reason") == "stock_out",
        MORTO,
        level="deals",
    ),
    number("lixo_takes", "takes", "How often does a side take the lixo in a deal?", _count("lixo_takes"), LIXO),
    ratio(
        "lixo_size",
        "cards a take",
        "How many cards does a taken lixo hold?",
        _count("lixo_cards"),
        _count("lixo_takes"),
        LIXO,
        among="takes of the lixo",
    ),
    number("locks", "black threes", "How often does a side lock the lixo with a black 3?", _count("locks"), LIXO),
    number("red_threes", "red threes", "How many red threes does a side lay aside?", _count("red_threes"), THREES),
    proportion(
        "red_three_debt_rate",
        "How often do red threes count against the side that has them?",
        pl.when(pl.col("red_threes") > 0).then(pl.col("red_three_points") < 0),
        THREES,
        among="sides with red threes",
    ),
    number("cards_left", "cards", "How many cards are left in a side's hands?", _count("hand_cards"), THREES),
    number("points:batida", "points", "What does going out bring?", BATIDA_POINTS * _count("batida"), POINTS),
    number(
        "points:clean",
        "points",
        "What do canastras limpas bring?",
        CLEAN_POINTS * _count("clean_canastras"),
        POINTS,
    ),
    number(
        "points:dirty",
        "points",
        "What do canastras sujas bring?",
        DIRTY_POINTS * _count("dirty_canastras"),
        POINTS,
    ),
    number("points:cards", "points", "What do melded cards bring?", CARD_POINTS * _count("table_cards"), POINTS),
    number(
        "points:red_threes",
        "points",
        "What do red threes bring or cost, their points as cards on the table included?",
        _count("red_three_points") + _count("red_three_table_points"),
        POINTS,
    ),
    number(
        "points:cards_in_hand",
        "points",
        "What do cards left in hand cost?",
        -CARD_POINTS * _count("hand_cards"),
        POINTS,
    ),
    number(
        "points:no_morto",
        "points",
        "What does the missing morto cost?",
        -NO_MORTO_POINTS * _count("no_morto"),
        POINTS,
    ),
)
