"""A pack of escopa set up from card texts, and the compiled rules called on it."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernels.cards import card_number, card_texts
from kernels.escopa import deal, policies, rules, score
from kernels.escopa.events import NAMES
from kernels.escopa.fifteens import sums_of, total_of
from kernels.escopa.layout import SPEC, STATE_LAYOUT, faces
from kernels.spec import JOB
from kernels.trace import CARD, EVENT, NOW
from sim.games import make_setup

Event = tuple[str, int, str, str]
"""Name, seat, cards, cards taken."""


class Desk:
    """A pack in the middle of a turn of seat `seat`, nothing taken yet.

    Parameters
    ----------
    hands
        Card texts by seat, or the hand of the seat in turn; the other seats hold nothing.
    table, stock
        Cards face up; cards in drawing order.
    taken
        Card texts by side.
    policy
        Played by every seat.
    house_rules
        Options that differ from the default.
    """

    def __init__(
        self,
        hands: Mapping[int, str] | str = "",
        *,
        table: str = "",
        stock: str = "",
        taken: Sequence[str] = (),
        seat: int = 0,
        dealer: int = 0,
        policy: str = "standard",
        **house_rules: Any,
    ) -> None:
        self.setup = make_setup(SPEC.name, rules=house_rules, policies=policy)
        self.seat = seat
        self.options = self.setup.encoded_options.view(np.recarray)[0]
        self.record = np.zeros(1, SPEC.record_layout).view(np.recarray)[0]
        self.log = np.zeros(2_000, EVENT).view(np.recarray)
        self.states = np.zeros(1, STATE_LAYOUT).view(np.recarray)
        self.state = self.states[0]
        self.table = self.state.table
        self.faces = faces(int(self.options.figures)).tolist()
        self.state.faces[:] = self.faces
        deal.clear_table(self.table, np.int64(dealer))
        deal.clear_record(self.record, np.zeros(1, JOB).view(np.recarray)[0], np.int64((dealer + 1) % self.setup.seats))
        self.table.seat = seat
        self.lie(table)
        cards = [self.index(card) for card in stock.split()]
        self.state.deck[: len(cards)] = cards
        self.table.stock_left = len(cards)
        for player, text in ({seat: hands} if isinstance(hands, str) else hands).items():
            self.state.hand[player] = self.word(text)
            self.table.hand_count[player] = len(text.split())
            self.table.plays_left += len(text.split())
        for side, text in enumerate(taken):
            self.table.taken[side] = self.word(text)
            self.table.seen |= self.word(text)

    # ------------------------------------------------------------ cards

    def index(self, text: str) -> int:
        """Number of a card in this game's own order."""
        return int(self.faces.index(card_number(text)))

    def word(self, text: str) -> np.uint64:
        """Cards as a word."""
        return np.uint64(sum(1 << self.index(card) for card in text.split()))

    def text(self, word: Any) -> str:
        """Cards of a word by value and suit."""
        return " ".join(card_texts(self.faces[card] for card in range(40) if int(word) >> card & 1))

    # ------------------------------------------------------------ what is there

    def cards(self) -> str:
        """The table; its sum and its sums are right."""
        assert self.table.total == total_of(self.table.cards)
        assert self.table.sums == sums_of(self.table.cards)
        return self.text(self.table.cards)

    def hand(self, seat: int | None = None) -> str:
        """Cards of a hand, by default of the seat in turn."""
        return self.text(self.state.hand[self.seat if seat is None else seat])

    def taken(self, side: int = 0) -> str:
        """Cards that a side has taken."""
        return self.text(self.table.taken[side])

    def events(self) -> list[Event]:
        """The events so far."""
        events: list[tuple[str, int, list[int], list[int]]] = []
        for row in self.log[: self.state.log_count]:
            if row.kind == CARD:
                events[-1][2].append(int(row.card))
            elif row.kind == NOW:
                events[-1][3].append(int(row.card))
            else:
                events.append((NAMES.get(int(row.kind), "hand"), int(row.seat), [], []))
        return [(name, seat, *(" ".join(card_texts(cards)) for cards in both)) for name, seat, *both in events]  # type: ignore[misc]

    # ------------------------------------------------------------ set up

    def lie(self, cards: str) -> Desk:
        """Lay cards face up out of nowhere."""
        for card in cards.split():
            deal.add_to_table(self.table, np.int64(self.index(card)))
        return self

    # ------------------------------------------------------------ articles broken, 0 for none

    def article(self, card: str, take: str = "") -> int:
        """Play a card of the hand and take cards."""
        hand = self.state.hand[self.seat]
        return int(rules.play_article(self.table, self.options, hand, np.int64(self.index(card)), self.word(take)))

    def claim_article(self, take: str) -> int:
        """Claim the card just left with cards of the table."""
        return int(rules.claim_article(self.table, self.word(take)))

    # ------------------------------------------------------------ moves

    def play(self, card: str, take: str = "", *, by_oversight: bool = False) -> Desk:
        """Play a card; the next seat is then in turn."""
        assert by_oversight or self.article(card, take) == 0, (card, take)
        number = np.int64(self.index(card))
        rules.apply_play(self.state, self.options, np.int64(self.seat), number, self.word(take), self.record, self.log)
        if by_oversight:
            self.table.left_card = number
        rules.pass_turn(self.table, self.options)
        self.seat = int(self.table.seat)
        return self

    def claim(self, take: str) -> Desk:
        """Claim the card just left, by the seat now in turn."""
        assert self.claim_article(take) == 0, take
        rules.apply_claim(self.state, self.options, np.int64(self.seat), self.word(take), self.record, self.log)
        self.table.left_card = -1
        return self

    def dealer_takes(self) -> bool:
        """Let the dealer take the table; whether he may."""
        return bool(deal.dealer_takes(self.state, self.options, self.record, self.log))

    def deal_again(self) -> Desk:
        """Deal the next cards; the first player is then in turn."""
        deal.deal_again(self.state, self.options, self.log)
        self.seat = int(self.table.seat)
        return self

    def end(self) -> Desk:
        """End the pack and count it."""
        score.end_pack(self.state, self.options, self.record, self.log)
        return self

    def scores(self) -> list[int]:
        """Scores of the sides that play, once the pack has ended."""
        return [int(score) for score in self.record.score[: self.setup.sides]]

    # ------------------------------------------------------------ what the policy answers

    def choice(self, *, sees: bool = True) -> tuple[str, str]:
        """Card that the policy of the seat in turn plays, and what it takes; whether it sees captures."""
        number = self.setup.policy_numbers[self.seat]
        hand, own = self.state.hand[self.seat], self.setup.parameters[self.seat]
        card, take = policies.choose_play(
            number, self.table, self.options, self.seat, hand, sees, own, self.state.random, self.state.work
        )
        return card_texts([self.faces[int(card)]])[0], self.text(take)

    def claim_choice(self) -> str:
        """Cards that the policy of the seat in turn claims with the card just left."""
        number = self.setup.policy_numbers[self.seat]
        hand, own = self.state.hand[self.seat], self.setup.parameters[self.seat]
        take = policies.choose_claim(
            number, self.table, self.options, self.seat, hand, own, self.state.random, self.state.work
        )
        return self.text(take)
