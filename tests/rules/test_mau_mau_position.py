"""Mau-mau: positions typed in say all that decides where the unseen cards may lie, and what cannot be is refused."""

from __future__ import annotations

from typing import Any

import pytest

from kernels.mau_mau.layout import HOLDING_BITS, HOLDING_JACKS
from kernels.mau_mau.position import SUIT_WORDS, fields_of
from sim import batch
from sim.errors import UsageError
from sim.games import make_setup
from sim.positions import decisions_of_turn
from sim.typed import typed_position
from tests.properties.setups import covering_setups


@pytest.mark.parametrize("number", range(0, len(covering_setups("mau_mau")), 3))
def test_what_a_position_says_of_hands_and_lixo_is_kept(number: int) -> None:
    """Of what the table remembers, all that decides where the unseen cards may lie."""
    setup = covering_setups("mau_mau")[number]
    checked = 0
    for turn in range(1, 90, 5):
        for decision in decisions_of_turn(setup, batch.deal_jobs(setup, 1, 1), turn):
            asked = decision.position
            told = fields_of(asked.question.name, asked.seat, asked.table[0], asked.given, setup.options)
            found = typed_position(setup, None, told, (), str)
            one, other = asked.table[0], found.position.table[0]
            size, players = int(one["pile_size"]), setup.seats
            assert one["pile"][:size].tolist() == other["pile"][:size].tolist()
            unseen = ~asked.given[0] & ~int(one["seen_one"])
            assert int(one["restocked"]) & unseen == int(other["restocked"])
            for player in range(players):
                if int(one["restocked"]) & unseen and player != asked.seat:
                    assert one["fresh"][player] == other["fresh"][player]
                    assert one["came"][player] == other["came"][player]
                for lane in range(HOLDING_JACKS + 1):
                    held = int(one["hand_count"][player]) if lane < HOLDING_JACKS else 1 << HOLDING_BITS
                    most = [
                        min(held, int(table["may_hold"][player]) >> HOLDING_BITS * lane & 0xFFF)
                        for table in (one, other)
                    ]
                    assert most[0] == most[1]
            checked += 1
    assert checked > 2


TYPED: dict[str, Any] = {"hand": "3C 9H KD", "lixo": "4C 9S", "hands": [3, 5, 5, 5]}
WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"lixo": ""}, {}, "lixo: a card lies on top"),
    ({"hand": ""}, {}, "hand: a player to move has a card"),
    ({"hands": [4, 5, 5, 5]}, {}, "hands: your hand has 3 cards, not 4"),
    ({"hands": [3, 0, 5, 5]}, {}, "hands: seat 1 has no card left, which ends the round"),
    ({"hands": [3, 25, 25, 5]}, {}, "hands: with the lixo that is 8 cards more than the pack has"),
    ({"hand": "3C 4H KD"}, {}, "hand: no card follows, so nothing is decided"),
    ({"announced": "spades"}, {}, "announced: the card on top is no Jack"),
    ({"lixo": "4C JS"}, {}, "announced: a Jack was played on top, so say which suit"),
    ({"lixo": "4C JS", "announced": "itself"}, {}, "announced: a Jack was played on top, so say which suit"),
    ({"announces": True}, {}, "announces: drawn says which Jack that is"),
    ({"hand": "8C 9H KD", "pending": 3}, {"stack_eights": True}, "pending: the lixo does not end with the eights"),
    (
        {"hand": "8C 9H KD", "lixo": "9S 8S", "pending": 6},
        {"stack_eights": True},
        "pending: the lixo does not end",
    ),
    (
        {"hand": "8C 9H KD", "lixo": "8S", "pending": 4},
        {"stack_eights": True},
        "pending: 4 cards; for every 8 they are 3",
    ),
    ({"fresh": [0, 1, 0, 0]}, {}, "fresh: no cards were shuffled into the stock"),
    ({f"most_{suit}": [0] * 4 for suit in SUIT_WORDS}, {}, "most_clubs: so few cards that the others may hold"),
    ({"jack_chances": [0] * 4, "most_clubs": [0] * 4, "hands": [3, 5, 32, 5]}, {}, "most_clubs: so few cards"),
    ({"fines": [0, 1, 0, 0]}, {"unable": "draw_one"}, "fines: with unable=draw_one nobody is fined or barred"),
    ({"barred": [1, 1, 1, 1]}, {}, "barred: when everybody is barred all bars are lifted"),
    ({"hand": "9H", "hands": [1, 5, 5, 5], "fines": [1, 0, 0, 0]}, {}, "hand: you are barred and this card would win"),
    ({"lixo": "4C 8S", "pending": 3}, {"stack_eights": True}, "pending: no 8 answers"),
    ({"drawn": "9H"}, {}, "drawn: with unable=fine_draw no card just drawn is played"),
    ({"drawn": "9D"}, {"unable": "draw_one"}, "drawn: that card is not in your hand"),
    ({"drawn": "KD"}, {"unable": "draw_one"}, "drawn: who draws had no card that followed"),
    ({"drawn": "9H", "announces": True}, {"unable": "draw_one"}, "drawn: that card is no Jack"),
    ({"restocked": "2C"}, {}, "restocked: 1 card, but 32 are in the stock"),
    ({"restocked": "2C"}, {"packs": 2}, "restocked: of two packs nobody can tell"),
    ({"restocked": "2C", "fresh": [0, 6, 0, 0]}, {}, "fresh: seat 1 has fewer cards"),
]


@pytest.mark.parametrize(("changed", "rules", "complaint"), WRONG)
def test_what_cannot_be_is_refused(changed: dict[str, Any], rules: dict[str, Any], complaint: str) -> None:
    setup = make_setup("mau_mau", rules=rules)
    with pytest.raises(UsageError) as refused:
        typed_position(setup, None, {**TYPED, **changed}, (), str)
    assert complaint in str(refused.value)


ASKED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({}, {}, "choose_play"),
    ({"hand": "8C 9H KD", "lixo": "4C 8S", "pending": 3}, {"stack_eights": True}, "choose_answer"),
    ({"drawn": "9H"}, {"unable": "draw_one"}, "choose_drawn"),
    ({"hand": "3C JH KD", "drawn": "JH"}, {"unable": "draw_one"}, "choose_drawn"),
    ({"hand": "3C JH KD", "drawn": "JH", "announces": True}, {"unable": "draw_one"}, "choose_suit"),
    ({"hand": "3C JH KD", "drawn": "JH"}, {"unable": "draw_until"}, "choose_suit"),
]


@pytest.mark.parametrize(("changed", "rules", "question"), ASKED)
def test_what_is_decided_follows_from_the_position(changed: Any, rules: Any, question: str) -> None:
    setup = make_setup("mau_mau", rules=rules)
    assert typed_position(setup, None, {**TYPED, **changed}, (), str).position.question.name == question


def test_what_a_jack_asks_for() -> None:
    setup = make_setup("mau_mau", rules={"start_card_acts": True})

    def follows(changed: dict[str, Any]) -> int:
        typed = typed_position(setup, None, {**TYPED, "hand": "3C JH KD", **changed}, (), str)
        return int(typed.position.table[0]["follow"])

    every = follows({"lixo": "4C JS", "announced": "nothing"})
    assert every.bit_count() == 52
    assert follows({"lixo": "JS"}) == every
    assert follows({"lixo": "JS", "announced": "itself"}).bit_count() == 13 + 3
    assert follows({"lixo": "4C JS", "announced": "clubs"}).bit_count() == 13 + 3
