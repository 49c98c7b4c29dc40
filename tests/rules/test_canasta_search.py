"""Canasta: what a search weighs, the worlds that it deals, and what it finds."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from kernels.canasta.going_out import find_going_out
from kernels.canasta.layout import SEATS, SPEC
from kernels.canasta.meld_rules import melds_article, take_article, top_rank
from kernels.canasta.play import ask_phase, discard_phase, draw_from_stock, meld_phase, pass_on, play_turn
from kernels.canasta.rules import apply_discard, apply_melds, apply_take, discard_article, score
from kernels.canasta.search import find_discard, find_draw, find_meld
from kernels.canasta.search_options import list_asks, list_discards, list_draws, list_melds
from kernels.canasta.search_worlds import deal_world, open_world
from kernels.cards import card_number, card_text
from kernels.rank_counts import fits_in, number_of, one_of, total
from kernels.searching import EXPERT, MIXED, MOST_OPTIONS, STANDARD, WORLD
from kernels.trace import EVENT
from sim import batch
from sim.games import make_setup, parse_policy
from sim.positions import Decision, Position, Searcher, decisions_of_turn
from sim.specialise import questions
from tests.properties.setups import covering_setups
from tests.referee.cards import two_packs
from tests.rules.canasta_table import Desk, counts

DRAW, ASK, ANSWER, MELD, DISCARD = questions("canasta")
LISTING = {DRAW: list_draws, ASK: list_asks, MELD: list_melds, DISCARD: list_discards}
JOKERS, TWOS, THREES = 0, 2, 3
NOTHING = np.uint64(0)
SETUPS = covering_setups("canasta")
RED_THREES = ("3D", "3H")

Cards = tuple[int, int, int]
"""Naturals, jokers and twos, by the rank of their meld."""


def positions(number: int, turns: range) -> Iterator[Decision]:
    """Decisions of a deal at one of the tables at which all options and policies meet."""
    setup = SETUPS[number]
    for turn in turns:
        yield from decisions_of_turn(setup, batch.deal_jobs(setup, 3, 1), turn)


def listed(asked: Searcher, decision: Decision) -> tuple[Any, list[Any]]:
    """Memory of a search that has listed its options in a position, and the options."""
    position = decision.position
    table, options = position.table.view(np.recarray)[0], position.setup.encoded_options.view(np.recarray)[0]
    memory = asked.memory.view(np.recarray)[0]
    listing = LISTING[position.question]
    count = listing(memory, table, options, np.int64(position.seat), np.uint64(position.given[0]))
    found = list(asked.memory["option"][0][:count])
    assert len({option.tobytes() for option in found}) == count <= MOST_OPTIONS
    return memory, found


def cards_of(option: Any) -> Cards:
    return int(option["naturals"]), int(option["jokers"]), int(option["twos"])


# ------------------------------------------------------------ what is weighed


def elementary_steps(table: Any, options: Any, seat: int, hand: np.uint64) -> Iterator[Cards]:
    """Single cards for own melds and new melds of three that are legal, rank by rank; black threes together."""
    for rank in range(4, 15):
        one = int(one_of(np.int64(rank)))
        is_there = number_of(np.uint64(table.melded[seat % 2]), np.int64(rank)) > 0
        steps = [(1, 0, 0), (0, 1, 0), (0, 0, 1)] if is_there else [(3, 0, 0), (2, 1, 0), (2, 0, 1)]
        yield from ((naturals * one, jokers * one, twos * one) for naturals, jokers, twos in steps)
    yield from ((threes * int(one_of(np.int64(THREES))), 0, 0) for threes in (3, 4))


@pytest.mark.parametrize("number", range(0, len(SETUPS), 3))
def test_every_elementary_step_is_listed_and_all_that_is_listed_is_legal(number: int) -> None:
    asked = Searcher(SETUPS[number], parse_policy(SPEC, "search"))
    met: Counter[str] = Counter()
    for decision in positions(number, range(1, 60, 2)):
        position = decision.position
        if position.question not in (MELD, DISCARD, DRAW):
            continue
        table, options = position.table.view(np.recarray)[0], SETUPS[number].encoded_options.view(np.recarray)[0]
        seat, hand = np.int64(position.seat), np.uint64(position.given[0])
        memory, found = listed(asked, decision)
        assert 0 <= memory.expert < len(found)
        met[position.question.name] += 1
        may_throw = {rank for rank in range(15) if discard_article(table, options, seat, hand, np.int64(rank)) == 0}
        if position.question == DISCARD:
            assert {int(option["rank"]) for option in found} == may_throw
            continue
        is_taking = position.question == DRAW
        article = take_article if is_taking else melds_article
        melds = {cards_of(option) for option in found if option["yes"] or (not is_taking and any(cards_of(option)))}
        assert not [cards for cards in melds if article(table, options, seat, hand, *map(np.uint64, cards))]
        if is_taking:
            assert find_draw(False, NOTHING, NOTHING, NOTHING, memory) >= 0
        else:
            # Who could not discard then must lay something.
            assert (find_meld(NOTHING, NOTHING, NOTHING, memory) >= 0) == bool(may_throw)
        if table.melded[seat % 2] == 0:
            continue
        if is_taking:
            top = int(one_of(top_rank(table)))
            steps = [(0, 0, 0), (2 * top, 0, 0), (top, top, 0), (top, 0, top)]
        else:
            steps = list(elementary_steps(table, options, seat, hand))
        legal = {cards for cards in steps if article(table, options, seat, hand, *map(np.uint64, cards)) == 0}
        assert legal <= melds
        met["elementary"] += len(legal)
    assert min(met[name] for name in ("choose_draw", "choose_meld", "choose_discard", "elementary")) > 4


def test_a_first_meld_is_tried_with_each_rank_that_could_be_in_it() -> None:
    """Kings, queens and sixes each reach the minimum with the aces; no wild card is needed."""
    desk = Desk("AS AH AD KS KH KD QS QH QD 6S 6H 6D 2S", stock="4S 5S", start_score=(1500, 0))
    asked = Searcher(desk.setup, parse_policy(SPEC, "search"))
    _, found = listed(asked, decision_of(desk, MELD))
    ranks = {tuple(rank for rank in range(4, 15) if number_of(option["naturals"], np.int64(rank))) for option in found}
    for rank in (13, 12, 6):
        assert any(rank in laid for laid in ranks if laid)
        assert any(rank not in laid for laid in ranks if laid)
    for option in found:
        text = cards_of(option)
        assert (
            not any(text) or melds_article(desk.table, desk.options, 0, desk.state.hand[0], *map(np.uint64, text)) == 0
        )


def decision_of(desk: Desk, question: Any) -> Decision:
    """What the seat in turn is asked at a desk."""
    table = np.array([desk.table.tolist()], desk.table.dtype)
    return Decision(Position(desk.setup, question, desk.seat, table, (int(desk.state.hand[desk.seat]),)))


def test_asking_is_weighed_where_the_hand_can_go_out() -> None:
    asks = Desk("6S 6H 6D 9C", ask_partner=True).own("5S 5H 5D 5C 5S 5H 5D")
    asked = Searcher(asks.setup, parse_policy(SPEC, "search"))
    assert {int(option["yes"]) for option in listed(asked, decision_of(asks, ASK))[1]} == {0, 1}
    cannot = Desk("6S 6H 8D 9C", ask_partner=True).own("5S 5H 5D 5C 5S 5H 5D")
    assert {int(option["yes"]) for option in listed(asked, decision_of(cannot, ASK))[1]} == {0}


# ------------------------------------------------------------ worlds


def cards_in(one: Any, two: Any) -> Counter[str]:
    return Counter(card_text(card) for word in (int(one), int(two)) for card in range(64) if word >> card & 1)


def ranks_in(cards: Counter[str]) -> Counter[int]:
    """Cards by rank, red threes apart as 15."""
    found: Counter[int] = Counter()
    for card, count in cards.items():
        found[15 if card in RED_THREES else card_number(card) & 15 if card != "JK" else 0] += count
    return +found


def by_rank(word: Any) -> Counter[int]:
    return +Counter({rank: int(word) >> 4 * rank & 15 for rank in range(16)})


def check_world(world: Any, table: Any, seat: int, own: np.uint64) -> None:
    """Every card where it is known to be, hands of their sizes without red threes, no card too many."""
    assert world.table == table
    hands = [cards_in(world.hand_one[player], world.hand_two[player]) for player in range(SEATS)]
    assert world.hand[seat] == own
    stock = Counter(map(card_text, world.deck[int(world.stock_next) :].tolist()))
    assert stock.total() == table.stock_left
    pile = Counter(map(card_text, table.pile[: table.pile_size].tolist()))
    laid = [cards_in(world.natural_one[side], world.natural_two[side]) for side in range(2)]
    for player, hand in enumerate(hands):
        assert hand.total() == table.hand_count[player]
        ranks = ranks_in(hand)
        assert by_rank(world.hand[player]) == Counter({rank: count for rank, count in ranks.items() if rank != 15})
        if player != seat:
            assert fits_in(table.known[player], world.hand[player])
        if table.started[player]:
            assert not ranks[15]
    for side in range(2):
        assert ranks_in(laid[side]) == by_rank(table.melded[side])
    cards = sum([*hands, stock, pile, *laid], Counter[str]())
    pack = two_packs(4)
    gone = by_rank(int(table.seen) - int(table.pile_counts))
    assert cards["JK"] == 4 - gone[JOKERS]
    assert sum(cards[f"2{suit}"] for suit in "CDHS") == 8 - gone[TWOS]
    assert sum(cards[card] for card in RED_THREES) == 4 - int(table.red_threes.sum())
    assert all(count <= pack[card] for card, count in cards.items())
    rest = {card: count for card, count in pack.items() if card not in RED_THREES and card[0] != "2" and card != "JK"}
    assert {card: cards[card] for card in rest} == rest


@pytest.mark.parametrize("number", range(0, len(SETUPS), 4))
def test_a_world_is_as_its_seat_knows_it(number: int) -> None:
    asked = Searcher(SETUPS[number], parse_policy(SPEC, "search"))
    memory, options = asked.memory.view(np.recarray)[0], SETUPS[number].encoded_options.view(np.recarray)[0]
    stream = np.array([number], np.uint64)
    seen = 0
    for decision in positions(number, range(1, 60, 3)):
        seat, table = np.int64(decision.position.seat), decision.position.table.view(np.recarray)[0]
        own = np.uint64(decision.position.given[0]) if decision.position.given else NOTHING
        open_world(memory, table, seat, own)
        for _ in range(4):
            deal_world(memory, options, seat, stream)
            check_world(memory.states[WORLD], table, int(seat), own)
        seen += 1
    assert seen > 20


def throw_all(desk: Desk, cards: Counter[str]) -> None:
    """Put cards on the pile, however many: a world only reads them."""
    jokers = iter((0, 16, 32, 48))
    for card in sorted(cards.elements()):
        desk.table.pile[int(desk.table.pile_size)] = next(jokers) if card == "JK" else card_number(card)
        desk.table.pile_size += 1


def test_every_possible_deal_is_as_likely() -> None:
    """Two hidden cards each: of one who has begun, of one who has not, of the stock; two of the six are red threes."""
    unseen = ["3R", "3R", "4C", "4D", "5C", "6C"]
    desk = Desk({0: "9S 9H", 1: "TS TH", 2: "TC TD", 3: "KD"}, stock="QC QD")
    desk.table.started[2] = 0
    desk.table.known[3] = counts("KD")
    desk.table.red_threes[:] = 1
    throw_all(desk, two_packs(4) - Counter([*unseen, *RED_THREES, *RED_THREES, "9S", "9H", "KD"]))
    possible = Counter(
        (tuple(sorted(deal[:2])), tuple(sorted(deal[2:4])), deal[4:])
        for deal in permutations(unseen)
        if "3R" not in deal[:2]
    )
    asked = Searcher(desk.setup, parse_policy(SPEC, "search"))
    memory, stream = asked.memory.view(np.recarray)[0], np.array([5], np.uint64)
    open_world(memory, desk.table, np.int64(0), counts("9S 9H"))
    met: Counter[Any] = Counter()

    def told(cards: Counter[str]) -> tuple[str, ...]:
        # Which two of the red threes lie open nobody needs to know.
        return tuple("3R" if card in RED_THREES else card for card in cards.elements())

    for _ in range(60 * len(possible)):
        deal_world(memory, desk.options, np.int64(0), stream)
        world = memory.states[WORLD]
        hands = [told(cards_in(world.hand_one[player], world.hand_two[player])) for player in range(4)]
        assert hands[3] == ("KD",)
        stock = [told(Counter([card_text(card)]))[0] for card in world.deck[int(world.stock_next) :].tolist()]
        met[tuple(sorted(hands[1])), tuple(sorted(hands[2])), tuple(stock)] += 1
    assert met.keys() == possible.keys()
    expected = np.array(list(possible.values()), float) * met.total() / possible.total()
    assert stats.chisquare([met[deal] for deal in possible], expected).pvalue > 1e-4


def test_who_asks_can_go_out_in_every_world() -> None:
    """His hand is as likely as any that can, in the shares in which such hands are dealt."""
    setup = make_setup("canasta", seed=4, rules={"ask_partner": True})
    asked = Searcher(setup, parse_policy(SPEC, "search"))
    memory, options = asked.memory.view(np.recarray)[0], setup.encoded_options.view(np.recarray)[0]
    stream = np.array([2], np.uint64)
    met = 0
    for deal, turn in product(range(30), range(15, 40)):
        if met >= 3:
            break
        for decision in decisions_of_turn(setup, batch.deal_jobs(setup, deal, 1), turn):
            if decision.position.question != ANSWER:
                continue
            seat, table = np.int64(decision.position.seat), decision.position.table.view(np.recarray)[0]
            side = int(seat) % 2
            mover = int(table.seat)
            assert mover == (seat + 2) % 4
            open_world(memory, table, seat, np.uint64(decision.position.given[0]))
            for _ in range(20):
                deal_world(memory, options, seat, stream)
                hand = np.uint64(memory.states[WORLD].hand[mover])
                assert total(hand) == table.hand_count[mover]
                assert find_going_out(options, np.uint64(table.melded[side]), np.uint64(table.wilds[side]), hand)[0]
            met += 1
    assert met >= 3


# ------------------------------------------------------------ what is found


def played_on(states: Any, setup: Any, question: Any, option: Any, players: list[str], side: int) -> int:
    """Margin of a side when an option is taken in a world and all go on by their policies, by the game's own loops."""
    copy = states.copy().view(np.recarray)
    state, table = copy[0], copy[0].table
    log = np.zeros(0, EVENT).view(np.recarray)
    record = np.zeros(1, SPEC.record_layout).view(np.recarray)[0]
    playing = make_setup("canasta", rules=dict(setup.options), policies=players)
    policies, parameters, options = (
        playing.policy_numbers,
        playing.parameters,
        setup.encoded_options.view(np.recarray)[0],
    )
    seat = np.int64(table.seat)
    own = parameters[seat]
    action = option["naturals"], option["jokers"], option["twos"]
    is_over = False
    if question == DISCARD:
        apply_discard(state, options, seat, np.int64(option["rank"]), record, log)
        is_over = bool(table.hand_count[seat] == 0)
        assert not is_over
    else:
        if question == DRAW and option["yes"]:
            apply_take(state, seat, *action, record, log)
        elif question == DRAW:
            is_over = bool(draw_from_stock(state, options, seat, record, log))
            if not is_over and options.ask_partner:
                ask_phase(state, options, policies, parameters, record, log)
        elif any(cards_of(option)):
            apply_melds(state, seat, *action, record, log)
            table.laid = 0
        is_done = question == MELD and not any(cards_of(option))
        if not is_over and not is_done:
            is_over = bool(meld_phase(state, options, policies[seat], own, record, log))
        if not is_over:
            is_over = bool(discard_phase(state, policies[seat], options, own, record, log))
    if not is_over:
        pass_on(table)
        while not play_turn(state, options, policies, parameters, record, log):
            pass
    score(state, record)
    return int(record.score[side]) - int(record.score[1 - side])


def players_of(playout: int, world: int, side: int) -> list[str]:
    """Who plays a world on, seat by seat."""
    if playout != MIXED:
        return [("standard", "expert")[playout]] * 4
    others = ("standard", "expert")[world % 2]
    return ["expert" if seat % 2 == side else others for seat in range(4)]


@pytest.mark.parametrize(("playout", "world"), [(STANDARD, 0), (EXPERT, 0), (MIXED, 0), (MIXED, 1)])
@pytest.mark.parametrize("number", range(1, len(SETUPS), 8))
def test_an_option_is_worth_in_a_world_what_it_comes_to_there(number: int, playout: int, world: int) -> None:
    setup = SETUPS[number]
    asked = Searcher(setup, parse_policy(SPEC, f"search:playout={playout}"))
    met: Counter[str] = Counter()
    for decision in positions(number, range(2, 50, 4)):
        position = decision.position
        if position.question not in (DRAW, MELD, DISCARD):
            continue
        before = np.zeros((2, MOST_OPTIONS), np.int64)
        if world:
            asked.ask(position, 7, worlds=world)
            before[:] = asked.memory["tally"][0]["total"], asked.memory["tally"][0]["squares"]
        asked.ask(position, 7, worlds=world + 1)
        tally, states = asked.memory["tally"][0], asked.memory["states"][0][WORLD : WORLD + 1]
        hand_left = int(position.table["hand_count"][0][position.seat])
        for place, option in enumerate(asked.options):
            if position.question == DISCARD and hand_left == 1:
                continue
            side = position.seat % 2
            worth = played_on(states, setup, position.question, option, players_of(playout, world, side), side)
            added = tally["total"][place] - before[0, place], tally["squares"][place] - before[1, place]
            assert added == (worth, worth**2), position.question.name
            met[position.question.name] += 1
    assert min(met[name] for name in ("choose_draw", "choose_meld", "choose_discard")) > 4


def test_the_hand_is_ended_where_that_wins() -> None:
    """It can be laid but for a card to throw; the opponents have nothing on the table and much in their hands."""
    desk = Desk({0: "6S 6H 6D 9C"}, pile="7C", stock="4S 5S 6S 7S")
    desk.own("5S 5H 5D 5C 5S 5H 5D")
    table = desk.table
    table.red_threes[:] = 2
    table.stock_left = 12
    table.hand_count[1], table.hand_count[2], table.hand_count[3] = 11, 2, 11
    located = ["6S", "6H", "6D", "9C", "7C", "5S", "5H", "5D", "5C", "5S", "5H", "5D"]
    hidden = sorted((two_packs(4) - Counter([*located, *RED_THREES, *RED_THREES])).elements())
    throw_all(desk, Counter(hidden[: -(12 + 11 + 2 + 11)]))
    asked = Searcher(desk.setup, parse_policy(SPEC, "search:rollouts=200"))
    naturals, jokers, twos = asked.ask(decision_of(desk, MELD).position, 3)
    assert (int(naturals), int(jokers), int(twos)) == (int(counts("6S 6H 6D")), 0, 0)
    desk.lay("6S 6H 6D")
    rank = asked.ask(decision_of(desk, DISCARD).position, 3)
    assert find_discard(rank, asked.memory.view(np.recarray)[0]) == 0
    assert rank == card_number("9C") & 15
