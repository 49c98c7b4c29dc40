"""Deals whose every event is kept in the repository."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.games import make_setup
from sim.replay import Replayer, json_lines

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Golden:
    """A deal and the file that holds it."""

    name: str
    game: str
    seed: int
    deal: int
    policies: tuple[str, ...]
    rules: Mapping[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """File of its events."""
        return FOLDER / f"{self.name}.jsonl"

    def played(self) -> bytes:
        """Return its events as they are played now, an object a line."""
        setup = make_setup(self.game, seed=self.seed, policies=self.policies, rules=dict(self.rules))
        return json_lines(Replayer(setup).deal(self.deal))


FOUR = ("random", "novice", "standard", "expert")

GOLDEN = (
    Golden("canastra-four-players", "canastra", 2_026, 15_445, FOUR),
    Golden(
        "canastra-two-players",
        "canastra",
        2**64 - 1,
        31_740,
        ("expert", "standard"),
        {"players": 2, "jokers": 4, "curingas_per_meld": 2, "lixo_justify": "new_or_extend"},
    ),
    Golden(
        "canastra-stock-out",
        "canastra",
        7,
        127,
        ("random",),
        {"stock_out": "end", "curinga_slides": False, "batida_needs_discard": True, "red_three_table_points": 0},
    ),
    Golden("canasta-four-policies", "canasta", 2_026, 49_714, FOUR),
    Golden(
        "canasta-concealed",
        "canasta",
        2**64 - 1,
        141_217,
        ("expert", "standard", "expert", "standard"),
        {
            "ask_partner": True,
            "black_three_freezes": True,
            "opening_black_three_covers": False,
            "start_score": [1_600, -5],
        },
    ),
    Golden(
        "canasta-asked",
        "canasta",
        9,
        14_697,
        ("standard", "random", "standard", "random"),
        {
            "ask_partner": True,
            "canastas_to_go_out": 2,
            "black_three_freezes": True,
            "opening_black_three_covers": False,
            "start_score": [1_600, 3_000],
        },
    ),
    Golden("canasta-stock-out", "canasta", 7, 346, ("random",), {"canastas_to_go_out": 2}),
    Golden("canasta-red-three-last", "canasta", 7, 34_599, ("random",), {"canastas_to_go_out": 2}),
    Golden("loba-four-policies", "loba", 2_026, 461, FOUR),
    Golden(
        "loba-all-at-once",
        "loba",
        2**64 - 1,
        4,
        ("expert", "standard"),
        {"players": 2, "jokers": 8, "set_suits": "any", "taken_discard_must_meld": True},
    ),
    Golden(
        "loba-no-winner",
        "loba",
        9,
        33,
        ("random:stop_weight=50", "novice", "random:stop_weight=50", "standard", "random", "expert", "random"),
        {"players": 7},
    ),
    Golden("loba-no-jokers", "loba", 5, 2, ("standard", "expert", "novice"), {"players": 3, "jokers": 0}),
)
"""Between them: every policy, every table of canastra, every way to end."""
