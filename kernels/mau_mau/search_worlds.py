"""Worlds of a search: the unseen cards dealt by lot, as they may lie for all that a seat has seen.

A seat knows its hand, the lixo, how many cards everybody holds, what others could not follow (`table.may_hold`), and of
one pack the cards that were shuffled into the stock last (`table.restocked`). A card of another hand lies in a *slot*,
the oldest first: who could not follow had no card of a suit then, so none but his newest slots may hold one; and none
but those drawn since hold a card shuffled again. Every way to fill all slots and the stock is to be equally likely.

Jacks are not played like other cards: `standard`, `expert`, and people, keep them while anything else follows. So a
Jack that came into a hand is mostly there still, when most that came with it has left: it is as likely with a seat as
the number of cards that came there since the seat last showed that it held none. The Jacks are dealt by that first,
unless `jacks_kept` is 0, and all others around them.

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

MOST_TRIES = 64
MOST_JACKS = 8
MIXING = 12
"""Exchanges for each unseen card, after which an order is taken for any."""

MOST_EXCHANGES = 20_000
ONE, ANYBODY = np.int64(1), np.int64(-1)

SLOTS_LAYOUT = np.dtype(
    [
        # Slots of the other hands: first those that not every card fits, of these those that the fewest fit first.
        ("count", np.int64),
        ("tight", np.int64),
        # Cards of the hands and the stock, and those of them that the stock may hold.
        ("unseen_one", np.uint64),
        ("unseen_two", np.uint64),
        ("unseen", np.int64),
        ("stock_fits", np.uint64),
        ("fits", np.uint64, (MOST_CARDS,)),
        # The most cards that can be left for a slot when it is filled.
        ("most", np.int64, (MOST_CARDS,)),
        ("seat", np.int64, (MOST_CARDS,)),
        # Cards that are dealt before the others: the Jacks, or none. By seat, the cards that came there since it held
        # none: all, and those since the stock was shuffled.
        ("apart", np.uint64),
        ("came", np.int64, (MAX_SEATS,)),
        ("came_new", np.int64, (MAX_SEATS,)),
        ("new", np.uint64),
        ("stock_left", np.int64),
        # Of the world being dealt: whether a slot holds a card of them, and those that are in the stock.
        ("taken", np.int8, (MOST_CARDS,)),
        ("left_one", np.uint64),
        ("left_two", np.uint64),
        ("in_stock", np.int64),
        ("open", np.int64, (MAX_SEATS,)),
        ("placed", np.int64, (MAX_SEATS,)),
        ("others", np.int64),
        ("jack", np.uint8, (MOST_JACKS,)),
        ("cards", np.uint8, (MOST_CARDS,)),
    ],
    align=True,
)
"""Where the unseen cards of a decision may lie."""


@lean
def list_slots(
    table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64, jacks_kept: int, slots: Any
) -> None:
    """Find out where the unseen cards may lie, for a seat with this hand (MAU-06, MAU-13, MAU-16)."""
    unseen = unseen_cards(table, options, one, two)
    slots.unseen_one, slots.unseen_two, slots.unseen = unseen.one, unseen.two, unseen.count
    slots.count, slots.tight = 0, 0
    slots.apart = JACKS if jacks_kept != 0 else NONE
    slots.stock_left = table.stock_left
    restocked = np.uint64(table.restocked) & unseen.one
    slots.new = restocked
    slots.stock_fits = restocked if restocked != NONE else EVERY_CARD
    for player in range(np.int64(table.players)):
        if player == seat:
            continue
        held = np.int64(table.hand_count[player])
        for slot in range(held):
            fits = cards_that_fit(table.may_hold[player], held - slot)
            if restocked != NONE:
                fits &= restocked if held - slot <= table.fresh[player] else ~restocked
            add_slot(slots, np.int64(player), fits)
        came = may_hold(table.may_hold[player], JACK_LANE)
        new = min(came, np.int64(table.came[player])) if restocked != NONE else np.int64(0)
        slots.came[player], slots.came_new[player] = came - new, new
    for slot in range(slots.tight):
        fits = np.uint64(slots.fits[slot]) & ~slots.apart
        # Slots filled before with cards that would all have fitted here have certainly taken as many.
        most = popcount(unseen.one & fits) + popcount(unseen.two & fits)
        for before in range(slot):
            if (slots.fits[before] & unseen.one & ~slots.apart & ~fits) == NONE:
                most -= 1
        slots.most[slot] = most


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
    if (slots.unseen_one & ~fits) != NONE:
        slots.tight += 1


@lean
def deal_world(table: Any, seat: int, one: np.uint64, two: np.uint64, slots: Any, world: Any, stream: Any) -> None:
    """Make a state of what a seat knows, and of the unseen cards dealt by lot, as likely as the module says.

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
    is_filled = False
    if place_apart(slots, world, stream):
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
    for slot in range(slots.count):
        give(world, np.int64(slots.seat[slot]), np.int64(world.deck[slot]))
    world.stock_next = slots.count
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
def place_apart(slots: Any, world: Any, stream: Any) -> bool:
    """Deal the cards that are dealt before the others; false where the last have no place left.

    Each goes by lot to one of the cards that came to a seat, or of the stock; there to any slot that it fits. Those of
    the stock are then the first of `slots.jack`, the cards left for all others `slots.left_one` and `left_two`.
    """
    slots.left_one, slots.left_two = slots.unseen_one, slots.unseen_two
    slots.in_stock = 0
    for slot in range(slots.count):
        slots.taken[slot] = 0
    for player in range(MAX_SEATS):
        slots.placed[player] = 0
    if (slots.unseen_one & slots.apart) == NONE:
        return True
    slots.left_one &= ~slots.apart
    slots.left_two &= ~slots.apart
    count = put_cards(slots.unseen_one & slots.apart, slots.unseen_two & slots.apart, slots.jack)
    for at in range(count):
        card = np.int64(slots.jack[at])
        slot = place_of(slots, card, stream)
        if slot >= slots.count:
            slots.jack[slots.in_stock] = card
            slots.in_stock += 1
        elif slot >= 0:
            slots.taken[slot] = 1
            slots.placed[slots.seat[slot]] += 1
            world.deck[slot] = card
        else:
            return False
    return True


@lean
def place_of(slots: Any, card: np.int64, stream: Any) -> np.int64:
    """Slot for a card that is dealt before the others, `slots.count` for the stock, -1 where none is left."""
    bit = card_bit(card)
    is_new = (slots.new & bit) != NONE
    for player in range(MAX_SEATS):
        slots.open[player] = 0
    everywhere = np.int64(0)
    for slot in range(slots.count):
        if is_open(slots, np.int64(slot), bit):
            slots.open[slots.seat[slot]] += 1
            everywhere += 1
    in_stock = np.int64(0)
    if (slots.stock_fits & bit) != NONE:
        in_stock = np.int64(slots.stock_left) - slots.in_stock
    total = in_stock
    for player in range(MAX_SEATS):
        total += ways_to(slots, np.int64(player), is_new)
    if total <= 0:
        # More Jacks than can have come to those who may hold them: any slot is as good.
        return open_slot(slots, ANYBODY, bit, bounded(stream, everywhere)) if everywhere > 0 else np.int64(-1)
    pick = bounded(stream, total)
    for player in range(MAX_SEATS):
        ways = ways_to(slots, np.int64(player), is_new)
        if pick < ways:
            return open_slot(slots, np.int64(player), bit, bounded(stream, np.int64(slots.open[player])))
        pick -= ways
    return np.int64(slots.count)


@lean
def ways_to(slots: Any, seat: np.int64, is_new: bool) -> np.int64:
    """Cards that came to a seat of which this one may have been one, if a slot is still open there."""
    if slots.open[seat] == 0:
        return np.int64(0)
    came = slots.came_new[seat] if is_new else slots.came[seat]
    return np.int64(max(came - slots.placed[seat], 0))


@lean
def is_open(slots: Any, slot: np.int64, bit: np.uint64) -> bool:
    """Whether a slot may still receive a card."""
    return slots.taken[slot] == 0 and (slots.fits[slot] & bit) != NONE


@lean
def open_slot(slots: Any, seat: np.int64, bit: np.uint64, number: np.int64) -> np.int64:
    """The slot of this number, from 0, of those of a seat, or of `ANYBODY`, that may still receive a card."""
    for slot in range(slots.count):
        if (seat == ANYBODY or slots.seat[slot] == seat) and is_open(slots, np.int64(slot), bit):
            if number == 0:
                return np.int64(slot)
            number -= 1
    return np.int64(-1)


@lean
def fill_slots(slots: Any, world: Any, stream: Any) -> bool:
    """Fill the slots that not every card fits, one after the other; false if that is to be begun anew.

    A slot's card lies at its place of the deck. The cards left for all others stay in `slots.cards`.
    """
    one, two = np.uint64(slots.left_one), np.uint64(slots.left_two)
    # Slots before that were to take a card and hold one that was dealt before.
    spared = np.int64(0)
    for slot in range(slots.tight):
        if slots.taken[slot] != 0:
            spared += 1
            continue
        fits = slots.fits[slot]
        of_one = popcount(one & fits)
        pick = bounded(stream, max(slots.most[slot] + spared, ONE))
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
    slots.others = put_cards(one, two, slots.cards)
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
    """Deal the cards left to the slots that any card fits, and to the stock, in any order."""
    count = np.int64(slots.others)
    shuffle(stream, slots.cards, count)
    for slot in range(np.int64(slots.tight), np.int64(slots.count)):
        if slots.taken[slot] == 0:
            count -= 1
            world.deck[slot] = slots.cards[count]
    for at in range(np.int64(slots.in_stock)):
        slots.cards[count] = slots.jack[at]
        count += 1
    if slots.in_stock > 0:
        shuffle(stream, slots.cards, count)
    for at in range(count):
        world.deck[slots.count + at] = slots.cards[at]


@lean
def fits_at(slots: Any, at: np.int64, card: np.int64) -> np.int64:
    """1 if a card may lie at a place of the deck: in a slot, or in the stock."""
    fits = slots.fits[at] if at < slots.count else slots.stock_fits
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
    fitting = np.int64(0)
    for at in range(count):
        fitting += fits_at(slots, np.int64(at), np.int64(world.deck[at]))
    left = MIXING * count
    for _ in range(MOST_EXCHANGES):
        if fitting == count:
            if left == 0:
                return
            left -= 1
        at, to = bounded(stream, count), bounded(stream, count)
        card, other = np.int64(world.deck[at]), np.int64(world.deck[to])
        before = fits_at(slots, at, card) + fits_at(slots, to, other)
        after = fits_at(slots, at, other) + fits_at(slots, to, card)
        if after >= before:
            world.deck[at], world.deck[to] = other, card
            fitting += after - before
