"""Plays a round of mau-mau while it notes who may know which card, and asks again with the other cards exchanged.

Every card has a slot: its index in the deck as it was shuffled first. What everybody did is read from a script, and
only the next decision is asked for, in a world where the slots that a player cannot know hold other cards. Who could
not follow shows what he does not hold, so his slots take no such card. Cards that were shuffled into a new stock are
known as a set; they are exchanged among each other just before the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.cards import pack
from kernels.mau_mau import kinds
from kernels.mau_mau.deal import deal_cards, lay_out, start_card_effect
from kernels.mau_mau.layout import (
    HAND_SIZE,
    MOST_CARDS,
    ONE_PACK,
    POLICY_HEURISTIC,
    TURN_CAP,
    UNABLE_DRAW_ONE,
    UNABLE_DRAW_UNTIL,
    packs_of,
)
from kernels.mau_mau.masks import EIGHTS, EVERY_CARD, JACKS
from kernels.mau_mau.policies import choose_answer, choose_drawn, choose_play, choose_suit
from kernels.mau_mau.rules import (
    NO_CARD,
    ONE_CARD,
    apply_play,
    end_turn,
    fine_and_bar,
    is_barred,
    is_fined,
    note_free_unable,
    pass_barred,
    suffer_eights,
)
from kernels.mau_mau.scoring import score
from kernels.mau_mau.stock import draw_cards, draw_until_one_follows
from kernels.melds import NONE, card_bit
from kernels.rng import bounded
from kernels.trace import CARD, EVENT, NOW

DECK = MOST_CARDS
MAX_DECISIONS = TURN_CAP
MOST_ASKED_AGAIN, EVERY = 200, 5
"""Of a round every fifth of so many decisions is asked again: it is played anew for each."""

LOG_ROWS = 60_000
TRIES = np.int64(3)

PLAY, ANSWER, DRAWN, SUIT = (np.int64(kind) for kind in range(4))
DECISION = np.dtype(
    [
        ("kind", np.int64),
        ("seat", np.int64),
        ("card", np.int64),
        ("second", np.int64),
        ("suit", np.int64),
        ("stream", np.uint64),
    ],
    align=True,
)
"""What a policy answered, `NO_CARD` for nothing, and its random stream before it was asked."""

UNDRAWN, LIXO, IN_HAND = (np.int64(place) for place in (0, 1, 10))
"""Where the card of a slot is; to the last the seat is added."""

TRACK = np.dtype(
    [
        # Cards that a slot cannot hold, as the table has seen, and those it must be one of.
        ("never", np.uint64, (DECK,)),
        ("only", np.uint64, (DECK,)),
        ("rows", np.int64),
        ("next", np.int64),
        ("under", np.int64),
        ("card", np.uint8, (DECK,)),
        ("place", np.uint8, (DECK,)),
        # How often the card was shuffled into a new stock.
        ("shuffled", np.uint8, (DECK,)),
        # Slots of the stock from `next` on, and of the lixo.
        ("stock", np.uint8, (DECK,)),
        ("lixo", np.uint8, (DECK,)),
    ],
    align=True,
)

PEEK_STOCK, PEEK_HAND, PEEK_TABLE = (np.int64(number) for number in range(-3, 0))
PEEKING = {"stock": PEEK_STOCK, "hand": PEEK_HAND, "table": PEEK_TABLE}
"""Policies that look at the next card, at the next player's hand, at a table that shows too much."""


def pack_of(options: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """The pack of a round."""
    return pack(packs_of(options))


# ------------------------------------------------------------ where the cards are


@kernel
def start_track(state: Any, options: Any, track: Any) -> None:
    """Slots of a round just dealt."""
    players, cards = np.int64(options.players), np.int64(ONE_PACK * options.packs)
    dealt = HAND_SIZE * players
    for slot in range(cards):
        track.card[slot] = state.deck[slot]
        track.never[slot] = NONE
        track.only[slot] = EVERY_CARD
        track.shuffled[slot] = 0
        left = (np.int64(state.table.dealer) + 1) % players
        track.place[slot] = IN_HAND + (left + slot) % players if slot < dealt else UNDRAWN
        track.stock[slot] = slot
    track.place[dealt] = LIXO
    track.lixo[0] = dealt
    track.under = 1
    track.next = dealt + 1
    track.rows = 0


@kernel
def slot_of(track: Any, cards: int, place: int, card: int) -> int:
    """A slot at a place that holds a card."""
    for slot in range(cards):
        if track.place[slot] == place and track.card[slot] == card:
            return slot
    raise RuntimeError("a card is not where it was thought to be")


@kernel
def note_reshuffle(track: Any, cards: int, log: Any, at: int) -> None:
    """The lixo but its top card is the stock, in the order of the rows from `at` on."""
    count = np.int64(track.under) - 1
    top = track.lixo[count]
    for index in range(count):
        slot = np.int64(track.lixo[index])
        track.place[slot] = UNDRAWN + 2
    for index in range(count):
        slot = slot_of(track, cards, UNDRAWN + 2, np.int64(log[at + index].card))
        track.place[slot] = UNDRAWN
        track.stock[index] = slot
        track.shuffled[slot] += 1
        track.never[slot] = NONE
        track.only[slot] = EVERY_CARD
    track.lixo[0] = top
    track.under = 1
    track.next = 0


@kernel
def note_events(state: Any, options: Any, track: Any, log: Any, follow: np.uint64) -> None:
    """Follow the events since the last call; `follow` is what followed before the turn."""
    cards = np.int64(ONE_PACK * options.packs)
    kind, seat, why = np.int64(0), np.int64(0), np.int64(0)
    for at in range(np.int64(track.rows), np.int64(state.log_count)):
        row = log[at]
        card = np.int64(row.card)
        if row.kind == CARD and kind == kinds.DRAW:
            slot = np.int64(track.stock[track.next])
            track.next += 1
            if track.card[slot] != card:
                raise RuntimeError("another card was drawn than the next of the stock")
            track.place[slot] = IN_HAND + seat
            if why == kinds.WHY_UNABLE and options.unable == UNABLE_DRAW_UNTIL and (card_bit(card) & follow) == NONE:
                track.never[slot] |= follow
        elif row.kind == CARD and kind == kinds.PLAY:
            slot = slot_of(track, cards, IN_HAND + seat, card)
            track.place[slot] = LIXO
            track.lixo[track.under] = slot
            track.under += 1
        elif row.kind != CARD and row.kind != NOW:
            kind, seat, why = np.int64(row.kind), np.int64(row.seat), np.int64(row.value)
            if kind == kinds.RESHUFFLE:
                note_reshuffle(track, cards, log, at + 1)
            barred = kind == kinds.PASS and why == kinds.WHY_BARRED
            if kind == kinds.UNABLE or barred:
                for slot in range(cards):
                    if track.place[slot] == IN_HAND + seat:
                        if barred:
                            track.only[slot] &= follow
                        else:
                            track.never[slot] |= follow
    track.rows = state.log_count


@kernel
def fits(track: Any, slot: int, card: np.int64) -> bool:
    """Whether a slot may hold a card, for all that the table has seen."""
    return (card_bit(card) & track.only[slot] & ~track.never[slot]) != NONE


@kernel
def exchange(track: Any, cards: int, seat: int, first_stock: bool, stream: Any) -> int:
    """Exchange by lot cards that `seat` cannot know; the number of slots that hold another card.

    Parameters
    ----------
    first_stock
        Whether to exchange cards that were never shuffled again, or those that were.
    """
    hidden = np.empty(cards, np.int64)
    before = np.empty(cards, np.uint8)
    count = np.int64(0)
    for slot in range(cards):
        place = np.int64(track.place[slot])
        in_other_hand = place >= IN_HAND and place != IN_HAND + seat
        if (place == UNDRAWN or in_other_hand) and (track.shuffled[slot] == 0) == first_stock:
            hidden[count] = slot
            before[count] = track.card[slot]
            count += 1
    for _ in range(TRIES * count):
        one, other = hidden[bounded(stream, count)], hidden[bounded(stream, count)]
        card, another = np.int64(track.card[one]), np.int64(track.card[other])
        same_set = track.shuffled[one] == track.shuffled[other]
        if same_set and fits(track, one, another) and fits(track, other, card):
            track.card[one], track.card[other] = another, card
    moved = 0
    for index in range(count):
        if track.card[hidden[index]] != before[index]:
            moved += 1
    return moved


@kernel
def put_into_state(state: Any, options: Any, track: Any, seat: int) -> None:
    """Give the other hands and the stock the cards of their slots."""
    cards = np.int64(ONE_PACK * options.packs)
    for other in range(options.players):
        if other != seat:
            state.hand_one[other] = NONE
            state.hand_two[other] = NONE
    for slot in range(cards):
        other = np.int64(track.place[slot]) - IN_HAND
        if other >= 0 and other != seat:
            bit = card_bit(np.int64(track.card[slot]))
            state.hand_two[other] |= state.hand_one[other] & bit
            state.hand_one[other] |= bit
    for at in range(state.table.stock_left):
        state.deck[state.stock_next + at] = track.card[track.stock[track.next + at]]


# ------------------------------------------------------------ asking


@kernel
def peeking_play(
    state: Any, options: Any, policy: int, seat: int, one: np.uint64, two: np.uint64, parameters: Any
) -> tuple[np.int64, np.int64, np.int64]:
    """A play that depends on a hidden card."""
    table = state.table
    after = (seat + 1) % options.players
    if policy == PEEK_TABLE:
        seen = table.seen_one
        table.seen_one = seen | state.hand_one[after]
        answer = choose_play(POLICY_HEURISTIC, table, options, seat, one, two, parameters, state.random)
        table.seen_one = seen
        return answer
    hidden = np.int64(state.deck[np.int64(state.stock_next) % DECK])
    if policy == PEEK_HAND:
        hidden = lowest_bit(state.hand_one[after])
    legal = one & table.follow
    card = lowest_bit(legal)
    rest = legal & (legal - np.uint64(1))
    if hidden % 2 != 0 and rest != NONE:
        card = lowest_bit(rest)
    return card, NO_CARD, kinds.NO_SUIT


@kernel
def decide(
    state: Any,
    options: Any,
    policies: Any,
    parameters: Any,
    kind: int,
    drawn: np.int64,
    at: int,
    known: int,
    script: Any,
    answers: Any,
) -> None:
    """Put decision `at` into `answers`: from the script while it is known, else from the policy of the seat in turn."""
    if at < known:
        answers[at] = script[at]
        return
    table = state.table
    seat = np.int64(table.seat)
    row = answers[at]
    if script.size > 0:
        state.random[0] = script[at].stream
    row.kind, row.seat, row.card, row.second, row.suit = kind, seat, NO_CARD, NO_CARD, kinds.NO_SUIT
    row.stream = state.random[0]
    policy, own = policies[seat], parameters[seat]
    one, two = state.hand_one[seat], state.hand_two[seat]
    heuristic = np.int64(POLICY_HEURISTIC) if policy < 0 else policy
    if kind == PLAY and policy < 0:
        row.card, row.second, row.suit = peeking_play(state, options, policy, seat, one, two, own)
    elif kind == PLAY:
        row.card, row.second, row.suit = choose_play(policy, table, options, seat, one, two, own, state.random)
    elif kind == ANSWER:
        may_win = table.hand_count[seat] > 1 or not is_barred(table, seat)
        if options.stack_eights != 0 and (one & EIGHTS) != NONE and may_win:
            row.card = choose_answer(heuristic, table, options, seat, one, two, own, state.random)
    else:
        row.card = drawn
        if kind == DRAWN:
            follows = drawn != NO_CARD and (table.follow & card_bit(drawn)) != NONE
            if not follows or not choose_drawn(heuristic, table, options, seat, one, two, drawn, own, state.random):
                row.card = NO_CARD
        if row.card != NO_CARD and (card_bit(np.int64(row.card)) & JACKS) != NONE:
            row.suit = choose_suit(heuristic, table, options, seat, one, two, own, state.random)


@kernel
def free_draw(state: Any, options: Any, seat: np.int64, record: Any, log: Any) -> np.int64:
    """The draw of a player who is not fined; the card that he may, or must, play."""
    if options.unable != UNABLE_DRAW_ONE:
        return draw_until_one_follows(state, seat, record, log)
    if draw_cards(state, seat, ONE_CARD, kinds.WHY_UNABLE, record, log) > 0:
        return np.int64(state.deck[state.stock_next - 1])
    return NO_CARD


@kernel
def walk(
    state: Any,
    options: Any,
    policies: Any,
    parameters: Any,
    record: Any,
    log: Any,
    script: Any,
    known: int,
    answers: Any,
    limit: int,
    track: Any,
    snapshots: Any,
    stream: Any,
    counts: Any,
) -> int:
    """Play a dealt round as `kernels.mau_mau.play` does, up to `limit` decisions; the number of decisions."""
    table = state.table
    cards = np.int64(ONE_PACK * options.packs)
    note_events(state, options, track, log, NONE)
    at = np.int64(0)
    over = False
    while not over and table.turn < TURN_CAP:
        seat = np.int64(table.seat)
        table.turn += 1
        record.seat_turns[seat] += 1
        if table.direction > 0:
            record.forward_turns += 1
        follow = np.uint64(table.follow)
        before = np.int64(table.hand_count[seat])
        drawn, kind = NO_CARD, PLAY
        if table.pending > 0:
            kind = ANSWER
        elif (state.hand_one[seat] & table.follow) == NONE:
            if is_fined(options):
                over = fine_and_bar(state, options, seat, record, log)
                note_events(state, options, track, log, follow)
                continue
            note_free_unable(state, seat, record, log)
            drawn = free_draw(state, options, seat, record, log)
            note_events(state, options, track, log, follow)
            kind = DRAWN if options.unable == UNABLE_DRAW_ONE else SUIT
        elif table.hand_count[seat] == 1 and is_barred(table, seat):
            over = pass_barred(state, seat, log)
            note_events(state, options, track, log, follow)
            continue
        if snapshots.size > 0:
            snapshots[at] = track
        if at + 1 == limit:
            counts[1] += exchange(track, cards, seat, np.bool_(False), stream) > 0
            put_into_state(state, options, track, seat)
        decide(state, options, policies, parameters, kind, drawn, at, known, script, answers)
        answer = answers[at]
        at += 1
        if at == limit:
            return at
        card = np.int64(answer.card)
        if card == NO_CARD:
            if kind == ANSWER:
                over = suffer_eights(state, seat, record, log)
            else:
                over = end_turn(state, seat, np.int64(table.hand_count[seat]) - before, log)
        else:
            second, suit = np.int64(answer.second), np.int64(answer.suit)
            over = apply_play(state, options, seat, card, second, suit, record, log)
        note_events(state, options, track, log, follow)
    return at


@kernel
def same(one: Any, other: Any) -> bool:
    """Whether two answers are the same decision."""
    return (
        one.kind == other.kind
        and one.seat == other.seat
        and one.card == other.card
        and one.second == other.second
        and one.suit == other.suit
    )


@kernel
def deal_from(state: Any, options: Any, track: Any, dealer: np.int64, record: Any, log: Any) -> None:
    """Deal the cards of the slots."""
    cards = np.int64(ONE_PACK * options.packs)
    for slot in range(cards):
        state.deck[slot] = track.card[slot]
    lay_out(state, options, cards, dealer, record)
    if options.start_card_acts != 0:
        start_card_effect(state, record, log)


@kernel
def compare(
    states: Any,
    options: Any,
    pack_cards: Any,
    seed: np.uint64,
    jobs: Any,
    policies: Any,
    parameters: Any,
    records: Any,
    _log: Any,
    script: Any,
    answers: Any,
    _snapshots: Any,
    _started: Any,
    stream: Any,
    counts: Any,
) -> None:
    """Play every job, then ask for its decisions again with the hidden cards exchanged.

    `counts` receives: decisions compared, of those with another card somewhere, answers that differ, and the deal
    and the decision of the first of them.
    """
    state, rules = states[0], options[0]
    log = np.empty(LOG_ROWS, EVENT)
    tracks = np.empty(2, TRACK)
    snapshots = np.empty(MAX_DECISIONS, TRACK)
    first_cards = np.empty(DECK, np.uint8)
    cards = np.int64(ONE_PACK * rules.packs)
    moved = np.zeros(2, np.int64)
    for index in range(jobs.size):
        job = jobs[index]
        dealer = np.int64(job.dealer)
        record, again = records[index], records[-1]
        deal_cards(state, rules, pack_cards, seed, job, record, log[:0])
        own_cards, house = np.uint64(state.cards_random[0]), np.uint64(state.house_random[0])
        first_cards[:] = state.deck
        start_track(state, rules, tracks[0])
        deal_from(state, rules, tracks[0], dealer, record, log)
        made = walk(
            state,
            rules,
            policies,
            parameters,
            record,
            log,
            script[:0],
            np.int64(0),
            script,
            np.int64(-1),
            tracks[0],
            snapshots,
            stream,
            moved,
        )
        score(state, rules, record)
        for at in range(index % EVERY, min(made, MOST_ASKED_AGAIN), EVERY):
            track = tracks[1]
            snapshots[at].card[:] = first_cards
            other = exchange(snapshots[at], cards, np.int64(script[at].seat), np.bool_(True), stream)
            for slot in range(cards):
                state.deck[slot] = snapshots[at].card[slot]
            state.table.dealer = dealer
            start_track(state, rules, track)
            deal_from(state, rules, track, dealer, again, log)
            state.cards_random[0], state.house_random[0] = own_cards, house
            moved[1] = 0
            walk(
                state,
                rules,
                policies,
                parameters,
                again,
                log,
                script[:made],
                at,
                answers,
                at + 1,
                track,
                snapshots[:0],
                stream,
                moved,
            )
            counts[0] += 1
            counts[1] += other > 0 or moved[1] > 0
            if not same(script[at], answers[at]):
                if counts[2] == 0:
                    counts[3], counts[4] = index, at
                counts[2] += 1
