"""Loba: what a search weighs, the worlds that it deals, and what it finds."""

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

from kernels.cards import JOKER_TEXT, card_number, card_text, card_texts
from kernels.loba.advice import lying
from kernels.loba.covering import NEW
from kernels.loba.layout import MAX_SEATS, SPEC
from kernels.loba.meld_rules import HAND, must_lay
from kernels.loba.play import discard_card, discard_phase, lay_phase, pass_on, play_turn
from kernels.loba.rules import apply_lay, draw_card, score, take_discard
from kernels.loba.search import find_discard, find_draw, find_lay
from kernels.loba.search_options import list_discards, list_draws, list_lays
from kernels.loba.search_worlds import deal_world, open_world
from kernels.searching import MOST_OPTIONS, WORLD
from kernels.trace import EVENT
from sim import batch
from sim.games import make_setup, parse_policy
from sim.positions import Position, Searcher, decisions_of_turn
from sim.specialise import questions
from tests.properties.setups import covering_setups
from tests.properties.test_loba_legal_actions import Spot
from tests.referee.cards import two_packs
from tests.referee.loba_ways import every_lay
from tests.rules.loba_table import JOKER_NUMBERS, Desk, words

DRAW, LAY, DISCARD = questions("loba")
SPOTS = 150

Lay = tuple[int | None, tuple[str, ...]]
"""Number of the meld, None for a new one, and the cards that are added, in the order of their texts."""


def searcher(desk: Desk, text: str = "search:rollouts=300") -> Searcher:
    return Searcher(desk.setup, parse_policy(desk.setup.spec, text))


def position(desk: Desk, question: Any) -> Position:
    """What the seat in turn is asked at a desk."""
    given = tuple(int(word) for word in desk.words_of())
    return Position(desk.setup, question, int(desk.seat), np.array([desk.table.tolist()], desk.table.dtype), given)


def listed(desk: Desk, listing: Any) -> tuple[Any, list[Any]]:
    """Memory of a search that has listed its options, and the options."""
    asked = searcher(desk)
    memory = asked.memory.view(np.recarray)[0]
    count = listing(memory, desk.table, desk.options, desk.seat, *desk.words_of())
    options = list(asked.memory["option"][0][:count])
    assert len({option.tobytes() for option in options}) == count <= MOST_OPTIONS
    assert 0 <= memory.expert < count
    return memory, options


def is_stop(option: Any) -> bool:
    return not option["naturals"] and not option["jokers"]


def lay_of(desk: Desk, option: Any) -> Lay:
    """An option as the referee tells lays apart."""
    number = int(option["meld"])
    naturals, twice, jokers = (int(option[name]) for name in ("naturals", "twice", "jokers"))
    new_set = not jokers and len({card >> 4 for card in range(64) if naturals >> card & 1}) > 1
    is_set = bool(desk.table.is_set[desk.seat, number]) if number >= 0 else new_set
    return (None if number < 0 else number), tuple(sorted(lying(naturals, twice, jokers, is_set=is_set)))


def is_elementary(lay: Lay) -> bool:
    """Whether a lay is a meld of three, or a natural card more with a joker before it or without."""
    number, cards = lay
    naturals = [card for card in cards if card != JOKER_TEXT]
    return len(cards) == 3 if number is None else len(naturals) == 1


# ------------------------------------------------------------ what is weighed


def test_every_elementary_lay_and_what_the_policies_would_do_is_listed() -> None:
    """The referee finds them by plain search."""
    met: Counter[str] = Counter()
    for seed in range(SPOTS):
        spot = Spot(seed)
        if spot.takes and spot.table.why_not_take() is None:
            spot.table.take_discard()
            spot.desk.taken()
        lays = every_lay(spot.table.hand, spot.table.mine, spot.options)
        legal = {(lay.number, tuple(sorted(lay.cards))) for lay in lays if spot.table.leaves_an_end(lay)}
        stuck = bool(must_lay(spot.desk.table, spot.desk.options, spot.desk.seat, spot.desk.words_of()[0]))
        memory, options = listed(spot.desk, list_lays)
        found = {lay_of(spot.desk, option) for option in options if not is_stop(option)}
        elementary = {lay for lay in legal if is_elementary(lay)}
        assert elementary <= found <= legal, seed
        by_policies = {lay_of(spot.desk, options[number]) for number in (0, int(memory.expert))}
        assert found <= elementary | by_policies, seed
        assert any(map(is_stop, options)) != stuck
        nothing = np.uint64(0)
        assert (find_lay(NEW, nothing, nothing, nothing, memory) >= 0) != stuck
        for number, option in enumerate(options):
            parts = (option["naturals"], option["twice"], option["jokers"])
            assert find_lay(np.int64(option["meld"]), *parts, memory) == number
        met.update(lays=len(elementary), stuck=stuck, taken=int(spot.desk.table.taken >= 0))
    assert min(met["lays"], met["stuck"] * 20, met["taken"]) > SPOTS // 4


@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("7S 7S 9C 3C AH", ()),
        ("7S 7S 9C 3C AH", ("4D 5D 6D 7D", "8H 8C 8S 8S")),
        ("JK JK", ("4D 5D 6D 7D",)),
        ("JK JK", ()),
        ("JK", ("4D 5D 6D 7D",)),
        ("JK 9C", ("4D JK 6D 7D",)),
    ],
)
def test_every_card_that_may_be_discarded_is_listed(hand: str, melds: tuple[str, ...]) -> None:
    desk = Desk(hand, jokers=4).own(*melds)
    memory, options = listed(desk, list_discards)
    found = Counter((card_text(int(option["card"])), int(option["meld"])) for option in options)
    legal = {(card, -1) for card in hand.split() if desk.discard(card) == 0}
    for number, meld in enumerate(melds):
        legal |= {(card, number) for card in meld.split() if card != JOKER_TEXT and desk.discard(card, number) == 0}
    assert found == Counter(legal)
    for number, option in enumerate(options):
        assert find_discard(np.int64(option["card"]), np.int64(option["meld"]), memory) == number
    jokers = [joker for joker in JOKER_NUMBERS if int(desk.words_of()[0]) >> joker & 1]
    assert len({int(find_discard(np.int64(joker), HAND, memory)) for joker in jokers}) <= 1


def test_drawing_and_taking_are_weighed() -> None:
    memory, options = listed(Desk("7S 8S KD", discards="9S"), list_draws)
    assert sorted(int(option["takes"]) for option in options) == [0, 1]
    assert options[0]["takes"] == 1
    assert sorted(int(find_draw(takes, memory)) for takes in (False, True)) == [0, 1]


# ------------------------------------------------------------ worlds


def hand_of(state: Any, seat: int) -> Counter[str]:
    both = (int(state.hand_one[seat]), int(state.hand_two[seat]))
    return Counter(card_text(card) for card in range(64) for word in both if word >> card & 1)


def stock_of(world: Any) -> list[str]:
    first = int(world.stock_next)
    return card_texts(world.deck[first : first + int(world.table.stock_left)].tolist())


def faces(one: Any, two: Any) -> Counter[str]:
    return Counter(card_text(card) for card in range(64) for word in (int(one), int(two)) if word >> card & 1)


@pytest.mark.parametrize("number", range(0, len(covering_setups("loba")), 4))
def test_a_world_is_as_its_seat_knows_it(number: int) -> None:
    setup = covering_setups("loba")[number]
    asked = Searcher(setup, parse_policy(SPEC, "search"))
    memory, options = asked.memory.view(np.recarray)[0], setup.encoded_options.view(np.recarray)[0]
    stream = np.array([number], np.uint64)
    for turn in range(1, 80, 3):
        for decision in decisions_of_turn(setup, batch.deal_jobs(setup, 2, 1), turn):
            seat, table = np.int64(decision.position.seat), decision.position.table.view(np.recarray)[0]
            own = tuple(np.uint64(word) for word in decision.position.given)
            open_world(memory, table, options, seat, *own)
            for _ in range(4):
                deal_world(memory, seat, stream)
                check_world(memory.states[WORLD], table, int(seat), own)


def test_the_stock_of_a_world_is_of_the_discards_that_it_was_made_of() -> None:
    """Seven players who play as `standard` does reshuffle in four deals of ten."""
    setup = make_setup("loba", seed=3, rules={"players": 7})
    jobs = batch.deal_jobs(setup, 0, 60)
    records = batch.play(setup, jobs)
    asked = Searcher(setup, parse_policy(SPEC, "search"))
    memory, options = asked.memory.view(np.recarray)[0], setup.encoded_options.view(np.recarray)[0]
    stream = np.array([3], np.uint64)
    met = 0
    for deal in np.flatnonzero(records["reshuffles"])[:6].tolist():
        for turn in range(44, int(records["turns"][deal]) + 1):
            for decision in decisions_of_turn(setup, jobs[deal : deal + 1], turn):
                table = decision.position.table.view(np.recarray)[0]
                if not table.reshuffles:
                    continue
                seat = np.int64(decision.position.seat)
                own = tuple(np.uint64(word) for word in decision.position.given)
                open_world(memory, table, options, seat, *own)
                for _ in range(3):
                    deal_world(memory, seat, stream)
                    check_world(memory.states[WORLD], table, int(seat), own)
                met += 1
    assert met > 30


def check_world(world: Any, table: Any, seat: int, own: tuple[Any, ...]) -> None:
    """Every card where it is known to be, hands and stock of their sizes, no card too many."""
    assert world.table == table
    hands = [hand_of(world, player) for player in range(MAX_SEATS) if table.playing[player] or player == seat]
    others = [player for player in range(MAX_SEATS) if table.playing[player] and player != seat]
    assert (world.hand_one[seat], world.hand_two[seat]) == own
    stock = Counter(stock_of(world))
    jokers = int(world.cards) - 104
    assert sum(hands, stock) + faces(table.seen_one, table.seen_two) == two_packs(jokers)
    recycled = faces(table.recycled_one, table.recycled_two)
    if table.reshuffles:
        assert stock <= recycled
    for player in others:
        hand = hand_of(world, player)
        assert hand.total() == table.hand_count[player]
        assert faces(table.known_one[player], table.known_two[player]) <= hand


def hide(desk: Desk, *unseen: str, known: tuple[int, ...] = ()) -> None:
    """Let all cards be seen but these, which are in the hands of the others and in the stock."""
    table = desk.table
    table.known_one[:] = table.known_two[:] = 0
    for player in known:
        table.known_one[player], table.known_two[player] = desk.words_of(player)
    held = sum((Counter(desk.hand(player).split()) for player in (desk.seat, *known)), Counter[str]())
    gone = two_packs(int(desk.options.jokers)) - held - Counter(unseen)
    table.seen_one, table.seen_two = words(list(gone.elements()))


def dealt(desk: Desk, worlds: int) -> Counter[Any]:
    """How often the hidden cards come to lie how: hands 1 and 2, the stock in order."""
    asked = searcher(desk)
    memory, stream = asked.memory.view(np.recarray)[0], np.array([5], np.uint64)
    open_world(memory, desk.table, desk.options, desk.seat, *desk.words_of())
    met: Counter[Any] = Counter()
    for _ in range(worlds):
        deal_world(memory, desk.seat, stream)
        world = memory.states[WORLD]
        hands = (tuple(sorted(hand_of(world, player).elements())) for player in (1, 2))
        met[*hands, tuple(stock_of(world))] += 1
    return met


def check_uniform(met: Counter[Any], possible: Counter[Any]) -> None:
    assert met.keys() == possible.keys()
    expected = np.array(list(possible.values()), float) * met.total() / possible.total()
    assert stats.chisquare([met[deal] for deal in possible], expected).pvalue > 1e-4


def test_every_possible_deal_is_as_likely() -> None:
    """Two hidden cards each of two hands and the stock."""
    unseen = ["4C", "4C", "5C", "6C", "7C", JOKER_TEXT]
    desk = Desk({0: "9S", 1: "TS TS", 2: "TH TH"}, stock="QC QD", players=3, jokers=1)
    hide(desk, *unseen)
    possible = Counter((tuple(sorted(deal[:2])), tuple(sorted(deal[2:4])), deal[4:]) for deal in permutations(unseen))
    check_uniform(dealt(desk, 50 * len(possible)), possible)


def test_after_a_reshuffle_hands_have_no_more_of_the_stock_than_was_drawn() -> None:
    """Of 4♣ 5♣ 6♣ 8♣ two are left and one was drawn by each; who drew one may have discarded it since."""
    held, stock = ["4C", "7C", "7D", JOKER_TEXT], ["4C", "5C", "6C", "8C"]
    desk = Desk({0: "9S", 1: "TS TS TS", 2: "TH TH TH"}, stock="QC QD", players=3, jokers=1)
    hide(desk, *held, *stock)
    table = desk.table
    table.reshuffles = 1
    table.recycled_one, table.recycled_two = words(stock)
    for drawn in ((1, 1), (2, 0), (2, 1), (3, 3)):
        table.drawn[1:3] = drawn
        possible: Counter[Any] = Counter()
        for left in permutations(range(4), 2):
            rest = [number for number in range(4) if number not in left]
            for of_first in range(3):
                for first in combinations(rest, of_first):
                    if of_first > drawn[0] or 2 - of_first > drawn[1]:
                        continue
                    for own in combinations(range(4), 3 - of_first):
                        one = [stock[number] for number in first] + [held[number] for number in own]
                        other = Counter(held + [stock[number] for number in rest]) - Counter(one)
                        hands = tuple(sorted(one)), tuple(sorted(other.elements()))
                        possible[*hands, tuple(stock[number] for number in left)] += 1
        check_uniform(dealt(desk, 40 * len(possible)), possible)


def test_more_cards_that_count_as_the_stocks_than_were_drawn_may_lie_anywhere() -> None:
    """A 4♣ was in a hand, its twin in the stock, and one of them has been seen since."""
    desk = Desk({0: "9S", 1: "TS", 2: "TH"}, stock="QC", players=3, jokers=1)
    hide(desk, "4C", "5C", "7C")
    table = desk.table
    table.reshuffles = 1
    table.recycled_one, table.recycled_two = words(["4C", "5C"])
    met = dealt(desk, 400)
    assert met.keys() == {
        (("4C",), ("7C",), ("5C",)),
        (("7C",), ("4C",), ("5C",)),
        (("5C",), ("7C",), ("4C",)),
        (("7C",), ("5C",), ("4C",)),
    }


def test_a_joker_that_was_taken_is_in_that_hand() -> None:
    desk = Desk({0: "9S", 1: "TS TS", 2: "TH TH"}, stock="QC QD", players=3, jokers=2)
    hide(desk, "4C", "5C", "6C", "7C", JOKER_TEXT, JOKER_TEXT)
    desk.table.took[2] = 1 << 16
    met = dealt(desk, 300)
    assert all(JOKER_TEXT in other for _, other, _ in met)
    assert any(JOKER_TEXT in one for one, _, _ in met)
    assert any(JOKER_TEXT in stock for _, _, stock in met)
    # Once he has laid a joker nobody knows whether it was that one.
    desk.table.jokers_laid[2] = 1
    assert not all(JOKER_TEXT in other for _, other, _ in dealt(desk, 300))


def test_which_joker_a_joker_is_makes_no_difference() -> None:
    """Seen ones change their numbers; the same faces are dealt to the same places."""
    worlds = []
    for number in (0, 16):
        desk = Desk({0: "9S", 1: "TS TS", 2: "TH TH"}, stock="QC QD", players=3, jokers=2)
        hide(desk, "4C", "5C", "6C", "7C", "8C", JOKER_TEXT)
        desk.table.seen_one = (int(desk.table.seen_one) & ~(1 | 1 << 16)) | 1 << number
        worlds.append(list(dealt(desk, 50)))
    assert worlds[0] == worlds[1]


def test_other_cards_than_places_are_an_error() -> None:
    desk = Desk({0: "9S", 1: "TS", 2: "TH"}, stock="QC", players=3, jokers=0)
    hide(desk, "4C", "5C")
    with pytest.raises(RuntimeError, match="other cards to deal than places"):
        dealt(desk, 1)


# ------------------------------------------------------------ what is found


def some_end(rng: random.Random) -> Desk:
    """The end of a round of two players, everything known: one card left to draw, and none after it."""
    suits = rng.choice(("S", "SH"))
    pack = [card for card in two_packs(0).elements() if card[1] in suits]
    rng.shuffle(pack)
    desk = Desk(
        {0: " ".join(pack[:6]), 1: " ".join(pack[6:11])}, stock=pack[12], discards=pack[11], players=2, jokers=0
    )
    if rng.random() < 0.5:
        desk.own("4D 5D 6D 7D")
    hide(desk, pack[12], known=(1,))
    table = desk.table
    table.reshuffles = 3
    table.recycled_one, table.recycled_two = words([pack[12]])
    return desk


def played_on(desk: Desk, question: Any, option: Any, playout: str) -> int:
    """Margin of the seat in turn when an option is taken and all go on by a policy, by the game's own loops."""
    before = desk.states.copy()
    state, table, record = desk.state, desk.table, desk.record
    log = np.zeros(0, EVENT).view(np.recarray)
    setup = make_setup("loba", rules=dict(desk.setup.options), policies=playout)
    policies, parameters, options = setup.policy_numbers, setup.parameters, desk.options
    seat = desk.seat
    turn = policies[seat], parameters[seat], record, log
    is_over, lays = False, question != DISCARD
    if question == DRAW and option["takes"]:
        take_discard(state, seat, record, log)
    elif question == DRAW:
        is_over = not draw_card(state, seat, log)
    elif question == LAY and is_stop(option):
        lays = False
    elif question == LAY:
        lay = np.int64(option["meld"]), option["naturals"], option["twice"], option["jokers"]
        apply_lay(state, seat, *lay, record, log)
    if lays and not is_over:
        is_over = lay_phase(state, options, *turn)
    if question == DISCARD:
        is_over = discard_card(state, seat, np.int64(option["card"]), np.int64(option["meld"]), record, log)
    elif not is_over:
        is_over = discard_phase(state, options, *turn)
    if not is_over:
        pass_on(table, options)
        while not play_turn(state, options, policies, parameters, record, log):
            pass
    score(state, options, desk.job, record)
    desk.states[:] = before
    return int(record.score[seat]) - int(record.score[1 - seat])


@pytest.mark.parametrize("playout", [0, 1])
def test_where_nothing_is_hidden_every_option_is_worth_what_it_comes_to(playout: int) -> None:
    rng = random.Random(11)
    met: Counter[str] = Counter()
    for _ in range(60):
        desk = some_end(rng)
        for question in (DRAW, LAY, DISCARD):
            asked = searcher(desk, f"search:playout={playout}")
            asked.ask(position(desk, question), 1, worlds=3)
            tally = asked.memory["tally"][0]
            for number, option in enumerate(asked.options):
                worth = played_on(desk, question, option, ("standard", "expert")[playout])
                assert (tally["total"][number], tally["squares"][number]) == (3 * worth, 3 * worth**2)
                met[question.name] += 1
    assert min(met.values()) > 60


def test_who_can_go_out_does() -> None:
    desk = Desk({0: "5S 6S 7S 9D", 1: "TC TD 4H"}, stock="2C 2D", players=2, jokers=0).own("4D 5D 6D", "8H 9H TH")
    hide(desk, "TC", "TD", "4H", "2C", "2D")
    asked = searcher(desk)
    assert int(asked.ask(position(desk, LAY), 4)[1])
    desk = Desk({0: "QS KS", 1: "TC TD 4H"}, discards="AS", stock="2C 2D", players=2, jokers=0).own("4D 5D 6D")
    hide(desk, "TC", "TD", "4H", "2C", "2D")
    assert searcher(desk).ask(position(desk, DRAW), 4)


@pytest.mark.parametrize("playout", [0, 1])
def test_the_next_player_is_not_given_the_card_that_he_goes_out_with(playout: int) -> None:
    """All know his hand: with the jack of spades he would lay everything."""
    desk = Desk({0: "JS 4D 9C", 1: "TS QS"}, stock="2C 2D 2H", players=2, jokers=0).own("8H 9H TH")
    desk.own("4S 5S 6S", seat=1)
    hide(desk, "2C", "2D", "2H", known=(1,))
    asked = searcher(desk, f"search:playout={playout}")
    card, meld = asked.ask(position(desk, DISCARD), 4)
    assert (card_text(int(card)), int(meld)) != ("JS", -1)


def test_a_card_may_be_taken_that_the_rollouts_would_not_know_how_to_lay() -> None:
    """The 8♥ must be laid; the policies would rather lay the three sevens, as many cards and more points."""
    desk = Desk(
        {0: "6H 7H 7S 7D KS KC KD 2C 3D", 1: "TC TD 4H"},
        discards="8H",
        stock="2D 2H 2S 3C",
        players=2,
        jokers=0,
        taken_discard_must_meld=True,
    )
    hide(desk, "TC", "TD", "4H", "2D", "2H", "2S", "3C")
    asked = searcher(desk)
    asked.ask(position(desk, DRAW), 4, worlds=20)
    assert len(asked.options) == 2
    desk.taken()
    asked.ask(position(desk, LAY), 4, worlds=20)
    assert not any(map(is_stop, asked.options))
    laid = {lay_of(desk, option) for option in asked.options}
    assert (None, ("6H", "7H", "8H")) in laid


def test_one_option_alone_is_not_searched() -> None:
    desk = Desk({0: "KS", 1: "TC TD"}, stock="2C 2D", players=2, jokers=0)
    hide(desk, "TC", "TD", "2C", "2D")
    asked = searcher(desk)
    assert card_text(int(asked.ask(position(desk, DISCARD), 4)[0])) == "KS"
    assert asked.memory["tally"][0]["worlds"][0] == 0
    assert card_number("KS") == int(asked.options[0]["card"])
