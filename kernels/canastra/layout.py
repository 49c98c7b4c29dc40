"""Canastra in plain data: house rules, state, record, policies (docs/rules/canastra.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.canastra.parameters import EXPERT, HEURISTIC, NOVICE, RANDOM, SEARCH, with_defaults
from kernels.cards import pack, rank_mask
from kernels.placing import PLACED_LAYOUT
from kernels.spec import GameSpec, Option, Policy

SEATS = 4
SIDES = 2
MAX_CARDS = 108
MAX_MELDS = 36
HAND_SIZE = 11
MORTO_SIZE = 11
TURN_CAP = 400

SEQUENCE, LAVADEIRA = 0, 1
"""Kinds of meld (CAN-12, CAN-13)."""

NEW_SEQUENCE, NEW_LAVADEIRA, STOP = np.int64(-1), np.int64(-2), np.int64(-3)
"""Targets of a meld action beside the number of an own meld."""

JUSTIFY_NEW_MELD, JUSTIFY_NATURALS_ONLY, JUSTIFY_NEW_OR_EXTEND = range(3)
STOCK_OUT_MORTO, STOCK_OUT_END = range(2)
REASON_BATIDA, REASON_STOCK_OUT = range(2)
MORTO_NONE, MORTO_AT_ONCE, MORTO_NEXT_TURN = np.int64(0), np.int64(1), np.int64(2)
STATUS_UNPLAYED, STATUS_PLAYED = range(2)

BATIDA_POINTS, CLEAN_POINTS, DIRTY_POINTS, CARD_POINTS = 100, 200, 100, 10
RED_THREE_POINTS, NO_MORTO_POINTS = 100, 100
"""Points of a hand (CAN-25 to CAN-27)."""

END_REASONS = ("batida", "stock_out")

OPTION_LAYOUT = np.dtype(
    [
        ("players", np.int64),
        ("jokers", np.int64),
        ("lixo_justify", np.int64),
        ("curinga_top_blocks", np.int64),
        ("lavadeira_ranks", np.uint64),
        ("curingas_per_meld", np.int64),
        ("curinga_slides", np.int64),
        ("batida_needs_discard", np.int64),
        ("stock_out", np.int64),
        ("red_three_table_points", np.int64),
    ],
    align=True,
)
"""House rules as the kernels read them; `lavadeira_ranks` is a lane of rank bits."""

TABLE_LAYOUT = np.dtype(
    [
        # Cards everybody has seen and that are in no hand: one and two copies (table and lixo).
        ("seen_one", np.uint64),
        ("seen_two", np.uint64),
        ("lixo_one", np.uint64),
        ("lixo_two", np.uint64),
        # Cards taken openly from the lixo and still in the taker's hand.
        ("known_one", np.uint64, (SEATS,)),
        ("known_two", np.uint64, (SEATS,)),
        # Naturals that some meld of the side takes as a single card, in any suit.
        ("accepts", np.uint64, (SIDES,)),
        # Bits of the ranks of which the side owns a lavadeira.
        ("lavadeiras", np.uint64, (SIDES,)),
        ("meld_one", np.uint64, (SIDES, MAX_MELDS)),
        ("meld_two", np.uint64, (SIDES, MAX_MELDS)),
        ("lixo_size", np.int16),
        ("stock_left", np.int16),
        ("turn", np.int16),
        ("lixo", np.uint8, (MAX_CARDS,)),
        ("seat", np.int8),
        ("first", np.int8),
        ("mortos_left", np.int8),
        # 1 from taking the lixo to the end of that turn.
        ("took_lixo", np.int8),
        ("players", np.int8),
        ("hand_count", np.int8, (SEATS,)),
        # 1 while the seat's morto lies face down before him (CAN-18).
        ("morto_closed", np.int8, (SEATS,)),
        ("started", np.int8, (SEATS,)),
        ("morto_taken", np.int8, (SIDES,)),
        ("red_threes", np.int8, (SIDES,)),
        ("clean_canastras", np.int8, (SIDES,)),
        ("dirty_canastras", np.int8, (SIDES,)),
        ("meld_count", np.int8, (SIDES,)),
        ("meld_kind", np.uint8, (SIDES, MAX_MELDS)),
        # Suit of a sequence; rank of a lavadeira is in `meld_low`.
        ("meld_suit", np.uint8, (SIDES, MAX_MELDS)),
        ("meld_low", np.uint8, (SIDES, MAX_MELDS)),
        ("meld_high", np.uint8, (SIDES, MAX_MELDS)),
        ("meld_size", np.uint8, (SIDES, MAX_MELDS)),
        ("meld_wilds", np.uint8, (SIDES, MAX_MELDS)),
        # Curingas of the meld as laid, and in a sequence the ranks that they stand for.
        ("meld_wild_cards", np.uint8, (SIDES, MAX_MELDS, 2)),
        ("meld_wild_ranks", np.uint8, (SIDES, MAX_MELDS, 2)),
        # The same ranks as a lane of bits.
        ("meld_places", np.uint16, (SIDES, MAX_MELDS)),
    ],
    align=True,
)
"""What everybody at the table can see. Policies read this and their own hand, nothing else."""

STATE_LAYOUT = np.dtype(
    [
        ("hand_one", np.uint64, (SEATS,)),
        ("hand_two", np.uint64, (SEATS,)),
        ("random", np.uint64, (1,)),
        ("log_count", np.int64),
        ("placed", PLACED_LAYOUT),
        ("table", TABLE_LAYOUT),
        ("decisions", np.int32),
        ("stock_next", np.int16),
        ("stock_end", np.int16),
        ("morto_at", np.int16, (2,)),
        ("deck", np.uint8, (MAX_CARDS,)),
        # The number of the morto that a seat holds face down, and the next one to be taken.
        ("morto_number", np.int8, (SEATS,)),
        ("morto_next", np.int8),
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
        ("side_turns", np.int16, (SIDES,)),
        ("first_meld_turn", np.int16, (SIDES,)),
        ("canastra_turn", np.int16, (SIDES,)),
        ("morto_turn", np.int16, (SIDES,)),
        ("batida_turn", np.int16, (SIDES,)),
        ("lixo_cards", np.int16, (SIDES,)),
        ("table_cards", np.int16, (SIDES,)),
        ("hand_cards", np.int16, (SIDES,)),
        ("lixo_takes", np.int16, (SIDES,)),
        ("locks", np.int16, (SIDES,)),
        ("status", np.uint8),
        ("reason", np.uint8),
        ("dealer", np.int8),
        ("first", np.int8),
        ("winner", np.int8),
        ("out_seat", np.int8),
        ("clean_canastras", np.int8, (SIDES,)),
        ("dirty_canastras", np.int8, (SIDES,)),
        ("melds", np.int8, (SIDES,)),
        ("curingas", np.int8, (SIDES,)),
        ("red_threes", np.int8, (SIDES,)),
        ("red_three_points", np.int16, (SIDES,)),
        ("red_three_table_points", np.int16, (SIDES,)),
        ("batida", np.int8, (SIDES,)),
        ("no_morto", np.int8, (SIDES,)),
        ("morto", np.int8, (SIDES,)),
    ],
    align=True,
)
"""What a deal leaves behind.

`status` 1 once played; `reason` indexes `END_REASONS`; `winner` the side with the higher score, -1 for a tie;
`out_seat` who made the batida, -1 for nobody. Per side: turns (the side's own turns, first meld, canastra, morto
and batida counted in them from 1, 0 for never), cards on the table without red threes, cards left in hands,
takes of the lixo and the cards taken, discards of a black three (`locks`), canastras, melds, curingas laid, red
threes with their signed points, `batida` 1 for the side that went out, `no_morto` 1 where CAN-27 or CAN-22
charges 100, `morto` 0 none, 1 taken at once, 2 taken for the next turn.
"""

RANKS_OF_MELDS = ("4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")

OPTIONS = (
    Option("players", "choice", 4, "Players at the table: two pairs, or one player a side.", "CAN-01", (4, 2)),
    Option("jokers", "choice", 0, "Printed jokers added to the two packs, each a curinga.", "CAN-03", (0, 4)),
    Option(
        "lixo_justify",
        "choice",
        "new_meld",
        "What justifies taking the lixo: a new meld with its top card, one whose hand cards are all natural, or "
        "also an extension of an own meld.",
        "CAN-08",
        ("new_meld", "naturals_only", "new_or_extend"),
    ),
    Option("curinga_top_blocks", "flag", False, "A curinga on top of the lixo cannot be taken.", "CAN-10"),
    Option(
        "lavadeira_ranks",
        "ranks",
        ("4", "5", "K", "A"),
        "Ranks of which lavadeiras may be laid; none for sequences only.",
        "CAN-13",
        RANKS_OF_MELDS,
    ),
    Option("curingas_per_meld", "choice", 1, "Curingas that a meld may hold.", "CAN-14", (1, 2)),
    Option(
        "curinga_slides",
        "flag",
        True,
        "A curinga slides to a free end when the natural card of its place comes; otherwise that card cannot be added.",
        "CAN-15",
    ),
    Option("batida_needs_discard", "flag", False, "Going out needs a final discard.", "CAN-20"),
    Option(
        "stock_out",
        "choice",
        "morto_becomes_stock",
        "What happens when a card must be drawn from an empty stock.",
        "CAN-23",
        ("morto_becomes_stock", "end"),
    ),
    Option(
        "red_three_table_points",
        "choice",
        10,
        "Points of a red three as a card on the table, where red threes count for the side.",
        "CAN-26",
        (10, 0),
    ),
    Option("target", "integer", 2000, "Score that ends a match.", "CAN-28", low=100, high=1_000_000),
)

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "two_players": {"players": 2},
    "sequences_only": {"lavadeira_ranks": ()},
    "all_lavadeiras": {"lavadeira_ranks": RANKS_OF_MELDS},
    "with_jokers": {"jokers": 4, "curingas_per_meld": 2},
    "strict": {"lixo_justify": "naturals_only", "curinga_top_blocks": True, "batida_needs_discard": True},
    "open_lixo": {"lixo_justify": "new_or_extend"},
}

POLICY_RANDOM, POLICY_HEURISTIC, POLICY_SEARCH = range(3)

MAX_PARAMETERS = 24

POLICIES = (
    Policy("random", POLICY_RANDOM, "Uniform over the elementary legal steps, stopping included.", RANDOM),
    Policy(
        "novice",
        POLICY_HEURISTIC,
        "Lays all it can, spends curingas at once, fears the lixo, looks at its own hand alone.",
        with_defaults(NOVICE),
    ),
    Policy(
        "standard",
        POLICY_HEURISTIC,
        "Plays as people who play often: takes the lixo, keeps curingas, locks with black threes.",
        HEURISTIC,
    ),
    Policy(
        "expert",
        POLICY_HEURISTIC,
        "Counts cards, starves the lixo of what the next player may need, waits for the canastra limpa.",
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
    for option in OPTIONS:
        value = values[option.name]
        if option.name not in (OPTION_LAYOUT.names or ()):
            continue
        if option.kind == "ranks":
            encoded[option.name] = rank_mask(value)
        elif option.kind == "choice" and isinstance(value, str):
            encoded[option.name] = option.choices.index(value)
        else:
            encoded[option.name] = int(value)
    return encoded


def seats(values: Mapping[str, Any]) -> int:
    """Seats at the table (CAN-01)."""
    return int(values["players"])


def sides(_values: Mapping[str, Any]) -> int:
    """Sides that score: two pairs, or two single players (CAN-01)."""
    return SIDES


def side_of(seat: int, _values: Mapping[str, Any]) -> int:
    """Side of a seat (CAN-01)."""
    return seat % SIDES


def shuffle_cards(values: Mapping[str, Any]) -> int:
    """Cards in the pack (CAN-03)."""
    return 104 + int(values["jokers"])


def hand_places(values: Mapping[str, Any], dealer: int, seat: int) -> tuple[int, ...]:
    """Places in the deck of the cards that a seat is dealt: singly from the dealer's right (CAN-04)."""
    players = seats(values)
    return tuple(card * players + (seat - dealer - 1) % players for card in range(HAND_SIZE))


def pack_of(values: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """Two packs and the jokers (CAN-03)."""
    return pack(2, int(values["jokers"]))


SPEC = GameSpec(
    name="canastra",
    title="Canastra",
    summary="Brazilian canastra: two pairs, two packs, mortos, red and black threes, lavadeiras.",
    rules="docs/rules/canastra.md",
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
    dealt=(("mortos", True), ("stock", False)),
    pack=pack_of,
)
