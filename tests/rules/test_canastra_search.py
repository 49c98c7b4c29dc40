"""Canastra: what a search weighs, the worlds that it deals, and what it finds."""

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

from kernels.canastra.layout import LAVADEIRA, MORTO_SIZE, NEW_SEQUENCE, POLICY_HEURISTIC, SPEC, STOP
from kernels.canastra.lixo import apply_take, lixo_blocked
from kernels.canastra.meld_rules import CURINGAS
from kernels.canastra.play import discard_card, discard_phase, draw_from_stock, meld_phase, pass_on, play_turn
from kernels.canastra.rules import apply_meld, score
from kernels.canastra.search import find_discard, find_draw, find_meld
from kernels.canastra.search_options import list_discards, list_draws, list_melds
from kernels.canastra.search_worlds import deal_world, open_world
from kernels.cards import card_number, card_text
from kernels.searching import MOST_OPTIONS, WORLD
from kernels.trace import EVENT
from sim import batch
from sim.games import make_setup, parse_policy
from sim.positions import Position, Searcher, decisions_of_turn
from sim.specialise import questions
from tests.properties.setups import covering_setups
from tests.properties.test_legal_actions import Spot, parts
from tests.referee.cards import two_packs
from tests.rules.table import Desk, words

DRAW, MELD, DISCARD = questions("canastra")
SPOTS = 250
RED_THREES = ("3D", "3H")

Action = tuple[int, str, str]
"""Target, the cards of the hand with any curinga as ``*``, and the ranks named for curingas."""


def searcher(desk: Desk, text: str = "search:rollouts=300") -> Searcher:
    return Searcher(desk.setup, parse_policy(desk.setup.spec, text))


def position(desk: Desk, question: Any) -> Position:
    """What the seat in turn is asked at a desk."""
    given = tuple(int(word) for word in desk._hand(desk.seat))
    return Position(desk.setup, question, desk.seat, np.array([desk.table.tolist()], desk.table.dtype), given)


def listed(desk: Desk, listing: Any) -> tuple[Any, list[Any]]:
    """Memory of a search that has listed its options, and the options."""
    asked = searcher(desk)
    memory = asked.memory.view(np.recarray)[0]
    count = listing(memory, desk.table, desk.options, np.int64(desk.seat), *desk._hand(desk.seat))
    options = list(asked.memory["option"][0][:count])
    assert len({option.tobytes() for option in options}) == count <= MOST_OPTIONS
    return memory, options


def text_of(one: int, two: int) -> str:
    """Cards of a pair of words, a curinga as ``*``."""
    cards = [card for card in range(64) for word in (int(one), int(two)) if word >> card & 1]
    return " ".join(sorted("*" if int(CURINGAS) >> card & 1 else card_text(card) for card in cards))


def action_of(option: Any) -> Action:
    places = " ".join(str(rank) for rank in range(16) if int(option["places"]) >> rank & 1)
    return int(option["target"]), text_of(option["one"], option["two"]), places


def legal_actions(spot: Spot, takes: bool) -> Iterator[Action]:
    """Every legal meld action, or take of the lixo, by trying all cards of the hand at every target."""
    top = spot.lixo[-1]
    for _, target in spot.targets():
        for cards in parts(spot.hand):
            if not cards and not takes:
                continue
            for places in spot.places((*cards, top) if takes else cards, target):
                article = spot.desk.take_article if takes else spot.desk.action_article
                if article(" ".join(cards), places, target) == 0:
                    one, two = words(" ".join(cards))
                    named = " ".join(str(rank) for rank in range(16) if int(_lane(places)) >> rank & 1)
                    yield target, text_of(one, two), named


def _lane(places: str) -> int:
    return sum(1 << (card_number(f"{rank}C") & 15) for rank in places.split())


def is_elementary(spot: Spot, action: Action, top: str = "") -> bool:
    """Whether an action is a meld of three or a single card, with a top card one of two hand cards or of it alone."""
    target, text, _ = action
    cards = text.split()
    curingas = cards.count("*") + (text_of(*words(top)) == "*")
    if target < 0:
        return len(cards) + bool(top) == 3 and curingas <= 1
    if not top:
        return len(cards) == 1
    on_lavadeira = spot.desk.table.meld_kind[0, target] == LAVADEIRA
    return not cards or (on_lavadeira and len(cards) == 2 and "*" not in cards)


# ------------------------------------------------------------ what is weighed


def test_every_elementary_step_and_what_the_policies_would_do_is_listed() -> None:
    met: Counter[str] = Counter()
    for seed in range(SPOTS):
        spot = Spot(seed)
        for takes, listing, find in ((False, list_melds, find_meld), (True, list_draws, find_draw)):
            if takes and lixo_blocked(spot.desk.table, spot.desk.options):
                continue
            memory, options = listed(spot.desk, listing)
            legal = set(legal_actions(spot, takes))
            found = {action_of(option) for option in options if option["target"] != STOP}
            top = spot.lixo[-1] if takes else ""
            elementary = {action for action in legal if is_elementary(spot, action, top)}
            assert elementary <= found <= legal, seed
            by_policies = {action_of(options[number]) for number in (0, int(memory.expert))}
            assert found <= elementary | by_policies, seed
            assert sum(option["target"] == STOP for option in options) == 1
            none = (np.int64(STOP), np.uint64(0), np.uint64(0), np.uint64(0), memory)
            assert find(*((False, *none) if takes else none)) >= 0
            met[listing.__name__] += len(elementary)
    assert min(met.values()) > SPOTS // 4


def test_a_curinga_of_any_suit_is_found_among_the_options() -> None:
    desk = Desk({0: "7S 8S 2D 2H"})
    memory, options = listed(desk, list_melds)
    assert sum(option["target"] == NEW_SEQUENCE for option in options) == 2
    assert "2D" in card_text(int(memory.curinga).bit_length() - 1)
    for curinga in ("2D", "2H"):
        one, two = words(f"7S 8S {curinga}")
        number = find_meld(NEW_SEQUENCE, one, two, np.uint64(1 << 6), memory)
        assert number >= 0
        assert find_meld(NEW_SEQUENCE, one, two, np.uint64(1 << 5), memory) == -1
    memory, options = listed(desk, list_discards)
    assert find_discard(np.int64(card_number("2H")), memory) == find_discard(np.int64(card_number("2D")), memory) >= 0


@pytest.mark.parametrize("hand", ["7S 7S 9C 2D 2H 3C 3S AH", "4C", "JK JK 5D"])
def test_every_card_that_may_be_discarded_is_listed(hand: str) -> None:
    desk = Desk({0: hand}, jokers=4, lixo="9D")
    memory, options = listed(desk, list_discards)
    found = Counter(
        "*" if int(CURINGAS) >> int(option["card"]) & 1 else card_text(int(option["card"])) for option in options
    )
    assert found == Counter({text_of(*words(card)) for card in hand.split() if desk.discard_article(card) == 0})
    assert 0 <= memory.expert < len(options)


def test_of_too_many_takes_the_last_are_left_out() -> None:
    ranks = ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
    hand = " ".join(f"{rank}{suit}" for rank in ranks for suit in "CDHS") + " 2C"
    desk = Desk({0: hand}, lavadeira_ranks=ranks)
    _, options = listed(desk, list_melds)
    assert len(options) == MOST_OPTIONS
    assert all(int(option["one"]) & int(CURINGAS) == 0 for option in options[1:])


def test_a_take_that_only_its_last_card_can_finish_is_weighed_and_finished() -> None:
    """The hand is empty but for the card that makes the canastra: the take is legal, and going out follows (CAN-20)."""
    desk = Desk({0: "4D 4H 9C", 1: "KC KD QC QD"}, lixo="4C", players=2, stock="TC TD")
    desk.own("5C 6C 7C 8C TC 2H/9").had_morto(0, 1)
    assert desk.take_article("4D 4H") == 0
    see_everything(desk)
    asked = searcher(desk)
    take, target, *_ = asked.ask(position(desk, DRAW), 1)
    assert take
    assert target < 0
    desk.take("4D 4H")
    memory, options = listed(desk, list_melds)
    assert all(option["target"] != STOP for option in options)
    target, one, two, places = asked.ask(position(desk, MELD), 2)
    assert target == 0
    assert find_meld(target, one, two, places, memory) >= 0


# ------------------------------------------------------------ worlds


def hands_of(world: Any, players: int) -> list[Counter[str]]:
    return [
        Counter(
            card_text(card)
            for card in range(64)
            for word in (int(world.hand_one[seat]), int(world.hand_two[seat]))
            if word >> card & 1
        )
        for seat in range(players)
    ]


@pytest.mark.parametrize("number", range(0, len(covering_setups("canastra")), 4))
def test_a_world_is_as_its_seat_knows_it(number: int) -> None:
    setup = covering_setups("canastra")[number]
    asked = Searcher(setup, parse_policy(SPEC, "search"))
    memory, options = asked.memory.view(np.recarray)[0], setup.encoded_options.view(np.recarray)[0]
    stream = np.array([number], np.uint64)
    pack = two_packs(setup.options["jokers"])
    for turn in range(1, 60, 3):
        for decision in decisions_of_turn(setup, batch.deal_jobs(setup, 2, 1), turn):
            seat, table = np.int64(decision.position.seat), decision.position.table.view(np.recarray)[0]
            own = tuple(np.uint64(word) for word in decision.position.given)
            open_world(memory, table, options, seat, *own)
            for _ in range(4):
                deal_world(memory, seat, stream)
                check_world(memory.states[WORLD], table, int(seat), own, pack)


def check_world(world: Any, table: Any, seat: int, own: tuple[Any, ...], pack: Counter[str]) -> None:
    """Every card where it is known to be, hands of their sizes without red threes, no card too many."""
    assert world.table == table
    players = int(table.players)
    hands = hands_of(world, players)
    assert (world.hand_one[seat], world.hand_two[seat]) == own
    assert [hand.total() for hand in hands] == table.hand_count[:players].tolist()
    heaps: Counter[str] = Counter()
    closed = {int(world.morto_number[player]) for player in range(players) if table.morto_closed[player]}
    left = set(range(int(world.morto_next), 2))
    assert len(left) == table.mortos_left
    assert not closed & left
    for morto in closed | left:
        start = int(world.morto_at[morto])
        heaps.update(map(card_text, world.deck[start : start + MORTO_SIZE].tolist()))
    heaps.update(map(card_text, world.deck[int(world.stock_next) : int(world.stock_end)].tolist()))
    assert heaps.total() == MORTO_SIZE * len(closed | left) + table.stock_left
    seen = Counter(
        card_text(card) for card in range(64) for word in (int(table.seen_one), int(table.seen_two)) if word >> card & 1
    )
    assert sum(hands, heaps) + seen == pack
    for player in range(players):
        known_one, known_two = int(table.known_one[player]), int(table.known_two[player])
        if player != seat:
            assert not known_one & ~int(world.hand_one[player])
            assert not known_two & ~int(world.hand_two[player])
            if table.started[player]:
                assert not hands[player].keys() & set(RED_THREES)


def see_everything(desk: Desk) -> None:
    """Let all cards be known: each hand to everybody, and whatever is nowhere has been seen."""
    players = desk.setup.seats
    table = desk.table
    table.known_one[:players] = desk.state.hand_one[:players]
    table.known_two[:players] = desk.state.hand_two[:players]
    held = sum(hands_of(desk.state, players), Counter[str]())
    hidden = desk.state.deck[int(desk.state.stock_next) : int(desk.state.stock_end)].tolist()
    gone = two_packs(desk.setup.options["jokers"]) - held - Counter(map(card_text, hidden))
    assert table.mortos_left == 0
    table.seen_one, table.seen_two = words(" ".join(gone.elements()))


def test_every_possible_deal_is_as_likely() -> None:
    """Two hidden cards each: of one who has begun, of one who has not, of the stock; two of the six are red threes."""
    unseen = ["3D", "3H", "4C", "4C", "5C", "6C"]
    desk = Desk({0: "9S", 1: "TS TS", 2: "TH TH", 3: "KD"}, stock="QC QD")
    desk.no_mortos()
    see_everything(desk)
    table = desk.table
    table.known_one[:3] = table.known_two[:3] = 0
    table.started[2] = 0
    gone = two_packs(0) - Counter(unseen) - Counter(["9S", "KD"])
    table.seen_one, table.seen_two = words(" ".join(gone.elements()))
    possible = Counter(
        (tuple(sorted(deal[:2])), tuple(sorted(deal[2:4])), deal[4:])
        for deal in permutations(unseen)
        if not set(deal[:2]) & set(RED_THREES)
    )
    asked = searcher(desk)
    memory, stream = asked.memory.view(np.recarray)[0], np.array([5], np.uint64)
    open_world(memory, table, desk.options, np.int64(0), *desk._hand(0))
    met: Counter[Any] = Counter()
    for _ in range(60 * len(possible)):
        deal_world(memory, np.int64(0), stream)
        world = memory.states[WORLD]
        hands = hands_of(world, 4)
        stock = world.deck[int(world.stock_next) : int(world.stock_end)].tolist()
        met[tuple(sorted(hands[1].elements())), tuple(sorted(hands[2].elements())), tuple(map(card_text, stock))] += 1
    assert met.keys() == possible.keys()
    expected = np.array(list(possible.values()), float) * met.total() / possible.total()
    assert stats.chisquare([met[deal] for deal in possible], expected).pvalue > 1e-4


@pytest.mark.parametrize("card", ["3H", "KD", "KC"])
def test_an_unseen_card_is_anywhere_alike(card: str) -> None:
    """In mortos, stock and hands in proportion to their hidden cards; a red three with nobody who has begun."""
    setup = make_setup("canastra", seed=8)
    decision = next(
        found
        for found in decisions_of_turn(setup, batch.deal_jobs(setup, 1, 1), 3)
        if found.position.question == DISCARD
    )
    asked = Searcher(setup, parse_policy(SPEC, "search"))
    memory, stream = asked.memory.view(np.recarray)[0], np.array([9], np.uint64)
    table, seat = decision.position.table.view(np.recarray)[0], np.int64(decision.position.seat)
    open_world(
        memory, table, setup.encoded_options.view(np.recarray)[0], seat, *map(np.uint64, decision.position.given)
    )
    places: Counter[Any] = Counter()
    for _ in range(6_000):
        deal_world(memory, seat, stream)
        world = memory.states[WORLD]
        number = card_number(card)
        for player in range(4):
            if player != seat:
                places[player] += int(world.hand_one[player]) >> number & 1
                places[player] += int(world.hand_two[player]) >> number & 1
        deck = world.deck[: int(world.stock_end)].tolist()
        places["heaps"] += deck.count(number)
    room: dict[Any, int] = {player: int(table.hand_count[player]) for player in range(4) if player != seat}
    assert not table.known_one.any()
    if card in RED_THREES:
        room = {player: size for player, size in room.items() if not table.started[player]}
    room["heaps"] = 2 * MORTO_SIZE + int(table.stock_left)
    assert {player for player in places if places[player]} == room.keys()
    hidden = sum(memory.hidden[: int(memory.hidden_count)] == card_number(card))
    total = 6_000 * hidden
    assert places.total() == total
    if card in RED_THREES:
        weights = np.array(list(room.values()), float)
    else:
        # Red threes take some of the places where they may be.
        red_threes = int(memory.hidden_count - memory.common_count)
        free = sum(size for player, size in room.items() if player == "heaps" or not table.started[player])
        weights = np.array(
            [
                size * (1 if player != "heaps" and table.started[player] else 1 - red_threes / free)
                for player, size in room.items()
            ]
        )
    expected = weights * total / weights.sum()
    # Both copies of a card are dealt without replacement, which only narrows the spread.
    assert stats.chisquare([places[player] for player in room], expected).pvalue > 1e-4


# ------------------------------------------------------------ what is found


def some_end(rng: random.Random) -> Desk:
    """The end of a hand of two players, everything known: no stock and no mortos, each with a few cards."""
    pack = [card for card in two_packs(0).elements() if card not in RED_THREES]
    rng.shuffle(pack)
    suits = rng.choice(("S", "SH"))
    cards = sorted(pack, key=lambda card: card[1] not in suits)[:16]
    rng.shuffle(cards)
    desk = Desk(players=2, stock=" ".join(cards[12:]), lixo=cards[11])
    desk.hold(0, " ".join(cards[:6])).hold(1, " ".join(cards[6:11]))
    if rng.random() < 0.7:
        desk.had_morto(0)
        if rng.random() < 0.5:
            desk.own("4D 5D 6D 7D 8D 9D TD")
    desk.no_mortos()
    see_everything(desk)
    # One card of the stock is left, which must be the one that nobody has seen.
    desk.state.stock_next += 3
    desk.table.stock_left = 1
    see_everything(desk)
    return desk


def played_on(desk: Desk, question: Any, option: Any, playout: str) -> int:
    """Margin of the seat in turn when an option is taken and all go on by a policy, by the game's own loops."""
    before = desk.states.copy()
    state, table = desk.state, desk.table
    log = np.zeros(0, EVENT).view(np.recarray)
    record = np.zeros(1, SPEC.record_layout).view(np.recarray)[0]
    setup = make_setup("canastra", rules=dict(desk.setup.options), policies=playout)
    policies, parameters = setup.policy_numbers, setup.parameters
    assert set(policies.tolist()) == {POLICY_HEURISTIC}
    seat, options = np.int64(desk.seat), desk.options
    own = parameters[seat]
    action = np.int64(option["target"]), option["one"], option["two"], option["places"]
    is_over, melds = False, question != DISCARD
    if question == DRAW and option["takes_lixo"]:
        apply_take(state, options, seat, *action, record, log)
    elif question == DRAW:
        is_over = not draw_from_stock(state, options, seat, log)
    elif question == MELD and option["target"] != STOP:
        apply_meld(state, options, seat, *action, record, log)
    elif question == MELD:
        melds = False
    if melds and not is_over:
        is_over = meld_phase(state, options, policies[seat], own, record, log)
    if question == DISCARD:
        is_over = discard_card(state, options, seat, np.int64(option["card"]), record, log)
    elif not is_over:
        is_over = discard_phase(state, policies[seat], options, own, record, log)
    if not is_over:
        pass_on(table)
        while not play_turn(state, options, policies, parameters, record, log):
            pass
    score(state, options, record)
    desk.states[:] = before
    return int(record.score[desk.seat % 2]) - int(record.score[1 - desk.seat % 2])


@pytest.mark.parametrize("playout", [0, 1])
def test_where_nothing_is_hidden_every_option_is_worth_what_it_comes_to(playout: int) -> None:
    rng = random.Random(11)
    met: Counter[str] = Counter()
    for _ in range(60):
        desk = some_end(rng)
        for question in (DRAW, MELD, DISCARD):
            top = desk.lixo().split()[-1]
            if question == DRAW and top in ("3C", "3S"):
                continue
            asked = searcher(desk, f"search:playout={playout}")
            asked.ask(position(desk, question), 1, worlds=3)
            tally = asked.memory["tally"][0]
            for number, option in enumerate(asked.memory["option"][0][: tally["options"]]):
                worth = played_on(desk, question, option, ("standard", "expert")[playout])
                assert (tally["total"][number], tally["squares"][number]) == (3 * worth, 3 * worth**2)
                met[question.name] += 1
    assert min(met.values()) > 60


def test_the_hand_is_ended_where_that_wins() -> None:
    """The side is far ahead and can go out; the opponents could still lay much."""
    desk = Desk({0: "QS KS AS"}, stock="4C 4D 5C 5D", players=2)
    desk.own("4S 5S 6S 7S 8S 9S TS").had_morto(0, 1).own("4H 5H 6H 7H 8H 9H TH", side=1)
    desk.hold(1, "TC JC QC KC AC 2C 2D")
    see_everything(desk)
    desk.table.known_one[1], desk.table.known_two[1] = 0, 0
    asked = searcher(desk)
    assert asked.ask(position(desk, MELD), 4)[0] != STOP


def test_a_lixo_that_goes_out_is_taken() -> None:
    desk = Desk({0: "QS KS"}, lixo="AS", stock="4C 4D 5C 5D", players=2)
    desk.own("4S 5S 6S 7S 8S 9S TS").had_morto(0, 1).hold(1, "TC JC QC KC AC 2C 2D")
    see_everything(desk)
    assert searcher(desk).ask(position(desk, DRAW), 4)[0]


@pytest.mark.parametrize("playout", [0, 1])
def test_the_next_player_is_not_given_the_card_that_he_goes_out_with(playout: int) -> None:
    """All know his hand: with the jack of spades he would lay everything."""
    desk = Desk({0: "JS 4D"}, stock="9C 9D 5C 5D", players=2)
    desk.had_morto(0, 1).own("4H 5H 6H 7H 8H 9H TH", side=1).hold(1, "TS QS")
    see_everything(desk)
    asked = searcher(desk, f"search:playout={playout}")
    assert card_text(int(asked.ask(position(desk, DISCARD), 4))) == "4D"


def test_one_option_alone_is_not_searched() -> None:
    desk = Desk({0: "KS"}, lixo="4C", players=2, stock="9C 9D")
    desk.hold(1, "TS QS").had_morto(0).no_mortos()
    desk.own("4H 5H 6H 7H 8H 9H TH")
    see_everything(desk)
    asked = searcher(desk)
    assert card_text(int(asked.ask(position(desk, DISCARD), 4))) == "KS"
    assert asked.memory["tally"][0]["worlds"][0] == 0
