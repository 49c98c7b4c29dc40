"""What the `deal` event of mau-mau must say (MAU-01 to MAU-05, MAU-19)."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from tests.referee.cards import JOKER, PACK_52, rank_of
from tests.referee.deal_checks import check_seats
from tests.referee.log import Event, RuleBroken
from tests.referee.mau_mau_options import Options

CARDS_EACH = 7


def pack(count: int) -> Counter[str]:
    """MAU-01: one 52-card pack or two, no jokers."""
    return Counter(dict.fromkeys(PACK_52, count))


def first_step(start_card: str, options: Options) -> int:
    """MAU-04, MAU-05: the dealer's left begins, his right where a Queen turned up has turned the direction."""
    return -1 if options.start_card_acts and rank_of(start_card) == "Q" else 1


def check_deal(event: Event, options: Options) -> None:
    """All of it; MAU-02: in a batch seat i mod players deals deal i."""
    if event["start_card"] == JOKER:
        raise RuleBroken("MAU-01", "there are no jokers")
    step = first_step(event["start_card"], options)
    check_seats(event, options.players, "MAU-05" if step < 0 else "MAU-04", "MAU-02", step)
    check_match(event, options)
    check_cards(event, options)


def check_cards(event: Event, options: Options) -> None:
    """MAU-03: seven cards each; MAU-01: with the start card and the stock they are the pack."""
    sizes = [len(hand) for hand in event["hands"]]
    if sizes != [CARDS_EACH] * options.players:
        raise RuleBroken("MAU-03", f"hands of {sizes} cards for {options.players} players")
    cards = Counter(chain(*event["hands"], event["stock"], [event["start_card"]]))
    if cards != pack(options.pack_count):
        raise RuleBroken("MAU-01", f"the cards dealt are not {options.pack_count} pack(s)")


def check_match(event: Event, options: Options) -> None:
    """MAU-19: a match begins at nothing, and no round is played after it is decided."""
    before = event["scores_before"]
    if len(before) != options.players:
        raise RuleBroken("LOG", "scores_before has a number for each seat")
    begins = event["match"] is None or event["deal"] == 0
    if begins and any(before):
        raise RuleBroken("MAU-19", f"scores {before} before a match has begun")
    if event["match"] is not None and is_decided(before, options):
        raise RuleBroken("MAU-19", f"the match was over at {before}")


def is_decided(totals: list[int], options: Options) -> bool:
    """MAU-19: somebody has reached the target, below nothing or above it, and the best total is alone."""
    best = max(totals)
    reached = best >= options.target if options.winner_collects else min(totals) <= -options.target
    return reached and totals.count(best) == 1
