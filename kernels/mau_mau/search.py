"""The policy `search` of mau-mau: every play weighed by playing the round on from it, in many worlds.

Its rollouts are played by `standard` at every seat, or by `expert`, through the loops of the game itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import inlined, lean
from kernels.bits import lowest_bit
from kernels.calling import callee, own_array
from kernels.mau_mau.deal import clear_record
from kernels.mau_mau.kinds import NO_SUIT
from kernels.mau_mau.layout import (
    MAX_PARAMETERS,
    OPTION_LAYOUT,
    POLICIES,
    RECORD_LAYOUT,
    STATE_LAYOUT,
    TABLE_LAYOUT,
    TURN_CAP,
)
from kernels.mau_mau.masks import EIGHTS, JACKS
from kernels.mau_mau.parameters import CAUTION, HOPELESS, JACKS_KEPT, PLAYOUT, ROLLOUTS
from kernels.mau_mau.play import play_turn
from kernels.mau_mau.policy_heuristic import heuristic_answer, heuristic_drawn, heuristic_play, heuristic_suit
from kernels.mau_mau.rules import LEGAL, NO_CARD, ONE_CARD, apply_play, end_turn, play_article, suffer_eights
from kernels.mau_mau.scoring import score
from kernels.mau_mau.search_worlds import SLOTS_LAYOUT, deal_world, list_slots
from kernels.melds import BIT, NONE, card_bit
from kernels.searching import (
    COPY,
    EXPERT,
    FIRST,
    MOST_OPTIONS,
    PLAYOUTS,
    STANDARD,
    TALLY_LAYOUT,
    WORLD,
    best_left,
    end_world,
    note_outcome,
    open_tally,
    seat_playouts,
    wants_world,
)
from kernels.spec import MAX_SEATS
from kernels.trace import EVENT

BY_ADDRESS = True

OPTION = np.dtype([("card", np.int64), ("second", np.int64), ("suit", np.int64)], align=True)
"""A play: the card, a second Jack or -1, the announced suit or `NO_SUIT`; the card is -1 for no play."""

ASKED = np.dtype(
    [
        ("one", np.uint64),
        ("two", np.uint64),
        ("seat", np.int64),
        ("kind", np.int64),
        ("playout", np.int64),
        ("jacks_kept", np.int64),
    ],
    align=True,
)
"""A decision: the hand and the seat, what is answered, who plays the rollouts, and how worlds are dealt."""

MEMORY_LAYOUT = np.dtype(
    [
        ("tally", TALLY_LAYOUT),
        ("option", OPTION, (MOST_OPTIONS,)),
        # Which of the options `expert` would take.
        ("expert", np.int64),
        # Where the compiled `weigh` is, and what it is to weigh.
        ("weigh", np.int64),
        ("asked", ASKED),
        ("slots", SLOTS_LAYOUT),
        # The world, and the copy of it that is played out.
        ("states", STATE_LAYOUT, (2,)),
        ("records", RECORD_LAYOUT, (1,)),
        ("log", EVENT, (0,)),
        ("policies", np.int64, (len(PLAYOUTS), MAX_SEATS)),
        ("parameters", np.int64, (len(PLAYOUTS), MAX_SEATS, MAX_PARAMETERS)),
    ],
    align=True,
)
"""Where a search reckons. Nothing in it outlasts an answer but the policies of the rollouts, which never change."""

TO_A_CARD, TO_AN_EIGHT = np.int64(0), np.int64(1)
"""What is answered: the card on top, or an 8 that must be drawn for."""


def prepare(memory: npt.NDArray[np.void]) -> None:
    """Fill in the policies that play the rollouts.

    Parameters
    ----------
    memory
        Dtype `MEMORY_LAYOUT`, shape (1,).
    """
    seat_playouts(memory, POLICIES)
    memory["weigh"] = WEIGH.address()


@lean
def choose_play(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any, memory: Any
) -> tuple[np.int64, np.int64, np.int64]:
    """Card to play, second Jack and announced suit, by its mean lead over the others at the end (MAU-04, MAU-13)."""
    list_plays(table, options, seat, one, two, memory)
    best = memory.option[search(table, options, seat, one, two, TO_A_CARD, parameters, stream, memory)]
    return np.int64(best.card), np.int64(best.second), np.int64(best.suit)


@lean
def choose_answer(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any, memory: Any
) -> np.int64:
    """The 8 that answers an 8, -1 to draw, by its mean lead over the others at the end (MAU-09)."""
    list_answers(one, two, memory)
    return np.int64(memory.option[search(table, options, seat, one, two, TO_AN_EIGHT, parameters, stream, memory)].card)


@lean
def choose_drawn(
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    card: np.int64,
    parameters: Any,
    stream: Any,
    memory: Any,
) -> bool:
    """Whether to play the card just drawn, by its mean lead over the others at the end (MAU-06, `draw_one`)."""
    list_drawn(table, options, seat, one, two, card, memory)
    return memory.option[search(table, options, seat, one, two, TO_A_CARD, parameters, stream, memory)].card != NO_CARD


@lean
def choose_suit(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any, stream: Any, memory: Any
) -> np.int64:
    """The suit that a Jack just drawn announces, by its mean lead over the others at the end (MAU-13)."""
    list_suits(table, options, seat, one, two, memory)
    return np.int64(memory.option[search(table, options, seat, one, two, TO_A_CARD, parameters, stream, memory)].suit)


@lean
def find_play(card: int, second: int, suit: int, memory: Any) -> np.int64:
    """Number of a play among the options listed last, -1 if it is none of them."""
    for option in range(memory.tally.options):
        known = memory.option[option]
        if known.card == card and known.second == second and known.suit == suit:
            return np.int64(option)
    return np.int64(-1)


@lean
def find_answer(card: int, memory: Any) -> np.int64:
    """Number of an answer to an 8 among the options listed last, -1 if it is none of them."""
    return find_play(np.int64(card), NO_CARD, NO_SUIT, memory)


@lean
def find_drawn(plays: bool, memory: Any) -> np.int64:
    """Number of playing the card just drawn, or of keeping it, among the options listed last."""
    for option in range(memory.tally.options):
        if (memory.option[option].card != NO_CARD) == plays:
            return np.int64(option)
    return np.int64(-1)


@lean
def find_suit(suit: int, memory: Any) -> np.int64:
    """Number of an announcement among the options listed last, -1 if it is none of them."""
    return find_play(np.int64(memory.option[FIRST].card), NO_CARD, np.int64(suit), memory)


@lean
def add_option(card: int, second: int, suit: int, memory: Any) -> np.int64:
    """List an option unless it is listed, or no more can be; its number, -1 if it is not listed."""
    tally = memory.tally
    known = find_play(card, second, suit, memory)
    if known >= 0 or tally.options == MOST_OPTIONS:
        return known
    option = memory.option[tally.options]
    option.card, option.second, option.suit = card, second, suit
    tally.options += 1
    return np.int64(tally.options) - 1


@lean
def list_plays(table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, memory: Any) -> None:
    """List every legal play, that of `standard` first (MAU-04, MAU-07, MAU-13).

    Of more than `MOST_OPTIONS`, which takes a hand of nearly half a pack, those are left out that announce the same
    with another Jack.
    """
    memory.tally.options = 0
    card, second, suit = heuristic_play(table, options, seat, one, two, memory.parameters[STANDARD, FIRST])
    add_option(card, second, suit, memory)
    card, second, suit = heuristic_play(table, options, seat, one, two, memory.parameters[EXPERT, FIRST])
    memory.expert = add_option(card, second, suit, memory)
    rest = one & table.follow & ~JACKS
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        if play_article(table, seat, one, two, card, NO_CARD, NO_SUIT) == LEGAL:
            add_option(card, NO_CARD, NO_SUIT, memory)
    if (one & table.follow & JACKS) != NONE:
        list_jacks(table, seat, one, two, memory)


@lean
def list_jacks(table: Any, seat: int, one: np.uint64, two: np.uint64, memory: Any) -> None:
    """List every way to play Jacks (MAU-13)."""
    rest = one & JACKS
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        # Two Jacks, this one first.
        others = (one & JACKS & ~card_bit(card)) | (two & card_bit(card))
        while others != NONE:
            second = lowest_bit(others)
            others &= others - BIT
            if play_article(table, seat, one, two, card, second, second >> 4) == LEGAL:
                add_option(card, second, second >> 4, memory)
    rest = one & JACKS
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        if play_article(table, seat, one, two, card, NO_CARD, NO_SUIT) == LEGAL:
            add_announcements(card, memory)


@lean
def add_announcements(card: np.int64, memory: Any) -> None:
    """List the four suits that a Jack may announce, and none (MAU-13)."""
    for suit in range(4):
        add_option(card, NO_CARD, np.int64(suit), memory)
    add_option(card, NO_CARD, NO_SUIT, memory)


@lean
def list_answers(one: np.uint64, two: np.uint64, memory: Any) -> None:
    """List every 8 that answers an 8, and drawing, that of `standard` first (MAU-09)."""
    memory.tally.options = 0
    add_option(heuristic_answer(one, two, memory.parameters[STANDARD, FIRST]), NO_CARD, NO_SUIT, memory)
    card = heuristic_answer(one, two, memory.parameters[EXPERT, FIRST])
    memory.expert = add_option(card, NO_CARD, NO_SUIT, memory)
    rest = one & EIGHTS
    while rest != NONE:
        add_option(lowest_bit(rest), NO_CARD, NO_SUIT, memory)
        rest &= rest - BIT
    add_option(NO_CARD, NO_CARD, NO_SUIT, memory)


@lean
def list_drawn(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, card: np.int64, memory: Any
) -> None:
    """List playing the card just drawn, as a Jack with the suit that `standard` announces, and keeping it (MAU-06)."""
    memory.tally.options = 0
    standard, expert = memory.parameters[STANDARD, FIRST], memory.parameters[EXPERT, FIRST]
    suit = NO_SUIT
    if (card_bit(card) & JACKS) != NONE:
        suit = heuristic_suit(table, options, seat, one, two, standard)
    plays = heuristic_drawn(standard)
    if plays:
        add_option(card, NO_CARD, suit, memory)
    add_option(NO_CARD, NO_CARD, NO_SUIT, memory)
    add_option(card, NO_CARD, suit, memory)
    memory.expert = np.int64(heuristic_drawn(expert) != plays)


@lean
def list_suits(table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, memory: Any) -> None:
    """List the announcements of a Jack just drawn, that of `standard` first (MAU-13)."""
    memory.tally.options = 0
    # Who had no card that followed had no Jack.
    card = lowest_bit(one & JACKS)
    suit = heuristic_suit(table, options, seat, one, two, memory.parameters[STANDARD, FIRST])
    add_option(card, NO_CARD, suit, memory)
    suit = heuristic_suit(table, options, seat, one, two, memory.parameters[EXPERT, FIRST])
    memory.expert = add_option(card, NO_CARD, suit, memory)
    add_announcements(card, memory)


@lean
def search(
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    kind: np.int64,
    parameters: Any,
    stream: Any,
    memory: Any,
) -> np.int64:
    """Weigh the options listed; the number of the best.

    Parameters
    ----------
    kind
        What is answered, `TO_A_CARD` or `TO_AN_EIGHT`.
    """
    tally, asked = memory.tally, memory.asked
    open_tally(tally, np.int64(tally.options), parameters[ROLLOUTS], stream)
    tally.usual = memory.expert if parameters[PLAYOUT] == EXPERT else FIRST
    tally.caution, tally.hopeless = parameters[CAUTION], parameters[HOPELESS]
    asked.seat, asked.one, asked.two, asked.kind = seat, one, two, kind
    asked.playout, asked.jacks_kept = parameters[PLAYOUT], parameters[JACKS_KEPT]
    if wants_world(tally):
        weigh_at(memory.weigh, (table, options, memory))
    return best_left(tally)


@lean
def weigh(table: Any, options: Any, memory: Any) -> np.int64:
    """Play the options out in as many worlds as the tally wants; how many the best was played in."""
    tally, asked, record = memory.tally, memory.asked, memory.records[0]
    list_slots(table, options, asked.seat, asked.one, asked.two, asked.jacks_kept, memory.slots)
    clear_record(record, np.int64(table.players), np.int64(table.first))
    record.start_card = table.start_card
    while wants_world(tally):
        deal_world(table, asked.seat, asked.one, asked.two, memory.slots, memory.states[WORLD], tally.stream)
        for option in range(tally.options):
            if tally.is_left[option] != 0:
                play_out(memory, options, np.int64(option))
        end_world(tally)
    return np.int64(tally.worlds[best_left(tally)])


@inlined
def play_out(memory: Any, options: Any, option: np.int64) -> None:
    """Carry an option out in a copy of the world, play the round to its end, and note how it ended."""
    memory.states[COPY] = memory.states[WORLD]
    state, record, log, asked = memory.states[COPY], memory.records[0], own_array(memory.log), memory.asked
    clear_score(record, np.int64(state.table.players))
    chosen = memory.option[option]
    card = np.int64(chosen.card)
    if card != NO_CARD:
        second, suit = np.int64(chosen.second), np.int64(chosen.suit)
        is_over = apply_play(state, options, asked.seat, card, second, suit, record, log)
    elif asked.kind == TO_AN_EIGHT:
        is_over = suffer_eights(state, asked.seat, record, log)
    else:
        is_over = end_turn(state, asked.seat, ONE_CARD, log)
    policies, parameters = memory.policies[asked.playout], memory.parameters[asked.playout]
    while not is_over and state.table.turn < TURN_CAP:
        is_over = play_turn(state, options, policies, parameters, record, log)
    score(state, options, record)
    players = np.int64(state.table.players)
    wins = is_ahead(record, players, asked.seat)
    note_outcome(memory.tally, option, lead_of(record, players, asked.seat), np.int64(record.score[asked.seat]), wins)


@lean
def lead_of(record: Any, players: np.int64, seat: np.int64) -> np.int64:
    """What the score of a seat is above the mean of the others: everybody plays for himself (MAU-01, MAU-18)."""
    others = np.int64(0)
    for player in range(players):
        if player != seat:
            others += np.int64(record.score[player])
    return np.int64(record.score[seat]) - others // (players - 1)


@lean
def is_ahead(record: Any, players: np.int64, seat: np.int64) -> bool:
    """Whether nobody else has as good a score (MAU-18)."""
    for player in range(players):
        if player != seat and record.score[player] >= record.score[seat]:
            return False
    return True


@lean
def clear_score(record: Any, players: np.int64) -> None:
    """Clear the lines of the score that not every end of a round writes (MAU-19)."""
    for player in range(players):
        record.hand_score[player] = 0
        record.fines_score[player] = 0
        record.fines_won[player] = 0
        record.collected[player] = 0


WEIGH = callee(weigh, np.int64, [TABLE_LAYOUT, OPTION_LAYOUT, MEMORY_LAYOUT])
weigh_at = WEIGH.call
