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
        438_554,
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
    Golden("mau-mau-four-players", "mau_mau", 2_026, 1_041, FOUR),
    Golden(
        "mau-mau-ten-players",
        "mau_mau",
        2**64 - 1,
        234,
        (*FOUR, *FOUR, "expert", "random"),
        {
            "players": 10,
            "start_card_acts": True,
            "unable": "fine_once",
            "stack_eights": True,
            "seven_hits": "next",
            "forget_call_rate": 0.25,
            "last_card_acts": True,
            "winner_collects": True,
        },
    ),
    Golden(
        "mau-mau-two-players",
        "mau_mau",
        7,
        1_452,
        ("random", "expert"),
        {"players": 2, "packs": 2, "unable": "draw_until", "queen_skips_two_players": True},
    ),
    Golden("mau-mau-void", "mau_mau", 9, 776, ("random", "standard", "random"), {"players": 3, "unable": "fine_only"}),
    Golden(
        "mau-mau-draw-one",
        "mau_mau",
        5,
        461,
        ("random",),
        {"players": 3, "unable": "draw_one", "start_card_acts": True},
    ),
    Golden("canasta-red-three-last", "canasta", 7, 34_599, ("random",), {"canastas_to_go_out": 2}),
    Golden("escopa-four-players", "escopa", 2_026, 62, FOUR, {"players": 4}),
    Golden("escopa-dealer-takes-twice", "escopa", 7, 281, ("expert", "standard")),
    Golden(
        "escopa-three-players",
        "escopa",
        2**64 - 1,
        39,
        ("standard", "expert", "novice"),
        {
            "players": 3,
            "figures": "jqk",
            "deal_passes": False,
            "capture": "if_played",
            "primeira": "quartet_points",
        },
    ),
    Golden(
        "escopa-claims",
        "escopa",
        11,
        1_696,
        ("expert", "random"),
        {
            "overlook_rate": 0.3,
            "capture": "free",
            "escopa": "exactly_four",
            "dealer_escopas": False,
            "all_replaces_most": False,
            "primeira": "standard",
            "dealer_take": "once",
        },
    ),
    Golden("escopa-nobody-captures", "escopa", 3, 1, ("novice", "random"), {"overlook_rate": 1.0}),
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
"""Between them: every policy, every table of canastra and of escopa, every way to end."""
