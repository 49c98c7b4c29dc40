"""Corruptions of the play of mau-mau: plays, Jacks, calls, and what 8, 7, Ace and Queen do."""

from __future__ import annotations

import random

from tests.referee.cards import PACK_52, SUITS, rank_of, suit_of
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
)
from tests.referee.mau_mau_corruption_tools import AFTER, Spot, corruption, is_won, last_play, some_spot, spots

EFFECTS = ("MAU-09", "MAU-10", "MAU-11", "MAU-12")

# ---------------------------------------------------------------- a play


@corruption("MAU-04", "MAU-13")
def card_that_does_not_follow(log: Log, rng: random.Random) -> Log | None:
    """Neither rank nor suit, nor the announced suit."""

    def strangers(spot: Spot) -> list[str]:
        return sorted(card for card in spot.hand if not spot.table.follows(card))

    spot = some_spot(log, rng, lambda spot: spot.is_free_play and bool(strangers(spot)))
    return None if spot is None else edit(log, spot.index, cards=[rng.choice(strangers(spot))], suit=None)


@corruption("MAU-13")
def card_that_does_not_follow_the_announced_suit(log: Log, rng: random.Random) -> Log | None:
    """The suit of the Jack on the pile, where another was announced."""

    def own_suit(spot: Spot) -> list[str]:
        table = spot.table
        fits = suit_of(table.top)
        return sorted(card for card in spot.hand if suit_of(card) == fits and not table.follows(card))

    spot = some_spot(log, rng, lambda spot: spot.is_free_play and bool(own_suit(spot)))
    return None if spot is None else edit(log, spot.index, cards=[rng.choice(own_suit(spot))], suit=None)


@corruption("CARDS")
def card_of_another_hand(log: Log, rng: random.Random) -> Log | None:
    """A card that the player does not hold."""
    spot = some_spot(log, rng, lambda spot: spot.is_free_play)
    if spot is None:
        return None
    return edit(log, spot.index, cards=[rng.choice([card for card in PACK_52 if card not in spot.hand])])


@corruption("MAU-04")
def play_of_nothing(log: Log, rng: random.Random) -> Log | None:
    """No card is played."""
    spot = some_spot(log, rng, lambda spot: spot.is_free_play)
    return None if spot is None else edit(log, spot.index, cards=[])


@corruption("MAU-13")
def two_cards_at_once(log: Log, rng: random.Random) -> Log | None:
    """Two cards that are not two Jacks."""

    def seconds(spot: Spot) -> list[str]:
        left = list(spot.hand)
        left.remove(spot.event["cards"][0])
        return sorted(card for card in left if {rank_of(card), rank_of(spot.event["cards"][0])} != {"J"})

    spot = some_spot(log, rng, lambda spot: spot.is_free_play and bool(seconds(spot)))
    if spot is None:
        return None
    return edit(log, spot.index, cards=[spot.event["cards"][0], rng.choice(seconds(spot))])


@corruption("MAU-13")
def three_cards_at_once(log: Log, rng: random.Random) -> Log | None:
    """Three cards."""
    spot = some_spot(log, rng, lambda spot: spot.is_free_play and len(spot.hand) >= 3)
    if spot is None:
        return None
    left = list(spot.hand)
    left.remove(spot.event["cards"][0])
    return edit(log, spot.index, cards=[spot.event["cards"][0], *sorted(left)[:2]])


@corruption("LOG", "MAU-06", "MAU-14", "MAU-15", *EFFECTS, *AFTER)
def play_missing(log: Log, rng: random.Random) -> Log | None:
    """A turn without its play."""
    return drop_one(log, rng, [spot.index for spot in spots(log) if spot.is_free_play])


@corruption("LOG", "MAU-14", "MAU-15", *EFFECTS, *AFTER)
def play_twice(log: Log, rng: random.Random) -> Log | None:
    """A card is played twice."""
    return double_one(log, rng, "play")


@corruption("MAU-06")
def unable_though_something_follows(log: Log, rng: random.Random) -> Log | None:
    """Who can follow says that he cannot."""
    spot = some_spot(log, rng, lambda spot: spot.is_free_play)
    return None if spot is None else replace(log, spot.index, plain(spot.event, "unable", fine=spot.table.fine()))


@corruption("MAU-07", "MAU-09")
def pass_though_something_follows(log: Log, rng: random.Random) -> Log | None:
    """Who can follow passes."""
    spot = some_spot(log, rng, lambda spot: spot.is_free_play)
    why = rng.choice(("barred", "eight"))
    return None if spot is None else replace(log, spot.index, plain(spot.event, "pass", why=why))


# ---------------------------------------------------------------- Jacks


@corruption("MAU-13")
def suit_without_a_jack(log: Log, rng: random.Random) -> Log | None:
    """Another card than a Jack announces a suit."""
    spot = some_spot(log, rng, lambda spot: spot.is_free_play and rank_of(spot.event["cards"][0]) != "J")
    return None if spot is None else edit(log, spot.index, suit=rng.choice(SUITS))


def pairs(log: Log) -> list[int]:
    """Two Jacks at once."""
    return [index for index in where(log, "play") if len(log[index]["cards"]) == 2]


@corruption("MAU-13")
def two_jacks_announce_another_suit(log: Log, rng: random.Random) -> Log | None:
    """Not the last one's, or none."""
    index = pick(rng, pairs(log))
    if index is None:
        return None
    return edit(log, index, suit=rng.choice([suit for suit in (*SUITS, None) if suit != log[index]["suit"]]))


@corruption("MAU-13")
def two_jacks_the_other_way_round(log: Log, rng: random.Random) -> Log | None:
    """The first one's suit is announced."""
    index = pick(rng, [index for index in pairs(log) if len(set(log[index]["cards"])) == 2])
    return None if index is None else edit(log, index, cards=log[index]["cards"][::-1])


def jack_then(log: Log, *names: str) -> list[tuple[int, Spot]]:
    """Single Jacks after which the next turn begins with one of these events."""
    found, jack = [], 0
    for spot in spots(log):
        if spot.opens_turn and jack and spot.name in names:
            found.append((jack, spot))
        if spot.opens_turn:
            jack = 0
        if spot.name == "play":
            jack = spot.index if [rank_of(card) for card in spot.event["cards"]] == ["J"] else 0
    return found


@corruption("MAU-13")
def announced_suit_not_followed(log: Log, rng: random.Random) -> Log | None:
    """A Jack announced another suit than the one that the next player follows."""
    found = [(jack, spot.event["cards"][0]) for jack, spot in jack_then(log, "play")]
    chosen = pick(rng, [(jack, card) for jack, card in found if rank_of(card) != "J"])
    if chosen is None:
        return None
    jack, card = chosen
    return edit(log, jack, suit=rng.choice([suit for suit in SUITS if suit != suit_of(card)]))


@corruption("MAU-06", "MAU-07")
def unable_after_an_unannounced_jack(log: Log, rng: random.Random) -> Log | None:
    """Any card follows a Jack that announces nothing."""
    jack = pick(rng, [jack for jack, _ in jack_then(log, "unable")])
    return None if jack is None else edit(log, jack, suit=None)


# ---------------------------------------------------------------- the call


def plays_with(log: Log, wanted: range) -> list[int]:
    """Plays that leave so many cards."""
    return [
        spot.index for spot in spots(log) if spot.name == "play" and len(spot.hand) - len(spot.event["cards"]) in wanted
    ]


@corruption("MAU-14")
def call_missing(log: Log, rng: random.Random) -> Log | None:
    """One card is left, and nobody forgets to say so."""
    return drop_one(log, rng, where(log, "call")) if log[0]["options"]["forget_call_rate"] == 0 else None


@corruption("MAU-14", *EFFECTS, *AFTER)
def call_twice(log: Log, rng: random.Random) -> Log | None:
    """One card left is announced twice."""
    return double_one(log, rng, "call")


@corruption("MAU-14")
def call_with_more_cards(log: Log, rng: random.Random) -> Log | None:
    """More than one card is left."""
    index = pick(rng, plays_with(log, range(2, 104)))
    return None if index is None else insert(log, index + 1, plain(log[index], "call"))


@corruption("MAU-15", "MAU-16")
def call_with_no_card(log: Log, rng: random.Random) -> Log | None:
    """No card is left."""
    index = pick(rng, plays_with(log, range(1)))
    return None if index is None else insert(log, index + 1, plain(log[index], "call"))


@corruption("MAU-14", "MAU-16")
def call_after_the_effect(log: Log, rng: random.Random) -> Log | None:
    """The call comes right after the play."""
    found = [index for index in where(log, "call") if log[index + 1]["event"] in ("skip", "reverse", "draw")]
    index = pick(rng, [index for index in found if log[index + 1]["turn"] == log[index]["turn"]])
    return None if index is None else swap_next(log, index)


@corruption("MAU-14", "LOG", *AFTER)
def forgotten_and_called(log: Log, rng: random.Random) -> Log | None:
    """Five cards are drawn for a call that was made."""
    spot = some_spot(log, rng, lambda spot: spot.name == "draw" and spot.event["why"] == "forgot_call")
    if spot is None:
        return None
    play = max(index for index in where(log, "play") if index < spot.index)
    return insert(log, play + 1, plain(log[play], "call"))


@corruption("MAU-10", "MAU-11", "MAU-12", "MAU-16")
def forgotten_call_before_the_effect(log: Log, rng: random.Random) -> Log | None:
    """The five cards are drawn after the effect."""
    found = [i for i in where(log, "skip", "reverse") if log[i + 1].get("why") == "forgot_call"]
    found += [i for i in where(log, "draw") if log[i]["why"] == "seven" and log[i + 1].get("why") == "forgot_call"]
    index = pick(rng, found)
    return None if index is None else swap_next(log, index)


# ---------------------------------------------------------------- 8, Ace, Queen


@corruption("MAU-09")
def victim_of_an_eight_plays(log: Log, rng: random.Random) -> Log | None:
    """He plays another card instead of drawing."""

    def others(spot: Spot) -> list[str]:
        return sorted(card for card in spot.hand if rank_of(card) != "8")

    spot = some_spot(log, rng, lambda s: s.opens_turn and s.table.pending > 0 and s.name == "draw" and bool(others(s)))
    if spot is None:
        return None
    return replace(log, spot.index, plain(spot.event, "play", [rng.choice(others(spot))], suit=None))


@corruption("MAU-09")
def eight_answered_without_stacking(log: Log, rng: random.Random) -> Log | None:
    """An 8 answers an 8 where that is not played."""
    if log[0]["options"]["stack_eights"]:
        return None

    def eights(spot: Spot) -> list[str]:
        return sorted(card for card in spot.hand if rank_of(card) == "8")

    spot = some_spot(log, rng, lambda s: s.opens_turn and s.table.pending > 0 and s.name == "draw" and bool(eights(s)))
    if spot is None:
        return None
    return replace(log, spot.index, plain(spot.event, "play", eights(spot)[:1], suit=None))


@corruption("MAU-09", "LOG")
def victim_of_an_eight_does_not_pass(log: Log, rng: random.Random) -> Log | None:
    """The draws without the pass."""
    return drop_one(log, rng, [index for index in where(log, "pass") if log[index]["why"] == "eight"])


@corruption("MAU-09", "MAU-16")
def victim_of_an_eight_skipped(log: Log, rng: random.Random) -> Log | None:
    """An 8 gives a turn of drawing, not a skip."""
    spot = some_spot(log, rng, lambda spot: spot.opens_turn and spot.table.pending > 0)
    if spot is None:
        return None
    skip = {"event": "skip", "turn": spot.event["turn"] - 1, "seat": spot.event["seat"], "cards": []}
    return insert(log, spot.index, skip)


@corruption("MAU-05", "MAU-11", "MAU-12", "MAU-16")
def skip_missing(log: Log, rng: random.Random) -> Log | None:
    """Nobody is said to be skipped."""
    return drop_one(log, rng, where(log, "skip"))


@corruption("MAU-11", "MAU-14", *AFTER)
def skip_twice(log: Log, rng: random.Random) -> Log | None:
    """Two are skipped."""
    return double_one(log, rng, "skip")


@corruption("MAU-05", "MAU-12", "MAU-16")
def reverse_missing(log: Log, rng: random.Random) -> Log | None:
    """A Queen does not turn the direction."""
    return drop_one(log, rng, where(log, "reverse"))


@corruption("MAU-12", "MAU-14", *AFTER)
def reverse_twice(log: Log, rng: random.Random) -> Log | None:
    """A Queen turns the direction twice."""
    return double_one(log, rng, "reverse")


def before_a_turn(log: Log, rng: random.Random, event: str) -> Log | None:
    """An event more where a turn begins."""
    spot = some_spot(log, rng, lambda spot: spot.is_boundary)
    return None if spot is None else insert(log, spot.index, plain(spot.event, event))


@corruption("MAU-11")
def skip_without_an_ace(log: Log, rng: random.Random) -> Log | None:
    """Somebody is skipped for nothing."""
    return before_a_turn(log, rng, "skip")


@corruption("MAU-12")
def reverse_without_a_queen(log: Log, rng: random.Random) -> Log | None:
    """The direction turns for nothing."""
    return before_a_turn(log, rng, "reverse")


@corruption("MAU-14")
def call_before_the_play(log: Log, rng: random.Random) -> Log | None:
    """A call opens a turn."""
    return before_a_turn(log, rng, "call")


@corruption("MAU-08")
def bars_lifted_for_nothing(log: Log, rng: random.Random) -> Log | None:
    """Not everybody is barred."""
    return before_a_turn(log, rng, "bars_lifted")


@corruption("MAU-08")
def void_for_nothing(log: Log, rng: random.Random) -> Log | None:
    """Somebody can still win, and cards are played."""
    return before_a_turn(log, rng, "void")


@corruption("MAU-15")
def out_with_cards_in_hand(log: Log, rng: random.Random) -> Log | None:
    """Somebody goes out who has cards."""
    return before_a_turn(log, rng, "go_out")


# ---------------------------------------------------------------- the last card


@corruption("MAU-15")
def winning_card_skips(log: Log, rng: random.Random) -> Log | None:
    """The winning card is followed by a skip or a reverse."""
    if not is_won(log):
        return None
    return insert(log, len(log) - 2, plain(log[-2], rng.choice(("skip", "reverse"))))


@corruption("MAU-15")
def event_after_going_out(log: Log, rng: random.Random) -> Log | None:
    """The effects of the winning card come after going out."""
    return insert(log, len(log) - 1, plain(log[-2], rng.choice(("call", "skip", "reverse")))) if is_won(log) else None


@corruption("MAU-15")
def winning_draw_for_nothing(log: Log, rng: random.Random) -> Log | None:
    """A card is drawn before the count though the winning card does not ask for it."""
    if not is_won(log):
        return None
    acts = log[0]["options"]["last_card_acts"] and rank_of(log[last_play(log)]["cards"][-1]) in "87"
    return None if acts else insert(log, len(log) - 2, plain(log[-2], "draw", ["4S"], why="seven"))
