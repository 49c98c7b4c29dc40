"""What the `deal` event of Loba must say, and each `redeal` after it (LOB-01, LOB-02, LOB-03, LOB-16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.referee.cards import JOKER, two_packs
from tests.referee.deal_checks import check_pack
from tests.referee.loba_options import Options
from tests.referee.log import Event, RuleBroken

HAND_SIZE = 9


def seats_in(event: Event, options: Options) -> list[bool]:
    """LOB-16: in a match, who has the target in negatives is out; else everybody plays."""
    return [event["match"] is None or total > -options.target for total in event["scores_before"]]


def next_in(seat: int, playing: Sequence[bool]) -> int:
    """LOB-01: clockwise, the next player to the left who is still in."""
    players = len(playing)
    return next(other % players for other in range(seat + 1, seat + 1 + players) if playing[other % players])


def check_deal(event: Event, options: Options) -> None:
    """All of it; LOB-01: two packs and the jokers."""
    check_numbers(event, options.players)
    check_match(event, options)
    playing = seats_in(event, options)
    check_dealer(event, playing)
    check_hands(event["hands"], playing)
    if event["exposed"] == JOKER:
        raise RuleBroken("LOB-03", "the exposed card is a joker, so everything is dealt anew")
    parts = [*event["hands"], event["stock"], [event["exposed"]]]
    check_pack(parts, options.jokers_for(sum(playing)), "LOB-01")


def check_numbers(event: Event, players: int) -> None:
    """As many of everything as there are players."""
    for name in ("policies", "scores_before", "hands"):
        if len(event[name]) != players:
            raise RuleBroken("LOG", f"{players} players, {len(event[name])} of {name}")
    if event["dealer"] >= players:
        raise RuleBroken("LOG", f"no seat {event['dealer']}")


def check_match(event: Event, options: Options) -> None:
    """LOB-16: a match begins at nothing and is over when one player or none is in; a batch has no scores."""
    before = event["scores_before"]
    if (event["match"] is None or event["deal"] == 0) and any(before):
        raise RuleBroken("LOB-16", f"scores {before} where nothing has been played")
    if sum(seats_in(event, options)) < 2:
        raise RuleBroken("LOB-16", f"the match was over at {before}")


def check_dealer(event: Event, playing: Sequence[bool]) -> None:
    """LOB-02: seat i mod players deals deal i of a batch; who deals plays; his left is first."""
    dealer, players = event["dealer"], len(playing)
    if event["match"] is None and dealer != event["deal"] % players:
        raise RuleBroken("LOB-02", f"deal {event['deal']} is not dealt by seat {dealer}")
    if not playing[dealer]:
        raise RuleBroken("LOB-02", f"seat {dealer}, who is out, cannot deal")
    if event["first"] != next_in(dealer, playing):
        raise RuleBroken("LOB-02", f"seat {dealer} deals, so {event['first']} is not first")


def check_hands(hands: Sequence[Sequence[str]], playing: Sequence[bool]) -> None:
    """LOB-02: nine cards each; LOB-16: none for who is out."""
    for seat, hand in enumerate(hands):
        if not playing[seat] and hand:
            raise RuleBroken("LOB-16", f"seat {seat} is out and gets no cards")
        if playing[seat] and len(hand) != HAND_SIZE:
            raise RuleBroken("LOB-02", f"seat {seat} has {len(hand)} cards, not nine")


def check_redeal(event: Event, dealer: int, jokers: int) -> None:
    """LOB-03: a voided deal, written as the whole pack in the order dealt: its last card is an exposed joker."""
    if event["turn"] != 1:
        raise RuleBroken("LOG", f"a redeal stands in turn 1, not {event['turn']}")
    if event["seat"] != dealer:
        raise RuleBroken("LOB-02", f"seat {dealer} deals, not {event['seat']}")
    if event["exposed"] != JOKER:
        raise RuleBroken("LOB-03", f"{event['exposed']} is exposed, so nothing is dealt anew")
    if not event["cards"] or event["cards"][-1] != JOKER:
        raise RuleBroken("LOB-03", "the exposed card of a redeal is the last of its cards")
    if Counter(event["cards"]) != two_packs(jokers):
        raise RuleBroken("LOB-01", "the cards dealt anew are not the pack")
