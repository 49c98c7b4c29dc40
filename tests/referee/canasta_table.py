"""The table of Canasta: where every card lies, and what the rules leave open to a player.

The methods that move cards check nothing but that the card is there; the questions are one article each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from tests.referee.canasta_deal import JOKERS
from tests.referee.canasta_melds import Meld, points
from tests.referee.canasta_options import Options
from tests.referee.canasta_score import Tally
from tests.referee.canasta_ways import (
    BLACK,
    WILD,
    Kinds,
    Shape,
    WayOut,
    best_points,
    cards_used,
    kinds_of,
    openings,
    shapes_of,
    way_out,
    with_lays,
)
from tests.referee.cards import is_black_three, is_red_three, is_wild, rank_of
from tests.referee.table import CardTable


def minimum_at(score: int) -> int:
    """KAN-13: what the first meld of a side with this score must be worth."""
    if score < 0:
        return 15
    if score < 1500:
        return 50
    return 90 if score < 3000 else 120


@dataclass
class Turn:
    """What has happened in the turn that runs."""

    opened: bool = False  # the side had melds when the turn began
    first_new: int = 0  # the number of the first meld laid in this turn
    drew: bool = False
    took: bool = False  # the pile
    laid: bool = False  # any card
    laid_points: int = 0
    added_to_old: bool = False  # to a meld of an earlier turn
    answer: bool | None = None  # the partner's, if asked


class Table(CardTable):
    """All the cards of a deal."""

    def __init__(
        self,
        options: Options,
        first: int,
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        pile: Sequence[str],
        scores: Sequence[int],
    ) -> None:
        super().__init__(first, hands, stock, JOKERS)
        self.options = options
        self.minimums = [minimum_at(score) for score in scores]
        self.pile = list(pile)
        self.frozen = any(is_wild(card) or is_red_three(card) for card in pile) or self.black_freezes(pile[-1])
        self.melds: list[list[Meld]] = [[], []]
        self.has_laid = [False] * self.players  # in an earlier turn
        self.has_asked = [False] * self.players
        self.now = Turn()
        self.out: int | None = None  # the seat that went out
        self.out_concealed = False

    # ------------------------------------------------------------ cards move

    @property
    def mine(self) -> list[Meld]:
        """The melds of the side in turn."""
        return self.melds[self.side]

    def begin_turn(self) -> None:
        """A turn begins."""
        self.turn += 1
        self.now = Turn(opened=bool(self.mine), first_new=len(self.mine))

    def end_turn(self) -> None:
        """KAN-01: the next player's turn comes."""
        self.has_laid[self.seat] = self.has_laid[self.seat] or self.now.laid
        self.seat = (self.seat + 1) % self.players

    def take_pile(self) -> None:
        """The whole pile is lifted off the table; KAN-08: it is no longer frozen."""
        self.taken, self.pile = self.pile, []
        self.frozen = False
        self.now.took = True

    def lay_red_three(self, card: str) -> None:
        """KAN-05: a red three of the hand, or of the pile just taken, is laid aside."""
        if card in self.taken:
            self.taken.remove(card)
            self.red_threes[self.side].append(card)
        else:
            super().lay_red_three(card)

    def lift_top(self) -> None:
        """KAN-06: the top card is about to be melded; KAN-13: the rest joins the hand if it may."""
        self.hand.append(self.taken.pop())
        self.rest_to_hand()

    def rest_to_hand(self) -> None:
        """KAN-13: the rest of the pile joins the hand once the side has melded what it must."""
        if self.minimum_reached():
            self.hand.extend(self.taken)
            self.taken = []

    def lay(self, number: int, meld: Meld, added: Sequence[str]) -> None:
        """A meld of the side is laid, or lies so from now on."""
        self.now.laid = True
        self.now.laid_points += points(added)
        if number == len(self.mine):
            self.mine.append(meld)
        else:
            self.mine[number] = meld
            self.now.added_to_old = self.now.added_to_old or number < self.now.first_new

    def discard(self, card: str) -> None:
        """A card goes from the hand onto the pile, and may freeze it (KAN-08, KAN-09)."""
        self.remove([card])
        self.pile.append(card)
        self.frozen = self.frozen or is_wild(card) or self.black_freezes(card)

    def piles_and_melds(self) -> Iterator[Sequence[str]]:
        """The pile and the melds."""
        yield self.pile
        yield from (meld.cards for side in self.melds for meld in side)

    # ------------------------------------------------------------ questions: first meld, going out

    def black_freezes(self, card: str) -> bool:
        """KAN-09: a black three freezes the pile only under that option."""
        return self.options.black_three_freezes and is_black_three(card)

    def minimum_reached(self) -> bool:
        """KAN-13: the side had melded before, or has laid enough in this turn."""
        return self.now.opened or self.now.laid_points >= self.minimums[self.side]

    def minimum_waived(self) -> bool:
        """KAN-15: going out concealed from a stock draw needs no minimum."""
        return self.concealed() and not self.now.took

    def canastas(self) -> int:
        """KAN-14: how many canastas the side owns."""
        return sum(1 for meld in self.mine if meld.is_canasta)

    def may_go_out(self) -> bool:
        """KAN-14: the side owns the canastas it needs, and the partner has not refused."""
        return self.canastas() >= self.options.canastas_to_go_out and self.now.answer is not False

    def concealed(self) -> bool:
        """KAN-15: nothing laid before, nothing added to the partner's melds, a canasta of this turn."""
        own = self.mine[self.now.first_new :]
        before = self.has_laid[self.seat] or self.now.added_to_old
        return not before and any(meld.is_canasta for meld in own)

    def black_threes_laid(self) -> bool:
        """KAN-12: black threes were melded in this turn."""
        return any(meld.is_black for meld in self.mine[self.now.first_new :])

    def way_out(self, melds: Mapping[str, Shape], kinds: Kinds) -> WayOut | None:
        """KAN-14: how to go out with these cards and melds."""
        if self.now.answer is False:
            return None
        return way_out(melds, kinds, self.options.canastas_to_go_out)

    def can_finish(self, melds: Mapping[str, Shape], kinds: Kinds) -> bool:
        """KAN-12, KAN-14: with these cards and melds the turn can end: by keeping a card, or by going out."""
        if kinds.total() >= 2 and BLACK not in melds and self.now.answer is not True:
            return True
        return self.way_out(melds, kinds) is not None

    # ------------------------------------------------------------ questions about the pile

    def pile_closed(self) -> tuple[str, str] | None:
        """KAN-06, KAN-07, KAN-10: why the pile may not be taken at all."""
        if not self.pile:
            return "KAN-06", "the pile is empty"
        if is_wild(self.pile[-1]) or is_black_three(self.pile[-1]):
            return "KAN-07", f"{self.pile[-1]} on top: the pile cannot be taken"
        if len(self.hand) == 1 and len(self.pile) == 1:
            return "KAN-10", "with one card in hand a one-card pile cannot be taken"
        return None

    def pile_frozen(self) -> bool:
        """KAN-08: frozen for everybody, or for a side that has not melded."""
        return self.frozen or not self.mine

    def own_meld(self, rank: str) -> int | None:
        """KAN-11: the number of the side's meld of a rank."""
        return next((number for number, meld in enumerate(self.mine) if meld.rank == rank), None)

    def fits_own_meld(self) -> bool:
        """KAN-16: the top card of the pile can join a meld of the side."""
        return self.own_meld(rank_of(self.pile[-1])) is not None

    def must_take(self) -> bool:
        """KAN-16: with an empty stock the pile must be taken, unless the turn could then not end."""
        if self.stock or self.pile_closed() or self.pile_frozen() or not self.fits_own_meld():
            return False
        return self.leaves_a_finish(Counter())

    def justifications(self) -> list[Kinds]:
        """KAN-08: the fewest cards from hand, by kind, that justify the take of a side that has melded."""
        held, rank = kinds_of(self.hand), rank_of(self.pile[-1])
        wanted = [Counter({rank: 2})]
        if not self.frozen:
            wanted.append(Counter() if self.fits_own_meld() else Counter({rank: 1, WILD: 1}))
        return [cards for cards in wanted if cards <= held]

    def leaves_a_finish(self, from_hand: Kinds) -> bool:
        """KAN-10, KAN-14: the turn can end after the top card is laid with these cards from hand."""
        rank = rank_of(self.pile[-1])
        lay = Shape(1 + from_hand[rank], from_hand[WILD])
        left = kinds_of(self.hand) - from_hand + kinds_of(self.pile[:-1])
        return self.can_finish(with_lays(shapes_of(self.mine), {rank: lay}), left)

    def takes(self) -> list[Kinds]:
        """KAN-08: what from hand justifies a take of a side that has melded, so that the turn can end."""
        if self.pile_closed() or not self.mine:
            return []
        return [cards for cards in self.justifications() if self.leaves_a_finish(cards)]

    def opening_takes(self) -> Iterator[dict[str, Shape]]:
        """KAN-13: the first melds with the top card that reach the minimum, so that the turn can end."""
        if self.pile_closed() or self.mine:
            return
        kinds, rank = kinds_of([*self.hand, self.pile[-1]]), rank_of(self.pile[-1])
        rest = kinds_of(self.pile[:-1])
        wilds = [card for card in self.hand if is_wild(card)]
        for lays in openings(kinds, rank):
            enough = best_points(lays, wilds) >= self.minimums[self.side]
            if enough and self.can_finish(lays, kinds - cards_used(lays) + rest):
                yield lays

    def could_take(self) -> bool:
        """KAN-16: can the player legally take the pile?"""
        return bool(self.takes()) or next(self.opening_takes(), None) is not None

    # ------------------------------------------------------------ the end

    def tally(self, side: int) -> Tally:
        """KAN-18, KAN-19: what the side has at the end."""
        hands = list(chain(*self.hands[side::2]))
        unplayed = [card for card in hands if is_red_three(card)]  # KAN-05: of a first turn that never came
        went_out = self.out is not None and self.out % 2 == side
        return Tally(
            went_out=went_out,
            concealed=went_out and self.out_concealed,
            melds=list(self.melds[side]),
            red_threes=len(self.red_threes[side]) + len(unplayed),
            cards_in_hand=[card for card in hands if not is_red_three(card)],
        )
