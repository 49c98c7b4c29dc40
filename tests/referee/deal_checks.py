"""What the `deal` event of any game for seats in order must say; the articles are the game's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tests.referee.cards import two_packs
from tests.referee.log import Event, RuleBroken
from tests.referee.table import SIDES


def check_seats(event: Event, players: int, first_article: str, dealer_article: str, first_step: int = 1) -> None:
    """The player after the dealer is first, or the one so many seats on; in a batch seat i mod players deals deal i."""
    if len(event["policies"]) != players:
        raise RuleBroken("LOG", f"{players} players, {len(event['policies'])} policies")
    if event["dealer"] >= players:
        raise RuleBroken("LOG", f"no seat {event['dealer']}")
    if event["first"] != (event["dealer"] + first_step) % players:
        raise RuleBroken(first_article, f"seat {event['dealer']} deals, so {event['first']} is not first")
    if event["match"] is None and event["dealer"] != event["deal"] % players:
        raise RuleBroken(dealer_article, f"deal {event['deal']} is not dealt by seat {event['dealer']}")


def check_undecided(event: Event, target: int, article: str) -> None:
    """No hand is played when a side has reached the target and is ahead."""
    before = event["scores_before"]
    if len(before) != len(SIDES):
        raise RuleBroken("LOG", "scores_before has a number for each side")
    if event["match"] is not None and max(before) >= target and before[0] != before[1]:
        raise RuleBroken(article, f"the match was over at {before}")


def check_pack(parts: Iterable[Iterable[str]], jokers: int, article: str) -> None:
    """The parts are two packs and the printed jokers."""
    cards: Counter[str] = Counter()
    for part in parts:
        cards.update(part)
    if cards != two_packs(jokers):
        raise RuleBroken(article, "the cards dealt are not the pack")
