"""Canastra: a position typed in that cannot be is refused, with the field that is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from sim.errors import UsageError
from sim.games import make_setup
from sim.typed import typed_position

TYPED: dict[str, Any] = {"hand": "4S 5S 6S 7S 8S 9S QH QD 2C KH AH 5C", "decides": "discard"}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"hand": ""}, "hand: who decides has a card"),
    ({"hand": "4S 4S 4S"}, "hand: 4S is given too often"),
    ({"hand": "4S 3H"}, "hand: red threes are laid before anything is decided"),
    ({"hands": [11, 11, 11, 11]}, "hands: seat 0 is said to hold 11, but its hand is of 12"),
    ({"hands": [12, 0, 11, 11]}, "hands: seat 1 has neither card nor morto, which ends the hand"),
    ({"closed": [0, 1, 0, 0], "hands": [12, 0, 11, 11]}, "closed: side 1 has no morto for seat 1"),
    ({"closed": [0, 1, 0, 0], "morto": [0, 1]}, "closed: seat 1 took its morto with an empty hand"),
    ({"morto": [1, 1], "mortos": 1}, "mortos: there are two, and 2 taken"),
    ({"melds": ["4C 5C 7C", ""]}, "melds: 4C 5C 7C cannot lie so"),
    ({"stock": 10}, "stock: 10 cards, but"),
]


@pytest.mark.parametrize(("changed", "complaint"), WRONG)
def test_what_cannot_be_is_refused(changed: dict[str, Any], complaint: str) -> None:
    setup = make_setup("canastra")
    with pytest.raises(UsageError) as refused:
        typed_position(setup, None, {**TYPED, **changed}, (), str)
    assert complaint in str(refused.value)


def test_a_hand_is_empty_before_its_morto() -> None:
    changed = {"closed": [0, 1, 0, 0], "morto": [0, 1], "hands": [12, 0, 11, 11]}
    table = typed_position(make_setup("canastra"), None, {**TYPED, **changed}, (), str).position.table[0]
    assert table["hand_count"].tolist() == [12, 0, 11, 11]
