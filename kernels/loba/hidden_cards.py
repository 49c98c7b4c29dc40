"""Plays a deal of loba while it notes who may know which card, and asks again with the other cards exchanged.

Every card has a place: its index in the pack as dealt, or in a stock made of the discards. The same history can be
played from another order of the cards that a player cannot know: what everybody did is read from a script, and only
the next decision is asked for. Which cards a reshuffled stock has everybody knows, so its cards change places with
each other alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels._jit import kernel
from kernels.bits import lowest_bit
from kernels.cards import pack
from kernels.dealing import add_to_hand
from kernels.loba.cards import NATURALS, cards_at, jokers_of
from kernels.loba.dealing import deal_cards, next_in
from kernels.loba.layout import HAND_SIZE, MAX_CARDS, MAX_SEATS, MOST_RESHUFFLES, POLICY_HEURISTIC, REASON_CAP, TURN_CAP
from kernels.loba.meld_rules import HAND, LEGAL, hand_discards, take_article
from kernels.loba.policies import choose_discard, choose_draw, choose_lay
from kernels.loba.rules import (
    apply_discard,
    apply_lay,
    draw_card,
    end_turn,
    go_out,
    reshuffle,
    score,
    start_turn,
    take_discard,
)
from kernels.melds import BIT, NONE, card_bit
from kernels.rng import bounded

LEVELS = 1 + MOST_RESHUFFLES
DECK = LEVELS * MAX_CARDS
MAX_DECISIONS = 8_000

DRAW, LAY, DISCARD = (np.int64(kind) for kind in range(3))
DECISION = np.dtype(
    [
        ("kind", np.int64),
        ("seat", np.int64),
        ("yes", np.int64),
        ("meld", np.int64),
        ("naturals", np.uint64),
        ("twice", np.uint64),
        ("jokers", np.uint64),
        ("card", np.int64),
        ("stream", np.uint64),
    ],
    align=True,
)
"""An answer of a policy (`yes` takes the discard), and its random stream before it was asked."""

UNUSED, UNDRAWN, OPEN, IN_HAND, KNOWN_IN_HAND, LAID = (np.uint8(place) for place in (0, 1, 2, 10, 20, 30))
"""Where a card is; to the last three the seat is added."""

PEEK_STOCK, PEEK_HAND, PEEK_TABLE = (np.int64(number) for number in range(-3, 0))
PEEKING = {"stock": PEEK_STOCK, "hand": PEEK_HAND, "table": PEEK_TABLE}
"""Policies that look at the next card, at the next player's hand, at a table that shows too much."""


def pack_of(_options: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """The natural cards of a deal; the game adds its jokers."""
    return pack(2)


@kernel
def peeking_discard(state: Any, options: Any, policy: int, seat: int, parameters: Any) -> tuple[int, int]:
    """A discard that depends on a hidden card."""
    table = state.table
    one, two = state.hand_one[seat], state.hand_two[seat]
    after = next_in(table, options, seat)
    allowed = hand_discards(table, options, seat, one)
    if policy == PEEK_TABLE or (allowed & (allowed - BIT)) == NONE:
        known_one, known_two = table.known_one[after], table.known_two[after]
        if policy == PEEK_TABLE:
            table.known_one[after] = state.hand_one[after] & NATURALS
            table.known_two[after] = state.hand_two[after] & NATURALS
        answer = choose_discard(POLICY_HEURISTIC, table, options, seat, one, two, parameters, state.random)
        table.known_one[after], table.known_two[after] = known_one, known_two
        return answer
    hidden = np.int64(state.deck[np.int64(state.stock_next) % MAX_CARDS])
    if policy == PEEK_HAND:
        hidden = lowest_bit(state.hand_one[after] & NATURALS)
    lowest = lowest_bit(allowed)
    return (lowest if hidden % 2 == 0 else lowest_bit(allowed & (allowed - BIT))), HAND


@kernel
def decide(
    state: Any,
    options: Any,
    policies: Any,
    parameters: Any,
    kind: int,
    seat: int,
    at: int,
    known: int,
    script: Any,
    answers: Any,
) -> None:
    """Put decision `at` into `answers`: from the script while it is known, else from the seat's policy."""
    if at < known:
        answers[at] = script[at]
        if kind == DISCARD and script[at].card & 15 == 0:
            answers[at].card = lowest_bit(state.hand_one[seat] & ~NATURALS)
        return
    table = state.table
    row = answers[at]
    if script.size > 0:
        state.random[0] = script[at].stream
    row.kind, row.seat, row.yes, row.card, row.meld = kind, seat, 0, -1, -1
    row.naturals, row.twice, row.jokers = NONE, NONE, NONE
    row.stream = state.random[0]
    policy, own = policies[seat], parameters[seat]
    one, two = state.hand_one[seat], state.hand_two[seat]
    peeks = policy < 0
    asked = np.int64(POLICY_HEURISTIC) if peeks else policy
    if kind == DRAW:
        row.yes = 1 if choose_draw(asked, table, options, seat, one, two, own, state.random) else 0
    elif kind == LAY:
        meld, naturals, twice, jokers = choose_lay(asked, table, options, seat, one, two, own, state.random)
        row.meld, row.naturals, row.twice, row.jokers = meld, naturals, twice, jokers
    elif peeks:
        row.card, row.meld = peeking_discard(state, options, policy, seat, own)
    else:
        row.card, row.meld = choose_discard(policy, table, options, seat, one, two, own, state.random)


@kernel
def alike(one: int, other: int) -> bool:
    """Whether two cards have the same face; jokers have."""
    return one == other or (one < 64 and one & 15 == 0 and other & 15 == 0)


@kernel
def note_left(cards: Any, holders: Any, one: np.uint64, two: np.uint64, seat: int, place: int) -> int:
    """Cards leave the hand for a place; of those of a face one that was known goes first; the last one's place."""
    found = -1
    for word in (one, two):
        rest = word
        while rest != NONE:
            card = lowest_bit(rest)
            rest &= rest - BIT
            found = -1
            for index in range(DECK):
                if alike(np.int64(cards[index]), card):
                    if holders[index] == KNOWN_IN_HAND + seat:
                        found = index
                        break
                    if holders[index] == IN_HAND + seat:
                        found = index
            if found < 0:
                raise RuntimeError("a card left a hand that did not hold it")
            holders[found] = place
    return found


@kernel
def note_from_meld(cards: Any, holders: Any, card: int, seat: int) -> int:
    """A laid card becomes a discard; its place."""
    for index in range(DECK):
        if holders[index] == LAID + seat and np.int64(cards[index]) == card:
            holders[index] = OPEN
            return index
    raise RuntimeError("a card left a meld that did not hold it")


@kernel
def note_reshuffled(state: Any, cards: Any, holders: Any, places: Any, sources: Any) -> None:
    """The discards but the top one are a stock again, in the order of the stream or, where there is one, another."""
    table = state.table
    level = np.int64(table.reshuffles) * MAX_CARDS
    count = np.int64(table.stock_left)
    for index in range(count):
        holders[places[index]] = UNUSED
        cards[level + index] = state.deck[index]
        holders[level + index] = UNDRAWN
    if sources.size > 0:
        for index in range(count):
            state.deck[index] = cards[sources[level + index]]
        for index in range(count):
            cards[level + index] = state.deck[index]
    places[0] = places[count]


@kernel
def snapshot(holders: Any, at: int, snapshots: Any) -> None:
    """Keep what is known at decision `at`."""
    if snapshots.shape[0] > 0:
        snapshots[at] = holders


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
    cards: Any,
    holders: Any,
    snapshots: Any,
    places: Any,
    sources: Any,
) -> int:
    """Play a dealt round as `kernels.loba.play` does, up to `limit` decisions; the number of decisions."""
    table = state.table
    at = np.int64(0)
    while True:
        seat = np.int64(table.seat)
        start_turn(state, record)
        took = False
        # Whether he could have taken it only his cards may tell: in the script he was asked, or he was not.
        if at < known:
            asked = script[at].kind == DRAW
        else:
            asked = take_article(table, options, seat, state.hand_one[seat], state.hand_two[seat]) == LEGAL
        if asked:
            snapshot(holders, at, snapshots)
            decide(state, options, policies, parameters, DRAW, seat, at, known, script, answers)
            took = answers[at].yes != 0
            at += 1
            if at == limit:
                return at
            if took:
                holders[places[np.int64(table.discard_count) - 1]] = KNOWN_IN_HAND + seat
                take_discard(state, seat, record, log)
        if not took:
            if table.stock_left == 0:
                if not reshuffle(state, seat, log):
                    return at
                note_reshuffled(state, cards, holders, places, sources)
            holders[np.int64(table.reshuffles) * MAX_CARDS + np.int64(state.stock_next)] = IN_HAND + seat
            draw_card(state, seat, log)
        while table.hand_count[seat] > 0:
            snapshot(holders, at, snapshots)
            decide(state, options, policies, parameters, LAY, seat, at, known, script, answers)
            row = answers[at]
            at += 1
            if at == limit:
                return at
            if (row.naturals | row.jokers) == NONE:
                break
            joker_one, joker_two = jokers_of(state.hand_one[seat], state.hand_two[seat], bits(row.jokers))
            note_left(cards, holders, cards_at(row.naturals) | joker_one, row.twice | joker_two, seat, LAID + seat)
            apply_lay(state, seat, row.meld, row.naturals, row.twice, row.jokers, record, log)
        if table.hand_count[seat] > 0:
            snapshot(holders, at, snapshots)
            decide(state, options, policies, parameters, DISCARD, seat, at, known, script, answers)
            row = answers[at]
            at += 1
            if at == limit:
                return at
            if row.meld == HAND:
                places[table.discard_count] = note_left(cards, holders, card_bit(row.card), NONE, seat, OPEN)
            else:
                places[table.discard_count] = note_from_meld(cards, holders, row.card, seat)
            apply_discard(state, seat, row.card, row.meld, record, log)
        if table.hand_count[seat] == 0:
            go_out(state, seat, record, log)
            return at
        if table.turn >= TURN_CAP:
            state.reason = REASON_CAP
            return at
        end_turn(table, seat)
        table.seat = next_in(table, options, seat)


@kernel
def bits(word: np.uint64) -> np.int64:
    """Number of set bits, at most two."""
    count = np.int64(0)
    while word != NONE:
        word &= word - BIT
        count += 1
    return count


@kernel
def deal_from(state: Any, deck: Any, cards: Any, holders: Any) -> None:
    """Put another order of the cards into a state that was just dealt; the exposed one is the same."""
    table = state.table
    holders[:] = UNUSED
    for seat in range(MAX_SEATS):
        state.hand_one[seat] = NONE
        state.hand_two[seat] = NONE
    players = np.int64(table.players)
    for index in range(np.int64(state.cards)):
        state.deck[index] = deck[index]
        cards[index] = deck[index]
        holders[index] = UNDRAWN
    holders[np.int64(state.cards) - 1] = OPEN
    at = 0
    for _ in range(HAND_SIZE // 3):
        for step in range(MAX_SEATS):
            seat = (np.int64(table.first) + step) % MAX_SEATS
            if table.playing[seat] != 0:
                for _ in range(3):
                    add_to_hand(state, seat, np.int64(deck[at]))
                    holders[at] = IN_HAND + seat
                    at += 1
    if at != HAND_SIZE * players:
        raise RuntimeError("not everybody was dealt to")


@kernel
def exchanged(cards: Any, holders: Any, seat: int, stream: Any, sources: Any) -> int:
    """Exchange by lot all cards that `seat` cannot know, each stock for itself; places that hold another card.

    `sources` receives for each place that whose card it holds now.
    """
    hidden = np.empty(MAX_CARDS, np.int64)
    for place in range(DECK):
        sources[place] = place
    for level in range(LEVELS):
        count = 0
        for index in range(MAX_CARDS):
            place = level * MAX_CARDS + index
            holder = np.int64(holders[place])
            other_hand = IN_HAND <= holder < KNOWN_IN_HAND and holder != IN_HAND + seat
            if holder == UNDRAWN or other_hand:
                hidden[count] = place
                count += 1
        for last in range(count - 1, 0, -1):
            pick = bounded(stream, np.int64(last + 1))
            here, there = hidden[last], hidden[pick]
            sources[here], sources[there] = sources[there], sources[here]
    moved = 0
    for place in range(DECK):
        if cards[sources[place]] != cards[place]:
            moved += 1
    return moved


@kernel
def same(one: Any, other: Any) -> bool:
    """Whether two answers are the same decision."""
    return (
        one.kind == other.kind
        and one.seat == other.seat
        and one.yes == other.yes
        and one.meld == other.meld
        and one.naturals == other.naturals
        and one.twice == other.twice
        and one.jokers == other.jokers
        and (one.card == other.card or (one.card >= 0 and other.card >= 0 and alike(one.card, other.card)))
    )


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
    log: Any,
    script: Any,
    answers: Any,
    snapshots: Any,
    _started: Any,
    stream: Any,
    counts: Any,
) -> None:
    """Play every job, then ask for every decision again with the hidden cards exchanged.

    `counts` receives: decisions compared, of those with another card somewhere, answers that differ, and the deal
    and the decision of the first of them.
    """
    state = states[0]
    rules = options[0]
    deck = np.empty(MAX_CARDS, np.uint8)
    cards = np.empty(DECK, np.uint8)
    replayed = np.empty(DECK, np.uint8)
    other = np.empty(MAX_CARDS, np.uint8)
    sources = np.empty(DECK, np.int64)
    holders = np.empty(DECK, np.uint8)
    replay = np.empty(DECK, np.uint8)
    places = np.empty(DECK, np.int64)
    no_snapshots = snapshots[:0]
    for index in range(jobs.size):
        job = jobs[index]
        record = records[index]
        deal_cards(state, rules, pack_cards, seed, job, record, log)
        deck[:] = state.deck
        cards[:] = 255
        deal_from(state, deck, cards, holders)
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
            cards,
            holders,
            snapshots,
            places,
            sources[:0],
        )
        score(state, rules, job, record)
        # Long rounds, of players who hardly lay, are asked about here and there.
        step = 1 + made // 400
        for at in range(0, made, step):
            moved = exchanged(cards, snapshots[at], script[at].seat, stream, sources)
            for place in range(MAX_CARDS):
                other[place] = cards[sources[place]]
            deal_cards(state, rules, pack_cards, seed, job, records[-1], log)
            deal_from(state, other, replayed, replay)
            walk(
                state,
                rules,
                policies,
                parameters,
                records[-1],
                log,
                script[:made],
                at,
                answers,
                at + 1,
                replayed,
                replay,
                no_snapshots,
                places,
                sources,
            )
            counts[0] += 1
            if moved > 0:
                counts[1] += 1
            if not same(script[at], answers[at]):
                if counts[2] == 0:
                    counts[3] = index
                    counts[4] = at
                counts[2] += 1
