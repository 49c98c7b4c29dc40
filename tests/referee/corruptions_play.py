"""Corruptions of the play: missing and doubled events, draws, red threes, the lixo."""

from __future__ import annotations

import random

from tests.referee.canastra_melds import is_curinga
from tests.referee.cards import PACK_52, is_black_three, is_red_three
from tests.referee.corruption_tools import (
    EMPTY_HAND,
    SCORE,
    TURN_START,
    Spot,
    corruption,
    draws_alone,
    is_sequence,
    spots,
)
from tests.referee.log_edits import (
    Log,
    double_one,
    drop,
    drop_one,
    edit,
    exchanged,
    insert,
    justifications,
    pick,
    plain,
    plain_lays,
    replace,
    swap_next,
    turn_draws,
    where,
    with_options,
    without,
)

# ---------------------------------------------------------------- a missing event


@corruption("CAN-07")
def draw_missing(log: Log, rng: random.Random) -> Log | None:
    """A turn without its draw."""
    return drop_one(log, rng, turn_draws(log))


@corruption("CAN-06", "CAN-23")
def replacement_missing(log: Log, rng: random.Random) -> Log | None:
    """A red three is not replaced."""
    return drop_one(log, rng, [i for i in where(log, "draw") if log[i]["why"] == "red_three"])


@corruption("CAN-06")
def red_three_missing(log: Log, rng: random.Random) -> Log | None:
    """A red three is replaced and not laid."""
    return drop_one(log, rng, where(log, "red_three"))


@corruption("CAN-07", "CAN-23")
def take_missing(log: Log, rng: random.Random) -> Log | None:
    """The justifying meld without the take."""
    return drop_one(log, rng, where(log, "take_pile"))


@corruption("CAN-08")
def justification_missing(log: Log, rng: random.Random) -> Log | None:
    """The take without the justifying meld."""
    found = [
        index for index in justifications(log) if log[index - 1]["cards"][-1] not in log[index + 1].get("cards", [])
    ]
    return drop_one(log, rng, found)


@corruption("LOG", "CARDS", "CAN-11", "CAN-15", "CAN-19", "CAN-21", *EMPTY_HAND, *TURN_START, *SCORE)
def lay_missing(log: Log, rng: random.Random) -> Log | None:
    """A meld or an extension is missing; at the latest the score tells."""
    return drop_one(log, rng, plain_lays(log))


@corruption("CAN-11", "CAN-23", "CAN-19", *EMPTY_HAND)
def discard_missing(log: Log, rng: random.Random) -> Log | None:
    """A turn without its discard."""
    return drop_one(log, rng, where(log, "discard", "pass"))


@corruption("CAN-18")
def morto_missing(log: Log, rng: random.Random) -> Log | None:
    """A hand is emptied and no morto taken."""
    return drop_one(log, rng, where(log, "take_morto"))


@corruption("CAN-18")
def opening_missing(log: Log, rng: random.Random) -> Log | None:
    """A morto is not opened in the player's next turn."""
    return drop_one(log, rng, where(log, "morto_opened"))


@corruption("CAN-20")
def go_out_missing(log: Log, rng: random.Random) -> Log | None:
    """The batida is not written down."""
    return drop_one(log, rng, where(log, "go_out"))


# ---------------------------------------------------------------- an event twice


@corruption("CAN-06", "CAN-07", "CAN-23")
def draw_twice(log: Log, rng: random.Random) -> Log | None:
    """Two draws in one turn, or two replacements."""
    return double_one(log, rng, "draw")


@corruption("CAN-06", "CAN-07", "CAN-11", "CAN-23")
def red_three_twice(log: Log, rng: random.Random) -> Log | None:
    """A red three is laid twice."""
    return double_one(log, rng, "red_three")


@corruption(*TURN_START, *EMPTY_HAND)
def discard_twice(log: Log, rng: random.Random) -> Log | None:
    """A card is discarded twice."""
    return double_one(log, rng, "discard")


@corruption("LOG", "CAN-08", "CAN-11", *EMPTY_HAND)
def lay_twice(log: Log, rng: random.Random) -> Log | None:
    """A meld or an extension twice."""
    return double_one(log, rng, "meld", "extend")


@corruption("CAN-08")
def take_twice(log: Log, rng: random.Random) -> Log | None:
    """The lixo is taken twice."""
    return double_one(log, rng, "take_pile")


@corruption("CAN-19", *TURN_START)
def morto_twice(log: Log, rng: random.Random) -> Log | None:
    """A morto is taken twice."""
    return double_one(log, rng, "take_morto")


@corruption("CAN-20")
def go_out_twice(log: Log, rng: random.Random) -> Log | None:
    """Two batidas."""
    return double_one(log, rng, "go_out")


@corruption("CAN-16")
def second_lavadeira(log: Log, rng: random.Random) -> Log | None:
    """A pair lays a second lavadeira of a rank."""
    found = [
        index
        for index in where(log, "meld")
        if not is_sequence(log[index]["now"])
        and log[index + 1]["event"] in ("meld", "extend", "discard")
        and log[index + 1]["turn"] == log[index]["turn"]
    ]
    index = pick(rng, found)
    if index is None:
        return None
    return insert(log, index + 1, {**log[index], "meld": log[index]["meld"] + 1})


# ---------------------------------------------------------------- draws


@corruption("CARDS")
def draw_not_the_top(log: Log, rng: random.Random) -> Log | None:
    """Another card than the top of the stock."""
    index = pick(rng, where(log, "draw"))
    if index is None:
        return None
    others = [card for card in PACK_52 if [card] != log[index]["cards"]]
    return edit(log, index, cards=[rng.choice(others)])


@corruption("CARDS")
def draws_exchanged(log: Log, rng: random.Random) -> Log | None:
    """Two draws have each other's card."""
    draws = where(log, "draw")
    if len(draws) < 2:
        return None
    first, second = rng.sample(draws, 2)
    if log[first]["cards"] == log[second]["cards"]:
        return None
    return edit(edit(log, first, cards=log[second]["cards"]), second, cards=log[first]["cards"])


@corruption("CAN-06", "CAN-07")
def draw_of_two(log: Log, rng: random.Random) -> Log | None:
    """Two cards in one draw, or none."""
    index = pick(rng, where(log, "draw"))
    if index is None:
        return None
    return edit(log, index, cards=rng.choice(([], log[index]["cards"] * 2)))


@corruption("CAN-06", "CAN-07")
def draw_for_another_reason(log: Log, rng: random.Random) -> Log | None:
    """A turn's draw called a replacement, or the other way round."""
    index = pick(rng, where(log, "draw"))
    if index is None:
        return None
    return edit(log, index, why="turn" if log[index]["why"] == "red_three" else "red_three")


@corruption("CAN-07")
def take_after_draw(log: Log, rng: random.Random) -> Log | None:
    """The lixo is taken although a card was drawn."""
    found = [
        spot
        for spot in spots(log)
        if spot.event["event"] == "draw" and spot.event["why"] == "turn" and not is_red_three(spot.event["cards"][0])
    ]
    spot = pick(rng, found)
    if spot is None:
        return None
    return insert(log, spot.index + 1, plain(spot.event, "take_pile", spot.lixo))


@corruption("CAN-07", "CAN-08", *EMPTY_HAND)
def draw_after_take(log: Log, rng: random.Random) -> Log | None:
    """A card is drawn although the lixo was taken."""
    index = pick(rng, justifications(log))
    if index is None:
        return None
    drawn = sum(1 for event in log[:index] if event["event"] == "draw")
    card = log[0]["stock"][min(drawn, len(log[0]["stock"]) - 1)]
    return insert(log, index + 1, plain(log[index], "draw", [card], why="turn"))


# ---------------------------------------------------------------- red threes


@corruption("CAN-06", "CAN-23", "CARDS")
def red_three_kept(log: Log, rng: random.Random) -> Log | None:
    """A red three is neither laid nor replaced."""
    index = pick(rng, where(log, "red_three"))
    if index is None:
        return None
    replaced = log[index + 1]["event"] == "draw" and log[index + 1]["why"] == "red_three"
    return drop(log, index, 2 if replaced else 1)


@corruption("CAN-06")
def red_three_discarded(log: Log, rng: random.Random) -> Log | None:
    """A red three drawn goes into the lixo."""
    index = pick(rng, where(log, "red_three"))
    return None if index is None else edit(log, index, event="discard")


@corruption("CAN-06")
def red_three_in_the_lixo(log: Log, rng: random.Random) -> Log | None:
    """A discard becomes a red three."""
    index = pick(rng, where(log, "discard"))
    return None if index is None else edit(log, index, cards=[rng.choice(("3H", "3D"))])


@corruption("CAN-06")
def not_a_red_three(log: Log, rng: random.Random) -> Log | None:
    """Another card is laid aside, or two red threes at once, or none."""
    index = pick(rng, where(log, "red_three"))
    if index is None:
        return None
    return edit(log, index, cards=rng.choice((["3S"], ["3C"], ["7H"], ["3H", "3D"], [])))


# ---------------------------------------------------------------- the lixo


def take_instead(log: Log, spot: Spot | None) -> Log | None:
    """The lixo is taken instead of a draw."""
    return None if spot is None else replace(log, spot.index, plain(spot.event, "take_pile", spot.lixo))


def draw_spots(log: Log) -> list[Spot]:
    """The table before each draw of a turn."""
    draws = set(draws_alone(log))
    return [spot for spot in spots(log) if spot.index in draws]


@corruption("CAN-07")
def take_of_no_lixo(log: Log, rng: random.Random) -> Log | None:
    """An empty lixo is taken."""
    return take_instead(log, pick(rng, [spot for spot in draw_spots(log) if not spot.lixo]))


@corruption("CAN-09")
def take_under_black_three(log: Log, rng: random.Random) -> Log | None:
    """The lixo is taken under a black three."""
    found = [spot for spot in draw_spots(log) if spot.lixo and is_black_three(spot.lixo[-1])]
    return take_instead(log, pick(rng, found))


@corruption("CAN-08", "CAN-10")
def take_unjustified(log: Log, rng: random.Random) -> Log | None:
    """The lixo is taken instead of a draw and nothing is laid with its top card."""
    found = [
        spot
        for spot in draw_spots(log)
        if spot.lixo and not is_black_three(spot.lixo[-1]) and spot.lixo[-1] not in log[spot.index + 1].get("cards", [])
    ]
    return take_instead(log, pick(rng, found))


@corruption("CAN-10")
def take_of_a_blocked_curinga(log: Log, rng: random.Random) -> Log | None:
    """Under curinga_top_blocks a curinga on top may not be taken."""
    taken = any(is_curinga(log[index]["cards"][-1]) for index in where(log, "take_pile"))
    return with_options(log, curinga_top_blocks=True) if taken else None


@corruption("CAN-07")
def take_of_a_part(log: Log, rng: random.Random) -> Log | None:
    """The bottom card of the lixo stays."""
    index = pick(rng, [i for i in where(log, "take_pile") if len(log[i]["cards"]) > 1])
    return None if index is None else edit(log, index, cards=log[index]["cards"][1:])


@corruption("CAN-07")
def take_out_of_order(log: Log, rng: random.Random) -> Log | None:
    """The lixo is not written bottom to top."""
    found = [i for i in where(log, "take_pile") if log[i]["cards"] != log[i]["cards"][::-1]]
    index = pick(rng, found)
    return None if index is None else edit(log, index, cards=log[index]["cards"][::-1])


@corruption("CAN-08")
def justified_with_the_rest(log: Log, rng: random.Random) -> Log | None:
    """A card of the justifying meld comes from the rest of the lixo."""
    found = []
    for spot in spots(log):
        if spot.event["event"] != "take_pile":
            continue
        laid = log[spot.index + 1]
        rest = [card for card in spot.lixo[:-1] if card not in spot.hand and card != spot.lixo[-1]]
        mine = without(laid["cards"], spot.lixo[-1])
        if rest and mine:
            found.append((spot.index + 1, rng.choice(mine), rng.choice(rest)))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    index, old, new = chosen
    laid = log[index]
    return edit(log, index, cards=exchanged(laid["cards"], old, new), now=exchanged(laid["now"], old, new))


@corruption("CAN-08")
def justified_without_the_top(log: Log, rng: random.Random) -> Log | None:
    """The justifying meld lacks the top card."""
    found = [i for i in justifications(log) if log[i]["cards"].count(log[i - 1]["cards"][-1]) == 1]
    index = pick(rng, found)
    if index is None:
        return None
    top = log[index - 1]["cards"][-1]
    return edit(log, index, cards=without(log[index]["cards"], top), now=without(log[index]["now"], top))


@corruption("CAN-08")
def justified_later(log: Log, rng: random.Random) -> Log | None:
    """Something else is laid before the justifying meld."""
    found = [
        index
        for index in justifications(log)
        if log[index + 1]["event"] in ("meld", "extend", "discard")
        and log[index - 1]["cards"][-1] not in log[index + 1]["cards"]
    ]
    index = pick(rng, found)
    return None if index is None else swap_next(log, index)


@corruption("CAN-08")
def justified_with_a_curinga(log: Log, rng: random.Random) -> Log | None:
    """Under naturals_only the cards from hand are naturals."""
    for index in justifications(log):
        if any(is_curinga(card) for card in without(log[index]["cards"], log[index - 1]["cards"][-1])):
            return with_options(log, lixo_justify="naturals_only")
    return None


@corruption("CAN-08")
def justified_by_an_extension(log: Log, rng: random.Random) -> Log | None:
    """Under new_meld and naturals_only an extension does not justify, save two of the rank to a lavadeira."""
    for index in justifications(log):
        event, top = log[index], log[index - 1]["cards"][-1]
        naturals = [card for card in without(event["cards"], top) if not is_curinga(card)]
        if event["event"] == "extend" and (is_sequence(event["now"]) or len(naturals) < 2):
            return with_options(log, lixo_justify=rng.choice(("new_meld", "naturals_only")))
    return None
