"""Deals in which some cards are given: a hand at a seat, and what lies open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernels.cards import JOKER, card_number, card_text
from kernels.spec import GameSpec
from sim.errors import UsageError
from sim.names import Names


@dataclass(frozen=True)
class Placing:
    """Cards that are given, as the deck has them, and their places in it by the dealer's seat."""

    cards: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    has_jokers: bool = True

    def fill(self, state: Any) -> None:
        """Write it into the state of a game, shape (1,)."""
        placed = state["placed"][0]
        placed["number"] = len(self.cards)
        placed["jokers"] = self.has_jokers
        placed["card"][: len(self.cards)] = self.cards
        for dealer, places in enumerate(self.places):
            placed["position"][dealer, : len(places)] = places


def read_cards(where: str, text: str | Sequence[str]) -> tuple[int, ...]:
    """Read cards as ``KS KD 10H JK``, separated by blanks or commas, or a list of texts.

    Raises
    ------
    UsageError
        If a text names no card.
    """
    pieces = text.replace(",", " ").split() if isinstance(text, str) else list(text)
    cards = []
    for piece in pieces:
        try:
            cards.append(card_number(str(piece)))
        except ValueError as error:
            raise UsageError(f"{where}: {error}") from None
    return tuple(cards)


def placing_for(
    spec: GameSpec,
    options: Mapping[str, Any],
    seat: int,
    hand: Sequence[int],
    top_cards: Sequence[int],
    pack: Mapping[int, int],
    names: Names,
) -> Placing:
    """Put a hand at a seat, and open cards on the table.

    Parameters
    ----------
    pack
        How often each card is in the game's pack; jokers under the number of one.
    names
        What errors call ``hand`` and ``top_card``.

    Raises
    ------
    UsageError
        If the game does not say where its cards are dealt, has no open card, or there are too many cards.
    """
    if spec.hand_places is None:
        raise UsageError(f"game: {spec.name} does not say where its cards are dealt, so no hand can be given")
    seats = range(spec.seats(options))
    size = len(spec.hand_places(options, 0, seat))
    if not 1 <= len(hand) <= size:
        raise UsageError(f"{names('hand')}: {len(hand)} cards; a hand of {spec.name} has 1 to {size} that can be given")
    open_size = len(spec.open_places(options, 0)) if spec.open_places is not None else 0
    if len(top_cards) > open_size:
        has = f"{open_size} can be given" if open_size else f"no card of {spec.name} lies open before the first turn"
        raise UsageError(f"{names('top_card')}: {len(top_cards)} cards; {has}")
    _check_pack(spec, [*hand, *top_cards], pack, names("hand") if not top_cards else names("top_card"))
    places = []
    for dealer in seats:
        own = spec.hand_places(options, dealer, seat)[: len(hand)]
        there = spec.open_places(options, dealer)[: len(top_cards)] if spec.open_places is not None else ()
        places.append((*own, *there))
    given = (*hand, *top_cards)
    if spec.own_numbers is not None:
        numbers = spec.own_numbers(options)
        given = tuple(int(numbers[card]) for card in given)
    return Placing(given, tuple(places), JOKER in pack)


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _check_pack(spec: GameSpec, cards: Sequence[int], pack: Mapping[int, int], where: str) -> None:
    for card, count in Counter(JOKER if card & 15 == JOKER else card for card in cards).items():
        has = pack.get(card, 0)
        if count > has:
            raise UsageError(f"{where}: {card_text(card)} is given {_times(count)}; the pack of {spec.name} has {has}")
