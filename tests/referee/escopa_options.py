"""The house rules of Escopa as a deal states them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tests.referee.log import Check, RuleBroken, check_fields, is_bool, is_int, is_positive, one_of


def _is_rate(value: object) -> bool:
    """ESC-06: a number from 0 to 1."""
    return (is_int(value) or isinstance(value, float)) and 0 <= value <= 1  # type: ignore[operator]


OPTION_FIELDS: dict[str, Check] = {
    "players": one_of(2, 3, 4),
    "figures": one_of("qjk", "jqk"),
    "deal_passes": is_bool,
    "capture": one_of("must", "if_played", "free"),
    "overlook_rate": _is_rate,
    "dealer_take": one_of("twice", "once", "none"),
    "escopa": one_of("clear_table", "exactly_four"),
    "dealer_escopas": is_bool,
    "all_replaces_most": is_bool,
    "primeira": one_of("quartet", "quartet_points", "standard"),
    "target": is_positive,
}


@dataclass(frozen=True)
class Options:
    """Every option, with the rule book's default."""

    players: int = 2
    figures: str = "qjk"
    deal_passes: bool = True
    capture: str = "must"
    overlook_rate: float = 0
    dealer_take: str = "twice"
    escopa: str = "clear_table"
    dealer_escopas: bool = True
    all_replaces_most: bool = True
    primeira: str = "quartet"
    target: int = 21

    @property
    def sides(self) -> int:
        """ESC-02: four play in pairs, two or three each for himself."""
        return 2 if self.players == 4 else self.players

    def side_of(self, seat: int) -> int:
        """ESC-02: the side of a seat."""
        return seat % self.sides

    def as_json(self) -> dict[str, Any]:
        """As the `deal` event writes them."""
        return asdict(self)


def read_options(record: object) -> Options:
    """All options, always present, each with an allowed value."""
    if not isinstance(record, Mapping):
        raise RuleBroken("LOG", "options must be an object")
    check_fields("options", record, OPTION_FIELDS)
    return Options(**record)
