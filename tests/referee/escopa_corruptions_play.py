"""Corruptions of the plays of an Escopa log: cards played, cards taken, escopas (ESC-01, ESC-05, ESC-08)."""

from __future__ import annotations

import random

from tests.referee.escopa_cards import FIFTEEN, VALUES, total
from tests.referee.escopa_corruption_tools import (
    Spot,
    after_overlook,
    captures,
    corruption,
    lays,
    plain_play,
    some_spot,
    spots,
)
from tests.referee.log_edits import Log, edit, exchanged, with_options

# ---------------------------------------------------------------- the card played


@corruption("CARDS")
def card_of_another_hand(log: Log, rng: random.Random) -> Log | None:
    """A card that another player holds."""
    spot = some_spot(log, rng, lambda spot: spot.name == "play" and sum(map(len, spot.hands)) > len(spot.hand))
    if spot is None:
        return None
    others = [card for hand in spot.hands for card in hand if card not in spot.hand]
    return edit(log, spot.index, cards=[rng.choice(others)])


@corruption("CARDS")
def card_of_the_stock(log: Log, rng: random.Random) -> Log | None:
    """A card that has not been dealt yet."""
    spot = some_spot(log, rng, lambda spot: spot.name == "play" and bool(spot.stock))
    return None if spot is None else edit(log, spot.index, cards=[rng.choice(spot.stock)])


@corruption("CARDS")
def card_of_the_table(log: Log, rng: random.Random) -> Log | None:
    """A card that lies on the table."""
    spot = some_spot(log, rng, lambda spot: spot.name == "play" and bool(spot.table))
    return None if spot is None else edit(log, spot.index, cards=[rng.choice(spot.table)])


@corruption("CARDS")
def card_taken_before(log: Log, rng: random.Random) -> Log | None:
    """A card that somebody has taken."""
    spot = some_spot(log, rng, lambda spot: spot.name == "play" and bool(spot.taken))
    return None if spot is None else edit(log, spot.index, cards=[rng.choice(spot.taken)])


@corruption("CARDS")
def card_that_no_pack_has(log: Log, rng: random.Random) -> Log | None:
    """An eight is played."""
    spot = some_spot(log, rng, lambda spot: spot.name == "play")
    return None if spot is None else edit(log, spot.index, cards=[rng.choice(("8S", "9D", "TC", "JK"))])


@corruption("ESC-05")
def two_cards_played(log: Log, rng: random.Random) -> Log | None:
    """Two cards of the hand at once."""
    spot = some_spot(log, rng, lambda spot: spot.name == "play" and len(spot.hand) > 1)
    if spot is None:
        return None
    other = next(card for card in spot.hand if card != spot.card)
    return edit(log, spot.index, cards=[spot.card, other])


@corruption("ESC-05")
def no_card_played(log: Log, rng: random.Random) -> Log | None:
    """A play without a card."""
    spot = some_spot(log, rng, lambda spot: spot.name == "play")
    return None if spot is None else edit(log, spot.index, cards=[])


# ---------------------------------------------------------------- the cards taken


@corruption("ESC-05")
def one_card_taken_less(log: Log, rng: random.Random) -> Log | None:
    """A capture of less than fifteen."""
    spot = some_spot(log, rng, lambda spot: len(spot.take) > 1)
    return None if spot is None else edit(log, spot.index, take=spot.take[1:])


def others_on_the_table(spot: Spot) -> list[str]:
    """The table cards that a play does not take."""
    return [card for card in spot.table if card not in spot.take]


@corruption("ESC-05")
def one_card_taken_more(log: Log, rng: random.Random) -> Log | None:
    """A capture of more than fifteen."""
    spot = some_spot(log, rng, lambda spot: captures(spot) and bool(others_on_the_table(spot)))
    if spot is None:
        return None
    return edit(log, spot.index, take=[*spot.take, rng.choice(others_on_the_table(spot))])


@corruption("ESC-05")
def another_card_taken(log: Log, rng: random.Random) -> Log | None:
    """One of the cards taken is exchanged for one of another value."""
    found = [
        (spot, card, other)
        for spot in spots(log)
        for card in spot.take
        for other in others_on_the_table(spot)
        if spot.value(card) != spot.value(other)
    ]
    if not found:
        return None
    spot, card, other = rng.choice(found)
    return edit(log, spot.index, take=exchanged(spot.take, card, other))


@corruption("ESC-05")
def another_card_captures(log: Log, rng: random.Random) -> Log | None:
    """A card of another value takes what the card played took."""
    found = [
        (spot, card)
        for spot in spots(log)
        if captures(spot)
        for card in spot.hand
        if spot.value(card) != spot.value(spot.card)
    ]
    if not found:
        return None
    spot, card = rng.choice(found)
    return edit(log, spot.index, cards=[card])


@corruption("ESC-05")
def takes_without_fifteen(log: Log, rng: random.Random) -> Log | None:
    """A card that was left takes cards with which it does not make fifteen."""
    spot = some_spot(log, rng, lambda spot: lays(log, spot) and bool(spot.table) and spot.options["overlook_rate"] != 1)
    if spot is None:
        return None
    take = rng.sample(spot.table, rng.randrange(1, len(spot.table) + 1))
    return edit(log, spot.index, take=take) if spot.total([spot.card, *take]) != FIFTEEN else None


@corruption("CARDS")
def takes_from_a_hand(log: Log, rng: random.Random) -> Log | None:
    """A card taken comes from a hand, that of the player included."""
    spot = some_spot(log, rng, lambda spot: captures(spot) and sum(map(len, spot.hands)) > 1)
    if spot is None:
        return None
    held = [card for hand in spot.hands for card in hand if card != spot.card]
    return edit(log, spot.index, take=[*spot.take[1:], rng.choice(held)])


@corruption("CARDS")
def takes_from_the_stock(log: Log, rng: random.Random) -> Log | None:
    """A card taken lies in the stock."""
    spot = some_spot(log, rng, lambda spot: captures(spot) and bool(spot.stock))
    return None if spot is None else edit(log, spot.index, take=[*spot.take[1:], rng.choice(spot.stock)])


@corruption("CARDS")
def takes_what_was_taken(log: Log, rng: random.Random) -> Log | None:
    """A card taken had been taken before."""
    spot = some_spot(log, rng, lambda spot: captures(spot) and bool(spot.taken))
    return None if spot is None else edit(log, spot.index, take=[*spot.take[1:], rng.choice(spot.taken)])


@corruption("CARDS")
def takes_a_card_twice(log: Log, rng: random.Random) -> Log | None:
    """One card is taken twice."""
    spot = some_spot(log, rng, captures)
    return None if spot is None else edit(log, spot.index, take=[*spot.take, spot.take[0]])


@corruption("CARDS")
def takes_the_card_played(log: Log, rng: random.Random) -> Log | None:
    """The card played stands among those it takes."""
    spot = some_spot(log, rng, captures)
    return None if spot is None else edit(log, spot.index, take=[*spot.take, spot.card])


@corruption("CARDS")
def takes_a_card_that_no_pack_has(log: Log, rng: random.Random) -> Log | None:
    """A joker is taken."""
    spot = some_spot(log, rng, captures)
    return None if spot is None else edit(log, spot.index, take=[*spot.take[1:], "JK"])


# ---------------------------------------------------------------- who must capture


@corruption("ESC-05")
def capture_declined(log: Log, rng: random.Random) -> Log | None:
    """A card that takes is left on the table, where it must take."""
    spot = some_spot(log, rng, lambda spot: captures(spot) and spot.capture != "free")
    return None if spot is None else edit(log, spot.index, take=[], escopa=False)


@corruption("ESC-05")
def other_card_left(log: Log, rng: random.Random) -> Log | None:
    """Under `must` a card is left that takes nothing, although another one could."""

    def other(spot: Spot) -> bool:
        return captures(spot) and spot.capture == "must" and len(spot.capturing) < len(spot.hand)

    spot = some_spot(log, rng, other)
    if spot is None:
        return None
    card = rng.choice([card for card in spot.hand if card not in spot.capturing])
    return edit(log, spot.index, cards=[card], take=[], escopa=False)


@corruption("ESC-05")
def free_where_one_must(log: Log, rng: random.Random) -> Log | None:
    """A card was left although a card in hand could capture, and the option says `must`."""
    if log[0]["options"]["capture"] == "must":
        return None
    left = some_spot(log, rng, lambda spot: lays(log, spot) and bool(spot.capturing))
    return None if left is None else with_options(log, capture="must")


@corruption("ESC-05")
def free_where_the_card_takes(log: Log, rng: random.Random) -> Log | None:
    """A card was left although it makes fifteen, and the option says `if_played`."""
    if log[0]["options"]["capture"] != "free":
        return None
    left = some_spot(log, rng, lambda spot: lays(log, spot) and spot.card in spot.capturing)
    return None if left is None else with_options(log, capture="if_played")


@corruption("ESC-05", "ESC-06", "ESC-07")
def figures_of_another_order(log: Log, rng: random.Random) -> Log | None:
    """ESC-01: queen and jack exchange their values, and a capture is no fifteen."""
    figures = log[0]["options"]["figures"]
    other = next(name for name in VALUES if name != figures)
    taken = [[spot.card, *spot.take] for spot in spots(log) if captures(spot)]
    broken = [cards for cards in taken if total(cards, other) != FIFTEEN]
    return with_options(log, figures=other) if broken else None


# ---------------------------------------------------------------- ESC-08: escopas


@corruption("ESC-08")
def escopa_not_called(log: Log, rng: random.Random) -> Log | None:
    """An escopa is not marked as one."""
    spot = some_spot(log, rng, lambda spot: bool(spot.event.get("escopa")))
    return None if spot is None else edit(log, spot.index, escopa=False)


@corruption("ESC-08")
def escopa_of_a_capture_that_leaves_cards(log: Log, rng: random.Random) -> Log | None:
    """A capture that is no escopa is marked as one."""
    spot = some_spot(log, rng, lambda spot: captures(spot) and not spot.event["escopa"])
    return None if spot is None else edit(log, spot.index, escopa=True)


@corruption("ESC-08")
def escopa_of_a_card_left(log: Log, rng: random.Random) -> Log | None:
    """A card that is left is marked as an escopa, on an empty table too."""
    spot = some_spot(log, rng, lambda spot: lays(log, spot) or after_overlook(log, spot))
    return None if spot is None else edit(log, spot.index, escopa=True)


@corruption("ESC-08")
def escopa_onto_an_empty_table(log: Log, rng: random.Random) -> Log | None:
    """A card that begins a table is marked as an escopa."""
    spot = some_spot(log, rng, lambda spot: plain_play(log, spot) and not spot.table)
    return None if spot is None else edit(log, spot.index, escopa=True)


@corruption("ESC-08")
def escopa_of_any_table_where_four_are_asked(log: Log, rng: random.Random) -> Log | None:
    """A table of not four cards was cleared, and the option says `exactly_four`."""

    def not_four(spot: Spot) -> bool:
        return bool(spot.event.get("escopa")) and len(spot.table) != (5 if spot.name == "claim" else 4)

    return with_options(log, escopa="exactly_four") if some_spot(log, rng, not_four) else None


@corruption("ESC-08")
def no_escopa_where_any_table_will_do(log: Log, rng: random.Random) -> Log | None:
    """A table of not four cards was cleared, and the option says `clear_table`."""

    def cleared(spot: Spot) -> bool:
        lying, cards = len(spot.table), len(spot.take or spot.event["cards"])
        all_taken = (captures(spot) or spot.name == "claim") and cards == lying
        return all_taken and not spot.event["escopa"]

    return with_options(log, escopa="clear_table") if some_spot(log, rng, cleared) else None


@corruption("ESC-08")
def dealers_escopas_or_not(log: Log, rng: random.Random) -> Log | None:
    """The dealer's takes count as escopas where they do not, or the other way round."""
    if log[1]["event"] != "dealer_take":
        return None
    return with_options(log, dealer_escopas=not log[0]["options"]["dealer_escopas"])
