"""What the `deal` event of Escopa must say (ESC-01 to ESC-03, ESC-12)."""

from __future__ import annotations

from collections import Counter

from tests.referee.deal_checks import check_seats
from tests.referee.escopa_cards import PACK
from tests.referee.escopa_options import Options
from tests.referee.log import Event, RuleBroken

HAND = 3
TABLE = 4


def check_deal(event: Event, options: Options) -> None:
    """All of it."""
    check_seats(event, options.players, "ESC-02", "ESC-03")
    check_match(event, options)
    check_sizes(event, options)
    check_pack(event)


def check_match(event: Event, options: Options) -> None:
    """ESC-12: a match begins at nothing, and no pack is played when it is decided."""
    before = event["scores_before"]
    if len(before) != options.sides:
        raise RuleBroken("LOG", "scores_before has a number for each side")
    if min(before) < 0:
        raise RuleBroken("ESC-12", f"scores {before}: nobody ever loses a point")
    if event["match"] is None and any(before):
        raise RuleBroken("ESC-12", f"scores {before} before a pack that is not in a match")
    if event["match"] is not None and event["deal"] == 0 and any(before):
        raise RuleBroken("ESC-12", f"a match begins at nothing, not at {before}")
    if is_decided(before, options.target):
        raise RuleBroken("ESC-12", f"the match was over at {before}")


def is_decided(scores: list[int], target: int) -> bool:
    """ESC-12: a side has reached the target, and the best score is one side's alone."""
    return max(scores) >= target and scores.count(max(scores)) == 1


def check_sizes(event: Event, options: Options) -> None:
    """ESC-03: three cards each, four on the table; what is left is the stock."""
    sizes = [len(hand) for hand in event["hands"]]
    if sizes != [HAND] * options.players:
        raise RuleBroken("ESC-03", f"hands of {sizes} cards")
    if len(event["table"]) != TABLE:
        raise RuleBroken("ESC-03", f"{len(event['table'])} cards on the table")
    if len(event["stock"]) != len(PACK) - TABLE - HAND * options.players:
        raise RuleBroken("ESC-03", f"a stock of {len(event['stock'])} cards")


def check_pack(event: Event) -> None:
    """ESC-01: the forty cards, each once."""
    cards = Counter([*event["stock"], *event["table"]])
    for hand in event["hands"]:
        cards.update(hand)
    if cards != Counter(PACK):
        raise RuleBroken("ESC-01", "the cards dealt are not the pack of forty")
