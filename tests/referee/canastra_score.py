"""The score of a hand of Canastra, line by line (CAN-22, CAN-25 to CAN-27)."""

from __future__ import annotations

from dataclasses import dataclass

from tests.referee.canastra_options import Options

DETAIL_ARTICLES = {
    "batida": "CAN-25",
    "clean_canastras": "CAN-25",
    "dirty_canastras": "CAN-25",
    "cards_on_table": "CAN-25",
    "red_threes": "CAN-26",
    "red_threes_on_table": "CAN-26",
    "cards_in_hand": "CAN-25",
    "no_morto": "CAN-27",
    "total": "CAN-25",
}


@dataclass(frozen=True)
class Tally:
    """What one pair has when the hand ends."""

    batida: bool
    clean: int
    dirty: int
    cards_on_table: int  # in melds; red threes are counted apart
    red_threes: int
    cards_in_hand: int
    morto_missing: bool  # CAN-22, CAN-27: no morto, and that is penalised


def score(tally: Tally, options: Options) -> dict[str, int]:
    """Every line of the score in signed points, and the total."""
    lines = {
        "batida": batida(tally),
        "clean_canastras": 200 * tally.clean,
        "dirty_canastras": 100 * tally.dirty,
        "cards_on_table": 10 * tally.cards_on_table,
        "red_threes": red_threes(tally),
        "red_threes_on_table": red_threes_on_table(tally, options),
        "cards_in_hand": -10 * tally.cards_in_hand,
        "no_morto": no_morto(tally),
    }
    return {**lines, "total": sum(lines.values())}


def batida(tally: Tally) -> int:
    """CAN-25: 100 for going out."""
    return 100 if tally.batida else 0


def red_threes(tally: Tally) -> int:
    """CAN-26: 100 each with a canastra, else -100 each."""
    return 100 * tally.red_threes if tally.clean + tally.dirty else -100 * tally.red_threes


def red_threes_on_table(tally: Tally, options: Options) -> int:
    """CAN-26: 10 each as cards on the table, only when they are positive (option)."""
    return options.red_three_table_points * tally.red_threes if tally.clean + tally.dirty else 0


def no_morto(tally: Tally) -> int:
    """CAN-27: -100 once."""
    return -100 if tally.morto_missing else 0
