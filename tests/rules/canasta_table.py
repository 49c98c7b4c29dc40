"""A hand of canasta set up from card texts, and the compiled rules called on it."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from kernels.canasta import deal, meld_rules, rules
from kernels.canasta.events import NAMES
from kernels.canasta.layout import SPEC, STATE_LAYOUT
from kernels.canasta.values import minimum_for
from kernels.cards import RANKS, card_number, card_texts
from kernels.melds import TWOS_AND_JOKERS
from kernels.spec import JOB
from kernels.trace import CARD, EVENT, NOW
from sim.games import make_setup

Action = tuple[np.uint64, np.uint64, np.uint64]
NO_CARDS = np.uint64(0)


def counts(text: str) -> np.uint64:
    """Cards by rank."""
    return np.uint64(sum(1 << 4 * (card_number(word) & 15) for word in text.split()))


def action(text: str) -> Action:
    """Melds as ``6S 6H 6D / KS KH 2D`` or, for wild cards alone, ``K: 2S JK``: naturals, jokers, twos by rank."""
    words: Counter[tuple[str, int]] = Counter()
    for meld in filter(str.strip, text.split("/")):
        head, colon, rest = meld.rpartition(":")
        cards = rest.split()
        naturals = [card[0] for card in cards if card[0] not in "2" and card != "JK"]
        rank = RANKS.index(head.strip() if colon else naturals[0]) + 2
        for card in cards:
            kind = "jokers" if card == "JK" else "twos" if card[0] == "2" else "naturals"
            words[kind, rank if kind != "naturals" else card_number(card) & 15] += 1
    return tuple(  # type: ignore[return-value]
        np.uint64(sum(count << 4 * rank for (name, rank), count in words.items() if name == kind))
        for kind in ("naturals", "jokers", "twos")
    )


class Desk:
    """A deal in the middle of a turn of seat `seat`, every side without melds.

    Parameters
    ----------
    hands
        Card texts by seat; the other seats hold nothing.
    pile, stock
        Cards bottom to top; cards in drawing order.
    frozen
        Whether the pile is frozen for everybody.
    house_rules
        Options that differ from the default.
    """

    def __init__(
        self,
        hands: Mapping[int, str] | str = "",
        *,
        pile: str = "",
        stock: str = "",
        seat: int = 0,
        frozen: bool = False,
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
        deal.clear_table(self.state, np.int64(0))
        deal.clear_record(self.record, np.zeros(1, JOB).view(np.recarray)[0], np.int64(0))
        self.table.hand_count[:] = 0
        self.table.seat = seat
        self.table.started[:] = 1
        for side in range(2):
            self.table.minimum[side] = minimum_for(np.int64(self.setup.options["start_score"][side]))
        deck = [card_number(card) for card in stock.split()]
        self.state.deck[: len(deck)] = deck
        self.state.stock_next = 0
        self.table.stock_left = len(deck)
        for player, text in ({seat: hands} if isinstance(hands, str) else hands).items():
            self.hold(player, text)
        for card in pile.split():
            deal.put_on_pile(self.table, np.int64(card_number(card)))
        self.table.pile_frozen = frozen

    # ------------------------------------------------------------ what is there

    def hand(self, seat: int | None = None) -> str:
        """Cards of a hand in the order of their numbers, by default of the seat in turn."""
        seat = self.seat if seat is None else seat
        words = [int(self.state.hand_one[seat]), int(self.state.hand_two[seat])]
        held = [card for card in range(64) for word in words if word >> card & 1]
        text = " ".join(card_texts(held))
        assert len(held) == self.table.hand_count[seat]
        assert counts(text) == self.state.hand[seat]
        return text

    def pile(self) -> str:
        """Cards of the pile, bottom to top."""
        return " ".join(card_texts(self.table.pile[: self.table.pile_size].tolist()))

    def events(self) -> list[tuple[str, str]]:
        """Names and cards of the events so far."""
        events: list[tuple[str, list[int]]] = []
        for row in self.log[: self.state.log_count]:
            if row.kind == CARD:
                events[-1][1].append(int(row.card))
            elif row.kind != NOW:
                events.append((NAMES[int(row.kind)], []))
        return [(name, " ".join(card_texts(cards))) for name, cards in events]

    # ------------------------------------------------------------ set up

    def hold(self, seat: int, text: str) -> Desk:
        """Put cards into a hand that held nothing."""
        for card in text.split():
            number = card_number(card) if card != "JK" else self._next_joker(seat)
            word = np.uint64(1) << np.uint64(number)
            self.state.hand_two[seat] |= self.state.hand_one[seat] & word
            self.state.hand_one[seat] |= word
        self.state.hand[seat] = counts(text)
        self.table.hand_count[seat] = len(text.split())
        return self

    def _next_joker(self, seat: int) -> int:
        return next(card for card in (0, 16, 32, 48) if not int(self.state.hand_one[seat]) >> card & 1)

    def own(self, melds: str, side: int = 0) -> Desk:
        """Give a side melds out of nowhere, laid in an earlier turn by its first seat."""
        naturals, jokers, twos = action(melds)
        rules.note_melds(self.table, np.int64(side), naturals, jokers, twos, np.int64(0), self.record)
        self.table.melded_before = self.table.melded[self.seat % 2]
        for meld in melds.split("/"):
            cards = [card_number(card) for card in meld.split()]
            rank = next(card & 15 for card in cards if card & 15 > 2)
            self.table.meld_number[side, rank] = self.table.meld_count[side]
            self.table.meld_count[side] += 1
            for card in cards:
                self._lie(side, rank, np.uint64(1) << np.uint64(card))
        self.table.has_laid[side] = 0
        self.table.concealed = 1
        return self

    def _lie(self, side: int, rank: int, card: np.uint64) -> None:
        one, two = self.state.natural_one, self.state.natural_two
        place: Any = side
        if int(card) & int(TWOS_AND_JOKERS):
            one, two, place = self.state.wild_one, self.state.wild_two, (side, rank)
        two[place] |= one[place] & card
        one[place] |= card

    # ------------------------------------------------------------ articles broken, 0 for none

    def melds(self, melds: str) -> int:
        """Lay from the hand."""
        hand = self.state.hand[self.seat]
        return int(meld_rules.melds_article(self.table, self.options, self.seat, hand, *action(melds)))

    def take(self, melds: str = "") -> int:
        """Take the pile, its top card laid with these cards of the hand."""
        hand = self.state.hand[self.seat]
        return int(meld_rules.take_article(self.table, self.options, self.seat, hand, *action(melds)))

    def discard(self, card: str) -> int:
        """Discard from the hand."""
        hand, rank = self.state.hand[self.seat], card_number(card) & 15
        return int(rules.discard_article(self.table, self.options, self.seat, hand, np.int64(rank)))

    def must_take(self) -> bool:
        """Whether the pile must be taken at the end of the stock."""
        return bool(meld_rules.must_take(self.table, self.options, self.seat, self.state.hand[self.seat]))

    # ------------------------------------------------------------ moves

    def start_turn(self) -> bool:
        """Begin the turn; whether that ends the hand."""
        return bool(rules.start_turn(self.state, self.record, self.log))

    def draw(self) -> bool:
        """Draw a card; whether that ends the hand."""
        return bool(rules.draw_card(self.state, np.int64(self.seat), np.int64(0), self.log))

    def lay(self, melds: str) -> Desk:
        """Lay from the hand."""
        assert self.melds(melds) == 0, melds
        rules.apply_melds(self.state, np.int64(self.seat), *action(melds), self.record, self.log)
        return self

    def taken(self, melds: str = "") -> Desk:
        """Take the pile."""
        assert self.take(melds) == 0, melds
        rules.apply_take(self.state, np.int64(self.seat), *action(melds), self.record, self.log)
        return self

    def throw(self, card: str) -> Desk:
        """Discard from the hand."""
        assert self.discard(card) == 0, card
        rank = np.int64(card_number(card) & 15)
        rules.apply_discard(self.state, self.options, np.int64(self.seat), rank, self.record, self.log)
        return self

    def go_out(self) -> Desk:
        """End the hand."""
        rules.go_out(self.state, self.options, np.int64(self.seat), self.record, self.log)
        return self

    def scores(self) -> list[int]:
        """Count the hand."""
        rules.score(self.state, self.record)
        return [int(score) for score in self.record.score]
