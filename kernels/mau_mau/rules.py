"""The rules of a turn of mau-mau: what is legal, and what a play does (MAU-04 to MAU-17)."""

from __future__ import annotations

from typing import Any

import numpy as np

from kernels._jit import hot, kernel
from kernels.event_log import write_card, write_event
from kernels.mau_mau import kinds
from kernels.mau_mau.inference import note_played, note_unable
from kernels.mau_mau.layout import (
    DRAWN_FOR_EIGHT,
    DRAWN_FOR_NO_CALL,
    DRAWN_FOR_SEVEN,
    FINE,
    REASON_VOID,
    REASON_WENT_OUT,
    UNABLE_FINE_ONCE,
    UNABLE_FINE_ONLY,
)
from kernels.mau_mau.masks import (
    ACES_RANK,
    EFFECTS,
    EIGHT,
    EIGHTS,
    EVERY_CARD,
    JACKS,
    JACKS_RANK,
    SEVEN,
    cards_that_follow,
    suit_cards,
)
from kernels.mau_mau.seating import seat_after, seat_before
from kernels.mau_mau.stock import draw_cards
from kernels.melds import BIT, NONE, card_bit
from kernels.rng import happens

LEGAL = np.int64(0)
NO_CARD, NO_VALUE, ONE_CARD = np.int64(-1), np.int64(0), np.int64(1)
TWO_CARDS, THREE_CARDS, FIVE_CARDS = (
    np.int64(cards) for cards in (DRAWN_FOR_SEVEN, DRAWN_FOR_EIGHT, DRAWN_FOR_NO_CALL)
)
_FINE = np.int64(FINE)


@hot
def is_barred(table: Any, seat: int) -> bool:
    """Whether a player may not win the round (MAU-06)."""
    return (table.barred >> seat) & 1 != 0


@hot
def play_article(table: Any, seat: int, one: np.uint64, two: np.uint64, card: int, second: int, suit: int) -> np.int64:
    """Number of the article that a play breaks, 0 for none.

    Parameters
    ----------
    one, two
        The seat's hand.
    card, second
        The card, and a second Jack played at once on top of it, -1 for none.
    suit
        The suit that a Jack announces, `kinds.NO_SUIT` for none.
    """
    bit = card_bit(np.int64(card))
    if (one & bit) == NONE:
        return np.int64(4)
    if table.pending > 0 and (bit & EIGHTS) == NONE:
        return np.int64(9)
    if table.pending == 0 and (table.follow & bit) == NONE:
        return np.int64(4)
    cards = 1
    if second >= 0:
        cards = 2
        other = card_bit(np.int64(second))
        held = two if other == bit else one
        if (bit & JACKS) == NONE or (other & JACKS) == NONE or (held & other) == NONE or suit != second >> 4:
            return np.int64(13)
    elif suit < kinds.NO_SUIT or suit > 3 or (suit != kinds.NO_SUIT and (bit & JACKS) == NONE):
        return np.int64(13)
    if cards == table.hand_count[seat] and is_barred(table, seat):
        return np.int64(7)
    return LEGAL


@hot
def leave_hand(state: Any, seat: int, card: np.int64, log: Any) -> None:
    """A card goes from a hand onto the lixo."""
    table = state.table
    bit = card_bit(card)
    twin = state.hand_two[seat] & bit
    state.hand_two[seat] ^= twin
    state.hand_one[seat] ^= bit ^ twin
    table.hand_count[seat] -= 1
    table.seen_two |= table.seen_one & bit
    table.seen_one |= bit
    # Without a branch, which would be foretold wrongly.
    table.fresh[seat] -= np.int64((table.restocked >> np.uint64(card)) & BIT)
    table.pile[table.pile_size] = card
    table.pile_size += 1
    note_played(table, seat, card)
    write_card(state, log, card)


@hot
def apply_play(
    state: Any, options: Any, seat: np.int64, card: np.int64, second: np.int64, suit: np.int64, record: Any, log: Any
) -> bool:
    """Play a card or two Jacks, with the call and the effect; true when the round is over (MAU-04 to MAU-15)."""
    table = state.table
    write_event(state, log, kinds.PLAY, seat, suit)
    leave_hand(state, seat, card, log)
    if second >= 0:
        leave_hand(state, seat, second, log)
    state.idle = 0
    record.plays[seat] += 1
    if table.hand_count[seat] == 0:
        go_out(state, options, seat, card, second, record, log)
        return True
    forgotten = False
    if table.hand_count[seat] == 1:
        forgotten = not call(state, options, seat, record, log)
    table.suit = suit
    bit = card_bit(card)
    after = seat_after(seat, table.direction, table.players)
    if (bit & JACKS) != NONE:
        jack_effect(table, seat, second, suit, record)
    else:
        table.follow = cards_that_follow(card)
        if (bit & EFFECTS) != NONE:
            after = effect(state, options, seat, card, after, record, log)
    table.seat = after
    if forgotten:
        draw_cards(state, seat, FIVE_CARDS, kinds.WHY_FORGOT_CALL, record, log)
    return False


@hot
def call(state: Any, options: Any, seat: int, record: Any, log: Any) -> bool:
    """Announce the last card, unless that is forgotten; whether it was announced (MAU-14)."""
    if record.first_one_card == 0:
        record.first_one_card = state.table.turn
    if options.forget_call != NONE and happens(state.house_random, options.forget_call):
        record.forgotten[seat] += 1
        return False
    write_event(state, log, kinds.CALL, seat, NO_VALUE)
    return True


@hot
def jack_effect(table: Any, seat: int, second: int, suit: np.int64, record: Any) -> None:
    """After a Jack the announced suit follows, or any card where none was announced (MAU-13)."""
    table.follow = EVERY_CARD if suit == kinds.NO_SUIT else suit_cards(suit) | JACKS
    if second >= 0:
        record.jack_pairs[seat] += 1
    else:
        record.jacks[seat] += 1


@hot
def effect(
    state: Any, options: Any, seat: np.int64, card: np.int64, after: np.int64, record: Any, log: Any
) -> np.int64:
    """Effect of a 7, an 8, an Ace or a Queen; the seat that has the next turn (MAU-09 to MAU-12).

    Parameters
    ----------
    after
        The next seat in the direction of play.
    """
    table = state.table
    rank = card & 15
    if rank == EIGHT:
        table.pending += THREE_CARDS
        record.eights[seat] += 1
        return after
    if rank == SEVEN:
        record.sevens[seat] += 1
        draw_cards(state, hit_by_seven(table, options, seat), TWO_CARDS, kinds.WHY_SEVEN, record, log)
        return after
    if rank == ACES_RANK:
        record.aces[seat] += 1
        return skip(state, after, record, log)
    record.queens[seat] += 1
    record.reversals += 1
    table.direction = -table.direction
    write_event(state, log, kinds.REVERSE, seat, NO_VALUE)
    turned = seat_after(seat, table.direction, table.players)
    if table.players == 2 and options.queen_skips_two_players != 0:
        return skip(state, turned, record, log)
    return turned


@hot
def hit_by_seven(table: Any, options: Any, seat: np.int64) -> np.int64:
    """The neighbour that a 7 makes draw: the one before, or by the house rule the one after (MAU-10)."""
    if options.seven_hits_next != 0:
        return seat_after(seat, table.direction, table.players)
    return seat_before(seat, table.direction, table.players)


@hot
def skip(state: Any, skipped: np.int64, record: Any, log: Any) -> np.int64:
    """A player loses his turn; the seat after him (MAU-11)."""
    table = state.table
    write_event(state, log, kinds.SKIP, skipped, NO_VALUE)
    record.skips += 1
    return seat_after(skipped, table.direction, table.players)


@hot
def suffer_eights(state: Any, seat: np.int64, record: Any, log: Any) -> bool:
    """Draw for the eights and do not play; true when that makes the round void (MAU-09)."""
    table = state.table
    drawn = draw_cards(state, seat, np.int64(table.pending), kinds.WHY_EIGHT, record, log)
    table.pending = 0
    write_event(state, log, kinds.PASS, seat, kinds.WHY_EIGHT)
    return end_turn(state, seat, drawn, log)


@kernel
def pass_barred(state: Any, seat: np.int64, log: Any) -> bool:
    """Pass without fine or draw, for a card that would win; true when that makes the round void (MAU-07)."""
    write_event(state, log, kinds.PASS, seat, kinds.WHY_BARRED)
    return end_turn(state, seat, NO_VALUE, log)


@hot
def end_turn(state: Any, seat: np.int64, drawn: np.int64, log: Any) -> bool:
    """End a turn without a play; true when a circuit of them, in which nobody drew, makes the round void (MAU-08)."""
    table = state.table
    table.seat = seat_after(seat, table.direction, table.players)
    state.idle = 0 if drawn > 0 else state.idle + 1
    if state.idle < table.players:
        return False
    make_void(state, seat, log)
    return True


@kernel
def make_void(state: Any, seat: np.int64, log: Any) -> None:
    """The round counts for nobody (MAU-08)."""
    write_event(state, log, kinds.VOID, seat, NO_VALUE)
    state.reason = REASON_VOID


@hot
def fine_and_bar(state: Any, options: Any, seat: np.int64, record: Any, log: Any) -> bool:
    """Fine and bar a player who cannot follow; true when that makes the round void (MAU-06, MAU-08)."""
    table = state.table
    fined = options.unable != UNABLE_FINE_ONCE or table.fines[seat] == 0
    record.unable[seat] += 1
    write_event(state, log, kinds.UNABLE, seat, _FINE if fined else NO_VALUE)
    note_unable(table, seat)
    if fined:
        table.fines[seat] += 1
    table.barred |= ONE_CARD << seat
    everybody = table.barred == (ONE_CARD << table.players) - 1
    if options.unable == UNABLE_FINE_ONLY:
        if everybody:
            make_void(state, seat, log)
            return True
        return end_turn(state, seat, NO_VALUE, log)
    drawn = draw_cards(state, seat, ONE_CARD, kinds.WHY_UNABLE, record, log)
    if everybody:
        table.barred = 0
        record.bars_lifted += 1
        write_event(state, log, kinds.BARS_LIFTED, seat, NO_VALUE)
    return end_turn(state, seat, drawn, log)


@hot
def is_fined(options: Any) -> bool:
    """Whether those who cannot follow are fined and barred; otherwise they draw and may play (MAU-06)."""
    return options.unable <= UNABLE_FINE_ONCE


@kernel
def note_free_unable(state: Any, seat: np.int64, record: Any, log: Any) -> None:
    """A player who cannot follow says so, and is neither fined nor barred (MAU-06, `draw_one`, `draw_until`)."""
    record.unable[seat] += 1
    write_event(state, log, kinds.UNABLE, seat, NO_VALUE)
    note_unable(state.table, seat)


@kernel
def go_out(state: Any, options: Any, seat: np.int64, card: np.int64, second: np.int64, record: Any, log: Any) -> None:
    """The winning play: its effect is drawn for under the house rule alone (MAU-15, MAU-18)."""
    table = state.table
    rank = card & 15
    if options.last_card_acts != 0:
        if rank == EIGHT:
            after = seat_after(seat, table.direction, table.players)
            record.eights[seat] += 1
            draw_cards(state, after, table.pending + THREE_CARDS, kinds.WHY_EIGHT, record, log)
        elif rank == SEVEN:
            record.sevens[seat] += 1
            draw_cards(state, hit_by_seven(table, options, seat), TWO_CARDS, kinds.WHY_SEVEN, record, log)
    if rank == JACKS_RANK:
        state.last_jacks = 2 if second >= 0 else 1
    record.last_card = card if second < 0 else second
    state.winner = seat
    state.reason = REASON_WENT_OUT
    write_event(state, log, kinds.GO_OUT, seat, NO_VALUE)
