"""What the `deal` event of Canasta must say (KAN-01, KAN-02, KAN-13, KAN-20)."""

from __future__ import annotations

from tests.referee.canasta_options import Options
from tests.referee.cards import is_black_three, is_red_three, is_wild
from tests.referee.deal_checks import check_pack, check_seats, check_undecided
from tests.referee.log import Event, RuleBroken

PLAYERS = 4
JOKERS = 4
CARDS = 108


def check_deal(event: Event, options: Options) -> None:
    """All of it; KAN-01: two packs and four jokers."""
    check_seats(event, PLAYERS, "KAN-01", "KAN-01")
    check_match(event, options)
    check_sizes(event)
    check_upcards(event["pile"], options)
    check_pack([event["stock"], event["pile"], *event["hands"]], JOKERS, "KAN-01")


def check_match(event: Event, options: Options) -> None:
    """KAN-20: no hand is played when the match is decided, and a match begins at nothing.

    KAN-13: outside a match the sides' scores are those of `start_score`.
    """
    check_undecided(event, options.target, "KAN-20")
    before = event["scores_before"]
    if event["match"] is None and before != list(options.start_score):
        raise RuleBroken("KAN-13", f"scores {before} before a deal whose start_score is {list(options.start_score)}")
    if event["match"] is not None and event["deal"] == 0 and before != [0, 0]:
        raise RuleBroken("KAN-20", f"a match begins at 0:0, not {before}")


def check_sizes(event: Event) -> None:
    """KAN-02: eleven cards each; what is neither dealt nor turned is the stock."""
    sizes = [len(hand) for hand in event["hands"]]
    if sizes != [11] * PLAYERS:
        raise RuleBroken("KAN-02", f"hands of {sizes} cards")
    if not event["pile"]:
        raise RuleBroken("KAN-02", "no card is turned")
    if len(event["stock"]) + len(event["pile"]) != CARDS - 11 * PLAYERS:
        raise RuleBroken("KAN-02", f"a stock of {len(event['stock'])} and a pile of {len(event['pile'])} cards")


def check_upcards(pile: list[str], options: Options) -> None:
    """KAN-02: cards are turned, bottom to top, until one is not a joker, a 2 or a 3."""
    for card in pile[:-1]:
        if not is_covered(card, options):
            raise RuleBroken("KAN-02", f"{card} was turned, and yet another card was turned on top")
    if is_covered(pile[-1], options):
        raise RuleBroken("KAN-02", f"{pile[-1]} is turned, so another card is turned on top")


def is_covered(card: str, options: Options) -> bool:
    """KAN-02: a joker, a 2, a red 3; a black 3 unless `opening_black_three_covers` is false."""
    return is_wild(card) or is_red_three(card) or (is_black_three(card) and options.opening_black_three_covers)
