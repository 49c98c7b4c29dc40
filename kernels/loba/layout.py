"""Loba in plain data: house rules, state, record, policies (docs/rules/loba.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.cards import pack
from kernels.loba.parameters import EXPERT, HEURISTIC, NOVICE, RANDOM, SEARCH, with_defaults
from kernels.match_ends import SHARED, UNDECIDED, Scores, Sides, best_sides
from kernels.placing import PLACED_LAYOUT
from kernels.spec import GameSpec, Option, Policy

MAX_SEATS = 7
MIN_SEATS = 2
HAND_SIZE = 9
DEALT_AT_ONCE = 3
SUITS = 4
NATURALS = 104
MOST_JOKERS = 8
MAX_CARDS = NATURALS + MOST_JOKERS
MAX_MELDS = 3
"""A seat never owns more than ten cards, melds and hand together, and a meld has three at least."""

MOST_RESHUFFLES = 3
TURN_CAP = 1_000
MOST_REDEALS = 100
"""A joker is exposed in one deal of fourteen at most: so many in a row never happen."""

REASON_WENT_OUT, REASON_NO_WINNER, REASON_CAP = range(3)
STATUS_UNPLAYED, STATUS_PLAYED = range(2)
END_REASONS = ("went_out", "no_winner", "cap")

ALL_AT_ONCE_POINTS = 20
ALL_AT_ONCE_FACTOR = 2
"""The winner's bonus and what multiplies the others' hands where everything was laid at once (LOB-15)."""

JOKERS_AUTO = -1

OPTION_LAYOUT = np.dtype(
    [
        ("players", np.int64),
        ("jokers", np.int64),
        ("any_set", np.int64),
        ("taken_discard_must_meld", np.int64),
        ("target", np.int64),
    ],
    align=True,
)
"""House rules as the kernels read them; `jokers` is `JOKERS_AUTO` where the players still in decide."""

TABLE_LAYOUT = np.dtype(
    [
        # Melds by seat and number. A sequence lies in one lane at positions 1 (ace low) to 14 (ace high), its jokers
        # in a word of their own; a set is a pair of words of cards (`kernels.melds`).
        ("meld_one", np.uint64, (MAX_SEATS, MAX_MELDS)),
        ("meld_two", np.uint64, (MAX_SEATS, MAX_MELDS)),
        ("meld_jokers", np.uint64, (MAX_SEATS, MAX_MELDS)),
        # Cards everybody has seen and that are in no hand nor in the stock: melds, discards, the exposed card.
        ("seen_one", np.uint64),
        ("seen_two", np.uint64),
        # Natural cards taken openly from the discards and still in the taker's hand.
        ("known_one", np.uint64, (MAX_SEATS,)),
        ("known_two", np.uint64, (MAX_SEATS,)),
        # Cards that a seat discarded, and those it took from the discards.
        ("thrown", np.uint64, (MAX_SEATS,)),
        ("took", np.uint64, (MAX_SEATS,)),
        # The cards of the stock that the discards were last made into; none before that.
        ("recycled_one", np.uint64),
        ("recycled_two", np.uint64),
        ("turn", np.int16),
        ("stock_left", np.int16),
        ("discard_count", np.int16),
        ("hand_count", np.int8, (MAX_SEATS,)),
        ("meld_count", np.int8, (MAX_SEATS,)),
        ("is_set", np.int8, (MAX_SEATS, MAX_MELDS)),
        # Laid something in an earlier turn (LOB-15); jokers laid in melds.
        ("has_laid", np.int8, (MAX_SEATS,)),
        ("jokers_laid", np.int8, (MAX_SEATS,)),
        # Cards drawn from the stock as it was last made.
        ("drawn", np.int8, (MAX_SEATS,)),
        ("playing", np.int8, (MAX_SEATS,)),
        ("players", np.int8),
        ("seat", np.int8),
        ("first", np.int8),
        ("reshuffles", np.int8),
        # Of the turn: the card taken from the discards, -1 for none; whether the hand held no other like it; the own
        # meld it was laid in since, -1 for none; whether cards were laid.
        ("taken", np.int8),
        ("taken_only", np.int8),
        ("taken_meld", np.int8),
        ("laid", np.int8),
        ("exposed", np.uint8),
        ("discards", np.uint8, (MAX_CARDS,)),
    ],
    align=True,
)
"""What everybody at the table can see. Policies read this and their own hand, nothing else."""

STATE_LAYOUT = np.dtype(
    [
        ("hand_one", np.uint64, (MAX_SEATS,)),
        ("hand_two", np.uint64, (MAX_SEATS,)),
        # The stream of the policies, and that of the cards, which redeals and reshuffles go on with.
        ("random", np.uint64, (1,)),
        ("dealing", np.uint64, (1,)),
        ("placed", PLACED_LAYOUT),
        ("log_count", np.int64),
        ("table", TABLE_LAYOUT),
        ("decisions", np.int32),
        ("cards", np.int16),
        ("stock_next", np.int16),
        ("deck", np.uint8, (MAX_CARDS,)),
        ("reason", np.int8),
        ("out_seat", np.int8),
        ("all_at_once", np.int8),
    ],
    align=True,
)
"""One deal in play: the visible table and everything hidden."""

RECORD_LAYOUT = np.dtype(
    [
        ("deal", np.uint64),
        ("match", np.int64),
        ("decisions", np.int32),
        ("score", np.int32, (MAX_SEATS,)),
        ("turns", np.int16),
        ("seat_turns", np.int16, (MAX_SEATS,)),
        ("out_turn", np.int16, (MAX_SEATS,)),
        ("first_meld_turn", np.int16, (MAX_SEATS,)),
        ("discard_takes", np.int16, (MAX_SEATS,)),
        ("meld_discards", np.int16, (MAX_SEATS,)),
        ("deadwood", np.int16, (MAX_SEATS,)),
        ("status", np.uint8),
        ("reason", np.uint8),
        ("dealer", np.int8),
        ("first", np.int8),
        ("winner", np.int8),
        ("out_seat", np.int8),
        ("redeals", np.int8),
        ("reshuffles", np.int8),
        ("pack_jokers", np.int8),
        ("playing", np.int8, (MAX_SEATS,)),
        ("went_out", np.int8, (MAX_SEATS,)),
        ("all_at_once", np.int8, (MAX_SEATS,)),
        ("eliminated", np.int8, (MAX_SEATS,)),
        ("melds", np.int8, (MAX_SEATS,)),
        ("sets", np.int8, (MAX_SEATS,)),
        ("laid_cards", np.int8, (MAX_SEATS,)),
        ("jokers_used", np.int8, (MAX_SEATS,)),
        ("cards_left", np.int8, (MAX_SEATS,)),
        ("jokers_left", np.int8, (MAX_SEATS,)),
    ],
    align=True,
)
"""What a deal leaves behind.

`status` 1 once played; `reason` indexes `END_REASONS`; `winner` the seat with the best score, -1 for a tie; `out_seat`
who went out, -1 for nobody; `redeals` for an exposed joker and `reshuffles` of the discards; jokers of the pack. Per
seat: `playing` 0 for who is out of the match; turns (the seat's own; the first meld and going out counted in them from
1, 0 for never); discards taken, and cards discarded from own melds; `deadwood`, the value of the cards left in hand,
without the factor, and their number, jokers among them; `went_out`, `all_at_once` 1 for who went out (so, LOB-15),
`eliminated` 1 for whom this deal puts out of the match (LOB-16); melds on the table, sets among them, their cards and
jokers.
"""

OPTIONS = (
    Option("players", "integer", 4, "Players, each for himself.", "LOB-01", low=MIN_SEATS, high=MAX_SEATS),
    Option(
        "jokers",
        "choice",
        "auto",
        "Jokers in the two packs; auto: 2 for two or three players still in, 3 for four or five, 4 for six or seven.",
        "LOB-01",
        ("auto", *range(MOST_JOKERS + 1)),
    ),
    Option(
        "set_suits",
        "choice",
        "three_different",
        "Sets of three different suits, and later only of those; or any three or more of a rank, identical ones too.",
        "LOB-05",
        ("three_different", "any"),
    ),
    Option(
        "taken_discard_must_meld",
        "flag",
        False,
        "The discard is taken only to be melded or added in the same turn.",
        "LOB-12",
    ),
    Option(
        "target", "integer", 100, "Negative points that put a player out of the match.", "LOB-16", low=1, high=100_000
    ),
)

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "two_players": {"players": 2},
    "full_table": {"players": 7},
    "any_set": {"set_suits": "any"},
    "strict_taking": {"taken_discard_must_meld": True},
    "no_jokers": {"jokers": 0},
}

POLICY_RANDOM, POLICY_HEURISTIC, POLICY_SEARCH = range(3)

MAX_PARAMETERS = 40

POLICIES = (
    Policy("random", POLICY_RANDOM, "Uniform over the elementary legal steps, stopping included.", RANDOM),
    Policy(
        "novice",
        POLICY_HEURISTIC,
        "Lays whatever can be laid, takes what makes a meld, throws the highest card that lies in none.",
        with_defaults(NOVICE),
    ),
    Policy(
        "standard",
        POLICY_HEURISTIC,
        "Plays as people who play often: keeps cards that lack one to a meld, and jokers, and spares the next player.",
        HEURISTIC,
    ),
    Policy(
        "expert",
        POLICY_HEURISTIC,
        "Counts live cards, tries every discard against every card that may come, and starves the next player.",
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
    return {
        "players": int(values["players"]),
        "jokers": JOKERS_AUTO if values["jokers"] == "auto" else int(values["jokers"]),
        "any_set": int(values["set_suits"] == "any"),
        "taken_discard_must_meld": int(values["taken_discard_must_meld"]),
        "target": int(values["target"]),
    }


def seats(values: Mapping[str, Any]) -> int:
    """Seats at the table (LOB-01)."""
    return int(values["players"])


def side_of(seat: int, _values: Mapping[str, Any]) -> int:
    """Each seat is a side (LOB-01)."""
    return seat


def jokers_for(players: int) -> int:
    """Jokers for so many players still in, where no option says it (LOB-01)."""
    return players // 2 + 1


def shuffle_cards(values: Mapping[str, Any]) -> int:
    """Cards in the pack with everybody in (LOB-01)."""
    jokers = values["jokers"]
    return NATURALS + (jokers_for(seats(values)) if jokers == "auto" else int(jokers))


def still_in(scores: Scores, options: Mapping[str, Any]) -> npt.NDArray[np.bool_]:
    """Players who have fewer negative points than put them out, shape (matches, seats) (LOB-16)."""
    fewer: npt.NDArray[np.bool_] = scores > -int(options["target"])
    return fewer


def match_winners(scores: Scores, options: Mapping[str, Any]) -> Sides:
    """Winner of each match: the last one still in; where nobody is, the best total alone (LOB-16).

    Parameters
    ----------
    scores
        Shape (matches, seats).
    options
        A value for every option.
    """
    playing = still_in(scores, options)
    count = playing.sum(axis=1)
    best = best_sides(scores)
    nobody_left = np.where(best == UNDECIDED, SHARED, best)
    winners: Sides = np.where(count > 1, UNDECIDED, np.where(count == 1, playing.argmax(axis=1), nobody_left))
    return winners


def next_dealers(dealers: Sides, scores: Scores, options: Mapping[str, Any], seats: int) -> Sides:
    """Dealer of each match's next round: the next to the left who is still in (LOB-02)."""
    playing = still_in(scores, options)
    rows = np.arange(len(dealers))
    after = (dealers + 1) % seats
    for _ in range(seats):
        after = np.where(playing[rows, after], after, (after + 1) % seats)
    return after


def pack_of(values: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """Two packs and the jokers, with everybody in (LOB-01)."""
    return pack(2, shuffle_cards(values) - NATURALS)


def hand_places(values: Mapping[str, Any], dealer: int, seat: int) -> tuple[int, ...]:
    """Places in the deck of the cards that a seat is dealt: three at a time from the dealer's left (LOB-02)."""
    players = seats(values)
    start = (seat - dealer - 1) % players * DEALT_AT_ONCE
    rounds = range(0, HAND_SIZE * players, DEALT_AT_ONCE * players)
    return tuple(start + first + card for first in rounds for card in range(DEALT_AT_ONCE))


def open_places(values: Mapping[str, Any], _dealer: int) -> tuple[int, ...]:
    """Place in the deck of the card that is exposed: the last (LOB-03)."""
    return (shuffle_cards(values) - 1,)


def open_conflict(cards: Sequence[int]) -> str | None:
    """Refuse a joker as the exposed card: such a deal is void (LOB-03)."""
    return "the exposed card is a joker, and such a deal is void" if any(card & 15 == 0 for card in cards) else None


SPEC = GameSpec(
    name="loba",
    title="Loba",
    summary="Nine-card rummy for two to seven: sets, sequences with jokers inside, and a prize for laying all at once.",
    rules="docs/rules/loba.md",
    options=OPTIONS,
    policies=POLICIES,
    searches=SEARCHES,
    option_layout=OPTION_LAYOUT,
    record_layout=RECORD_LAYOUT,
    encode=encode,
    seats=seats,
    sides=seats,
    side_of=side_of,
    shuffle_cards=shuffle_cards,
    end_reasons=END_REASONS,
    max_parameters=MAX_PARAMETERS,
    max_events=40_000,
    presets=PRESETS,
    hand_places=hand_places,
    open_places=open_places,
    dealt=(("stock", False), ("exposed", False)),
    open_conflict=open_conflict,
    pack=pack_of,
    match_winners=match_winners,
    next_dealers=next_dealers,
)
