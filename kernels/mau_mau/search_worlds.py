"""Worlds of a search: the unseen cards dealt by lot, as they may lie for all that a seat has seen.

A seat knows its hand, the lixo, how many cards everybody holds, what others could not follow (`table.may_hold`), and of
one pack the cards that were shuffled into the stock last (`table.restocked`). A card of another hand lies in a *slot*,
the oldest first: who could not follow had no card of a suit then, so none but his newest slots may hold one; and none
but those drawn since hold a card shuffled again. Every way to fill all slots and the stock is to be equally likely.

Slots that not every card fits are filled first, each with any card left that fits. That is more likely to give one way
than another where slots of different seats compete for a card. Therefore every slot is filled with the chance that its
cards left are of the most that it could have had, and otherwise all are begun anew: what is not rejected is uniform.
Where that rejects too often, cards change places by lot, as long as both fit, which leads to the same distribution.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import lean
from kernels.bits import lowest_bit, popcount
from kernels.mau_mau.counting import unseen_cards
from kernels.mau_mau.inference import JACK_LANE, may_hold
from kernels.mau_mau.layout import MOST_CARDS, REASON_CAP
from kernels.mau_mau.masks import EVERY_CARD, JACKS, suit_cards
from kernels.melds import BIT, NONE, card_bit
from kernels.rng import bounded, next_u64, shuffle
from kernels.spec import MAX_SEATS

SLOTS_LAYOUT = np.dtype(
    [
        # Slots that not every card fits, those that the fewest fit first.
        ("count", np.int64),
        # Cards of the hands and the stock, and those of them that the stock may hold.
        ("unseen_one", np.uint64),
        ("unseen_two", np.uint64),
        ("unseen", np.int64),
        ("stock_fits", np.uint64),
        ("fits", np.uint64, (MOST_CARDS,)),
        # The most cards that can be left for a slot when it is filled.
        ("most", np.int64, (MOST_CARDS,)),
        ("seat", np.int64, (MOST_CARDS,)),
        # Cards of each hand that may be any.
        ("free", np.int64, (MAX_SEATS,)),
        ("cards", np.uint8, (MOST_CARDS,)),
    ],
    align=True,
)
"""Where the unseen cards of a decision may lie."""

MOST_TRIES = 64
MIXING = 12
"""Exchanges for each unseen card, after which an order is taken for any."""

MOST_EXCHANGES = 20_000
ONE = np.int64(1)


@lean
def list_slots(table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, slots: Any) -> None:
    """Find out where the unseen cards may lie, for a seat with this hand (MAU-06, MAU-16)."""
    unseen = unseen_cards(table, options, one, two)
    slots.unseen_one, slots.unseen_two, slots.unseen = unseen.one, unseen.two, unseen.count
    slots.count = 0
    restocked = np.uint64(table.restocked) & unseen.one
    slots.stock_fits = restocked if restocked != NONE else EVERY_CARD
    for player in range(np.int64(table.players)):
        slots.free[player] = 0
        if player == seat:
            continue
        held = np.int64(table.hand_count[player])
        for slot in range(held):
            fits = cards_that_fit(table.may_hold[player], held - slot)
            if restocked != NONE:
                fits &= restocked if held - slot <= table.fresh[player] else ~restocked
            if (unseen.one & ~fits) == NONE:
                slots.free[player] += 1
            else:
                add_slot(slots, np.int64(player), fits)
    for slot in range(slots.count):
        fits = np.uint64(slots.fits[slot])
        # Slots filled before with cards that would all have fitted here have certainly taken as many.
        most = popcount(unseen.one & fits) + popcount(unseen.two & fits)
        for before in range(slot):
            if (slots.fits[before] & unseen.one & ~fits) == NONE:
                most -= 1
        slots.most[slot] = max(most, ONE)


@lean
def cards_that_fit(word: np.uint64, newer: np.int64) -> np.uint64:
    """Cards that may be in a slot, the last but `newer` - 1 of its hand, as far as its owner has shown (MAU-06)."""
    fits = EVERY_CARD
    for suit in range(4):
        if may_hold(word, np.int64(suit)) < newer:
            fits &= ~suit_cards(np.int64(suit))
    if may_hold(word, JACK_LANE) < newer:
        fits &= ~JACKS
    return fits


@lean
def add_slot(slots: Any, seat: np.int64, fits: np.uint64) -> None:
    """List a slot before those that more cards fit."""
    at = np.int64(slots.count)
    number = popcount(slots.unseen_one & fits)
    while at > 0 and popcount(slots.unseen_one & slots.fits[at - 1]) > number:
        slots.fits[at], slots.seat[at] = slots.fits[at - 1], slots.seat[at - 1]
        at -= 1
    slots.fits[at], slots.seat[at] = fits, seat
    slots.count += 1


@lean
def deal_world(table: Any, seat: int, one: np.uint64, two: np.uint64, slots: Any, world: Any, stream: Any) -> None:
    """Make a state of what a seat knows, and of the unseen cards dealt by lot, every possible deal equally likely.

    Parameters
    ----------
    one, two
        The seat's own hand.
    slots
        Dtype `SLOTS_LAYOUT`, as `list_slots` leaves it for this decision.
    world
        Receives the table, all hands, the stock and the streams.
    stream
        Deals the cards.
    """
    world.table = table
    is_filled = slots.count == 0
    tries = np.int64(0)
    while not is_filled and tries < MOST_TRIES:
        is_filled = fill_slots(slots, world, stream)
        tries += 1
    if is_filled:
        add_the_rest(slots, world, stream)
    else:
        exchange_until_all_fit(slots, world, stream)
    for player in range(np.int64(table.players)):
        world.hand_one[player], world.hand_two[player] = NONE, NONE
    world.hand_one[seat], world.hand_two[seat] = one, two
    at = np.int64(0)
    while at < slots.count:
        give(world, np.int64(slots.seat[at]), np.int64(world.deck[at]))
        at += 1
    for player in range(np.int64(table.players)):
        for _ in range(slots.free[player]):
            give(world, np.int64(player), np.int64(world.deck[at]))
            at += 1
    world.stock_next = at
    world.idle = 0
    world.decisions = 0
    world.reason = REASON_CAP
    world.winner = -1
    world.last_jacks = 0
    world.log_count = 0
    world.random[0] = next_u64(stream)
    world.cards_random[0] = next_u64(stream)
    world.house_random[0] = next_u64(stream)


@lean
def give(world: Any, seat: np.int64, card: np.int64) -> None:
    """Put a card into a hand."""
    bit = card_bit(card)
    world.hand_two[seat] |= world.hand_one[seat] & bit
    world.hand_one[seat] |= bit


@lean
def fill_slots(slots: Any, world: Any, stream: Any) -> bool:
    """Fill the slots one after the other, into the first places of the deck; false if that is to be begun anew.

    The cards left for all others stay in `slots.cards`.
    """
    one, two = np.uint64(slots.unseen_one), np.uint64(slots.unseen_two)
    for slot in range(slots.count):
        fits = slots.fits[slot]
        of_one = popcount(one & fits)
        pick = bounded(stream, slots.most[slot])
        if pick >= of_one + popcount(two & fits):
            return False
        rest = one & fits
        if pick >= of_one:
            pick -= of_one
            rest = two & fits
        for _ in range(pick):
            rest &= rest - BIT
        bit = rest & (~rest + BIT)
        world.deck[slot] = lowest_bit(bit)
        one &= ~(bit & ~two)
        two &= ~bit
    put_cards(one, two, slots.cards)
    return True


@lean
def put_cards(one: np.uint64, two: np.uint64, cards: Any) -> np.int64:
    """Write the cards of a pair of words; their number."""
    count = np.int64(0)
    for word in (one, two):
        rest = word
        while rest != NONE:
            cards[count] = lowest_bit(rest)
            rest &= rest - BIT
            count += 1
    return count


@lean
def add_the_rest(slots: Any, world: Any, stream: Any) -> None:
    """Put the cards that are in no slot into the deck, in any order."""
    filled = np.int64(slots.count)
    if filled == 0:
        put_cards(slots.unseen_one, slots.unseen_two, slots.cards)
    count = np.int64(slots.unseen) - filled
    shuffle(stream, slots.cards, count)
    for at in range(count):
        world.deck[filled + at] = slots.cards[at]


@lean
def fits_at(slots: Any, at: np.int64, card: np.int64, free: np.int64) -> np.int64:
    """1 if a card may lie at a place of the deck: in a slot, in a hand where any may, or in the stock."""
    if at < slots.count:
        fits = slots.fits[at]
    elif at < slots.count + free:
        return ONE
    else:
        fits = slots.stock_fits
    return np.int64((card_bit(card) & fits) != NONE)


@lean
def exchange_until_all_fit(slots: Any, world: Any, stream: Any) -> None:
    """Fill the deck in any order, then exchange cards by lot until all fit, and for a while longer.

    An exchange after which fewer fit is not made, so that in the end all exchanges among orders in which all fit are
    equally likely both ways.
    """
    count = np.int64(slots.unseen)
    put_cards(slots.unseen_one, slots.unseen_two, world.deck)
    shuffle(stream, world.deck, count)
    free = np.int64(0)
    for player in range(np.int64(world.table.players)):
        free += slots.free[player]
    fitting = np.int64(0)
    for at in range(count):
        fitting += fits_at(slots, np.int64(at), np.int64(world.deck[at]), free)
    left = MIXING * count
    for _ in range(MOST_EXCHANGES):
        if fitting == count:
            if left == 0:
                return
            left -= 1
        at, to = bounded(stream, count), bounded(stream, count)
        card, other = np.int64(world.deck[at]), np.int64(world.deck[to])
        before = fits_at(slots, at, card, free) + fits_at(slots, to, other, free)
        after = fits_at(slots, at, other, free) + fits_at(slots, to, card, free)
        if after >= before:
            world.deck[at], world.deck[to] = other, card
            fitting += after - before
