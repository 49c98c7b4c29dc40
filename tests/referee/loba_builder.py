"""Writes event logs of Loba: deals with chosen cards, and a recorder that turns moves into events.

The recorder does what a table does of itself (going out with an empty hand, the end when nothing can be drawn)
but judges nothing: an illegal move is written down like a legal one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Self

from tests.referee.cards import JOKER, number_of, rank_of, two_packs
from tests.referee.loba import MOST_TURNS
from tests.referee.loba_deal import HAND_SIZE, next_in, seats_in
from tests.referee.loba_melds import LOW_ACE, Meld
from tests.referee.loba_options import Options
from tests.referee.loba_table import Discard, Table
from tests.referee.log import Event, RuleBroken
from tests.referee.recording import BaseRecorder, pack_without, words

ANY_SEED = 1


def deal_line(options: Options, hands: Sequence[Sequence[str]], stock: Sequence[str], exposed: str, deal: int) -> Event:
    """The `deal` event of a batch."""
    dealer = deal % options.players
    return {
        "event": "deal",
        "game": "loba",
        "seed": ANY_SEED,
        "deal": deal,
        "match": None,
        "options": options.as_json(),
        "policies": ["scripted"] * options.players,
        "dealer": dealer,
        "first": (dealer + 1) % options.players,
        "scores_before": [0] * options.players,
        "hands": [list(hand) for hand in hands],
        "stock": list(stock),
        "exposed": exposed,
    }


def of_match(line: Event, scores_before: Sequence[int], dealer: int) -> Event:
    """The same deal as a later one of a match, where each seat that plays has its hand."""
    options = Options(**line["options"])
    match = {**line, "match": 0, "deal": 5, "scores_before": list(scores_before), "dealer": dealer}
    return {**match, "first": next_in(dealer, seats_in(match, options))}


def make_deal(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    stock: str = "",
    exposed: str = "",
    scores_before: Sequence[int] = (),
    dealer: int | None = None,
) -> Event:
    """A `deal` event with these cards first in each part, filled up with others; unnamed jokers are drawn last.

    Outside a match seat 0 is the first. With scores it is a later deal of a match.
    """
    options = options or Options()
    line = deal_line(options, [], [], exposed, options.players - 1)
    if scores_before:
        line = of_match(line, scores_before, options.players - 1 if dealer is None else dealer)
    playing = seats_in(line, options)
    parts = [words((hands or {}).get(seat, "")) for seat in range(options.players)]
    top = words(stock)
    rest, red = pack_without([*parts, top, words(exposed)], options.jokers_for(sum(playing)))
    jokers = [card for card in rest if card == JOKER]
    rest = [*red, *(card for card in rest if card != JOKER)]
    exposed = exposed or rest.pop()
    for seat, part in enumerate(parts):
        while playing[seat] and len(part) < HAND_SIZE:
            part.append(rest.pop())
    return {**line, "hands": parts, "stock": [*top, *reversed(rest), *jokers], "exposed": exposed}


def random_deal(options: Options, rng: random.Random, deal: int = 0, scores_before: Sequence[int] = ()) -> list[Event]:
    """A shuffled deal, with the redeals that a joker at the bottom asks for; with scores a later deal of a match."""
    line = deal_line(options, [], [], "", deal)
    if scores_before:
        still_in = seats_in({**line, "match": 0, "scores_before": scores_before}, options)
        line = of_match(line, scores_before, rng.choice([seat for seat in range(options.players) if still_in[seat]]))
    playing = seats_in(line, options)
    cards = list(two_packs(options.jokers_for(sum(playing))).elements())
    rng.shuffle(cards)
    redeals = []
    while cards[-1] == JOKER:
        redeals.append(redeal(line["dealer"], cards))
        rng.shuffle(cards)
    *left, exposed = cards
    hands = []
    for plays in playing:
        hands.append(left[:HAND_SIZE] if plays else [])
        left = left[HAND_SIZE:] if plays else left
    return [{**line, "hands": hands, "stock": left, "exposed": exposed}, *redeals]


def redeal(dealer: int, cards: Sequence[str]) -> Event:
    """A deal that an exposed joker voided."""
    return {"event": "redeal", "turn": 1, "seat": dealer, "cards": list(cards), "exposed": cards[-1]}


def meld_of(now: str | Sequence[str]) -> Meld:
    """A meld of these cards, legal or not."""
    cards = tuple(words(now))
    if len({rank_of(card) for card in cards if card != JOKER}) <= 1:
        return Meld(cards)
    return Meld(cards, LOW_ACE if rank_of(cards[0]) == "A" else max(number_of(cards[0]), LOW_ACE))


class Recorder(BaseRecorder):
    """Writes the events of one deal while its cards move on a table."""

    table: Table

    def __init__(self, deal: Event, redeals: Sequence[Event] = ()) -> None:
        super().__init__(deal)
        self.events.extend(redeals)
        self.options = Options(**deal["options"])
        self.table = Table(self.options, deal)

    def meld_cards(self, number: int) -> Sequence[str]:
        """The cards of a meld of the seat in turn."""
        return self.table.mine[number].cards

    def meld_count(self) -> int:
        """How many melds the seat in turn has."""
        return len(self.table.mine)

    def added(self, now: str | Sequence[str], number: int | None) -> list[str]:
        """The cards that come to a meld; those of a new one as they lie."""
        return words(now) if number is None else super().added(now, number)

    # ------------------------------------------------------------ moves

    def begin(self) -> Self:
        """The turn begins."""
        if not self.in_turn:
            self.in_turn = True
            self.table.begin_turn()
        return self

    def draw(self) -> Self:
        """The top of the stock; an empty stock is made anew first, or the round is over."""
        self.begin()
        if not self.table.stock and not self.table.can_reshuffle():
            self.end("no_winner")
            return self
        if not self.table.stock:
            self.reshuffle()
        self.write("draw", self.table.stock[-1:])
        self.table.draw()
        return self

    def reshuffle(self) -> Self:
        """The discards but the top one become the stock, in an order that is always the same."""
        stock = self.table.discards[:-1]
        random.Random(self.table.turn).shuffle(stock)
        self.write("reshuffle", stock=stock)
        self.table.reshuffle(stock)
        return self

    def take(self) -> Self:
        """The top discard."""
        self.begin()
        self.write("take_discard", self.table.discards[-1:])
        self.table.take_discard()
        return self

    def lay(self, now: str | Sequence[str], number: int | None) -> Self:
        """A new meld, or an extension, that lies so; an empty hand goes out."""
        cards = self.added(now, number)
        self.write_lay(cards, now, number)
        self.table.lay(self.meld_count() if number is None else number, meld_of(now), cards)
        if not self.table.hand:
            self.go_out()
        return self

    def discard(self, card: str, from_meld: int | None = None) -> Self:
        """The turn ends with a discard of the hand, or off an own meld; an empty hand goes out."""
        self.write("discard", [card], from_meld=from_meld)
        try:
            self.table.discard(card, from_meld)
        except (RuleBroken, IndexError):
            return self  # an illegal discard off a meld is the last event of its log
        if not self.table.hand:
            self.go_out()
        return self.next_seat()

    def next_seat(self) -> Self:
        """The turn is over, and perhaps the round."""
        self.in_turn = False
        if not self.over and self.table.turn == MOST_TURNS:
            self.end("cap")
        elif not self.over:
            self.table.end_turn()
        return self

    # ------------------------------------------------------------ the end

    def go_out(self) -> Self:
        """The player goes out, and the end."""
        self.write("go_out", all_at_once=self.table.lays_all_at_once())
        self.table.go_out()
        self.end("went_out")
        return self

    def end(self, reason: str) -> None:
        """The last line, with the score."""
        self.finish_with(reason, self.table.score())

    def idle_turn(self) -> None:
        """Draw and throw away the card drawn; end the turn that has begun."""
        if not self.in_turn:
            self.draw()
        if not self.over:
            self.idle_discard()

    def idle_discard(self) -> Self:
        """The turn ends with the discard of the card that came last, or another one where that is not allowed."""
        allowed: list[Discard] = self.table.legal_discards()
        last = (self.table.hand[-1], None)
        return self.discard(*(last if last in allowed else allowed[0]))
