"""Canasta in plain data: house rules, state, record, policies (docs/rules/canasta.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.canasta.parameters import EXPERT, HEURISTIC, NOVICE, RANDOM, SEARCH, with_defaults
from kernels.cards import pack
from kernels.placing import PLACED_LAYOUT
from kernels.spec import GameSpec, Option, Policy

SEATS = 4
SIDES = 2
CARDS = 108
RANKS = 16
HAND_SIZE = 11
TURN_CAP = 400

JOKERS, TWOS, THREES, LOWEST_RANK, ACES = (np.int64(rank) for rank in (0, 2, 3, 4, 14))
"""Ranks as `kernels.cards` numbers them; the melds of a rank bear its number."""

REASON_WENT_OUT, REASON_STOCK_OUT, REASON_RED_THREE_LAST = range(3)
STATUS_UNPLAYED, STATUS_PLAYED = range(2)

CANASTA_SIZE = 7
GOING_OUT_POINTS, CONCEALED_POINTS = 100, 200
NATURAL_POINTS, MIXED_POINTS = 500, 300
RED_THREE_POINTS, ALL_RED_THREES_POINTS = 100, 800
"""Points of a hand beside the values of cards (KAN-14, KAN-15, KAN-18)."""

MINIMUMS = (15, 50, 90, 120)
"""First melds by the side's score: below 0, below 1,500, below 3,000, from 3,000 (KAN-13)."""

END_REASONS = ("went_out", "stock_out", "red_three_last")

OPTION_LAYOUT = np.dtype(
    [
        ("opening_black_three_covers", np.int64),
        ("black_three_freezes", np.int64),
        ("canastas_to_go_out", np.int64),
        ("ask_partner", np.int64),
        ("start_score", np.int64, (SIDES,)),
    ],
    align=True,
)
"""House rules as the kernels read them."""

TABLE_LAYOUT = np.dtype(
    [
        # All counts are by rank (`kernels.rank_counts`). Natural cards and wild cards in a side's melds, by the
        # rank of the meld.
        ("melded", np.uint64, (SIDES,)),
        ("wilds", np.uint64, (SIDES,)),
        # What the side to move had melded when its turn began (KAN-15).
        ("melded_before", np.uint64),
        ("pile_counts", np.uint64),
        # Cards everybody has seen and that are in no hand: melds and the pile.
        ("seen", np.uint64),
        # Cards taken openly from the pile and still in the taker's hand.
        ("known", np.uint64, (SEATS,)),
        # Cards that a seat discarded.
        ("thrown", np.uint64, (SEATS,)),
        ("turn", np.int16),
        ("stock_left", np.int16),
        ("pile_size", np.int16),
        ("minimum", np.int16, (SIDES,)),
        # Values of the cards in a side's melds.
        ("melded_points", np.int16, (SIDES,)),
        ("pile", np.uint8, (CARDS,)),
        ("seat", np.int8),
        ("first", np.int8),
        # Frozen for everybody (KAN-08); red threes turned at the start and still in the pile.
        ("pile_frozen", np.int8),
        ("pile_red_threes", np.int8),
        # Of the turn: the pile was taken; cards were laid after the draw; going out now would be concealed (KAN-15);
        # the partner's answer, 1 for yes and -1 for no (KAN-14).
        ("took_pile", np.int8),
        ("laid", np.int8),
        ("concealed", np.int8),
        ("answer", np.int8),
        ("hand_count", np.int8, (SEATS,)),
        ("started", np.int8, (SEATS,)),
        ("has_laid", np.int8, (SEATS,)),
        ("asked", np.int8, (SEATS,)),
        ("red_threes", np.int8, (SIDES,)),
        ("natural_canastas", np.int8, (SIDES,)),
        ("mixed_canastas", np.int8, (SIDES,)),
        ("meld_count", np.int8, (SIDES,)),
        # Number of a side's meld by its rank, in the order of melding.
        ("meld_number", np.int8, (SIDES, RANKS)),
    ],
    align=True,
)
"""What everybody at the table can see. Policies read this and their own hand, nothing else."""

STATE_LAYOUT = np.dtype(
    [
        # Hands by rank, and the same cards as pairs of words (`kernels.melds`).
        ("hand", np.uint64, (SEATS,)),
        ("hand_one", np.uint64, (SEATS,)),
        ("hand_two", np.uint64, (SEATS,)),
        # The cards of the melds: naturals of all ranks together, wild cards by the rank of their meld.
        ("natural_one", np.uint64, (SIDES,)),
        ("natural_two", np.uint64, (SIDES,)),
        ("wild_one", np.uint64, (SIDES, RANKS)),
        ("wild_two", np.uint64, (SIDES, RANKS)),
        ("random", np.uint64, (1,)),
        ("log_count", np.int64),
        ("placed", PLACED_LAYOUT),
        ("table", TABLE_LAYOUT),
        ("decisions", np.int32),
        ("stock_next", np.int16),
        ("deck", np.uint8, (CARDS,)),
        ("reason", np.int8),
        ("out_seat", np.int8),
    ],
    align=True,
)
"""One deal in play: the visible table and everything hidden."""

RECORD_LAYOUT = np.dtype(
    [
        ("deal", np.uint64),
        ("match", np.int64),
        ("decisions", np.int32),
        ("score", np.int32, (SIDES,)),
        ("turns", np.int16),
        ("first_pile_size", np.int16),
        ("side_turns", np.int16, (SIDES,)),
        ("minimum", np.int16, (SIDES,)),
        ("first_meld_turn", np.int16, (SIDES,)),
        ("first_meld_cards", np.int16, (SIDES,)),
        ("canasta_turn", np.int16, (SIDES,)),
        ("out_turn", np.int16, (SIDES,)),
        ("melded_points", np.int16, (SIDES,)),
        ("hand_points", np.int16, (SIDES,)),
        ("red_three_points", np.int16, (SIDES,)),
        ("pile_takes", np.int16, (SIDES,)),
        ("pile_cards", np.int16, (SIDES,)),
        ("hand_cards", np.int16, (SIDES,)),
        ("freezes", np.int16, (SIDES,)),
        ("stops", np.int16, (SIDES,)),
        ("status", np.uint8),
        ("reason", np.uint8),
        ("dealer", np.int8),
        ("first", np.int8),
        ("winner", np.int8),
        ("out_seat", np.int8),
        ("first_pile_side", np.int8),
        ("most_piles_side", np.int8),
        ("opening_freeze", np.int8),
        ("first_meld_from_pile", np.int8, (SIDES,)),
        ("natural_canastas", np.int8, (SIDES,)),
        ("mixed_canastas", np.int8, (SIDES,)),
        ("melds", np.int8, (SIDES,)),
        ("wild_cards", np.int8, (SIDES,)),
        ("red_threes", np.int8, (SIDES,)),
        ("went_out", np.int8, (SIDES,)),
        ("concealed", np.int8, (SIDES,)),
        ("asks", np.int8, (SIDES,)),
        ("refusals", np.int8, (SIDES,)),
    ],
    align=True,
)
"""What a deal leaves behind.

`status` 1 once played; `reason` indexes `END_REASONS`; `winner` the side with the higher score, -1 for a tie;
`out_seat` who went out, -1 for nobody; `first_pile_side` the side that took the first pile and `first_pile_size` its
cards, -1 and 0 for none; `most_piles_side` the side that took more pile cards, -1 for neither; `opening_freeze` 1 where
the cards turned at the start froze the pile. Per side: the minimum of its first meld; turns (the side's own turns;
first meld, canasta and going out counted in them from 1, 0 for never); hand cards laid with the first meld and whether
it took the pile; values of melded cards and of cards left in hand, and their number; takes of the pile and the cards
taken; discards that froze the pile, and discards of a black three (`stops`); canastas, melds, wild cards laid, red
threes with their signed points; `went_out` and `concealed` 1 for the side that went out (so); questions to the partner
and those he answered with no.
"""

OPTIONS = (
    Option(
        "opening_black_three_covers",
        "flag",
        True,
        "A black three turned at the start is covered with another card; otherwise it stays on top and blocks the "
        "first player.",
        "KAN-02",
    ),
    Option(
        "black_three_freezes",
        "flag",
        False,
        "A discarded black three freezes the pile as a wild card does, and so does one that stays on top at the start.",
        "KAN-09",
    ),
    Option(
        "start_score",
        "scores",
        (0, 0),
        "Each side's score before a deal that belongs to no match: it decides the minimum of the first meld.",
        "KAN-13",
        low=-100_000,
        high=1_000_000,
    ),
    Option("canastas_to_go_out", "choice", 1, "Canastas that a side needs to go out.", "KAN-14", (1, 2)),
    Option(
        "ask_partner",
        "flag",
        False,
        "Once a hand a player may ask the partner whether to go out, and the answer binds.",
        "KAN-14",
    ),
    Option("target", "integer", 5000, "Score that ends a match.", "KAN-20", low=100, high=1_000_000),
)

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "two_canastas": {"canastas_to_go_out": 2},
    "freezing_threes": {"black_three_freezes": True, "opening_black_three_covers": False},
    "ask_first": {"ask_partner": True},
    "late_in_the_match": {"start_score": (3000, 3000)},
}

POLICY_RANDOM, POLICY_HEURISTIC, POLICY_SEARCH = range(3)

MAX_PARAMETERS = 48

POLICIES = (
    Policy("random", POLICY_RANDOM, "Uniform over the elementary legal steps, stopping included.", RANDOM),
    Policy(
        "novice",
        POLICY_HEURISTIC,
        "Melds as soon and as much as it can, spends wild cards at once, looks at its own hand alone.",
        with_defaults(NOVICE),
    ),
    Policy(
        "standard",
        POLICY_HEURISTIC,
        "Plays as people who play often: fights for the pile, keeps pairs and wild cards, stops with black threes.",
        HEURISTIC,
    ),
    Policy(
        "expert",
        POLICY_HEURISTIC,
        "Counts cards, remembers what everybody threw and took, and weighs each discard by the pile it may give away.",
        with_defaults(EXPERT),
    ),
)

SEARCHES = (
    Policy(
        "search",
        POLICY_SEARCH,
        "Deals the unseen cards many times, plays every option out, and takes the one with the best mean margin.",
        SEARCH,
        part="search",
    ),
)


def encode(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of `OPTION_LAYOUT` for a complete mapping of option values."""
    encoded: dict[str, Any] = {}
    for name in OPTION_LAYOUT.names or ():
        value = values[name]
        encoded[name] = list(value) if isinstance(value, list | tuple) else int(value)
    return encoded


def seats(_values: Mapping[str, Any]) -> int:
    """Seats at the table (KAN-01)."""
    return SEATS


def sides(_values: Mapping[str, Any]) -> int:
    """Sides that score: two pairs (KAN-01)."""
    return SIDES


def side_of(seat: int, _values: Mapping[str, Any]) -> int:
    """Side of a seat (KAN-01)."""
    return seat % SIDES


def shuffle_cards(_values: Mapping[str, Any]) -> int:
    """Cards in the pack (KAN-01)."""
    return CARDS


def hand_places(_values: Mapping[str, Any], dealer: int, seat: int) -> tuple[int, ...]:
    """Places in the deck of the cards that a seat is dealt: singly from the dealer's left (KAN-01)."""
    return tuple(card * SEATS + (seat - dealer - 1) % SEATS for card in range(HAND_SIZE))


def open_places(_values: Mapping[str, Any], _dealer: int) -> tuple[int, ...]:
    """Place in the deck of the first card that is turned up (KAN-02)."""
    return (SEATS * HAND_SIZE,)


def pack_of(_values: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """Two packs and four jokers (KAN-01)."""
    return pack(2, 4)


SPEC = GameSpec(
    name="canasta",
    title="Canasta",
    summary="Classic canasta: two pairs, two packs and four jokers, first melds by score, frozen piles.",
    rules="docs/rules/canasta.md",
    options=OPTIONS,
    policies=POLICIES,
    searches=SEARCHES,
    option_layout=OPTION_LAYOUT,
    record_layout=RECORD_LAYOUT,
    encode=encode,
    seats=seats,
    sides=sides,
    side_of=side_of,
    shuffle_cards=shuffle_cards,
    end_reasons=END_REASONS,
    max_parameters=MAX_PARAMETERS,
    max_events=40_000,
    presets=PRESETS,
    hand_places=hand_places,
    dealt=(("pile", False), ("stock", False)),
    pack=pack_of,
    open_places=open_places,
)
