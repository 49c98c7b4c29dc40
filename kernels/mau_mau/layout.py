"""Mau-mau in plain data: house rules, state, record, policies (docs/rules/mau_mau.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.cards import pack
from kernels.match_ends import UNDECIDED, Scores, Sides, best_sides
from kernels.mau_mau.parameters import EXPERT, HEURISTIC, NOVICE, RANDOM, SEARCH, with_defaults
from kernels.placing import PLACED_LAYOUT
from kernels.spec import MAX_SEATS, GameSpec, Option, Policy, rate_threshold

HAND_SIZE = 7
ONE_PACK, MOST_CARDS = 52, 104
MOST_PLAYERS_OF_ONE_PACK = 7
TURN_CAP = 2_000

REASON_WENT_OUT, REASON_VOID, REASON_CAP = range(3)
STATUS_UNPLAYED, STATUS_PLAYED = range(2)
END_REASONS = ("went_out", "void", "cap")

CARD_VALUES = {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 15, 8: 20, 9: 9, 10: 10, 11: 20, 12: 10, 13: 10, 14: 15}
"""Points of a card by its rank (MAU-18)."""

FACTORS = (1, 2, 4, 8)
"""What the losers' cards may be multiplied by (MAU-18)."""

FINE = 50
"""Points of a fine (MAU-06)."""

DRAWN_FOR_EIGHT, DRAWN_FOR_SEVEN, DRAWN_FOR_NO_CALL = 3, 2, 5
"""Cards drawn for an 8, a 7, and one card left unannounced (MAU-09, MAU-10, MAU-14)."""

HOLDING_BITS, HOLDING_JACKS = 12, 4
"""Bits of each number of a word of `may_hold` in the table, and the place of that of Jacks after those of the suits."""

UNABLE = ("fine_draw", "fine_only", "fine_once", "draw_one", "draw_until")
UNABLE_FINE_DRAW, UNABLE_FINE_ONLY, UNABLE_FINE_ONCE, UNABLE_DRAW_ONE, UNABLE_DRAW_UNTIL = range(5)
"""What happens to a player who cannot follow (MAU-06)."""

OPTION_LAYOUT = np.dtype(
    [
        ("forget_call", np.uint64),
        ("players", np.int64),
        ("packs", np.int64),
        ("start_card_acts", np.int64),
        ("unable", np.int64),
        ("stack_eights", np.int64),
        ("seven_hits_next", np.int64),
        ("queen_skips_two_players", np.int64),
        ("last_card_acts", np.int64),
        ("winner_collects", np.int64),
    ],
    align=True,
)
"""House rules as the kernels read them; `forget_call` is a probability in units of 2^-32."""

TABLE_LAYOUT = np.dtype(
    [
        # Cards that may be played now (MAU-04): on the top card, or under an announced suit.
        ("follow", np.uint64),
        # Cards of the lixo, as a pair of words (`kernels.melds`).
        ("seen_one", np.uint64),
        ("seen_two", np.uint64),
        # How many of a hand's cards may be of each suit, and how many may be Jacks, as far as the table knows: five
        # lanes of twelve bits (`kernels.mau_mau.inference`).
        ("may_hold", np.uint64, (MAX_SEATS,)),
        ("seat", np.int64),
        ("players", np.int64),
        # 1 clockwise, -1 the other way (MAU-12).
        ("direction", np.int64),
        ("turn", np.int64),
        # A bit for every barred seat (MAU-06).
        ("barred", np.int64),
        # Cards that the seat in turn must draw for eights (MAU-09).
        ("pending", np.int64),
        # The suit announced with the Jack on top, `kinds.NO_SUIT` for none.
        ("suit", np.int64),
        ("stock_left", np.int64),
        # Of one pack: the cards that were shuffled into the stock last (MAU-16), of which the lixo shows some again; of
        # each hand, how many are of them. Of two packs nobody can tell: none.
        ("restocked", np.uint64),
        ("fresh", np.int16, (MAX_SEATS,)),
        # How many cards each seat drew since that, Jacks that it has played of these apart; before it, all it drew.
        ("came", np.int16, (MAX_SEATS,)),
        ("hand_count", np.int16, (MAX_SEATS,)),
        ("fines", np.int16, (MAX_SEATS,)),
        ("pile_size", np.int16),
        ("first", np.int8),
        ("dealer", np.int8),
        ("packs", np.int8),
        ("start_card", np.uint8),
        # The lixo from bottom to top; its first card is the carta da partida, until it is shuffled into a new stock.
        ("pile", np.uint8, (MOST_CARDS,)),
    ],
    align=True,
)
"""What everybody at the table can see. Policies read this and their own hand, nothing else."""

STATE_LAYOUT = np.dtype(
    [
        ("hand_one", np.uint64, (MAX_SEATS,)),
        ("hand_two", np.uint64, (MAX_SEATS,)),
        # Streams: of the policies, of the cards, of what happens at the table by chance (MAU-14).
        ("random", np.uint64, (1,)),
        ("cards_random", np.uint64, (1,)),
        ("house_random", np.uint64, (1,)),
        ("placed", PLACED_LAYOUT),
        ("log_count", np.int64),
        # Consecutive turns in which nobody played or drew a card (MAU-08).
        ("idle", np.int64),
        ("stock_next", np.int64),
        ("decisions", np.int64),
        ("reason", np.int64),
        ("winner", np.int64),
        # Jacks of the last play (MAU-18).
        ("last_jacks", np.int64),
        ("table", TABLE_LAYOUT),
        ("deck", np.uint8, (MOST_CARDS,)),
    ],
    align=True,
)
"""One round in play: the visible table and everything hidden."""

RECORD_LAYOUT = np.dtype(
    [
        ("deal", np.uint64),
        ("match", np.int64),
        ("decisions", np.int32),
        ("score", np.int32, (MAX_SEATS,)),
        ("hand_score", np.int32, (MAX_SEATS,)),
        ("fines_score", np.int32, (MAX_SEATS,)),
        ("fines_won", np.int32, (MAX_SEATS,)),
        ("collected", np.int32, (MAX_SEATS,)),
        ("turns", np.int16),
        ("forward_turns", np.int16),
        ("reversals", np.int16),
        ("reshuffles", np.int16),
        ("bars_lifted", np.int16),
        ("skips", np.int16),
        ("hand_points", np.int16, (MAX_SEATS,)),
        ("hand_cards", np.int16, (MAX_SEATS,)),
        ("seat_turns", np.int16, (MAX_SEATS,)),
        ("plays", np.int16, (MAX_SEATS,)),
        ("unable", np.int16, (MAX_SEATS,)),
        ("fines", np.int16, (MAX_SEATS,)),
        ("drawn", np.int16, (MAX_SEATS,)),
        ("sevens", np.int16, (MAX_SEATS,)),
        ("eights", np.int16, (MAX_SEATS,)),
        ("aces", np.int16, (MAX_SEATS,)),
        ("queens", np.int16, (MAX_SEATS,)),
        ("jacks", np.int16, (MAX_SEATS,)),
        ("jack_pairs", np.int16, (MAX_SEATS,)),
        ("forgotten", np.int16, (MAX_SEATS,)),
        ("first_one_card", np.int16),
        ("status", np.uint8),
        ("reason", np.uint8),
        ("dealer", np.int8),
        ("first", np.int8),
        ("winner", np.int8),
        ("factor", np.int8),
        ("start_card", np.uint8),
        ("last_card", np.uint8),
        ("last_jacks", np.int8),
        ("position", np.int8, (MAX_SEATS,)),
        ("barred", np.int8, (MAX_SEATS,)),
    ],
    align=True,
)
"""What a round leaves behind.

`status` 1 once played; `reason` indexes `END_REASONS`; `winner` the seat that went out, -1 for nobody; `factor` of the
losers' cards, 1 in a void round; `start_card` the carta da partida and `last_card` the winning card (0 for none);
`last_jacks` the Jacks of the winning play; `forward_turns` the turns played clockwise, `reversals` the Queens that
turned the direction, `skips` the turns lost, `reshuffles` of the lixo, `bars_lifted` how often everybody was barred;
`first_one_card` the turn in which somebody first held one card, 0 for never. Per seat: the score
and the four lines that make it up, in signed points (cards in hand, multiplied; fines paid; the winner's fines won, and
what he collects under `winner_collects`); points and number of the cards
left in hand; own turns and those with a play; turns in which the seat could not follow, and the fines it paid for
them; cards drawn; plays of a 7, 8, Ace, Queen, single Jack and pair of Jacks, the winning play included; calls
forgotten; `position` in the playing order at the start, from 0; `barred` 1 where the seat was barred at the end.
"""

OPTIONS = (
    Option("players", "integer", 4, "Players, each for himself.", "MAU-01", low=2, high=MAX_SEATS),
    Option(
        "packs", "choice", "auto", "Packs of 52: auto takes one up to four players, else two.", "MAU-01", ("auto", 1, 2)
    ),
    Option(
        "start_card_acts",
        "flag",
        False,
        "The carta da partida has the effect of its rank; a Jack turned up lets any card follow.",
        "MAU-05",
    ),
    Option(
        "unable",
        "choice",
        "fine_draw",
        "What happens to a player who cannot follow: a fine and a bar with or without a draw, fined once, or no fine "
        "and one card, or cards until one fits.",
        "MAU-06",
        UNABLE,
    ),
    Option("stack_eights", "flag", False, "An 8 may be answered with an 8, and the draws add up.", "MAU-09"),
    Option("seven_hits", "choice", "previous", "Which neighbour a 7 makes draw two.", "MAU-10", ("previous", "next")),
    Option(
        "queen_skips_two_players",
        "flag",
        False,
        "In a round of two, the player of a Queen plays again.",
        "MAU-12",
    ),
    Option("forget_call_rate", "rate", 0.0, "How often a player forgets to announce his last card.", "MAU-14"),
    Option("last_card_acts", "flag", False, "An 8 or a 7 that wins is still drawn for before the count.", "MAU-15"),
    Option("winner_collects", "flag", False, "The losers' cards count for the winner and not against them.", "MAU-19"),
    Option(
        "target", "integer", 1000, "Points lost (or collected) that end a match.", "MAU-19", low=100, high=1_000_000
    ),
)

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "draw_to_play": {"unable": "draw_until", "seven_hits": "next", "stack_eights": True},
    "everything_acts": {"start_card_acts": True, "last_card_acts": True, "queen_skips_two_players": True},
    "strict": {"unable": "fine_only"},
    "collecting": {"winner_collects": True},
}

POLICY_RANDOM, POLICY_HEURISTIC, POLICY_SEARCH = range(3)
MAX_PARAMETERS = 56

POLICIES = (
    Policy("random", POLICY_RANDOM, "Uniform over the legal plays and announcements.", RANDOM),
    Policy(
        "novice",
        POLICY_HEURISTIC,
        "Throws away what costs most, looks at its own hand alone.",
        with_defaults(NOVICE),
    ),
    Policy(
        "standard",
        POLICY_HEURISTIC,
        "Plays as people who play often: keeps Jacks and what can follow, strikes at who is nearly out.",
        HEURISTIC,
    ),
    Policy(
        "expert",
        POLICY_HEURISTIC,
        "Counts cards, remembers who could not follow what, and weighs every card by what it will do.",
        with_defaults(EXPERT),
    ),
)

SEARCHES = (
    Policy(
        "search",
        POLICY_SEARCH,
        "Deals the unseen cards by lot many times, plays the round on from everything it may do, and takes the best "
        "mean.",
        SEARCH,
        part="search",
    ),
)


def packs_of(values: Mapping[str, Any]) -> int:
    """Packs that are played with: by default one up to four players (MAU-01)."""
    if values["packs"] == "auto":
        return 1 if values["players"] <= 4 else 2
    return int(values["packs"])


def encode(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of `OPTION_LAYOUT` for a complete mapping of option values."""
    return {
        "forget_call": rate_threshold(values["forget_call_rate"]),
        "players": values["players"],
        "packs": packs_of(values),
        "unable": UNABLE.index(values["unable"]),
        "seven_hits_next": int(values["seven_hits"] == "next"),
        **{
            name: int(values[name])
            for name in (
                "start_card_acts",
                "stack_eights",
                "queen_skips_two_players",
                "last_card_acts",
                "winner_collects",
            )
        },
    }


def conflict(values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Refuse one pack for more than seven players (MAU-01)."""
    if values["packs"] == 1 and values["players"] > MOST_PLAYERS_OF_ONE_PACK:
        return "packs", f"auto or 2 with more than {MOST_PLAYERS_OF_ONE_PACK} players"
    return None


def match_winners(scores: Scores, options: Mapping[str, Any]) -> Sides:
    """Winner of each match: the best total, alone, once somebody has lost, or collected, the target (MAU-19)."""
    target = int(options["target"])
    over = scores.max(axis=1) >= target if options["winner_collects"] else scores.min(axis=1) <= -target
    winners: Sides = np.where(over, best_sides(scores), UNDECIDED)
    return winners


def seats(values: Mapping[str, Any]) -> int:
    """Seats at the table (MAU-01)."""
    return int(values["players"])


def side_of(seat: int, _values: Mapping[str, Any]) -> int:
    """Side of a seat: everybody plays for himself (MAU-01)."""
    return seat


def shuffle_cards(values: Mapping[str, Any]) -> int:
    """Cards in play (MAU-01)."""
    return ONE_PACK * packs_of(values)


def pack_of(values: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """One pack or two, without jokers (MAU-01)."""
    return pack(packs_of(values))


def hand_places(values: Mapping[str, Any], dealer: int, seat: int) -> tuple[int, ...]:
    """Places in the deck of the cards that a seat is dealt: singly from the dealer's left (MAU-03)."""
    players = seats(values)
    return tuple(card * players + (seat - dealer - 1) % players for card in range(HAND_SIZE))


def open_places(values: Mapping[str, Any], _dealer: int) -> tuple[int, ...]:
    """Place in the deck of the carta da partida (MAU-03)."""
    return (HAND_SIZE * seats(values),)


SPEC = GameSpec(
    name="mau_mau",
    title="Mau-mau",
    summary="Brazilian mau-mau: follow suit or rank, effects of five ranks, fines, bars, and Jacks kept for the end.",
    rules="docs/rules/mau_mau.md",
    options=OPTIONS,
    policies=POLICIES,
    option_layout=OPTION_LAYOUT,
    record_layout=RECORD_LAYOUT,
    encode=encode,
    seats=seats,
    sides=seats,
    side_of=side_of,
    shuffle_cards=shuffle_cards,
    end_reasons=END_REASONS,
    max_parameters=MAX_PARAMETERS,
    max_events=60_000,
    presets=PRESETS,
    searches=SEARCHES,
    hand_places=hand_places,
    open_places=open_places,
    dealt=(("start_card", False), ("stock", False)),
    pack=pack_of,
    void_reasons=("void", "cap"),
    conflict=conflict,
    match_winners=match_winners,
)
