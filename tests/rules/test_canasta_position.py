"""Canasta: a position typed in that cannot be is refused, with the field that is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from sim.errors import UsageError
from sim.games import make_setup
from sim.typed import typed_position

TYPED: dict[str, Any] = {"hand": "KS KD KH QS QD 7S 7D 5C 5H 2S JK", "pile": "KC", "decides": "draw"}
WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"hand": ""}, {}, "hand: who decides has a card"),
    ({"hand": "KS KS KS"}, {}, "hand: KS is given too often"),
    ({"hand": "KS 3H"}, {}, "hand: red threes are laid before anything is decided"),
    ({"hands": [10, 11, 11, 11]}, {}, "hands: seat 0 is said to hold 10, but its hand is of 11"),
    ({"hands": [11, 11, 11, 0]}, {}, "hands: seat 3 has no card left, which ends the hand (KAN-14)"),
    ({"hands": [11, 11, 11, 100]}, {}, "hands: with these hands and all that lies open there are 26 cards too many"),
    ({"laid": [1, 0, 0, 0]}, {}, "laid: the side of seat 0 has no melds"),
    ({"laid": [0, 0, 0, 1], "melds": ["4C 4D 4H", ""]}, {}, "laid: the side of seat 3 has no melds"),
    ({"asked": [1, 0, 0, 0]}, {}, "asked: nobody asks under this rule"),
    ({"refused": True}, {"ask_partner": True}, "refused: asked says that seat 0 has not asked"),
    ({"pile": ""}, {}, "decides: the pile cannot be taken"),
    ({"melds": ["4C 4D 5H", ""]}, {}, "melds: 4C 4D 5H is no meld (KAN-11)"),
    ({"stock": 3}, {}, "stock: 3 cards, but 63 are nowhere else"),
]


@pytest.mark.parametrize(("changed", "rules", "complaint"), WRONG)
def test_what_cannot_be_is_refused(changed: dict[str, Any], rules: dict[str, Any], complaint: str) -> None:
    setup = make_setup("canasta", rules=rules)
    with pytest.raises(UsageError) as refused:
        typed_position(setup, None, {**TYPED, **changed}, (), str)
    assert complaint in str(refused.value)


def test_what_stands_beside_it_may_be() -> None:
    setup = make_setup("canasta", rules={"ask_partner": True})
    changed = {"asked": [1, 0, 0, 0], "laid": [1, 0, 0, 0], "melds": ["4C 4D 4H", ""], "hands": [11, 11, 8, 1]}
    table = typed_position(setup, None, {**TYPED, **changed}, (), str).position.table[0]
    assert table["asked"].tolist() == table["has_laid"].tolist() == [1, 0, 0, 0]
    assert table["hand_count"].tolist() == [11, 11, 8, 1]
