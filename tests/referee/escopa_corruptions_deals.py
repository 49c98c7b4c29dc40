"""Corruptions of the later deals, of the dealer's takes, and of what is laid on the table (ESC-03, ESC-04, ESC-07)."""

from __future__ import annotations

import random

from tests.referee.escopa_cards import dealer_fifteens
from tests.referee.escopa_corruption_tools import HAND, corruption, later_deals, renumbered, some_spot
from tests.referee.log import Event
from tests.referee.log_edits import Log, drop, edit, exchanged, insert, pick, plain, where, with_options

# ---------------------------------------------------------------- the order of the cards


def dealt_places(log: Log) -> list[tuple[int, int]]:
    """For each card of the stock the number of its deal or laying, and its seat there (-1 on the table)."""
    places: list[tuple[int, int]] = []
    players = log[0]["options"]["players"]
    for index, event in enumerate(log):
        if event["event"] == "to_table":
            places += [(index, -1)] * len(event["cards"])
        elif event["event"] == "deal_hands":
            order = [(event["dealer"] + 1 + step) % players for step in range(players)]
            places += [(index, seat) for seat in order] * len(event["hands"][0])
    return places


def stock_exchanged(log: Log, rng: random.Random, same_deal: bool) -> Log | None:
    """Two cards of the stock in each other's place: for two seats of one deal, or for two deals."""
    places = dealt_places(log)
    pairs = [
        (i, j)
        for i, one in enumerate(places)
        for j, other in enumerate(places[:i])
        if (one[0] == other[0]) == same_deal and one != other
    ]
    pair = pick(rng, pairs)
    if pair is None:
        return None
    stock = list(log[0]["stock"])
    stock[pair[0]], stock[pair[1]] = stock[pair[1]], stock[pair[0]]
    return edit(log, 0, stock=stock)


@corruption("CARDS")
def stock_stacked(log: Log, rng: random.Random) -> Log | None:
    """Two cards of the stock for different deals are exchanged."""
    return stock_exchanged(log, rng, same_deal=False)


@corruption("ESC-04")
def stock_stacked_within_a_deal(log: Log, rng: random.Random) -> Log | None:
    """Two cards of the stock for different players of one deal are exchanged."""
    return stock_exchanged(log, rng, same_deal=True)


@corruption("CARDS", "ESC-05", "ESC-06")
def first_hand_exchanged_with_stock(log: Log, rng: random.Random) -> Log | None:
    """A card that was dealt lies in the stock, and the other way round."""
    hands = [list(hand) for hand in log[0]["hands"]]
    stock = list(log[0]["stock"])
    hand, place = rng.choice(hands), rng.randrange(len(stock))
    hand[0], stock[place] = stock[place], hand[0]
    return edit(log, 0, hands=hands, stock=stock)


@corruption("CARDS", "ESC-06")
def first_hands_exchanged(log: Log, rng: random.Random) -> Log | None:
    """The first player has the hand of another one."""
    hands, first = list(log[0]["hands"]), log[0]["first"]
    other = (first + 1) % len(hands)
    hands[first], hands[other] = hands[other], hands[first]
    return edit(log, 0, hands=hands)


# ---------------------------------------------------------------- ESC-04: the later deals


@corruption("ESC-04")
def deal_left_out(log: Log, rng: random.Random) -> Log | None:
    """The players go on without new cards."""
    deals = [index for index in later_deals(log) if log[index + 1]["event"] == "play"]
    index = pick(rng, deals)
    return None if index is None else drop(log, index)


@corruption("ESC-04")
def dealt_twice(log: Log, rng: random.Random) -> Log | None:
    """Cards are dealt to players who have cards."""
    index = pick(rng, later_deals(log))
    return None if index is None else insert(log, index, log[index])


@corruption("ESC-04")
def dealt_early(log: Log, rng: random.Random) -> Log | None:
    """Cards are dealt before the last card of the hands is played."""
    index = pick(rng, [i for i in later_deals(log) if [e["event"] for e in log[i - 2 : i]] == ["play", "play"]])
    if index is None:
        return None
    early = {**log[index], "turn": log[index - 1]["turn"]}
    return [*log[: index - 1], early, log[index - 1], *log[index + 1 :]]


@corruption("ESC-04")
def dealt_by_another(log: Log, rng: random.Random) -> Log | None:
    """A later deal by another player."""
    index = pick(rng, later_deals(log))
    if index is None:
        return None
    players = log[0]["options"]["players"]
    seat = (log[index]["seat"] + rng.randrange(1, players)) % players
    return edit(log, index, seat=seat, dealer=seat)


@corruption("ESC-04")
def two_dealers(log: Log, rng: random.Random) -> Log | None:
    """The dealer named is not the seat that deals."""
    index = pick(rng, later_deals(log))
    players = log[0]["options"]["players"]
    return None if index is None else edit(log, index, dealer=(log[index]["dealer"] + 1) % players)


@corruption("ESC-04")
def deal_passes_or_not(log: Log, rng: random.Random) -> Log | None:
    """The deal passes where one player deals the whole pack, or the other way round."""
    return with_options(log, deal_passes=not log[0]["options"]["deal_passes"])


def hands_of(event: Event) -> list[list[str]]:
    """The hands of a later deal."""
    return [list(hand) for hand in event["hands"]]


@corruption("ESC-04")
def cards_dealt_to_the_wrong_seats(log: Log, rng: random.Random) -> Log | None:
    """Two cards of a later deal are exchanged."""
    index = pick(rng, later_deals(log))
    if index is None:
        return None
    hands = hands_of(log[index])
    one, other = rng.sample(hands, 2)
    one[0], other[0] = other[0], one[0]
    return edit(log, index, hands=hands)


@corruption("ESC-04")
def hands_of_the_next_seats(log: Log, rng: random.Random) -> Log | None:
    """The hands of a later deal stand in another order than that of the seats."""
    index = pick(rng, later_deals(log))
    if index is None:
        return None
    hands = hands_of(log[index])
    return edit(log, index, hands=[*hands[1:], hands[0]])


@corruption("ESC-04")
def three_cards_at_a_time(log: Log, rng: random.Random) -> Log | None:
    """A later deal in packets of three, not singly."""
    spot = some_spot(log, rng, lambda spot: spot.name == "deal_hands" and len(spot.event["hands"][0]) == HAND)
    if spot is None:
        return None
    players = spot.options["players"]
    packets = [spot.stock[HAND * step : HAND * (step + 1)] for step in range(players)]
    hands = [packets[(seat - spot.seat - 1) % players] for seat in range(players)]
    return edit(log, spot.index, hands=hands)


@corruption("ESC-04")
def dealt_from_the_dealer(log: Log, rng: random.Random) -> Log | None:
    """The dealer begins with himself."""
    index = pick(rng, later_deals(log))
    if index is None:
        return None
    hands = hands_of(log[index])
    return edit(log, index, hands=[hands[(seat + 1) % len(hands)] for seat in range(len(hands))])


@corruption("CARDS")
def dealt_from_below(log: Log, rng: random.Random) -> Log | None:
    """A later deal with a card that lies deeper in the stock."""
    spot = some_spot(log, rng, lambda spot: spot.name == "deal_hands" and len(spot.stock) > 3 * len(spot.hands))
    if spot is None:
        return None
    hands = hands_of(spot.event)
    rng.choice(hands)[0] = spot.stock[-1]
    return edit(log, spot.index, hands=hands)


@corruption("ESC-04", "ESC-07")
def too_few_cards_dealt(log: Log, rng: random.Random) -> Log | None:
    """One card less for everybody, or for one player."""
    index = pick(rng, later_deals(log))
    if index is None:
        return None
    hands = hands_of(log[index])
    if rng.random() < 0.5:
        return edit(log, index, hands=[hand[1:] for hand in hands])
    rng.choice(hands).pop()
    return edit(log, index, hands=hands)


@corruption("ESC-04", "ESC-07")
def no_hand_for_a_seat(log: Log, rng: random.Random) -> Log | None:
    """A later deal without a hand for everybody."""
    index = pick(rng, later_deals(log))
    if index is None:
        return None
    hands = hands_of(log[index])
    return edit(log, index, hands=rng.choice((hands[1:], [*hands, []], [])))


@corruption("ESC-04")
def new_table_cards(log: Log, rng: random.Random) -> Log | None:
    """New cards for the table with a later deal that divides evenly."""
    spot = some_spot(
        log, rng, lambda spot: spot.name == "deal_hands" and log[spot.index - 1]["event"] in ("play", "claim")
    )
    if spot is None:
        return None
    return insert(log, spot.index, plain(spot.event, "to_table", spot.stock[: rng.choice((1, 2, 4))]))


@corruption("ESC-04")
def ends_with_cards_in_the_stock(log: Log, rng: random.Random) -> Log | None:
    """The pack ends although cards are left to deal."""
    index = pick(rng, [i for i in later_deals(log) if log[i - 1]["event"] in ("play", "claim")])
    if index is None:
        return None
    return renumbered([*log[:index], log[-2], log[-1]]) if rng.random() < 0.5 else [*log[:index], log[-1]]


@corruption("ESC-04", "ESC-09")
def ends_with_cards_in_hand(log: Log, rng: random.Random) -> Log | None:
    """The pack ends although cards are left to play."""
    index = pick(rng, [i for i in where(log, "play")[:-1] if log[i + 1]["event"] == "play"])
    if index is None:
        return None
    return renumbered([*log[: index + 1], log[-2], log[-1]]) if rng.random() < 0.5 else [*log[: index + 1], log[-1]]


@corruption("ESC-09")
def goes_on_when_the_pack_is_out(log: Log, rng: random.Random) -> Log | None:
    """A card is played after the last one."""
    last = where(log, "play")[-1]
    players = log[0]["options"]["players"]
    more = {**log[last], "seat": (log[last]["seat"] + 1) % players, "turn": log[last]["turn"] + 1}
    return insert(log, len(log) - 2, more)


# ---------------------------------------------------------------- ESC-07: the cards over


def cards_over(log: Log) -> list[int]:
    """The layings of what does not divide evenly."""
    return [index for index in where(log, "to_table") if log[index + 1]["event"] == "deal_hands"]


@corruption("ESC-07")
def cards_over_not_laid(log: Log, rng: random.Random) -> Log | None:
    """What does not divide evenly is not laid."""
    index = pick(rng, cards_over(log))
    return None if index is None else drop(log, index)


@corruption("ESC-07")
def cards_over_laid_after_the_deal(log: Log, rng: random.Random) -> Log | None:
    """What does not divide evenly is laid after the last deal."""
    index = pick(rng, cards_over(log))
    return None if index is None else [*log[:index], log[index + 1], log[index], *log[index + 2 :]]


@corruption("ESC-07")
def another_number_of_cards_over(log: Log, rng: random.Random) -> Log | None:
    """One card too few is laid, or one too many."""
    spot = some_spot(log, rng, lambda spot: spot.index in cards_over(log))
    if spot is None:
        return None
    count = len(spot.event["cards"])
    return edit(log, spot.index, cards=spot.stock[: rng.choice((count - 1, count + 1))])


@corruption("CARDS")
def other_cards_over(log: Log, rng: random.Random) -> Log | None:
    """A card that is to be dealt is laid."""
    spot = some_spot(log, rng, lambda spot: spot.index in cards_over(log))
    if spot is None:
        return None
    return edit(log, spot.index, cards=[*spot.event["cards"][1:], spot.stock[-1]])


@corruption("ESC-07")
def cards_over_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Not the dealer of the last deal lays what is over."""
    index = pick(rng, cards_over(log))
    players = log[0]["options"]["players"]
    return None if index is None else edit(log, index, seat=(log[index]["seat"] + rng.randrange(1, players)) % players)


@corruption("ESC-07")
def cards_over_dealt(log: Log, rng: random.Random) -> Log | None:
    """What is over in the last deal goes to the first players."""
    index = pick(rng, cards_over(log))
    if index is None:
        return None
    deal = log[index + 1]
    hands = hands_of(deal)
    for step, card in enumerate(log[index]["cards"], start=1):
        hands[(deal["dealer"] + step) % len(hands)].append(card)
    return [*log[:index], edit(log, index + 1, hands=hands)[index + 1], *log[index + 2 :]]


# ---------------------------------------------------------------- ESC-07: the dealer's takes


@corruption("ESC-07")
def dealer_take_left_out(log: Log, rng: random.Random) -> Log | None:
    """The dealer does not take what is his."""
    index = pick(rng, where(log, "dealer_take"))
    return None if index is None else drop(log, index)


@corruption("ESC-07")
def dealer_takes_and_four_more_left_out(log: Log, rng: random.Random) -> Log | None:
    """The first player plays onto a table that is the dealer's."""
    if log[1]["event"] != "dealer_take":
        return None
    takes = 1 + max(index for index in (*where(log, "dealer_take"), *where(log, "to_table")[:1]))
    return drop(log, 1, takes - 1)


@corruption("ESC-07")
def dealer_takes_what_is_not_his(log: Log, rng: random.Random) -> Log | None:
    """The dealer takes four cards that make no fifteen, or that the option leaves on the table."""
    if log[1]["event"] == "dealer_take":
        return None
    place = {"turn": 1, "seat": log[0]["dealer"]}
    return insert(log, 1, plain(place, "dealer_take", log[0]["table"]))


@corruption("ESC-07")
def dealer_takes_only_some(log: Log, rng: random.Random) -> Log | None:
    """The dealer takes two cards of four, or three."""
    index = pick(rng, where(log, "dealer_take"))
    if index is None:
        return None
    return edit(log, index, cards=log[index]["cards"][: rng.choice((0, 2, 3))])


@corruption("CARDS")
def dealer_takes_from_elsewhere(log: Log, rng: random.Random) -> Log | None:
    """One of the four cards that the dealer takes is a card of the stock, or of a hand."""
    index = pick(rng, where(log, "dealer_take"))
    if index is None:
        return None
    cards = log[index]["cards"]
    other = rng.choice((log[0]["stock"][-1], log[0]["hands"][0][0]))
    return edit(log, index, cards=exchanged(cards, rng.choice(cards), other))


@corruption("ESC-07")
def dealer_take_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Another player takes what is the dealer's."""
    index = pick(rng, where(log, "dealer_take"))
    players = log[0]["options"]["players"]
    return None if index is None else edit(log, index, seat=(log[index]["seat"] + rng.randrange(1, players)) % players)


@corruption("ESC-07")
def dealer_take_written_twice(log: Log, rng: random.Random) -> Log | None:
    """A take stands twice in the log."""
    index = pick(rng, where(log, "dealer_take"))
    return None if index is None else insert(log, index + 1, log[index])


def four_more(log: Log) -> list[int]:
    """The laying of four more cards after the dealer's first take."""
    return [index for index in where(log, "to_table") if log[index - 1]["event"] == "dealer_take"]


@corruption("ESC-07")
def no_four_more(log: Log, rng: random.Random) -> Log | None:
    """After the first take no cards are laid."""
    index = pick(rng, four_more(log))
    return None if index is None else drop(log, index)


@corruption("ESC-07")
def another_number_of_cards_laid(log: Log, rng: random.Random) -> Log | None:
    """After the first take three cards are laid, or five, or none."""
    index = pick(rng, four_more(log))
    return None if index is None else edit(log, index, cards=log[0]["stock"][: rng.choice((0, 3, 5))])


@corruption("CARDS")
def four_others_laid(log: Log, rng: random.Random) -> Log | None:
    """After the first take the cards do not come from the top of the stock."""
    index = pick(rng, four_more(log))
    return None if index is None else edit(log, index, cards=log[0]["stock"][1:5])


@corruption("ESC-07")
def four_more_by_another_seat(log: Log, rng: random.Random) -> Log | None:
    """Not the dealer lays four more."""
    index = pick(rng, four_more(log))
    players = log[0]["options"]["players"]
    return None if index is None else edit(log, index, seat=(log[index]["seat"] + 1) % players)


@corruption("ESC-07")
def four_more_without_a_take(log: Log, rng: random.Random) -> Log | None:
    """Four more cards are laid although the dealer took nothing."""
    if log[1]["event"] == "dealer_take":
        return None
    place = {"turn": 1, "seat": log[0]["dealer"]}
    return insert(log, 1, plain(place, "to_table", log[0]["stock"][:4]))


def dealer_takes(log: Log) -> int:
    """How often the dealer took."""
    return len(where(log, "dealer_take"))


@corruption("ESC-07")
def four_more_after_the_second_take(log: Log, rng: random.Random) -> Log | None:
    """After the second take cards are laid again."""
    if dealer_takes(log) < 2:
        return None
    index = where(log, "dealer_take")[1]
    return insert(log, index + 1, plain(log[index], "to_table", log[0]["stock"][4:8]))


@corruption("ESC-07")
def second_take_where_there_is_one(log: Log, rng: random.Random) -> Log | None:
    """A second take under `once`."""
    return with_options(log, dealer_take="once") if dealer_takes(log) == 2 else None


@corruption("ESC-07")
def take_where_there_is_none(log: Log, rng: random.Random) -> Log | None:
    """A take under `none`."""
    return with_options(log, dealer_take="none") if dealer_takes(log) else None


@corruption("ESC-07")
def first_take_forgotten(log: Log, rng: random.Random) -> Log | None:
    """Four cards that the option gives the dealer stay on the table."""
    options = log[0]["options"]
    if options["dealer_take"] != "none" or not dealer_fifteens(log[0]["table"], options["figures"]):
        return None
    return with_options(log, dealer_take=rng.choice(("once", "twice")))


@corruption("ESC-07")
def second_take_forgotten(log: Log, rng: random.Random) -> Log | None:
    """The second four cards that the option gives the dealer stay on the table."""
    options = log[0]["options"]
    if options["dealer_take"] != "once" or dealer_takes(log) != 1:
        return None
    return with_options(log, dealer_take="twice") if dealer_fifteens(log[0]["stock"][:4], options["figures"]) else None
