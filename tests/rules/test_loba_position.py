"""Loba: positions typed in say all that decides where the unseen cards may lie, and what cannot be is refused."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.loba.cards import JOKERS
from kernels.loba.layout import HAND_SIZE
from kernels.loba.position import ANY_NUMBER, fields_of
from kernels.loba.search_memory import MEMORY_LAYOUT
from kernels.loba.search_worlds import deal_world, open_world
from kernels.searching import WORLD
from sim import batch
from sim.errors import UsageError
from sim.games import make_setup
from sim.positions import Position, decisions_of_turn
from sim.typed import typed_position
from tests.properties.setups import covering_setups

HAND = "5S 6S 7S 9D QC QD 2H 4C KH"
TYPED: dict[str, Any] = {"hand": f"{HAND} AC", "exposed": "3D", "discards": "8C"}
DRAWS: dict[str, Any] = {"hand": HAND, "decides": "draw"}


def typed(changed: dict[str, Any], rules: dict[str, Any]) -> Position:
    return typed_position(make_setup("loba", rules=rules), None, {**TYPED, **changed}, (), str).position


def jokers(*words: Any) -> int:
    """Jokers of some words."""
    return sum((int(word) & int(JOKERS)).bit_count() for word in words)


@pytest.mark.parametrize("number", range(0, len(covering_setups("loba")), 3))
def test_the_discards_and_the_jokers_of_every_place_are_kept(number: int) -> None:
    setup = covering_setups("loba")[number]
    checked = 0
    for turn in range(1, 90, 5):
        for decision in decisions_of_turn(setup, batch.deal_jobs(setup, 1, 1), turn):
            asked = decision.position
            told = fields_of(asked.question.name, asked.seat, asked.table[0], asked.given, setup.options)
            found = typed_position(setup, None, told, (), str).position
            one, other = (place.table[0] for place in (asked, found))
            piles = [table["discards"][: int(table["discard_count"])].tolist() for table in (one, other)]
            assert [card if card & 15 else 0 for card in piles[0]] == [card if card & 15 else 0 for card in piles[1]]
            assert jokers(*asked.given) == jokers(*found.given)
            for words in (("seen_one", "seen_two"), ("recycled_one", "recycled_two")):
                assert jokers(*(one[name] for name in words)) == jokers(*(other[name] for name in words))
            for name in ("took", "thrown"):
                assert list(map(jokers, one[name])) == list(map(jokers, other[name]))
            checked += 1
    assert checked > 2


WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (
        {"hand": HAND, "decides": "lay"},
        {},
        "hand: it has 9, your melds 0: together they are 9 before drawing, 10",
    ),
    ({"hand": ""}, {}, "hand: it has 0, your melds 0: together they are 9 before drawing, 10 after it"),
    ({**DRAWS, "hand": TYPED["hand"]}, {}, "hand: it has 10, your melds 0: together they are 9 before"),
    ({"exposed": "3D 4D"}, {}, "exposed: 2 cards; one is exposed"),
    ({"exposed": "JK"}, {}, "exposed: a joker is never exposed"),
    ({"hand": f"{HAND} JK", "discards": "JK JK JK"}, {}, "the pack of loba has it 3 times"),
    ({"out": [1, 0, 0, 0]}, {}, "out: it is the turn of seat 0, so it is in"),
    ({"out": [0, 1, 1, 1]}, {}, "out: two players at least are still in"),
    ({"hand": f"{HAND} JK", "discards": "JK JK", "out": [0, 1, 0, 0]}, {}, "hand: 3 jokers are known; the pack of"),
    ({"out": [0, 1, 0, 0], "melds": ["", "4D 4H 4S", "", ""]}, {}, "melds: seat 1 is out of the match and has none"),
    ({"melds": ["", "4D 4H 4D", "", ""]}, {}, "melds: 4D 4H 4D cannot lie so (LOB-05)"),
    ({"melds": ["", "4D 4H JK", "", ""]}, {}, "melds: 4D 4H JK cannot lie so (LOB-07)"),
    ({"melds": ["", "6D 4D 5D", "", ""]}, {}, "melds: 6D 4D 5D cannot lie so: give the cards of a sequence in order"),
    ({"melds": ["", "JK 4D 5D", "", ""]}, {}, "melds: JK 4D 5D cannot lie so (LOB-07)"),
    ({"melds": ["", "QD KD AD 2D", "", ""]}, {}, "melds: QD KD AD 2D cannot lie so: give the cards"),
    ({"melds": ["", "4D 5D", "", ""]}, {}, "melds: 4D 5D cannot lie so (LOB-06)"),
    ({"melds": ["", "KD AD JK", "", ""]}, {}, "melds: KD AD JK cannot lie so (LOB-06)"),
    ({"melds": ["", "4D 5D 6D 7D 8D 9D TD JD QD", "", ""]}, {}, "melds: seat 1 has no card left with 9 laid"),
    ({"melds": ["", "4D 4H 4S / 6D 6H 6S / 8D 8H 8S / 9C 9H 9S", "", ""]}, {}, "melds: 4 melds of seat 1"),
    ({"known": ["8D", "", "", ""]}, {}, "known: seat 0 is you: your cards that all know are shown"),
    ({"known": ["", "JK", "", ""]}, {}, "known: which joker leaves a hand nobody can tell"),
    ({"known": ["", "2C 2D 2S 3C 3H 3S 4D 4H 4S 5C", "", ""]}, {}, "known: seat 1 holds only 9 cards"),
    ({"shown": "8D"}, {}, "shown: these cards are not all in your hand"),
    ({**DRAWS, "taken": "9D"}, {}, "taken: before drawing nothing is taken or laid"),
    ({**DRAWS, "laid": True}, {}, "laid: before drawing nothing is taken or laid"),
    ({"taken": "9D KH"}, {}, "taken: 2 cards; one is taken in a turn"),
    ({"taken": "9C"}, {}, "taken: these cards are not all in your hand"),
    ({"taken": "JK"}, {}, "taken: JK is not in your hand; in which meld does it lie?"),
    ({"taken_meld": 0}, {}, "taken_meld: say which card was taken"),
    ({"taken": "8D", "taken_meld": 0}, {}, "taken_meld: 8D does not lie in your meld 0"),
    ({"laid": True}, {}, "melds: who has laid cards has melds"),
    ({"laid_before": True}, {}, "melds: who has laid cards has melds"),
    ({"stock": 3}, {}, "stock: 3 cards, but 68 are nowhere else"),
    ({"recycled": "4D"}, {}, "recycled: the discards have never become the stock"),
    ({"reshuffles": 1, "recycled": "4D 5D"}, {}, "recycled: the stock has 68 cards, and only 2 of these"),
    ({"reshuffles": 4}, {}, "reshuffles: 4 is out of range"),
    ({**DRAWS, "discards": ""}, {}, "decides: the discard may not be taken (LOB-04)"),
    ({**DRAWS, "hand": "9D", "melds": ["5S 6S 7S / 2C 2D 2H JC QC", "", "", ""]}, {}, "cannot lie so"),
    ({**DRAWS, "hand": "9D", "melds": ["5S 6S 7S 8S / 9C TC JC QC", "", "", ""]}, {}, "may not be taken (LOB-11)"),
    (DRAWS, {"taken_discard_must_meld": True}, "decides: the discard may not be taken (LOB-12)"),
    (
        {"hand": f"{HAND} 8S", "taken": "8S", "decides": "discard"},
        {"taken_discard_must_meld": True},
        "decides: the card taken must be laid first",
    ),
]


@pytest.mark.parametrize(("changed", "rules", "complaint"), WRONG)
def test_what_cannot_be_is_refused(changed: dict[str, Any], rules: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError) as refused:
        typed(changed, rules)
    assert complaint in str(refused.value)


def test_what_is_not_said_follows() -> None:
    table = typed({}, {}).table[0]
    assert table["hand_count"].tolist() == [10, 9, 9, 9, 0, 0, 0]
    assert table["stock_left"] == 107 - 37 - 2
    assert (table["turn"], table["players"], table["taken"]) == (2, 4, -1)
    table = typed({"hand": "AC", "melds": ["5S 6S 7S / QC QD QS / KH KD KS", "4D JK 6D", "", ""]}, {}).table[0]
    assert table["hand_count"].tolist() == [1, 6, 9, 9, 0, 0, 0]
    assert table["has_laid"].tolist() == [1, 1, 0, 0, 0, 0, 0]
    assert table["jokers_laid"].tolist() == [0, 1, 0, 0, 0, 0, 0]
    table = typed({"taken": "9D"}, {}).table[0]
    assert (table["taken_only"], table["taken_meld"], table["laid"]) == (1, -1, 0)
    assert int(table["known_one"][0]) == int(table["took"][0]) == 1 << 16 + 9
    table = typed({"hand": f"{HAND} 9D", "taken": "9D"}, {}).table[0]
    assert table["taken_only"] == 0
    laid = {"hand": "9D QC QD 2H 4C KH AC", "melds": ["5S 6S 7S", "", "", ""], "taken": "6S", "taken_meld": 0}
    table = typed(laid, {}).table[0]
    assert (table["taken_only"], table["taken_meld"], table["laid"], table["has_laid"][0]) == (1, 0, 1, 0)
    assert not table["known_one"][0]


def test_what_is_decided_follows_from_the_number_of_cards() -> None:
    assert typed({}, {}).question.name == "choose_lay"
    assert typed({"hand": HAND}, {}).question.name == "choose_draw"
    melds = ["5S 6S 7S", "", "", ""]
    assert typed({"hand": "9D QC QD 2H 4C KH", "melds": melds}, {}).question.name == "choose_draw"
    assert typed({"hand": "9D QC QD 2H 4C KH AC", "melds": melds}, {}).question.name == "choose_lay"


def test_an_ace_may_lie_low() -> None:
    low = typed({"melds": ["", "AD 2D 3D", "AS 2S JK 4S", "QH KH AH"]}, {}).table[0]
    assert int(low["meld_one"][1, 0]) == 0b1110 << 16
    assert int(low["meld_jokers"][2, 0]) == 1 << 48 + 3
    assert int(low["meld_one"][3, 0]) == 1 << 32 + 12 | 1 << 32 + 13 | 1 << 32 + 14


def test_of_what_the_stock_was_made_need_not_be_said() -> None:
    """Then any unseen card may be there."""
    rules = {"jokers": 0}
    found = typed({"reshuffles": 1}, rules)
    assert found.table[0]["drawn"][:4].tolist() == [ANY_NUMBER] * 4
    memory = np.zeros(1, MEMORY_LAYOUT).view(np.recarray)[0]
    table, seat = found.table.view(np.recarray)[0], np.int64(found.seat)
    options = make_setup("loba", rules=rules).encoded_options.view(np.recarray)[0]
    open_world(memory, table, options, seat, *map(np.uint64, found.given))
    with np.errstate(over="ignore"):
        deal_world(memory, seat, np.array([1], np.uint64))
    world = memory.states[WORLD]
    for other in range(1, 4):
        assert sum(int(word[other]).bit_count() for word in (world.hand_one, world.hand_two)) == HAND_SIZE
