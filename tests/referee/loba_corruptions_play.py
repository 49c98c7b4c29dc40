"""Corruptions of the play of Loba: missing and doubled events, drawing, taking, going out."""

from __future__ import annotations

import random

from tests.referee.cards import PACK_52
from tests.referee.loba_corruption_tools import SCORE, corruption, place_after, some_spot, spots
from tests.referee.log_edits import (
    Log,
    double_one,
    drop_one,
    edit,
    insert,
    pick,
    plain,
    replace,
    swap_next,
    where,
    with_options,
)

END = ("LOB-12", "LOB-13", "LOB-17")  # what the wrong event at the end of a round breaks

# ---------------------------------------------------------------- a missing event


@corruption("LOB-04")
def draw_missing(log: Log, rng: random.Random) -> Log | None:
    """A turn without its draw."""
    return drop_one(log, rng, [i for i in where(log, "draw") if log[i - 1]["event"] != "reshuffle"])


@corruption("LOB-04")
def draw_missing_after_a_reshuffle(log: Log, rng: random.Random) -> Log | None:
    """The stock is made anew, and nobody draws."""
    return drop_one(log, rng, [i for i in where(log, "draw") if log[i - 1]["event"] == "reshuffle"])


@corruption("LOB-04", "LOB-13")
def take_missing(log: Log, rng: random.Random) -> Log | None:
    """A turn without its take."""
    return drop_one(log, rng, where(log, "take_discard"))


@corruption("LOG", "LOB-04", "LOB-07", "LOB-08", "LOB-09", "LOB-10", "LOB-12", *SCORE)
def lay_missing(log: Log, rng: random.Random) -> Log | None:
    """A meld or an extension is missing; at the latest the score tells."""
    return drop_one(log, rng, where(log, "meld", "extend"))


@corruption("LOB-04", *END)
def discard_missing(log: Log, rng: random.Random) -> Log | None:
    """A turn without its discard."""
    return drop_one(log, rng, where(log, "discard"))


@corruption("LOB-12")
def go_out_missing(log: Log, rng: random.Random) -> Log | None:
    """Going out is not written down."""
    return drop_one(log, rng, where(log, "go_out"))


@corruption("LOB-03", "LOB-13")
def reshuffle_missing(log: Log, rng: random.Random) -> Log | None:
    """A card is drawn from an empty stock."""
    return drop_one(log, rng, where(log, "reshuffle"))


# ---------------------------------------------------------------- an event twice, or in another place


@corruption("LOB-04")
def draw_twice(log: Log, rng: random.Random) -> Log | None:
    """Two draws in one turn."""
    return double_one(log, rng, "draw")


@corruption("LOB-04")
def take_twice(log: Log, rng: random.Random) -> Log | None:
    """Two takes in one turn."""
    return double_one(log, rng, "take_discard")


@corruption("LOB-04", *END)
def discard_twice(log: Log, rng: random.Random) -> Log | None:
    """Two discards in one turn."""
    return double_one(log, rng, "discard")


@corruption("LOG", "CARDS", "LOB-09", "LOB-12")
def lay_twice(log: Log, rng: random.Random) -> Log | None:
    """The same cards are laid twice."""
    return double_one(log, rng, "meld", "extend")


@corruption("LOB-13")
def reshuffle_twice(log: Log, rng: random.Random) -> Log | None:
    """The stock is made anew twice."""
    return double_one(log, rng, "reshuffle")


@corruption("LOB-12")
def go_out_twice(log: Log, rng: random.Random) -> Log | None:
    """A player goes out twice."""
    return double_one(log, rng, "go_out")


@corruption("LOB-04")
def lays_before_drawing(log: Log, rng: random.Random) -> Log | None:
    """A card is laid or discarded before one is drawn."""
    found = [i for i in where(log, "draw") if log[i - 1]["event"] != "reshuffle"]
    index = pick(rng, [i for i in found if log[i + 1]["event"] in ("meld", "extend", "discard")])
    return None if index is None else swap_next(log, index)


@corruption("CARDS", "LOB-04", "LOB-08", "LOB-10", "LOB-12", "LOB-13")
def lays_after_discarding(log: Log, rng: random.Random) -> Log | None:
    """A card is laid after the discard."""
    found = [i for i in where(log, "discard") if log[i - 1]["event"] in ("meld", "extend")]
    index = pick(rng, [i for i in found if log[i + 1]["event"] != "go_out"])
    return None if index is None else swap_next(log, index - 1)


# ---------------------------------------------------------------- LOB-04, LOB-11: drawing and taking


@corruption("LOB-04")
def takes_from_nothing(log: Log, rng: random.Random) -> Log | None:
    """The first player takes a discard."""
    index = where(log, "draw")[0]
    card = rng.choice((["7S"], []))
    return edit(log, index, event="take_discard", cards=card)


@corruption("LOB-04")
def takes_a_buried_card(log: Log, rng: random.Random) -> Log | None:
    """Not the top discard is taken."""
    found = []
    for spot in spots(log):
        buried = [card for card in spot.discards[:-1] if card != spot.discards[-1]]
        if spot.name == "take_discard" and buried:
            found.append((spot.index, rng.choice(buried)))
    chosen = pick(rng, found)
    return None if chosen is None else edit(log, chosen[0], cards=[chosen[1]])


@corruption("LOB-04")
def takes_what_is_not_there(log: Log, rng: random.Random) -> Log | None:
    """A card is taken that does not lie on top, or two, or none."""
    index = pick(rng, where(log, "take_discard"))
    if index is None:
        return None
    cards = log[index]["cards"]
    other = rng.choice([card for card in PACK_52 if card != cards[0]])
    return edit(log, index, cards=rng.choice(([other], [*cards, other], [])))


@corruption("LOB-04")
def takes_after_drawing(log: Log, rng: random.Random) -> Log | None:
    """A player draws and takes."""
    spot = some_spot(log, rng, lambda spot: spot.name == "draw" and bool(spot.discards))
    if spot is None:
        return None
    return insert(log, spot.index + 1, plain(spot.event, "take_discard", spot.discards[-1:]))


@corruption("LOB-04")
def draws_after_taking(log: Log, rng: random.Random) -> Log | None:
    """A player takes and draws."""
    spot = some_spot(log, rng, lambda spot: spot.name == "take_discard" and bool(spot.stock))
    return None if spot is None else insert(log, spot.index + 1, plain(spot.event, "draw", spot.stock[:1]))


@corruption("CARDS", "LOB-03", "LOB-13")
def take_written_as_a_draw(log: Log, rng: random.Random) -> Log | None:
    """The card taken was not on top of the stock."""
    spot = some_spot(log, rng, lambda spot: spot.name == "take_discard" and spot.stock[:1] != spot.event["cards"])
    return None if spot is None else edit(log, spot.index, event="draw")


@corruption("LOB-11")
def takes_with_one_card(log: Log, rng: random.Random) -> Log | None:
    """With one card in hand the discard is taken."""
    spot = some_spot(log, rng, lambda spot: spot.name == "draw" and len(spot.hand) == 1 and bool(spot.discards))
    if spot is None or log[spot.index - 1]["event"] == "reshuffle":
        return None
    return replace(log, spot.index, plain(spot.event, "take_discard", spot.discards[-1:]))


# ---------------------------------------------------------------- LOB-12: going out


@corruption("LOB-12")
def goes_out_with_cards_in_hand(log: Log, rng: random.Random) -> Log | None:
    """A player goes out instead of discarding, with cards in hand."""
    found = [spot for spot in spots(log) if spot.name == "discard"]
    spot = pick(rng, found)
    if spot is None:
        return None
    return replace(log, spot.index, plain(spot.event, "go_out", all_at_once=spot.first_turn))


@corruption("LOB-12")
def goes_out_after_a_discard(log: Log, rng: random.Random) -> Log | None:
    """A player who keeps a card says that he is out."""
    spot = some_spot(log, rng, lambda spot: spot.name == "discard" and log[spot.index + 1]["event"] != "go_out")
    if spot is None:
        return None
    event = plain(spot.event, "go_out", all_at_once=spot.first_turn)
    return [*log[: spot.index + 1], event, {**log[-1], "turn": spot.event["turn"], "reason": "went_out"}]


@corruption("LOB-12")
def goes_out_before_the_last_discard(log: Log, rng: random.Random) -> Log | None:
    """Going out stands before the discard that empties the hand."""
    index = pick(rng, where(log, "go_out"))
    return None if index is None or log[index - 1]["event"] != "discard" else swap_next(log, index - 1)


@corruption("LOB-12")
def plays_on_after_going_out(log: Log, rng: random.Random) -> Log | None:
    """The next player has a turn although the round is over."""
    if log[-1]["reason"] != "went_out":
        return None
    return insert(log, len(log) - 1, plain(place_after(log), "draw", ["4S"]))


@corruption("LOB-12")
def discards_with_an_empty_hand(log: Log, rng: random.Random) -> Log | None:
    """Who has laid his last card discards one of his melds before he goes out."""
    index = pick(rng, where(log, "go_out"))
    if index is None or log[index - 1]["event"] == "discard":
        return None
    card = log[index - 1]["now"][-1]
    return insert(log, index, plain(log[index], "discard", [card], from_meld=log[index - 1]["meld"]))


# ---------------------------------------------------------------- LOB-12: the option


@corruption("LOB-12")
def taken_card_need_not_be_laid(log: Log, rng: random.Random) -> Log | None:
    """Under taken_discard_must_meld a card taken is kept in hand."""
    if log[0]["options"]["taken_discard_must_meld"]:
        return None
    for index in where(log, "take_discard"):
        turn, card = log[index]["turn"], log[index]["cards"][0]
        laid = [event for event in log[index:] if event.get("turn") == turn and event["event"] in ("meld", "extend")]
        if not any(card in event["cards"] for event in laid):
            return with_options(log, taken_discard_must_meld=True)
    return None


@corruption("LOB-12")
def lay_of_the_taken_card_missing(log: Log, rng: random.Random) -> Log | None:
    """Under taken_discard_must_meld the card taken is not laid."""
    if not log[0]["options"]["taken_discard_must_meld"]:
        return None
    found = []
    for take in where(log, "take_discard"):
        card, lay, after = log[take]["cards"][0], log[take + 1], log[take + 2]
        if lay["event"] in ("meld", "extend") and card in lay["cards"] and after["event"] == "discard":
            found.append(take + 1)
    return drop_one(log, rng, found)
