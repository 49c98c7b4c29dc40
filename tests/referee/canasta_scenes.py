"""Short hand-written deals of Canasta, played up to the point that a test is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.referee.canasta_builder import Recorder, make_deal
from tests.referee.canasta_options import Options
from tests.referee.log import Event

WILDS_HELD = {0: "JK JK JK JK 2S 2S", 2: "2H 2H 2D 2D 2C 2C"}  # no wild card is drawn, so none freezes the pile
SIX_KINGS = "KS KS KH KH KD KD"
SEVEN_KINGS = f"{SIX_KINGS} KC"
ASK = Options(ask_partner=True)


def table(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    stock: str = "",
    pile: str = "",
    bottom: str = "",
) -> Recorder:
    """A deal with these cards, before its first turn; seat 0 begins."""
    return Recorder(make_deal(options, hands, stock, pile, bottom), options)


def six_kings(
    options: Options | None = None, hand: str = "AS AH AD AC 4S", stock: str = "5S KC", partner: str = ""
) -> Recorder:
    """Turn 5: seat 0, who melded six kings and kept five cards, has drawn; the second card of `stock` is his.

    The partner has melded the cards named in turn 3.
    """
    first, later = stock.split()
    hands = {0: f"{SIX_KINGS} {hand}", 2: partner}
    recorder = table(options, hands, f"{first} 7S 7H 8D {later}", "9C")
    recorder.draw().meld(SIX_KINGS).discard(first).idle()
    recorder.draw()
    if partner:
        recorder.meld(partner)
    return recorder.idle_discard().idle().draw()


def out_openly(options: Options | None = None) -> Recorder:
    """Seat 0 completes the kings, melds four aces and discards his last card."""
    return six_kings(options).extend(0, SEVEN_KINGS).meld("AS AH AD AC").discard("4S")


def out_with_black_threes() -> Recorder:
    """Seat 0 completes the kings, melds four black threes and discards his last card."""
    return six_kings(hand="3S 3S 3C 3C 4S").extend(0, SEVEN_KINGS).meld("3S 3S 3C 3C").discard("4S")


def concealed(options: Options | None = None, drawn: str = "9S", partner: str = "") -> Recorder:
    """Turn 1: seat 0 has drawn and holds eight kings and three aces."""
    hands = {0: "KS KS KH KH KD KD KC KC AS AH AD", 2: partner}
    return table(options, hands, drawn, "9C").draw()


def concealed_by_discard(options: Options | None = None, partner: str = "") -> Recorder:
    """Seat 0 goes out concealed in the first turn."""
    return concealed(options, partner=partner).meld("KS KS KH KH KD KD KC KC").meld("AS AH AD").discard("9S")


def concealed_by_laying() -> Recorder:
    """So he does without a discard."""
    return concealed(drawn="AC").meld("KS KS KH KH KD KD KC KC").meld("AS AH AD").extend(1, "AS AH AD AC")


EIGHT_FOURS = "4S 4S 4H 4H 4D 4D 4C 4C"


def concealed_small(options: Options | None = None, take: bool = False) -> Recorder:
    """Turn 1: seat 0 goes out concealed with eight fours and three sixes, 55 points, drawn or from the pile."""
    recorder = table(options, {0: f"{EIGHT_FOURS} 6H 6D 9S"}, "6C", "6S")
    if take:
        return recorder.take("6S 6H 6D").meld(EIGHT_FOURS).discard("9S")
    return recorder.draw().meld("6C 6H 6D").meld(EIGHT_FOURS).discard("9S")


def pile_for(
    hand: str,
    top: str = "6S",
    options: Options | None = None,
    pile: str = "9C",
    others: Mapping[int, str] | None = None,
) -> Recorder:
    """Before turn 2 seat 1, who has not melded, holds these cards; the card named tops the pile."""
    return table(options, {1: hand, **(others or {})}, top, pile).idle()


def melded_pile(
    hand: str,
    top: str = "6S",
    options: Options | None = None,
    buried: str = "9H",
    others: Mapping[int, str] | None = None,
) -> Recorder:
    """Before turn 6 seat 1, whose side has three aces on the table, holds these cards under the card named."""
    stock = f"4C 4D {buried} 5C {top}"
    recorder = table(options, {1: f"AS AH AD {hand}", **WILDS_HELD, **(others or {})}, stock, "9C")
    recorder.idle().draw().meld("AS AH AD").discard("4D")
    return recorder.idle(3)


NO_PAIR = "AS 4S 5S 6S 7S 8S 9S TS JS QS KS"


def last_card(
    options: Options | None = None, bottom: str = "AC", hand: str = "AS AH", melded: bool = False
) -> Recorder:
    """Before turn 60 the stock is empty, the pile unfrozen, its top the card named; seat 3 holds the hand."""
    hands = {3: f"{hand} AD" if melded else hand, **WILDS_HELD}
    recorder = table(options, hands, pile="9C", bottom=bottom).idle(3)
    if melded:
        recorder.draw().meld("AS AH AD").idle_discard()
    return recorder.idle(59 - recorder.table.turn)


def red_three_last() -> Recorder:
    """The last card of the stock is a red three."""
    recorder = table(bottom="3H")
    recorder.finish()
    return recorder


def replacement_last() -> Recorder:
    """The last two cards of the stock are red threes."""
    recorder = table(bottom="3H 3D")
    recorder.finish()
    return recorder


def asked(answer: bool) -> Recorder:
    """Seat 0 asks his partner in turn 5, and does what he says."""
    recorder = six_kings(ASK).ask(answer).extend(0, SEVEN_KINGS)
    if answer:
        return recorder.meld("AS AH AD AC").discard("4S")
    return recorder.discard("4S")


def red_upcard() -> Recorder:
    """A red three and a joker were turned before a six; seat 1 takes the pile."""
    recorder = pile_for("6H 6D AS AH AD 9H 9D", pile="3H JK 9C").take("6S 6H 6D")
    return recorder.meld("AS AH AD").meld("9C 9H 9D")


SCENES: dict[str, Callable[[], list[Event]]] = {
    "idle": lambda: table().finish(),
    "red threes at the start": lambda: table(hands={0: "3H 3D", 1: "3H"}, stock="3D 7S").finish(),
    "red three last": lambda: red_three_last().events,
    "red three last, a replacement": lambda: replacement_last().events,
    "out openly": lambda: out_openly().events,
    "out with black threes": lambda: out_with_black_threes().events,
    "concealed": lambda: concealed_by_discard().events,
    "concealed, red threes unplayed": lambda: concealed_by_discard(partner="3H 3D").events,
    "concealed without a discard": lambda: concealed_by_laying().events,
    "declined": lambda: last_card().finish(),
    "taken at the end": lambda: last_card().take("AS AH AC").idle_discard().finish(),
    "obliged": lambda: last_card(melded=True).finish(),
    "asked, yes": lambda: asked(True).events,
    "asked, no": lambda: asked(False).finish(),
    "opened from the pile": lambda: red_upcard().idle_discard().finish(),
    "pile by a wild card": lambda: melded_pile("6H 2S", others={0: "JK"}).take("6S 6H 2S").idle_discard().finish(),
    "own meld": lambda: melded_pile("6H 6D", "AC").take("AS AH AD AC", 0).idle_discard().finish(),
    "black three turned": lambda: table(Options(opening_black_three_covers=False), pile="3H 3S").finish(),
    "black three covered": lambda: table(pile="3S 9C").finish(),
}
