"""Cards that are given to a deal: the others stay as likely in every order as they would be without."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import comb, sqrt

import numpy as np
import pytest

from kernels import registry
from kernels.cards import JOKER, card_number, card_texts
from kernels.dealing import place_cards
from kernels.placing import PLACED_LAYOUT
from kernels.rng import shuffle
from sim import batch
from sim.games import Setup
from sim.hands import prepare
from sim.placing import Placing
from sim.replay import Replayer

STATE = np.dtype([("placed", PLACED_LAYOUT), ("random", np.uint64, (1,)), ("deck", np.uint8, (8,))], align=True)
GAMES = [game for game in sorted(registry.GAMES) if registry.spec(game).hand_places is not None]
TWO, THREE, FOUR = 2, 3, 4


def orders(deck: list[int], placing: Placing, times: int) -> Counter[tuple[int, ...]]:
    """How often each order of a small deck comes out."""
    state = np.zeros(1, STATE).view(np.recarray)
    placing.fill(state)
    found: Counter[tuple[int, ...]] = Counter()
    record = state[0]
    for number in range(times):
        record.random[0] = number * 7919 + 1
        record.deck[: len(deck)] = deck
        shuffle(record.random, record.deck, np.int64(len(deck)))
        place_cards(record, record.random, np.int64(len(deck)), np.int64(0))  # type: ignore[arg-type]
        found[tuple(record.deck[: len(deck)].tolist())] += 1
    return found


@pytest.mark.parametrize(
    ("deck", "cards", "places"),
    [
        # Taking the first of several like cards would give one of the two orders twice as often.
        ([TWO, TWO, THREE], (TWO,), (0,)),
        ([TWO, TWO, THREE, FOUR], (TWO,), (1,)),
        ([TWO, TWO, THREE, THREE, FOUR], (TWO, THREE), (0, 4)),
        ([TWO, TWO, TWO, THREE, FOUR], (TWO, TWO), (3, 1)),
        ([TWO, JOKER, 16, THREE], (JOKER,), (2,)),
    ],
)
def test_every_order_of_the_others_is_as_likely(
    deck: list[int], cards: tuple[int, ...], places: tuple[int, ...]
) -> None:
    times = 12_000
    found = orders(deck, Placing(cards, (places,)), times)

    def like(one: int, other: int) -> bool:
        return one == other or (one & 15 == 0 and other & 15 == 0)

    possible = {
        order
        for order in permutations(deck)
        if all(like(order[place], card) for place, card in zip(places, cards, strict=True))
    }
    assert found.keys() == possible
    expected = times / len(possible)
    squares = sum((found[order] - expected) ** 2 / expected for order in possible)
    assert squares < len(possible) - 1 + 4 * sqrt(2 * (len(possible) - 1)) + 4


def holding(game: str, hand: str, seat: int = 0, top: str = "", seed: int = 11) -> Setup:
    from sim.games import make_setup

    return prepare(make_setup(game, seed=seed), hand, seat, top, None, str).given


@pytest.mark.parametrize("game", GAMES)
def test_the_seat_is_dealt_the_hand_whoever_deals(game: str) -> None:
    spec = registry.spec(game)
    options = {option.name: option.default for option in spec.options}
    assert spec.hand_places is not None
    assert spec.pack is not None
    size = len(spec.hand_places(options, 0, 0))
    texts = card_texts(spec.pack(options).tolist()[::3][:size])
    open_cards = card_texts(spec.pack(options).tolist()[1::3])[
        : len(spec.open_places(options, 0)) if spec.open_places else 0
    ]
    for seat in range(spec.seats(options)):
        setup = holding(game, " ".join(texts), seat, " ".join(open_cards))
        replayer = Replayer(setup)
        for deal in range(2 * setup.seats):
            start = replayer.deal(deal)[0]
            assert Counter(start["hands"][seat]) == Counter(texts)


@pytest.mark.parametrize("game", GAMES)
def test_all_other_cards_are_as_likely_for_everybody(game: str) -> None:
    spec = registry.spec(game)
    options = {option.name: option.default for option in spec.options}
    assert spec.pack is not None
    assert spec.hand_places is not None
    size, cards = len(spec.hand_places(options, 0, 0)), len(spec.pack(options))
    copies = Counter(spec.pack(options).tolist())
    ace, seven = card_number("AS"), card_number("7D")
    hand = card_texts([card for card in copies if card not in (ace, seven) and card & 15][:size])
    setup = holding(game, " ".join(hand), 1)
    replayer = Replayer(setup)
    times = 4_000
    at_neighbour = Counter(replayer.deal(deal)[0]["hands"][0].count("AS") for deal in range(times))
    # Hypergeometric: the ace among the cards that are not given.
    expected = 1 - comb(cards - size - copies[ace], size) / comb(cards - size, size)
    share = 1 - at_neighbour[0] / times
    assert abs(share - expected) < 4 * sqrt(expected * (1 - expected) / times)


@pytest.mark.parametrize("game", GAMES)
def test_deals_without_given_cards_are_what_they_were(game: str) -> None:
    setup = holding(game, "5C")
    plain = Setup(setup.spec, setup.options, setup.policies, setup.seed)
    jobs = batch.deal_jobs(plain, 0, 40)
    kernel_state = registry.module(game, "play").new_state()
    expected = batch.play(plain, jobs)
    assert (kernel_state["placed"]["number"] == 0).all()
    given = batch.play(setup, jobs)
    assert not np.array_equal(given["score"], expected["score"])
    np.testing.assert_array_equal(batch.play(plain, jobs)["score"], expected["score"])
