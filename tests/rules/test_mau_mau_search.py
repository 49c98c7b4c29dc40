"""Mau-mau: what a search weighs, the worlds that it deals, and what it finds."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from kernels.cards import card_texts, pack
from kernels.mau_mau import search
from kernels.mau_mau.layout import HOLDING_BITS, RECORD_LAYOUT, STATE_LAYOUT
from kernels.mau_mau.search_worlds import (
    SLOTS_LAYOUT,
    deal_world,
    exchange_until_all_fit,
    fill_slots,
    list_slots,
    place_apart,
)
from kernels.searching import MOST_OPTIONS, PLAYOUTS
from sim import batch
from sim.games import make_setup, parse_policy
from sim.positions import Position, Searcher, decisions_of_turn
from sim.specialise import questions
from tests.properties.setups import covering_setups
from tests.rules.mau_mau_table import NOTHING_ANNOUNCED, Desk, numbers

PLAY, ANSWER, DRAWN, SUIT = questions("mau_mau")
POSITIONS = 120
MOST_TRIES = 2_000


def searcher(desk: Desk, text: str = "search:rollouts=400") -> Searcher:
    return Searcher(desk.setup, parse_policy(desk.setup.spec, text))


def position(desk: Desk, question: Any = PLAY, *more: int) -> Position:
    """What the seat in turn is asked at a desk."""
    seat = desk.seat
    hand = (int(desk.state.hand_one[seat]), int(desk.state.hand_two[seat]))
    return Position(desk.setup, question, seat, np.array([desk.table.tolist()], desk.table.dtype), (*hand, *more))


def options_of(asked: Searcher) -> list[tuple[int, int, int]]:
    return [(int(one["card"]), int(one["second"]), int(one["suit"])) for one in asked.options]


def some_desks(count: int, seed: int) -> Iterator[Desk]:
    """Tables at which a card of the seat in turn follows and it may play."""
    rng = random.Random(seed)
    while count:
        packs, players = rng.choice((1, 2)), rng.randint(2, 5)
        cards = rng.sample(card_texts(pack(packs).tolist()), 52 * packs)
        hands = [[cards.pop() for _ in range(rng.randint(1, 9))] for _ in range(players)]
        jacks = [card for card in cards if card[0] == "J"]
        for jack in rng.sample(jacks, min(rng.randint(0, 3), len(jacks))):
            cards.remove(jack)
            hands[0].append(jack)
        top = cards.pop()
        suit = rng.choice(("C", "S", NOTHING_ANNOUNCED)) if top[0] == "J" else ""
        barred = rng.sample(range(players), rng.randint(0, players - 1))
        desk = Desk(
            [" ".join(hand) for hand in hands],
            top=top,
            stock=" ".join(cards),
            suit=suit,
            barred=barred,
            packs=packs,
            pending=0,
        )
        if desk.legal() and not (0 in barred and len(hands[0]) == 1):
            count -= 1
            yield desk


# ------------------------------------------------------------ what is weighed


def test_every_legal_play_is_listed() -> None:
    left_out = 0
    for desk in some_desks(POSITIONS, 7):
        held = sorted(set(numbers(desk.hand(0))))
        words = {card: card_texts([card])[0] for card in held}
        legal = {
            (card, second, suit)
            for card in held
            for second in (-1, *held)
            for suit in range(-1, 4)
            if desk.article(
                " ".join(words[one] for one in (card, second) if one >= 0), "CDHS"[suit] if suit >= 0 else ""
            )
            == 0
        }
        asked = searcher(desk, "search:rollouts=1")
        asked.ask(position(desk), 1)
        listed = options_of(asked)
        assert len(set(listed)) == len(listed)
        if len(legal) > MOST_OPTIONS:
            left_out += 1
            assert set(listed) < legal
        else:
            assert set(listed) == legal
        memory = asked.memory.view(np.recarray)[0]
        for name, place in (("standard", 0), ("expert", asked.expert)):
            card, second, suit = own_play(desk, name)
            assert search.find_play(card, second, suit, memory) == place
        assert search.find_play(np.int64(1), np.int64(-1), np.int64(-1), memory) == -1
    assert left_out < POSITIONS // 4


def own_play(desk: Desk, policy: str) -> Any:
    from kernels.mau_mau.policies import choose_play

    setup = make_setup("mau_mau", rules=dict(desk.setup.options), policies=policy)
    one, two = desk.state.hand_one[0], desk.state.hand_two[0]
    number, own = setup.policy_numbers[0], setup.parameters[0]
    return choose_play(number, desk.table, desk.options, np.int64(0), one, two, own, desk.state.random)


def test_of_very_many_plays_those_with_another_jack_are_left_out() -> None:
    every = card_texts(pack(1).tolist())
    hand = [card for card in every if card not in ("2C", "9S")]
    desk = Desk([" ".join(hand), "2C"], top="JC", suit=NOTHING_ANNOUNCED, packs=2)
    asked = searcher(desk, "search:rollouts=1")
    asked.ask(position(desk), 1)
    listed = options_of(asked)
    assert len(listed) == MOST_OPTIONS
    assert {card for card, _, _ in listed} >= {card for card in numbers(" ".join(hand)) if card & 15 != 11}
    for suit in range(-1, 4):
        assert any(second < 0 and card & 15 == 11 and found == suit for card, second, found in listed)


def test_every_eight_answers_or_none() -> None:
    desk = Desk(["8S 8D 8D 3C", "2C 3C", "4C"], top="8C", pending=3, stack_eights=True, packs=2, stock="2H 3H 4H 5H")
    asked = searcher(desk)
    asked.ask(position(desk, ANSWER), 1)
    listed = options_of(asked)
    assert set(listed) == {(number, -1, -1) for number in (*numbers("8S 8D"), -1)}
    assert len(listed) == 3
    memory = asked.memory.view(np.recarray)[0]
    assert [search.find_answer(np.int64(card), memory) for card, _, _ in listed] == [0, 1, 2]


def test_a_card_just_drawn_is_played_or_kept_and_a_jack_asks_for_anything() -> None:
    desk = Desk(["3C JS", "2C 3D"], top="9H", unable="draw_one", stock="2H 3H 4H 5H")
    asked = searcher(desk)
    jack = numbers("JS")[0]
    asked.ask(position(desk, DRAWN, jack), 1)
    assert [card for card, _, _ in options_of(asked)] == [jack, -1]
    memory = asked.memory.view(np.recarray)[0]
    assert (search.find_drawn(True, memory), search.find_drawn(False, memory)) == (0, 1)
    asked.ask(position(desk, SUIT), 1)
    assert sorted(options_of(asked)) == [(jack, -1, suit) for suit in range(-1, 4)]
    assert {search.find_suit(np.int64(suit), memory) for suit in range(-1, 4)} == set(range(5))


def test_one_play_alone_is_not_searched() -> None:
    desk = Desk(["9S 3C", "KC"], top="9H")
    asked = searcher(desk)
    assert tuple(asked.ask(position(desk), 7)) == (numbers("9S")[0], -1, -1)
    assert asked.memory["tally"][0]["worlds"][0] == 0


# ------------------------------------------------------------ worlds


def opened(desk: Desk, kept: int, seat: int = 0) -> Any:
    """What a seat at a desk knows of where the unseen cards lie."""
    slots = np.zeros(1, SLOTS_LAYOUT).view(np.recarray)[0]
    one, two = desk.state.hand_one[seat], desk.state.hand_two[seat]
    list_slots(desk.table, desk.options, np.int64(seat), one, two, np.int64(kept), slots)
    return slots


@pytest.mark.parametrize("number", range(0, len(covering_setups("mau_mau")), 3))
@pytest.mark.parametrize("kept", [0, 1])
def test_a_world_is_as_its_seat_knows_it(kept: int, number: int) -> None:
    setup = covering_setups("mau_mau")[number]
    world = np.zeros(1, STATE_LAYOUT).view(np.recarray)[0]
    slots = np.zeros(1, SLOTS_LAYOUT).view(np.recarray)[0]
    options = setup.encoded_options.view(np.recarray)[0]
    stream = np.array([number], np.uint64)
    for turn in range(1, 90, 4):
        for decision in decisions_of_turn(setup, batch.deal_jobs(setup, 2, 1), turn):
            seat, table = decision.position.seat, decision.position.table.view(np.recarray)[0]
            one, two = (np.uint64(word) for word in decision.position.given[:2])
            list_slots(table, options, np.int64(seat), one, two, np.int64(kept), slots)
            for _ in range(5):
                deal_world(table, np.int64(seat), one, two, slots, world, stream)
                assert (world.hand_one[seat], world.hand_two[seat]) == (one, two)
                check_world(world, table, setup, seat)


def check_world(world: Any, table: Any, setup: Any, seat: int) -> None:
    """Every card as often as in the pack; hands of their sizes, with no more of anything than they can hold."""
    assert world.table == table
    hands = [cards_of(world, player) for player in range(setup.seats)]
    start, left = int(world.stock_next), int(table.stock_left)
    stock = world.deck[start : start + left].tolist()
    lixo = table.pile[: int(table.pile_size)].tolist()
    assert Counter([*stock, *lixo, *(card for hand in hands for card in hand)]) == Counter(
        pack(int(table.packs)).tolist()
    )
    assert [len(hand) for hand in hands] == table.hand_count[: setup.seats].tolist()
    restocked = {card for card in range(64) if (int(table.restocked) & ~int(table.seen_one)) >> card & 1}
    if restocked - set(hands[seat]):
        assert set(stock) <= restocked
    for player, hand in enumerate(hands):
        if player == seat:
            continue
        word = int(table.may_hold[player])
        held = [sum(card >> 4 == suit for card in hand) for suit in range(4)]
        held.append(sum(card & 15 == 11 for card in hand))
        assert all(count <= word >> HOLDING_BITS * lane & 0xFFF for lane, count in enumerate(held))
        if restocked - set(hands[seat]):
            assert len(restocked & set(hand)) == table.fresh[player]


def cards_of(world: Any, seat: int) -> list[int]:
    """Cards of a hand, copies twice."""
    words = (int(world.hand_one[seat]), int(world.hand_two[seat]))
    return [card for card in range(64) for word in words if word >> card & 1]


def lanes(most: dict[str, int], size: int) -> int:
    """Word of how many cards of each suit, and Jacks, a hand of this size may hold."""
    return sum(most.get(what, size) << HOLDING_BITS * lane for lane, what in enumerate("CDHSJ"))


KNOWN: list[dict[int, dict[str, int]]] = [
    {},
    {1: {"S": 0, "J": 0}},
    {1: {"S": 0, "J": 1}, 2: {"H": 1, "J": 0}},
    {1: {"H": 0, "J": 0}, 2: {"S": 0}},
]
UNSEEN = "2S 3S 8S 4H JH 5C 6D"
SIZES, FRESH = (3, 2), (1, 0)


def hiding(known: dict[int, dict[str, int]], restocked: str = "", came: tuple[int, ...] = FRESH) -> Desk:
    """Two other hands and a stock of two, which hold the cards of `UNSEEN`."""
    unseen = UNSEEN.split()
    others = [card for card in card_texts(pack(1).tolist()) if card not in unseen]
    desk = Desk([others[0], *(" ".join("2C" for _ in range(size)) for size in SIZES)], top=others[1])
    desk.table.packs, desk.table.stock_left = 1, 2
    desk._lay(numbers(" ".join(others[1:])), "")
    for player, size in enumerate(SIZES, 1):
        desk.table.may_hold[player] = lanes(known.get(player, {}), size)
        desk.table.fresh[player], desk.table.came[player] = FRESH[player - 1], came[player - 1]
    desk.table.restocked = np.uint64(sum(1 << card for card in numbers(restocked)))
    return desk


@pytest.mark.parametrize("exchanging", [False, True])
@pytest.mark.parametrize("restocked", ["", "2S JH 5C"])
@pytest.mark.parametrize("known", KNOWN)
def test_every_possible_deal_is_as_likely(known: dict[int, dict[str, int]], restocked: str, exchanging: bool) -> None:
    """What each hand holds, and the stock in its order, come up as often as there are ways to fill the slots so."""
    expected: Counter[Any] = Counter()
    for cards in permutations(numbers(UNSEEN)):
        if fits(cards, SIZES, known, FRESH, set(numbers(restocked))):
            expected[outcome(cards, SIZES)] += 1
    found = dealt_orders(hiding(known, restocked), 40 * len(expected), exchanging)
    check_frequencies(found, expected)


def check_frequencies(found: Counter[Any], expected: Any) -> None:
    assert set(found) <= set(expected)
    total, ways = sum(found.values()), sum(expected.values())
    outcomes = list(expected)
    expectation = [total * expected[one] / ways for one in outcomes]
    assert stats.chisquare([found[one] for one in outcomes], expectation).pvalue > 1e-4


@pytest.mark.parametrize(
    ("known", "restocked", "came", "ways"),
    [
        # Nine cards came to seat 1, and four to seat 2, since they held no Jack; two lie in the stock.
        ({1: {"J": 9}, 2: {"J": 4}}, "", (9, 4), (9, 4, 2)),
        ({1: {"J": 9}, 2: {"J": 0, "S": 1}}, "", (9, 4), (9, 0, 2)),
        # The Jack was shuffled again, and one card of seat 1 is as young, of the three that came since.
        ({1: {"J": 9}, 2: {"J": 4}}, "2S JH 5C", (3, 0), (3, 0, 2)),
        ({1: {"J": 2}, 2: {"J": 4}}, "2S JH 5C", (3, 0), (2, 0, 2)),
        # It was not, so it is in an old slot; to seat 1 six cards came before, to seat 2 four.
        ({1: {"J": 9}, 2: {"J": 4}}, "2S 3S 5C", (3, 0), (6, 4, 0)),
        ({1: {"J": 3}, 2: {"J": 4}}, "2S 3S 5C", (3, 0), (0, 4, 0)),
    ],
)
def test_a_jack_is_as_likely_as_the_cards_that_it_came_with(known: Any, restocked: str, came: Any, ways: Any) -> None:
    """And with it in its place every way to deal the others is as likely (MAU-13)."""
    desk = hiding({}, restocked, came)
    for player, most in known.items():
        desk.table.may_hold[player] = lanes(most, SIZES[player - 1])
    jack, again = numbers("JH")[0], set(numbers(restocked))
    places = (range(3), range(3, 5), range(5, 7))
    by_place: dict[int, Counter[Any]] = {}
    for cards in permutations(numbers(UNSEEN)):
        if fits(cards, SIZES, known, FRESH, again):
            by_place.setdefault(cards.index(jack), Counter())[outcome(cards, SIZES)] += 1
    expected: dict[Any, float] = {}
    for where, weight in zip(places, ways, strict=True):
        slots = [place for place in where if place in by_place]
        for place in slots if weight else []:
            for dealt, number in by_place[place].items():
                share = weight / len(slots) * number / sum(by_place[place].values())
                expected[dealt] = expected.get(dealt, 0) + share
    check_frequencies(dealt_orders(desk, 60 * len(expected), False, kept=1), expected)


def fits(cards: Any, sizes: Any, known: Any, fresh: Any, again: set[int]) -> bool:
    """Whether cards may lie so in the slots of two hands, the oldest first, and then in the stock."""
    at = 0
    for player, size in enumerate(sizes, 1):
        for slot in range(size):
            card, newer = cards[at], size - slot
            at += 1
            most = known.get(player, {})
            if newer > most.get("CDHS"[card >> 4], size) or (card & 15 == 11 and newer > most.get("J", size)):
                return False
            if again and (card in again) != (newer <= fresh[player - 1]):
                return False
    return not again or set(cards[at:]) <= again


def outcome(cards: Any, sizes: Any) -> Any:
    one, two = cards[: sizes[0]], cards[sizes[0] : sum(sizes)]
    return frozenset(one), frozenset(two), tuple(cards[sum(sizes) :])


def dealt_orders(desk: Desk, count: int, exchanging: bool, kept: int = 0) -> Counter[Any]:
    """Count what worlds of seat 0 hold, dealt one way or the other."""
    slots, stream = opened(desk, kept), np.array([5], np.uint64)
    world = np.zeros(1, STATE_LAYOUT).view(np.recarray)[0]
    one, two = desk.state.hand_one[0], desk.state.hand_two[0]
    found: Counter[Any] = Counter()
    for _ in range(count):
        if not exchanging:
            deal_world(desk.table, np.int64(0), one, two, slots, world, stream)
            start = int(world.stock_next)
            hands = [frozenset(cards_of(world, player)) for player in (1, 2)]
            found[(*hands, tuple(world.deck[start : start + 2].tolist()))] += 1
            continue
        world.table = desk.table
        exchange_until_all_fit(slots, world, stream)
        hands = [
            frozenset(world.deck[: slots.count][slots.seat[: slots.count] == player].tolist()) for player in (1, 2)
        ]
        found[(*hands, tuple(world.deck[int(slots.count) : int(slots.unseen)].tolist()))] += 1
    return found


def test_hands_are_seldom_begun_anew() -> None:
    """Of the positions of real deals; where they are, cards are exchanged."""
    setup = make_setup("mau_mau", seed=4)
    slots = np.zeros(1, SLOTS_LAYOUT).view(np.recarray)[0]
    world = np.zeros(1, STATE_LAYOUT).view(np.recarray)[0]
    options, stream = setup.encoded_options.view(np.recarray)[0], np.array([3], np.uint64)
    tries = filled = 0
    for turn in range(20, 120):
        for decision in decisions_of_turn(setup, batch.deal_jobs(setup, turn, 1), turn):
            table = decision.position.table.view(np.recarray)[0]
            one, two = (np.uint64(word) for word in decision.position.given[:2])
            list_slots(table, options, np.int64(decision.position.seat), one, two, np.int64(1), slots)
            for _ in range(MOST_TRIES):
                tries += 1
                assert place_apart(slots, world, stream)
                if fill_slots(slots, world, stream):
                    filled += 1
                    break
    assert filled > 20
    assert tries < 100 * filled


# ------------------------------------------------------------ what is found


@pytest.mark.parametrize("playout", [0, 1])
def test_the_last_rival_who_would_go_out_is_made_to_draw(playout: int) -> None:
    """Seat 1 has one card, a spade whichever it is: he goes out with it unless he must draw for the 8."""
    hidden = ["KS", "2S", "4S", "5S", "6S"]
    own = ["3S", "8S", "9S"]
    under = " ".join(card for card in card_texts(pack(1).tolist()) if card not in (*hidden, *own))
    desk = Desk(["3S 8S", hidden[0]], under=under, top="9S", stock=" ".join(hidden[1:]))
    card, *_ = searcher(desk, f"search:playout={playout}").ask(position(desk), 7)
    assert card == numbers("8S")[0]


def test_two_jacks_go_out_at_once() -> None:
    desk = Desk(["JS JH", "KS 2S"], top="9S", stock="2H 3H 4H 5H")
    card, second, _ = searcher(desk).ask(position(desk), 7)
    assert {int(card), int(second)} == set(numbers("JS JH"))


@pytest.mark.parametrize(("playout", "policy"), list(enumerate(PLAYOUTS)))
def test_where_nothing_is_hidden_every_option_is_worth_what_it_comes_to(playout: int, policy: str) -> None:
    """Without draws, two players, and the opponent's hand all that is unseen: worlds are alike, and true."""
    rng = random.Random(11)
    plain = [card for card in card_texts(pack(1).tolist()) if card[0] not in "78J"]
    compared = 0
    for _ in range(200):
        cards = rng.sample(plain, 9)
        hands = [" ".join(cards[:4]), " ".join(cards[4:8])]
        under = " ".join(card for card in card_texts(pack(1).tolist()) if card not in cards)
        table = {"top": cards[8], "under": under, "unable": "fine_only", "policy": policy}
        desk = Desk(hands, **table)
        desk.table.packs, desk.table.start_card = 1, numbers("2C")[0]
        if len(desk.legal()) < 2:
            continue
        asked = searcher(desk, f"search:playout={playout}")
        asked.ask(position(desk), 1, worlds=3)
        tally = asked.memory["tally"][0]
        for number, (card, _, _) in enumerate(options_of(asked)):
            played = Desk(hands, **table)
            played.play(card_texts([card])[0])
            while played.record.status == 0 and not played.turn():
                pass
            own, other = played.scores()
            assert tally["total"][number] == 3 * (own - other)
            assert tally["squares"][number] == 3 * (own - other) ** 2
            assert tally["score_total"][number] == 3 * own
        compared += 1
    assert compared > 40


def test_everybody_plays_for_himself_against_all_others() -> None:
    """What is to be as much as possible is the lead over the mean of the others (MAU-01); who has most, wins."""
    record = np.zeros(1, RECORD_LAYOUT).view(np.recarray)[0]
    record.score[:4] = -40, 350, -100, -70
    seats = range(4)
    assert [search.lead_of(record, np.int64(4), np.int64(seat)) for seat in seats] == [-100, 420, -180, -140]
    assert [bool(search.is_ahead(record, np.int64(4), np.int64(seat))) for seat in seats] == [False, True, False, False]
    record.score[0] = 350
    assert not any(search.is_ahead(record, np.int64(4), np.int64(seat)) for seat in seats)


def test_the_round_of_a_spade_counts_double_in_the_worlds_too() -> None:
    """The carta da partida may have been shuffled into the stock since (MAU-18)."""
    totals = []
    for start in ("2C", "2S"):
        desk = Desk(["3C 9H KD", "KC QC"], top="9S", unable="fine_only", stock="4C 5C 6C")
        desk.table.packs, desk.table.start_card = 1, numbers(start)[0]
        asked = searcher(desk)
        asked.ask(position(desk), 1, worlds=40)
        tally = asked.memory["tally"][0]
        totals.append(tally["total"][: tally["options"]].copy())
    assert (totals[0] != totals[1]).any()
