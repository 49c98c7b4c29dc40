"""The house rules of mau-mau as a deal states them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tests.referee.log import Check, RuleBroken, check_fields, is_bool, is_positive, one_of

UNABLE = ("fine_draw", "fine_only", "fine_once", "draw_one", "draw_until")
MOST_PLAYERS_OF_ONE_PACK = 7


def is_rate(value: object) -> bool:
    """A probability: a number from 0 to 1."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


OPTION_FIELDS: dict[str, Check] = {
    "players": one_of(*range(2, 11)),
    "packs": one_of("auto", 1, 2),
    "start_card_acts": is_bool,
    "unable": one_of(*UNABLE),
    "stack_eights": is_bool,
    "seven_hits": one_of("previous", "next"),
    "queen_skips_two_players": is_bool,
    "forget_call_rate": is_rate,
    "last_card_acts": is_bool,
    "winner_collects": is_bool,
    "target": is_positive,
}


@dataclass(frozen=True)
class Options:
    """Every option, with the rule book's default."""

    players: int = 4
    packs: str | int = "auto"
    start_card_acts: bool = False
    unable: str = "fine_draw"
    stack_eights: bool = False
    seven_hits: str = "previous"
    queen_skips_two_players: bool = False
    forget_call_rate: float = 0.0
    last_card_acts: bool = False
    winner_collects: bool = False
    target: int = 1000

    @property
    def pack_count(self) -> int:
        """MAU-01: one pack for two to four players, two for more, unless the option says how many."""
        if isinstance(self.packs, int):
            return self.packs
        return 1 if self.players <= 4 else 2

    @property
    def fines(self) -> bool:
        """MAU-06: who cannot follow is fined and barred."""
        return self.unable.startswith("fine")

    def as_json(self) -> dict[str, Any]:
        """As the `deal` event writes them."""
        return asdict(self)


def read_options(record: object) -> Options:
    """All options, always present, each with an allowed value; MAU-01: one pack for seven players at most."""
    if not isinstance(record, Mapping):
        raise RuleBroken("LOG", "options must be an object")
    check_fields("options", record, OPTION_FIELDS)
    options = Options(**record)
    if options.pack_count == 1 and options.players > MOST_PLAYERS_OF_ONE_PACK:
        raise RuleBroken("MAU-01", f"one pack is not enough for {options.players} players")
    return options
