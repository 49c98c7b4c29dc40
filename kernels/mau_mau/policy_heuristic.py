"""The policies that weigh every legal card: one engine, whose parameters make a novice or an expert of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import hot, kernel
from kernels.bits import lowest_bit, popcount
from kernels.mau_mau import parameters as p
from kernels.mau_mau.counting import Unseen, chance_unable, cover, unseen_cards
from kernels.mau_mau.kinds import NO_SUIT
from kernels.mau_mau.layout import CARD_VALUES
from kernels.mau_mau.masks import (
    ACES_RANK,
    DRAWN_FOR,
    EFFECTS,
    EIGHT,
    EIGHTS,
    JACKS,
    JACKS_RANK,
    QUEENS_RANK,
    SEVEN,
    suit_cards,
)
from kernels.mau_mau.rules import NO_CARD, hit_by_seven, is_barred, is_fined
from kernels.mau_mau.seating import seat_after, seat_before
from kernels.melds import ALL_LANES, BIT, NONE, card_bit
from kernels.spec import RATE_ONE

VALUES = np.array([CARD_VALUES.get(rank, 0) for rank in range(16)], np.int64)
"""Points of a card by its rank."""

JACK_VALUE = np.int64(CARD_VALUES[int(JACKS_RANK)])
WORST = np.int64(-(1 << 40))
MORE_OFTEN_THAN_NOT = np.uint64(RATE_ONE // 2)
ZERO, ONE, TWO, THREE = (np.int64(number) for number in range(4))
FREE, ALONE, BARRED = np.int64(p.FREE), np.int64(p.ALONE), np.int64(p.BARRED)


@hot
def situation(table: Any, seat: int) -> np.int64:
    """Where the worths for this situation begin: free to win, free alone, or barred."""
    own = ONE << seat
    if table.barred == 0:
        return FREE
    if (table.barred & own) != 0:
        return BARRED
    return ALONE if (table.barred | own) == (ONE << table.players) - 1 else FREE


@hot
def few_cards(table: Any, seat: int, few: int) -> np.int64:
    """By how many cards a hand is smaller than `few`; 0 for a player who is barred."""
    less = few - np.int64(table.hand_count[seat])
    if less <= 0 or is_barred(table, seat):
        return ZERO
    return less


@hot
def of_suit(one: np.uint64, two: np.uint64, suit: np.int64) -> np.int64:
    """Cards of a suit in a hand, Jacks apart."""
    cards = suit_cards(suit) & ~JACKS
    return popcount(one & cards) + popcount(two & cards)


@hot
def suit_worth(left: np.int64, worths: int, parameters: Any) -> np.int64:
    """Worth of so many cards left of the suit on top."""
    if left <= 0:
        return ZERO
    return parameters[worths + p.SUIT_ONE + min(left, THREE) - 1]


@kernel
def block_worth(
    table: Any, unseen: Unseen, worths: int, suit: np.int64, rank: np.int64, after: np.int64, parameters: Any
) -> np.int64:
    """Worth of the chance that the player `after` cannot follow.

    While barred only the fall of the last free rival counts, which lifts all bars (MAU-08).
    """
    if worths == BARRED:
        others = (ONE << table.players) - 1 - (ONE << after)
        if table.barred != others:
            return ZERO
    return (parameters[worths + p.BLOCK] * chance_unable(table, unseen, suit, rank, after)) >> 10


@kernel
def announced(
    table: Any, unseen: Unseen, worths: int, one: np.uint64, two: np.uint64, after: np.int64, parameters: Any
) -> tuple[np.int64, np.int64]:
    """The suit most worth announcing with a Jack, and its worth."""
    best, suit = WORST, ZERO
    for number in range(4):
        other = np.int64(number)
        worth = suit_worth(of_suit(one, two, other), worths, parameters)
        if parameters[worths + p.BLOCK] != 0:
            worth += block_worth(table, unseen, worths, other, ZERO, after, parameters)
        if worth > best:
            best, suit = worth, other
    return suit, best


@hot
def effects_matter(table: Any, seat: np.int64, worths: int, after: np.int64, parameters: Any) -> bool:
    """Whether an effect is worth anything now: by itself, or because a neighbour is nearly out."""
    own = parameters[worths + p.EIGHT] | parameters[worths + p.SEVEN]
    own |= parameters[worths + p.ACE] | parameters[worths + p.QUEEN]
    few = parameters[p.NEAR_HAND]
    before = seat_before(seat, table.direction, table.players)
    return own != 0 or table.hand_count[after] < few or table.hand_count[before] < few


@hot
def effect_worth(
    table: Any, options: Any, seat: np.int64, worths: int, rank: np.int64, after: np.int64, parameters: Any
) -> np.int64:
    """Worth of what a 7, an 8, an Ace or a Queen does to others (MAU-09 to MAU-12)."""
    few = parameters[p.NEAR_HAND]
    if rank == EIGHT:
        return parameters[worths + p.EIGHT] + parameters[p.EIGHT_NEAR] * few_cards(table, after, few)
    if rank == SEVEN:
        victim = hit_by_seven(table, options, seat)
        return parameters[worths + p.SEVEN] + parameters[p.SEVEN_NEAR] * few_cards(table, victim, few)
    if rank == ACES_RANK:
        return parameters[worths + p.ACE] + parameters[p.ACE_NEAR] * few_cards(table, after, few)
    before = seat_before(seat, table.direction, table.players)
    change = few_cards(table, after, few) - few_cards(table, before, few)
    return parameters[worths + p.QUEEN] + parameters[p.QUEEN_NEAR] * change


@hot
def is_dry(table: Any, options: Any, parameters: Any) -> bool:
    """Whether hardly a card is left to be drawn: what others draw now they throw again, and it comes back (MAU-16)."""
    if is_fined(options):
        return False
    return table.stock_left + np.int64(table.pile_size) - 1 < parameters[p.DRY]


@hot
def next_player(table: Any, seat: np.int64, rank: np.int64, after: np.int64) -> np.int64:
    """The seat that will have to follow a card of a rank."""
    if rank in (ACES_RANK, EIGHT):
        return seat_after(after, table.direction, table.players)
    if rank == QUEENS_RANK:
        return seat_before(seat, table.direction, table.players)
    return after


@hot
def heuristic_play(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any
) -> tuple[np.int64, np.int64, np.int64]:
    """The card of the greatest worth, or two Jacks, and what to announce with a Jack."""
    legal = one & table.follow
    others = legal & ~JACKS
    if legal == others and (legal & (legal - BIT)) == NONE:
        return lowest_bit(legal), NO_CARD, NO_SUIT
    seat = np.int64(seat)
    worths = situation(table, seat)
    after = seat_after(seat, table.direction, table.players)
    per_point = parameters[worths + p.POINTS] if is_fined(options) else parameters[p.UNFINED_POINTS]
    weighs_effects = effects_matter(table, seat, worths, after, parameters)
    dry = is_dry(table, options, parameters)
    if dry and table.turn > parameters[p.PATIENCE]:
        return yielding_play(table, options, seat, one, two, after)
    counts = (parameters[worths + p.COVER] | parameters[worths + p.BLOCK]) != 0
    unseen = unseen_cards(table, options, one, two) if counts else Unseen(NONE, ZERO, ZERO, NONE, NONE)
    best, chosen = WORST, NO_CARD
    while others != NONE:
        card = lowest_bit(others)
        others &= others - BIT
        rank = card & 15
        bit = card_bit(card)
        cards = ALL_LANES << np.uint64(rank)
        worth = per_point * VALUES[rank]
        worth += parameters[worths + p.MATES] * (popcount(one & cards) + popcount(two & cards) - 1)
        worth += suit_worth(of_suit(one, two, card >> 4) - 1, worths, parameters)
        if weighs_effects and (bit & EFFECTS) != NONE:
            worth += effect_worth(table, options, seat, worths, rank, after, parameters)
        if dry and (bit & DRAWN_FOR) != NONE:
            worth -= parameters[p.DRY_HARM]
        if counts:
            worth += (parameters[worths + p.COVER] * cover(unseen, one & ~(bit & ~two))) >> 10
            if parameters[worths + p.BLOCK] != 0:
                follower = next_player(table, seat, rank, after)
                worth += block_worth(table, unseen, worths, card >> 4, rank, follower, parameters)
        if worth > best:
            best, chosen = worth, card
    if (legal & JACKS) == NONE:
        return chosen, NO_CARD, NO_SUIT
    forgetful = options.forget_call > MORE_OFTEN_THAN_NOT
    return jack_or(table, unseen, seat, worths, per_point, one, two, after, best, chosen, forgetful, parameters)


@kernel
def yielding_play(
    table: Any, options: Any, seat: np.int64, one: np.uint64, two: np.uint64, after: np.int64
) -> tuple[np.int64, np.int64, np.int64]:
    """A Jack that announces nothing, or else the card that the next player most likely can follow.

    Where nearly all cards are in hands, players who cannot follow each other draw and throw the same few for ever.
    """
    jacks = one & JACKS
    if jacks != NONE:
        if table.hand_count[seat] == 2 and popcount(jacks) + popcount(two & JACKS) == 2:
            return two_jacks(one, two)
        return lowest_bit(jacks), NO_CARD, NO_SUIT
    unseen = unseen_cards(table, options, one, two)
    least, chosen = -WORST, NO_CARD
    rest = one & table.follow
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        rank = card & 15
        unable = chance_unable(table, unseen, card >> 4, rank, next_player(table, seat, rank, after))
        if unable < least:
            least, chosen = unable, card
    return chosen, NO_CARD, NO_SUIT


@kernel
def jack_or(
    table: Any,
    unseen: Unseen,
    seat: np.int64,
    worths: int,
    per_point: np.int64,
    one: np.uint64,
    two: np.uint64,
    after: np.int64,
    best: np.int64,
    chosen: np.int64,
    forgetful: bool,
    parameters: Any,
) -> tuple[np.int64, np.int64, np.int64]:
    """A Jack, or two, if that is worth more than the best other card."""
    jacks, twins = one & JACKS, two & JACKS
    held = popcount(jacks) + popcount(twins)
    may_play_two = held > 1 and (table.hand_count[seat] > 2 or worths != BARRED)
    if may_play_two and table.hand_count[seat] == 2:
        return two_jacks(one, two)
    jack = lowest_bit(jacks)
    suit, worth = announced(table, unseen, worths, one, two, after, parameters)
    worth += per_point * JACK_VALUE
    worth -= parameters[worths + p.LAST_JACK] if held == 1 else parameters[worths + p.SPARE_JACK]
    if forgetful:
        worth -= parameters[p.FORGETFUL_JACK]
    if parameters[worths + p.COVER] != 0:
        worth += (parameters[worths + p.COVER] * cover(unseen, one & ~(card_bit(jack) & ~two))) >> 10
    if worth <= best:
        return chosen, NO_CARD, NO_SUIT
    if may_play_two and parameters[p.SECOND_JACK] > 0:
        return two_jacks(one, two)
    return jack, NO_CARD, suit


@kernel
def two_jacks(one: np.uint64, two: np.uint64) -> tuple[np.int64, np.int64, np.int64]:
    """Two Jacks at once, the last of the suit that more of the rest follows."""
    first = lowest_bit(one & JACKS)
    bit = card_bit(first)
    second = lowest_bit((one & JACKS & ~bit) | (two & bit))
    if of_suit(one, two, first >> 4) > of_suit(one, two, second >> 4):
        first, second = second, first
    return first, second, second >> 4


@kernel
def heuristic_answer(one: np.uint64, two: np.uint64, parameters: Any) -> np.int64:
    """The 8 of the suit that most of the hand follows."""
    if parameters[p.ANSWER_EIGHTS] == 0:
        return NO_CARD
    best, chosen = WORST, NO_CARD
    rest = one & EIGHTS
    while rest != NONE:
        card = lowest_bit(rest)
        rest &= rest - BIT
        left = of_suit(one, two, card >> 4)
        if left > best:
            best, chosen = left, card
    return chosen


@kernel
def heuristic_drawn(parameters: Any) -> bool:
    """Whether to play what was drawn."""
    return parameters[p.PLAY_DRAWN] != 0


@kernel
def heuristic_suit(table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, parameters: Any) -> np.int64:
    """The suit most worth announcing."""
    worths = situation(table, seat)
    after = seat_after(np.int64(seat), table.direction, table.players)
    if is_dry(table, options, parameters) and table.turn > parameters[p.PATIENCE]:
        return NO_SUIT
    unseen = unseen_cards(table, options, one, two)
    return announced(table, unseen, worths, one, two, after, parameters)[0]
