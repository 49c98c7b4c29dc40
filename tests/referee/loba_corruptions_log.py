"""Corruptions of the form of a Loba log, of its deal, its redeals and the match."""

from __future__ import annotations

import random

from tests.referee.cards import JOKER, PACK_52, two_packs
from tests.referee.corruptions_form import FORM
from tests.referee.loba_corruption_tools import CORRUPTIONS, corruption, options_of
from tests.referee.loba_deal import next_in, seats_in
from tests.referee.log import Event
from tests.referee.log_edits import Log, edit, exchanged, insert, pick, plain, where, with_options

CORRUPTIONS.extend(FORM)

# ---------------------------------------------------------------- turns and seats


@corruption("LOG", "LOB-04")
def turn_number_off(log: Log, rng: random.Random) -> Log | None:
    """One event bears the number of another turn."""
    index = rng.randrange(1, len(log) - 1)
    return edit(log, index, turn=max(0, log[index]["turn"] + rng.choice((-1, 1, 2))))


@corruption("LOB-01", "LOB-02")
def seat_out_of_order(log: Log, rng: random.Random) -> Log | None:
    """One event by another player."""
    index, players = rng.randrange(1, len(log) - 1), len(log[0]["hands"])
    return edit(log, index, seat=(log[index]["seat"] + rng.randrange(1, players)) % players)


@corruption("LOB-01", "LOB-02")
def turn_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """A whole turn played by another player."""
    turn, players = rng.choice(sorted({event["turn"] for event in log[1:-1]})), len(log[0]["hands"])
    return [
        {**event, "seat": (event["seat"] + 1) % players} if "seat" in event and event["turn"] == turn else event
        for event in log
    ]


@corruption("LOB-01", "LOB-03", "LOB-13")
def turn_left_out(log: Log, rng: random.Random) -> Log | None:
    """A turn is missing and the later ones are renumbered."""
    if log[-1]["turn"] < 3:
        return None
    turn = rng.randrange(1, log[-1]["turn"] - 1)
    kept = [event for event in log[1:] if event["turn"] != turn]
    return [log[0], *({**event, "turn": event["turn"] - (event["turn"] > turn)} for event in kept)]


@corruption("LOG")
def event_of_another_game(log: Log, rng: random.Random) -> Log | None:
    """What loba does not have."""
    return edit(log, rng.randrange(1, len(log) - 1), event=rng.choice(("take_pile", "red_three", "pass", "take_morto")))


@corruption("LOG")
def another_game(log: Log, rng: random.Random) -> Log | None:
    """The log of another game."""
    return edit(log, 0, game=rng.choice(("canastra", "canasta", "mau_mau", "escopa")))


@corruption("LOG")
def bad_option_value(log: Log, rng: random.Random) -> Log | None:
    """A value that a house rule does not have."""
    name, value = rng.choice(
        (
            ("players", 1),
            ("players", 8),
            ("players", "4"),
            ("jokers", 9),
            ("jokers", -1),
            ("jokers", "3"),
            ("jokers", True),
            ("set_suits", "two"),
            ("set_suits", None),
            ("taken_discard_must_meld", 1),
            ("target", 0),
            ("target", "100"),
        )
    )
    return with_options(log, **{name: value})


# ---------------------------------------------------------------- LOB-01, LOB-02: the deal


@corruption("LOB-01")
def card_not_in_pack(log: Log, rng: random.Random) -> Log | None:
    """A dealt card has become another."""
    hands = [list(hand) for hand in log[0]["hands"]]
    first = log[0]["first"]
    hands[first][3] = rng.choice([card for card in PACK_52 if card != hands[first][3]])
    return edit(log, 0, hands=hands)


@corruption("LOB-01")
def other_number_of_jokers(log: Log, rng: random.Random) -> Log | None:
    """The options ask for another pack."""
    options = options_of(log)
    right = options.jokers_for(sum(seats_in(log[0], options)))
    return with_options(log, jokers=rng.choice([jokers for jokers in range(9) if jokers != right]))


@corruption("LOB-01")
def card_lost_from_the_stock(log: Log, rng: random.Random) -> Log | None:
    """The pack is not whole."""
    stock = list(log[0]["stock"])
    stock.pop(rng.randrange(len(stock)))
    return edit(log, 0, stock=stock)


@corruption("LOB-02")
def tenth_card(log: Log, rng: random.Random) -> Log | None:
    """A hand has a card of the stock too many."""
    hands = [list(hand) for hand in log[0]["hands"]]
    hands[log[0]["dealer"]].append(log[0]["stock"][0])
    return edit(log, 0, hands=hands, stock=log[0]["stock"][1:])


@corruption("LOB-02")
def eight_cards(log: Log, rng: random.Random) -> Log | None:
    """A hand has a card too few."""
    hands = [list(hand) for hand in log[0]["hands"]]
    card = hands[log[0]["first"]].pop()
    return edit(log, 0, hands=hands, stock=[*log[0]["stock"], card])


@corruption("LOB-02")
def wrong_first(log: Log, rng: random.Random) -> Log | None:
    """Another player than the dealer's left begins."""
    players = len(log[0]["hands"])
    return edit(log, 0, first=(log[0]["first"] + rng.randrange(1, players)) % players)


@corruption("LOB-02")
def wrong_dealer(log: Log, rng: random.Random) -> Log | None:
    """In a batch, another dealer than the deal's."""
    if log[0]["match"] is not None:
        return None
    players = len(log[0]["hands"])
    dealer = (log[0]["dealer"] + rng.randrange(1, players)) % players
    return edit(log, 0, dealer=dealer, first=(dealer + 1) % players)


@corruption("LOG")
def number_of_seats_off(log: Log, rng: random.Random) -> Log | None:
    """Policies, scores or hands for another number of players."""
    name = rng.choice(("policies", "scores_before", "hands"))
    return edit(log, 0, **{name: log[0][name][:-1]})


# ---------------------------------------------------------------- LOB-03: the exposed card


@corruption("LOB-03")
def joker_exposed(log: Log, rng: random.Random) -> Log | None:
    """The deal that is played exposes a joker."""
    if JOKER not in log[0]["stock"]:
        return None
    return edit(log, 0, exposed=JOKER, stock=exchanged(log[0]["stock"], JOKER, log[0]["exposed"]))


def pack_of(log: Log) -> list[str]:
    """All the cards of a deal."""
    options = options_of(log)
    return sorted(two_packs(options.jokers_for(sum(seats_in(log[0], options)))).elements())


def redeal_of(log: Log, cards: list[str]) -> Event:
    """A redeal of these cards."""
    return {"event": "redeal", "turn": 1, "seat": log[0]["dealer"], "cards": cards, "exposed": cards[-1]}


@corruption("LOB-03")
def redealt_for_a_natural_card(log: Log, rng: random.Random) -> Log | None:
    """Everything is dealt anew although the exposed card is no joker."""
    cards = [card for card in pack_of(log) if card != JOKER]
    jokers = [JOKER] * (len(pack_of(log)) - len(cards))
    return insert(log, 1, redeal_of(log, [*jokers, *cards]))


@corruption("LOB-01")
def redealt_with_another_pack(log: Log, rng: random.Random) -> Log | None:
    """The cards dealt anew are not the pack."""
    cards = [card for card in pack_of(log) if card != JOKER]
    jokers = len(pack_of(log)) - len(cards)
    return insert(log, 1, redeal_of(log, [*cards, *[JOKER] * (jokers + rng.choice((1, 2)))]))


@corruption("LOB-03")
def redeal_exposes_another_card(log: Log, rng: random.Random) -> Log | None:
    """The last card of a redeal is not the exposed one."""
    index = pick(rng, where(log, "redeal"))
    if index is None:
        return None
    *cards, last = log[index]["cards"]
    return edit(log, index, cards=[last, *cards]) if cards[-1] != last else None


@corruption("LOB-02")
def redeal_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """The dealer deals anew, nobody else."""
    index = pick(rng, where(log, "redeal"))
    return None if index is None else edit(log, index, seat=log[0]["first"])


@corruption("LOG")
def redeal_in_another_turn(log: Log, rng: random.Random) -> Log | None:
    """A redeal stands in turn 1."""
    index = pick(rng, where(log, "redeal"))
    return None if index is None else edit(log, index, turn=rng.choice((0, 2)))


@corruption("LOB-03")
def redealt_in_the_middle(log: Log, rng: random.Random) -> Log | None:
    """Everything is dealt anew after a card was drawn."""
    index = pick(rng, where(log, "draw"))
    if index is None:
        return None
    return insert(log, index + 1, plain(log[index], "redeal", log[index]["cards"], exposed=JOKER))


@corruption("LOB-03")
def exposed_card_drawn(log: Log, rng: random.Random) -> Log | None:
    """The stock is empty, and the exposed card is drawn."""
    index = pick(rng, where(log, "reshuffle"))
    return None if index is None else insert(log, index, plain(log[index], "draw", [log[0]["exposed"]]))


# ---------------------------------------------------------------- LOB-16: the match


@corruption("LOB-16")
def scores_outside_a_match(log: Log, rng: random.Random) -> Log | None:
    """A deal of a batch has scores before it."""
    scores = list(log[0]["scores_before"])
    scores[rng.randrange(len(scores))] += rng.choice((-30, 20))
    return edit(log, 0, scores_before=scores) if log[0]["match"] is None and any(scores) else None


@corruption("LOB-16")
def match_begins_with_points(log: Log, rng: random.Random) -> Log | None:
    """The first deal of a match with scores before it."""
    scores = [0] * len(log[0]["hands"])
    scores[rng.randrange(len(scores))] = rng.choice((-30, 20))
    return edit(log, 0, match=0, deal=0, scores_before=scores)


@corruption("LOB-16")
def match_already_over(log: Log, rng: random.Random) -> Log | None:
    """One player or none is still in."""
    target = log[0]["options"]["target"]
    scores = [-target - rng.choice((0, 1, 60)) for _ in log[0]["hands"]]
    if rng.random() < 0.5:
        scores[rng.randrange(len(scores))] = 1 - target
    return edit(log, 0, match=0, deal=7, scores_before=scores)


@corruption("LOB-16")
def plays_though_out(log: Log, rng: random.Random) -> Log | None:
    """A player who has the target in negatives gets cards."""
    target, scores = log[0]["options"]["target"], list(log[0]["scores_before"])
    others = [seat for seat, hand in enumerate(log[0]["hands"]) if hand]
    others = [seat for seat in others if seat not in (log[0]["dealer"], log[0]["first"])]
    seat = pick(rng, others)
    if seat is None:
        return None
    scores[seat] = -target
    return edit(log, 0, match=0, deal=7, scores_before=scores)


@corruption("LOB-02")
def dealer_is_out(log: Log, rng: random.Random) -> Log | None:
    """Who is out does not deal."""
    options, scores = options_of(log), list(log[0]["scores_before"])
    scores[log[0]["dealer"]] = -options.target
    line = {**log[0], "match": 0, "deal": 7, "scores_before": scores}
    playing = seats_in(line, options)
    return [{**line, "first": next_in(line["dealer"], playing)}, *log[1:]] if sum(playing) >= 2 else None


@corruption("LOB-02", "LOB-16")
def first_is_out(log: Log, rng: random.Random) -> Log | None:
    """Who is out does not play first."""
    options, scores = options_of(log), list(log[0]["scores_before"])
    scores[log[0]["first"]] = -options.target - 1
    return edit(log, 0, match=0, deal=7, scores_before=scores)


# ---------------------------------------------------------------- cards


@corruption("CARDS")
def other_card_drawn(log: Log, rng: random.Random) -> Log | None:
    """Not the top of the stock is drawn."""
    index = pick(rng, where(log, "draw"))
    if index is None:
        return None
    return edit(log, index, cards=[rng.choice([card for card in PACK_52 if [card] != log[index]["cards"]])])


@corruption("LOB-04")
def two_cards_drawn(log: Log, rng: random.Random) -> Log | None:
    """A draw of two cards, or of none."""
    index = pick(rng, where(log, "draw"))
    return None if index is None else edit(log, index, cards=log[index]["cards"] * rng.choice((0, 2)))


@corruption("LOG")
def cards_where_none_move(log: Log, rng: random.Random) -> Log | None:
    """Cards in an event that moves none."""
    index = pick(rng, where(log, "go_out", "reshuffle"))
    return None if index is None else edit(log, index, cards=["4S"])


@corruption("LOG")
def field_of_a_wrong_kind(log: Log, rng: random.Random) -> Log | None:
    """A value that the field does not have."""
    kinds = {
        "deal": (("exposed", ["4S"]), ("exposed", "4"), ("hands", [["4S"], None]), ("stock", "4S")),
        "redeal": (("exposed", None), ("exposed", ["JK"])),
        "meld": (("meld", -1), ("meld", None), ("now", "4S")),
        "extend": (("meld", True), ("now", None)),
        "discard": (("from_meld", -1), ("from_meld", False), ("from_meld", "0")),
        "reshuffle": (("stock", None), ("stock", ["4"])),
        "go_out": (("all_at_once", 1), ("all_at_once", None)),
        "end": (("reason", "stock_out"), ("turn", -1), ("scores", [0.5])),
    }
    index = rng.choice(where(log, *kinds))
    name, value = rng.choice(kinds[log[index]["event"]])
    return edit(log, index, **{name: value})
