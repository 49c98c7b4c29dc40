"""A hand of canastra set up from card texts, and the compiled rules called on it."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.canastra import lixo, meld_rules, rules
from kernels.canastra.events import NAMES
from kernels.canastra.kinds import EXTEND
from kernels.canastra.layout import (
    MORTO_AT_ONCE,
    MORTO_NEXT_TURN,
    MORTO_SIZE,
    NEW_LAVADEIRA,
    NEW_SEQUENCE,
    REASON_BATIDA,
    REASON_STOCK_OUT,
    SPEC,
    STATE_LAYOUT,
)
from kernels.canastra.log import write_meld
from kernels.cards import card_number, card_texts, rank_mask
from kernels.melds import NONE
from kernels.trace import CARD, EVENT, NOW
from sim.games import make_setup

Words = tuple[np.uint64, np.uint64]

FILLER = "6C 8C TC QC 6D 8D TD QD 6H 8H TH"
"""Eleven cards of which no three make a meld."""


def words(text: str) -> Words:
    """Cards as a pair of words: held at least once, held twice."""
    one, two = 0, 0
    for card, copies in Counter(card_number(word) for word in text.split()).items():
        if copies > 2 and card != 0:
            raise ValueError(f"{text!r} names a card more than twice")
        one |= 1 << card
        two |= (copies > 1) << card
    return np.uint64(one), np.uint64(two)


def ranks(text: str) -> np.uint64:
    """Lane of rank bits, as ``7 8`` or ``T``."""
    return np.uint64(rank_mask(text.split()))


class Desk:
    """A deal in the middle of a turn of seat `seat`, every side without melds and without a morto.

    Parameters
    ----------
    hands
        Card texts by seat; the other seats hold nothing.
    stock, lixo
        Cards in drawing order; cards bottom to top.
    mortos
        Two heaps in the order in which they would be drawn as stock.
    seat
        Whose turn it is.
    house_rules
        Options that differ from the default.
    """

    def __init__(
        self,
        hands: Mapping[int, str] | None = None,
        *,
        stock: str = "",
        lixo: str = "",
        mortos: Sequence[str] = (FILLER, FILLER),
        seat: int = 0,
        **house_rules: Any,
    ) -> None:
        self.setup = make_setup(SPEC.name, rules=house_rules)
        self.seat = seat
        self.options = self.setup.encoded_options.view(np.recarray)[0]
        self.record = np.zeros(1, SPEC.record_layout).view(np.recarray)[0]
        self.log = np.zeros(2_000, EVENT).view(np.recarray)
        self.states = np.zeros(1, STATE_LAYOUT).view(np.recarray)
        self.state = self.states[0]
        self.table = self.state.table
        self.table.players = self.setup.seats
        self.table.seat = seat
        self.table.started[:] = 1
        self.state.out_seat = -1
        self.state.reason = REASON_STOCK_OUT
        self._fill_deck(stock, mortos)
        for player, text in (hands or {}).items():
            self.hold(player, text)
        for card in lixo.split():
            self._throw(card)

    def _fill_deck(self, stock: str, mortos: Sequence[str]) -> None:
        heaps = [text.split() for text in mortos]
        assert all(len(heap) == MORTO_SIZE for heap in heaps)
        deck = [card_number(card) for heap in (*heaps, stock.split()) for card in heap]
        self.state.deck[: len(deck)] = deck
        self.state.morto_at[:] = [0, MORTO_SIZE]
        self.table.mortos_left = len(heaps)
        self.state.stock_next = 2 * MORTO_SIZE
        self.state.stock_end = len(deck)
        self.table.stock_left = len(deck) - 2 * MORTO_SIZE

    def _throw(self, text: str) -> None:
        one, two = words(text)
        table = self.table
        table.lixo[table.lixo_size] = card_number(text)
        table.lixo_size += 1
        table.lixo_one, table.lixo_two = _joined((table.lixo_one, table.lixo_two), (one, two))
        table.seen_one, table.seen_two = _joined((table.seen_one, table.seen_two), (one, two))

    # ------------------------------------------------------------ what is there

    @property
    def side(self) -> int:
        """Side of the seat in turn."""
        return self.seat % 2

    def hand(self, seat: int | None = None) -> str:
        """Cards of a hand in the order of their numbers, by default of the seat in turn."""
        seat = self.seat if seat is None else seat
        held = [card for card in range(64) for word in self._hand(seat) if int(word) >> card & 1]
        assert len(held) == self.table.hand_count[seat]
        return " ".join(card_texts(held))

    def _hand(self, seat: int) -> Words:
        return np.uint64(self.state.hand_one[seat]), np.uint64(self.state.hand_two[seat])

    def lixo(self) -> str:
        """Cards of the lixo, bottom to top."""
        return " ".join(card_texts(self.table.lixo[: self.table.lixo_size].tolist()))

    def events(self) -> list[tuple[str, str]]:
        """Names and cards of the events so far."""
        events: list[tuple[str, list[int]]] = []
        for row in self.log[: self.state.log_count]:
            if row.kind == CARD:
                events[-1][1].append(int(row.card))
            elif row.kind != NOW:
                events.append((NAMES[int(row.kind)], []))
        return [(name, " ".join(card_texts(cards))) for name, cards in events]

    def now(self) -> str:
        """The meld of the last event, as it lies."""
        rows = self.log[: self.state.log_count]
        head = max(index for index, row in enumerate(rows) if row.kind not in (CARD, NOW))
        return " ".join(card_texts(int(row.card) for row in rows[head:] if row.kind == NOW))

    def meld_as_it_lies(self, side: int, meld: int) -> str:
        """Cards of a meld on the table."""
        write_meld(self.state, self.log, EXTEND, np.int64(self.seat), np.int64(side), np.int64(meld), NONE, NONE)
        return self.now()

    # ------------------------------------------------------------ set up

    def hold(self, seat: int, text: str) -> Desk:
        """Put cards into a hand instead of what it held."""
        self.state.hand_one[seat], self.state.hand_two[seat] = words(text)
        self.table.hand_count[seat] = len(text.split())
        return self

    def own(self, *melds: str, side: int | None = None) -> Desk:
        """Lay melds of a side, as ``7S 8S 2H/9``: the cards, and the ranks that curingas stand for."""
        for meld in melds:
            cards, _, places = meld.partition("/")
            self.lay(cards, places, side=side)
        return self

    def lay(self, cards: str, places: str = "", target: int | None = None, side: int | None = None) -> int:
        """Lay cards on the table out of nowhere: a new meld, or more of one; the number of the meld."""
        side = self.side if side is None else side
        target = _new(cards, places) if target is None else target
        one, two = words(cards)
        action = side, np.int64(target), one, two, ranks(places)
        assert meld_rules.meld_article(self.table, self.options, *action) == 0, cards
        return int(meld_rules.lay(self.table, self.options, *action))

    def had_morto(self, *sides: int) -> Desk:
        """Let sides have taken their mortos."""
        for side in sides:
            self.table.morto_taken[side] = 1
            self.table.mortos_left -= 1
            self.state.morto_next += 1
        return self

    def no_mortos(self) -> Desk:
        """Let the mortos have become stock that is used up."""
        self.table.mortos_left = 0
        return self

    # ------------------------------------------------------------ articles broken, 0 for none

    def meld_article(self, cards: str, places: str = "", target: int | None = None) -> int:
        """Lay as a meld, whatever the hand."""
        one, two = words(cards)
        chosen = np.int64(_new(cards, places) if target is None else target)
        found = meld_rules.meld_article(self.table, self.options, self.side, chosen, one, two, ranks(places))
        return int(found)

    def action_article(self, cards: str, places: str = "", target: int | None = None) -> int:
        """Lay from the hand."""
        one, two = words(cards)
        chosen = np.int64(_new(cards, places) if target is None else target)
        hand = self._hand(self.seat)
        found = rules.meld_action_article(self.table, self.options, self.seat, *hand, chosen, one, two, ranks(places))
        return int(found)

    def take_article(self, cards: str, places: str = "", target: int | None = None) -> int:
        """Take the lixo for its top card and these cards of the hand."""
        one, two = words(cards)
        with_top = f"{cards} {self.lixo().split()[-1]}" if self.table.lixo_size else cards
        chosen = np.int64(_new(with_top, places) if target is None else target)
        hand = self._hand(self.seat)
        found = lixo.take_article(self.table, self.options, self.seat, *hand, chosen, one, two, ranks(places))
        return int(found)

    def discard_article(self, card: str) -> int:
        """Discard from the hand."""
        hand = np.uint64(self.state.hand_one[self.seat])
        return int(rules.discard_article(self.table, self.seat, hand, card_number(card)))

    # ------------------------------------------------------------ moves

    def meld(self, cards: str, places: str = "", target: int | None = None) -> Desk:
        """Lay from the hand."""
        one, two = words(cards)
        chosen = np.int64(_new(cards, places) if target is None else target)
        rules.apply_meld(self.state, self.options, self.seat, chosen, one, two, ranks(places), self.record, self.log)
        return self

    def take(self, cards: str, places: str = "", target: int | None = None) -> Desk:
        """Take the lixo."""
        one, two = words(cards)
        chosen = np.int64(_new(f"{cards} {self.lixo().split()[-1]}", places) if target is None else target)
        lixo.apply_take(self.state, self.options, self.seat, chosen, one, two, ranks(places), self.record, self.log)
        return self

    def discard(self, card: str) -> Desk:
        """Discard from the hand."""
        rules.apply_discard(self.state, self.seat, card_number(card), self.record, self.log)
        return self

    def draw(self) -> str:
        """Draw a card for the turn; its text, or nothing when none is left."""
        card = int(rules.draw_card(self.state, self.options, self.seat, np.int64(0), self.log))
        return "" if card < 0 else card_texts([card])[0]

    def red_threes(self) -> Desk:
        """Lay and replace the red threes in hand."""
        rules.lay_red_threes(self.state, self.options, self.seat, self.log)
        return self

    def start_turn(self, seat: int | None = None) -> Desk:
        """Begin a turn."""
        self.seat = self.seat if seat is None else seat
        self.table.seat = self.seat
        rules.start_turn(self.state, self.options, self.record, self.log)
        return self

    def take_morto(self, at_once: bool) -> Desk:
        """Take a morto for an empty hand."""
        when = MORTO_AT_ONCE if at_once else MORTO_NEXT_TURN
        rules.take_morto(self.state, self.options, self.seat, when, self.record, self.log)
        return self

    def go_out(self) -> Desk:
        """End the hand by a batida."""
        rules.go_out(self.state, self.seat, self.record, self.log)
        assert self.state.reason == REASON_BATIDA
        return self

    def scores(self) -> list[int]:
        """Count the hand."""
        rules.score(self.state, self.options, self.record)
        return [int(score) for score in self.record.score]


def _new(cards: str, places: str) -> int:
    """Kind of a new meld: a lavadeira when all its naturals have one rank."""
    naturals = {word[0] for word in cards.split() if word[0] != "2" and word != "JK"}
    return int(NEW_LAVADEIRA if len(naturals) == 1 and not places else NEW_SEQUENCE)


def _joined(one: Words, other: Words) -> Words:
    return np.uint64(one[0] | other[0]), np.uint64(one[1] | other[1] | (one[0] & other[0]))
