"""A round of mau-mau set up from card texts, and the compiled rules called on it."""

# To compiled code int and numpy.int64 are one type.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernels.cards import SUITS, card_number, card_texts
from kernels.decoding import groups_of
from kernels.mau_mau import deal, kinds, play, rules, scoring
from kernels.mau_mau.events import NAMES, score_detail
from kernels.mau_mau.layout import SPEC, STATE_LAYOUT
from kernels.mau_mau.masks import EVERY_CARD, JACKS, cards_that_follow, suit_cards
from kernels.trace import EVENT
from sim.games import make_setup

NOTHING_ANNOUNCED = "nothing"
"""In place of a suit: a Jack lies on top after which any card follows."""


def numbers(text: str) -> list[int]:
    """Card numbers of a text."""
    return [card_number(word) for word in text.split()]


class Desk:
    """A round before the turn of seat `seat`.

    Parameters
    ----------
    hands
        Card texts, one for each seat of the table.
    top, under
        The card on top of the lixo, and the cards below it, bottom to top.
    stock
        Cards in drawing order.
    suit
        The suit announced, as ``H``, or `NOTHING_ANNOUNCED`; by default the top card is no Jack that was played.
    direction
        1 clockwise, -1 the other way.
    barred
        Seats that are barred, each fined once.
    pending
        Cards that eights make the seat draw.
    policy
        What the seats play where a policy is asked.
    house_rules
        Options that differ from the default, the number of players apart.
    """

    def __init__(
        self,
        hands: Sequence[str],
        *,
        top: str = "9S",
        under: str = "",
        stock: str = "",
        seat: int = 0,
        suit: str = "",
        direction: int = 1,
        barred: Sequence[int] = (),
        pending: int = 0,
        policy: str = "standard",
        **house_rules: Any,
    ) -> None:
        self.setup = make_setup(SPEC.name, policies=policy, rules={"players": len(hands), **house_rules})
        self.options = self.setup.encoded_options.view(np.recarray)[0]
        self.record = np.zeros(1, SPEC.record_layout).view(np.recarray)[0]
        self.log = np.zeros(2_000, EVENT).view(np.recarray)
        self.state = np.zeros(1, STATE_LAYOUT).view(np.recarray)[0]
        self.table = self.state.table
        deal.clear_table(self.state, np.int64(len(hands)))
        deal.clear_record(self.record, np.int64(len(hands)), np.int64(0))
        self.record.start_card = card_number("2C")
        self.table.seat, self.table.direction, self.table.pending = seat, direction, pending
        for player, text in enumerate(hands):
            self._hold(player, text)
        for player in barred:
            self.table.barred |= 1 << player
            self.table.fines[player] = 1
        self._lay(numbers(under) + numbers(top), suit)
        deck = numbers(stock)
        self.state.deck[: len(deck)] = deck
        self.state.stock_next, self.table.stock_left = 0, len(deck)
        self.state.house_random[0] = self.state.cards_random[0] = 7

    def _hold(self, seat: int, text: str) -> None:
        for card in numbers(text):
            word = np.uint64(1) << np.uint64(card)
            self.state.hand_two[seat] |= self.state.hand_one[seat] & word
            self.state.hand_one[seat] |= word
        self.table.hand_count[seat] = len(text.split())

    def _lay(self, cards: Sequence[int], suit: str) -> None:
        table, top = self.table, np.int64(cards[-1])
        table.pile[: len(cards)] = cards
        table.pile_size = len(cards)
        table.seen_one = table.seen_two = np.uint64(0)
        for card in cards:
            word = np.uint64(1) << np.uint64(card)
            table.seen_two |= table.seen_one & word
            table.seen_one |= word
        table.follow = np.uint64(cards_that_follow(top))
        if suit == NOTHING_ANNOUNCED:
            table.follow = EVERY_CARD
        elif suit:
            table.suit = SUITS.index(suit)
            table.follow = np.uint64(suit_cards(np.int64(SUITS.index(suit)))) | JACKS

    # ------------------------------------------------------------ what is there

    @property
    def seat(self) -> int:
        """Seat whose turn it is."""
        return int(self.table.seat)

    def hand(self, seat: int) -> str:
        """Cards of a hand in the order of their numbers."""
        words = [int(self.state.hand_one[seat]), int(self.state.hand_two[seat])]
        held = [card for card in range(64) for word in words if word >> card & 1]
        assert len(held) == self.table.hand_count[seat]
        return " ".join(card_texts(held))

    def legal(self) -> set[str]:
        """Cards of the seat in turn that follow."""
        word = int(self.state.hand_one[self.seat]) & int(self.table.follow)
        return set(card_texts(card for card in range(64) if word >> card & 1))

    def stock(self) -> str:
        """Cards of the stock in drawing order."""
        start = int(self.state.stock_next)
        return " ".join(card_texts(self.state.deck[start : start + int(self.table.stock_left)].tolist()))

    def lixo(self) -> str:
        """Cards of the lixo, bottom to top."""
        return " ".join(card_texts(self.table.pile[: int(self.table.pile_size)].tolist()))

    def barred(self) -> set[int]:
        """Seats that are barred."""
        return {seat for seat in range(int(self.table.players)) if int(self.table.barred) >> seat & 1}

    def events(self) -> list[str]:
        """The events so far in words, as ``play 0 JS (H)`` or ``draw 1 2C 3D (seven)``."""
        rows = np.array(self.log[: int(self.state.log_count)])
        return [self._words(group) for group in groups_of(rows)]

    def _words(self, group: Any) -> str:
        name = NAMES[group.kind]
        value = ""
        if name == "play" and group.value >= 0:
            value = f" ({SUITS[group.value]})"
        elif name in ("draw", "pass"):
            value = f" ({kinds.WHYS[group.value]})"
        elif name == "unable":
            value = f" ({group.value})"
        return " ".join([name, str(group.seat), *group.cards]) + value

    # ------------------------------------------------------------ moves

    def article(self, cards: str, suit: str = "") -> int:
        """Article that a play of the seat in turn breaks, 0 for none."""
        card, second = (*numbers(cards), -1)[:2]
        one, two = self.state.hand_one[self.seat], self.state.hand_two[self.seat]
        number = np.int64(SUITS.index(suit) if suit else -1)
        return int(rules.play_article(self.table, self.seat, one, two, np.int64(card), np.int64(second), number))

    def play(self, cards: str, suit: str = "") -> Desk:
        """The seat in turn plays a card or two Jacks; after the winning play the round is counted."""
        assert self.article(cards, suit) == 0, cards
        card, second = (*numbers(cards), -1)[:2]
        number = np.int64(SUITS.index(suit) if suit else -1)
        self.table.turn += 1
        action = (np.int64(card), np.int64(second), number)
        if rules.apply_play(self.state, self.options, np.int64(self.seat), *action, self.record, self.log):
            self.count()
        return self

    def turn(self) -> bool:
        """A turn of the seat in turn, by its policy where that has a say; whether the round is over."""
        policies, parameters = self.setup.policy_numbers, self.setup.parameters
        over = bool(play.play_turn(self.state, self.options, policies, parameters, self.record, self.log))
        if over:
            self.count()
        return over

    def count(self) -> Desk:
        """Count the round."""
        scoring.score(self.state, self.options, self.record)
        return self

    def scores(self) -> list[int]:
        """Scores by seat."""
        return [int(score) for score in self.record.score[: int(self.table.players)]]

    def detail(self, seat: int) -> dict[str, int]:
        """Lines of a seat's score that are not 0, the total apart."""
        lines = score_detail(self.record, seat)
        return {name: points for name, points in lines.items() if points and name != "total"}
