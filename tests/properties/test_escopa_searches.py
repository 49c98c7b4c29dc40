"""Escopa: the kernels' searches find what plain search finds: captures, legal plays, and the best last plays."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from kernels.escopa.fifteens import combinations, count_ways, sums_of, sums_wanted, total_of, way_number
from kernels.escopa.layout import MAX_COMBINATIONS, STATE_LAYOUT
from kernels.escopa.rules import can_capture, is_escopa, may_leave, play_article
from tests.referee.escopa_cards import PACK, ways_to_make
from tests.referee.escopa_cards import combinations as plain_combinations
from tests.referee.escopa_cards import total as plain_total
from tests.referee.escopa_options import Options
from tests.referee.escopa_random_player import random_options
from tests.referee.escopa_score import score
from tests.referee.escopa_table import Table
from tests.rules.escopa_table import Desk

SPOTS = 400
ENDS = 150


def work() -> Any:
    """Scratch paper as the policies have it."""
    return np.zeros(1, STATE_LAYOUT).view(np.recarray)[0].work


def house_rules(options: Options) -> dict[str, object]:
    """Options of the referee as those of the program."""
    return {name: getattr(options, name) for name in Options.__dataclass_fields__}


def spots(count: int, most: int, seed: int) -> Iterator[tuple[Desk, Table]]:
    """Hands and tables of all sizes, known to the kernels and to the referee."""
    rng = random.Random(seed)
    for _ in range(count):
        options = replace(random_options(rng), players=2)
        cards = rng.sample(PACK, rng.randint(1, 3) + rng.randint(0, most))
        size = min(rng.randint(1, 3), len(cards))
        hand, face_up = cards[:size], cards[size:]
        desk = Desk(" ".join(hand), table=" ".join(face_up), **house_rules(options))
        table = Table(options, 1, [hand, []], [card for card in PACK if card not in cards], face_up)
        yield desk, table


def test_the_ways_to_take_are_those_of_plain_search_by_value() -> None:
    """Of the ways that take equally many of every value there is one, with as many diamonds as any."""
    for desk, table in spots(SPOTS, 12, 1):
        for card in table.hand:
            expected: dict[tuple[int, ...], int] = {}
            for way in plain_combinations(card, table.cards, table.options.figures):
                values = tuple(sorted(plain_total([one], table.options.figures) for one in way))
                diamonds = sum(one[1] == "D" for one in way)
                expected[values] = max(diamonds, expected.get(values, 0))
            paper = work()
            wanted = 15 - plain_total([card], table.options.figures)
            count = combinations(desk.table.cards, np.int64(wanted), paper)
            found = [desk.text(word).split() for word in paper.found[:count]]
            by_values = {
                tuple(sorted(plain_total([one], table.options.figures) for one in way)): sum(
                    one[1] == "D" for one in way
                )
                for way in found
            }
            assert len(by_values) == count
            assert by_values == expected


@pytest.mark.parametrize("left_out", [0, 3, 8])
def test_forty_cards_face_up_have_no_more_ways_than_there_is_room_for(left_out: int) -> None:
    rng = random.Random(left_out)
    desk = Desk(table=" ".join(rng.sample(PACK, 40 - left_out)))
    most = 0
    for wanted in range(5, 15):
        paper = work()
        count = int(combinations(desk.table.cards, np.int64(wanted), paper))
        assert all(total_of(word) == wanted for word in paper.found[:count])
        assert len(set(paper.found[:count].tolist())) == count
        most = max(most, count)
    assert most <= MAX_COMBINATIONS
    assert most > 60


def test_every_single_way_is_counted_and_told_by_number() -> None:
    for desk, table in spots(SPOTS // 4, 14, 2):
        paper = work()
        count = count_ways(desk.table.cards, paper)
        for wanted in range(5, 15):
            expected = {frozenset(way) for way in ways_to_make(wanted, table.cards, table.options.figures)}
            assert paper.ways[count, wanted] == len(expected)
            found = {
                frozenset(
                    desk.text(way_number(desk.table.cards, count, np.int64(wanted), np.int64(one), paper)).split()
                )
                for one in range(len(expected))
            }
            assert found == expected


def test_the_sums_of_a_table_are_those_of_plain_search() -> None:
    for desk, table in spots(SPOTS, 10, 3):
        sums = int(sums_of(desk.table.cards))
        figures = table.options.figures
        assert [sums >> total & 1 for total in range(1, 16)] == [
            int(any(True for _ in ways_to_make(total, table.cards, figures))) for total in range(1, 16)
        ]
        wanted = {15 - plain_total([card], figures) for card in table.hand}
        assert int(sums_wanted(desk.state.hand[0])) == sum(1 << total for total in wanted)


def test_legal_plays_are_those_that_the_referee_finds() -> None:
    for desk, table in spots(SPOTS, 6, 4):
        hand = desk.state.hand[0]
        assert can_capture(desk.table, hand) == table.capture_possible()
        for card in table.hand:
            capture = table.options.capture
            must = {"must": table.capture_possible(), "if_played": table.can_capture(card), "free": False}[capture]
            number = np.int64(desk.index(card))
            assert may_leave(desk.table, desk.options, hand, number) == (not must)
            ways = {frozenset(way) for way in plain_combinations(card, table.cards, table.options.figures)}
            for take in range(1 << len(table.cards)):
                chosen = [one for at, one in enumerate(table.cards) if take >> at & 1]
                legal = frozenset(chosen) in ways if chosen else not must
                word = desk.word(" ".join(chosen))
                assert (play_article(desk.table, desk.options, hand, number, word) == 0) == legal
                if chosen:
                    assert is_escopa(desk.table, desk.options, word) == table.is_escopa(chosen)


@dataclass(frozen=True)
class End:
    """The last cards of a pack between two players: what lies where, the mover first."""

    options: Options
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    cards: tuple[str, ...]
    taken: tuple[tuple[str, ...], tuple[str, ...]]
    last: int | None

    def plays(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every legal play."""
        table = Table(self.options, 1, [list(hand) for hand in self.hands], [], list(self.cards))
        for card in self.hands[0]:
            ways = [tuple(way) for way in plain_combinations(card, self.cards, self.options.figures)]
            yield from ((card, way) for way in ways)
            must = self.options.capture == "must" and table.capture_possible()
            if self.options.capture == "free" or not (must or ways):
                yield card, ()

    def after(self, card: str, take: tuple[str, ...]) -> End:
        """The place after a play, from the other player's seat."""
        kept = tuple(one for one in self.hands[0] if one != card)
        cards = tuple(one for one in self.cards if one not in take) + (() if take else (card,))
        mine = self.taken[0] + ((card, *take) if take else ())
        last = 0 if take else self.last
        return End(
            self.options, (self.hands[1], kept), cards, (self.taken[1], mine), None if last is None else 1 - last
        )

    def lead(self) -> int:
        """The mover's best lead at the end, by plain search."""
        if not self.hands[0]:
            taken = [list(side) for side in self.taken]
            if self.last is not None:
                taken[self.last] += self.cards
            lines = score(taken, [0, 0], self.options)
            return lines[0]["total"] - lines[1]["total"]
        return max(self.escopa(take) - self.after(card, take).lead() for card, take in self.plays())

    def escopa(self, take: tuple[str, ...]) -> int:
        """1 for an escopa."""
        whole = bool(take) and len(take) == len(self.cards)
        return int(whole and (self.options.escopa == "clear_table" or len(take) == 4))


def some_end(rng: random.Random) -> End:
    """Any last cards; the usual primeira is left out, where suits matter that the kernels do not tell apart."""
    options = replace(
        random_options(rng), players=2, overlook_rate=0, primeira=rng.choice(("quartet", "quartet_points"))
    )
    pack = rng.sample(PACK, 40)
    size, face_up = rng.choice((1, 2, 2, 3)), rng.randint(0, 5)
    hands = (tuple(pack[:size]), tuple(pack[size : 2 * size]))
    cards, rest = tuple(pack[2 * size : 2 * size + face_up]), pack[2 * size + face_up :]
    share = rng.randint(8, 24)
    return End(options, hands, cards, (tuple(rest[:share]), tuple(rest[share:])), rng.choice((0, 1)))


def desk_of(end: End) -> Desk:
    """The last cards on a desk, the mover's seat 0."""
    desk = Desk(
        {0: " ".join(end.hands[0]), 1: " ".join(end.hands[1])},
        table=" ".join(end.cards),
        taken=[" ".join(side) for side in end.taken],
        policy="expert",
        **house_rules(end.options),
    )
    desk.table.last_seat = end.last
    return desk


def test_the_last_plays_of_expert_are_the_best_ones() -> None:
    rng = random.Random(8)
    for _ in range(ENDS):
        end = some_end(rng)
        card, take = desk_of(end).choice()
        chosen = tuple(take.split())
        assert end.escopa(chosen) - end.after(card, chosen).lead() == end.lead()
