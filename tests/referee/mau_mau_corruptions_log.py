"""Corruptions of the form of a mau-mau log, of its deal and of its house rules."""

from __future__ import annotations

import random

from tests.referee.cards import PACK_52, rank_of, suit_of
from tests.referee.corruptions_form import FORM
from tests.referee.log_edits import Log, edit, exchanged, pick, where, with_options
from tests.referee.mau_mau_corruption_tools import (
    CORRUPTIONS,
    changed,
    corruption,
    draws,
    is_won,
    last_play,
    some_spot,
    spots,
)

CORRUPTIONS.extend(FORM)

# ---------------------------------------------------------------- turns and seats


@corruption("LOG")
def turn_number_off(log: Log, rng: random.Random) -> Log | None:
    """One event bears the number of another turn."""
    index = rng.randrange(1, len(log) - 1)
    return edit(log, index, turn=log[index]["turn"] + rng.choice((-1, 1, 2)))


def by_another_seat(log: Log, rng: random.Random, found: list[int]) -> Log | None:
    """One of these events by another seat."""
    index = pick(rng, found)
    return None if index is None else edit(log, index, seat=changed(rng, log, log[index]["seat"]))


@corruption("MAU-04", "MAU-06", "MAU-07", "LOG")
def play_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Somebody plays who is not in turn."""
    return by_another_seat(log, rng, where(log, "play"))


@corruption("MAU-04")
def play_by_no_seat(log: Log, rng: random.Random) -> Log | None:
    """A seat that does not exist."""
    found = [spot.index for spot in spots(log) if spot.is_free_play]
    index = pick(rng, found)
    return None if index is None else edit(log, index, seat=log[0]["options"]["players"])


@corruption("MAU-04")
def unable_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Somebody cannot follow who is not in turn."""
    return by_another_seat(log, rng, where(log, "unable"))


@corruption("MAU-04", "MAU-09")
def pass_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Somebody passes who is not in turn."""
    return by_another_seat(log, rng, where(log, "pass"))


@corruption("MAU-05", "MAU-11", "MAU-12")
def another_seat_skipped(log: Log, rng: random.Random) -> Log | None:
    """Not the next player loses his turn."""
    return by_another_seat(log, rng, where(log, "skip"))


@corruption("MAU-05", "MAU-12")
def reverse_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Not the player of the Queen turns the direction."""
    return by_another_seat(log, rng, where(log, "reverse"))


@corruption("MAU-14")
def call_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Somebody else calls."""
    return by_another_seat(log, rng, where(log, "call"))


@corruption("MAU-08")
def bars_lifted_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Not the player who was barred last."""
    return by_another_seat(log, rng, where(log, "bars_lifted", "void"))


@corruption("MAU-16")
def reshuffle_for_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Not the player who must draw."""
    return by_another_seat(log, rng, where(log, "reshuffle"))


@corruption("MAU-15")
def another_seat_goes_out(log: Log, rng: random.Random) -> Log | None:
    """Not the player of the last card."""
    return by_another_seat(log, rng, where(log, "go_out"))


@corruption("MAU-09", "MAU-15")
def eight_hits_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Not the next player draws for an 8."""
    return by_another_seat(log, rng, draws(log, "eight"))


@corruption("MAU-10", "MAU-15")
def seven_hits_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Not the player whom a 7 hits draws."""
    return by_another_seat(log, rng, draws(log, "seven"))


@corruption("MAU-05", "MAU-06", "MAU-14")
def draw_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Not the player who must draw."""
    return by_another_seat(log, rng, draws(log, "unable", "forgot_call", "start_card"))


@corruption("MAU-04", "MAU-06", "MAU-07", "MAU-09", "MAU-16", "LOG")
def turn_left_out(log: Log, rng: random.Random) -> Log | None:
    """A turn is missing and the later ones are renumbered."""
    openers = {spot.event["turn"]: spot.event["seat"] for spot in spots(log) if spot.opens_turn}
    turns = [turn for turn in openers if 1 < turn < log[-1]["turn"] and openers[turn] != openers[turn + 1]]
    turn = pick(rng, turns)
    if turn is None:
        return None
    kept = [event for event in log[1:] if event["turn"] != turn]
    return [log[0], *({**event, "turn": event["turn"] - (event["turn"] > turn)} for event in kept)]


# ---------------------------------------------------------------- form


@corruption("LOG")
def event_of_another_game(log: Log, rng: random.Random) -> Log | None:
    """What mau-mau does not have."""
    return edit(log, rng.randrange(1, len(log) - 1), event=rng.choice(("discard", "meld", "deal_hands", "red_three")))


@corruption("LOG")
def cards_where_none_move(log: Log, rng: random.Random) -> Log | None:
    """Cards in an event that moves none."""
    names = ("unable", "pass", "skip", "reverse", "call", "bars_lifted", "reshuffle", "go_out", "void")
    index = pick(rng, where(log, *names))
    return None if index is None else edit(log, index, cards=["4S"])


@corruption("LOG")
def no_turn(log: Log, rng: random.Random) -> Log | None:
    """Turns count from 1."""
    return edit(log, rng.randrange(1, len(log)), turn=0)


@corruption("LOG")
def another_reason_than_any(log: Log, rng: random.Random) -> Log | None:
    """A reason to draw or to pass that does not exist."""
    index = pick(rng, where(log, "draw", "pass"))
    return None if index is None else edit(log, index, why=rng.choice(("turn", "", None, "unable ", "two")))


@corruption("LOG")
def no_suit(log: Log, rng: random.Random) -> Log | None:
    """A suit that does not exist."""
    index = pick(rng, where(log, "play"))
    return None if index is None else edit(log, index, suit=rng.choice(("", "s", "spades", 0, False, "X")))


@corruption("LOG")
def another_fine_than_any(log: Log, rng: random.Random) -> Log | None:
    """A fine that does not exist."""
    index = pick(rng, where(log, "unable"))
    return None if index is None else edit(log, index, fine=rng.choice((-50, 25, 100, 50.0, None, False)))


@corruption("LOG")
def another_game(log: Log, rng: random.Random) -> Log | None:
    """The log of another game."""
    return edit(log, 0, game="canasta")


@corruption("LOG")
def bad_option_value(log: Log, rng: random.Random) -> Log | None:
    """A value that a house rule does not have."""
    name, value = rng.choice(
        (
            ("players", 1),
            ("players", 11),
            ("players", "4"),
            ("packs", "two"),
            ("packs", 3),
            ("start_card_acts", 1),
            ("unable", "draw"),
            ("stack_eights", None),
            ("seven_hits", "left"),
            ("queen_skips_two_players", "no"),
            ("forget_call_rate", 1.5),
            ("forget_call_rate", -0.1),
            ("forget_call_rate", False),
            ("last_card_acts", 0),
            ("winner_collects", "true"),
            ("target", 0),
            ("target", 1000.0),
        )
    )
    return with_options(log, **{name: value})


# ---------------------------------------------------------------- the deal


@corruption("MAU-01")
def card_not_in_pack(log: Log, rng: random.Random) -> Log | None:
    """A dealt card has become another, or a joker."""
    hands = [list(hand) for hand in log[0]["hands"]]
    hands[0][3] = rng.choice(["JK", *(card for card in PACK_52 if card != hands[0][3])])
    return edit(log, 0, hands=hands)


@corruption("MAU-01", "MAU-04", "MAU-05")
def start_card_not_in_pack(log: Log, rng: random.Random) -> Log | None:
    """The start card has become another, or a joker."""
    return edit(log, 0, start_card=rng.choice(["JK", *(card for card in PACK_52 if card != log[0]["start_card"])]))


@corruption("LOG")
def several_start_cards(log: Log, rng: random.Random) -> Log | None:
    """One card is turned, no more and no less."""
    start = log[0]["start_card"]
    return edit(log, 0, start_card=rng.choice((None, "", [], [start], [start, start])))


@corruption("MAU-01")
def card_lost_before_the_deal(log: Log, rng: random.Random) -> Log | None:
    """The stock lacks a card."""
    return edit(log, 0, stock=log[0]["stock"][:-1])


@corruption("MAU-03")
def eighth_card(log: Log, rng: random.Random) -> Log | None:
    """A hand has a card of the stock too many."""
    hands = [list(hand) for hand in log[0]["hands"]]
    hands[-1].append(log[0]["stock"][0])
    return edit(log, 0, hands=hands, stock=log[0]["stock"][1:])


@corruption("MAU-03")
def sixth_card_only(log: Log, rng: random.Random) -> Log | None:
    """A hand lacks a card, which lies in the stock."""
    hands = [list(hand) for hand in log[0]["hands"]]
    return edit(log, 0, stock=[*log[0]["stock"], hands[0].pop()], hands=hands)


@corruption("MAU-03")
def hand_lost(log: Log, rng: random.Random) -> Log | None:
    """A player without a hand."""
    *hands, lost = log[0]["hands"]
    return edit(log, 0, hands=hands, stock=[*log[0]["stock"], *lost])


@corruption("LOG")
def policy_too_many(log: Log, rng: random.Random) -> Log | None:
    """More policies than players."""
    return edit(log, 0, policies=[*log[0]["policies"], "random"])


@corruption("LOG")
def dealer_of_no_seat(log: Log, rng: random.Random) -> Log | None:
    """A dealer who does not sit at the table."""
    return edit(log, 0, dealer=log[0]["options"]["players"])


@corruption("MAU-04", "MAU-05")
def wrong_first(log: Log, rng: random.Random) -> Log | None:
    """Another player begins."""
    return edit(log, 0, first=changed(rng, log, log[0]["first"]))


@corruption("MAU-02")
def wrong_dealer(log: Log, rng: random.Random) -> Log | None:
    """In a batch, another dealer than the deal's."""
    if log[0]["match"] is not None:
        return None
    players = log[0]["options"]["players"]
    return edit(log, 0, dealer=(log[0]["dealer"] + 1) % players, first=(log[0]["first"] + 1) % players)


@corruption("LOG")
def scores_of_too_few(log: Log, rng: random.Random) -> Log | None:
    """A seat without a score."""
    return edit(log, 0, scores_before=log[0]["scores_before"][1:])


@corruption("MAU-19")
def scores_outside_a_match(log: Log, rng: random.Random) -> Log | None:
    """A deal that belongs to no match begins with points."""
    return edit(log, 0, match=None, scores_before=[-10, *log[0]["scores_before"][1:]])


@corruption("MAU-19")
def match_begins_with_points(log: Log, rng: random.Random) -> Log | None:
    """The first round of a match with points."""
    return edit(log, 0, match=0, deal=0, scores_before=[-10, *log[0]["scores_before"][1:]])


@corruption("MAU-19")
def match_already_decided(log: Log, rng: random.Random) -> Log | None:
    """A round after the match is decided."""
    options = log[0]["options"]
    scores = [0] * options["players"]
    scores[-1] = options["target"]
    if not options["winner_collects"]:
        scores[0] = -options["target"]
    return edit(log, 0, match=0, deal=5, scores_before=scores)


# ---------------------------------------------------------------- the house rules


@corruption("LOG")
def another_number_of_players(log: Log, rng: random.Random) -> Log | None:
    """One player more or less than there are."""
    players = log[0]["options"]["players"]
    return with_options(log, players=players - 1 if players > 2 else players + 1)


@corruption("MAU-01")
def another_number_of_packs(log: Log, rng: random.Random) -> Log | None:
    """One pack instead of two, or two instead of one."""
    one = len(log[0]["stock"]) + 7 * log[0]["options"]["players"] < 52
    return with_options(log, packs=2 if one else 1)


@corruption("MAU-04", "MAU-05", "MAU-11", "MAU-12")
def start_card_otherwise(log: Log, rng: random.Random) -> Log | None:
    """The start card acts where it must not, or does not where it must."""
    if rank_of(log[0]["start_card"]) not in "8A7Q":
        return None
    return with_options(log, start_card_acts=not log[0]["options"]["start_card_acts"])


@corruption("MAU-06")
def fines_otherwise(log: Log, rng: random.Random) -> Log | None:
    """Fined where there are no fines, or not fined where there are."""
    fined = log[0]["options"]["unable"].startswith("fine")
    other = rng.choice(("draw_one", "draw_until") if fined else ("fine_draw", "fine_only", "fine_once"))
    return with_options(log, unable=other) if where(log, "unable") else None


@corruption("MAU-06")
def fined_once_otherwise(log: Log, rng: random.Random) -> Log | None:
    """Fined each time, or only the first time."""
    seats = [log[index]["seat"] for index in where(log, "unable")]
    rules = {"fine_draw": "fine_once", "fine_once": "fine_draw"}
    other = rules.get(log[0]["options"]["unable"])
    return with_options(log, unable=other) if other and len(set(seats)) < len(seats) else None


@corruption("MAU-06", "MAU-07", "MAU-08", "MAU-16")
def draws_where_only_fined(log: Log, rng: random.Random) -> Log | None:
    """The fined draw where they must not, or do not where they must."""
    other = {"fine_draw": "fine_only", "fine_only": "fine_draw"}.get(log[0]["options"]["unable"])
    return with_options(log, unable=other) if other and where(log, "unable") else None


@corruption("MAU-09")
def eights_not_stacked(log: Log, rng: random.Random) -> Log | None:
    """An 8 was answered, and must not be."""
    answered = any(spot.table.pending for spot in spots(log) if spot.opens_turn and spot.name == "play")
    return with_options(log, stack_eights=False) if answered else None


@corruption("MAU-10", "MAU-15", "MAU-16")
def sevens_otherwise(log: Log, rng: random.Random) -> Log | None:
    """A 7 hits the other neighbour."""
    if log[0]["options"]["players"] == 2 or not draws(log, "seven"):
        return None
    return with_options(log, seven_hits="next" if log[0]["options"]["seven_hits"] == "previous" else "previous")


@corruption("MAU-07", "MAU-11", "MAU-12", "MAU-14", "MAU-16", "MAU-17")
def queen_skips_otherwise(log: Log, rng: random.Random) -> Log | None:
    """A Queen between two skips the other where it must not, or does not where it must."""
    queens = [i for i in where(log, "reverse") if log[i - 1]["event"] in ("play", "call")]
    if log[0]["options"]["players"] != 2 or not queens:
        return None
    return with_options(log, queen_skips_two_players=not log[0]["options"]["queen_skips_two_players"])


@corruption("MAU-14")
def calls_otherwise(log: Log, rng: random.Random) -> Log | None:
    """Calls are always made though one was forgotten, or always forgotten though one was made."""
    if draws(log, "forgot_call"):
        return with_options(log, forget_call_rate=0.0)
    return with_options(log, forget_call_rate=1.0) if where(log, "call") else None


@corruption("MAU-15", "MAU-16")
def last_card_otherwise(log: Log, rng: random.Random) -> Log | None:
    """The last card acts where it must not, or does not where it must."""
    if not is_won(log) or rank_of(log[last_play(log)]["cards"][-1]) not in "87":
        return None
    return with_options(log, last_card_acts=not log[0]["options"]["last_card_acts"])


@corruption("MAU-06", "MAU-08", "MAU-17", "MAU-18", "MAU-19")
def winner_collects_otherwise(log: Log, rng: random.Random) -> Log | None:
    """The winner is credited where the losers must pay, or the other way round."""
    return with_options(log, winner_collects=not log[0]["options"]["winner_collects"])


@corruption("MAU-04")
def follows_another_start_card(log: Log, rng: random.Random) -> Log | None:
    """The first play does not follow the start card, which has changed places with a card of the stock."""
    spot = some_spot(log, rng, lambda spot: spot.event["turn"] == 1 and spot.is_free_play)
    if spot is None or log[0]["options"]["start_card_acts"] or rank_of(spot.event["cards"][0]) == "J":
        return None
    card, start = spot.event["cards"][0], log[0]["start_card"]
    others = [
        other
        for other in log[0]["stock"]
        if rank_of(other) != rank_of(card) and suit_of(other) != suit_of(card) and rank_of(other) != "J"
    ]
    other = pick(rng, others)
    if other is None:
        return None
    return edit(log, 0, start_card=other, stock=exchanged(log[0]["stock"], other, start))
