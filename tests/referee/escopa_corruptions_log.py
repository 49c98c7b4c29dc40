"""Corruptions of the form of an Escopa log and of the `deal` event."""

from __future__ import annotations

import random
from typing import Any

from tests.referee.corruptions_form import FORM
from tests.referee.escopa_corruption_tools import CORRUPTIONS, corruption, renumbered, some_spot
from tests.referee.log_edits import Log, drop, edit, insert, pick, plain, where, with_options

# Those that fit a game without draws; escopa has names of its own for the others.
SHARED_FORM = {
    "no_deal",
    "cut_short",
    "nothing",
    "second_deal",
    "event_after_end",
    "unknown_event",
    "extra_field",
    "missing_field",
    "missing_option",
}
CORRUPTIONS.extend(case for case in FORM if case[0] in SHARED_FORM)

BAD_VALUES = (
    ("players", 1),
    ("players", 5),
    ("players", True),
    ("players", "2"),
    ("figures", "kqj"),
    ("figures", None),
    ("deal_passes", 1),
    ("capture", "may"),
    ("overlook_rate", -0.1),
    ("overlook_rate", 1.1),
    ("overlook_rate", True),
    ("overlook_rate", "0.5"),
    ("overlook_rate", float("nan")),
    ("dealer_take", "thrice"),
    ("dealer_take", 2),
    ("escopa", "four"),
    ("dealer_escopas", 0),
    ("all_replaces_most", "true"),
    ("primeira", "none"),
    ("target", 0),
    ("target", 21.0),
)


# ---------------------------------------------------------------- names, fields and values


@corruption("LOG")
def event_of_another_game(log: Log, rng: random.Random) -> Log | None:
    """A draw, as other games have it."""
    index = rng.randrange(1, len(log))
    return insert(log, index, {"event": "draw", "turn": 1, "seat": 0, "cards": ["7S"], "why": "turn"})


@corruption("LOG")
def game_of_another_name(log: Log, rng: random.Random) -> Log | None:
    """A deal of another game."""
    return edit(log, 0, game=rng.choice(("escoba", "canasta", "", None)))


@corruption("LOG")
def value_of_another_type(log: Log, rng: random.Random) -> Log | None:
    """A value of another type."""
    index = rng.randrange(1, len(log) - 2)
    changes = (("turn", "1"), ("turn", 1.0), ("seat", True), ("seat", None), ("cards", "7S"), ("cards", None))
    name, value = rng.choice(changes)
    return edit(log, index, **{name: value})


@corruption("LOG")
def deal_field_of_another_type(log: Log, rng: random.Random) -> Log | None:
    """A field of the deal that cannot be so."""
    changes: tuple[tuple[str, Any], ...] = (
        ("seed", -1),
        ("seed", 2**64),
        ("seed", "1"),
        ("deal", -1),
        ("match", -1),
        ("match", "0"),
        ("policies", [1]),
        ("policies", "random"),
        ("dealer", "0"),
        ("first", None),
        ("scores_before", None),
        ("scores_before", [0.0, 0.0]),
        ("hands", {}),
        ("stock", "7S"),
        ("table", [7]),
        ("options", []),
    )
    name, value = rng.choice(changes)
    return edit(log, 0, **{name: value})


@corruption("LOG")
def no_card(log: Log, rng: random.Random) -> Log | None:
    """A text that no card has."""
    index = pick(rng, where(log, "play", "claim", "leftover"))
    return None if index is None else edit(log, index, cards=[rng.choice(("10S", "7s", "1S", "S7", "*", ""))])


@corruption("LOG")
def take_of_another_type(log: Log, rng: random.Random) -> Log | None:
    """The cards taken are not a list of cards."""
    index = pick(rng, where(log, "play"))
    return None if index is None else edit(log, index, take=rng.choice((None, "7S", ["8"], [["7S"]], {})))


@corruption("LOG")
def escopa_of_another_type(log: Log, rng: random.Random) -> Log | None:
    """`escopa` is not true or false."""
    index = pick(rng, where(log, "play", "claim"))
    return None if index is None else edit(log, index, escopa=rng.choice((0, 1, None, "false")))


@corruption("LOG")
def play_without_take(log: Log, rng: random.Random) -> Log | None:
    """A play that does not say what it takes."""
    index = pick(rng, where(log, "play"))
    if index is None:
        return None
    gone = rng.choice(("take", "escopa"))
    return [*log[:index], {k: v for k, v in log[index].items() if k != gone}, *log[index + 1 :]]


@corruption("LOG")
def claim_with_take(log: Log, rng: random.Random) -> Log | None:
    """A claim written like a play."""
    index = pick(rng, where(log, "claim"))
    return None if index is None else edit(log, index, cards=log[index]["cards"][:1], take=log[index]["cards"][1:])


@corruption("LOG")
def deal_hands_without_dealer(log: Log, rng: random.Random) -> Log | None:
    """A later deal that does not say who deals, or what."""
    index = pick(rng, where(log, "deal_hands"))
    if index is None:
        return None
    gone = rng.choice(("dealer", "hands"))
    return [*log[:index], {k: v for k, v in log[index].items() if k != gone}, *log[index + 1 :]]


@corruption("LOG")
def deal_hands_with_cards(log: Log, rng: random.Random) -> Log | None:
    """The cards of a later deal stand in `hands` alone."""
    index = pick(rng, where(log, "deal_hands"))
    return None if index is None else edit(log, index, cards=list(log[index]["hands"][0]))


@corruption("LOG")
def overlook_with_cards(log: Log, rng: random.Random) -> Log | None:
    """Who overlooks a capture does not say which."""
    index = pick(rng, where(log, "overlook"))
    return None if index is None else edit(log, index, cards=log[index + 1]["cards"])


@corruption("LOG")
def unknown_option(log: Log, rng: random.Random) -> Log | None:
    """A house rule that the game does not have."""
    return with_options(log, jokers=4)


@corruption("LOG")
def option_without_such_a_value(log: Log, rng: random.Random) -> Log | None:
    """A house rule with a value that it cannot have."""
    name, value = rng.choice(BAD_VALUES)
    return with_options(log, **{name: value})


@corruption("LOG")
def too_few_policies(log: Log, rng: random.Random) -> Log | None:
    """A seat without a policy, or one too many."""
    policies = log[0]["policies"]
    return edit(log, 0, policies=rng.choice((policies[1:], [*policies, "random"], [])))


# ---------------------------------------------------------------- the deal: seats and match


@corruption("ESC-02")
def another_first(log: Log, rng: random.Random) -> Log | None:
    """Not the player at the dealer's right begins."""
    players = log[0]["options"]["players"]
    return edit(log, 0, first=(log[0]["first"] + rng.randrange(1, players)) % players)


@corruption("ESC-03")
def another_dealer(log: Log, rng: random.Random) -> Log | None:
    """In a batch seat i mod players deals pack i."""
    if log[0]["match"] is not None:
        return None
    players = log[0]["options"]["players"]
    step = rng.randrange(1, players)
    return edit(log, 0, dealer=(log[0]["dealer"] + step) % players, first=(log[0]["first"] + step) % players)


@corruption("LOG")
def dealer_who_is_not_there(log: Log, rng: random.Random) -> Log | None:
    """A dealer at no seat of the table."""
    return edit(log, 0, dealer=log[0]["options"]["players"] + rng.randrange(2))


@corruption("LOG")
def scores_of_too_many_sides(log: Log, rng: random.Random) -> Log | None:
    """`scores_before` has a number for each side."""
    before = log[0]["scores_before"]
    return edit(log, 0, scores_before=rng.choice((before[1:], [*before, 0], [])))


@corruption("ESC-12")
def points_before_a_single_pack(log: Log, rng: random.Random) -> Log | None:
    """Outside a match nobody has points."""
    before = list(log[0]["scores_before"])
    before[rng.randrange(len(before))] += rng.choice((1, 5))
    return edit(log, 0, match=None, deal=log[0]["dealer"], scores_before=before)


@corruption("ESC-12")
def points_at_the_start_of_a_match(log: Log, rng: random.Random) -> Log | None:
    """A match begins at nothing."""
    before = [0] * len(log[0]["scores_before"])
    before[rng.randrange(len(before))] += 1
    return edit(log, 0, match=0, deal=0, scores_before=before)


@corruption("ESC-12")
def negative_points(log: Log, rng: random.Random) -> Log | None:
    """Nobody ever loses a point."""
    before = [0] * len(log[0]["scores_before"])
    before[rng.randrange(len(before))] = -1
    return edit(log, 0, match=0, deal=1, scores_before=before)


@corruption("ESC-12")
def pack_after_a_match(log: Log, rng: random.Random) -> Log | None:
    """Another pack when a side alone is past the target."""
    before = [0] * len(log[0]["scores_before"])
    target = log[0]["options"]["target"]
    before[0] = target + rng.randrange(3)
    before[1] = rng.choice((0, target - 1, before[0] - 1))
    return edit(log, 0, match=0, deal=3, scores_before=before)


# ---------------------------------------------------------------- the deal: cards


@corruption("ESC-03")
def hand_of_another_size(log: Log, rng: random.Random) -> Log | None:
    """A player with four cards, or with two."""
    hands = [list(hand) for hand in log[0]["hands"]]
    seat = rng.randrange(len(hands))
    stock = list(log[0]["stock"])
    if rng.random() < 0.5:
        hands[seat].append(stock.pop())
    else:
        stock.append(hands[seat].pop())
    return edit(log, 0, hands=hands, stock=stock)


@corruption("ESC-03")
def hands_for_too_many(log: Log, rng: random.Random) -> Log | None:
    """A seat without a hand, or a hand without a seat."""
    hands, stock = log[0]["hands"], log[0]["stock"]
    if rng.random() < 0.5:
        return edit(log, 0, hands=hands[1:], stock=[*stock, *hands[0]])
    return edit(log, 0, hands=[*hands, stock[:3]], stock=stock[3:])


@corruption("ESC-03")
def table_of_another_size(log: Log, rng: random.Random) -> Log | None:
    """Three cards face up, or five."""
    table, stock = log[0]["table"], log[0]["stock"]
    if rng.random() < 0.5:
        return edit(log, 0, table=table[1:], stock=[*stock, table[0]])
    return edit(log, 0, table=[*table, stock[0]], stock=stock[1:])


@corruption("ESC-03")
def stock_of_another_size(log: Log, rng: random.Random) -> Log | None:
    """A card is missing from the stock, or one too many."""
    stock = log[0]["stock"]
    return edit(log, 0, stock=rng.choice((stock[1:], [*stock, stock[0]])))


@corruption("ESC-01")
def card_twice_in_the_pack(log: Log, rng: random.Random) -> Log | None:
    """One card of the stock is a second copy of another."""
    stock = list(log[0]["stock"])
    first, second = rng.sample(range(len(stock)), 2)
    stock[first] = rng.choice((stock[second], log[0]["table"][0], log[0]["hands"][0][0]))
    return edit(log, 0, stock=stock)


@corruption("ESC-01")
def card_that_is_not_of_the_pack(log: Log, rng: random.Random) -> Log | None:
    """An eight, a nine, a ten or a joker."""
    stranger = rng.choice(("8S", "9H", "TD", "JK"))
    part = rng.choice(("stock", "table"))
    return edit(log, 0, **{part: [stranger, *log[0][part][1:]]})


# ---------------------------------------------------------------- turns


@corruption("LOG")
def turn_number_off(log: Log, rng: random.Random) -> Log | None:
    """One event bears the number of another turn."""
    index = pick(rng, where(log, "play", "dealer_take", "to_table", "deal_hands", "leftover"))
    return None if index is None else edit(log, index, turn=log[index]["turn"] + rng.choice((-1, 1, 2)))


@corruption("LOG")
def overlook_with_another_turn(log: Log, rng: random.Random) -> Log | None:
    """An oversight bears the number of another turn."""
    index = pick(rng, where(log, "overlook"))
    return None if index is None else edit(log, index, turn=log[index]["turn"] + rng.choice((-1, 1)))


@corruption("LOG")
def claim_with_another_turn(log: Log, rng: random.Random) -> Log | None:
    """A claim bears the number of the turn before, or after."""
    index = pick(rng, where(log, "claim"))
    return None if index is None else edit(log, index, turn=log[index]["turn"] + rng.choice((-1, 1)))


@corruption("LOG")
def turns_that_begin_at_nought(log: Log, rng: random.Random) -> Log | None:
    """The first turn has the number 0."""
    return [log[0], *({**event, "turn": event["turn"] - 1} for event in log[1:])]


@corruption("LOG")
def deal_in_the_turn_before(log: Log, rng: random.Random) -> Log | None:
    """A later deal bears the number of the turn before it."""
    index = pick(rng, where(log, "deal_hands"))
    return None if index is None else edit(log, index, turn=log[index]["turn"] - 1)


@corruption("LOG")
def wrong_number_of_turns(log: Log, rng: random.Random) -> Log | None:
    """The number of turns is off by one."""
    return edit(log, len(log) - 1, turn=log[-1]["turn"] + rng.choice((-1, 1)))


@corruption("ESC-02", "ESC-04")
def play_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """A play, or an oversight, by another player."""
    index = pick(rng, where(log, "play", "overlook"))
    players = log[0]["options"]["players"]
    return None if index is None else edit(log, index, seat=(log[index]["seat"] + rng.randrange(1, players)) % players)


@corruption("ESC-02", "ESC-04")
def seat_that_is_not_there(log: Log, rng: random.Random) -> Log | None:
    """A play by a seat that the table does not have."""
    index = pick(rng, where(log, "play"))
    return None if index is None else edit(log, index, seat=log[0]["options"]["players"])


@corruption("ESC-04")
def another_leader(log: Log, rng: random.Random) -> Log | None:
    """After a later deal not the player at the dealer's right leads."""
    index = pick(rng, where(log, "deal_hands"))
    players = log[0]["options"]["players"]
    if index is None:
        return None
    return edit(log, index + 1, seat=(log[index + 1]["seat"] + rng.randrange(1, players)) % players)


@corruption("ESC-02")
def turn_left_out(log: Log, rng: random.Random) -> Log | None:
    """A player's turn is passed over, and the later ones are renumbered."""

    def alone(index: int) -> bool:
        return log[index - 1]["event"] == "play" and log[index + 1]["event"] in ("play", "overlook")

    index = pick(rng, [i for i in where(log, "play") if alone(i)])
    return None if index is None else renumbered(drop(log, index))


@corruption("LOG", "ESC-04", "ESC-06", "ESC-09")
def play_left_out(log: Log, rng: random.Random) -> Log | None:
    """A play is missing, and its turn with it."""
    index = pick(rng, where(log, "play"))
    return None if index is None else drop(log, index)


@corruption("LOG")
def two_cards_in_one_turn(log: Log, rng: random.Random) -> Log | None:
    """A player plays another card of his hand in the same turn."""
    spot = some_spot(log, rng, lambda spot: spot.name == "play" and len(spot.hand) > 1)
    if spot is None:
        return None
    other = rng.choice([card for card in spot.hand if card != spot.card])
    return insert(log, spot.index + 1, plain(spot.event, "play", [other], take=[], escopa=False))


@corruption("LOG", "ESC-04", "ESC-09")
def play_written_twice(log: Log, rng: random.Random) -> Log | None:
    """A play stands twice in the log."""
    index = pick(rng, where(log, "play"))
    return None if index is None else insert(log, index, log[index])


@corruption("ESC-02", "ESC-04")
def turns_exchanged(log: Log, rng: random.Random) -> Log | None:
    """Two players play in each other's turn."""
    plays = [i for i in where(log, "play") if log[i - 1]["event"] != "overlook" and log[i + 1]["event"] == "play"]
    index = pick(rng, plays)
    if index is None:
        return None
    return renumbered([*log[:index], log[index + 1], log[index], *log[index + 2 :]])
