"""Corruptions of what is overlooked and claimed in an Escopa log (ESC-06)."""

from __future__ import annotations

import random
from itertools import islice

from tests.referee.escopa_cards import combinations
from tests.referee.escopa_corruption_tools import (
    Spot,
    after_overlook,
    captures,
    claimable,
    corruption,
    plain_play,
    some_spot,
    spots,
)
from tests.referee.log import Event
from tests.referee.log_edits import Log, drop, edit, exchanged, insert, pick, plain, where, with_options


def is_between(log: Log) -> bool:
    """Some captures are overlooked, others not."""
    rate: float = log[0]["options"]["overlook_rate"]
    return 0 < rate < 1


# ---------------------------------------------------------------- what is overlooked


@corruption("ESC-06")
def nobody_overlooks(log: Log, rng: random.Random) -> Log | None:
    """A capture is overlooked where the rate is nothing."""
    return with_options(log, overlook_rate=0) if where(log, "overlook") else None


@corruption("ESC-06")
def everybody_overlooks(log: Log, rng: random.Random) -> Log | None:
    """A player captures, or leaves a card knowingly, where every capture is overlooked."""
    seen = some_spot(log, rng, lambda spot: plain_play(log, spot) and bool(spot.capturing))
    return None if seen is None else with_options(log, overlook_rate=rng.choice((1, 1.0)))


@corruption("ESC-06")
def overlooks_although_nobody_does(log: Log, rng: random.Random) -> Log | None:
    """A capture that could be made is overlooked where the rate is nothing."""
    if log[0]["options"]["overlook_rate"] != 0:
        return None
    spot = some_spot(log, rng, lambda spot: spot.name == "play" and bool(spot.capturing))
    if spot is None:
        return None
    return insert(edit(log, spot.index, take=[], escopa=False), spot.index, plain(spot.event, "overlook"))


@corruption("ESC-06")
def overlooks_nothing(log: Log, rng: random.Random) -> Log | None:
    """Nothing could be captured, and yet something is overlooked."""
    spot = some_spot(log, rng, lambda spot: spot.name == "play" and not spot.capturing)
    return None if spot is None else insert(log, spot.index, plain(spot.event, "overlook"))


@corruption("ESC-06")
def overlooks_and_takes(log: Log, rng: random.Random) -> Log | None:
    """A player overlooks a capture, and makes it."""
    found = []
    for spot in spots(log):
        if after_overlook(log, spot):
            found += [(spot, card) for card in spot.capturing]
    if not found:
        return None
    spot, card = rng.choice(found)
    take = next(combinations(card, spot.table, spot.options["figures"]))
    return edit(log, spot.index, cards=[card], take=take, escopa=len(take) == len(spot.table))


@corruption("ESC-06")
def overlooks_before_a_capture(log: Log, rng: random.Random) -> Log | None:
    """A player who captures is said to have overlooked it."""
    spot = some_spot(log, rng, lambda spot: captures(spot) and is_between(log))
    return None if spot is None else insert(log, spot.index, plain(spot.event, "overlook"))


@corruption("ESC-06")
def overlooks_twice(log: Log, rng: random.Random) -> Log | None:
    """A capture is overlooked twice in one turn."""
    index = pick(rng, where(log, "overlook"))
    return None if index is None else insert(log, index, log[index])


@corruption("ESC-02", "ESC-04")
def overlooked_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Another player overlooks it."""
    index = pick(rng, where(log, "overlook"))
    players = log[0]["options"]["players"]
    return None if index is None else edit(log, index, seat=(log[index]["seat"] + rng.randrange(1, players)) % players)


@corruption("ESC-05", "ESC-06")
def oversight_left_out(log: Log, rng: random.Random) -> Log | None:
    """A capture is not made, and nobody says that it was overlooked."""
    options = log[0]["options"]

    def needed(index: int) -> bool:
        claimed: bool = log[index + 2]["event"] == "claim"
        return claimed or options["capture"] == "must" or options["overlook_rate"] == 1

    index = pick(rng, [index for index in where(log, "overlook") if needed(index)])
    return None if index is None else drop(log, index)


@corruption("LOG", "ESC-04", "ESC-05", "ESC-06", "ESC-07", "ESC-09")
def overlooked_after_the_play(log: Log, rng: random.Random) -> Log | None:
    """The oversight stands after the card that was left."""
    index = pick(rng, where(log, "overlook"))
    if index is None:
        return None
    return [*log[:index], log[index + 1], log[index], *log[index + 2 :]]


@corruption("ESC-04")
def overlook_before_the_deal(log: Log, rng: random.Random) -> Log | None:
    """An oversight stands before the cards are dealt."""
    index = pick(rng, [i for i in where(log, "overlook") if log[i - 1]["event"] == "deal_hands"])
    if index is None:
        return None
    return [*log[: index - 1], log[index], log[index - 1], *log[index + 1 :]]


# ---------------------------------------------------------------- claims


def claim_event(log: Log, spot: Spot, cards: list[str]) -> Event:
    """A claim right before the event of the spot, in its turn, by the player after the last one."""
    last = log[spot.index - 1]
    seat = (last["seat"] + 1) % log[0]["options"]["players"]
    return {
        "event": "claim",
        "turn": spot.event["turn"],
        "seat": seat,
        "cards": cards,
        "escopa": len(cards) == len(spot.table),
    }


@corruption("ESC-06")
def claims_what_was_left_knowingly(log: Log, rng: random.Random) -> Log | None:
    """A card that was left on purpose is claimed."""
    found = []
    for spot in spots(log):
        before = log[spot.index - 1]
        left = before["event"] == "play" and not before["take"] and spot.left is None
        if left and log[spot.index]["event"] != "claim":
            card = before["cards"][0]
            others = [other for other in spot.table if other != card]
            found += [(spot, [card, *way]) for way in islice(combinations(card, others, spot.options["figures"]), 3)]
    if not found:
        return None
    spot, cards = rng.choice(found)
    return insert(log, spot.index, claim_event(log, spot, cards))


@corruption("ESC-06")
def claims_after_any_play(log: Log, rng: random.Random) -> Log | None:
    """A claim of some cards of the table although nothing was overlooked."""

    def after_play(spot: Spot) -> bool:
        return log[spot.index - 1]["event"] == "play" and spot.left is None and bool(spot.table)

    spot = some_spot(log, rng, after_play)
    if spot is None:
        return None
    cards = rng.sample(spot.table, min(3, len(spot.table)))
    return insert(log, spot.index, claim_event(log, spot, cards))


@corruption("ESC-06")
def claims_what_makes_no_fifteen(log: Log, rng: random.Random) -> Log | None:
    """The card left by oversight makes no fifteen, and yet it is claimed."""
    spot = some_spot(log, rng, lambda spot: spot.left is not None and not claimable(spot))
    if spot is None:
        return None
    assert spot.left is not None
    others = [card for card in spot.table if card != spot.left]
    return insert(log, spot.index, claim_event(log, spot, [spot.left, *others[: rng.randrange(3)]]))


@corruption("ESC-06")
def claims_where_nobody_notices(log: Log, rng: random.Random) -> Log | None:
    """A claim where every capture is overlooked by the next player too."""
    if log[0]["options"]["overlook_rate"] != 1:
        return None
    spot = some_spot(log, rng, claimable)
    if spot is None:
        return None
    assert spot.left is not None
    others = [card for card in spot.table if card != spot.left]
    way = next(combinations(spot.left, others, spot.options["figures"]))
    return insert(log, spot.index, claim_event(log, spot, [spot.left, *way]))


@corruption("ESC-06")
def claimed_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Not the next player claims the card, but its owner, say."""
    index = pick(rng, where(log, "claim"))
    players = log[0]["options"]["players"]
    return None if index is None else edit(log, index, seat=(log[index]["seat"] + rng.randrange(1, players)) % players)


@corruption("ESC-06")
def claimed_twice(log: Log, rng: random.Random) -> Log | None:
    """A claim stands twice in the log."""
    index = pick(rng, where(log, "claim"))
    return None if index is None else insert(log, index, log[index])


@corruption("ESC-05", "ESC-06", "ESC-08")
def claimed_after_the_own_play(log: Log, rng: random.Random) -> Log | None:
    """The next player plays first, and claims then."""
    index = pick(rng, [i for i in where(log, "claim") if log[i + 1]["event"] == "play"])
    return None if index is None else [*log[:index], log[index + 1], log[index], *log[index + 2 :]]


@corruption("ESC-06")
def claimed_after_the_deal(log: Log, rng: random.Random) -> Log | None:
    """The claim comes after the next cards are dealt."""
    index = pick(rng, [i for i in where(log, "claim") if log[i + 1]["event"] in ("deal_hands", "to_table")])
    return None if index is None else [*log[:index], log[index + 1], log[index], *log[index + 2 :]]


@corruption("ESC-06")
def claimed_without_the_card_left(log: Log, rng: random.Random) -> Log | None:
    """A claim of other cards that make fifteen, or of the others alone."""
    spot = some_spot(log, rng, lambda spot: spot.name == "claim")
    if spot is None:
        return None
    others = [card for card in spot.table if card != spot.left]
    ways = [
        [card, *way]
        for card in others
        for way in islice(combinations(card, [other for other in others if other != card], spot.options["figures"]), 3)
    ]
    cards = rng.choice([*ways, spot.event["cards"][1:]])
    return edit(log, spot.index, cards=cards, escopa=False)


@corruption("ESC-06")
def card_left_not_named_first(log: Log, rng: random.Random) -> Log | None:
    """A claim does not name the card left first."""
    index = pick(rng, where(log, "claim"))
    return None if index is None else edit(log, index, cards=log[index]["cards"][::-1])


@corruption("ESC-06")
def claim_of_nothing(log: Log, rng: random.Random) -> Log | None:
    """A claim without cards, or of the card left alone."""
    index = pick(rng, where(log, "claim"))
    return None if index is None else edit(log, index, cards=log[index]["cards"][: rng.randrange(2)])


@corruption("ESC-06")
def claim_of_another_sum(log: Log, rng: random.Random) -> Log | None:
    """A claim with a card less, or one more."""
    spot = some_spot(log, rng, lambda spot: spot.name == "claim")
    if spot is None:
        return None
    cards = spot.event["cards"]
    more = [card for card in spot.table if card not in cards]
    return edit(log, spot.index, cards=[*cards, rng.choice(more)] if more and rng.random() < 0.5 else cards[:-1])


@corruption("CARDS")
def claim_of_cards_from_elsewhere(log: Log, rng: random.Random) -> Log | None:
    """A claim of a card of a hand, of the stock, or taken before."""
    spot = some_spot(log, rng, lambda spot: spot.name == "claim" and len(spot.table) < 40)
    if spot is None:
        return None
    elsewhere = [*spot.taken, *spot.stock, *(card for hand in spot.hands for card in hand)]
    cards = spot.event["cards"]
    return edit(log, spot.index, cards=exchanged(cards, cards[-1], rng.choice(elsewhere))) if elsewhere else None


@corruption("CARDS")
def claim_of_a_card_twice(log: Log, rng: random.Random) -> Log | None:
    """A claim names one card twice."""
    index = pick(rng, where(log, "claim"))
    if index is None:
        return None
    cards = log[index]["cards"]
    return edit(log, index, cards=[*cards, cards[rng.randrange(len(cards))]])


@corruption("ESC-08")
def claim_is_an_escopa_or_not(log: Log, rng: random.Random) -> Log | None:
    """A claim that clears the table is no escopa, or one that leaves cards is."""
    index = pick(rng, where(log, "claim"))
    return None if index is None else edit(log, index, escopa=not log[index]["escopa"])


@corruption("ESC-06")
def claim_at_the_very_end(log: Log, rng: random.Random) -> Log | None:
    """After the last card something is claimed that was not overlooked."""
    last = log[-3]
    if last["event"] != "play" or log[-4]["event"] == "overlook" or last["take"]:
        return None
    claim = {**claim_event(log, list(spots(log))[-1], [*last["cards"], *log[-2]["cards"][:1]]), "escopa": False}
    return insert(log, len(log) - 2, claim)


@corruption("LOG", "ESC-04", "ESC-07", "ESC-09")
def claim_instead_of_a_turn(log: Log, rng: random.Random) -> Log | None:
    """Who claims does not play any more."""
    index = pick(rng, [i for i in where(log, "claim") if log[i + 1]["event"] == "play"])
    return None if index is None else drop(log, index + 1)
