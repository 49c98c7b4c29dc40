"""Escopa: what a search weighs, the worlds that it deals, and what it finds."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from kernels.escopa.layout import STATE_LAYOUT
from kernels.escopa.search import find_claim, find_play, list_claims, list_plays
from kernels.escopa.search_worlds import deal_world
from kernels.searching import MOST_OPTIONS
from sim import batch
from sim.games import make_setup, parse_policy
from sim.positions import Position, Searcher, decisions_of_turn
from sim.specialise import questions
from tests.properties.setups import covering_setups
from tests.properties.test_escopa_searches import desk_of, some_end, spots
from tests.rules.escopa_table import Desk

PLAY, CLAIM = questions("escopa")
ALL = (1 << 40) - 1
POSITIONS = 150
ENDS = 60


def searcher(desk: Desk, text: str = "search:rollouts=200") -> Searcher:
    return Searcher(desk.setup, parse_policy(desk.setup.spec, text))


def position(desk: Desk, question: Any = PLAY, sees: int = 1) -> Position:
    """What the seat in turn is asked at a desk."""
    given = (int(desk.state.hand[desk.seat]), sees)[: len(question.given)]
    return Position(desk.setup, question, desk.seat, np.array([desk.table.tolist()], desk.table.dtype), given)


def options_of(asked: Searcher, count: int) -> set[tuple[int, int]]:
    found = [(int(one["card"]), int(one["take"])) for one in asked.memory["option"][0][:count]]
    assert len(set(found)) == count
    return set(found)


def words_of(cards: int) -> list[int]:
    """Every set of some cards."""
    single = [1 << card for card in range(40) if cards >> card & 1]
    return [sum(chosen) for size in range(len(single) + 1) for chosen in combinations(single, size)]


def play(asked: Searcher, desk: Desk, sees: int = 1) -> tuple[str, str]:
    card, take = asked.ask(position(desk, sees=sees), 7)
    return desk.text(1 << int(card)), desk.text(take)


# ------------------------------------------------------------ what is weighed


def test_every_legal_play_is_listed() -> None:
    for desk, _ in spots(POSITIONS, 7, 5):
        asked = searcher(desk)
        memory, hand = asked.memory.view(np.recarray)[0], desk.state.hand[0]
        legal = {
            (card, take)
            for card in range(40)
            if int(hand) >> card & 1
            for take in words_of(int(desk.table.cards))
            if desk.article(desk.text(1 << card), desk.text(take)) == 0
        }
        for sees in (True, False):
            count = list_plays(desk.table, desk.options, np.int64(0), hand, sees, desk.state.work, memory)
            expected = legal if sees else {(card, 0) for card in range(40) if int(hand) >> card & 1}
            assert options_of(asked, count) == expected
            for name, number in (("standard", 0), ("expert", memory.expert)):
                own = Desk.choice(with_policy(desk, name), sees=sees)
                assert find_play(np.int64(desk.index(own[0])), desk.word(own[1]), memory) == number
        assert find_play(np.int64(40), np.uint64(0), memory) == -1


def with_policy(desk: Desk, policy: str) -> Desk:
    desk.setup = make_setup("escopa", rules=dict(desk.setup.options), policies=policy)
    return desk


def test_every_claim_and_none_is_listed() -> None:
    rng = random.Random(3)
    claimed = 0
    for desk, _ in spots(POSITIONS * 3, 7, 6):
        hand = desk.hand(0).split()
        card = rng.choice(hand)
        desk.play(card, by_oversight=True)
        legal = {word for word in words_of(int(desk.table.cards)) if desk.claim_article(desk.text(word)) == 0}
        if not legal:
            continue
        asked = searcher(desk)
        memory = asked.memory.view(np.recarray)[0]
        count = list_claims(desk.table, desk.options, np.int64(1), np.uint64(0), desk.state.work, memory)
        assert options_of(asked, count) == {(-1, word) for word in {0, *legal}}
        assert find_claim(desk.word(with_policy(desk, "expert").claim_choice()), memory) == memory.expert
        claimed += 1
    assert claimed > 20


def test_with_forty_cards_about_the_plays_that_take_other_suits_are_left_out() -> None:
    rng = random.Random(4)
    cards = rng.sample([f"{rank}{suit}" for rank in "A234567QJK" for suit in "CDHS"], 40)
    desk = Desk(" ".join(cards[:3]), table=" ".join(cards[3:]))
    asked = searcher(desk)
    memory, hand = asked.memory.view(np.recarray)[0], desk.state.hand[0]
    count = list_plays(desk.table, desk.options, np.int64(0), hand, True, desk.state.work, memory)
    assert count == MOST_OPTIONS
    for card, take in options_of(asked, count):
        assert desk.article(desk.text(1 << card), desk.text(take)) == 0


# ------------------------------------------------------------ worlds


def dealt(desk: Desk, count: int, seed: int = 1) -> list[Any]:
    """So many worlds of the seat in turn."""
    worlds = np.zeros(count, STATE_LAYOUT).view(np.recarray)
    stream = np.array([seed], np.uint64)
    hand = desk.state.hand[desk.seat]
    for world in worlds:
        deal_world(desk.table, desk.options, np.int64(desk.seat), hand, world, stream)
    return list(worlds)


@pytest.mark.parametrize("number", range(0, len(covering_setups("escopa")), 5))
def test_a_world_is_as_its_seat_knows_it(number: int) -> None:
    setup = covering_setups("escopa")[number]
    world = np.zeros(1, STATE_LAYOUT).view(np.recarray)[0]
    options = setup.encoded_options.view(np.recarray)[0]
    stream = np.array([number], np.uint64)
    for turn in range(1, 36, 3):
        for decision in decisions_of_turn(setup, batch.deal_jobs(setup, 2, 1), turn):
            seat, table = decision.position.seat, decision.position.table.view(np.recarray)[0]
            hand = np.uint64(decision.position.given[0])
            for _ in range(5):
                deal_world(table, options, np.int64(seat), hand, world, stream)
                check_world(world, table, setup.seats, seat, int(hand))


def check_world(world: Any, table: Any, seats: int, seat: int, hand: int) -> None:
    """Every card once; hands of their sizes, none with a value that is shown not to be there."""
    assert world.table == table
    assert int(world.hand[seat]) == hand
    places = [int(world.hand[player]) for player in range(seats)]
    assert [word.bit_count() for word in places] == table.hand_count[:seats].tolist()
    places += [1 << int(card) for card in world.deck[: int(table.stock_left)]]
    seen = int(table.seen) & ~hand
    assert sum(word.bit_count() for word in places) == (ALL & ~seen).bit_count()
    together = 0
    for word in places:
        assert not together & word
        together |= word
    assert together == ALL & ~seen
    for player in range(seats):
        held = {(card >> 2) + 1 for card in range(40) if places[player] >> card & 1}
        if player != seat:
            assert not any(int(table.lacks[player]) >> (15 - value) & 1 for value in held)


@pytest.mark.parametrize(
    ("lacks", "players"), [({}, 2), ({1: "A 2"}, 2), ({1: "A 2", 2: "2 3 4"}, 3), ({1: "A", 2: "2 3", 3: "A 5 6"}, 4)]
)
def test_every_possible_deal_is_as_likely(lacks: dict[int, str], players: int) -> None:
    """All hands that the others may hold come up equally often, and the stock in any order."""
    unseen = ["AC", "2C", "2D", "3C", "4C", "5C", "6C"]
    others = [f"{rank}{suit}" for rank in "A234567QJK" for suit in "CDHS" if f"{rank}{suit}" not in unseen]
    size = 2 if players < 4 else 1
    desk = Desk(others[0], taken=[" ".join(others[1:])], players=players)
    for player in range(1, players):
        desk.table.hand_count[player] = size
        for rank in lacks.get(player, "").split():
            desk.table.lacks[player] |= np.uint64(1 << 15 - ((desk.index(f"{rank}C") >> 2) + 1))
    left = len(unseen) - size * (players - 1)
    desk.table.stock_left = left
    possible = set()
    for cards in permutations(unseen):
        hands = [frozenset(cards[size * place : size * (place + 1)]) for place in range(players - 1)]
        barred = [set(lacks.get(place + 1, "").split()) for place in range(players - 1)]
        if not any(card[0] in ranks for hand, ranks in zip(hands, barred, strict=True) for card in hand):
            possible.add((*hands, cards[-left]))
    worlds = dealt(desk, 60 * len(possible))
    counts = Counter(
        (
            *(frozenset(desk.text(world.hand[place]).split()) for place in range(1, players)),
            desk.text(1 << int(world.deck[0])),
        )
        for world in worlds
    )
    assert counts.keys() == possible
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


# ------------------------------------------------------------ what is found


@pytest.mark.parametrize("playout", [0, 1])
def test_the_guindis_is_swept(playout: int) -> None:
    desk = Desk({0: "QS 2C 3C", 1: "KC JC QC"}, table="7D 6H AH", stock="3S 4H 5C 6S 7H QH")
    assert play(searcher(desk, f"search:playout={playout}"), desk)[1].split()[-1:] == ["7D"]


def test_a_card_left_by_oversight_is_chosen_without_captures() -> None:
    desk = Desk({0: "7D KS", 1: "KC"}, table="5C 3H 5H", stock="", overlook_rate=0.5)
    for _ in range(3):
        assert play(searcher(desk), desk, sees=0)[1] == ""


def test_where_nothing_is_hidden_every_option_is_worth_what_it_comes_to() -> None:
    """The mover's best leads at the end of a pack are those of plain search, in every world alike."""
    rng = random.Random(9)
    for _ in range(ENDS):
        end = some_end(rng)
        desk = desk_of(end)
        desk.table.seen = np.uint64(ALL & ~int(desk.state.hand[0]) & ~int(desk.state.hand[1]))
        asked = searcher(desk)
        card, take = asked.ask(position(desk), 1, worlds=3)
        tally = asked.memory["tally"][0]
        escopas = int(desk.table.escopas[0]) - int(desk.table.escopas[1])
        worths = {}
        for number, option in enumerate(asked.memory["option"][0][: tally["options"]]):
            chosen = tuple(desk.text(option["take"]).split())
            after = end.after(desk.text(1 << int(option["card"])), chosen)
            worths[int(option["card"]), int(option["take"])] = worth = escopas + end.escopa(chosen) - after.lead()
            assert tally["total"][number] == 3 * worth
            assert tally["squares"][number] == 3 * worth**2
        assert worths[int(card), int(take)] == max(worths.values())


def test_a_claim_of_the_last_capture_is_made() -> None:
    """The card left makes fifteen, nobody plays any more: claiming brings all cards left."""
    rest = [f"{rank}{suit}" for rank in "A234567QJK" for suit in "CDHS"]
    table = "2C 3D 4S 6H"
    others = [card for card in rest if card not in {*table.split(), "QS"}]
    desk = Desk({0: "QS"}, table=table, taken=[" ".join(others[:18]), " ".join(others[18:])], overlook_rate=0.5)
    desk.table.last_seat = 0
    desk.play("QS", by_oversight=True)
    asked = searcher(desk)
    take = asked.ask(position(desk, CLAIM), 3)
    assert desk.text(take) in ("3D 4S",)


def test_one_play_alone_is_not_searched() -> None:
    desk = Desk({0: "KS", 1: "KC"}, table="QS")
    asked = searcher(desk)
    assert play(asked, desk) == ("KS", "")
    assert asked.memory["tally"][0]["worlds"][0] == 0
