"""The house rules of Canasta as a deal states them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tests.referee.log import Check, RuleBroken, check_fields, is_bool, is_int, is_positive, one_of


def _is_score(value: object) -> bool:
    """KAN-13: two integers, one a side."""
    return isinstance(value, list) and len(value) == 2 and all(is_int(points) for points in value)


OPTION_FIELDS: dict[str, Check] = {
    "opening_black_three_covers": is_bool,
    "black_three_freezes": is_bool,
    "ask_partner": is_bool,
    "canastas_to_go_out": one_of(1, 2),
    "start_score": _is_score,
    "target": is_positive,
}


@dataclass(frozen=True)
class Options:
    """Every option, with the rule book's default."""

    opening_black_three_covers: bool = True
    black_three_freezes: bool = False
    ask_partner: bool = False
    canastas_to_go_out: int = 1
    start_score: tuple[int, int] = (0, 0)
    target: int = 5000

    def as_json(self) -> dict[str, Any]:
        """As the `deal` event writes them."""
        return {**asdict(self), "start_score": list(self.start_score)}


def read_options(record: object) -> Options:
    """All options, always present, each with an allowed value."""
    if not isinstance(record, Mapping):
        raise RuleBroken("LOG", "options must be an object")
    check_fields("options", record, OPTION_FIELDS)
    return Options(**{**record, "start_score": tuple(record["start_score"])})
