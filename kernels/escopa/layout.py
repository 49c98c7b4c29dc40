"""Escopa de 15 in plain data: house rules, state, record, policies (docs/rules/escopa.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.cards import ACE, pack
from kernels.escopa.parameters import EXPERT, HEURISTIC, NOVICE, with_defaults
from kernels.placing import PLACED_LAYOUT
from kernels.spec import GameSpec, Option, Policy, rate_threshold

MAX_PLAYERS = 4
CARDS = 40
SUITS = 4
VALUES = 10
HAND_SIZE, TABLE_SIZE = np.int64(3), np.int64(4)
FIFTEEN = 15
FEW_CARDS = 10

CAPTURE_MUST, CAPTURE_IF_PLAYED, CAPTURE_FREE = range(3)
TAKE_TWICE, TAKE_ONCE, TAKE_NONE = range(3)
ESCOPA_CLEAR_TABLE, ESCOPA_EXACTLY_FOUR = range(2)
PRIMEIRA_QUARTET, PRIMEIRA_QUARTET_POINTS, PRIMEIRA_STANDARD = range(3)
"""Values of the options of these names, in the order of their choices."""

PACK_OUT = 0
END_REASONS = ("pack_out",)

ALL_DIAMONDS_POINTS, ALL_SEVENS_POINTS, FEW_POINTS = 2, 3, 2
"""Points of a pack beside those worth one (ESC-10)."""

QUARTET_VALUES = (6, 2, 3, 4, 5, 8, 11, 0, 0, 0)
"""Values of four of a kind for the primeira, by the value of the card less 1 (ESC-11)."""

STANDARD_VALUES = (16, 12, 13, 14, 15, 18, 21, 10, 10, 10)
"""Values of single cards for the primeira in its usual form, likewise (ESC-11)."""

FIGURES = ((12, 11, 13), (11, 12, 13))
"""Ranks of `kernels.cards` worth 8, 9 and 10, by the option `figures` (ESC-01)."""

OPTION_LAYOUT = np.dtype(
    [
        ("overlook_rate", np.uint64),
        ("players", np.int64),
        ("sides", np.int64),
        ("figures", np.int64),
        ("deal_passes", np.int64),
        ("capture", np.int64),
        ("dealer_take", np.int64),
        ("escopa", np.int64),
        ("dealer_escopas", np.int64),
        ("all_replaces_most", np.int64),
        ("primeira", np.int64),
    ],
    align=True,
)
"""House rules as the kernels read them; `overlook_rate` as `kernels.rng.happens` takes it."""

TABLE_LAYOUT = np.dtype(
    [
        # Cards face up; those that each side has taken; all that anybody has seen.
        ("cards", np.uint64),
        ("taken", np.uint64, (MAX_PLAYERS,)),
        ("seen", np.uint64),
        # Bit s: some of the cards face up come to s, for sums to 15 (`kernels.escopa.fifteens`).
        ("sums", np.uint64),
        # Bit s: the seat has shown that it holds no card that makes 15 with cards of the sum s (ESC-05).
        ("lacks", np.uint64, (MAX_PLAYERS,)),
        ("total", np.int16),
        ("turn", np.int16),
        ("escopas", np.int16, (MAX_PLAYERS,)),
        ("hand_count", np.int8, (MAX_PLAYERS,)),
        ("stock_left", np.int8),
        ("plays_left", np.int8),
        ("seat", np.int8),
        ("dealer", np.int8),
        ("last_seat", np.int8),
        # The card that a player has just left and that would have made 15, -1 for none (ESC-06).
        ("left_card", np.int8),
    ],
    align=True,
)
"""What everybody at the table can see. Policies read this and their own hand, nothing else.

`plays_left` counts the cards in all hands; `last_seat` is who captured last, -1 for nobody; `escopas` by side.
"""

MAX_COMBINATIONS = 128
MAX_PENDING = 64

WORK_LAYOUT = np.dtype(
    [
        # Ways to take cards of a given sum (`kernels.escopa.fifteens.combinations`), and what is still to be tried.
        ("found", np.uint64, (MAX_COMBINATIONS,)),
        ("pending_cards", np.uint64, (MAX_PENDING,)),
        ("pending_sum", np.int64, (MAX_PENDING,)),
        ("pending_group", np.int64, (MAX_PENDING,)),
        # By value: the cards of that value on the table, and the sums of the lower ones.
        ("group_cards", np.uint64, (VALUES,)),
        ("group_sums", np.uint64, (VALUES,)),
        ("group_value", np.int64, (VALUES,)),
        # Number of ways to take cards of each sum among the first so many cards.
        ("ways", np.int64, (CARDS + 1, FIFTEEN + 1)),
        # What each card is worth to who plays next, and the best that cards of each sum come to.
        ("worth", np.int64, (CARDS,)),
        ("best", np.int64, (FIFTEEN + 1,)),
        # By value: the chance that the next player holds one, what the card itself is worth, and what he gains with it.
        ("chance", np.int64, (VALUES + 1,)),
        ("played", np.int64, (VALUES + 1,)),
        ("gain", np.int64, (VALUES + 1,)),
        # The best play of a pack that is reckoned to its end, and the ways to take cards at each play until then.
        ("end_card", np.int64),
        ("end_take", np.uint64),
        ("ways_ahead", np.uint64, (2 * int(HAND_SIZE), MAX_COMBINATIONS)),
    ],
    align=True,
)
"""Where a policy reckons; nothing in it outlasts an answer."""

STATE_LAYOUT = np.dtype(
    [
        ("hand", np.uint64, (MAX_PLAYERS,)),
        ("random", np.uint64, (1,)),
        # Stream of what is overlooked and noticed.
        ("house", np.uint64, (1,)),
        ("placed", PLACED_LAYOUT),
        ("log_count", np.int64),
        ("table", TABLE_LAYOUT),
        ("work", WORK_LAYOUT),
        ("decisions", np.int32),
        ("stock_next", np.int16),
        ("seat_escopas", np.int16, (MAX_PLAYERS,)),
        ("primeira", np.int16, (MAX_PLAYERS,)),
        ("deck", np.uint8, (CARDS,)),
        # Number of each card in `kernels.cards`, for the log.
        ("faces", np.uint8, (CARDS,)),
    ],
    align=True,
)
"""One deal in play: the visible table and everything hidden."""

RECORD_LAYOUT = np.dtype(
    [
        ("deal", np.uint64),
        ("match", np.int64),
        ("decisions", np.int32),
        ("score", np.int32, (MAX_PLAYERS,)),
        ("turns", np.int16),
        ("leftover", np.int16),
        ("leftover_cards", np.int16),
        ("last_capture_cards", np.int16),
        ("last_capture_points", np.int16),
        ("primeira_points", np.int16, (MAX_PLAYERS,)),
        ("status", np.uint8),
        ("reason", np.uint8),
        ("dealer", np.int8),
        ("first", np.int8),
        ("winner", np.int8),
        ("last_side", np.int8),
        ("dealer_takes", np.int8),
        ("escopas_1", np.int8),
        ("escopas_2", np.int8),
        ("escopas_3", np.int8),
        ("escopas_4", np.int8),
        ("captures", np.int8, (MAX_PLAYERS,)),
        ("dealer_fifteens", np.int8, (MAX_PLAYERS,)),
        ("played_escopas", np.int8, (MAX_PLAYERS,)),
        ("escopas", np.int8, (MAX_PLAYERS,)),
        ("overlooks", np.int8, (MAX_PLAYERS,)),
        ("claims", np.int8, (MAX_PLAYERS,)),
        ("cards", np.int8, (MAX_PLAYERS,)),
        ("diamonds", np.int8, (MAX_PLAYERS,)),
        ("sevens", np.int8, (MAX_PLAYERS,)),
        ("last_capture", np.int8, (MAX_PLAYERS,)),
        ("guindis", np.int8, (MAX_PLAYERS,)),
        ("diamond_points", np.int8, (MAX_PLAYERS,)),
        ("seven_points", np.int8, (MAX_PLAYERS,)),
        ("card_points", np.int8, (MAX_PLAYERS,)),
        ("few_points", np.int8, (MAX_PLAYERS,)),
    ],
    align=True,
)
"""What a deal leaves behind.

`status` 1 once played; `reason` indexes `END_REASONS`; `winner` the side with the best score, -1 for a tie; `leftover`
the sum of the cards left at the end and `leftover_cards` their number; `last_side` the side that captured last, -1 for
nobody; `last_capture_cards` all that its last capture brought, with the cards left, and `last_capture_points` by how
much the cards left moved its lead; `dealer_takes` how often the dealer took the table; `escopas_1` to `escopas_4`
escopas of the seat that played first, second and so on, the first dealer last (-1 for no such seat). Per side: captures
(each fifteen one) and those of them that were dealer's takes; escopas by plays and claims, and all that count;
overlooked captures, and claims of another's; cards, diamonds and sevens at the end; `last_capture` 1 for the side that
captured last; and the lines of the score beside escopas.
"""

OPTIONS = (
    Option("players", "choice", 2, "Players at the table; four play in pairs.", "ESC-02", (2, 3, 4)),
    Option(
        "figures",
        "choice",
        "qjk",
        "Which figures are worth 8, 9 and 10, in this order: Queen, Jack, King or Jack, Queen, King.",
        "ESC-01",
        ("qjk", "jqk"),
    ),
    Option(
        "deal_passes",
        "flag",
        True,
        "The deal passes to the right with every three cards; otherwise one dealer deals the whole pack.",
        "ESC-04",
    ),
    Option(
        "capture",
        "choice",
        "must",
        "Whether who can capture must, whether only the card played must capture if it can, or whether all is free.",
        "ESC-05",
        ("must", "if_played", "free"),
    ),
    Option(
        "overlook_rate",
        "rate",
        0.0,
        "Probability that a player misses that he could capture; the next seat may notice and claim.",
        "ESC-06",
    ),
    Option(
        "dealer_take",
        "choice",
        "twice",
        "Whether the dealer takes the four cards laid if they make fifteens: also those laid instead, once, or never.",
        "ESC-07",
        ("twice", "once", "none"),
    ),
    Option(
        "escopa",
        "choice",
        "clear_table",
        "What an escopa is: clearing the table, or taking exactly four cards that are the whole table.",
        "ESC-08",
        ("clear_table", "exactly_four"),
    ),
    Option("dealer_escopas", "flag", True, "The dealer's take counts as escopas, one a fifteen.", "ESC-08"),
    Option(
        "all_replaces_most",
        "flag",
        True,
        "All diamonds and all sevens are scored instead of the most of them; otherwise besides.",
        "ESC-10",
    ),
    Option(
        "primeira",
        "choice",
        "quartet",
        "The primeira: a point for the best four of a kind, its value instead, or the best card of each suit.",
        "ESC-11",
        ("quartet", "quartet_points", "standard"),
    ),
    Option("target", "integer", 21, "Score that ends a match.", "ESC-12", low=1, high=1000),
)

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "pairs": {"players": 4},
    "three_players": {"players": 3},
    "to_31": {"target": 31},
    "careless": {"overlook_rate": 0.1},
    "usual_primeira": {"primeira": "standard"},
}

POLICY_RANDOM, POLICY_HEURISTIC, POLICY_AHEAD = range(3)

MAX_PARAMETERS = 32

POLICIES = (
    Policy("random", POLICY_RANDOM, "Uniform over the cards that may be played, then over the ways to play one."),
    Policy(
        "novice",
        POLICY_HEURISTIC,
        "Takes as many cards as it can, likes escopas, and looks at nothing else.",
        with_defaults(HEURISTIC, NOVICE),
    ),
    Policy(
        "standard",
        POLICY_HEURISTIC,
        "Plays as people who play often: sevens, diamonds, and no table that one unseen card clears.",
        HEURISTIC,
    ),
    Policy("expert", POLICY_AHEAD, "Counts cards, and weighs what every play leaves to the next player.", EXPERT),
)


def encode(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of `OPTION_LAYOUT` for a complete mapping of option values."""
    encoded: dict[str, Any] = {"sides": sides(values), "overlook_rate": rate_threshold(values["overlook_rate"])}
    for option in OPTIONS:
        value = values[option.name]
        if option.kind == "choice" and option.name != "players":
            encoded[option.name] = option.choices.index(value)
        elif option.name in ("players", "deal_passes", "dealer_escopas", "all_replaces_most"):
            encoded[option.name] = int(value)
    return encoded


def seats(values: Mapping[str, Any]) -> int:
    """Seats at the table (ESC-02)."""
    return int(values["players"])


def sides(values: Mapping[str, Any]) -> int:
    """Sides that score: four players are two pairs (ESC-02)."""
    return 3 if values["players"] == 3 else 2


def side_of(seat: int, values: Mapping[str, Any]) -> int:
    """Side of a seat (ESC-02)."""
    return seat % sides(values)


def shuffle_cards(_values: Mapping[str, Any]) -> int:
    """Cards in the pack (ESC-01)."""
    return CARDS


def faces(figures: int) -> npt.NDArray[np.uint8]:
    """Numbers in `kernels.cards` of the pack's cards in the order of this game's own (ESC-01).

    Parameters
    ----------
    figures
        The option's value as `OPTION_LAYOUT` has it.
    """
    by_suit = pack(1, ranks=(ACE, 2, 3, 4, 5, 6, 7, *FIGURES[figures])).reshape(SUITS, VALUES)
    return np.ascontiguousarray(by_suit.T).reshape(-1)


def pack_of(values: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """The forty cards (ESC-01)."""
    return faces(encode(values)["figures"])


def own_numbers(values: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """Number in the deck of each card, by its number in `kernels.cards`."""
    numbers = np.zeros(64, np.uint8)
    numbers[pack_of(values)] = np.arange(CARDS)
    return numbers


def hand_places(values: Mapping[str, Any], dealer: int, seat: int) -> tuple[int, ...]:
    """Places in the deck of the first three cards of a seat: singly from the dealer's right (ESC-03)."""
    players = seats(values)
    return tuple(card * players + (seat - dealer - 1) % players for card in range(HAND_SIZE))


def open_places(values: Mapping[str, Any], _dealer: int) -> tuple[int, ...]:
    """Places in the deck of the four cards on the table (ESC-03)."""
    start = HAND_SIZE * seats(values)
    return tuple(range(start, start + TABLE_SIZE))


SPEC = GameSpec(
    name="escopa",
    title="Escopa de 15",
    summary="Cards of the table are captured with one of the hand that makes fifteen with them.",
    rules="docs/rules/escopa.md",
    options=OPTIONS,
    policies=POLICIES,
    option_layout=OPTION_LAYOUT,
    record_layout=RECORD_LAYOUT,
    encode=encode,
    seats=seats,
    sides=sides,
    side_of=side_of,
    shuffle_cards=shuffle_cards,
    end_reasons=END_REASONS,
    max_parameters=MAX_PARAMETERS,
    max_events=1_000,
    presets=PRESETS,
    hand_places=hand_places,
    open_places=open_places,
    pack=pack_of,
    own_numbers=own_numbers,
)
