"""The house rules of Canastra as a deal states them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tests.referee.cards import RANKS
from tests.referee.log import Check, RuleBroken, check_fields, is_bool, is_positive, one_of

MELD_RANKS = RANKS[RANKS.index("4") :]


def _is_ranks(value: object) -> bool:
    """CAN-13: any set of ranks from 4 to Ace."""
    if not isinstance(value, list) or not all(isinstance(rank, str) for rank in value):
        return False
    return all(len(rank) == 1 and rank in MELD_RANKS for rank in value) and len(set(value)) == len(value)


OPTION_FIELDS: dict[str, Check] = {
    "players": one_of(4, 2),
    "jokers": one_of(0, 4),
    "lixo_justify": one_of("new_meld", "naturals_only", "new_or_extend"),
    "curinga_top_blocks": is_bool,
    "lavadeira_ranks": _is_ranks,
    "curingas_per_meld": one_of(1, 2),
    "curinga_slides": is_bool,
    "batida_needs_discard": is_bool,
    "stock_out": one_of("morto_becomes_stock", "end"),
    "red_three_table_points": one_of(10, 0),
    "target": is_positive,
}


@dataclass(frozen=True)
class Options:
    """Every option, with the rule book's default."""

    players: int = 4
    jokers: int = 0
    lixo_justify: str = "new_meld"
    curinga_top_blocks: bool = False
    lavadeira_ranks: tuple[str, ...] = ("4", "5", "K", "A")
    curingas_per_meld: int = 1
    curinga_slides: bool = True
    batida_needs_discard: bool = False
    stock_out: str = "morto_becomes_stock"
    red_three_table_points: int = 10
    target: int = 2000

    def as_json(self) -> dict[str, Any]:
        """As the `deal` event writes them."""
        return {**asdict(self), "lavadeira_ranks": list(self.lavadeira_ranks)}


def read_options(record: object) -> Options:
    """All options, always present, each with an allowed value."""
    if not isinstance(record, Mapping):
        raise RuleBroken("LOG", "options must be an object")
    check_fields("options", record, OPTION_FIELDS)
    return Options(**{**record, "lavadeira_ranks": tuple(record["lavadeira_ranks"])})
