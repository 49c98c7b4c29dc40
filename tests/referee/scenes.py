"""Short hand-written deals of Canastra, played up to the point that a test is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tests.referee.builder import Recorder, make_deal
from tests.referee.canastra_options import Options
from tests.referee.log import Event

NO_CANASTRA = "4D 5D 6D 8D 9D TD QC KC AC 7D 7C"  # three melds and two cards
LONG = "4D 5D 6D 7D 8D 9D TD JD QD 7S 6C"  # a clean canastra, a card for 4S 5S 6S, a discard
FINISHING = "4D 5D 6D 7D 8D 9D QD KD TD 7S 6C"  # six of a canastra, the seventh, and a pair for the lixo


def table(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    stock: str = "",
    mortos: Sequence[str] = ("", ""),
    deal: int = 3,
) -> Recorder:
    """A deal with these cards, before its first turn; seat 0 begins."""
    return Recorder(make_deal(options, hands, stock, mortos, deal), options)


def first_turn(
    morto: str,
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    stock: str = "",
    second: str = "",
) -> Recorder:
    """Seat 0 lays all his cards in the first turn and has morto 0 in hand; the turn goes on."""
    recorder = table(
        options,
        {0: "4S 5S 6S 8S 9S TS 4H 5H 6H 8H 9H", **(hands or {})},
        f"TH {stock}",
        (morto, second),
    )
    return recorder.draw().meld("4S 5S 6S").meld("8S 9S TS").meld("4H 5H 6H").meld("8H 9H TH")


def three_left(options: Options | None = None, morto: str = FINISHING) -> Recorder:
    """Before turn 5 seat 0, with a morto and no canastra, holds three cards, and the lixo is a JD alone."""
    recorder = first_turn(morto, options, {3: "7H 8H JD"}, "9C 9H")
    recorder.meld("4D 5D 6D 7D 8D 9D").extend(0, "4S 5S 6S 7S").discard("6C")
    recorder.idle(2)
    return recorder.take("7H 8H 9H").discard("JD")


def last_draw_takeable(options: Options) -> Recorder:
    """Before turn 35 nothing is left to draw, and seat 2 can take the lixo for its top card."""
    deal: Event = make_deal(options, {2: "9D TD"}, "JD")
    stock = deal["stock"]
    deal["stock"] = [*stock[-4:], *stock[1:-4], stock[0]]
    return Recorder(deal, options).idle(34)


def lonely_card() -> Recorder:
    """Turn 37: seat 0 holds one card; the last card of the stock was a red three; neither way out is open."""
    options = Options(stock_out="end")
    recorder = first_turn(NO_CANASTRA, options, second="3H 3D")
    recorder.meld("4D 5D 6D").meld("8D 9D TD").meld("QC KC AC").discard("7D")
    drawn, *left = recorder.events[0]["stock"]
    order = [left[-1], *left[:-1]]  # one red three comes next, the other last
    recorder.events[0]["stock"] = [drawn, *order]
    recorder.table.stock = order[::-1]
    return recorder.idle(35).draw()


def unopened(partner_goes_out: bool = False) -> Recorder:
    """Seat 1 empties his hand by a discard; the hand is over before he opens the morto."""
    hands = {1: "4C 5C 6C 7C 9C TC JC QC 4H 5H 6H"}
    if partner_goes_out:
        hands[3] = "4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    recorder = first_turn(LONG, hands=hands, stock="KH")
    recorder.meld("4D 5D 6D 7D 8D 9D TD JD QD").discard("6C")
    recorder.draw().meld("4C 5C 6C 7C").meld("9C TC JC QC").meld("4H 5H 6H").discard("KH")
    recorder.idle()
    if partner_goes_out:
        recorder.draw().meld("4S 5S 6S 7S 8S 9S TS JS QS KS AS")
        return recorder.discard(recorder.table.hand[0])
    recorder.idle().draw().extend(0, "4S 5S 6S 7S")
    return recorder.discard(recorder.table.hand[0])


def batida_by_laying(options: Options | None = None) -> Recorder:
    """Seat 0 lays both his hand and the morto: a batida in the first turn."""
    return first_turn("4D 5D 6D 7D 8D 9D TD JD QD KD AD", options, {1: "3H", 2: "3D"}).meld(
        "4D 5D 6D 7D 8D 9D TD JD QD KD AD"
    )


def take_for_jack(options: Options | None = None, top: str = "JD", hand: str = "9D TD") -> Recorder:
    """Before turn 2 a jack of diamonds is the lixo and seat 1 holds the cards named."""
    return table(options, {1: hand}, top).idle()


def kings(options: Options | None = None, top: str = "KC", hand: str = "KS KH") -> Recorder:
    """Before turn 6 side 1 has a lavadeira of kings and the top of the lixo is the card named."""
    recorder = table(options, {1: f"KS KH KD {hand}"}, f"4C 4D 6H 6C {top}")
    recorder.idle().draw().meld("KS KH KD").discard("4D")
    return recorder.idle(3)


SCENES: dict[str, Callable[[], list[Event]]] = {
    "idle": lambda: table().finish(),
    "idle, mortos stay": lambda: table(Options(stock_out="end")).finish(),
    "two players": lambda: table(Options(players=2), deal=1).finish(),
    "jokers": lambda: table(Options(jokers=4)).finish(),
    "red threes at the start": lambda: table(hands={0: "3H 3D", 1: "3H"}, stock="3D 7S").finish(),
    "batida by laying": lambda: batida_by_laying().events,
    "unopened, opponents go out": lambda: unopened().events,
    "unopened, partner goes out": lambda: unopened(partner_goes_out=True).events,
    "lonely card": lambda: lonely_card().no_discard().finish(),
    "declined": lambda: last_draw_takeable(Options(stock_out="end")).finish(),
    "finishing card": lambda: three_left().take("JD QD KD").extend(4, "4D 5D 6D 7D 8D 9D TD").events,
    "lixo by a lavadeira": lambda: kings().take("KS KH KD KC KS KH", 0).idle_discard().finish(),
}
