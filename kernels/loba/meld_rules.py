"""What may be laid, taken and thrown in loba: each answer is the article that forbids it, or `LEGAL`."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import kernel
from kernels.bits import highest_bit, lowest_bit, popcount
from kernels.loba.cards import JOKERS, NATURALS, cards_at, joker_count, jokers_of, low_aces
from kernels.loba.covering import NEW, meldable
from kernels.loba.extending import LEAST_BETWEEN_JOKERS, MOST_JOKERS_IN_A_SEQUENCE, added_to, set_takes, takes_joker
from kernels.loba.layout import MAX_MELDS
from kernels.melds import BIT, NONE, card_bit, holds, is_consecutive, joined, lane, of_rank, without

LEGAL = np.int64(0)
LOB_04, LOB_05, LOB_06, LOB_07, LOB_08, LOB_09, LOB_10, LOB_11, LOB_12 = (np.int64(number) for number in range(4, 13))
HAND = np.int64(-1)
"""In place of the number of a meld: the card is discarded from the hand."""

SMALLEST_MELD = np.int64(3)
LONGEST_SEQUENCE = np.int64(13)
_PLACES = np.uint64(0x7FFE)
"""Positions of a lane, from the low ace to the high one."""


@kernel
def sequence_article(naturals: np.uint64, jokers: np.uint64) -> np.int64:
    """Whether positions are a sequence: three or more of one suit, jokers inside, two naturals between them."""
    lies = naturals | jokers
    if lies == NONE or (naturals & jokers) != NONE:
        return LOB_06
    suit = lowest_bit(lies) >> 4
    places = lane(lies, suit)
    if (lies >> np.uint64(16 * suit)) != places or (places & ~_PLACES) != NONE:
        return LOB_06
    if not is_consecutive(places) or not SMALLEST_MELD <= popcount(places) <= LONGEST_SEQUENCE:
        return LOB_06
    if jokers == NONE:
        return LEGAL
    first, last = lowest_bit(jokers), highest_bit(jokers)
    if first == lowest_bit(lies) or last == highest_bit(lies) or popcount(jokers) > MOST_JOKERS_IN_A_SEQUENCE:
        return LOB_07
    if first != last and last - first - 1 < LEAST_BETWEEN_JOKERS:
        return LOB_07
    return LEGAL


@kernel
def set_article(one: np.uint64, two: np.uint64, any_set: bool) -> np.int64:
    """Whether natural cards are a set: one rank, three suits and no fourth, or any three cards or more (LOB-05)."""
    if one == NONE or (two & ~one) != NONE:
        return LOB_05
    rank = lowest_bit(one) & 15
    if rank == 0 or (one & ~of_rank(rank)) != NONE:
        return LOB_05
    suits = popcount(one)
    if any_set:
        return LEGAL if suits + popcount(two) >= SMALLEST_MELD else LOB_05
    return LEGAL if suits == SMALLEST_MELD else LOB_05


@kernel
def is_in_one_lane(word: np.uint64) -> bool:
    """Whether all bits lie in one suit: those of a sequence do, those of a set do not."""
    return word == lane(word, lowest_bit(word) >> 4) << np.uint64(lowest_bit(word) & 48)


@kernel
def meld_article(
    table: Any, seat: int, meld: int, naturals: np.uint64, two: np.uint64, jokers: np.uint64, any_set: bool
) -> np.int64:
    """Whether cards are a new meld, or make a legal one of that they are added to (LOB-05 to LOB-07, LOB-09)."""
    if meld == NEW:
        if table.meld_count[seat] == MAX_MELDS:
            raise RuntimeError("a fourth meld of ten cards")
        if naturals != NONE and not is_in_one_lane(naturals):
            return set_article(naturals, two, any_set) if jokers == NONE else LOB_07
        return LOB_06 if two != NONE else sequence_article(naturals, jokers)
    if not 0 <= meld < table.meld_count[seat]:
        return LOB_09
    lie_one, lie_two = np.uint64(table.meld_one[seat, meld]), np.uint64(table.meld_two[seat, meld])
    if table.is_set[seat, meld] != 0:
        if jokers != NONE:
            return LOB_07
        if (naturals & ~set_takes(lie_one, any_set)) != NONE:
            return LOB_05
        one, both = joined(lie_one, lie_two, naturals, two)
        return set_article(one, both, any_set)
    lies_jokers = np.uint64(table.meld_jokers[seat, meld])
    if two != NONE or ((lie_one | lies_jokers) & (naturals | jokers)) != NONE:
        return LOB_06
    return sequence_article(lie_one | naturals, lies_jokers | jokers)


@kernel
def has_cards(one: np.uint64, two: np.uint64, naturals: np.uint64, twice: np.uint64, jokers: np.uint64) -> bool:
    """Whether a hand holds the cards of a lay."""
    return popcount(jokers) <= joker_count(one, two) and holds(
        one & NATURALS, two & NATURALS, cards_at(naturals), twice
    )


@kernel
def lay_article(
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    meld: int,
    naturals: np.uint64,
    twice: np.uint64,
    jokers: np.uint64,
) -> np.int64:
    """Whether a hand may lay cards as a new meld or onto an own one: legal to lie, and the turn can still end.

    Parameters
    ----------
    one, two
        The hand of `seat`, jokers among it.
    meld
        Number of the own meld, or `NEW`.
    naturals, twice
        Natural cards: positions of a sequence, or a set's pair of words.
    jokers
        Positions of jokers in a sequence.
    """
    if (naturals | jokers) == NONE or not has_cards(one, two, naturals, twice, jokers):
        return LOB_04
    any_set = options.any_set != 0
    article = meld_article(table, seat, meld, naturals, twice, jokers, any_set)
    if article != LEGAL:
        return article
    if table.taken < 0 or table.taken_meld >= 0 or lays_card(np.int64(table.taken), naturals, jokers):
        # Whatever is left, something of it may be discarded.
        return LEGAL
    return before_taken_article(table, options, seat, one, two, meld, naturals, twice, jokers)


@kernel
def is_joker(card: int) -> bool:
    """Whether a card is a joker."""
    return (card & 15) == 0


@kernel
def lays_card(card: int, naturals: np.uint64, jokers: np.uint64) -> bool:
    """Whether a lay has a card; jokers are all alike."""
    return jokers != NONE if is_joker(card) else (cards_at(naturals) & card_bit(card)) != NONE


@kernel
def fits_new(one: np.uint64, two: np.uint64, card: int, any_set: bool) -> bool:
    """Whether some new meld of a hand has this card of it."""
    if is_joker(card):
        positions = (one & NATURALS) | low_aces(one)
        return (positions & (positions >> np.uint64(2))) != NONE
    return (meldable(one, two, any_set) & card_bit(card)) != NONE


@kernel
def fits_meld(
    is_set: bool,
    lie: np.uint64,
    lie_jokers: np.uint64,
    any_set: bool,
    one: np.uint64,
    two: np.uint64,
    card: int,
) -> bool:
    """Whether some extension of a meld by cards of a hand has this card of it."""
    if is_joker(card):
        return not is_set and takes_joker(lie, lie_jokers, one & NATURALS)
    added = added_to(is_set, lie, lie_jokers, any_set, one & NATURALS, joker_count(one, two))
    return (added & card_bit(card)) != NONE


@kernel
def fits(table: Any, seat: int, any_set: bool, one: np.uint64, two: np.uint64, card: int) -> bool:
    """Whether some lay of a hand has this card of it: a new meld, or an addition to an own one."""
    if fits_new(one, two, card, any_set):
        return True
    for meld in range(table.meld_count[seat]):
        lie, lie_jokers = np.uint64(table.meld_one[seat, meld]), np.uint64(table.meld_jokers[seat, meld])
        if fits_meld(table.is_set[seat, meld] != 0, lie, lie_jokers, any_set, one, two, card):
            return True
    return False


@kernel
def before_taken_article(
    table: Any,
    options: Any,
    seat: int,
    one: np.uint64,
    two: np.uint64,
    meld: int,
    naturals: np.uint64,
    twice: np.uint64,
    jokers: np.uint64,
) -> np.int64:
    """Whether a lay without the card just taken leaves that card a way: a meld, or another card to discard.

    A card just taken may not be discarded (LOB-04); under `taken_discard_must_meld` it must be laid (LOB-12).
    """
    any_set = options.any_set != 0
    taken = card_bit(np.int64(table.taken))
    joker_one, joker_two = jokers_of(one, two, popcount(jokers))
    left_one, left_two = without(one, two, cards_at(naturals) | joker_one, twice | joker_two)
    must_meld = options.taken_discard_must_meld != 0
    if not must_meld and (left_one != taken or left_two != NONE or table.taken_only == 0):
        return LEGAL
    lay_is_set = jokers == NONE and meld == NEW and not is_in_one_lane(naturals)
    taken_card = np.int64(table.taken)
    throws = NONE
    taken_fits = fits_new(left_one, left_two, taken_card, any_set)
    for number in range(np.int64(table.meld_count[seat]) + np.int64(meld == NEW)):
        lie_one, lie_two, lie_jokers = naturals, twice, jokers
        is_set = lay_is_set
        if number < table.meld_count[seat]:
            lie_one, lie_two = np.uint64(table.meld_one[seat, number]), np.uint64(table.meld_two[seat, number])
            lie_jokers = np.uint64(table.meld_jokers[seat, number])
            is_set = table.is_set[seat, number] != 0
            if number == meld:
                lie_one, lie_two = joined(lie_one, lie_two, naturals, twice)
                lie_jokers |= jokers
        if fits_meld(is_set, lie_one, lie_jokers, any_set, left_one, left_two, taken_card):
            taken_fits = True
        throws |= spare_cards(is_set, lie_one, lie_two, lie_jokers, any_set)
    if taken_fits:
        return LEGAL
    if must_meld:
        return LOB_12
    return LEGAL if throws != NONE else LOB_04


@kernel
def spare_cards(is_set: bool, one: np.uint64, two: np.uint64, jokers: np.uint64, any_set: bool) -> np.uint64:
    """Natural cards of a meld without which it is still one: the ends of a sequence, a set's duplicates (LOB-08)."""
    if popcount(one) + popcount(two) + popcount(jokers) <= SMALLEST_MELD:
        return NONE
    if is_set:
        return one if any_set else two
    lies = one | jokers
    low, high = card_bit(lowest_bit(lies)), card_bit(highest_bit(lies))
    cards = NONE
    if ((low << BIT) & jokers) == NONE:
        cards |= low
    if ((high >> BIT) & jokers) == NONE:
        cards |= high
    return cards_at(cards)


@kernel
def laid_spare_cards(table: Any, options: Any, seat: int, meld: int) -> np.uint64:
    """Natural cards that may leave an own meld on the table (LOB-08)."""
    return spare_cards(
        table.is_set[seat, meld] != 0,
        np.uint64(table.meld_one[seat, meld]),
        np.uint64(table.meld_two[seat, meld]),
        np.uint64(table.meld_jokers[seat, meld]),
        options.any_set != 0,
    )


@kernel
def barred_in_hand(table: Any) -> np.uint64:
    """The card just taken from the discards and still in the hand, unless that held one like it before (LOB-04)."""
    if table.taken < 0 or table.taken_only == 0 or table.taken_meld >= 0:
        return NONE
    return JOKERS if is_joker(np.int64(table.taken)) else card_bit(np.int64(table.taken))


@kernel
def laid_discards(table: Any, options: Any, seat: int, meld: int) -> np.uint64:
    """Natural cards that may be discarded from an own meld; not the one just taken and laid there (LOB-04, LOB-08)."""
    cards = laid_spare_cards(table, options, seat, meld)
    if table.taken_only != 0 and meld == table.taken_meld:
        taken = card_bit(np.int64(table.taken))
        # A set may hold two of that face, which nobody tells apart.
        if (np.uint64(table.meld_two[seat, meld]) & taken) == NONE:
            cards &= ~taken
    return cards


@kernel
def all_laid_discards(table: Any, options: Any, seat: int) -> np.uint64:
    """Natural cards that may be discarded from own melds (LOB-04, LOB-08)."""
    cards = NONE
    for meld in range(table.meld_count[seat]):
        cards |= laid_discards(table, options, seat, np.int64(meld))
    return cards


@kernel
def hand_discards(table: Any, options: Any, seat: int, one: np.uint64) -> np.uint64:
    """Cards of a hand that may be discarded; a joker only as the last or where nothing else may (LOB-04, LOB-10)."""
    free = one & ~barred_in_hand(table)
    if (free & NATURALS) != NONE:
        return free & NATURALS
    if table.hand_count[seat] == 1 or all_laid_discards(table, options, seat) == NONE:
        return free
    return NONE


@kernel
def must_lay_taken(table: Any, options: Any) -> bool:
    """Whether the card taken must still be melded in this turn (LOB-12)."""
    return options.taken_discard_must_meld != 0 and table.taken >= 0 and table.taken_meld < 0


@kernel
def must_lay(table: Any, options: Any, seat: int, one: np.uint64) -> bool:
    """Whether a player may not stop laying: the card taken must be melded, or no card may be discarded (LOB-04)."""
    if table.taken < 0 or table.taken_meld >= 0:
        return False
    if options.taken_discard_must_meld != 0:
        return True
    return hand_discards(table, options, seat, one) == NONE and all_laid_discards(table, options, seat) == NONE


@kernel
def discard_article(table: Any, options: Any, seat: int, one: np.uint64, card: int, meld: int) -> np.int64:
    """Whether a card may be discarded from the hand (`meld` is `HAND`) or from an own meld (LOB-04, LOB-08, LOB-10)."""
    if must_lay_taken(table, options):
        return LOB_12
    bit = card_bit(card)
    if meld != HAND:
        if not 0 <= meld < table.meld_count[seat] or (laid_spare_cards(table, options, seat, meld) & bit) == NONE:
            return LOB_08
        return LEGAL if (laid_discards(table, options, seat, meld) & bit) != NONE else LOB_04
    if (one & bit) == NONE:
        return LOB_04
    if (hand_discards(table, options, seat, one) & bit) != NONE:
        return LEGAL
    return LOB_10 if is_joker(card) and (bit & barred_in_hand(table)) == NONE else LOB_04


@kernel
def take_article(table: Any, options: Any, seat: int, one: np.uint64, two: np.uint64) -> np.int64:
    """Whether the top of the discards may be taken (LOB-04, LOB-11, LOB-12)."""
    if table.discard_count == 0:
        return LOB_04
    if table.hand_count[seat] == 1:
        return LOB_11
    if options.taken_discard_must_meld == 0:
        return LEGAL
    top = top_discard(table)
    with_one, with_two = joined(one, two, card_bit(top), NONE)
    return LEGAL if fits(table, seat, options.any_set != 0, with_one, with_two, top) else LOB_12


@kernel
def top_discard(table: Any) -> np.int64:
    """Top card of the discards, of which there is one."""
    return np.int64(table.discards[np.int64(table.discard_count) - 1])
