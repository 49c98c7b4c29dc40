"""What the corruptions of a Canastra log share: their list, and the table before each event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.referee.canastra_melds import is_curinga, natural
from tests.referee.cards import number_of, rank_of, suit_of
from tests.referee.log import Event
from tests.referee.log_edits import Corruptions, Log, turn_draws

CORRUPTIONS = Corruptions()
corruption = CORRUPTIONS

TURN_START = ("CAN-06", "CAN-07", "CAN-18", "CAN-23")  # what a wrong event at the start of a turn breaks
EMPTY_HAND = ("CAN-18", "CAN-20")  # what a wrong event after an emptied hand breaks
SCORE = ("CAN-22", "CAN-25", "CAN-26", "CAN-27")


def draws_alone(log: Log) -> list[int]:
    """The draws of a turn that no `morto_to_stock` precedes."""
    return [index for index in turn_draws(log) if log[index - 1]["event"] != "morto_to_stock"]


def is_sequence(now: Sequence[str]) -> bool:
    """A sequence, not a lavadeira."""
    return len({rank_of(card) for card in now if not is_curinga(card)}) > 1


def suit_and_low(now: Sequence[str]) -> tuple[str, int]:
    """The suit and the lowest place of a sequence."""
    index = next(index for index, card in enumerate(now) if not is_curinga(card))
    return suit_of(now[index]), number_of(now[index]) - index


def next_natural(now: Sequence[str]) -> str | None:
    """The natural card that would continue a sequence upwards."""
    suit, low = suit_and_low(now)
    place = low + len(now)
    return natural(suit, place) if place <= 14 else None


def is_canastra(now: Sequence[str]) -> bool:
    """Seven cards or more."""
    return len(now) >= 7


# ---------------------------------------------------------------- the table before each event


@dataclass(frozen=True)
class Spot:
    """What lies where before one event; melds by side."""

    index: int
    event: Event
    hand: list[str]
    lixo: list[str]
    melds: list[list[list[str]]]
    took_morto: list[bool]

    @property
    def side(self) -> int:
        """The side of the seat in turn."""
        side: int = self.event["seat"] % 2
        return side


def spots(log: Log) -> Iterator[Spot]:
    """The table before each event of a valid log, from the second line to the one before `end`."""
    hands = [list(hand) for hand in log[0]["hands"]]
    lixo: list[str] = []
    taken: list[str] = []
    melds: list[list[list[str]]] = [[], []]
    took = [False, False]
    for index, event in enumerate(log[1:-1], start=1):
        hand, cards, side = hands[event["seat"]], event["cards"], event["seat"] % 2
        yield Spot(index, event, list(hand), list(lixo), [list(melds[0]), list(melds[1])], list(took))
        name = event["event"]
        if name in ("draw", "take_morto", "morto_opened"):
            hand.extend(cards)
            took[side] = took[side] or name == "take_morto"
        elif name == "take_pile":
            taken, lixo = lixo, []
        elif name in ("meld", "extend"):
            hand.extend(taken)
            taken = []
            lay(melds[side], event)
        if name in ("meld", "extend", "discard", "red_three"):
            for card in cards:
                hand.remove(card)
        if name == "discard":
            lixo.append(cards[0])


def lay(melds: list[list[str]], event: Event) -> None:
    """A meld lies as the event says."""
    if event["event"] == "meld":
        melds.append(event["now"])
    else:
        melds[event["meld"]] = event["now"]
