"""Deals typed in: a log's deck is dealt as the log says, and what cannot be dealt is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from kernels import registry
from kernels.cards import card_texts
from sim import advising
from sim.dealt import given_deal
from sim.errors import UsageError
from sim.games import Setup, make_setup
from sim.replay import Replayer
from tests.properties.setups import covering_setups

NOT_OF_THE_CARDS = ("seed", "deal", "match", "scores_before", "policies")
GAMES = list(registry.GAMES)


def own_pack(setup: Setup) -> list[str]:
    assert setup.spec.pack is not None
    return card_texts(setup.spec.pack(setup.options).tolist())


def shuffled(setup: Setup, seed: int) -> list[str]:
    """The pack in another order, no joker last."""
    cards = own_pack(setup)
    random.Random(seed).shuffle(cards)
    while cards[-1] == "JK":
        cards.insert(0, cards.pop())
    return cards


def dealt(setup: Setup, deck: str | Sequence[str], **more: Any) -> dict[str, Any]:
    given = given_deal(setup, more.get("deal"), deck, more.get("scores"), str)
    return Replayer(given.setup).given(given.job)[0]


@pytest.mark.parametrize("game", GAMES)
def test_the_first_line_of_a_log_is_dealt_again(game: str, tmp_path: Path) -> None:
    """Every hand, the stock, and whatever else the game has, at any table."""
    path = tmp_path / "deal.jsonl"
    for number, setup in enumerate(covering_setups(game)[:8]):
        first = Replayer(setup).deal(number)[0]
        path.write_text(json.dumps(first) + "\n{}\n")
        plain = make_setup(game, seed=99)
        for table in (plain, setup) if setup.changed else (setup,):
            again = dealt(table, str(path), deal=7)
            for name in again.keys() - {"hands", *NOT_OF_THE_CARDS}:
                assert again[name] == first[name], name
            # Jokers, which differ in a suit that nobody sees, may lie elsewhere in a hand.
            assert [sorted(hand) for hand in again["hands"]] == [sorted(hand) for hand in first["hands"]]


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_is_dealt_in_its_order(game: str) -> None:
    """Every card where the rules deal it; a deck of the log's own cards is the same deck."""
    setup = make_setup(game)
    spec = setup.spec
    assert spec.hand_places is not None
    cards = shuffled(setup, 5)
    for deal in range(setup.seats):
        event = dealt(setup, " ".join(cards), deal=deal)
        assert event["dealer"] == deal
        for seat, hand in enumerate(event["hands"][: setup.seats]):
            expected = [cards[place] for place in spec.hand_places(setup.options, deal, seat)]
            assert sorted(hand) == sorted(expected)
        assert dealt(setup, cards, deal=deal) == event


@pytest.mark.parametrize("game", GAMES)
def test_scores_before_the_deal_make_it_a_hand_of_a_match(game: str) -> None:
    setup = make_setup(game)
    scores = [-30, *range(1, setup.sides)]
    given = given_deal(setup, 3, None, scores, str)
    event = Replayer(given.setup).given(given.job)[0]
    assert (event["match"], event["deal"], event["scores_before"]) == (3, 0, scores)
    assert given_deal(setup, 3, None, ":".join(map(str, scores)), str).scores == tuple(scores)
    assert event["dealer"] == 3 % setup.seats


def test_the_scores_of_a_log_of_a_match_stay(tmp_path: Path) -> None:
    first = Replayer(make_setup("canasta", seed=8)).hand(0, 2)[0]
    path = tmp_path / "deal.jsonl"
    path.write_text(json.dumps(first))
    again = dealt(make_setup("canasta"), str(path))
    assert again["scores_before"] == first["scores_before"] != [0, 0]
    assert dealt(make_setup("canasta"), str(path), scores="10:20")["scores_before"] == [10, 20]


def test_advice_is_given_about_a_deck() -> None:
    setup = make_setup("escopa")
    cards = shuffled(setup, 6)
    advice = advising.advise("escopa", deck=" ".join(cards), scores=[20, 20], turn=3, rollouts=10).document()
    assert "--scores 20:20" in advice["command"]
    assert " ".join(cards) in advice["command"]
    hand = {cards[place] for place in setup.spec.hand_places(setup.options, 0, 1)}  # type: ignore[misc]
    first = advice["decisions"][0]
    assert set(first["position"]["hand"]) < hand


CARDS = shuffled(make_setup("escopa"), 7)
JOKER_LAST = [card for card in own_pack(make_setup("loba")) if card != "JK"] + ["JK"] * 3
WRONG: list[tuple[str, Any, str]] = [
    ("escopa", " ".join(CARDS[:-1]), f"39 cards; the pack of escopa has 40: {CARDS[-1]} not there"),
    ("escopa", " ".join([*CARDS[:-1], CARDS[0]]), "is there 2 times; the pack has 1"),
    ("escopa", " ".join([*CARDS, "8D"]), "8D is not in the pack"),
    ("escopa", " ".join([*CARDS, "1X"]), "'1X' is no card"),
    ("escopa", "nowhere.txt", "'nowhere.txt' cannot be read: No such file"),
    ("escopa", "", "the value is empty"),
    ("escopa", "KS", "1 cards; the pack of escopa has 40"),
    ("loba", JOKER_LAST, "the exposed card is a joker, and such a deal is void"),
]


@pytest.mark.parametrize(("game", "deck", "complaint"), WRONG)
def test_a_wrong_deck_is_refused(game: str, deck: Any, complaint: str) -> None:
    with pytest.raises(UsageError) as refused:
        dealt(make_setup(game), deck)
    assert complaint in str(refused.value)
    assert str(refused.value).startswith("deck: ")


FILES: list[tuple[str, str]] = [
    ("{", "is no JSON"),
    ('{"event": "end"}', "is no deal of escopa"),
    ('{"event": "deal", "game": "loba"}', "is no deal of escopa"),
    ('{"event": "deal", "game": "escopa"}', "'hands' must hold a hand for each of the 2 seats"),
    ('{"event": "deal", "game": "escopa", "hands": [["KS"], []]}', "seat 0 has 1 cards; dealt are 3"),
    ('{"event": "deal", "game": "escopa", "hands": [7, []]}', "7 is no list of cards"),
    ('{"event": "deal", "game": "escopa", "dealer": 9, "hands": [[], []]}', "dealer: 9 is out of range"),
    ('{"event": "deal", "game": "escopa", "options": {"x": 1}}', "x"),
    ("KS KX", "'KX' is no card"),
]


@pytest.mark.parametrize(("text", "complaint"), FILES)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "deal.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError) as refused:
        dealt(make_setup("escopa"), str(path))
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_other_house_rules_than_those_of_the_log_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "deal.jsonl"
    path.write_text(json.dumps(Replayer(make_setup("escopa", rules={"players": 3})).deal(0)[0]))
    with pytest.raises(UsageError, match="other house rules, players = 3, not 4"):
        dealt(make_setup("escopa", rules={"players": 4}), str(path))


@pytest.mark.parametrize(
    ("scores", "complaint"),
    [
        ("1", "there are 1 scores for 2 sides"),
        ("1:x", "'x' is no number"),
        ("21:3", "with 21:3 the match is over"),
        (7, "7 is not allowed"),
    ],
)
def test_wrong_scores_are_refused(scores: Any, complaint: str) -> None:
    with pytest.raises(UsageError) as refused:
        given_deal(make_setup("escopa"), 0, None, scores, str)
    assert complaint in str(refused.value)
