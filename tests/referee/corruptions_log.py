"""Corruptions of the form of the log and of the deal."""

from __future__ import annotations

import random

from tests.referee.cards import PACK_52
from tests.referee.corruption_tools import CORRUPTIONS, TURN_START, corruption
from tests.referee.corruptions_form import FORM
from tests.referee.log_edits import Log, edit, with_options

CORRUPTIONS.extend(FORM)

# ---------------------------------------------------------------- turns and seats


@corruption("LOG", "CAN-11")
def turn_number_off(log: Log, rng: random.Random) -> Log | None:
    """One event bears the number of another turn."""
    index = rng.randrange(1, len(log) - 1)
    return edit(log, index, turn=log[index]["turn"] + rng.choice((-1, 1, 2)))


@corruption("CAN-01")
def seat_out_of_order(log: Log, rng: random.Random) -> Log | None:
    """One event by another player."""
    index = rng.randrange(1, len(log) - 1)
    players = log[0]["options"]["players"]
    return edit(log, index, seat=(log[index]["seat"] + rng.randrange(1, players)) % players)


@corruption("CAN-01")
def turn_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """A whole turn played by another player."""
    turn = rng.randrange(1, log[-1]["turn"] + 1)
    if not any(event["turn"] == turn for event in log[1:-1]):
        return None
    players = log[0]["options"]["players"]
    return [
        {**event, "seat": (event["seat"] + 1) % players} if "seat" in event and event["turn"] == turn else event
        for event in log
    ]


@corruption("CAN-01", *TURN_START)
def turn_left_out(log: Log, rng: random.Random) -> Log | None:
    """A turn is missing and the later ones are renumbered."""
    if log[-1]["turn"] < 3:
        return None
    turn = rng.randrange(1, log[-1]["turn"] - 1)
    kept = [event for event in log[1:] if event["turn"] != turn]
    return [log[0], *({**event, "turn": event["turn"] - (event["turn"] > turn)} for event in kept)]


# ---------------------------------------------------------------- the deal and the options


@corruption("LOG")
def unknown_option(log: Log, rng: random.Random) -> Log | None:
    """A house rule that does not exist."""
    return with_options(log, mortos=2)


@corruption("LOG")
def bad_option_value(log: Log, rng: random.Random) -> Log | None:
    """A value that a house rule does not have."""
    name, value = rng.choice(
        (
            ("players", 3),
            ("jokers", 2),
            ("lixo_justify", "any"),
            ("curinga_slides", 1),
            ("lavadeira_ranks", ["3"]),
            ("lavadeira_ranks", ["4", "4"]),
            ("lavadeira_ranks", ["10"]),
            ("curingas_per_meld", 0),
            ("stock_out", "reshuffle"),
            ("red_three_table_points", 100),
            ("target", 0),
        )
    )
    return with_options(log, **{name: value})


@corruption("CAN-03")
def card_not_in_pack(log: Log, rng: random.Random) -> Log | None:
    """A dealt card has become another."""
    hands = [list(hand) for hand in log[0]["hands"]]
    hands[0][3] = rng.choice([card for card in PACK_52 if card != hands[0][3]])
    return edit(log, 0, hands=hands)


@corruption("CAN-04")
def twelfth_card(log: Log, rng: random.Random) -> Log | None:
    """A hand has a card of the stock too many."""
    hands = [list(hand) for hand in log[0]["hands"]]
    hands[-1].append(log[0]["stock"][0])
    return edit(log, 0, hands=hands, stock=log[0]["stock"][1:])


@corruption("CAN-04")
def short_morto(log: Log, rng: random.Random) -> Log | None:
    """A card of a morto lies in the stock."""
    first, second = log[0]["mortos"]
    return edit(log, 0, mortos=[first, second[:-1]], stock=[*log[0]["stock"], second[-1]])


@corruption("CAN-03", "CAN-04")
def other_pack(log: Log, rng: random.Random) -> Log | None:
    """The jokers are not those of the option."""
    return with_options(log, jokers=4 - log[0]["options"]["jokers"])


@corruption("LOG", "CAN-01", "CAN-02", "CAN-04")
def other_players(log: Log, rng: random.Random) -> Log | None:
    """The number of players is not that of the option."""
    return with_options(log, players=6 - log[0]["options"]["players"])


@corruption("CAN-05")
def lixo_at_the_start(log: Log, rng: random.Random) -> Log | None:
    """A card lies on the lixo before the first turn."""
    return edit(log, 0, pile=[log[0]["stock"][0]])


@corruption("CAN-01")
def wrong_first(log: Log, rng: random.Random) -> Log | None:
    """Another player than the dealer's neighbour begins."""
    players = log[0]["options"]["players"]
    return edit(log, 0, first=(log[0]["first"] + rng.randrange(1, players)) % players)


@corruption("CAN-02")
def wrong_dealer(log: Log, rng: random.Random) -> Log | None:
    """In a batch, another dealer than the deal's."""
    if log[0]["match"] is not None:
        return None
    players = log[0]["options"]["players"]
    return edit(log, 0, dealer=log[0]["first"], first=(log[0]["first"] + 1) % players)


@corruption("CAN-28")
def points_before_a_single_deal(log: Log, rng: random.Random) -> Log | None:
    """Totals where there is no match."""
    return edit(log, 0, scores_before=[100, 0]) if log[0]["match"] is None else None


@corruption("CAN-28")
def match_already_won(log: Log, rng: random.Random) -> Log | None:
    """A hand after the match is decided."""
    return edit(log, 0, match=0, scores_before=[log[0]["options"]["target"], 10])


@corruption("CARDS")
def mortos_mixed(log: Log, rng: random.Random) -> Log | None:
    """A card of each morto in the other's place."""
    first, second = (list(morto) for morto in log[0]["mortos"])
    shown = [event for event in log[1:-1] if event["event"] != "take_morto" or event["cards"]]
    if not any("morto" in event for event in shown) or first[0] == second[0]:
        return None
    first[0], second[0] = second[0], first[0]
    return edit(log, 0, mortos=[first, second])
