"""What the `deal` event of Canastra must say (CAN-01 to CAN-05, CAN-28)."""

from __future__ import annotations

from tests.referee.canastra_options import Options
from tests.referee.deal_checks import check_pack, check_seats, check_undecided
from tests.referee.log import Event, RuleBroken


def check_deal(event: Event, options: Options) -> None:
    """All of it; CAN-03: two packs, and the printed jokers of the option."""
    check_seats(event, options.players, "CAN-01", "CAN-02")
    check_match(event, options)
    check_sizes(event, options)
    check_pack([event["stock"], *event["hands"], *event["mortos"]], options.jokers, "CAN-03")


def check_match(event: Event, options: Options) -> None:
    """CAN-28: totals before this hand; no hand is played when the match is decided."""
    check_undecided(event, options.target, "CAN-28")
    if event["match"] is None and event["scores_before"] != [0, 0]:
        raise RuleBroken("CAN-28", "points before a deal that is not in a match")


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
