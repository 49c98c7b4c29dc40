"""The table of Loba: where every card lies, and what the rules leave open to a player.

The methods that move cards check nothing but that the card is there; the questions are one article each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tests.referee.cards import JOKER, two_packs
from tests.referee.loba_deal import next_in, seats_in
from tests.referee.loba_melds import Meld, read_meld, without_card
from tests.referee.loba_options import Options
from tests.referee.loba_score import score
from tests.referee.loba_ways import Lay, can_lay
from tests.referee.log import Event, RuleBroken
from tests.referee.table import StockTable

MOST_RESHUFFLES = 3
FEWEST_TO_SHUFFLE = 2

Discard = tuple[str, int | None]  # the card, and the own meld it comes from or None for the hand


@dataclass
class Turn:
    """What has happened in the turn that runs."""

    taken: str | None = None  # the card taken from the discards
    only_copy: bool = False  # it had no second copy in hand when it was taken
    taken_laid: bool = False  # it, or a second copy, was laid since
    taken_meld: int | None = None  # in that meld


class Table(StockTable):
    """All the cards of a deal."""

    def __init__(self, options: Options, deal: Event) -> None:
        self.playing = seats_in(deal, options)
        pack = two_packs(options.jokers_for(sum(self.playing)))
        super().__init__(deal["first"], deal["hands"], deal["stock"], pack)
        self.options = options
        self.exposed: str = deal["exposed"]
        self.discards: list[str] = []
        self.melds: list[list[Meld]] = [[] for _ in self.hands]
        self.has_laid = [False] * self.players  # in an earlier turn
        self.reshuffles = 0
        self.now = Turn()
        self.out: int | None = None  # the seat that went out
        self.out_at_once = False

    # ------------------------------------------------------------ cards move

    @property
    def mine(self) -> list[Meld]:
        """The melds of the seat in turn."""
        return self.melds[self.seat]

    def begin_turn(self) -> None:
        """A turn begins."""
        self.turn += 1
        self.now = Turn()

    def end_turn(self) -> None:
        """LOB-01: the next player to the left who is still in."""
        self.has_laid[self.seat] = bool(self.mine)
        self.seat = next_in(self.seat, self.playing)

    def take_discard(self) -> None:
        """The top discard goes into the hand."""
        card = self.discards.pop()
        self.now = Turn(taken=card, only_copy=card not in self.hand)
        self.hand.append(card)

    def lay(self, number: int, meld: Meld, added: Sequence[str]) -> None:
        """Cards of the hand become a meld, or join one, that lies so from now on."""
        self.remove(added)
        if number == len(self.mine):
            self.mine.append(meld)
        else:
            self.mine[number] = meld
        if self.now.taken in added and not self.now.taken_laid:
            self.now.taken_laid, self.now.taken_meld = True, number

    def discard(self, card: str, from_meld: int | None = None) -> None:
        """A card goes from the hand, or off an own meld (LOB-08), onto the discards."""
        if from_meld is None:
            self.remove([card])
        else:
            self.mine[from_meld] = without_card(self.mine[from_meld], card, self.options)
        self.discards.append(card)

    def reshuffle(self, stock: Sequence[str]) -> None:
        """LOB-13: the discards but the top one have become this stock, in drawing order."""
        self.discards = self.discards[-1:]
        self.stock = list(reversed(stock))
        self.reshuffles += 1

    def go_out(self) -> None:
        """LOB-12, LOB-15: the seat in turn goes out."""
        self.out, self.out_at_once = self.seat, self.lays_all_at_once()

    def other_places(self) -> Iterator[Sequence[str]]:
        """The discards, the exposed card and the melds."""
        yield self.discards
        yield [self.exposed]
        yield from (meld.cards for seat in self.melds for meld in seat)

    # ------------------------------------------------------------ questions: drawing

    def can_reshuffle(self) -> bool:
        """LOB-13: three times at most, two cards at least beneath the top discard."""
        return self.reshuffles < MOST_RESHUFFLES and len(self.discards) - 1 >= FEWEST_TO_SHUFFLE

    def why_not_take(self) -> tuple[str, str] | None:
        """LOB-04, LOB-11, LOB-12: why the top discard may not be taken."""
        if not self.discards:
            return "LOB-04", "there is no discard"
        if len(self.hand) == 1:
            return "LOB-11", "with one card in hand nothing is taken from the discards"
        top = self.discards[-1]
        if self.options.taken_discard_must_meld and not can_lay(top, [*self.hand, top], self.mine, self.options):
            return "LOB-12", f"{top} can neither be melded nor added (taken_discard_must_meld)"
        return None

    # ------------------------------------------------------------ questions: the end of a turn

    def owes_meld(self) -> bool:
        """LOB-12: the card taken must still be melded or added in this turn."""
        return self.options.taken_discard_must_meld and self.now.taken is not None and not self.now.taken_laid

    def is_just_taken(self, card: str, from_meld: int | None) -> bool:
        """LOB-04: this can only be the card just taken, in the hand or where it was laid since.

        Two cards of the same face are not told apart where they lie together.
        """
        if card != self.now.taken or not self.now.only_copy:
            return False
        return from_meld is None or (from_meld == self.now.taken_meld and self.mine[from_meld].cards.count(card) == 1)

    def natural_discards(self) -> list[Discard]:
        """LOB-04: the natural cards of the hand that may be discarded."""
        naturals = sorted({card for card in self.hand if card != JOKER})
        return [(card, None) for card in naturals if not self.is_just_taken(card, None)]

    def laid_discards(self) -> list[Discard]:
        """LOB-08: the natural cards of own melds that may be discarded."""
        return [
            (card, number)
            for number, meld in enumerate(self.mine)
            for card in sorted(set(meld.cards))
            if self.can_leave(meld, card) and not self.is_just_taken(card, number)
        ]

    def can_leave(self, meld: Meld, card: str) -> bool:
        """LOB-08: without this card a legal meld remains."""
        try:
            without_card(meld, card, self.options)
        except RuleBroken:
            return False
        return True

    def may_discard_joker(self) -> bool:
        """LOB-10: as the last card, to go out, or where nothing else can be discarded; LOB-04: not if just taken."""
        if JOKER not in self.hand or self.is_just_taken(JOKER, None):
            return False
        return len(self.hand) == 1 or not (self.natural_discards() or self.laid_discards())

    def legal_discards(self) -> list[Discard]:
        """Everything that may be discarded now."""
        if not self.hand or self.owes_meld():
            return []
        jokers: list[Discard] = [(JOKER, None)] if self.may_discard_joker() else []
        return [*self.natural_discards(), *self.laid_discards(), *jokers]

    def why_no_end(self) -> tuple[str, str] | None:
        """LOB-04, LOB-12: why the turn can no longer be ended, if it cannot.

        Only the card just taken, alone in the hand, cannot be discarded; it may still be laid.
        """
        taken = self.now.taken
        if taken is None or not self.hand or self.legal_discards():
            return None
        if can_lay(taken, self.hand, self.mine, self.options):
            return None
        article = "LOB-12" if self.owes_meld() else "LOB-04"
        return article, f"{taken}, just taken, can neither be laid nor discarded: the turn cannot be ended"

    def leaves_an_end(self, lay: Lay) -> bool:
        """Can the turn still be ended after these cards are laid?"""
        hand, mine, now = self.hand, self.mine, self.now
        self.hands[self.seat], self.melds[self.seat], self.now = list(hand), list(mine), replace(now)
        number = len(mine) if lay.number is None else lay.number
        self.lay(number, read_meld(lay.now, self.options), lay.cards)
        ends = self.why_no_end() is None
        self.hands[self.seat], self.melds[self.seat], self.now = hand, mine, now
        return ends

    def lays_all_at_once(self) -> bool:
        """LOB-15: nothing was laid in an earlier turn."""
        return not self.has_laid[self.seat]

    # ------------------------------------------------------------ the end

    def score(self) -> list[dict[str, int]]:
        """LOB-14, LOB-15: every line of every seat."""
        return score(self.hands, self.out, self.out_at_once)
