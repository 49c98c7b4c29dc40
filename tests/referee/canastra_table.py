"""The table of Canastra: where every card lies, and what the rules leave open to a player.

The methods that move cards check nothing but that the card is there; the questions are one article each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from tests.referee.canastra_melds import (
    Lay,
    additions,
    extensions,
    is_canastra,
    is_clean,
    is_curinga,
    new_lays,
)
from tests.referee.canastra_options import MELD_RANKS, Options
from tests.referee.canastra_score import Tally
from tests.referee.cards import (
    SUITS,
    is_black_three,
    is_red_three,
    number_of,
    rank_of,
    suit_of,
)
from tests.referee.table import CardTable


@dataclass(frozen=True)
class Take:
    """A way to justify taking the lixo: the meld number, the meld as it will lie, the cards from hand."""

    number: int
    lay: Lay
    from_hand: Counter[str]
    new: bool


class Table(CardTable):
    """All the cards of a deal."""

    def __init__(
        self,
        options: Options,
        first: int,
        hands: Sequence[Sequence[str]],
        stock: Sequence[str],
        mortos: Sequence[Sequence[str]],
    ) -> None:
        super().__init__(first, hands, stock, options.jokers)
        self.options = options
        self.lixo: list[str] = []
        self.mortos: list[list[str]] = [list(morto) for morto in mortos]
        self.morto_left = [True, True]
        self.sealed: list[int | None] = [None] * self.players  # a morto taken by a discard, not opened yet
        self.took_morto = [False, False]
        self.melds: list[list[Lay]] = [[], []]
        self.out: int | None = None  # the seat that made the batida

    # ------------------------------------------------------------ cards move

    def take_lixo(self) -> None:
        """The whole lixo is lifted off the table, not yet in hand."""
        self.taken, self.lixo = self.lixo, []

    def rest_to_hand(self) -> None:
        """CAN-08: the lixo without its top card, which is in the justifying meld, joins the hand."""
        self.hand.extend(self.taken[:-1])
        self.taken = []

    def lay(self, number: int, lay: Lay) -> None:
        """A meld of the pair is laid, or lies as `lay` from now on."""
        melds = self.melds[self.side]
        if number == len(melds):
            melds.append(lay)
        else:
            melds[number] = lay

    def discard(self, card: str) -> None:
        """A card goes from the hand onto the lixo."""
        self.remove([card])
        self.lixo.append(card)

    def take_morto(self, sealed: bool) -> int:
        """CAN-18: the lowest-numbered morto left, into the hand or face down before the player."""
        number = self.next_morto()
        assert number is not None
        self.morto_left[number] = False
        self.took_morto[self.side] = True
        if sealed:
            self.sealed[self.seat] = number
        else:
            self.open_morto(number)
        return number

    def open_morto(self, number: int) -> None:
        """The eleven cards of a morto come into the hand."""
        self.hand.extend(self.mortos[number])
        self.mortos[number] = []
        self.sealed[self.seat] = None

    def morto_to_stock(self, order: Sequence[str]) -> None:
        """CAN-23: the lowest-numbered morto left becomes the stock."""
        number = self.next_morto()
        assert number is not None
        self.morto_left[number] = False
        self.mortos[number] = []
        self.stock = list(reversed(order))

    def piles_and_melds(self) -> Iterator[Sequence[str]]:
        """The lixo, the mortos and the melds."""
        yield self.lixo
        yield from self.mortos
        yield from (lay.cards for side in self.melds for lay in side)

    # ------------------------------------------------------------ questions: morto, batida, stock

    def next_morto(self) -> int | None:
        """CAN-18: the lowest-numbered morto that nobody has taken and that has not become stock."""
        return next((number for number in (0, 1) if self.morto_left[number]), None)

    def morto_open(self) -> bool:
        """CAN-18, 19: the pair has had no morto and one is left."""
        return not self.took_morto[self.side] and self.next_morto() is not None

    def batida_open(self, melds: Sequence[Lay] | None = None) -> bool:
        """CAN-20: the pair has taken a morto and owns a canastra."""
        mine = self.melds[self.side] if melds is None else melds
        return self.took_morto[self.side] and any(is_canastra(lay) for lay in mine)

    def may_hold(self, count: int, melds: Sequence[Lay] | None = None) -> bool:
        """CAN-20, 21: may the player hold this many cards after laying?"""
        if count >= 2 or self.morto_open():
            return True
        return self.batida_open(melds) and not (count == 0 and self.options.batida_needs_discard)

    def finishing(self, cards: Sequence[str], melds: Sequence[Lay] | None = None) -> bool:
        """CAN-08, 21: the only card left can be laid at once so that a batida is legal."""
        mine = self.melds[self.side] if melds is None else melds
        if len(cards) != 1 or not self.took_morto[self.side] or self.options.batida_needs_discard:
            return False
        ways = (way for lay in mine for way in additions(lay, cards[0], self.options))
        return any(is_canastra(way) for way in ways)

    def morto_becomes_stock(self) -> bool:
        """CAN-23: the stock is empty and a morto is left to become stock, under that option."""
        allowed = self.options.stock_out == "morto_becomes_stock"
        return not self.stock and allowed and self.next_morto() is not None

    def can_draw(self) -> bool:
        """CAN-23: a card is left to be drawn."""
        return bool(self.stock) or self.morto_becomes_stock()

    # ------------------------------------------------------------ questions about the lixo

    def lixo_closed(self) -> tuple[str, str] | None:
        """CAN-07, 09, 10: why the lixo may not be taken at all."""
        if not self.lixo:
            return "CAN-07", "the lixo is empty"
        if is_black_three(self.lixo[-1]):
            return "CAN-09", "a black three on top: the player must draw"
        if self.options.curinga_top_blocks and is_curinga(self.lixo[-1]):
            return "CAN-10", "a curinga on top may not be taken (curinga_top_blocks)"
        return None

    def justifies(self, lay: Lay, new: bool, from_hand: Counter[str]) -> bool:
        """CAN-08: does this meld of the top card with these cards from hand justify the take?"""
        if self.options.lixo_justify == "new_or_extend":
            return True
        if self.options.lixo_justify == "naturals_only" and any(is_curinga(card) for card in from_hand):
            return False
        return new or self.joins_lavadeira(lay, from_hand)

    def joins_lavadeira(self, lay: Lay, from_hand: Counter[str]) -> bool:
        """CAN-08: the top card and at least two of the rank from hand join the pair's lavadeira."""
        naturals = [card for card in from_hand.elements() if number_of(card) == lay.low]
        return not lay.is_sequence and len(naturals) >= 2

    def second_lavadeira(self, lay: Lay) -> bool:
        """CAN-16: the pair already has a lavadeira of this rank."""
        mine = (other for other in self.melds[self.side] if not other.is_sequence)
        return not lay.is_sequence and any(other.low == lay.low for other in mine)

    def takes(self) -> Iterator[Take]:
        """CAN-08: every legal way to justify taking the lixo."""
        if self.lixo_closed():
            return
        top = self.lixo[-1]
        for take in self.melds_with(top):
            if self.justifies(take.lay, take.new, take.from_hand) and self.leaves_a_way(take):
                yield take

    def melds_with(self, top: str) -> Iterator[Take]:
        """Every extension and new meld that holds the top card and otherwise cards of the hand."""
        pool = Counter([*self.hand, top])
        mine = self.melds[self.side]
        for number, lay in enumerate(mine):
            for way, used in extensions(lay, pool, self.options):
                if used[top]:
                    yield Take(number, way, used - Counter([top]), new=False)
        where = (SUITS, MELD_RANKS) if is_curinga(top) else (suit_of(top), rank_of(top))
        for lay in new_lays(pool, self.options, *where):
            if top in lay.cards and not self.second_lavadeira(lay):
                yield Take(len(mine), lay, Counter(lay.cards) - Counter([top]), new=True)

    def leaves_a_way(self, take: Take) -> bool:
        """CAN-08: the take leaves a legal discard or a legal way to end the turn."""
        left = [*(Counter(self.hand) - take.from_hand).elements(), *self.lixo[:-1]]
        melds = [*self.melds[self.side][: take.number], take.lay, *self.melds[self.side][take.number + 1 :]]
        return self.may_hold(len(left), melds) or self.finishing(left, melds)

    def could_take(self) -> bool:
        """CAN-23: can the player legally take the lixo?"""
        return next(self.takes(), None) is not None

    # ------------------------------------------------------------ the end

    def unopened(self, side: int) -> bool:
        """CAN-18, 22: a player of the pair has a morto that he never opened."""
        return any(number is not None for number in self.sealed[side::2])

    def tally(self, side: int) -> Tally:
        """CAN-25 to 27: what the pair has at the end."""
        melds = self.melds[side]
        hands = list(chain(*self.hands[side::2]))
        unplayed = [card for card in hands if is_red_three(card)]  # CAN-06: of a first turn that never came
        return Tally(
            batida=self.out is not None and self.out % 2 == side,
            clean=sum(1 for lay in melds if is_canastra(lay) and is_clean(lay)),
            dirty=sum(1 for lay in melds if is_canastra(lay) and not is_clean(lay)),
            cards_on_table=sum(len(lay.cards) for lay in melds),
            red_threes=len(self.red_threes[side]) + len(unplayed),
            cards_in_hand=len(hands) - len(unplayed),
            morto_missing=self.morto_missing(side),
        )

    def morto_missing(self, side: int) -> bool:
        """CAN-22: an unopened morto counts as not taken when the opponents go out; CAN-27: nobody pays
        when the cards ran out and neither pair took one."""
        if self.out is None:
            return not self.took_morto[side] and any(self.took_morto)
        return not self.took_morto[side] or (self.unopened(side) and self.out % 2 != side)
