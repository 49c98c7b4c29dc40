"""The searches of the referee of Loba against plain enumeration."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from tests.referee.cards import JOKER
from tests.referee.loba_melds import Meld, check_extended, is_meld, read_meld
from tests.referee.loba_options import Options
from tests.referee.loba_scenes import FIVES, KINGS, NINE, RUN
from tests.referee.loba_ways import Lay, can_lay, every_lay, way_out
from tests.referee.log import RuleBroken

OPTIONS = (Options(), Options(set_suits="any"))
MELDS = ("7S 8S 9S", "7S JK 9S", "JS QS KS", "AS 2S 3S", "7H 7S 7D", "7H 7S 7D 7H", "2S JK 4S 5S JK 7S")
FEW = [*(rank + "S" for rank in "A23456789TJQK"), *(rank + "H" for rank in "78"), "7D", "7C"]


def as_read(lay: Lay) -> tuple[int | None, tuple[str, ...], tuple[str, ...]]:
    """A lay with the cards of a set in no order."""
    ranks = {card[0] for card in lay.now if card != JOKER}
    return lay.number, tuple(sorted(lay.cards)), lay.now if len(ranks) > 1 else tuple(sorted(lay.now))


def subsets(hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every choice of cards, copies not told apart."""
    found = {cards for size in range(1, len(hand) + 1) for cards in combinations(sorted(hand), size)}
    yield from sorted(found)


def orders(cards: Sequence[str]) -> set[tuple[str, ...]]:
    """Every order of these cards."""
    return set(permutations(cards))


def enumerated(hand: Sequence[str], melds: Sequence[Meld], options: Options) -> set[object]:
    """Every lay, by trying each choice of cards in each order, by itself and at the ends of each meld."""
    found: set[object] = set()
    for cards in subsets(hand):
        for now in orders(cards):
            if is_meld(now, options):
                found.add(as_read(Lay(cards, now)))
            for number, meld in enumerate(melds):
                for cut in range(len(now) + 1):
                    longer = (*now[:cut], *meld.cards, *now[cut:])
                    if is_meld(longer, options) and lies_still(meld, read_meld(longer, options), cards):
                        found.add(as_read(Lay(cards, longer, number)))
    return found


def lies_still(before: Meld, after: Meld, added: Sequence[str]) -> bool:
    """What lay there lies as it did."""
    try:
        check_extended(before, after, added)
    except RuleBroken:
        return False
    return True


def random_hand(rng: random.Random, most: int) -> list[str]:
    """A few cards of few kinds, jokers among them."""
    return [rng.choice((*FEW, JOKER, JOKER)) for _ in range(rng.randint(1, most))]


def test_every_lay_is_what_enumeration_finds() -> None:
    rng = random.Random(5)
    laid = 0
    for _ in range(100):
        hand, options = random_hand(rng, 5), rng.choice(OPTIONS)
        melds = [read_meld(now.split(), options) for now in rng.sample(MELDS, 2)]
        lays = list(every_lay(hand, melds, options))
        assert len({as_read(lay) for lay in lays}) == len(lays)
        assert {as_read(lay) for lay in lays} == enumerated(hand, melds, options), (hand, melds)
        laid += len(lays)
    assert laid > 80


def test_long_lays_are_found() -> None:
    hand = ["7S", "JK", "9S", "TS", "JK", "QS", "KS", "7H", "7D", "7C"]
    lays = {lay.now for lay in every_lay(hand, [], Options())}
    assert ("7S", "JK", "9S", "TS", "JK", "QS", "KS") in lays
    assert ("7H", "7D", "7C") in lays
    assert ("TS", "JK", "QS", "KS") in lays
    assert not any(len({*lay}) == 4 and "7H" in lay and JOKER not in lay for lay in lays)


def test_a_card_can_be_laid_where_some_lay_has_it() -> None:
    run = [read_meld(RUN.split(), Options())]
    assert can_lay("TS", ["TS"], run, Options())
    assert can_lay("JS", ["JS", JOKER], run, Options())
    assert can_lay(JOKER, ["JS", JOKER], run, Options())
    assert not can_lay(JOKER, [JOKER, "QS"], run, Options())
    assert can_lay("5C", FIVES.split(), [], Options())
    assert not can_lay("5C", ["5C", "5H", "5H"], [], Options())
    assert can_lay("5C", ["5C", "5H", "5H"], [], Options(set_suits="any"))


def can_part_with(hand: Counter[str], melds: Sequence[Meld], options: Options, kept: str | None) -> bool:
    """By trying every lay, whatever it lays, until one card or none is left."""
    left = list(hand.elements())
    if not left or (len(left) == 1 and left[0] != kept):
        return True
    for lay in every_lay(left, melds, options):
        after, meld = list(melds), read_meld(lay.now, options)
        if lay.number is None:
            after.append(meld)
        else:
            after[lay.number] = meld
        if can_part_with(hand - Counter(lay.cards), after, options, kept):
            return True
    return False


def test_the_way_out_is_found_where_there_is_one() -> None:
    rng = random.Random(6)
    met = Counter[bool]()
    for _ in range(400):
        hand, options = random_hand(rng, 7), rng.choice(OPTIONS)
        melds = [read_meld(now.split(), options) for now in rng.sample(MELDS, rng.randrange(3))]
        kept = rng.choice((None, hand[0]))
        way = way_out(hand, melds, options, kept)
        assert (way is not None) == can_part_with(Counter(hand), melds, options, kept), (hand, melds, kept)
        met[way is not None] += 1
        if way is not None:
            used = Counter(card for lay in way.lays for card in lay.cards)
            assert used + Counter([way.discard] if way.discard else []) == Counter(hand)
            assert way.discard is None or way.discard != kept
    assert min(met[True], met[False]) > 40


def test_three_melds_of_three_and_a_card_go_out() -> None:
    way = way_out([*NINE.split(), "2C"], [], Options())
    assert way is not None
    assert (len(way.lays), way.discard) == (3, "2C")
    assert way_out([*NINE.split(), "2C", "3D"], [], Options()) is None
    assert way_out([*NINE.split(), "2C"], [], Options(), kept="2C") is None
    joker = way_out([*f"{RUN} {FIVES} KH KD KC".split(), JOKER], [], Options())
    assert joker is not None
    assert KINGS.split() == ["KH", "KD", "KC"]
