"""A round of loba set up from card texts, and the compiled rules called on it."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from kernels.cards import JOKER_TEXT, card_number, card_texts
from kernels.loba import dealing, extending, meld_rules, rules
from kernels.loba.cards import hand_points
from kernels.loba.covering import NEW
from kernels.loba.events import NAMES
from kernels.loba.layout import SPEC, STATE_LAYOUT
from kernels.spec import JOB
from kernels.trace import CARD, EVENT, NOW
from sim.games import make_setup

Lay = tuple[np.uint64, np.uint64, np.uint64]
"""Naturals, those twice, and the positions of jokers."""

JOKER_NUMBERS = (0, 16, 32, 48)
OUT_OF_MATCH = -1_000_000


def words(cards: list[str]) -> tuple[int, int]:
    """Cards as a pair of words; jokers numbered as a pack numbers them."""
    one = two = 0
    jokers = 0
    for text in cards:
        number = card_number(text)
        if text == JOKER_TEXT:
            number = JOKER_NUMBERS[jokers % 4]
            jokers += 1
        two |= one & 1 << number
        one |= 1 << number
    return one, two


def positions(cards: list[str]) -> tuple[int, int, int]:
    """Natural cards, those twice, and jokers of a sequence at the positions where they lie in this order."""
    first = next(index for index, text in enumerate(cards) if text != JOKER_TEXT)
    number = card_number(cards[first])
    low = (1 if number & 15 == 14 and first == 0 else number & 15) - first
    naturals = twice = jokers = 0
    for place, text in enumerate(cards, start=low):
        if text == JOKER_TEXT:
            # Out of the pack's words it is no sequence anywhere.
            jokers |= 1 << ((number & 48) + place) % 64
        else:
            # A card that does not lie where its rank belongs is no sequence, and stays what it is.
            own = card_number(text)
            bit = 1 << ((own & 48) + place if own & 15 == 14 and place == 1 else own)
            twice |= naturals & bit
            naturals |= bit
    return naturals, twice, jokers


def is_set(cards: list[str]) -> bool:
    """Whether all natural cards are of one rank."""
    return len({text[0] for text in cards if text != JOKER_TEXT}) == 1


def lay_of(cards: list[str]) -> Lay:
    """Cards as the rules take them: a set, or a sequence in its order."""
    if is_set(cards):
        one, two = words([text for text in cards if text != JOKER_TEXT])
        return np.uint64(one), np.uint64(two), np.uint64(1 if JOKER_TEXT in cards else 0)
    naturals, twice, jokers = positions(cards)
    return np.uint64(naturals), np.uint64(twice), np.uint64(jokers)


class Desk:
    """A round in the middle of a turn of seat `seat`, nobody having melds.

    Parameters
    ----------
    hands
        Card texts by seat, or of the seat in turn; the other seats hold a king each.
    discards, stock
        Cards bottom to top; cards in drawing order.
    house_rules
        Options that differ from the default.
    """

    def __init__(
        self,
        hands: Mapping[int, str] | str = "",
        *,
        discards: str = "",
        stock: str = "",
        seat: int = 0,
        out: tuple[int, ...] = (),
        **house_rules: Any,
    ) -> None:
        self.setup = make_setup(SPEC.name, rules=house_rules)
        self.seat = np.int64(seat)
        self.options = self.setup.encoded_options.view(np.recarray)[0]
        self.record = np.zeros(1, SPEC.record_layout).view(np.recarray)[0]
        self.log = np.zeros(2_000, EVENT).view(np.recarray)
        self.states = np.zeros(1, STATE_LAYOUT).view(np.recarray)
        self.state = self.states[0]
        self.table = self.state.table
        self.job = np.zeros(1, JOB).view(np.recarray)[0]
        self.job.match = 0
        self.job.scores_before[list(out)] = OUT_OF_MATCH
        dealing.seat_players(self.state, self.options, self.job)
        dealing.clear_table(self.state, self.record, self.job)
        self.table.hand_count[:] = 0
        self.table.seat = seat
        self.record.seat_turns[seat] = 1
        deck = [card_number(card) for card in stock.split()]
        self.state.deck[: len(deck)] = deck
        self.state.stock_next = 0
        self.table.stock_left = len(deck)
        given = {seat: hands} if isinstance(hands, str) else dict(hands)
        for player in range(self.setup.seats):
            if player not in out:
                self.hold(player, given.get(player, "KS"))
        for card in discards.split():
            self.table.discards[self.table.discard_count] = card_number(card)
            self.table.discard_count += 1
            dealing.note_seen(self.table, np.int64(card_number(card)))

    # ------------------------------------------------------------ what is there

    def hand(self, seat: int | None = None) -> str:
        """Cards of a hand in the order of their numbers, jokers first, by default of the seat in turn."""
        at = self.seat if seat is None else seat
        held = [card for card in range(64) for word in self.words_of(at) if int(word) >> card & 1]
        texts = card_texts(held)
        assert len(held) == self.table.hand_count[at]
        return " ".join(sorted(texts, key=lambda text: text != JOKER_TEXT))

    def words_of(self, seat: int | None = None) -> tuple[np.uint64, np.uint64]:
        """A hand as the rules take it."""
        at = self.seat if seat is None else seat
        return np.uint64(self.state.hand_one[at]), np.uint64(self.state.hand_two[at])

    def discards(self) -> str:
        """The discards, bottom to top."""
        return " ".join(card_texts(self.table.discards[: self.table.discard_count].tolist()))

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
        """The meld of the last lay as it lies."""
        cards: list[int] = []
        for row in self.log[: self.state.log_count]:
            if row.kind == NOW:
                cards.append(int(row.card))
            elif row.kind != CARD:
                cards = []
        return " ".join(card_texts(cards))

    # ------------------------------------------------------------ set up

    def hold(self, seat: int, text: str) -> Desk:
        """Give a hand its cards, in place of what it held."""
        one, two = words(text.split())
        self.state.hand_one[seat], self.state.hand_two[seat] = one, two
        self.table.hand_count[seat] = len(text.split())
        return self

    def own(self, *melds: str, seat: int | None = None) -> Desk:
        """Give a seat melds out of nowhere, laid in an earlier turn."""
        at = np.int64(self.seat if seat is None else seat)
        held = self.hand(at)
        for meld in melds:
            self.hold(int(at), meld)
            rules.apply_lay(self.state, at, NEW, *lay_of(meld.split()), self.record, self.log[:0])
        self.hold(int(at), held)
        rules.end_turn(self.table, at)
        self.table.laid = 0
        return self

    def _added(self, cards: list[str], onto: int | None) -> Lay:
        if onto is None or onto >= int(self.table.meld_count[self.seat]):
            return lay_of(cards)
        lies = [int(word[self.seat, onto]) for word in (self.table.meld_one, self.table.meld_two)]
        if self.table.is_set[self.seat, onto]:
            added = Counter(cards) - Counter(card_texts([c for word in lies for c in range(64) if word >> c & 1]))
            one, two = words([text for text in added.elements() if text != JOKER_TEXT])
            return np.uint64(one), np.uint64(two), np.uint64(1 if JOKER_TEXT in cards else 0)
        naturals, twice, jokers = positions(cards)
        return (
            np.uint64(naturals & ~lies[0]),
            np.uint64(twice),
            np.uint64(jokers & ~int(self.table.meld_jokers[self.seat, onto])),
        )

    # ------------------------------------------------------------ articles broken, 0 for none

    def meld(self, cards: str, onto: int | None = None) -> int:
        """Lay a new meld, or make an own one into this."""
        number = NEW if onto is None else np.int64(onto)
        added = self._added(cards.split(), onto)
        return int(meld_rules.lay_article(self.table, self.options, self.seat, *self.words_of(), number, *added))

    def take(self) -> int:
        """Take the top of the discards."""
        return int(meld_rules.take_article(self.table, self.options, self.seat, *self.words_of()))

    def discard(self, card: str, meld: int = -1) -> int:
        """Discard from the hand or an own meld."""
        one = self.words_of()[0]
        number = self._held(card) if meld < 0 else card_number(card)
        return int(
            meld_rules.discard_article(self.table, self.options, self.seat, one, np.int64(number), np.int64(meld))
        )

    def _held(self, card: str) -> int:
        if card != JOKER_TEXT:
            return card_number(card)
        return next((joker for joker in JOKER_NUMBERS if int(self.words_of()[0]) >> joker & 1), 0)

    # ------------------------------------------------------------ moves

    def start_turn(self) -> Desk:
        """Begin a turn."""
        rules.start_turn(self.state, self.record)
        return self

    def draw(self) -> bool:
        """Draw a card; whether there was one."""
        return bool(rules.draw_card(self.state, self.seat, self.log))

    def taken(self) -> Desk:
        """Take the discard."""
        assert self.take() == 0
        rules.take_discard(self.state, self.seat, self.record, self.log)
        return self

    def lay(self, cards: str, onto: int | None = None) -> Desk:
        """Lay a new meld, or make an own one into this."""
        assert self.meld(cards, onto) == 0, cards
        number = NEW if onto is None else np.int64(onto)
        rules.apply_lay(self.state, self.seat, number, *self._added(cards.split(), onto), self.record, self.log)
        return self

    def throw(self, card: str, meld: int = -1) -> Desk:
        """Discard from the hand or an own meld."""
        assert self.discard(card, meld) == 0, card
        number = np.int64(self._held(card) if meld < 0 else card_number(card))
        rules.apply_discard(self.state, self.seat, number, np.int64(meld), self.record, self.log)
        return self

    def end_turn(self) -> Desk:
        """End the turn without a discard being looked for."""
        rules.end_turn(self.table, self.seat)
        self.table.laid = 0
        return self

    def go_out(self) -> Desk:
        """End the round."""
        rules.go_out(self.state, self.seat, self.record, self.log)
        return self

    def scores(self) -> list[int]:
        """Count the round."""
        rules.score(self.state, self.options, self.job, self.record)
        return [int(score) for score in self.record.score[: self.setup.seats]]

    def deadwood(self) -> int:
        """Least value of the cards of the hand that lie in no meld."""
        cover = extending.best_cover(
            self.table,
            self.seat,
            self.options.any_set != 0,
            *self.words_of(),
            np.int64(0),
            np.int64(15),
        )
        return int(hand_points(*self.words_of())) - int(cover[0])
