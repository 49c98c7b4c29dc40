"""Short hand-written rounds of mau-mau, played up to the point that a test is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tests.referee.log import Event
from tests.referee.mau_mau_builder import Recorder, make_deal
from tests.referee.mau_mau_options import Options

DUEL = Options(players=2, packs=2)  # an Ace between two gives another turn: seat 0 can play out his hand alone


def table(
    options: Options | None = None,
    hands: Mapping[int, str] | None = None,
    stock: str = "",
    start: str = "",
) -> Recorder:
    """A round with these cards, before its first turn; seat 0 is the dealer's left."""
    return Recorder(make_deal(options, hands, stock, start), options)


def aces(recorder: Recorder, cards: str, call: bool = True) -> Recorder:
    """One Ace after the other, the opponent of a duel skipped each time."""
    for card in cards.split():
        recorder.play(card, call=call)
    return recorder


def last_card(card: str, options: Options = DUEL, start: str = "4H", loser: str = "") -> Recorder:
    """Turn 7: seat 0 has played six Aces and holds this card, which was called; seat 1 holds seven cards."""
    recorder = table(options, {0: f"AH AH AD AD AC AC {card}", 1: loser}, start=start)
    return aces(recorder, "AH AH AD AD AC AC")


def last_two(cards: str, options: Options = DUEL, start: str = "4H", loser: str = "") -> Recorder:
    """Turn 6: seat 0 has played five Aces and holds these two cards."""
    recorder = table(options, {0: f"AH AH AD AD AC {cards}", 1: loser}, start=start)
    return aces(recorder, "AH AH AD AD AC")


BARRED_HAND = "AH AH AD AD AS AS"


def barred(last: str, drawn: str, options: Options = DUEL) -> Recorder:
    """Turn 9: unable to follow a club, seat 0 drew a card and was barred; his Aces are gone, these two cards left."""
    recorder = table(options, {0: f"{BARRED_HAND} {last}", 1: "9H 4H 5H 6H TH KH 2H"}, drawn, "9C")
    return aces(recorder.unable().play("9H"), BARRED_HAND)


def barred_with_two_jacks(options: Options = DUEL) -> Recorder:
    """Turn 12: barred likewise, seat 0 holds two Jacks, one of them drawn for a 7."""
    recorder = table(options, {0: f"{BARRED_HAND} 2H", 1: "9H 7H 4H 5H 6H TH KH"}, "JD JS AC", "9C")
    return aces(recorder.unable().play("9H").play("2H").play("7H"), "AH AH AD AD AC AS AS")


FOLLOWS_NOTHING = ("2H 3H 4H 5H 6H 9H TH", "2D 3D 4D 5D 6D 9D TD")


def stuck(unable: str, stock: str = "KS QS", options: Options = DUEL) -> Recorder:
    """Turn 1: neither seat can follow the king of clubs."""
    return table(replace(options, unable=unable), dict(enumerate(FOLLOWS_NOTHING)), stock, "KC")


SCENES: dict[str, Callable[[], list[Event]]] = {
    "idle": lambda: table().finish(),
    "the largest table": lambda: table(Options(players=10)).finish(),
    "the smallest table": lambda: table(Options(players=2)).finish(),
    "seven and one pack": lambda: table(Options(players=7, packs=1)).finish(),
    "start card 8": lambda: table(Options(start_card_acts=True), start="8S").finish(),
    "start card 8, seven and one pack": lambda: table(
        Options(players=7, packs=1, start_card_acts=True), start="8S"
    ).finish(),
    "start card 7": lambda: table(Options(start_card_acts=True), start="7S").finish(),
    "start card Ace": lambda: table(Options(start_card_acts=True), start="AS").finish(),
    "start card Queen": lambda: table(Options(start_card_acts=True), start="QS").finish(),
    "start card Jack": lambda: table(Options(start_card_acts=True), {0: "4H"}, start="JS").play("4H").finish(),
    "won with a Jack": lambda: last_card("JS").play("JS").events,
    "won with two Jacks": lambda: last_two("JS JD").play("JS JD").events,
    "won with an 8": lambda: last_card("8C", replace(DUEL, last_card_acts=True)).play("8C").events,
    "won with a 7": lambda: last_card("7C", replace(DUEL, last_card_acts=True)).play("7C").events,
    "collected": lambda: last_card("2C", replace(DUEL, winner_collects=True)).play("2C").events,
    "barred with one card": lambda: barred("2S", "3S").play("2S").finish(),
    "barred with two Jacks": lambda: barred_with_two_jacks().play("JS").finish(),
    "void": lambda: stuck("fine_only").unable().unable().events,
    "bars lifted": lambda: stuck("fine_draw").unable().unable().finish(),
    "draws until a card follows": lambda: stuck("draw_until", "KS").unable().play_drawn().finish(),
    "keeps the card drawn": lambda: stuck("draw_one", "KS").unable().keep().finish(),
    "forgotten": lambda: last_two("2C 3C", replace(DUEL, forget_call_rate=0.5)).play("2C", call=False).finish(),
}
