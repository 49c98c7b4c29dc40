"""The house rules of Loba as a deal states them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tests.referee.log import Check, RuleBroken, check_fields, is_bool, is_positive, one_of

FEWEST_PLAYERS, MOST_PLAYERS = 2, 7
MOST_JOKERS = 8

OPTION_FIELDS: dict[str, Check] = {
    "players": one_of(*range(FEWEST_PLAYERS, MOST_PLAYERS + 1)),
    "jokers": one_of("auto", *range(MOST_JOKERS + 1)),
    "set_suits": one_of("three_different", "any"),
    "taken_discard_must_meld": is_bool,
    "target": is_positive,
}


@dataclass(frozen=True)
class Options:
    """Every option, with the rule book's default."""

    players: int = 4
    jokers: int | str = "auto"
    set_suits: str = "three_different"
    taken_discard_must_meld: bool = False
    target: int = 100

    def as_json(self) -> dict[str, Any]:
        """As the `deal` event writes them."""
        return asdict(self)

    def jokers_for(self, playing: int) -> int:
        """LOB-01: two jokers for 2-3 players still in, three for 4-5, four for 6-7; or the number chosen."""
        return self.jokers if isinstance(self.jokers, int) else playing // 2 + 1


def read_options(record: object) -> Options:
    """All options, always present, each with an allowed value."""
    if not isinstance(record, Mapping):
        raise RuleBroken("LOG", "options must be an object")
    check_fields("options", record, OPTION_FIELDS)
    return Options(**record)
