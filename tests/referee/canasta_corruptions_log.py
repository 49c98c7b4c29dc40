"""Corruptions of the form of a Canasta log and of its deal."""

from __future__ import annotations

import random

from tests.referee.canasta_corruption_tools import CORRUPTIONS, TURN_START, corruption
from tests.referee.cards import PACK_52, is_black_three
from tests.referee.corruptions_form import FORM
from tests.referee.log_edits import Log, edit, pick, where, with_options

CORRUPTIONS.extend(FORM)

# ---------------------------------------------------------------- turns and seats


@corruption("LOG", "KAN-06")
def turn_number_off(log: Log, rng: random.Random) -> Log | None:
    """One event bears the number of another turn."""
    index = rng.randrange(1, len(log) - 1)
    return edit(log, index, turn=log[index]["turn"] + rng.choice((-1, 1, 2)))


@corruption("KAN-01")
def seat_out_of_order(log: Log, rng: random.Random) -> Log | None:
    """One event by another player."""
    index = rng.randrange(1, len(log) - 1)
    return edit(log, index, seat=(log[index]["seat"] + rng.randrange(1, 4)) % 4)


@corruption("KAN-01")
def turn_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """A whole turn played by another player."""
    turn = rng.choice(sorted({event["turn"] for event in log[1:-1]}))
    return [
        {**event, "seat": (event["seat"] + 1) % 4} if "seat" in event and event["turn"] == turn else event
        for event in log
    ]


@corruption("KAN-01", *TURN_START)
def turn_left_out(log: Log, rng: random.Random) -> Log | None:
    """A turn is missing and the later ones are renumbered."""
    if log[-1]["turn"] < 3:
        return None
    turn = rng.randrange(1, log[-1]["turn"] - 1)
    kept = [event for event in log[1:] if event["turn"] != turn]
    return [log[0], *({**event, "turn": event["turn"] - (event["turn"] > turn)} for event in kept)]


@corruption("LOG")
def event_of_another_game(log: Log, rng: random.Random) -> Log | None:
    """A morto, which canasta does not have."""
    return edit(log, rng.randrange(1, len(log) - 1), event=rng.choice(("take_morto", "morto_to_stock")))


# ---------------------------------------------------------------- the deal and the options


@corruption("LOG")
def another_game(log: Log, rng: random.Random) -> Log | None:
    """The log of another game."""
    return edit(log, 0, game="canastra")


@corruption("LOG")
def bad_option_value(log: Log, rng: random.Random) -> Log | None:
    """A value that a house rule does not have."""
    name, value = rng.choice(
        (
            ("opening_black_three_covers", 1),
            ("black_three_freezes", "no"),
            ("ask_partner", None),
            ("canastas_to_go_out", 3),
            ("canastas_to_go_out", True),
            ("start_score", "0:0"),
            ("start_score", [0]),
            ("start_score", [0, 0, 0]),
            ("start_score", [0, 1.5]),
            ("target", 0),
        )
    )
    return with_options(log, **{name: value})


@corruption("KAN-01")
def card_not_in_pack(log: Log, rng: random.Random) -> Log | None:
    """A dealt card has become another."""
    hands = [list(hand) for hand in log[0]["hands"]]
    hands[0][3] = rng.choice([card for card in PACK_52 if card != hands[0][3]])
    return edit(log, 0, hands=hands)


@corruption("KAN-02")
def twelfth_card(log: Log, rng: random.Random) -> Log | None:
    """A hand has a card of the stock too many."""
    hands = [list(hand) for hand in log[0]["hands"]]
    hands[-1].append(log[0]["stock"][0])
    return edit(log, 0, hands=hands, stock=log[0]["stock"][1:])


@corruption("KAN-02")
def no_card_turned(log: Log, rng: random.Random) -> Log | None:
    """The pile is empty before the first turn."""
    return edit(log, 0, pile=[], stock=[*log[0]["pile"], *log[0]["stock"]])


@corruption("KAN-02")
def one_card_more_turned(log: Log, rng: random.Random) -> Log | None:
    """A natural card is turned, and another one on top."""
    first, *stock = log[0]["stock"]
    return edit(log, 0, pile=[*log[0]["pile"], first], stock=stock)


@corruption("KAN-02")
def one_card_less_turned(log: Log, rng: random.Random) -> Log | None:
    """A joker, a 2 or a 3 stays on top."""
    *pile, top = log[0]["pile"]
    return edit(log, 0, pile=pile, stock=[top, *log[0]["stock"]]) if pile else None


@corruption("KAN-02")
def black_three_turned_otherwise(log: Log, rng: random.Random) -> Log | None:
    """A black three is covered where it must not be, or not where it must."""
    if not any(map(is_black_three, log[0]["pile"])):
        return None
    return with_options(log, opening_black_three_covers=not log[0]["options"]["opening_black_three_covers"])


@corruption("KAN-01")
def wrong_first(log: Log, rng: random.Random) -> Log | None:
    """Another player than the dealer's neighbour begins."""
    return edit(log, 0, first=(log[0]["first"] + rng.randrange(1, 4)) % 4)


@corruption("KAN-01")
def wrong_dealer(log: Log, rng: random.Random) -> Log | None:
    """In a batch, another dealer than the deal's."""
    return edit(log, 0, dealer=log[0]["first"], first=(log[0]["first"] + 1) % 4)


@corruption("KAN-13")
def scores_not_those_of_the_option(log: Log, rng: random.Random) -> Log | None:
    """Outside a match, other scores than `start_score`."""
    first, second = log[0]["scores_before"]
    return edit(log, 0, scores_before=rng.choice(([first + 5, second], [first, second - 5])))


@corruption("KAN-20")
def match_already_won(log: Log, rng: random.Random) -> Log | None:
    """A hand after the match is decided."""
    return edit(log, 0, match=0, scores_before=[log[0]["options"]["target"], 10])


@corruption("KAN-20")
def match_begins_with_points(log: Log, rng: random.Random) -> Log | None:
    """The first hand of a match at another score than 0:0."""
    return edit(log, 0, match=0, deal=0, scores_before=[105, 0])


# ---------------------------------------------------------------- cards


@corruption("CARDS")
def other_card_drawn(log: Log, rng: random.Random) -> Log | None:
    """Not the top of the stock is drawn."""
    index = pick(rng, where(log, "draw"))
    if index is None:
        return None
    return edit(log, index, cards=[rng.choice([card for card in PACK_52 if [card] != log[index]["cards"]])])


@corruption("KAN-06")
def two_cards_drawn(log: Log, rng: random.Random) -> Log | None:
    """A draw of two cards."""
    index = pick(rng, [i for i in where(log, "draw") if log[i]["why"] == "turn"])
    return None if index is None else edit(log, index, cards=log[index]["cards"] * 2)


@corruption("LOG")
def cards_where_none_move(log: Log, rng: random.Random) -> Log | None:
    """Cards in an event that moves none."""
    index = pick(rng, where(log, "ask", "go_out", "decline_pile"))
    return None if index is None else edit(log, index, cards=["4S"])
