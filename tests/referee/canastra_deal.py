"""What the `deal` event of Canastra must say (CAN-01 to CAN-05, CAN-28)."""

from __future__ import annotations

from collections import Counter

from tests.referee.canastra_options import Options
from tests.referee.canastra_table import SIDES
from tests.referee.cards import two_packs
from tests.referee.log import Event, RuleBroken


def check_deal(event: Event, options: Options) -> None:
    """All of it."""
    check_seats(event, options)
    check_match(event, options)
    check_sizes(event, options)
    check_pack(event, options)


def check_seats(event: Event, options: Options) -> None:
    """CAN-01: the player after the dealer is first; CAN-02: in a batch i mod players deals deal i."""
    players = options.players
    if len(event["policies"]) != players:
        raise RuleBroken("LOG", f"{players} players, {len(event['policies'])} policies")
    if event["dealer"] >= players:
        raise RuleBroken("LOG", f"no seat {event['dealer']}")
    if event["first"] != (event["dealer"] + 1) % players:
        raise RuleBroken("CAN-01", f"seat {event['dealer']} deals, so {event['first']} is not first")
    if event["match"] is None and event["dealer"] != event["deal"] % players:
        raise RuleBroken("CAN-02", f"deal {event['deal']} is not dealt by seat {event['dealer']}")


def check_match(event: Event, options: Options) -> None:
    """CAN-28: totals before this hand; no hand is played when the match is decided."""
    before = event["scores_before"]
    if len(before) != len(SIDES):
        raise RuleBroken("LOG", "scores_before has a number for each side")
    if event["match"] is None and before != [0, 0]:
        raise RuleBroken("CAN-28", "points before a deal that is not in a match")
    if max(before) >= options.target and before[0] != before[1]:
        raise RuleBroken("CAN-28", f"the match was over at {before}")


def check_sizes(event: Event, options: Options) -> None:
    """CAN-04: eleven cards each, two mortos of eleven, the rest is the stock; CAN-05: no lixo."""
    sizes = [len(hand) for hand in event["hands"]]
    if sizes != [11] * options.players:
        raise RuleBroken("CAN-04", f"hands of {sizes} cards")
    if [len(morto) for morto in event["mortos"]] != [11, 11]:
        raise RuleBroken("CAN-04", "two mortos of eleven")
    if len(event["stock"]) != 104 + options.jokers - 11 * (options.players + 2):
        raise RuleBroken("CAN-04", f"a stock of {len(event['stock'])} cards")
    if event["pile"]:
        raise RuleBroken("CAN-05", "the lixo starts empty")


def check_pack(event: Event, options: Options) -> None:
    """CAN-03: two packs, and the printed jokers of the option."""
    cards: Counter[str] = Counter(event["stock"])
    for part in (*event["hands"], *event["mortos"]):
        cards.update(part)
    if cards != two_packs(options.jokers):
        raise RuleBroken("CAN-03", "the cards dealt are not the pack")
