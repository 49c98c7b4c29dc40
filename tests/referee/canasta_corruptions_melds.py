"""Corruptions of the melds of Canasta: KAN-04, KAN-11, KAN-12, KAN-13."""

from __future__ import annotations

import random

from tests.referee.canasta_corruption_tools import Spot, corruption, meld_rank, some_spot, spots, turn_points
from tests.referee.canasta_melds import points_of
from tests.referee.cards import PACK_52, is_black_three, is_wild, rank_of
from tests.referee.log_edits import (
    Log,
    edit,
    exchanged,
    insert,
    pick,
    plain,
    plain_lays,
    where,
    with_options,
    without,
)


def free_to_lay(spot: Spot) -> bool:
    """Before the discard of a side that had melds when the turn began."""
    return spot.name == "discard" and spot.opened


def laid_here(log: Log, spot: Spot, cards: list[str], number: int | None = None) -> Log:
    """These cards are laid before the event: a new meld, or an extension."""
    if number is None:
        event = plain(spot.event, "meld", cards, meld=len(spot.mine), now=cards)
    else:
        event = plain(spot.event, "extend", cards, meld=number, now=[*spot.mine[number], *cards])
    return insert(log, spot.index, event)


# ---------------------------------------------------------------- KAN-04, KAN-11: what a meld is


@corruption("KAN-04")
def only_wild_cards(log: Log, rng: random.Random) -> Log | None:
    """A meld of three wild cards."""
    spot = some_spot(log, rng, lambda spot: free_to_lay(spot) and sum(map(is_wild, spot.hand)) >= 3)
    return None if spot is None else laid_here(log, spot, [card for card in spot.hand if is_wild(card)][:3])


@corruption("KAN-11")
def meld_of_two(log: Log, rng: random.Random) -> Log | None:
    """A meld of two cards."""
    found = []
    for spot in spots(log):
        pairs = [card for card in spot.hand if sum(1 for other in spot.hand if rank_of(other) == rank_of(card)) >= 2]
        if free_to_lay(spot) and pairs:
            found.append((spot, [card for card in spot.hand if rank_of(card) == rank_of(pairs[0])][:2]))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("KAN-11")
def meld_of_two_ranks(log: Log, rng: random.Random) -> Log | None:
    """Three cards of different ranks."""
    found = []
    for spot in spots(log):
        naturals = [card for card in spot.hand if not is_wild(card) and not is_black_three(card)]
        if free_to_lay(spot) and len(naturals) >= 3 and len(set(map(rank_of, naturals[:3]))) > 1:
            found.append((spot, naturals[:3]))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("KAN-11")
def one_natural_card(log: Log, rng: random.Random) -> Log | None:
    """A meld of one natural card and two wild ones."""
    found = []
    for spot in spots(log):
        wilds = [card for card in spot.hand if is_wild(card)]
        naturals = [card for card in spot.hand if not is_wild(card) and not is_black_three(card)]
        if free_to_lay(spot) and len(wilds) >= 2 and naturals:
            found.append((spot, [*wilds[:2], naturals[0]]))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("KAN-11")
def fourth_wild_card(log: Log, rng: random.Random) -> Log | None:
    """A meld with three wild cards takes another one."""
    found = []
    for spot in spots(log):
        wilds = [card for card in spot.hand if is_wild(card)]
        full = [number for number, meld in enumerate(spot.mine) if sum(map(is_wild, meld)) + len(wilds) > 3]
        if free_to_lay(spot) and wilds and full:
            number = full[0]
            found.append((spot, wilds[: 4 - sum(map(is_wild, spot.mine[number]))], number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("KAN-11")
def second_meld_of_a_rank(log: Log, rng: random.Random) -> Log | None:
    """An extension by three cards or more lies as a meld of its own."""
    found = []
    for spot in spots(log):
        cards = spot.event["cards"]
        naturals = [card for card in cards if not is_wild(card)]
        if spot.name == "extend" and len(cards) >= 3 and len(naturals) >= 2:
            found.append(spot)
    chosen = pick(rng, found)
    if chosen is None:
        return None
    cards = chosen.event["cards"]
    return edit(log, chosen.index, event="meld", meld=len(chosen.mine), now=cards)


@corruption("KAN-11")
def extends_what_is_not_there(log: Log, rng: random.Random) -> Log | None:
    """An extension of a meld that the side does not have."""
    spot = some_spot(log, rng, lambda spot: spot.name == "extend")
    return None if spot is None else edit(log, spot.index, meld=len(spot.mine))


@corruption("KAN-11")
def extends_the_opponents_meld(log: Log, rng: random.Random) -> Log | None:
    """A card joins a meld of the other side."""
    found = []
    for spot in spots(log):
        for number, meld in enumerate(spot.melds[1 - spot.side]):
            cards = [card for card in spot.hand if rank_of(card) == meld_rank(meld) and not is_wild(card)]
            if free_to_lay(spot) and cards and (number >= len(spot.mine) or set(spot.mine[number]) != set(meld)):
                event = plain(spot.event, "extend", cards[:1], meld=number, now=[*meld, cards[0]])
                found.append((spot.index, event))
    chosen = pick(rng, found)
    return None if chosen is None else insert(log, *chosen)


@corruption("KAN-11")
def other_rank_joins(log: Log, rng: random.Random) -> Log | None:
    """A card of another rank joins a meld."""
    found = []
    for spot in spots(log):
        naturals = [card for card in spot.hand if not is_wild(card)]
        for number, meld in enumerate(spot.mine):
            others = [card for card in naturals if rank_of(card) != meld_rank(meld)]
            if free_to_lay(spot) and others:
                found.append((spot, others[:1], number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("KAN-11")
def extension_of_other_cards(log: Log, rng: random.Random) -> Log | None:
    """`now` shows a card that neither lay there nor was added."""
    found = []
    for index in where(log, "extend"):
        now = log[index]["now"]
        rank = meld_rank(now)
        naturals = [card for card in now if not is_wild(card)]
        others = [card for card in PACK_52 if rank_of(card) == rank and card != naturals[0] and rank != "3"]
        if others:
            found.append((index, exchanged(now, naturals[0], rng.choice(others))))
    chosen = pick(rng, found)
    return None if chosen is None else edit(log, chosen[0], now=chosen[1])


@corruption("LOG")
def meld_number_off(log: Log, rng: random.Random) -> Log | None:
    """A new meld has a wrong number."""
    index = pick(rng, where(log, "meld"))
    return None if index is None else edit(log, index, meld=log[index]["meld"] + rng.choice((1, 2)))


@corruption("LOG")
def extension_by_nothing(log: Log, rng: random.Random) -> Log | None:
    """An extension adds no card."""
    spot = some_spot(log, rng, lambda spot: free_to_lay(spot) and bool(spot.mine))
    return None if spot is None else laid_here(log, spot, [], 0)


@corruption("LOG")
def meld_of_other_cards(log: Log, rng: random.Random) -> Log | None:
    """A new meld shows a card more than was laid."""
    found = [i for i in plain_lays(log) if log[i]["event"] == "meld" and len(log[i]["cards"]) > 1]
    index = pick(rng, [i for i in found if log[i - 1]["event"] != "red_three"])
    return None if index is None else edit(log, index, cards=log[index]["cards"][1:])


@corruption("CARDS")
def meld_of_a_card_not_held(log: Log, rng: random.Random) -> Log | None:
    """A card joins a meld that the player does not hold."""
    found = []
    for spot in spots(log):
        for number, meld in enumerate(spot.mine):
            rank = meld_rank(meld)
            lacking = [card for card in PACK_52 if rank_of(card) == rank and card not in spot.hand]
            if free_to_lay(spot) and lacking and rank != "3":
                found.append((spot, lacking[:1], number))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


# ---------------------------------------------------------------- KAN-12: black threes


@corruption("KAN-12")
def black_threes_without_going_out(log: Log, rng: random.Random) -> Log | None:
    """Three black threes are melded by a player who keeps cards."""
    found = []
    for spot in spots(log):
        if free_to_lay(spot) and len(spot.hand) >= 5:
            kept = without(spot.hand, spot.event["cards"][0])
            threes = [card for card in kept if is_black_three(card)]
            if len(threes) >= 3:
                found.append((spot, threes[:3]))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("KAN-12")
def black_threes_with_a_wild_card(log: Log, rng: random.Random) -> Log | None:
    """Black threes meld with a wild card."""
    found = []
    for spot in spots(log):
        threes = [card for card in spot.hand if is_black_three(card)]
        wilds = [card for card in spot.hand if is_wild(card)]
        if free_to_lay(spot) and len(threes) >= 2 and wilds:
            found.append((spot, [*threes[:2], wilds[0]]))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)


@corruption("KAN-11")
def red_three_melded(log: Log, rng: random.Random) -> Log | None:
    """A red three joins the black ones, or another meld."""
    index = pick(rng, plain_lays(log))
    if index is None or log[index - 1]["event"] == "red_three":
        return None
    now = log[index]["now"]
    return edit(log, index, now=exchanged(now, now[0], rng.choice(("3H", "3D"))))


# ---------------------------------------------------------------- KAN-13: the first meld


def openings_worth(log: Log) -> list[tuple[int, int, bool]]:
    """For each side's first meld: side, what the turn's cards are worth, whether the player went out."""
    seen: dict[int, int] = {}
    for index in where(log, "meld"):
        seen.setdefault(log[index]["seat"] % 2, log[index]["turn"])
    out = {log[index]["turn"] for index in where(log, "go_out")}
    return [(side, turn_points(log, turn, points_of), turn in out) for side, turn in seen.items()]


@corruption("KAN-13")
def first_meld_too_small(log: Log, rng: random.Random) -> Log | None:
    """The side's score asks for a higher first meld."""
    small = [(side, worth) for side, worth, out in openings_worth(log) if worth < 120 and not out]
    chosen = pick(rng, small)
    if chosen is None or log[0]["match"] is not None:
        return None
    side, worth = chosen
    scores = list(log[0]["scores_before"])
    scores[side] = 3000 if worth >= 90 else rng.choice((1500, 2995, 4000) if worth >= 50 else (0, 1500, 3000))
    return edit(with_options(log, start_score=scores), 0, scores_before=scores)


@corruption("KAN-13")
def first_meld_cut_short(log: Log, rng: random.Random) -> Log | None:
    """A side lays three fives or the like and discards."""
    found = []
    for spot in spots(log):
        if spot.name == "discard" and not spot.opened and not spot.mine:
            for rank in "4567":
                cards = [card for card in spot.hand if rank_of(card) == rank and card not in spot.event["cards"]]
                if len(cards) >= 3 and log[0]["scores_before"][spot.side] >= 0:
                    found.append((spot, cards[:3]))
    chosen = pick(rng, found)
    return None if chosen is None else laid_here(log, *chosen)
